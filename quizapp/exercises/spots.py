"""A `spot` question: drawn for a review, and what the emulator says is wrong with its kernel."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from grader.kernels import Graded
from grader.simt import Finding
from quizapp.domain.exercise import Case
from quizapp.domain.kernel import SPOTTABLE
from quizapp.domain.question import Spot
from quizapp.exercises.drawing import every_case, named
from quizapp.exercises.errors import BadExercise
from quizapp.exercises.formulas import Values, filled, filled_prose

FLOAT64 = "float64"
"""The topic of the one warning that counts as a fault here."""


@dataclass(frozen=True, eq=False)
class DrawnSpot:
    """A `spot` question as it is put: `question` has nothing left to draw."""

    question: Spot
    parameters: Mapping[str, int | str]


@dataclass(frozen=True, eq=False)
class Spotted:
    """What is wrong with the kernel, as the emulator reports it.

    Attributes:
        places: (line, kind) that are right, either end of a race.
        findings: that say so.
    """

    places: frozenset[tuple[int, str]]
    findings: tuple[Finding, ...]

    def right(self, line: int, kind: str) -> bool:
        """Whether a person found it."""
        return (line, kind) in self.places

    @property
    def lines(self) -> tuple[int, ...]:
        """Every line that is right."""
        return tuple(sorted({line for line, _ in self.places}))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every kind that is right."""
        return tuple(kind for kind in SPOTTABLE if kind in {found for _, found in self.places})


def draw_spot(spot: Spot, name: str, review: int) -> DrawnSpot:
    """The parameters of a review: other ones each time, until all were drawn.

    Args:
        spot: the question.
        name: its canonical id, which decides the order.
        review: how often it was answered before.

    Raises:
        BadExercise: it cannot be computed.
    """
    order = spot_cases(spot)
    random.Random(name).shuffle(order)  # noqa: S311 - no secret
    return drawn_spot(spot, order[review % len(order)])


def spot_cases(spot: Spot) -> list[Case]:
    """All that may be drawn; one empty case where nothing varies.

    Raises:
        BadExercise: there are more than can be looked at.
    """
    return every_case(spot.draw) if spot.draw else [{}]


def drawn_spot(spot: Spot, case: Case) -> DrawnSpot:
    """The question with these parameters.

    Raises:
        BadExercise: something of it cannot be computed.
    """
    values = named(case, spot.let, frozenset())
    shape = {**spot.shape, **values.numbers}
    question = msgspec.structs.replace(
        spot,
        prompt=filled_prose(spot.prompt, values, ("prompt",)),
        explanation=filled_prose(spot.explanation, values, ("explanation",)),
        hints=tuple(filled_prose(h, values, ("hints", i)) for i, h in enumerate(spot.hints)),
        code=_code(spot.code, values),
        shape={name: size for name, size in shape.items() if size > 0},
        draw={},
        let={},
    )
    return DrawnSpot(question, case)


def spotted(graded: Graded) -> Spotted:
    """What is wrong with the kernel.

    Raises:
        BadExercise: the kernel is not emulated, or nothing is wrong with it.
    """
    failure = graded.verdict.failure
    if failure is not None and failure.name == "source":
        what = f"line {failure.line}, column {failure.column}: {failure.came}; {failure.hint}"
        raise BadExercise(("code",), what, "write what the emulator runs")
    found = tuple(one for one in graded.findings if _counts(one))
    places = {(line, one.kind) for one in found for line in (one.line, one.other_line) if line}
    if not places:
        others = ", ".join(sorted({one.kind for one in graded.findings})) or "no finding at all"
        what = f"the emulator finds nothing that can be named ({others})"
        raise BadExercise(("code",), what, f"kinds: {', '.join(SPOTTABLE)}")
    return Spotted(frozenset(places), found)


def _counts(finding: Finding) -> bool:
    """Whether a person can name it."""
    if finding.kind == "warning":
        return finding.topic == FLOAT64
    return finding.kind in SPOTTABLE


def _code(code: str, values: Values) -> str:
    return filled(code, values, ("code",))
