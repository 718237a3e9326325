"""Mock interviews in the screens: begun from home, against a clock, left and resumed, reported."""

from __future__ import annotations

from pathlib import Path

from tests.tui.pilots import FixedClock, open_app, press

LONG = (120, 40)


def later(clock: FixedClock, seconds: int) -> None:
    clock.moment = type(clock.moment)(clock.moment.utc_ms + seconds * 1000, clock.moment.offset_s)


async def test_an_interview_from_home_to_its_report_and_tomorrows_queue(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    clock = FixedClock()
    async with open_app(tmp_path / "home", size=LONG, clock=clock) as pilot:
        screen = await press(pilot, "m")
        assert "onsite · 45 min" in screen
        screen = await press(pilot, "tab", "minus", "minus")
        assert "phone screen · 35 min" in screen
        screen = await press(pilot, "down", "down")
        assert "❯ A transpose at 30% of the bandwidth" in screen
        screen = await press(pilot, "enter")
        assert "1 of 5 · transpose · interview" in screen
        assert "0:00 of 35:00" in screen
        later(clock, 75)
        screen = await press(pilot, "enter", "3")
        assert "Which points" in screen or "Model answer" in screen
        screen = await press(pilot, "enter")
        assert "certain and wrong" in screen
        assert "your schedule stays as it was" in screen
        assert "edit question" not in screen
        screen = await press(pilot, "enter")
        assert "Put a number on it." in screen
        assert "1:15 of 35:00" in screen
        await press(pilot, "f3", "f3", "enter")
        for _ in range(3):
            screen = await press(pilot, "g", "enter")
        assert "Mock interview 1" in screen
        assert "1:15  4:00" in screen
        assert "Certain and wrong" in screen
        screen = await press(pilot, "e")
        assert Path("mock-interview-1.html").read_text("utf-8").startswith("<!doctype html>")
        assert "✗ wrong" in Path("mock-interview-1.md").read_text("utf-8")
        screen = await press(pilot, "t")
        assert "come first from tomorrow on" in screen
        screen = await press(pilot, "u")
        assert "undone: nothing from the interview comes first" in screen
        screen = await press(pilot, "escape")
        assert "Report 1" in screen


async def test_an_interview_that_is_left_can_be_resumed_and_taken_back(tmp_path):
    async with open_app(tmp_path, size=LONG) as pilot:
        await press(pilot, "m", "tab", "down", "down", "enter")
        await press(pilot, "g", "enter")
        screen = await press(pilot, "escape", "escape")
        assert "The interview can be resumed" in screen
        assert "Go on with interview 1 · 4 of 5 stages left" in screen
        screen = await press(pilot, "home", "enter")
        assert "2 of 5" in screen
        screen = await press(pilot, "escape", "u")
        assert "1 of 5" in screen
        screen = await press(pilot, "at")
        assert "Not during an interview." in screen


async def test_the_palette_offers_it(tmp_path):
    async with open_app(tmp_path, size=LONG) as pilot:
        await press(pilot, "ctrl+p")
        assert "mock interview" in await press(pilot, *"mock")
