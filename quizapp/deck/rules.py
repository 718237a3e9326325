"""What a type cannot say about one question: rules between fields, translations, code width.

Each rule is a function from a question to its faults; `check` runs those of its kind. Rules that
span questions stand in `compile`.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Sequence

import msgspec

from grader import compute
from grader.did_you_mean import suggest
from grader.facts import fact
from quizapp.domain.languages import languages_of
from quizapp.domain.question import (
    AnyQuestion,
    Choice,
    CudaSpot,
    FollowUp,
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
from quizapp.exercises import formulas, proofs
from quizapp.exercises.faults import FieldFault, FieldPath
from quizapp.system.width import columns

CODE_COLUMNS = 74
"""Code is shown verbatim, never wrapped: in 80 columns, less margins and a scroll bar."""

NUMBERED_COLUMNS = 70
"""With a mark and a line number before each line, and no margin for a scroll bar."""

_FENCE = re.compile(r"^[ ]*```(\S*)[^\n]*\n(.*?)^[ ]*```", re.MULTILINE | re.DOTALL)
_WHOLE_FENCE = re.compile(r"^[ ]*```.*?^[ ]*```", re.MULTILINE | re.DOTALL)
_DRAWN = re.compile(r"\{\{.+?\}\}")
"""Stands for a drawn value, of which two digits are taken to be usual."""
_MARK = "```"
_LONGEST_QUOTE = 30
_INLINE_CODE = re.compile(r"`[^`]*`")
_CHINESE = re.compile(r"[㐀-鿿]")


def check(question: AnyQuestion, languages: Sequence[str]) -> list[FieldFault]:
    """List all faults of one valid question, given the languages its pack promises."""
    faults = list(_kind_faults(question))
    for path, value in prose_fields(question):
        faults += prose_faults(path, value, languages)
    return faults


def _kind_faults(question: AnyQuestion) -> Iterator[FieldFault]:
    match question:
        case Choice():
            yield from _choice_faults(question)
        case Number():
            yield from _number_faults(question)
        case Trace():
            yield from _trace_faults(question)
        case Kernel():
            yield from _put_faults(question)
            yield from _kernel_name_faults(question)
            yield from _exercise_faults(question)
        case Index():
            yield from _exercise_faults(question)
        case Spot():
            yield from _put_faults(question)
            if not languages_of(question):
                yield FieldFault((), fact("spot.no-code"))
            yield from _wide_lines(("code",), question.code, NUMBERED_COLUMNS)
            if question.cuda is not None:
                yield from _wide_lines(("cuda", "code"), question.cuda.code, NUMBERED_COLUMNS)
            yield from _exercise_faults(question)
        case Recall():
            return


def _choice_faults(question: Choice) -> Iterator[FieldFault]:
    right = [i for i, option in enumerate(question.options) if option.correct]
    if not right:
        yield FieldFault(("options",), fact("choice.none-correct"))
    if len(right) > 1 and not question.several:
        yield FieldFault(("options",), fact("choice.several-correct", n=len(right)))
    for i, option in enumerate(question.options):
        if not option.correct and option.why is None:
            yield FieldFault(("options", i), fact("choice.no-reason"))
    texts = [msgspec.json.encode(option.text) for option in question.options]
    for i, text in enumerate(texts):
        if text in texts[:i]:
            yield FieldFault(("options", i, "text"), fact("choice.repeated"))


def _number_faults(question: Number) -> Iterator[FieldFault]:
    given = [name for name in ("answer", "compute", "range") if getattr(question, name) is not None]
    if not given:
        yield FieldFault((), fact("number.no-value"))
    if len(given) > 1:
        yield FieldFault((), fact("number.several-values", fields=tuple(given)))
    if question.range is not None and question.range[0] > question.range[1]:
        yield FieldFault(("range",), fact("number.range-reversed"))
    if question.range is not None and question.tolerance != 0:
        yield FieldFault(("tolerance",), fact("number.range-and-tolerance"))
    for path, value in _numbers(question):
        if not math.isfinite(value):
            yield FieldFault(path, fact("number.not-finite", value=str(value)))
    if question.units and question.unit is None:
        yield FieldFault(("units",), fact("number.no-unit"))
    if question.compute is not None:
        try:
            compute.compute(question.compute)
        except compute.NotComputable as error:
            what = formulas.explain_failure(question.compute, error)
            yield FieldFault(("compute",), what, formulas.suggestion(error))


def _trace_faults(question: Trace) -> Iterator[FieldFault]:
    if question.ask != "bank" and question.basis is None:
        yield FieldFault((), fact("trace.no-basis"))
    if (question.ask == "bank") != (question.lane is not None):
        yield FieldFault((), fact("trace.lane-without-bank"))
    yield from _exercise_faults(question)


def _put_faults(question: Kernel | Spot) -> Iterator[FieldFault]:
    """Report what is set when a question is put: it follows from the code that there is."""
    if question.language != "python":
        yield FieldFault(("language",), fact("kernel-question.put", name="language"))
    if not isinstance(question, Kernel):
        return
    if question.twin is not None:
        yield FieldFault(("twin",), fact("kernel-question.put", name="twin"))
    for name in ("cuda", "gpu") if question.triton is not None else ():
        if getattr(question, name) is not None:
            yield FieldFault((name,), fact("kernel-question.triton-alone", name=name))


def _kernel_name_faults(question: Kernel) -> Iterator[FieldFault]:
    """Report a name that no function of the solution has; bad Python has its own fault."""
    try:
        tree = ast.parse(question.solution or "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    if names and question.kernel not in names:
        what = fact("kernel-question.no-function", name=question.kernel)
        yield FieldFault(("kernel",), what, suggest(question.kernel, names))


def _exercise_faults(question: Trace | Index | Kernel | Spot) -> Iterator[FieldFault]:
    """Report what keeps it from being asked; lint proves the rest."""
    fault = proofs.first_fault(question)
    if fault is not None:
        yield fault


def _numbers(question: Number) -> Iterator[tuple[FieldPath, float]]:
    """Yield every number that an answer is compared with."""
    if question.answer is not None:
        yield ("answer",), question.answer
    if isinstance(question.tolerance, float):
        yield ("tolerance",), question.tolerance
    for i, bound in enumerate(question.range or ()):
        yield ("range", i), bound
    for name, factor in question.units.items():
        yield ("units", name), factor


def prose_fields(question: AnyQuestion) -> Iterator[tuple[FieldPath, str | Translated]]:
    """Yield every prose field with its path."""
    yield ("prompt",), question.prompt
    yield ("explanation",), question.explanation
    for i, hint in enumerate(question.hints):
        yield ("hints", i), hint
    for i, follow in enumerate(question.follow_ups):
        if isinstance(follow, FollowUp):
            yield ("follow_ups", i, "prompt"), follow.prompt
            if follow.answer is not None:
                yield ("follow_ups", i, "answer"), follow.answer
    yield from _own_prose_fields(question)


def _own_prose_fields(question: AnyQuestion) -> Iterator[tuple[FieldPath, str | Translated]]:
    """Yield the prose fields that only its kind has."""
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
            yield from ((("wrong", i, "why"), mistake.why) for i, mistake in enumerate(wrong))
            if isinstance(question, Kernel):
                yield from _kernel_prose_fields(question)
        case Spot(cuda=CudaSpot() as cuda):
            yield from _spot_prose_fields(cuda)
        case Number() | Trace() | Spot():
            return


def _spot_prose_fields(cuda: CudaSpot) -> Iterator[tuple[FieldPath, str | Translated]]:
    for name in ("prompt", "explanation"):
        if (text := getattr(cuda, name)) is not None:
            yield ("cuda", name), text
    yield from ((("cuda", "hints", i), hint) for i, hint in enumerate(cuda.hints))


def _kernel_prose_fields(question: Kernel) -> Iterator[tuple[FieldPath, str | Translated]]:
    if question.gpu is not None and question.gpu.against:
        yield ("gpu", "against"), question.gpu.against
    if question.cuda is not None:
        yield from ((("cuda", "hints", i), hint) for i, hint in enumerate(question.cuda.hints))
    for i, mistake in enumerate(question.wrong):
        if mistake.cuda is not None and mistake.cuda.why is not None:
            yield ("wrong", i, "cuda", "why"), mistake.cuda.why


def prose_faults(
    path: FieldPath, value: str | Translated, languages: Sequence[str]
) -> Iterator[FieldFault]:
    """Report missing or untranslated text, code that differs between languages or is too wide."""
    if isinstance(value, str):
        if "zh" in languages and _has_words(value):
            yield FieldFault(path, fact("prose.english-only"))
        yield from _code_faults(path, value)
        return
    yield from _code_faults((*path, "en"), value.en)
    if value.zh is None:
        if "zh" in languages:
            yield FieldFault(path, fact("prose.no-chinese"))
        return
    yield from _code_faults((*path, "zh"), value.zh)
    if not value.en.isascii() and _CHINESE.search(_without_shared_code(value.en, value.zh)):
        yield FieldFault((*path, "en"), fact("prose.chinese-in-english"))
    if not _CHINESE.search(value.zh) and _has_words(value.zh):
        yield FieldFault((*path, "zh"), fact("prose.not-translated"))
    if _MARK in value.en + value.zh and _blocks(value.en) != _blocks(value.zh):
        yield FieldFault(path, fact("prose.code-differs"))


def _blocks(text: str) -> int:
    return len(_FENCE.findall(text))


def _without_shared_code(text: str, other: str) -> str:
    """Remove the code that stands in another text as well: a comment in it is nobody's prose."""
    spans = [*(found[0] for found in _WHOLE_FENCE.finditer(text)), *_INLINE_CODE.findall(text)]
    for span in spans:
        if span in other:
            text = text.replace(span, "")
    return text


def _has_words(text: str) -> bool:
    """Return True if it holds anything but code, numbers and signs."""
    return any(c.isalpha() for c in _INLINE_CODE.sub("", text))


def _code_faults(path: FieldPath, text: str) -> Iterator[FieldFault]:
    if _MARK not in text:
        return
    for language, code in _FENCE.findall(text):
        if not language:
            yield FieldFault(path, fact("code.no-language"))
        yield from _wide_lines(path, code, CODE_COLUMNS)


def _wide_lines(path: FieldPath, code: str, most: int) -> Iterator[FieldFault]:
    for line in _DRAWN.sub("00", code).splitlines():
        if columns(line) > most:
            start = line.strip()[:_LONGEST_QUOTE]
            yield FieldFault(path, fact("code.wide", columns=columns(line), most=most, line=start))
