"""Types are Numba's: rule by rule as its typing context has them, and variable by variable.

What Numba says is recorded: `record_typing` asks it.
"""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from grader.simt.errors import NotTyped
from grader.simt.numba.reading.typing_rules import RANK, resolve
from grader.simt.program.types import SCALARS, join_types
from tests.grader.simt.record_typing import RECORD
from tests.grader.simt.tools import kernel, types_here
from tests.grader.simt.typing_cases import BINARY, GIVEN, REFUSED, STRAIGHT, TAKES, UNARY, WAYS

NUMBA = json.loads(RECORD.read_text("utf-8"))
RANKS = {"exact": 0, "promote": 1, "safe": 2, "unsafe": 3, "none": None}


def recorded(answers):
    """By operands."""
    return {
        tuple(map(np.dtype, case.split())): answer
        for answer, cases in answers.items()
        for case in cases.split(", ")
    }


def test_the_record_is_of_these_cases():
    """Otherwise: python -m tests.grader.simt.record_typing."""
    assert NUMBA["binary"].keys() == BINARY.keys()
    assert NUMBA["unary"].keys() == UNARY.keys()
    assert NUMBA["expressions"].keys() == set(STRAIGHT)
    assert NUMBA["ways"].keys() == WAYS.keys()
    assert NUMBA["refused"] == dict.fromkeys(REFUSED, True)
    pairs = set(product(SCALARS, repeat=2))
    for answers in (NUMBA["conversions"], NUMBA["joined"], *NUMBA["binary"].values()):
        assert recorded(answers).keys() == pairs
    for answers in NUMBA["unary"].values():
        assert recorded(answers).keys() == {(one,) for one in SCALARS}


def test_conversions_are_ranked_as_numba_ranks_them():
    found = {pair: RANK.get(pair) for pair in product(SCALARS, repeat=2)}
    assert found == {pair: RANKS[one] for pair, one in recorded(NUMBA["conversions"]).items()}


def signatures(name, cases):
    """As the emulator has them."""
    found = {}
    for operands in cases:
        ours = resolve(name, *operands)
        parts = ("none",) if ours is None else map(str, (ours.result, *ours.operands))
        found[operands] = " ".join(parts)
    return found


@pytest.mark.parametrize("name", BINARY)
def test_binary_signatures(name):
    theirs = recorded(NUMBA["binary"][name])
    assert signatures(name, theirs) == theirs


@pytest.mark.parametrize("name", UNARY)
def test_unary_signatures(name):
    theirs = recorded(NUMBA["unary"][name])
    assert signatures(name, theirs) == theirs


def test_variables_are_joined_as_numba_unifies_them():
    found = {pair: str(join_types(*pair)) for pair in product(SCALARS, repeat=2)}
    assert found == recorded(NUMBA["joined"])


@pytest.mark.parametrize("expression", STRAIGHT)
def test_expressions(expression):
    ours = types_here(kernel(f"x = {expression}", takes=TAKES), GIVEN)
    assert ours["x"] == NUMBA["expressions"][expression]


@pytest.mark.parametrize("name", REFUSED)
def test_what_numba_refuses_is_refused(name):
    with pytest.raises(NotTyped):
        types_here(kernel(*REFUSED[name], takes=TAKES), GIVEN)


@pytest.mark.parametrize("name", WAYS)
def test_variables_that_several_ways_lead_to(name):
    assert types_here(kernel(*WAYS[name], takes=TAKES), GIVEN)["x"] == NUMBA["ways"][name]
