"""Components, and which of them a question is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _core
from ._errors import UsageError
from ._names import Names, labels
from ._unit import EDGES, Unit

if TYPE_CHECKING:
    from ._results import Components

Core = _core.Graph
# What is searched, and its vertices if it is not the whole graph.
Part = tuple[Core, np.ndarray | None]


class Parts:
    """The components of a graph, found once."""

    __slots__ = ("_core", "_has_labels", "_labelled_core", "_largest_part", "_names", "_parts")

    _core: Core
    _names: Names
    _parts: dict[str, Components]
    _largest_part: Part | None
    _has_labels: bool  # the core has the names as its own labels
    _labelled_core: Core | None

    @property
    def directed(self) -> bool:
        return self._core.directed

    @property
    def weighted(self) -> bool:
        return self._core.weighted

    @property
    def _unit(self) -> Unit:
        return Unit(*self._core.unit) if self._core.weighted else EDGES

    def _labelled(self) -> Core:
        """The graph under its names, as a file would have them."""
        if self._has_labels or self._names.list == range(self._core.order):
            return self._core
        if self._labelled_core is None:
            self._labelled_core = self._core.with_labels(labels(self._names.list))
        return self._labelled_core

    def components(self) -> Components:
        """Connected components; of a directed graph weak ones.

        >>> import antipode_graph as ag
        >>> len(ag.Graph("gen:cycle?n=5").components())
        1
        """
        return self._components(strong=False)

    def strong_components(self) -> Components:
        """Sets of vertices that all reach each other along the arcs."""
        return self._components(strong=True)

    def _components(self, strong: bool) -> Components:
        key = "strong" if strong and self._core.directed else "weak"
        if key not in self._parts:
            from ._results import Components

            of, orders, sizes, largest = self._core.components(strong)
            none = largest if len(orders) else None
            self._parts[key] = Components(of, orders, sizes, none, self._names)
        return self._parts[key]

    def _part_of_pairs(self, what: str, disconnected: str) -> Part:
        """What a question about pairs of vertices is asked of."""
        core = self._core
        if core.order == 0:
            raise UsageError(f"{what} of a graph without vertices is undefined")
        if disconnected not in ("error", "largest", "reachable"):
            raise UsageError(
                f"{what} has no form {disconnected!r}: choose error, largest, reachable"
            )
        count = len(self._components(strong=disconnected == "error"))
        if disconnected == "reachable" or count == 1:
            return core, None
        if disconnected == "error":
            lack = (
                "not every vertex reaches every other along the arcs"
                if core.directed
                else f"the graph is not connected: it has {count} components"
            )
            raise UsageError(
                f"{lack}; say what {what} means by disconnected= with one of largest, reachable"
            )
        return self._largest()

    def _part_of_distances(self, disconnected: str) -> Part:
        """As `_part_of_pairs`. Where it is the largest component, that is kept with its engine."""
        if disconnected == "largest" and not self._core.directed:
            if len(self._components(strong=False)) > 1:
                return self._largest()
        return self._core, None

    def _part_of_checkpoint(self, disconnected: str) -> Part | None:
        """The one graph whose eccentricities are asked about; None where there is an error."""
        if self._core.order < 2:
            return None
        parts = self._components(strong=self.directed)
        other = "reachable" if self.directed else "per_component"
        if disconnected not in ("error", "largest", "infinite", other):
            return None
        if disconnected == "reachable" or len(parts) == 1:
            return self._core, None
        if disconnected in ("infinite", "per_component"):
            raise UsageError("a checkpoint is of one component: choose disconnected='largest'")
        if disconnected != "largest":
            return None
        if not self.directed:
            return self._largest()
        assert parts.largest is not None
        members = np.flatnonzero(parts.of == parts.largest)
        return self._core.component(True, parts.largest), members

    def _largest(self) -> Part:
        if self._largest_part is None:
            parts = self._components(strong=False)
            assert parts.largest is not None
            members = np.flatnonzero(parts.of == parts.largest)
            self._largest_part = self._core.component(False, parts.largest), members
        return self._largest_part

    def _spread(self, values: np.ndarray, members: np.ndarray | None) -> np.ndarray:
        """One value for each vertex of the graph, from those of a component."""
        if members is None or len(values) == 0:
            return values
        result = np.full(self._core.order, np.nan)
        result[members] = values
        return result
