"""Tells whether a submission is the starter of its exercise, as an editor may have saved it."""

from __future__ import annotations


def is_starter(source: str, starter: str | None) -> bool:
    """True if only white space at line ends, blank lines and line endings differ."""
    return _code(source) == _code(starter or "")


def _code(source: str) -> list[str]:
    lines = source.removeprefix("\ufeff").splitlines()
    return [line.rstrip() for line in lines if line.strip()]
