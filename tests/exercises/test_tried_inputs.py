"""What chosen inputs are worth: as many mistakes as so many inputs can find."""

from __future__ import annotations

import pytest

from quizapp.domain.kernel import OfferedInput
from quizapp.exercises.tried_inputs import TriedInputs, describe_input

TRIED = TriedInputs(
    ("no-guard", "no-barrier", "one-block"),
    (frozenset({0}), frozenset({1}), frozenset({0, 1}), frozenset({2}), frozenset()),
)


@pytest.mark.parametrize(
    ("picked", "score"), [((2, 3), 1), ((0, 1), 2 / 3), ((3, 4), 1 / 3), ((0, 4), 1 / 3), ((), 0)]
)
def test_inputs_are_worth_what_they_find_of_what_as_many_can(picked, score):
    assert TRIED.score_inputs(picked) == score


def test_the_best_inputs_are_those_that_were_chosen_where_these_are_as_good():
    both = TriedInputs(("a", "b"), (frozenset({0, 1}), frozenset({0, 1}), frozenset()))
    assert both.best([1]) == (1,)
    assert both.best([0]) == (0,)
    assert both.best([], 2)


def test_an_input_is_written_as_code():
    given = OfferedInput({"n": 300, "m": 2}, {"x": "uniform", "y": "uniform", "z": "zeros"}, 1, 2)
    assert describe_input(given) == "`n = 300; m = 2; x, y = uniform(1, 2); z = zeros`"
