"""The control loop: a controller that sends a setpoint each 3 ms and waits for the plant's answer, on libdora and on
dora's C interface, with and without the fast lane, and with and without other work on the processors."""

import contextlib
import os
import signal
import subprocess
import sys

from stats import percentile

#: The sides that have one, and what their programs are called.
PROGRAMS = {"loan-lane": "libdora-loan", "c-lane": "libdora-c", "c": "libdora-c", "dora-c": "dora-c"}
INTERVAL_S = 0.003
#: Whether other programs keep the processors busy.
CASES = {"otherwise idle": False, "busy": True}
#: Of the histograms, in µs: where they end, and how wide their bars are.
HISTOGRAM_END, HISTOGRAM_STEP = 4000, 20


@contextlib.contextmanager
def load(is_wanted):
    """Keeps every processor busy, with two programs each."""
    count = 2 * len(os.sched_getaffinity(0)) if is_wanted else 0
    busy = []
    try:
        busy += (subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count))
        yield
    finally:
        for process in busy:
            process.send_signal(signal.SIGKILL)
            process.wait()


def measure(lab, side, case):
    program = PROGRAMS[side.key]
    with load(CASES[case.name]):
        report, samples = lab.run_loop(
            side,
            f"{program}-controller",
            f"{program}-plant",
            BENCH_CYCLES=round(case.window_s / case.interval_s),
            BENCH_INTERVAL_NS=round(case.interval_s * 1e9),
        )
    times = [(read - begun) / 1000 for begun, read in samples]
    shares = {"50": 0.5, "99": 0.99, "99.9": 0.999}
    figures = {f"p{name}_us": percentile(times, share) for name, share in shares.items()}
    return figures | {
        "max_us": max(times),
        "late": report["late"],
        "cycles": len(times),
        "histogram": histogram(times),
    }


def histogram(times):
    """How many times lie in each bar; the last one has all that are beyond the end."""
    bars = [0] * (HISTOGRAM_END // HISTOGRAM_STEP + 1)
    for time in times:
        bars[min(int(time / HISTOGRAM_STEP), len(bars) - 1)] += 1
    return bars
