"""Services and actions between C and Python nodes, compared message by message."""

from harness import check, main, node
from pattern_checks import (DAEMON, DIRECT, TICK, check_lines, check_nothing_wrong, check_requests, check_status,
                            dropped, numbers_from, read_from, source)

# In which order the servers answer, and how many messages come besides.
ORDER, DATA, FEEDBACK = [3, 0, 5, 4, 2, 1], 20, 5


def run_service(work, client, server, way, between):
    """Runs a client and a server, with a feeder of data and a clock between for one of them."""
    inputs = {"client": {"reply": source("server/reply", way)}, "server": {"request": source("client/request", way)}}
    inputs[between] |= {"data": source("feeder/out", DAEMON, 100), "tick": TICK}
    client_env, server_env = {"DORA_TEST_COUNT": DATA}, {}
    if way == DAEMON:
        server_env["DORA_TEST_ORDERED"] = 1
    else:
        # dora's direct way drops what comes too fast.
        client_env["DORA_TEST_ONE_BY_ONE"] = 1
    work.run(
        [
            node("client", *client, inputs=inputs["client"], outputs=["request"], env=client_env),
            node("server", *server, inputs=inputs["server"], outputs=["reply"], env=server_env),
            node("feeder", "feeder", outputs=["out"], env={"DORA_TEST_COUNT": DATA, "DORA_TEST_ENDS": 1}),
        ],
        timeout=30,
    )


def check_c_client(work, way):
    run_service(work, ["pattern_client"], ["pattern_peer.py", "serves"], way, between="client")
    check_nothing_wrong(work, "client")
    ids = check_requests(work, 8)
    awaited = [0, 1, 3, 4, 5]
    check_status(work, "client", "reply", *["DORA_OK"] * len(awaited))
    check_lines(work, "client", "reply-event", [f"reply {n * n} {ids[n]} - 0" for n in awaited])
    check_lines(work, "client", "polled-event", [f"reply 36 {ids[6]} - 0"])
    for key in ("again", "silent", "zero"):
        check_status(work, "client", key, "DORA_TIMEOUT")
    check_lines(work, "client", "unchanged", [""])
    silent_ms, zero_ms = (float(work.only("client", key)) for key in ("silent_ms", "zero_ms"))
    check(300 <= silent_ms < 5000, f"a timeout of 300 ms took {silent_ms} ms")
    check(zero_ms < 1000, f"a timeout of 0 took {zero_ms} ms")

    check(numbers_from(work, "data") == list(range(DATA)), f"the data was {numbers_from(work, 'data')}")
    check(read_from(work, "reply") == [f"4 {ids[2]} - 0"],
          f"replies that were not awaited: {read_from(work, 'reply')}")
    ticks, lost = numbers_from(work, "tick"), dropped(work)
    check(len(ticks) >= 10 and ticks == sorted(set(ticks)), f"the times of the ticks are {ticks}")
    check(lost["reply"] == 0 and lost["data"] == 0, f"dropped were {lost}")
    print(f"        {work.only('client', 'polls')} looks were in vain; behind the replies {DATA} of data were read "
          f"and {len(ticks)} ticks, of which {lost['tick']} were dropped before")


def test_c_client_and_python_server(work):
    check_c_client(work, DAEMON)


def test_c_client_and_python_server_one_by_one(work):
    check_c_client(work, DIRECT)


def check_c_server(work, way):
    run_service(work, ["pattern_peer.py", "asks"], ["pattern_server"], way, between="server")
    check_nothing_wrong(work, "server")
    ids = check_requests(work, 6)
    order = ORDER if way == DAEMON else sorted(ORDER)
    check_lines(work, "client", "reply", [f"reply {n * n} {ids[n]} - -" for n in order])
    check_status(work, "server", "unasked", "DORA_ERROR_NOT_FOUND", "DORA_ERROR_WRONG_TYPE")


def test_python_client_and_c_server(work):
    check_c_server(work, DAEMON)


def test_python_client_and_c_server_one_by_one(work):
    check_c_server(work, DIRECT)


def run_action(work, client, server, **more_env):
    env = {"DORA_TEST_COUNT": FEEDBACK, **more_env}
    work.run(
        [
            node("client", *client, inputs={"answer": source("server/answer", DAEMON)}, outputs=["goal", "cancel"],
                 env=env),
            node("server", *server, inputs={id: source(f"client/{id}", DAEMON) for id in ("goal", "cancel")},
                 outputs=["answer"], env=env),
        ],
        timeout=30,
    )
    check_nothing_wrong(work, "client", "server")
    sent, received = work.report("client", "goal"), work.report("server", "goal")
    check(sent == received and len(sent) == 3, f"sent were the goals {sent}, and received {received}")
    goals = [line.partition(" ")[2] for line in sent]
    check(len(set(goals)) == 3, f"the ids of the goals are {goals}")
    for id in ("client", "server"):
        check_lines(work, id, "canceled", [goals[2]])
    return goals


def test_c_client_and_python_action(work):
    goals = run_action(work, ["pattern_goals"], ["pattern_peer.py", "acts"])
    check_status(work, "client", "result", *["DORA_OK"] * 3)
    results = [f"answer {100 + goal} - {id} {status}" for goal, (id, status) in enumerate(zip(goals, (1, 2, 3)))]
    check_lines(work, "client", "result-event", results)
    feedback = [f"{number} - {goal} 0" for number in range(FEEDBACK) for goal in goals]
    expected = [*feedback, f"{FEEDBACK} - {goals[0]} 0"]
    check(read_from(work, "answer") == expected, f"the feedback was {read_from(work, 'answer')}, not {expected}")


def test_python_client_and_c_action(work):
    goals = run_action(work, ["pattern_peer.py", "pursues"], ["pattern_actor"])
    feedback = [f"answer {number} - {goal} -" for number in range(FEEDBACK) for goal in goals]
    results = [f"answer {100 + goal} - {goals[goal]} {status}"
               for goal, status in ((1, "aborted"), (0, "succeeded"), (2, "canceled"))]
    check_lines(work, "client", "answer", feedback + results)


def test_feedback_behind_the_result_of_another_goal(work):
    """The server makes the metadata of both with one object."""
    goals = run_action(work, ["pattern_peer.py", "pursues"], ["pattern_actor"], DORA_TEST_MORE=1)
    more = [line for line in work.report("client", "answer") if line.split(" ")[1] == "99"]
    check(more == [f"answer 99 - {goals[0]} -"], f"further feedback arrived as {more}")


main(
    test_c_client_and_python_server,
    test_c_client_and_python_server_one_by_one,
    test_python_client_and_c_server,
    test_python_client_and_c_server_one_by_one,
    test_c_client_and_python_action,
    test_python_client_and_c_action,
    test_feedback_behind_the_result_of_another_goal,
)
