"""A node that waits takes no processor time, whether it waits ten seconds or for ever."""

import signal

from harness import check, main, node

WAIT_MS = 10_000


def test_wait_for_an_input(work):
    flow = work.start([
        node("silent", "feeder", outputs=["out"]),
        node("timed", "idler", inputs={"in": "silent/out"}, env={"DORA_TEST_WAIT_MS": WAIT_MS}),
        node("patient", "idler", inputs={"in": "silent/out"}),
    ])
    work.await_report("timed", "switches", 40)
    flow.process.send_signal(signal.SIGINT)
    flow.wait(20)
    for id in ["timed", "patient"]:
        thread_ms = float(work.only(id, "thread_ms"))
        switches = int(work.only(id, "switches"))
        waited_ms = float(work.only(id, "waited_ms"))
        print(f"        {id}: waited {waited_ms:.0f} ms; processor time {thread_ms} ms in the reading thread, "
              f"{work.only(id, 'process_ms')} ms in the whole process; the thread slept {switches} times")
        check(thread_ms < 10, f"{id}: the reading thread took {thread_ms} ms of processor time")
        # A wait that polled every 100 ms would sleep a hundred times.
        check(switches < 20, f"{id}: the reading thread slept {switches} times: it polls")
        # They do not begin at the same moment.
        check(waited_ms >= (WAIT_MS if id == "timed" else WAIT_MS / 2), f"{id}: the wait ended after {waited_ms} ms")
    check(work.only("timed", "status") == "DORA_TIMEOUT", f"the wait ended with {work.only('timed', 'status')}")
    check(float(work.only("timed", "waited_ms")) < WAIT_MS + 3000, "the timeout was not kept")
    check(work.only("patient", "kind") == "DORA_EVENT_STOP", f"the wait got {work.only('patient', 'kind')}")


main(test_wait_for_an_input)
