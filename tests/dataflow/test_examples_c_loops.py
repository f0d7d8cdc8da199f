"""The examples of event loops in C: built and run as they stand, and what comes out is compared with figures that are
computed here."""

import cmath
import json
import math
import os
import signal
import socket

from examples import Example, near, printed, values_of
from examples_axis import is_part_of
from harness import check, main, wait_until

GATEWAY, MOTOR, LIMITER = "c-examples/06-epoll-gateway", "c-examples/07-serial-motor", "c-examples/08-glib-limiter"
BUILDING = 120 # seconds, at most


def stop(flow):
    flow.process.send_signal(signal.SIGINT)
    flow.wait(60)


def check_failed(flow, sentence):
    """Ends a dataflow in which a node has failed with a sentence."""
    wait_until(lambda: sentence in flow.output.read_text(), 30, f"a node says {sentence!r}")
    flow.process.send_signal(signal.SIGINT)
    check(flow.process.wait(60) != 0, f"dora run was a success although a node said {sentence!r}")


# epoll.

COMMAND, HEARTBEAT, POSE = "gateway/command", "gateway/heartbeat", "vehicle/pose"
TICK, PERIOD = 0.05, 0.2
REFUSAL = "error: a command is 'drive', metres and radians per second"


class Operator:
    """Who drives over the network."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.lines = self.socket.makefile("r", encoding="utf-8")

    def say(self, text):
        self.socket.sendall(text.encode())

    def hear_until(self, beginning):
        """The lines up to one that begins so; an empty beginning stands for the end."""
        heard = [self.lines.readline()]
        while not (heard[-1].startswith(beginning) if beginning else heard[-1] == ""):
            check(heard[-1] != "", f"an operator heard the end behind {heard}")
            heard.append(self.lines.readline())
        return [line.rstrip("\n") for line in heard]

    def end(self):
        self.lines.close()
        self.socket.close()


def step(pose, command):
    """Where a command takes a vehicle in a tick, around the centre of its circle."""
    place, heading, (speed, turn) = complex(*pose[:2]), pose[2], command
    if turn == 0:
        place += cmath.rect(speed * TICK, heading)
    else:
        centre = place + 1j * cmath.rect(speed / turn, heading)
        place = centre + (place - centre) * cmath.rect(1, turn * TICK)
    return [place.real, place.imag, heading + turn * TICK]


def await_drive(example, command):
    """Waits until the vehicle drives as it was told."""
    def drives():
        poses = [each["values"] for each in example.seen(POSE)[-2:]]
        return len(poses) == 2 and near(poses[1], step(poses[0], command))
    wait_until(drives, 30, f"the vehicle drives by {command}")


def check_course(poses, commands):
    """Checks each step of a vehicle that had these commands, one after the other, after none."""
    commands, phase = [[0, 0], *commands], 0
    check(near(poses[0], [0, 0, 0]), f"the vehicle began at {poses[0]}")
    for i, (before, after) in enumerate(zip(poses, poses[1:])):
        while not near(after, step(before, commands[phase])):
            phase += 1
            check(phase < len(commands), f"step {i} from {before} to {after} is by none of {commands}")
    return phase


def check_heartbeat(messages):
    beats = values_of(messages)
    check(all(before < after for before, after in zip(beats, beats[1:])), f"the heart beats {beats}")
    beaten, passed = beats[-1] - beats[0], messages[-1]["time"] - messages[0]["time"]
    # The first may be a second late on a busy machine, and so may be the last.
    check(beaten > 5 and abs(beaten - passed / PERIOD) < 1 / PERIOD, f"the heart beats {beaten} times in {passed} s")


def test_gateway(work):
    example = Example(work, GATEWAY, watch=[COMMAND, HEARTBEAT, POSE])
    work.env["GATEWAY_PORT"] = "0"
    flow = example.start()
    wait_until(lambda: printed(flow, "gateway"), BUILDING, "the gateway listens")
    port = int(printed(flow, "gateway")[0].removeprefix("gateway: listening on port "))

    # A line may come in pieces, and several at once.
    first = Operator(port)
    heard = first.hear_until("pose ")
    first.say("dri")
    heard += first.hear_until("pose ") + first.hear_until("alive ")
    first.say("ve 0.5 0.25\n")
    await_drive(example, [0.5, 0.25])
    second = Operator(port)
    check(second.hear_until("") == ["error: another operator drives", ""], "there are two operators")
    wrong = ["halt", "drive", "drive 1", "drive 1 2 3", "drive fast 0", "drive nan 0", "drive 0 inf", ""]
    for line in wrong:
        first.say(f"{line}\n")
        heard += first.hear_until("error")
    first.say("drive 1 0\r\ndrive -0.25 0.5\n")
    await_drive(example, [-0.25, 0.5])
    heard += first.hear_until("pose ")

    # Who is gone does not drive any more: by hanging up, by what is no line, by not listening.
    first.end()
    await_drive(example, [0, 0])
    third = Operator(port)
    third.say("drive 0.2 0\n")
    await_drive(example, [0.2, 0])
    third.say("9" * 200)
    third.hear_until("")
    await_drive(example, [0, 0])
    fourth = Operator(port)
    fourth.say("drive 0.3 0\n")
    await_drive(example, [0.3, 0])
    try:
        for _ in range(1000):
            fourth.say("?\n" * 1000)
    except OSError:
        pass
    await_drive(example, [0, 0])
    fifth = Operator(port)
    fifth.hear_until("pose ")
    stop(flow)
    fifth.hear_until("")
    work.await_report("witness", "end")

    commands = [each["values"] for each in example.seen(COMMAND)]
    expected = [[0.5, 0.25], [1, 0], [-0.25, 0.5], [0, 0], [0.2, 0], [0, 0], [0.3, 0], [0, 0]]
    check(commands == expected, f"the commands were {commands}")
    poses = [each["values"] for each in example.seen(POSE)]
    check(check_course(poses, commands) == len(commands), "the vehicle did not come to rest")
    check_heartbeat(example.seen(HEARTBEAT))
    told = {"pose": ["pose {:.3f} {:.3f} {:.3f}".format(*pose) for pose in poses],
            "alive": [f"alive {beat}" for beat in values_of(example.seen(HEARTBEAT))],
            "error:": [REFUSAL] * len(wrong)}
    for word, lines in told.items():
        lines_heard = [line for line in heard if line.split(" ")[0] == word]
        check(lines_heard and is_part_of(lines_heard, lines), f"of {word} the operator heard {lines_heard}")
    check(set(line.split(" ")[0] for line in heard) == set(told), f"the operator heard {heard}")


# poll.

SPEED, STATE = "wave/value", "motor/state"
STEP, DELAY = 0.02, 0.1
SHARE = 1 - math.exp(-STEP / DELAY)


def check_motor(states, wanted):
    """Checks each step of a motor that was told some of these speeds in their order, and returns how many."""
    place, told = -1, set()
    for (position, speed), after in zip(states, states[1:]):
        target = speed + (after[1] - speed) / SHARE
        expected = position + target * STEP + (speed - target) * DELAY * SHARE
        check(abs(after[0] - expected) < 1e-7, f"from {position}, {speed} the motor came to {after}, not {expected}")
        if place < 0 and abs(target) < 1e-7:
            continue # before it was told anything
        place = max(place, 0)
        # Speeds are told to six digits, and reports have nine.
        while place < len(wanted) and abs(wanted[place] - target) > 1e-6:
            place += 1
        check(place < len(wanted), f"the motor was told {target}, which is not among the speeds that are left")
        told.add(place)
    return len(told)


def start_motor(work):
    example = Example(work, MOTOR, watch=[SPEED, STATE])
    flow = example.start()
    wait_until(lambda: example.seen(STATE), BUILDING, "the motor reports")
    return example, flow


def test_motor(work):
    example, flow = start_motor(work)
    wait_until(lambda: len(example.seen(STATE)) >= 250, 60, "the wave has changed its sign")
    stop(flow)
    work.await_report("witness", "end")
    states = [each["values"] for each in example.seen(STATE)]
    wanted = values_of(example.seen(SPEED))
    told = check_motor(states, wanted)
    print(f"        {len(states)} reports, of {len(wanted)} speeds {told} were told")
    check(told > 100, f"of {len(wanted)} speeds {told} were told")
    speeds = [speed for _, speed in states]
    check(min(speeds) < -0.7 and max(speeds) > 0.7, f"the motor turned from {min(speeds)} to {max(speeds)}")

    (summary,) = printed(flow, "simulator")
    count = int(summary.split(" ")[1])
    check(summary == f"motor-simulator: {count} reports, at last told 0.000000", f"the simulator printed {summary!r}")
    check(count >= len(states), f"of {count} reports {len(states)} came")


def test_motor_that_is_unplugged(work):
    _, flow = start_motor(work)
    (simulator,) = work.processes("motor_simulator")
    os.kill(simulator, signal.SIGKILL)
    check_failed(flow, "motor: the line is dead")


def test_motor_that_is_silent(work):
    _, flow = start_motor(work)
    (simulator,) = work.processes("motor_simulator")
    os.kill(simulator, signal.SIGSTOP)
    wait_until(lambda: "motor: the motor is silent" in flow.output.read_text(), 30, "the driver misses the motor")
    os.kill(simulator, signal.SIGCONT)
    check_failed(flow, "motor: the motor is silent")
    (summary,) = printed(flow, "simulator")
    check(summary.endswith("at last told 0.000000"), f"the silent motor was not brought to rest: {summary!r}")


# GLib.

RAW, LIMITED = "wave/value", "limiter/limited"


def logged(flow, node_id):
    """The lines that a node of a `dora run` has logged so far."""
    lines = [json.loads(line) for line in flow.output.read_text().splitlines()
             if line.startswith("{") and line.endswith("}")]
    return [(line["level"].lower(), line["message"]) for line in lines
            if line["node_id"] == node_id and line["level"].lower() in ("info", "warn")]


def check_limited(raw, limited, limits):
    """Checks each value behind a limiter that had these limits, one after the other, and how many show each."""
    check(10 < len(limited) <= len(raw), f"of {len(raw)} values {len(limited)} came")
    phase, told = 0, [0] * len(limits)
    for value, found in zip(raw, limited):
        expected = [max(-limit, min(value, limit)) for limit in limits]
        while found != expected[phase]:
            phase += 1
            check(phase < len(limits), f"{value} became {found}, not one of {expected}")
        told[phase] += expected.count(found) == 1
    return told


def test_limiter(work):
    example = Example(work, LIMITER, watch=[RAW, LIMITED])
    file = example.path.parent / "limits.ini"
    flow = example.start()
    limits = ["1.1"]
    wait_until(lambda: logged(flow, "limiter"), BUILDING, "the limiter knows its limit")
    example.wait_for_more(LIMITED, 30)

    def write_in_place(text):
        file.write_text(text)

    def replace(text):
        other = file.with_name("limits.new")
        other.write_text(text)
        other.replace(file)

    def is_told(line):
        return line in [each for _, each in logged(flow, "limiter")]

    for change, limit in ((replace, "0.5"), (write_in_place, "0.9"), (replace, "0.25")):
        for wrong, reason in (("-1", "-1 is not above 0"), ("nan", "nan is not above 0")):
            change(f"[limits]\nvalue = {wrong}\n")
            line = f"the limit stays {limits[-1]}: {reason}"
            wait_until(lambda: is_told(line), 30, f"the limiter logs {line!r}")
        change(f"[limits]\nvalue = {limit}\n")
        wait_until(lambda: is_told(f"the limit is {limit}"), 30, f"the limit is {limit}")
        limits.append(limit)
        example.wait_for_more(LIMITED, 30)
    stop(flow)
    work.await_report("witness", "end")
    told = check_limited(values_of(example.seen(RAW)), values_of(example.seen(LIMITED)), list(map(float, limits)))
    print(f"        of {len(example.seen(LIMITED))} values, {told} show the limits {', '.join(limits)}")
    check(min(told) > 5, f"{told} values show the limits {limits}")


main(
    test_gateway,
    test_motor,
    test_motor_that_is_unplugged,
    test_motor_that_is_silent,
    test_limiter,
)
