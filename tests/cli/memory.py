#!/usr/bin/env python3
"""--memory-limit holds: peak memory of ordinary runs, and what must be refused before it is taken.

Usage: memory.py ANTIPODE

50 ordinary runs get half and four fifths of the memory that they take without a limit: they are
refused, or stay within 1.1 times the limit. Bombs are refused with the bytes needed and there. The
time limit of a run only guards against a hang.
"""

import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import zlib

SLACK = 1.1
LEAST = 20 << 20  # below this the program's own code and libraries count for more than its data
HANG = 300
ORDINARY = """
info gen:rmat?scale=16
info gen:ba?n=200000&degree=4
info e6.txt
info e6.txt.gz
info e6.apg
info e6.mtx
info names.txt
diameter gen:ws?n=50000
diameter gen:road?rows=700&cols=700
diameter e6.apg --order bfs
diameter e6.txt --certificate proof
radius gen:geometric?n=100000
eccentricity gen:grid?rows=700&cols=700 --output new.txt
average gen:er?n=10000&degree=2
average gen:uniform?n=200000&degree=10 --samples 64
closeness e6.txt --top 1
closeness gen:ws?n=5000 --output new.txt
betweenness gen:ba?n=3000&degree=3 --output new.txt
betweenness e6.apg --samples 8
distances gen:ws?n=3000 new.npy
bfs gen:rmat?scale=17&edgefactor=8 --output new.txt
bfs e6.mtx --directed
generate gen:er?n=100000&degree=12 new.apg
convert e6.txt new.mtx
convert e6.apg new.txt --largest
""".strip().splitlines()

# More than any of them may take: whole numbers at the edge of what fits, for every generator.
N = 4294967294
SPECS = f"""
path?n={N} path?n=1000000000 star?n={N} star?n=1000000000 cycle?n={N} cycle?n=1000000000
complete?n={N} complete?n=100000 grid?rows=65535&cols=65535 grid?rows={N}&cols=1
torus?rows=65535&cols=65535 torus?rows=3&cols=1000000000 tree?n={N}&degree=2
tree?n=1000000000&degree=0 hypercube?scale=31 hypercube?scale=28 plane?degree=65522
er?n={N}&degree=1 er?n=1000000000&p=0.5 er?n=100000&p=1 ba?n={N}&degree=1
ba?n=1000000000&degree=8 ba?n=1000000&degree=100000 ws?n={N}&degree=2 ws?n=1000000000
ws?n=1000000&degree=100000 geometric?n={N}&degree=4 geometric?n=1000000000
geometric?n=100000&radius=1 road?rows=65535&cols=65535 road?rows=1000000000&cols=3
rmat?scale=31 rmat?scale=28&edgefactor=16 rmat?scale=10&edgefactor=4294967294
uniform?n=10&degree={N} uniform?n={N}&degree=6 uniform?n=1000000000 uniform?n=1000000&degree=100000
""".split()
# Exit codes: 4 where the bytes are known before, 3 where the first of them is wrong already.
BOMBS = {
    "info bomb.gz --memory-limit 100M": {4},
    "info bomb.zst --memory-limit 100M": {3, 4},
    "convert bomb.gz new.apg --memory-limit 100M": {4},
    "info huge.mtx --memory-limit 1G": {4},
    "info huge.gr --memory-limit 1G": {4},
    "info huge.graph --memory-limit 1G": {3, 4},
    "verify /dev/zero gen:karate --memory-limit 100M": {3, 4},
    "verify brackets gen:karate --memory-limit 100M": {3, 4, 6},
    "distances gen:karate new.npy --sources /dev/zero --memory-limit 100M": {3, 4},
    "distances gen:karate new.npy --sources ones.zst --memory-limit 100M": {4},
    "info egr.zst --format egr --memory-limit 100M": {4},
    "info part.zst --format part --memory-limit 100M": {4},
    "info string.zst --format json --memory-limit 100M": {3, 4},
    "info links.zst --format json --memory-limit 100M": {4},
    "info pajek.zst --format pajek --memory-limit 100M": {4},
    "info sparse6.zst --format graph6 --memory-limit 100M": {4},
    "golf evaluate part.zst --memory-limit 100M": {4},
    "golf evaluate huge.part --memory-limit 100M": {4},
    "golf search --order 12 --degree 3 --start /dev/zero --time 1 --memory-limit 100M": {3, 4},
    "golf search --order 4294967294 --degree 3 --time 1 --memory-limit 100M": {4},
    "golf search --order 1000000 --degree 999999 --part 1000000 --memory-limit 100M": {4},
    "info gen:plane?degree=510 --memory-limit 100M": {4},
    "info gen:rmat?scale=22&edgefactor=0 --memory-limit 100M": {4},
    "closeness gen:star?n=300000 --top 300000 --json --memory-limit 90M": {4},
    "betweenness dense.apg --samples 4 --edges --memory-limit 90M": {4},
    "betweenness dense.apg --samples 4 --edges --top 1000000 --memory-limit 200M": {4},
    "verify empties gen:karate --memory-limit 100M": {3, 4, 6},
}


def run(program, command, folder, hang=HANG):
    """Exit code, peak memory in bytes and messages; no more than 6 GiB are there for any run."""
    words = [program, *command.split()]
    if words[1] not in ("info", "generate", "convert", "verify") and not command.startswith("golf evaluate"):
        words += ["--engine", "cpu"]
    words += [] if command.startswith("golf evaluate") else ["--quiet"]
    bound = lambda: resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    with tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            words, cwd=folder, stdout=subprocess.DEVNULL, stderr=err, preexec_fn=bound
        )
        timer = threading.Timer(hang, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return process.returncode, usage.ru_maxrss * 1024, err.read().decode(errors="replace")


def ordinary(program, folder):
    for command in ORDINARY:
        code, free, said = run(program, command, folder)
        if code != 0:
            yield command, [f"exit code {code} without a limit: {said.strip()}"]
            continue
        for share in (0.5, 0.8):
            limit = max(LEAST, int(share * free))
            limited = f"{command} --memory-limit {limit}"
            code, peak, said = run(program, limited, folder)
            wrong = [] if code in (0, 4) else [f"exit code {code}: {said.strip()}"]
            if code == 0 and peak > SLACK * limit:
                wrong.append(f"took {peak} bytes, {peak / limit:.2f} times the limit")
            yield limited, wrong


def refused(program, command, limit, codes, folder):
    code, peak, said = run(program, command, folder, hang=10)
    wrong = [] if code in codes else [f"exit code {code}: {said.strip()[:200]}"]
    if code == 4 and len(re.findall(r"\d[\d.,']*\s*(?:bytes|[kKMGT]i?B?\b)|\d{4,}", said)) < 2:
        wrong.append(f"does not say which bytes are needed and there: {said.strip()[:200]}")
    if peak > SLACK * limit:
        wrong.append(f"took {peak} bytes, {peak / limit:.2f} times the limit")
    return command, wrong


def bombs(program, folder):
    for command, codes in BOMBS.items():
        if "zst" in command and not shutil.which("zstd"):
            continue
        yield refused(program, command, 1 << 30 if "1G" in command else 100 << 20, codes, folder)
    for spec in SPECS:
        # 2: a generator may know bounds of its own.
        yield refused(program, f"info gen:{spec} --memory-limit 1G", 1 << 30, {2, 4}, folder)


def make_inputs(program, folder):
    def put(name, text):
        with open(f"{folder}/{name}", "w") as file:
            file.write(text)

    for target in ("e6.txt", "e6.apg", "e6.mtx"):
        words = ["generate", "gen:rmat?scale=16&edgefactor=16", target, "--quiet"]
        subprocess.run([program, *words], cwd=folder, check=True)
    words = [program, "generate", "gen:er?n=20000&degree=100", "dense.apg", "--quiet"]
    subprocess.run(words, cwd=folder, check=True)
    subprocess.run(f"gzip -k {folder}/e6.txt", shell=True, check=True)
    subprocess.run(
        "head -n 300000 e6.txt | grep -v '#' | sed 's/[0-9][0-9]*/v&/g' > names.txt",
        cwd=folder,
        shell=True,
        check=True,
    )
    packer, piece = zlib.compressobj(9, wbits=31), b"1 2\n" * (1 << 18)
    with open(f"{folder}/bomb.gz", "wb") as file:  # 1 GiB of one edge
        for _ in range(1024):
            file.write(packer.compress(piece))
        file.write(packer.flush())
    if shutil.which("zstd"):
        # Far more than it looks: what comes before, and what is repeated for 400 MB.
        for name, first, piece in (
            ("egr", struct.pack("<ii", 50_000_000, 50_000_000), b"\0"),
            ("part", b"antipode part 1\norder 12\npart 3\ngroup 4\nedges 99999999\n", b"0 1 2\n"),
            ("string", b'{"nodes":[{"id":"', b"a"),
            ("links", b'{"nodes":[{"id":1}],"links":[', b'{"source":1,"target":1},'),
            ("pajek", b"*Vertices 5\n*Edges\n", b"1 2\n"),
            ("sparse6", b":~~???~??", b"~~~~"),
            ("ones", b"", b"1\n"),
        ):
            with open(f"{folder}/{name}.zst", "wb") as file:
                packer = subprocess.Popen(["zstd", "-q"], stdin=subprocess.PIPE, stdout=file)
                packer.stdin.write(first)
                for _ in range(400):
                    packer.stdin.write(piece * ((1 << 20) // len(piece)))
                packer.stdin.close()
                packer.wait()
        # Names, which are kept: 1 GiB of one.
        subprocess.run(
            "head -c 1073741824 /dev/zero | tr '\\0' a | zstd -q -o bomb.zst",
            cwd=folder,
            shell=True,
            check=True,
        )
    subprocess.run(
        "head -c 20000000 /dev/zero | tr '\\0' '[' > brackets", cwd=folder, shell=True, check=True
    )
    put(
        "huge.mtx",
        "%%MatrixMarket matrix coordinate pattern symmetric\n500000000 500000000 1\n2 1\n",
    )
    put("huge.part", "antipode part 1\norder 4000000000\npart 4000000000\ngroup 1\nedges 0\n")
    put("empties", '{"values": [' + '"",' * 2_000_000 + '""]}')
    put("huge.gr", "p sp 500000000 1\na 1 2 1\n")
    put("huge.graph", "500000000 1\n2\n1\n")


def main():
    program = os.path.abspath(sys.argv[1])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        make_inputs(program, folder)
        for trials in (ordinary, bombs):
            for command, wrong in trials(program, folder):
                if wrong:
                    print(f"{command}: {'; '.join(wrong)}", flush=True)
                failed, passed = failed + bool(wrong), passed + (not wrong)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
