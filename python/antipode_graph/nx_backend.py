"""The NetworkX backend "antipode".

Every function has NetworkX's signature, values and exceptions. Arguments that are not served go to
NetworkX itself, where it may fall back, or are refused by NetworkX.
"""

from __future__ import annotations

from typing import Any

import networkx as nx

from ._nx import centrality, eccentric, paths, structure  # noqa: F401 - they register functions
from ._nx.graph import CHECKS, FUNCTIONS, BackendGraph, to_networkx

SMALLEST_ORDER = 64  # of graphs that gain from being converted


class Backend:
    """What NetworkX dispatches to."""

    @staticmethod
    def convert_from_nx(
        graph: Any, *, edge_attrs: dict[str, Any] | None = None, **_: Any
    ) -> BackendGraph:
        if isinstance(graph, BackendGraph):
            return graph
        weight = None
        for key, default in (edge_attrs or {}).items():
            if weight is not None or default not in (1, None):
                raise NotImplementedError("one attribute of edges is taken, with 1 where it lacks")
            weight = key
        return BackendGraph(graph, weight)

    @staticmethod
    def convert_to_nx(obj: Any, **_: Any) -> Any:
        return to_networkx(obj) if isinstance(obj, BackendGraph) else obj

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        check = CHECKS.get(name)
        if check is None:
            return True
        try:
            return check(*args, **kwargs)
        except TypeError:
            return "these arguments are left to NetworkX"

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        graph = args[0] if args else kwargs["G"]
        backends = getattr(nx.config, "backends", {})
        smallest = getattr(backends.get("antipode"), "smallest_order", SMALLEST_ORDER)
        return len(graph) >= smallest or "NetworkX is as fast on small graphs"


for _name, _function in FUNCTIONS.items():
    setattr(Backend, _name, staticmethod(_function))

backend = Backend()
