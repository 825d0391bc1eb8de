"""Names of vertices, and the numbers they have inside."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from ._errors import UsageError


class Names:
    """Names in the order of the vertices; looked up by a dict that is made when it is needed."""

    __slots__ = ("_index", "list")

    def __init__(self, names: Sequence[Hashable]) -> None:
        self.list = names
        self._index: dict[Hashable, int] | None = None

    @property
    def index(self) -> dict[Hashable, int]:
        if self._index is None:
            self._index = {name: number for number, name in enumerate(self.list)}
        return self._index

    def number(self, name: Any) -> int:
        """The number of a vertex: IndexError for a number out of range, KeyError for a name."""
        if type(self.list) is range:
            return _in_range(self.list, name)
        try:
            return self.index[name]
        except (KeyError, TypeError):
            raise KeyError(name) from None

    def numbers(self, names: Iterable[Any]) -> np.ndarray:
        if type(self.list) is range and isinstance(names, np.ndarray):
            return _array_in_range(self.list, names)
        return np.fromiter((self.number(name) for name in names), np.uint32)

    def __contains__(self, name: object) -> bool:
        if type(self.list) is range:
            return is_integer(name) and name in self.list
        try:
            return name in self.index
        except TypeError:
            return False

    def of(self, numbers: Iterable[int]) -> list[Any]:
        names = self.list
        return [names[number] for number in numbers]


def is_integer(name: object) -> bool:
    return isinstance(name, int | np.integer) and not isinstance(name, bool | np.bool_)


def _in_range(names: range, name: Any) -> int:
    if not is_integer(name):
        raise KeyError(name)
    number = int(name) - names.start
    if not 0 <= number < len(names):
        raise IndexError(f"there is no vertex {name}: they are {names.start} to {names.stop - 1}")
    return number


def _array_in_range(names: range, given: np.ndarray) -> np.ndarray:
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise KeyError("vertices are given as a one-dimensional array of integers")
    outside = (given < names.start) | (given >= names.stop)
    if outside.any():
        _in_range(names, given[outside][0])
    return (given - names.start).astype(np.uint32)


def labels(names: Sequence[Any]) -> list[int] | list[str]:
    """Names as a file has them: whole numbers, if all are, and text otherwise."""
    if all(is_integer(name) and 0 <= name < 2**64 for name in names):
        return [int(name) for name in names]
    texts = [str(name) for name in names]
    if len(set(texts)) != len(texts):
        raise UsageError("two vertices have names of the same text")
    return texts


def column(names: Sequence[Any]) -> np.ndarray | list[str]:
    """Names as a column of a table: whole numbers or text."""
    if type(names) is range:
        return np.arange(names.start, names.stop, dtype=np.int64)
    if all(is_integer(name) for name in names):
        width = np.uint64 if any(name >= 2**63 for name in names) else np.int64
        if all(-(2**63) <= name < 2**64 for name in names):
            return np.array([int(name) for name in names], width)
    if all(type(name) is str for name in names):
        return list(names)
    raise UsageError("a column holds whole numbers or text, and these names are neither")


def taken(names: Sequence[Any], numbers: np.ndarray) -> np.ndarray | list[str]:
    """The column of these vertices' names."""
    found = column(names)
    if isinstance(found, list):
        return [found[number] for number in numbers.tolist()]
    return found[numbers]


def checked(names: Iterable[Hashable], order: int) -> Sequence[Hashable]:
    """Names as given by a caller: as many as there are vertices, and all different."""
    result: Sequence[Hashable]
    if isinstance(names, range) and names.step == 1:
        result = names
    else:
        result = names.tolist() if isinstance(names, np.ndarray) else list(names)
    if len(result) != order:
        raise ValueError(f"there are {order} vertices and {len(result)} names")
    if len(set(result)) != order:
        raise ValueError("two vertices have the same name")
    return result
