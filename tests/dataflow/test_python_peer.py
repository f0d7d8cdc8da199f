"""A Python node sends arrays of every type to a C node, which sends them on, and they come back equal."""

from harness import check, main, node

# The ways of an answer: from node to node, or over the daemon, where a receiver with backpressure keeps it.
DIRECT, DAEMON = "drop_oldest", "backpressure"


def run_peer(work, mode, there, back, echo, way):
    answers = {output: {"source": f"{echo}/{output}", "queue_policy": way} for output in back}
    work.run(
        [
            node("peer", "peer.py", mode, inputs=answers, outputs=there),
            node(echo, echo, inputs={output: f"peer/{output}" for output in there}, outputs=back),
        ],
        timeout=120,
    )
    wrong = work.report("peer", "wrong")
    check(not wrong, f"{len(wrong)} differ:\n  " + "\n  ".join(wrong))
    check(work.report("peer")[-1] == "done", "the peer did not finish")
    check(work.report(echo, "error") == [], f"dora reported {work.report(echo, 'error')}")
    check(work.report(echo, "unreleased") == [], "a send did not take both structures")
    print(f"        {len(work.report('peer', 'same'))} messages equal, {len(work.report('peer', 'again'))} sent again")


def test_every_type_through_arrow(work):
    outputs = ["whole", "late", "slice"]
    run_peer(work, "arrow", outputs, outputs, "echo", DIRECT)


def test_simple_types_without_arrow(work):
    # An array may have several answers, and dora's direct way drops what comes too fast.
    run_peer(work, "typed", ["out"], ["out", "valid"], "typed", DAEMON)


main(test_every_type_through_arrow, test_simple_types_without_arrow)
