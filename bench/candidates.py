"""Candidates in every mock interview: one who knows nothing gets near 0, a good one above 85.

Each answers all stages of each theme on site, by actions as an interface sends them; code goes to
the emulator. What the program graded and what the candidate ticked are two scores.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import mean

from bench.data import Data
from bench.figures import Figure, note
from grader import kernels as kernel_grader
from quizapp.deck.deck import Deck, load
from quizapp.deck.index import ContentRoot
from quizapp.domain.actions import (
    Accept,
    GiveUp,
    MoveAction,
    Pick,
    Submit,
    TakeKey,
    TakeVerdict,
    Write,
)
from quizapp.domain.attempt import Action, AnswerKey, Attempt, GradedSubmission, advance
from quizapp.domain.kernel import OfferedInput
from quizapp.domain.question import (
    Choice,
    FactChoice,
    Index,
    InputChoice,
    Kernel,
    Number,
    Recall,
    Spot,
    prose,
)
from quizapp.exercises.numbers import compute_answer
from quizapp.exercises.tried_inputs import TriedInputs, try_inputs
from quizapp.store.store import Store
from quizapp.study.clock import SystemClock
from quizapp.study.mock import interviews
from quizapp.study.mock.interview import Interview, Themes
from quizapp.study.mock.interview_report import InterviewReport, report
from quizapp.study.service import Study
from quizapp.study.values import Turn
from quizapp.system.config import Settings
from quizapp.system.paths import shipped_content
from quizapp.system.trust import Trust

MOST_IGNORANT, MOST_MIDDLING, LEAST_GOOD = 10.0, 70.0, 85.0
_POWERS = (1, 2, 4, 8, 16, 32, 64, 128)
_MINUTES = 240
_NONSENSE = "no idea"


@dataclass(frozen=True)
class Candidate:
    """Somebody who is interviewed.

    `knows`: the chance to know a stage, and the share of a rubric's points that are said.
    `guesses`: picks any option, line, and kind where they do not know, else a wrong one. `ticks`:
    ticks every point, whatever was said. `failures`: submissions that fail before the one that
    passes. `misses`: of the facts that matter, so many are not asked for. `typical`: tests with
    odd sizes and values that are not zero, which is all they know of inputs.
    """

    name: str
    knows: float
    guesses: bool = False
    ticks: bool = False
    failures: int = 0
    misses: int = 0
    typical: bool = False


IGNORANT = Candidate("knows nothing", 0.0)
GUESSING = Candidate("guesses and ticks everything", 0.0, guesses=True, ticks=True)
MIDDLING = Candidate(
    "knows the basics and errs in details", 0.7, guesses=True, failures=1, misses=1, typical=True
)
STRONG = Candidate("knows nearly everything", 0.95, guesses=True, misses=0)
GOOD = Candidate("knows everything", 1.0)


@contextmanager
def open_study(deck: Deck | None = None) -> Iterator[tuple[Study, Themes]]:
    """Open a study of the shipped questions on a database of its own, with the shipped themes."""
    with tempfile.TemporaryDirectory(prefix="quiz-bench-") as folder:
        content = str(shipped_content())
        deck = deck or load([content], f"{folder}/deck")
        settings, trust = Settings(), Trust((content,))
        with Store.open(Path(folder) / "progress.db") as store:
            study = Study(deck, store, settings, SystemClock(), lambda: trust)
            try:
                yield study, interviews.load_themes(study, [ContentRoot(content, "")])
            finally:
                study.examiner.close()


def hold(study: Study, themes: Themes, theme: str, candidate: Candidate) -> InterviewReport:
    """Hold an interview on a theme with a candidate."""
    held = interviews.begin(study, themes, "onsite", _MINUTES, theme)
    chance = random.Random(f"{theme} {candidate.name}")
    while (turn := held.next()) is not None:
        knows = chance.random() < candidate.knows
        attempt = _answer(_Stage(turn, held, candidate, chance, knows))
        held.commit(held.grade(turn, attempt.response))
    return report(study, themes, held.record)


@dataclass(frozen=True)
class _Stage:
    """A stage that a candidate is asked, and whether they know it."""

    turn: Turn
    held: Interview
    candidate: Candidate
    chance: random.Random
    knows: bool


def _answer(stage: _Stage) -> Attempt:
    """Answer a stage to its end."""
    now = stage.held.clock.now().utc_ms
    attempt = stage.turn.begin(now, asks_confidence=False)
    match attempt.question:
        case FactChoice() as facts:
            actions = [*_ask_facts(attempt, facts, stage), Submit(now)]
        case InputChoice() as inputs:
            actions = _choose_inputs(attempt, inputs, stage)
        case Choice() as choice:
            actions = [*_pick(attempt, choice, stage), Submit(now)]
        case Number() as number:
            value = compute_answer(number).value
            wrong = stage.chance.choice(_POWERS) if stage.candidate.guesses else 3 * abs(value) + 7
            said = value if stage.knows else wrong
            actions = [Write(now, f"{said:.9g}"), Submit(now)]
        case Spot() as spot:
            actions = _name_bug(now, spot, stage)
        case Recall() as recall:
            actions = _say(now, recall, stage.candidate)
        case Index() | Kernel() as code:
            actions = _submit(now, code, stage)
    for action in actions:
        attempt = advance(attempt, action)
    return attempt


def _ask_facts(attempt: Attempt, facts: FactChoice, stage: _Stage) -> list[Action]:
    """Ask for what matters but `misses` of it, and others; who knows nothing asks for any."""
    candidate = stage.candidate
    rows = [*range(len(attempt.order))]
    stage.chance.shuffle(rows)
    matter = [row for row in rows if facts.facts[attempt.order[row]].matters]
    others = [row for row in rows if row not in matter]
    asked = matter[candidate.misses :] + others
    if not candidate.knows:
        asked = rows if candidate.guesses else others
    return [Pick(attempt.at_ms, row) for row in asked[: facts.asks]]


def _pick(attempt: Attempt, choice: Choice, stage: _Stage) -> list[Action]:
    """Pick what is right; else one option, or as many as the prompt asks for, wrong ones first."""
    rows = range(len(attempt.order))
    right = [row for row in rows if choice.options[attempt.order[row]].correct]
    wrong = [row for row in rows if row not in right]
    one = stage.chance.choice(rows if stage.candidate.guesses else wrong)
    picked = [one, *(row for row in (*wrong, *right) if row != one)][: choice.stated_count or 1]
    return [Pick(attempt.at_ms, row) for row in (right if stage.knows else picked)]


def _choose_inputs(attempt: Attempt, choice: InputChoice, stage: _Stage) -> list[Action]:
    """Choose the inputs that find the most mistakes, or look so; else the fewest, or any."""
    tried, now = _try_inputs(choice), attempt.at_ms
    every = combinations(range(len(choice.options)), choice.pick)
    ways = sorted(every, key=lambda some: len(tried.find(some)))
    some = ways[-1] if stage.knows else ways[0]
    if stage.candidate.typical:
        some = max(ways, key=lambda some: sum(_look_useful(choice.offered[i]) for i in some))
    elif not stage.knows and stage.candidate.guesses:
        some = stage.chance.choice(ways)
    rows = [attempt.order.index(own) for own in some]
    return [*(Pick(now, row) for row in rows), Submit(now), TakeKey(now, tried)]


def _look_useful(given: OfferedInput) -> int:
    """Return how much an input looks like one to test with: sizes that are odd, no zeros."""
    odd = sum(size % 32 != 0 for size in given.sizes.values())
    return 2 * odd - ("zeros" in given.values.values())


_tried: dict[str, TriedInputs] = {}
"""By the kernel, what the known mistakes of each come to; every candidate is offered the same."""


def _try_inputs(choice: InputChoice) -> TriedInputs:
    """Run the known mistakes alone: drawing mutants too would take five times as long."""
    name = choice.kernel.id
    if name not in _tried:
        with kernel_grader.Referee() as referee:
            _tried[name] = try_inputs(choice, referee.find_failure, drawn=0)
    return _tried[name]


def _say(now: int, recall: Recall, candidate: Candidate) -> list[Action]:
    """Give the model answer, and tick as many points as are known; else nonsense."""
    said = round(candidate.knows * len(recall.rubric))
    text = prose(recall.answer, "en") if said else _NONSENSE
    ticks = len(recall.rubric) if candidate.ticks else said
    return [Write(now, text), Submit(now), *(Pick(now, n) for n in range(ticks)), Accept(now)]


def _name_bug(now: int, spot: Spot, stage: _Stage) -> list[Action]:
    """Name the line and kind of the fault; else some."""
    found, lines = stage.held.examiner.find_bug(spot), range(len(spot.code.splitlines()))
    places = [(line, kind) for line in lines for kind in range(len(spot.kinds))]
    if stage.knows or not stage.candidate.guesses:
        wanted = 1.0 if stage.knows else 0.0
        places = [each for each in places if _score_place(found, spot, each) == wanted]
    line, kind = stage.chance.choice(places)
    return [MoveAction(now, line), Pick(now, kind), Submit(now), TakeKey(now, found)]


def _score_place(found: AnswerKey, spot: Spot, place: tuple[int, int]) -> float:
    line, kind = place
    return found.score(line + 1, spot.kinds[kind])


def _submit(now: int, code: Index | Kernel, stage: _Stage) -> list[Action]:
    """Submit what fails so often, then the solution; who knows nothing gives up."""
    if not stage.candidate.knows:
        return [GiveUp(now)]
    wrong = [each.source or "" for each in code.wrong[: stage.candidate.failures]]
    actions: list[Action] = []
    for source in (*wrong, code.solution or ""):
        actions += [Write(now, source), Submit(now), TakeVerdict(now, _check(code, source, stage))]
    return actions


def _check(code: Index | Kernel, source: str, stage: _Stage) -> GradedSubmission:
    if isinstance(code, Index):
        return stage.held.attempts.check(stage.turn, source)
    return stage.held.examiner.check(code, source)


def measure(_data: Data | None, repeat: int = 1) -> list[Figure]:
    """The scores of each candidate over all themes; `repeat` is not used: chance has one seed."""
    del repeat
    found: dict[str, list[InterviewReport]] = {}
    with open_study() as (study, themes):
        for candidate in (IGNORANT, GUESSING, MIDDLING, STRONG, GOOD):
            note(f"candidates … {candidate.name}")
            found[candidate.name] = [hold(study, themes, name, candidate) for name in themes]
    ticked = [s for r in found[GUESSING.name] for s in r.answered if s.is_ticked]
    questioned = 100 * mean(stage.is_doubtful for stage in ticked)
    n = len(found[GOOD.name])
    return [
        _score(IGNORANT, "highest", max, found[IGNORANT.name], MOST_IGNORANT),
        _score(GUESSING, "mean", mean, found[GUESSING.name], MOST_IGNORANT),
        _score(MIDDLING, "mean", mean, found[MIDDLING.name], MOST_MIDDLING),
        _score(STRONG, "mean", mean, found[STRONG.name], LEAST_GOOD),
        _score(GOOD, "lowest", min, found[GOOD.name], LEAST_GOOD),
        Figure(
            "mock", f"nonsense on which points are ticked, questioned; {n} themes", questioned,
            100.0, "%", f"{len(ticked)} answers", at_least=True,
        ),
    ]  # fmt: skip


def _score(
    candidate: Candidate,
    what: str,
    summarize: Callable[[Iterable[float]], float],
    reports: Sequence[InterviewReport],
    limit: float | None,
) -> Figure:
    """Return a score over all themes; its detail has each theme's, with what they ticked."""
    scores = [100 * report.score for report in reports if report.score is not None]
    each = "; ".join(_describe(report) for report in reports)
    what = (
        f"mock interview: {what} score of {len(reports)} themes, a candidate who {candidate.name}"
    )
    at_least = candidate in (STRONG, GOOD)
    return Figure("mock", what, summarize(scores), limit, "%", each, at_least=at_least)


def _describe(report: InterviewReport) -> str:
    """Name a theme with the score of what was graded, and of what was ticked."""
    [theme] = report.titles
    graded, ticked = (
        "–" if score is None else f"{100 * score:.0f}" for score in (report.score, report.ticked)
    )
    return f"{theme} {graded}, ticked {ticked}"
