"""A wheel of the built module, in a fresh environment, runs the Python example of README.md.

scikit-build-core makes the metadata, as it does for `pip install .`; the module is the one that the
build has made, so that nothing is compiled. `make wheel` does the same from scratch.
"""

import base64
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import networkx
import numpy
import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = Path(importlib.util.find_spec("antipode_graph").origin).parent
SAYS = re.compile(r"^print\(.*\)  # (.*)$", re.MULTILINE)


def metadata(folder, monkeypatch):
    build = pytest.importorskip("scikit_build_core.build")
    monkeypatch.chdir(ROOT)
    return folder / build.prepare_metadata_for_build_wheel(str(folder))


def packed(info, folder):
    """The wheel: the package and its metadata, with a list of both."""
    files = {
        f"antipode_graph/{path.relative_to(PACKAGE)}": path.read_bytes()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    files |= {
        f"{info.name}/{path.relative_to(info)}": path.read_bytes()
        for path in info.rglob("*")
        if path.is_file()
    }
    record = f"{info.name}/RECORD"
    lines = [f"{record},,"]
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        lines.append(f"{name},sha256={digest},{len(content)}")
    files[record] = "\n".join(lines).encode()
    tag = re.search(r"^Tag: (.*)$", (info / "WHEEL").read_text(), re.MULTILINE)[1]
    wheel = folder / f"{info.name.removesuffix('.dist-info')}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


def fresh_environment(folder, wheel):
    """Has the wheel and the packages that it needs, and no compiler on its PATH."""
    venv.create(folder, symlinks=True)
    python = folder / "bin/python"
    install = ["-m", "pip", "--python", str(python), "install", "-q", "--no-index", "--no-deps"]
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, *install, str(wheel)], check=True, env=alone)
    packages = next(folder.glob("lib/python*/site-packages"))
    for needed in (numpy, networkx):
        home = Path(needed.__file__).parent
        (packages / home.name).symlink_to(home)
        if (libraries := home.with_name(f"{home.name}.libs")).exists():
            (packages / libraries.name).symlink_to(libraries)
    return python


def run(python, code):
    environment = {"PATH": "/nowhere", "HOME": os.environ.get("HOME", "/")}
    return subprocess.run(
        [python, "-I", "-c", code], capture_output=True, text=True, env=environment, timeout=120
    )


def test_readme_in_a_fresh_environment(tmp_path, monkeypatch):
    (tmp_path / "metadata").mkdir()
    wheel = packed(metadata(tmp_path / "metadata", monkeypatch), tmp_path)
    python = fresh_environment(tmp_path / "fresh", wheel)
    (code,) = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    done = run(python, code)
    assert done.stdout.splitlines() == SAYS.findall(code), done.stderr
    where = "import antipode_graph; print(antipode_graph.__version__, antipode_graph.__file__)"
    version, home = run(python, where).stdout.split()
    assert f"antipode VERSION {version} " in (ROOT / "CMakeLists.txt").read_text()
    assert Path(home).is_relative_to(tmp_path)  # and not the build folder's
