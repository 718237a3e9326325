"""Styled lines as a picture in SVG that loads nothing. Loads Rich's console, which takes 40 ms."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from quizapp.report.lines import Line, Role

_STYLES: dict[Role, str] = {
    "dim": "dim",
    "bold": "bold",
    "good": "bold green",
    "conflict": "bold red",
    "note": "yellow",
}


def draw(lines: Iterable[Line], title: str, width: int) -> str:
    """Draw lines in a terminal's window of `width` columns; the same lines give the same text."""
    console = Console(record=True, width=width, file=io.StringIO(), legacy_windows=False)
    for line in lines:
        spans = [(text, _STYLES.get(role, "")) for text, role in line]
        console.print(Text.assemble(*spans), soft_wrap=False)
    return use_local_fonts(console.export_svg(title=title, unique_id="quiz"))


def use_local_fonts(svg: str) -> str:
    """Return a picture of Rich's without the fonts that it would load from the network."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "monospace")
