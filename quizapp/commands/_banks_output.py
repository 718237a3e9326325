"""How `quiz banks` shows what it computed: as text, or as the plain data of `--json`.

The keys are promised in docs/cli.md. Computes nothing.
"""

from __future__ import annotations

from typing import Any

from grader.banks import AccessCost
from grader.layouts import Candidate
from quizapp.bankmap import figures, picture, standing, witness
from quizapp.commands._accesses import Costed, Searched, wavefronts_of
from quizapp.commands._output import counted, print_lines, print_table, print_text, room
from quizapp.commands._recorded import Counts, Problem, Recorded, Row
from quizapp.words import Words

Plain = dict[str, Any]


def print_access(found: Costed) -> None:
    """What was costed, the worst warp's map, and what is to be said of it."""
    say, arch = Words("en"), found.asked.arch
    worst = found.warps[found.worst]
    print_text(_heading(found))
    if len(found.warps) > 1:
        print(_which(found))
    print()
    print_lines(picture(worst, arch, room(), say))
    print()
    print_text(figures(worst, say))
    print_text(witness(worst, say))
    if len(found.warps) > 1:
        print_text(f"all {len(found.warps)} warps: {figures(found.total, say)}")
    print_text(standing(found.total, arch, say))


def print_search(yours: Costed, found: Searched) -> None:
    """The best layout and how to write it, then yours beside the best of each family."""
    best = found.best
    yours_too = "; yours takes no more" if _total(yours) <= best.total else ""
    print(f"\n{found.tried:,} layouts tried in {found.seconds:.2f} s, for this access alone")
    print(f"best: {best.layout.family}, {best.layout.name}{yours_too}")
    print(f"  {best.layout.expression}\n")
    rows = [
        (c.layout.family, c.layout.name, str(c.wavefronts[0]), str(c.total), str(c.extra_elements))
        for c in found.families
    ]
    mine = ("yours", "as it is", str(_worst(yours)), str(_total(yours)), "0")
    head = ("family", "its best", "worst warp", "all warps", "extra elements")
    print_table([head, mine, *rows], right=(2, 3, 4))


def print_recorded(found: Recorded) -> None:
    """A line for each access, and the sum."""
    total = ("sum", "", "", *_cells(found.total))
    head = ("line", "op", "width", "wavefronts", "conflicts", "ideal")
    rows = [head, *map(_table_row, found.rows), total]
    print_table(rows, right=(0, 2, 3, 4, 5))
    if any("+" in cell for row in rows for cell in row):
        print("+: at least so many; where only bounds are known, these are the lower ones")


def access_as_plain(found: Costed) -> Plain:
    """An access of all warps, and the worst one's witness."""
    asked, witness = found.asked, found.warps[found.worst].witness
    words = [] if witness is None else [word._asdict() for word in witness.words]
    return {
        "arch": asked.arch,
        "op": asked.op,
        "width": asked.bytes_a_lane,
        "warps": [
            {"warp": number, **_cost_as_plain(warp)} for number, warp in enumerate(found.warps)
        ],
        "worst": found.worst,
        "total": _cost_as_plain(found.total),
        "standing": found.total.standing,
        "source": found.total.source,
        "witness": None if witness is None else {"bank": witness.bank, "words": words},
    }


def search_as_plain(yours: Costed, found: Searched) -> Plain:
    """What the search found."""
    return {
        "best": _candidate_as_plain(found.best),
        "yours": {"wavefronts": _worst(yours), "total": _total(yours)},
        "families": [_candidate_as_plain(candidate) for candidate in found.families],
        "tried": found.tried,
        "seconds": round(found.seconds, 3),
    }


def recorded_as_plain(found: Recorded, arch: str) -> Plain:
    """Recorded accesses in the file's order; null for one that could not be costed."""
    return {"arch": arch, "rows": [_row_as_plain(row) for row in found.rows]}


def _heading(found: Costed) -> str:
    asked = found.asked
    lanes = counted(int(found.active.sum()), "lane")
    several = f" in {len(found.warps)} warps" if len(found.warps) > 1 else ""
    what = f"{asked.op} of {counted(asked.bytes_a_lane, 'byte')} a lane"
    return f"{what}, {lanes}{several}, compute capability {asked.arch}"


def _which(found: Costed) -> str:
    """Which warp the map is of."""
    costs = {(warp.wavefronts, warp.conflicts, warp.ideal) for warp in found.warps}
    rest = "all others cost the same" if len(costs) == 1 else "none takes more"
    return f"warp {found.worst}; {rest}:"


def _worst(found: Costed) -> int:
    return wavefronts_of(found.warps[found.worst])


def _total(found: Costed) -> int:
    return sum(map(wavefronts_of, found.warps))


def _cost_as_plain(cost: AccessCost) -> Plain:
    exact = {
        "wavefronts": cost.wavefronts,
        "conflicts": cost.conflicts,
        "ideal": cost.ideal,
        "groups": cost.groups,
        "ways": cost.ways,
    }
    return exact | _upper(cost.wavefronts, cost.wavefronts_at_most)


def _row_as_plain(row: Row | Problem) -> Plain | None:
    if isinstance(row, Problem):
        return None
    wavefronts, most, conflicts, ideal = row.counts
    exact = {"wavefronts": wavefronts, "conflicts": conflicts, "ideal": ideal}
    return exact | _upper(wavefronts, most)


def _upper(least: int, most: int | None) -> Plain:
    """The upper bound, where it is another; None where there is none."""
    return {} if most == least else {"wavefronts_at_most": most}


def _candidate_as_plain(candidate: Candidate) -> Plain:
    return {
        "family": candidate.layout.family,
        "name": candidate.layout.name,
        "expression": candidate.layout.expression,
        "wavefronts": candidate.wavefronts[0],
        "total": candidate.total,
        "extra_elements": candidate.extra_elements,
        "fits": candidate.fits,
    }


def _table_row(row: Row | Problem) -> tuple[str, ...]:
    if isinstance(row, Problem):
        return str(row.line), "–", "–", "–", "–", "–"
    return str(row.line), row.op, str(row.width), *_cells(row.counts)


def _cells(counts: Counts) -> tuple[str, str, str]:
    wavefronts = between(counts.wavefronts, counts.wavefronts_at_most)
    return wavefronts, between(counts.conflicts, counts.conflicts_at_most), str(counts.ideal)


def between(least: int, most: int | None) -> str:
    """`2`, `2–5` where only bounds are known, `2+` where there is no upper one."""
    if most is None:
        return f"{least}+"
    return str(least) if most == least else f"{least}–{most}"
