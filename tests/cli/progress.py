#!/usr/bin/env python3
"""progress.py ANTIPODE: what a terminal shows while a graph is read, generated and built, under a pseudo-terminal."""
import os
import pty
import re
import subprocess
import sys
import threading
import time

ANTIPODE = sys.argv[1]


def shown(arguments, feed=None, terminal=True):
    """What it wrote on standard error, which is a terminal, or a pipe."""
    reader, writer = pty.openpty() if terminal else os.pipe()
    process = subprocess.Popen([ANTIPODE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=writer)
    os.close(writer)

    def give():
        if feed:
            feed(process.stdin)
        process.stdin.close()

    feeding = threading.Thread(target=give)
    feeding.start()
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
    if process.wait() != 0:
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


READING = r"\r\x1b\[Kreading [0-9]+\.[0-9] MB \([0-9]+\.[0-9] MB/s\), [0-9]+\.[0-9] s"
BUILDING = r"\r\x1b\[Kbuilding 200000 edges \([0-9]+\.[0-9] million/s\), [0-9]+\.[0-9] s"
GENERATING = r"\r\x1b\[Kgenerating [0-9]+ edges \([0-9]+\.[0-9] million/s\), [0-9]+\.[0-9] s"


def main():
    text = shown(["bfs", "-"], feed_slowly)
    check(text, [READING, BUILDING, r"building [^\r]*\r\x1b\[K(?!building)"])  # and wiped off in the end
    megabytes = [float(each) for each in re.findall(r"reading ([0-9.]+) MB", text)]
    if len(megabytes) < 3 or megabytes != sorted(megabytes) or megabytes[-1] < 1:
        raise SystemExit(f"bytes that do not grow: {megabytes}")
    check(shown(["bfs", "-", "-q"], feed_slowly), ["reading", "building"], wanted=False)
    text = shown(["bfs", "gen:rmat?scale=20"])
    check(text, [GENERATING, r"building [0-9]+ edges \("])
    check(shown(["bfs", "gen:karate"]), ["generating", "building"], wanted=False)
    # Without a terminal: whole lines.
    check(shown(["bfs", "-"], feed_slowly, terminal=False), [r"\x1b", r"\r"], wanted=False)
    print("progress is shown as it should be")


if __name__ == "__main__":
    main()
