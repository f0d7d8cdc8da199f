"""Programs that were written against dora's own C interface, in tests/compat, in a real dataflow.

A LiDAR driver, a filter, a planner that sends from a thread, a chassis and a recorder, once compiled as C99 and once
as C++14. What goes over their inputs is kept by backpressure, so that every value can be told beforehand.
"""

import signal
import subprocess

from harness import BIN, check, main, node, wait_until

COMMANDS = 20
POINTS = 100
# A header of 16 bytes, and as many for each point; the filter keeps every second one.
CLOUD = f"{16 + 16 * POINTS} {16 + 16 * POINTS // 2}"
NOT_BYTES = {"label": 3, "gaps": 2}


def kept(source):
    return {"source": source, "queue_size": 1000, "queue_policy": "backpressure"}


def vehicle(language):
    def program(name, **fields):
        return node(name, f"compat-{language}/{name}", **fields)

    settings = ["speed", "label", "gaps", "nothing"]
    return [
        program("lidar", inputs={"tick": "dora/timer/millis/20"}, outputs=["pointcloud"]),
        program("filter", inputs={"pointcloud": kept("lidar/pointcloud")}, outputs=["pointcloud"]),
        program("planner", inputs={"pointcloud": kept("filter/pointcloud")}, outputs=["cmd"]),
        program("chassis", inputs={"cmd": kept("planner/cmd"), **{id: kept(f"peer/{id}") for id in settings}},
                outputs=["odom"]),
        program("recorder", inputs={"odom": kept("chassis/odom")}, outputs=["summary"]),
        node("peer", "compat_peer.py", inputs={"tick": "dora/timer/secs/1"}, outputs=settings),
    ]


def check_commands(work):
    """Each command tells of a cloud, with what is to be known of that one."""
    last_cloud = 0
    for index, line in enumerate(work.report("chassis", "cmd")):
        sequence, cloud, distance, brake = map(int, line.split())
        check(sequence == index, f"command {index} has the number {sequence}")
        check(cloud >= last_cloud, f"command {index} is of cloud {cloud}, the one before of {last_cloud}")
        # One cloud after the other begins a metre farther away.
        check((distance, brake) == (cloud + 1, cloud + 1 < 10), f"command {index} is {line!r}")
        last_cloud = cloud


def check_settings(work, logged):
    check(work.only("chassis", "speed") == "3 1.5 -3.25", f"the floats arrived as {work.report('chassis', 'speed')}")
    check(work.only("chassis", "nothing") == "0 0", "an empty message is not NULL")
    printed = [line["message"] for line in logged if line["node_id"] == "chassis" and line["level"] == "stdout"]
    complaints = [line for line in printed if line.startswith("read_dora_input_data: ")]
    for id, count in NOT_BYTES.items():
        check(work.report("chassis", id) == ["0 0"] * count, f"{id} gave {work.report('chassis', id)}")
        found = [line for line in complaints if f"`{id}`" in line]
        check(len(found) == 1, f"of input {id} was said: {found}")
    check(len(complaints) == len(NOT_BYTES), f"said of data was: {complaints}")
    undeclared = [line for line in printed if line.startswith("dora_send_output: ")]
    check(len(undeclared) == 1 and "debug_odom" in undeclared[0], f"said of outputs was: {undeclared}")
    warned = [line["message"] for line in logged if line["node_id"] == "chassis" and line["level"].lower() == "warn"]
    check(warned == ["first command"], f"the chassis logged {warned}")


def check_ends(work):
    """The nodes did as they were written, and nothing that they call failed."""
    for id, word in {"chassis": "failed", "recorder": "wrong"}.items():
        wrong = [line for line in work.report(id) if word in line]
        check(not wrong, f"{id}: {wrong}")
    check(set(work.report("filter", "cloud")) == {CLOUD}, f"clouds had {set(work.report('filter', 'cloud'))} bytes")
    check(work.report("filter", "stop") == [""] and work.only("filter", "end") == "0", "the filter saw no end")
    sent, failed = work.only("planner", "sent").split(" failed ")
    check(failed == "0", f"{failed} sends of the planner failed")
    check(int(sent) >= len(work.report("chassis", "cmd")), f"of {sent} commands more arrived")
    check(work.only("recorder", "disorder") == "0", "the recorder found disorder")
    check(work.report("recorder", "behind") == ["the stop 0", "the end 0"],
          f"sends behind the end gave {work.report('recorder', 'behind')}")
    check(work.only("recorder", "ends") == "1000" and work.only("recorder", "kinds") == "1 0",
          f"the recorder saw {work.report('recorder', 'ends')} ends, and kinds {work.report('recorder', 'kinds')}")
    check(int(work.only("lidar", "sent")) >= len(work.report("filter", "cloud")), "there were more clouds than sent")


def run_vehicle(work, language):
    flow = work.start(vehicle(language))
    wait_until(lambda: len(work.report("recorder", "odom")) >= COMMANDS, 30, f"{COMMANDS} commands were carried out")
    for id, count in NOT_BYTES.items():
        wait_until(lambda: len(work.report("chassis", id)) >= count, 30, f"{id} arrived {count} times")
    work.await_report("chassis", "nothing")
    flow.process.send_signal(signal.SIGINT)
    logged = flow.wait(30)
    check_commands(work)
    check_settings(work, logged)
    check_ends(work)


def test_as_c99(work):
    run_vehicle(work, "c99")


def test_as_cxx14(work):
    run_vehicle(work, "cxx14")


def test_without_dora(work):
    for name, code in {"lidar": 255, "planner": 255, "chassis": 1}.items():
        done = subprocess.run([BIN / "compat-c99" / name], env=work.env, capture_output=True, text=True, timeout=30,
                              stdin=subprocess.DEVNULL)
        check(done.returncode == code, f"{name} without dora ended with {done.returncode}")
        check(done.stderr.startswith("init_dora_context_from_env: DORA_ERROR_INIT: "), f"{name} said: {done.stderr}")


main(test_as_c99, test_as_cxx14, test_without_dora)
