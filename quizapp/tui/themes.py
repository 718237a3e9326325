"""The color themes that there are. Loads a part of Textual, which takes 40 ms."""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES

THEMES = tuple(sorted(BUILTIN_THEMES))
