"""Finds choices whose right options stand out by their length, in either language.

A learner sees that without reading, and reviews then train the eye instead of the memory. Lengths
are columns on a screen, without Markdown's marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from grader.facts import Fact, fact
from quizapp.deck.problems import ContentProblem
from quizapp.deck.question_location import LocatedQuestion
from quizapp.deck.writing.own_code import is_made
from quizapp.domain.question import LANGUAGES, Choice, FactChoice, Language, Translated, prose
from quizapp.exercises.faults import FieldFault, FieldPath
from quizapp.system.width import columns

_FACTOR, _FACTOR_OF_SEVERAL = 1.3, 1.1
"""By how much the right option may be longer than all wrong ones, or shorter. If several are right,
it is rarer by chance that all of them are."""

_SEEN = 4
"""Columns that one sees at a glance; a unit or a digit more gives nothing away."""

_MARKS = re.compile("[`*]")


def option_columns(question: Choice, language: Language) -> list[int]:
    """Return how many columns each option takes."""
    texts = (prose(option.text, language) for option in question.options)
    return [columns(" ".join(_MARKS.sub("", text).split())) for text in texts]


def length_problems(found: Iterable[LocatedQuestion]) -> Iterator[ContentProblem]:
    """Yield a problem for each choice whose right options are told by their length."""
    for item in found:
        # Texts made from a program are not the author's to change.
        if isinstance(item.question, Choice) and not is_made(item.source.file.path):
            for fault in _faults(item.question):
                yield item.source.problem(fault, item.id)


def _faults(question: Choice) -> Iterator[FieldFault]:
    seen: list[int] = []
    for language in LANGUAGES:
        widths = option_columns(question, language)
        what = None if widths == seen else _outstanding(question, widths)
        seen = widths
        if what is not None:
            first = next(i for i, option in enumerate(question.options) if option.correct)
            translated = isinstance(question.options[first].text, Translated)
            facts = isinstance(question, FactChoice)
            field: FieldPath = ("facts", first, "asked") if facts else ("options", first, "text")
            yield FieldFault((*field, *([language] if translated else [])), what)


def _outstanding(question: Choice, widths: Sequence[int]) -> Fact | None:
    """Return how the right options stand out; None if they do not."""
    sorted_out = list(zip(question.options, widths, strict=True))
    right = [width for option, width in sorted_out if option.correct]
    wrong = [width for option, width in sorted_out if not option.correct]
    factor = _FACTOR if len(right) == 1 else _FACTOR_OF_SEVERAL
    if not wrong or not right:
        return None
    if _exceeds(min(right), max(wrong), factor):
        return fact("choice.right-is-longer", right=min(right), wrong=max(wrong))
    if _exceeds(min(wrong), max(right), factor):
        return fact("choice.right-is-shorter", right=max(right), wrong=min(wrong))
    return None


def _exceeds(long: int, short: int, factor: float) -> bool:
    return long > factor * short and long - short >= _SEEN
