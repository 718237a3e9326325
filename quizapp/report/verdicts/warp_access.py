"""One warp's access to shared memory with its bank map, of a kernel's line or of a layout.

On the map there may be a cursor: which lanes are served there, on which words, of which elements.
Styled lines; knows no screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grader.banks import LANES, WORD_BYTES, Access, AccessCost, Pass, architecture, cost, passes
from grader.kernels import KernelGrade, SharedArray, WorstAccess
from grader.layouts import AccessReport
from quizapp.exercises.layouts import CheckedLayout
from quizapp.report import bankmap
from quizapp.report.bankmap import MapCursor
from quizapp.report.lines import Line
from quizapp.report.verdicts.layout_verdict import access_name
from quizapp.report.words import Words

_ARCH = "9.0"
_KINDS = {
    "load": "kernel.load", "store": "kernel.store",
    "ldmatrix": "kernel.load", "stmatrix": "kernel.store",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class ShownAccess:
    """An access of one warp.

    Attributes:
        title: what it is, in the person's words.
        line: of the source; 0 where the access is not one of its lines.
        element: what a lane touches at a byte address, as the source names it; "" if unknown.
        compute: works out what the access costs.
    """

    title: str
    line: int
    arch: str
    element: Callable[[int, int], str]
    compute: Callable[[], AccessCost]

    @cached_property
    def cost(self) -> AccessCost:
        """What it costs."""
        return self.compute()

    @cached_property
    def passes(self) -> Sequence[Pass]:
        """What the banks serve at once, one after the other."""
        return [*passes(self.cost, architecture(self.arch))]

    @property
    def banks(self) -> int:
        """How many banks there are."""
        return architecture(self.arch).banks

    def first_cursor(self) -> MapCursor | None:
        """Return where a cursor begins: on the busiest bank; None where there is no map."""
        witness = self.cost.witness
        return MapCursor(0, witness.bank) if witness and self.passes else None

    def move(self, cursor: MapCursor, waves: int, banks: int) -> MapCursor:
        """Return the place so many passes and banks further, as far as there are any."""
        wave = min(max(0, cursor.wave + waves), len(self.passes) - 1)
        return MapCursor(wave, min(max(0, cursor.bank + banks), self.banks - 1))


def of_kernel(graded: KernelGrade, say: Words) -> tuple[ShownAccess, ...]:
    """List the worst access at each place of a kernel, those that waste most first."""
    worst = sorted(graded.accesses, key=lambda access: -access.excess)
    return tuple(of_worst(access, graded.arrays, say) for access in worst)


def of_layout(checked: CheckedLayout, say: Words) -> tuple[ShownAccess, ...]:
    """List the accesses of a layout, those that fail first."""
    reports = sorted(checked.grade.accesses, key=lambda report: report.passed)
    return tuple(_of_report(report, checked, say) for report in reports)


def lines(
    access: ShownAccess, room: int, say: Words, most: int, cursor: MapCursor | None = None
) -> Iterator[Line]:
    """Draw the map of an access; above it the place of the cursor, below it what it comes to.

    `most`: passes to show. `cursor`: the place that a person looks at.
    """
    yield ((access.title, "text"),)
    if cursor is not None:
        yield from describe_place(access, cursor, say)
    yield from bankmap.picture(access.cost, access.arch, room, say, most=most, cursor=cursor)
    yield ((bankmap.figures(access.cost, say), "text"),)
    yield ((bankmap.witness(access.cost, say), "text"),)


def describe_place(access: ShownAccess, cursor: MapCursor, say: Words) -> Iterator[Line]:
    """Say which lanes a bank serves in a pass, on which words, of which elements."""
    wave = access.passes[cursor.wave]
    served = wave.lanes.get(cursor.bank, ())
    key = "inspect.spot" if access.cost.wavefronts_a_pass == 1 else "inspect.spot-pass"
    yield ((say(key, wave=wave.number, bank=cursor.bank), "bold"),)
    if not served:
        yield ((f"  {say('inspect.idle')}", "dim"),)
    group = access.cost.lane_groups[wave.group]
    use = next((use for use in group.banks if use.bank == cursor.bank), None)
    for word in use.words if use else ():
        lanes = [lane for lane in word.lanes if lane in served]
        if lanes:
            names = dict.fromkeys(access.element(lane, word.word * WORD_BYTES) for lane in lanes)
            yield ((f"  {_word(word.word, lanes, [*filter(None, names)], say)}", "text"),)
    if use and (degree := bankmap.load(access.cost, use)) > 1:
        lanes = sorted({lane for word in use.words for lane in word.lanes})
        said = say("inspect.bank-load", n=degree, lanes=bankmap.format_lanes(lanes))
        yield ((f"  {said}", bankmap.heat(degree) or "text"),)


def _word(word: int, lanes: Sequence[int], elements: Sequence[str], say: Words) -> str:
    """Say which lanes touch a word, and the elements they name."""
    shown = {"lanes": bankmap.format_lanes(lanes), "word": word, "byte": f"{word * WORD_BYTES:,}"}
    said = say("inspect.word", n=len(lanes), **shown)
    return " · ".join([said, ", ".join(elements)]) if elements else said


def of_worst(worst: WorstAccess, arrays: Sequence[SharedArray], say: Words) -> ShownAccess:
    """Return an access of a kernel to shared memory, in which these arrays are."""

    def element(lane: int, byte: int) -> str:
        """Name the element: of several in one word, the lane's own."""
        own = worst.addresses[lane]
        return _name_element(arrays, own if byte <= own < byte + WORD_BYTES else byte)

    def compute() -> AccessCost:
        addresses, active = np.array(worst.addresses), np.array(worst.active)
        return cost(Access(worst.kind, worst.width, addresses, active), _ARCH)

    kind = say(_KINDS.get(worst.kind, "kernel.atom"))
    lanes = sum(worst.active)
    title = say("inspect.access", kind=kind, n=worst.width, lanes=f"{lanes}/{LANES}")
    return ShownAccess(title, worst.line, _ARCH, element, compute)


def _name_element(arrays: Sequence[SharedArray], address: int) -> str:
    for array in arrays:
        index = array.index(address)
        if index is not None:
            return f"{array.name}[{', '.join(map(str, index))}]"
    return ""


def _of_report(report: AccessReport, checked: CheckedLayout, say: Words) -> ShownAccess:
    in_a_row = checked.exercise.tile.columns

    def element(lane: int, _byte: int) -> str:
        return "({}, {})".format(*divmod(int(report.elements[lane]), in_a_row))

    title = say("layout.map", name=access_name(report.name, say), warp=report.warp)
    return ShownAccess(title, 0, checked.exercise.arch, element, lambda: report.cost)
