"""The bank map: which lane each bank serves in which pass, as lines of styled spans.

Also the sentences below it. On the map, `good` is a lane group that one pass serves, `conflict`
marks every pass after its first, and `heat-…` is a bank that needs several. Where there are few
columns, the banks are folded: 16 or 8 of them in a row. Knows no screen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from grader.banks import AccessCost, Architecture, BankUse, Pass, architecture, passes
from quizapp.report.lines import Line, Role, Span
from quizapp.report.words import Words
from quizapp.system import width

Cell = tuple[int | None, Role]
"""A number below a bank, or None."""

IDLE = "·"
FURTHER = "!"
"""The sign of every pass of a lane group after its first."""

_LABEL, _LONG_LABEL = 9, 14
"""Columns of `!wave 32` and, where there is room, of `!wavefront 32`, each with a blank."""
_NARROW, _WIDE = 2, 3
_OCTET = 8
_TENS = " ¹²³"
"""Two digits fill a cell of two columns: the raised one shows where the next number begins."""

_HEAT: tuple[Role, ...] = ("heat-1", "heat-2", "heat-3", "heat-4")
_DEGREES = (2, 4, 8)
"""The most passes of a bank at each heat; beyond the last, it is the greatest."""

_MOST_LISTED = 4

_BOUNDS_ONLY = {
    "one word per step": "banks.open-word",
    "words to lanes": "banks.open-store",
    "words, or one more": "banks.open-degree",
}
_EVIDENCE = {
    "measured": "banks.measured",
    "published": "banks.published",
    "inferred": "banks.inferred",
}
_SOURCE = {
    "H200": "banks.source-h200",
    "guide 4.2": "banks.source-guide-4",
    "guide 12": "banks.source-guide-12",
    "forum": "banks.source-forum",
    "others": "banks.source-others",
    "neighbors": "banks.source-neighbors",
    "CAS loop": "banks.source-loop",
}


@dataclass(frozen=True, slots=True)
class MapCursor:
    """A place on the map: a pass, counted from 0, and a bank."""

    wave: int
    bank: int


def picture(
    cost: AccessCost,
    arch: str,
    columns: int,
    say: Words,
    *,
    most: int | None = None,
    cursor: MapCursor | None = None,
) -> list[Line]:
    """Draw the map, or the line that says why there is none.

    `arch`: the architecture it was analyzed for. `columns`: the width to draw in; 33 are enough.
    `most`: passes to show, the one with the cursor among them; a line sums up the rest. None: all.
    `cursor`: the place to mark.
    """
    if not cost.lane_groups:
        return [((say("banks.no-lane"), "text"),)]
    row = architecture(arch)
    waves = list(passes(cost, row))
    if not waves:
        return [((say(_BOUNDS_ONLY[cost.count]), "text"),)]
    fold = _choose_fold(row.banks, columns)
    if cost.wavefronts_a_pass > 1 and fold is not None:
        fold = replace(fold, label=_LABEL)  # its rows are passes
    if fold is None:
        needed = _width(_OCTET, _WIDE)
        return [((say("banks.narrow", needed=needed, columns=columns), "text"),)]
    first = 0 if cursor is None or most is None else max(0, cursor.wave - most + 1)
    shown = waves[first:] if most is None else waves[first : first + most]
    return list(_map(cost, row, shown, fold, say, cursor=cursor))


@dataclass(frozen=True, slots=True)
class _Fold:
    """How many banks stand in a row, the columns of each, and those of the label before them."""

    banks: int
    size: int
    label: int = _LABEL


def _choose_fold(banks: int, columns: int) -> _Fold | None:
    """Choose the fewest rows; cells of two columns only where all banks fit in one row."""
    folds = (_Fold(banks, _WIDE), _Fold(banks, _NARROW), _Fold(2 * _OCTET, _WIDE))
    known = (*folds, _Fold(_OCTET, _WIDE))
    fold = next((fold for fold in known if _width(fold.banks, fold.size) <= columns), None)
    if fold is None or _width(fold.banks, fold.size) + _LONG_LABEL - _LABEL > columns:
        return fold
    return replace(fold, label=_LONG_LABEL)


def _width(banks: int, size: int) -> int:
    return _LABEL + banks * size + (banks - 1) // _OCTET


def witness(cost: AccessCost, say: Words) -> str:
    """State which lanes conflict in the busiest bank, or that none do."""
    use = cost.witness
    if use is None:
        return say("banks.no-lane")
    if not _conflicts(cost, use):
        return _no_conflict(cost, say)
    match cost.count:
        case "words" | "words, or one more":  # one lane per word is enough to show it
            lanes = [word.lanes[0] for word in use.words]
            words = [word.word for word in use.words]
        case "lanes per word":
            fullest = max(use.words, key=lambda word: len(word.lanes))
            lanes, words = [*fullest.lanes], [fullest.word]
        case _:
            lanes = sorted(lane for word in use.words for lane in word.lanes)
            words = [word.word for word in use.words]
    shown = {"lanes": _some(lanes), "words": _some(words), "bank": use.bank}
    return say("banks.meet", **shown) if len(words) > 1 else say("banks.meet-word", **shown)


def figures(cost: AccessCost, say: Words) -> str:
    """State wavefronts, ideal, conflicts and degree in a line; bounds where no more is known."""
    most = cost.conflicts_at_most
    parts = [
        say("banks.wavefronts", count=_format_range(cost.wavefronts, cost.wavefronts_at_most, say)),
        say("banks.ideal", count=cost.ideal),
        say("banks.conflicts", count=_format_range(cost.conflicts, most, say)),
    ]
    if most == 0 and cost.lane_groups:
        parts.append(say("banks.free"))
    elif cost.ways > 1:
        parts.append(_ways(cost, say))
    return " · ".join(parts)


def evidence(cost: AccessCost, arch: str, say: Words) -> str:
    """State in a few words how the count is known."""
    return say(_EVIDENCE[cost.evidence], row=architecture(arch).name)


def evidence_with_source(cost: AccessCost, arch: str, say: Words) -> str:
    """State how the count is known, and from which source."""
    source = say(_SOURCE[cost.source])
    return say("banks.known-from", evidence=evidence(cost, arch, say), source=source)


def _map(
    cost: AccessCost,
    row: Architecture,
    waves: Sequence[Pass],
    fold: _Fold,
    say: Words,
    *,
    cursor: MapCursor | None,
) -> Iterator[Line]:
    each = cost.wavefronts_a_pass
    if fold.size == _NARROW:  # first: without it, no number of two digits can be read
        yield ((" " + say("banks.tens"), "dim"),)
    for start in range(0, row.banks, fold.banks):
        banks = range(start, start + fold.banks)
        used = any(bank in banks for wave in waves for bank in wave.lanes)
        if not used and not (cursor and cursor.bank in banks):
            yield ((" " + say("banks.idle", first=start, last=banks[-1]), "dim"),)
            continue
        yield _row("", say("banks.bank"), [(bank, "dim") for bank in banks], fold, "dim")
        for number, members in groupby(waves, lambda wave: wave.group):
            group = cost.lane_groups[number]
            loads = {use.bank: load(cost, use) for use in group.banks}
            calm: Role = "good" if group.wavefronts == each else "lane"
            if cost.groups > 1:
                yield ((" " + say("banks.group", lanes=format_lanes(group.lanes)), "dim"),)
            for wave in members:
                cells = _wave_cells(wave, loads, banks, calm)
                if cursor and cursor.wave == wave.number - 1 and cursor.bank in banks:
                    cells[cursor.bank - start] = (cells[cursor.bank - start][0], "cursor")
                yield _wave(wave, cells, fold, say, each)
        yield from _loads(cost, banks, fold, say)
    yield from _notes(cost, waves, say)


def _notes(cost: AccessCost, waves: Sequence[Pass], say: Words) -> Iterator[Line]:
    """Say what the map leaves out, and what its cells and rows stand for."""
    each = cost.wavefronts_a_pass
    if further := cost.wavefronts // each - len(waves):
        left_out = "banks.further" if each == 1 else "banks.further-passes"
        yield ((" " + say(left_out, n=further), "dim"),)
    together = max((len(lanes) for wave in waves for lanes in wave.lanes.values()), default=1)
    if together > 1:
        yield ((" " + say("banks.together", count=together), "dim"),)
    if each > 1:
        yield ((" " + say("banks.pass-takes", count=each), "dim"),)
    if cost.wavefronts_at_most is None:
        yield ((" " + say("banks.at-least"), "dim"),)


def _wave(wave: Pass, cells: Sequence[Cell], fold: _Fold, say: Words, each: int) -> Line:
    """Draw what some banks serve in one pass, which takes so many wavefronts."""
    name = "banks.wave" if fold.label == _LABEL else "banks.wavefront"
    label = say(name if each == 1 else "banks.pass", number=wave.number)
    if wave.first:
        return _row("", label, cells, fold, "text")
    return _row(FURTHER, label, cells, fold, "conflict")


def _wave_cells(wave: Pass, loads: Mapping[int, int], banks: range, calm: Role) -> list[Cell]:
    """Return what each bank serves; a bank that needs several passes is the hotter for it."""
    return [
        (wave.lanes[bank][0], heat(loads[bank]) or calm) if bank in wave.lanes else (None, "dim")
        for bank in banks
    ]


def heat(degree: int) -> Role | None:
    """Return the role of an n-way conflict; None where there is none."""
    return _HEAT[bisect_left(_DEGREES, degree)] if degree > 1 else None


def _loads(cost: AccessCost, banks: range, fold: _Fold, say: Words) -> Iterator[Line]:
    """Draw how many passes each bank takes, in the group that takes longest."""
    group = max(cost.lane_groups, key=lambda group: group.wavefronts)
    loads = {use.bank: load(cost, use) for use in group.banks}
    if max(loads.values()) > 1:
        cells: list[Cell] = [
            (loads[bank], role) if (role := heat(loads.get(bank, 0))) else (None, "dim")
            for bank in banks
        ]
        label = say("banks.words") if cost.count == "words" else say("banks.lanes")
        yield _row("", label, cells, fold, "text")


def load(cost: AccessCost, use: BankUse) -> int:
    """Count the passes that a bank takes by itself."""
    match cost.count:
        case "lanes":
            return use.lanes
        case "lanes per word":
            return use.lanes_on_a_word
        case _:
            return use.rows


def _row(sign: str, label: str, cells: Sequence[Cell], fold: _Fold, role: Role) -> Line:
    """Draw a label and one cell per bank; adjacent cells of one role become one span."""
    spans: list[Span] = [(_pad(f"{sign or ' '}{label}", fold.label), role)]
    for bank, (number, its) in enumerate(cells):
        gap = " " if bank and not bank % _OCTET else ""
        spans.append((gap + _cell(number, fold.size), its))
    return tuple(
        ("".join(text for text, _ in alike), its)
        for its, alike in groupby(spans, lambda span: span[1])
    )


def _cell(number: int | None, size: int) -> str:
    if number is None:
        return IDLE.rjust(size)
    if size == _WIDE:
        return str(number).rjust(size)
    return f"{_TENS[number // 10]}{number % 10}"


def _pad(label: str, columns: int) -> str:
    """Fill a label to the width of its column."""
    return label + " " * (columns - width.columns(label))


def format_lanes(lanes: Sequence[int]) -> str:
    """Write lanes as `0–7`, or `0, 2–5, 7` where some are inactive."""
    runs = groupby(enumerate(lanes), lambda place: place[1] - place[0])
    ends = [[lane for _, lane in run] for _, run in runs]
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in ends)


def _conflicts(cost: AccessCost, use: BankUse) -> bool:
    """Return True if a lane on the busiest bank must wait, or may have to where that is open."""
    if cost.count in ("one word per step", "words to lanes"):
        return cost.ways > 1
    return load(cost, use) > 1


def _no_conflict(cost: AccessCost, say: Words) -> str:
    if cost.count == "lanes":
        return say("banks.free-lanes") if cost.groups == 1 else say("banks.free-lanes-group")
    if cost.count == "lanes per word":
        return say("banks.free-word")
    if any(len(use.words) > 1 for group in cost.lane_groups for use in group.banks):
        return say("banks.free-rows")  # 3.x, whose banks hand over two words at once
    return say("banks.free-words") if cost.groups == 1 else say("banks.free-words-group")


def _some(numbers: Sequence[int]) -> str:
    """List each number once: the first few and the last."""
    shown = [*map(str, dict.fromkeys(numbers))]
    if len(shown) > _MOST_LISTED:
        shown = [*shown[: _MOST_LISTED - 1], "…", shown[-1]]
    return ", ".join(shown)


def _format_range(least: int, most: int | None, say: Words) -> str:
    if most == least:
        return str(least)
    if most is None:
        return say("banks.from", least=least)
    return say("banks.between", least=least, most=most)


def _ways(cost: AccessCost, say: Words) -> str:
    most = cost.wavefronts_at_most
    if most is None:
        return say("banks.ways-at-least", count=cost.ways)
    if most > cost.wavefronts:
        return say("banks.ways-at-most", count=cost.ways)
    return say("banks.ways", count=cost.ways)
