"""Options of a node: how long it waits for others, and the shared memory from which it sends."""

import os
import resource
import shutil
import signal
import subprocess
import time

from harness import BIN, DIRECT_WAY, FREE_MS, TRIES, Cluster, check, main, node, wait_until

KIB, MIB = 1 << 10, 1 << 20
FULL_HD, UHD = 1920 * 1080 * 3, 3840 * 2160 * 3
DEFAULT_POOL = 8 * MIB
# The least that systems let a user lock, today and formerly.
LIMITS = [8 * MIB, 64 * KIB]
TICK = {"tick": "dora/timer/millis/20"}
# Far more than a call with a timeout takes, and far less than one that waits for what does not come.
SOON_MS = 10_000


def script(work, name, *lines):
    path = work.path / name
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return str(path)


def confined(work, node, limit):
    """The node, with a limit on the memory that it may lock, and without the privilege to pass it by."""
    command = ["exec", "prlimit", f"--memlock={limit}:{limit}"]
    if os.geteuid() == 0:
        command += ["setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"]
    command += [f'"{node["path"]}"', '"$@"']
    return node | {"path": script(work, f"{node['id']}.sh", " ".join(command))}


def need_locked_memory(size):
    """Some tests are about large pools, which an ordinary user may only have where somebody allowed it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    if os.geteuid() != 0 and hard != resource.RLIM_INFINITY:
        check(hard >= size, f"this test locks {size >> 20} MiB, and may lock {hard >> 20}: see `ulimit -l`")
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (hard, hard))


def starter(id, **options):
    """A node that begins and ends. What is in capitals goes to its environment, the rest to the dataflow."""
    env = {key: value for key, value in options.items() if key.isupper()}
    fields = {key: value for key, value in options.items() if not key.isupper()}
    return node(id, "options_starter", env=env, **fields)


def run_frames(work, sizes, source=None, sink=None, limit=None, patience=10_000):
    """Sends frames, each answered, and returns the memory in KiB in which each lay, None for what is lost each time."""
    nodes = [
        node("source", "options_source", *sizes, inputs={"answer": "sink/answer"}, outputs=["out"],
             env={"DORA_TEST_PATIENCE_MS": patience, **(source or {})}),
        node("sink", "options_sink", inputs={"in": "source/out"}, outputs=["answer"], env=sink),
    ]
    # It is about dora's shared memory, which only the direct way has. A busy machine makes dora settle on the other, or
    # may lose a frame.
    work.leave_fast_lane()
    for _ in range(TRIES):
        work.forget_reports()
        work.run([confined(work, each, limit) for each in nodes] if limit else nodes, timeout=60)
        is_direct, frames = work.only("source", "transport") == DIRECT_WAY, work.report("sink", "frame")
        if is_direct and len(frames) == len(sizes):
            break
    check(is_direct, f"the last of {TRIES} runs did not settle on the direct way")
    sent = work.report("source", "sent")
    check(sent == [f"{size} DORA_OK" for size in sizes], f"sent was {sent}")
    found = {}
    for line in frames:
        number, size, verdict, memory = line.split(" ")
        check(verdict == "intact" and int(size) == sizes[int(number)] and number not in found, f"a frame was {line}")
        found[number] = int(memory)
    return [found.get(str(number)) for number in range(len(sizes))]


def test_another_node_never_comes(work):
    begin = script(work, "begin.sh", f'"{BIN}/options_starter"', 'echo "code $?" >>"$DORA_TEST_REPORT"')
    cluster = Cluster(work)
    cluster.start([node("impatient", begin, inputs=TICK, outputs=["out"], env={"DORA_TEST_INIT_TIMEOUT_MS": 500}),
                   node("never", shutil.which("sleep"), 60)])
    code = work.await_report("impatient", "code")
    check(code == "0", f"the program ended with {code}")
    found = [work.only("impatient", key) for key in ("init", "node", "pool", "threshold")]
    check(found == ["DORA_TIMEOUT", "NULL", "0", "0"], f"init gave {found}")
    taken = float(work.only("impatient", "init_ms"))
    check(500 <= taken < SOON_MS, f"init took {taken} ms of 500")


def start_with_late(work, **env):
    """A node that begins with a timeout, and another that comes when the driver lets it."""
    late = script(work, "late.sh", f'while [ ! -e "{work.path}/late" ]; do sleep 0.05; done',
                  f'exec "{BIN}/failure_watcher"')
    cluster = Cluster(work)
    cluster.start([starter("impatient", inputs=TICK, outputs=["out"], DORA_TEST_INIT_TIMEOUT_MS=500,
                           DORA_TEST_GO=work.path / "go", **env),
                   node("late", late, inputs={"in": "impatient/out", **TICK})])
    work.await_report("impatient", "init")


def test_another_node_comes_too_late(work):
    """A program that has given up goes on, and its node is waited for by nobody but the dataflow."""
    start_with_late(work)
    (work.path / "late").touch()
    work.await_report("late", "ready")
    check(work.report("impatient", "end") == [], "the program ended")
    (work.path / "go").touch()
    work.await_report("impatient", "end")
    closed = ["DORA_EVENT_INPUT_CLOSED|input=in"]
    wait_until(lambda: work.report("late", "event") == closed, 20, "the late node reads that the other has ended")


def test_another_try(work):
    """Trying again goes on with the wait, until the node is there."""
    start_with_late(work, DORA_TEST_TRIES=100)
    wait_until(lambda: len(work.report("impatient", "init")) >= 3, 20, "the program tries again")
    (work.path / "late").touch()
    wait_until(lambda: "DORA_OK" in work.report("impatient", "init"), 20, "the node begins")
    tries = work.report("impatient", "init")
    check(set(tries[:-1]) == {"DORA_TIMEOUT"} and tries[-1] == "DORA_OK", f"the tries gave {tries}")
    (work.path / "go").touch()
    work.await_report("impatient", "end")
    work.check_free("impatient")


def freeze(work, **env):
    """A node that is stuck in its sends, since their daemon is frozen."""
    cluster = Cluster(work)
    # A receiver with backpressure keeps an output on the way over the daemon.
    inputs = {id: {"source": f"stuck/{id}", "queue_policy": "backpressure", "queue_size": 1000}
              for id in ("out", "spare")}
    cluster.start([node("stuck", "options_stuck", outputs=["out", "spare"],
                        env={"DORA_TEST_SEND_TIMEOUT_MS": 250, "DORA_TEST_GO": work.path / "go",
                             "DORA_TEST_DONE": work.path / "done", **env}),
                   node("sink", "options_sink", inputs=inputs)])
    work.await_report("stuck", "ready")
    time.sleep(0.5)
    cluster.daemon.send_signal(signal.SIGSTOP)
    (work.path / "go").touch()
    work.await_report("stuck", "waiting")
    return cluster


def check_stuck(work):
    calls = [["frame", *work.report("stuck", "frame")[-1].split(" ")]]
    calls += [line.split(" ") for line in work.report("stuck", "stuck")]
    names = ["frame", "send", "spare", "log", "store", "load", "close", "closes"]
    check([name for name, *_ in calls] == names, f"the calls were {calls}")
    for name, status, ms, *_ in calls:
        check(status == "DORA_TIMEOUT" and 240 <= float(ms) < SOON_MS, f"{name} gave {status} after {ms} ms of 250")
    check(work.only("stuck", "read") == "DORA_TIMEOUT", f"a read beside them gave {work.only('stuck', 'read')}")


def test_a_frozen_daemon(work):
    cluster = freeze(work)
    check_stuck(work)
    cluster.daemon.send_signal(signal.SIGCONT)
    # What had begun goes on; the first call behind it would wait for that no longer than it may.
    time.sleep(0.5)
    (work.path / "done").touch()
    work.await_report("stuck", "end")
    again = [line.split(" ")[:2] for line in work.report("stuck", "again")]
    check({status for _, status in again} == {"DORA_OK"} and len(again) == 7, f"afterwards the calls gave {again}")
    wait_until(lambda: work.report("sink", "free_ms"), 20, "the receiver has read all")

    accepted = int(work.only("stuck", "accepted"))
    numbers = [int(line.split(" ")[0]) for line in work.report("sink", "frame")]
    # One frame had begun when its time was over; the next had not, and the one behind it is the last.
    begun, last = accepted, accepted + 2
    print(f"        {accepted} frames went before one was stuck, which arrived {numbers.count(begun)} times")
    check([number for number in numbers if number != begun] == [*range(accepted), last],
          f"{accepted} frames were sent, then {last}, and received were {numbers}")
    check(numbers.count(begun) <= 1, f"a frame whose time was over arrived {numbers.count(begun)} times")
    texts = [line for line in work.report("sink", "event") if line == "DORA_EVENT_INPUT"]
    check(len(texts) == 2, f"two texts were sent, and one that was left out, and received {len(texts)}")


def test_the_end_under_a_frozen_daemon(work):
    freeze(work, DORA_TEST_LEAVES=1)
    work.await_report("stuck", "end")
    check_stuck(work)
    print(f"        dora_node_free took {work.check_free('stuck'):.0f} ms of {FREE_MS}")
    wait_until(lambda: not work.processes("options_stuck"), 20, "the program has ended")


def test_the_size_of_the_pool(work):
    need_locked_memory(16 * MIB)
    yaml, environment, option = "shared_memory_pool_size", "DORA_NODE_SHM_POOL_SIZE", "DORA_TEST_POOL_SIZE"
    sizes = {
        "default": ({}, DEFAULT_POOL),
        "option": ({option: 3 * MIB}, 3 * MIB),
        "odd": ({option: 1_000_001}, 1_000_001),
        "none": ({option: 0}, 0),
        "environment": ({environment: 2 * MIB}, 2 * MIB),
        "yaml": ({yaml: "1MB", environment: 2 * MIB}, MIB),
        "all": ({yaml: MIB, environment: 2 * MIB, option: 3 * MIB}, 3 * MIB),
    }
    work.run([starter(id, **options) for id, (options, _) in sizes.items()], timeout=30)
    for id, (options, size) in sizes.items():
        found = work.only(id, "pool")
        check(found == str(size), f"with {options} the pool has {found} bytes, not {size}")


def test_pictures_in_shared_memory(work):
    """What fits the pool is read where it was written; the rest arrives by the daemon."""
    need_locked_memory(160 * MIB)
    memory = run_frames(work, [FULL_HD, UHD])
    check(memory == [DEFAULT_POOL // KIB, 0], f"with the default pool, pictures lay in {memory} KiB")
    memory = run_frames(work, [FULL_HD, UHD], {"DORA_TEST_POOL_SIZE": 64 * MIB})
    check(memory == [64 * KIB, 64 * KIB], f"with a pool of 64 MiB, pictures lay in {memory} KiB")


def test_the_threshold(work):
    need_locked_memory(64 * MIB)
    pool = 12 * MIB
    source = {"DORA_TEST_POOL_SIZE": pool, "DORA_TEST_THRESHOLD": MIB}
    # The threshold is for whole messages: dora adds a bit to each byte, and some bytes in front.
    below = MIB * 8 // 9 // KIB * KIB - 8 * KIB
    memory = run_frames(work, [below, MIB, below], source)
    check(work.only("source", "threshold") == str(MIB), f"the threshold is {work.only('source', 'threshold')}")
    in_pool = [size == pool // KIB for size in memory]
    check(in_pool == [False, True, False], f"below, above and below the threshold, frames lay in {memory} KiB")


def begin_confined(work, limit, **options):
    """How a node begins that may lock no more than that: the status and the sentence, and the size of its pool."""
    work.forget_reports()
    with_limit = confined(work, starter("starter", outputs=["out"], **options), limit)
    # Where no node is left, dora says that the dataflow failed.
    work.start([with_limit]).process.wait(20)
    status, _, sentence = work.only("starter", "init").partition(" ")
    others = [line for line in work.report("starter")
              if not line.startswith(("init ", "init_ms ", "node ", "pool ", "threshold ", "free_ms ", "end"))]
    check(not others, f"the sentence goes on in further lines: {others}")
    return status, sentence, int(work.only("starter", "pool"))


def check_out_of_memory(result, *words):
    status, sentence, pool = result
    print(f"        {sentence}")
    check((status, pool) == ("DORA_ERROR_OUT_OF_MEMORY", 0), f"init gave {status}, with {pool} bytes: {sentence}")
    missing = [word for word in words if str(word) not in sentence]
    check(not missing, f"the sentence lacks {missing}: {sentence}")


def test_a_pool_that_may_not_be_locked(work):
    for limit in LIMITS:
        size = 64 * MIB
        check_out_of_memory(begin_confined(work, limit, DORA_TEST_POOL_SIZE=size), "RLIMIT_MEMLOCK", size, limit)


def test_a_pool_that_leaves_no_room(work):
    """zenoh locks 1,280 KiB more with each pool, which the check has to know: it does not survive a refusal."""
    limit = LIMITS[0]
    for size in (limit - 100 * KIB, limit - 1300 * KIB):
        check_out_of_memory(begin_confined(work, limit, DORA_TEST_POOL_SIZE=size), "RLIMIT_MEMLOCK", size, limit)


def test_a_default_that_leaves_no_room(work):
    for size in (LIMITS[0] - 100 * KIB, LIMITS[0] - 1300 * KIB):
        status, sentence, pool = begin_confined(work, LIMITS[0], DORA_NODE_SHM_POOL_SIZE=size)
        check((status, pool) == ("DORA_OK", 0), f"with {size} bytes of {LIMITS[0]} init gave {status} {sentence}")


def test_no_locked_memory_at_all(work):
    for limit in (0, 4 * KIB):
        status, sentence, _ = begin_confined(work, limit)
        print(f"        {sentence}")
        check(status == "DORA_OK" or "RLIMIT_MEMLOCK" in sentence, f"with {limit} bytes init gave {status} {sentence}")


def test_ordinary_users(work):
    """With the limits that systems have, dora's default pool cannot be, and everything arrives all the same."""
    sizes = [1000, 5000, 500_000, FULL_HD]
    for limit in LIMITS:
        memory = run_frames(work, sizes, limit=limit)
        check(memory == [0, 0, 0, 0], f"with {limit} bytes of locked memory, frames lay in {memory} KiB")
        for id in ("source", "sink"):
            check(work.only(id, "pool") == "0", f"with {limit} bytes, {id} has a pool of {work.only(id, 'pool')}")
    status, sentence, pool = begin_confined(work, LIMITS[0], shared_memory_pool_size="64MB")
    check((status, pool) == ("DORA_OK", 0), f"with too much in the dataflow, init gave {status} {sentence}")


def test_a_receiver_that_may_not_lock_what_it_gets(work):
    """The pool of the sender counts where it is received too: nothing may be lost without a word."""
    sizes, pool = [1000, 100_000, 3_000_000, 1000], {"DORA_TEST_POOL_SIZE": 4 * MIB}
    memory = run_frames(work, sizes, pool, pool, limit=LIMITS[0], patience=2000)
    lost = [size for size, found in zip(sizes, memory) if found is None]
    check(not lost, f"of {sizes} bytes {lost} were lost, and the receiver heard nothing of it")
    check(work.only("sink", "pool") == "0", f"the receiver has a pool of {work.only('sink', 'pool')}")


def test_a_small_shared_memory(work):
    """As in a container, whose /dev/shm has 64 MiB for all nodes unless somebody gives it more."""
    if subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("        left out: this user may not mount a /dev/shm of its own")
        return

    def begin(size, **options):
        work.forget_reports()
        small = starter("starter", outputs=["out"], **options)
        inner = script(work, "inner.sh", f"mount -t tmpfs -o size={size} tmpfs /dev/shm && exec {small['path']}")
        small["path"] = script(work, "outer.sh", f'exec unshare -m "{inner}"')
        work.start([small]).process.wait(20)
        status, _, sentence = work.only("starter", "init").partition(" ")
        return status, sentence, int(work.only("starter", "pool"))

    check_out_of_memory(begin(32 * MIB, DORA_TEST_POOL_SIZE=64 * MIB), "/dev/shm", 64 * MIB, 32 * MIB)
    check_out_of_memory(begin(32 * MIB, DORA_TEST_POOL_SIZE=32 * MIB - 100 * KIB), "/dev/shm")
    for size in (4 * MIB, 8 * MIB, 9 * MIB):
        status, sentence, pool = begin(size)
        check((status, pool) == ("DORA_OK", 0), f"with {size} bytes in /dev/shm init gave {status} {sentence}")


main(
    test_another_node_never_comes,
    test_another_node_comes_too_late,
    test_another_try,
    test_a_frozen_daemon,
    test_the_end_under_a_frozen_daemon,
    test_the_size_of_the_pool,
    test_pictures_in_shared_memory,
    test_the_threshold,
    test_a_pool_that_may_not_be_locked,
    test_a_pool_that_leaves_no_room,
    test_a_default_that_leaves_no_room,
    test_no_locked_memory_at_all,
    test_ordinary_users,
    test_a_receiver_that_may_not_lock_what_it_gets,
    test_a_small_shared_memory,
)
