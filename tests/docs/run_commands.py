#!/usr/bin/env python3
"""Runs every command that the documents show, and compares what they show with what it prints.

  run_commands.py PROGRAM FOLDER [PAGE…]     of README.md, docs/*.md and docs/guides/*.md, or of some
  run_commands.py --self-test PROGRAM        finds what it must find

A block between fences whose lines begin with "$ " is run line by line by bash, page by page in an
empty folder, with `antipode` on the path. A line that ends in a backslash goes on in the next one.
Commands end with exit code 0, unless "$ echo $?" comes next. An HTML comment before the fence says:

  <!-- not run: REASON -->           counted and printed
  <!-- output varies: REASON -->     run, and its output not compared; exit code 5 will do, too
  <!-- exit code: N -->              of the last command of the block
  <!-- file: NAME -->                the block is no command, but the text of a file

"…" stands for anything in a line, and for any lines where it stands alone. Whitespace, times and
sizes of memory are not compared, nor lines about time, memory and engine. What is shown of the
messages is looked for there; the rest is all of standard output.
"""
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

BLOCK = re.compile(r"(?:^<!-- ([a-z ]+): (.*?) -->\n+)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARKS = ("not run", "output varies", "exit code", "file")
QUANTITY = re.compile(r"\d[\d,.]* ?(?:ns|µs|ms|s|min|h|kB|MB|GB|TB)\b")
JSON_QUANTITY = re.compile(r'("(?:\w*seconds|\w*memory_bytes|threads|version)":) ?"?[\d.e+-]+"?')
UNSTEADY = re.compile(r"  (time|memory|engine) ")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[-+]\d+)?")


@dataclass
class Command:
    line: int
    text: str
    shown: list = field(default_factory=list)
    code: int = 0
    compared: bool = True


@dataclass
class Page:
    steps: list = field(default_factory=list)  # Commands, and (name, text) of files
    not_run: list = field(default_factory=list)
    faults: list = field(default_factory=list)


def commands_of(block, first_line):
    commands, going_on = [], False
    for offset, line in enumerate(block.splitlines()):
        if going_on:
            commands[-1].text += "\n" + line
        elif line.startswith("$ "):
            commands.append(Command(first_line + offset, line[2:]))
        elif commands:
            commands[-1].shown.append(line)
        going_on = (going_on or line.startswith("$ ")) and line.endswith("\\")
    return commands


def parse(text):
    page = Page()
    for found in BLOCK.finditer(text):
        mark, said, language, block = found.groups()
        line = text.count("\n", 0, found.start(4)) + 1
        commands = commands_of(block, line) if language in ("", "console") else []
        if mark and mark not in MARKS:
            page.faults.append(f"line {line}: unknown mark '{mark}'")
        if mark == "file":
            page.steps.append((said, block))
        elif mark == "not run":
            page.not_run += [said] * len(commands)
        elif commands:
            commands[-1].code = int(said) if mark == "exit code" else 0
            for command in commands:
                command.compared = mark != "output varies"
            page.steps += commands
        elif language in ("", "console") and re.search(r"^antipode ", block, re.MULTILINE):
            page.faults.append(f"line {line}: a command does not begin with '$ '")
    return page


def plain(text):
    """The lines that are compared."""
    lines = [line for line in text.splitlines() if not UNSTEADY.match(line)]
    return [JSON_QUANTITY.sub(r"\1#", QUANTITY.sub("#", " ".join(line.split()))) for line in lines]


def value(number):
    return float(number.replace(",", "")) if "." in number else number


def same_number(one, other):
    one, other = value(one), value(other)
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-9 * max(abs(one), abs(other))
    return one == other


def same_line(shown, line):
    pattern, at = "", 0
    for number in NUMBER.finditer(shown):
        pattern += re.escape(shown[at:number.start()]) + f"({NUMBER.pattern})"
        at = number.end()
    pattern = (pattern + re.escape(shown[at:])).replace("…", ".*")
    found = re.fullmatch(pattern, line)
    return bool(found) and all(map(same_number, NUMBER.findall(shown), found.groups()))


def same_lines(shown, lines):
    if not shown:
        return not lines
    if shown[0] == "…":
        return any(same_lines(shown[1:], lines[at:]) for at in range(len(lines) + 1))
    return bool(lines) and same_line(shown[0], lines[0]) and same_lines(shown[1:], lines[1:])


def check(command, done):
    problems = []
    if done.returncode != command.code and (command.compared or done.returncode != 5):
        problems.append(f"exit code {done.returncode}, not {command.code}")
    if not command.compared:
        return problems
    messages = plain(done.stderr)
    shown = [line for line in plain("\n".join(command.shown).strip("\n"))
             if line == "…" or not any(same_line(line, message) for message in messages)]
    if (shown or done.stdout) and not same_lines(shown, plain(done.stdout)):
        problems.append("the output differs")
    return problems


def run(name, page, program):
    failed = [f"{name}: {fault}" for fault in page.faults]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(program, Path(folder) / "antipode")
        work = Path(folder) / "work"
        work.mkdir()
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                       "CUDA_VISIBLE_DEVICES": ""}  # a GPU takes other searches
        code = 0
        for step, following in zip(page.steps, [*page.steps[1:], None]):
            if not isinstance(step, Command):
                (work / step[0]).write_text(step[1])
                continue
            done = subprocess.run(["bash", "-c", f"(exit {code})\n{step.text}"], cwd=work, env=environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
            code = done.returncode
            if isinstance(following, Command) and following.text == "echo $?":
                step.code = code
            problems = check(step, done)
            if problems:
                failed.append(f"{name}:{step.line}: $ {step.text}\n" + "\n".join(problems)
                              + f"\n--- output\n{done.stdout[:4000]}--- messages\n{done.stderr[:4000]}")
    return failed


SELF_TEST = """
```
$ antipode diameter gen:karate
diameter {diameter}
…
  searches  3
  graph     gen:karate: 34 vertices, {size} edges
$ antipode diameter gen:none
$ echo $?
{code}
```
<!-- not run: needs a printer -->
```
$ lp proof.json
```
"""


def self_test(program):
    right = {"diameter": 5, "size": 78, "code": 2}
    wrong = [{**right, name: value} for name, value in (("diameter", 6), ("size", "7"), ("code", 0))]
    for values in [right, *wrong]:
        page = parse(SELF_TEST.format(**values))
        assert page.not_run == ["needs a printer"]
        assert bool(run("self-test", page, program)) == (values in wrong), values
    assert parse("```\nantipode diameter gen:karate\n```\n").faults
    assert not same_line("1.5 to 2.25", "1.5 to 2.26") and same_line("1.5 … 2.25", "1.5 and 2.25")


def main():
    if sys.argv[1] == "--self-test":
        self_test(Path(sys.argv[2]).resolve())
        return 0
    program, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    pages = [Path(page) for page in sys.argv[3:]] or [
        root / "README.md", *sorted(root.glob("docs/*.md")), *sorted(root.glob("docs/guides/*.md"))]
    failed, count, not_run = [], 0, Counter()
    for path in pages:
        page = parse(path.read_text())
        count += sum(isinstance(step, Command) for step in page.steps)
        not_run.update(f"{path.name}: {reason}" for reason in page.not_run)
        failed += run(path.name, page, program)
    print("\n".join(failed))
    print(f"{count} commands run, {len(failed)} failed, {not_run.total()} not run")
    print("\n".join(f"  {number} in {reason}" for reason, number in sorted(not_run.items())))
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
