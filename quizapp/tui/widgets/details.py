"""One question: what is known of it, the question itself, on demand its answer, its history."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.content import Content

from quizapp.deck.index import Entry
from quizapp.domain.days import as_date
from quizapp.domain.log.projection import AnswerFact
from quizapp.domain.question import Choice, Spot, prose
from quizapp.report import numbered_code
from quizapp.report.first_words import first_words
from quizapp.report.folding import cut
from quizapp.report.studying.ratings import rating_name
from quizapp.report.words import Words
from quizapp.study.browsing import MARKS, QuestionDetails
from quizapp.system.extras import find_missing
from quizapp.tui import feedback
from quizapp.tui.widgets.flow import Flow, wrap
from quizapp.tui.widgets.page import Page, Part, PickableRows
from quizapp.tui.widgets.question_table import CHANGED, FLAG, SIGNS, difficulty, due, state_text
from quizapp.tui.widgets.question_view import QuestionView

_NOT_BROKEN = "\N{NO-BREAK SPACE}"
_TITLE = 60
"""Columns of the title of another question."""

_RECORD = frozenset(MARKS) - {"flagged", "changed", "lapses"}


class DetailsView(QuestionView):
    """A question between facts and history: as it is asked, or as it is shown once graded."""

    DEFAULT_CSS = """
    DetailsView #number, DetailsView #essay { display: none; }
    DetailsView #history, DetailsView #asked { margin-top: 1; }
    DetailsView.empty > * { display: none; }
    """

    def compose(self) -> ComposeResult:
        """Lay out what every question view has, and what only this one has."""
        yield Flow(id="facts")
        yield Page(id="asked")
        yield from super().compose()
        yield Flow(id="history")

    def show(
        self, details: QuestionDetails, say: Words, hidden: str, answers_key: str = ""
    ) -> None:
        """Show a question, another one from its beginning.

        `hidden` says where the answer is; `answers_key` shows those of follow-up questions.
        """
        self.remove_class("empty")
        shown = details.attempt.shows_answer
        self.set_class(not shown, "hidden-answer")
        asked = [] if shown else [*_asked(details, say), Content(hidden).stylize("dim")]
        self.query_one("#asked", Page).put(asked)
        self.note("")
        if shown:
            turn, attempt = details.turn, details.attempt
            self.draw(turn, attempt, say, detailed=True, answers_key=answers_key, whole=True)
            # Which would put question and feedback beside one another.
            self.remove_class("graded", "figured")
        self.query_one("#facts", Flow).show(lambda width: facts(details, say, width))
        self.query_one("#history", Flow).show(lambda _: history(details.history, say))

    def _arrange(self) -> None:
        """Show nothing of the answer, nor of one shown before, while it is hidden."""
        super()._arrange()
        if self.has_class("hidden-answer"):
            for part in self.query("#left, #right"):
                part.display = False

    def clear(self) -> None:
        """Show no question."""
        self.add_class("empty")


def _asked(details: QuestionDetails, say: Words) -> Iterator[Part]:
    """Draw what the person would be asked: the prompt with its options or its code."""
    question = details.turn.question
    yield prose(question.prompt, say.language)
    if isinstance(question, Choice):
        rows = feedback.rows(details.attempt, say)
        yield PickableRows(tuple(rows), question.several)
    if isinstance(question, Spot):
        yield feedback.number_code(question)
        yield numbered_code.launch(question, say)


def facts(details: QuestionDetails, say: Words, width: int) -> Iterator[Content]:
    """Draw what the question is and its state, in words beside every sign."""
    row = details.listed
    entry, question = row.entry, details.turn.question
    yield from (Content(line).stylize("bold") for line in _id_lines(entry.id, width))
    level = f"{difficulty(entry.difficulty)} {say('browser.difficulty', n=entry.difficulty)}"
    about = (
        say.topic(entry.topic_names),
        say(f"kind.{entry.kind}"),
        level.replace(" ", _NOT_BROKEN),
        *([say(f"basis.{question.basis}")] if question.basis else []),
    )
    yield from wrap(" · ".join(about), width)
    yield from wrap(" · ".join(_state_parts(details, say)), width)
    if row.card.flagged:
        yield Content(f"{FLAG} {say('browser.mark.flagged')}")
    if details.held_back:
        yield from wrap(explain_held(entry, say), width, style="$text-warning")
    if entry.changed:
        yield Content(f"{CHANGED} {say('browser.changed')}")
    if question.tags:
        yield from wrap(say("browser.tags", names=", ".join(question.tags)), width, style="dim")
    for needed in details.needed:
        title = cut(first_words(needed, say.language), _TITLE)
        yield from wrap(say("browser.requires", title=title), width, style="dim")


def explain_held(entry: Entry, say: Words) -> str:
    """Say what a question that cannot run waits for."""
    if extra := find_missing(entry.extra):
        return say("browser.extra-missing", extra=extra)
    return say("browser.held-back", pack=entry.pack)


def _id_lines(name: str, width: int) -> Iterator[str]:
    """Break an id, which has no spaces, between its words."""
    while len(name) > width:
        end = 1 + max(name.rfind(sign, 0, width) for sign in "-/") or width
        yield name[:end]
        name = name[end:]
    yield name


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
        if fact.practice:
            notes = [*notes[1:], say("stage.practice")]  # which has no rating
        elif not fact.counts:
            notes.append(say("browser.repeat"))
        date = as_date(fact.study_day).isoformat()
        yield Content.assemble(f"{date}  ", (sign, f"bold {style}"), f" {' · '.join(notes)}")


def _state_parts(details: QuestionDetails, say: Words) -> Iterator[str]:
    """Yield its state, when it returns, how well it is known."""
    row = details.listed
    yield f"{SIGNS[row.state]} {state_text(row, say)}"
    if row.due_in is not None:
        yield due(row, say)
    if row.card.memory is None:
        return
    percent, latest = round(100 * details.chance), details.history[-1:]
    recalled = percent < 100 or (latest and latest[0].correct)  # else it was just seen
    if percent and recalled:
        yield say("browser.chance", percent=percent)
    yield from (say(f"browser.mark.{m}") for m in MARKS if m in row.marks and m in _RECORD)
    if row.lapses:
        yield say("browser.lapsed", n=row.lapses)
