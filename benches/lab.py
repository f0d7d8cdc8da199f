"""Runs a source and its sinks once, and reads what they reported."""

import array
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import uuid

from sides import BUILD, NODES

#: The shared memory of a source that sends frames; it holds three of the largest. Everything else, and the case that
#: says so, has dora's default of 8 MiB.
POOL = "256MB"


class Failure(Exception):
    """Why a run gave nothing."""


class Run:
    """What the nodes of a run reported: figures by name, and pairs of times by sink."""

    def __init__(self, directory, sinks):
        self.source = read_report(directory / "source.report")
        self.sinks = [read_report(directory / f"{sink}.report") for sink in sinks]
        self.samples = [read_samples(directory / f"{sink}.samples") for sink in sinks]

    @property
    def sink(self):
        return self.sinks[0]

    def check(self, window_s):
        """Refuses what is not a measurement of a whole window."""
        for sink in self.sinks:
            if sink["torn"]:
                raise Failure(f"{sink['torn']} messages were torn")
            if not sink["received"]:
                raise Failure("no message arrived")
            if abs(sink["window_ns"] / 1e9 - window_s) > 0.25:
                raise Failure(f"the window was {sink['window_ns'] / 1e9:.2f} s, not {window_s} s")
        return self


def read_report(path):
    if not path.exists():
        return None
    figures = {}
    for line in path.read_text().splitlines():
        key, value, *_ = line.replace(":", " ").split()
        figures[key] = int(value)
    return figures


def read_samples(path):
    """Pairs of when a message was begun and when it could be read."""
    times = array.array("q")
    if path.exists():
        times.frombytes(path.read_bytes())
    return list(zip(times[::2], times[1::2]))


class Lab:
    """A directory for runs."""

    def __init__(self):
        self.directory = BUILD / "run"
        self.env = {
            key: value for key, value in os.environ.items() if not key.startswith(("DORA_", "ZENOH_", "BENCH_"))
        }
        self.env |= {"NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(NODES / "dora")}

    def begin(self):
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)

    def plan(self, size, interval_s, warm_up_s, window_s, samples, more):
        plan = {
            "BENCH_SIZE": size,
            "BENCH_INTERVAL_NS": round(interval_s * 1e9),
            "BENCH_WARM_UP_NS": round(warm_up_s * 1e9),
            "BENCH_WINDOW_NS": round(window_s * 1e9),
            "BENCH_SAMPLES": samples,
        }
        return {key: str(value) for key, value in (plan | more).items()}

    def run(
        self,
        side,
        *,
        size=64,
        interval_s=0.001,
        warm_up_s=0.5,
        window_s=1.0,
        sinks=1,
        samples=0,
        pool=None,
        queue_size=None,
        **more,
    ):
        """One source and some sinks of a side, for a warm-up and a window."""
        self.begin()
        plan = self.plan(size, interval_s, warm_up_s, window_s, samples, more)
        names = [f"sink-{number}" for number in range(sinks)]
        data = {"source": "source/data"} | ({"queue_size": queue_size} if queue_size else {})
        programs = [
            ("source", side.source, {"outputs": ["data"]} | ({"shared_memory_pool_size": pool} if pool else {}))
        ]
        programs += [(name, side.sink, {"inputs": {"data": data}}) for name in names]
        limit_s = 30 + 3 * (warm_up_s + window_s)
        if side.is_node:
            self.run_dataflow([self.node(side, *program, plan) for program in programs], limit_s)
        else:
            self.run_processes(side, programs, plan | {"BENCH_SINKS": str(sinks)}, limit_s)
        return Run(self.directory, names).check(window_s)

    def run_alone(self, side, program, inputs, **more):
        """One node of a side, stamped with the time at which it was started."""
        self.begin()
        node = self.node(
            side, "node", program, {"inputs": inputs}, {key: str(value) for key, value in more.items()}
        )
        node["env"]["BENCH_PROGRAM"] = node["path"]
        node["path"] = str(BUILD / "bin" / "stamp")
        self.run_dataflow([node], 60)
        return read_report(self.directory / "node.report")

    def run_loop(self, side, controller, plant, **more):
        """A controller and a plant; what the controller reported, and its samples."""
        self.begin()
        env = {key: str(value) for key, value in more.items()}
        nodes = [
            self.node(side, "controller", controller, {"inputs": {"in": "plant/state"}, "outputs": ["setpoint"]}, env),
            self.node(side, "plant", plant, {"inputs": {"in": "controller/setpoint"}, "outputs": ["state"]}, env),
        ]
        self.run_dataflow(nodes, 120)
        samples = read_samples(self.directory / "controller.samples")
        if not samples:
            raise Failure("the controller reported nothing")
        return read_report(self.directory / "controller.report"), samples

    def node(self, side, name, program, fields, env):
        path, arguments = side.command(program)
        env = env | self.files(name) | side.env
        args = {"args": " ".join(arguments)} if arguments else {}
        return {"id": name, "path": path, "env": env, **args, **fields}

    def files(self, name):
        return {
            "BENCH_REPORT": str(self.directory / f"{name}.report"),
            "BENCH_SAMPLES_FILE": str(self.directory / f"{name}.samples"),
        }

    def run_dataflow(self, nodes, limit_s):
        dataflow = self.directory / "dataflow.yml"
        # Every JSON text is YAML.
        dataflow.write_text(json.dumps({"nodes": nodes}, indent=1))
        log = self.directory / "dora.log"
        with log.open("wb") as output:
            process = self.spawn(["dora", "run", str(dataflow)], self.env, output)
            wait_for([process], limit_s, log)

    def run_processes(self, side, programs, plan, limit_s):
        ring = f"/libdora-bench-{uuid.uuid4().hex}"
        log = self.directory / "processes.log"
        try:
            with log.open("wb") as output:
                processes = [
                    self.spawn(
                        [side.command(program)[0]],
                        self.env | plan | self.files(name) | {"BENCH_RING": ring},
                        output,
                    )
                    for name, program, _ in programs
                ]
                wait_for(processes, limit_s, log)
        finally:
            pathlib.Path("/dev/shm" + ring).unlink(missing_ok=True)

    def spawn(self, command, env, output):
        return subprocess.Popen(
            command,
            cwd=self.directory,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def wait_for(processes, limit_s, log):
    """Waits for processes to end well; on failure they and what they started are ended."""
    try:
        for process in processes:
            if process.wait(limit_s) != 0:
                raise Failure(f"the run ended with {process.returncode}")
    except (Failure, subprocess.TimeoutExpired) as failure:
        raise Failure(f"{reason(log) or failure}\n{tail(log)}") from None
    finally:
        for process in processes:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def reason(log):
    """What a node of the benchmark said for itself, without what dora puts in front of it."""
    said = [line.partition("bench: ")[2] for line in log.read_text(errors="replace").splitlines()]
    return next(filter(None, said), None)


def tail(path, lines=15):
    return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
