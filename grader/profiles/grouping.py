"""Groups the launches of a script: equal ones once, many that differ as their sum.

So a kernel that is launched in a loop is one table. With each group come layouts that the search of
`grader.layouts` proposes for its shared arrays, and its global accesses whose lanes are evenly
apart. Only what was recorded counts: the worst warp of each access to an array. An array that is
large, or accessed too often in the source, is left alone, and one whose indices depend on data,
which the layout would fit; one of a single axis is seen as rows of 32.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod

import numpy as np

from grader.banks import LANES
from grader.kernels import SharedArray, WorstAccess
from grader.layouts import Exercise, InvalidExercise, LayoutCandidate, Tile, TileAccess, search
from grader.profiles.bounds import find_bound, own_totals
from grader.profiles.values import (
    CountedLine,
    LaunchGroup,
    LaunchRecord,
    LayoutProposal,
    ScatteredAccess,
    StridedAccess,
)
from grader.simt import Finding

MOST_ELEMENTS = 4_096
"""Of an array: the search of 64×64 takes 0.1 s."""
MOST_ACCESSES = 8
_SWIZZLES = ("xor", "CuTe")
_ARCH = "9.0"
_FLAT_ROW = 32
"""Elements of a row of an array of one axis."""


def propose_layouts(
    worst: tuple[WorstAccess, ...], arrays: tuple[SharedArray, ...]
) -> tuple[LayoutProposal, ...]:
    """Propose layouts for the arrays whose accesses have conflicts, where some layout helps."""
    found = (_propose(array, _accesses_to(array, worst)) for array in arrays)
    return tuple(proposal for proposal in found if proposal is not None)


def _accesses_to(array: SharedArray, worst: Sequence[WorstAccess]) -> tuple[WorstAccess, ...]:
    """Select the accesses all of whose active lanes touch an array."""
    return tuple(
        access
        for access in worst
        if all(
            array.index(address) is not None
            for address, active in zip(access.addresses, access.active, strict=True)
            if active
        )
    )


@lru_cache(maxsize=64)
def _propose(array: SharedArray, accesses: tuple[WorstAccess, ...]) -> LayoutProposal | None:
    """Search the layouts of one array; a kernel launched again is not searched again."""
    flat = len(array.shape) == 1
    if flat and (array.shape[0] <= _FLAT_ROW or array.shape[0] % _FLAT_ROW):
        return None
    if (
        not (array.shape and 1 <= len(accesses) <= MOST_ACCESSES)
        or prod(array.shape) > MOST_ELEMENTS
        or not any(each.excess for each in accesses)
        or any(each.from_data for each in accesses)
    ):
        return None
    columns = _FLAT_ROW if flat else array.shape[-1]
    rows = prod(array.shape) // columns
    try:
        tile = Tile(rows, columns, array.itemsize, base=array.base)
        touched = [
            _touched(number, access, array, columns) for number, access in enumerate(accesses)
        ]
        families = search(Exercise(tile, tuple(touched), arch=_ARCH)).families
    except InvalidExercise:  # an access across rows, or of a width that a tile has not
        return None
    now = sum(access.wavefronts for access in accesses)
    padded = _best(families, ("padding",), now)
    swizzled = _best([each for each in families if each.fits], _SWIZZLES, now)
    if padded is None and swizzled is None:
        return None
    return LayoutProposal(
        array.name,
        rows,
        columns,
        now,
        columns + int(padded.layout.name.removeprefix("+")) if padded else None,
        padded.total if padded else now,
        swizzled.layout.expression if swizzled else "",
        swizzled.total if swizzled else now,
        flat,
    )


def _touched(number: int, access: WorstAccess, array: SharedArray, columns: int) -> TileAccess:
    active = np.array([access.active])
    addresses = np.where(active, np.array([access.addresses]), array.base)
    row, column = np.divmod((addresses - array.base) // array.itemsize, columns)
    each = max(1, access.width // array.itemsize)
    return TileAccess(str(number), access.kind, row, column, active, each)


def _best(
    families: Sequence[LayoutCandidate], names: Sequence[str], now: int
) -> LayoutCandidate | None:
    """Return the candidate of these families with the fewest wavefronts, if it saves any."""
    some = [each for each in families if each.layout.family in names and each.total < now]
    return min(some, key=lambda each: each.total, default=None)


def find_strides(launch: LaunchRecord) -> tuple[StridedAccess, ...]:
    """List the scattered accesses of a launch with one distance between neighboring lanes."""
    return tuple(_strided(launch))


def _strided(launch: LaunchRecord) -> Iterator[StridedAccess]:
    shapes = {given.name: given.shape for given in launch.arguments}
    for access in launch.scattered:
        apart = _distance(access)
        if apart <= access.width:
            continue
        shape = shapes.get(access.array) or ()
        is_row = len(shape) > 1 and apart == shape[-1] * access.width and launch.block[0] >= LANES
        yield StridedAccess(
            access.line, access.column, access.kind, access.array, access.width, apart,
            access.sectors, access.ideal, is_row,
        )  # fmt: skip


def _distance(access: ScatteredAccess) -> int:
    """Return the bytes between neighboring lanes; 0 if they differ, or a lane is not active."""
    if not all(access.active):
        return 0
    found = {
        second - first
        for first, second in zip(access.addresses, access.addresses[1:], strict=False)
    }
    return found.pop() if len(found) == 1 else 0


MOST_DIFFERENT = 4
"""More tables of one kernel with the same grid and block are added up."""


_Numbered = tuple[int, LaunchRecord]


def group_launches(numbered: Sequence[_Numbered]) -> tuple[LaunchGroup, ...]:
    """Group launches, given with their numbers, in the order of the first of each group."""
    titles = _title_kernels(launch for _, launch in numbered)
    kernels: dict[Hashable, dict[Hashable, list[_Numbered]]] = defaultdict(dict)
    for each in numbered:
        kernels[_kernel(each[1])].setdefault(_outcome(each[1]), []).append(each)
    groups = [
        _group(some, titles)
        for outcomes in kernels.values()
        for some in (
            [[each for equal in outcomes.values() for each in equal]]
            if len(outcomes) > MOST_DIFFERENT
            else outcomes.values()
        )
    ]
    return tuple(sorted(groups, key=lambda group: group.numbers[0]))


def _kernel(launch: LaunchRecord) -> Hashable:
    place = launch.qualname, launch.kernel, launch.file, launch.line
    return *place, launch.grid, launch.block, launch.finished


def _outcome(launch: LaunchRecord) -> Hashable:
    """Return what equal launches have in common, as something that compares quickly."""
    lines = tuple(
        (line.file, line.line, line.column, tuple(sorted(line.counts.items())))
        for line in launch.lines
    )
    return lines, repr(launch.findings) if launch.findings else ""


def _group(some: Sequence[_Numbered], titles: Mapping[tuple[str, str], str]) -> LaunchGroup:
    launches = [launch for _, launch in some]
    summed = any(_outcome(launch) != _outcome(launches[0]) for launch in launches[1:])
    launch = _sum(launches) if summed else launches[0]
    return LaunchGroup(
        titles[launch.qualname, launch.kernel],
        launch,
        tuple(sorted(number for number, _ in some)),
        sum(each.seconds for each in launches),
        summed,
        find_bound(own_totals(launch)),
        propose_layouts(launch.worst, launch.arrays),
        find_strides(launch),
    )


def _title_kernels(launches: Iterable[LaunchRecord]) -> dict[tuple[str, str], str]:
    """Name each kernel, by its qualified name and its name: in full if another has that name."""
    named = dict.fromkeys((launch.qualname, launch.kernel) for launch in launches)
    uses = Counter(name for _, name in named)
    titles = {}
    for full, name in named:
        arguments = name[name.find("<") :] if name.find("<") > 0 else ""  # of its template
        titles[full, name] = full + arguments if uses[name] > 1 else name
    return titles


def _excess(launch: LaunchRecord) -> int:
    return max((access.excess for access in launch.worst), default=0)


def _sum(launches: Sequence[LaunchRecord]) -> LaunchRecord:
    """Add counters by place in the source; keep a finding once, with all its cases."""
    lines: dict[tuple[str, int, int], CountedLine] = {}
    findings: dict[Hashable, Finding] = {}
    totals: Counter[str] = Counter()
    for launch in launches:
        totals.update(launch.totals)
        for line in launch.lines:
            place = line.file, line.line, line.column
            known = lines.get(place)
            counts = Counter(line.counts)
            counts.update(known.counts if known else {})
            lines[place] = replace(line, counts=counts)
        for finding in launch.findings:
            key = finding.file, finding.line, finding.column, finding.kind, finding.topic
            before = findings.get(key)
            count = finding.count + (before.count if before else 0)
            findings[key] = replace(before or finding, count=count)
    worst = max(launches, key=_excess)
    return replace(
        worst,
        totals=totals,
        lines=tuple(lines[place] for place in sorted(lines)),
        findings=tuple(findings.values()),
        advice=tuple(each for launch in launches for each in launch.advice),
    )
