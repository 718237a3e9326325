"""The plan: what to do per day until the day, what is left out, what will be recalled."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.content import Content

from quizapp.report.lines import Line
from quizapp.report.studying import study_plan
from quizapp.report.words import Words
from quizapp.study import browsing, planning
from quizapp.study.planning import StudyPlan
from quizapp.study.service import Study
from quizapp.tui.keys import SCREENS, bindings
from quizapp.tui.screens.base import PageScreen, tells
from quizapp.tui.screens.browser import BrowserScreen
from quizapp.tui.screens.plan_form import PlanFormScreen
from quizapp.tui.widgets.bars import KeyLine
from quizapp.tui.widgets.flow import Flow, wrap

_STYLES = {"note": "$text-warning", "dim": "dim", "bold": "bold"}


class PlanScreen(PageScreen):
    """The plan on one page; keys change it, drop it, list what it leaves out."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREENS["plan"])
    HEADING = "goal.title"

    _leaves_out = False
    """True if there are questions that the plan has no time for."""
    _found: StudyPlan | None = None
    """What is shown, or was shown before it is computed again."""

    def on_screen_resume(self) -> None:
        """Read again: what was answered meanwhile counts."""
        self._read()

    async def redraw(self) -> None:
        """Read again: the plan may have been undone."""
        self._read()

    def action_change_plan(self) -> None:
        """Set a plan, or change the one that holds."""
        self.app.push_screen(PlanFormScreen())

    def action_left_out(self) -> None:
        """List the questions that the plan has no time for."""
        if self._leaves_out:
            self.app.push_screen(BrowserScreen(browsing.LEFT_OUT))

    async def action_drop_plan(self) -> None:
        """Drop the plan."""
        dropped = await self.call(_drop, self.study)
        self.quiz.notify(self.say("goal.dropped" if dropped else "goal.none"), markup=False)
        self._read()

    @work(exclusive=True)
    @tells
    async def _read(self) -> None:
        """Read the facts and show them; until then, say so, and show no plan that was changed."""
        goal, before = self.study.progress.goal, self._found
        if goal is None:
            self._show(None)
        else:
            if before is not None and before.goal != goal:
                before = None
            self.query_one(Flow).show(lambda _: computing(before, self.say))
            self._show_keys(before, has_plan=True)
        self._show(await self.call(planning.describe, self.study))

    def _show(self, found: StudyPlan | None) -> None:
        self._found = found
        ended = self.study.progress.planned.ended
        none = self.say("goal.no-plan", key=self.quiz.key_of("change-plan"))
        if ended is not None:
            none = study_plan.no_plan_text(ended, self.study.day, self.say)
        self.query_one(Flow).show(partial(page, found, self.say, none))
        self._show_keys(found, has_plan=found is not None)

    def _show_keys(self, found: StudyPlan | None, *, has_plan: bool) -> None:
        """Show the keys that do something, as far as is known."""
        self._leaves_out = found is not None and not found.in_time
        if has_plan:
            keys = ("change-plan", *(("left-out",) if self._leaves_out else ()))
            self.query_one(KeyLine).show(*keys, "drop-plan", "undo", "help", "back")
        else:
            self.query_one(KeyLine).show("change-plan:make-plan", "undo", "help", "back")

    def can_work(self, binding_id: str) -> bool:
        """Return True if a binding does something with this plan."""
        return binding_id != "left-out" or self._leaves_out


def page(plan: StudyPlan | None, say: Words, none: str, width: int) -> list[Content]:
    """Draw the whole page; `none` says that there is no plan."""
    if plan is None:
        return [Content(""), *wrap(none, width)]
    return [Content(""), *map(_draw, study_plan.plan_lines(plan, say))]


def computing(plan: StudyPlan | None, say: Words) -> list[Content]:
    """Say above a plan that it is computed again, in the line that is blank otherwise."""
    said = Content(say("goal.computing")).stylize("dim")
    if plan is None:
        return [Content(""), said]
    return [said, *map(_draw, study_plan.plan_lines(plan, say))]


def _draw(line: Line) -> Content:
    return Content.assemble(*((text, _STYLES.get(role, "")) for text, role in line))


def _drop(study: Study) -> bool:
    """Drop the plan that holds; return False if there is none."""
    if study.progress.goal is None:
        return False
    study.plan.drop()
    return True
