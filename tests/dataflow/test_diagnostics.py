"""What the library says of its own work: nothing, unless the environment or the program asks."""

import signal
import time

from harness import BIN, FAST_LANE, check, main, node

COUNT, QUEUE_SIZE = 300, 5
ERROR, WARN = "1", "2"
# The ways of a message: from node to node, or over the daemon, where a receiver with backpressure keeps it.
DIRECT, DAEMON = "drop_oldest", "backpressure"


def run_alone(work, **env):
    """What a program prints whose init fails, since dora did not start it."""
    env = {"DORA_TEST_REPORT": str(work.path / "starter.report"), **env}
    flow = work.spawn("starter", [str(BIN / "starter")], env)
    check(flow.process.wait(20) == 0, "the program failed")
    check(work.report("starter", "status")[-1] == "DORA_ERROR_INIT", f"init gave {work.report('starter', 'status')}")
    return flow.output.read_text(), work.report("starter", "sentence")[-1]


def test_why_a_node_could_not_be_set_up(work):
    work.env.pop("RUST_LOG", None)
    for env in ({}, {"RUST_LOG": ""}, {"RUST_LOG": "off"}, {"RUST_LOG": "zenoh=error"}):
        printed, _ = run_alone(work, **env)
        check(printed == "", f"with {env} this was printed: {printed}")
    for filter in ("error", "warn", "dora=error"):
        printed, sentence = run_alone(work, RUST_LOG=filter)
        check(printed == f"ERROR dora: the node could not be set up: {sentence}\n",
              f"with RUST_LOG={filter} this was printed: {printed}")
    printed, _ = run_alone(work, RUST_LOG="dora=loud")
    check(printed.startswith("dora: RUST_LOG cannot be understood: ") and printed.count("\n") == 1,
          f"with a filter that is none this was printed: {printed}")


def run_flow(work, way, **env):
    """What a sender and a receiver printed, and how many messages arrived."""
    work.forget_reports()
    source = {"source": "feeder/out", "queue_policy": way, "queue_size": 2 * COUNT}
    logged = work.run([node("feeder", "feeder", outputs=["out"],
                            env={"DORA_TEST_COUNT": COUNT, "DORA_TEST_ENDS": 1, **env}),
                       node("tally", "tally", inputs={"in": source}, env=env)], timeout=30)
    # Of what nodes print, on stderr too, dora makes lines with this level.
    return [line["message"] for line in logged if line["level"] == "stdout"], len(work.report("tally", "input"))


def test_a_dataflow_says_what_was_asked_for(work):
    work.env.pop("RUST_LOG", None)
    printed, _ = run_flow(work, DIRECT)
    check(printed == [], f"nobody asked, and the nodes printed {printed[:3]}")
    printed, _ = run_flow(work, DIRECT, RUST_LOG="dora_node_api=debug")
    others = [line for line in printed if " dora_node_api" not in line]
    check(others == [], f"nobody asked for {others[:3]}")
    handshakes = [line for line in printed if "dora_node_api::node: startup handshake " in line]
    check(len(handshakes) == 1 and " output=out" in handshakes[0], f"of the way to the receiver was said {handshakes}")


def test_nothing_is_lost_for_what_is_said(work):
    # The direct way drops messages on a busy machine, whatever is said.
    printed, arrived = run_flow(work, DAEMON, RUST_LOG="trace")
    check(any(line.startswith("TRACE zenoh") for line in printed), f"in {len(printed)} lines zenoh is silent")
    check(arrived == COUNT, f"beside {len(printed)} lines, {arrived} messages of {COUNT} arrived")


def settle():
    """Lets what is under way arrive."""
    time.sleep(0.5)


def listen(work, level):
    """What a callback heard, as level, target and text, in a node that reads when most of its messages are lost."""
    go = work.path / "go"
    source = {"source": "feeder/out", "queue_size": QUEUE_SIZE}
    flow = work.start_direct([node("feeder", "feeder", outputs=["out"], env={"DORA_TEST_COUNT": COUNT}),
                              node("listener", "diagnostics_listener", inputs={"in": source},
                                   env={"DORA_TEST_GO": go, "DORA_TEST_LEVEL": level})], "feeder/out")
    work.await_report("feeder", "sent")
    settle()
    go.touch()
    work.await_report("listener", "first")
    flow.process.send_signal(signal.SIGINT)
    printed = [line["message"] for line in flow.wait(20) if line["node_id"] == "listener" and line["level"] == "stdout"]
    check(printed == [], f"a callback listens, and this was printed: {printed[:3]}")
    check(work.report("listener", "wrong:") == [], f"{work.report('listener', 'wrong:')}")
    received, lost = (int(work.only("listener", key)) for key in ("received", "lost"))
    # What does not even arrive, since the direct way drops it on a busy machine, counts as neither.
    check(received > 0 and lost > QUEUE_SIZE, f"{received} were received and {lost} lost of {COUNT}")
    return [line.split(" ", 2) for line in work.report("listener", "said")]


def test_a_callback_hears_of_lost_messages(work):
    said = listen(work, WARN)
    # dora says so of each message, the fast lane once.
    teller, named = ("dora", 'input "in" loses') if FAST_LANE else ("dora_node_api::event_stream", " input=in ")
    drops = [text for level, target, text in said if level == WARN and target.startswith(teller) and named in text]
    print(f"        {len(said)} messages, among them: {drops[0] if drops else None}")
    check(drops, f"of the losses nothing was said: {said}")
    check(not FAST_LANE or len(drops) == 1, f"{len(drops)} times the fast lane says that messages are lost")
    check({level for level, _, _ in said} <= {ERROR, WARN}, f"what is less than a warning was said: {said}")


def test_a_callback_hears_no_more_than_it_wants(work):
    said = listen(work, ERROR)
    check({level for level, _, _ in said} <= {ERROR}, f"errors were wanted, and said was {said}")


main(
    test_why_a_node_could_not_be_set_up,
    test_a_dataflow_says_what_was_asked_for,
    test_nothing_is_lost_for_what_is_said,
    test_a_callback_hears_of_lost_messages,
    test_a_callback_hears_no_more_than_it_wants,
)
