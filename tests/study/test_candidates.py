"""Candidates in all mock interviews: what they know is the score, and nonsense is questioned."""

from __future__ import annotations

from bench.candidates import GOOD, GUESSING, IGNORANT, LEAST_GOOD, MOST_IGNORANT, hold, open_study


def interviews(shipped, candidate):
    """All themes, each with its interview; for each candidate in a database of its own."""
    with open_study(shipped) as (study, themes):
        for theme in themes:
            yield theme, hold(study, themes, theme, candidate)


def test_who_knows_nothing_gets_near_0_in_every_theme_and_a_good_one_above_85(shipped):
    both = zip(interviews(shipped, IGNORANT), interviews(shipped, GOOD), strict=True)
    for (theme, nothing), (_, good) in both:
        assert nothing.ending == good.ending == "done", theme
        assert {stage.state for stage in good.stages} == {"right"}, theme
        for score in (nothing.score, nothing.ticked):
            assert score is None or 100 * score <= MOST_IGNORANT, theme
        for score in (good.score, good.ticked):
            assert score is None or 100 * score >= LEAST_GOOD, theme
        assert len(nothing.to_study) > 0, theme
        assert not any(stage.is_doubtful for stage in good.stages), theme


def test_ticks_on_nonsense_are_questioned_and_stay_out_of_the_score(shipped):
    for theme, found in interviews(shipped, GUESSING):
        ticked = [stage for stage in found.answered if stage.is_ticked]
        assert found.ticked == (1.0 if ticked else None), theme
        assert all(stage.is_doubtful for stage in ticked), theme
        assert {stage.response for stage in ticked} <= {"no idea"}, theme
