"""A Python node sends arrays of every type to a C node, which sends them on, and they come back equal."""

from harness import check, main, node
from lane_checks import lane_node, start, taken

# The ways of an answer: from node to node, or over the daemon, where a receiver with backpressure keeps it.
DIRECT, DAEMON = "drop_oldest", "backpressure"
ARROW = ["whole", "late", "slice"]


def check_peer(work, *echoes):
    wrong = work.report("peer", "wrong")
    check(not wrong, f"{len(wrong)} differ:\n  " + "\n  ".join(wrong))
    check(work.report("peer")[-1] == "done", "the peer did not finish")
    for echo in echoes:
        check(work.report(echo, "error") == [], f"dora reported {work.report(echo, 'error')}")
        check(work.report(echo, "unreleased") == [], "a send did not take both structures")
    print(f"        {len(work.report('peer', 'same'))} messages equal, {len(work.report('peer', 'again'))} sent again")


def run_peer(work, mode, there, back, echo, way):
    answers = {output: {"source": f"{echo}/{output}", "queue_policy": way} for output in back}
    work.run(
        [
            node("peer", "peer.py", mode, inputs=answers, outputs=there),
            node(echo, echo, inputs={output: f"peer/{output}" for output in there}, outputs=back),
        ],
        timeout=120,
    )
    check_peer(work, echo)


def test_every_type_through_arrow(work):
    run_peer(work, "arrow", ARROW, ARROW, "echo", DIRECT)


def test_simple_types_without_arrow(work):
    # An array may have several answers, and dora's direct way drops what comes too fast.
    run_peer(work, "typed", ["out"], ["out", "valid"], "typed", DAEMON)


def test_every_type_on_the_fast_lane(work):
    """Which is between nodes in C: one sends all on to two others, and those send it back."""
    def echo(id, inputs):
        return lane_node(id, "echo", inputs={to: taken(source) for to, source in inputs.items()}, outputs=list(inputs))

    answers = {"whole": "second/whole", "late": "second/late", "slice": "third/whole"}
    start(work, [
        node("peer", "peer.py", "arrow", inputs=answers, outputs=ARROW),
        echo("first", {output: f"peer/{output}" for output in ARROW}),
        echo("second", {"whole": "first/whole", "late": "first/late"}),
        # What comes as a slice is not to be sliced once more.
        echo("third", {"whole": "first/slice"}),
    ], "first/whole", "first/late", "first/slice").wait(120)
    check_peer(work, "first", "second", "third")


main(test_every_type_through_arrow, test_simple_types_without_arrow, test_every_type_on_the_fast_lane)
