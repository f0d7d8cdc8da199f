"""The daemon's table of bytes, shared by two C nodes and a Python node that do what the driver says."""

import time
import zlib

from harness import Cluster, check, main, node, wait_until

NOT_FOUND = "DORA_ERROR_NOT_FOUND"
MEGABYTE = 1 << 20
# What the daemon takes in one message of a node, the names and dora's framing included; and entries a dataflow.
LIMIT, ENTRIES = 64 * MEGABYTE, 8192


class Actor:
    """A node that obeys; called with an order, it gives the answer."""

    def __init__(self, work, id, program="extension_actor"):
        self.work, self.id, self.count = work, id, 0
        self.orders = work.path / f"{id}.orders"
        self.orders.touch()
        self.node = node(id, program, env={"DORA_TEST_ORDERS": self.orders})

    def __call__(self, *order):
        self.count += 1
        with self.orders.open("a") as file:
            file.write(" ".join(map(str, order)) + "\n")
        return wait_until(lambda: self.work.report(self.id, "done")[self.count - 1:], 60, f"{self.id}: {order}")[0]

    def expect(self, *order, answer="DORA_OK"):
        """Checks an answer, apart from the sentence of a failure, which it gives."""
        found = self(*order)
        status, _, sentence = found.partition(" ")
        failed = status.startswith("DORA_ERROR_")
        check((status if failed else found) == answer, f"{self.id}: {order} gave {found}, not {answer}")
        return sentence if failed else None

    def await_dropped(self, namespace, key):
        """Waits for the news of one dropped key, which must be all there is."""
        found = wait_until(lambda: self.next_dropped(namespace), 10, f"{self.id} learns of a drop in {namespace}")
        check(found == key, f"{self.id}: dropped was {found}, not {key}")
        self.expect("dropped", namespace, answer=NOT_FOUND)

    def next_dropped(self, namespace):
        status, _, key = self("dropped", namespace).partition(" ")
        return key if status == "DORA_OK" else None


def value(size, seed):
    """What is answered to the load of a value."""
    period = bytes((place * 7 + seed) % 256 for place in range(256))
    return f"DORA_OK {size} {zlib.adler32((period * (size // 256 + 1))[:size])}"


def start(work):
    actors = [Actor(work, "a"), Actor(work, "b"), Actor(work, "python", "extension_peer.py")]
    return work.start([actor.node for actor in actors]), *actors


def end(flow, *actors):
    for actor in actors:
        actor.expect("end")
    flow.wait(20)


def test_values(work):
    flow, *actors = start(work)
    for size in (0, 1, 1000, MEGABYTE, 10 * MEGABYTE):
        for seed, owner in enumerate(actors):
            owner.expect("store", "values", f"of-{owner.id}", size, seed)
            for reader in actors:
                reader.expect("load", "values", f"of-{owner.id}", answer=value(size, seed))
    end(flow, *actors)


def test_names(work):
    flow, a, b, python = start(work)
    names = [("ns", "key"), ("ns", "Key"), ("ns/key", "x"), ("ns", "key/x"), ("名字空间", "键"), ("@", "@"), ("ns", "@")]
    for seed, name in enumerate(names):
        (a, python)[seed % 2].expect("store", *name, 100 + seed, seed)
    for seed, name in enumerate(names):
        for reader in (b, python):
            reader.expect("load", *name, answer=value(100 + seed, seed))
    end(flow, a, b, python)


def test_replaced_and_taken(work):
    flow, a, b, python = start(work)
    for owner, readers in ((a, (b, python)), (python, (a, b))):
        owner.expect("store", "ns", "key", 100, 1)
        owner.expect("store", "ns", "key", 50, 2)
        for reader in readers:
            reader.expect("load", "ns", "key", answer=value(50, 2))
        readers[0].expect("take", "ns", "key", answer=value(50, 2))
        for actor in (owner, *readers):
            actor.expect("load", "ns", "key", answer=NOT_FOUND)
            actor.expect("take", "ns", "key", answer=NOT_FOUND)
            # What is not there is dropped without a word.
            actor.expect("drop", "ns", "key")
    sentence = a.expect("load", "名字空间", "键", answer=NOT_FOUND)
    check('"名字空间"' in sentence and '"键"' in sentence, f"the sentence does not name what is not there: {sentence}")
    end(flow, a, b, python)


def test_who_learns_of_a_drop(work):
    flow, a, b, python = start(work)
    for owner, reader, stranger in ((a, b, python), (b, python, a), (python, a, b)):
        for order in ("drop", "take"):
            key = f"键-{owner.id}-{order}"
            owner.expect("store", "ns", key, 10, 0)
            reader.expect("load", "ns", key, answer=value(10, 0))
            for actor in (owner, reader):
                actor.expect("dropped", "ns", answer=NOT_FOUND)
            owner.expect(order, "ns", key, answer=value(10, 0) if order == "take" else "DORA_OK")
            for actor in (owner, reader):
                actor.await_dropped("ns", key)
            for actor in (a, b, python):
                actor.expect("dropped", "other", answer=NOT_FOUND)
            stranger.expect("dropped", "ns", answer=NOT_FOUND)
    end(flow, a, b, python)


def test_several_drops(work):
    flow, a, b, python = start(work)
    for namespace, key in (("one", "1"), ("two", "2"), ("one", "3")):
        a.expect("store", namespace, key, 1, 0)
        a.expect("drop", namespace, key)
    a.await_dropped("two", "2")
    # The last was told behind it.
    first = wait_until(lambda: a.next_dropped("one"), 10, "a learns of the drops")
    check(first == "1", f"the first that was dropped was {first}")
    a.await_dropped("one", "3")
    end(flow, a, b, python)


def test_only_the_owner_replaces(work):
    flow, a, b, python = start(work)
    a.expect("store", "ns", "key", 100, 1)
    found = b("store", "ns", "key", 50, 2)
    check(found.startswith("DORA_ERROR_") and "owned by node `a`" in found, f"another node's store gave {found}")
    found = python("store", "ns", "key", 50, 2)
    check(found.startswith("RuntimeError "), f"another node's store gave {found}")
    b.expect("load", "ns", "key", answer=value(100, 1))
    b.expect("drop", "ns", "key")
    b.expect("store", "ns", "key", 50, 2)
    a.expect("load", "ns", "key", answer=value(50, 2))
    end(flow, a, b, python)


def check_owner_gone(work, order):
    flow, a, b, python = start(work)
    a.expect("store", "ns", "key", 100, 1)
    for reader in (b, python):
        reader.expect("load", "ns", "key", answer=value(100, 1))
    with a.orders.open("a") as file:
        file.write(f"{order}\n")
    for reader in (b, python):
        reader.await_dropped("ns", "key")
        reader.expect("load", "ns", "key", answer=NOT_FOUND)
    end(flow, b, python)


def test_the_owner_ends(work):
    check_owner_gone(work, "end")


def test_the_owner_breaks_off(work):
    check_owner_gone(work, "leave")


def test_too_large(work):
    flow, a, b, python = start(work)
    a.expect("store", "ns", "key", 10, 1)
    sentence = a.expect("store", "ns", "key", LIMIT, 1, answer="DORA_ERROR_TOO_LARGE")
    check("64 MiB" in sentence, f"the sentence does not name the limit: {sentence}")
    b.expect("load", "ns", "key", answer=value(10, 1))
    a.expect("store", "ns", "key", 20, 2)
    b.expect("load", "ns", "key", answer=value(20, 2))
    end(flow, a, b, python)


def test_too_many(work):
    flow, a, b, python = start(work)
    found = a("fill", "ns", ENTRIES + 1)
    check(found.startswith("DORA_ERROR_") and f"{ENTRIES} entries" in found, f"an entry too many gave {found}")
    check(work.only("a", "stored") == str(ENTRIES), f"stored were {work.report('a', 'stored')}")
    b.expect("load", "ns", f"key-{ENTRIES - 1}", answer=value(0, 0))
    b.expect("drop", "ns", "key-0")
    a.expect("store", "ns", "another", 10, 1)
    end(flow, a, b, python)


def test_request_to_an_extension_that_is_not_there(work):
    flow, a, b, python = start(work)
    for namespace in ("nobody", "名字空间"):
        sentence = a.expect("request", namespace, answer=NOT_FOUND)
        check(f'"{namespace}"' in sentence, f"the sentence does not name the extension: {sentence}")
    end(flow, a, b, python)


def test_other_dataflows(work):
    cluster = Cluster(work)
    one, other = Actor(work, "one"), Actor(work, "other")
    for actor in (one, other):
        path = work.write_dataflow([actor.node])
        cluster.dora("start", str(path), "--detach", "--name", actor.id)
    one.expect("store", "ns", "key", 10, 1)
    other.expect("load", "ns", "key", answer=NOT_FOUND)
    other.expect("store", "ns", "key", 20, 2)
    one.expect("load", "ns", "key", answer=value(10, 1))
    other.expect("drop", "ns", "key")
    other.await_dropped("ns", "key")
    one.expect("dropped", "ns", answer=NOT_FOUND)
    for actor in (one, other):
        actor.expect("end")


def test_the_daemon_is_lost(work):
    cluster = Cluster(work)
    actor = Actor(work, "a")
    cluster.start([actor.node])
    actor.expect("store", "ns", "key", 10, 1)
    cluster.daemon.kill()
    cluster.daemon.wait()
    time.sleep(0.3)
    for order in (["load", "ns", "key"], ["store", "ns", "key", 10, 1], ["drop", "ns", "key"], ["request", "ns"]):
        sentence = actor.expect(*order, answer="DORA_ERROR_DISCONNECTED")
        check("daemon" in sentence, f"{order[0]}: the sentence does not name the daemon: {sentence}")
    actor.expect("dropped", "ns", answer=NOT_FOUND)
    actor.expect("end")


main(
    test_values,
    test_names,
    test_replaced_and_taken,
    test_who_learns_of_a_drop,
    test_several_drops,
    test_only_the_owner_replaces,
    test_the_owner_ends,
    test_the_owner_breaks_off,
    test_too_large,
    test_too_many,
    test_request_to_an_extension_that_is_not_there,
    test_other_dataflows,
    test_the_daemon_is_lost,
)
