"""A Rust node hands its events to C++ code, as handles of dora.h, across a bridge of cxx; see tests/cxx."""

import os

from harness import check, main
from lane_checks import SLOWLY, lane_node, source, taken

COUNT = SLOWLY["COUNT"]


def test_events_cross_the_bridge(work):
    """What C++ reads of each is what Rust reads, also of those that it takes over."""
    work.run([source(SIZES="8-20000", **SLOWLY),
              lane_node("node", os.environ["DORA_TEST_CXX_NODE"],
                        inputs={"in": taken("source/out"), "tick": "dora/timer/millis/20"})],
             timeout=60, stop_after="4s")
    check(not work.report("node", "wrong"), f"C++ and Rust differ: {work.report('node', 'wrong')[:3]}")
    events = work.report("node", "event")
    check("DORA_EVENT_INPUT_CLOSED in" in events and "DORA_EVENT_STOP" in events, f"the other events were {events}")
    inputs, expected, found = map(int, work.only("node", "result").split(" "))
    print(f"        {inputs} inputs, their bytes are {expected} together")
    check(0 < inputs <= COUNT and expected == found > 0, f"of {inputs} inputs came {found}, not {expected}")


main(test_events_cross_the_bridge)
