"""What the nodes in Python share: the plan, the pace, the stamp in a message, and the report. It does what
bench.h does, step by step; see there."""

import os
import pathlib
import struct
import time

TAIL_NS = 50_000_000
now = time.monotonic_ns
cpu = time.process_time_ns


def setting(name, otherwise):
    return int(os.environ.get(name, otherwise))


def write_report(**figures):
    figures = {"exec_ns": setting("BENCH_EXEC_NS", 0), **figures}
    lines = [f"{key} {value}" for key, value in figures.items()]
    with open("/proc/self/status") as status:
        lines += [line.rstrip() for line in status if line.startswith(("VmRSS", "Rss"))]
    pathlib.Path(os.environ["BENCH_REPORT"]).write_text("\n".join(lines) + "\n")


class Source:
    def __init__(self):
        self.size = setting("BENCH_SIZE", 64)
        self.interval_ns = setting("BENCH_INTERVAL_NS", 1_000_000)
        self.warm_up_ns = setting("BENCH_WARM_UP_NS", 500_000_000)
        self.window_ns = setting("BENCH_WINDOW_NS", 1_000_000_000)
        self.begin_ns = self.due_ns = self.number = self.late = 0
        self.marks = []

    def next(self):
        """Waits until a message is due; false when there is none any more."""
        time_ns = now()
        if self.begin_ns == 0:
            self.begin_ns = self.due_ns = time_ns
        else:
            self.number += 1
        if self.interval_ns > 0:
            if time_ns < self.due_ns:
                time.sleep((self.due_ns - time_ns) / 1e9)
            elif self.number > 0:
                self.late += 1
                self.due_ns = time_ns
            self.due_ns += self.interval_ns
        elapsed = time_ns - self.begin_ns
        if not self.marks and elapsed >= self.warm_up_ns:
            self.marks.append((cpu(), time_ns, self.number))
        if len(self.marks) == 1 and elapsed >= self.warm_up_ns + self.window_ns:
            self.marks.append((cpu(), time_ns, self.number))
        return elapsed < self.warm_up_ns + self.window_ns + TAIL_NS

    def end(self):
        (cpu_0, time_0, sent_0), (cpu_1, time_1, sent_1) = self.marks
        write_report(sent=sent_1 - sent_0, late=self.late, window_ns=time_1 - time_0, cpu_ns=cpu_1 - cpu_0)


class Sink:
    def __init__(self):
        self.warm_up_ns = setting("BENCH_WARM_UP_NS", 500_000_000)
        self.window_ns = setting("BENCH_WINDOW_NS", 1_000_000_000)
        self.wants_one_event = setting("BENCH_ONE_EVENT", 0) != 0
        self.capacity = setting("BENCH_SAMPLES", 0)
        self.first_event_ns = self.begin_ns = self.received = self.torn = 0
        self.marks, self.samples = [], []

    def event(self):
        """Notes an event; false when it was all that the run is about."""
        self.first_event_ns = self.first_event_ns or now()
        return not self.wants_one_event

    def message(self, message):
        """Takes a message that can be read."""
        if len(message) < 8:
            return
        (begun,) = struct.unpack_from("=q", message)
        time_ns = now()
        self.begin_ns = self.begin_ns or begun
        elapsed = time_ns - self.begin_ns
        if not self.marks and elapsed >= self.warm_up_ns:
            self.marks.append((cpu(), time_ns))
        if len(self.marks) == 1 and elapsed >= self.warm_up_ns + self.window_ns:
            self.marks.append((cpu(), time_ns))
        if len(self.marks) == 1:
            self.torn += len(message) > 8 and message[8] != message[-1]
            if len(self.samples) < self.capacity:
                self.samples.append((begun, time_ns))
            self.received += 1

    def end(self):
        while len(self.marks) < 2:
            self.marks.append((cpu(), now()))
        (cpu_0, time_0), (cpu_1, time_1) = self.marks
        write_report(
            first_event_ns=self.first_event_ns,
            received=self.received,
            torn=int(self.torn),
            window_ns=time_1 - time_0,
            cpu_ns=cpu_1 - cpu_0,
        )
        if path := os.environ.get("BENCH_SAMPLES_FILE"):
            pathlib.Path(path).write_bytes(b"".join(struct.pack("=qq", *sample) for sample in self.samples))
