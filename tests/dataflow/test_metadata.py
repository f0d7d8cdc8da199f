"""Metadata between Python and C nodes, and between C nodes on both ways that dora has, compared bit by bit.

What dora 1.1.0 itself changes on the way from and to Python is in metadata_values.py.
"""

import signal
import time

from harness import check, main, node
from metadata_values import (ALIKE, BUILT, CONVERTED, EDITED, MEGABYTE, REFUSED, SENT, TIMES, WIRE, describe,
                             dora_time, in_python)

RELAYED = ["whole", "copy", "edited", "times", "converted", "nul", "wire"]
FORMS = ["empty", "bytes", "values", "text", "arrow"]
OUTPUTS = ["megabyte", *FORMS, "bare"]
# The ways of a message: from node to node, or over the daemon, where a receiver with backpressure keeps it.
DIRECT, DAEMON = "drop_oldest", "backpressure"


def check_parameters(work, node_id, word, id, *messages):
    """Checks what a node reported of the messages on an input, and returns how many parameters that were."""
    counts = [int(line.split(" ")[1]) for line in work.report(node_id, f"{word}-count") if line.split(" ")[0] == id]
    check(counts == list(map(len, messages)),
          f"{node_id}, {word} {id}: messages with {counts} parameters, not {list(map(len, messages))}")
    lines = [rest for input, _, rest in (line.partition(" ") for line in work.report(node_id, word)) if input == id]
    for parameters in messages:
        found, lines = set(lines[:len(parameters)]), lines[len(parameters):]
        expected = {describe(key, value) for key, value in parameters.items()}
        wrong = [f"got {line:.200}" for line in found - expected] + [f"not {line:.200}" for line in expected - found]
        check(not wrong, f"{node_id}, {word} {id}:\n  " + "\n  ".join(wrong))
    check(not lines, f"{node_id}, {word} {id}: {lines}")
    return sum(counts)


def check_calls(work, *node_ids):
    wrong = [f"{node_id}: {line:.200}" for node_id in node_ids for line in work.report(node_id, "wrong")]
    check(not wrong, f"{len(wrong)} calls were wrong:\n  " + "\n  ".join(wrong))


def check_statuses(work, node_id, statuses):
    for word, status in statuses.items():
        found = work.only(node_id, word)
        check(found.split(" ")[0] == status, f"{node_id}: {word} gave {found}, not {status}")


def for_python(parameters):
    return {key: in_python(value) for key, value in parameters.items()}


def test_python_to_c_and_back(work):
    work.run(
        [
            node("peer", "metadata_peer.py", "sends", inputs={id: f"relay/{id}" for id in RELAYED}, outputs=RELAYED),
            node("relay", "metadata_relay", inputs={id: f"peer/{id}" for id in RELAYED}, outputs=RELAYED),
            node("python", "metadata_peer.py", "answers", inputs={"wire": "peer/wire"}, outputs=["answer"]),
        ],
        timeout=30,
    )
    check(work.report("peer")[-1] == "done", "the peer did not finish")
    check_calls(work, "relay")
    check_statuses(work, "relay", {"again": "DORA_ERROR_NOT_FOUND", "framing": "DORA_ERROR_INVALID_ARGUMENT"})
    refused = [f"{error.__name__} {key}" for key, (_, error) in REFUSED.items()]
    check(work.report("peer", "refused") == refused, f"dora refused {work.report('peer', 'refused')}")

    times = {key: dora_time(value) for key, value in TIMES.items()}
    converted = {key: value for key, (_, value) in CONVERTED.items()}
    total = sum(check_parameters(work, *expected) for expected in [
        ("relay", "saw", "whole", SENT),
        ("peer", "saw", "whole", SENT),
        ("relay", "saw", "copy", SENT),
        ("peer", "saw", "copy", SENT),
        ("relay", "saw", "edited", SENT),
        ("relay", "made", "edited", EDITED),
        ("relay", "kept", "edited", SENT),
        ("peer", "saw", "edited", EDITED),
        ("relay", "saw", "times", times),
        ("peer", "saw", "times", for_python(times)),
        ("relay", "saw", "converted", converted),
        ("peer", "saw", "converted", for_python(converted)),
        ("relay", "saw", "wire", ALIKE),
        ("peer", "saw", "wire", ALIKE),
        ("peer", "saw", "nul", {"a\0b": 1}),
    ])
    # No C string names a key with a NUL inside: C lists it, and sends it on.
    check(work.only("relay", "unnamed") == 'nul "610062"', f"unnamed is {work.report('relay', 'unnamed')}")
    # The keys were there: dora itself keeps only two of them from its nodes.
    kept_by_dora = {key: value for key, value in WIRE.items() if key not in ["_framing", "_schema_hash"]}
    check_parameters(work, "python", "saw", "wire", ALIKE | kept_by_dora)
    print(f"        {total} parameters equal")


def source(**env):
    return node("source", "metadata_source", inputs={"answer": "sink/answer"}, outputs=OUTPUTS, env=env)


def sink(program, *arguments, policy=DIRECT):
    inputs = {id: {"source": f"source/{id}", "queue_size": 10, "queue_policy": policy} for id in OUTPUTS}
    # Metadata goes in pieces when it is large, and the direct way drops those behind the first on a busy machine.
    inputs["megabyte"]["queue_policy"] = DAEMON
    return node("sink", program, *arguments, inputs=inputs, outputs=["answer"])


def check_source_and_sink(work, megabyte, built, rounds=1):
    check_calls(work, "source", "sink")
    check_statuses(work, "source", dict.fromkeys(WIRE, "DORA_ERROR_INVALID_ARGUMENT"))
    check_statuses(work, "source", {"utf8": "DORA_ERROR_INVALID_UTF8", "removed": "DORA_ERROR_NOT_FOUND"})
    check_parameters(work, "source", "made", "source", BUILT)
    total = check_parameters(work, "sink", "saw", "megabyte", megabyte)
    total += sum(check_parameters(work, "sink", "saw", form, *[built] * rounds) for form in FORMS)
    check_parameters(work, "sink", "saw", "bare", {}, {})
    print(f"        {total} parameters equal, sent in {len(FORMS)} forms")


def test_c_to_python(work):
    work.run([source(), sink("metadata_peer.py", "answers")], timeout=30)
    check_source_and_sink(work, MEGABYTE, for_python(BUILT))


def run_c_to_c(work, policy, while_stopped):
    """Sends while the daemon is stopped: what arrives nevertheless came from node to node."""
    go = work.path / "go"
    nodes = [source(DORA_TEST_GO=go, DORA_TEST_ROUNDS=3), sink("metadata_sink", policy=policy)]
    direct = [f"source/{output}" for output in OUTPUTS if output != "megabyte"] + ["sink/answer"]
    flow = work.start_direct(nodes, *direct) if policy == DIRECT else work.start(nodes)
    work.await_report("source", "made-count")
    flow.process.send_signal(signal.SIGSTOP)
    go.touch()
    while_stopped()
    flow.process.send_signal(signal.SIGCONT)
    flow.wait(20)
    check_source_and_sink(work, MEGABYTE, BUILT, rounds=3)


def test_c_to_c(work):
    run_c_to_c(work, DIRECT, lambda: work.await_report("source", "sent"))


def test_c_to_c_over_the_daemon(work):
    def nothing_arrives():
        time.sleep(0.5)
        counts = work.report("sink", "saw-count")
        check(counts == ["megabyte 1"], f"without the daemon arrived {counts}")

    run_c_to_c(work, DAEMON, nothing_arrives)


main(test_python_to_c_and_back, test_c_to_python, test_c_to_c, test_c_to_c_over_the_daemon)
