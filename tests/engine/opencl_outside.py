#!/usr/bin/env python3
"""The OpenCL engine from outside: the cache of compiled programs is made, used, and made again where it is damaged; relaxed searches; no platform, no loader.

Usage: opencl_outside.py ANTIPODE
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

antipode = sys.argv[1]


def run(*arguments, **environment):
    return subprocess.run([antipode, *arguments], capture_output=True, text=True, env={**os.environ, **environment})


def opencl(**environment):
    listed = json.loads(run("engines", "--json", **environment).stdout)["value"]
    return next((engine for engine in listed if engine["name"] == "opencl"), None)


# The program starts without OpenCL, and says what is missing when it is asked for.
if opencl() is not None:
    assert "OpenCL" not in subprocess.run(["ldd", antipode], capture_output=True, text=True).stdout, "OpenCL is linked"
    for library, reason in (("/nowhere/libOpenCL.so.1", "no OpenCL loader is installed"), ("libm.so.6", "the OpenCL loader has no clBuildProgram")):
        engine = opencl(ANTIPODE_OPENCL_LIBRARY=library)
        assert not engine["usable"] and reason in engine["detail"], engine
        refused = run("bfs", "gen:karate", "--source", "1", "--engine", "opencl", ANTIPODE_OPENCL_LIBRARY=library)
        assert refused.returncode == 4 and reason in refused.stderr and not refused.stdout, (refused.returncode, refused.stderr)
        assert run("diameter", "gen:karate", "--quiet", ANTIPODE_OPENCL_LIBRARY=library).returncode == 0

if not (opencl() or {}).get("usable"):
    print("skipped: no OpenCL device")
    sys.exit(77)


def answer(cache):
    result = run("bfs", "gen:karate", "--source", "1", "--engine", "opencl", "--json", ANTIPODE_CACHE=str(cache))
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)["distance_sum"]


with tempfile.TemporaryDirectory() as folder:
    cache = Path(folder) / "made" / "when needed"
    expected = answer(cache)
    files = sorted(cache.glob("*.clbin"))
    assert files and not list(cache.glob("*.tmp-*")), files
    before = {file: file.read_bytes() for file in files}
    assert answer(cache) == expected
    assert all(file.stat().st_size == len(before[file]) for file in files)
    for damage in (lambda b: b"", lambda b: b[: len(b) // 2], lambda b: b[:40] + bytes([b[40] ^ 1]) + b[41:], lambda b: b + b"x", lambda b: b"nonsense" * 100):
        for file in files:
            file.write_bytes(damage(before[file]))
        assert answer(cache) == expected
        for file in files:
            assert len(file.read_bytes()) == len(before[file]), "a damaged file stays"
    blocked = Path(folder) / "a file"
    blocked.write_text("")
    assert answer(blocked) == expected, "a cache that cannot be written is done without"
    none = run("bfs", "gen:karate", "--source", "1", "--engine", "opencl", ANTIPODE_CACHE="")
    assert none.returncode == 0, none.stderr

# What does not fit the CPU is not tried on OpenCL, which needs more.
refused = run("diameter", "gen:karate", "--memory-limit", "2500")
assert refused.returncode == 4 and "may be used" in refused.stderr, refused.stderr

# A search without levels says who is reached, and no distance.
with tempfile.TemporaryDirectory() as folder:
    counts = Path(folder) / "counts"
    relaxed = run("bfs", "gen:path?n=9", "--source", "0", "--relaxed", "--engine", "opencl", "--json", "--output", str(counts))
    assert relaxed.returncode == 0, relaxed.stderr
    found = json.loads(relaxed.stdout)
    assert found["reached"] == 9 and found["distances"] is None and "levels" not in found, found
    assert counts.read_text().splitlines()[:2] == ["0\t1\t1", "1\t2\t2"], counts.read_text()
    # What a search takes, this one takes: an order of the vertices, a policy, and a stop.
    relaxed = ("--source", "0", "--relaxed", "--engine", "opencl")
    ordered = run("bfs", "gen:grid?rows=4&cols=5", *relaxed, "--order", "rcm", "--output", str(counts))
    assert ordered.returncode == 0 and [line.split()[0] for line in counts.read_text().splitlines()] == [str(v) for v in range(20)], ordered.stderr
    apart = run("bfs", "gen:er?n=9&degree=0", *relaxed, "--disconnected", "error")
    assert apart.returncode == 3 and "9 components" in apart.stderr, (apart.returncode, apart.stderr)
    stopped = run("bfs", "gen:path?n=9", *relaxed, ANTIPODE_STOP="computing")
    assert stopped.returncode == 5 and not stopped.stdout, (stopped.returncode, stopped.stdout)

# No platform at all: a reason, and exit code 4.
with tempfile.TemporaryDirectory() as empty:
    missing = run("bfs", "gen:karate", "--source", "1", "--engine", "opencl", OCL_ICD_VENDORS=empty)
    assert missing.returncode == 4 and "platform" in missing.stderr, (missing.returncode, missing.stderr)
print("fine")
