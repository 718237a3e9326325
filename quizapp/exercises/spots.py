"""A `spot` question: drawn for a review, and what the emulator says is wrong with its kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from grader.facts import fact
from grader.kernels import InvalidProblem, KernelGrade, counters_of, evaluate_number, evaluate_sizes
from grader.simt import Finding
from quizapp.domain.exercise import Case
from quizapp.domain.kernel import SPOTTABLE
from quizapp.domain.question import Spot
from quizapp.exercises.drawing import compute_values, draw_case, every_case
from quizapp.exercises.failures import describe
from quizapp.exercises.faults import BadExercise
from quizapp.exercises.formulas import fill, fill_prose

_TOPICS = {"float64": "warning", "overflow": "overflow", "never-written": "never-written"}
"""What a person calls a warning of the emulator, by its topic; others are not asked for."""

_MEASURES = (
    ("bank-conflict", "shared_wavefronts", "shared_ideal"),
    ("uncoalesced", "global_sectors", "global_ideal_sectors"),
)
"""What a costly line is called, with the counters of what it takes and of what would do."""


@dataclass(frozen=True, eq=False)
class DrawnSpot:
    """A `spot` question as it is asked: `question` has nothing left to draw."""

    question: Spot
    parameters: Mapping[str, int | str]


@dataclass(frozen=True, slots=True)
class SpotLaunch:
    """How the kernel is launched: threads along each axis, and all that it takes, as it is written.

    An array is `a: float32[256]`, a number `n = 100`.
    """

    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CostlyKernelLine:
    """A line that takes `spent` wavefronts or sectors, where `ideal` would do."""

    line: int
    kind: str
    spent: int
    ideal: int


@dataclass(frozen=True, eq=False)
class SpotAnswer:
    """What is wrong with the kernel, as the emulator reports it.

    Attributes:
        places: (line, kind) that are right, either end of a race.
        causes: (line, kind) that are right too: the bug comes from there, and shows elsewhere.
        findings, costs: that say so.
    """

    places: frozenset[tuple[int, str]]
    causes: frozenset[tuple[int, str]]
    findings: tuple[Finding, ...]
    costs: tuple[CostlyKernelLine, ...] = ()

    def score(self, line: int, kind: str) -> float:
        """Return 1 where it shows and where it comes from, else 0."""
        return float((line, kind) in self.places | self.causes)

    @property
    def lines(self) -> tuple[int, ...]:
        """Every line that is right."""
        return tuple(sorted({line for line, _ in self.places}))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every kind that is right."""
        return tuple(kind for kind in SPOTTABLE if kind in {found for _, found in self.places})


def draw_spot(spot: Spot, name: str, review: int) -> DrawnSpot:
    """Draw the question of a review: other parameters each time, until all were drawn.

    `name`: its canonical id, which decides the order. `review`: how often it was answered before.

    Raises BadExercise: it cannot be computed.
    """
    return build_spot(spot, draw_case(spot_cases(spot), name, review))


def spot_cases(spot: Spot) -> list[Case]:
    """List all that may be drawn; one empty case where nothing varies.

    Raises BadExercise: there are more than can be looked at.
    """
    return every_case(spot.draw) if spot.draw else [{}]


def build_spot(spot: Spot, case: Case) -> DrawnSpot:
    """Build the question with these parameters.

    Raises BadExercise: something of it cannot be computed.
    """
    values = compute_values(case, spot.let, frozenset())
    shape = {**spot.shape, **values.numbers}
    question = msgspec.structs.replace(
        spot,
        prompt=fill_prose(spot.prompt, values, ("prompt",)),
        explanation=fill_prose(spot.explanation, values, ("explanation",)),
        hints=tuple(fill_prose(h, values, ("hints", i)) for i, h in enumerate(spot.hints)),
        code=fill(spot.code, values, ("code",)),
        cause=tuple(fill(cause, values, ("cause", i)) for i, cause in enumerate(spot.cause)),
        shape={name: size for name, size in shape.items() if size > 0},
        draw={},
        let={},
    )
    return DrawnSpot(question, case)


def describe_launch(spot: Spot) -> SpotLaunch:
    """Describe how the kernel of a question without anything left to draw is launched.

    Raises BadExercise: a size cannot be computed.
    """
    declared = {argument.name: (i, argument) for i, argument in enumerate(spot.arguments)}
    arguments = []
    try:
        for name in spot.parameters:
            if name not in declared:
                arguments.append(f"{name} = {spot.shape[name]}")
                continue
            i, argument = declared[name]
            if argument.shape is None:
                arguments.append(
                    f"{name} = {evaluate_number(argument.value or 0, spot.shape, ()):g}"
                )
                continue
            shape = evaluate_sizes(argument.shape, spot.shape, ("arguments", i, "shape"))
            arguments.append(f"{name}: {argument.dtype}[{', '.join(map(str, shape))}]")
        grid = evaluate_sizes(spot.launch.grid, spot.shape, ("launch", "grid"))
        block = evaluate_sizes(spot.launch.block, spot.shape, ("launch", "block"))
    except InvalidProblem as error:
        raise BadExercise(error.path, error.what) from None
    return SpotLaunch(grid, block, tuple(arguments))


def find_answer(question: Spot, graded: KernelGrade) -> SpotAnswer:
    """Find what is wrong with the kernel, or which lines cost most.

    Raises BadExercise: the kernel is not emulated, nothing is wrong with it, or a cause is not a
    line.
    """
    failure = graded.verdict.failure
    if failure is not None and failure.name == "source":
        what = fact(
            "spot.refused",
            line=failure.line,
            column=failure.column,
            reason=describe(graded.verdict),
        )
        raise BadExercise(("code",), what)
    found = tuple(finding for finding in graded.findings if kind_of(finding) in question.kinds)
    kinds_found = [(kind_of(finding), finding) for finding in found]
    places = {
        (line, kind)
        for kind, finding in kinds_found
        for line in (finding.line, finding.other_line)
        if line
    }
    kinds = {kind for kind, _ in kinds_found}
    costs = tuple(_costs(graded)) if question.asks == "cost" else ()
    places |= {(cost.line, cost.kind) for cost in costs}
    kinds |= {cost.kind for cost in costs}
    causes = {(line, kind) for line in _cause_lines(question) for kind in kinds} - places
    if not places:  # an element that is never written shows in no line
        places, causes = causes, set()
    if not places:
        if not graded.findings:
            raise BadExercise(("code",), fact("spot.no-finding", kinds=question.kinds))
        others = tuple(sorted({finding.kind for finding in graded.findings}))
        raise BadExercise(
            ("code",), fact("spot.nothing-found", kinds=question.kinds, others=others)
        )
    return SpotAnswer(frozenset(places), frozenset(causes), found, costs)


def kind_of(finding: Finding) -> str:
    """Return a finding's kind as a person names it; empty for what is not asked for."""
    if finding.kind == "warning":
        return _TOPICS.get(finding.topic, "")
    return finding.kind if finding.kind in SPOTTABLE else ""


def _costs(graded: KernelGrade) -> Iterator[CostlyKernelLine]:
    """Yield lines that take at least twice the wavefronts or sectors that they need."""
    for line, counts in graded.runs[0].counts.items():
        for kind, *counters in _MEASURES:
            spent, needed = (
                sum(counts.get(name, 0) for name in counters_of(counter)) for counter in counters
            )
            if spent >= 2 * needed > 0:
                yield CostlyKernelLine(line, kind, spent, needed)


def _cause_lines(question: Spot) -> Iterator[int]:
    lines = question.code.split("\n")
    for i, cause in enumerate(question.cause):
        found = [number for number, line in enumerate(lines, 1) if cause.strip() in line]
        if len(found) != 1:
            raise BadExercise(("cause", i), fact("spot.cause", text=cause.strip(), n=len(found)))
        yield found[0]
