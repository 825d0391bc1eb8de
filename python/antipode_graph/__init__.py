"""Exact distances in huge sparse graphs.

>>> import antipode_graph as ag
>>> g = ag.Graph("gen:path?n=5")
>>> g.diameter().value
4

Names are loaded when they are first used: importing the package alone costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._certificates import Certificate, Verified, verify
    from ._distributions import Distribution
    from ._errors import (
        CertificateRefused,
        DeviceError,
        Error,
        InputError,
        OutOfMemory,
        Stopped,
        UsageError,
    )
    from ._graph import Graph
    from ._results import (
        Average,
        Betweenness,
        Components,
        Distance,
        Eccentricities,
        EdgeValues,
        VertexSet,
        VertexValues,
    )
    from ._tools import engines

_HOMES = {
    "_certificates": ("Certificate", "Verified", "verify"),
    "_errors": (
        "CertificateRefused",
        "DeviceError",
        "Error",
        "InputError",
        "OutOfMemory",
        "Stopped",
        "UsageError",
    ),
    "_distributions": ("Distribution",),
    "_graph": ("Graph",),
    "_results": (
        "Average",
        "Betweenness",
        "Components",
        "Distance",
        "Eccentricities",
        "EdgeValues",
        "VertexSet",
        "VertexValues",
    ),
    "_tools": ("engines",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = list(_HOME_OF)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("antipode-graph")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, "__version__"])
