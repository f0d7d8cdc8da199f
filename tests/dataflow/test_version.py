"""What dora_node_init says when it fails: a daemon of another version, none, and a configuration that is none."""

import contextlib
import json
import socket
import struct
import threading
import uuid

from harness import BIN, check, free_ports, main

# What dora 1.1.0 answers to a node of another version; see `DaemonReply` and `check_version` in its sources.
REFUSAL = "version mismatch: message format v1.1.0 is not compatible with expected message format v0.9.0"


def receive_exactly(connection, size):
    received = b""
    while len(received) < size:
        part = connection.recv(size - len(received))
        if not part:
            raise ConnectionError("the node hung up")
        received += part
    return received


def refuse(listener):
    """Answers each request of each connection as the daemon does: `DaemonReply::Result(Err(REFUSAL))` in postcard."""
    text = REFUSAL.encode()
    assert len(text) < 128, "a longer text needs a varint of two bytes"
    reply = bytes([0, 1, len(text)]) + text
    while True:
        connection, _ = listener.accept()
        with contextlib.suppress(ConnectionError), connection:
            while True:
                (size,) = struct.unpack("<Q", receive_exactly(connection, 8))
                receive_exactly(connection, size)
                connection.sendall(struct.pack("<Q", len(reply)) + reply)


def configuration(port):
    """What the daemon passes to a node; a JSON text would be YAML too, but for the tag."""
    node = {"id": "starter", "path": "starter"}
    return "\n".join([
        f"dataflow_id: {uuid.uuid4()}",
        "node_id: starter",
        "run_config: {inputs: {}, outputs: []}",
        f"daemon_communication: !Tcp {{socket_addr: '127.0.0.1:{port}'}}",
        f"dataflow_descriptor: {json.dumps({'nodes': [node]})}",
        "dynamic: false",
        "write_events_to: null",
    ])


def init(work, node_config, **env):
    """Starts a node without dora, and returns the status and the sentence of its init."""
    env |= {"DORA_TEST_REPORT": str(work.path / "starter.report")}
    if node_config is not None:
        env["DORA_NODE_CONFIG"] = node_config
    code = work.spawn("starter", [str(BIN / "starter")], env).process.wait(30)
    check(code == 0, f"the node ended with {code}")
    check(work.only("starter", "node") == "NULL", "a failed init did not set the handle to NULL")
    status, sentence = work.only("starter", "status"), work.only("starter", "sentence")
    print(f"        {status}: {sentence}")
    return status, sentence


def test_a_daemon_of_another_version(work):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=refuse, args=(listener,), daemon=True).start()
        status, sentence = init(work, configuration(listener.getsockname()[1]))
    check(status == "DORA_ERROR_VERSION_MISMATCH", f"the status is {status}")
    check("1.1.0" in sentence, f"the sentence does not name the library's version: {sentence}")
    check("0.9.0" in sentence, f"the sentence does not name the daemon's version: {sentence}")


def test_a_daemon_that_hangs_up(work):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=lambda: [listener.accept()[0].close() for _ in range(9)], daemon=True).start()
        status, sentence = init(work, configuration(listener.getsockname()[1]))
    check(status == "DORA_ERROR_INIT", f"the status is {status}")
    check("daemon" in sentence, f"the sentence does not name the daemon: {sentence}")


def test_no_daemon(work):
    (port,) = free_ports(1)
    status, sentence = init(work, configuration(port))
    check(status == "DORA_ERROR_INIT", f"the status is {status}")
    check("daemon" in sentence, f"the sentence does not name the daemon: {sentence}")


def test_a_malformed_configuration(work):
    status, sentence = init(work, "node_id: [")
    check(status == "DORA_ERROR_INIT", f"the status is {status}")
    check("DORA_NODE_CONFIG" in sentence, f"the sentence does not name the variable: {sentence}")


def test_an_empty_configuration(work):
    status, sentence = init(work, "")
    check(status == "DORA_ERROR_INIT", f"the status is {status}")
    check("DORA_NODE_CONFIG" in sentence, f"the sentence does not name the variable: {sentence}")


def test_a_configuration_without_its_fields(work):
    status, sentence = init(work, "node_id: starter")
    check(status == "DORA_ERROR_INIT", f"the status is {status}")
    check("DORA_NODE_CONFIG" in sentence, f"the sentence does not name the variable: {sentence}")


def test_started_by_hand(work):
    status, sentence = init(work, None)
    check(status == "DORA_ERROR_INIT", f"the status is {status}")
    for hint in ["DORA_NODE_CONFIG", "dora run", "DORA_TEST_WITH_INPUTS"]:
        check(hint in sentence, f"the sentence does not name {hint}: {sentence}")


def test_inputs_that_are_no_file(work):
    status, sentence = init(work, None, DORA_TEST_WITH_INPUTS=str(work.path / "missing.json"))
    check(status == "DORA_ERROR_INIT", f"the status is {status}")
    check("missing.json" in sentence, f"the sentence does not name the file: {sentence}")


main(
    test_a_daemon_of_another_version,
    test_a_daemon_that_hangs_up,
    test_no_daemon,
    test_a_malformed_configuration,
    test_an_empty_configuration,
    test_a_configuration_without_its_fields,
    test_started_by_hand,
    test_inputs_that_are_no_file,
)
