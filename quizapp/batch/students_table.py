"""The students of a class as a table of its page: what each passed, with links to the verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from quizapp.batch.names import natural_key
from quizapp.batch.tally import Tally
from quizapp.batch.values import Status
from quizapp.report.html.page import table_row, text
from quizapp.report.words import Words

MARKS: dict[Status, tuple[str, str]] = {
    "passed": ("✓", "success"),
    "failed": ("✗", "error"),
    "refused": ("–", "warning"),
    "ungraded": ("?", "warning"),
}
"""How what came of a submission is shown, and the class that colors it."""

_UNNAMED = "?"
"""Shown for a question that a row of the CSV does not name."""


class Anchors:
    """The places of the verdicts on the page, by question and student; and names for links."""

    def __init__(self, tally: Tally) -> None:
        short = {name: name.rpartition("/")[2] for name in tally.questions}
        counts = Counter(short.values())
        self._names = {
            name: name if counts[short[name]] > 1 else short[name] for name in tally.questions
        }
        self._questions = {name: number for number, name in enumerate(sorted(tally.questions))}
        self._students = {name: number for number, name in enumerate(tally.students)}

    def name(self, question: str) -> str:
        """Return a question without its pack, where that says which one is meant."""
        return self._names[question] or _UNNAMED

    def question(self, question: str) -> str:
        """Return the place of a question's verdicts."""
        return f"q{self._questions[question]}"

    def verdict(self, question: str, student: str) -> str:
        """Return the place of one verdict."""
        return f"{self.question(question)}s{self._students[student]}"


def students_table(
    tally: Tally, without: Sequence[str], anchors: Anchors, say: Words
) -> Iterator[str]:
    """Draw a row for each student, in parts.

    `without`: students who submitted nothing. `anchors`: where the verdicts are.
    """
    titles = (say(f"batch.column.{key}") for key in ("student", "of-graded", "submissions"))
    head = table_row((("name", text(title)) for title in titles), "th")
    yield f'<div class="scroll"><table class="figures"><thead>{head}</thead><tbody>'
    for student in sorted({*tally.students, *without}, key=natural_key):
        statuses = tally.students.get(student, {})
        counts = Counter(statuses.values())
        links = " ".join(_links(student, statuses, anchors))
        right = f"{counts['passed']:,} / {counts['passed'] + counts['failed']:,}"
        nothing = text(say("batch.page.nothing"))
        yield table_row([("name", text(student)), ("", right), ("name", links or nothing)])
    yield "</tbody></table></div>"


def _links(student: str, statuses: Mapping[str, Status], anchors: Anchors) -> Iterator[str]:
    """Yield a link to each verdict of a student."""
    for question, status in sorted(statuses.items()):
        mark, kind = MARKS[status]
        yield (
            f'<a href="#{anchors.verdict(question, student)}">'
            f'<span class="{kind}">{mark}</span> {text(anchors.name(question))}</a>'
        )
