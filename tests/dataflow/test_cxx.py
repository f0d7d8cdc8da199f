"""A Rust node hands its events to C++ code, as handles of dora.h, across a bridge of cxx; see tests/cxx."""

import os
import signal

from harness import check, main, wait_until
from lane_checks import PATIENCE, SLOWLY, lane_node, source, taken

COUNT = SLOWLY["COUNT"]


def test_events_cross_the_bridge(work):
    """What C++ reads of each is what Rust reads, also of those that it takes over."""
    flow = work.start([source(SIZES="8-20000", **SLOWLY),
                       lane_node("node", os.environ["DORA_TEST_CXX_NODE"],
                                 inputs={"in": taken("source/out"), "tick": "dora/timer/millis/20"})])
    closed = "DORA_EVENT_INPUT_CLOSED in"
    wait_until(lambda: closed in work.report("node", "event"), PATIENCE, "the node reads the end of its input")
    flow.process.send_signal(signal.SIGINT)
    flow.wait(PATIENCE)
    check(not work.report("node", "wrong"), f"C++ and Rust differ: {work.report('node', 'wrong')[:3]}")
    events = work.report("node", "event")
    check(events == [closed, "DORA_EVENT_STOP"], f"the other events were {events}")
    firsts = sorted(work.report("node", "first"))
    check(firsts == ["in", "tick"], f"the first of an input were those of {firsts}")
    inputs, expected, found = map(int, work.only("node", "result").split(" "))
    print(f"        {inputs} inputs, their bytes are {expected} together")
    check(0 < inputs <= COUNT and expected == found > 0, f"of {inputs} inputs came {found}, not {expected}")


main(test_events_cross_the_bridge)
