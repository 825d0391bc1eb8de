#!/usr/bin/env python3
"""The package for Debian: its fields and files; it is installed in an empty root, where its program runs with the libraries of the packages it names.

Usage: deb.py BUILD     (77: dpkg-deb, dpkg-shlibdeps or cpack is missing)
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

build = Path(sys.argv[1]).resolve()
for tool in ("cpack", "dpkg-deb", "dpkg-shlibdeps", "dpkg-query"):
    if shutil.which(tool) is None:
        print(f"skipped: no {tool}")
        sys.exit(77)


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def packages(depends):
    """The names in a list of dependencies, the first of each choice."""
    return [re.match(r"[^ :(|]+", word.strip()).group() for word in depends.split(",") if word.strip()]


def with_dependencies(names):
    found, todo = [], list(names)
    while todo:
        name = todo.pop()
        known = subprocess.run(["dpkg-query", "-W", "-f", "${Depends}", name], capture_output=True, text=True)
        if name not in found and known.returncode == 0:  # else a virtual package
            found.append(name)
            todo += packages(known.stdout)
    return found


def copy_libraries(names, root):
    """Shared libraries of these packages, with the folders and links that lead to them."""
    for link in ("lib", "lib64"):
        if Path("/", link).is_symlink():
            (root / os.readlink(f"/{link}")).mkdir(parents=True, exist_ok=True)
            (root / link).symlink_to(os.readlink(f"/{link}"))
    for name in with_dependencies(names):
        for path in output("dpkg-query", "-L", name).splitlines():
            file = Path(path)
            if ".so" not in file.name or not file.is_file():
                continue
            target = root / file.relative_to("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                shutil.copy2(file, target)  # what a link leads to


def run_in(root, *arguments):
    if os.geteuid() == 0:
        return subprocess.run(["/usr/bin/antipode", *arguments], capture_output=True, text=True, env={}, preexec_fn=lambda: (os.chroot(root), os.chdir("/")))
    loader = next(root.rglob("ld-linux*.so*"))
    folders = {str(file.parent) for file in root.rglob("*.so*")}
    return subprocess.run([loader, "--inhibit-cache", "--library-path", ":".join(folders), root / "usr/bin/antipode", *arguments], capture_output=True, text=True, env={})


with tempfile.TemporaryDirectory() as folder:
    work, root = Path(folder) / "work", Path(folder) / "root"
    output("cpack", "--config", str(build / "CPackConfig.cmake"), "-G", "DEB", "-B", str(work))
    (package,) = work.glob("*.deb")
    fields = dict(line.split(": ", 1) for line in output("dpkg-deb", "--field", str(package)).splitlines() if re.match(r"[A-Z][\w-]*: ", line))
    assert package.name == f"antipode_{fields['Version']}_{fields['Architecture']}.deb", package.name
    depends = packages(fields["Depends"])
    assert "libc6" in depends and "libstdc++6" in depends, depends
    assert not any("opencl" in name.lower() or name.startswith("libcuda") for name in depends), depends

    files = {line.split(None, 5)[5]: line for line in output("dpkg-deb", "--contents", str(package)).splitlines()}
    for wanted in ("./usr/bin/antipode", "./usr/share/doc/antipode/copyright", "./usr/share/bash-completion/completions/antipode", "./usr/share/man/man1/antipode.1"):
        assert wanted in files, (wanted, sorted(files))
    assert not any(name.endswith((".a", ".hpp", ".cmake")) for name in files), sorted(files)
    assert all(" root/root " in line for line in files.values()), files

    # Installed where nothing was before.
    (root / "var/lib/dpkg/updates").mkdir(parents=True)
    (root / "var/lib/dpkg/info").mkdir()
    (root / "var/lib/dpkg/status").touch()
    if os.geteuid() == 0:
        output("dpkg", f"--root={root}", "--force-depends", "--install", str(package))
        assert "install ok installed" in (root / "var/lib/dpkg/status").read_text()
    else:
        output("dpkg-deb", "--extract", str(package), str(root))
    copy_libraries(depends, root)
    answer = run_in(root, "diameter", "gen:karate", "--quiet")
    assert answer.returncode == 0 and answer.stdout.startswith("diameter 5\n"), (answer.stdout, answer.stderr)
    engines = run_in(root, "engines")
    assert engines.returncode == 0 and "cpu      usable" in engines.stdout, (engines.stdout, engines.stderr)
    assert "opencl" not in engines.stdout or "no OpenCL loader is installed" in engines.stdout, engines.stdout
print("fine")
