#!/usr/bin/env python3
"""help.py ANTIPODE: every verb has help with examples, and the examples run as they are printed."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(sys.argv[1]).resolve()


def help_of(*words):
    return subprocess.run([PROGRAM, "help", *words], capture_output=True, text=True, check=True).stdout


def sections(text):
    """The lines below every heading."""
    found, lines = {}, []
    for line in text.splitlines():
        if re.fullmatch(r"[A-Z].*:", line):
            lines = found.setdefault(line[:-1], [])
        elif line.startswith("  "):
            lines.append(line)
    return found


def verbs_of(*words):
    """The verbs that the help of a command lists: in front of a text, under headings that are not of options."""
    listed = []
    for lines in sections(help_of(*words)).values():
        listed += [match.group(1) for line in lines if (match := re.match(r"  ([a-z]+) {2,}\S", line))]
    return listed


def check_help(words, folder, environment):
    text = help_of(*words)
    found = sections(text)
    if "Usage: antipode " + " ".join(words) not in text:
        raise SystemExit(f"{words}: no usage\n{text}")
    if max(len(line) for line in text.splitlines()) > 120:
        raise SystemExit(f"{words}: a line is longer than 120 characters\n{text}")
    examples = [line.strip() for line in found.get("Examples", [])]
    about = ["antipode", *words]
    if not any(line.split()[: len(about)] == about for line in examples):
        raise SystemExit(f"{' '.join(words)}: no example in its help; verbs.hpp holds them")
    for line in examples:
        done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
        if done.returncode == 4 and words == ["bench"]:
            print(f"skipped: {line}: {done.stderr.strip()}")
            continue
        if done.returncode != 0:
            raise SystemExit(f"{line}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        if not done.stdout and not list(folder.iterdir()):
            raise SystemExit(f"{line}: no answer and no file")
    return len(examples)


def main():
    verbs = verbs_of()
    if not {"diameter", "golf", "help"} <= set(verbs):
        raise SystemExit(f"the help of the program lists {verbs}")
    commands = [[verb] for verb in verbs]
    commands += [[verb, below] for verb in verbs if "VERB" in help_of(verb).splitlines()[2] for below in verbs_of(verb)]
    count = 0
    for words in commands:
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(PROGRAM, Path(folder) / "antipode")
            work = Path(folder) / "work"
            work.mkdir()
            # What a verb of a verb reads may come from one before it.
            if len(words) > 1:
                check_help(words[:1], work, {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
            count += check_help(words, work, {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
    print(f"{count} examples of {len(commands)} verbs ran")


if __name__ == "__main__":
    main()
