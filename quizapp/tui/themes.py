"""The color themes that there are. Loads a part of Textual, which takes 40 ms."""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES

from grader.did_you_mean import suggest
from grader.facts import Fact, fact

THEMES = tuple(sorted(BUILTIN_THEMES))


def unknown_theme(name: str) -> tuple[Fact, Fact]:
    """State that there is no such theme, and which there are."""
    return fact("config.no-theme", name=name), suggest(name, THEMES)
