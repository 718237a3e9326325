"""Sets or changes the plan: day, minutes per day, topics. Nothing is stored before enter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import getters, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from grader.facts import fact
from quizapp.domain.days import as_date
from quizapp.domain.errors import QuizError, StoreError, UsageError
from quizapp.domain.goal import MOST_MINUTES, Goal
from quizapp.study import planning
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.bars import KeyLine, TopLine
from quizapp.tui.widgets.field import NUMBER, Field
from quizapp.tui.widgets.flow import Flow
from quizapp.tui.widgets.rows import Rows
from quizapp.tui.wrap import clip

_FIELDS = {
    "day": ("goal.form.day", "goal.form.day-about"),
    "minutes": ("goal.form.minutes", "goal.form.minutes-about"),
}
"""What each field is called, and what is said beside it."""
_SETTING = "setting"
"""The worker that sets the plan."""
_DIGITS = 6
"""So many are read: Python refuses to make an integer of thousands."""


class _Topic(NamedTuple):
    """A row: a topic that can be chosen; without a name the row stands for all of them."""

    topic: str
    names: tuple[str, str] = ("", "")
    questions: int = 0


class PlanFormScreen(QuizScreen):
    """Two fields and the topics below them; enter sets the plan, escape leaves it as it was."""

    DEFAULT_CSS = """
    PlanFormScreen {
        .line { height: 1; margin: 1 0 0 2; }
        .label { width: 18; }
        .note { width: 1fr; color: $foreground 60%; padding-left: 2; }
        Field { width: 14; }
        #about, #message { margin: 1 0 0 0; padding: 0 2; }
        Rows { margin: 1 1 0 1; }
    }
    """
    AUTO_FOCUS = "#day"
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["plan-form"])
    _rows = getters.query_one(Rows)

    _topics: Sequence[_Topic] = ()
    _chosen: frozenset[str] = frozenset()

    def compose(self) -> ComposeResult:
        """Lay out the fields, and what can be chosen below them."""
        say, (day, minutes, _) = self.say, self._before()
        yield TopLine(say("goal.form.title"))
        for name, value in (("day", day), ("minutes", minutes)):
            label, note = _FIELDS[name]
            with Horizontal(classes="line"):
                yield Static(say(label), classes="label", markup=False)
                field = Field(value, id=name)
                field.restrict = NUMBER if name == "minutes" else None
                yield field
                yield Static(say(note, most=MOST_MINUTES), classes="note", markup=False)
        yield Flow(id="about")
        yield Flow(id="message")
        yield Rows(id="topics")
        yield KeyLine("set-plan", "mark:choose-topic", "next-field", "back")

    async def on_mount(self) -> None:
        """List the topics, with those of the plan chosen."""
        key = self.quiz.key_of("mark")
        about = self.say("goal.form.topics-about", key=key)
        self.query_one("#about", Flow).write(about, "dim")
        self._chosen = frozenset(self._before()[2])
        self._topics = (_Topic(""), *await self.call(self._list_topics))
        self._draw()

    # What a person does

    def action_mark(self) -> None:
        """Choose the topic under the cursor, or no longer; the first row chooses all of them."""
        if not self._rows.has_focus:
            self._rows.focus()
            return
        self._stop_setting()
        topic = self._topics[self._rows.cursor].topic
        self._chosen = self._chosen ^ {topic} if topic else frozenset()
        self._draw()

    def action_move(self, rows: int) -> None:
        """Go to the next field, or the one before."""
        if rows > 0:
            self.focus_next()
        else:
            self.focus_previous()

    def action_set_plan(self) -> None:
        """Set the plan and go back to it, or say what cannot be."""
        self._set_plan()

    def on_input_submitted(self) -> None:
        """Set the plan by enter in a field as well."""
        self._set_plan()

    def on_input_changed(self) -> None:
        """What was wrong, or is being set, is being changed."""
        self._stop_setting()

    def on_rows_clicked(self) -> None:
        """Choose by a click."""
        self.action_mark()

    # Inside

    def _before(self) -> tuple[str, str, tuple[str, ...]]:
        """Return what the plan that holds says, or what a new one would begin with."""
        goal, date = self.study.progress.goal, self.quiz.settings.interview_date
        if goal is None:
            minutes = planning.usual_minutes(self.study)
            return "" if date is None else date.isoformat(), str(minutes), ()
        return as_date(goal.day).isoformat(), str(goal.minutes), goal.topics

    def _list_topics(self) -> list[_Topic]:
        """Return the topics that have questions, in the order in which they are met."""
        deck, counts = self.study.deck, dict[str, int]()
        for candidate in self.study.course.candidates():
            counts[candidate.topic] = counts.get(candidate.topic, 0) + 1
        return [_Topic(name, deck.topic_names(name), n) for name, n in counts.items()]

    @work(exclusive=True, group=_SETTING)
    async def _set_plan(self) -> None:
        """Choose how to study, which takes seconds, then set the plan; escape stops before that."""
        self._say(self.say("goal.computing"), sign="", style="dim")
        try:
            goal = await self.call(self._choose)
            await self.call(self.study.plan.set, goal)
        except StoreError as error:
            self._say("")
            self.quiz.tell(error)
        except QuizError as error:
            self._say(self.say.fact(error.what))
        else:
            self.app.pop_screen()
            self.quiz.notify(self.say("goal.form.set", key=self.quiz.key_of("undo")), timeout=5)

    def _stop_setting(self) -> None:
        """Set nothing of what is being changed, and say nothing of it any longer."""
        self.workers.cancel_group(self, _SETTING)
        self._say("")

    def _choose(self) -> Goal:
        """Return the plan that the fields ask for.

        Raises:
            UsageError: the day or the minutes cannot be.
            StoreError: what it depends on cannot be read.
        """
        typed = {name: self.query_one(f"#{name}", Input).value.strip() for name in _FIELDS}
        if not typed["minutes"].isdecimal():
            raise UsageError(fact("goal.which-minutes", most=MOST_MINUTES))
        topics = [row.topic for row in self._topics if row.topic in self._chosen]
        minutes = int(typed["minutes"][:_DIGITS])
        return planning.choose(self.study, typed["day"], topics, minutes)

    def _draw(self) -> None:
        self._rows.show(len(self._topics), self._row, self._rows.cursor)

    def _row(self, position: int, width: int) -> Content:
        topic, names, questions = self._topics[position]
        if not topic:
            mark, text = not self._chosen, self.say("goal.every-topic")
        else:
            mark, text = topic in self._chosen, f"{self.say.topic(names)} · {questions}"
        return Content(clip(f"{'●' if mark else '○'} {text}", width))

    def _say(self, text: str, *, sign: str = "✗ ", style: str = "$text-error") -> None:
        """Say what is wrong with a value, or what is going on."""
        self.query_one("#message", Flow).write(text and f"{sign}{text}", style)
