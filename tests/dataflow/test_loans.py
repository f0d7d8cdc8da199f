"""What is written into a loan arrives as it is, in shared memory, without a copy and without a bitmap."""

from harness import FAST_LANE, check, main, node

UINT8, FLOAT32, FLOAT64 = 7, 12, 13
KIB, MIB = 1 << 10, 1 << 20
# Of the `DORA_TYPE_…`, with the names that pyarrow has for them.
TYPES = {3: "int8", 4: "int16", 5: "int32", 6: "int64", 7: "uint8", 8: "uint16", 9: "uint32", 10: "uint64",
         11: "halffloat", 12: "float", 13: "double"}


def run(work, loans, sink="loan_sink", **options):
    env = options.pop("env", {})
    work.run(
        [
            node("source", "loan_source", *loans, inputs={"answer": "sink/answer"}, outputs=["out"], env=env, **options),
            node("sink", sink, inputs={"in": "source/out"}, outputs=["answer"]),
        ],
        timeout=150,
    )
    check(not work.report("source", "left"), "a loan that was sent is not gone")
    check(not work.report("source", "unaligned"), "the memory of a loan is not aligned to 64 bytes")
    for loan in work.report("source", "again"):
        print(f"        lost once and sent again: {loan}")
    return [line.split() for line in work.report("sink", "message")]


def test_nothing_is_copied(work):
    """Values lie in shared memory on both sides, and what is allocated does not grow with them."""
    sizes = [64 * KIB, MIB, 6_220_800, 64 * MIB]
    warm_up = [f"{UINT8}:{64 * KIB}"] * 5
    loans = [f"{UINT8}:{size}" for size in sizes for _ in range(3)]
    # A message stays in its place until the sender hears that it was let go of.
    messages = run(work, warm_up + loans, shared_memory_pool_size="400MB")
    check(len(messages) == len(warm_up + loans), f"{len(messages)} messages arrived")
    lent = [line.split() for line in work.report("source", "loan")]
    check(all(memory == "shared" for _, memory in lent), f"not every loan is in shared memory: {lent}")
    wrong = [message for message in messages if message[1:4] != ["shared", "none", "intact"]]
    check(not wrong, f"{len(wrong)} messages are not as they should be, the first {wrong[:1]}")
    allocated = {size: min(int(m[4]) for m in messages[5:] if int(m[0]) == size) for size in sizes}
    print(f"        bytes allocated for a message: {allocated}")
    check(max(allocated.values()) < 64 * KIB, f"what is allocated grows with the message: {allocated}")


def test_every_type_reaches_python(work):
    lengths = [0, 1, 7, 64, 1000, 100_000]
    loans = [(type, length, shorter) for type in TYPES for length in lengths for shorter in {length, length // 3}]
    messages = run(work, [f"{t}:{length}:{shorter}" for t, length, shorter in loans], "loan_peer.py")
    wanted = [[TYPES[type], str(shorter), "0", "right"] for type, _, shorter in loans]
    wrong = [pair for pair in zip(wanted, messages) if pair[0] != pair[1]]
    check(len(messages) == len(wanted), f"{len(messages)} of {len(wanted)} messages arrived")
    check(not wrong, f"{len(wrong)} messages are wrong, the first (wanted, got): {wrong[:1]}")


def test_an_exhausted_pool_is_the_heap(work):
    """Eight loans of 3 MiB do not fit 8 MiB at once. All are sent, and arrive.

    The fast lane has room for eight, whatever their size, and the rest is dora's.
    """
    count = 16 if FAST_LANE else 8
    messages = run(work, [f"{FLOAT64}:{3 * MIB // 8}"], env={"DORA_TEST_HOLD": count})
    memories = [line.split()[1] for line in work.report("source", "loan")]
    print(f"        {memories}")
    check(set(memories) == {"shared", "heap"}, f"the loans were in {memories}")
    check(not FAST_LANE or memories[:8] == ["shared"] * 8, f"of the lane's loans were {memories[:8]}")
    check(len(messages) == count, f"{len(messages)} of {count} arrived")
    wrong = [message for message in messages if message[2:4] != ["none", "intact"]]
    check(not wrong, f"{len(wrong)} messages are not as they should be, the first {wrong[:1]}")


def test_shortened_loans(work):
    """In shared memory, and on the heap, where the rest does not travel."""
    loans = [f"{FLOAT32}:{MIB}:{n}" for n in (0, 1, MIB // 2, MIB)] + [f"{FLOAT32}:512:{n}" for n in (0, 1, 512)]
    messages = run(work, loans)
    sizes = [str(int(loan.split(":")[2]) * 4) for loan in loans]
    check([m[0] for m in messages] == sizes, f"the sizes are {[m[0] for m in messages]}, not {sizes}")
    check(all(m[2:4] == ["none", "intact"] for m in messages), f"not all are intact: {messages}")


main(
    test_nothing_is_copied,
    test_every_type_reaches_python,
    test_an_exhausted_pool_is_the_heap,
    test_shortened_loans,
)
