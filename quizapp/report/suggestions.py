"""Advice on a wrong name: the nearest right ones, as facts."""

from __future__ import annotations

from collections.abc import Iterable

from grader.did_you_mean import nearest
from grader.facts import Fact, fact


def suggest(
    word: str, words: Iterable[str], otherwise: Fact, *, most: int = 1, before: str = ""
) -> Fact:
    """Return which of `words` may have been meant.

    Args:
        word: what was written.
        words: what could have been.
        otherwise: the advice if none is near.
        most: how many are named, 1 or 2.
        before: what each is shown with in front.
    """
    close = [f"{before}{name}" for name in nearest(word, words, most)]
    match close:
        case [first, second]:
            return fact("suggest.either", first=first, second=second)
        case [name]:
            return fact("suggest.name", name=name)
        case _:
            return otherwise
