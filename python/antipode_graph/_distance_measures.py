"""The longest and the shortest distances, rows of distances, and paths."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from . import _core
from ._options import (
    Disconnected,
    LongOptions,
    Options,
    Target,
    ask_of,
    asked,
    long_ask_of,
    short,
)
from ._parts import Parts
from ._proofs import Proof, with_file

if TYPE_CHECKING:
    from ._results import Distance, Eccentricities, VertexSet


class DistanceMeasures(Parts):
    """A distance counts edges, or sums their lengths in weighted graphs."""

    __slots__ = ()

    def diameter(
        self,
        *,
        disconnected: Disconnected = "error",
        certificate: Target = None,
        **options: Unpack[Options],
    ) -> Distance:
        """The largest distance between two vertices, and a shortest path that long.

        `certificate`: a file that gets a proof of it; see also `Distance.certificate`.

        >>> import antipode_graph as ag
        >>> d = ag.Graph("gen:cycle?n=7").diameter()
        >>> d.value, d.exact, len(d.path)
        (3, True, 4)
        """
        return self._distance("diameter", disconnected, certificate, options)

    def radius(
        self,
        *,
        disconnected: Disconnected = "error",
        certificate: Target = None,
        **options: Unpack[Options],
    ) -> Distance:
        """The smallest eccentricity; the path is one from a center to a farthest vertex.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:path?n=7").radius().value
        3
        """
        return self._distance("radius", disconnected, certificate, options)

    def center(
        self,
        *,
        disconnected: Disconnected = "error",
        certificate: Target = None,
        **options: Unpack[Options],
    ) -> VertexSet:
        """The vertices of smallest eccentricity.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:path?n=7").center().vertices
        [3]
        """
        return self._set("center", disconnected, certificate, options)

    def periphery(
        self,
        *,
        disconnected: Disconnected = "error",
        certificate: Target = None,
        **options: Unpack[Options],
    ) -> VertexSet:
        """The vertices of largest eccentricity.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:path?n=7").periphery().vertices
        [0, 6]
        """
        return self._set("periphery", disconnected, certificate, options)

    def eccentricity(
        self,
        *,
        disconnected: Disconnected = "error",
        certificate: Target = None,
        **options: Unpack[LongOptions],
    ) -> Eccentricities:
        """The largest distance from every vertex, along the arcs of a directed graph.

        Stopped early, `lower` and `upper` bound each; `values` are then the lower bounds.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:path?n=4").eccentricity().values.tolist()
        [3, 2, 2, 3]
        """
        from ._results import Eccentricities

        missing = math.nan if disconnected == "largest" else math.inf
        kept = options.get("checkpoint") is not None and self._part_of_checkpoint(disconnected)
        core, members = kept or self._part_of_distances(disconnected)
        proof = Proof(self, "eccentricity", disconnected, short(options))

        def shape(answer: Any) -> Eccentricities:
            lower, upper, exact, searches, _ = answer
            low, high = (
                self._spread(self._unit.array(bound, missing), members) for bound in (lower, upper)
            )
            return Eccentricities(
                low, self._names, exact, searches, lower=low, upper=high, _proof=proof
            )

        ask = long_ask_of(**options)

        def asking() -> Eccentricities:
            if kept:
                return asked(lambda: core.kept_eccentricity(ask), shape)
            return asked(lambda: core.eccentricity(disconnected, ask), shape)

        return with_file(asking, proof, certificate)

    def _distance(
        self, question: str, disconnected: str, certificate: Target, options: Options
    ) -> Distance:
        from ._results import Distance

        unit, names = self._unit, self._names
        core, members = self._part_of_distances(disconnected)

        measure, ask = getattr(_core.Graph, question), ask_of(**options)
        proof = Proof(self, question, disconnected, options)

        def one(found: Any, parts: Iterable[Any] = (), proof: Proof | None = None) -> Distance:
            lower, upper, path, searches, (order, size, components), _ = found
            return Distance(
                unit.number(lower),
                unit.number(upper),
                names.of(path if members is None else members[path].tolist()),
                searches,
                order,
                size,
                components if members is None else len(self.components()),
                tuple(one(part) for part in parts),
                proof,
            )

        def asking() -> Distance:
            return asked(
                lambda: measure(core, disconnected, ask),
                lambda answer: one(answer[0], answer[1], proof),
            )

        return with_file(asking, proof, certificate)

    def _set(
        self, question: str, disconnected: str, certificate: Target, options: Options
    ) -> VertexSet:
        from ._results import VertexSet

        unit, names = self._unit, self._names
        core, members = self._part_of_distances(disconnected)
        measure, ask = getattr(_core.Graph, question), ask_of(**options)
        proof = Proof(self, question, disconnected, options)

        def shape(answer: Any) -> VertexSet:
            vertices, lower, upper, exact, searches, _ = answer
            if members is not None:
                vertices = members[vertices]
            bounds = unit.number(lower), unit.number(upper)
            return VertexSet(names.of(vertices.tolist()), *bounds, exact, searches, proof)

        def asking() -> VertexSet:
            return asked(lambda: measure(core, disconnected, ask), shape)

        return with_file(asking, proof, certificate)

    def distances(
        self, sources: Iterable[Any] | None = None, **options: Unpack[Options]
    ) -> np.ndarray:
        """Distances from each of `sources` (None: all vertices) to all vertices, one row each.

        Where there is no path: -1 in edges, infinity in lengths.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:path?n=4").distances([0, 2]).tolist()
        [[0, 1, 2, 3], [2, 1, 0, 1]]
        """
        if sources is None:
            numbers = np.arange(self._core.order, dtype=np.uint32)
        else:
            numbers = self._names.numbers(sources)
        rows = self._core.distances(numbers, ask_of(**options))
        return self._unit.array(rows) if self._core.weighted else rows

    def path(self, source: Any, target: Any, **options: Unpack[Options]) -> list[Any] | None:
        """A shortest path, or None if there is none.

        >>> import antipode_graph as ag
        >>> ag.Graph("gen:path?n=4").path(3, 1)
        [3, 2, 1]
        """
        ends = self._names.number(source), self._names.number(target)
        return self._names.of(self._core.path(*ends, ask_of(**options))) or None
