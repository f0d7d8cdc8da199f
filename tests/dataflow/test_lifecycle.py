"""Starts and ends of nodes under load, and the log."""

import json
import re

from harness import BIN, check, main, node

ROUNDS, NODES = 5, 10
LEVELS = ["ERROR", "WARN", "INFO", "DEBUG", "TRACE"]


def test_fifty_starts_and_stops_under_a_fast_timer(work):
    modes = ["drain", "leave", "race"]
    for _ in range(ROUNDS):
        nodes = [
            node(f"node-{index}", "ticking", inputs={"tick": "dora/timer/millis/1"}, outputs=["out"],
                 env={"DORA_TEST_MODE": modes[index % 3]})
            for index in range(NODES)
        ]
        work.run(nodes, stop_after="600ms", timeout=30)
    for index in range(NODES):
        id, mode = f"node-{index}", modes[index % 3]
        check(work.report(id, "end") == [""] * ROUNDS, f"{id} ended {len(work.report(id, 'end'))} times of {ROUNDS}")
        check(work.report(id, "send") == [], f"{id}: sends gave {work.report(id, 'send')}")
        expected = {"drain": ("read", "DORA_CLOSED"), "leave": ("read", "DORA_OK"), "race": ("thread", "DORA_CLOSED")}
        key, status = expected[mode]
        # On a busy machine the stop may come before a node has read what it waits for before it leaves.
        found = [one for one in work.report(id, key) if mode != "leave" or one != "DORA_CLOSED"]
        rounds = ROUNDS if mode != "leave" else len(found)
        check(found and found == [status] * rounds, f"{id} ({mode}): {key} gave {work.report(id, key)}")
    longest = max(work.check_free(f"node-{index}") for index in range(NODES))
    print(f"        {ROUNDS * NODES} nodes; dora_node_free took {longest:.0f} ms at most")


def test_fifty_nodes_in_one_process(work):
    events = [{"time_offset_secs": i / 1000, "type": "Input", "id": "tick", "data": [i]} for i in range(1, 2000)]
    (work.path / "inputs.json").write_text(json.dumps({"id": "restarts", "events": events}))
    flow = work.spawn("restarts", [str(BIN / "restarts")], {
        "DORA_TEST_WITH_INPUTS": str(work.path / "inputs.json"),
        "DORA_TEST_WRITE_OUTPUTS_TO": str(work.path / "outputs.jsonl"),
        "DORA_TEST_REPORT": str(work.path / "restarts.report"),
    })
    code = flow.process.wait(60)
    check(code == 0 and work.report("restarts", "end"), f"the program ended with {code}")
    check(work.report("restarts", "wrong") == [], f"wrong {work.report('restarts', 'wrong')}")
    work.check_free("restarts")
    early, late = [list(map(int, line.split())) for line in work.report("restarts", "resources")]
    print(f"        descriptors from {early[0]} to {late[0]}, KiB of memory from {early[2]} to {late[2]}")
    check(late[0] <= early[0], f"descriptors grew from {early[0]} to {late[0]}")


def test_a_process_is_a_node_once(work):
    work.run([node("twice", "twice", inputs={"tick": "dora/timer/millis/10"})], timeout=30)
    second = work.only("twice", "second")
    check(second.startswith('DORA_ERROR_INIT this process is the node "twice" already'), f"the second init gave {second}")
    check(work.report("twice", "ticks") == ["20"], f"the first node read {work.report('twice', 'ticks')} ticks of 20")


def run_talker(work, mode):
    """The level and the text of each line that dora got from the node."""
    logged = work.run([node("talker", "talker", env={"DORA_TEST_MODE": mode})], timeout=30)
    return [(line["level"].upper(), line["message"]) for line in logged
            if line["node_id"] == "talker" and ("logged" in line["message"] or line["level"] == "stdout")]


def test_the_log_takes_turns_with_what_is_printed(work):
    found = run_talker(work, "turns")
    expected = []
    for i in range(200):
        expected += [("STDOUT", f"printed {i}"), (LEVELS[i % 5], f'logged {i}: "quoted" Grüße')]
    expected += [("STDOUT", "printed 200"), ("INFO", "logged 200: two\nlines")]
    wrong = [pair for pair in zip(expected, found) if pair[0] != pair[1]]
    check(not wrong, f"{len(wrong)} lines differ; the first was to be {wrong[0][0] if wrong else ''}, is "
                     f"{wrong[0][1] if wrong else ''}")
    check(len(found) == len(expected), f"{len(found)} lines of {len(expected)} were logged: {found[-3:]}")
    level = work.only("talker", "level")
    check(level.startswith("DORA_ERROR_INVALID_ARGUMENT "), f"a level that does not exist gave {level}")


def test_the_log_beside_a_thread_that_prints(work):
    found = run_talker(work, "threads")
    whole = re.compile(r"printed \d+, and long enough to cross the end of the buffer")
    torn = [text for level, text in found if not (level == "INFO" and text == "logged" or whole.fullmatch(text))]
    check(not torn, f"{len(torn)} lines of {len(found)} are torn or mixed, among them {torn[:2]}")
    check(len(found) == 50_000, f"{len(found)} lines of 50,000 were logged")


main(
    test_fifty_starts_and_stops_under_a_fast_timer,
    test_fifty_nodes_in_one_process,
    test_a_process_is_a_node_once,
    test_the_log_takes_turns_with_what_is_printed,
    test_the_log_beside_a_thread_that_prints,
)
