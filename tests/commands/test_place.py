"""`quiz place` line by line: kept, taken back, or left."""

from __future__ import annotations

import json

from quizapp.domain.errors import ENVIRONMENT, OK


def test_giving_up_everywhere_leaves_nothing_known(inside):
    said = inside("place", "--plain", typed=":g\n\n" * 20)
    assert said.status == OK
    assert "20 questions were asked." in said.out
    assert "None of them counts as known." in said.out
    assert json.loads(inside("stats", "--json").out)["answers"] == 0


def test_left_before_the_end_it_is_taken_up_where_it_was(inside):
    said = inside("place", "--plain", typed=":g\n\n:q\n")
    assert said.status == OK
    assert "Left before the end" in said.out
    assert json.loads(inside("stats", "--json").out)["answers"] == 0
    said = inside("place", "--plain", typed=":g\n\n" * 19)
    assert "1 question is answered" in said.out
    assert "20 questions were asked." in said.out
    said = inside("place", "--plain", typed="\n")
    assert "Resuming" not in said.out, "it was taken to its end"
    assert "20 questions were asked." in said.out, "its result can be seen again"
    assert "1 of 20" not in said.out
    said = inside("place", "--plain", typed="a\n:q\n")
    assert "Up to 20 questions" in said.out


def test_it_needs_a_terminal_or_plain(inside):
    said = inside("place")
    assert said.status == ENVIRONMENT
    assert "quiz place --plain" in said.err
