"""Inputs for a kernel as a person types them: `n=1000 prediction=1000..1001 target=zeros`. Pure.

They are read into the inputs that a question offers, and stand beside them. Runs nothing.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from grader.facts import fact
from quizapp.domain.exercise import LARGEST
from quizapp.domain.grading import BadInput
from quizapp.domain.kernel import Figure, Filling, KernelArgument, OfferedInput, TypedInput
from quizapp.domain.question import InputChoice, Kernel, Option
from quizapp.domain.typed import arithmetic

MOST_ROWS = 9
"""Inputs of a question, with those that were typed: each has a digit."""

_PART = re.compile(
    r"\s*(?P<names>[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*[=＝]\s*"
    r"(?P<value>\w+\s*[(（][^()（）]*[)）]|(?:[^\s,;；，]|,(?=\d{3}))+)\s*[,;；，]?"
)
_RANGE = re.compile(
    r"(?:\w+\s*[(（](?P<low>[^,，]+)[,，](?P<high>[^)）]+)[)）])|(?P<from>.+?)\.\.(?P<to>.+)"
)
_WORDS: dict[str, Filling] = {
    "normal": "normal", "zeros": "zeros", "ones": "ones", "ramp": "ramp",
    "inf": "wide", "wide": "wide", "extremes": "extremes",
}  # fmt: skip
"""What an array may hold, as it is typed."""
CONTENTS = (*_WORDS, "5", "0..1")
"""The same as a list to be shown."""
_INTEGER = re.compile(r"(u?)int(\d+)")


def describe_input(given: OfferedInput) -> str:
    """Write an input as code: sizes, then what arrays hold."""
    parts = [f"{name} = {size}" for name, size in given.sizes.items()]
    written: dict[str, list[str]] = {}
    for name, filling in given.values.items():
        written.setdefault(_describe(given, name, filling), []).append(name)
    parts += [f"{', '.join(names)} = {what}" for what, names in written.items()]
    return f"`{'; '.join(parts)}`"


def read_input(kernel: Kernel, text: str) -> TypedInput:
    """Read an input; arrays of floats that it does not name hold normally distributed values.

    Raises BadInput: it is none of this kernel.
    """
    sizes: dict[str, int] = {}
    values: dict[str, Filling] = {}
    bounds: dict[str, tuple[Figure, Figure]] = {}
    arrays = {each.name: each for each in kernel.arguments if each.value is None}
    known = kernel.shapes[0]
    at = 0
    while at < len(text.rstrip()):
        part = _PART.match(text, at)
        if part is None:
            raise BadInput(fact("input.unread", text=text[at:].strip(), sizes=tuple(known)))
        at = part.end()
        for name in map(str.strip, part["names"].split(",")):
            if name in known:
                sizes[name] = _read_size(name, part["value"])
            elif name in arrays and arrays[name].role != "output":
                values[name], bounds[name] = _read_values(arrays[name], part["value"])
            else:
                names = (*known, *(n for n, each in arrays.items() if each.role != "output"))
                raise BadInput(fact("input.no-name", name=name, names=names))
    if not sizes and not values:
        raise BadInput(fact("input.unread", text=text.strip(), sizes=tuple(known)))
    for name, each in arrays.items():
        if name not in values and _holds_floats(each):
            values[name], bounds[name] = "normal", (0, 1)
    return TypedInput(sizes, values, text=" ".join(text.split()), bounds=bounds)


def add_input(question: InputChoice, given: TypedInput) -> InputChoice:
    """Return the question with another input at its end.

    Raises BadInput: it is there already, or there are too many.
    """
    described = describe_input(given)
    if described in (describe_input(each) for each in question.offered):
        raise BadInput(fact("input.same", input=described))
    if len(question.options) >= MOST_ROWS:
        raise BadInput(fact("input.full", n=MOST_ROWS))
    return replace(
        question, options=(*question.options, Option(described)), offered=(*question.offered, given)
    )


def example_of(kernel: Kernel) -> str:
    """Return an input of a kernel as it may be typed: a size, and an array of floats."""
    size = next(iter(kernel.shapes[0]), "")
    arrays = [each.name for each in kernel.arguments if _holds_floats(each)]
    return " ".join([*([f"{size}=1000"] if size else []), *(f"{name}=0..1" for name in arrays[:1])])


def take_up(question: InputChoice, draft: str) -> InputChoice:
    """Return the question with the inputs that a draft of its answer holds, one per line."""
    for line in draft.splitlines():
        try:
            question = add_input(question, read_input(question.kernel, line))
        except BadInput:
            continue  # the line with what is picked; or the kernel has changed since
    return question


def _holds_floats(array: KernelArgument) -> bool:
    floats = array.value is None and (array.dtype or "float32").startswith("float")
    return floats and array.role == "input"


def _describe(given: OfferedInput, name: str, filling: Filling) -> str:
    low, high = given.low, given.high
    if isinstance(given, TypedInput):
        low, high = given.bounds[name]
        if filling in ("equal", "uniform") and (filling == "equal" or low == high):
            return f"{low}"
        if filling == "wide":
            return "extremes"
    bounded = filling in ("uniform", "integers", "sorted", "peaks")
    return f"{filling}({low}, {high})" if bounded else filling


def _read_size(name: str, text: str) -> int:
    value = _read_number(name, text)
    if value == 0:
        raise BadInput(fact("input.no-blocks", name=name))
    if value != int(value) or not 1 <= value <= LARGEST:
        raise BadInput(fact("input.size", name=name, text=text, most=LARGEST))
    return int(value)


def _read_values(array: KernelArgument, text: str) -> tuple[Filling, tuple[Figure, Figure]]:
    """Read what an array holds: a word, a number for every element, or a range."""
    word, integer = text.strip().casefold().lstrip("+-"), _INTEGER.match(array.dtype or "")
    if word == "nan":
        raise BadInput(fact("input.nan", name=array.name))
    if word in _WORDS:
        filling = _WORDS[word]
        if integer is None:
            return ("wide" if filling == "extremes" else filling), (0, 1)
        if filling in ("wide", "normal"):
            raise BadInput(fact("input.integers", name=array.name, text=text))
        bits = int(integer[2]) - (not integer[1])
        return filling, (0 if integer[1] else -(2**bits), 2**bits)
    if found := _RANGE.fullmatch(text.strip()):
        low = _read_number(array.name, found["low"] or found["from"])
        high = _read_number(array.name, found["high"] or found["to"])
        if low >= high:
            raise BadInput(fact("input.range", name=array.name, low=low, high=high))
        if integer is None:
            return "uniform", (_plain(low), _plain(high))
        return "integers", (int(low), int(high) + 1)
    value = _read_number(array.name, text)
    if integer is not None:
        return "equal", (int(value), int(value) + 1)
    return "uniform", (_plain(value), _plain(value))


def _read_number(name: str, text: str) -> float:
    try:
        value, rest = arithmetic.compute_beginning(text)
    except arithmetic.BadExpression:
        rest = text
    if rest:
        raise BadInput(fact("input.value", name=name, text=text, known=CONTENTS))
    return value


def _plain(value: float) -> Figure:
    return int(value) if value == int(value) else value
