"""A graph that does not change."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from . import _core, _sources
from ._errors import UsageError
from ._names import Names, checked, taken
from ._page import WithPage
from ._shown import first, to_html
from ._sum_measures import SumMeasures


class Graph(SumMeasures, WithPage):
    """An immutable graph, with or without directions and lengths.

    `source` is one of:

    - the name of a file, or a generator's text such as ``"gen:rmat?scale=12"``;
    - a SciPy sparse array, as an adjacency matrix;
    - a tuple of arrays ``(source, target)`` or ``(source, target, length)``;
    - a pandas or Arrow table of edges (`columns`: which of its columns);
    - a NetworkX or igraph graph, whose names and directions it keeps;
    - another Graph, to give it other names.

    `directed`: edges are arcs. `weighted`: distances are sums of lengths, and not numbers of
    edges; the name of the attribute for NetworkX and igraph. `names`: one for each vertex, in
    place of 0, 1, 2, …; any hashable values.

    Loops are dropped, and of several edges between two vertices the shortest stays.

    >>> import antipode_graph as ag
    >>> g = ag.Graph(([0, 1, 2], [1, 2, 3]), names=["a", "b", "c", "d"])
    >>> len(g), "b" in g, g.path("a", "d")
    (4, True, ['a', 'b', 'c', 'd'])
    """

    __slots__ = ("_notices", "_origin")

    def __init__(
        self,
        source: Any,
        *,
        directed: bool | None = None,
        weighted: bool | str | None = None,
        names: Sequence[Hashable] | np.ndarray | None = None,
        format: str = "auto",
        columns: str = "",
    ) -> None:
        if isinstance(source, Graph):
            if directed is not None or weighted is not None:
                raise UsageError("a graph is directed and weighted or not: see unweighted()")
            self._take(_sources.Made(source._core, source._names, source._origin), names)
            return
        wanted = _sources.Wanted(directed, weighted, format, columns)
        self._take(_sources.make(source, wanted), names)

    def _take(self, made: _sources.Made, names: Any = None) -> None:
        self._core = made.core
        self._names = made.names if names is None else Names(checked(names, made.core.order))
        self._origin = made.origin if names is None else ""
        self._notices = made.notices
        self._parts = {}
        self._largest_part = None
        self._has_labels = self._origin != ""
        self._labelled_core = None

    @classmethod
    def _of(cls, made: _sources.Made) -> Graph:
        graph = cls.__new__(cls)
        graph._take(made)
        return graph

    @classmethod
    def from_edges(
        cls,
        source: Any,
        target: Any,
        length: Any = None,
        *,
        order: int | None = None,
        directed: bool = False,
        names: Sequence[Hashable] | np.ndarray | None = None,
    ) -> Graph:
        """From arrays of the ends of edges, and of their lengths.

        Integers are the numbers of vertices, or positions in `names`; other values are names.
        `order`: the number of vertices, if some have no edges.

        >>> import antipode_graph as ag
        >>> ag.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2]).diameter().value
        3.5
        """
        made = _sources.from_edges(
            source, target, length, order=order, directed=directed, names=names
        )
        return cls._of(made)

    # -- what it is ------------------------------------------------------------------------------

    @property
    def order(self) -> int:
        """The number of vertices."""
        return self._core.order

    @property
    def size(self) -> int:
        """The number of edges, of a directed graph of arcs."""
        return self._core.size

    @property
    def names(self) -> Sequence[Any]:
        """The vertices, in their order: a range or a list."""
        return self._names.list

    @property
    def notices(self) -> tuple[str, ...]:
        """What was assumed or lost when the file was read."""
        return self._notices

    @property
    def indptr(self) -> np.ndarray:
        """Where the neighbours of each vertex begin in `indices`: a read-only view."""
        return self._core.offsets

    @property
    def indices(self) -> np.ndarray:
        """The neighbours of all vertices, by their positions: a read-only view."""
        return self._core.targets

    @property
    def lengths(self) -> np.ndarray | None:
        """The lengths beside `indices`; None where edges have none."""
        raw = self._core.lengths
        return None if raw is None else self._unit.array(raw.view(np.int64))

    def __len__(self) -> int:
        return self._core.order

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[Any]:
        return iter(self._names.list)

    def neighbors(self, name: Any) -> list[Any]:
        """The neighbours of a vertex; along the arcs of a directed graph.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:cycle?n=5").neighbors(0)
        [1, 4]
        """
        v = self._names.number(name)
        begin, end = int(self.indptr[v]), int(self.indptr[v + 1])
        return self._names.of(self.indices[begin:end].tolist())

    def transpose(self) -> Graph:
        """Every arc reversed."""
        return self._of(_sources.Made(self._core.transpose(), self._names))

    def unweighted(self) -> Graph:
        """The same graph, with edges of length 1."""
        return self._of(_sources.Made(self._core.without_lengths(), self._names))

    def info(self) -> dict[str, Any]:
        """Sizes, degrees, components and triangles.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:cycle?n=5").info()["components"]
        1
        """
        degrees = np.diff(self.indptr.astype(np.int64))
        parts = self.components()
        result: dict[str, Any] = {
            "order": self.order,
            "size": self.size,
            "directed": self.directed,
            "weighted": self.weighted,
            "components": len(parts),
            "largest_component": int(parts.orders.max()) if len(parts) else 0,
            "least_degree": int(degrees.min()) if len(degrees) else 0,
            "mean_degree": float(degrees.mean()) if len(degrees) else 0.0,
            "most_degree": int(degrees.max()) if len(degrees) else 0,
        }
        if self.directed:
            result["strong_components"] = len(self.strong_components())
        else:
            result["triangles"] = self._core.triangles()[0]
        return result

    # -- out of this process ---------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str], *, format: str = "auto") -> list[str]:
        """Writes a file, complete or not at all; returns what its format cannot hold."""
        return self._labelled().save(os.fspath(path), format)

    def to_scipy(self) -> Any:
        """The adjacency as a SciPy array of rows; its data are lengths, or ones."""
        from scipy.sparse import csr_array

        data = np.ones(len(self.indices), np.int8) if self.lengths is None else self.lengths
        shape = (self.order, self.order)
        return csr_array((data, self.indices.astype(np.int64), self.indptr.astype(np.int64)), shape)

    def to_arrow(self) -> _core.ArrowTable:
        """A table of edges: source, target and, where they have lengths, length.

        >>> import antipode_graph as ag
        >>> len(ag.Graph("gen:cycle?n=5").to_arrow())
        5
        """
        degrees = np.diff(self.indptr.astype(np.int64)).astype(np.int64)
        source, target = np.repeat(np.arange(self.order), degrees), self.indices
        kept = np.full(len(target), True) if self.directed else source < target
        names = ["source", "target"]
        columns = [taken(self._names.list, end[kept]) for end in (source, target)]
        if self.lengths is not None:
            names, columns = [*names, "length"], [*columns, self.lengths[kept]]
        return _core.ArrowTable(names, columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __reduce__(self) -> tuple[Any, ...]:
        core = self._core
        lengths = None if core.lengths is None else np.array(core.lengths)
        rows = np.array(core.offsets).view(np.int64), core.targets.astype(np.int64)
        return _restored, (*rows, core.directed, lengths, core.unit, self._names.list)

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, memo: Any) -> Graph:
        return self

    def __repr__(self) -> str:
        return f"<antipode_graph.Graph: {', '.join(self._facts())}>"

    def _repr_html_(self) -> str:
        degrees = np.diff(self.indptr.astype(np.int64))
        rows: dict[str, object] = {
            "vertices": f"{self.order:,} vertices",
            "edges": f"{self.size:,} {'arcs' if self.directed else 'edges'}",
            "lengths": "yes" if self.weighted else "no: every edge counts 1",
        }
        if len(degrees):
            rows["degrees"] = f"{degrees.min():,} to {degrees.max():,}, mean {degrees.mean():.3g}"
            rows["names"] = first(self._names.list, 5)
        if self._origin:
            rows["from"] = self._origin
        return to_html("Graph", rows.items())

    def _facts(self) -> list[str]:
        edges = "arcs" if self.directed else "edges"
        facts = [f"{self.order:,} vertices", f"{self.size:,} {edges}"]
        if self.weighted:
            facts.append("with lengths")
        if self._origin:
            facts.append(self._origin)
        return facts


def _restored(
    offsets: np.ndarray,
    targets: np.ndarray,
    directed: bool,
    lengths: np.ndarray | None,
    unit: tuple[int, int, int],
    names: Any,
) -> Graph:
    core = _core.Graph.from_rows(offsets, targets, directed, lengths, unit)
    return Graph._of(_sources.Made(core, Names(names)))
