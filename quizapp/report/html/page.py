"""The page around a report: its head, its colors, and styled lines as HTML.

Nothing here knows what is reported. All text is escaped in `text`, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from quizapp.report.lines import Line
from quizapp.report.palette import DARK, DARK_HEATS, LIGHT, LIGHT_HEATS
from quizapp.report.words import Words
from quizapp.system.safe_text import safe

_ROLES = {
    "dim": "dim", "lane": "lane", "conflict": "error", "good": "success", "note": "warning",
    "bold": "bold", "cursor": "bold", "heat-1": "heat-1", "heat-2": "heat-2",
    "heat-3": "heat-3", "heat-4": "heat-4",
}  # fmt: skip
"""The class of each role; `text` needs none."""
_STYLE = Path(__file__).with_name("page.css")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may load for a page: nothing."""


def page(title: str, body: Iterable[str], say: Words) -> bytes:
    """Return a whole page. `body`: HTML, already escaped."""
    return b"".join(page_parts(title, body, say))


def page_parts(title: str, body: Iterable[str], say: Words) -> Iterator[bytes]:
    """Yield a whole page in parts, for one that is too large to be held; arguments as of `page`."""
    return (f"{line}\n".encode(errors="replace") for line in _lines(title, body, say))


def _lines(title: str, body: Iterable[str], say: Words) -> Iterator[str]:
    language = "zh-Hans" if say.language == "zh" else "en"
    yield "<!doctype html>"
    yield f'<html lang="{language}">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{text(title)}</title>"
    yield f"<style>{style()}</style>"
    yield "</head>"
    yield "<body><main>"
    yield f"<h1>{text(title)}</h1>"
    yield from body
    yield "</main></body>"
    yield "</html>"


def style() -> str:
    """Return the style sheet, which follows the reader's choice of light or dark."""
    light, dark = _variables(LIGHT, LIGHT_HEATS), _variables(DARK, DARK_HEATS)
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    return "\n".join((f":root {{ {light} }}", dark, _STYLE.read_text(encoding="utf-8")))


def _variables(palette: Mapping[str, str], heats: Sequence[str]) -> str:
    colors = {**palette, **{f"heat-{place}": color for place, color in enumerate(heats, 1)}}
    return " ".join(f"--{name}: {color};" for name, color in colors.items())


def text(value: str) -> str:
    """Escape a text for HTML; control characters are shown by their number."""
    return escape(safe(value))


def section(heading: str, body: str) -> str:
    """Return a part of a page below its heading; the body is HTML."""
    return f"<section><h2>{text(heading)}</h2>{body}</section>"


def figure(captions: Iterable[str], svg: str) -> str:
    """Return a picture below the lines that explain it."""
    said = "<br>".join(map(text, captions))
    return f"<figure><figcaption>{said}</figcaption>{svg}</figure>"


def table(head: str, rows: Iterable[str], kind: str = "") -> str:
    """Return a table, which scrolls in a narrow window; `head` and `rows` are made by `table_row`.

    `kind`: its class.
    """
    opened = f'<table class="{kind}">' if kind else "<table>"
    thead = f"<thead>{head}</thead>" if head else ""
    return f'<div class="scroll">{opened}{thead}<tbody>{"".join(rows)}</tbody></table></div>'


def table_row(cells: Iterable[tuple[str, str]], tag: str = "td", attributes: str = "") -> str:
    """Return a row of cells, each a class, which may be empty, and HTML."""
    drawn = (
        f'<{tag} class="{kind}">{inner}</{tag}>' if kind else f"<{tag}>{inner}</{tag}>"
        for kind, inner in cells
    )
    return f"<tr{attributes}>{''.join(drawn)}</tr>"


def preformatted(lines: Iterable[Line]) -> str:
    """Return styled lines as they stand in a terminal."""
    return "<pre>" + "\n".join(map(spans, lines)) + "</pre>"


def spans(line: Line) -> str:
    """Return one styled line."""
    return "".join(
        f'<span class="{_ROLES[role]}">{text(part)}</span>' if role in _ROLES else text(part)
        for part, role in line
    )
