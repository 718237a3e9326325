"""Every sentence that a person reads, English and Chinese: one catalogue, looked up by key.

Each module here holds `WORDS`, key → (English, Chinese), for one part of the program. A text may
have `{fields}`; where English needs a singular, `key.one` is used when `n` is 1.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING

from grader import facts
from quizapp.report.commands_as_typed import as_typed
from quizapp.system.safe_text import safe

if TYPE_CHECKING:
    from quizapp.domain.errors import QuizError
    from quizapp.domain.question import Language

PARTS = (
    "common",
    "screens.home",
    "screens.inspector",
    "command_line.analysis",
    "command_line.autograder",
    "command_line.batch",
    "command_line.cluster",
    "command_line.commands",
    "command_line.doctor",
    "command_line.exchange",
    "command_line.goals",
    "command_line.optimizing",
    "command_line.grade",
    "command_line.help",
    "command_line.help_questions",
    "command_line.new",
    "command_line.packs",
    "command_line.profile",
    "command_line.proofs",
    "command_line.serving",
    "command_line.usage",
    "deck",
    "errors",
    "exercises",
    "graders.banks",
    "graders.compiled",
    "graders.counts",
    "graders.cuda_language",
    "graders.cuda_launching",
    "graders.ptx",
    "graders.cuda_meaning",
    "graders.findings",
    "graders.formulas",
    "graders.gpu",
    "graders.grading",
    "graders.kernels",
    "graders.layout_language",
    "graders.layouts",
    "graders.limits",
    "graders.programs",
    "graders.repairs",
    "graders.scripts",
    "graders.simt",
    "graders.kernel_language",
    "graders.syntax",
    "interview",
    "screens.browser",
    "screens.guide",
    "screens.plain",
    "screens.settings",
    "screens.statistics",
    "screens.study",
    "store",
    "system",
)
"""Looked through in this order: what home shows is in the first, the others load when needed."""

Texts = tuple[str, str]


class _Catalogue:
    """The words of some parts, each part loaded when a key is in none before it.

    A test sees to it that no key is in two parts, and that `key.one` and `key.cuda` are in the part
    of `key`.
    """

    def __init__(self, parts: tuple[str, ...]) -> None:
        self._loaded: dict[str, Texts] = {}
        self._waiting = list(parts)
        self._lock = RLock()

    def find(self, key: str) -> Texts | None:
        """Return the texts of `key`; None if there are none."""
        while key not in self._loaded and self._waiting:
            with self._lock:  # another thread may be loading the part that has it
                if self._waiting:
                    part = import_module(f"quizapp.report.words.{self._waiting[0]}")
                    self._loaded |= part.WORDS
                    del self._waiting[0]
        return self._loaded.get(key)

    def singular(self, key: str) -> Texts | None:
        """Return the texts of `key` for one; None if they are those for many."""
        return self._loaded.get(f"{key}.one") if self.find(key) else None

    def in_language(self, key: str, language: object) -> Texts | None:
        """Return the texts of `key` for kernels in a language; None if they are those for all."""
        return self._loaded.get(f"{key}.{language}") if self.find(key) else None

    def whole(self) -> dict[str, Texts]:
        """Return all texts."""
        self.find("")
        return self._loaded


@cache
def _catalogue(parts: tuple[str, ...]) -> _Catalogue:
    return _Catalogue(parts)


def catalogue(parts: tuple[str, ...] = PARTS) -> dict[str, Texts]:
    """Return the words of all parts, or of some."""
    return _catalogue(parts).whole()


class Words:
    """The catalogue in one language: `say("home.due", n=3)`.

    `parts`: those to look in, for `quiz --help`, which must not load all.
    """

    def __init__(self, language: Language, parts: tuple[str, ...] = PARTS) -> None:
        self.language = language
        self._catalogue = _catalogue(parts)
        self._column = 1 if language == "zh" else 0

    def __call__(self, key: str, /, **fields: object) -> str:
        """The text of `key` with its fields filled in, safe to show whatever they hold."""
        texts = self._catalogue.find(key)
        if fields.get("n") == 1:
            texts = self._catalogue.singular(key) or texts
        if "language" in fields:
            texts = self._catalogue.in_language(key, fields["language"]) or texts
        if texts is None:
            raise KeyError(key)
        shown = {name: self._field(value) for name, value in fields.items()}
        return safe(as_typed(texts[self._column].format(**shown)))

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
        if self._catalogue.find(f"{what.code}.hint") is None:
            return ""
        return self._sentence(f"{what.code}.hint", what)

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
        return safe(as_typed((self._catalogue.find(key) or (otherwise, otherwise))[self._column]))

    def _field(self, value: object) -> object:
        if isinstance(value, facts.Fact):
            return self.fact(value)
        if isinstance(value, tuple):
            separator = "、" if self.language == "zh" else ", "
            return separator.join(str(self._field(item)) for item in value)
        return value

    def knows(self, key: str) -> bool:
        """Return True if the catalogue has `key`."""
        return self._catalogue.find(key) is not None

    def topic(self, names: tuple[str, str]) -> str:
        """Return what a topic or a pack is called, of its names in English and in Chinese."""
        return safe(names[self._column])
