"""What a graph is made from: a file, a generator's text, or another library's graph."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _core
from ._errors import UsageError
from ._names import Names, checked

NO_UNIT = (1, 0, 0)


@dataclass(frozen=True, slots=True)
class Made:
    core: _core.Graph
    names: Names
    origin: str = ""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MadeOfDicts(Made):
    kind: str = ""  # of lengths: int, float or mixed
    loops: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint32))  # have one


@dataclass(frozen=True, slots=True)
class Wanted:
    directed: bool | None
    weighted: bool | str | None
    format: str = "auto"
    columns: str = ""


def make(source: Any, wanted: Wanted) -> Made:
    if isinstance(source, str | os.PathLike):
        return from_file(os.fspath(source), wanted)
    if hasattr(source, "tocsr"):
        return from_sparse(source, wanted)
    if hasattr(source, "adj") and hasattr(source, "is_multigraph"):
        return from_networkx(source, wanted)
    if hasattr(source, "get_edgelist") and hasattr(source, "vs"):
        return from_igraph(source, wanted)
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "iloc"):
        return from_table(source, wanted)
    if isinstance(source, tuple) and len(source) in (2, 3):
        return from_edges(*source, directed=bool(wanted.directed))
    raise TypeError(
        f"no graph can be made from {type(source).__name__}: give a file, 'gen:…', a SciPy sparse "
        "array, (source, target[, length]) arrays, a table of edges, a NetworkX or igraph graph"
    )


def from_file(where: str, wanted: Wanted) -> Made:
    if not where.startswith("gen:") and where != "-" and not os.path.exists(where):
        raise FileNotFoundError(2, "there is no such file", where)
    core, _, notices = _core.Graph.load(
        where,
        format=wanted.format,
        columns=wanted.columns,
        directed=bool(wanted.directed),
        weighted=bool(wanted.weighted),
        ask=_core.Ask(),
    )
    labels = core.labels
    names = range(labels, labels + core.order) if isinstance(labels, int) else labels
    return Made(core, Names(names), where, tuple(notices))


def scaled(lengths: Any) -> tuple[np.ndarray | None, tuple[int, int, int]]:
    """Lengths as whole numbers, and their unit."""
    if lengths is None:
        return None, NO_UNIT
    lengths = np.asarray(lengths)
    if lengths.dtype.kind in "iub":
        if lengths.size and lengths.min() < 0:
            raise UsageError("a length is negative")
        factor = max(int(np.gcd.reduce(lengths)), 1) if lengths.size else 1
        return np.ascontiguousarray(lengths // factor, np.uint64), (factor, 0, 0)
    result = _core.scale(np.ascontiguousarray(lengths, np.float64), exact=False)
    if result is None:
        raise UsageError(
            "the lengths have too many digits for exact sums: round them, or multiply them to "
            "whole numbers"
        )
    return result


def _same_width(a: Any, b: Any) -> tuple[np.ndarray, np.ndarray]:
    a, b = np.asarray(a), np.asarray(b)
    width = np.int32 if a.dtype == b.dtype == np.int32 else np.int64
    return np.ascontiguousarray(a, width), np.ascontiguousarray(b, width)


def from_sparse(matrix: Any, wanted: Wanted) -> Made:
    rows, columns = matrix.shape
    if rows != columns:
        raise UsageError(f"an adjacency matrix is square, not {rows} × {columns}")
    csr = matrix.tocsr()
    offsets, targets = _same_width(csr.indptr, csr.indices)
    lengths, unit = scaled(csr.data if wanted.weighted else None)
    core = _core.Graph.from_rows(offsets, targets, bool(wanted.directed), lengths, unit)
    return Made(core, Names(range(rows)))


def from_edges(
    source: Any,
    target: Any,
    length: Any = None,
    *,
    order: int | None = None,
    directed: bool = False,
    names: Sequence[Hashable] | np.ndarray | None = None,
) -> Made:
    source, target = np.asarray(source), np.asarray(target)
    if source.ndim != 1 or target.ndim != 1:
        raise UsageError("source and target are one-dimensional")
    if source.dtype.kind not in "iu" and source.size + target.size > 0:
        if names is not None or order is not None:
            raise UsageError("with names=, source and target are positions in it: whole numbers")
        names, source, target = _named(source, target)
    if order is None and names is not None:
        order = len(names)
    lengths, unit = scaled(length)
    source, target = _same_width(source, target)
    core = _core.Graph.from_edges(
        source, target, -1 if order is None else order, directed, lengths, unit
    )
    return Made(core, Names(range(core.order) if names is None else checked(names, core.order)))


def _named(source: np.ndarray, target: np.ndarray) -> tuple[list[Any], np.ndarray, np.ndarray]:
    """Positions in a list of names, in the order in which they come first."""
    index: dict[Any, int] = {}
    ends = [
        np.fromiter((index.setdefault(name, len(index)) for name in end.tolist()), np.int64)
        for end in (source, target)
    ]
    return list(index), ends[0], ends[1]


def length_key(weighted: bool | str | None) -> str | None:
    if isinstance(weighted, str):
        return weighted
    return "weight" if weighted else None


def from_networkx(graph: Any, wanted: Wanted, exact: bool = False) -> MadeOfDicts:
    leaving = as_dicts(graph._adj)
    directed = graph.is_directed() if wanted.directed is None else wanted.directed
    if directed != graph.is_directed():
        raise UsageError("directed= is the NetworkX graph's own: use to_directed or to_undirected")
    entering = as_dicts(graph._pred) if directed else None
    core, kind, loops = _core.from_dicts(
        leaving,
        entering,
        length_key(wanted.weighted),
        keyed=graph.is_multigraph(),
        exact=exact,
    )
    if exact and kind == "mixed":
        raise UsageError("lengths are whole numbers here and floats there")
    return MadeOfDicts(core, Names(_plain_range(leaving)), kind=kind, loops=loops)


def as_dicts(adjacency: Any) -> dict[Any, dict[Any, Any]]:
    """A view, such as that of a subgraph, is walked once in Python."""
    if type(adjacency) is dict and all(type(row) is dict for row in adjacency.values()):
        return adjacency
    return {
        name: {other: data if type(data) is dict else _plain(data) for other, data in row.items()}
        for name, row in adjacency.items()
    }


def _plain(data: Any) -> dict[Any, Any]:
    return {key: dict(value) if hasattr(value, "items") else value for key, value in data.items()}


def _plain_range(nodes: dict[Any, Any]) -> Sequence[Any]:
    """0, 1, 2, … need no list."""
    count = len(nodes)
    for expected, name in enumerate(nodes):
        if type(name) is not int or name != expected:
            return list(nodes)
    return range(count)


def from_igraph(graph: Any, wanted: Wanted) -> Made:
    edges = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    directed = graph.is_directed() if wanted.directed is None else wanted.directed
    key = length_key(wanted.weighted)
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    return from_edges(
        edges[:, 0],
        edges[:, 1],
        None if key is None else graph.es[key],
        order=graph.vcount(),
        directed=directed,
        names=names,
    )


def from_table(table: Any, wanted: Wanted) -> Made:
    """Edges as rows of a table: source, target, and the lengths if wanted.

    A pandas table needs no pyarrow; all others give an Arrow stream.
    """
    if isinstance(wanted.weighted, str):
        raise UsageError(
            "weighted= names an attribute of NetworkX and igraph: of a table, name the columns in "
            "columns='source,target,length'"
        )
    columns = [name.strip() for name in wanted.columns.split(",") if name.strip()]
    count = 3 if wanted.weighted else 2
    if columns and not count <= len(columns) <= 3:
        raise UsageError("columns= names source, target and, with lengths, length")
    if hasattr(table, "iloc") or not hasattr(table, "__arrow_c_stream__"):
        columns = columns or [str(name) for name in table.columns][:count]
        if len(columns) < count:
            raise UsageError(
                "a table of edges has columns source, target and, with lengths, length"
            )
        given = [_column(table, name) for name in columns]
        return from_edges(*given, directed=bool(wanted.directed))
    read = _core.arrow_columns(table.__arrow_c_stream__(), columns, count)
    source, target, names = _of_one_kind(read[0], read[1])
    length = read[2] if len(read) == 3 else None
    if isinstance(length, tuple):
        raise UsageError("lengths are numbers, not text")
    return from_edges(source, target, length, directed=bool(wanted.directed), names=names)


ArrowColumn = np.ndarray | tuple[np.ndarray, list[str]]  # of text: positions in a list


def _of_one_kind(source: ArrowColumn, target: ArrowColumn) -> tuple[Any, Any, list[str] | None]:
    """Ends of edges; where they are text, positions in a list of all names."""
    if isinstance(source, tuple) and isinstance(target, tuple):
        (source, first), (target, second) = source, target
        index = {name: number for number, name in enumerate(first)}
        place = np.array([index.setdefault(name, len(index)) for name in second], np.int64)
        return source, place[target], list(index)
    ends = [
        np.array([end[1][i] for i in end[0]], object) if isinstance(end, tuple) else end
        for end in (source, target)
    ]
    return ends[0], ends[1], None


def _column(table: Any, name: str) -> np.ndarray:
    try:
        column = table[name]
    except (KeyError, TypeError):
        raise UsageError(f"the table has no column {name!r}") from None
    return np.asarray(column)
