"""A node asks its terminal for inputs, if it is allowed to and has one."""

import os
import pty

from harness import BIN, check, main


def run_on_terminal(work, asks, lines):
    """Runs the node on a terminal where somebody types lines, and returns what it reported."""
    env = work.env | {"DORA_TEST_ASKS": str(asks), "DORA_TEST_REPORT": str(work.path / "node.report"), "TERM": "xterm"}
    process, terminal = pty.fork()
    if process == 0:
        os.execve(BIN / "interactive_node", ["interactive_node"], env)
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 4096)
        except OSError:  # the node has ended
            break
        # It asks for an id, and then for the data of that id.
        while lines and shown.count(lines[0][0]):
            question, answer = lines.pop(0)
            shown = shown.partition(question)[2]
            os.write(terminal, answer + b"\r")
    check(os.waitpid(process, 0)[1] == 0, "the node failed")
    return work.report("node")


def test_a_terminal_is_asked(work):
    typed = [(b"empty input ID to stop", b"tick"), (b"esc to skip", b"[1,2,3]"), (b"empty input ID to stop", b"")]
    report = run_on_terminal(work, 1, typed)
    check(report[0] == "init DORA_OK" and report[-1] == "end", f"the node reported {report}")
    check(report[1].startswith("event DORA_EVENT_INPUT tick: 1 x List(Int64)"), f"the first event is {report[1]}")
    check(report[2] == "event DORA_EVENT_STOP by hand", f"the second event is {report[2]}")


def test_nobody_is_asked_unasked(work):
    report = run_on_terminal(work, 0, [])
    check(report[0].startswith("init DORA_ERROR_INIT this program was not started by dora"), f"init gave {report[0]}")


main(test_a_terminal_is_asked, test_nobody_is_asked_unasked)
