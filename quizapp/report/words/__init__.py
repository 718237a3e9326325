"""Every sentence that a person reads, English and Chinese, looked up by key.

`en.txt` and `zh.txt` have the same keys in the same order. A text may have `{fields}`; where
English needs a singular, `key.one` is used when `n` is 1.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from grader import facts
from quizapp.report.commands_as_typed import as_typed
from quizapp.system.safe_text import one_line, safe

if TYPE_CHECKING:
    from quizapp.domain.errors import QuizError
    from quizapp.domain.question import Language

_INDENT = "    "
_NAMES = ("database", "file", "folder", "name", "origin", "path", "place")
"""Fields that hold names from outside: a line end in one would write a line of its own."""


def parse(text: str) -> dict[str, str]:
    """Read texts by key: `key = text`, or `key =` with the text's lines indented below it.

    A text that begins or ends with a blank is in quotes. Lines that begin with `#` are comments.

    Raises ValueError: a line is none of these, or a key stands there twice.
    """
    found: dict[str, str] = {}
    key, breaks = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line:
            breaks += 1
        elif line[0] == " ":
            found[key] += "\n" * breaks + line.removeprefix(_INDENT)
            breaks = 1
        elif line[0] != "#":
            key, equals, said = line.partition(" =")
            if not equals or key in found:
                raise ValueError(f"line {number}: {line}")
            breaks = 1 if said else 0
            said = said.removeprefix(" ")
            found[key] = said[1:-1] if said[:1] == said[-1:] == '"' else said
    return found


@cache
def texts(language: Language) -> dict[str, str]:
    """Return every text of a language by key."""
    return parse(Path(__file__).with_name(f"{language}.txt").read_text("utf-8"))


class Words:
    """The texts of one language: `say("home.due", n=3)`."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._texts = texts(language)

    def __call__(self, key: str, /, **fields: object) -> str:
        """The text of `key` with its fields filled in, safe to show whatever they hold."""
        text = self._texts[key]
        if fields.get("n") == 1:
            text = self._texts.get(f"{key}.one", text)
        if "language" in fields:
            text = self._texts.get(f"{key}.{fields['language']}", text)
        shown = {name: self._field(value) for name, value in fields.items()}
        for name in _NAMES:
            if isinstance(fields.get(name), str):
                shown[name] = one_line(str(fields[name]))
        return safe(as_typed(text.format(**shown)))

    def fact(self, what: facts.Fact) -> str:
        """The sentence of a fact; of one that the catalogue lacks its code and fields."""
        return self._sentence(what.code, what)

    def hint(self, what: facts.Fact, hint: facts.Fact | None = None) -> str:
        """Return what to do: `hint`, else the advice for the fact, else "".

        A fact that says where another one (its field `what`) happened takes that one's advice.
        """
        if hint:
            return self.fact(hint)
        inner = what.fields.get("what")
        if isinstance(inner, facts.Fact) and (advice := self.hint(inner)):
            return advice
        advice = f"{what.code}.hint"
        return self._sentence(advice, what) if advice in self._texts else ""

    def _sentence(self, key: str, what: facts.Fact) -> str:
        """The text of `key`; the bare fact if it does not fit: another process may have sent it."""
        try:
            return self(key, **what.fields)
        except (KeyError, ValueError, TypeError):
            return safe(what.bare())

    def in_line(self, what: facts.Fact, hint: facts.Fact | None = None) -> str:
        """What happened and, behind it in the same line, what to do."""
        said = [self.fact(what), self.hint(what, hint)]
        return self("problem.separator").join(filter(None, said))

    def error(self, error: QuizError) -> str:
        """What happened, in a sentence, and below it what to do."""
        hint = self.hint(error.what, error.hint)
        return f"{self.fact(error.what)}\n{hint}" if hint else self.fact(error.what)

    def get(self, key: str, otherwise: str) -> str:
        """The text of `key`, or `otherwise` where the catalogue has none."""
        return safe(as_typed(self._texts.get(key, otherwise)))

    def _field(self, value: object) -> object:
        if isinstance(value, facts.Fact):
            return self.fact(value)
        if isinstance(value, tuple):
            separator = "、" if self.language == "zh" else ", "
            return separator.join(str(self._field(item)) for item in value)
        return value

    def knows(self, key: str) -> bool:
        """Return True if the catalogue has `key`."""
        return key in self._texts

    def topic(self, names: tuple[str, str]) -> str:
        """Return what a topic or a pack is called, of its names in English and in Chinese."""
        return safe(names[1 if self.language == "zh" else 0])
