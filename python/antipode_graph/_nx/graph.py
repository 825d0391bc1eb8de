"""A NetworkX graph as the backend has it, and the table of the functions that are served."""

from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from .. import _core
from .._errors import UsageError
from .._names import Names
from .._sources import Wanted, from_networkx
from .._unit import EDGES, Unit

ASK = _core.Ask()
EXACT = 2**53  # sums of floats below it are exact

Check = Callable[..., bool | str]
FUNCTIONS: dict[str, Callable[..., Any]] = {}
CHECKS: dict[str, Check] = {}


def serves(check: Check | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a function; `check` gets its arguments and says whether they are served."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        served = _with_lengths_if_asked(function)
        FUNCTIONS[function.__name__] = served
        if check is not None:
            CHECKS[function.__name__] = check
        return served

    return register


def _with_lengths_if_asked(function: Callable[..., Any]) -> Callable[..., Any]:
    """NetworkX passes a graph that it converted for a call with weights to calls without, too."""
    parameters = inspect.signature(function).parameters
    optional = {name for name, each in parameters.items() if each.default is not each.empty}
    key = next((name for name in ("weight", "distance") if name in optional), None)
    place = list(parameters).index(key) - 1 if key else 0
    default = parameters[key].default if key else None

    @functools.wraps(function)
    def served(G: BackendGraph, *args: Any, **kwargs: Any) -> Any:
        weight = None
        if key is not None:
            weight = args[place] if len(args) > place else kwargs.get(key, default)
        return function(G.unweighted() if weight is None else G, *args, **kwargs)

    return served


def is_key(weight: Any) -> bool:
    return weight is None or isinstance(weight, str)


class BackendGraph:
    """What NetworkX passes to the functions of this backend."""

    __networkx_backend__ = "antipode"

    def __init__(self, source: nx.Graph, weight: str | None) -> None:
        try:
            made = from_networkx(source, Wanted(None, weight), exact=True)
        except UsageError as error:
            raise NotImplementedError(str(error)) from None
        self.core = made.core
        self.names: Names = made.names
        self.loops: np.ndarray = made.loops
        self.floating = made.kind == "float"
        self.unit = Unit(*self.core.unit) if self.core.weighted else EDGES
        self._multigraph = source.is_multigraph()
        self._source = weakref.ref(source)
        self._forget()

    def _forget(self) -> None:
        self._parts: tuple[int, np.ndarray] | None = None
        self._transpose: _core.Graph | None = None
        self._unweighted: BackendGraph | None = None

    # -- what NetworkX asks ----------------------------------------------------------------------

    def is_directed(self) -> bool:
        return self.core.directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def __len__(self) -> int:
        return self.core.order

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names.list)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.names.index
        except TypeError:
            return False

    def __str__(self) -> str:
        source = self._source()
        return f"a graph of {len(self)} nodes" if source is None else str(source)

    def __reduce__(self) -> tuple[Any, ...]:
        """NetworkX's graphs are copied and pickled with what they keep: that is made anew."""
        return type(None), ()

    # -- what its functions ask ------------------------------------------------------------------

    @property
    def nodes(self) -> Any:
        return self.names.list

    def number(self, node: Any) -> int:
        return self.names.index[node]

    def transpose(self) -> _core.Graph:
        if self._transpose is None:
            self._transpose = self.core.transpose() if self.core.directed else self.core
        return self._transpose

    def unweighted(self) -> BackendGraph:
        if not self.core.weighted:
            return self
        if self._unweighted is None:
            plain = BackendGraph.__new__(BackendGraph)
            plain.__dict__.update(self.__dict__)
            plain.core, plain.unit, plain.floating = self.core.without_lengths(), EDGES, False
            plain._forget()
            self._unweighted = plain
        return self._unweighted

    def components(self) -> tuple[int, np.ndarray]:
        """How many weak components there are, and that of each node."""
        if self._parts is None:
            of, orders, _, _ = self.core.components(False)
            self._parts = len(orders), of
        return self._parts

    def reaches_all(self) -> bool:
        """Every node reaches every other."""
        if self.is_directed():
            return len(self.core.components(True)[1]) <= 1
        return self.components()[0] <= 1

    def length(self, raw: int) -> int | float:
        """Of the type that NetworkX's sum has: it begins with a whole 0."""
        if raw == 0:
            return 0
        return float(self.unit.number(raw)) if self.floating else self.unit.number(raw)

    def lengths(self, raw: np.ndarray) -> list[Any]:
        if not self.core.weighted:
            return raw.tolist()
        return [self.length(each) for each in raw.tolist()]

    def row(self, source: Any, reverse: bool = False) -> np.ndarray:
        core = self.transpose() if reverse else self.core
        return core.distances(np.array([self.number(source)], np.uint32), ASK)[0]

    def named(self, values: np.ndarray) -> dict[Any, Any]:
        return dict(zip(self.nodes, values.tolist(), strict=True))


def to_networkx(graph: BackendGraph) -> nx.Graph:
    """The nodes and the edges, without attributes but lengths."""
    source = graph._source()
    if source is not None:
        return source
    result = nx.DiGraph() if graph.is_directed() else nx.Graph()
    result.add_nodes_from(graph.nodes)
    offsets, targets = graph.core.offsets.astype(np.int64), graph.core.targets.tolist()
    ends = np.repeat(np.arange(len(graph)), np.diff(offsets)).tolist()
    result.add_edges_from(
        (graph.nodes[u], graph.nodes[v]) for u, v in zip(ends, targets, strict=True)
    )
    return result
