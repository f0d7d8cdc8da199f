"""The parameters of test_metadata.py, and lines about them in which every value is exact: metadata.h writes the
same."""

import datetime
import fractions
import struct

UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
LEAST, GREATEST = -(2**63), 2**63 - 1
NAN, INFINITY, SMALLEST, LARGEST = float("nan"), float("inf"), 5e-324, 1.7976931348623157e308


class Nanoseconds(int):
    """A time as C reads it."""


class Empty(str):
    """A list of a kind without elements, as C reads it."""


def words(value):
    """The kind of a value, and the value exactly: floats as their bits, texts as their bytes."""
    match value:
        case bool():
            return ["bool", str(value).lower()]
        case Nanoseconds():
            return ["timestamp", str(int(value)) if LEAST <= value <= GREATEST else "unreachable"]
        case int():
            return ["integer", str(value)]
        case float():
            return ["float", struct.pack(">d", value).hex()]
        case Empty():
            return [str(value)]
        case str():
            return ["string", quote(value)]
        case datetime.datetime():
            microseconds = (value - EPOCH) // datetime.timedelta(microseconds=1)
            return ["timestamp", str(microseconds * 1000)]
        case []:
            return ["list"]
        case list():
            kinds, elements = zip(*map(words, value))
            return [f"{kinds[0]}s", *elements] if len(set(kinds)) == 1 else ["mixed"]
        case _:
            return [type(value).__name__]


def quote(text):
    return f'"{text.encode().hex()}"'


def describe(key, value):
    # No C string names a key with a NUL inside: C sees that it is there, and sends it on.
    return " ".join([quote(key), *words(value)])


def dora_time(time):
    """What dora 1.1.0 makes of a time that Python sends: the seconds as a float, rounded to nanoseconds."""
    return Nanoseconds(round(fractions.Fraction(time.timestamp()) * 10**9))


def python_time(nanoseconds):
    """What dora 1.1.0 makes of a time for Python: cut to microseconds, and a float of seconds of these."""
    seconds, rest = divmod(nanoseconds, 10**9)
    return datetime.datetime.fromtimestamp(seconds + rest // 1000 / 1e6, UTC)


def in_python(value):
    """What Python receives when C has a value."""
    match value:
        case Nanoseconds():
            return python_time(value)
        case Empty():
            return []
        case _:
            return value


def date(*arguments):
    return datetime.datetime(*arguments, tzinfo=UTC)


MEGABYTE = {"megabyte": "ü" * (1 << 19)}

# What a Python node sends, and every node receives as it is.
SENT = MEGABYTE | {
    "true": True,
    "false": False,
    "integer": LEAST,
    "greatest": GREATEST,
    "nan": NAN,
    "infinity": INFINITY,
    "-infinity": -INFINITY,
    "-0": -0.0,
    "smallest": SMALLEST,
    "largest": LARGEST,
    "whole": 3.0,
    "": "",
    "键": "值 🚁",
    "text": "a\0b\0",
    "integers": [LEAST, -1, 0, GREATEST],
    "floats": [NAN, -INFINITY, -0.0, LARGEST, 1.0],
    "strings": ["", "x\0y", "飞机"],
    # Fractions that a float has: see dora_time.
    "epoch": EPOCH,
    "before": date(1969, 12, 31, 23, 59, 59, 500_000),
    "1931": date(1931, 3, 4, 5, 6, 7, 890_625),
}

# What metadata_relay makes of those.
EDITED = SENT | {"integer": 0.5, "新": "ново", "text": False, "merged": [LEAST, GREATEST]}
del EDITED["键"]

# Times that dora changes, and others that 64 bits of nanoseconds do not reach.
TIMES = {
    "now": date(2026, 11, 30, 12, 30, 15, 123_457),
    "before": date(1969, 12, 31, 23, 59, 59, 999_999),
    "1931": date(1931, 3, 4, 5, 6, 7, 890_123),
    "1677": date(1677, 9, 21, 0, 12, 44),
    "2262": date(2262, 4, 11, 23, 47, 16),
    "1": date(1, 1, 1),
    "9999": date(9999, 12, 31),
}

# What Python sends, and what dora 1.1.0 makes of it. Lists without elements become lists of texts.
CONVERTED = {
    "tuple": ((1, 2), [1, 2]),
    "empty list": ([], Empty("strings")),
    "empty tuple": ((), Empty("strings")),
    "an integer behind a float": ([2.5, 1], [2.5, 1.0]),
    "a boolean behind an integer": ([5, True], [5, 1]),
    "booleans": ([True, False], "[True, False]"),
    "none": (None, "None"),
    "bytes": (b"ab", "b'ab'"),
    "zone": (datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
             Nanoseconds(1_577_829_600 * 10**9)),
}

# What dora 1.1.0 refuses to send for Python.
REFUSED = {
    "an integer of 65 bits": (2**63, OverflowError),
    "one in a list": ([2**63], OverflowError),
    "a float behind an integer": ([1, 2.5], TypeError),
    "an integer behind a text": (["a", 1], TypeError),
}

# Keys that belong to dora's wire format, and two that only look so; dora itself keeps the first two from Python.
WIRE = {"_framing": "x", "_schema_hash": 1, "_wire_size": 2, "__dora_startup_marker": False, "__dora_new": 3}
ALIKE = {"_other": 4, "_dora_": 5}

# What metadata_source builds.
BUILT = {
    "true": True,
    "false": False,
    "least": LEAST,
    "greatest": GREATEST,
    "nan": struct.unpack(">d", bytes.fromhex("fff8000000000123"))[0],
    "infinity": INFINITY,
    "-infinity": -INFINITY,
    "-0": -0.0,
    "smallest": SMALLEST,
    "whole": 3.0,
    "": "",
    "键": "值 🚁",
    "zeros": "a\0b\0",
    "epoch": Nanoseconds(0),
    "before": Nanoseconds(-1),
    "first": Nanoseconds(LEAST),
    "last": Nanoseconds(GREATEST),
    "1931": Nanoseconds(-1_225_479_232_109_876_543),
    "integers": [LEAST, -1, 0, GREATEST],
    "no integers": Empty("integers"),
    "floats": [NAN, -INFINITY, -0.0, LARGEST, 1.0],
    "no floats": Empty("floats"),
    "strings": ["", "x\0y", "飞机", "cut"],
    "terminated": ["", "x", "飞机", "cut here"],
    "no strings": Empty("strings"),
}
