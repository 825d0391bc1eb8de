"""Exceptions, each with a parent among Python's own."""

from __future__ import annotations


class Error(Exception):
    """Anything that Antipode refuses or cannot do."""


class UsageError(Error, ValueError):
    """A request that makes no sense, such as the diameter of a graph without vertices."""


class InputError(Error, OSError, ValueError):
    """A file that cannot be read, or is not what it claims to be."""


class DeviceError(Error, RuntimeError):
    """An engine is missing, or something cannot be written."""


class OutOfMemory(DeviceError, MemoryError):
    """A request for more memory than there is, or than ``memory_limit`` allows."""


class Stopped(Error, TimeoutError):
    """The time limit came before there was an answer or a bound."""


class CertificateRefused(Error, ValueError):
    """A certificate says something that is false, does not follow, or is about another graph.

    `reason` says what; `searches` were done until it was found.
    """

    def __init__(self, reason: str, searches: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.searches = searches
