"""Finds texts that print the answer of a question that comes soon after, in the default order.

An answer is the text of a right option, or a number with its unit. What counts as a coincidence is
said in docs/authoring.md, "Answers in other questions".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from grader.facts import Fact, fact
from quizapp.deck.problems import ContentProblem
from quizapp.deck.question_location import LocatedQuestion
from quizapp.deck.rules import prose_fields
from quizapp.deck.writing.own_code import is_made
from quizapp.domain.order import Candidate
from quizapp.domain.question import LANGUAGES, Choice, Kernel, Number, Translated, prose
from quizapp.exercises.faults import CodePosition, FieldFault, FieldPath
from quizapp.exercises.numbers import compute_answer

REACH = 70
"""A week at ten questions a day: what was read longer ago gives nothing away."""

_IDEAL = {"wavefronts": 1, "conflicts": 0, "ways": 1}
"""What every conflict-free access takes: printed everywhere, it tells nothing about one of them."""

TELLING_DIGITS = 3
"""A number with as many significant digits is hardly printed by coincidence."""

_CODE = ("code", "starter", "solution")
NUMBER = r"(?<![a-z0-9_.,/^−–-])(\d+(?:,\d{3})*(?:\.\d+)?)"
_CHINESE = {
    "conflicts": "次(?: ?bank ?)?冲突", "blocks": "(?:线程)?块", "elements": "元素", "stages": "级",
    "groups": "组", "ways": "路", "times": "倍", "column": "列",
}  # fmt: skip
"""Units as Chinese texts write them behind a number; others stay English there."""
_NAMED = ("bank", "column", "position")
"""Units that are written before their number: bank 12."""


class _Printed(NamedTuple):
    """A text of a question, without marks, in lower case and on one line."""

    path: FieldPath
    text: str


@dataclass(frozen=True)
class _Reader:
    """A question with what its texts print."""

    item: LocatedQuestion

    @cached_property
    def printed(self) -> tuple[_Printed, ...]:
        """All its texts, in all languages, and the code that it shows."""
        return tuple(_Printed(path, plain(text)) for path, text in texts_of(self.item))

    @cached_property
    def everything(self) -> str:
        """All its texts, one line each: what is not in here is in none of them."""
        return "\n".join(text for _, text in self.printed)

    @cached_property
    def excused(self) -> frozenset[str]:
        """The questions whose answers it may print."""
        question = self.item.question
        return frozenset(self.item.canonical(r.question for r in question.may_reveal))


class Answer(NamedTuple):
    """A right option, or a number with one of its units: how it is written, and which values.

    `low`, `high`: bounds of the number that the pattern's group finds; None for an option.
    """

    pattern: re.Pattern[str]
    unit: str = ""
    low: float | None = None
    high: float = 0.0


def leak_problems(
    found: Iterable[LocatedQuestion],
    order: Iterable[Candidate],
    among: Iterable[LocatedQuestion] | None = None,
) -> Iterator[ContentProblem]:
    """Yield a problem for each text that prints the answer of a question that comes after it.

    `order`: all questions, in the default order. `among`: those whose texts are looked at; all
    where left out.
    """
    items = {item.id: item for item in found}
    looked_at = items.keys() if among is None else {item.id for item in among}
    readers = [_Reader(items[candidate.question]) for candidate in order]
    for place, later in enumerate(readers):
        # Those from a program print it whole, and say the same of different ones.
        is_own_code = is_made(later.item.source.file.path)
        for answer in () if is_own_code else answers_of(later.item):
            for earlier in readers[max(0, place - REACH) : place]:
                if earlier.item.id in looked_at and later.item.id not in earlier.excused:
                    yield from _leaks(earlier, later.item, answer)


def _leaks(earlier: _Reader, later: LocatedQuestion, answer: Answer) -> Iterator[ContentProblem]:
    """Yield the texts of a question that print this answer."""
    if not _prints(earlier.everything, answer, earlier.item, later):
        return
    at = f"{later.source.file.path}:{later.line}"
    for path, text in earlier.printed:
        printed = _prints(text, answer, earlier.item, later)
        if printed:
            what = fact("leak.prints-answer", text=printed, id=later.question.id, at=at)
            yield earlier.item.source.problem(_fault(earlier.item, path, what), earlier.item.id)


def _fault(item: LocatedQuestion, path: FieldPath, what: Fact) -> FieldFault:
    """Return the fault of a text; a kernel's code is in a Python file beside the question."""
    in_file = isinstance(item.question, Kernel) and path[0] in _CODE
    return FieldFault(path, what, at=CodePosition(f"{path[0]}.py") if in_file else None)


def _prints(
    text: str, answer: Answer, earlier: LocatedQuestion, later: LocatedQuestion
) -> str | None:
    """Return the answer as a text prints it; None if it does not, or by coincidence."""
    for match in answer.pattern.finditer(text):
        if answer.low is None:
            return match[0]
        value = value_of(match)
        if answer.low <= value <= answer.high and (
            count_digits(match[1]) >= TELLING_DIGITS
            or _are_about_the_same(earlier, later, ideal=_IDEAL.get(answer.unit) == value)
        ):
            return match[0]
    return None


def value_of(match: re.Match[str]) -> float:
    """Return the number that a match of `NUMBER` has."""
    return float(match[1].replace(",", ""))


def count_digits(number: str) -> int:
    """Return how many significant digits a number is written with."""
    return len(number.replace(",", "").replace(".", "").strip("0"))


def _are_about_the_same(earlier: LocatedQuestion, later: LocatedQuestion, *, ideal: bool) -> bool:
    """Return True if both have one topic; for an ideal figure they must share a concept, too."""
    one, other = earlier.question, later.question
    return one.topic == other.topic and (not ideal or one.concept == other.concept)


def answers_of(item: LocatedQuestion) -> Iterator[Answer]:
    """Yield what must not be printed before a question is asked."""
    question = item.question
    if isinstance(question, Choice):
        right = [option.text for option in question.options if option.correct]
        texts = {plain(prose(text, language)) for text in right for language in LANGUAGES}
        for text in sorted(texts):
            if any(character.isalpha() for character in text):
                yield Answer(re.compile(rf"(?<![a-z0-9_]){re.escape(text)}(?![a-z0-9_])"))
    elif isinstance(question, Number) and question.unit is not None:
        bounds = compute_answer(question)
        for unit, factor in ((question.unit, 1.0), *question.units.items()):
            for pattern in _written(unit.casefold()):
                yield Answer(pattern, unit, bounds.low / factor, bounds.high / factor)


def _written(unit: str) -> Iterator[re.Pattern[str]]:
    """Yield how people write a number with this unit: 8 wavefronts, 8-way, 8 路, bank 12."""
    words = [re.escape(unit)]
    if unit.isalpha() and unit.endswith("s"):
        words.append(unit[:-1])
    if unit in _CHINESE:
        words.append(_CHINESE[unit])
    yield re.compile(rf"{NUMBER}[ -]?(?:个 ?)?(?:{'|'.join(words)})(?![a-z0-9_/])")
    if unit in _NAMED:
        yield re.compile(rf"(?<![a-z]){unit} (\d+)(?![a-z0-9_]|[.,]\d)")


def texts_of(item: LocatedQuestion) -> Iterator[tuple[FieldPath, str]]:
    """Yield all texts of a question, in all languages, and the code that it shows."""
    yield from in_each_language(prose_fields(item.question))
    for name in _CODE:
        code = getattr(item.question, name, None)
        if code is not None:
            yield (name,), code


def in_each_language(
    fields: Iterable[tuple[FieldPath, str | Translated]],
) -> Iterator[tuple[FieldPath, str]]:
    """Yield texts in all languages that they have."""
    for path, value in fields:
        if isinstance(value, str):
            yield path, value
        else:
            yield (*path, "en"), value.en
            if value.zh is not None:
                yield (*path, "zh"), value.zh


def plain(text: str) -> str:
    """Remove Markdown's marks, line ends, differences of case and a period at the end."""
    return " ".join(re.sub(r"[`*]", "", text).split()).casefold().rstrip(".。")
