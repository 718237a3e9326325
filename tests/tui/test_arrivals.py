"""Keys that arrive together are done in their order, and a burst of sizes is one layout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, TextArea

from quizapp.tui.arrivals import OrderlyApp
from tests.tui.pilots import NARROW, open_app
from tests.tui.screen_text import rest


class TwoFields(OrderlyApp):
    """A text area, and a field that appears on ctrl+n; enter in it clears it."""

    BINDINGS: ClassVar[list[BindingType]] = [("ctrl+n", "field", "")]

    def compose(self) -> ComposeResult:
        yield TextArea()

    def action_field(self) -> None:
        self.push_screen(Asking())


class Asking(Screen[None]):
    """Keeps each text that was entered."""

    AUTO_FOCUS = "Input"

    def __init__(self) -> None:
        super().__init__()
        self.entered: list[str] = []

    def compose(self) -> ComposeResult:
        yield Input()

    @on(Input.Submitted)
    def keep(self, message: Input.Submitted) -> None:
        self.entered.append(message.value)
        message.input.clear()


async def type_at_once(pilot: Pilot[int], *keys: str) -> None:
    """Send keys as a terminal sends those of one write, then wait until all are done."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
    await rest(pilot)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (("1", "2", "backspace", "3"), "13"),
        (("a", "left", "b", "right", "c"), "bac"),
        (("a", "enter", "b", "up", "c"), "ac\nb"),
    ],
)
async def test_bound_keys_and_characters_keep_their_order(keys: tuple[str, ...], text: str) -> None:
    async with TwoFields(HeadlessDriver).run_test() as pilot:
        await type_at_once(pilot, *keys)
        assert pilot.app.query_one(TextArea).text == text


async def test_keys_wait_for_the_screen_that_a_key_opens() -> None:
    async with TwoFields(HeadlessDriver).run_test() as pilot:
        await type_at_once(pilot, "x", "ctrl+n", "1", "enter", "2", "3", "backspace", "enter")
        asking = pilot.app.screen
        assert isinstance(asking, Asking)
        assert asking.entered == ["1", "2"]


@pytest.fixture
def layouts(monkeypatch: pytest.MonkeyPatch) -> list[Size]:
    """The sizes at which screens were laid out."""
    sizes: list[Size] = []
    lay_out: Callable[[Screen[None], Size], None] = Screen._screen_resized

    def count(screen: Screen[None], size: Size) -> None:
        if screen.is_current:
            sizes.append(size)
        lay_out(screen, size)

    monkeypatch.setattr(Screen, "_screen_resized", count)
    return sizes


@pytest.mark.parametrize("at", ["", "app.browse", "screen.study"])
async def test_a_burst_of_sizes_is_one_layout(at: str, tmp_path: Path, layouts: list[Size]) -> None:
    async with open_app(tmp_path, at=at) as pilot:
        shown, stack = pilot.app.screen, [*pilot.app.screen_stack]
        layouts.clear()
        for columns in range(50, 122):
            size = Size(columns, 40 if columns % 2 else 10)
            pilot.app.post_message(events.Resize(size, size))
        await rest(pilot)
        await pilot.pause(0.02)  # Textual's own timer
        assert [*dict.fromkeys(layouts)] == [Size(121, 40)]
        await pilot.resize_terminal(*NARROW)
        await rest(pilot)
        assert pilot.app.screen is shown
        assert pilot.app.screen_stack == stack
