"""Threads, event loops and deadlines in real dataflows."""

import re
import signal
import sys

from harness import HERE, check, main, node

sys.path.append(str(HERE.parents[1] / "benches"))
import steady

THREADS, EACH = 4, 250
EVENTS, ALONE, DEADLINES = 100_000, 2_000, 5_000


def certain(source):
    """An input that loses nothing, as long as no more than that is on the way."""
    return {"source": source, "queue_policy": "backpressure", "queue_size": 2_000}


def test_sends_beside_a_read_that_waits(work):
    env = {"DORA_TEST_COUNT": EACH}
    flow = work.start([
        node("silent", "feeder", outputs=["out"]),
        node("sender", "threads_sender", inputs={"in": "silent/out"}, outputs=["out"], env=env),
        node("tally", "threads_tally", inputs={"in": certain("sender/out")}, env=env),
    ])
    work.await_report("tally", "all", 60)
    flow.process.send_signal(signal.SIGINT)
    flow.wait(20)
    sent = [line.split(" ") for line in work.report("sender", "sent")]
    check([count for count, _ in sent] == [str(EACH)] * THREADS, f"of {EACH} for each thread were sent {sent}")
    check(work.only("sender", "blocked") == "1", "the read did not wait all along")
    check(work.only("sender", "read") == "DORA_OK DORA_EVENT_STOP", f"the read gave {work.only('sender', 'read')}")
    check(work.report("tally", "wrong") == [], f"out of order: {work.report('tally', 'wrong')[:5]}")
    longest = max(float(ms) for _, ms in sent)
    print(f"        {THREADS * EACH} sends from {THREADS} threads; the longest took {longest} ms")
    # The read would have kept them until the stop, for which the tally's end is waited first.
    check(longest < 4_000, f"a send took {longest} ms")


def run_loop(work, count, traced=False, **env):
    """Runs an event loop beside so many events, and returns what it counted."""
    work.forget_reports()
    env |= {"DORA_TEST_COUNT": count}
    loop = node("loop", "threads_loop", inputs={"in": certain("source/out")}, outputs=["answer"], env=env)
    source = node("source", "threads_source", inputs={"answer": certain("loop/answer")}, outputs=["out"], env=env)
    if traced:
        loop = steady.traced(work.path, loop, all_threads=False)
    work.run([source, loop], timeout=120)
    work.only("loop", "end")
    events, others, wakes, vain, reads = (int(work.only("loop", key))
                                          for key in ("events", "others", "wakes", "vain", "reads"))
    used, passed = work.only("loop", "thread_ms").split(" ")
    check(events == count, f"after {events} of {count} events one was missing")
    # Each time it is told it reads what there is, and once more.
    check(reads == events + others + wakes, f"{wakes} times told, it read {reads} times for {events} events")
    print(f"        {count} events in {passed} ms, {used} of them on the processor: told {wakes} times, {vain} of them "
          f"for nothing, {reads} reads")
    return events, wakes, vain


def check_loop(work, **env):
    events, wakes, vain = run_loop(work, EVENTS, **env)
    check(wakes <= events + 2, f"it was told {wakes} times of {events} events")
    # Only where the thread that brings an event is put aside between that and the wake, and the loop takes it then.
    check(vain <= 2, f"it was told {vain} times for nothing")


def test_a_loop_beside_many_events(work):
    check_loop(work)


def test_an_edge_triggered_loop_beside_many_events(work):
    check_loop(work, DORA_TEST_EDGES=1)


def test_what_the_loop_asks_of_the_system(work):
    """Counts the system calls of the loop's thread, beside events that come alone and together."""
    if not steady.can_trace():
        print("        left out: strace may not run here")
        return
    for pause in [1_000, 0]:
        events, wakes, _ = run_loop(work, ALONE if pause else EVENTS // 10, traced=True, DORA_TEST_PAUSE_US=pause)
        parts = steady.trace_of(work.path, "loop").read_text(errors="replace").split("getppid(")
        check(len(parts) == 3, f"{len(parts) - 1} marks in the calls of the system, not 2")
        watched = work.only("loop", "fd")
        waits, silences, rings = (len(re.findall(call, parts[1], re.MULTILINE)) for call in (
            r"^epoll_p?wait\(", rf"^read\({watched},", rf"^write\({watched},"))
        print(f"        of the loop's thread: {waits} waits, {silences} times silenced, {rings} times rung by itself")
        check(waits == wakes, f"{waits} waits for {wakes} times that it was told")
        # Whoever comes while the loop silences the descriptor has it ring again: a read and a write, and no wait. Just
        # behind that is a moment in which an event is taken at once, and costs a read alone.
        told = wakes + rings
        check(silences <= 1.5 * told + 20, f"silenced {silences} times, told {wakes} times and {rings} by itself")
        check(told <= events + 2, f"told {wakes} times, and {rings} by itself, of {events} events")


def test_what_comes_at_the_deadline(work):
    work.run([
        node("asker", "threads_deadline", inputs={"answer": certain("echo/whole")}, outputs=["ask"],
             env={"DORA_TEST_COUNT": DEADLINES}),
        node("echo", "echo", inputs={"whole": certain("asker/ask")}, outputs=["whole"]),
    ], timeout=120)
    check(work.report("asker", "lost") == [], f"lost was number {work.report('asker', 'lost')}")
    in_time, late, close, timeout = (int(work.only("asker", key)) for key in ("in_time", "late", "close", "timeout_us"))
    print(f"        {in_time} answers came before the deadline and {late} behind it, {close} of them just behind; "
          f"the last was {timeout} µs away")
    check(in_time + late == DEADLINES, f"of {DEADLINES} answers came {in_time} and {late}")
    check(min(in_time, late) > DEADLINES // 20, "too few came on one side of the deadline to show anything")


main(
    test_sends_beside_a_read_that_waits,
    test_a_loop_beside_many_events,
    test_an_edge_triggered_loop_beside_many_events,
    test_what_the_loop_asks_of_the_system,
    test_what_comes_at_the_deadline,
)
