"""How many terminal columns a text takes: Chinese characters take two."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import east_asian_width


@lru_cache(maxsize=4096)
def is_wide(character: str) -> bool:
    """Whether it takes two columns."""
    return east_asian_width(character) in "WF"


def columns(text: str) -> int:
    """The columns that `text` takes."""
    return len(text) if text.isascii() else len(text) + sum(map(is_wide, text))
