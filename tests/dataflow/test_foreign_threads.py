"""The threads of dora in a process that is not theirs: they take nothing from it, change nothing, and run as it says."""

import os
import re
import signal

from harness import BEST_WAY, FAST_LANE, TRIES, check, main, node

# SIGKILL and SIGSTOP cannot be blocked, and the C library keeps 32 and 33 for itself.
NOT_BLOCKABLE = {9, 19, 32, 33}
SMALL, LARGE = 1000, 100_000
SIZES = [SMALL, LARGE, LARGE]
# The threads that zenoh starts once for the process. zenoh itself asks for the least real-time priority for its
# watchdogs, whatever anybody else says.
WATCHDOGS = ("Watchdog Confir", "Watchdog Valida")
OF_ZENOH = re.compile("(app|acc|tx|rx|net)-[0-9]+")
DEFAULT = (os.SCHED_OTHER, 0)
NAMES = {os.SCHED_OTHER: "SCHED_OTHER", os.SCHED_BATCH: "SCHED_BATCH", os.SCHED_FIFO: "SCHED_FIFO"}


class Task:
    """A thread as tasks.h tells it, behind WORDS words."""

    def __init__(self, line, words=0):
        *self.words, blocked, policy, priority, nice, cpus, name = line.split(" ", words + 5)
        blocked = {number for number in range(1, 65) if int(blocked, 16) >> (number - 1) & 1}
        self.taken = set(range(1, 65)) - blocked - NOT_BLOCKABLE
        self.policy, self.nice, self.cpus, self.name = (int(policy), int(priority)), int(nice), int(cpus), name

    def faults(self, policy, cpus):
        if self.taken:
            yield f"{self.name} takes {len(self.taken)} signals, as the caller does"
        if self.policy != policy and not (self.name in WATCHDOGS and self.policy == (os.SCHED_FIFO, 1)):
            yield f"{self.name} has policy and priority {self.policy}, not {policy}"
        if self.cpus != cpus:
            yield f"{self.name} may run on {self.cpus} processors, not on {cpus}"


def tasks(work, id, key, words=0):
    return [Task(line, words) for line in work.report(id, key)]


def check_tasks(found, policy, cpus):
    check(len(found) > 3, f"the threads were {[task.name for task in found]}")
    wrong = [fault for task in found for fault in task.faults(policy, cpus)]
    check(not wrong, "threads of dora are not as they should be:\n  " + "\n  ".join(wrong))


def guest(outputs=("answer", "out"), **env):
    return node("guest", "guest", inputs={"in": "source/out"}, outputs=outputs, env={"DORA_TEST_COUNT": len(SIZES), **env})


def without_real_time(work, node):
    """The node, as a user that may have no real-time policy."""
    path = work.path / f"{node['id']}.sh"
    drop = "setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice" if os.geteuid() == 0 else ""
    path.write_text(f'#!/bin/sh\nexec prlimit --rtprio=0:0 {drop} "{node["path"]}"\n')
    path.chmod(0o755)
    return node | {"path": str(path)}


def run_guest(work, change=lambda node: node, **env):
    """Runs a guest that gets frames, of which those that are large lie in shared memory, and answers them.

    On the fast lane all do.
    """
    nodes = [
        node("source", "options_source", *SIZES, inputs={"answer": "guest/answer"}, outputs=["out"]),
        change(guest(**env)),
        node("tally", "tally", inputs={"in": "guest/out"}),
    ]
    # A machine that is busy makes dora settle on the daemon's way, or may lose a frame.
    for _ in range(TRIES):
        work.forget_reports()
        work.run(nodes, timeout=60)
        shared = [int(kib) > 0 for kib in work.report("guest", "frame")]
        is_best = work.report("guest", "ways") == [f"answer:{BEST_WAY} out:{BEST_WAY}"]
        if is_best and shared == [FAST_LANE or size == LARGE for size in SIZES]:
            return
    check(is_best, f"none of {TRIES} runs settled on way {BEST_WAY}; the last: {work.report('guest', 'ways')}")
    check(False, f"of frames with {SIZES} bytes those in shared memory were {shared}")


def test_nothing_of_the_caller_changes(work):
    run_guest(work)
    check(work.report("guest", "changed") == [], f"changed: {work.report('guest', 'changed')}")
    check(work.report("guest", "end") == [""], "the program did not end")
    found = work.only("guest", "inheritable")
    check(found == "0", f"{found} descriptors of the library would stay open behind exec")
    # dora run kills a node when its parent dies, but only until the node is up and watches that itself.
    before, after = (int(work.only("guest", key)) for key in ("armed", "parent"))
    check((before, after) == (signal.SIGKILL, 0), f"the parent-death signal was {before} and is {after} after init")


def test_nothing_of_the_caller_is_inherited(work):
    run_guest(work)
    policy, cpus = int(work.only("guest", "policy")), int(work.only("guest", "cpus"))
    found = tasks(work, "guest", "thread")
    print(f"        {len(found)} threads of dora beside a caller with {NAMES[policy]} on one of {cpus} processors")
    if policy != os.SCHED_FIFO:
        print("        without SCHED_FIFO: this user may not have it (CAP_SYS_NICE)")
    check_tasks(found, DEFAULT, cpus)


def test_every_signal_finds_who_waits_for_it(work):
    run_guest(work)
    sent = sorted([signal.SIGHUP, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGCHLD, signal.SIGTERM])
    for way in ("sigwait", "signalfd"):
        found = sorted(int(line.split(" ")[1]) for line in work.report("guest", "signal") if line.split(" ")[0] == way)
        check(found == sent, f"by {way} came {found}, not {sent}")
    check(work.only("guest", "handled") == "0", "a thread of dora ran a handler of the caller")


def check_started(work, *by_zenoh):
    """All threads come from init, but the one for diagnostics, which comes from the call that asks for them, and
    those by which zenoh's own threads multiply at any time. They have nothing of the caller's either."""
    found = tasks(work, "guest", "started", 1)
    wrong = [fault for task in found for fault in task.faults(DEFAULT, int(work.only("guest", "cpus")))]
    check(not wrong, f"threads that came later are not as they should be: {wrong}")
    others = [(task.words[0], task.name) for task in found if not OF_ZENOH.fullmatch(task.name) and task.name not in by_zenoh]
    check(others == [("diagnostics", "dora-diagnostic")], f"calls started threads: {others}")


def test_calls_start_no_threads(work):
    run_guest(work)
    check_started(work)


def test_a_sink_starts_no_threads(work):
    """A node without outputs has no pool. A watchdog over what it receives is started by zenoh's thread that does."""
    source = node("source", "options_source", *SIZES, inputs={"tick": "dora/timer/secs/1"}, outputs=["out"],
                  env={"DORA_TEST_PATIENCE_MS": 300})
    for _ in range(TRIES):
        work.forget_reports()
        work.run([source, guest(outputs=())], timeout=60)
        if any(int(kib) > 0 for kib in work.report("guest", "frame")):
            return check_started(work, WATCHDOGS[0])
    check(False, f"none of {TRIES} runs had a frame in shared memory: {work.report('guest', 'frame')} KiB")


def test_a_send_timeout_has_a_thread(work):
    run_guest(work, DORA_TEST_SEND_TIMEOUT_MS=5000)
    names = [task.name for task in tasks(work, "guest", "thread")]
    check("dora-send" in names, f"the threads are {names}")
    check_started(work)


def test_the_policy_of_the_options(work):
    for policy in [(os.SCHED_BATCH, 0), (os.SCHED_FIFO, 3)]:
        run_guest(work, DORA_TEST_THREAD_POLICY="%d %d" % policy, DORA_TEST_SEND_TIMEOUT_MS=5000)
        tries = work.report("guest", "init")
        if policy[0] == os.SCHED_FIFO and tries[0].startswith("DORA_ERROR_INIT"):
            print(f"        left out: this user may not have SCHED_FIFO ({tries[0]})")
            continue
        check(tries == ["DORA_OK"], f"init gave {tries}")
        check_tasks(tasks(work, "guest", "thread"), policy, int(work.only("guest", "cpus")))


def test_the_processors_of_the_options(work):
    cpu = min(os.sched_getaffinity(0))
    run_guest(work, DORA_TEST_THREAD_CPUS=cpu, DORA_TEST_SEND_TIMEOUT_MS=5000)
    check_tasks(tasks(work, "guest", "thread"), DEFAULT, 1)


def check_refused(work, *words):
    """The first try is refused with a sentence, and one without the options is as if nothing had been."""
    status, _, sentence = work.report("guest", "init")[0].partition(" ")
    print(f"        {sentence}")
    check(status == "DORA_ERROR_INIT", f"init gave {status}: {sentence}")
    missing = [word for word in words if word not in sentence]
    check(not missing, f"the sentence lacks {missing}: {sentence}")
    check(work.report("guest", "init")[1:] == ["DORA_OK"], f"then init gave {work.report('guest', 'init')[1:]}")
    check_tasks(tasks(work, "guest", "thread"), DEFAULT, int(work.only("guest", "cpus")))
    check(work.report("guest", "changed") == [], f"changed: {work.report('guest', 'changed')}")


def test_processors_that_are_not_there(work):
    run_guest(work, DORA_TEST_THREAD_CPUS=1000)
    check_refused(work, "1000", "allowed to this process")


def test_a_policy_that_is_not_allowed(work):
    run_guest(work, lambda node: without_real_time(work, node), DORA_TEST_THREAD_POLICY=f"{os.SCHED_FIFO} 3")
    check_refused(work, "CAP_SYS_NICE", "RLIMIT_RTPRIO", "ulimit -r")


def test_an_ordinary_user(work):
    """Whose watchdogs of zenoh are as all others."""
    run_guest(work, lambda node: without_real_time(work, node))
    found = tasks(work, "guest", "thread")
    check_tasks(found, DEFAULT, int(work.only("guest", "cpus")))
    check({task.policy for task in found} == {DEFAULT}, "zenoh has a real-time policy that this user may not have")
    check(work.report("guest", "changed") == [], f"changed: {work.report('guest', 'changed')}")


main(
    test_nothing_of_the_caller_changes,
    test_nothing_of_the_caller_is_inherited,
    test_every_signal_finds_who_waits_for_it,
    test_calls_start_no_threads,
    test_a_sink_starts_no_threads,
    test_a_send_timeout_has_a_thread,
    test_the_policy_of_the_options,
    test_the_processors_of_the_options,
    test_processors_that_are_not_there,
    test_a_policy_that_is_not_allowed,
    test_an_ordinary_user,
)
