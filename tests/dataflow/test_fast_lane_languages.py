"""The fast lane in dataflows with nodes in C, C++, Python and Rust, and with the recorder of dora.

Nodes in Python and Rust take no part in it. What they send and receive goes on the ways of dora, which lose what comes
too fast, and what was sent last; what is on the lane beside them arrives as ever.
"""

from harness import RUST_BIN, TRIES, check, main, wait_until
from lane_checks import (PATIENCE, SLOWLY, check_delivered, check_trace, check_ways, kill, lane_node, read_trace,
                         result, sink, source, start, taken)

COUNT = SLOWLY["COUNT"]
LANGUAGES = {"python": "lane_peer.py", "rust": "lane_peer.rs"}
# dora restarts no node that has no open input.
RESTARTED = {"restart_policy": "on-failure"}
TICK = {"tick": "dora/timer/millis/20"}


def peer(language, role, *arguments, id=None, input=None, outputs=(), **options):
    """A node in a language that is to have no part in the lane, though it is asked to."""
    inputs = {"in": taken(input)} if input else TICK
    return lane_node(id or language, LANGUAGES[language], role, *arguments, inputs=inputs, outputs=outputs, **options)


def relays(work=None, **options):
    """A node in each language that passes on what it takes, and a sink of all that and of what it is compared with."""
    def trace(id):
        return {"TRACE": work.path / f"{id}.trace"} if work else {}

    inputs = {"c": taken("source/c")} | {id: taken(f"{id}/out") for id in ("cpp", *LANGUAGES)}
    return [
        lane_node("cpp", "lane_peer", inputs={"in": taken("source/cpp")}, outputs=["out"], **options),
        *(peer(id, "relays", input=f"source/{id}", outputs=["out"], **trace(id), **options) for id in LANGUAGES),
        sink(inputs=inputs, **trace("sink"), **options),
    ]


OUTPUTS = ["c", "cpp", *LANGUAGES]
WAYS = {"c": True, "cpp": True, "python": False, "rust": False}


def test_a_producer_in_each_language(work):
    """A consumer that asks for the lane hears it all the same."""
    work.leave_fast_lane()
    whole = set()
    for _ in range(TRIES):
        work.forget_reports()
        inputs = {id: taken(f"{id}/out") for id in LANGUAGES}
        work.run([*(peer(id, "sends", COUNT, 1000, outputs=["out"]) for id in LANGUAGES), sink(inputs=inputs)],
                 timeout=120)
        found = {id: book["received"] for id, book in result(work)["inputs"].items()}
        whole |= {id for id, count in found.items() if count == COUNT}
        if whole == set(LANGUAGES):
            break
        print(f"        dora's direct way lost some: {found}")
    check(whole == set(LANGUAGES), f"in {TRIES} runs all of {COUNT} messages came from {whole} alone")


def test_a_relay_in_each_language(work):
    check_ways(work, [source(outputs=OUTPUTS, **SLOWLY), *relays()], WAYS)
    work.forget_reports()
    start(work, [source(outputs=OUTPUTS, **SLOWLY), *relays()], "source/c", "source/cpp", "cpp/out").wait(120)
    check_delivered(work, *OUTPUTS)
    for id in LANGUAGES:
        check_delivered(work, "in", id=id)
    for input in ("c", "cpp"):
        book = result(work)["inputs"][input]
        check([book["received"], book["gaps"]] == [COUNT, 0], f"{input}: of {COUNT} messages came {book}")


def test_one_output_for_all_languages(work):
    """A single receiver that cannot keeps the output off the lane, for all."""
    for ids in ([], ["python"], ["rust"]):
        consumers = [peer(id, "takes", input="source/out") for id in ids]
        check_ways(work, [source(**SLOWLY), sink(), *consumers], {"out": not ids})
        for id in ("sink", *ids):
            check_delivered(work, "in", id=id)


def go_on(work, outputs, count=10):
    """Waits until each receiver has so many messages more of all that it receives, whichever run has them."""
    def received():
        return {(id, output): sum(record[2] == output for record in read_trace(work.path / f"{id}.trace"))
                for id, of_it in outputs.items() for output in of_it}

    begun = received()
    wait_until(lambda: all(found >= begun[key] + count for key, found in received().items()), PATIENCE,
               f"all have {count} messages more than {begun}")


def test_each_node_is_killed(work):
    """Every one is killed and begins again, in every language and at each end of the lane, and senders too.

    Over all runs nothing comes twice or in a wrong order, and on the lane what is missing is counted.
    """
    done = work.path / "done"
    senders = [peer(language, "sends", -1, 1000, id=f"{language}_source", outputs=["out"], DONE=done, TAG=tag,
                    **RESTARTED) for tag, language in enumerate(LANGUAGES, len(OUTPUTS))]
    nodes = [source(outputs=OUTPUTS, inputs=TICK, COUNT=-1, SIZES="8-20000", WAY="both", INTERVAL_US=2000, DONE=done,
                    **RESTARTED), *senders, *relays(work, **RESTARTED)]
    nodes[-1]["inputs"] |= {sender["id"]: taken(f"{sender['id']}/out") for sender in senders}
    flow = start(work, nodes, "source/c", "source/cpp", "cpp/out")
    # By the numbers of outputs, as the messages have them.
    received = {"sink": range(len(OUTPUTS) + len(LANGUAGES))} | {id: [OUTPUTS.index(id)] for id in LANGUAGES}
    go_on(work, received)
    for killed in ("source", *(sender["id"] for sender in senders), "cpp", *LANGUAGES, "sink"):
        kill(work, killed)
        wait_until(lambda: work.report(killed, "run")[1:] == ["1"], PATIENCE, f"{killed} begins again")
        go_on(work, received)
    done.touch()
    wait_until(lambda: flow.process.poll() is not None, PATIENCE, "the dataflow ends")
    books = result(work)["inputs"]
    silent = [input for input, book in books.items() if book["received"] == 0]
    check(not silent, f"nothing came to the last run of the sink on {silent}")
    check(books["c"]["gaps"] == books["c"]["dropped"], f"what is missing is not what is counted: {books['c']}")
    for id in ("sink", *LANGUAGES):
        records = read_trace(work.path / f"{id}.trace")
        for output in sorted({record[2] for record in records}):
            of_one = [record for record in records if record[2] == output]
            print(f"        {id} had {len(of_one)} messages of output {output}, of runs {sorted({r[1] for r in of_one})}")
            check_trace(of_one)


def test_a_recorded_dataflow(work):
    """`dora record` adds its node to the dataflow. dora has published none; one in Rust stands there for it."""
    tools = work.path / "tools"
    tools.mkdir()
    (tools / "dora-record-node").symlink_to(RUST_BIN / "lane_peer")
    work.env |= {"PATH": f"{tools}:{work.env['PATH']}", "DORA_TEST_REPORT": str(work.path / "recorder.report")}
    work.leave_fast_lane()
    inputs = {output: taken(f"source/{output}") for output in ("both", "one")}
    nodes = [source(outputs=["both", "one"], **SLOWLY), sink(inputs=inputs)]
    check_ways(work, nodes, {"both": True, "one": True})

    def record(*options):
        command = ["dora", "record", str(work.write_dataflow(nodes)), "-o", str(work.path / "all.drec"), *options]
        return work.spawn("dora-record", command).wait(120)

    for topics, both in ("source/both,source/one", False), ("source/one", True):
        check_ways(work, nodes, {"both": both, "one": False}, run=lambda: record("--topics", topics))
        check_delivered(work, "both", "one")
        recorded = sorted(result(work, "recorder")["inputs"])
        print(f"        the recorder had {recorded}")
        check(len(recorded) == len(topics.split(",")), f"of {topics} were recorded {recorded}")


main(
    test_a_producer_in_each_language,
    test_a_relay_in_each_language,
    test_one_output_for_all_languages,
    test_each_node_is_killed,
    test_a_recorded_dataflow,
)
