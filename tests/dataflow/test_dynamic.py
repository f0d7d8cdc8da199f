"""Dynamic nodes: programs that somebody starts by hand, and that find their dataflow by the id of a node."""

import json
import socket
import subprocess

from harness import BIN, SCOUTING, Cluster, accepts, check, free_ports, main, node, wait_until

RELAYS = {"C": "dynamic_relay", "C++": "dynamic_relay_cpp"}
UNKNOWN, DAEMON, DIRECT = "0", "1", "2"
# Where the daemon of `dora up` listens for dynamic nodes, and what names another port.
DEFAULT_PORT, PORT = 53291, "DORA_DAEMON_LOCAL_LISTEN_PORT"
TICK = "dora/timer/millis/20"
ENOUGH = 10


def dynamic(id, source, outputs=("out",)):
    return {"id": id, "path": "dynamic", "inputs": {"in": source}, "outputs": list(outputs), "env": {}}


def peer(**echoes):
    """A Python node that sends texts, and reports what comes back."""
    return node("peer", "dynamic_peer.py", inputs={"tick": TICK, **echoes}, outputs=["out"])


def relayed():
    """The dynamic node "plot" that is to pass on what a Python node sends."""
    return [peer(echo="plot/out"), dynamic("plot", "peer/out")]


def port_of(cluster):
    return cluster.daemon.args[-1]


def start_by_hand(work, name, port=None, program="dynamic_relay", **env):
    """Starts a program that is to be the node "plot", and reports under a name of its own."""
    env = {"DORA_TEST_REPORT": str(work.path / f"{name}.report"), "DORA_TEST_NODE_ID": "plot", **env}
    if port is not None:
        env["DORA_TEST_DAEMON_PORT"] = str(port)
    return work.spawn(name, [str(BIN / program)], env)


def check_refused(work, name, run, *words, but_not=()):
    """Checks that a node could not begin, and that the sentence behind that names what it should."""
    check(run.process.wait(20) == 0, f"{name}: the program ended with {run.process.returncode}")
    status, _, sentence = work.only(name, "init").partition(" ")
    print(f"        {name}: {sentence}")
    check(status == "DORA_ERROR_INIT" and work.only(name, "node") == "NULL", f"{name}: init gave {status}")
    missing = [word for word in words if word not in sentence]
    wrong = [word for word in but_not if word in sentence]
    check(not missing and not wrong, f"{name}: the sentence lacks {missing}, and has {wrong}: {sentence}")
    known = ("init ", "init_ms ", "node ", "pool ", "threshold ")
    others = [line for line in work.report(name) if not line.startswith(known)]
    check(not others, f"{name}: the sentence goes on in further lines: {others}")


def echoes(work):
    return work.report("peer", "echo")


def wait_for_echoes(work, name):
    """Waits until texts came and went back by a relay."""
    before = len(echoes(work))
    wait_until(lambda: len(echoes(work)) >= before + ENOUGH, 20, f"texts come back by {name}")


def check_texts(work, *names):
    """Each text came back once, whole, in order, and by one of the relays."""
    found = echoes(work)
    numbers = [int(line.split(" ")[0]) for line in found]
    check(found == [f"{number} Grüße {number}" for number in numbers], f"what came back was {found[:3]} …")
    check(numbers == sorted(set(numbers)), f"what came back is doubled or out of order: {numbers}")
    passed = {line.split(" ", 2)[2] for name in names for line in work.report(name, "event")}
    strays = [number for number in numbers if f"{number} Grüße" not in passed]
    check(not strays, f"not by {names} came {strays}")


def check_stopped(work, name, run):
    check(run.process.wait(20) == 0, f"{name} ended with {run.process.returncode}")
    # Texts that were queued may follow.
    stops = [line for line in work.report(name, "event") if line.startswith("DORA_EVENT_STOP ")]
    check(len(stops) == 1, f"{name} read {stops}")
    check(work.only(name, "end") == "DORA_CLOSED", f"the reads of {name} ended with {work.only(name, 'end')}")
    check(work.report(name, "send") == [], f"sends of {name} gave {work.report(name, 'send')}")
    work.check_free(name)


def check_relay(work, program):
    cluster = Cluster(work)
    cluster.start(relayed())
    run = start_by_hand(work, "relay", port_of(cluster), program)
    wait_for_echoes(work, "relay")
    uuid = work.only("relay", "self").removeprefix("plot ")
    listed = subprocess.run(["dora", "list"], env=work.env, capture_output=True, text=True, timeout=20).stdout
    check(uuid in listed, f"the dataflow {uuid} is not listed: {listed}")
    check(work.report("relay", "input") == ["in peer/out"], f"the inputs are {work.report('relay', 'input')}")
    print(f"        ready in {work.only('relay', 'init_ms')} ms")
    cluster.dora("stop", "test")
    check_stopped(work, "relay", run)
    check_texts(work, "relay")


def test_a_dynamic_node_in_c(work):
    check_relay(work, RELAYS["C"])


def test_a_dynamic_node_in_cpp(work):
    check_relay(work, RELAYS["C++"])


def test_the_ways_of_its_outputs(work):
    cluster = Cluster(work)
    echoes = {"echo": "plot/out", "pinned": {"source": "plot/pinned", "queue_policy": "backpressure"}}
    cluster.start([peer(**echoes), dynamic("plot", "peer/out", outputs=["out", "pinned", "unused"])])
    start_by_hand(work, "relay", port_of(cluster))
    wait_for_echoes(work, "relay")
    ways = dict(line.split(" ") for line in work.report("relay", "output"))
    # A machine that is too busy makes dora settle on the other way; see test_transport.py.
    check(ways["out"] in (DAEMON, DIRECT), f"the ways are {ways}")
    check((ways["pinned"], ways["unused"]) == (DAEMON, UNKNOWN), f"the ways are {ways}")


def test_with_dora_up(work):
    """By the commands that a user gives, on the port that they have for themselves."""
    wait_until(lambda: not accepts(DEFAULT_PORT), 60, f"port {DEFAULT_PORT} is free for `dora up`")
    work.env |= {"DORA_COORDINATOR_PORT": str(free_ports(1)[0]), "HOME": str(work.path)}
    work.env.pop(SCOUTING)  # as users do; it finds no other test, for they do not

    def dora(*arguments):
        subprocess.run(["dora", *arguments], cwd=work.path, env=work.env, timeout=30, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    dora("up")
    dora("start", str(work.write_dataflow(relayed())), "--detach", "--name", "test")
    run = start_by_hand(work, "relay")
    wait_for_echoes(work, "relay")
    dora("stop", "test")
    check_stopped(work, "relay", run)
    check_texts(work, "relay")


def test_refusals(work):
    """Whatever a newcomer does in the wrong order, the sentence says what to do."""
    nobody = free_ports(1)[0]
    for name, program in RELAYS.items():
        check_refused(work, name, start_by_hand(work, name, nobody, program),
                      "no daemon", str(nobody), "plot", "dora up", "dora start")
    cluster = Cluster(work)
    port = port_of(cluster)
    check_refused(work, "no-dataflow", start_by_hand(work, "no-dataflow", port), "plot", "dora start")
    cluster.start(relayed())
    check_refused(work, "other-id", start_by_hand(work, "other-id", port, DORA_TEST_NODE_ID="wrong"),
                  "wrong", "path: dynamic")
    check_refused(work, "static-id", start_by_hand(work, "static-id", port, DORA_TEST_NODE_ID="peer"),
                  "peer", "path: dynamic")


def test_an_id_that_two_dataflows_have(work):
    cluster = Cluster(work)
    cluster.start(relayed())
    cluster.dora("start", str(work.path / "dataflow.yml"), "--detach", "--name", "second")
    check_refused(work, "ambiguous", start_by_hand(work, "ambiguous", port_of(cluster)),
                  "plot", "multiple dataflows", but_not=["has no dynamic node"])


def test_the_port_of_the_environment(work):
    nobody = str(free_ports(1)[0])
    check_refused(work, "refused", start_by_hand(work, "refused", **{PORT: nobody}), nobody, PORT)
    cluster = Cluster(work)
    cluster.start(relayed())
    run = start_by_hand(work, "named", **{PORT: port_of(cluster)})
    wait_for_echoes(work, "named")
    run.process.kill()
    start_by_hand(work, "option", port_of(cluster), **{PORT: nobody})
    wait_for_echoes(work, "option")


def test_a_port_of_something_else(work):
    Cluster(work)
    coordinator = work.env["DORA_COORDINATOR_PORT"]
    check_refused(work, "coordinator", start_by_hand(work, "coordinator", coordinator), coordinator, "daemon")


def test_a_port_that_does_not_answer(work):
    with socket.create_server(("127.0.0.1", 0)) as mute:
        run = start_by_hand(work, "mute", mute.getsockname()[1], "options_starter", DORA_TEST_INIT_TIMEOUT_MS="300")
        check(run.process.wait(20) == 0, f"the program ended with {run.process.returncode}")
    check(work.only("mute", "init") == "DORA_TIMEOUT", f"init gave {work.only('mute', 'init')}")
    check(float(work.only("mute", "init_ms")) >= 300, f"init took {work.only('mute', 'init_ms')} ms")


def test_it_comes_back(work):
    """After an end of each kind, the same id is there for the next."""
    cluster = Cluster(work)
    cluster.start(relayed())
    run = start_by_hand(work, "killed", port_of(cluster))
    wait_for_echoes(work, "killed")
    run.process.kill()
    run.process.wait()
    run = start_by_hand(work, "ended", port_of(cluster), DORA_TEST_COUNT=str(ENOUGH))
    check(run.process.wait(20) == 0, "the relay did not end by itself")
    wait_until(lambda: work.report("peer", "event") == ["INPUT_CLOSED echo"], 20, "the peer reads that it has ended")
    run = start_by_hand(work, "third", port_of(cluster))
    wait_for_echoes(work, "third")
    cluster.dora("stop", "test")
    check_stopped(work, "third", run)
    check_texts(work, "killed", "ended", "third")


def test_its_receivers_see_it_come_back(work):
    """dora tells them that it has gone, and nothing when it is there again but its messages."""
    cluster = Cluster(work)
    watcher = node("watcher", "identity_watcher", inputs={"in": "plot/out", "tick": TICK},
                   env={"DORA_TEST_DONE": work.path / "done"})
    cluster.start([*relayed(), watcher])
    run = start_by_hand(work, "first", port_of(cluster), DORA_TEST_COUNT=str(ENOUGH))
    check(run.process.wait(20) == 0, "the relay did not end by itself")

    def states(kind):
        return [line.split(" ")[-1] for line in work.report("watcher", "event") if line.split(" ")[0] == kind]

    wait_until(lambda: states("DORA_EVENT_INPUT_CLOSED") == ["in:2"], 20, "the watcher reads that it has ended")
    start_by_hand(work, "second", port_of(cluster))
    before = len(states("DORA_EVENT_INPUT"))
    wait_until(lambda: len(states("DORA_EVENT_INPUT")) >= before + ENOUGH, 20, "the watcher reads messages again")
    check(states("DORA_EVENT_INPUT")[-1] == "in:1", "messages come again, and their input is closed all the same")


def test_started_twice(work):
    """dora takes a second one, which is the node from then on. The first is forgotten, and gets no stop."""
    cluster = Cluster(work)
    cluster.start(relayed())
    first = start_by_hand(work, "first", port_of(cluster))
    wait_for_echoes(work, "first")
    second = start_by_hand(work, "second", port_of(cluster))
    wait_until(lambda: len(work.report("second", "event")) >= ENOUGH, 20, "the second reads texts")
    first.process.kill()
    wait_for_echoes(work, "second")
    cluster.dora("stop", "test")
    check_stopped(work, "second", second)


def start_pair(work, **env):
    cluster = Cluster(work)
    cluster.start([peer(echo="right/out"), dynamic("left", "peer/out"), dynamic("right", "left/out")])
    return cluster, start_by_hand(work, "pair", port_of(cluster), "dynamic_pair", **env)


def test_two_in_one_process(work):
    cluster, run = start_pair(work)
    wait_for_echoes(work, "the pair")
    cluster.dora("stop", "test")
    check(run.process.wait(20) == 0, f"the program ended with {run.process.returncode}")
    ids, dataflows = zip(*(line.split(" ") for line in work.report("pair", "self")))
    check(ids == ("left", "right") and len(set(dataflows)) == 1, f"they are {work.report('pair', 'self')}")
    ends = sorted(work.report("pair", "end"))
    check(ends == ["left DORA_CLOSED", "right DORA_CLOSED"], f"their reads ended with {ends}")
    numbers = [int(line.split(" ")[0]) for line in echoes(work)]
    check(numbers == sorted(set(numbers)), f"what came back is doubled or out of order: {numbers}")
    work.check_free("pair")


def check_one_of_two_ends(work, leaves, stays):
    cluster = Cluster(work)
    cluster.start([peer(left="left/out", right="right/out"), dynamic("left", "peer/out"), dynamic("right", "peer/out")])
    run = start_by_hand(work, "pair", port_of(cluster), "dynamic_pair", DORA_TEST_LEAVES=leaves)
    work.await_report("pair", "free_ms")
    check(work.report("pair", "end") == [f"{leaves} DORA_OK"], f"their reads ended with {work.report('pair', 'end')}")
    wait_until(lambda: f"INPUT_CLOSED {leaves}" in work.report("peer", "event"), 20, "its receiver reads that it has ended")
    wait_for_echoes(work, stays)
    cluster.dora("stop", "test")
    check(run.process.wait(20) == 0, f"the program ended with {run.process.returncode}")
    ends = work.report("pair", "end")
    check(ends == [f"{leaves} DORA_OK", f"{stays} DORA_CLOSED"], f"their reads ended with {ends}")
    work.check_free("pair")


def test_the_first_of_two_ends(work):
    check_one_of_two_ends(work, "left", "right")


def test_the_second_of_two_ends(work):
    check_one_of_two_ends(work, "right", "left")


def test_twice_in_one_process(work):
    """The daemon would not tell them apart: the end of one would be that of the other."""
    cluster, run = start_pair(work, DORA_TEST_AGAIN="1")
    again = work.await_report("pair", "again")
    check(again.startswith("DORA_ERROR_INIT ") and "left" in again, f"a second init as the same node gave {again}")
    wait_for_echoes(work, "the pair")
    cluster.dora("stop", "test")
    check(run.process.wait(20) == 0, f"the program ended with {run.process.returncode}")


def test_one_program_in_every_role(work):
    script = {"id": "alone", "events": [
        {"type": "Input", "id": "in", "time_offset_secs": 0.01, "data": ["scripted"], "data_type": "Utf8"},
        {"type": "Stop", "time_offset_secs": 0.1},
    ]}
    (work.path / "inputs.json").write_text(json.dumps(script))
    for name, program in RELAYS.items():
        # Over the daemon, since the direct way may lose the last message of a node on a busy machine.
        source, given = ({"source": f"{id}/out", "queue_policy": "backpressure"} for id in ("sender", "given"))
        work.run([node("given", program, inputs={"in": source}, outputs=["out"],
                       env={"DORA_TEST_NODE_ID": "plot", "DORA_TEST_DAEMON_PORT": free_ports(1)[0]}),
                  node("sender", "identity_sender", outputs=["out"], env={"DORA_TEST_COUNT": 3}),
                  node("tally", "tally", inputs={"in": given})], timeout=30)
        run = start_by_hand(work, name, free_ports(1)[0], program,
                            DORA_TEST_WITH_INPUTS=str(work.path / "inputs.json"),
                            DORA_TEST_WRITE_OUTPUTS_TO=str(work.path / f"{name}.jsonl"))
        check(run.process.wait(20) == 0, f"{name} ended with {run.process.returncode}")
        check(work.only(name, "self").startswith("test-node "), f"alone it is {work.only(name, 'self')}")
        sent = [json.loads(line)["data"] for line in (work.path / f"{name}.jsonl").read_text().splitlines()]
        check(sent == [["scripted"]], f"alone it sent {sent}")
    ids = [line.split(" ")[0] for line in work.report("given", "self")]
    check(ids == ["given", "given"], f"where dora starts it, it is {ids}")
    received = work.report("tally", "input")
    check(received == [f"in u 1 0-{number}" for number in range(3)] * 2, f"received was {received}")


def test_the_daemon_is_lost(work):
    cluster = Cluster(work)
    cluster.start(relayed())
    run = start_by_hand(work, "relay", port_of(cluster))
    wait_for_echoes(work, "relay")
    cluster.daemon.kill()
    check(run.process.wait(20) == 0, f"the program ended with {run.process.returncode}")
    last = work.report("relay", "event")[-1]
    check(last.startswith("DORA_EVENT_ERROR - the connection to the daemon is lost"), f"the last event was {last}")
    check(work.only("relay", "end") == "DORA_CLOSED", f"the reads ended with {work.only('relay', 'end')}")
    work.check_free("relay")


main(
    test_a_dynamic_node_in_c,
    test_a_dynamic_node_in_cpp,
    test_the_ways_of_its_outputs,
    test_with_dora_up,
    test_refusals,
    test_an_id_that_two_dataflows_have,
    test_the_port_of_the_environment,
    test_a_port_of_something_else,
    test_a_port_that_does_not_answer,
    test_it_comes_back,
    test_its_receivers_see_it_come_back,
    test_started_twice,
    test_two_in_one_process,
    test_the_first_of_two_ends,
    test_the_second_of_two_ends,
    test_twice_in_one_process,
    test_one_program_in_every_role,
    test_the_daemon_is_lost,
)
