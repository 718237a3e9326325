"""A person's path through a session, in a real terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.terminal.program import HOME, NEXT, PROMPTS, SURE, TOPIC, Start, answers
from tests.terminal.steps import answer_number, answer_verbatim, counts, row_of

IN_PILOTS_TOO = pytest.mark.long
"""What the application does with keys: `tests/tui` proves it without a terminal."""


@IN_PILOTS_TOO
def test_home_at_80_by_24_says_what_is_due_and_new(start: Start):
    screen = start.at_home()
    assert counts(screen) == {"Due": 0, "New": 10}
    shown = screen.text().splitlines()
    assert len(shown) == 24
    assert "quiz" in shown[0]
    assert "day" not in shown[0]
    assert "enter study" in shown[-1]
    screen.keys("q")
    assert screen.exit_status() == 0
    assert not screen.alternate()


def test_a_session_from_home_to_its_summary_and_the_next_start(start: Start, home: Path):
    screen = start.at_home(*TOPIC)
    screen.keys("Enter")
    screen.wait_for("1 of 4")
    answer_verbatim(screen)
    assert "✓ right" in screen.text()
    screen.keys("Enter")
    answer_number(screen, "31")
    assert "✗ 32 lanes, not 31 · certain and wrong" in screen.text()
    screen.keys("Enter")
    screen.wait_for(PROMPTS[2])
    screen.keys("Enter")
    screen.wait_for(SURE, gone="Tick what you covered")
    screen.keys("1")
    screen.wait_for("Tick what you covered")
    screen.keys("1", "2", "Enter")
    screen.wait_for("You ticked 100%", NEXT)
    screen.keys("3")
    several = "Several may be right: choose all that are."
    screen.wait_for(PROMPTS[3], several)
    screen.keys(row_of(screen, "sixteen"), row_of(screen, "thirty-two"))
    assert screen.wait_for("☑").count("☑") >= 1
    screen.keys("Enter")
    screen.wait_for(SURE, several)
    screen.keys("1")
    screen.wait_for("✓ right · a lucky guess", several, NEXT)
    screen.keys("Enter")
    screen.wait_for("again", "5 of 5")
    answer_number(screen, "32")
    screen.keys("Enter")
    screen.wait_for("Done for now.")
    screen.keys("Enter")
    screen.wait_for(HOME)
    screen.keys("q")
    assert screen.exit_status() == 0
    assert answers(home) == ["verbatim", "number", "recall", "several", "number"]

    again = start.at_home()
    assert counts(again) == {"Due": 0, "New": 6}


def test_a_first_start_asks_one_of_each_kind_and_leaving_it_loses_nothing(start: Start, home: Path):
    (home / "config.toml").write_text("day_minutes = 0\n", "utf-8")  # the pace alone bounds a day
    screen = start()
    screen.wait_for("tile[32][32]", "992 of them bank conflicts")
    screen.keys("Space")
    screen.wait_for("tile[32][33]", "1,024 → 32 wavefronts")
    screen.keys("Enter")
    screen.wait_for(" questions (", " more are off) about", "At 10 per day", "esc skip")
    screen.keys("Down")
    screen.wait_for("● English", gone="❯")
    screen.type("22")
    screen.wait_for("At 22 per day you will have met all of them on")
    screen.keys("Enter")
    screen.wait_for("1 of 7", "Choice: pick the right option")
    screen.keys("Escape")
    screen.wait_for(HOME)
    assert counts(screen) == {"Due": 0, "New": 22}
    screen.keys("?")
    screen.wait_for("t one of each kind")
    screen.keys("t")
    screen.wait_for("1 of 7", "Choice: pick the right option")


@IN_PILOTS_TOO
def test_limit_ends_in_the_summary(start: Start):
    screen = start.at_home(*TOPIC, "--limit", "2")
    screen.keys("Enter")
    screen.wait_for("1 of 2")
    answer_verbatim(screen)
    screen.keys("Enter")
    screen.wait_for("2 of 2")
    answer_number(screen, "32")
    screen.keys("Enter")
    summary = screen.wait_for("Done for now.", "answered")
    assert re.search(r"answered +2\n", summary)
    assert re.search(r"right at once +2\n", summary)


@IN_PILOTS_TOO
def test_undo_asks_again_and_redo_restores(start: Start, home: Path):
    screen = start.at_home(*TOPIC)
    screen.keys("Enter")
    answer_verbatim(screen)
    screen.keys("u")
    screen.wait_for("undone", PROMPTS[0], "enter answer")
    screen.keys("U")
    screen.wait_for(PROMPTS[1], "h hint")
    screen.keys("u")
    screen.wait_for(PROMPTS[0], "enter answer")
    screen.keys("Escape")
    screen.wait_for(HOME)
    screen.keys("q")
    assert screen.exit_status() == 0

    again = start.at_home(*TOPIC)
    assert counts(again) == {"Due": 0, "New": 4}
    assert answers(home) == []


def test_undo_after_a_restart(start: Start):
    screen = start.at_home(*TOPIC)
    screen.keys("Enter")
    answer_verbatim(screen)
    screen.keys("Escape")
    screen.wait_for(HOME)
    screen.keys("q")
    assert screen.exit_status() == 0
    again = start.at_home(*TOPIC)
    assert counts(again)["New"] == 3
    again.keys("u")
    again.wait_for("undone")
    assert counts(again)["New"] == 4


@IN_PILOTS_TOO
def test_every_key_types_in_a_field_and_escape_leaves_it(start: Start):
    screen = start.at_home(*TOPIC)
    screen.keys("Enter")
    answer_verbatim(screen)
    screen.keys("Enter")
    screen.wait_for(PROMPTS[1])
    typed = "1/2-0.5e3"
    screen.type(typed)
    screen.wait_for(typed, "esc other keys")
    screen.keys("Escape")
    screen.wait_for("h hint", gone="esc other keys")
    screen.keys("h")
    screen.wait_for("More than sixteen.", typed)
    screen.keys("i")
    screen.wait_for("esc other keys")
    screen.keys("C-u")
    screen.wait_for(PROMPTS[1], gone=typed)


@IN_PILOTS_TOO
def test_escape_in_the_field_of_an_interview_answer(start: Start):
    screen = start.at_home(*TOPIC, "--kind", "recall")
    screen.keys("Enter")
    screen.wait_for(PROMPTS[2], "enter answer")
    screen.keys("i")
    screen.wait_for("esc other keys")
    screen.type("quit? 1u-@")
    screen.keys("Enter")
    screen.type("second line")
    screen.wait_for("quit? 1u-@", "second line")
    screen.keys("Escape")
    screen.wait_for("enter answer")
    screen.keys("Enter")
    screen.wait_for(SURE)


@IN_PILOTS_TOO
def test_what_is_no_number_is_said(start: Start):
    screen = start.at_home(*TOPIC, "--kind", "number")
    screen.keys("Enter")
    screen.wait_for(PROMPTS[1])
    screen.keys("Enter")
    screen.wait_for("Type a number first.")
    screen.type("1/+")
    screen.keys("Enter")
    screen.wait_for("“1/+” is not a number")


@IN_PILOTS_TOO
def test_give_up_detail_hint(start: Start):
    screen = start.at_home(*TOPIC, size=(80, 40))
    screen.keys("Enter")
    screen.wait_for(PROMPTS[0], "h hint")
    screen.keys("h")
    screen.wait_for("Hint 1 of 1:", "Look at h[0] [/h].")
    screen.keys("h")
    screen.wait_for("There is no further hint.")
    screen.keys("g")
    screen.wait_for("✗ given up", NEXT, "Because f[n] [/v] [u].")
    assert "own book" not in screen.text()
    screen.keys("d")
    screen.wait_for("own book [/s], page 7", "And g[p]?")
    screen.keys("d")
    screen.wait_for("It is g[q] [/q].")
    screen.keys("d")
    screen.wait_for(NEXT, gone="own book")


@IN_PILOTS_TOO
def test_browser_finds_attempts_practices_and_goes_back_to_the_question(start: Start):
    screen = start.at_home(*TOPIC)
    screen.keys("Enter")
    screen.wait_for(PROMPTS[0], "h hint")
    screen.keys("/")
    screen.wait_for("questions", "/ words, ")
    screen.type("mine/several")  # no key of the list
    screen.wait_for("/ mine/several", "1 of ")
    screen.keys("Enter")
    screen.wait_for(PROMPTS[3], "1 of 1")
    screen.keys("Escape")
    screen.wait_for("mine/several", "/ changes the search", "p practice these")
    screen.keys("p")
    screen.wait_for(PROMPTS[3], "practice")
    screen.keys("q")
    screen.wait_for("p practice these")
    screen.keys("q")
    screen.wait_for(PROMPTS[0], "h hint")


@IN_PILOTS_TOO
def test_flag_bury_and_suspend_are_said_and_can_be_undone(start: Start):
    screen = start.at_home(*TOPIC)
    screen.keys("Enter")
    screen.wait_for(PROMPTS[0], "h hint")
    screen.keys("f")
    screen.wait_for("flagged")
    screen.keys("f")
    screen.wait_for("flag removed")
    for key, said in (("-", "buried until tomorrow"), ("@", "suspended")):
        screen.keys(key)
        screen.wait_for(said, PROMPTS[1], "h hint")
        screen.keys("u")
        screen.wait_for("undone", PROMPTS[0], "h hint")


def test_every_screen_opens_and_closes(start: Start):
    screen = start.at_home(*TOPIC)
    for key in ("s", ",", "?", "/"):
        screen.keys(key)
        screen.wait_for("esc", gone=HOME)
        if key == "/":  # the cursor is in the search, which is left first
            screen.keys("Escape")
            screen.wait_for("/ search")
        screen.keys("Escape")
        screen.wait_for(HOME)
    screen.keys("Enter")
    screen.wait_for(PROMPTS[0], "h hint")
    screen.keys("?")
    screen.wait_for("undo", gone=PROMPTS[0])
    screen.keys("Escape")
    screen.wait_for(PROMPTS[0], "h hint")
