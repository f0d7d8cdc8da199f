"""The server of a request fails, and dora starts it anew."""

from harness import check, main, wait_until
from pattern_checks import (check_lines, check_nothing_wrong, check_status, client, read_from, requests, server,
                            settle)


def run_restarted(work, program, *, await_go=False, **env):
    go = work.path / "go"
    env |= {"DORA_TEST_GO": go} if await_go else {}
    flow = work.start([client("pattern_retrier", **env),
                       server(*program, env={"DORA_TEST_ENDS": 1}, restart_policy="on-failure")])
    if await_go:
        work.await_report("client", "request")
        wait_until(lambda: work.report("server", "run") == ["0", "1"], 20, "the server is restarted")
        settle()
        go.touch()
    flow.wait(30)
    check_nothing_wrong(work, "client")
    check_lines(work, "server", "run", ["0", "1"])
    restarts = read_from(work, "DORA_EVENT_NODE_RESTARTED")
    check(restarts == ["server"], f"the client read {work.report('client', 'event')}")
    anew = work.report("client", "anew")
    check(anew[-1] == "DORA_OK" and set(anew[:-1]) <= {"DORA_TIMEOUT"}, f"the later waits gave {anew}")
    last = max(requests(work, "client").items())
    check_lines(work, "client", "anew-event", [f"reply {last[0] ** 2} {last[1]} - 0"])
    print(f"        answered was request {len(anew)} behind the restart")


def check_server_restarted(work, count):
    check_status(work, "client", "reply", *["DORA_ERROR_SERVER_RESTARTED"] * count)
    for number, line in enumerate(work.report("client", "reply")):
        for word in ("server", requests(work, "client")[number]):
            check(f'"{word}"' in line, f"the sentence does not name {word}: {line}")


def test_the_c_server_is_restarted(work):
    run_restarted(work, ["pattern_server"])
    check_server_restarted(work, 1)


def test_the_python_server_is_restarted(work):
    run_restarted(work, ["pattern_peer.py", "serves"])
    check_server_restarted(work, 1)


def test_the_restart_is_read_later(work):
    """What tells of the restart waits to be read meanwhile, and ends no wait for a request behind it."""
    run_restarted(work, ["pattern_server"], DORA_TEST_ASKS_FIRST=1)
    check_server_restarted(work, 1)


def test_a_restart_loses_every_request_under_way(work):
    run_restarted(work, ["pattern_server"], DORA_TEST_REQUESTS=2)
    check_server_restarted(work, 2)


def test_a_server_that_is_not_named_is_restarted(work):
    run_restarted(work, ["pattern_server"], await_go=True)
    check_status(work, "client", "reply", "DORA_TIMEOUT")


main(
    test_the_c_server_is_restarted,
    test_the_python_server_is_restarted,
    test_the_restart_is_read_later,
    test_a_restart_loses_every_request_under_way,
    test_a_server_that_is_not_named_is_restarted,
)
