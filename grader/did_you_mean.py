"""Finds the right names that are nearest to a wrong one, for the advice about it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from grader.facts import Fact, fact

_LONGEST = 60
"""Characters of a wrong name that are compared: the time grows with their square."""
_ALMOST = 0.8
"""How alike a misspelled name is at least; below that, a name that has the word in it is nearer."""
_SHORTEST = 3
"""Characters of a word that is looked for in longer names."""
_LISTED = 100
"""Right names that a message lists."""


def suggest(
    word: str,
    words: Iterable[str],
    otherwise: Fact | None = None,
    *,
    most: int = 1,
    before: str = "",
    alike: float = 0.6,
) -> Fact:
    """Make the advice about a wrong name: the nearest right ones, else `otherwise` or a list.

    Args:
        otherwise: the advice where none of these is near; a list of them if None.
        most: how many are named.
        before: what each is shown with in front.
        alike: see `find_nearest`.
    """
    known = tuple(words)
    close = tuple(f"{before}{name}" for name in find_nearest(word, known, most, alike))
    return name_nearest(close) if close else otherwise or choices(known)


def name_near(word: str, words: Iterable[str], before: str = "") -> Fact | None:
    """Make the advice about a wrong name of code; None if no right one is near.

    Where only names that begin with it are near, it is the two shortest of them.

    Args:
        before: what each is shown with in front.
    """
    near = find_nearest(word, words, 2)
    alike = [2 * len(word) / (len(word) + len(name)) for name in near if _begins(name, word)]
    close = near[: 2 if len(alike) == len(near) and max(alike, default=0) < _ALMOST else 1]
    return name_nearest(tuple(f"{before}{name}" for name in close)) if close else None


def _begins(name: str, word: str) -> bool:
    """Return True if a name begins with a word that is long enough to mean it."""
    return len(word) >= _SHORTEST and name.casefold().startswith(word.casefold())


def name_nearest(close: tuple[str, ...]) -> Fact:
    """Make the advice that names what was probably meant."""
    match close:
        case [name]:
            return fact("suggest.name", name=name)
        case [first, second]:
            return fact("suggest.either", first=first, second=second)
        case _:
            return fact("suggest.names", names=close)


def choices(words: Iterable[str]) -> Fact:
    """Make the advice that lists the right names, the first of them where they are many."""
    known = tuple(words)
    listed = known[:_LISTED] + (("…",) if len(known) > _LISTED else ())
    return fact("suggest.choices", names=listed)


def find_nearest(word: str, words: Iterable[str], most: int = 1, alike: float = 0.6) -> list[str]:
    """Return similar names, the most similar first; the case of letters makes no difference.

    `alike` is how similar they are at least: 1 if only the case of letters differs.

    A name that begins with the word is similar, too, and one with more parts, as `kernel-saxpy` for
    `saxpy`. An identifier has one part: no `system` means `atomicOr_system`.
    """
    known: dict[str, list[str]] = {}
    for name in dict.fromkeys(words):
        known.setdefault(name.casefold(), []).append(name)
    folded = word[:_LONGEST].casefold()
    almost, close = (
        difflib.get_close_matches(folded, known, most, max(least, alike))
        for least in (_ALMOST, alike)
    )
    begun, longer = (
        sorted((name for name in known if is_longer(name, folded)), key=len)
        for is_longer in (_begins, _has_parts)
    )
    near = dict.fromkeys((*almost, *begun, *longer, *close))
    return [name for each in near for name in known[each]][:most]


def _has_parts(name: str, word: str) -> bool:
    """Return True if all parts of a word are parts of a name, side by side."""
    parts, wanted = ("-".join(re.split(r"\W+", text)).strip("-") for text in (name, word))
    return len(wanted) >= _SHORTEST and f"-{wanted}-" in f"-{parts}-"
