#!/usr/bin/env python3
"""Fails every verb in every way: k-th allocation, k-th write, a stream that cannot be written.

Usage: faults.py allocations|writes|streams ANTIPODE SHIM

SHIM is built from fail.cpp. A first run of each command counts; the others fail the k-th call.
Where there are many, k is spread over them: FAULTS_EACH=200 tries more. A failure is absorbed
(exit 0), said (exit 4 and a message) or ends a computation that can be resumed (exit 5). There is
no signal, no hang, no leftover; a target holds what it held before or all of its new contents; a
checkpoint can be resumed. Exits with 77 where calls cannot be counted.
"""

import gzip
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

LINES = (Path(__file__).parent / "commands.txt").read_text().splitlines()
COMMANDS = [line for line in LINES if line and not line.startswith("#")]
# What these do without memory is not ours; nor what the dynamic linker does while it opens them.
NO_DRIVERS = {"OCL_ICD_VENDORS": "/nowhere", "ANTIPODE_OPENCL_LIBRARY": "/nowhere"}
OLD = b"what was there before\n"
TIMEOUT = 60
WITHOUT_ENGINE = ("golf", "engines", "info", "generate", "convert", "verify", "help")
ALL_BELOW = 300  # allocations: all of them are tried where there are so few behind the options
ANSWERS = ("value", "lower", "upper", "distribution", "checksum", "diameter", "average")
STREAMS = ("2>/dev/full", "2>&-", ">/dev/full", ">&-")


@dataclass
class Run:
    code: object  # a number, or what happened instead
    out: bytes = b""
    err: bytes = b""
    files: dict = field(default_factory=dict)  # left in its folder, but for the checkpoint
    resumed: object = None  # the run from the checkpoint it left
    counts: tuple = None  # allocations and writes


def make_inputs(program, folder):
    def antipode(command):
        subprocess.run([program, *command.split()], cwd=folder, check=True, capture_output=True)

    folder.mkdir()
    for name in ("g.txt", "g.apg", "g.mtx"):
        antipode(f"convert gen:karate {name}")
    antipode("diameter g.txt --certificate proof.json")
    antipode("golf search --order 64 --degree 4 --steps 5 --chains 1 --output new.part")
    text = (folder / "g.txt").read_bytes()
    proof = (folder / "proof.json").read_text()
    (folder / "g.txt.gz").write_bytes(gzip.compress(text))
    if shutil.which("zstd"):
        text = subprocess.run(["zstd", "-c"], input=text, capture_output=True, check=True).stdout
    (folder / "g.txt.zst").write_bytes(text)
    (folder / "g.graphml").write_text(GRAPHML)
    (folder / "g.net").write_text("*Vertices 3\n1 \"a\"\n2 \"b\"\n3 \"c\"\n*Edges\n1 2\n2 3\n")
    (folder / "g.csv").write_text("from,to,weight\na,b,2\nb,c,3\n")
    (folder / "g.json").write_text('{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}')
    (folder / "web.properties").write_text(
        "version=0\ngraphclass=it.unimi.dsi.webgraph.BVGraph\nnodes=6\narcs=12\nwindowsize=7\nminintervallength=4\n")
    (folder / "web.graph").write_bytes(bytes.fromhex("7dc5d9a926929215da15a2"))
    (folder / "web.offsets").write_bytes(bytes.fromhex("8d141009044280"))
    (folder / "parts.txt").write_text("1 2\n2 3\n10 11\n11 12\n12 13\n")
    (folder / "names.txt").write_text("anna bert\nbert carl\ncarl anna\n")
    (folder / "sources").write_text("1\n2\n3\n")
    (folder / "wrong.json").write_text(proof.replace('"value": 5', '"value": 4'))


GRAPHML = """<?xml version="1.0"?><graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/>
<node id="c"/><edge source="a" target="b"/><edge source="b" target="c"/></graph></graphml>
"""


class Program:
    def __init__(self, program, shim, folder):
        self.program, self.shim, self.folder = program, shim, Path(folder)
        make_inputs(program, self.folder / "in")

    def run(self, command, failing=None, redirected=""):
        """Runs a command in a folder of its own, under the shim if `failing` are its variables."""
        arguments = [word.replace("IN/", f"{self.folder}/in/") for word in command.split()]
        if arguments[0] not in WITHOUT_ENGINE:
            arguments += ["--engine", "cpu"]
        with tempfile.TemporaryDirectory(dir=self.folder) as place:
            work, count = Path(place) / "work", Path(place) / "count"
            work.mkdir()
            for word in arguments:
                if word.startswith("new.") or word == "proof.json":
                    (work / word).write_bytes(OLD)
            start = ["bash", "-c", f'exec "$@" {redirected}', "bash"] if redirected else []
            if failing is not None:
                failing = {**failing, "LD_PRELOAD": self.shim, "FAIL_COUNT": count}
                start += ["env", *(f"{key}={value}" for key, value in failing.items())]
            try:
                run = self.start([*start, self.program, *arguments], work)
                run.files = {file.name: file.read_bytes() for file in work.iterdir()}
                if run.files.pop("state", None) is not None:
                    for name in [name for name in run.files if ".partial-" in name]:
                        del run.files[name]
                    run.resumed = self.start([self.program, *arguments, "--resume"], work)
            except subprocess.TimeoutExpired:
                return Run("a hang")
            if count.exists() and count.stat().st_size == 16:
                run.counts = struct.unpack("QQ", count.read_bytes())
        return run

    @staticmethod
    def start(words, folder):
        environment = {**os.environ, **NO_DRIVERS}
        done = subprocess.run(
            words, cwd=folder, capture_output=True, timeout=TIMEOUT, env=environment
        )
        return Run(done.returncode, done.stdout, done.stderr)


def answer(run):
    """What must not differ from run to run."""
    try:
        found = json.loads(run.out)
        return {key: found[key] for key in ANSWERS if key in found}
    except (ValueError, AttributeError, TypeError):
        return run.out != b""


def is_whole(name, contents, usual):
    if contents in (OLD, usual):
        return True
    if name == "new.part":  # written whenever there is a better one
        is_part = contents.startswith(b"antipode part")
        return is_part and contents.count(b"\n") == usual.count(b"\n")
    if name == "new.html":  # it tells times
        return contents.startswith(b"<!doctype html>") and contents.endswith(b"</html>\n")
    try:
        return name == "proof.json" and "facts" in json.loads(contents)  # it depends on the clock
    except ValueError:
        return False


def problems(run, usual, codes):
    """What is wrong with a run, given the usual one and the exit codes allowed."""
    if run.code not in codes:
        return [f"exit code {run.code}, files {', '.join(run.files)}"]
    result = []
    if run.code == usual.code and answer(run) != answer(usual):
        result.append("another answer")
    if run.resumed is not None and run.resumed.code != 0:
        said = run.resumed.err.decode().strip().splitlines()[-1:]
        result.append(f"exit code {run.resumed.code} of --resume: {' '.join(said)}")
    elif run.resumed is not None and answer(run.resumed) != answer(usual):
        result.append("another answer of --resume")
    for name in {*run.files, *usual.files}:
        contents = run.files.get(name)
        if name not in usual.files:
            result.append(f"{name} is left")
        elif contents is None:
            result.append(f"{name} is gone")
        elif not is_whole(name, contents, usual.files[name]):
            result.append(f"{name} is neither old nor whole")
        elif run.code == 0 and contents == OLD:
            result.append(f"{name} is not written")
    return result


def spread(first, last, most):
    """Numbers from first to last, all or `most` of them at even distances."""
    count = last - first + 1
    if count <= most:
        return range(first, last + 1)
    return sorted({first + (count - 1) * i // (most - 1) for i in range(most)})


def failures(what, counts, parsed, most):
    """The variables of all runs of a command that fail something in it."""
    if what == "writes":
        ks = spread(1, counts[1], max(2, most // 2))
        ways = (("ENOSPC", 1), ("EIO", 0))
        return [
            {"FAIL_WRITE": k, "FAIL_ERRNO": name, "FAIL_ALL": all_}
            for k in ks
            for name, all_ in ways
        ]
    # Most allocations are those of the options, the same in every verb: a fifth of the runs.
    few = max(2, most // 5)
    behind = counts[0] - parsed
    ks = [*spread(1, parsed, few), *spread(parsed + 1, counts[0], behind if behind < ALL_BELOW else most - few)]
    return [{"FAIL_ALLOC": k, "FAIL_ALL": i % 2} for i, k in enumerate(ks)]


def usual_runs(program, pool, failing):
    for command, run in zip(COMMANDS, pool.map(lambda each: program.run(each, failing), COMMANDS)):
        if run.code != (6 if "wrong" in command else 0):
            sys.exit(f"{command}: exit code {run.code} when nothing fails: {run.err.decode()}")
        yield command, run


def stream_trials(program, pool):
    for command, usual in usual_runs(program, pool, None):
        for redirected in STREAMS:
            says_nothing = redirected.startswith("2") or not usual.out
            codes = {usual.code if says_nothing else 4}
            yield f"{command} {redirected}", usual, codes, (command, None, redirected)


def failure_trials(what, program, pool):
    parsed = program.run("engines --version", {}).counts
    if parsed is None:
        print("calls cannot be counted on this machine: no seccomp")
        sys.exit(77)
    most = int(os.environ.get("FAULTS_EACH", "25"))
    for command, usual in usual_runs(program, pool, {}):
        for failing in failures(what, usual.counts, parsed[0], most):
            name = " ".join(f"{key}={value}" for key, value in failing.items())
            yield f"{name} {command}", usual, {usual.code, 0, 4, 5}, (command, failing)


def main():
    what, program, shim = sys.argv[1], *map(os.path.abspath, sys.argv[2:4])
    passed = failed = warned = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        program = Program(program, shim, folder)
        trials = (
            stream_trials(program, pool)
            if what == "streams"
            else failure_trials(what, program, pool)
        )
        started = [
            (name, usual, codes, pool.submit(program.run, *how))
            for name, usual, codes, how in trials
        ]
        for name, usual, codes, future in started:
            run = future.result()
            wrong = problems(run, usual, codes)
            if run.code == 4 and "2>" not in name and b"antipode: " not in run.err:
                wrong.append("no message")
            if b"warning: no checkpoint" in run.err:
                warned += 1
                if "FAIL_ALL=0" in name and run.code != 0:
                    wrong.append("ends although one checkpoint only could not be written")
            if wrong:
                print(f"{name}: {'; '.join(wrong)}")
            failed, passed = failed + bool(wrong), passed + (not wrong)
    print(f"{passed} passed, {failed} failed, {warned} without a checkpoint")
    return 1 if failed or not passed or (what == "writes" and not warned) else 0


if __name__ == "__main__":
    sys.exit(main())
