"""The Python node of test_python_peer.py: sends arrays to a C node and compares what comes back.

    peer.py arrow   to echo, which sends on what it gets
    peer.py typed   to typed, which reads and sends without Arrow
"""

import math
import os
import sys

import dora
import peer_arrays
import pyarrow as pa

node = dora.Node()
report = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)


def receive():
    """The next input: its id, its array and its parameters."""
    while (event := node.next(timeout=10)) is not None:
        if event["type"] == "INPUT":
            parameters = dict(event["metadata"])
            parameters.pop("timestamp")
            return event["id"], event["value"], parameters
        if event["type"] == "ERROR":
            sys.exit(f"no answer: {event['error'].splitlines()[0]}")
    sys.exit("the dataflow ended early")


def bits(array):
    """Floats as integers of the same bits, since a NaN equals nothing."""
    return array.view({16: pa.int16(), 32: pa.int32(), 64: pa.int64()}[array.type.bit_width])


def same(expected, array):
    if array.type != expected.type or len(array) != len(expected):
        return False
    array.validate(full=True)
    if pa.types.is_floating(array.type):
        expected, array = bits(expected), bits(array)
    return array.equals(expected)


def same_parameters(expected, parameters):
    return parameters == expected and all(type(parameters[key]) is type(expected[key]) for key in expected)


def expect(what, expected, expected_parameters=None):
    _, array, parameters = receive()
    if not same(expected, array):
        report.write(f"wrong {what}: expected {expected.type} {expected[:20].to_pylist()!r:.300}, "
                     f"got {array.type} {array[:20].to_pylist()!r:.300}\n")
    elif not same_parameters(expected_parameters or {}, parameters):
        report.write(f"wrong {what}: expected parameters {expected_parameters}, got {parameters}\n")
    else:
        report.write(f"same {what}\n")


def run_arrow():
    for name, array in [*peer_arrays.simple(), *peer_arrays.other()]:
        node.send_output("whole", array, peer_arrays.PARAMETERS)
        expect(name, array, peer_arrays.PARAMETERS)
        node.send_output("late", array, peer_arrays.PARAMETERS)
        expect(f"{name}, sent after its event was freed", array)
        if len(array) > 0:
            node.send_output("slice", array)
            expect(f"{name}, sliced in C", array[1:])


def typed_answers(array):
    """What the typed node makes of an array: the messages in order."""
    type = array.type
    if pa.types.is_null(type):
        return [pa.nulls(0)]
    if pa.types.is_boolean(type):
        return [failure("DORA_ERROR_HAS_NULLS") if array.null_count else array]
    if type in peer_arrays.SIGNED + peer_arrays.UNSIGNED + peer_arrays.FLOATS:
        return [array.is_valid(), array] if array.null_count else [array]
    if any(is_text(type) for is_text in [pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view]):
        return [failure("DORA_ERROR_HAS_NULLS") if each is None else pa.array([each]) for each in array.to_pylist()]
    if any(is_bytes(type) for is_bytes in [pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view,
                                           pa.types.is_fixed_size_binary]) and not pa.types.is_decimal(type):
        return [failure("DORA_ERROR_HAS_NULLS") if each is None else pa.array(each, pa.uint8())
                for each in array.to_pylist()]
    width = type.bit_width // 8
    start = array.offset * width
    return [pa.array(array.buffers()[1][start:start + len(array) * width].to_pybytes(), pa.uint8())]


def failure(status):
    return pa.array([status])


def run_typed():
    for name, array in peer_arrays.simple():
        node.send_output("out", array)
        for part, expected in enumerate(typed_answers(array)):
            if expected.null_count == 0:
                expect(f"{name}, part {part}", expected)
                continue
            # Where an element is null, what the number is means nothing.
            _, values, _ = receive()
            pairs = zip(expected.to_pylist(), values.to_pylist(), strict=True)
            equal = all(a is None or a == b or math.isnan(a) and math.isnan(b) for a, b in pairs)
            report.write(f"{'same' if equal and values.type == expected.type else 'wrong'} {name}, the values\n")


{"arrow": run_arrow, "typed": run_typed}[sys.argv[1]]()
report.write("done\n")
