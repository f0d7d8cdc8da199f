"""Parameters of a node that somebody sets and deletes while it runs."""

import json

from harness import Cluster, check, main, node, wait_until

# What JSON has. An integer beyond what a double holds stays what it is, and so does the order of an object.
VALUES = {
    "number": "1.5",
    "least": "-9223372036854775808",
    "greatest": "18446744073709551615",
    "small": "-0.0",
    "text": '"Grüße, \\"quoted\\"\\n with a \\u0000 in it"',
    "empty": '""',
    "list": '[1,2.5,"three",null,[true]]',
    "object": '{"b":1,"a":{"c":[]}}',
    "速度": '{"最大":"三"}',
    "true": "true",
    "null": "null",
    "two words": "1",
    "a/b.c": "2",
    "": "3",
    # dora takes 64 KiB at most.
    "long": json.dumps("x" * 60_000),
}


def start(work):
    cluster = Cluster(work)
    cluster.start([node(id, "param_watcher", inputs={"tick": "dora/timer/millis/20"},
                        env={"DORA_TEST_DONE": work.path / "done"}) for id in ("watcher", "other")])
    for id in ("watcher", "other"):
        work.await_report(id, "ready")
    return cluster


def events(work, id="watcher"):
    return [line for line in work.report(id) if line.startswith(("set ", "deleted ", "event ", "wrong: "))]


def run(work, steps):
    """Sets and deletes parameters, waits for the event behind each, and checks them all."""
    cluster, expected = start(work), []
    for key, value in steps:
        if value is None:
            cluster.dora("param", "delete", "watcher", "--", key)
            expected.append(f"deleted {key}")
        else:
            cluster.dora("param", "set", "watcher", "--", key, value)
            expected.append(f"set {key} {value}")
        wait_until(lambda: len(events(work)) >= len(expected), 20, f"the watcher reads the event of {key!r}")
    (work.path / "done").touch()
    work.await_report("watcher", "end")
    for found, wanted in zip(events(work), expected, strict=True):
        check(found == wanted, f"an event was {found:.300}, not {wanted:.300}")
    check(events(work, "other") == [], f"another node read {events(work, 'other')}")
    work.check_free("watcher")


def test_each_kind_of_value(work):
    run(work, VALUES.items())


def test_values_change_and_go(work):
    run(work, [("速度", "1"), ("速度", '"2"'), ("速度", None), ("never set", None), ("速度", "3")])


main(test_each_kind_of_value, test_values_change_and_go)
