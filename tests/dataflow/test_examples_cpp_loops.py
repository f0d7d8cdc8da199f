"""The examples of event loops in C++: built and run as they stand, and what comes out is compared with figures that
are computed here."""

import contextlib
import math
import signal
import socket

from examples import Example, near, printed, values_of
from examples_axis import PERIOD, STEP, TICKS, check_motion, is_part_of, trapezoid
from harness import TRIES, check, main, wait_until

BUILDING = 120  # seconds, at most


def stop(flow):
    flow.process.send_signal(signal.SIGINT)
    flow.wait(60)


def feedback_of(feedback, goal):
    return values_of(each for each in feedback if each["parameters"]["goal_id"] == goal["parameters"]["goal_id"])


def check_move(begin, positions, end):
    """Checks where a move over a whole distance was at each of its feedbacks."""
    distance, way = abs(end - begin), math.copysign(1, end - begin)
    times = [TICKS * PERIOD * (i + 1) for i in range(len(positions))]
    expected = [begin + way * trapezoid(distance, time) for time in times]
    check(near(positions, expected, STEP), f"the move from {begin} to {end} went by {positions}, not {expected}")


# Asio.

class Client:
    """Who speaks with the remote control in lines."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.lines = self.socket.makefile("r", encoding="utf-8")

    def say(self, line):
        self.socket.sendall(f"{line}\n".encode())

    def hear(self):
        """The next line, empty at the end."""
        with contextlib.suppress(ConnectionResetError):  # the end, where something was left unread
            return self.lines.readline().rstrip("\n")
        return ""

    def hear_until(self, found):
        heard = [self.hear()]
        while not found(heard[-1]):
            check(heard[-1] != "", f"a client heard the end behind {heard}")
            heard.append(self.hear())
        return heard

    def end(self):
        self.lines.close()
        self.socket.close()


def position_in(line):
    return float(line.split(" ")[-2])


def test_remote(work):
    goal, cancel, feedback, result = outputs = ["remote/goal", "remote/cancel", "axis/feedback", "axis/result"]
    example = Example(work, "cpp-examples/06-asio-remote", watch=outputs)
    work.env["REMOTE_PORT"] = "0"
    flow = example.start()
    wait_until(lambda: printed(flow, "remote"), BUILDING, "the remote control listens")
    (told,) = printed(flow, "remote")
    port = int(told.removeprefix("asio-remote: port "))

    # Each client hears of what it began, and of nothing else.
    first, second, third = (Client(port) for _ in range(3))
    first.say("0.5")
    heard = first.hear_until(lambda line: line.startswith("at "))
    second.say("0.3")
    refusal = second.hear()
    check(refusal.startswith("refused: the axis is moving"), f"a second goal was answered by {refusal!r}")
    heard += first.hear_until(lambda line: not line.startswith("at "))
    second.say("2")
    refusal = second.hear()
    check(refusal == "refused: the goal is beyond the end of the axis", f"a wrong goal was answered by {refusal!r}")
    second.say("faster\r")
    answer = second.hear()
    check(answer == "say where to move to, in metres, or stop", f"nonsense was answered by {answer!r}")
    third.say("9" * 200)
    check(third.hear() == "", "a line without an end was taken")

    second.say("0\r")
    back = second.hear_until(lambda line: position_in(line) < 0.4)
    second.say("stop")
    back += second.hear_until(lambda line: line.startswith("canceled"))
    first.say("1")
    first.hear_until(lambda line: line.startswith("at "))
    first.end()  # which calls its goal off
    wait_until(lambda: len(example.seen(result)) == 5, 30, "the goal of a client that left is called off")
    second.say("0")
    second.hear_until(lambda line: line.startswith("at "))
    stop(flow)  # in the midst of a move
    second.hear_until(lambda line: line == "")
    work.await_report("witness", "end")
    found = printed(flow, "remote")
    check(found == [told, "asio-remote: 3 clients, 6 goals"], f"the remote control printed {found}")

    goals, results = example.seen(goal), example.seen(result)
    check(values_of(goals) == [0.5, 0.3, 2, 0, 1, 0], f"the goals were {goals}")
    # What the nodes send behind the stop, the witness may not see any more.
    goals = goals[:-1]
    ends = {each["parameters"]["goal_id"]: each["parameters"]["goal_status"] for each in results}
    statuses = [ends[each["parameters"]["goal_id"]] for each in goals]
    check(statuses == ["succeeded", "aborted", "aborted", "canceled", "canceled"], f"the goals ended {statuses}")
    called_off = [each["parameters"]["goal_id"] for each in example.seen(cancel)[:2]]
    check(called_off == [each["parameters"]["goal_id"] for each in goals[3:]], f"called off were {called_off}")

    there, back_again = (feedback_of(example.seen(feedback), goals[i]) for i in (0, 3))
    check_move(0, there, 0.5)
    end = values_of(results)[3]
    check_motion(0.5, back_again, end)
    for lines, positions, last in ((heard, there, "succeeded at 0.500 m"),
                                   (back, back_again, f"canceled at {end:.3f} m")):
        check(lines[-1] == last, f"a client heard {lines}, not {last!r}")
        check(is_part_of(lines[:-1], [f"at {position:.3f} m" for position in positions]), f"a client heard {lines}")


# Qt.

WIDTH, HEIGHT, TOP = 500, 300, 1.5
CYAN, RED = bytes([0, 128, 128]), bytes([255, 0, 0])


def pixels_of(path):
    """The pixels of a picture in the format PPM, as a function of column and row."""
    header, size, depth, data = path.read_bytes().split(b"\n", 3)
    check((header, size, depth) == (b"P6", b"%d %d" % (WIDTH, HEIGHT), b"255"), f"the picture is {header, size, depth}")
    return lambda x, y: data[3 * (y * WIDTH + x) :][:3]


def check_curve(pixel, name, values, colours):
    """Checks that the newest values are in the picture, each a pixel from the next, and painted to a pixel."""
    for i, value in enumerate(reversed(values[-WIDTH:])):
        x, y = WIDTH - 1 - i, round((1 - value / TOP) * HEIGHT / 2)
        painted = [pixel(column, row) for column in (x - 1, x) for row in (y - 1, y, y + 1)]
        check(any(colour in painted for colour in colours), f"{name} {i} from the end, {value}, is not in the picture")


def test_scope(work):
    example = Example(work, "cpp-examples/07-qt-scope", watch=["wave/value", "low-pass/filtered"])
    picture = work.path / "scope.ppm"
    # Qt tells where it finds no directory of the session.
    work.env |= {"QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(work.path), "SCOPE_PICTURE": str(picture)}
    example.change("millis/20", "millis/5")
    # What is shown is compared with what was sent, so none may be lost.
    for old in ("wave/value, queue_size: 100 }\n      filtered", "low-pass/filtered, queue_size: 100 }"):
        example.change(old, old.replace(" }", ", queue_policy: backpressure }"))
    flow = example.start()
    wait_until(lambda: len(example.seen("low-pass/filtered")) > WIDTH + 20, BUILDING, "the window is full")
    stop(flow)
    work.await_report("witness", "end")

    pixel = pixels_of(picture)
    lines = printed(flow, "scope")
    check(len(lines) == 2, f"the scope printed {lines}")
    for line, source, colours in zip(lines, ("wave/value", "low-pass/filtered"), ((CYAN, RED), (RED,))):
        name = source.partition("/")[2]
        values = values_of(example.seen(source))
        count = int(line.removeprefix(f"{name}: ").partition(" ")[0])
        check(WIDTH < count <= len(values), f"the scope got {count} of {len(values)} values of {name}")
        check(line == f"{name}: {count} values, the last {values[count - 1]:.3f}", f"the scope printed {line!r}")
        check_curve(pixel, name, values[:count], colours)


# A coroutine.

TOUR = [0.41, 0.1, 0.26]
BLINK, PAUSE = 0.25, 0.2


def check_lamp(messages, moves):
    """Checks that a lamp blinked at its pace during some moves, and ended dark."""
    values = values_of(messages)
    check(values[0] and not values[-1], f"the lamp was {values}")
    check(values.count(True) >= 2 * moves, f"the lamp did not blink all the time: {values}")
    for before, after in zip(messages, messages[1:]):
        if after["values"][0]:
            check(not before["values"][0], f"the lamp was switched on twice: {values}")
            # Clocks differ, but not by that.
            check(after["time"] - before["time"] > min(BLINK, PAUSE) - 0.01, f"too fast: {before}, {after}")


def run_tour(example):
    """Runs the tour to its end, and returns what it printed, and was to print."""
    example.work.forget_reports()
    flow = example.run()
    goals, feedback, results = (example.seen(output) for output in ("tour/goal", "axis/feedback", "axis/result"))
    check(values_of(goals) == TOUR, f"the goals were {goals}")
    check(values_of(results) == TOUR, f"the results were {results}")
    lines = []
    for begin, goal in zip([0, *TOUR], goals):
        positions = feedback_of(feedback, goal)
        check_move(begin, positions, goal["values"][0])
        lines.append(f"at {goal['values'][0]:.3f} m, {len(positions)} times told where on the way")
    check([len(feedback_of(feedback, goal)) for goal in goals] == [21, 17, 11], f"feedback was {feedback}")
    return printed(flow, "tour"), lines


def test_tour(work):
    example = Example(work, "cpp-examples/08-coroutine-tour",
                      watch=["tour/goal", "tour/lamp", "axis/feedback", "axis/result"])
    for _ in range(TRIES):
        found, lines = run_tour(example)
        if found == lines:
            break
    # On a busy machine the result may be read before the last feedback, for dora takes inputs in turn.
    check(found == lines, f"the tour printed {found} in the last of {TRIES} runs, not {lines}")
    check_lamp(example.seen("tour/lamp"), len(TOUR))

    # When the dataflow is stopped on the way, what waits is called off, and the tour ends without an error.
    work.forget_reports()
    flow = example.start()
    wait_until(lambda: len(example.seen("axis/feedback")) > 3, BUILDING, "the axis moves")
    stop(flow)
    found = printed(flow, "tour")
    check(found == lines[:len(found)] and len(found) < len(lines), f"the tour that was stopped printed {found}")


main(test_remote, test_scope, test_tour)
