"""What this build can do."""

from __future__ import annotations

from . import _core


def engines() -> list[dict[str, object]]:
    """The engines of this build, best first: name, whether it can be used, and on what it runs.

    >>> [e["name"] for e in engines()][-1] in ("cpu", "opencl")
    True
    """
    return _core.engines()
