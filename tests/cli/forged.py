#!/usr/bin/env python3
"""forged.py ANTIPODE: checkpoints of `distances` with a right checksum that name other files as their rows."""
import os
import struct
import subprocess
import sys
import tempfile

ANTIPODE = sys.argv[1]
ALL = (1 << 64) - 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & ALL
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & ALL
    x = (x ^ x >> 27) * 0x94D049BB133111EB & ALL
    return x ^ x >> 31


def checksum(data):  # graph/hash.hpp
    odd = 0xD6E8FEB86659FD93
    lanes = [0, odd, mix(0), mix(odd)]
    whole = len(data) // 32 * 32
    for at in range(0, whole, 32):
        for i, word in enumerate(struct.unpack_from("<4Q", data, at)):
            lanes[i] = (lanes[i] ^ word) * odd & ALL
            lanes[i] ^= lanes[i] >> 32
    tail = struct.unpack("<4Q", data[whole:].ljust(32, b"\0"))
    result = len(data)
    for i in range(4):
        result = mix(result ^ lanes[i]) ^ mix((tail[i] + i) & ALL)
    return mix(result)


def run(*arguments, code=0, stdin=None, environment=None):
    done = subprocess.run([ANTIPODE, *arguments], capture_output=True, text=True, stdin=stdin,
                          env={**os.environ, **(environment or {})}, timeout=120)
    if done.returncode != code:
        raise SystemExit(f"{arguments}: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done.stderr


def key_of(path):  # a checkpoint of no rows has the key, too
    with open(path, "rb") as file:
        return file.read().split(b"\n")[1]


def forge(path, key, rows, row_sum, name):
    state = struct.pack("<QQ", rows, row_sum) + name.encode()
    with open(path, "wb") as file:
        file.write(b"antipode checkpoint 1\n" + key + b"\n" + struct.pack("<QQ", len(state), checksum(state)) + state)


def attempt(graph, rows, name, refusal, extra=(), stdin=False):
    """`graph` is also what the rows of a checkpoint are said to be: its first line is that of vertex 0."""
    for path in ("state", "d.tsv"):
        if os.path.exists(path):
            os.remove(path)
    source = "-" if stdin else graph
    common = ["distances", source, "d.tsv", "--engine", "cpu", "-q", "--checkpoint", "state", *extra]

    def go(*more, **expected):
        with open(graph) as file:
            return run(*common, *more, stdin=file, **expected)

    go("--checkpoint-every", "0", code=5, environment={"ANTIPODE_STOP": "computing"})
    forge("state", key_of("state"), rows, mix(checksum(b"0\t1\n")), name)
    before = open(name, "rb").read()
    message = go("--resume", code=3)
    if refusal not in message:
        raise SystemExit(f"{name}: not refused as it should be: {message}")
    if open(name, "rb").read() != before:
        raise SystemExit(f"{name} is no longer what it was")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    text = "0\t1\n1\t0\n"  # an edge list, and the distances of a graph of one edge
    for name in ("g.txt", "d.tsv.partial-1-2"):
        with open(name, "w") as file:
            file.write(text)
        refusal = "has begun" if name == "g.txt" else "does not describe these rows"
        attempt(name, 1, name, refusal)
        attempt(name, 1, name, refusal, stdin=True)
    with open("g.txt", "w") as file:
        file.write(text)
    for link in (os.link, os.symlink):
        os.remove("d.tsv.partial-1-2")
        link("g.txt", "d.tsv.partial-1-2")
        attempt("g.txt", 1, "d.tsv.partial-1-2", "does not describe these rows")
    # Rows of another graph: the checksum is right, but a search shows others.
    os.remove("d.tsv.partial-1-2")
    with open("d.tsv.partial-1-2", "w") as file:
        file.write("0\t1\n")
    with open("g.txt", "w") as file:
        file.write("0\t1\n")
    with open("two.txt", "w") as file:
        file.write("0\t2\n1\t2\n")
    for path in ("state", "d.tsv"):
        if os.path.exists(path):
            os.remove(path)
    common = ["distances", "two.txt", "d.tsv", "--engine", "cpu", "-q", "--checkpoint", "state"]
    run(*common, "--checkpoint-every", "0", code=5, environment={"ANTIPODE_STOP": "computing"})
    with open("d.tsv.partial-1-2", "w") as file:
        file.write("0\t1\t1\n")
    forge("state", key_of("state"), 1, mix(checksum(b"0\t1\t1\n")), "d.tsv.partial-1-2")
    message = run(*common, "--resume", code=3)
    if "has other distances than a vertex shows" not in message:
        raise SystemExit(f"rows of another graph: {message}")
    if open("d.tsv.partial-1-2").read() != "0\t1\t1\n":
        raise SystemExit("rows of another graph were changed")
