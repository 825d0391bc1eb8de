#!/usr/bin/env python3
"""Kills a long computation at random moments and lets it go on from its checkpoint: the answer must be the same.

Usage: kill.py ANTIPODE KILLS
"""
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUESTIONS = {
    "average": (["average", "gen:ws?n=60000&p=0.05"], lambda a: a["distribution"]),
    "closeness": (["closeness", "gen:ws?n=60000&p=0.05"], lambda a: a["value"]),
    "betweenness": (["betweenness", "gen:ws?n=5000&p=0.05"], lambda a: a["value"]),
    "eccentricity": (["eccentricity", "gen:er?n=30000&degree=4"], lambda a: a["value"]),
    "directed eccentricity": (["eccentricity", "gen:rmat?scale=16", "--directed"], lambda a: [a["value"], a["reach_all"]]),
    "distances": (["distances", "gen:ws?n=8000&p=0.05", "FOLDER/rows"], lambda a: a["checksum"]),
}


def kills_until_done(command, most, random_numbers, seconds):
    """Starts again and again; returns the answer and how often it was killed."""
    kills = 0
    while True:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = process.communicate(timeout=random_numbers.uniform(0.02, max(0.15, seconds / 10)) if kills < most else None)
        except subprocess.TimeoutExpired:
            process.kill()
            out, _ = process.communicate()
            kills += 1
            if "--resume" in command and not Path(command[command.index("--checkpoint") + 1]).exists():  # killed on its way out
                return json.loads(out), kills
            if "--resume" not in command and Path(command[command.index("--checkpoint") + 1]).exists():
                command = command + ["--resume"]
            continue
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{err}")
        return json.loads(out), kills


def main():
    antipode, most = sys.argv[1], int(sys.argv[2])
    random_numbers = random.Random(1)
    killed = 0
    for name, (question, value) in QUESTIONS.items():
        options = ["--json", "--quiet", "--engine", "cpu"]
        with tempfile.TemporaryDirectory() as folder:
            question = [word.replace("FOLDER", folder) for word in question]
            start = time.monotonic()
            undisturbed = json.loads(subprocess.run([antipode, *question, *options], capture_output=True, text=True, check=True).stdout)
            seconds = time.monotonic() - start
            command = [antipode, *question, *options, "--checkpoint", str(Path(folder) / "state"), "--checkpoint-every", "0.01"]
            answer, kills = kills_until_done(command, most, random_numbers, seconds)
        if value(answer) != value(undisturbed):
            sys.exit(f"{name}: another answer after {kills} kills")
        print(f"{name}: {seconds:.2f} s undisturbed, the same answer after {kills} kills")
        killed += kills
    print(f"{killed} kills in all")
    if killed < most:
        sys.exit("too few to show anything: these computations are too short for this machine")


if __name__ == "__main__":
    main()
