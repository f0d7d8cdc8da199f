"""What the fast lane does to the machine: its files, who may read them, what is left, and where there is no memory."""

import os
import signal
import stat
import subprocess

from harness import LANE_WAY, Workspace, check, main, wait_until
from lane_checks import (KIB, MIB, PATIENCE, ROOT, Watch, check_exact, dataflow_directories, result,
                         shared_files, sink, source, start, ways)

COUNT = 300
SMALL = {"COUNT": COUNT, "SIZES": "8-100000", "WAY": "both"}


def endless(work, **options):
    return source(COUNT=-1, SIZES="8-100000", WAY="both", INTERVAL_US=500, DONE=work.path / "done", **options)


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


def test_who_may_read(work):
    """Everything is the user's alone, also under an open umask."""
    old = os.umask(0)
    try:
        flow = start(work, [endless(work), sink(TELL_EVERY=10)])
    finally:
        os.umask(old)
    work.await_report("sink", "progress", PATIENCE)
    uuid = work.only("source", "dataflow")
    own = dataflow_directories(uuid)
    check(own, f"of the dataflow {uuid} is no directory in {ROOT}: {[path.name for path in ROOT.glob('*')]}")
    mapped = {path for program in ("lane_source", "lane_sink") for pid in work.processes(program)
              for path in shared_files(pid)}
    check(mapped, "the nodes share no memory")
    files = [ROOT, *own, *(path for directory in own for path in directory.rglob("*")), *mapped]
    # What iceoryx2 keeps is not told apart by dataflow; all of it is the user's.
    files += [path for path in ROOT.rglob("*") if path not in files]
    wrong, kinds = {}, {}
    for path in files:
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            continue
        kinds[stat.filemode(found.st_mode)] = kinds.get(stat.filemode(found.st_mode), 0) + 1
        # iceoryx2 gives its directories other modes; nobody else comes through the one above them.
        others = 0 if stat.S_ISDIR(found.st_mode) and ROOT / "iox2" in [path, *path.parents] else found.st_mode & 0o077
        if others or found.st_uid != os.getuid() or stat.S_ISLNK(found.st_mode):
            wrong[str(path)] = stat.filemode(found.st_mode)
    print(f"        {kinds}")
    check(not wrong, f"others may use these: {wrong}")
    check(mode(ROOT) == 0o700 and {mode(path) for path in own} == {0o700}, "a directory has another mode than 0700")
    (work.path / "done").touch()
    flow.wait(PATIENCE)


def check_nothing_left(watch, uuids):
    left = sorted(watch.left())
    check(not left, f"{len(left)} files are left: {left[:10]}")
    check(not any(dataflow_directories(uuid) for uuid in uuids), "the directory of a dataflow is left")


def run_once(work, watch):
    """A whole run; gives the ids of its dataflow."""
    work.forget_reports()
    (work.path / "done").unlink(missing_ok=True)
    flow = start(work, [source(**SMALL, INTERVAL_US=500), sink()])
    flow.wait(PATIENCE)
    check_exact(work, **{"in": COUNT})
    check(watch.mapped, "the nodes shared no memory")
    return {work.only("source", "dataflow")}


def test_nothing_is_left(work):
    with Watch(work) as watch:
        uuids = run_once(work, watch)
        check_nothing_left(watch, uuids)
        print(f"        of {len(watch.mapped)} files of shared memory")


def test_nothing_is_left_behind_a_stop(work):
    with Watch(work) as watch:
        flow = start(work, [endless(work), sink(TELL_EVERY=10)])
        work.await_report("sink", "progress", PATIENCE)
        flow.process.send_signal(signal.SIGINT)
        flow.wait(PATIENCE)
        check_nothing_left(watch, {work.only("source", "dataflow")})


def check_cleaned(work, kill):
    """What killed nodes leave is gone when the next node of the lane has started."""
    with Watch(work) as watch:
        flow = start(work, [endless(work), sink(TELL_EVERY=10)])
        work.await_report("sink", "progress", PATIENCE)
        uuid = work.only("source", "dataflow")
        kill(flow)
        wait_until(lambda: not work.processes(), PATIENCE, "all processes are gone")
        left = len(watch.left())
        print(f"        left behind the kill: {left} files")
        uuids = run_once(work, watch)
        check_nothing_left(watch, uuids | {uuid})


def test_the_next_run_cleans_behind_killed_nodes(work):
    def kill(flow):
        for program in ("lane_source", "lane_sink"):
            for pid in work.processes(program):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: flow.process.poll() is not None, PATIENCE, "dora run ends")

    check_cleaned(work, kill)


def test_the_next_run_cleans_behind_everything_killed(work):
    check_cleaned(work, lambda _: work.kill_all())


def test_a_run_leaves_others_alone(work):
    """The next run begins, and ends, while another is on."""
    flow = start(work, [endless(work), sink(TELL_EVERY=10)])
    work.await_report("sink", "progress", PATIENCE)
    with Workspace() as other:
        start(other, [source(**SMALL), sink()]).wait(PATIENCE)
        check_exact(other, **{"in": COUNT})
    more = len(work.report("sink", "progress")) + 50
    wait_until(lambda: len(work.report("sink", "progress")) >= more, PATIENCE, "the first goes on")
    (work.path / "done").touch()
    flow.wait(PATIENCE)
    check_exact(work, **{"in": int(work.only("source", "sent").split(" ")[0])})


def test_the_process_stays_as_it_was(work):
    """The umask, and what is done with each signal: as without the lane, and behind the node as before it."""
    found = {}
    for lane in (None, 1):
        work.forget_reports()
        nodes = [source(lane=lane, **SMALL), sink(lane=lane)]
        if lane:
            start(work, nodes).wait(PATIENCE)
        else:
            work.leave_fast_lane()
            work.run(nodes, timeout=PATIENCE)
        found[lane] = {id: work.report(id, "process") for id in ("source", "sink")}
    check(len(found[1]["source"]) == 4, f"the process was {found[1]}")
    check(found[1] == found[None], f"with the lane the process is {found[1]}, without it {found[None]}")


def check_setting(work, setting, *words, **options):
    """A setting that is none ends the begin of the node, with a sentence that says what would be right."""
    work.leave_fast_lane()
    flow = work.start([source(lane=setting, outputs=["image", "pose"], **options)])
    check(flow.process.wait(PATIENCE) == 1, f"dora run ended with {flow.process.returncode}")
    status, _, sentence = work.only("source", "init").partition(" ")
    print(f"        {status}: {sentence}")
    missing = [word for word in ("DORA_FAST_LANE", *words) if word not in sentence]
    check(status.startswith("DORA_ERROR_") and not missing, f"the sentence lacks {missing}: {sentence}")


def test_a_setting_with_an_unknown_id(work):
    check_setting(work, "image,poze", "poze", "image", "pose")


def test_a_setting_that_is_no_list(work):
    check_setting(work, "yes please", "yes please")


def test_a_setting_with_an_empty_id(work):
    check_setting(work, "image,,pose")


# ---- Other shared memory ----


def in_other_memory(work, nodes, size, *commands):
    """Starts nodes that have /dev/shm to themselves, of so many bytes; None where this user may not."""
    work.leave_fast_lane()
    user = [] if os.geteuid() == 0 else ["-Ur"]
    script = " && ".join([f"mount -t tmpfs -o size={size},mode=1777 tmpfs /dev/shm", *commands,
                          f'exec dora run "{work.write_dataflow(nodes)}" --log-format json'])
    if subprocess.run(["unshare", "-m", *user, "mount", "-t", "tmpfs", "tmpfs", "/dev/shm"],
                      stderr=subprocess.DEVNULL).returncode != 0:
        print("        left out: this user may not mount a /dev/shm of its own")
        return None
    return work.spawn("dora-run", ["unshare", "-m", *user, "sh", "-c", script])


# zenoh needs some too, and runs with less.
POOL = {"DORA_NODE_SHM_POOL_SIZE": MIB}


def test_no_memory_at_the_begin(work):
    """The lane is not taken, and everything else works."""
    flow = in_other_memory(work, [source(COUNT=50, SIZES=1000, INTERVAL_US=2000, SLEEP_MS=300, env=POOL),
                                  sink(env=POOL)], 64 * KIB)
    if not flow:
        return
    flow.wait(PATIENCE)
    check(ways(work, "source")["out"] != LANE_WAY, "the lane was taken")
    check(result(work)["inputs"]["in"]["received"] > 0, "nothing came")


def test_no_memory_later(work):
    """What finds no room any more goes another way or is refused, and what is behind it arrives."""
    large, count = 70 * MIB, 16
    flow = in_other_memory(work, [source(COUNT=count, SIZES=f"1000,100000,{large},1000", WAY="both", INTERVAL_US=20_000,
                                         SLEEP_MS=500, MAY_FAIL=1, env=POOL),
                                  sink(env=POOL)], 48 * MIB)
    if not flow:
        return
    flow.wait(PATIENCE)
    refused = [line.split(" ", 3) for line in work.report("source", "refused")]
    others = [line for line in refused if line[2] != "DORA_ERROR_TOO_LARGE" or int(line[1]) != large]
    check(not others, f"refused were {others}")
    book = result(work)["inputs"]["in"]
    ways_were = f"{work.only('source', 'ways')}, in the end {work.only('source', 'last_ways')}"
    print(f"        the way was {ways_were}; of {count} came {book['received']}, and refused were {len(refused)}: "
          f"{[line[3][:100] for line in refused[:1]]}")
    check(book["last"] == count - 1, f"the last message did not come: {book}")
    # Where the lane was left, dora's direct way may lose what is large.
    check(count * 3 // 4 <= book["received"] <= count - len(refused), f"of {count} messages came {book}")


def test_a_root_that_is_somebody_elses_link(work):
    """A link in the place of the root is not followed: nothing is written where it leads."""
    elsewhere = work.path / "elsewhere"
    elsewhere.mkdir()
    link = f'ln -s "{elsewhere}" "/dev/shm/dora-lane1-$(id -u)"'
    flow = in_other_memory(work, [source(COUNT=50, INTERVAL_US=2000, SLEEP_MS=300), sink()], 256 * MIB, link)
    if not flow:
        return
    flow.wait(PATIENCE)
    check(not list(elsewhere.iterdir()), f"behind the link were made {list(elsewhere.iterdir())}")
    check(ways(work, "source")["out"] != LANE_WAY, "the lane was taken")
    check(result(work)["inputs"]["in"]["received"] > 0, "nothing came")


def test_a_root_that_others_may_write_to(work):
    """Others may have put anything there."""
    root = 'mkdir -m 0777 "/dev/shm/dora-lane1-$(id -u)"'
    flow = in_other_memory(work, [source(COUNT=50, INTERVAL_US=2000, SLEEP_MS=300), sink()], 256 * MIB, root)
    if not flow:
        return
    flow.wait(PATIENCE)
    check(ways(work, "source")["out"] != LANE_WAY, "the lane was taken")
    check(result(work)["inputs"]["in"]["received"] > 0, "nothing came")


main(
    test_who_may_read,
    test_nothing_is_left,
    test_nothing_is_left_behind_a_stop,
    test_the_next_run_cleans_behind_killed_nodes,
    test_the_next_run_cleans_behind_everything_killed,
    test_a_run_leaves_others_alone,
    test_the_process_stays_as_it_was,
    test_a_setting_with_an_unknown_id,
    test_a_setting_that_is_no_list,
    test_a_setting_with_an_empty_id,
    test_no_memory_at_the_begin,
    test_no_memory_later,
    test_a_root_that_is_somebody_elses_link,
    test_a_root_that_others_may_write_to,
)
