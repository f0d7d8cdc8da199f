"""What a node learns of others that fail, are restarted, stopped, or silent for a time."""

import signal

from harness import Cluster, check, main, node, wait_until

TICK = {"tick": "dora/timer/millis/20"}
FAILED, RESTARTED, CLOSED = "DORA_EVENT_NODE_FAILED", "DORA_EVENT_NODE_RESTARTED", "DORA_EVENT_INPUT_CLOSED"
# How often the daemon looks for inputs that have timed out is its own affair: each 5 s in dora 1.1.0.
TIMEOUT_SECONDS = 2


def watcher(work, inputs, **env):
    return node("watcher", "failure_watcher", inputs={**inputs, **TICK},
                env={"DORA_TEST_DONE": work.path / "done", **env})


def peer(work, **fields):
    env = {key: fields.pop(key) for key in list(fields) if key.startswith("DORA_")}
    return node("peer", "failure_peer", inputs=TICK, outputs=["left", "right"],
                env={"DORA_TEST_GO": work.path / "go", **env}, **fields)


def events(work, *kinds):
    """The events of some kinds, or of all: what each carries, in the order in which they came."""
    found = []
    for line in work.report("watcher", "event"):
        kind, *fields = line.split("|")
        if not kinds or kind in kinds:
            found.append([kind, *(field.partition("=")[::2] for field in fields)])
    return found


def wait_for(work, kind, count=1):
    wait_until(lambda: len(events(work, kind)) >= count, 20, f"the watcher reads {kind}, {count} times")


def check_failure(work, failing, begin, end="", restarts=0):
    """The watcher hears of a failure once, and that two of its inputs are affected, but not the third."""
    inputs = {"left": "peer/left", "right": {"source": "peer/right", "queue_policy": "backpressure"},
              "other": "other/out"}
    flow = work.start([watcher(work, inputs), failing, node("other", "feeder", outputs=["out"])])
    work.await_report("watcher", "ready")
    (work.path / "go").touch()
    wait_for(work, FAILED)
    wait_for(work, CLOSED, 2)
    (work.path / "done").touch()
    work.await_report("watcher", "end")
    flow.process.send_signal(signal.SIGINT)
    # A dataflow with a node that failed has failed.
    check(flow.process.wait(20) == 1, f"dora run ended with {flow.process.returncode}")
    check(len(events(work, FAILED)) == 1, f"the failures were {events(work, FAILED)}")
    _, (_, who), (_, what), *affected = events(work, FAILED)[0]
    check(who == "peer" and what.startswith(begin) and end in what, f"failed has {who!r}, with the message {what!r}")
    check(sorted(affected) == [("affected", "left"), ("affected", "right")], f"affected are {affected}")
    restarted = events(work, RESTARTED)
    check(restarted == [[RESTARTED, ("node", "peer")]] * restarts, f"the restarts were {restarted}, not {restarts}")
    closed = sorted(fields for _, *fields in events(work, CLOSED))
    check(closed == [[("input", "left")], [("input", "right")]], f"closed are {closed}")


def test_a_node_ends_with_a_failure(work):
    check_failure(work, peer(work, DORA_TEST_FAILS="orderly", DORA_TEST_FAILURES=1), "exited with code 3")


def test_a_node_crashes(work):
    check_failure(work, peer(work, DORA_TEST_FAILS="crash", DORA_TEST_FAILURES=1), "exited with code 4")


def test_a_node_is_killed_by_a_signal(work):
    failing = peer(work, DORA_TEST_FAILS="signal", DORA_TEST_FAILURES=1)
    check_failure(work, failing, "exited because of signal SIGABRT")


def test_a_python_node_raises(work):
    failing = node("peer", "failure_sender.py", "raise", outputs=["left", "right"],
                   env={"DORA_TEST_GO": work.path / "go"})
    check_failure(work, failing, "exited with code 1 with stderr output:", "RuntimeError: failed on purpose")


def test_a_node_fails_more_often_than_it_is_restarted(work):
    failing = peer(work, DORA_TEST_FAILS="crash", DORA_TEST_FAILURES=9, restart_policy="on-failure", max_restarts=2)
    check_failure(work, failing, "exited with code 4", restarts=2)
    check(work.report("peer", "run") == ["0", "1", "2"], f"the runs were {work.report('peer', 'run')}")


def test_a_node_is_restarted_and_stopped_by_hand(work):
    cluster = Cluster(work)
    cluster.start([watcher(work, {"left": "peer/left"}), peer(work)])
    work.await_report("watcher", "ready")
    work.await_report("peer", "run")
    cluster.dora("node", "restart", "peer")
    wait_for(work, RESTARTED)
    wait_until(lambda: work.report("peer", "run") == ["0", "1"], 20, "the peer runs again")
    cluster.dora("node", "stop", "peer")
    wait_until(lambda: len(work.report("peer", "free_ms")) == 2, 20, "the peer ends again")
    check(work.report("peer", "event") == ["DORA_EVENT_STOP 1"] * 2, f"the peer read {work.report('peer', 'event')}")
    kinds = {kind for kind, *_ in events(work)}
    check(kinds <= {RESTARTED, CLOSED}, f"the watcher, which nobody stopped, read {kinds}")
    cluster.dora("stop", "test")
    work.await_report("watcher", "end")
    check(events(work)[-1] == ["DORA_EVENT_STOP", ("cause", "manual")], f"the last event was {events(work)[-1]}")


def test_the_last_value_of_a_silent_sender(work):
    go, sender_done = work.path / "go", work.path / "sender-done"
    source = {"source": "sender/out", "input_timeout": TIMEOUT_SECONDS}
    flow = work.start([
        watcher(work, {"in": source, "other": "other/out"}, DORA_TEST_KEEPS=1),
        node("sender", "failure_sender.py", "speak", outputs=["out"],
             env={"DORA_TEST_GO": go, "DORA_TEST_DONE": sender_done}),
        node("other", "feeder", outputs=["out"]),
    ])
    work.await_report("watcher", "ready")
    go.with_suffix(".0").touch()
    wait_for(work, CLOSED)
    go.with_suffix(".1").touch()
    wait_for(work, "DORA_EVENT_INPUT_RECOVERED")
    wait_for(work, "DORA_EVENT_INPUT", 2)
    sender_done.touch()
    wait_for(work, CLOSED, 2)
    (work.path / "done").touch()
    work.await_report("watcher", "end")
    flow.process.send_signal(signal.SIGINT)
    flow.wait(20)

    kinds = [kind.removeprefix("DORA_EVENT_") for kind, *_ in events(work)]
    # The message goes straight to the watcher, and the word of the daemon goes its own way.
    kinds[2:4] = sorted(kinds[2:4])
    check(kinds == ["INPUT", "INPUT_CLOSED", "INPUT", "INPUT_RECOVERED", "INPUT_CLOSED"],
          f"the events were {kinds}")
    received = [dict(fields)["value"] for _, *fields in events(work, "DORA_EVENT_INPUT")]
    sent = [line.split(" ") for line in work.report("sender", "sent")]
    for (number, bits), value in zip(sent, received, strict=True):
        head, _, tail = value.partition(":")
        check((head.partition("@")[0], tail) == (number, bits), f"sent was {number}:{bits}, received {value}")
    # Behind each event, the last value is that of the message before it, time and metadata included.
    expected = ["DORA_ERROR_NOT_FOUND -"]
    for _, *fields in events(work):
        value = dict(fields).get("value")
        expected.append(f"DORA_OK {value}" if value else expected[-1])
    check(work.report("watcher", "last") == expected, f"the last values were {work.report('watcher', 'last')}")


def test_no_last_value_unless_it_was_asked_for(work):
    flow = work.start([watcher(work, {"in": "feeder/out"}),
                       node("feeder", "feeder", outputs=["out"], env={"DORA_TEST_COUNT": 1})])
    wait_for(work, "DORA_EVENT_INPUT")
    (work.path / "done").touch()
    work.await_report("watcher", "end")
    flow.process.send_signal(signal.SIGINT)
    flow.wait(20)
    found = set(work.report("watcher", "last"))
    check(found == {"DORA_ERROR_UNSUPPORTED -"}, f"the last values were {found}")


main(
    test_a_node_ends_with_a_failure,
    test_a_node_crashes,
    test_a_node_is_killed_by_a_signal,
    test_a_python_node_raises,
    test_a_node_fails_more_often_than_it_is_restarted,
    test_a_node_is_restarted_and_stopped_by_hand,
    test_the_last_value_of_a_silent_sender,
    test_no_last_value_unless_it_was_asked_for,
)
