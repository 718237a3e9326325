"""Ladders: one theme from a layout over a bug and a kernel to the costly line and a follow-up."""

from __future__ import annotations

import pytest

from quizapp.domain.question import AnyQuestion, FollowUp, Index, Kernel, Spot

THEMES = ("softmax", "histogram", "gemm", "transpose", "reduction")


@pytest.fixture(scope="module")
def ladders(deck) -> dict[str, dict[str, AnyQuestion]]:
    """The rungs of each ladder in the order in which they are asked."""
    found: dict[str, dict[str, AnyQuestion]] = {}
    for name in deck.entries:
        question = deck.question(name)
        for tag in question.tags:
            if tag.startswith("ladder-"):
                found.setdefault(tag.removeprefix("ladder-"), {})[name] = question
    return found


def test_there_are_five_ladders(ladders):
    assert set(ladders) == set(THEMES)


@pytest.mark.parametrize("theme", THEMES)
def test_each_begins_with_a_layout_and_comes_to_the_costly_line_after_a_kernel(ladders, theme):
    rungs = list(ladders[theme].values())
    spots = [place for place, rung in enumerate(rungs) if isinstance(rung, Spot)]
    kernels = [place for place, rung in enumerate(rungs) if isinstance(rung, Kernel)]
    costs = [
        place for place, rung in enumerate(rungs) if isinstance(rung, Spot) and rung.asks == "cost"
    ]
    assert isinstance(rungs[0], Index)
    assert len(spots) >= 2
    assert kernels
    assert costs
    assert spots[0] < kernels[0] < costs[-1]


@pytest.mark.parametrize("theme", THEMES)
def test_each_rung_but_the_first_requires_an_earlier_one(deck, ladders, theme):
    first, *others = ladders[theme]
    assert not deck.entries[first].requires
    met = {first}
    for name in others:
        assert met.intersection(deck.entries[name].requires), name
        met.add(name)


@pytest.mark.parametrize("theme", THEMES)
def test_the_last_rung_has_a_follow_up_with_its_answer(ladders, theme):
    last = list(ladders[theme].values())[-1]
    assert any(isinstance(one, FollowUp) and one.answer for one in last.follow_ups)
