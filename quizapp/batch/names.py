"""Orders the names of students as people do: s2 before s10, whatever the case of letters."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"([0-9]+)")


def natural_key(name: str) -> tuple[list[tuple[int, str]], str]:
    """Return what names are sorted by: numbers in them count as numbers."""
    parts = _NUMBER.split(name.casefold())
    # Without their leading zeros, longer digits are the larger number.
    digits = [part.lstrip("0") if at % 2 else part for at, part in enumerate(parts)]
    return [(len(part) if at % 2 else 0, part) for at, part in enumerate(digits)], name
