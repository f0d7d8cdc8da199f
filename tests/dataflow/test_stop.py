"""A node that ignores its stop: what was queued is delivered, then reads are closed for ever, and sends work.

The first message is read at once; then the node reads nothing until the driver says so, which is when the other
messages and, behind them, the stop have arrived. They wait in dora's channel inside the node.
"""

import time

from harness import FAST_LANE, Cluster, check, main, node

QUEUED = 50
# The ways of a message: from node to node, or over the daemon, where a receiver with backpressure keeps it.
DIRECT, DAEMON = "drop_oldest", "backpressure"


def nodes(work, way, **feeder):
    source = {"source": "feeder/out", "queue_size": 2 * QUEUED, "queue_policy": way}
    return [
        node("feeder", "feeder", outputs=["out"], env={"DORA_TEST_COUNT": QUEUED + 1, **feeder}),
        node("deaf", "deaf", inputs={"in": source}, outputs=["out"], env={"DORA_TEST_GO": work.path / "go"}),
        node("tally", "tally", inputs={"in": {"source": "deaf/out", "queue_policy": way}}),
    ]


def release(work):
    # The stop goes to all nodes at once; what has reached one reaches the other in this time.
    time.sleep(1)
    (work.path / "go").touch()


def is_received(found, sent, way):
    """Whether messages are those that were sent; the direct way may drop some on a busy machine."""
    rest = iter(sent)
    return found == sent or way == DIRECT and all(message in rest for message in found)


def check_deaf(work, way, cause, closed_inputs):
    events = work.report("deaf", "event")
    numbers = [event.split(" ")[1] for event in events if event.startswith("DORA_EVENT_INPUT ")]
    check(is_received(numbers, [str(number) for number in range(QUEUED + 1)], way), f"the inputs were {numbers}")
    stops = [event for event in events if event.startswith("DORA_EVENT_STOP")]
    check(stops == [f"DORA_EVENT_STOP {cause}"], f"the stops were {stops}")
    others = [event for event in events if not event.startswith(("DORA_EVENT_INPUT ", "DORA_EVENT_STOP"))]
    check(others == closed_inputs, f"the other events were {others}")
    stop = events.index(stops[0])
    queued = [event for event in events[stop:] if event.startswith("DORA_EVENT_INPUT ")]
    # Where all inputs are closed the lane delivers what came before that first.
    is_last = FAST_LANE and way == DIRECT and closed_inputs
    behind = 0 if is_last else len(numbers) - 1
    check(numbers and len(queued) == behind, f"behind the stop came {len(queued)} of {len(numbers)} inputs")
    check(not is_last or events[stop - 1:] == [*closed_inputs, *stops],
          f"the end of the events was {events[stop - 1:]}")

    check(work.only("deaf", "closed") == "1000", "a read behind the end was not DORA_CLOSED")
    closed_ms = float(work.only("deaf", "closed_ms"))
    # A wait that was honoured took a second at least.
    check(closed_ms < 1000, f"1,000 reads behind the end took {closed_ms} ms")
    sends = work.report("deaf", "send")
    check(sends == ["DORA_OK", "DORA_OK"], f"sends behind the stop gave {sends}")
    work.check_free("deaf")


def stop_by_hand(work, way):
    cluster = Cluster(work)
    cluster.start(nodes(work, way))
    work.await_report("deaf", "first")
    work.await_report("feeder", "sent")
    time.sleep(0.3)
    stop = work.spawn("dora-stop", ["dora", "stop", "test"])
    work.await_report("feeder", "event")
    release(work)
    work.await_report("deaf", "free_ms")
    stop.process.wait(20)
    check_deaf(work, way, cause=1, closed_inputs=[])


def close_all_inputs(work, way):
    flow = work.start(nodes(work, way, DORA_TEST_ENDS=1))
    work.await_report("deaf", "first")
    work.await_report("feeder", "free_ms")
    release(work)
    flow.wait(20)
    check_deaf(work, way, cause=2, closed_inputs=["DORA_EVENT_INPUT_CLOSED in"])
    received = work.report("tally", "input")
    check(is_received(received, ["in u 1 after the stop", "in n 0 "], way), f"behind the stop was received: {received}")


def test_stopped_by_hand(work):
    stop_by_hand(work, DIRECT)


def test_stopped_by_hand_over_the_daemon(work):
    stop_by_hand(work, DAEMON)


def test_all_inputs_closed(work):
    close_all_inputs(work, DIRECT)


def test_all_inputs_closed_over_the_daemon(work):
    close_all_inputs(work, DAEMON)


main(
    test_stopped_by_hand,
    test_stopped_by_hand_over_the_daemon,
    test_all_inputs_closed,
    test_all_inputs_closed_over_the_daemon,
)
