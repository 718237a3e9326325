"""Candidates in mock interviews: what they know is the score, and nonsense is questioned.

`make test` takes the themes with a stage that is like none before, `make test-long` takes all. What
an input finds takes 6 s: themes that ask for inputs are for the long run.
"""

from __future__ import annotations

import pytest

from bench.candidates import (
    GOOD,
    GUESSING,
    IGNORANT,
    LEAST_GOOD,
    MOST_IGNORANT,
    hold,
    measure,
    open_study,
)
from tests.examining import EXAMINER

of_some_or_every_theme = pytest.mark.parametrize(
    "every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "every"]
)


def interviews(shipped, candidate, *, every):
    """Themes, each with its interview; for each candidate in a database of its own."""
    with open_study(shipped) as (study, themes):
        study.session.examiner = EXAMINER
        met = set()
        for name, theme in themes.items():
            new = {like(study.deck, stage) for stage in theme.stages} - met
            if every or (new and not any(stage.inputs for stage in theme.stages)):
                yield name, hold(study, themes, name, candidate)
            met |= new


def like(deck, stage):
    """What decides how a stage is asked, answered, and counted."""
    asked = stage.ask or deck.question(stage.question)
    depends = stage.if_wrong is not None, stage.if_right is not None
    return type(asked), stage.ask is None, depends


@of_some_or_every_theme
def test_who_knows_nothing_gets_near_0_and_a_good_one_above_85(shipped, every):
    candidates = [interviews(shipped, each, every=every) for each in (IGNORANT, GOOD)]
    for (theme, nothing), (_, good) in zip(*candidates, strict=True):
        assert nothing.ending == good.ending == "done", theme
        assert {stage.state for stage in good.stages} == {"right"}, theme
        for score in (nothing.score, nothing.ticked):
            assert score is None or 100 * score <= MOST_IGNORANT, theme
        for score in (good.score, good.ticked):
            assert score is None or 100 * score >= LEAST_GOOD, theme
        assert len(nothing.to_study) > 0, theme
        assert not any(stage.is_doubtful for stage in good.stages), theme
        mends = [name for _, name in nothing.weaknesses]
        assert len({*mends}) == 3, theme
        unwritten = {stage.deck_question for stage in nothing.stages if stage.is_failed_code}
        asked = {stage.deck_question for stage in nothing.stages}
        assert not {*mends} & (asked - unwritten), theme


@of_some_or_every_theme
def test_guesses_that_are_called_so_and_ticks_on_nonsense_stay_out_of_the_score(shipped, every):
    for theme, found in interviews(shipped, GUESSING, every=every):
        ticked = [stage for stage in found.answered if stage.is_ticked]
        said = [stage for stage in found.answered if stage.confidence is not None]
        assert {stage.worth for stage in said if not stage.is_ticked} <= {0}, theme
        assert found.ticked == (1.0 if ticked else None), theme
        assert all(stage.is_doubtful for stage in ticked), theme
        assert {stage.response for stage in ticked} <= {"no idea"}, theme


@pytest.mark.long
def test_each_candidate_scores_within_their_range_in_nine_of_ten_themes():
    assert [figure.what for figure in measure(None) if figure.met is False] == []
