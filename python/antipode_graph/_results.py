"""Answers: immutable, with the names of the graph's vertices."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from . import _core
from ._distributions import Distribution, of_values
from ._errors import Stopped
from ._names import Names, column, taken
from ._options import Options
from ._proofs import Proof, certificate_by
from ._shown import Shown, first, to_html
from ._tables import Table

if TYPE_CHECKING:
    from ._certificates import Certificate

Number = int | float


def _between(lower: Number, upper: Number) -> str:
    return f"{lower:,}" if lower == upper else f"between {lower:,} and {upper:,}"


def _check_exact(lower: Number, upper: Number) -> None:
    if lower != upper:
        raise Stopped(f"stopped early: the value is between {lower} and {upper}")


@dataclass(frozen=True, slots=True)
class Distance(Shown):
    """A diameter or a radius: bounds, and a shortest path as long as it."""

    lower: Number
    upper: Number
    path: list[Any] = field(repr=False)
    searches: int
    order: int  # vertices of the component that it is about
    size: int  # edges of it
    components: int  # of the graph
    per_component: tuple[Distance, ...] = field(default=(), repr=False)
    _proof: Proof | None = field(default=None, repr=False, compare=False)

    @property
    def exact(self) -> bool:
        return self.lower == self.upper

    @property
    def value(self) -> Number:
        """The exact value; ``Stopped`` if the search ended before it was known."""
        _check_exact(self.lower, self.upper)
        return self.lower

    def certificate(self, **options: Unpack[Options]) -> Certificate:
        """A proof, which `verify` and the program check. The question is asked once more.

        Options are those of the question, unless others are given here.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:cycle?n=9").diameter().certificate().question
        'diameter'
        """
        return certificate_by(self._proof, self.exact, options)

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def _facts(self) -> dict[str, object]:
        return {
            "value": _between(self.lower, self.upper),
            "path": f"{first(self.path)} ({len(self.path):,} vertices)",
            "searches": self.searches,
            "about": f"{self.order:,} vertices, {self.size:,} edges",
        }


@dataclass(frozen=True, slots=True)
class VertexSet(Shown):
    """The center or the periphery, in the order of the graph's vertices."""

    vertices: list[Any]
    lower: Number  # of the radius or the diameter
    upper: Number
    exact: bool
    searches: int
    _proof: Proof | None = field(default=None, repr=False, compare=False)

    def certificate(self, **options: Unpack[Options]) -> Certificate:
        """A proof: see `Distance.certificate`."""
        return certificate_by(self._proof, self.exact, options)

    @property
    def value(self) -> Number:
        """The radius of a center, the diameter of a periphery."""
        _check_exact(self.lower, self.upper)
        return self.lower

    def __iter__(self) -> Iterator[Any]:
        return iter(self.vertices)

    def __len__(self) -> int:
        return len(self.vertices)

    def __contains__(self, name: object) -> bool:
        return name in self.vertices

    def _facts(self) -> dict[str, object]:
        return {
            "vertices": f"{first(self.vertices)} ({len(self):,})",
            "value": _between(self.lower, self.upper),
            "searches": self.searches,
        }


@dataclass(frozen=True, slots=True, eq=False)
class VertexValues(Table):
    """One number for every vertex."""

    values: np.ndarray = field(repr=False)
    _names: Names = field(repr=False)
    exact: bool
    searches: int
    epsilon: float | None = None  # of a sample: see Graph.betweenness

    @property
    def names(self) -> Any:
        """The vertices, in the order of the values: a range or a list."""
        return self._names.list

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: Any) -> Number:
        return self.values[self._names.number(name)].item()

    def to_dict(self) -> dict[Any, Number]:
        return dict(zip(self.names, self.values.tolist(), strict=True))

    def to_series(self) -> Any:
        """A pandas Series, indexed by the vertices."""
        import pandas as pd

        return pd.Series(self.values, index=pd.Index(self.names, tupleize_cols=False))

    def to_arrow(self) -> _core.ArrowTable:
        """Columns vertex and value, which ``pyarrow.table``, ``polars.DataFrame`` and others take.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:path?n=3").closeness().to_arrow().column_names
        ['vertex', 'value']
        """
        values = np.ascontiguousarray(self.values)
        return _core.ArrowTable(["vertex", "value"], [column(self.names), values])

    def top(self, count: int = 10) -> list[tuple[Any, Number]]:
        """The vertices of largest value, largest first; of equal ones the earlier first."""
        order = np.argsort(-self.values.astype(np.float64), kind="stable")[:count]
        chosen = [i for i in order.tolist() if not math.isnan(self.values[i])]
        return [(self.names[i], self.values[i].item()) for i in chosen]

    def _repr_html_(self) -> str:
        return _top_html(f"{type(self).__name__} of {len(self):,} vertices", self.top())


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Eccentricities(VertexValues):
    """The eccentricity of every vertex, or bounds of it: `values` are the lower ones."""

    lower: np.ndarray = field(repr=False)
    upper: np.ndarray = field(repr=False)
    _proof: Proof | None = field(default=None, repr=False)

    def certificate(self, **options: Unpack[Options]) -> Certificate:
        """A proof: see `Distance.certificate`."""
        return certificate_by(self._proof, self.exact, options)

    @property
    def distribution(self) -> Distribution:
        """How many vertices have each eccentricity; infinite ones do not count."""
        if not self.exact:
            raise Stopped("stopped early: not every eccentricity is known")
        return of_values(self.values, "vertices", "eccentricity")

    def plot(self, ax: Any = None, *, log: bool = False, **style: Any) -> Any:
        """Their distribution: see `Distribution.plot`."""
        return self.distribution.plot(ax, log=log, **style)


@dataclass(frozen=True, slots=True, eq=False)
class EdgeValues(Table):
    """One number for every edge."""

    source: np.ndarray = field(repr=False)  # positions in `names`
    target: np.ndarray = field(repr=False)
    values: np.ndarray = field(repr=False)
    _names: Names = field(repr=False)
    exact: bool
    searches: int
    epsilon: float | None = None

    @property
    def names(self) -> Any:
        return self._names.list

    def __len__(self) -> int:
        return len(self.values)

    def to_dict(self) -> dict[tuple[Any, Any], float]:
        names = self.names
        ends = zip(self.source.tolist(), self.target.tolist(), strict=True)
        return {
            (names[u], names[v]): value
            for (u, v), value in zip(ends, self.values.tolist(), strict=True)
        }

    def to_series(self) -> Any:
        """A pandas Series, indexed by the ends of edges."""
        import pandas as pd

        names = pd.Index(self.names, tupleize_cols=False)
        ends = [names[self.source], names[self.target]]
        return pd.Series(
            self.values, index=pd.MultiIndex.from_arrays(ends, names=["source", "target"])
        )

    def to_arrow(self) -> _core.ArrowTable:
        """Columns source, target and value."""
        ends = [taken(self.names, at) for at in (self.source, self.target)]
        values = np.ascontiguousarray(self.values)
        return _core.ArrowTable(["source", "target", "value"], [*ends, values])

    def top(self, count: int = 10) -> list[tuple[tuple[Any, Any], float]]:
        names = self.names
        order = np.argsort(-self.values, kind="stable")[:count].tolist()
        return [
            ((names[self.source[i]], names[self.target[i]]), self.values[i].item()) for i in order
        ]

    def _repr_html_(self) -> str:
        return _top_html(f"{type(self).__name__} of {len(self):,} edges", self.top())


def _top_html(title: str, top: list[tuple[Any, Number]]) -> str:
    return to_html(f"{title}, largest first", ((str(name), value) for name, value in top))


Betweenness = VertexValues | EdgeValues


@dataclass(frozen=True, slots=True, eq=False)
class Average(Shown):
    """How far apart vertices are. All counts are of ordered pairs of different vertices."""

    mean: float
    distribution: Distribution = field(repr=False)
    reachable: int
    unreachable: int
    sources: int
    exact: bool
    finished: bool  # else the time limit came, and only so many sources count
    error: float | None  # of a sample: half of the 95 % confidence interval

    @property
    def value(self) -> float:
        return self.mean

    @property
    def pairs(self) -> np.ndarray:
        """How many are at distances i * `width` … (i + 1) * `width`."""
        return self.distribution.counts

    @property
    def width(self) -> Number:
        """1 where edges have no lengths."""
        return self.distribution.width

    @property
    def interval(self) -> tuple[float, float] | None:
        if self.exact:
            return self.mean, self.mean
        return None if self.error is None else (self.mean - self.error, self.mean + self.error)

    def quantile(self, share: float) -> Number:
        """The least distance within which this share of the reachable pairs lie.

        With lengths: the upper end of the bin it lies in.
        """
        return self.distribution.quantile(share)

    @property
    def median(self) -> Number:
        return self.quantile(0.5)

    def effective(self, share: float = 0.9) -> float:
        """The effective diameter: `quantile`, interpolated within the last step."""
        return self.distribution.effective(share)

    def plot(self, ax: Any = None, *, log: bool = False, **style: Any) -> Any:
        """The distribution of distances: see `Distribution.plot`."""
        return self.distribution.plot(ax, log=log, **style)

    def _facts(self) -> dict[str, object]:
        facts: dict[str, object] = {"mean": self.mean}
        if self.interval and not self.exact:
            facts["95 % interval"] = f"{self.interval[0]:.6g} to {self.interval[1]:.6g}"
        if self.reachable:
            facts["median"] = self.median
            facts["effective diameter (0.9)"] = self.effective()
        return {**facts, "pairs": self.reachable, "pairs without a path": self.unreachable}


@dataclass(frozen=True, slots=True, eq=False)
class Components(Shown):
    """Sets of vertices that reach each other."""

    of: np.ndarray = field(repr=False)  # the component of each vertex
    orders: np.ndarray = field(repr=False)  # vertices in each
    sizes: np.ndarray = field(repr=False)  # edges in each
    largest: int | None  # the one with most vertices
    _names: Names = field(repr=False)

    def __len__(self) -> int:
        return len(self.orders)

    def _facts(self) -> dict[str, object]:
        orders = np.sort(self.orders)[::-1]
        return {"components": len(self), "vertices in each": first(orders.tolist())}

    def members(self, component: int) -> list[Any]:
        if not 0 <= component < len(self):
            raise IndexError(f"there is no component {component}: there are {len(self)}")
        return self._names.of(np.flatnonzero(self.of == component).tolist())

    def __iter__(self) -> Iterator[list[Any]]:
        order = np.argsort(self.of, kind="stable")
        for part in np.split(order, np.cumsum(self.orders.astype(np.int64))[:-1]):
            if len(part):
                yield self._names.of(part.tolist())
