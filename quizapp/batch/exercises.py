"""The exercises that submissions are for, by the names that students use, and which may be run."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from grader.facts import Fact, fact
from quizapp.deck.deck import Deck
from quizapp.domain import languages
from quizapp.domain.errors import QuizError, UsageError
from quizapp.domain.question import CodeLanguage, Index, Kernel
from quizapp.system import extras, trust
from quizapp.system.paths import Paths, absolute, shipped_content

KINDS = ("index", "kernel")
"""Of questions whose answers are code in a file."""
_MOST_NAMES = 10_000
"""That are remembered: a server may be asked for any number of names."""


SHIPPED = "/"
"""The author of all packs that came with the program; others are called as their pack."""


class Found(NamedTuple):
    """What a name stands for: an exercise with its author, or why it is none."""

    id: str
    exercise: Kernel | Index | None
    fault: Fact | None = None
    hint: Fact | None = None
    author: str = ""


class Exercises:
    """Looks exercises up in a deck; each name once."""

    def __init__(self, deck: Deck, paths: Paths) -> None:
        self._deck = deck
        self._paths = paths
        self._found: dict[str, Found] = {}

    @property
    def identity(self) -> str:
        """A hash of all exercises: results of others are not comparable."""
        known = sorted(
            (e.id, e.content_hash) for e in self._deck.entries.values() if e.kind in KINDS
        )
        return sha256(repr(known).encode()).hexdigest()

    def find(self, name: str, language: CodeLanguage | None) -> Found:
        """Find the exercise of a name, which must be put in the language if one is given."""
        if name not in self._found:
            if len(self._found) >= _MOST_NAMES:
                self._found.clear()
            self._found[name] = self._look_up(name)
        found = self._found[name]
        known = languages.languages_of(found.exercise)
        if known and language is not None and language not in known:
            fault = fact("grade.no-language", id=found.id, language=language, known=known)
            return Found(found.id, None, fault)
        return found

    def difficulty(self, id_: str) -> int:
        """Return the difficulty of an exercise; 0 if it is none."""
        exercise = self.find(id_, None).exercise
        return 0 if exercise is None else exercise.difficulty

    def knows(self, id_: str) -> bool:
        """Return True if there is a question of this canonical id."""
        return id_ in self._deck.entries

    def _look_up(self, name: str) -> Found:
        try:
            entry = self._deck.find(name)
            question = self._deck.question(entry.id)
            if not isinstance(question, Index | Kernel):
                what = fact("grade.no-exercise", id=entry.id, kind=entry.kind, kinds=KINDS)
                raise UsageError(what)
            trust.check_may_run(entry.id, entry.file, question, self._paths)
            extras.check_installed(entry.id, question)
        except QuizError as error:
            return Found(name, None, error.what, error.hint)
        shipped = absolute(entry.file).is_relative_to(absolute(shipped_content()))
        author = SHIPPED if shipped else entry.id.partition("/")[0]
        return Found(entry.id, question, author=author)
