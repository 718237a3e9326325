"""Draws what is known of one topic, for the pane beside home's table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from quizapp.report import first_words
from quizapp.report.content.packs import pack_facts
from quizapp.report.dates import date_text
from quizapp.report.words import Words
from quizapp.study.home_values import TopicRow
from quizapp.system.width import columns as cells
from quizapp.tui.widgets.flow import wrap
from quizapp.tui.wrap import pad

if TYPE_CHECKING:  # types alone: home is drawn without these
    from quizapp.deck.index import PackEntry
    from quizapp.study.values import TopicDetail

_KIND, _NUMBER = 22, 10
_LEAST_PROMPT = 20


@dataclass(frozen=True, slots=True)
class TopicPane:
    """A row with its detail: of a topic, of a pack, or of all.

    `today` is the study day; `forecast` of the interview, 0–1; `pack` that it is or is in.
    """

    row: TopicRow
    detail: TopicDetail
    today: int
    forecast: float | None
    pack: PackEntry | None = None

    def lines(self, say: Words, width: int) -> Iterator[Content]:
        """Draw the pane in so many columns."""
        yield Content(topic_name(self.row, say)).stylize("bold $text-accent")
        yield from self._about_pack(say, width)
        yield Content("")
        for line in self._facts(say):
            yield from wrap(line, width)
        yield Content("")
        yield from self._kinds(say)
        if self.detail.hardest:
            yield Content("")
            yield Content(say("home.hardest")).stylize("dim")
            yield from self._hardest(say, width)

    def _about_pack(self, say: Words, width: int) -> Iterator[Content]:
        """Say what a pack is about, and whether it asks."""
        if self.row.is_pack and self.pack is not None:
            yield from wrap(say.topic(self.pack.descriptions), width, style="dim")
            yield from wrap(pack_facts(self.pack, self.row.questions, say), width, style="dim")
        if not self.row.on:
            yield Content("")
            yield from wrap(say("home.pack-rests"), width)

    def _facts(self, say: Words) -> Iterator[str]:
        """Yield what is known, due and new, how well it was kept, and when it is next."""
        row, detail = self.row, self.detail
        known = [say("home.detail.known", percent=round(100 * row.known))] if row.seen else []
        counts = [
            say("home.detail.due", n=row.due),
            say("home.detail.new", n=row.new, total=row.questions),
        ]
        if not row.on:
            counts = [say("count.questions", n=row.questions)]
            counts += [say("home.reviews-wait", n=row.resting)] if row.resting else []
        yield "   ".join([*known, *counts])
        kept = detail.retention.share
        if kept is not None:
            percent, answers = round(100 * kept), detail.retention.answers
            yield say("home.detail.retention", percent=percent, n=answers)
        if self.forecast is not None:
            yield say("home.forecast", percent=round(100 * self.forecast))
        if detail.last_day is not None:
            when = say("days.today")
            if detail.last_day != self.today:
                when = date_text(detail.last_day, say)
            yield say("home.detail.last", date=when)
        if detail.next_due_day is not None and row.on:
            when = say("home.when-days", n=detail.next_due_day - self.today)
            yield say("home.then" if row.due else "home.next", n=detail.next_due, when=when)

    def _kinds(self, say: Words) -> Iterator[Content]:
        """Draw how many questions of each kind were answered, and how many not yet."""
        heads = (say("home.detail.answered"), say("home.detail.unseen"))
        line = pad(say("home.detail.kind"), _KIND) + "".join(map(_to_the_right, heads))
        yield Content(line).stylize("dim")
        for kind in self.detail.kinds:
            numbers = (kind.seen, kind.questions - kind.seen)
            cells_of = "".join(_to_the_right(str(n) if n else "·") for n in numbers)
            yield Content(pad(say(f"kind.{kind.kind}"), _KIND) + cells_of)

    def _hardest(self, say: Words, width: int) -> Iterator[Content]:
        """Draw the first words of what is hardest, and how often it was forgotten."""
        for hard in self.detail.hardest:
            lapses = say("home.lapses", n=hard.lapses) if hard.lapses else ""
            room = max(_LEAST_PROMPT, width - cells(lapses) - 2)
            text = pad(first_words.first_words(hard.question, say.language), room)
            yield Content.assemble(text, (f"  {lapses}", "dim"))


def topic_name(row: TopicRow, say: Words) -> str:
    """Name a row's topic or pack; the row of all of them has none."""
    return say.topic(row.names) if row.pack else say("home.all-topics")


def _to_the_right(text: str) -> str:
    return " " * (_NUMBER - cells(text)) + text
