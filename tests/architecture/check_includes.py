#!/usr/bin/env python3
"""Fails on an #include that the map of rooms does not allow.

Usage: check_includes.py PROJECT | --self-test
The map is the one in docs/architecture.md; change both together.
"""
import re
import sys
import tempfile
from pathlib import Path

# room: the rooms of src/ it may include, and the public headers it may include (besides its own room)
ENGINE = ("graph", "bounds", "engine", "path_engine", "golf", "error")
MEASURE = ("graph", "bounds", "engine", "path_engine", "measures", "path_averages", "path_measures", "ask", "certificate", "path_certificate", "table", "error")
ROOMS = {
    "graph": ((), ("graph", "golf", "error")),
    "io": (("graph",), ("graph", "golf", "io", "table", "error")),
    "engine": (("engine/host", "engine/cpu", "engine/cuda", "engine/opencl", "graph"), ENGINE),
    "engine/host": (("graph",), ENGINE),
    "engine/cpu": (("graph", "engine/host"), ENGINE),
    "engine/cuda": (("graph", "engine/host"), ENGINE),
    "engine/opencl": (("graph", "engine/host"), ENGINE),
    "golf": (("graph", "measure"), ("graph", "engine", "golf", "error")),
    "measure": (("graph",), MEASURE),
    "evaluation": (("graph", "engine/host", "measure"), MEASURE),
    "report": (("engine/host", "evaluation"), (*MEASURE, "golf")),
    "report/page": (("graph",), (*MEASURE, "io", "page")),
    "cli": (("report", "graph", "evaluation"), (*MEASURE, "golf", "io", "page")),
}
# The CUDA room's folders, lowest first; those of one line do not know each other.
CUDA_FOLDERS = [
    ("device",),
    ("layout",),
    ("search/block", "search/cluster", "search/resident", "golf", "paper"),
    ("search",),
    ("search/grid",),
    ("batch", "brandes", "lengths"),
    ("bounds",),
    ("",),
]
CUDA_DEPTH = 6  # includes from a source file of that room to the end of the longest chain

# libraries that belong to one room
LIBRARIES = {
    r"zlib\.h|zstd\.h": {"io"},
    r"expat\.h": {"io"},
    r"nlohmann/.*": {"report", "io"},
    r"CLI/.*": {"cli"},
    r"cuda.*|cooperative_groups.*|cub/.*|thrust/.*": {"engine/cuda"},
    r"CL/.*": {"engine/opencl"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    """The longest room that is a prefix of a path below src/."""
    return max((room for room in ROOMS if path == room or path.startswith(room + "/")), key=len, default=None)


def cuda_rank(path):
    """How high a file of the CUDA room stands, by the folder it is in; the folder itself."""
    folder = path.rsplit("/", 1)[0] if "/" in path else ""
    return next(rank for rank, folders in enumerate(CUDA_FOLDERS) if folder in folders), folder


def cuda_faults(project):
    """Includes inside the CUDA room go down only, and chains of them are short."""
    room = project / "src/engine/cuda"
    includes = {}
    for file in sorted([*room.rglob("*.cu"), *room.rglob("*.hpp")]):
        name = file.relative_to(room).as_posix()
        lines = file.read_text().splitlines()
        targets = [m.group(2)[len("engine/cuda/"):] for m in map(INCLUDE.match, lines)
                   if m and m.group(2).startswith("engine/cuda/")]
        includes[name] = targets
        for target in targets:
            (rank, folder), (other, into) = cuda_rank(name), cuda_rank(target)
            if folder != into and other >= rank:
                yield f"src/engine/cuda/{name}: {target} is not below it"

    def depth(name):
        return 1 + max((depth(target) for target in includes.get(name, ())), default=-1)

    for name in includes:
        if depth(name) > CUDA_DEPTH:
            yield f"src/engine/cuda/{name}: includes {depth(name)} deep, at most {CUDA_DEPTH}"


def python_faults(project):
    """The module for Python is made of the public headers."""
    folder = project / "python/src"
    for file in sorted(folder.rglob("*.[ch]pp")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quoted, name = match.group(1) == '"', match.group(2)
            allowed = ((folder / name).exists() or name.startswith("antipode/") if quoted
                       else "/" not in name or name.startswith("nanobind/"))
            if not allowed:
                yield f"{file.relative_to(project)}:{number}: the module for Python may not include {name}"


def faults(project):
    yield from cuda_faults(project)
    yield from python_faults(project)
    source = project / "src"
    for file in sorted([*source.rglob("*.[ch]pp"), *source.rglob("*.cu*"), *(project / "include").rglob("*.hpp")]):
        public = file.is_relative_to(project / "include")
        room = None if public else room_of(file.relative_to(source).as_posix())
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            reason = forbidden(room, public, match.group(1) == '"', match.group(2))
            if reason:
                yield f"{file.relative_to(project)}:{number}: {reason}"


def forbidden(room, public, quoted, name):
    if public:
        if quoted and not name.startswith("antipode/"):
            return f'the public face includes "{name}"'
        return f"the public face includes <{name}>" if not quoted and ("/" in name or name.endswith(".h")) else None
    if room is None:
        return "this folder is no room of the map"
    rooms, headers = ROOMS[room]
    if not quoted:
        for pattern, owners in LIBRARIES.items():
            if re.fullmatch(pattern, name) and room not in owners:
                return f"<{name}> belongs to {', '.join(sorted(owners))}, not to {room}"
        return None
    if name.startswith("antipode/"):
        header = name[len("antipode/"):].removesuffix(".hpp")
        return None if header in headers else f"{room} may not include {name}"
    target = room_of(name)
    if target is None:
        return f'"{name}" is no room of the map'
    return None if target == room or target in rooms else f"{room} may not include {target}"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        (project / "include").mkdir()
        for room, line in [("measure", '#include "engine/cpu/engine.hpp"'), ("engine/host", '#include "engine/cpu/bounds.hpp"'), ("graph", "#include <zlib.h>"),
                           ("engine/cpu", '#include "antipode/measures.hpp"'), ("kitchen", "#include <vector>")]:
            file = project / "src" / room / "x.cpp"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(line + "\n")
            if len(list(faults(project))) != 1:
                return f"not caught: {room}: {line}"
            file.unlink()
        module = project / "python/src/x.cpp"
        module.parent.mkdir(parents=True)
        module.write_text('#include "graph/parallel.hpp"\n')
        if len(list(faults(project))) != 1:
            return "not caught: the module for Python includes a room"
        module.unlink()
        room = project / "src/engine/cuda"
        chain = [f"layout/x{i}.hpp" for i in range(CUDA_DEPTH + 2)]
        for case in [{"device/x.hpp": "layout/y.hpp"}, {"search/block/x.cu": "search/grid/y.hpp"},
                     dict(zip(chain, chain[1:]))]:
            for name, target in case.items():
                (room / name).parent.mkdir(parents=True, exist_ok=True)
                (room / name).write_text(f'#include "engine/cuda/{target}"\n')
            if len(list(faults(project))) != 1:
                return f"not caught: {case}"
            for name in case:
                (room / name).unlink()
    return None


def main():
    if sys.argv[1] == "--self-test":
        problem = self_test()
        print(problem or "forbidden includes are caught")
        return 1 if problem else 0
    found = list(faults(Path(sys.argv[1]).resolve()))
    print("\n".join(found) or "every include follows the map")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
