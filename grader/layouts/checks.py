"""The gates of a layout, in order; each that fails says why in a fact with the smallest case.

source → defined → integers → inside → one slot → aligned → equals → wavefronts of each access.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from grader.banks import Access, IntArray, cost, cost_many
from grader.facts import Fact, fact
from grader.layouts.errors import LayoutError, NotUnderstood, NotWhole, NoValue, TooMuchWork
from grader.layouts.report import AccessReport, LayoutGrade, graded_wavefronts
from grader.layouts.source import LayoutSource, evaluate, find_rounded, read
from grader.layouts.tiles import Exercise, Tile, TileAccess, participating_lanes
from grader.verdict import Gate, Verdict, verdict

GATES = ("source", "defined", "integers", "inside", "one slot", "aligned", "equals", "wavefronts")
"""`equals` is a gate only where only one placement is right."""

_NEGATIVE = fact("layout.negative-division")


class _Placed(NamedTuple):
    """Where a source puts the elements of an exercise. `indices`: one (elements,) array, or two."""

    indices: tuple[IntArray, ...]
    source: LayoutSource


class _GateFailed(Exception):
    """A gate was not passed."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate


def gate_names(exercise: Exercise) -> tuple[str, ...]:
    """List the keys of all gates of an exercise, in order."""
    single = [name for name in GATES[:-1] if name != "equals" or exercise.equals is not None]
    return (*single, *(f"wavefronts: {access.name}" for access in exercise.accesses))


def grade(source: str, exercise: Exercise) -> LayoutGrade:
    """Grade a layout: a Python `index(row, col)` or C.

    Nothing of the source is executed. Errors of the source are part of the verdict, not raised.
    """
    passed: list[Gate] = []
    language, placed = "", None
    try:
        understood = _parse(source, exercise)
        language = understood.language
        passed.append(_pass("source"))
        found = _evaluate(understood, exercise)
        placed = _flat(found.indices, exercise.tile)
        passed += _pass("defined"), _pass("integers")
        slots = _inside(found, exercise)
        passed.append(_pass("inside"))
        _check_one_slot(slots, exercise, found)
        passed.append(_pass("one slot"))
        _check_aligned(slots, exercise)
        passed.append(_pass("aligned"))
    except _GateFailed as failed:
        if failed.gate.name == "integers":
            passed.append(_pass("defined"))
        if failed.gate.name == "source":
            passed.clear()  # some of it is understood only when it is evaluated
        passed.append(failed.gate)
        return LayoutGrade(verdict(passed, gate_names(exercise)), language, placed)
    return _figures(language, slots, exercise, passed)


def _figures(language: str, slots: IntArray, exercise: Exercise, passed: list[Gate]) -> LayoutGrade:
    reports = tuple(
        _report(slots, exercise, access, touched)
        for access, touched in zip(exercise.accesses, exercise.touched_elements, strict=True)
    )
    if exercise.equals is not None:
        passed.append(_equals(slots, exercise.equals, exercise))
    passed += [_wavefronts(report) for report in reports]
    tile = exercise.tile
    extra = max(0, int(slots.max()) + 1 - tile.elements)
    return LayoutGrade(
        Verdict(tuple(passed)), language, slots, slots.reshape(tile.rows, tile.columns), extra,
         extra * tile.element_bytes, reports,
    )  # fmt: skip


def _pass(name: str) -> Gate:
    return Gate(name, "passed")


def _fail(name: str, reason: Fact, hint: Fact | None = None) -> _GateFailed:
    return _GateFailed(Gate(name, "failed", reason=reason, hint=hint))


def _parse(source: str, exercise: Exercise) -> LayoutSource:
    try:
        return read(source, names=exercise.names, constants=exercise.constants)
    except NotUnderstood as error:
        raise _in_source("source", error) from None


def _evaluate(source: LayoutSource, exercise: Exercise) -> _Placed:
    try:
        return _Placed(evaluate(source, exercise.names), source)
    except NotUnderstood as error:
        raise _in_source("source", error) from None
    except TooMuchWork as error:
        raise _in_source("defined", error) from None
    except NoValue as error:
        gate = "integers" if isinstance(error, NotWhole) else "defined"
        row, column = _at(exercise, error.element)
        raise _in_source(gate, error, row=row, column=column) from None


def _in_source(gate: str, error: LayoutError, **element: int) -> _GateFailed:
    """Fail a gate by an error in the source, at an element where it has one."""
    reason = Fact(error.what.code, {**error.what.fields, **element})
    return _GateFailed(
        Gate(
            gate, "failed", reason=reason, hint=error.instead, line=error.line, column=error.column
        )
    )


def _at(exercise: Exercise, element: int) -> tuple[int, int]:
    """Return the coordinates of an element: row and column."""
    return divmod(element, exercise.tile.columns)


def _or_negative(
    hint: Fact | None, found: _Placed, exercise: Exercise, *elements: int
) -> Fact | None:
    """Return the hint, unless a negative operand of C++'s `/` or `%` is the likelier cause."""
    rounded = find_rounded(found.source, exercise.names, found.indices)
    return _NEGATIVE if rounded[list(elements)].any() else hint


def _inside(found: _Placed, exercise: Exercise) -> IntArray:
    """Return the slots, (elements,), once all are within the storage."""
    tile, indices = exercise.tile, found.indices
    slots = _flat(indices, tile)
    if len(indices) > 1:
        _check_columns(indices[1], exercise, found)
    outside = (slots < 0) | (slots >= tile.allowed_storage)
    if outside.any():
        element = int(np.argmax(outside))
        row, column = _at(exercise, element)
        allowed = tile.allowed_storage
        place = [int(index[element]) for index in indices]
        if len(place) > 1:
            reason = fact(
                "layout.outside-rows", row=row, column=column, to_row=place[0],
                to_column=place[1], allowed=allowed,
            )  # fmt: skip
        else:
            reason = fact(
                "layout.outside-slots", row=row, column=column, slot=place[0], allowed=allowed
            )
        hint = fact("layout.slot-range", last=allowed - 1)
        raise _fail("inside", reason, _or_negative(hint, found, exercise, element))
    return slots


def _check_columns(columns: IntArray, exercise: Exercise, found: _Placed) -> None:
    pitch = exercise.tile.row_pitch
    outside = (columns < 0) | (columns >= pitch)
    if outside.any():
        element = int(np.argmax(outside))
        row, column = _at(exercise, element)
        reason = fact(
            "layout.outside-pitch", row=row, column=column, to_column=int(columns[element]),
            pitch=pitch,
        )  # fmt: skip
        hint = fact("layout.column-range", last=pitch - 1)
        raise _fail("inside", reason, _or_negative(hint, found, exercise, element))


def _flat(indices: tuple[IntArray, ...], tile: Tile) -> IntArray:
    """Return the slots, also of (row, column); a row far outside does not wrap around."""
    if len(indices) == 1:
        return indices[0]
    row, column = indices
    limit = tile.allowed_storage + 1
    return np.clip(row, -limit, limit) * tile.row_pitch + column


def _check_one_slot(slots: IntArray, exercise: Exercise, found: _Placed) -> None:
    order = np.argsort(slots, kind="stable")
    ordered = slots[order]
    again = ordered[1:] == ordered[:-1]
    if not again.any():
        return
    # Of all pairs, the one whose second element comes first in the tile.
    pairs = np.flatnonzero(again)
    pair = pairs[np.argmin(order[pairs + 1])]
    first, second = int(order[pair]), int(order[pair + 1])
    (row, column), (other_row, other_column) = _at(exercise, first), _at(exercise, second)
    reason = fact(
        "layout.shared-slot", row=row, column=column, other_row=other_row,
        other_column=other_column, slot=int(slots[first]),
    )  # fmt: skip
    raise _fail("one slot", reason, _or_negative(None, found, exercise, first, second))


def _check_aligned(slots: IntArray, exercise: Exercise) -> None:
    for access, touched in zip(exercise.accesses, exercise.touched_elements, strict=True):
        _check_together(slots, exercise, access, touched)
        width = exercise.width(access)
        addresses = exercise.tile.base + slots[touched] * exercise.tile.element_bytes
        wrong = participating_lanes(access) & (addresses % width != 0)
        if wrong.any():
            warp, lane = map(int, np.argwhere(wrong)[0])
            row, column = _at(exercise, int(touched[warp, lane]))
            reason = fact(
                "layout.misaligned", access=access.name, warp=warp, lane=lane, row=row,
                column=column, address=int(addresses[warp, lane]), width=width,
            )  # fmt: skip
            raise _fail("aligned", reason)


def _check_together(
    slots: IntArray, exercise: Exercise, access: TileAccess, touched: IntArray
) -> None:
    """Check that the elements that a lane takes at once have adjacent slots."""
    first, there = slots[touched], participating_lanes(access)
    for step in range(1, access.elements):
        apart = there & (slots[np.where(there, touched + step, 0)] != first + step)
        if apart.any():
            warp, lane = map(int, np.argwhere(apart)[0])
            begin = int(touched[warp, lane])
            (row, column), (other_row, other_column) = (
                _at(exercise, element) for element in (begin, begin + step)
            )
            reason = fact(
                "layout.torn-apart", access=access.name, warp=warp, lane=lane, row=row,
                column=column, other_row=other_row, other_column=other_column,
                slot=int(slots[begin]), other_slot=int(slots[begin + step]),
                elements=access.elements,
            )  # fmt: skip
            raise _fail("aligned", reason)


def _equals(slots: IntArray, wanted: IntArray, exercise: Exercise) -> Gate:
    differs = slots != wanted
    if not differs.any():
        return _pass("equals")
    element = int(np.argmax(differs))
    row, column = _at(exercise, element)
    reason = fact(
        "layout.wrong-slot", row=row, column=column, slot=int(slots[element]),
        right=int(wanted[element]), differing=int(differs.sum()), elements=differs.size,
    )  # fmt: skip
    return Gate("equals", "failed", reason=reason)


def _report(
    slots: IntArray, exercise: Exercise, access: TileAccess, touched: IntArray
) -> AccessReport:
    """Compute what an access costs, in the warp that exceeds its limit most."""
    addresses = exercise.tile.base + slots[touched] * exercise.tile.element_bytes
    width = exercise.width(access)
    costs = cost_many(access.kind, width, addresses, access.active, exercise.arch)
    yours = graded_wavefronts(costs)
    allowed = costs.ideal if access.allowed is None else np.full_like(yours, access.allowed)
    worst = int(np.argmax(yours - allowed))
    worst_cost = cost(
        Access(access.kind, width, addresses[worst], participating_lanes(access)[worst]),
        exercise.arch,
    )
    return AccessReport(
        access.name, access.kind, width, int(yours[worst]), int(costs.ideal[worst]),
        int(allowed[worst]), worst, len(yours), int(yours.sum()), int(costs.ideal.sum()),
        worst_cost, touched[worst], addresses[worst],
    )  # fmt: skip


def _wavefronts(report: AccessReport) -> Gate:
    count, most = report.wavefronts, report.allowed
    if report.passed:
        return Gate("wavefronts", "passed", report.name, count=count, most=most)
    use = report.cost.witness
    lanes = () if use is None else tuple(sorted({x for word in use.words for x in word.lanes}))
    reason = fact(
        "layout.too-many-wavefronts", access=report.name, n=count, ideal=report.ideal,
        allowed=most, warp=report.warp, lanes=lanes, bank=None if use is None else use.bank,
        words=() if use is None else tuple(word.word for word in use.words),
    )  # fmt: skip
    return Gate("wavefronts", "failed", report.name, reason=reason, count=count, most=most)
