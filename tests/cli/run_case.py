#!/usr/bin/env python3
"""Runs one .test file: commands with the output, messages and exit code they must have.

  $ command          run by bash in an empty folder, with `antipode` on the path
  | text             the next line of standard output, exactly
  |~ regex           the next line of standard output, by pattern
  | ...              any number of lines
  ! regex            standard error must match it somewhere
  ? code             the exit code (0 when not given)
  % plain build      left out where a sanitizer needs memory of its own

Output lines are checked only where at least one is given.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def parse(text):
    cases = []
    for line in text.splitlines():
        if line.startswith("$ "):
            cases.append({"command": line[2:], "out": [], "err": [], "code": 0, "plain": False})
        elif line.startswith("|"):
            cases[-1]["out"].append(line)
        elif line.startswith("! "):
            cases[-1]["err"].append(line[2:])
        elif line.startswith("? "):
            cases[-1]["code"] = int(line[2:])
        elif line == "% plain build":
            cases[-1]["plain"] = True
        elif line.strip() and not line.startswith("#"):
            raise SystemExit(f"not understood: {line}")
    return cases


def matches(wanted, lines):
    if not wanted:
        return not lines
    first, rest = wanted[0], wanted[1:]
    if first == "| ...":
        return any(matches(rest, lines[i:]) for i in range(len(lines) + 1))
    if not lines:
        return False
    if first.startswith("|~ "):
        return re.fullmatch(first[3:], lines[0]) is not None and matches(rest, lines[1:])
    return first[2:] == lines[0] and matches(rest, lines[1:])


def run(case, folder, environment):
    done = subprocess.run(["bash", "-c", case["command"]], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    problems = []
    if done.returncode != case["code"]:
        problems.append(f"exit code {done.returncode}, not {case['code']}")
    if case["out"] and not matches(case["out"], done.stdout.splitlines()):
        problems.append("output differs; wanted:\n" + "\n".join(case["out"]))
    problems += [f"no message like: {pattern}" for pattern in case["err"] if not re.search(pattern, done.stderr)]
    if problems:
        print(f"$ {case['command']}\n" + "\n".join(problems) + f"\n--- output\n{done.stdout}--- messages\n{done.stderr}")
    return not problems


def main():
    program, file = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    cases = parse(file.read_text())
    wanted = [case for case in cases if not (case["plain"] and "ANTIPODE_SANITIZED" in os.environ)]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(program, Path(folder) / "antipode")
        work = Path(folder) / "work"
        work.mkdir()
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        failed = sum(not run(case, work, environment) for case in wanted)
    print(f"{len(wanted) - failed} passed, {failed} failed, {len(cases) - len(wanted)} skipped")
    return 1 if failed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
