"""Makes the pictures of the README from the running application; `--check` compares them.

A fixed clock, somebody who has studied for two weeks, a fixed way through the shipped questions:
the same pictures on every machine.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from quizapp.domain.attempt import Response
from quizapp.domain.days import Instant
from quizapp.domain.question import Number, PutQuestion
from quizapp.domain.queue import Stage
from quizapp.domain.rating import Effort
from quizapp.exercises.numbers import compute_answer
from quizapp.report.line_picture import use_local_fonts
from quizapp.study.home_values import Filter
from quizapp.study.opening import open_study
from quizapp.system.config import Settings
from quizapp.system.paths import Paths
from quizapp.tui.app import QuizApp

PICTURES = Path(__file__).parent / "pictures"
NARROW, WIDE = (80, 24), (120, 34)
DAYS = 14
DAY_MS = 86_400_000
NOON = Instant(1_795_176_000_000, 0)
"""Friday 20 November 2026, 12:00 UTC."""
WRONG_EVERY = 6
EVERYTHING = Filter()


class Calendar:
    """Noon of a day that only goes on when it is told to."""

    def __init__(self, days_left: int = 0) -> None:
        self.days_left = days_left

    def now(self) -> Instant:
        """The moment of the pictures, or so many days before it."""
        return Instant(NOON.utc_ms - self.days_left * DAY_MS, NOON.offset_s)


@dataclass(frozen=True)
class Way:
    """Keys to press, and the picture to take after each group of them.

    `draft`: a mistake of the kernel question that is the first of its topic; its editor holds it.
    """

    steps: tuple[tuple[str, tuple[str, ...]], ...]
    narrowed: Filter = EVERYTHING
    language: str = "en"
    draft: str = ""
    size: tuple[int, int] = NARROW


KERNEL = Filter(questions=("shared-memory/kernel-transpose-padded",), practice=True)
WAYS = (
    Way((("home", ("down", "down", "down")),), size=WIDE),
    Way((("question", ("enter", "2")), ("feedback", ("enter", "3"))), Filter("gemm", "choice")),
    Way((("workbench", ("ctrl+s", "up")),), KERNEL, draft="unpadded", size=WIDE),
    Way((("find", ("slash", *"swizz")),), size=WIDE),
    Way((("home-zh", ()),), language="zh"),
    Way((("workbench-zh", ("ctrl+s", "up")),), KERNEL, "zh", "unpadded", WIDE),
)


def study_for_weeks(paths: Paths) -> None:
    """Answer what each day asks, every sixth wrong, up to the day of the pictures."""
    calendar, answered = Calendar(DAYS), 0
    with open_study(paths, Settings(), calendar) as study:
        for calendar.days_left in range(DAYS, 0, -1):
            study.session.begin(EVERYTHING)
            while (turn := study.session.next()) is not None:
                answered += 1
                gave_up = turn.item.stage is not Stage.REPEAT and answered % WRONG_EVERY == 0
                study.session.commit(
                    study.session.grade(turn, build_response(turn.question, gave_up=gave_up))
                )


def build_response(question: PutQuestion, *, gave_up: bool) -> Response:
    """A right answer after 40 seconds, or none."""
    options = getattr(question, "options", ())
    return Response(
        picked=tuple(place for place, option in enumerate(options) if option.correct),
        value=compute_answer(question).value if isinstance(question, Number) else None,
        covered=tuple(range(len(getattr(question, "rubric", ())))),
        credit=1.0,
        effort=Effort(gave_up=gave_up, duration_ms=40_000),
    )


def paths_in(folder: Path) -> Paths:
    """All of an installation's files in one folder."""
    return Paths(folder, folder / "config.toml", folder / "cache", folder / "quiz.log")


async def draw(way: Way, folder: Path) -> dict[str, str]:
    """The pictures of one way, by name."""
    paths = paths_in(folder)
    settings = Settings(welcomed=True, language=way.language)  # type: ignore[arg-type]
    pictures = {}
    with open_study(paths, settings, Calendar()) as study:
        study.session.begin(way.narrowed)
        first = study.session.next()
        if way.draft and first is not None:
            mistakes = {each.file: each.source or "" for each in first.question.wrong}
            study.attempts.save_draft(first.entry.id, mistakes[way.draft])
        app = QuizApp(study, paths, settings, way.narrowed)
        async with app.run_test(size=way.size) as pilot:
            if way.narrowed.practice:
                await app.study_these(way.narrowed)
            for name, keys in way.steps:
                await pilot.press(*keys)
                await app.workers.wait_for_complete()
                await pilot.pause(0.2)
                pictures[name] = tidy(app.export_screenshot(title="quiz"), name)
    return pictures


def tidy(svg: str, name: str) -> str:
    """The picture without fonts from the network, and with ids that do not change between runs."""
    return re.sub(r"terminal-\d+", f"quiz-{name}", use_local_fonts(svg))


async def all_pictures() -> dict[str, str]:
    """Every picture."""
    pictures: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        lived = Path(folder) / "lived"
        lived.mkdir()
        study_for_weeks(paths_in(lived))
        for number, way in enumerate(WAYS):
            pictures |= await draw(way, shutil.copytree(lived, Path(folder) / str(number)))
    return pictures


def main() -> int:
    """Write the pictures; with `--check` compare them instead, 1 if they differ."""
    pictures = asyncio.run(all_pictures())
    if "--check" in sys.argv[1:]:
        stale = [n for n, svg in pictures.items() if (PICTURES / f"{n}.svg").read_text() != svg]
        sys.stdout.write(f"stale: {', '.join(stale)}\n" if stale else "")
        return bool(stale)
    PICTURES.mkdir(exist_ok=True)
    for name, svg in pictures.items():
        (PICTURES / f"{name}.svg").write_text(svg, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
