"""What stands on the screen of a running application, as plain text."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from textual import events, messages
from textual.app import App
from textual.message import Message
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from tests.waiting import PATIENCE_S

_AT_REST = (events.Callback, events.Timer, events.Idle, messages.Prompt)
"""What goes on while nothing happens."""


class _Traffic:
    """How many messages were handled; a key passes from widget to widget in several of them."""

    handled = 0


def count_message(message: Message) -> None:
    """Give this to `run_test` as its hook, for `rest` to know when all is done."""
    if not isinstance(message, _AT_REST):
        _Traffic.handled += 1


def screen_lines(app: App[Any]) -> list[str]:
    """The lines of the screen, without the blanks that end them."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def screen_text(app: App[Any]) -> str:
    """The whole screen."""
    return "\n".join(screen_lines(app))


async def rest(pilot: Pilot[Any]) -> None:
    """Wait until every worker and every message is done."""
    before = -1
    while before != _Traffic.handled:  # on a busy machine a pause may end before a key arrives
        before = _Traffic.handled
        await pilot.pause()
        while unfinished := [worker for worker in pilot.app.workers if not worker.is_finished]:
            for worker in unfinished:
                with suppress(WorkerCancelled):
                    await worker.wait()
    await pilot.pause()


async def settle(pilot: Pilot[Any]) -> str:
    """The screen once every worker and every message is done; `rest` if nobody reads it."""
    await rest(pilot)
    return screen_text(pilot.app)


async def wait_until(pilot: Pilot[Any], condition: Callable[[], object]) -> None:
    """Let the application go on until the condition holds."""
    end = monotonic() + PATIENCE_S
    while not condition():
        assert monotonic() < end, screen_text(pilot.app)
        await pilot.pause(0.02)


async def wait_for_text(pilot: Pilot[Any], *texts: str) -> str:
    """The screen once all of `texts` stand there; what goes on may go on."""
    shown = ""

    def stand() -> bool:
        nonlocal shown
        shown = screen_text(pilot.app)
        return all(text in shown for text in texts)

    await wait_until(pilot, stand)
    return shown
