"""One question with everything shown: what is known of it, the question itself, its history."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.content import Content

from quizapp.domain.days import as_date
from quizapp.domain.projection import AnswerFact
from quizapp.report.words import Words
from quizapp.study.browsing import QuestionDetails
from quizapp.tui.feedback import rating_name
from quizapp.tui.widgets.flow import Flow, wrap
from quizapp.tui.widgets.question_table import CHANGED, FLAG, SIGNS, difficulty
from quizapp.tui.widgets.question_view import QuestionView


class DetailsView(QuestionView):
    """The question as the session shows it once graded, between facts and history."""

    DEFAULT_CSS = """
    DetailsView #number, DetailsView #essay { display: none; }
    DetailsView #history { margin-top: 1; }
    DetailsView.empty > * { display: none; }
    """

    def compose(self) -> ComposeResult:
        """Lay out what every question view has, and what only this one has."""
        yield Flow(id="facts")
        yield from super().compose()
        yield Flow(id="history")

    def show(self, details: QuestionDetails, say: Words) -> None:
        """Show a question; another one from its beginning."""
        self.remove_class("empty")
        self.note("")
        self.draw(details.turn, details.attempt, say, detailed=True, whole=True)
        self.remove_class(
            "graded", "figured"
        )  # which would put question and feedback beside one another
        self.query_one("#facts", Flow).show(lambda width: list(facts(details, say, width)))
        self.query_one("#history", Flow).show(lambda _: list(history(details.history, say)))

    def clear(self) -> None:
        """Show no question."""
        self.add_class("empty")


def facts(details: QuestionDetails, say: Words, width: int) -> Iterator[Content]:
    """Draw what the question is and its state, in words beside every sign."""
    row = details.listed
    entry, question = row.entry, details.turn.question
    yield Content(entry.id).stylize("bold")
    about = (
        say.topic(entry.topic),
        say(f"kind.{entry.kind}"),
        f"{difficulty(entry.difficulty)} {say('browser.difficulty', n=entry.difficulty)}",
        *([say(f"basis.{question.basis}")] if question.basis else []),
    )
    yield from wrap(" · ".join(about), width)
    yield from wrap(" · ".join(_state_parts(details, say)), width)
    if row.card.flagged:
        yield Content(f"{FLAG} {say('browser.flagged')}")
    if details.held_back:
        text = say("browser.held-back", pack=entry.id.split("/", 1)[0])
        yield from wrap(text, width, style="$text-warning")
    if entry.changed:
        yield Content(f"{CHANGED} {say('browser.changed')}")
    if question.tags:
        yield from wrap(say("browser.tags", names=", ".join(question.tags)), width, style="dim")
    if entry.requires:
        names = ", ".join(entry.requires)
        yield from wrap(say("browser.requires", names=names), width, style="dim")
    yield from wrap(f"{entry.file}:{entry.line}", width, style="dim")


def history(answers: tuple[AnswerFact, ...], say: Words) -> Iterator[Content]:
    """Draw each answer in a line, the latest first."""
    yield Content(say("browser.history")).stylize("bold")
    if not answers:
        yield Content(say("browser.no-history")).stylize("dim")
    for fact in reversed(answers):
        sign, style = ("✓", "$text-success") if fact.correct else ("✗", "$text-error")
        notes = [rating_name(fact.rating, say), say("browser.seconds", n=fact.duration_ms // 1000)]
        if fact.was_new:
            notes.append(say("browser.first"))
        if not fact.counts:
            notes.append(say("browser.repeat"))
        date = as_date(fact.study_day).isoformat()
        yield Content.assemble(f"{date}  ", (sign, f"bold {style}"), f" {' · '.join(notes)}")


def _state_parts(details: QuestionDetails, say: Words) -> Iterator[str]:
    """Yield its state, when it returns, how well it is known."""
    row = details.listed
    yield f"{SIGNS[row.state]} {say(f'browser.state.{row.state}')}"
    memory = row.card.memory
    if memory is None:
        return
    if row.due_in is not None:
        yield _due(row.due_in, say)
    yield say("browser.chance", percent=round(100 * details.chance))
    if memory.lapses:
        yield say("browser.lapses", n=memory.lapses)


def _due(due_in: int, say: Words) -> str:
    if due_in > 0:
        return say("browser.returns", n=due_in)
    return say("browser.overdue", n=-due_in) if due_in else say("browser.due-today")
