"""A Python node sends arrays of every type to a C node, which sends them on, and they come back equal."""

from harness import check, main, node


def run_peer(work, mode, there, back, echo):
    work.run(
        [
            node("peer", "peer.py", mode, inputs={output: f"{echo}/{output}" for output in back}, outputs=there),
            node(echo, echo, inputs={output: f"peer/{output}" for output in there}, outputs=back),
        ],
        timeout=60,
    )
    wrong = work.report("peer", "wrong")
    check(not wrong, f"{len(wrong)} differ:\n  " + "\n  ".join(wrong))
    check(work.report("peer")[-1] == "done", "the peer did not finish")
    check(work.report(echo, "error") == [], f"dora reported {work.report(echo, 'error')}")
    check(work.report(echo, "unreleased") == [], "a send did not take both structures")
    print(f"        {len(work.report('peer', 'same'))} messages equal")


def test_every_type_through_arrow(work):
    outputs = ["whole", "late", "slice"]
    run_peer(work, "arrow", outputs, outputs, "echo")


def test_simple_types_without_arrow(work):
    run_peer(work, "typed", ["out"], ["out", "valid"], "typed")


main(test_every_type_through_arrow, test_simple_types_without_arrow)
