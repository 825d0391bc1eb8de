#!/usr/bin/env python3
"""shells.py ANTIPODE: the manual is well-formed and complete, and completions complete. What is not installed is skipped."""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = str(Path(sys.argv[1]).resolve())
# What is typed before the key, and words that must and must not be offered.
CASES = [
    ("antipode dia", {"diameter"}, {"radius"}),
    ("antipode ", {"diameter", "golf", "help"}, {"search"}),
    ("antipode diameter g.txt --disc", {"--disconnected"}, {"--directed"}),
    ("antipode diameter g.txt --disconnected ", {"largest", "per-component", "error"}, {"--json", "g.txt"}),
    ("antipode diameter g.txt --engine c", {"cpu", "cuda"}, {"auto"}),
    ("antipode average g.txt --strat", set(), {"--strategy"}),
    ("antipode convert some", {"some-graph.txt"}, {"diameter"}),
    ("antipode convert g.txt out.apg --to m", {"mtx"}, {"apg"}),
    ("antipode golf s", {"search"}, {"evaluate", "diameter"}),
    ("antipode golf search --ord", {"--order"}, {"--degree"}),
    ("antipode help ecc", {"eccentricity"}, {"diameter"}),
    ("antipode eccentricity g.txt -o some", {"some-graph.txt"}, {"diameter"}),
    ("antipode help --completion f", {"fish"}, {"bash"}),
]
GENERATED = ("antipode diameter gen:ka", "karate")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, **options).stdout


def check(shell, typed, offered, wanted, unwanted):
    if not wanted <= offered or unwanted & offered:
        raise SystemExit(f"{shell}: '{typed}' offers {sorted(offered)}, not {sorted(wanted)}")


def commands(*words):
    """The program, its verbs and theirs, from the table of bash, which the parser made."""
    script = run(PROGRAM, "help", "--completion", "bash")
    table = script[script.index("_antipode_options()") : script.index("_antipode_values()")]
    return {name: options.split() for name, options in re.findall(r"'(antipode[a-z ]*)'\) REPLY='([^']*)'", table)}


def check_manual(folder):
    run(PROGRAM, "help", "--man", str(folder))
    pages = sorted(folder.iterdir())
    listed = commands()
    if [page.name for page in pages] != sorted(name.replace(" ", "-") + ".1" for name in listed) or len(pages) < 20:
        raise SystemExit(f"pages {pages} of commands {sorted(listed)}")
    for name, options in listed.items():
        text = (folder / (name.replace(" ", "-") + ".1")).read_text()
        missing = [option for option in options if f"\\fB{option}\\fR".replace("-", "\\-") not in text]
        if missing or not options or ".SH EXAMPLES" not in text and name != "antipode":
            raise SystemExit(f"{name}: its page lacks {missing} or examples")
        if not text.isascii():
            raise SystemExit(f"{name}: its page has other characters than ASCII")
    if shutil.which("mandoc"):
        done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *pages], capture_output=True, text=True, timeout=60)
        if done.returncode != 0 or done.stdout:
            raise SystemExit(f"mandoc:\n{done.stdout}{done.stderr}")
    else:
        print("skipped: mandoc is not installed")
    if shutil.which("groff"):
        for page in pages:
            done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z", page], capture_output=True, text=True, timeout=60)
            unknown = [line for line in done.stderr.splitlines() if "can't find special character" not in line]
            if done.returncode != 0 or unknown:
                raise SystemExit(f"groff {page}:\n{done.stderr}")
    else:
        print("skipped: groff is not installed")


def check_bash(script, folder):
    # As bash calls it: with the line, the place of the cursor, and its word breaks.
    ask = 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _antipode 2> /dev/null; printf "%s\\n" "${COMPREPLY[@]}"'

    def offered(typed):
        return set(run("bash", "-c", ask, "bash", script, typed, cwd=folder).split())

    for typed, wanted, unwanted in CASES:
        check("bash", typed, offered(typed), wanted, unwanted)
    check("bash", GENERATED[0], offered(GENERATED[0]), {GENERATED[1]}, {"gen:karate"})
    check("bash", "=", offered("antipode diameter g --disconnected=l"), {"largest"}, {"error"})


def check_fish(script, folder):
    for typed, wanted, unwanted in [*CASES, (GENERATED[0], {"gen:" + GENERATED[1]}, set())]:
        text = run("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, typed, cwd=folder)
        check("fish", typed, {line.split("\t")[0] for line in text.splitlines()}, wanted, unwanted)


# Completes what is typed, and writes what it would add into a file.
ZSH = r"""
setopt extended_glob; unsetopt zle_bracketed_paste prompt_sp; autoload -Uz compinit; compinit -u -D; source %(script)s
compadd() {
  if [[ " ${@[1,(i)(-|--)]}" == *\ -[a-zA-Z]#[OAD]* ]]; then builtin compadd "$@"; return; fi
  local -a found; builtin compadd -O found "$@"; offered+=("${found[@]}"); builtin compadd "$@"
}
note-offers() { offered=(); zle list-choices; print -rl -- $offered > offers.new; mv offers.new offers; zle kill-buffer }
zle -N note-offers; bindkey '^I' note-offers; print > offers
"""


def check_zsh(script, folder):
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.environ.update(TERM="xterm", ZDOTDIR=str(folder))
        os.execlp("zsh", "zsh", "-f", "-i")
    offers, said = folder / "offers", b""

    def answer_to(keys):
        nonlocal said
        offers.unlink(missing_ok=True)
        os.write(terminal, keys.encode())
        until = time.monotonic() + 60
        while not offers.exists():
            if select.select([terminal], [], [], 0.05)[0]:
                said += os.read(terminal, 65536)
            if time.monotonic() > until:
                raise SystemExit(f"zsh: no answer to {keys!r}\n{said.decode(errors='replace')}")
        return set(offers.read_text().split())

    setup = folder / "setup.zsh"
    setup.write_text(ZSH % {"script": script})
    answer_to(f"source {setup}\n")
    for typed, wanted, unwanted in CASES:
        check("zsh", typed, answer_to(typed + "\t"), wanted, unwanted)
    os.close(terminal)
    os.waitpid(process, 0)


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        check_manual(folder / "man1")
        for name in ("some-graph.txt", "g.txt"):
            (folder / name).write_text("1 2\n")
        for shell, check_shell in (("bash", check_bash), ("fish", check_fish), ("zsh", check_zsh)):
            if not shutil.which(shell):
                print(f"skipped: {shell} is not installed")
                continue
            script = folder / f"antipode.{shell}"
            script.write_text(run(PROGRAM, "help", "--completion", shell))
            run(shell, "-n", script)
            check_shell(script, folder)
    print("the manual and completions are as they should be")


if __name__ == "__main__":
    main()
