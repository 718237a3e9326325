"""What the application and the preview share: words, keys, theme, signals, and how it ends."""

from __future__ import annotations

import asyncio
import logging
import signal
import termios
from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.filter import Monochrome, NoColor
from textual.notifications import Notification, Notify, SeverityLevel

from grader.facts import Fact
from quizapp.domain.errors import INTERRUPTED, OK, QuizError
from quizapp.report.words import Words
from quizapp.system.config import Settings, with_value
from quizapp.tui.arrivals import OrderlyApp
from quizapp.tui.keys import KEYS, describe_clash, split_keymap
from quizapp.tui.safety import Safety
from quizapp.tui.terminal import Terminal
from quizapp.tui.themes import OWN_THEMES, default_heats, unknown_theme
from quizapp.tui.toasts import Toasts

TERMINAL_LOOK_S = 2.0
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""They end the program from outside: in the terminal, ctrl+c is a key."""
SIGNAL_S = 0.8
ASKED_S = 6.0
"""How long a second ctrl+c leaves at once."""

_KEY_NAMES = {"⏎": "enter", "␣": "space"}
_log = logging.getLogger(__name__)


class Shell(OrderlyApp):
    """An application in the person's language and theme, with their keys.

    Ctrl-C copies what is selected and quits where nothing is, after asking once where something
    would be interrupted; signals leave as a key would, where Textual by itself would leave raw
    mode and the alternate screen behind. A toast ends with the screen it was raised on,
    unless it tells of an error.
    """

    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "copy_or_quit", show=False, priority=True, system=True),
        Binding("ctrl+q", "quit", show=False, priority=True, system=True),
    ]

    def __init__(self, settings: Settings) -> None:
        super().__init__(Terminal)
        self._filters.append(Safety())
        for theme in OWN_THEMES:
            self.register_theme(theme)
        if self.no_color:  # Textual leaves greys
            self._filters = [NoColor() if isinstance(f, Monochrome) else f for f in self._filters]
        self.settings = settings
        self.say = Words(settings.language)
        self.failure: BaseException | None = None
        self._stopping: asyncio.Task[None] | None = None
        self.stopped_by: int | None = None
        """The signal that ends the program."""
        self.leaving = False
        self._asked_to_leave = False
        self._toasts = Toasts()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the colors that Textual's own themes lack."""
        return default_heats(self.current_theme)

    def stop_once_mounted(self, number: int, _: object = None) -> None:
        """Remember a signal during the terminal's setup: leave once that can be undone."""
        self.stopped_by = number

    def on_mount(self) -> None:
        """Set up theme, keys and signals."""
        self.use_settings(self.settings)
        for number in SIGNALS:
            signal.signal(number, partial(self._end_soon, asyncio.get_running_loop()))
        if not self.is_headless:
            self.set_interval(TERMINAL_LOOK_S, self._look_for_terminal)
        if self.stopped_by is not None:
            self.call_after_refresh(self._leave_on_signal, self.stopped_by)

    def use_settings(self, settings: Settings) -> None:
        """Use the settings' language, theme and keys from now on."""
        self.say = Words(settings.language)
        if settings.theme in self.available_themes:
            self.theme = settings.theme
        else:
            self._warn(*unknown_theme(settings.theme))
        keymap, clashes = split_keymap(settings.keys)
        for name, clash in clashes.items():
            self._warn(describe_clash(name, clash))
        self.settings = with_value(settings, "keys", keymap)
        self.set_keymap(keymap)
        for screen in self.screen_stack:
            screen.query("KeyLine").refresh()

    def _warn(self, what: Fact, hint: Fact | None = None) -> None:
        self.notify(self.say.in_line(what, hint), severity="warning", markup=False, timeout=12)

    def key_of(self, binding_id: str) -> str:
        """Return the key that a binding has now, as it is shown."""
        return self.name_key(self.settings.keys.get(binding_id, KEYS[binding_id].keys))

    def name_key(self, keys: str) -> str:
        """Name the first of these keys as people do."""
        return self.get_key_display(Binding(keys.split(",", maxsplit=1)[0], ""))

    def get_key_display(self, binding: Binding) -> str:
        """Name keys as people do."""
        shown = super().get_key_display(binding)
        return _KEY_NAMES.get(shown, shown)

    def tell(self, error: QuizError) -> None:
        """Show an error, verbatim."""
        self.notify(self.say.error(error), severity="error", markup=False, timeout=12)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a toast on the screen that is shown."""
        self._toasts.raise_on(self.screen if len(self.screen_stack) > 1 else None)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    def on_notify(self, event: Notify) -> None:
        """Drop a toast whose screen was left before it could be shown."""
        toast = event.notification
        if self._toasts.is_late(toast, self.screen):
            event.prevent_default()
        else:
            self._end(self._toasts.end_before(toast))

    def end_toasts(self) -> None:
        """End the toasts of every other screen than the one that is shown now."""
        self._end(self._toasts.end_others(self.screen))

    def _end(self, toasts: Iterable[Notification]) -> None:
        for toast in toasts:
            if toast in self._notifications:
                self._unnotify(toast)

    @property
    def interrupts(self) -> bool:
        """True if leaving now would interrupt something."""
        return False

    async def action_copy_or_quit(self) -> None:
        """Copy what is selected; quit where nothing is, on the second press if it interrupts."""
        selected = self.screen.get_selected_text()
        if selected:
            self.copy_to_clipboard(selected)
            self.notify(self.say("copied"), timeout=2)
        elif self.interrupts and not self._asked_to_leave:
            self._asked_to_leave = True
            self.set_timer(ASKED_S, self._forget_asking)
            self.notify(self.say("leave-again"), severity="warning", timeout=ASKED_S)
        else:
            await self.leave(INTERRUPTED)

    def _forget_asking(self) -> None:
        """Ask again, now that the question is no longer shown."""
        self._asked_to_leave = False

    async def action_quit(self) -> None:
        """Quit from any screen."""
        await self.leave(OK)

    async def leave(self, status: int) -> None:
        """End with this exit status; keys that come after it do nothing."""
        self.leaving = True
        self.exit(return_code=status)

    def _end_soon(self, loop: asyncio.AbstractEventLoop, number: int, _: object = None) -> None:
        """Leave on a signal, and end within a second, however busy the program is.

        Not by the loop's own handlers: they leave on what an editor's handler had taken, too.
        """
        terminal = self._driver
        if isinstance(terminal, Terminal) and terminal.is_ours:  # else an editor has it
            terminal.end_within(SIGNAL_S, 128 + number)
        loop.call_soon_threadsafe(self._leave_on_signal, number)

    def _leave_on_signal(self, number: int) -> None:
        """Leave as a key would."""
        self.stopped_by = number
        self._stopping = asyncio.create_task(self.leave(128 + number))

    def _look_for_terminal(self) -> None:
        """Leave when the terminal is gone and no signal said so: reading it would spin for ever."""
        try:
            termios.tcgetattr(0)
        except termios.error:
            self._leave_on_signal(signal.SIGHUP)

    def _fatal_error(self) -> None:
        """Log an uncaught exception, not over the screen; the caller raises it."""
        self.failure = self._exception
        _log.error("the application failed", exc_info=self._exception)
        self._close_messages_no_wait()


def run_to_end(app: Shell) -> int:
    """Run until it ends; return the exit status. An error is raised once the terminal is back."""
    before = {number: signal.signal(number, app.stop_once_mounted) for number in SIGNALS}
    try:
        app.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if app.failure is not None:
        raise app.failure
    return app.return_code or OK
