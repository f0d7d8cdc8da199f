"""How nodes and their programs end: whatever is under way, in two seconds; and whatever is left, without a word."""

import os
import signal
import time

from harness import BIN, FREE_MS, Cluster, check, main, node, wait_until

HELD = 4
# What dora_node_free takes where dora does not come to an end.
STUCK_MS = 2000
ENDERS = ["busy", "waiting"]
EXIT_CODE = 7
WAYS = ["global", "freed", "static", "thread", "main_thread", "handler", "reading", "sending", "elsewhere", "at_once"]
ROUNDS = 3


def enders(work):
    """Two nodes that have everything in use, of which one reads, and two that receive from them."""
    def ender(id, **env):
        # Two frames fill this queue.
        return node(id, "ender", inputs={"in": {"source": "streamer/out", "queue_size": 2}}, outputs=["out", "pinned"],
                    env={"DORA_TEST_GO": work.path / "go", **env})

    # A receiver with backpressure keeps an output on the way over the daemon.
    pinned = {id: {"source": f"{id}/pinned", "queue_policy": "backpressure"} for id in ENDERS}
    return [
        node("streamer", "streamer", outputs=["out"]),
        ender("busy"),
        ender("waiting", DORA_TEST_WAITING=1),
        node("direct", "tally", inputs={id: f"{id}/out" for id in ENDERS}),
        node("pinned", "tally", inputs=pinned),
    ]


def await_ready(work):
    for id in ENDERS:
        work.await_report(id, "ready", 40)
    time.sleep(0.5)


def check_ended(work):
    for id in ENDERS:
        work.await_report(id, "end", 40)
        taken = work.check_free(id)
        print(f"        {id}: dora_node_free took {taken:.0f} ms of {FREE_MS}")
        check(work.only(id, "held") == work.only(id, "intact") == str(HELD), f"{id}: frames held are damaged")
        # What is stuck in dora keeps the node, and its descriptor, which is readable for ever then.
        check(taken >= STUCK_MS or work.only(id, "loop") == "0", f"{id}: an event loop still sees the node")
        # Those that are stuck in dora report nothing any more.
        ends = {line.split(" ")[0] for line in work.report(id, "sends")}
        check(ends <= {"DORA_OK", "DORA_ERROR_DISCONNECTED"}, f"{id}: the sends ended with {ends}")
    check(work.only("busy", "read") == "DORA_CLOSED", f"the read ended with {work.only('busy', 'read')}")
    wait_until(lambda: not work.processes("ender"), 20, "the programs have ended")


def test_beside_receivers_that_take_nothing(work):
    work.start(enders(work))
    await_ready(work)
    for process in work.processes("tally"):
        os.kill(process, signal.SIGSTOP)
    (work.path / "go").touch()
    check_ended(work)


def check_beside_a_daemon(work, harm):
    cluster = Cluster(work)
    cluster.start(enders(work))
    await_ready(work)
    harm(cluster.daemon)
    (work.path / "go").touch()
    check_ended(work)


def test_beside_a_frozen_daemon(work):
    check_beside_a_daemon(work, lambda daemon: daemon.send_signal(signal.SIGSTOP))


def test_beside_a_dead_daemon(work):
    check_beside_a_daemon(work, lambda daemon: (daemon.kill(), daemon.wait()))


def leaver(work, way):
    """A program that ends in a way, whose code and last moment a shell reports."""
    path = work.path / f"{way}.sh"
    path.write_text("\n".join([
        "#!/bin/sh",
        f'"{BIN}/leaver" 2>"{work.path}/{way}.output"',
        'echo "code $?" >>"$DORA_TEST_REPORT"',
        "read up idle </proc/uptime",
        'echo "ended $up" >>"$DORA_TEST_REPORT"',
        "",
    ]))
    path.chmod(0o755)
    return node(way, str(path), inputs={"in": "streamer/out"}, outputs=["out"], env={"DORA_TEST_MODE": way})


def test_the_ways_in_which_programs_end(work):
    longest = {way: 0.0 for way in WAYS}
    for _ in range(ROUNDS):
        work.forget_reports()
        flow = work.start([
            node("streamer", "streamer", outputs=["out"]),
            *(leaver(work, way) for way in WAYS),
            node("tally", "tally", inputs={way: f"{way}/out" for way in WAYS}),
        ])
        for way in WAYS:
            ended = float(work.await_report(way, "ended", 40))
            check(work.only(way, "code") == str(EXIT_CODE), f"{way}: the program ended with {work.only(way, 'code')}")
            said = (work.path / f"{way}.output").read_text()
            check(said == "", f"{way}: the program said {said}")
            longest[way] = max(longest[way], ended - float(work.only(way, "leaving")))
        flow.process.send_signal(signal.SIGINT)
        flow.process.wait(20)
    for way, taken in longest.items():
        print(f"        {way}: {taken:.2f} s")
        check(taken * 1000 <= FREE_MS, f"{way}: the program took {taken} s to end")


def test_a_library_that_is_closed(work):
    """It stays, since its threads do, with the node or without."""
    flow = work.start([
        node("streamer", "streamer", outputs=["out"]),
        node("closer", "closer.py", inputs={"in": "streamer/out"}, outputs=["out"], env={"DORA_TEST_BIN_DIR": BIN}),
    ])
    work.await_report("closer", "end", 40)
    found = [work.report("closer", key) for key in ("init", "use", "mapped")]
    check(found == [["DORA_OK"], ["DORA_OK"] * 6, ["True"]], f"the program reported {found}")
    flow.process.send_signal(signal.SIGINT)
    flow.wait(20)


main(
    test_beside_receivers_that_take_nothing,
    test_beside_a_frozen_daemon,
    test_beside_a_dead_daemon,
    test_the_ways_in_which_programs_end,
    test_a_library_that_is_closed,
)
