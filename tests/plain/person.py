"""A person at the plain mode: lines in, what was said out, on shipped content and a real store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from random import Random

from quizapp.deck.deck import Deck
from quizapp.domain.days import Instant
from quizapp.domain.log.events import Answered
from quizapp.domain.question import Choice, Index, Kernel, Number, Recall, Spot
from quizapp.exercises.numbers import compute_answer
from quizapp.plain.session import run
from quizapp.report.words import Words
from quizapp.store.store import Store
from quizapp.study.home_values import Filter
from quizapp.study.service import Study
from quizapp.system.config import Settings
from tests.examining import right_place, wrong_place
from tests.foreign import ALL_OWN

NOON_MS = 1_763_640_000_000
"""Thursday 20 November 2025, 12:00 UTC."""

DAY_MS = 86_400_000

ALL = Filter()

CONTENT = Path(__file__).parents[2] / "content"

Line = str | Callable[[Study], str]
"""What the person types, or how they decide it when they see the question."""


@dataclass
class Clock:
    """Stands still until it is set."""

    utc_ms: int = NOON_MS

    def now(self) -> Instant:
        return Instant(self.utc_ms, 0)


@dataclass
class Person:
    """A standard input: types the lines one after the other, then nothing more."""

    study: Study
    lines: list[Line]
    typed: list[str] = field(default_factory=list)

    def readline(self) -> str:
        if len(self.typed) == len(self.lines):
            return ""
        line = self.lines[len(self.typed)]
        self.typed.append(line if isinstance(line, str) else line(self.study))
        return self.typed[-1] + "\n"


@dataclass
class Candidate:
    """A standard input that reads what was said last, and answers two questions in three right."""

    study: Study
    said: StringIO
    chance: Random
    code: list[str] = field(default_factory=list)

    def readline(self) -> str:
        if self.code:
            return self.code.pop(0) + "\n"
        prompt = self.said.getvalue().rstrip("\n").rpartition("\n")[2]
        words = Words(self.study.settings.language)
        if prompt == words("plain.ask.recall"):
            return ".\n"
        if prompt.endswith(words("plain.ask.rating", ratings="")[-7:]):
            return "\n"
        typed = (wrong if self.chance.random() < 1 / 3 else right)(self.study)
        if prompt == words("plain.ask.code") and typed != ":g":
            typed, *self.code = [*typed.splitlines(), "."]
        return typed + "\n"


@dataclass
class Played:
    """A session that was played."""

    study: Study
    said: str
    status: int

    def answers(self, question: str) -> list[Answered]:
        """All that the log holds, undone ones too."""
        bodies = [event.body for event in self.study.store.events(question)]
        return [body for body in bodies if isinstance(body, Answered)]


@dataclass
class Stage:
    """Opens studies on one database, and plays sessions."""

    path: Path
    deck: Deck
    clock: Clock = field(default_factory=Clock)
    out: StringIO = field(default_factory=StringIO)
    opened: list[Study] = field(default_factory=list)

    def study(self, store: type[Store] = Store, **settings: object) -> Study:
        chosen = Settings(**{"confidence": False, **settings})
        study = Study(self.deck, store.open(self.path), chosen, self.clock, lambda: ALL_OWN)
        self.opened.append(study)
        return study

    def play(
        self, *lines: Line, narrowed: Filter = ALL, study: Study | None = None, **settings
    ) -> Played:
        study = study or self.study(**settings)
        self.out = StringIO()
        status = run(study, narrowed, Person(study, list(lines)), self.out)
        return Played(study, self.out.getvalue(), status)


def right(study: Study) -> str:
    """The line that answers the question now asked."""
    asked = study.session.next()
    match asked.question:
        case Choice(options=options):
            numbers = [n for n, i in enumerate(asked.order, 1) if options[i].correct]
            return " ".join(map(str, numbers))
        case Number() as number:
            return repr(compute_answer(number).value)
        case Recall(rubric=rubric):
            return " ".join(str(n) for n in range(1, len(rubric) + 1))
        case Index(solution=solution) | Kernel(solution=solution):
            return solution or ""
        case Spot() as spot:
            return pair(spot.kinds, *right_place(spot))


def wrong(study: Study) -> str:
    """A line that answers it wrong."""
    asked = study.session.next()
    match asked.question:
        case Choice(options=options):
            return str(next(n for n, i in enumerate(asked.order, 1) if not options[i].correct))
        case Number() as number:
            return repr(compute_answer(number).high + 1)
        case Recall():
            return "0"
        case Index() | Kernel():
            return ":g"
        case Spot() as spot:
            return pair(spot.kinds, *wrong_place(spot))


def pair(kinds: Sequence[str], line: int, kind: str) -> str:
    """How a line and one of the offered kinds are typed."""
    return f"{line} {kinds.index(kind) + 1}"
