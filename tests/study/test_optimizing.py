"""`quiz optimize`: when it fits, what it adopts, and that undo takes it back."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest

from quizapp.domain.errors import EnvironmentProblem
from quizapp.domain.log.events import Answered, ParametersSet
from quizapp.domain.planning import tuning
from quizapp.domain.rating import Rating, Rule
from quizapp.domain.schedule import SCHEDULER_VERSION, Parameters, retrievability, review
from quizapp.report.studying import optimized
from quizapp.store.log import NewEvent
from quizapp.study import optimizing
from quizapp.study.service import Study
from tests.study.test_progress import text
from tests.study.tools import NOON, TODAY, deck_of

REVIEWS = 6


@pytest.fixture
def study(person, tmp_path) -> Study:
    return person(deck_of(tmp_path / "c", text("a"))).open()


def live(study: Study, questions: int, truth: Parameters) -> None:
    """Log answers to the study: questions met one per day, by a person with such a memory."""
    chance, own = random.Random(1), Parameters()
    events: list[tuple[int, str, Rating]] = []
    for n in range(questions):
        name, day = f"pack/q{n}", TODAY - 400 + n
        rating = Rating.GOOD
        shown = real = None
        for _ in range(REVIEWS + 1):
            if shown is not None and real is not None:
                right = chance.random() < retrievability(real, day, truth)
                rating = Rating.GOOD if right else Rating.AGAIN
            events.append((day, name, rating))
            shown = review(name, shown, rating, day, own)
            real = review(name, real, rating, day, truth)
            day = shown.due_day
            if day >= TODAY:
                break
    bodies = [(None, ParametersSet(parameters=own), 0)] + [
        (name, _answer(day, rating, own), day) for day, name, rating in sorted(events)
    ]
    study.store.append(
        [
            NewEvent(
                f"{n:032}", "s", name, body, NOON.utc_ms - (TODAY - day) * 86_400_000 if day else 0
            )
            for n, (name, body, day) in enumerate(bodies)
        ]
    )


def _answer(day: int, rating: Rating, own: Parameters) -> Answered:
    return Answered(
        kind="choice", content_hash="h", rev=1, study_day=day, utc_ms=0, offset_s=0,
        correct=rating is Rating.GOOD, score=1.0, rating=rating, rule=Rule.UNAIDED,
        scheduler=SCHEDULER_VERSION, parameters_id=own.id, due_day=day + 1,
    )  # fmt: skip


def test_with_too_few_reviews_it_says_how_many_are_missing(study):
    live(study, 20, Parameters())
    reviews = len(study.store.answer_facts()) - 20
    found = optimizing.optimize(study)
    assert (found.reviews, found.missing) == (reviews, tuning.LEAST_REVIEWS - reviews)
    assert study.progress.parameters == Parameters()


def test_predictions_of_the_log_are_those_of_the_scheduler(study):
    live(study, 5, Parameters())
    [history, *_] = tuning.gather(study.store.answer_facts())
    replayed = tuning.replay([history], Parameters().weights)
    memory = None
    for place, answer in enumerate(history):
        if memory is not None:
            expected = retrievability(memory, answer.study_day, Parameters())
            assert replayed.predicted[place - 1] == pytest.approx(expected)
        memory = review("q", memory, answer.rating, answer.study_day, Parameters())


def test_weights_that_predict_the_later_reviews_better_are_adopted_until_undone(study):
    pytest.importorskip("fsrs_rs_python")
    own = Parameters().weights
    live(study, 300, Parameters(weights=(*own[:8], own[8] - 1.4, *own[9:])))
    dry = optimizing.optimize(study, dry=True)
    assert dry.after < dry.before
    assert not dry.adopted
    assert study.progress.parameters == Parameters()
    found = optimizing.optimize(study)
    assert found.adopted
    assert study.progress.parameters == Parameters(weights=found.weights) != Parameters()
    assert found.due_before != found.due_after
    undone = study.history.undo()
    assert undone is not None
    assert undone.what == "optimize"
    assert study.progress.parameters == Parameters()
    study.history.redo()
    assert study.progress.parameters.weights == found.weights
    assert optimizing.drop_weights(study.progress)
    assert study.progress.parameters == Parameters()
    assert not optimizing.drop_weights(study.progress)


def test_dropping_weights_goes_back_to_those_before_fit_by_fit(study):
    own = Parameters().weights
    first, second = (tuple(weight * f for weight in own) for f in (1.02, 1.04))
    optimizing.adopt_weights(study.progress, first, (0.4, 0.3))
    optimizing.adopt_weights(study.progress, second, (0.3, 0.2))
    assert study.progress.parameters.weights == second
    assert optimizing.drop_weights(study.progress)
    assert study.progress.parameters.weights == first
    assert optimizing.drop_weights(study.progress)
    assert study.progress.parameters.weights == own
    assert not optimizing.drop_weights(study.progress)


def test_too_few_reviews_have_no_figures_of_a_fit_in_json(study):
    live(study, 20, Parameters())
    plain = optimized.as_plain(found := optimizing.optimize(study))
    assert found.missing > 0
    assert {key: value for key, value in plain.items() if value is not None} == {
        "reviews": found.reviews,
        "missing": found.missing,
        "adopted": False,
    }
    assert {"before", "after", "held_out", "due_before", "due_after", "weights"} <= plain.keys()


def test_weights_that_do_not_are_not(study, monkeypatch):
    live(study, 150, Parameters())
    own = Parameters().weights
    worse = (*own[:8], own[8] * 0.3, *own[9:])
    monkeypatch.setattr(optimizing, "fit", lambda _found: worse)
    found = optimizing.optimize(study)
    assert found.after > found.before
    assert not found.adopted
    assert study.progress.parameters == Parameters()


def test_a_gain_counts_beyond_the_error_of_the_paired_losses_by_question(study):
    live(study, 150, Parameters())
    parts = tuning.split(tuning.gather(study.store.answer_facts()))
    own = Parameters().weights
    near = (*own[:8], own[8] * 1.001, *own[9:])
    compared = tuning.compare(parts, own, [near] * len(parts))
    judged = [[tuning._losses(part, weights) for weights in (own, near)] for part in parts]
    gains = np.concatenate([before - after for (before, _), (after, _) in judged])
    questions = np.concatenate([question for (_, question), _ in judged])
    assert compared.held_out == len(gains) > 300
    assert compared.before - compared.after == pytest.approx(gains.mean())
    sums = [(gains - gains.mean())[questions == each].sum() for each in set(questions)]
    assert compared.error == pytest.approx(np.linalg.norm(sums) / len(gains))
    assert compared.is_better == (gains.mean() > compared.error)


def test_without_the_extra_it_says_what_to_install(study, monkeypatch):
    live(study, 150, Parameters())
    monkeypatch.setitem(sys.modules, "fsrs_rs_python", None)
    with pytest.raises(EnvironmentProblem) as raised:
        optimizing.optimize(study)
    assert raised.value.what.code == "optimize.no-extra"
