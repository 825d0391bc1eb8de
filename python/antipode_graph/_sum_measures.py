"""Sums over all sources."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from . import _core
from ._distance_measures import DistanceMeasures
from ._errors import Stopped, UsageError
from ._options import (
    Disconnected,
    LongOptions,
    Options,
    ask_of,
    asked,
    check_counts,
    long_ask_of,
)

if TYPE_CHECKING:
    from ._distributions import Distribution
    from ._results import Average, Betweenness, VertexValues


class SumMeasures(DistanceMeasures):
    """Average distance, closeness, betweenness."""

    __slots__ = ()

    def average_distance(
        self,
        *,
        disconnected: Disconnected = "error",
        samples: int = 0,
        seed: int = 1,
        **options: Unpack[LongOptions],
    ) -> Average:
        """The mean distance of ordered pairs of different vertices, and how many are how far apart.

        `samples`: an estimate from so many sources, with a confidence interval.

        >>> import antipode_graph as ag
        >>> a = ag.Graph("gen:path?n=4").average_distance()
        >>> round(a.mean, 6), a.pairs.tolist()
        (1.666667, [0, 6, 4, 2])
        """
        from ._distributions import Distribution
        from ._results import Average

        check_counts(samples=samples, seed=seed)
        core, _ = self._part_of_pairs("the average distance", disconnected)
        unit = self._unit

        def shape(answer: Any) -> Average:
            total, reachable, unreachable, sources, finished, exact, error, pairs, width = answer
            ratio = unit.ratio()
            return Average(
                mean=unit.number(total) / reachable if reachable else 0.0,
                distribution=Distribution(pairs, unit.number(width), width == 1),
                reachable=reachable,
                unreachable=unreachable,
                sources=sources,
                exact=exact,
                finished=finished,
                error=None if error is None else error * ratio,
            )

        ask = long_ask_of(**options)
        return asked(lambda: core.average(samples, seed, ask), shape)

    def distance_distribution(
        self,
        *,
        disconnected: Disconnected = "error",
        samples: int = 0,
        seed: int = 1,
        **options: Unpack[LongOptions],
    ) -> Distribution:
        """How many ordered pairs of vertices are at each distance; with lengths, in bins.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:cycle?n=5").distance_distribution().tolist()
        [0, 10, 10]
        """
        return self.average_distance(
            disconnected=disconnected, samples=samples, seed=seed, **options
        ).distribution

    def closeness(
        self,
        *,
        kind: Literal["wasserman_faust", "classic", "harmonic"] = "wasserman_faust",
        disconnected: Disconnected = "error",
        **options: Unpack[LongOptions],
    ) -> VertexValues:
        """How near every vertex is to those it reaches, along the arcs of a directed graph.

        Of n vertices one reaches r others at distances that sum to s: classic r / s, by Wasserman
        and Faust (r / s) (r / (n - 1)), harmonic the sum of 1 / distance.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:star?n=4").closeness().top(1)
        [(0, 1.0)]
        """
        from ._results import VertexValues

        if kind not in ("wasserman_faust", "classic", "harmonic"):
            raise UsageError(f"kind={kind!r} is none of wasserman_faust, classic, harmonic")
        core, members = self._part_of_pairs("closeness", disconnected)
        ratio = self._unit.ratio()

        def shape(answer: Any) -> VertexValues:
            reached, sums, harmonic, finished, sources = answer
            if not finished:
                values = np.zeros(0)
            elif kind == "harmonic":
                values = harmonic
            else:
                values = closeness_values(reached, sums, kind == "wasserman_faust") / ratio
            return VertexValues(self._spread(values, members), self._names, finished, sources)

        ask = long_ask_of(**options)
        back = core.transpose() if core.directed else core
        return asked(lambda: back.closeness(kind == "harmonic", ask), shape)

    def most_central(
        self, count: int = 10, *, disconnected: Disconnected = "error", **options: Unpack[Options]
    ) -> list[tuple[Any, float]]:
        """The vertices of largest closeness and their values, without searching from all.

        Of equal ones the earlier come first. For graphs without directions and lengths.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:star?n=5").most_central(1)
        [(0, 1.0)]
        """
        check_counts(count=count)
        if self.directed or self.weighted:
            raise UsageError("most_central is for graphs without directions and lengths: closeness")
        if disconnected == "reachable":
            raise UsageError("most_central has no form 'reachable': choose error, largest")
        core, members = self._part_of_pairs("closeness", disconnected)

        def shape(answer: Any) -> list[tuple[Any, float]]:
            vertices, sums, _, finished = answer
            if not finished:
                raise Stopped("stopped before the most central vertices were known")
            names = self._names.of((vertices if members is None else members[vertices]).tolist())
            others = core.order - 1
            return [
                (name, others / s if s else 0.0)
                for name, s in zip(names, sums.tolist(), strict=True)
            ]

        ask = ask_of(**options)
        return asked(lambda: core.most_central(count, ask), shape)

    def harmonic(
        self, *, disconnected: Disconnected = "error", **options: Unpack[LongOptions]
    ) -> VertexValues:
        """Harmonic closeness: the sum of 1 / distance to every other vertex.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:path?n=3").harmonic().to_dict()
        {0: 1.5, 1: 2.0, 2: 1.5}
        """
        return self.closeness(kind="harmonic", disconnected=disconnected, **options)

    def betweenness(
        self,
        *,
        edges: bool = False,
        normalized: bool = False,
        disconnected: Disconnected = "error",
        samples: int = 0,
        epsilon: float | None = None,
        seed: int = 1,
        **options: Unpack[LongOptions],
    ) -> Betweenness:
        """The share of shortest paths between others that passes a vertex or an edge, summed over
        pairs; `normalized`: divided by their number.

        `samples`: an estimate from so many sources. `epsilon`: from so many that every value,
        divided by the number of pairs, is within it of the exact one with probability 0.9. The
        answer's `epsilon` says the same of any estimate.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:path?n=4").betweenness().to_dict()
        {0: 0.0, 1: 2.0, 2: 2.0, 3: 0.0}
        """
        from ._results import EdgeValues, VertexValues

        check_counts(samples=samples, seed=seed)
        core, members = self._part_of_pairs("betweenness", disconnected)
        factor = _normalization(core, edges) if normalized else 1.0
        if epsilon is not None:
            samples = _samples_for(core, edges, samples, epsilon)

        def shape(answer: Any) -> Betweenness:
            values, source, target, edge_values, exact, reached, sources = answer
            if not edges:
                named = self._spread(values * factor, members)
                return VertexValues(named, self._names, exact, sources, epsilon=reached)
            if members is not None:
                source, target = members[source], members[target]
            found = edge_values * factor
            return EdgeValues(source, target, found, self._names, exact, sources, reached)

        ask = long_ask_of(**options)
        return asked(lambda: core.betweenness(edges, samples, seed, ask), shape)

    def table(self, measures: Iterable[str], **options: Any) -> Any:
        """Several values of every vertex as a pandas DataFrame, one column each.

        >>> import antipode_graph as ag
        >>> frame = ag.Graph("gen:path?n=3").table(["eccentricity", "harmonic"])
        >>> frame["harmonic"].tolist()
        [1.5, 2.0, 1.5]
        """
        import pandas as pd

        allowed = ("eccentricity", "closeness", "harmonic", "betweenness")
        columns = {}
        for measure in measures:
            if measure not in allowed:
                raise UsageError(f"{measure!r} is none of {', '.join(allowed)}")
            columns[measure] = getattr(self, measure)(**options).values
        return pd.DataFrame(columns, index=pd.Index(self._names.list, tupleize_cols=False))


def closeness_values(reached: np.ndarray, sums: np.ndarray, scaled: bool) -> np.ndarray:
    """In the order of operations that NetworkX has, so that the bits are the same."""
    others = reached.astype(np.float64) - 1.0
    values = np.zeros(len(reached))
    there = sums > 0
    values[there] = others[there] / sums[there].astype(np.float64)
    if scaled and len(reached) > 1:
        values *= others / (len(reached) - 1)
    return values


def _normalization(core: _core.Graph, edges: bool) -> float:
    n, ways = core.order, 1 if core.directed else 2
    pairs = (n * (n - 1) if edges else (n - 1) * (n - 2)) / ways
    return 1 / pairs if pairs > 0 else 1.0


def _samples_for(core: _core.Graph, edges: bool, samples: int, epsilon: float) -> int:
    if samples:
        raise UsageError("how many sources epsilon= takes is computed: leave out samples=")
    if not 0 < epsilon < 1:
        raise UsageError("epsilon= is above 0 and below 1")
    wanted = _core.sources_for(epsilon, 0.1, core.order, core.size if edges else core.order)
    return wanted if wanted < core.order else 0
