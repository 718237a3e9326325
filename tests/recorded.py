"""A recorded session: what a person does with one question, and the seconds before each step.

`on_screens` and `in_plain_mode` play it with a clock that moves with the steps and stands still
otherwise, and return the bodies of the events it left in the log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from textual import events
from textual.pilot import Pilot

from quizapp.deck.deck import Deck
from quizapp.domain.days import Instant
from quizapp.domain.log.events import Body, Rerated
from quizapp.domain.question import Kernel
from quizapp.plain.session import run
from quizapp.store.store import Store
from quizapp.study.home_values import Filter
from quizapp.study.service import Study
from quizapp.study.sessions.attempts import StudyAttempts
from quizapp.system.config import Settings
from quizapp.tui.app import QuizApp
from tests.examining import EXAMINER
from tests.foreign import ALL_OWN
from tests.tui.pilots import NARROW, paths_in
from tests.tui.screen_text import rest

NOON_MS = 1_795_176_000_000
GRADING_S = 30
"""Every submission takes the graders so long, by the clock of the session."""


@dataclass(frozen=True)
class Step:
    """What a person does, so many seconds after the step before."""

    seconds: float


@dataclass(frozen=True)
class Hint(Step):
    """Asks for a hint."""


@dataclass(frozen=True)
class GiveUp(Step):
    """Wants to see the answer."""


@dataclass(frozen=True)
class Choose(Step):
    """Picks rows as they are shown, from 1, and answers."""

    rows: tuple[int, ...]


@dataclass(frozen=True)
class Type(Step):
    """Types a number and answers."""

    text: str


@dataclass(frozen=True)
class Name(Step):
    """Points at a line, names a kind by its row, both from 1, and answers."""

    line: int
    row: int


@dataclass(frozen=True)
class Write(Step):
    """Writes lines of text or code, in place of what was written before."""

    text: str


@dataclass(frozen=True)
class Submit(Step):
    """Submits what is written."""


@dataclass(frozen=True)
class Sure(Step):
    """Says how sure, 1 to 3."""

    level: int


@dataclass(frozen=True)
class Cover(Step):
    """Ticks the points that were covered, from 1, and accepts."""

    rows: tuple[int, ...]


@dataclass(frozen=True)
class Rate(Step):
    """Accepts the rating with None, else overrides it."""

    rating: int | None = None


@dataclass
class SteppedClock:
    """Stands still until a step moves it."""

    ms: int = NOON_MS

    def now(self) -> Instant:
        return Instant(self.ms, 3600)

    def pass_seconds(self, seconds: float) -> None:
        self.ms += round(seconds * 1000)


class SlowExaminer:
    """Has kernels graded by the examiner of all tests, which takes its time by the clock."""

    def __init__(self, clock: SteppedClock) -> None:
        self._clock = clock

    def check(self, question: Kernel, source: str) -> Any:
        self._clock.pass_seconds(GRADING_S)
        return EXAMINER.check(question, source)

    def close(self) -> None:
        """The examiner is shared."""

    def __getattr__(self, name: str) -> Any:
        return getattr(EXAMINER, name)


class SlowAttempts(StudyAttempts):
    """Has layouts graded, which takes its time by the clock."""

    def check(self, *submission: Any) -> Any:
        assert isinstance(self._progress.clock, SteppedClock)
        self._progress.clock.pass_seconds(GRADING_S)
        return super().check(*submission)


@contextmanager
def open_study_of(folder: Path, deck: Deck, kind: str, clock: SteppedClock) -> Iterator[Study]:
    """A study of one kind of question on a new database."""
    folder.mkdir()
    chosen = Settings(welcomed=True, confidence=True)
    store = Store.open(paths_in(folder).database)
    study = Study(deck, store, chosen, clock, lambda: ALL_OWN)
    study.session.examiner = SlowExaminer(clock)  # type: ignore[assignment]
    study.session.attempts = SlowAttempts(study.progress)
    with study:
        study.session.begin(Filter(kind=kind))
        yield study


def read_log(study: Study, question: str) -> list[Body]:
    """What the log holds of a question; ids differ in every log, and are left out."""
    bodies = [event.body for event in study.store.events(question)]
    return [replace(b, target="") if isinstance(b, Rerated) else b for b in bodies]


# Plain mode


@dataclass
class Typist:
    """A standard input: each line at its time."""

    clock: SteppedClock
    steps: list[Step]
    lines: list[str] = field(default_factory=list)

    def readline(self) -> str:
        if not self.lines:
            if not self.steps:
                return ""
            step = self.steps.pop(0)
            self.clock.pass_seconds(step.seconds)
            self.lines += type_step(step)
        return self.lines.pop(0) + "\n"


def type_step(step: Step) -> list[str]:
    """The lines that a step is in plain mode."""
    match step:
        case Hint():
            return [":h"]
        case GiveUp():
            return [":g"]
        case Choose(rows=rows) | Cover(rows=rows):
            return [" ".join(map(str, rows)) or "0"]
        case Name(line=line, row=row):
            return [f"{line} {row}"]
        case Type(text=text) | Write(text=text):
            return text.splitlines()
        case Submit():
            return ["."]
        case Sure(level=level):
            return [str(level)]
        case Rate(rating=rating):
            return [str(rating or "")]
    raise AssertionError(step)


def in_plain_mode(folder: Path, deck: Deck, question: str, steps: Sequence[Step]) -> list[Body]:
    """Play the session in plain mode."""
    kind, clock = deck.entries[question].kind, SteppedClock()
    with open_study_of(folder, deck, kind, clock) as study:
        run(study, Filter(kind=kind), Typist(clock, list(steps)), StringIO())  # type: ignore[arg-type]
        return read_log(study, question)


# Screens


async def on_screens(folder: Path, deck: Deck, question: str, steps: Sequence[Step]) -> list[Body]:
    """Play the session on the screens."""
    kind, clock = deck.entries[question].kind, SteppedClock()
    with open_study_of(folder, deck, kind, clock) as study:
        app = QuizApp(study, paths_in(folder), study.settings, Filter(kind=kind))
        async with app.run_test(size=NARROW) as pilot:
            await rest(pilot)
            await pilot.press("enter")
            await rest(pilot)
            for step in steps:
                clock.pass_seconds(step.seconds)
                await act(pilot, step)
            await rest(pilot)
        return read_log(study, question)


async def act(pilot: Pilot[int], step: Step) -> None:
    """Do a step on the screen, up to what is graded and stored."""
    if isinstance(step, Write):
        await replace_text(pilot, step.text)
        return
    if isinstance(step, Type):
        pilot.app.screen.query_one("#number").focus()
    elif not (isinstance(step, Submit) and has_editor(pilot)):
        pilot.app.screen.query_one("#body").focus()
    await pilot.pause()
    for key in press_step(step, code=has_editor(pilot)):
        await pilot.press(key)
    await rest(pilot)
    saving = getattr(pilot.app.screen, "_saving", None)
    if saving is not None:
        await saving.wait()


def has_editor(pilot: Pilot[int]) -> bool:
    """True if code is written in an editor."""
    return any(field.display for field in pilot.app.screen.query("#code"))


def press_step(step: Step, *, code: bool) -> list[str]:
    """The keys that a step is on the screen."""
    match step:
        case Hint():
            return ["h"]
        case GiveUp():
            return ["g", "g"]  # code asks for the second press
        case Choose(rows=rows):
            return [*map(str, rows), "enter"]
        case Cover(rows=rows):
            return [*map(str, rows), "enter"]
        case Type(text=text):
            return ["end", "ctrl+u", *text, "enter"]
        case Name(line=line, row=row):
            return [*["down"] * (line - 1), str(row), "enter"]
        case Submit():
            return ["ctrl+s"] if code else ["enter"]
        case Sure(level=level):
            return [str(level)]
        case Rate(rating=rating):
            return [str(rating) if rating else "enter"]
    raise AssertionError(step)


async def replace_text(pilot: Pilot[int], text: str) -> None:
    """Replace what the editor holds as a person does: all selected, then pasted over."""
    name = "#code" if has_editor(pilot) else "#essay"
    pilot.app.screen.query_one(name).focus()
    await pilot.press("f7", "delete")
    pilot.app.post_message(events.Paste(text))
    await rest(pilot)
