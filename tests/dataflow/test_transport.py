"""Which way the messages of each output take, as the library tells it, and as dora says beside."""

import json
import os

from harness import BIN, FAST_LANE, LANE_WAY, TRIES, check, main, node

UNKNOWN, DAEMON, DIRECT = "0", "1", "2"
OUTPUTS = ["direct", "relayed", "both", "unused", "dynamic"]
# The plan of the daemon. The direct way must prove itself in half a second, and is given up on a machine
# that is too busy for that; and the last message of a node may be lost there. Neither is a fault, so there are some
# tries.
PLANNED = {"direct": DIRECT, "relayed": DAEMON, "both": DAEMON, "unused": DIRECT, "dynamic": DIRECT}


def run_reporter(work):
    """The ways that the library tells, and what dora said of those that it settled."""
    work.forget_reports()
    relayed = {output: {"source": f"reporter/{output}", "queue_policy": "backpressure"} for output in OUTPUTS}
    logged = work.run(
        [
            node("reporter", "transport_reporter", *OUTPUTS, "wrong", "two/words/", outputs=OUTPUTS,
                 env={"RUST_LOG": "dora_node_api=debug"}),
            node("tally", "tally", inputs={"direct": "reporter/direct", "both": "reporter/both"}),
            node("second", "tally", inputs={output: relayed[output] for output in ("relayed", "both")}),
            {"id": "late", "path": "dynamic", "inputs": {"in": "reporter/dynamic"}, "env": {}},
        ],
        timeout=30,
    )
    said = {}
    for line in logged:
        for text, way in (("startup handshake complete;", DIRECT), ("startup handshake incomplete after", DAEMON)):
            if line["node_id"] == "reporter" and text in line["message"]:
                said[line["message"].partition("output=")[2].split(" ")[0]] = way
    return {line.split(" ")[0]: line.split(" ", 3)[1:] for line in work.report("reporter", "way")}, said


def test_the_way_of_each_output(work):
    for _ in range(TRIES):
        ways, said = run_reporter(work)
        check(set(said) == {"direct"}, f"dora settled {said}, and was to settle the way of \"direct\"")
        found = {output: ways[output][:2] for output in OUTPUTS}
        expected = {output: ["DORA_OK", said.get(output, way)] for output, way in PLANNED.items()}
        # dora settles its own way all the same.
        expected |= {"direct": ["DORA_OK", LANE_WAY]} if FAST_LANE else {}
        check(found == expected, f"the ways are {found}, not {expected}, where dora said {said}")
        closed = {line.split(" ")[0]: line.split(" ")[1:3] for line in work.report("reporter", "closed")}
        check(closed == found, f"of closed outputs the ways are {closed}, and were {found}")
        received = sorted(work.report("tally", "input") + work.report("second", "input"))
        texts = sorted(f"{output} u 1 {output}" for output in ("direct", "both", "both", "relayed"))
        is_lost = said["direct"] == DIRECT and received == [text for text in texts if not text.startswith("direct")]
        check(received == texts or is_lost, f"received was {received}")
        if said["direct"] == DIRECT and not is_lost:
            break
    check(said["direct"] == DIRECT, f"the last of {TRIES} runs did not settle on the direct way")
    check(not is_lost, f"what was sent on the direct way was lost in the last of {TRIES} runs")

    for output, expected, word in (("wrong", "DORA_ERROR_UNKNOWN_OUTPUT", "relayed"),
                                   ("two/words/", "DORA_ERROR_INVALID_ID", "two/words/")):
        status, way, sentence = ways[output]
        check((status, way) == (expected, UNKNOWN), f"{output!r} gave {status} and {way}")
        check(word in sentence, f"the sentence behind {output!r} does not name {word!r}: {sentence}")


def test_there_is_no_way_without_a_daemon(work):
    script = {"id": "alone", "events": [{"type": "Stop", "time_offset_secs": 0.01}]}
    (work.path / "inputs.json").write_text(json.dumps(script))
    flow = work.spawn("reporter", [str(BIN / "transport_reporter"), "out"], {
        "DORA_TEST_WITH_INPUTS": str(work.path / "inputs.json"),
        "DORA_TEST_WRITE_OUTPUTS_TO": os.devnull,
        "DORA_TEST_REPORT": str(work.path / "reporter.report"),
    })
    check(flow.process.wait(20) == 0, "the program failed")
    status, way = work.only("reporter", "way").split(" ")[1:3]
    check((status, way) == ("DORA_ERROR_UNKNOWN_OUTPUT", UNKNOWN), f"an output gave {status} and {way}")


main(test_the_way_of_each_output, test_there_is_no_way_without_a_daemon)
