#!/usr/bin/env python3
"""progress.py ANTIPODE: what a terminal shows while a graph is read and searched, under a pseudo-terminal."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from pathlib import Path

ANTIPODE = sys.argv[1]


def shown(arguments, feed=None, terminal=True, columns=0, kind="xterm", codes=(0,), pause_after=None):
    """What it wrote on standard error, which is a terminal, or a pipe. It may be stopped for a second."""
    reader, writer = pty.openpty() if terminal else os.pipe()
    if columns:
        fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**os.environ, "TERM": kind}
    process = subprocess.Popen(
        [ANTIPODE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=writer, env=environment
    )
    os.close(writer)

    def give():
        if feed:
            feed(process.stdin)
        process.stdin.close()

    feeding = threading.Thread(target=give)
    feeding.start()
    if pause_after is not None:
        time.sleep(pause_after)
        process.send_signal(signal.SIGSTOP)
        time.sleep(1)
        process.send_signal(signal.SIGCONT)
    text = b""
    while True:
        try:
            piece = os.read(reader, 65536)
        except OSError:  # how a pseudo-terminal ends
            break
        if not piece:
            break
        text += piece
    feeding.join()
    os.close(reader)
    if process.wait() not in codes:
        raise SystemExit(f"{arguments}: exit code {process.returncode}\n{text.decode()}")
    return text.decode()


def feed_slowly(stream):
    """Four parts of a path, 0.3 s apart: each is shown when it comes."""
    for part in range(4):
        stream.write("".join(f"{v} {v + 1}\n" for v in range(part * 50_000, (part + 1) * 50_000)).encode())
        stream.flush()
        time.sleep(0.3)


def check(text, patterns, wanted=True):
    for pattern in patterns:
        if (re.search(pattern, text) is not None) != wanted:
            raise SystemExit(f"{'no' if wanted else 'there is'} {pattern} in {text!r}")


START = r"\r\x1b\[K"
READING = START + r"reading  [0-9]+\.[0-9] MB, [0-9]+\.[0-9] MB/s, [0-9]+\.[0-9] s"
BUILDING = START + r"building  200000 edges, [0-9]+\.[0-9] million/s, [0-9]+\.[0-9] s"
GENERATING = START + r"generating \[=*>? *\] [0-9]+ %  [0-9]+ edges, [0-9]+\.[0-9] million/s, [0-9]+ s left"
SHARE = r" \[=*>? *\] [0-9]+ %  "
ERASED = START + r"$"


def drawn(text):
    return [line for line in re.split(r"\r\x1b\[K", text)[1:] if line]


def check_sources():
    """A bar for what goes through all sources, in terminals of any width."""
    average = ["average", "gen:ws?n=50000&degree=6", "--engine", "cpu", "-t", "1", "--time-limit", "8"]
    text = shown(average, columns=120, codes=(0, 5))
    check(text, [START + "average" + SHARE + r"[0-9]+ of 50000 sources, [0-9.]+/s, [0-9]+ (s|min) left", ERASED])
    check(text, [r"sources[^\r]*\n"], wanted=False)
    done = [int(each) for each in re.findall(r"([0-9]+) of 50000 sources", text)]
    if len(done) < 2 or done != sorted(done):
        raise SystemExit(f"sources that do not grow: {done}")
    for columns in (12, 40):
        text = shown(average, columns=columns, codes=(0, 5))
        wide = [line for line in drawn(text) if len(line) >= columns]
        if wide or not drawn(text):
            raise SystemExit(f"{columns} columns: {wide or text!r}")
        check(text, [START + r"averag.* [0-9]+ %", ERASED] if columns > 12 else [START + "average"])
    check(shown(average, kind="dumb", codes=(0, 5)), [r"\x1b", r"\r[^\n]"], wanted=False)
    check(shown([*average, "-q"], codes=(0, 5)), ["average"], wanted=False)


def check_bounds():
    text = shown(["diameter", "gen:cycle?n=20000", "--strategy", "takes-kosters", "--time-limit", "6"], columns=100, codes=(0, 5))
    check(text, [START + r"diameter in \[[0-9]+, [0-9]+\]  .*[0-9]+ left, [0-9]+ searches, [0-9.]+/s", ERASED])


def check_files(folder):
    """The bytes of a file, of which the size is known, also if it is compressed; and what is written."""
    plain, packed = str(folder / "g.txt"), str(folder / "g.txt.gz")
    text = shown(["generate", "gen:rmat?scale=17", packed], columns=100)
    check(text, [START + r"writing  [0-9]+\.[0-9] MB, [0-9]+\.[0-9] MB/s"])
    shown(["generate", "gen:rmat?scale=18", plain, "-q"])
    pattern = START + "reading" + SHARE + r"[0-9]+\.[0-9] MB, [0-9]+\.[0-9] MB/s, [0-9]+ s left"
    for file in (plain, packed):
        for pause in range(1, 40):  # until it comes while the file is read: a fast machine reads it unseen
            text = shown(["bfs", file, "-t", "1"], columns=100, pause_after=pause * 0.01)
            if re.search(pattern, text):
                break
        check(text, [pattern, ERASED])
    check(shown(["convert", packed, plain], terminal=False), ["writing"], wanted=False)


def check_golf():
    text = shown(["golf", "search", "--order", "512", "--degree", "6", "--time", "1"], columns=160)
    check(text, [START + r"diameter [0-9]+, average [0-9.]+ \(gap [0-9.]+\)" + SHARE + r"part .*[0-9]+ (s|min|h) left", ERASED])


def main():
    text = shown(["bfs", "-"], feed_slowly)
    check(text, [READING, BUILDING, r"building [^\r]*\r\x1b\[K(?!building)"])  # and wiped off in the end
    megabytes = [float(each) for each in re.findall(r"reading  ([0-9.]+) MB", text)]
    if len(megabytes) < 3 or megabytes != sorted(megabytes) or megabytes[-1] < 1:
        raise SystemExit(f"bytes that do not grow: {megabytes}")
    check(shown(["bfs", "-", "-q"], feed_slowly), ["reading", "building"], wanted=False)
    text = shown(["bfs", "gen:rmat?scale=20"], columns=100)
    check(text, [GENERATING, r"building  [0-9]+ edges, "])
    check(shown(["bfs", "gen:karate"]), ["generating", "building"], wanted=False)
    check_sources()
    check_bounds()
    check_golf()
    with tempfile.TemporaryDirectory() as folder:
        check_files(Path(folder))
    # Without a terminal: whole lines.
    check(shown(["bfs", "-"], feed_slowly, terminal=False), [r"\x1b", r"\r"], wanted=False)
    print("progress is shown as it should be")


if __name__ == "__main__":
    main()
