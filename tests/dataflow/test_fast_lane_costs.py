"""What a message costs on the fast lane once all is set up, counted as the benchmark does it."""

import sys

from harness import BIN, HERE, TRIES, Failure, check, main
from lane_checks import KIB, MIB

sys.path.append(str(HERE.parents[1] / "benches"))
import lab
import steady

# Of a message: the calls of the system and the allocations of the thread that sends, and of that which reads.
LIMITS = {"source": {"calls": 1, "allocations": 1}, "sink": {"calls": 2, "allocations": 5}}
# What comes more seldom than once in so many messages is none of a message's.
SELDOM = 0.05


def run_traced(work, way, size):
    """Runs a source and a sink below strace, on the lane. The source ends in failure where it is not."""
    fields = {"source": {"inputs": {}, "outputs": ["data"]},
              "sink": {"inputs": {"data": {"source": "source/data", "queue_size": 100}}, "outputs": []}}
    nodes = []
    for id, count in steady.COUNTS.items():
        env = {"BENCH_SIZE": size, "BENCH_WARM_UP": steady.WARM_UP, "BENCH_COUNT": count, "DORA_FAST_LANE": 1,
               "BENCH_REPORT": work.path / f"{id}.report"}
        env = {key: str(value) for key, value in env.items()}
        path = str(BIN / f"steady_{way}_{id}")
        nodes.append(steady.traced(work.path, {"id": id, "path": path, "env": env, **fields[id]}))
    for attempt in range(TRIES):
        work.forget_reports()
        if work.start(nodes).process.wait(120) == 0:
            return
        print(f"        try {attempt + 1}: the run failed, as it does where the lane is not taken")
    raise Failure(f"{TRIES} runs failed")


def check_costs(work, way):
    if not steady.can_trace():
        print("        left out: strace may not run here")
        return
    for size in (64, 64 * KIB, MIB):
        run_traced(work, way, size)
        for id, limits in LIMITS.items():
            try:
                found = steady.of_node(work.path, id)
            except lab.Failure as error:
                raise Failure(str(error)) from None
            print(f"        {size} bytes, {id}: {found}")
            for what, limit in limits.items():
                check(found[what] > 0.5, f"{size} bytes: {found[what]} {what} a message are too few to be counted right")
                check(found[what] <= limit + SELDOM, f"{size} bytes: the {id} spends {found[what]} {what} a message")


def test_sent_by_copies(work):
    check_costs(work, "copy")


def test_sent_by_loans(work):
    check_costs(work, "loan")


main(test_sent_by_copies, test_sent_by_loans)
