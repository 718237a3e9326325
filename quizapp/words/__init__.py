"""The screens' own words, English and Chinese: one catalogue, looked up by key.

Each module here holds `WORDS`, key → (English, Chinese), for one part of the screens. A text may
have `{fields}`; where English needs a singular, `key.one` is used when `n` is 1.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from quizapp.domain.question import Language

PARTS = (
    "common",
    "home",
    "study",
    "layouts",
    "kernels",
    "gpu",
    "banks",
    "plain",
    "browser",
    "statistics",
    "settings",
    "guide",
)


@cache
def catalogue() -> dict[str, tuple[str, str]]:
    """All words of all parts; a test sees to it that no key stands in two."""
    merged: dict[str, tuple[str, str]] = {}
    for part in PARTS:
        merged |= import_module(f"quizapp.words.{part}").WORDS
    return merged


class Words:
    """The catalogue in one language: `say("home.due", n=3)`."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._column = 1 if language == "zh" else 0

    def __call__(self, key: str, /, **fields: object) -> str:
        """The text of `key` with its fields filled in."""
        texts = catalogue()
        if fields.get("n") == 1 and f"{key}.one" in texts:
            key = f"{key}.one"
        return texts[key][self._column].format(**fields)

    def get(self, key: str, otherwise: str) -> str:
        """The text of `key`, or `otherwise` where the catalogue has none."""
        return catalogue().get(key, (otherwise, otherwise))[self._column]

    def unit(self, unit: str) -> str:
        """A unit in the person's words; most are the same in both languages."""
        return self.get(f"unit.{unit}", unit)

    def topic(self, topic: str) -> str:
        """A topic in the person's words; a topic of their own packs as it is called."""
        return self.get(f"topic.{topic}", topic.replace("-", " "))
