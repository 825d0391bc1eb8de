#!/usr/bin/env python3
"""Signals and time limits while the program reads, builds, generates, converts, verifies, computes.

Usage: signals.py ANTIPODE

Every run ends with exit code 5 and leaves nothing behind but a checkpoint that --resume accepts.
The bound on the time only guards against a hang: how fast it is, is not this test's affair.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SIGNALS = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM, "SIGHUP": signal.SIGHUP}
HANG = 10  # seconds from the signal, or from the time limit, to the end
KILLED = "still running"
FINISHED = None

# name: (command, what feeds it). STDIN is a pipe that stays open; FIFO one with a name; PROOF a
# certificate that takes long to verify, LIST a list that takes long to parse.
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
    "verifying": ("verify PROOF gen:complete?n=2000", None),
    "computing": ("betweenness gen:ws?n=60000 --output new.txt", None),
    "with a checkpoint": ("betweenness gen:ws?n=60000 --checkpoint state --output new.txt", None),
    "average": ("average gen:ws?n=100000 --checkpoint state", None),
    "closeness": ("closeness gen:ws?n=100000 --checkpoint state --output new.txt", None),
    "inside a batch": ("eccentricity gen:er?n=60000&degree=4 --checkpoint state", None),
    "arcs": ("eccentricity gen:rmat?scale=17 --directed --checkpoint state", None),
    "rows": ("distances gen:ws?n=40000 new.rows --checkpoint state", None),
    "bench": ("bench thesis gen:uniform?n=1000000&degree=12", None),
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
    if how == "fifo":
        os.mkfifo(folder / "fifo")
    stdin = subprocess.PIPE if how in ("silent", "slow") else subprocess.DEVNULL
    return subprocess.Popen(
        [program, *command], cwd=folder, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


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

    FINISHED: it was done before it could be stopped."""
    limit = [] if given else ["--time-limit", f"{delay}"]
    process = start(program, command + limit, how, folder)
    opened = feed(process, how, folder)
    if given:
        time.sleep(delay)
        process.send_signal(given)
    code = ended(process, HANG + (0 if given else delay))
    err = process.stderr.read().decode(errors="replace")
    if opened is not None:
        os.close(opened)
    if code == 0:
        return FINISHED
    if code != 5:
        return [f"exit code {code}: {err.strip()[-200:]}"]
    if "terminate called" in err or "a bug" in err:
        return [f"says {err.strip()[-200:]}"]
    left = {file.name for file in folder.iterdir()} - {"fifo", "state"}
    if "--checkpoint" not in command:
        return [f"leaves {name}" for name in left]
    if not (folder / "state").exists():
        return ["leaves no checkpoint"]
    wrong = [f"leaves {name}" for name in left if ".partial-" not in name]
    return wrong + resumes(program, command, folder)


def run(program, command, how, given, inputs):
    """Stops the run after a while; sooner where it is done by then."""
    for delay in (0.8, 0.4, 0.2, 0.1):
        wrong = run_once(program, command, how, given, delay, inputs)
        if wrong is not FINISHED:
            return wrong
    return ["done before it could be stopped"]


def run_once(program, command, how, given, delay, inputs):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        names = {"FIFO": f"{folder}/fifo", "BIG": f"{inputs}/big.txt", "PROOF": f"{inputs}/proof", "LIST": f"{inputs}/list"}
        words = [names.get(word, word) for word in command.split()]
        if words[0] not in ("golf", "info", "generate", "convert", "verify"):
            words += ["--engine", "cpu"]
        return problems(program, words, how, given, delay, folder)


def make_inputs(program, folder):
    def antipode(*words):
        subprocess.run([program, *words], cwd=folder, check=True, capture_output=True)

    antipode("generate", "gen:uniform?n=1000000&degree=12", "big.txt", "--quiet")
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
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
