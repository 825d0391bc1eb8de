#!/usr/bin/env python3
"""Signals and time limits while the program reads, builds, generates, converts, verifies, computes.

Usage: signals.py ANTIPODE

Every run ends with exit code 5 and leaves nothing behind but a checkpoint that --resume accepts.
The bound on the time only guards against a hang, since the machine may be busy: what is bounded is
the processor time that a run takes after its signal.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SIGNALS = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM, "SIGHUP": signal.SIGHUP}
MOST_CPU = 0.5  # seconds of each processor, from the signal to the end
HANG = 10  # seconds from the signal, or from the time limit, to the end
KILLED = "still running"
FINISHED, EARLY = None, "too early"

# name: (command, what feeds it). STDIN is a pipe that stays open; FIFO one with a name; PROOF a
# certificate that takes long to verify, LIST a list that takes long to parse. "unread": a FIFO is
# written that nothing reads.
RUNS = {
    "reading a silent stdin": ("info -", "silent"),
    "reading a slow stdin": ("diameter -", "slow"),
    "reading a FIFO": ("info FIFO", "fifo"),
    "verifying a FIFO": ("verify FIFO gen:karate", "fifo"),
    "parsing a certificate": ("verify LIST gen:karate", None),
    "generating": ("info gen:rmat?scale=21", None),
    "generating to a file": ("generate gen:rmat?scale=21 new.apg", None),
    "converting": ("convert BIG new.txt", None),
    "building": ("diameter BIG", None),
    "reading Pajek": ("info BIG.net", None),
    "reading JSON": ("info BIG.json", None),
    "reading binary neighbour lists": ("info BIG.egr", None),
    "reading a part": ("info BIG.part", None),
    "golf on a FIFO": ("golf evaluate FIFO", "fifo"),
    "golf from a FIFO": ("golf search --order 9 --degree 3 --start FIFO", "fifo"),
    "placing points": ("info gen:geometric?n=60000000&degree=3", None),
    "a plane": ("info gen:plane?degree=1010", None),
    "a wide torus": ("info gen:torus?rows=3&cols=40000000", None),
    "a wide grid": ("info gen:grid?rows=1&cols=100000000", None),
    "reordering": ("bfs gen:grid?rows=1200&cols=1200 --order rcm", None),
    "estimating what is generated": (
        "generate gen:geometric?n=30000000 new.apg --estimate",
        None,
    ),
    "one long search": ("betweenness gen:grid?rows=1500&cols=1500 --samples 1", None),
    "writing to a stalled pipe": ("convert BIG -", "stalled"),
    "a converted graph that is not read": ("convert gen:karate FIFO", "unread"),
    "an answer that is not read": ("bfs gen:karate --output FIFO", "unread"),
    "an estimate that is not read": ("betweenness gen:ws?n=60000 --output FIFO", "unread"),
    "verifying": ("verify PROOF gen:complete?n=2000", None),
    "computing": ("betweenness gen:ws?n=60000 --output new.txt", None),
    "with a checkpoint": ("betweenness gen:ws?n=60000 --checkpoint state --output new.txt", None),
    "average": ("average gen:ws?n=100000 --checkpoint state", None),
    "closeness": ("closeness gen:ws?n=100000 --checkpoint state --output new.txt", None),
    "inside a batch": ("eccentricity gen:er?n=60000&degree=4 --checkpoint state", None),
    "arcs": ("eccentricity gen:rmat?scale=17 --directed --checkpoint state", None),
    "rows": ("distances gen:ws?n=40000 new.rows --checkpoint state", None),
    "bench": ("bench thesis gen:uniform?n=100000&degree=12", None),
    "golf": ("golf search --order 5000 --degree 5 --time 600 --checkpoint state", None),
}


def feed(process, how, folder):
    """Keeps the input open; returns what to close in the end."""
    if how == "slow":

        def drip():
            try:
                for i in range(10**6):
                    process.stdin.write(b"%d %d\n" % (i, i + 1))
                    process.stdin.flush()
                    time.sleep(0.02)
            except OSError:
                pass

        threading.Thread(target=drip, daemon=True).start()
    if how == "fifo":
        return os.open(folder / "fifo", os.O_RDWR)
    return None


def start(program, command, how, folder):
    if how in ("fifo", "unread"):
        os.mkfifo(folder / "fifo")
    stdin = subprocess.PIPE if how in ("silent", "slow") else subprocess.DEVNULL
    return subprocess.Popen(
        [program, *command], cwd=folder, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def cpu_seconds(process):
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return float("inf")
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")  # not the system's: it may have gigabytes to write


def cpu_of_children():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def ended(process, seconds):
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return KILLED
    return process.returncode


def resumes(program, command, folder):
    """A second of going on from the checkpoint: done (0) or stopped again (5)."""
    limit = [] if "golf" in command else ["--time-limit", "1"]
    process = start(program, [*command, "--resume", *limit], None, folder)
    if "golf" in command:
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
    code = ended(process, HANG + 1)
    return [] if code in (0, 5) else [f"--resume: {code}: {process.stderr.read().decode().strip()}"]


def problems(program, command, how, given, delay, folder):
    """What is wrong with a run that gets a signal, or a time limit where there is none.

    FINISHED: it was done before it could be stopped. EARLY: nothing was there to save yet."""
    limit = [] if given else ["--time-limit", f"{delay}"]
    begun = cpu_of_children()
    process = start(program, command + limit, how, folder)
    opened = feed(process, how, folder)
    if given:
        time.sleep(delay)
        before = cpu_seconds(process)
        process.send_signal(given)
    code = ended(process, HANG + (0 if given else delay))
    used = cpu_of_children() - begun
    err = process.stderr.read().decode(errors="replace")
    if opened is not None:
        os.close(opened)
    if code == 0:
        return FINISHED
    if given and used - before > MOST_CPU * (os.cpu_count() or 1):
        return [f"takes {used - before:.1f} s of processors after the signal"]
    if code != 5:
        return [f"exit code {code}: {err.strip()[-200:]}"]
    if "terminate called" in err or "a bug" in err:
        return [f"says {err.strip()[-200:]}"]
    left = {file.name for file in folder.iterdir()} - {"fifo", "state"}
    if "--checkpoint" not in command:
        return [f"leaves {name}" for name in left]
    if not (folder / "state").exists():
        return EARLY if "before there was anything to answer" in err else ["leaves no checkpoint"]
    wrong = [f"leaves {name}" for name in left if ".partial-" not in name]
    return wrong + resumes(program, command, folder)


def run(program, command, how, given, inputs):
    """Stops the run after a while; sooner where it is done by then, later where it has not begun."""
    early, late, delay = 0.0, None, 0.8
    for _ in range(14):
        wrong = run_once(program, command, how, given, delay, inputs)
        if wrong is FINISHED:
            late = delay
        elif wrong is EARLY:
            early = delay
        else:
            return wrong
        delay = 2 * delay if late is None else (early + late) / 2
    return ["cannot be stopped between its beginning and its end"]


def run_once(program, command, how, given, delay, inputs):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        names = {"FIFO": f"{folder}/fifo", "BIG": f"{inputs}/big.txt", "PROOF": f"{inputs}/proof", "LIST": f"{inputs}/list"}
        names |= {f"BIG.{end}": f"{inputs}/big.{end}" for end in ("net", "json", "egr", "part")}
        words = [names.get(word, word) for word in command.split()]
        if words[0] not in ("golf", "info", "generate", "convert", "verify"):
            words += ["--engine", "cpu"]
        return problems(program, words, how, given, delay, folder)


def looks_elsewhere(program, given, inputs):
    """A star is decided at once, a wide component beside it takes seconds: it stays undecided."""
    limit = [] if given else ["--time-limit", "1"]
    with tempfile.TemporaryDirectory() as place:
        for delay in (0.8, 0.4, 0.2, 1.6, 3.2):
            begun = cpu_of_children()
            command = ["diameter", f"{inputs}/two.apg", "--engine", "cpu", "--json", *limit]
            process = start(program, command, None, Path(place))
            if given:
                time.sleep(delay)
                before = cpu_seconds(process)
                process.send_signal(given)
            code = ended(process, HANG)
            used = cpu_of_children() - begun
            if given and used - before > MOST_CPU * (os.cpu_count() or 1):
                return [f"takes {used - before:.1f} s of processors after the signal"]
            if code == KILLED:
                return [code]
            if code != 0:
                continue  # it was still reading
            answer = json.loads(process.stdout.read())
            if answer.get("larger_elsewhere", {}).get("components_undecided") != 1:
                return [f"does not say what is undecided: {answer.get('larger_elsewhere')}"]
            if "others" not in answer["seconds"]:
                return ["does not count the time"]
            return []
    return ["is not stopped where it looks elsewhere"]


def make_inputs(program, folder):
    def antipode(*words):
        subprocess.run([program, *words], cwd=folder, check=True, capture_output=True)

    antipode("generate", "gen:uniform?n=1000000&degree=12", "big.txt", "--quiet")
    antipode("convert", "big.txt", "big.egr", "--quiet")
    lines = "".join(f"{i % 1000 + 1} {i * 7 % 1000 + 1}\n" for i in range(1 << 14))
    with open(f"{folder}/big.net", "w") as file:
        file.write("*Vertices 1000\n*Edges\n" + lines * 1000)
    links = '{"source":1,"target":1},\n' * (1 << 14)
    with open(f"{folder}/big.json", "w") as file:
        file.write('{"nodes":[{"id":1}],"links":[' + links * 400 + '{"source":1,"target":1}]}')
    with open(f"{folder}/big.part", "w") as file:
        file.write("antipode part 1\norder 12\npart 3\ngroup 4\nedges 16384000\n")
        file.write("0 1 2\n" * 16384000)
    ring = 300000
    with open(f"{folder}/two.txt", "w") as file:
        file.writelines(f"0 {v}\n" for v in range(1, 400001))
        file.writelines(
            f"{10**6 + v} {10**6 + (v + 1) % ring}\n{10**6 + v} {10**6 + (v * v * 7 + 3 * v + 70445) % ring}\n"
            for v in range(ring)
        )
    antipode("convert", "two.txt", "two.apg", "--quiet")
    antipode("diameter", "gen:complete?n=2000", "--certificate", "proof", "--engine", "cpu")
    (Path(folder) / "list").write_text("[" + "[]," * 20_000_000 + "[]]")


def main():
    program = os.path.abspath(sys.argv[1])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as inputs:
        make_inputs(program, inputs)
        for name, (command, how) in RUNS.items():
            for means in (*SIGNALS, "--time-limit"):
                if means not in SIGNALS and command.startswith(("golf", "bench")):
                    continue  # they have --time, and --patience
                wrong = run(program, command, how, SIGNALS.get(means), inputs)
                if wrong:
                    print(f"{name}, {means}: {'; '.join(wrong)}", flush=True)
                failed, passed = failed + bool(wrong), passed + (not wrong)
        for means in (*SIGNALS, "--time-limit"):
            wrong = looks_elsewhere(program, SIGNALS.get(means), inputs)
            if wrong:
                print(f"looking elsewhere, {means}: {'; '.join(wrong)}", flush=True)
            failed, passed = failed + bool(wrong), passed + (not wrong)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
