"""A pilot that goes on once the application has nothing left to do, without watching a clock.

Textual's own sleeps in steps of 20 ms until the process computes little, twice for each key, and
sends every widget a message for each pause: two thirds of what a test of a screen took. What is
left to do can be asked: the event loop what is ready, the screen whether it has changed, and the
threads what they were given.
"""

from __future__ import annotations

import asyncio
from asyncio import BaseEventLoop
from time import monotonic
from typing import Any

import pytest
from textual._context import active_app
from textual.pilot import Pilot

_LONGEST = 1.0
"""As Textual: what never rests is not waited for."""
_THREADS = 0.04
"""As long as Textual slept after a key: what a test holds up in a thread goes on without it."""

_wait_for_screen = Pilot._wait_for_screen
_run_in_executor = BaseEventLoop.run_in_executor
_threads: set[Any] = set()


def rest_at_once(patch: pytest.MonkeyPatch) -> None:
    """Make pilots go on as soon as the application rests, for one test."""
    _threads.clear()
    patch.setattr("textual.app.wait_for_idle", _wait_for_rest)
    patch.setattr("textual.pilot.wait_for_idle", _wait_for_rest)
    patch.setattr(Pilot, "_wait_for_screen", _screen_at_rest)
    patch.setattr(BaseEventLoop, "run_in_executor", _run_in_thread)


def _run_in_thread(loop: BaseEventLoop, *call: Any) -> Any:
    future = _run_in_executor(loop, *call)
    _threads.add(future)
    future.add_done_callback(_threads.discard)
    return future


async def _screen_at_rest(pilot: Pilot[Any], timeout: float = 30.0) -> bool:
    """Wait for each widget to have handled what it got; it may need a thread for it."""
    await _wait_for_rest()
    if _threads:
        await _wait_for_screen(pilot, timeout)
        await _wait_for_rest()
    return pilot.app._exception is None


async def _wait_for_rest(min_sleep: float = 0, max_sleep: float = _LONGEST) -> None:
    loop: Any = asyncio.get_running_loop()
    begun = monotonic()
    while monotonic() - begun < max_sleep:
        await asyncio.sleep(0)  # after all that is ready, and what has arrived from outside
        if loop._ready or _hurry():
            continue
        left = begun + _THREADS - monotonic()
        if not _threads or left <= 0:
            return
        await asyncio.wait(_threads, timeout=left, return_when=asyncio.FIRST_COMPLETED)


def _hurry() -> bool:
    """Begin what the application would begin in some milliseconds: a new size, a new picture."""
    app = active_app.get()
    if app._resize_timer is not None:
        app._check_resize()
        return True
    timer = app.screen._update_timer if app.screen_stack else None
    if timer is None or not timer._active.is_set():
        return False
    app.screen._on_timer_update()
    return True
