"""What the catalogue says of facts and errors, for tests that are about a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

from grader.facts import Fact, quote
from grader.mistakes import Mistake
from quizapp.deck.problems import ContentProblem
from quizapp.deck.yaml_reader import YamlFault
from quizapp.domain.errors import QuizError
from quizapp.exercises.faults import BadExercise, FieldFault
from quizapp.report.words import Words, texts


@cache
def catalogue() -> dict[str, tuple[str, str]]:
    """Every text by key, in English and in Chinese."""
    english, chinese = texts("en"), texts("zh")
    return {key: (english[key], chinese[key]) for key in english}


def english(what: Any) -> str:
    """The English sentence, with the advice behind "; " where there is any."""
    return write_sentence(what, Words("en"))


def chinese(what: Any) -> str:
    """The Chinese sentence, with the advice behind "; " where there is any."""
    return write_sentence(what, Words("zh"))


@contextmanager
def expect_error(
    kind: type[BaseException], match: str
) -> Iterator[pytest.ExceptionInfo[BaseException]]:
    """As `pytest.raises`, matching the English sentence and its advice."""
    with pytest.raises(kind) as raised:
        yield raised
    assert re.search(match, english(raised.value)), english(raised.value)


def write_sentence(what: Any, say: Words) -> str:
    hint: Fact | None = None
    if isinstance(what, Mistake):
        what, hint = what.what, what.instead
    elif isinstance(what, BadExercise):
        what, hint = what.fault.located_fact, what.fault.hint
    elif isinstance(what, FieldFault):
        what, hint = what.located_fact, what.hint
    elif isinstance(what, YamlFault):
        what = what.what
    elif isinstance(what, QuizError | ContentProblem):
        what, hint = what.what, what.hint
    elif isinstance(what, BaseException):
        hint = getattr(what, "instead", None)
        what = getattr(what, "what", quote(str(what)))
    advice = say.hint(what, hint)
    return f"{say.fact(what)}; {advice}" if advice else say.fact(what)


def sentence(what: Fact) -> str:
    """The English sentence alone."""
    return Words("en").fact(what)
