"""The sentences of the content that say, or imply, that something was measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

CONTENT = Path(__file__).parents[3] / "content"
_CODE = re.compile(r"```.*?```", re.DOTALL)
_SAYS = {
    "en": re.compile(r"\b[Mm]easured\b|[Dd]umped|Nsight Compute counted"),
    "zh": re.compile(r"实测|转储|Nsight Compute 在 H200 上"),
}
"""A figure stands in the sentence, or in the one before."""
_SUGGESTS = re.compile(
    r"\b[Mm]easured\b|实测|\bH200\b|Nsight Compute 20|synccheck|sanitizer|nvcc 13"
)
"""The text rests on what a device or a tool has shown, wherever it says so."""
_ENDS = {"en": re.compile(r"(?<=[.?!])\s+(?=[A-Z`(0-9])"), "zh": re.compile(r"(?<=[。！？])")}


@dataclass(frozen=True, slots=True)
class Question:
    """One question's texts.

    Attributes:
        texts: language and prose, without blocks of code, spaces and line ends as one space; of
            what has no language, such as sources, the language is empty.
    """

    id: str
    texts: tuple[tuple[str, str], ...]

    @property
    def measured(self) -> bool:
        """Whether any of its texts suggests that something was measured."""
        return any(_SUGGESTS.search(text) for _, text in self.texts)

    def sentences(self) -> Iterator[tuple[str, str]]:
        """Language and sentence, of those that say so."""
        for language, text in self.texts:
            if language:
                for sentence in _ENDS[language].split(text):
                    if _SAYS[language].search(sentence):
                        yield language, sentence

    def prose(self, language: str) -> str:
        """All that it says in a language."""
        return "\n".join(text for one, text in self.texts if one == language)


def questions(content: Path = CONTENT) -> Iterator[Question]:
    """Every question of a content folder."""
    for path in sorted(content.glob("*/**/*.yaml")):
        read = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
        for one in read if isinstance(read, list) else [read]:
            if "kind" in one:
                texts = (_plain(language, text) for language, text in _texts(one))
                yield Question(one["id"], tuple(texts))


def _texts(found: Any, language: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(found, str):
        yield language, found
    elif isinstance(found, list):
        for one in found:
            yield from _texts(one, language)
    elif isinstance(found, dict):
        for key, one in found.items():
            if key != "gpu":  # gates, not sentences
                yield from _texts(one, key if key in _ENDS else language)


def _plain(language: str, text: str) -> tuple[str, str]:
    return language, " ".join(_CODE.sub(" ", text).split())
