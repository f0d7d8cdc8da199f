"""What ends a wait for a reply, and what becomes of the events that come meanwhile."""

import signal

from harness import Cluster, check, main, node, wait_until
from pattern_checks import (DAEMON, DIRECT, check_lines, check_nothing_wrong, check_requests, check_status, client,
                            dropped, numbers_from, read_from, server, settle, source)

SENT, QUEUE_SIZE, CHATTER = 300, 3, 200
# What the client of a silent server reads when its wait has ended.
DATA = [f"data {number} - - 0" for number in range(3)]
# What the last read gave, and a further wait, when the node had come to its end.
ENDED = {"end": ["DORA_CLOSED"], "behind": ["DORA_CLOSED"]}


def silent_server():
    """A server that never answers, and its client: what else it sends, the client has to keep."""
    return [
        client(inputs={"reply": source("server/reply"), "data": source("server/out", DAEMON)}),
        node("server", "feeder", outputs=["reply", "out"], env={"DORA_TEST_COUNT": len(DATA)}),
    ]


def check_queued(found, sent, replies=0):
    """Checks what is left of messages: what the queue holds beside some replies, or up to twice as many, the second
    being what came behind the look that found the reply."""
    check(found == sorted(set(found) & set(sent)) and found[-1:] == [sent[-1]], f"of {sent} was read {found}")
    check(QUEUE_SIZE - replies <= len(found) <= 2 * QUEUE_SIZE, f"of {sent} was read {found}")


def check_flood(work, way):
    """The reply comes when all others have come, far more than the queue of one input holds."""
    go = work.path / "go"
    # One receiver with backpressure keeps the output on the way over the daemon for all.
    inputs = {"reply": source("server/reply"), "few": source("feeder/out", queue_size=QUEUE_SIZE),
              "all": source("feeder/out", way, 2 * SENT)}
    flow = work.start([
        client(inputs=inputs, DORA_TEST_QUIET_MS=500),
        server("pattern_peer.py", "serves", env={"DORA_TEST_GO": go}),
        node("feeder", "feeder", outputs=["out"], env={"DORA_TEST_COUNT": SENT, "DORA_TEST_ENDS": 1}),
    ])
    work.await_report("feeder", "sent")
    settle()
    go.touch()
    flow.wait(20)
    check_nothing_wrong(work, "client")
    ids = check_requests(work, 1)
    check_lines(work, "client", "reply", ["DORA_OK"])
    check_lines(work, "client", "reply-event", [f"reply 0 {ids[0]} - 0"])
    few, arrived, lost = numbers_from(work, "few"), numbers_from(work, "all"), dropped(work)
    # A busy machine loses some on dora's direct way.
    check(arrived == list(range(SENT)) or way == DIRECT and 2 * QUEUE_SIZE < len(arrived)
          and arrived == sorted(set(arrived)), f"of all was read {arrived}")
    check_queued(few, arrived)
    check(lost == {"reply": 0, "few": len(arrived) - len(few), "all": 0}, f"of {arrived} few was {few}, lost {lost}")
    print(f"        of {len(arrived)} the small queue gave {len(few)} and dropped {lost['few']}")


def test_others_meanwhile(work):
    check_flood(work, DIRECT)


def test_others_meanwhile_over_the_daemon(work):
    check_flood(work, DAEMON)


def chattering_server():
    """A server that sends much else on its output in front of a reply, and a witness that keeps its messages on the
    way over the daemon, where none is lost."""
    return [
        server("pattern_peer.py", "serves", env={"DORA_TEST_CHATTER": CHATTER}),
        node("witness", "tally", inputs={"in": source("server/reply", DAEMON, 2 * CHATTER)}),
    ]


def test_reply_behind_others(work):
    """A wait of no time finds the reply behind everything that waits."""
    go = work.path / "go"
    inputs = {"reply": source("server/reply", queue_size=2 * CHATTER)}
    waiter = client(inputs=inputs, DORA_TEST_GO=go, DORA_TEST_TIMEOUT_MS=0, DORA_TEST_QUIET_MS=500)
    flow = work.start([waiter, *chattering_server()])
    wait_until(lambda: len(work.report("witness", "input")) > CHATTER, 20, "the witness has all, with the reply")
    settle()
    go.touch()
    flow.wait(20)
    check_lines(work, "client", "reply", ["DORA_OK"])
    chatter = numbers_from(work, "reply")
    check(chatter == list(range(CHATTER)), f"in front of the reply came {chatter}")
    check(dropped(work) == {"reply": 0}, f"dropped were {dropped(work)}")


def test_replies_in_a_full_queue(work):
    """Others have to go for replies: for one that is awaited, and for one that is kept meanwhile."""
    inputs, sent = {"reply": source("server/reply", queue_size=QUEUE_SIZE)}, 2 * CHATTER
    work.run([client(inputs=inputs, DORA_TEST_REQUESTS=2, DORA_TEST_TIMEOUT_MS=10_000, DORA_TEST_QUIET_MS=500),
              *chattering_server()], timeout=20)
    ids = check_requests(work, 2)
    check_lines(work, "client", "reply-event", [f"reply {number} {ids[number]} - 0" for number in (1, 0)])
    chatter, lost = numbers_from(work, "reply"), dropped(work)["reply"]
    check_queued(chatter, range(sent), replies=2)
    check(len(chatter) + lost == sent, f"{len(chatter)} were read and {lost} dropped of {sent}")


def check_closed(work, *expected):
    """Checks that the wait ended with the node, and what was read then."""
    check_nothing_wrong(work, "client")
    check_lines(work, "client", "reply", ["DORA_CLOSED"])
    check_lines(work, "client", "event", list(expected))
    for key, statuses in ENDED.items():
        check_status(work, "client", key, *statuses)


def test_stopped_meanwhile(work):
    flow = work.start(silent_server())
    work.await_report("server", "sent")
    settle()
    flow.process.send_signal(signal.SIGINT)
    flow.wait(20)
    check_closed(work, *DATA, "DORA_EVENT_STOP 1")


def test_reply_behind_a_stop(work):
    """A stop does not end the wait as long as inputs are queued behind it."""
    go = work.path / "go"
    flow = work.start([client(DORA_TEST_GO=go), server("pattern_peer.py", "serves")])
    work.await_report("server", "answered")
    settle()
    flow.process.send_signal(signal.SIGINT)
    settle()
    go.touch()
    flow.wait(20)
    ids = check_requests(work, 1)
    check_lines(work, "client", "reply", ["DORA_OK"])
    check_lines(work, "client", "reply-event", [f"reply 0 {ids[0]} - 0"])
    check(read_from(work, "DORA_EVENT_STOP") == ["1"], f"read was {work.report('client', 'event')}")
    for key, statuses in ENDED.items():
        check_status(work, "client", key, *statuses)


def test_the_server_ends_meanwhile(work):
    work.run([client(), server("pattern_server", env={"DORA_TEST_ENDS": 0})], timeout=20)
    check_closed(work, "DORA_EVENT_INPUT_CLOSED reply", "DORA_EVENT_STOP 2")


def test_the_daemon_is_lost_meanwhile(work):
    cluster = Cluster(work)
    cluster.start(silent_server())
    work.await_report("server", "sent")
    settle()
    cluster.daemon.kill()
    cluster.daemon.wait()
    work.await_report("client", "free_ms")
    errors = read_from(work, "DORA_EVENT_ERROR")
    check(len(errors) == 1, f"read was {work.report('client', 'event')}")
    check_closed(work, *DATA, f"DORA_EVENT_ERROR {errors[0]}")
    check("daemon" in errors[0], f"the error event says {errors[0]}")


def test_an_error_meanwhile(work):
    """dora cannot decode a message, which it tells as an event, and the wait goes on."""
    inputs = {"reply": source("server/reply"), "other": source("server/other")}
    work.run([client(inputs=inputs, DORA_TEST_QUIET_MS=500),
              server("pattern_peer.py", "serves", env={"DORA_TEST_BREAKS": 1})], timeout=20)
    check_nothing_wrong(work, "client")
    check_lines(work, "client", "reply", ["DORA_OK"])
    errors = read_from(work, "DORA_EVENT_ERROR")
    check(errors and all("`other` panicked" in error for error in errors), f"the error events are {errors}")


def test_beside_a_wait(work):
    go = work.path / "go"
    flow = work.start([client("pattern_beside", DORA_TEST_GO=go), server("pattern_peer.py", "serves")])
    work.await_report("client", "reply-event")
    go.touch()
    flow.wait(20)
    check_requests(work, 1)
    check_status(work, "client", "read", "DORA_ERROR_BUSY")
    check_status(work, "client", "wait", "DORA_ERROR_BUSY")
    check_lines(work, "client", "reply-event", ["reply 0 自选 - 0"])
    check_status(work, "client", "reply", "DORA_OK", "DORA_CLOSED")
    work.check_free("client")


main(
    test_others_meanwhile,
    test_others_meanwhile_over_the_daemon,
    test_reply_behind_others,
    test_replies_in_a_full_queue,
    test_stopped_meanwhile,
    test_reply_behind_a_stop,
    test_the_server_ends_meanwhile,
    test_the_daemon_is_lost_meanwhile,
    test_an_error_meanwhile,
    test_beside_a_wait,
)
