"""The gates of a layout, in order, each with a counterexample.

parses → defined → integers → inside → one slot → aligned → wavefronts of each access.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.banks import Access, IntArray, cost, cost_many
from grader.layouts.errors import LayoutError, NotUnderstood, NotWhole, NoValue, TooMuchWork
from grader.layouts.report import AccessReport, Grade, counted
from grader.layouts.source import Source, evaluate, read
from grader.layouts.tiles import Exercise, Tile, TileAccess, lanes_taking_part
from grader.verdict import Gate, Verdict, verdict

GATES = ("parses", "defined", "integers", "inside", "one slot", "aligned", "wavefronts")

_EXPECTED: Mapping[str, str] = {
    "parses": "a C expression, or def index(row, col): in Python",
    "defined": "a value for every element",
    "integers": "whole numbers",
    "inside": "slots within the storage allowed",
    "one slot": "a slot of its own for every element",
    "aligned": "neighbours stay together, at multiples of the access width",
}
_MOST_SHOWN = 4


class _Failed(Exception):
    """A gate was not passed."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate


def gate_names(exercise: Exercise) -> tuple[str, ...]:
    """The keys of all gates, in order."""
    return (*GATES[:-1], *(f"wavefronts: {access.name}" for access in exercise.accesses))


def grade(source: str, exercise: Exercise) -> Grade:
    """The verdict on a person's layout: a Python `index(row, col)` or a C expression.

    Nothing of the source is executed. Errors of the source are part of the verdict, not raised.
    """
    passed: list[Gate] = []
    language, placed = "", None
    try:
        understood = _parsed(source, exercise)
        language = understood.language
        passed.append(_pass("parses", language))
        indices = _indices(understood, exercise)
        placed = _flat(indices, exercise.tile)
        passed += _pass("defined"), _pass("integers")
        slots = _inside(indices, exercise)
        passed.append(_pass("inside"))
        _one_slot(slots, exercise)
        passed.append(_pass("one slot"))
        _aligned(slots, exercise)
        passed.append(_pass("aligned"))
    except _Failed as failed:
        if failed.gate.name == "integers":
            passed.append(_pass("defined"))
        if failed.gate.name == "parses":
            passed.clear()  # some of it is understood only when it is run
        passed.append(failed.gate)
        return Grade(verdict(passed, gate_names(exercise)), language, placed)
    return _figures(language, slots, exercise, passed)


def _figures(language: str, slots: IntArray, exercise: Exercise, passed: list[Gate]) -> Grade:
    reports = tuple(
        _costed(slots, exercise, access, touched)
        for access, touched in zip(exercise.accesses, exercise.elements_touched, strict=True)
    )
    passed += [_wavefronts(report, exercise) for report in reports]
    tile = exercise.tile
    extra = max(0, int(slots.max()) + 1 - tile.elements)
    return Grade(
        Verdict(tuple(passed)), language, slots, slots.reshape(tile.rows, tile.columns), extra,
         extra * tile.element_bytes, reports,
    )  # fmt: skip


def _pass(name: str, came: str = "") -> Gate:
    return Gate(name, "passed", expected=_EXPECTED[name], came=came)


def _fail(name: str, came: str, counterexample: str = "", hint: str = "") -> _Failed:
    return _Failed(
        Gate(
            name, "failed", expected=_EXPECTED[name], came=came, counterexample=counterexample,
            hint=hint,
        )
    )  # fmt: skip


def _parsed(source: str, exercise: Exercise) -> Source:
    try:
        return read(source, names=exercise.names, constants=exercise.constants)
    except NotUnderstood as error:
        raise _in_source("parses", error) from None


def _indices(source: Source, exercise: Exercise) -> tuple[IntArray, ...]:
    try:
        return evaluate(source, exercise.names)
    except NotUnderstood as error:
        raise _in_source("parses", error) from None
    except TooMuchWork as error:
        raise _in_source("defined", error) from None
    except NoValue as error:
        gate = "integers" if isinstance(error, NotWhole) else "defined"
        raise _in_source(gate, error, f"at element {_at(exercise, error.element)}") from None


def _in_source(gate: str, error: LayoutError, counterexample: str = "") -> _Failed:
    return _Failed(
        Gate(
            gate, "failed", expected=_EXPECTED[gate], came=error.what,
            counterexample=counterexample, hint=error.instead, line=error.line, column=error.column,
        )
    )  # fmt: skip


def _at(exercise: Exercise, element: int) -> str:
    """An element by its coordinates: `(3, 0)`."""
    return f"({element // exercise.tile.columns}, {element % exercise.tile.columns})"


def _inside(indices: tuple[IntArray, ...], exercise: Exercise) -> IntArray:
    """The slots, (elements,)."""
    tile = exercise.tile
    slots = _flat(indices, tile)
    if len(indices) > 1:
        row, column = indices
        outside = (column < 0) | (column >= tile.row_pitch)
        if outside.any():
            element = int(np.argmax(outside))
            came = f"({row[element]}, {column[element]})"
            raise _fail(
                "inside", f"column {column[element]} in rows of {tile.row_pitch}",
                f"element {_at(exercise, element)} goes to {came}",
                f"columns go from 0 to {tile.row_pitch - 1}",
            )  # fmt: skip
    outside = (slots < 0) | (slots >= tile.allowed_storage)
    if outside.any():
        element = int(np.argmax(outside))
        place = ", ".join(str(index[element]) for index in indices)
        came = f"({place})" if len(indices) > 1 else f"slot {place}"
        raise _fail(
            "inside", f"{came}, with {tile.allowed_storage} slots allowed",
            f"element {_at(exercise, element)} goes to {came}",
            f"slots go from 0 to {tile.allowed_storage - 1}",
        )  # fmt: skip
    return slots


def _flat(indices: tuple[IntArray, ...], tile: Tile) -> IntArray:
    """Slots, of (row, column) too; rows far outside stay outside, and cannot wrap around."""
    if len(indices) == 1:
        return indices[0]
    row, column = indices
    limit = tile.allowed_storage + 1
    return np.clip(row, -limit, limit) * tile.row_pitch + column


def _one_slot(slots: IntArray, exercise: Exercise) -> None:
    order = np.argsort(slots, kind="stable")
    ordered = slots[order]
    again = ordered[1:] == ordered[:-1]
    if not again.any():
        return
    # Of all pairs, the one whose second element comes first in the tile.
    pairs = np.flatnonzero(again)
    pair = pairs[np.argmin(order[pairs + 1])]
    first, second = int(order[pair]), int(order[pair + 1])
    both = f"{_at(exercise, first)} and {_at(exercise, second)}"
    raise _fail(
        "one slot", f"{both} share slot {slots[first]}", f"elements {both}",
        "what is stored second overwrites the first",
    )  # fmt: skip


def _aligned(slots: IntArray, exercise: Exercise) -> None:
    tile = exercise.tile
    for access, touched in zip(exercise.accesses, exercise.elements_touched, strict=True):
        first = slots[touched]
        there = lanes_taking_part(access)
        for step in range(1, access.elements):
            apart = there & (slots[np.where(there, touched + step, 0)] != first + step)
            if apart.any():
                warp, lane = np.argwhere(apart)[0]
                begin = int(touched[warp, lane])
                both = f"{_at(exercise, begin)} and {_at(exercise, begin + step)}"
                places = f"slots {slots[begin]} and {slots[begin + step]}"
                raise _fail(
                    "aligned",
                    f"{both} belong to one access, but are in {places}",
                    f"{access.name}: warp {warp}, lane {lane}",
                    f"move groups of {access.elements} elements, not single ones",
                )
        width = exercise.width(access)
        addresses = tile.base + first * tile.element_bytes
        wrong = there & (addresses % width != 0)
        if wrong.any():
            warp, lane = np.argwhere(wrong)[0]
            raise _fail(
                "aligned",
                f"byte address {addresses[warp, lane]} is no multiple of {width}",
                f"{access.name}: warp {warp}, lane {lane}, element"
                f" {_at(exercise, int(touched[warp, lane]))}",
                f"rows must begin at multiples of {width} bytes",
            )


def _costed(
    slots: IntArray, exercise: Exercise, access: TileAccess, touched: IntArray
) -> AccessReport:
    addresses = exercise.tile.base + slots[touched] * exercise.tile.element_bytes
    width = exercise.width(access)
    costs = cost_many(access.kind, width, addresses, access.active, exercise.arch)
    yours = counted(costs)
    allowed = costs.ideal if access.allowed is None else np.full_like(yours, access.allowed)
    worst = int(np.argmax(yours - allowed))
    one = cost(
        Access(access.kind, width, addresses[worst], lanes_taking_part(access)[worst]),
        exercise.arch,
    )
    return AccessReport(
        access.name, access.kind, width, int(yours[worst]), int(costs.ideal[worst]),
        int(allowed[worst]), worst, len(yours), int(yours.sum()), int(costs.ideal.sum()), one,
        touched[worst], addresses[worst],
    )  # fmt: skip


def _wavefronts(report: AccessReport, exercise: Exercise) -> Gate:
    came = f"{report.wavefronts} (ideal {report.ideal}, allowed {report.allowed})"
    expected = f"at most {report.allowed} wavefront{'s' * (report.allowed != 1)} a warp"
    if report.passed:
        return Gate("wavefronts", "passed", report.name, expected, came)
    hint = "spread these lanes over banks: words that differ by a multiple of 32 meet"
    return Gate(
        "wavefronts", "failed", report.name, expected, came, _witness(report, exercise), hint
    )


def _witness(report: AccessReport, exercise: Exercise) -> str:
    """`warp 0: lanes 0, 1, 2, 3, … (32) meet on bank 0, in words 0, 32, 64, 96, … (32)`."""
    use = report.cost.witness
    if use is None:
        return f"warp {report.warp}"
    lanes = sorted({lane for word in use.words for lane in word.lanes})
    words = [word.word for word in use.words]
    first = _at(exercise, int(report.elements[lanes[0]]))
    last = _at(exercise, int(report.elements[lanes[-1]]))
    return (
        f"warp {report.warp}: lanes {_some(lanes)} meet on bank {use.bank} in words {_some(words)}"
        f": elements {first} to {last}"
    )


def _some(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_MOST_SHOWN]))
    return shown if len(numbers) <= _MOST_SHOWN else f"{shown}, … ({len(numbers)} in all)"
