"""Questions as Anki's notes: prompt and answer as HTML, a figure as a picture."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt

from quizapp.domain import question as questions
from quizapp.domain.question import code_block, prose
from quizapp.exercises.numbers import compute_answer
from quizapp.report import quantities, trace_figure
from quizapp.report.content.question_text import rubric_point, sources
from quizapp.report.folding import columns
from quizapp.report.words import Words

if TYPE_CHECKING:
    from quizapp.domain.question import PutQuestion
    from quizapp.study.browsing import RevealedAnswer

_ROOM = 110
"""Columns of a figure."""
_ACROSS, _DOWN, _MARGIN = 8.5, 18, 10
"""Pixels of a character and of a line in a figure."""


class NoteFields(NamedTuple):
    """The fields of a note as HTML, and the files that they show."""

    front: str
    back: str
    figure: str
    sources: str
    media: dict[str, bytes]


def write_note(shown: RevealedAnswer, say: Words) -> NoteFields:
    """Write a question with its answer as the fields of a note; the other language is folded."""
    question, other = shown.turn.question, Words("en" if say.language == "zh" else "zh")
    front = [prose(question.prompt, say.language), *_asked(question, say)]
    back = [*_answer(question, say), prose(question.explanation, say.language)]
    unfold = say("key.language")
    asked = [prose(question.prompt, other.language), *_options(question, other)]
    told = [*_reasons(question, other), prose(question.explanation, other.language)]
    figure, media = "", {}
    if shown.turn.drawn is not None and isinstance(question, questions.Number):
        picture = _draw(_figure_lines(shown, say))
        name = f"quiz-{hashlib.sha256(picture).hexdigest()[:16]}.svg"
        figure, media = f'<img src="{name}">', {name: picture}
    named = "<br>".join(escape(source) for source in sources(question, say))
    shown_front = _render(front) + _folded(unfold, asked, [front[0]])
    shown_back = _render(back) + _folded(unfold, told, [back[-1]])
    return NoteFields(shown_front, shown_back, figure, named, media)


def _folded(title: str, parts: Sequence[str], known: Sequence[str]) -> str:
    """Return a text that a click shows; nothing of a question that has only one language."""
    if not any(part not in known for part in parts if part):
        return ""
    return f"<details><summary>{escape(title)}</summary>{_render(parts)}</details>"


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _render(parts: Sequence[str]) -> str:
    """Render Markdown as HTML; HTML in it is shown as text."""
    text: str = _markdown().render("\n\n".join(part for part in parts if part))
    return text


def _asked(question: PutQuestion, say: Words) -> Iterator[str]:
    """Write what stands below a prompt, as Markdown."""
    yield from _options(question, say)
    match question:
        case questions.Index(starter=starter) | questions.Kernel(starter=str(starter)):
            yield code_block(starter)
        case questions.Spot(code=code):
            yield code_block(code)
        case _:
            pass


def _options(question: PutQuestion, say: Words) -> Iterator[str]:
    if isinstance(question, questions.Choice):
        yield "\n".join(
            f"{number}. {_indented(prose(option.text, say.language))}"
            for number, option in enumerate(question.options, 1)
        )


def _answer(question: PutQuestion, say: Words) -> Iterator[str]:
    """Write what is right, as Markdown; a kernel in both of its languages."""
    match question:
        case questions.Number():
            bounds = compute_answer(question)
            yield f"**{quantities.write_expected(question, bounds, say)}**"
        case questions.Index(solution=solution):
            yield code_block(solution)
        case questions.Kernel(solution=str(solution), twin=twin):
            yield code_block(solution)
            if twin is not None:
                yield code_block(twin.solution)
        case _:
            yield from _reasons(question, say)


def _reasons(question: PutQuestion, say: Words) -> Iterator[str]:
    """Write what is right in prose, as Markdown."""
    match question:
        case questions.Choice(options=options):
            for number, option in enumerate(options, 1):
                sign = "✓" if option.correct else "✗"
                why = "" if option.why is None else f" — {prose(option.why, say.language)}"
                yield f"{sign} **{number}**{why}"
        case questions.Recall(answer=answer, rubric=rubric):
            yield prose(answer, say.language)
            yield "\n".join(f"- {_indented(rubric_point(point, say))}" for point in rubric)
        case _:
            pass


def _indented(text: str) -> str:
    """Keep the further lines of a text within the item of a list."""
    return text.strip().replace("\n", "\n   ")


def _figure_lines(shown: RevealedAnswer, say: Words) -> list[str]:
    from quizapp.exercises.traces import DrawnTrace  # noqa: PLC0415 - NumPy, 80 ms

    drawn = shown.turn.drawn
    if not isinstance(drawn, DrawnTrace):
        return []
    found = trace_figure.lines(drawn, say, _ROOM, detailed=False)
    return ["".join(text for text, _ in line).rstrip() for line in found]


def _draw(lines: Sequence[str]) -> bytes:
    """Draw lines of text as a picture, each character in its column."""
    width = max(map(columns, lines), default=1) * _ACROSS + 2 * _MARGIN
    height = len(lines) * _DOWN + 2 * _MARGIN
    texts = "".join(
        f'<text x="{_MARGIN}" y="{_MARGIN + (number + 1) * _DOWN - 5}" '
        f'textLength="{columns(line) * _ACROSS:.0f}" xml:space="preserve">{escape(line)}</text>'
        for number, line in enumerate(lines)
        if line
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}"><rect width="100%" height="100%" fill="#fff"/>'
        f'<g font-family="monospace" font-size="14" fill="#111">{texts}</g></svg>\n'
    ).encode()
