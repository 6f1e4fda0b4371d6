"""Errors say what is wrong, where, and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CaptionlakeError(Exception):
    """The parent of all errors of this package. ``hint`` is the next step; it is part of the text."""

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(f"{what}\nTry: {hint}" if hint else what)
        self.hint = hint


class NotALake(CaptionlakeError):
    """The folder is no lake, or is not there."""


class NewerLake(CaptionlakeError):
    """The lake was laid out by a later version, which this package cannot read."""


class DamagedLake(CaptionlakeError):
    """A file is missing, was written by no unit, or is not as its unit wrote it."""


class UnknownName(CaptionlakeError, KeyError):
    """There is no table, column, figure or value of that name."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would quote it.


def unknown(kind: str, name: str, names: Iterable[str]) -> UnknownName:
    """An error for a name that is not among names, with those that come near it."""
    known = sorted(names)
    near = difflib.get_close_matches(name, known, n=3) or known[:12]
    return UnknownName(f"there is no {kind} {name!r}", "one of: " + ", ".join(near) if near else "")
