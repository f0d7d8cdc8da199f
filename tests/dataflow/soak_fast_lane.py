"""Reports what becomes of the fast lane over many messages and kills. A report, no test: it takes minutes.

    DORA_TEST_BIN_DIR=build/test/tests/bin python tests/dataflow/soak_fast_lane.py [--messages N] [--kills K] …

Two nodes are killed at random, a source and a sink, and started anew by dora. Two others live all the time: a
"witness" takes what the source sends, and a "steady" source sends to the sink. Those two show whether anything grows
in a process while its peers come and go. The program ends with 1 when something came twice or out of order, a gap was
not counted, a node was stuck, something grew, or something was left.
"""

import argparse
import os
import pathlib
import random
import signal
import time

from harness import Workspace, wait_until
from lane_checks import (MIB, ROOT, SHM, Watch, read_trace, result, sink, source, start, taken)

RECORD = 16
# How long nothing may come before a node counts as stuck.
STUCK_SECONDS = 60
RESTARTED = {"restart_policy": "on-failure"}
TICK = {"tick": "dora/timer/millis/20"}
# By how much each may differ between the first and the last third of a life: dora's runtime starts threads for a
# while, and its connections come and go.
TOLERANCES = {"descriptors": 6, "mappings": 12, "threads": 3, "memory": 8 * MIB}

faults = []


def fault(sentence):
    faults.append(sentence)
    print(f"FAULT: {sentence}", flush=True)


def sample(pid):
    """What a process holds, None when it is gone."""
    process = pathlib.Path(f"/proc/{pid}")
    try:
        return {
            "descriptors": len(os.listdir(process / "fd")),
            "mappings": (process / "maps").read_text().count("\n"),
            "threads": len(os.listdir(process / "task")),
            "memory": int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE"),
        }
    except (OSError, IndexError):
        return None


def count_files():
    below = sum(len(files) for _, _, files in os.walk(ROOT))
    return {"files in shared memory": sum(not name.endswith(".zenoh") for name in os.listdir(SHM)),
            "files below the root": below}


class Soak:
    def __init__(self, work, options):
        self.work, self.options, self.random = work, options, random.Random(options.seed)
        self.traces = {id: work.path / f"{id}.trace" for id in ("source", "sink", "witness", "steady")}
        self.samples, self.files, self.stuck_since, self.kills = {}, [], time.monotonic(), []
        self.sampled = 0

    def nodes(self):
        endless = {"COUNT": -1, "SIZES": self.options.sizes, "WAY": "both", "DONE": self.work.path / "done"}
        queue = self.options.queue_size
        return [
            source(inputs=TICK, INTERVAL_US=self.options.interval, TRACE=self.traces["source"], **RESTARTED,
                   **endless),
            source("steady", INTERVAL_US=1000, TAG=1, TRACE=self.traces["steady"], **endless),
            sink(inputs={"in": taken("source/out", queue), "steady": taken("steady/out", queue)},
                 TRACE=self.traces["sink"], HOLD=4, **RESTARTED),
            sink("witness", {"in": taken("source/out", queue)}, TRACE=self.traces["witness"], HOLD=4, HOLDS="arrow"),
        ]

    def pid_of(self, id):
        name = f"DORA_TEST_REPORT={self.work.path / id}.report".encode()
        for pid in self.work.processes("lane_source") + self.work.processes("lane_sink"):
            try:
                if name in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                    return pid
            except OSError:
                continue
        return None

    def count(self, id):
        path = self.traces[id]
        return path.stat().st_size // RECORD if path.exists() else 0

    def take_samples(self):
        if time.monotonic() - self.sampled < 1:
            return
        self.sampled = time.monotonic()
        self.files.append(count_files())
        for id in ("source", "sink", "witness", "steady"):
            pid = self.pid_of(id)
            found = sample(pid) if pid else None
            if found:
                self.samples.setdefault((id, pid), []).append(found)

    def progress(self, id, more):
        """Waits until a receiver has so many more messages; false when it is stuck."""
        target, last, since = self.count(id) + more, -1, time.monotonic()
        while self.count(id) < target:
            self.take_samples()
            if self.count(id) != last:
                last, since = self.count(id), time.monotonic()
            if time.monotonic() - since > STUCK_SECONDS:
                fault(f"{id} is stuck at {last} messages, behind the kills {self.kills[-3:]}")
                return False
            time.sleep(0.02)
        return True

    def kill(self):
        id = self.random.choice(["source", "sink"])
        pid = wait_until(lambda: self.pid_of(id), STUCK_SECONDS, f"{id} runs")
        os.kill(pid, signal.SIGKILL)
        self.kills.append(id)
        wait_until(lambda: self.pid_of(id) not in (None, pid), STUCK_SECONDS, f"{id} runs again")

    def run(self):
        flow = start(self.work, self.nodes(), "source/out", "steady/out")
        share = self.options.messages // (self.options.kills + 1)
        for number in range(self.options.kills + 1):
            # Of one receiver that was killed at once may come nothing; both must go on.
            if not (self.progress("witness", self.random.randrange(1, 2 * share)) and self.progress("sink", 1)):
                break
            if number < self.options.kills:
                self.kill()
                print(f"{self.count('witness')} messages, {number + 1} kills", end="\r", flush=True)
        while not faults and self.count("witness") < self.options.messages:
            self.progress("witness", share // 10 + 1)
        (self.work.path / "done").touch()
        try:
            wait_until(lambda: flow.process.poll() is not None, STUCK_SECONDS, "the dataflow ends")
        except Exception as error:
            fault(str(error))

    # ---- What the traces tell ----

    def check_receiver(self, id, sender, tag):
        """Order over all runs, and in each run whether the gaps are what its node counted."""
        sent = {}
        for number, incarnation, *_ in read_trace(self.traces[sender]):
            sent[incarnation] = max(number, sent.get(incarnation, -1))
        records = [record for record in read_trace(self.traces[id]) if record[2] == tag]
        gaps = uncounted = over = gaps_of_run = lost_before = 0
        last, run = (-1, -1), None
        reached = {}
        for number, incarnation, _, of, lost in records:
            if (incarnation, number) <= last:
                fault(f"{id}: number {number} of run {incarnation} came behind number {last[1]} of run {last[0]}")
            gap = number - last[1] - 1 if incarnation == last[0] else number
            if of != run:
                # What was sent before this run of the receiver is nothing that it has lost.
                run, gaps_of_run, lost_before, gap = of, 0, lost, 0
            gaps += gap
            gaps_of_run += gap
            uncounted += gaps_of_run > lost - lost_before
            over = max(over, lost - lost_before - gaps_of_run)
            last = (incarnation, number)
            reached[incarnation] = number
        tails = sum(max(0, number - reached.get(incarnation, -1)) for incarnation, number in sent.items())
        runs = len({record[3] for record in records})
        total = sum(number + 1 for number in sent.values())
        print(f"{id}, from {sender}: {len(records)} of {total} messages in {runs} runs; {gaps} missing in between, "
              f"{tails} at the end of a run of its sender; counted as lost were at most {over} more than were missing")
        if uncounted:
            fault(f"{id}: at {uncounted} messages more were missing than its node had counted")

    # ---- What the samples tell ----

    def check_flat(self, id):
        lives = [found for (of, _), found in self.samples.items() if of == id]
        longest = max(lives, key=len)
        third = max(1, len(longest) // 3)
        for what, tolerance in TOLERANCES.items():
            early = max(each[what] for each in longest[:third][-max(1, third // 2):])
            late = max(each[what] for each in longest[-third:])
            verdict = "flat" if late <= early + tolerance else "GROWS"
            unit = f"{early / MIB:.1f} to {late / MIB:.1f} MiB" if what == "memory" else f"{early} to {late}"
            print(f"{id}, {len(longest)} s: {what} {unit}: {verdict}")
            if verdict != "flat":
                fault(f"in {id} there grow: {what}")

    def check_files(self):
        third = max(1, len(self.files) // 3)
        for what in self.files[0]:
            early, late = (max(each[what] for each in part) for part in (self.files[:third], self.files[-third:]))
            print(f"{what}: at most {early} in the first third, {late} in the last")
            # A kill may come just before a sample, and its files go with the next start.
            if late > 2 * early + 20:
                fault(f"there pile up: {what}")

    def report(self):
        print(f"kills: {self.kills.count('source')} of the source, {self.kills.count('sink')} of the sink")
        self.check_receiver("witness", "source", 0)
        self.check_receiver("sink", "source", 0)
        self.check_receiver("sink", "steady", 1)
        for id in ("witness", "steady"):
            self.check_flat(id)
        self.check_files()
        for id in ("witness", "sink"):
            for line in self.work.report(id, "wrong:")[:3]:
                fault(f"{id}: {line}")


def check_next_run(work, watch):
    """A node of the lane that starts behind all that leaves nothing behind."""
    work.forget_reports()
    (work.path / "done").unlink(missing_ok=True)
    start(work, [source(COUNT=10), sink()]).wait(STUCK_SECONDS)
    result(work)
    left = watch.left()
    print(f"left behind the next run: {len(left)} files of {len(watch.mapped)}: {sorted(left)[:5]}")
    if left:
        fault(f"{len(left)} files are left")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--messages", type=int, default=1_000_000, help="that the witness takes")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--sizes", default="8-20000", help="as DORA_TEST_SIZES of lane_source.c")
    parser.add_argument("--interval", type=int, default=0, help="microseconds between messages of the source")
    parser.add_argument("--queue-size", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begun = time.monotonic()
    with Workspace() as work, Watch(work) as watch:
        soak = Soak(work, options)
        soak.run()
        soak.report()
        check_next_run(work, watch)
    print(f"{len(faults)} faults in {time.monotonic() - begun:.0f} s")
    raise SystemExit(1 if faults else 0)


main()
