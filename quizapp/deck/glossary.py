"""The glossary: the field's terms in both languages, with one sentence each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from quizapp.deck import yaml_reader
from quizapp.domain.question import Language

FILE = "glossary.yaml"


class Meaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence in both languages."""

    en: str
    zh: str


class RefusedWording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Wordings that a text in each language must not use."""

    en: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry; `keep` marks a term that stays English in Chinese text.

    `never` lists wordings that lint refuses in favor of the term; `find` lists names that no text
    uses but that a person may search for.
    """

    en: str
    zh: str
    means: Meaning
    keep: bool = False
    never: RefusedWording = RefusedWording()
    find: tuple[str, ...] = ()

    def title(self, language: Language) -> str:
        """Return the term in `language`, with its other name where it has one."""
        first, second = (self.zh, self.en) if language == "zh" else (self.en, self.zh)
        return first if first == second else f"{first} · {second}"

    def meaning(self, language: Language) -> str:
        """Return its meaning in `language`."""
        return self.means.zh if language == "zh" else self.means.en


def searched_names(terms: Iterable[Term]) -> dict[str, tuple[str, ...]]:
    """Map each name that a person may search for, case folded, to all names of its term."""
    return {
        name.casefold(): (term.zh, term.en, *term.find)
        for term in terms
        for name in ((*term.find, term.en, term.zh) if term.find else ())
    }


def read_terms(content: Path) -> tuple[Term, ...]:
    """Read the terms in the glossary of the content folder, in its order.

    Raises OSError, yaml_reader.InvalidYaml, msgspec.ValidationError: it is not as it was shipped.
    """
    return parse_terms((content / FILE).read_bytes())


def parse_terms(text: bytes) -> tuple[Term, ...]:
    """Parse the terms of a glossary file's text, in its order."""
    return msgspec.convert(yaml_reader.read(text).data, tuple[Term, ...])
