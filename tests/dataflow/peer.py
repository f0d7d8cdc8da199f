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

# dora's direct way may lose even a single message on a busy machine. What is lost each time is a fault.
TRIES, PATIENCE_SECONDS = 3, 10

node = dora.Node()
report = open(os.environ["DORA_TEST_REPORT"], "a", buffering=1)


def receive():
    """The next input, its array and its parameters, or None when nothing came in time."""
    while (event := node.next(timeout=PATIENCE_SECONDS)) is not None:
        if event["type"] == "INPUT":
            parameters = dict(event["metadata"])
            parameters.pop("timestamp")
            return event["value"], parameters
        if event["type"] == "ERROR" and "timed out" in event["error"]:
            return None
        if event["type"] == "ERROR":
            sys.exit(f"no answer: {event['error'].splitlines()[0]}")
    sys.exit("the dataflow ended early")


def ask(output, array, parameters=None):
    """Sends an array, when nothing else is under way, and returns the first message that it is answered with."""
    for _ in range(TRIES):
        node.send_output(output, array, parameters or {})
        if (answer := receive()) is not None:
            return answer
        report.write(f"again {output}\n")
    sys.exit(f"no answer on {output} in {TRIES} tries")


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


def compare(what, answer, expected, expected_parameters=None):
    array, parameters = answer
    if not same(expected, array):
        report.write(f"wrong {what}: expected {expected.type} {expected[:20].to_pylist()!r:.300}, "
                     f"got {array.type} {array[:20].to_pylist()!r:.300}\n")
    elif not same_parameters(expected_parameters or {}, parameters):
        report.write(f"wrong {what}: expected parameters {expected_parameters}, got {parameters}\n")
    else:
        report.write(f"same {what}\n")


def run_arrow():
    for name, array in [*peer_arrays.simple(), *peer_arrays.other()]:
        compare(name, ask("whole", array, peer_arrays.PARAMETERS), array, peer_arrays.PARAMETERS)
        compare(f"{name}, sent after its event was freed", ask("late", array, peer_arrays.PARAMETERS), array)
        if len(array) > 0:
            compare(f"{name}, sliced in C", ask("slice", array), array[1:])


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


def typed_results(array, count):
    """The answers of the typed node, of which only the first may be lost, with the message that it is for."""
    for part in range(count):
        answer = ask("out", array) if part == 0 else receive()
        yield answer or sys.exit(f"answer {part} of {count} is lost")
    if count == 0:
        node.send_output("out", array)


def run_typed():
    for name, array in peer_arrays.simple():
        answers = typed_answers(array)
        for part, answer in enumerate(typed_results(array, len(answers))):
            expected = answers[part]
            if expected.null_count == 0:
                compare(f"{name}, part {part}", answer, expected)
                continue
            # Where an element is null, what the number is means nothing.
            values, _ = answer
            pairs = zip(expected.to_pylist(), values.to_pylist(), strict=True)
            equal = all(a is None or a == b or math.isnan(a) and math.isnan(b) for a, b in pairs)
            report.write(f"{'same' if equal and values.type == expected.type else 'wrong'} {name}, the values\n")


{"arrow": run_arrow, "typed": run_typed}[sys.argv[1]]()
report.write("done\n")
