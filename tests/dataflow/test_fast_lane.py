"""Which outputs take the fast lane, and which do not, where nodes ask for it."""

import re

from harness import check, main, node
from lane_checks import (PATIENCE, SLOWLY, check_delivered, check_ways, lane_node, sink, source, start,
                         taken)


def test_between_nodes_that_ask_for_it(work):
    inputs = {"in": taken("source/out")}
    check_ways(work, [source(**SLOWLY), sink(inputs=inputs), sink("other", inputs)], {"out": True})
    for id in ("sink", "other"):
        check_delivered(work, "in", id=id)


def test_what_stays_on_the_ways_of_dora(work):
    """Each output for another reason, and one which takes the lane beside them."""
    outputs = ["lane", "asked_by_one", "mixed", "python", "timeout", "backpressure", "unused", "dynamic"]
    asked = sink(inputs={
        "lane": taken("source/lane"), "mixed": taken("source/mixed"),
        "timeout": taken("source/timeout", input_timeout=30),
        "backpressure": taken("source/backpressure", queue_policy="backpressure"),
    })
    nodes = [
        source(outputs=outputs, env={"RUST_LOG": "dora=debug"}, **SLOWLY),
        asked,
        sink("plain", {"asked_by_one": taken("source/asked_by_one"), "mixed": taken("source/mixed")}, lane=None),
        node("python", "lane_peer.py", "takes", inputs={"in": taken("source/python")}, env={"DORA_FAST_LANE": 1}),
        {"id": "late", "path": "dynamic", "inputs": {"in": "source/dynamic"}, "env": {}},
    ]
    logged = check_ways(work, nodes, {output: output == "lane" for output in outputs})
    check_delivered(work, "lane", "mixed", "timeout", "backpressure")
    check_delivered(work, "asked_by_one", "mixed", id="plain")
    check_delivered(work, "in", id="python")
    said = [line["message"] for line in logged if line["node_id"] == "source" and " dora" in line["message"]]
    silent = [output for output in outputs if not any(re.search(rf"\b{output}\b", line) for line in said)]
    check(not silent, f"of {silent} the node does not say which way and why")


def test_a_producer_that_does_not_ask(work):
    check_ways(work, [source(lane=None, **SLOWLY), sink()], {"out": False})
    check_delivered(work, "in")


def test_nobody_asks(work):
    check_ways(work, [source(lane=None, **SLOWLY), sink(lane=None)], {"out": False})
    check_delivered(work, "in")


def test_listed_outputs(work):
    inputs = {id: taken(f"source/{id}") for id in ("a", "b", "c")}
    check_ways(work, [source(outputs=["a", "b", "c"], lane="a,c", **SLOWLY), sink(inputs=inputs)],
               {"a": True, "b": False, "c": True})
    check_delivered(work, "a", "b", "c")


def test_listed_inputs(work):
    inputs = {f"in_{id}": taken(f"source/{id}") for id in ("a", "b", "c")}
    check_ways(work, [source(outputs=["a", "b", "c"], **SLOWLY), sink(inputs=inputs, lane="in_b")],
               {"a": False, "b": True, "c": False})
    check_delivered(work, *inputs)


def test_asked_for_by_an_option(work):
    """The other node is asked by its environment."""
    check_ways(work, [source(lane=None, LANE_OPTION=1, **SLOWLY), sink()], {"out": True})
    check_delivered(work, "in")
    check_ways(work, [source(**SLOWLY), sink(lane=None, LANE_OPTION=1)], {"out": True})
    check_delivered(work, "in")


def test_asked_for_by_an_option_in_cpp(work):
    peer = lane_node("peer", "lane_peer", lane=None, inputs={"in": taken("source/out")}, outputs=["out"], LANE_OPTION=1)
    nodes = [source(**SLOWLY), peer, sink(inputs={"in": taken("peer/out")})]
    check_ways(work, nodes, {"out": True})
    check_ways(work, nodes, {"out": True}, id="peer")
    check_delivered(work, "in", id="peer")
    check_delivered(work, "in")


def test_the_option_goes_before_the_environment(work):
    check_ways(work, [source(lane=1, LANE_OPTION=0, **SLOWLY), sink()], {"out": False})
    check_ways(work, [source(**SLOWLY), sink(lane=1, LANE_OPTION=0)], {"out": False})
    check_ways(work, [source(lane=0, LANE_OPTION=1, **SLOWLY), sink(lane="wrong", LANE_OPTION=1)], {"out": True})
    check_delivered(work, "in")


def test_debug_inspection(work):
    work.fields = {"debug": {"enable_debug_inspection": True}}
    check_ways(work, [source(**SLOWLY), sink()], {"out": False})
    check_delivered(work, "in")


def test_events_are_written_to_files(work):
    """dora can have each node write down what it receives."""
    (work.path / "events").mkdir()
    work.env["DORA_WRITE_EVENTS_TO"] = str(work.path / "events")
    check_ways(work, [source(**SLOWLY), sink()], {"out": False})
    check(any(path.stat().st_size for path in work.path.glob("events/*sink*")), "nothing was written down")
    check_delivered(work, "in")


def test_a_producer_with_a_health_check(work):
    check_ways(work, [source(health_check_timeout=30, **SLOWLY), sink()], {"out": False})
    check_delivered(work, "in")


def test_a_consumer_with_a_health_check(work):
    check_ways(work, [source(**SLOWLY), sink(health_check_timeout=30)], {"out": False})
    check_delivered(work, "in")


def test_the_way_stays(work):
    """It is settled when the node begins; a consumer that ends does not change it."""
    flow = start(work, [source(COUNT=-1, INTERVAL_US=1000, DONE=work.path / "done"), sink(UNTIL=100),
                        sink("other", {"in": taken("source/out")})])
    work.await_report("sink", "result", PATIENCE)
    (work.path / "done").touch()
    flow.wait(PATIENCE)
    check(work.report("source", "ways")[0] == work.report("source", "last_ways")[0], "the way has changed")
    check_delivered(work, "in", id="other")


main(
    test_between_nodes_that_ask_for_it,
    test_what_stays_on_the_ways_of_dora,
    test_a_producer_that_does_not_ask,
    test_nobody_asks,
    test_listed_outputs,
    test_listed_inputs,
    test_asked_for_by_an_option,
    test_asked_for_by_an_option_in_cpp,
    test_the_option_goes_before_the_environment,
    test_debug_inspection,
    test_events_are_written_to_files,
    test_a_producer_with_a_health_check,
    test_a_consumer_with_a_health_check,
    test_the_way_stays,
)
