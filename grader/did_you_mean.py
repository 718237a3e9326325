"""Finds the right names that are nearest to a wrong one, for the advice about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from grader.facts import Fact, fact

_LONGEST = 60
"""Characters of a wrong name that are compared: the time grows with their square."""
_LISTED = 24
"""Right names that a message lists."""


def did_you_mean(
    word: str,
    words: Iterable[str],
    otherwise: str = "",
    *,
    most: int = 1,
    quote: str = "'",
    before: str = "",
    alike: float = 0.6,
) -> str:
    """Return what to do about a wrong name.

    Args:
        word: what was written.
        words: what could have been.
        otherwise: what to say where none of these is near.
        most: how many are named.
        quote: stands around each; empty where they are code.
        before: what each is shown with in front.
        alike: how near a name must be, from 0 to 1.
    """
    close = nearest(word, words, most, alike)
    named = " or ".join(f"{quote}{before}{name}{quote}" for name in close)
    return f"did you mean {named}?" if close else otherwise


def suggest(
    word: str, words: Iterable[str], otherwise: Fact | None = None, *, most: int = 1
) -> Fact:
    """Make the advice about a wrong name: the nearest right ones, else `otherwise` or a list.

    Args:
        word: what was written.
        words: what could have been.
        otherwise: the advice where none of these is near; a list of them if None.
        most: how many are named.
    """
    known = tuple(words)
    close = nearest(word, known, most)
    return name_nearest(tuple(close)) if close else otherwise or choices(known)


def name_nearest(close: tuple[str, ...]) -> Fact:
    """Make the advice that names what was probably meant."""
    if len(close) == 1:
        return fact("suggest.name", name=close[0])
    return fact("suggest.names", names=close)


def choices(words: Iterable[str]) -> Fact:
    """Make the advice that lists the right names, the first of them where they are many."""
    known = tuple(words)
    listed = known[:_LISTED] + (("…",) if len(known) > _LISTED else ())
    return fact("suggest.choices", names=listed)


def nearest(word: str, words: Iterable[str], most: int = 1, alike: float = 0.6) -> list[str]:
    """Return the names that are near, the nearest first."""
    return difflib.get_close_matches(word[:_LONGEST], dict.fromkeys(words), most, alike)
