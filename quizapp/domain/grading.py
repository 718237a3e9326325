"""Was the answer right? Exact for choices, within tolerance for numbers, by points for recalls.

Pure: what was expected and what was given in, a `Grade` out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from statistics import fmean

from grader.facts import Fact, fact
from quizapp.domain.question import Choice, FactChoice, Number, Recall
from quizapp.domain.typed import arithmetic

_UNIT = re.compile(r"-?[^\W\d_].*|[%×]")

_FURTHER_NAMES = {
    "way": ("路", "路冲突"), "conflict": ("冲突", "bank冲突"), "time": ("x", "×", "倍"),
    "column": ("列",), "position": ("位置",), "element": ("元素",), "block": ("线程块", "块"),
    "group": ("组",), "set": ("组",), "line": ("缓存行", "行"), "chunk": ("块",),
    "probe": ("探测",), "thread": ("线程",), "cycle": ("周期",), "register": ("寄存器",),
    "request": ("请求",), "instruction": ("指令",), "byte": ("字节",), "page": ("页",),
    "step": ("步",), "day": ("天", "d"), "part": ("段",),
    "point": ("百分点", "percentagepoints", "percentagepoint"), "copie": ("拷贝", "copy"),
    "arrival": ("到达",), "iteration": ("轮",), "word": ("字",), "bit": ("位",),
    "transaction": ("事务",), "launche": ("启动", "launch"), "barrier": ("屏障",),
    "operation": ("运算",), "load": ("读取",), "store": ("写入",), "row": ("行",),
    "atomic": ("原子操作",), "matrice": ("矩阵", "matrix"), "accesse": ("访问", "access"),
}  # fmt: skip
"""How people write a unit else, most of them in Chinese, by its name in the singular."""

_SIGNS = frozenset(" 0123456789.,+-*/^()%_")
_NUMERAL = ("e", "x")
"""Letters within a number, and between two: `1e6`, `0x1f`, `3 x 4`."""
_WORD = re.compile(r"0[xX][0-9a-fA-F]*$|[^\W\d_]+(?:\s*/\s*)?$")
"""What was begun before a letter: a name such as `GB/s`, or a number in hexadecimal digits."""

_BINARY_PREFIXES = ("ki", "mi", "gi", "ti")


LEAST_WORDS = 5
"""Of an answer that can hold a point of a rubric."""
_ANY_WORD = re.compile(r"\w+")
_HAN = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Grade:
    """The outcome: `score` is 0–1, and `correct` says whether it counts as right."""

    correct: bool
    score: float


@dataclass(frozen=True, slots=True)
class AcceptedRange:
    """The values a `number` question accepts, in its own unit, both bounds included."""

    low: float
    high: float

    @property
    def value(self) -> float:
        """The value to show as the answer."""
        return (self.low + self.high) / 2


class NotSubmitted(ValueError):
    """The answer cannot be graded as it is."""


class NotANumber(NotSubmitted):
    """What was typed cannot be computed; `what` says why."""

    def __init__(self, what: Fact) -> None:
        super().__init__(what)
        self.what = what


class BadInput(NotSubmitted):
    """What was typed is no input of the kernel; `what` says why."""

    def __init__(self, what: Fact) -> None:
        super().__init__(what)
        self.what = what


class UnknownUnit(NotSubmitted):
    """The question does not know the unit."""


def grade_choice(question: Choice, picked: Collection[int]) -> Grade:
    """Require all right options and no other; `picked` are positions in `question.options`.

    Part of the right ones has a part of the score, less what is wrong among them: nothing is to be
    had by guessing.
    """
    right = {i for i, option in enumerate(question.options) if option.correct}
    chosen = set(picked)
    hits, misses = len(chosen & right), len(chosen - right)
    correct = chosen == right
    return Grade(correct, 1.0 if correct else max(hits - misses, 0) / (len(right) + 1))


def grade_facts(question: FactChoice, asked: Collection[int]) -> Grade:
    """Require what matters to be asked for, and nothing else.

    The score is the share asked for of the facts that matter less that of the others: asking for
    all of them scores 0.
    """
    shares = []
    for matters in (True, False):
        alike = [i for i, each in enumerate(question.facts) if each.matters is matters]
        shares.append(len({*alike} & {*asked}) / len(alike))
    worth = shares[0] - shares[1]
    return Grade(worth == 1, max(0.0, worth))


def score_above(reached: float, by_chance: float, most: float) -> float:
    """Return 0 for what chance reaches on average, 1 for all that can be reached, or more."""
    if reached >= most:
        return float(most > 0)
    return max(0.0, (reached - by_chance) / (most - by_chance)) if by_chance < most else 0.0


def guess_score(question: Choice) -> float:
    """Return what a guess scores on average: as many options as are to be chosen, or any number.

    Facts and inputs score above chance as it is.
    """
    positions = range(len(question.options))
    stated = question.stated_count if question.several else 1
    sizes = [stated] if stated else range(1, len(positions) + 1)
    picks = chain.from_iterable(combinations(positions, size) for size in sizes)
    return fmean(grade_choice(question, picked).score for picked in picks)


def mean_above_chance(scores: Iterable[tuple[float, float]]) -> float | None:
    """Return the mean of scores less what guesses score on average, 0–1; None if there are none.

    `scores`: each with that average, less than 1.
    """
    listed = list(scores)
    reached, by_chance = (sum(column) for column in zip(*listed, strict=True)) if listed else (0, 0)
    return score_above(reached, by_chance, len(listed)) if listed else None


def grade_number(expected: AcceptedRange, given: float) -> Grade:
    """Require a value within the bounds; a relative slack of 1e-9 forgives decimal fractions."""
    slack = 1e-9 * max(abs(expected.low), abs(expected.high))
    correct = expected.low - slack <= given <= expected.high + slack
    return Grade(correct, float(correct))


def grade_recall(question: Recall, covered: Collection[int]) -> Grade:
    """Grade by the rubric weight covered; `covered` are positions in the rubric."""
    total = sum(point.weight for point in question.rubric)
    score = sum(question.rubric[i].weight for i in set(covered)) / total
    return Grade(correct=score >= 0.5, score=score)


def count_words(text: str) -> int:
    """Count the words of a text; two Chinese characters count as one."""
    han = len(_HAN.findall(text))
    return len(_ANY_WORD.findall(_HAN.sub(" ", text))) + (han + 1) // 2


def is_terse(text: str) -> bool:
    """Return True if something was written, but hardly enough for a point of a rubric.

    Nothing at all is an answer that was said.
    """
    return bool(text.strip()) and count_words(text) < LEAST_WORDS


def range_around(question: Number, value: float) -> AcceptedRange:
    """Return the bounds around the expected `value` (given in the question, or computed)."""
    if question.range is not None:
        return AcceptedRange(*question.range)
    tolerance = question.tolerance
    if isinstance(tolerance, str):
        width = abs(value) * float(tolerance.rstrip("% ")) / 100
    else:
        width = tolerance
    return AcceptedRange(value - width, value + width)


def read_number(question: Number, text: str) -> float:
    """Read a number as typed, in the question's unit.

    Takes `1,024`, `1e3`, `2^10`, `80*195.84/1000`, and a unit the question knows, behind the
    number or before it (`column 11`); without a unit the question's own is meant.

    Raises:
        NotANumber: it cannot be computed.
        UnknownUnit: the unit is not among the question's.
    """
    known = _known_units(question)
    name, bare = _split_name(text, known)
    try:
        value, unit = arithmetic.compute_beginning(bare)
    except arithmetic.BadExpression as error:
        raise NotANumber(error.what) from None
    if unit and not _UNIT.fullmatch(unit):
        column = len(bare.rstrip()) - len(unit) + 1
        raise NotANumber(fact("typed.unexpected", found=unit[0], column=column))
    if _plain(unit) not in known:
        raise UnknownUnit(unit)
    value *= known[_plain(unit)] * known[name]
    if not math.isfinite(value):
        raise NotANumber(fact("typed.no-value", column=1))
    return value


def can_go_on(question: Number, before: str, character: str) -> bool:
    """Return True if a character can be the next of a number, an expression, or one of its units.

    Within a word it can, whatever the word: who mistypes a unit does not mean a command.
    """
    if not character.isascii() or not character.isalpha():
        return not character.isascii() or character in _SIGNS
    word = _WORD.search(before)
    begun = word[0] if word is not None else ""
    if begun:
        return True
    after_digit = before.rstrip()[-1:] in set("0123456789.)")
    names = {*_known_units(question), *_unit_words(question), *(_NUMERAL if after_digit else ())}
    return any(name.startswith(character.casefold()) for name in names)


def _unit_words(question: Number) -> Iterator[str]:
    """Yield the units as their author writes them, in one case."""
    for unit in (question.unit or "", *question.units):
        yield unit.lstrip("-").casefold()


def _known_units(question: Number) -> dict[str, float]:
    """Return what one of each unit is worth in the question's; no unit is the question's."""
    known = {_plain(name): factor for name, factor in question.units.items()}
    known |= {_plain(question.unit or ""): 1.0, "": 1.0}
    for name, factor in list(known.items()):
        known |= dict.fromkeys(_FURTHER_NAMES.get(name, ()), factor)
    if (byte := known.get("b", known.get("byte"))) is not None:
        prefixed = {f"{p}b": byte * 1024**n for n, p in enumerate(_BINARY_PREFIXES, 1)}
        known = {"b": byte, "byte": byte} | prefixed | known
    return known


def _split_name(text: str, known: Collection[str]) -> tuple[str, str]:
    """Split off a unit that stands before its number, as in `column 11` and `第 11 列`.

    The name is replaced by spaces, so that a column in the text stays what it is.
    """
    found = re.match(r"\s*(第|[^\W\d_]+)(?=\s*\d)", text)
    name = _plain(found[1]) if found else ""
    if found is None or name not in known:
        return "", text
    return name, " " * found.end() + text[found.end() :]


def _plain(unit: str) -> str:
    """Normalize a unit: without spaces, in one case, in the singular ("wavefronts", "1-way")."""
    bare = unit.replace(" ", "").lstrip("-个次条第").casefold()
    return bare[:-1] if bare.endswith("s") and "/" not in bare and len(bare) > 2 else bare
