"""Streams between C and Python nodes, compared chunk by chunk, and what a flush forgets."""

import time
import uuid

from harness import FAST_LANE, TRIES, check, main, node, wait_until

# The ways of a message: from node to node, or over the daemon, where a receiver with backpressure keeps it.
DIRECT, DAEMON = "drop_oldest", "backpressure"
C, PYTHON = ["stream_sender"], ["stream_peer.py", "sends"]
# What is sent: segment, number in it, whether it is the last, and whether it flushes.
CHUNKS = ["0 0 false -", "0 1 false -", "0 2 true -", "1 0 false -", "2 0 false true", "2 1 false -", "2 2 true -",
          "0 0 true -"]
FLUSHES_AT = 4


def start(work, sender, receiver, way=DIRECT, sender_env=None, **receiver_env):
    return work.start([
        node("sender", *sender, inputs={"answer": "receiver/answer"}, outputs=["out"], env=sender_env),
        node("receiver", *receiver, inputs={"in": {"source": "sender/out", "queue_size": 50, "queue_policy": way}},
             outputs=["answer"], env=receiver_env),
    ])


def check_chunks(work, first=0):
    """Checks that all chunks from the first on were received, and returns the session of the unnamed stream."""
    found = work.report("receiver", "chunk")
    unnamed = found[-1].split(" ")[1] if found else ""
    sessions = ["会话 1"] * (len(CHUNKS) - 1) + [unnamed]
    expected = [f"{number} {session} {chunk} 值" for number, (session, chunk) in enumerate(zip(sessions, CHUNKS))]
    check(found == expected[first:], f"received was {found}, not {expected[first:]}")
    return unnamed


def check_each_answered(work, sender, receiver):
    start(work, sender, receiver, sender_env={"DORA_TEST_ANSWERED": 1}).wait(20)
    return check_chunks(work)


def test_c_to_python(work):
    session = check_each_answered(work, C, ["stream_peer.py", "receives"])
    check(str(uuid.UUID(session)) == session, f"the id that was made is {session}")


def test_python_to_c(work):
    check_each_answered(work, PYTHON, ["stream_receiver"])


def settle():
    """Lets what is under way arrive."""
    time.sleep(0.5)


def run_flushed(work, sender, way):
    """The receiver reads nothing until all is there. Returns the numbers of the chunks that it reads then."""
    go = work.path / "go"
    go.unlink(missing_ok=True)
    work.forget_reports()
    # dora's direct way drops what comes too fast.
    gap_ms = 50 if way == DIRECT else 0
    env = {"DORA_TEST_GAP_MS": gap_ms}
    # dora tells the end of a sender before a flush that waits, and the lane delivers its messages before that end.
    stays = work.path / "read"
    stays.unlink(missing_ok=True)
    is_on_lane = FAST_LANE and sender is C and way == DIRECT
    env |= {"DORA_TEST_STAYS": stays} if is_on_lane else {}
    flow = start(work, sender, ["stream_receiver"], way, env, DORA_TEST_GO=go)
    work.await_report("sender", "sent")
    settle()
    go.touch()
    if is_on_lane:
        wait_until(lambda: len(work.report("receiver", "chunk")) >= len(CHUNKS) - FLUSHES_AT, 20, "chunks are read")
        stays.touch()
    flow.wait(20)
    # What a flush forgets is not lost for want of room.
    check(work.only("receiver", "dropped") == "0", f"dropped were {work.report('receiver', 'dropped')}")
    return [int(line.split(" ")[0]) for line in work.report("receiver", "chunk")]


def check_flushed(work, sender, way):
    for _ in range(TRIES):
        numbers = run_flushed(work, sender, way)
        # On a busy machine the direct way may lose the flush, or what is behind it. That is another try, unless
        # there is a chunk that a flush left.
        is_lossy = way == DIRECT and (FLUSHES_AT not in numbers or numbers[0] == FLUSHES_AT)
        if not is_lossy or numbers == list(range(FLUSHES_AT, len(CHUNKS))):
            break
    check_chunks(work, FLUSHES_AT)


def test_flush_from_c(work):
    check_flushed(work, C, DIRECT)


def test_flush_from_c_over_the_daemon(work):
    check_flushed(work, C, DAEMON)


def test_flush_from_python(work):
    check_flushed(work, PYTHON, DIRECT)


def test_flush_from_python_over_the_daemon(work):
    check_flushed(work, PYTHON, DAEMON)


def test_flush_while_a_reply_is_awaited(work):
    """What the wait kept is forgotten too."""
    flushes, waited = work.path / "flushes", work.path / "waited"
    flow = start(work, C, ["stream_receiver"], DAEMON, sender_env={"DORA_TEST_GO": flushes}, DORA_TEST_WAITED=waited)
    work.await_report("sender", "interrupted")
    settle()
    flushes.touch()
    work.await_report("sender", "sent")
    settle()
    waited.touch()
    flow.wait(20)
    check_chunks(work, FLUSHES_AT)


def test_flush_when_a_reply_was_awaited(work):
    """What the wait kept is forgotten also when the flush comes behind it."""
    flushes, waited, go = work.path / "flushes", work.path / "waited", work.path / "go"
    flow = start(work, C, ["stream_receiver"], DAEMON, sender_env={"DORA_TEST_GO": flushes}, DORA_TEST_WAITED=waited,
                 DORA_TEST_GO=go)
    work.await_report("sender", "interrupted")
    settle()
    waited.touch()
    work.await_report("receiver", "waited")
    flushes.touch()
    work.await_report("sender", "sent")
    settle()
    go.touch()
    flow.wait(20)
    check_chunks(work, FLUSHES_AT)


main(
    test_c_to_python,
    test_python_to_c,
    test_flush_from_c,
    test_flush_from_c_over_the_daemon,
    test_flush_from_python,
    test_flush_from_python_over_the_daemon,
    test_flush_while_a_reply_is_awaited,
    test_flush_when_a_reply_was_awaited,
)
