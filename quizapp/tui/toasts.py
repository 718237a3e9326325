"""Which screen each toast was raised on: it ends with that screen, unless it tells of an error."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from textual.notifications import Notification
from textual.screen import Screen


class Toasts:
    """The toasts of every screen.

    A toast is shown by a message that comes a little later, when another screen may be shown.
    """

    def __init__(self) -> None:
        self._coming: deque[Screen[Any] | None] = deque()
        self._shown: list[tuple[Screen[Any], Notification]] = []

    def raise_on(self, screen: Screen[Any] | None) -> None:
        """Note where the next toast is raised; None for one that belongs to no screen."""
        self._coming.append(screen)

    def is_late(self, toast: Notification, shown: Screen[Any]) -> bool:
        """Return True if its screen is not shown any more; keep it in mind otherwise."""
        screen = self._coming.popleft() if self._coming else None
        if screen is None or toast.severity == "error":
            return False
        if screen is shown:
            self._shown.append((screen, toast))
        return screen is not shown

    def end_others(self, shown: Screen[Any]) -> Iterator[Notification]:
        """Yield the toasts of other screens, which end now."""
        others = [toast for screen, toast in self._shown if screen is not shown]
        self._shown = [(screen, toast) for screen, toast in self._shown if screen is shown]
        yield from others

    def end_before(self, newest: Notification) -> Iterator[Notification]:
        """Yield what was said in passing before, which ends now: below another it hides text."""
        before = [
            (screen, toast)
            for screen, toast in self._shown
            if toast is not newest and toast.severity == newest.severity == "information"
        ]
        self._shown = [each for each in self._shown if each not in before]
        yield from (toast for _, toast in before)
