"""From starting the program to home with true counts, and from enter there to the first question.

The first against a Textual application with one `Static`, in turn, each from before its process is
made until its last byte was read; a count that is not the true one does not end the wait. The
second once after a pause in which a person reads the counts, and once pressed as soon as they are
there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from statistics import median

from bench import bare
from bench.data import QUIZ, Data, paths_of
from bench.figures import Figure, Took, count_rounds, p95, ratio, spread, time_alternately
from bench.person import Person
from bench.terminal import Terminal
from quizapp.study.opening import open_study
from quizapp.study.overview import home
from quizapp.system.config import load

HOME_LIMIT = 2.0
QUESTION_LIMIT_MS = 50.0
READING_S = 1.0


def measure_home(data: Data, repeat: int = 11) -> list[Figure]:
    """The ratio of the two medians, with home as it was kept, and without it."""
    patterns = home_patterns(data)
    bare_start = [sys.executable, str(Path(bare.__file__))]
    with data.copy() as environment:
        kept = paths_of(environment).kept_home

        def run(command: list[str], *patterns: str) -> Took:
            with Terminal(command, environment) as terminal:
                came = terminal.wait_for(*patterns)
                return Took(1000 * (came - terminal.began), terminal.core_ms())

        def run_anew() -> Took:
            kept.unlink(missing_ok=True)
            return run([QUIZ, "start"], *patterns)

        def measure(name: str, what: str, start: Callable[[], Took], limit: float | None) -> Figure:
            ours, theirs = time_alternately(repeat, start, lambda: run(bare_start, bare.TEXT))
            return Figure(
                name,
                f"start to home with true counts, {what} : Textual with one Static",
                ratio(_clock(ours), _clock(theirs)),
                limit,
                "×",
                f"{spread(_clock(ours))} : {spread(_clock(theirs))}; "
                f"on a core {spread(_core(ours))} : {spread(_core(theirs))}, "
                f"{ratio(_core(ours), _core(theirs)):.2f} ×",
                {"quiz": ours, "textual": theirs},
            )

        _keep_home(data, environment)
        return [
            measure("home", "as kept", lambda: run([QUIZ, "start"], *patterns), HOME_LIMIT),
            measure("anew", "none kept", run_anew, None),
        ]


def measure_question(data: Data, repeat: int = 11) -> list[Figure]:
    """Medians; the limit is for a person who has seen home."""
    after = [_first_question(data, READING_S) for _ in count_rounds(repeat)]
    at_once = [_first_question(data, 0.0) for _ in count_rounds(repeat)]
    first = [_first_question(data, 0.0, kept=True) for _ in count_rounds(repeat)]
    name = "enter at home to the first question"
    return [
        _figure("question", f"{name}, after {READING_S:.0f} s", after, QUESTION_LIMIT_MS),
        _figure("at-once", f"{name}, pressed at once", at_once, None),
        _figure("at-once", f"{name}, at once on a kept home", first, None),
    ]


@cache
def home_patterns(data: Data) -> tuple[str, ...]:
    """What home shows when it is complete: the true counts, the first pack, the keys."""
    with data.copy() as environment:
        paths = paths_of(environment)
        with open_study(paths, load(paths.config, environment)) as study:
            facts = home(study)
    pack = facts.packs[0]
    counts = (rf"Due +{facts.whole.due}\b", rf"New +{facts.new}\b", rf" {pack.due} +{pack.new} ")
    return (*counts, "enter study")


def _first_question(data: Data, pause: float, *, kept: bool = False) -> Took:
    with data.copy() as environment:
        with Terminal([QUIZ, "start"], environment) as terminal:
            person = Person(data, environment["QUIZ_HOME"], terminal)  # it takes a second
        if kept:
            _keep_home(data, environment)
        with Terminal([QUIZ, "start"], environment) as terminal:
            person.move_to(terminal)
            terminal.wait_for(*home_patterns(data))
            if pause:
                terminal.quiet(pause)
            return person.go_on()


def _keep_home(data: Data, environment: Mapping[str, str]) -> None:
    """Start and leave, so that home is kept."""
    with Terminal([QUIZ, "start"], environment) as terminal:
        terminal.wait_for(*home_patterns(data))
        terminal.leave("q")
    if not paths_of(environment).kept_home.exists():
        message = "home was not kept"
        raise RuntimeError(message)


def _figure(name: str, what: str, times: list[Took], limit: float | None) -> Figure:
    clock, core = _clock(times), _core(times)
    detail = f"{spread(clock)}, p95 {p95(clock):.0f}; on a core {spread(core)}"
    return Figure(name, what, median(clock), limit, "ms", detail, {"quiz": times})


def _clock(times: list[Took]) -> list[float]:
    return [took.ms for took in times]


def _core(times: list[Took]) -> list[float]:
    return [took.core_ms for took in times]
