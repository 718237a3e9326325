"""The application for tests: shipped content, a real store in a folder, a clock that stands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import ParamSpec, TypeVar

import pytest
from textual.pilot import Pilot

from quizapp.deck.deck import Deck
from quizapp.domain.attempt import Response
from quizapp.domain.days import Instant
from quizapp.domain.question import Index, Kernel, Number, Spot
from quizapp.domain.rating import Effort
from quizapp.exercises.numbers import compute_answer
from quizapp.study.home_values import Filter
from quizapp.study.mock.interviews import InterviewWish
from quizapp.study.opening import open_study
from quizapp.study.service import Study
from quizapp.study.values import Turn
from quizapp.system.config import Settings
from quizapp.system.paths import Paths
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.first_conflict import FirstConflictScreen
from tests.tui.screen_text import count_message, rest, screen_text
from tests.waiting import PATIENCE_S

NARROW, WIDE = (80, 24), (120, 40)
in_each_size_and_language = pytest.mark.parametrize(
    ("size", "language"),
    [
        (NARROW, "zh"),
        (WIDE, "en"),
        *(pytest.param(*look, marks=pytest.mark.long) for look in ((NARROW, "en"), (WIDE, "zh"))),
    ],
    ids=str,
)
"""For a test of both: each once; `make test-long` takes the other pairs."""
P = ParamSpec("P")
R = TypeVar("R")
DAY_MS = 86_400_000
NOON_MS = 1_795_176_000_000
"""Friday 20 November 2026, 12:00 UTC."""


class FixedClock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.moment = Instant(NOON_MS, 0)

    def now(self) -> Instant:
        return self.moment

    def pass_days(self, days: int) -> None:
        self.moment = Instant(self.moment.utc_ms + days * DAY_MS, 0)


def paths_in(folder: Path) -> Paths:
    """All of an installation's files in one folder."""
    return Paths(folder, folder / "config.toml", folder / "cache", folder / "quiz.log")


def make_app(
    folder: Path,
    *,
    clock: FixedClock | None = None,
    deck: Deck | None = None,
    wish: InterviewWish | None = None,
    **settings: object,
) -> QuizApp:
    """An application that was welcomed, with the session begun. Close `app.study.store` after."""
    chosen = Settings(**({"welcomed": True} | settings))
    paths = paths_in(folder)
    study = open_study(paths, chosen, clock or FixedClock())
    narrowed = Filter()
    if deck is not None:
        study.use_deck(deck)
    study.session.begin(narrowed)
    return QuizApp(study, paths, chosen, narrowed, wish)


@asynccontextmanager
async def open_app(
    folder: Path,
    *,
    at: str = "",
    size: tuple[int, int] = NARROW,
    answers: Iterable[bool] = (),
    clock: FixedClock | None = None,
    deck: Deck | None = None,
    wish: InterviewWish | None = None,
    first_conflict: bool = False,
    **settings: object,
) -> AsyncIterator[Pilot[int]]:
    """The running application after some answers (right or wrong), on the screen `at`.

    The picture of a first start is left by a key, unless `first_conflict`.
    """
    app = make_app(folder, clock=clock, deck=deck, wish=wish, **settings)
    try:
        for right in answers:
            answer_next(app.study, right=right)
        async with app.run_test(size=size, notifications=True, message_hook=count_message) as pilot:
            await rest(pilot)
            if isinstance(app.screen, FirstConflictScreen) and not first_conflict:
                await tap(pilot, "enter")
            if at:
                await app.run_action(at)
                await rest(pilot)
            yield pilot
    finally:
        app.study.examiner.close()
        app.study.store.close()


def behind(gate: Event, function: Callable[P, R]) -> Callable[P, R]:
    """The function, which waits for the gate to open."""

    def wait(*arguments: P.args, **named: P.kwargs) -> R:
        assert gate.wait(PATIENCE_S)
        return function(*arguments, **named)

    return wait


async def rest_stored(pilot: Pilot[int]) -> None:
    """Wait until what was typed is graded and stored."""
    await rest(pilot)
    saving = getattr(pilot.app.screen, "_saving", None)
    if saving is not None:
        await saving.wait()
        await rest(pilot)


async def tap(pilot: Pilot[int], *keys: str) -> None:
    """Press keys, each once what the one before did is stored."""
    for key in keys:
        await pilot.press(key)
        await rest_stored(pilot)
    if not keys:
        await rest_stored(pilot)


async def press(pilot: Pilot[int], *keys: str) -> str:
    """Press keys; the screen after them. A drawing takes 20 ms: `tap` if nobody reads it."""
    await tap(pilot, *keys)
    return screen_text(pilot.app)


def answer_next(study: Study, *, right: bool, seconds: int = 12) -> Turn:
    """Answer the next question, whatever it is."""
    asked = study.session.next()
    assert asked is not None
    study.session.commit(
        study.session.grade(asked, build_response(asked, right=right, seconds=seconds))
    )
    return asked


def build_response(asked: Turn, *, right: bool, seconds: int) -> Response:
    """An answer that is graded as wanted."""
    question, ms = asked.question, seconds * 1000
    if not right:
        return Response(effort=Effort(gave_up=True, duration_ms=ms))
    options = getattr(question, "options", ())
    picked = tuple(i for i, option in enumerate(options) if option.correct)
    covered = tuple(range(len(getattr(question, "rubric", ()))))
    value = None
    if isinstance(question, Number):
        bounds = compute_answer(question)
        assert bounds is not None
        value = bounds.value
    solved = isinstance(question, Index | Kernel | Spot)
    effort = Effort(duration_ms=ms)
    return Response("", picked, value, covered, credit=float(solved), effort=effort)
