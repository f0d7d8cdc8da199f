"""The daemon is killed: one error event, then closed for ever; sends fail; the node ends by itself. Or it freezes:
the node ends nevertheless."""

import signal
import time

from harness import FAST_LANE, Cluster, check, main, node, wait_until


def start(work, mode, *others, inputs=None):
    """Starts the orphan and other nodes, and returns their daemon when all is quiet."""
    cluster = Cluster(work)
    env = {"DORA_TEST_MODE": mode, "DORA_TEST_GO": work.path / "go"}
    cluster.start([node("orphan", "orphan", inputs=inputs, outputs=["out"], env=env), *others])
    work.await_report("orphan", "ready")
    time.sleep(0.5)
    return cluster.daemon


def kill(work, daemon):
    daemon.kill()
    daemon.wait()
    (work.path / "go").touch()


def check_end(work):
    work.await_report("orphan", "end")
    print(f"        dora_node_free took {work.check_free('orphan'):.0f} ms")
    wait_until(lambda: not work.processes("orphan"), 20, "the node has ended by itself")


def check_orphan(work, sends_on=False):
    """Checks that everything fails; a node that sends on hears of the loss only when it reads."""
    check_end(work)
    events = work.report("orphan", "event")
    check(len(events) == 1 and events[0].startswith("DORA_EVENT_ERROR "), f"the events were {events}")
    check(len(events[0]) > len("DORA_EVENT_ERROR "), "the error event has no message")
    check(work.only("orphan", "closed") == "1000", "a read behind the error was not DORA_CLOSED")
    closed_ms = float(work.only("orphan", "closed_ms"))
    check(closed_ms < 1000, f"1,000 reads behind the end took {closed_ms} ms")
    sends = work.report("orphan", "send")
    check(len(sends) > 2 if sends_on else sends, f"the sends gave {sends}")
    if sends_on:
        check(sends.pop(0) == "DORA_OK", "a send on the fast lane failed, which goes past the daemon")
    for send in sends:
        status, _, sentence = send.partition(" ")
        check(status == "DORA_ERROR_DISCONNECTED", f"a send gave {send}")
        check("daemon" in sentence, f"the sentence of a failed send does not name the daemon: {sentence}")
    log = work.only("orphan", "log")
    check(log.startswith(("DORA_ERROR_IO ", "DORA_ERROR_DISCONNECTED ")), f"a line of the log gave {log}")


def check_accepted(work):
    accepted = int(work.only("orphan", "accepted"))
    print(f"        sends that the kernel took after the kill: {accepted}")
    # The first goes into a connection that does not know yet that nobody is at its end.
    check(accepted <= 2, f"{accepted} sends went on to succeed after the kill")


def test_killed_while_the_node_reads(work):
    kill(work, start(work, "reader", node("silent", "feeder", outputs=["out"]), inputs={"in": "silent/out"}))
    check_orphan(work)


def test_killed_while_what_the_node_printed_is_not_written_out(work):
    kill(work, start(work, "printer", node("silent", "feeder", outputs=["out"]), inputs={"in": "silent/out"}))
    check_orphan(work)


def test_killed_while_the_node_sends_to_nobody(work):
    kill(work, start(work, "sender", inputs={"tick": "dora/timer/millis/50"}))
    check_orphan(work)
    check_accepted(work)


def test_killed_while_the_node_sends_to_another(work):
    tally = node("tally", "tally", inputs={"in": "orphan/out"})
    kill(work, start(work, "sender", tally, inputs={"tick": "dora/timer/millis/50"}))
    check_orphan(work, sends_on=FAST_LANE)
    if not FAST_LANE:
        check_accepted(work)
    wait_until(lambda: not work.processes("tally"), 20, "the receiver has ended by itself")


def freeze(work, daemon):
    daemon.send_signal(signal.SIGSTOP)
    (work.path / "go").touch()


def test_frozen_while_the_node_ends(work):
    freeze(work, start(work, "leaver", node("tally", "tally", inputs={"in": "orphan/out"})))
    check_end(work)


def test_frozen_while_the_node_is_stuck_in_a_send(work):
    # A receiver with backpressure keeps an output on the way over the daemon, which takes nothing any more.
    source = {"source": "orphan/out", "queue_policy": "backpressure"}
    freeze(work, start(work, "stuck", node("tally", "tally", inputs={"in": source})))
    check_end(work)


main(
    test_killed_while_the_node_reads,
    test_killed_while_what_the_node_printed_is_not_written_out,
    test_killed_while_the_node_sends_to_nobody,
    test_killed_while_the_node_sends_to_another,
    test_frozen_while_the_node_ends,
    test_frozen_while_the_node_is_stuck_in_a_send,
)
