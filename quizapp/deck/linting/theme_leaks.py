"""Finds numbers that a mock interview shows before the stage that asks for them.

Everything shown earlier is looked at: the opening, leads, prompts, options, facts, and feedback. A
number that the asking stage states itself is given, not found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from grader.facts import fact
from quizapp.deck.interview_themes import LocatedTheme
from quizapp.deck.linting.leaks import (
    NUMBER,
    TELLING_DIGITS,
    Answer,
    answers_of,
    count_digits,
    in_each_language,
    plain,
    texts_of,
    value_of,
)
from quizapp.deck.problems import ContentProblem
from quizapp.deck.question_location import LocatedQuestion
from quizapp.domain.interview_theme import ThemeStage
from quizapp.domain.question import Number
from quizapp.exercises.faults import FieldFault, FieldPath
from quizapp.exercises.numbers import compute_answer

_ANY_NUMBER = re.compile(NUMBER)


class _Shown(NamedTuple):
    """A text of a theme, and the stage with which it is shown; None from the start."""

    path: FieldPath
    text: str
    stage: ThemeStage | None


def theme_leak_problems(
    themes: Iterable[LocatedTheme], deck: Mapping[str, LocatedQuestion]
) -> Iterator[ContentProblem]:
    """Yield a problem for each text that shows the number which a later stage asks for."""
    for located in themes:
        own = {item.id: item for item in located.asked}
        texts = [*in_each_language(located.prose.fields)]
        shown = [_Shown(path, plain(text), None) for path, text in texts if path[0] != "stages"]
        for i, stage in enumerate(located.theme.stages):
            item = own.get(stage.id) or (None if stage.inputs else deck.get(stage.question))
            here = [_Shown(p, plain(text), stage) for p, text in texts if p[:2] == ("stages", i)]
            if item is not None:
                inside: FieldPath = ("ask",) if item.id in own else ("question",)
                for path, text in texts_of(item):
                    place = (*inside, *path) if item.id in own else inside
                    here.append(_Shown(("stages", i, *place), plain(text), stage))
                yield from _leaks(located, stage, item, here, shown)
            shown += here


def _leaks(
    located: LocatedTheme, stage: ThemeStage, item: LocatedQuestion,
    here: Iterable[_Shown], shown: Iterable[_Shown],
) -> Iterator[ContentProblem]:  # fmt: skip
    """Yield the texts among `shown` with the number that `stage` asks for, unless it is given."""
    if not isinstance(item.question, Number):
        return
    asks = [each.text for each in here if {"lead", "prompt", "question"} & {*each.path}]
    given = {value_of(match) for text in asks for match in _ANY_NUMBER.finditer(text)}
    bounds = compute_answer(item.question)
    answers = [*answers_of(item), Answer(_ANY_NUMBER, low=bounds.low, high=bounds.high)]
    name = stage.id.rpartition("/")[2]
    for each in shown:
        printed = None if _excludes(each.stage, stage) else _find(each.text, answers, given)
        if printed is not None:
            what = fact("theme.prints-answer", text=printed, name=name, line=stage.line)
            yield located.source.problem(FieldFault(each.path, what), located.theme.id)


def _excludes(earlier: ThemeStage | None, later: ThemeStage) -> bool:
    """Return True if a person meets one of these stages at most."""
    if earlier is None:
        return False
    pairs = (earlier.if_wrong, later.if_right), (earlier.if_right, later.if_wrong)
    return any(one is not None and one == other for one, other in pairs)


def _find(text: str, answers: Iterable[Answer], given: Collection[float]) -> str | None:
    """Return one of the answers as a text has it; a number without its unit only if it is long."""
    for answer in answers:
        for match in answer.pattern.finditer(text):
            value = value_of(match)
            fits = answer.low is not None and answer.low <= value <= answer.high
            if (
                fits
                and value not in given
                and (answer.unit or count_digits(match[1]) >= TELLING_DIGITS)
            ):
                return match[0]
    return None
