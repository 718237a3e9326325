"""`quiz optimize`: fits FSRS to the person's own answers, and adopts it if it predicts better.

The only place that loads `fsrs-rs-python`, the extra `tune`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from fsrs.scheduler import LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS

from grader.facts import fact
from quizapp.domain.errors import EnvironmentProblem
from quizapp.domain.log.events import Optimized, Voided
from quizapp.domain.log.projection import AnswerFact
from quizapp.domain.planning import tuning
from quizapp.domain.planning.tuning import History, ReviewSplit
from quizapp.study.scheduling.progress import StudyProgress
from quizapp.study.service import Study

DUE_DAYS = 30


@dataclass(frozen=True, slots=True)
class FitOutcome:
    """What came of fitting.

    Attributes:
        reviews: how many there are; `missing`: how many more are needed, 0 if there are enough.
        held_out: how many of them judged.
        before, after: the log loss of these, under the weights so far and the fitted ones.
        error: the standard error of their difference.
        due_before, due_after: questions due within `DUE_DAYS`, under either from the beginning.
        is_better: True if the fitted ones are better by more than chance explains.
        adopted: True if the fitted weights hold now.
    """

    reviews: int
    missing: int
    held_out: int = 0
    before: float = 0.0
    after: float = 0.0
    error: float = 0.0
    due_before: int = 0
    due_after: int = 0
    weights: tuple[float, ...] = ()
    is_better: bool = False
    adopted: bool = False


def optimize(study: Study, *, dry: bool = False) -> FitOutcome:
    """Fit weights to the earlier answers; adopt them if they predict the later ones better.

    Better means by more than chance explains. `dry`: adopt nothing.

    Raises EnvironmentProblem: the extra `tune` is not installed.
    """
    histories = tuning.gather(study.store.answer_facts())
    reviews = tuning.count_reviews(histories)
    if reviews < tuning.LEAST_REVIEWS:
        return FitOutcome(reviews, tuning.LEAST_REVIEWS - reviews)
    parts, own = tuning.split(histories), study.progress.parameters
    fits = [fit(part) for part in parts]
    compared, weights = tuning.compare(parts, own.weights, fits), fits[-1]
    days = range(study.day, study.day + DUE_DAYS)
    due_before, due_after = (
        tuning.count_due(histories, each, own.retention, days) for each in (own.weights, weights)
    )
    adopted = compared.is_better and not dry
    if adopted:
        adopt_weights(study.progress, weights, (compared.before, compared.after))
    return FitOutcome(
        reviews=reviews, missing=0, held_out=compared.held_out, before=compared.before,
        after=compared.after, error=compared.error, is_better=compared.is_better,
        due_before=due_before, due_after=due_after, weights=weights, adopted=adopted,
    )  # fmt: skip


def adopt_weights(
    progress: StudyProgress, weights: tuple[float, ...], loss: tuple[float, float]
) -> None:
    """Schedule by these weights from the next answer on; the log loss before and after says why."""
    progress.append(Optimized(study_day=progress.day, weights=weights, log_loss=loss))
    progress.reread()


def drop_weights(progress: StudyProgress) -> bool:
    """Undo the latest fit: the weights before it hold; False if they are the library's own."""
    latest = progress.store.latest_fit()
    if latest is None or not progress.planned.weights:
        return False
    progress.append(Voided(target=latest.id))
    progress.reread()
    return True


def fit(found: ReviewSplit) -> tuple[float, ...]:
    """Fit weights to the reviews that are not held out.

    Raises EnvironmentProblem: the extra `tune` is not installed.
    """
    try:
        import fsrs_rs_python as fsrs_rs  # noqa: PLC0415 - an extra
    except ImportError:
        raise EnvironmentProblem(fact("optimize.no-extra"), fact("optimize.install")) from None
    items = [
        fsrs_rs.FSRSItem([fsrs_rs.FSRSReview(int(a.rating), days) for a, days in _paced(history)])
        for whole in found.histories
        for end in range(2, len(whole) + 1)
        if (history := whole[:end])[-1].study_day < found.days.start
    ]
    fitted: Sequence[float] = fsrs_rs.FSRS([]).compute_parameters(items)
    bounds = zip(LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS, strict=True)
    return tuple(
        min(max(weight, low), high) for weight, (low, high) in zip(fitted, bounds, strict=True)
    )


def _paced(history: History) -> list[tuple[AnswerFact, int]]:
    """Pair each answer with the days since the one before; 0 for the first."""
    days = [0, *(max(1, b.study_day - a.study_day) for a, b in pairwise(history))]
    return list(zip(history, days, strict=True))
