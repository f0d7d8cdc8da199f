"""What is sent on the fast lane arrives, each message once, in order, as it was; what is lost is counted."""

import re
import time

from harness import check, main, wait_until
from lane_checks import (MIB, OVER, PATIENCE, WAY, check_counted, check_exact, has_shared_memory, lane_node, result,
                         run, sink, source, start, taken)

COUNT = 900
SMALL = {"COUNT": COUNT, "SIZES": "8-65536", "WAY": "both"}
INPUT = {"in": taken("source/out")}


def peer(id, source, outputs=("out",), **options):
    return lane_node(id, "lane_peer", inputs={"in": taken(source)}, outputs=outputs, **options)


def test_one_to_one(work):
    run(work, [source(**SMALL), sink()])
    check_exact(work, **{"in": COUNT})
    sent, shared = map(int, work.only("source", "sent").split(" "))
    check(sent == COUNT, f"sent were {sent}")
    check(shared == COUNT // 2 or OVER != "lane", f"{shared} of {COUNT // 2} loans were in shared memory")


def test_one_to_three(work):
    run(work, [source(**SMALL), *(sink(id, INPUT) for id in ("one", "two", "three"))])
    for id in ("one", "two", "three"):
        check_exact(work, id, **{"in": COUNT})


def test_two_inputs_on_one_output(work):
    run(work, [source(**SMALL), sink(inputs={"left": taken("source/out"), "right": taken("source/out")})])
    check_exact(work, left=COUNT, right=COUNT)


def test_two_outputs(work):
    run(work, [source("source", "left", "right", outputs=["left", "right"], **SMALL),
               sink(inputs={"left": taken("source/left"), "right": taken("source/right")})],
        "source/left", "source/right")
    check_exact(work, left=COUNT, right=COUNT)


def test_several_producers(work):
    ids = ["one", "two", "three"]
    run(work, [*(source(id, **SMALL) for id in ids), sink(inputs={id: taken(f"{id}/out") for id in ids})],
        *(f"{id}/out" for id in ids))
    check_exact(work, one=COUNT, two=COUNT, three=COUNT)


def test_a_chain_of_relays(work):
    """Each in C++, which copies what came into a loan."""
    run(work, [source(**SMALL), peer("one", "source/out"), peer("two", "one/out"), peer("three", "two/out"),
               sink(inputs={"in": taken("three/out")})],
        "source/out", "one/out", "two/out", "three/out")
    for id in ("one", "two", "three", "sink"):
        check_exact(work, id, **{"in": COUNT})


def test_a_ring(work):
    run(work, [peer("begin", "relay/out", FIRST=COUNT, BURST=10), peer("relay", "begin/out")],
        "begin/out", "relay/out")
    check(result(work, "begin")["inputs"]["in"]["received"] == COUNT, "not all came back")
    check_exact(work, "relay", **{"in": COUNT})


def test_a_node_that_receives_itself(work):
    run(work, [peer("self", "self/out", FIRST=COUNT, BURST=10)], "self/out")
    book = result(work, "self")["inputs"]["in"]
    check([book["received"], book["gaps"], book["dropped"]] == [COUNT, 0, 0], f"of {COUNT} came {book}")


def test_sizes_up_to_eight_mib(work):
    if not has_shared_memory(2048 * MIB):
        return
    count = 60
    run(work, [source(COUNT=count, SIZES=f"8-{8 * MIB}", WAY="both", INTERVAL_US=2000),
               sink(inputs={"in": taken("source/out", 2 * count)})])
    check_exact(work, **{"in": count})


def test_growing_sizes(work):
    """Each is larger than all before it, so that the sender needs new memory for it."""
    sizes = [8, 64, 1000, 4096, 20_000, 100_000, 500_000, 2_000_000]
    run(work, [source(COUNT=len(sizes), SIZES=",".join(map(str, sizes)), WAY="loan"),
               sink(inputs={"in": taken("source/out", 2 * len(sizes))})])
    check_exact(work, **{"in": len(sizes)})


def check_waiting(work, wait, **options):
    """Beside messages that come alone, and then beside many at once."""
    found = []
    for interval in (300, 0):
        work.forget_reports()
        run(work, [source(COUNT=COUNT, SIZES="8-1000", INTERVAL_US=interval), sink(WAIT=wait, **options)])
        check_exact(work, **{"in": COUNT})
        found.append(result(work))
    return found


def test_short_timeouts(work):
    check_waiting(work, "timeout")


def test_interrupts(work):
    alone, _ = check_waiting(work, "interrupt")
    check(alone["interrupts"] > 10, f"it was interrupted {alone['interrupts']} times")


def check_fd(work, wait):
    for found in check_waiting(work, wait):
        print(f"        told {found['wakes']} times, {found['vain']} of them for nothing, of {COUNT} messages")
        check(0 < found["wakes"] <= COUNT + 50, f"it was told {found['wakes']} times of {COUNT} messages")


def test_poll(work):
    check_fd(work, "poll")


def test_an_edge_triggered_epoll(work):
    check_fd(work, "edge")


def check_overflow(work, queue_size, **sink_options):
    """A reader that is late, or slow, loses the oldest; the rest is in order, and what is lost is counted."""
    done, go = work.path / "done", work.path / "go"
    flow = start(work, [source(COUNT=COUNT, SIZES="8-20000", WAY="both", INTERVAL_US=100, STAYS=1, DONE=done),
                        sink(inputs={"in": taken("source/out", queue_size)}, TELL_EVERY=1, GO=go, **sink_options)])
    if sink_options:
        go.touch()
    work.await_report("source", "sent", PATIENCE)
    go.touch()
    wait_until(lambda: len(work.report("sink", "progress")) >= 1, PATIENCE, "a message arrives")
    done.touch()
    flow.wait(PATIENCE)
    book = result(work)["inputs"]["in"]
    lost = check_counted(work)["in"]
    print(f"        {book['received']} received and {lost} lost of {COUNT}")
    check(book["received"] + lost == COUNT and book["last"] == COUNT - 1, f"of {COUNT} messages: {book}, lost {lost}")
    check(lost > 0 and book["received"] >= queue_size, f"of {COUNT} messages: {book}")


def test_a_queue_of_one(work):
    check_overflow(work, 1)


def test_a_queue_of_ten(work):
    check_overflow(work, 10)


def test_a_slow_reader_with_a_queue_of_one(work):
    check_overflow(work, 1, READ_US=2000)


def test_a_slow_reader_with_a_queue_of_ten(work):
    check_overflow(work, 10, READ_US=2000)


def test_a_fast_and_a_slow_reader(work):
    """The slow one takes nothing from the other."""
    run(work, [source(COUNT=COUNT, SIZES="8-20000", INTERVAL_US=100), sink("fast", INPUT),
               sink("slow", {"in": taken("source/out", 1)}, READ_US=3000)])
    check_exact(work, "fast", **{"in": COUNT})
    lost = check_counted(work, "slow")["in"]
    check(lost > 0, "the slow one lost nothing")


def test_a_request_among_messages(work):
    """From it on they take another way, on which dora may lose some, and are still in order."""
    at, count = 100, 200
    for _ in range(3):
        work.forget_reports()
        logged = run(work, [source(COUNT=count, SIZES="8-5000", WAY="both", CORRELATED_AT=at, INTERVAL_US=1000,
                                   SLEEP_MS=500, env={"RUST_LOG": "dora=warn"}), sink()])
        book = result(work)["inputs"]["in"]
        if book["received"] == count:
            break
        print(f"        lost behind the change: {book}")
    check_exact(work, **{"in": count})
    check(work.only("source", "last_ways") != f"out:{WAY}" or OVER != "lane", "the output is still on the lane")
    lines = [line["message"] for line in logged if line["node_id"] == "source"]
    said = [line for line in lines if re.match(r"WARN\s+dora:", line)]
    print(f"        {said}")
    check(len(said) == 1 and "out" in said[0] or OVER != "lane", f"not one warning names the output: {said}")


def test_a_burst_while_nobody_reads(work):
    """All of a queue at once, and then the rest one by one."""
    go = work.path / "go"
    flow = start(work, [source(COUNT=COUNT, SIZES="8-1000"), sink(GO=go)])
    work.await_report("source", "sent", PATIENCE)
    time.sleep(0.2)
    go.touch()
    flow.wait(PATIENCE)
    check_exact(work, **{"in": COUNT})


main(
    test_one_to_one,
    test_one_to_three,
    test_two_inputs_on_one_output,
    test_two_outputs,
    test_several_producers,
    test_a_chain_of_relays,
    test_a_ring,
    test_a_node_that_receives_itself,
    test_sizes_up_to_eight_mib,
    test_growing_sizes,
    test_short_timeouts,
    test_interrupts,
    test_poll,
    test_an_edge_triggered_epoll,
    test_a_queue_of_one,
    test_a_queue_of_ten,
    test_a_slow_reader_with_a_queue_of_one,
    test_a_slow_reader_with_a_queue_of_ten,
    test_a_fast_and_a_slow_reader,
    test_a_request_among_messages,
    test_a_burst_while_nobody_reads,
)
