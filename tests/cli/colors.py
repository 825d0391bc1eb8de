#!/usr/bin/env python3
"""colors.py ANTIPODE: answers and notes are coloured on a terminal, and nowhere else."""
import os
import pty
import re
import subprocess
import sys

ANTIPODE = sys.argv[1]
COLOR = re.compile(r"\x1b\[[0-9;]*m")
LOOP = b"1 1\n1 2\n2 3\n"  # an edge is dropped, and a note says so


def shown(arguments, terminals=("out", "err"), **environment):
    """What it wrote on standard output and standard error, with terminals for those that are named."""
    pairs = {name: pty.openpty() if name in terminals else os.pipe() for name in ("out", "err")}
    settings = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen(
        [ANTIPODE, *arguments],
        stdin=subprocess.PIPE,
        stdout=pairs["out"][1],
        stderr=pairs["err"][1],
        env={**settings, "TERM": "xterm-256color", **environment},
    )
    try:
        process.stdin.write(LOOP)
        process.stdin.close()
    except BrokenPipeError:  # a verb that does not read it may have ended
        pass
    texts = []
    for reader, writer in pairs.values():
        os.close(writer)
    for reader, writer in pairs.values():
        text = b""
        while True:
            try:
                piece = os.read(reader, 65536)
            except OSError:  # how a pseudo-terminal ends
                break
            if not piece:
                break
            text += piece
        os.close(reader)
        texts.append(text.decode().replace("\r\n", "\n"))
    process.wait()
    return texts


def require(holds, what, text):
    if not holds:
        raise SystemExit(f"{what}: {text!r}")


def steady(text):
    """Without what differs from run to run, and without colours."""
    return re.sub(r"[0-9.]+ (µs|ms|s|MB)\b", "…", COLOR.sub("", text))


def main():
    diameter = ["diameter", "-", "--engine", "cpu"]
    plain_out, plain_err = shown(diameter, terminals=())
    require("\x1b" not in plain_out + plain_err and "note: dropped 1 loops" in plain_err, "colours in pipes", plain_out + plain_err)
    out, err = shown(diameter)
    require(out.startswith("\x1b[1mdiameter 2\x1b[0m\n"), "no bold headline", out)
    require("\x1b[2m  path\x1b[0m      " in out, "no dim key", out)
    require("\x1b[2mnote: dropped 1 loops and 0 repeated edges\x1b[0m\n" in err, "no dim note", err)
    require(steady(out) == steady(plain_out), "colours change the text", out)
    out, err = shown(diameter, terminals=("err",))
    require("\x1b" not in out and "\x1b[2mnote" in err, "each stream by itself", out + err)
    out, err = shown(diameter, terminals=("out",))
    require("\x1b[1m" in out and "\x1b" not in err, "each stream by itself", out + err)
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
        out, err = shown(diameter, **environment)
        require("\x1b[1m" not in out and "\x1b[2m" not in out + err, f"colours with {environment}", out + err)
    out, err = shown(diameter, NO_COLOR="")
    require("\x1b[1m" in out, "an empty NO_COLOR", out)
    out, err = shown([*diameter, "--json"])
    require("\x1b" not in out and out.startswith("{"), "colours in JSON", out)
    out, err = shown(["bfs", "missing.txt"])
    require(err == "\x1b[1mantipode:\x1b[0m missing.txt: no such file\n", "no bold name before an error", err)
    out, err = shown(["help", "diameter"])
    require("\x1b[1mExamples:\x1b[0m" in out, "no bold headings in the help", out)
    out, err = shown(["help", "diameter"], terminals=())
    require("\x1b" not in out, "colours in the help of a pipe", out)
    out, err = shown(["convert", "-", "-", "--to", "snap", "-q"])
    require("\x1b" not in out + err and "1\t2" in out, "colours in a graph", out + err)
    print("colours are where they should be")


if __name__ == "__main__":
    main()
