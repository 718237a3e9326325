"""The formulas of FSRS against py-fsrs: equal to the last bit, for any weights and any history."""

from __future__ import annotations

from fsrs import Card, Rating, Scheduler, State
from fsrs.scheduler import (
    DEFAULT_PARAMETERS,
    LOWER_BOUNDS_PARAMETERS,
    UPPER_BOUNDS_PARAMETERS,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.domain.days import day_start
from quizapp.domain.fsrs6 import build_model

bounds = zip(LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS, strict=True)
weights = st.one_of(
    st.just(DEFAULT_PARAMETERS), st.tuples(*(st.floats(low, high) for low, high in bounds))
)
history = st.lists(st.tuples(st.integers(0, 400), st.integers(1, 4)), min_size=1, max_size=20)


@settings(max_examples=300, deadline=None)
@given(weights=weights, history=history, retention=st.floats(0.7, 0.97))
def test_a_history_gives_what_py_fsrs_gives(weights, history, retention):
    model = build_model(weights)
    scheduler = Scheduler(
        parameters=weights,
        desired_retention=retention,
        maximum_interval=365,
        learning_steps=(),
        relearning_steps=(),
        enable_fuzzing=False,
    )
    day = 19_000
    card = Card(card_id=0, due=day_start(day))
    state: tuple[float, float] | None = None
    for days, rating in history:
        day += days
        if state is not None:
            recall = scheduler.get_card_retrievability(card, day_start(day))
            assert model.retrievability(state[0], days) == recall
        card, _ = scheduler.review_card(card, Rating(rating), day_start(day))
        state = model.begin(rating) if state is None else model.step(*state, days, rating)
        assert state == (card.stability, card.difficulty)
        assert card.state is State.Review
        assert model.interval(state[0], retention, 365) == (card.due - day_start(day)).days
