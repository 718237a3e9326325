"""Write docs/coverage.md: which questions come from each section and claim of the source texts.

`--check` only says whether it is current.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import generated_page
import msgspec
import yaml
from generated_page import CONTENT, ROOT, write_or_check

SOURCE = ROOT / "docs" / "sources.yaml"
CLAIMS = ROOT / "docs" / "claims.md"
TARGET = ROOT / "docs" / "coverage.md"

INTRO = """\
# What of the sources is asked

Every section and every checked claim of the five texts that the deck began with, and the questions
that come from it. This page is made from the `sources` and `claims` of the questions, from
`docs/sources.yaml` and [claims.md](claims.md), by `python docs/make_coverage.py`.
"""

_QUOTED = re.compile(r"“([^”]+)”([^“]*)")
_CLAIM = re.compile(r"^\| (\d+) \| ([^|]*) \| ([^|]*) \|", re.MULTILINE)


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section of a text, by the name that questions use; `about` says what it is on."""

    at: str
    about: str
    why_none: str = ""


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the source texts."""

    title: str
    what: str
    sections: tuple[Section, ...]


class Asked(msgspec.Struct, frozen=True):
    """What a question names of the source texts."""

    id: str
    sources: tuple[str, ...] = ()
    claims: tuple[int, ...] = ()


def read_texts() -> list[Text]:
    """Read the sections of all texts."""
    return msgspec.convert(yaml.safe_load(SOURCE.read_text("utf-8")), list[Text])


def read_questions(content: Path = CONTENT) -> Iterator[Asked]:
    """Read what the questions of all packs name."""
    for _, one in generated_page.read_questions(content):
        yield msgspec.convert(one, Asked, strict=False)


def sections_asked(
    texts: Iterable[Text], questions: Iterable[Asked]
) -> dict[tuple[str, str], list[str]]:
    """Return the questions by title and section; a section has no key where there are none."""
    by_title = {text.title: text for text in texts}
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for question in questions:
        for source in question.sources:
            for title, named in _QUOTED.findall(source):
                for section in by_title[title].sections if title in by_title else ():
                    if _names(named, section.at) and question.id not in found[title, section.at]:
                        found[title, section.at].append(question.id)
    return {key: ids for key, ids in found.items() if ids}


def claims_asked(questions: Iterable[Asked]) -> dict[int, list[str]]:
    """Return the questions by the number of the claim."""
    found: dict[int, list[str]] = defaultdict(list)
    for question in questions:
        for claim in question.claims:
            found[claim].append(question.id)
    return found


def _names(named: str, at: str) -> bool:
    """Return True if a reference names this section, and not one below it."""
    return re.search(rf"(?<![\w-]){re.escape(at)}(?!\.?\w)", named) is not None


def render(texts: Iterable[Text], questions: Iterable[Asked], claims: str) -> str:
    """Return the Markdown document."""
    texts, questions = list(texts), list(questions)
    return "\n".join(
        [
            INTRO,
            *_sections(texts, sections_asked(texts, questions)),
            *_claims(claims, claims_asked(questions)),
        ]
    )


def _sections(texts: Iterable[Text], asked: Mapping[tuple[str, str], list[str]]) -> Iterator[str]:
    for text in texts:
        have = sum((text.title, section.at) in asked for section in text.sections)
        yield f"## {text.what[0].upper()}{text.what[1:]}: {have} of {len(text.sections)} sections\n"
        yield f"“{text.title}”\n\n| section | about | questions |\n| --- | --- | --- |"
        for section in text.sections:
            ids = asked.get((text.title, section.at), ())
            cell = ", ".join(f"`{one}`" for one in ids) or f"none: {section.why_none}"
            yield f"| {section.at} | {section.about} | {cell} |"
        yield ""


def _claims(claims: str, asked: Mapping[int, list[str]]) -> Iterator[str]:
    rows = _CLAIM.findall(claims)
    have = sum(int(number) in asked for number, *_ in rows)
    yield f"## Checked claims: {have} of {len(rows)}\n\n| claim | questions |\n| --- | --- |"
    for number, *_ in rows:
        ids = ", ".join(f"`{one}`" for one in asked.get(int(number), ()))
        yield f"| {number} | {ids or 'none'} |"
    yield ""


def document() -> str:
    """Return the document as it must be."""
    return render(read_texts(), read_questions(), CLAIMS.read_text("utf-8"))


def main(arguments: list[str] | None = None) -> int:
    """Write the document, or with `--check` return 1 when it differs from what would be written."""
    return write_or_check(TARGET, document(), "make_coverage.py", arguments)


if __name__ == "__main__":
    sys.exit(main())
