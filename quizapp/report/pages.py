"""A document as text. Loads Rich's Markdown, which takes 60 ms."""

from __future__ import annotations

from rich.console import Console
from rich.markdown import Markdown

WIDEST = 100
"""Columns that a page is folded to at most."""


def lay_out(markdown: str, columns: int) -> str:
    """Lay a page out without styles, so that every pager can show it."""
    console = Console(width=min(columns, WIDEST), color_system=None)
    with console.capture() as shown:
        console.print(Markdown(markdown))
    return shown.get()
