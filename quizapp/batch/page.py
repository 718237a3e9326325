"""The results of a run as a page: who passed what, what fails, and every verdict.

Written in parts, question by question, so that ten thousand verdicts are never held at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from quizapp.batch.students_table import MARKS, Anchors, students_table
from quizapp.batch.submissions import Submissions
from quizapp.batch.summary import describe_statuses, not_graded_lines
from quizapp.batch.tally import ResultGroup, Tally, count_passed, order
from quizapp.batch.values import Result, Status
from quizapp.plain import markdown
from quizapp.report.html.drawing import label, rect, svg
from quizapp.report.html.page import page_parts, preformatted, section, table, table_row, text
from quizapp.report.verdicts.check_names import check_name, check_title
from quizapp.report.words import Words

_BAR, _HIGH, _TOP, _BELOW = 26, 96, 18, 18
_MOST_BARS = 60
"""More are put together, so that the picture stays within the page."""
_MOST_MISTAKES = 25
_UNGATED: tuple[Status, ...] = ("refused", "ungraded")


class RunFacts(NamedTuple):
    """What the page says of the run itself.

    Attributes:
        seed: of the inputs that no submission knew.
        when: it was graded.
        found: the submissions, and what else there was.
    """

    seed: int
    when: datetime
    found: Submissions


def class_page(
    tally: Tally, results: Iterable[Result], run: RunFacts, say: Words
) -> Iterator[bytes]:
    """Yield the page in parts. `results`: by question."""
    return page_parts(say("batch.page"), _body(tally, results, run, say), say)


def _body(tally: Tally, results: Iterable[Result], run: RunFacts, say: Words) -> Iterator[str]:
    anchors = Anchors(tally)
    when = run.when.strftime("%Y-%m-%d %H:%M")
    yield f"<p>{text(describe_statuses(tally.all, say))}</p>"
    yield f"<p>{text(say('batch.page.run', when=when, seed=run.seed))}</p>"
    yield f"<section><h2>{text(say('batch.page.students'))}</h2>"
    yield from students_table(tally, run.found.without, anchors, say)
    yield "</section>"
    yield section(say("batch.page.distribution"), _distribution(tally, say))
    yield section(say("batch.page.questions"), _gates_table(tally, anchors, say))
    if mistakes := _mistakes(tally, say):
        yield section(say("batch.page.mistakes"), mistakes)
    if others := list(not_graded_lines(run.found, say)):
        yield section(say("batch.page.others"), preformatted(others))
    for question, group in groupby(results, lambda one: one.question):
        title = text(question or anchors.name(question))
        yield f'<section><h2 id="{anchors.question(question)}">{title}</h2>'
        for result in group:
            yield _verdict(result, anchors, say)
        yield "</section>"


def _distribution(tally: Tally, say: Words) -> str:
    """Draw how many students passed how many of their submissions."""
    passed = Counter(map(count_passed, tally.students.values()))
    width = max(passed) // _MOST_BARS + 1
    bars = [
        sum(passed[count] for count in range(first, first + width))
        for first in range(0, max(passed) + 1, width)
    ]
    parts = []
    for place, students in enumerate(bars):
        first, last = place * width, place * width + width - 1
        name = f"{first}" if width == 1 else f"{first}–{last}"
        tall = max(1, round(_HIGH * students / max(bars)))
        box = (place * _BAR, _TOP + _HIGH - tall, _BAR - 3, tall)
        title = say("batch.page.bar", passed=name, n=students)
        parts.append(rect(box, "calm" if students else "empty", title))
        middle = place * _BAR + _BAR // 2
        if students:
            parts.append(label(middle, _TOP + _HIGH - tall - 4, f"{students:,}"))
        parts.append(label(middle, _TOP + _HIGH + _BELOW - 4, str(first)))
    drawn = svg(len(bars) * _BAR, _TOP + _HIGH + _BELOW, say("batch.page.distribution"), parts)
    return f"<p>{text(say('batch.page.axis'))}</p><figure>{drawn}</figure>"


def _gates_table(tally: Tally, anchors: Anchors, say: Words) -> str:
    """Draw how many submissions for each question fail at which check."""
    names = [gate for gate, _ in order(_by_name(tally.all))]
    keys = ("question", "submitted", "passed")
    statuses = [status for status in _UNGATED if tally.all.statuses[status]]
    titles = [
        *(say(f"batch.column.{key}") for key in keys),
        *(check_title(name, say) for name in names),
        *(say(f"batch.column.{status}") for status in statuses),
    ]
    rows = []
    for question, group in sorted(tally.questions.items()):
        failed = _by_name(group)
        counts = [failed[name] for name in names] + [group.statuses[each] for each in statuses]
        link = f'<a href="#{anchors.question(question)}">{text(anchors.name(question))}</a>'
        figures = (f"{number:,}" for number in (group.submitted, group.passed))
        shares = (_share_cell(count, group.submitted) for count in counts)
        rows.append(table_row([("name", link), *(("", figure) for figure in figures), *shares]))
    return table(table_row((("", text(title)) for title in titles), "th"), rows, "figures")


def _by_name(group: ResultGroup) -> Counter[str]:
    """Count the failures at checks by their names, without what each is about."""
    names: Counter[str] = Counter()
    for gate, count in group.gates.items():
        names[gate.partition(": ")[0]] += count
    return names


def _share_cell(count: int, of: int) -> tuple[str, str]:
    """Return a cell that is hotter, the more of the submissions it holds."""
    if not count:
        return "dim", "–"
    return f"heat-{1 + min(3, 4 * count // max(1, of))}", f"{count:,}"


def _mistakes(tally: Tally, say: Words) -> str:
    """List the known mistakes that are made most."""
    found = [
        (count, question, gate, why)
        for question, group in sorted(tally.questions.items())
        for (gate, why), count in order(group.mistakes)
    ]
    found.sort(key=lambda mistake: -mistake[0])
    rows = []
    for count, question, gate, why in found[:_MOST_MISTAKES]:
        said = question, check_name(gate, say), " ".join(markdown.plain(why, None))
        rows.append(table_row([("", f"{count:,}"), *(("name", text(each)) for each in said)]))
    titles = (say(f"batch.column.{key}") for key in ("made", "question", "check", "why"))
    head = table_row((("name", text(title)) for title in titles), "th")
    return table(head, rows, "figures") if found else ""


def _verdict(result: Result, anchors: Anchors, say: Words) -> str:
    """Return a verdict behind its line."""
    mark, kind = MARKS[result.status]
    gate = check_name(result.gate, say) if result.gate else ""
    said = " · ".join(filter(None, (result.student, gate)))
    place = anchors.verdict(result.question, result.student)
    lines = result.lines or (result.said,)
    return (
        f'<details id="{place}"><summary><span class="{kind}">{mark}</span> {text(said)} '
        f'<small class="dim">{text(result.file)}</small></summary>'
        f"<pre>{text(chr(10).join(lines))}</pre></details>"
    )
