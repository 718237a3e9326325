"""What is done after the next drawing, by a widget that is still there then."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from textual.widget import Widget


class LateCallGuard(Widget):
    """Does after the next drawing what it was asked to, unless it is gone by then.

    The screen that is shown at that time calls back, also for widgets of one that was left: of
    these the parts are gone already, and to look for one would end the program.
    """

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Schedule a call; return False if that is too late."""
        act = partial(callback, *args, **kwargs)
        return super().call_after_refresh(lambda: None if self._pruning else act())
