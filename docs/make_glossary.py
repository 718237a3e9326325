"""Write docs/glossary.md from content/glossary.yaml; `--check` only says whether it is current."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from generated_page import write_or_check

from quizapp.deck.glossary import Term, parse_terms

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "content" / "glossary.yaml"
TARGET = ROOT / "docs" / "glossary.md"

INTRO = """\
# Glossary

The terms of the field, their Chinese, and what they mean here. Every question uses them this way; a
term whose Chinese is the English word stays English in Chinese text. To change this page, edit
`content/glossary.yaml`, then run `python docs/make_glossary.py`.

| term | 中文 | meaning | 含义 |
| --- | --- | --- | --- |
"""


REFUSED = """
## Wordings that lint refuses

`quiz lint` reports these wordings in the texts of questions and names the term to use.

| term | not in English | not in Chinese |
| --- | --- | --- |
"""


def render(terms: Sequence[Term]) -> str:
    """Return the Markdown document."""
    meanings = ((term.en, term.zh, term.means.en, term.means.zh) for term in terms)
    refused = (
        (term.en, ", ".join(term.never.en), "、".join(term.never.zh))
        for term in terms
        if term.never.en or term.never.zh
    )
    return INTRO + _rows(meanings) + REFUSED + _rows(refused)


def _rows(rows: Iterable[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(map(_cell, row))} |\n" for row in rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main(arguments: list[str] | None = None) -> int:
    """Write the document, or with `--check` return 1 when it differs from what would be written."""
    return write_or_check(
        TARGET, render(parse_terms(SOURCE.read_bytes())), "make_glossary.py", arguments
    )


if __name__ == "__main__":
    sys.exit(main())
