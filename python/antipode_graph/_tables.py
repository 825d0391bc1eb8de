"""Answers as tables of other libraries."""

from __future__ import annotations

from . import _core


class Table:
    """What has a form as a table: any library with Arrow's PyCapsule interface takes it."""

    __slots__ = ()

    def to_arrow(self) -> _core.ArrowTable:
        raise NotImplementedError

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)
