"""Candidates in all mock interviews: what they know is the score, and nonsense is questioned."""

from __future__ import annotations

import pytest

from bench.candidates import GOOD, GUESSING, IGNORANT, LEAST_GOOD, MOST_IGNORANT, hold, open_study


@pytest.fixture(scope="module")
def opened(shipped):
    with open_study(shipped) as study_and_themes:
        yield study_and_themes


def test_who_knows_nothing_gets_near_0_in_every_theme_and_a_good_one_above_85(opened):
    study, themes = opened
    for theme in themes:
        nothing, good = (hold(study, themes, theme, each) for each in (IGNORANT, GOOD))
        assert nothing.ending == good.ending == "done", theme
        assert {stage.state for stage in good.stages} == {"right"}, theme
        for score in (nothing.score, nothing.ticked):
            assert score is None or 100 * score <= MOST_IGNORANT, theme
        for score in (good.score, good.ticked):
            assert score is None or 100 * score >= LEAST_GOOD, theme
        assert len(nothing.to_study) > 0, theme
        assert not any(stage.is_doubtful for stage in good.stages), theme


def test_ticks_on_nonsense_are_questioned_and_stay_out_of_the_score(opened):
    study, themes = opened
    for theme in themes:
        found = hold(study, themes, theme, GUESSING)
        ticked = [stage for stage in found.answered if stage.is_ticked]
        assert found.ticked == (1.0 if ticked else None), theme
        assert all(stage.is_doubtful for stage in ticked), theme
        assert {stage.response for stage in ticked} <= {"no idea"}, theme
