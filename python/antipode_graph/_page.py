"""The page of figures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import _core
from ._options import Progress, ask_of, check_counts

if TYPE_CHECKING:
    from ._graph import Graph


class WithPage:
    """What can be shown on a page."""

    __slots__ = ()

    def report(
        self,
        path: str | os.PathLike[str],
        *others: Graph,
        time_limit: float | None = 15,
        seed: int = 1,
        engine: str = "auto",
        threads: int | None = None,
        memory_limit: int | None = None,
        progress: Progress | None = None,
    ) -> bool:
        """Writes a page of figures about this graph, compared with others if there are any.

        One file of HTML that needs no network: distances, eccentricities, shape, degrees,
        components, central vertices. `time_limit`: seconds for each graph; what would take longer
        is sampled, and the page says so. `seed`: of samples. The largest component is what most
        figures are about. Returns whether all diameters are exact.

        >>> import os, antipode_graph as ag
        >>> ag.Graph("gen:karate").report(os.devnull)
        True
        """
        from importlib.metadata import version

        check_counts(seed=seed)
        _core.check_target(os.fspath(path))
        graphs: list[Any] = [self, *others]
        names = [each._origin or f"graph {i}" for i, each in enumerate(graphs, 1)]
        cores = [each._labelled() for each in graphs]
        ask = ask_of(engine, threads, time_limit, memory_limit, progress)
        return _core.report(cores, names, os.fspath(path), version("antipode-graph"), seed, ask)
