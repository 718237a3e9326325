"""Candidates in every mock interview: nothing known scores near 0, the basics 45–70, all over 85.

Each answers all stages of each theme on site, by actions as an interface sends them; code goes to
the emulator. What the program graded and what the candidate ticked are two scores.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from math import floor
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
    StateConfidence,
    Submit,
    TakeKey,
    TakeVerdict,
    Write,
)
from quizapp.domain.attempt import (
    Action,
    AnswerKey,
    Attempt,
    GradedSubmission,
    Phase,
    advance,
)
from quizapp.domain.credit import has_stakes
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
from quizapp.domain.rating import Confidence
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

MOST_IGNORANT, LEAST_MIDDLING, MOST_MIDDLING, LEAST_GOOD = 10.0, 45.0, 70.0, 85.0
_POWERS = (1, 2, 4, 8, 16, 32, 64, 128)
_MINUTES = 240
_MOST_THEMES = 90.0
"""Percent of the themes in which a score is as it has to be."""
_NONSENSE = "no idea"


@dataclass(frozen=True)
class Candidate:
    """Somebody who is interviewed.

    `knows`: the share of the stages that they know, spread evenly from a drawn place on, and of a
    rubric's points that are said. `says`: how sure, where they know a stage and where they do not;
    None if they are not asked.
    `guesses`: picks any option, line, and kind where they do not know, else a wrong one. `ticks`:
    ticks every point, whatever was said. `failures`: submissions that fail before the one that
    passes. `misses`: of the facts that matter, so many are not asked for. `typical`: tests with
    odd sizes and values that are not zero, which is all they know of inputs.
    """

    name: str
    knows: float
    says: tuple[Confidence, Confidence] | None = None
    guesses: bool = False
    ticks: bool = False
    failures: int = 0
    misses: int = 0
    typical: bool = False


_HONEST = (Confidence.CERTAIN, Confidence.GUESS)
_FAIRLY = (Confidence.FAIRLY, Confidence.GUESS)
_SURE = (Confidence.CERTAIN, Confidence.CERTAIN)

IGNORANT = Candidate("knows nothing", 0.0)
GUESSING = Candidate(
    "guesses, says so, and ticks everything", 0.0, _HONEST, guesses=True, ticks=True
)
UNSAID = Candidate("guesses and never says so", 0.0, guesses=True)
BOLD = Candidate("guesses and says to be certain", 0.0, _SURE, guesses=True)
MIDDLING = Candidate(
    "knows the basics and says so", 0.65, _FAIRLY, guesses=True, failures=1, misses=1, typical=True
)
MIDDLING_UNSAID = replace(MIDDLING, name="knows the basics and never says how sure", says=None)
STRONG = Candidate("knows nearly everything and says so", 0.95, _HONEST, guesses=True)
STRONG_UNSAID = replace(STRONG, name="knows nearly everything and never says how sure", says=None)
GOOD = Candidate("knows everything and never says how sure", 1.0)
EVERYBODY: Mapping[Candidate, tuple[float, float]] = {
    **dict.fromkeys((IGNORANT, GUESSING, UNSAID, BOLD), (0.0, MOST_IGNORANT)),
    **dict.fromkeys((MIDDLING, MIDDLING_UNSAID), (LEAST_MIDDLING, MOST_MIDDLING)),
    **dict.fromkeys((STRONG, STRONG_UNSAID, GOOD), (LEAST_GOOD, 100.0)),
}
"""Each with the range, in percent, that the score has to be in."""


_BY_MEAN = (UNSAID, MIDDLING_UNSAID, STRONG_UNSAID)
"""Who never says how sure they are: single themes differ by what was guessed right."""


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


def hold(
    study: Study, themes: Themes, theme: str, candidate: Candidate, draw: int = 0
) -> InterviewReport:
    """Hold an interview on a theme with a candidate, who knows other stages in another draw."""
    held = interviews.begin(study, themes, "onsite", _MINUTES, theme)
    chance = random.Random(f"{theme} {candidate.name} {draw}")
    known = chance.random()
    while (turn := held.next()) is not None:
        before = known
        known += candidate.knows if has_stakes(turn.question) else 0
        knows = floor(known) > floor(before)
        attempt = _answer(_Stage(turn, held, candidate, chance, knows))
        if attempt.phase is Phase.STANDING:
            held.attempts.keep_standing(turn, attempt.response)
        else:
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
    now, says = stage.held.clock.now().utc_ms, stage.candidate.says
    attempt = stage.turn.begin(now, asks_confidence=says is not None)
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
            actions = _say(attempt, recall, stage.candidate)
        case Index() | Kernel() as code:
            actions = _submit(now, code, stage)
    for action in actions:
        attempt = advance(attempt, action)
        if attempt.phase is Phase.CONFIDENCE and says is not None:
            attempt = advance(attempt, StateConfidence(now, says[not stage.knows]))
    return attempt


def _ask_facts(attempt: Attempt, facts: FactChoice, stage: _Stage) -> list[Action]:
    """Ask for what matters but `misses` of it, others in their place; who knows nothing for any."""
    candidate = stage.candidate
    rows = [*range(len(attempt.order))]
    stage.chance.shuffle(rows)
    matter = [row for row in rows if facts.facts[attempt.order[row]].matters]
    others = [row for row in rows if row not in matter]
    asked = matter[candidate.misses :] + others[: candidate.misses]
    if not candidate.knows:
        asked = rows[: stage.chance.randint(1, len(rows))] if candidate.guesses else others
    return [Pick(attempt.at_ms, row) for row in asked]


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


def _say(attempt: Attempt, recall: Recall, candidate: Candidate) -> list[Action]:
    """Give the model answer, and in the end tick as many points as are known; else nonsense."""
    now, said = attempt.at_ms, round(candidate.knows * len(recall.rubric))
    if attempt.phase is Phase.COMPARING:
        ticks = len(recall.rubric) if candidate.ticks else said
        return [*(Pick(now, n) for n in range(ticks)), Accept(now)]
    return [Write(now, prose(recall.answer, "en") if said else _NONSENSE), Submit(now)]


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
    found: dict[Candidate, list[InterviewReport]] = {}
    with open_study() as (study, themes):
        for candidate in EVERYBODY:
            note(f"candidates … {candidate.name}")
            found[candidate] = [hold(study, themes, name, candidate) for name in themes]
    ticked = [s for r in found[GUESSING] for s in r.answered if s.is_ticked]
    questioned = 100 * mean(stage.is_doubtful for stage in ticked)
    n = len(found[GOOD])
    return [
        *(figure for candidate in EVERYBODY for figure in _figures(candidate, found[candidate])),
        Figure(
            "mock", f"nonsense on which points are ticked, questioned; {n} themes", questioned,
            100.0, "%", f"{len(ticked)} answers", at_least=True,
        ),
    ]  # fmt: skip


def _figures(candidate: Candidate, reports: Sequence[InterviewReport]) -> Iterator[Figure]:
    """Yield the mean score over all themes, and the share of them within the candidate's range.

    The detail has each theme's score, with how many stages were graded and what they ticked.
    """
    low, high = EVERYBODY[candidate]
    scores = [100 * report.score for report in reports if report.score is not None]
    about = f"of {len(scores)} themes, a candidate who {candidate.name}"
    at_least = low >= LEAST_GOOD
    limit = low if at_least else high
    each = "; ".join(_describe(report) for report in reports)
    yield Figure("mock", f"mean score {about}", mean(scores), limit, "%", each, at_least=at_least)
    inside = 100 * mean(low <= score <= high for score in scores)
    most = None if candidate in _BY_MEAN else _MOST_THEMES
    share = f"share {about}, with a score of {low:.0f} to {high:.0f}"
    yield Figure("mock", share, inside, most, "%", "", at_least=True)


def _describe(report: InterviewReport) -> str:
    """Name a theme with the score of what was graded, of how many stages, and what was ticked."""
    [theme] = report.titles
    n = sum(stage.is_graded for stage in report.stages)
    graded, ticked = (
        "–" if score is None else f"{100 * score:.0f}" for score in (report.score, report.ticked)
    )
    return f"{theme} {graded} of {n}, ticked {ticked}"
