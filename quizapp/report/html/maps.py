"""Bank maps and sector maps as SVG, each cell with a title that says what it is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from grader.banks import AccessCost, architecture, passes
from grader.profiles import SECTOR_BYTES, ScatteredAccess
from quizapp.report.bankmap import figures, format_lanes, heat, load, witness
from quizapp.report.html.drawing import label, rect, svg
from quizapp.report.html.page import figure
from quizapp.report.verdicts.warp_access import ShownAccess
from quizapp.report.words import Words

MOST_PASSES = 32
_CELL, _ROW, _LABEL = 24, 18, 88
_BYTE, _ACROSS = 6, 4


def bank_map(cost: AccessCost, arch: str, say: Words) -> str:
    """Draw which lane each bank serves in which pass; "" where the model has no map."""
    row = architecture(arch)
    waves = list(passes(cost, row))
    if not waves:
        return ""
    shown = waves[:MOST_PASSES]
    cells = [label(_LABEL - 6, 12, say("banks.bank"), "end")]
    cells += [label(_x(bank), 12, str(bank)) for bank in range(row.banks)]
    for place, wave in enumerate(shown):
        y = (place + 1) * _ROW
        name = say(
            "map.wavefront" if cost.wavefronts_a_pass == 1 else "banks.pass", number=wave.number
        )
        cells.append(label(_LABEL - 6, y + 12, name, "end"))
        loads = {use.bank: load(cost, use) for use in cost.lane_groups[wave.group].banks}
        cells.append(rect((_LABEL, y, row.banks * _CELL - 2, _ROW - 2), "empty", name))
        for bank, lanes in sorted(wave.lanes.items()):
            title = say("map.bank", bank=bank, wave=name, lanes=format_lanes(lanes))
            kind = heat(loads[bank]) or "calm"
            cells.append(rect((_LABEL + bank * _CELL, y, _CELL - 2, _ROW - 2), kind, title))
            cells.append(label(_x(bank), y + 12, str(lanes[0]), on=True))
    if further := len(waves) - len(shown):
        cells.append(
            label(_LABEL, (len(shown) + 1) * _ROW + 12, say("banks.further", n=further), "start")
        )
    height = (len(shown) + (2 if further else 1)) * _ROW
    return svg(_LABEL + row.banks * _CELL, height, say("map.bank-title"), cells)


def map_figure(access: ShownAccess, say: Words) -> str:
    """Return the bank map of an access below what it costs and a witness."""
    place = say("place.line", line=access.line) if access.line else ""
    title = say("profile.worst-access", place=place, title=access.title) if place else access.title
    captions = [title, figures(access.cost, say), witness(access.cost, say)]
    return figure(captions, bank_map(access.cost, access.arch, say))


def sector_map(access: ScatteredAccess, say: Words) -> str:
    """Draw the 32-byte sectors that a warp touches, and which bytes of each its lanes use."""
    touched = _sectors(access)
    width = SECTOR_BYTES * _BYTE
    cells = []
    for place, (sector, uses) in enumerate(touched):
        left, top = (place % _ACROSS) * (width + 12), (place // _ACROSS) * (_ROW + 16)
        first = sector * SECTOR_BYTES
        cells.append(label(left, top + 11, say("map.byte", byte=f"{first:,}"), "start"))
        title = say("map.sector", first=first, last=first + SECTOR_BYTES - 1)
        cells.append(rect((left, top + 14, width, _ROW - 2), "empty", title))
        for lane, start, end in uses:
            x, wide = left + (start - first) * _BYTE, (end - start) * _BYTE - 1
            cells.append(rect((x, top + 14, wide, _ROW - 2), "used", say("map.lane", lane=lane)))
            if wide > 2 * _BYTE:
                cells.append(label(x + wide // 2, top + 26, str(lane), on=True))
    rows = -(-len(touched) // _ACROSS)
    across = min(_ACROSS, len(touched))
    return svg(across * (width + 12), rows * (_ROW + 16), say("map.sector-title"), cells)


def _sectors(access: ScatteredAccess) -> list[tuple[int, list[tuple[int, int, int]]]]:
    """Collect, by sector, which lane uses which bytes (first, one after the last)."""
    uses: list[tuple[int, int, int]] = []
    for lane, (address, active) in enumerate(zip(access.addresses, access.active, strict=True)):
        if active:
            uses += _split(lane, address, address + access.width)
    uses.sort(key=lambda use: (use[1], use[0]))
    return [
        (sector, list(some)) for sector, some in groupby(uses, lambda use: use[1] // SECTOR_BYTES)
    ]


def _split(lane: int, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Split bytes at the ends of sectors."""
    while start < end:
        stop = min(end, (start // SECTOR_BYTES + 1) * SECTOR_BYTES)
        yield lane, start, stop
        start = stop


def _x(bank: int) -> int:
    return _LABEL + bank * _CELL + _CELL // 2 - 1
