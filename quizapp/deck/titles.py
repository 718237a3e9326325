"""Finds what a person names: by its id, or by a title that the program prints, in any language."""

from __future__ import annotations

TYPE_CHECKING = False
"""Type checkers take this name for true: see `index`."""

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar

    Key = TypeVar("Key")


def find_titled(name: str, titles: Mapping[Key, Iterable[str]]) -> list[Key]:
    """Return what a name may mean: what has it exactly as one of its titles, else nearly so.

    Nearly: letters of any case are the same, and so are a space and a hyphen.

    `titles`: what each thing is called.
    """
    exact = [key for key, called in titles.items() if name in called]
    wanted = _fold(name)
    return exact or [key for key, called in titles.items() if wanted in map(_fold, called)]


def _fold(title: str) -> str:
    return " ".join(title.casefold().replace("-", " ").split())
