"""Arrays of every type that dora carries: what the Python peer sends to the C nodes."""

import datetime
import decimal

import numpy
import pyarrow as pa

NAN, INFINITY = float("nan"), float("inf")
TEXTS = ["", "a", None, "Grüße, 世界 🚁", "longer than the twelve bytes of a view", "with a \0 inside"]
BYTES = [b"", b"\0\xff", None, b"longer than the twelve bytes of a view"]
DIGITS = [decimal.Decimal("1.25"), None, decimal.Decimal("-99.99")]

SIGNED = [pa.int8(), pa.int16(), pa.int32(), pa.int64()]
UNSIGNED = [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
FLOATS = [pa.float16(), pa.float32(), pa.float64()]
FLOAT_VALUES = [1.5, -0.0, NAN, INFINITY, -INFINITY]


def integers(type):
    information = numpy.iinfo(type.to_pandas_dtype())
    return [information.min, 0, 1, information.max]


def floats(type):
    information = numpy.finfo(type.to_pandas_dtype())
    # The greatest, the least, and the one next to zero.
    extremes = [information.max, information.min, information.smallest_subnormal]
    return [*FLOAT_VALUES, *(numpy.dtype(type.to_pandas_dtype()).type(value) for value in extremes)]


def numbers():
    """Numbers of every width, with and without nulls, sliced and empty."""
    for type in SIGNED + UNSIGNED + FLOATS:
        values = (floats if type in FLOATS else integers)(type)
        yield f"{type}", pa.array(values, type)
        yield f"{type} with nulls", pa.array([*values, None, values[0]], type)
        yield f"{type} sliced", pa.array(values * 3, type)[3:10]
        yield f"{type} sliced, with nulls", pa.array([None, *values] * 5, type)[3:20]
        yield f"{type}, empty", pa.array([], type)


def simple():
    """What can be read without Arrow."""
    yield "null", pa.nulls(3)
    yield "null, empty", pa.nulls(0)
    yield "bool", pa.array([True, False, True] * 5)
    yield "bool with nulls", pa.array([True, None, False])
    yield "bool sliced", pa.array([True, False, True, True] * 5)[3:18]
    yield "bool, empty", pa.array([], pa.bool_())
    yield from numbers()
    yield "int64, a megabyte", pa.array(numpy.arange(131_072, dtype=numpy.int64))
    for type in [pa.utf8(), pa.large_utf8(), pa.string_view()]:
        yield f"{type}", pa.array(TEXTS, type)
        yield f"{type} sliced", pa.array(TEXTS, type)[1:5]
        yield f"{type}, empty", pa.array([], type)
        yield f"{type}, a megabyte", pa.array(["ü" * (1 << 19)], type)
    for type in [pa.binary(), pa.large_binary(), pa.binary_view()]:
        yield f"{type}", pa.array(BYTES, type)
        yield f"{type} sliced", pa.array(BYTES, type)[1:]
    yield "fixed-size binary", pa.array([b"abcd", None, b"wxyz"], pa.binary(4))
    yield "fixed-size binary sliced", pa.array([b"abcd", b"\0\1\2\3", b"wxyz"], pa.binary(4))[1:]
    # dora_event_raw gives the bytes of these.
    for type in [pa.timestamp("ns"), pa.duration("us"), pa.time64("ns"), pa.date64()]:
        yield f"{type}", pa.array([0, 86_400_000, 2 * 86_400_000], pa.int64()).cast(type)
    for type in [pa.date32(), pa.time32("ms")]:
        yield f"{type}", pa.array([0, 1, 20_000], pa.int32()).cast(type)
    yield "decimal128", pa.array(DIGITS, pa.decimal128(30, 2))[2:]


def temporal():
    now = datetime.datetime(2026, 11, 30, 12, 30, 15, 123_456)
    for unit in ["s", "ms", "us", "ns"]:
        yield f"timestamp {unit}", pa.array([0, None, 1_800_000_000], pa.timestamp(unit))
        yield f"duration {unit}", pa.array([-1, None, 5], pa.duration(unit))
    yield "timestamp with a zone", pa.array([now, None], pa.timestamp("us", tz="Europe/Berlin"))
    yield "dates", pa.array([now.date(), None], pa.date32())
    yield "dates, 64 bits", pa.array([now.date(), None], pa.date64())
    yield "times, 32 bits", pa.array([now.time().replace(microsecond=0), None], pa.time32("s"))
    yield "times, 64 bits", pa.array([now.time(), None], pa.time64("us"))
    yield "intervals", pa.array([(1, 2, 3), None], pa.month_day_nano_interval())


def nested():
    inner = {"name": "ü", "values": [1.5, None]}
    structs = [{"number": 1, "inner": inner}, None, {"number": None, "inner": None}]
    for list_type in [pa.list_, pa.large_list, pa.list_view, pa.large_list_view]:
        lists = pa.array([[1, None], None, [], [4, 5]], list_type(pa.int32()))
        yield f"{lists.type}", lists
        yield f"{lists.type} sliced", lists[1:]
    yield "list of lists of texts", pa.array([[["a"], None], [], None], pa.list_(pa.list_(pa.utf8())))
    yield "list, empty", pa.array([], pa.list_(pa.float64()))
    yield "fixed-size list", pa.array([[1, 2], None, [3, None]], pa.list_(pa.int16(), 2))
    yield "struct", pa.array(structs)
    yield "struct of a megabyte", pa.array([{"blob": b"x" * (1 << 19)}] * 2)
    yield "fixed-size list of structs", pa.array(
        [[{"a": 1}, {"a": 2}], None, [{"a": 3}, None]], pa.list_(pa.struct([("a", pa.int32())]), 2))
    yield "struct without a null allowed", pa.StructArray.from_arrays(
        [pa.array([1, 2])], fields=[pa.field("a", pa.int64(), nullable=False)])
    yield "map", pa.array([[("a", 1), ("b", None)], None, []], pa.map_(pa.utf8(), pa.int32()))
    dictionary = pa.array(["a", "b", "a", None]).dictionary_encode()
    yield "dictionary", dictionary
    yield "dictionary in a struct", pa.StructArray.from_arrays([dictionary], ["entry"])
    yield "dictionary with small indices", pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int8()), ["x", "y"])
    yield "run ends", pa.RunEndEncodedArray.from_arrays([2, 3], ["a", "b"])
    # A dense union is left out: dora 1.1.0 panics when one comes on its direct way, to Python nodes too.
    yield "sparse union", pa.UnionArray.from_sparse(
        pa.array([0, 1, 0], pa.int8()), [pa.array([1, 2, 3]), pa.array([{"a": 1}, {"a": 2}, None])])


def other():
    """What only the Arrow interface reads."""
    for type in [pa.decimal32(5, 2), pa.decimal64(12, 2), pa.decimal128(30, 2), pa.decimal256(60, 2)]:
        yield f"{type}", pa.array(DIGITS, type)
    yield from temporal()
    yield from nested()


PARAMETERS = {
    "yes": True,
    "no": False,
    "integer": -(2**63),
    "greatest": 2**63 - 1,
    "float": 0.1,
    "whole float": 3.0,
    "text": "Grüße\0 世界",
    "empty text": "",
    "integers": [1, -2, 2**63 - 1],
    "floats": [1.0, -2.5, 1e300],
    "texts": ["a", "", "ü"],
    "time": datetime.datetime(2026, 11, 30, 12, 30, 15, 123_456, datetime.timezone.utc),
}
