"""The fast lane where nodes end: after a few messages, in failure, killed, stopped, or with messages that they keep."""

import signal
import time

from harness import Cluster, check, main, wait_until
from lane_checks import (MIB, PATIENCE, WAY, check_counted, check_exact, check_trace, has_shared_memory, kill,
                         read_trace, result, sink, source, start, taken, ways)

INPUT = {"in": taken("source/out")}
SLEEP_MS = 2000
RESTARTED = {"restart_policy": "on-failure"}
# dora restarts no node that has no open input.
RESTARTED_SOURCE = {"inputs": {"tick": "dora/timer/millis/20"}, **RESTARTED}


# ---- A producer that leaves early ----


def check_three(work, size, queue_size):
    """Three messages and the end, while the receiver sleeps."""
    flow = start(work, [source(COUNT=3, SIZES=size, WAY="both"),
                        sink(inputs={"in": taken("source/out", queue_size)}, SLEEP_MS=SLEEP_MS)])
    flow.wait(PATIENCE)
    check_exact(work, **{"in": 3})
    work.check_free("source")


def test_three_small_messages_and_the_end(work):
    check_three(work, 64, 1000)


def test_three_large_messages_and_the_end(work):
    if has_shared_memory(128 * MIB):
        check_three(work, 4 * MIB, 4)


def test_three_messages_and_one_of_two_sleepers_is_killed(work):
    """The other gets all, and nobody waits for the dead for long."""
    flow = start(work, [source(COUNT=3, SIZES="64,100000", WAY="both", GO=work.path / "go"),
                        sink("dies", INPUT, SLEEP_MS=60_000), sink("lives", INPUT, SLEEP_MS=SLEEP_MS)])
    for id in ("dies", "lives"):
        work.await_report(id, "dataflow", PATIENCE)
    (work.path / "go").touch()
    kill(work, "dies")
    # A dataflow with a node that failed has failed.
    check(flow.process.wait(PATIENCE) == 1, f"dora run ended with {flow.process.returncode}")
    check_exact(work, "lives", **{"in": 3})
    work.check_free("source")


def test_a_first_message_behind_a_long_silence(work):
    flow = start(work, [source(COUNT=3, GO=work.path / "go"), sink()])
    time.sleep(2)
    (work.path / "go").touch()
    flow.wait(PATIENCE)
    check_exact(work, **{"in": 3})


def test_a_producer_that_never_frees_its_node(work):
    """It begins with a tick, and returns from main: what it sent last may be missing, and nobody is stuck."""
    tick = {"tick": "dora/timer/millis/20"}
    flow = start(work, [source(inputs=tick, COUNT=100, SIZES="8-20000", WAY="both", TICKS=1, LEAVES=1), sink()])
    flow.wait(PATIENCE)
    book = result(work)["inputs"]["in"]
    check(work.report("source", "free_ms") == [], "it has freed its node")
    check(book["received"] <= 100 and book["closed"] == 1 and check_counted(work)["in"] == 0, f"of 100 came {book}")
    print(f"        {book['received']} of 100 messages came")


def test_an_input_ends_before_others(work):
    """Its end comes behind all its messages, and the others go on."""
    flow = start(work, [source("short", COUNT=300), source("long", COUNT=-1, INTERVAL_US=2000, DONE=work.path / "done"),
                        sink(inputs={"short": taken("short/out"), "long": taken("long/out")}, SLEEP_MS=500)],
                 "short/out", "long/out")
    wait_until(lambda: work.report("sink", "event") == ["DORA_EVENT_INPUT_CLOSED"], PATIENCE, "an input ends")
    check(work.report("sink", "result") == [], "the other input has ended too")
    (work.path / "done").touch()
    flow.wait(PATIENCE)
    long = int(work.only("long", "sent").split(" ")[0])
    # What nobody read while the sink slept may be more than its queue holds on a machine that is very busy.
    check_exact(work, short=300, long=long)


# ---- Restarts and kills ----


def endless(work, **options):
    return source(COUNT=-1, SIZES="8-20000", WAY="both", INTERVAL_US=500, DONE=work.path / "done", **options)


def end(work, flow):
    (work.path / "done").touch()
    # A restarted node may leave its mark on the exit code.
    wait_until(lambda: flow.process.poll() is not None, PATIENCE, "the dataflow ends")


def wait_for_run(work, run, id="sink", count=100):
    """Waits until a receiver has messages of a run of its sender, and so many behind that."""
    wait_until(lambda: any(line.split(" ")[1] == str(run) for line in work.report(id, "from")), PATIENCE,
               f"{id} reads from run {run} of its sender")
    more = len(work.report(id, "progress")) + count // 10
    wait_until(lambda: len(work.report(id, "progress")) >= more, PATIENCE, f"{id} goes on reading")


def test_a_producer_ends_in_failure_and_is_restarted(work):
    """All of its first run arrive, and behind them all of the second."""
    at, count = 150, 300
    flow = start(work, [source(COUNT=count, SIZES="8-20000", WAY="both", FAILS="orderly", FAILURES=1, FAILS_AT=at,
                               **RESTARTED_SOURCE), sink()])
    wait_until(lambda: flow.process.poll() is not None, PATIENCE, "the dataflow ends")
    book = result(work)["inputs"]["in"]
    check([book["received"], book["runs"], book["gaps"], book["dropped"]] == [at + count, 2, 0, 0],
          f"of {at} and {count} messages came {book}")


def test_a_producer_crashes_and_is_restarted(work):
    """Of a run that crashed may be missing what it sent last."""
    at, count = 150, 300
    flow = start(work, [source(COUNT=count, SIZES="8-20000", WAY="both", INTERVAL_US=200, FAILS="crash", FAILURES=1,
                               FAILS_AT=at, **RESTARTED_SOURCE), sink(TRACE=work.path / "sink.trace")])
    wait_until(lambda: flow.process.poll() is not None, PATIENCE, "the dataflow ends")
    lost = check_counted(work)["in"]
    book = result(work)["inputs"]["in"]
    records = read_trace(work.path / "sink.trace")
    check_trace(records)
    first, second = (sum(incarnation == run for _, incarnation, *_ in records) for run in (0, 1))
    print(f"        of {at} before a crash came {first}, of {count} behind it {second}; {lost} are counted as lost")
    check(second + lost == count and first <= at and book["last"] == count - 1, f"of {count} came {second}: {book}")


def test_a_producer_is_killed(work):
    flow = start(work, [endless(work, **RESTARTED_SOURCE), sink(TELL_EVERY=10, TRACE=work.path / "sink.trace")])
    for run in range(3):
        wait_for_run(work, run)
        if run < 2:
            kill(work, "source")
    end(work, flow)
    book = result(work)["inputs"]["in"]
    check(book["runs"] == 3 and book["closed"] == 1, f"of three runs of the sender came {book}")
    check_counted(work)
    check_trace(read_trace(work.path / "sink.trace"))


def check_restarted_sink(work, restart, **sink_options):
    """A receiver in three runs: over all of them nothing comes twice. Another in one: nothing is lost."""
    trace = work.path / "sink.trace"
    flow = start(work, [endless(work), sink(TELL_EVERY=10, TRACE=trace, **sink_options, **RESTARTED),
                        sink("other", INPUT, TELL_EVERY=10)])
    for run in range(3):
        wait_until(lambda: len({record[3] for record in read_trace(trace)}) == run + 1, PATIENCE,
                   f"the receiver reads in run {run}")
        more = len(work.report("sink", "progress")) + 5
        wait_until(lambda: len(work.report("sink", "progress")) >= more or len(work.report("sink", "run")) > run + 1,
                   PATIENCE, "it goes on reading")
        if run < 2:
            restart()
            wait_until(lambda: len(work.report("sink", "run")) > run + 1, PATIENCE, "it is restarted")
    end(work, flow)
    check(work.report("sink", "run") == ["0", "1", "2"], f"its runs were {work.report('sink', 'run')}")
    book = result(work)["inputs"]["in"]
    check(book["gaps"] == book["dropped"] and book["closed"] == 1, f"the last run found {book}")
    records = read_trace(trace)
    check_trace(records)
    for run in range(3):
        numbers = [number for number, _, _, of, _ in records if of == run]
        missing = numbers[-1] - numbers[0] + 1 - len(numbers)
        print(f"        run {run} of the receiver had {numbers[0]} to {numbers[-1]}, and misses {missing}")
    check_exact(work, "other", **{"in": int(work.only("source", "sent").split(" ")[0])})
    work.check_free("source")


def test_a_consumer_is_killed(work):
    check_restarted_sink(work, lambda: kill(work, "sink"))


def test_a_consumer_ends_in_failure(work):
    check_restarted_sink(work, lambda: None, FAILS="orderly", FAILURES=2, FAILS_AT=200)


def test_a_consumer_crashes(work):
    check_restarted_sink(work, lambda: None, FAILS="crash", FAILURES=2, FAILS_AT=200)


def test_the_only_consumer_is_killed_for_good(work):
    """Its producer sends on, and never waits for it."""
    work.leave_fast_lane()
    flow = start(work, [source(COUNT=3000, SIZES="8-20000", WAY="both", INTERVAL_US=500), sink()])
    work.await_report("sink", "from", PATIENCE)
    kill(work, "sink")
    check(flow.process.wait(PATIENCE) == 1, f"dora run ended with {flow.process.returncode}")
    check(work.only("source", "sent").split(" ")[0] == "3000", f"sent were {work.only('source', 'sent')}")
    work.check_free("source")


# ---- The stop ----


def check_stop(work, stop):
    """The stop comes first, what was queued then behind it, and then nothing any more."""
    count, go = 50, work.path / "go"
    stop(work, [source(COUNT=count, SIZES="8-20000", WAY="both", STAYS=1), sink(GO=go)])
    work.await_report("source", "end", PATIENCE)
    # What has reached one node reaches the other in this time.
    time.sleep(1)
    go.touch()
    found = result(work)
    check([found["stops"], found["before_stop"]] == [1, 0], f"there were {found['stops']} stops, the first behind "
          f"{found['before_stop']} messages")
    book = found["inputs"]["in"]
    check([book["received"], book["first"], book["gaps"], book["dropped"]] == [count, 0, 0, 0],
          f"of {count} messages came {book}")
    check(work.report("sink", "closed") == ["DORA_CLOSED"], f"the reads ended with {work.report('sink', 'closed')}")


def test_stopped_by_hand(work):
    def stop(work, nodes):
        cluster = Cluster(work)
        cluster.start(nodes)
        work.await_report("source", "sent", PATIENCE)
        check(ways(work, "source") == {"out": WAY}, f"the ways are {ways(work, 'source')}")
        stop.run = work.spawn("dora-stop", ["dora", "stop", "test"])

    work.leave_fast_lane()
    check_stop(work, stop)
    check(stop.run.process.wait(PATIENCE) == 0, "dora stop failed")


def test_stopped_by_an_interrupt(work):
    def stop(work, nodes):
        stop.flow = start(work, nodes)
        work.await_report("source", "sent", PATIENCE)
        stop.flow.process.send_signal(signal.SIGINT)

    check_stop(work, stop)
    stop.flow.wait(PATIENCE)


# ---- Messages that are kept ----


def check_kept_behind_the_end(work, holds):
    """A node that has ended keeps messages, while their sender goes on; no memory of them is used again."""
    release = work.path / "release"
    flow = start(work, [endless(work), sink(UNTIL=200, HOLD=20, HOLDS=holds, RELEASE=release),
                        sink("other", INPUT, TELL_EVERY=10)])
    work.await_report("sink", "freed", PATIENCE)
    more = len(work.report("other", "progress")) + 100
    wait_until(lambda: len(work.report("other", "progress")) >= more, PATIENCE, "the sender goes on for 1000 messages")
    release.touch()
    found = result(work)
    check(found["held"] == 200 and found["messages"] == 200, f"kept was {found}")
    end(work, flow)
    result(work, "other")


def test_events_are_kept_behind_the_end_of_their_node(work):
    check_kept_behind_the_end(work, "event")


def test_arrays_are_kept_behind_the_end_of_their_node(work):
    check_kept_behind_the_end(work, "arrow")


def check_kept_behind_the_sender(work, holds):
    """The sender has ended when they are looked at for the last time."""
    release = work.path / "release"
    flow = start(work, [source(COUNT=50, SIZES="8-100000", WAY="both"), sink(HOLD=50, HOLDS=holds, RELEASE=release)])
    work.await_report("source", "end", PATIENCE)
    work.await_report("sink", "freed", PATIENCE)
    time.sleep(0.5)
    release.touch()
    flow.wait(PATIENCE)
    check_exact(work, **{"in": 50})


def test_events_are_kept_behind_the_end_of_the_sender(work):
    check_kept_behind_the_sender(work, "event")


def test_arrays_are_kept_behind_the_end_of_the_sender(work):
    check_kept_behind_the_sender(work, "arrow")


def test_a_sender_is_killed_whose_messages_are_kept(work):
    """What cleans up behind it leaves them alone."""
    flow = start(work, [endless(work, **RESTARTED_SOURCE), sink(HOLD=30, HOLDS="arrow", TELL_EVERY=10)])
    wait_for_run(work, 0)
    kill(work, "source")
    wait_for_run(work, 1, count=500)
    end(work, flow)
    result(work)
    check_counted(work)


def test_many_are_kept_and_nothing_stalls(work):
    """Up to what the lane lends, around it, and far beyond it, where further ones are copies."""
    for holds in ("event", "arrow"):
        for hold in (1, 7, 8, 9, 64):
            work.forget_reports()
            start(work, [source(COUNT=500, SIZES="8-20000", WAY="both"), sink(HOLD=hold, HOLDS=holds)]).wait(PATIENCE)
            check_exact(work, **{"in": 500})


main(
    test_three_small_messages_and_the_end,
    test_three_large_messages_and_the_end,
    test_three_messages_and_one_of_two_sleepers_is_killed,
    test_a_first_message_behind_a_long_silence,
    test_a_producer_that_never_frees_its_node,
    test_an_input_ends_before_others,
    test_a_producer_ends_in_failure_and_is_restarted,
    test_a_producer_crashes_and_is_restarted,
    test_a_producer_is_killed,
    test_a_consumer_is_killed,
    test_a_consumer_ends_in_failure,
    test_a_consumer_crashes,
    test_the_only_consumer_is_killed_for_good,
    test_stopped_by_hand,
    test_stopped_by_an_interrupt,
    test_events_are_kept_behind_the_end_of_their_node,
    test_arrays_are_kept_behind_the_end_of_their_node,
    test_events_are_kept_behind_the_end_of_the_sender,
    test_arrays_are_kept_behind_the_end_of_the_sender,
    test_a_sender_is_killed_whose_messages_are_kept,
    test_many_are_kept_and_nothing_stalls,
)
