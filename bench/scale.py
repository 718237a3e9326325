"""A log of 1,000,000 answers: its size, what a rebuild, an answer and the statistics take on it.

Within this process, on a copy of the database, without a screen: what the store and the study do.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from uuid import uuid4

from bench.data import Data, paths_of, prepare
from bench.figures import Figure, Took, count_rounds, p95, spread
from quizapp.domain.log.events import Answered
from quizapp.domain.rating import Rating, Rule
from quizapp.domain.schedule import SCHEDULER_VERSION
from quizapp.store.log import NewEvent
from quizapp.study.opening import open_study
from quizapp.study.overview import home
from quizapp.study.service import Study
from quizapp.study.statistics import statistics
from quizapp.system.config import load

ANSWERS = 1_000_000
REBUILD_LIMIT_S = 15.0
SIZE_LIMIT_MB = 525.0
STATISTICS_LIMIT_MS = 300.0
_SESSION = uuid4().hex


def measure(_data: Data, repeat: int = 21) -> list[Figure]:
    """Four figures; a rebuild is timed once."""
    with prepare(ANSWERS).copy() as environment:
        paths = paths_of(environment)
        size = paths.database.stat().st_size / 1e6
        with open_study(paths, load(paths.config, {})) as study:
            shown = [_took(lambda: statistics(study)) for _ in count_rounds(repeat)]
            at_home = [_took(lambda: home(study)) for _ in count_rounds(repeat)]
            stored = [_took(lambda e=e: study.store.append([e])) for e in _answers(study, repeat)]
            rebuilt = _took(study.store.rebuild)
    return [
        Figure("scale", f"database of {ANSWERS:,} answers", size, SIZE_LIMIT_MB, "MB", ""),
        _figure("statistics, their facts", shown, STATISTICS_LIMIT_MS),
        _figure("home, its facts", at_home, None),
        _figure("an answer stored", stored, None),
        Figure(
            "scale",
            "quiz rebuild",
            rebuilt.ms / 1000,
            REBUILD_LIMIT_S,
            "s",
            f"on a core {rebuilt.core_ms / 1000:.1f} s",
            {"quiz": [rebuilt]},
        ),
    ]


def _figure(what: str, took: list[Took], limit_ms: float | None) -> Figure:
    clock, core = [each.ms for each in took], [each.core_ms for each in took]
    detail = f"{spread(clock)}, p95 {p95(clock):.1f}; on a core {spread(core)}"
    return Figure("scale", what, median(clock), limit_ms, "ms", detail, {"quiz": took})


def _took(run: Callable[[], object]) -> Took:
    began, used = perf_counter(), process_time()
    run()
    return Took(1000 * (perf_counter() - began), 1000 * (process_time() - used))


def _answers(study: Study, count: int) -> list[NewEvent]:
    """One answer each to the questions answered most often."""
    cards = [card for card in study.progress.cards.values() if card.memory]
    cards.sort(key=lambda card: -card.memory.repetitions if card.memory else 0)
    return [_answer(study, card.question) for card in cards[:count]]


def _answer(study: Study, question: str) -> NewEvent:
    now = study.clock.now()
    body = Answered(
        kind="number",
        content_hash="0f" * 16,
        rev=1,
        study_day=study.day,
        utc_ms=now.utc_ms,
        offset_s=now.offset_s,
        correct=True,
        score=1.0,
        duration_ms=9_000,
        confidence=2,
        response="32",
        rating=Rating.GOOD,
        rule=Rule.UNAIDED,
        scheduler=SCHEDULER_VERSION,
        parameters_id=study.progress.parameters.id,
        due_day=study.day + 9,
    )
    return NewEvent(uuid4().hex, _SESSION, question, body, now.utc_ms)
