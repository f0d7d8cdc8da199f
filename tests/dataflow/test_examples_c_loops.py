"""The examples of event loops in C: built and run as they stand, and what comes out is compared with figures that are
computed here."""

import cmath
import contextlib
import json
import math
import os
import re
import signal
import socket
import time

from examples import Example, near, printed, values_of
from harness import check, main, wait_until, whole_lines

GATEWAY, MOTOR, LIMITER = "c-examples/06-epoll-gateway", "c-examples/07-serial-motor", "c-examples/08-glib-limiter"
BUILDING = 120 # seconds, at most


def stop(flow):
    flow.process.send_signal(signal.SIGINT)
    flow.wait(60)


def pairs(items):
    return zip(items, items[1:])


def is_stretch_of(items, all_items):
    """Whether items are among others, in their order and without a gap."""
    return any(items == all_items[begin : begin + len(items)] for begin in range(len(all_items) - len(items) + 1))


# epoll.

COMMAND, HEARTBEAT, POSE = "gateway/command", "gateway/heartbeat", "vehicle/pose"
TICK, BEAT, BEATS_OF_COMMAND = 0.05, 0.2, 10
TAKEN = "error: another operator drives"
REFUSAL = "error: a command is 'drive', metres and radians per second"
NO_COMMANDS = ["halt", "drive", "drive 1", "drive 1 2 3", "drive fast 0", "drive nan 0", "drive 0 inf", ""]


class Operator:
    """Who drives over the network."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.heard = []
        self.patience = time.monotonic() + 60

    def say(self, text):
        self.socket.sendall(text.encode())

    def hear(self):
        """The next line, empty at the end."""
        check(time.monotonic() < self.patience, f"an operator hears nothing but {self.heard[-5:]}")
        with contextlib.suppress(ConnectionResetError): # the end, where something was left unread
            if line := self.lines.readline():
                self.heard.append(line.rstrip("\n"))
                return self.heard[-1]
        return ""

    def hear_until(self, beginning):
        while not (line := self.hear()).startswith(beginning):
            check(line != "", f"an operator heard the end behind {self.heard}")

    def hear_all(self):
        while self.hear():
            pass

    def end(self):
        self.lines.close()
        self.socket.close()


def take_over(port):
    """The next operator, who may drive when the one before is let go."""
    def try_to():
        operator = Operator(port)
        if operator.hear() != TAKEN:
            return operator
        return operator.end()
    return wait_until(try_to, 30, "another operator may drive")


def flood(operator):
    """Says much and listens to nothing, until the operator is let go."""
    def is_let_go():
        with contextlib.suppress(ConnectionError):
            return operator.say("?\n" * 10_000)
        return True
    wait_until(is_let_go, 30, "an operator who does not listen is let go")


def step(pose, command):
    """Where a command takes a vehicle in a tick, around the centre of its circle."""
    place, heading, (speed, turn) = complex(*pose[:2]), pose[2], command
    if turn == 0:
        place += cmath.rect(speed * TICK, heading)
    else:
        centre = place + 1j * cmath.rect(speed / turn, heading)
        place = centre + (place - centre) * cmath.rect(1, turn * TICK)
    return [place.real, place.imag, heading + turn * TICK]


def poses_of(example):
    return [each["values"] for each in example.seen(POSE)]


def await_drive(example, *command):
    """Waits until the vehicle has driven by a command that it had not before."""
    wait_until(lambda: any(near(after, step(before, command)) for before, after in pairs(poses_of(example))), 30,
               f"the vehicle drives by {command}")


def await_rest(example):
    def rests():
        poses = poses_of(example)[-2:]
        return len(poses) == 2 and poses[0] == poses[1]
    wait_until(rests, 30, "the vehicle is at rest")


def hold_up(work, program, seconds):
    (process,) = work.processes(program)
    os.kill(process, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(process, signal.SIGCONT)


def check_course(poses, commands):
    """Checks each step of a vehicle that had these commands, one after the other, after none."""
    commands, phase = [[0, 0], *commands], 0
    check(near(poses[0], [0, 0, 0]), f"the vehicle began at {poses[0]}")
    for before, after in pairs(poses):
        while not near(after, step(before, commands[phase])):
            phase += 1
            check(phase < len(commands), f"the step from {before} to {after} is by none of {commands}")


def check_heartbeat(messages):
    """Checks the pace of a heart that was held up once, and made up for that."""
    beats = values_of(messages)
    steps = [after - before for before, after in pairs(beats)]
    check(min(steps) > 0 and max(steps) > BEATS_OF_COMMAND, f"the heart beats {beats}")
    beaten, passed = beats[-1] - beats[0], messages[-1]["time"] - messages[0]["time"]
    # The first may be a second late on a busy machine, and so may be the last.
    check(abs(beaten - passed / BEAT) < 2 / BEAT, f"the heart beats {beaten} times in {passed} s")


def check_heard(operator, poses, beats, refusals):
    """Checks that an operator heard all that there was meanwhile, and nothing else."""
    heard = {"pose": [], "alive": [], "error:": []}
    for line in operator.heard:
        heard[line.split(" ")[0]].append(line)
    told = {"pose": ["pose {:.9g} {:.9g} {:.9g}".format(*pose) for pose in poses],
            "alive": [f"alive {beat}" for beat in beats]}
    for word, lines in told.items():
        # What the gateway does behind the stop, the witness may not see any more.
        while heard[word] and heard[word][-1] not in lines:
            heard[word].pop()
        check(heard[word] and is_stretch_of(heard[word], lines), f"of {word} an operator heard {heard[word]}")
    check(heard["error:"] == [REFUSAL] * refusals, f"an operator heard {heard['error:']}")


def test_gateway(work):
    example = Example(work, GATEWAY, watch=[COMMAND, HEARTBEAT, POSE])
    # What an operator hears is compared with what was sent, so none may be lost.
    example.change("pose: vehicle/pose", "pose: { source: vehicle/pose, queue_size: 1000, queue_policy: backpressure }")
    work.env["GATEWAY_PORT"] = "0"
    flow = example.start()
    wait_until(lambda: printed(flow, "gateway"), BUILDING, "the gateway listens")
    port = int(printed(flow, "gateway")[0].removeprefix("gateway: listening on port "))

    # There is one operator. Not every line is a command, one may come in pieces, and several at once.
    first = Operator(port)
    first.hear_until("pose")
    other = Operator(port)
    other.hear_all()
    check(other.heard == [TAKEN], f"beside an operator another heard {other.heard}")
    for line in NO_COMMANDS:
        first.say(f"{line}\n")
        first.hear_until("error")
    first.say("dri")
    first.hear_until("alive")
    first.say("ve 0.5 0.25\n")
    await_drive(example, 0.5, 0.25)
    first.say("drive 1 0\r\ndrive -0.25 0.5\n")
    await_drive(example, -0.25, 0.5)

    # The vehicle stops when the operator hangs up, says what is no line, does not listen, or says nothing more.
    first.end()
    second = take_over(port)
    second.say("drive 0.2 0\n")
    await_drive(example, 0.2, 0)
    second.say("9" * 200)
    second.hear_all()
    third = take_over(port)
    third.say("drive 0.3 0\n")
    await_drive(example, 0.3, 0)
    flood(third)
    fourth = take_over(port)
    fourth.say("drive 0.4 0\n")
    await_drive(example, 0.4, 0)
    hold_up(work, "gateway", (BEATS_OF_COMMAND + 3) * BEAT)
    await_rest(example)
    stop(flow)
    fourth.hear_all()
    work.await_report("witness", "end")

    commands, poses = [each["values"] for each in example.seen(COMMAND)], poses_of(example)
    given = [command for command in commands if command != [0, 0]]
    check(given == [[0.5, 0.25], [1, 0], [-0.25, 0.5], [0.2, 0], [0.3, 0], [0.4, 0]], f"the commands were {commands}")
    for command in given[2:]:
        check([0, 0] in commands[commands.index(command) + 1 :][:1], f"behind {command} is no stop: {commands}")
    check_course(poses, commands)
    check_heartbeat(example.seen(HEARTBEAT))
    beats = values_of(example.seen(HEARTBEAT))
    check_heard(first, poses, beats, len(NO_COMMANDS))
    check_heard(fourth, poses, beats, 0)


# poll.

SPEED, STATE = "wave/value", "motor/state"
STEP, DELAY = 0.02, 0.1
SHARE = 1 - math.exp(-STEP / DELAY)


def check_motor(states, wanted):
    """Checks each step of a motor that was told some of these speeds in their order, and returns how many."""
    place, told = -1, set()
    for (position, speed), after in pairs(states):
        target = speed + (after[1] - speed) / SHARE
        expected = position + target * STEP + (speed - target) * DELAY * SHARE
        check(abs(after[0] - expected) < 1e-7, f"from {position}, {speed} the motor came to {after}, not {expected}")
        if place < 0 and abs(target) < 1e-7:
            continue # before it was told anything
        place = max(place, 0)
        # Reports have nine digits, which are fewer where a target is computed from them.
        while place < len(wanted) and abs(wanted[place] - target) > 1e-6:
            place += 1
        check(place < len(wanted), f"the motor was told {target}, which is not among the speeds that are left")
        told.add(place)
    return len(told)


def start_motor(example):
    """Starts the dataflow, as if it had not run before."""
    example.work.forget_reports()
    flow = example.start()
    wait_until(lambda: example.seen(STATE), BUILDING, "the motor reports")
    return flow


def check_drive(example):
    flow = start_motor(example)
    wait_until(lambda: min(values_of(example.seen(SPEED)), default=0) < -1, 60, "the wave has changed its sign")
    count = len(example.seen(STATE))
    wait_until(lambda: len(example.seen(STATE)) > count + 25, 30, "the motor turns the other way")
    stop(flow)
    example.work.await_report("witness", "end")
    states = [each["values"] for each in example.seen(STATE)]
    wanted = values_of(example.seen(SPEED))
    told = check_motor(states, wanted)
    print(f"        {len(states)} reports, of {len(wanted)} speeds {told} were told")
    check(told > 50, f"of {len(wanted)} speeds {told} were told")
    speeds = [speed for _, speed in states]
    check(min(speeds) < -0.7 and max(speeds) > 0.7, f"the motor turned from {min(speeds)} to {max(speeds)}")

    (summary,) = printed(flow, "simulator")
    count = int(summary.split(" ")[1])
    check(summary == f"motor-simulator: {count} reports, at last told 0.000000", f"the simulator printed {summary!r}")
    check(count >= len(states), f"of {count} reports {len(states)} came")


def check_failed(flow, sentence):
    """Ends a dataflow in which the driver fails with a sentence."""
    wait_until(lambda: sentence in flow.output.read_text(), 30, f"the driver says {sentence!r}")
    flow.process.send_signal(signal.SIGINT)
    check(flow.process.wait(60) != 0, f"dora run was a success although the driver said {sentence!r}")


def check_unplugged(example):
    flow = start_motor(example)
    (simulator,) = example.work.processes("motor_simulator")
    os.kill(simulator, signal.SIGKILL)
    check_failed(flow, "motor: the line is dead")


def check_silent(example):
    flow = start_motor(example)
    (simulator,) = example.work.processes("motor_simulator")
    os.kill(simulator, signal.SIGSTOP)
    wait_until(lambda: "motor: the motor is silent" in flow.output.read_text(), 30, "the driver misses the motor")
    os.kill(simulator, signal.SIGCONT)
    check_failed(flow, "motor: the motor is silent")
    (summary,) = printed(flow, "simulator")
    check(summary.endswith("at last told 0.000000"), f"the silent motor was not brought to rest: {summary!r}")


def test_motor(work):
    example = Example(work, MOTOR, watch=[SPEED, STATE])
    check_drive(example)
    example.path.write_text(re.sub(r"    build: \|\n(      .*\n)+", "", example.path.read_text())) # it is built
    check_unplugged(example)
    check_silent(example)


# GLib.

RAW, LIMITED = "wave/value", "limiter/limited"


def logged(flow, node_id):
    """The lines that a node of a `dora run` has logged so far."""
    lines = [json.loads(line) for line in whole_lines(flow.output) if line.startswith("{")]
    return [line["message"] for line in lines
            if line["node_id"] == node_id and line["level"].lower() in ("info", "warn")]


def check_limited(raw, limited, limits):
    """Checks each value behind a limiter that had these limits, one after the other, and how many show each."""
    check(len(limited) <= len(raw), f"of {len(raw)} values {len(limited)} came")
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
    example.wait_for_more(LIMITED, 20)

    def write_in_place(text):
        file.write_bytes(text)

    def replace(text):
        other = file.with_name("limits.new")
        other.write_bytes(text)
        other.replace(file)

    def change_limit(change, value, told):
        change(b"[limits]\nvalue = %s\n" % value)
        wait_until(lambda: any(line.startswith(told) for line in logged(flow, "limiter")), 30,
                   f"the limiter logs {told!r}")

    for change, limit, wrong, reason in ((replace, "0.5", b"-1", "-1 is no limit"),
                                         (write_in_place, "0.9", b"nan", "nan is no limit"),
                                         (replace, "0.25", b"\xff", "")):
        change_limit(change, wrong, f"the limit stays {limits[-1]}: {reason}")
        change_limit(change, limit.encode(), f"the limit is {limit}")
        limits.append(limit)
        example.wait_for_more(LIMITED, 20)
    stop(flow)
    work.await_report("witness", "end")
    raw, limited = (values_of(example.seen(source)) for source in (RAW, LIMITED))
    told = check_limited(raw, limited, list(map(float, limits)))
    print(f"        of {len(limited)} values, {told} show the limits {', '.join(limits)}")
    check(min(told) > 5, f"{told} values show the limits {limits}")


main(test_gateway, test_motor, test_limiter)
