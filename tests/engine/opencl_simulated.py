#!/usr/bin/env python3
"""Every OpenCL kernel in Oclgrind, a simulated device that reports accesses beyond a buffer and barriers that not all items meet at.

Usage: opencl_simulated.py ANTIPODE     (skipped where oclgrind is not installed)
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

QUESTIONS = [
    "bfs gen:er?n=2000&degree=20", "diameter gen:er?n=200&degree=3", "diameter gen:ws?n=300&degree=4&p=0.1", "eccentricity gen:tree?n=120", "average gen:er?n=600&degree=5",
    "closeness gen:star?n=3000", "closeness gen:er?n=50&degree=1 --directed", "betweenness gen:er?n=100&degree=4", "betweenness gen:karate --edges", "diameter gen:grid?rows=20&cols=20",
    "bfs gen:path?n=1", "average gen:path?n=2", "bfs gen:er?n=300&degree=5 --kernel edge-local", "bfs gen:er?n=100&degree=5 --kernel edge-global", "bfs gen:er?n=300&degree=5 --kernel edge-host",
    "bfs gen:er?n=300&degree=5 --kernel vertex", "bfs gen:er?n=300&degree=5 --relaxed", "distances gen:karate OUTPUT --kernel edge-host",
]

if shutil.which("oclgrind") is None:
    print("skipped: no oclgrind")
    sys.exit(77)
faults = 0
with tempfile.TemporaryDirectory() as folder:
    log = Path(folder) / "log"
    for as_cpu in (True, False):  # a simulator calls itself a CPU
        environment = {**os.environ, "ANTIPODE_CACHE": ""} | ({} if as_cpu else {"ANTIPODE_OPENCL_NOT_AS_CPU": "1"})
        for question in QUESTIONS:
            words = question.replace("OUTPUT", str(Path(folder) / "rows.npy")).split()
            log.unlink(missing_ok=True)
            run = subprocess.run(["oclgrind", "--log", str(log), sys.argv[1], *words, "--engine", "opencl", "--quiet"], capture_output=True, text=True, env=environment)
            reports = log.read_text() if log.exists() else ""
            (Path(folder) / "rows.npy").unlink(missing_ok=True)
            if run.returncode != 0 or reports:
                faults += 1
                print(f"{question} ({'as' if as_cpu else 'not as'} a CPU): exit {run.returncode}\n{run.stderr}{reports[:2000]}")
print("fine" if faults == 0 else f"{faults} faults")
sys.exit(1 if faults else 0)
