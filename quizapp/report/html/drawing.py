"""The parts that pictures in a page are drawn of, as SVG; sizes are pixels."""

from __future__ import annotations

from collections.abc import Iterable

from quizapp.report.html.page import text


def svg(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """Return a picture; `title` is what a screen reader says of it."""
    return (
        f'<svg role="img" aria-label="{text(title)}" xmlns="http://www.w3.org/2000/svg" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">{"".join(parts)}</svg>'
    )


Box = tuple[int, int, int, int]
"""Left, top, width, height."""


def rect(box: Box, kind: str, title: str) -> str:
    """Return a rectangle of a class of the style sheet, with a title that a pointer shows."""
    x, y, width, height = box
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="2" class="{kind}">'
        f"<title>{text(title)}</title></rect>"
    )


def label(x: int, y: int, said: str, anchor: str = "middle", *, on: bool = False) -> str:
    """Return a text; `on` a rectangle, whose title it must not cover."""
    kind = ' class="on" pointer-events="none"' if on else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{kind}>{text(said)}</text>'
