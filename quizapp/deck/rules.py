"""What a type cannot say about one question: rules between fields, translations, code width.

Each rule is a function from a question to its faults; `check` runs those of its kind. Rules that
span questions stand in `compile`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

import msgspec

from quizapp.deck.validate import Invalid
from quizapp.deck.yaml_reader import Path
from quizapp.domain.question import (
    AnyQuestion,
    Choice,
    Index,
    Kernel,
    Number,
    Recall,
    Spot,
    Trace,
    Translated,
    WrongKernel,
    WrongSolution,
)
from quizapp.width import columns

CODE_COLUMNS = 76
"""Code is shown verbatim, never wrapped, in a terminal of 80 columns with a margin of two."""

NUMBERED_COLUMNS = CODE_COLUMNS - 6
"""With a mark and a line number before each line."""

_FENCE = re.compile(r"^[ ]*```(\S*)[^\n]*\n(.*?)^[ ]*```", re.MULTILINE | re.DOTALL)
_DRAWN = re.compile(r"\{\{.+?\}\}")
"""Stands for a drawn value, of which two digits are taken to be usual."""
_MARK = "```"
_INLINE_CODE = re.compile(r"`[^`]*`")
_CHINESE = re.compile(r"[㐀-鿿]")


def check(question: AnyQuestion, languages: Sequence[str]) -> list[Invalid]:
    """All faults of one valid question, given the languages its pack promises."""
    faults = list(_kind_faults(question))
    for path, value in _prose_fields(question):
        faults += _prose_faults(path, value, languages)
    return faults


def _kind_faults(question: AnyQuestion) -> Iterator[Invalid]:
    match question:
        case Choice():
            yield from _choice_faults(question)
        case Number():
            yield from _number_faults(question)
        case Trace():
            yield from _trace_faults(question)
        case Index() | Kernel():
            yield from _exercise_faults(question)
        case Spot():
            yield from _wide_lines(("code",), question.code, NUMBERED_COLUMNS)
            yield from _exercise_faults(question)
        case Recall():
            return


def _choice_faults(question: Choice) -> Iterator[Invalid]:
    right = [i for i, option in enumerate(question.options) if option.correct]
    if not right:
        yield Invalid(("options",), "no option is correct", "mark one with `correct: true`")
    if len(right) > 1 and not question.several:
        what = f"{len(right)} options are correct"
        yield Invalid(("options",), what, "add `several: true`, or keep one")
    for i, option in enumerate(question.options):
        if not option.correct and option.why is None:
            yield Invalid(("options", i), "a wrong option without a reason", "add `why:`")
    texts = [msgspec.json.encode(option.text) for option in question.options]
    for i, text in enumerate(texts):
        if text in texts[:i]:
            yield Invalid(("options", i, "text"), "this option stands twice", "remove one")


def _number_faults(question: Number) -> Iterator[Invalid]:
    given = [name for name in ("answer", "compute", "range") if getattr(question, name) is not None]
    if len(given) != 1:
        what = " and ".join(f"'{name}'" for name in given) or "no expected value"
        yield Invalid((), what, "give one of: answer, compute, range")
    if question.range is not None and question.range[0] > question.range[1]:
        yield Invalid(("range",), "the bounds are the wrong way round", "write [low, high]")
    if question.range is not None and question.tolerance != 0:
        yield Invalid(("tolerance",), "a range has no tolerance", "remove one of the two")
    for path, value in _numbers(question):
        if not math.isfinite(value):
            yield Invalid(path, f"{value} is no number to compare with", "write a finite one")
    if question.units and question.unit is None:
        yield Invalid(("units",), "further units without a first", "add `unit:`")
    if question.compute is not None:
        from grader.compute import NotComputable, compute  # noqa: PLC0415 - NumPy, 80 ms

        try:
            compute(question.compute)
        except NotComputable as error:
            what = f"cannot be computed: {error} (character {error.column})"
            yield Invalid(("compute",), what, "see docs/authoring.md for what it may hold")


def _trace_faults(question: Trace) -> Iterator[Invalid]:
    if question.ask != "bank" and question.basis is None:
        todo = "add `basis: as-written`, or `as-compiled`"
        yield Invalid((), "it asks for counts, and does not say of what", todo)
    if (question.ask == "bank") != (question.lane is not None):
        yield Invalid((), "`lane:` belongs to `ask: bank`, and only there", "give both or neither")
    yield from _exercise_faults(question)


def _exercise_faults(question: Trace | Index | Kernel | Spot) -> Iterator[Invalid]:
    """What keeps it from being asked; that all of it holds is for lint to show."""
    from quizapp.exercises.proofs import first_fault  # noqa: PLC0415 - NumPy, 80 ms

    fault = first_fault(question)
    if fault is not None:
        yield Invalid(fault.path, fault.what, fault.todo)


def _numbers(question: Number) -> Iterator[tuple[Path, float]]:
    """Every number that an answer is compared with."""
    if question.answer is not None:
        yield ("answer",), question.answer
    if isinstance(question.tolerance, float):
        yield ("tolerance",), question.tolerance
    for i, bound in enumerate(question.range or ()):
        yield ("range", i), bound
    for name, factor in question.units.items():
        yield ("units", name), factor


def _prose_fields(question: AnyQuestion) -> Iterator[tuple[Path, str | Translated]]:
    """Every prose field with its path."""
    yield ("prompt",), question.prompt
    yield ("explanation",), question.explanation
    for name in ("hints", "follow_ups"):
        for i, value in enumerate(getattr(question, name)):
            yield (name, i), value
    yield from _own_prose_fields(question)


def _own_prose_fields(question: AnyQuestion) -> Iterator[tuple[Path, str | Translated]]:
    """Those that only its kind has."""
    match question:
        case Recall():
            yield ("answer",), question.answer
            for i, point in enumerate(question.rubric):
                yield ("rubric", i, "point"), point.point
        case Choice():
            for i, option in enumerate(question.options):
                yield ("options", i, "text"), option.text
                if option.why is not None:
                    yield ("options", i, "why"), option.why
        case Index() | Kernel():
            wrong: Sequence[WrongSolution | WrongKernel] = question.wrong
            yield from ((("wrong", i, "why"), one.why) for i, one in enumerate(wrong))
            if isinstance(question, Kernel) and question.gpu and question.gpu.against:
                yield ("gpu", "against"), question.gpu.against
        case Number() | Trace() | Spot():
            return


def _prose_faults(
    path: Path, value: str | Translated, languages: Sequence[str]
) -> Iterator[Invalid]:
    """Missing or untranslated text, code that differs between languages, code too wide."""
    if isinstance(value, str):
        if "zh" in languages and not _is_reference(path, value) and _has_words(value):
            yield Invalid(path, "the Chinese is missing", "write {en: …, zh: …}")
        yield from _code_faults(path, value)
        return
    yield from _code_faults((*path, "en"), value.en)
    if value.zh is None:
        if "zh" in languages:
            yield Invalid(path, "the Chinese is missing", "add `zh:`")
        return
    yield from _code_faults((*path, "zh"), value.zh)
    if not value.en.isascii() and _CHINESE.search(value.en):
        yield Invalid((*path, "en"), "the English holds Chinese", "move it to `zh:`")
    if not _CHINESE.search(value.zh) and _has_words(value.zh):
        yield Invalid((*path, "zh"), "this is not Chinese", "translate it")
    if _MARK in value.en + value.zh and _blocks(value.en) != _blocks(value.zh):
        what = "the two languages hold different numbers of code blocks"
        yield Invalid(path, what, "show the same code in both")


def _blocks(text: str) -> int:
    return len(_FENCE.findall(text))


def _is_reference(path: Path, value: str) -> bool:
    """A follow-up may be an id, which needs no translation."""
    return path[0] == "follow_ups" and re.fullmatch(r"[a-z0-9/-]+", value) is not None


def _has_words(text: str) -> bool:
    """Whether anything but code, numbers and signs stands in it."""
    return any(c.isalpha() for c in _INLINE_CODE.sub("", text))


def _code_faults(path: Path, text: str) -> Iterator[Invalid]:
    if _MARK not in text:
        return
    for language, code in _FENCE.findall(text):
        if not language:
            yield Invalid(path, "a code block without a language", "write ```cuda or ```text")
        yield from _wide_lines(path, code, CODE_COLUMNS)


def _wide_lines(path: Path, code: str, most: int) -> Iterator[Invalid]:
    for line in _DRAWN.sub("00", code).splitlines():
        if columns(line) > most:
            what = f"a code line of {columns(line)} columns: {line.strip()[:30]}…"
            yield Invalid(path, what, f"keep code within {most} columns")
