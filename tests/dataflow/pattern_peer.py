"""The Python node of test_patterns.py, test_replies.py and test_server_restarts.py. It reports what
pattern.h and the C nodes do.

    pattern_peer.py serves  a service, as pattern_server.c
    pattern_peer.py asks    a client of such a service
    pattern_peer.py acts    the server of an action
    pattern_peer.py pursues a client of such an action
"""

import itertools
import os
import pathlib
import sys
import time

import dora
import pyarrow as pa

node = dora.Node()
report_file = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)
# In which order pattern_server.c answers, too.
ORDER = [3, 0, 5, 4, 2, 1]
chatter = itertools.count()


def report(line):
    report_file.write(f"{line}\n")


def inputs(*ids):
    """The inputs of these ids, until the end."""
    while (event := node.next(timeout=15)) is not None:
        if event["type"] == "ERROR":
            sys.exit(f"no input: {event['error'].splitlines()[0]}")
        if event["type"] == "INPUT" and event["id"] in ids:
            yield event


def number_of(event):
    return event["value"][0].as_py()


def send(output, number, parameters):
    node.send_output(output, pa.array([number], pa.int32()), parameters)


def report_message(word, event):
    found = [event["metadata"].get(key, "-") for key in ("request_id", "goal_id", "goal_status")]
    report(" ".join([word, event["id"], str(number_of(event)), *found]))


def wait_for_driver():
    path = pathlib.Path(os.environ.get("DORA_TEST_GO", "/"))
    while not path.exists():
        time.sleep(0.005)


def send_what_breaks():
    """Sends what dora 1.1.0 fails to decode on its direct way, depending on where the bytes lie."""
    for count in range(1, 9):
        union = pa.UnionArray.from_dense(pa.array([0] * count, pa.int8()), pa.array(range(count), pa.int32()),
                                         [pa.array(range(count), pa.int8())])
        node.send_output("other", union)


def answer(request, number):
    wait_for_driver()
    if "DORA_TEST_BREAKS" in os.environ:
        send_what_breaks()
        time.sleep(0.5)
    for _ in range(int(os.environ.get("DORA_TEST_CHATTER", 0))):
        send("reply", next(chatter), {})
    node.send_service_response("reply", pa.array([number * number], pa.int32()), request)
    report(f"answered {number}")


def serve():
    report(f"run {node.restart_count()}")
    waiting = {}
    for event in inputs("request"):
        number, request = number_of(event), event["metadata"]
        report(f"request {number} {request['request_id']}")
        if "DORA_TEST_ENDS" in os.environ and node.restart_count() == 0:
            sys.exit(int(os.environ["DORA_TEST_ENDS"]))
        if "DORA_TEST_ORDERED" in os.environ and 0 <= number < len(ORDER):
            waiting[number] = request
            if len(waiting) == len(ORDER):
                for each in ORDER:
                    answer(waiting[each], each)
        elif number >= 0:
            answer(request, number)


def ask():
    one_by_one = "DORA_TEST_ONE_BY_ONE" in os.environ
    replies = inputs("reply")
    for number in range(len(ORDER)):
        request_id = "编号-5"
        if number < len(ORDER) - 1:
            request_id = node.send_service_request("request", pa.array([number], pa.int32()))
        else:
            send("request", number, {"request_id": request_id})
        report(f"request {number} {request_id}")
        if one_by_one:
            report_message("reply", next(replies))
    for _ in range(0 if one_by_one else len(ORDER)):
        report_message("reply", next(replies))


def act():
    """Gives each goal its feedback in turn, and ends them as pattern_actor.c does."""
    goals = {}
    count = int(os.environ["DORA_TEST_COUNT"])
    for event in inputs("goal"):
        goals[number_of(event)] = event["metadata"]["goal_id"]
        report(f"goal {number_of(event)} {event['metadata']['goal_id']}")
        if len(goals) == 3:
            break
    for number in range(count):
        for goal in goals.values():
            send("answer", number, {"goal_id": goal})
    # No status that dora knows: it makes no result.
    send("answer", count, {"goal_id": goals[0], "goal_status": "paused"})
    send("answer", 101, {"goal_id": goals[1], "goal_status": "aborted"})
    send("answer", 100, {"goal_id": goals[0], "goal_status": "succeeded"})
    order = next(inputs("cancel"))["metadata"]["goal_id"]
    report(f"canceled {order}")
    send("answer", 102, {"goal_id": order, "goal_status": "canceled"})


def pursue():
    goals = {goal: f"目标-{goal}" for goal in range(3)}
    for number, goal in goals.items():
        report(f"goal {number} {goal}")
        send("goal", number, {"goal_id": goal})
    ended = 0
    for event in inputs("answer"):
        report_message("answer", event)
        ended += "goal_status" in event["metadata"]
        if number_of(event) == 100:
            report(f"canceled {goals[2]}")
            send("cancel", 0, {"goal_id": goals[2]})
        if ended == 3:
            break


{"serves": serve, "asks": ask, "acts": act, "pursues": pursue}[sys.argv[1]]()
