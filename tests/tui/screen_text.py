"""What stands on the screen of a running application, as plain text."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.worker import WorkerCancelled


def screen_lines(app: App[Any]) -> list[str]:
    """The lines of the screen, without the blanks that end them."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def screen_text(app: App[Any]) -> str:
    """The whole screen."""
    return "\n".join(screen_lines(app))


async def settle(pilot: Pilot[Any]) -> str:
    """The screen once every worker and every message is done."""
    await pilot.pause()
    while unfinished := [worker for worker in pilot.app.workers if not worker.is_finished]:
        for worker in unfinished:
            with suppress(WorkerCancelled):
                await worker.wait()
    await pilot.pause()
    return screen_text(pilot.app)
