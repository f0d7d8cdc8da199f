"""Children of a node: what they do to shared memory that is also their parent's, which is to be nothing."""

from harness import BEST_WAY, FAST_LANE, TRIES, check, main, node

HEALTHY = dict.fromkeys(["damaged", "lent", "deleted", "unlocked"], "0")
# Locks on shared memory are zenoh's way.
COUNTED = [fault for fault in HEALTHY if fault != "unlocked" or not FAST_LANE]


def run_forker(work, kind):
    """Runs a forker that holds frames in shared memory, from a sender whose pool has room for a few more."""
    nodes = [
        node("streamer", "streamer", outputs=["out"], shared_memory_pool_size="1MB"),
        node("forker", "forker", kind, inputs={"in": {"source": "streamer/out", "queue_size": 2}}, outputs=["out"]),
    ]
    if FAST_LANE:
        # With nobody to receive them its loans would be dora's.
        nodes.append(node("tally", "tally", inputs={"in": "forker/out"}))
    for _ in range(TRIES):
        work.forget_reports()
        flow = work.start(nodes)
        work.await_report("streamer", "ways")
        if work.only("streamer", "ways") == f"out:{BEST_WAY}":
            break
        work.kill_all()
        flow.process.wait()
    work.await_report("forker", "end", 60)
    check(all(int(kib) > 0 for kib in work.report("forker", "kib")), f"the frames lay in {work.report('forker', 'kib')} KiB")
    check(set(work.report("forker", "loan")) == {"2"}, f"the loans lay in memory {work.report('forker', 'loan')}")


def check_child(work, kind):
    run_forker(work, kind)
    before, behind = (dict(line.split(" ") for line in work.report("forker", when)) for when in ("before", kind))
    code = behind.pop("code")
    check(code == "0", f"a child ended with {code}" + (", since it hung" if code == "-9" else ""))
    is_healthy = before == behind and all(behind[fault] == HEALTHY[fault] for fault in COUNTED)
    check(is_healthy, f"the parent found {before} before the child, and {behind} behind it")


def test_calls(work):
    check_child(work, "calls")


def test_arrow_arrays(work):
    check_child(work, "arrow")


def test_exit(work):
    check_child(work, "exits")


main(test_calls, test_arrow_arrays, test_exit)
