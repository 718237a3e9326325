"""What the terminal sends, in an order a person can rely on: keys one by one, sizes once settled.

Textual hands a key to the widget with the focus. A character is inserted there at once, while a
bound key (backspace, enter) first climbs from queue to queue up to the application: of keys that
arrive together, the characters overtake it. Here a key waits until the one before it is done.
A window that is being dragged sends a size every few milliseconds; each is a layout, and screens
that come and go with the size read the log: only a size that stayed for a moment is passed on.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from contextlib import suppress

from textual import events
from textual.app import App
from textual.driver import Driver
from textual.message_pump import MessagePump
from textual.worker import WorkType

SETTLED_S = 0.1
"""How long a size must stay; terminals send them every 10 to 30 ms while a window is dragged."""

MOST_S = 0.5
"""The longest wait for what the last key began: beyond it, keys only queue up as in Textual."""


class OrderlyApp(App[int]):
    """An application that gets keys in the order they were pressed, and one size for a resize."""

    def __init__(self, driver_class: type[Driver]) -> None:
        super().__init__(driver_class=driver_class)
        self._typed: deque[events.Key | events.Paste] = deque()
        self._shows_size = False
        self._unsettled: events.Resize | None = None  # the newest, until it is settled

    async def on_event(self, event: events.Event) -> None:
        """Keep keys, pasted text and sizes for their turn; pass everything else on."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._typed.append(event)
            if len(self._typed) == 1:
                take: WorkType[None] = self._take_keys
                self.run_worker(take, group="keys")
        elif isinstance(event, events.Resize) and self._shows_size:
            before, self._unsettled = self._unsettled, event
            if before is None:
                taken: WorkType[None] = self._take_size
                self.run_worker(taken, group="size")
        else:
            self._shows_size |= isinstance(event, events.Resize)
            await super().on_event(event)

    async def when_ready(self) -> None:
        """Wait until keys can be acted on; they are kept until then."""

    async def _take_keys(self) -> None:
        """Pass on the keys that came, each once the one before it is done."""
        await self.when_ready()
        while self._typed:
            event = self._typed[0]
            before = [*(self.focused or self.screen).ancestors_with_self]
            await super().on_event(event)
            with suppress(TimeoutError):
                async with asyncio.timeout(MOST_S):
                    await self._settle(event, before)
            self._typed.popleft()

    async def _settle(self, event: events.Event, before: Iterable[MessagePump]) -> None:
        """Wait for whatever a key began in the widgets up to the application, and for the focus.

        A key may bring another screen, which is drawn and focused before the next key. What a
        widget took for itself, as a field does a character, began nothing else.
        """
        for pump in before:
            await _empty(pump)
            # Not that it was stopped: what bubbles up to its sender is stopped there, too.
            if event._no_default_action:  # noqa: SLF001 - nothing public says so
                return
        await _empty(self.screen)
        await _empty(self)  # it sets the focus

    async def _take_size(self) -> None:
        """Pass the newest size on once no other one has come for a moment."""
        size = None
        while self._unsettled is not size:
            size = self._unsettled
            await asyncio.sleep(SETTLED_S)
        self._unsettled = None
        if size is not None:
            await super().on_event(size)


async def _empty(pump: MessagePump) -> None:
    """Wait until everything that is in this queue now was handled; one that closes has nothing."""
    handled = asyncio.Event()
    if pump.call_later(handled.set):
        await handled.wait()
