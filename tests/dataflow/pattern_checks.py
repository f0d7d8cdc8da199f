"""What the tests of services and actions share. Their nodes report what pattern.h says."""

import time

from harness import check, node

# The ways of a message: from node to node, or over the daemon, where a receiver with backpressure keeps it.
DIRECT, DAEMON = "drop_oldest", "backpressure"
TICK = "dora/timer/millis/20"


def source(output, way=DIRECT, queue_size=16):
    return {"source": output, "queue_size": queue_size, "queue_policy": way}


def client(program="pattern_waiter", *, inputs=None, **env):
    return node("client", program, inputs=inputs or {"reply": source("server/reply")}, outputs=["request"], env=env)


def server(*program, env=None, **fields):
    return node("server", *program, inputs={"request": source("client/request")}, outputs=["reply", "other"],
                env=env, **fields)


def settle():
    """Lets what is under way arrive."""
    time.sleep(0.5)


def check_nothing_wrong(work, *node_ids):
    for node_id in node_ids:
        check(work.report(node_id, "wrong:") == [], f"{node_id}: {work.report(node_id, 'wrong:')}")


def check_lines(work, node_id, key, expected):
    found = work.report(node_id, key)
    check(found == expected, f"{node_id}: {key} is {found}, not {expected}")


def check_status(work, node_id, key, *expected):
    found = [line.partition(" ")[0] for line in work.report(node_id, key)]
    check(found == list(expected), f"{node_id}: {key} gave {work.report(node_id, key)}, not {list(expected)}")


def requests(work, node_id):
    """The id of each request that a node reported, by its number."""
    lines = [line.split(" ") for line in work.report(node_id, "request")]
    found = {int(number): id for number, id in lines}
    check(len(found) == len(lines), f"{node_id} reported a request more than once: {lines}")
    return found


def check_requests(work, count):
    """Checks that client and server speak of the same requests, and returns their ids."""
    sent, received = requests(work, "client"), requests(work, "server")
    check(sent == received, f"sent were the requests {sent}, and received {received}")
    check(len(set(sent.values())) == count, f"there are no {count} ids in {sent}")
    return sent


def read_from(work, input):
    """What the client reported of the messages on an input, or of the events of a kind, that it read."""
    lines = (line.partition(" ") for line in work.report("client", "event"))
    return [rest for word, _, rest in lines if word == input]


def numbers_from(work, input):
    return [int(line.partition(" ")[0]) for line in read_from(work, input)]


def dropped(work):
    """How many messages of each input the client reported as dropped."""
    return {input: int(total) for input, total in (line.split(" ") for line in work.report("client", "dropped"))}
