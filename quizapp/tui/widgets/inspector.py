"""What the machine says of the line with the caret: counts, the bank map, the steps of a fault.

Draws only what is seen. Holds no rule: `quizapp.report.verdicts` makes every line. The screen says
where the caret is (`at_line`) and follows `GoTo`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from grader.simt import Moment
from quizapp.exercises.kernels import CheckedKernel
from quizapp.report.verdicts import layout_verdict, line_panel, snapshot, steps, warp_access
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.safety import make_visible
from quizapp.tui.widgets.page import hang, style_line

if TYPE_CHECKING:
    from grader.kernels import Snapshot
    from quizapp.exercises.layouts import CheckedLayout
    from quizapp.report.bankmap import MapCursor
    from quizapp.report.lines import Line
    from quizapp.report.verdicts.snapshot import ShownLaunch
    from quizapp.report.verdicts.steps import RecordedStep
    from quizapp.report.verdicts.warp_access import ShownAccess
    from quizapp.report.words import Words
    from quizapp.tui.shell import Shell

Mode = Literal["line", "map", "steps", "values"]
_FEW, _MANY = 4, 8
"""Wavefronts of a map that are drawn: while reading, and while a cursor is in it."""
_KEYS: dict[Mode, tuple[str, ...]] = {
    "line": ("inspect-go", "inspect-map", "inspect-next:inspect-walk", "inspect-values"),
    "map": ("inspect-right", "inspect-down", "inspect-map:inspect-next-map", "inspect-leave"),
    "steps": ("inspect-next", "inspect-back", "inspect-values", "inspect-leave"),
    "values": (
        *("inspect-right:inspect-thread", "inspect-block", "inspect-next:inspect-time"),
        "inspect-leave",
    ),
}
"""What the last line shows: a key, or `key:word` where it means something else than usual."""


class Inspector(ScrollView, can_focus=True):
    """The right side of the workbench. Arrows scroll; in the bank map they move its cursor."""

    DEFAULT_CSS = """
    Inspector {
        height: 1fr; width: 1fr; overflow-x: hidden; overflow-y: auto;
        scrollbar-size-vertical: 1; scrollbar-gutter: stable;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["inspector"])

    class GoTo(Message):
        """The caret ought to go to a line of the source, counted from 1."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    class ModeChanged(Message):
        """Other keys matter now, see `keys`."""

    class Look(Message):
        """Somebody ought to look at a moment of a submission and tell `seen`.

        Attributes:
            run: at which of its shapes.
        """

        def __init__(self, checked: CheckedKernel, moment: Moment, run: int) -> None:
            super().__init__()
            self.checked = checked
            self.moment = moment
            self.run = run

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._checked: CheckedKernel | CheckedLayout | None = None
        self._words: Words | None = None
        self._live = True
        self._line = 0
        self._mode: Mode = "line"
        self._accesses: tuple[ShownAccess, ...] = ()
        self._chosen = 0  # the access whose map has the cursor
        self._cursor: MapCursor | None = None
        self._steps: tuple[RecordedStep, ...] = ()
        self._step = 0
        self._launch: ShownLaunch | None = None
        self._moment: Moment | None = None
        self._seen: tuple[Moment, Snapshot | None] | None = None
        self._drawn: list[Content] = []

    def show(
        self, checked: CheckedKernel | CheckedLayout | None, say: Words, *, live: bool
    ) -> None:
        """Show another submission.

        `checked`: what the graders say; None for nothing yet. `live`: withhold what must wait for a
        submission: values, races, other checks.
        """
        now = (checked, say, live)
        if now == (self._checked, self._words, self._live):
            return
        self._checked, self._words, self._live = now
        self._accesses = _accesses(checked, say)
        self._to_mode("line")

    def at_line(self, line: int) -> None:
        """Show what is known of a line of the source, counted from 1."""
        if line == self._line:
            return
        self._line = line
        if self._mode == "steps" and line == self._steps[self._step].line:
            return
        if self._mode == "values" and self._moment is not None:
            self._look(replace(self._moment, line=line, occurrence=1))
        elif self._mode != "line":
            self._to_mode("line")
        else:
            self._redraw(top=True)

    def seen(self, moment: Moment, found: Snapshot | None) -> None:
        """Show what was seen at a moment, if it is still the one to look at."""
        if self._mode == "values" and moment == self._moment:
            self._seen = moment, found
            self._redraw()

    @property
    def mode(self) -> Mode:
        """What the keys are for now."""
        return self._mode

    @property
    def keys(self) -> tuple[str, ...]:
        """The ids of the keys that matter now, the first ones most."""
        works = {
            "inspect-go": bool(self._places()),
            "inspect-map": any(access.passes for access in self._here()),
            "inspect-next": bool(self._mode != "line" or self._find_steps()),
            "inspect-values": self._has_values,
        }
        return tuple(key for key in _KEYS[self._mode] if works.get(key.partition(":")[0], True))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave a key to the screen where it does nothing here."""
        if action == "leave_mode":
            return self._mode != "line"
        if action == "block":
            return self._mode == "values"
        return super().check_action(action, parameters)

    def action_map(self) -> None:
        """Put the cursor into the bank map of this line's worst access, then of the next one."""
        here = [access for access in self._here() if access.passes]
        place = self._chosen + 1 if self._mode == "map" else 0
        if place >= len(here):
            self._to_mode("line")
            return
        self._chosen, self._cursor = place, here[place].first_cursor()
        self._to_mode("map")

    def action_move(self, waves: int, banks: int) -> None:
        """Move the cursor of the map, walk through the steps, or scroll."""
        if self._mode == "map" and self._cursor is not None:
            access = [access for access in self._here() if access.passes][self._chosen]
            self._cursor = access.move(self._cursor, waves, banks)
            self._redraw()
        elif self._mode == "steps" and banks:
            self.action_step(banks)
        elif self._mode == "values" and banks:
            self._to_thread(banks, 0)
        elif waves:
            self.scroll_relative(y=waves, animate=False)

    def action_step(self, by: int) -> None:
        """Walk through the steps of the faults, of this line or else of all; or through times."""
        if self._mode == "values":
            self._to_time(by)
            return
        if self._mode != "steps":
            self._steps, self._step = self._find_steps(), 0
            if not self._steps:
                return
            self._to_mode("steps")
        else:
            self._step = min(max(0, self._step + by), len(self._steps) - 1)
            self._redraw(top=True)
        if line := self._steps[self._step].line:
            self.post_message(self.GoTo(line))

    def action_values(self) -> None:
        """Look at the variables of a thread: the one of the step or of the line's fault."""
        checked = self._checked
        if not self._has_values or not isinstance(checked, CheckedKernel):
            return
        known = self._steps[self._step :] if self._mode == "steps" else self._find_steps()
        step = snapshot.find_step(known, self._line)
        self._launch = snapshot.choose_launch(checked.graded, step)
        first = (0, 0, 0)
        block, thread = (step.block, step.thread) if step else (first, first)
        self._to_mode("values")
        self._look(Moment(self._line, block or first, thread or first))

    def action_block(self) -> None:
        """Look at the same thread of the next block."""
        self._to_thread(0, 1)

    def action_go(self) -> None:
        """Go to the next line that is worth a look; without one, enter does nothing here."""
        places = self._places()
        if places:
            at = places.index(self._line) + 1 if self._line in places else 0
            self.post_message(self.GoTo(places[at % len(places)]))

    def action_leave_mode(self) -> None:
        """Go back to what is known of the line."""
        self._to_mode("line")

    def on_resize(self) -> None:
        """Draw for the new width."""
        self._redraw()

    def render_line(self, y: int) -> Strip:
        """Draw a line of what is seen."""
        width, place = self.scrollable_content_region.width, y + self.scroll_offset.y
        if place >= len(self._drawn):
            return Strip.blank(width, self.rich_style)
        strips = Visual.to_strips(self, self._drawn[place], width, 1, self.visual_style, pad=True)
        return strips[0] if strips else Strip.blank(width, self.rich_style)

    @property
    def shows_race(self) -> bool:
        """True if a race of the submission can be walked through."""
        checked = self._checked
        if self._live or not isinstance(checked, CheckedKernel):
            return False
        found = line_panel.list_findings(checked.graded, live=False)
        return any(item.kind in steps.RACES for item in found)

    @property
    def _has_values(self) -> bool:
        """True if values may be looked at, and there are some."""
        checked = self._checked
        return not self._live and isinstance(checked, CheckedKernel) and bool(checked.graded.runs)

    def _to_thread(self, threads: int, blocks: int) -> None:
        if self._launch is not None and self._moment is not None:
            self._look(snapshot.move_thread(self._launch, self._moment, threads, blocks))

    def _to_time(self, by: int) -> None:
        """Look at another time that the thread gets to the line, as far as there are any."""
        if self._seen is None or self._moment is None or self._seen[1] is None:
            return
        time = min(max(1, self._moment.occurrence + by), max(1, self._seen[1].occurrences))
        if time != self._moment.occurrence:
            self._look(replace(self._moment, occurrence=time))

    def _look(self, moment: Moment) -> None:
        """Ask for another moment; what was seen before stays until it comes."""
        self._moment = moment
        if isinstance(self._checked, CheckedKernel) and self._launch is not None:
            self.post_message(self.Look(self._checked, moment, self._launch.run))

    def _to_mode(self, mode: Mode) -> None:
        self._mode = mode
        if mode != "values":
            self._seen = self._moment = None
        if mode != "map":
            self._chosen, self._cursor = 0, None
        self._redraw(top=True)
        self.post_message(self.ModeChanged())

    def _redraw(self, *, top: bool = False) -> None:
        """Draw all lines for the present width; there are some dozens."""
        width = self.scrollable_content_region.width
        if not width or self._words is None:
            return
        lines = self._lines(width, self._words)
        self._drawn = [make_visible(row) for line in lines for row in hang(style_line(line), width)]
        self.virtual_size = Size(width, len(self._drawn))
        if top:
            self.scroll_to(y=self._first_seen(), animate=False)
        self.refresh()

    def _first_seen(self) -> int:
        """Return the line to begin at: the first, but of steps the one the person is at."""
        marked = (at for at, line in enumerate(self._drawn) if line.plain.startswith(steps.HERE))
        last = len(self._drawn) - self.scrollable_content_region.height
        return min(next(marked, 0), max(0, last)) if self._mode == "steps" else 0

    def _lines(self, width: int, say: Words) -> Iterator[Line]:
        checked = self._checked
        if checked is None:
            key = cast("Shell", self.app).key_of("check")
            yield ((say("inspect.nothing", key=key), "dim"),)
        elif self._mode == "steps" and isinstance(checked, CheckedKernel):
            yield from steps.lines(self._steps, self._step, checked.graded, width, say)
        elif self._mode == "values" and isinstance(checked, CheckedKernel):
            yield line_panel.head(checked.graded, self._line, width, say)
            if self._seen is None:
                yield ((say("inspect.looking"), "dim"),)
            else:
                moment, seen = self._seen
                yield from snapshot.lines(seen, moment, width, say)
        elif self._mode == "map":
            access = [access for access in self._here() if access.passes][self._chosen]
            yield from warp_access.lines(access, width, say, _MANY, self._cursor)
        else:
            yield from self._known(width, say)

    def _known(self, width: int, say: Words) -> Iterator[Line]:
        """Draw what is known of the line, or of a layout."""
        checked = self._checked
        if isinstance(checked, CheckedKernel):
            if self._live:  # otherwise the verdict says so
                yield from line_panel.refusal(checked, say)
            yield from line_panel.at_line(checked, self._line, width, say, live=self._live)
            if self._live:
                yield from line_panel.asked(checked.question, say)
        elif checked is not None:
            if self._live and not checked.grade.verdict.ran:
                yield from layout_verdict.failure(checked, say)
            yield from layout_verdict.figures(checked, say, judged=not self._live)
        for access in self._here():
            yield ()
            yield from warp_access.lines(access, width, say, _FEW)

    def _here(self) -> Sequence[ShownAccess]:
        """Return the accesses of the line; those of a layout belong to all lines."""
        return [access for access in self._accesses if access.line in (0, self._line)]

    def _places(self) -> Sequence[int]:
        """Return the lines that are worth a look."""
        checked = self._checked
        return (
            line_panel.worth_a_look(checked.graded, live=self._live)
            if isinstance(checked, CheckedKernel)
            else ()
        )

    def _find_steps(self) -> tuple[RecordedStep, ...]:
        """Return the steps of the faults of this line, or of all where it has none."""
        checked, say = self._checked, self._words
        if say is None or not isinstance(checked, CheckedKernel):
            return ()
        found = line_panel.list_findings(checked.graded, live=self._live)
        here = [item for item in found if self._line in (item.line, item.other_line)]
        cures = checked.tells_cures
        return tuple(step for item in here or found for step in steps.steps(item, say, cures=cures))


def _accesses(checked: CheckedKernel | CheckedLayout | None, say: Words) -> tuple[ShownAccess, ...]:
    if isinstance(checked, CheckedKernel):
        return warp_access.of_kernel(checked.graded, say)
    return () if checked is None else warp_access.of_layout(checked, say)
