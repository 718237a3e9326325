"""The cost of accesses, of one expression or of many recorded ones: as lines, and as plain data.

The keys of the plain data are promised in docs/cli.md. Computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from grader.facts import Fact, fact
from quizapp.exercises.accesses import wavefronts_of
from quizapp.exercises.recorded_accesses import InvalidLine
from quizapp.report.bankmap import evidence, evidence_with_source, figures, picture, witness
from quizapp.report.lines import Line, sentence, table

if TYPE_CHECKING:
    from grader.banks import AccessCost
    from grader.layouts import LayoutCandidate
    from quizapp.exercises.accesses import AccessAnalysis, LayoutSearch
    from quizapp.exercises.recorded_accesses import AccessCounts, RecordedAccess, RecordedAccesses
    from quizapp.report.words import Words

Plain = dict[str, Any]

_NONE = "–"


def access_lines(
    analysis: AccessAnalysis, columns: int, say: Words, *, why: bool
) -> Iterator[Line]:
    """Show the access, the map and figures of the worst warp, and how the counts are known.

    `why`: also name the source of the rule that counted.
    """
    yield from heading_lines(analysis, say)
    yield ()
    yield from picture(analysis.warps[analysis.worst], analysis.query.arch, columns, say)
    yield ()
    yield from figure_lines(analysis, say, why=why)


def heading_lines(analysis: AccessAnalysis, say: Words) -> Iterator[Line]:
    """Name the access, and the warp that is shown."""
    yield sentence(say.fact(_heading(analysis)))
    if len(analysis.warps) > 1:
        yield sentence(say.fact(_which(analysis)))


def figure_lines(analysis: AccessAnalysis, say: Words, *, why: bool) -> Iterator[Line]:
    """State the figures of the worst warp and of all, and how they are known."""
    arch, worst = analysis.query.arch, analysis.warps[analysis.worst]
    yield sentence(figures(worst, say))
    yield sentence(witness(worst, say))
    if len(analysis.warps) > 1:
        total = figures(analysis.total, say)
        yield sentence(say("analysis.all-warps", warps=len(analysis.warps), figures=total))
    if why:
        yield sentence(evidence_with_source(analysis.total, arch, say))
    else:
        known = evidence(analysis.total, arch, say)
        yield sentence(say("analysis.evidence", evidence=known))


def search_lines(analysis: AccessAnalysis, search: LayoutSearch, say: Words) -> Iterator[Line]:
    """Show the best layout, then the present one beside the best of each family."""
    best = search.best
    name = f"{best.layout.family}, {best.layout.name}"
    yield ()
    yield sentence(say("analysis.tried", n=search.tried, seconds=search.seconds))
    if _total(analysis) <= best.total:
        yield sentence(say("analysis.best-equal", layout=name))
    else:
        yield sentence(say("analysis.best", layout=name))
    yield sentence(f"  {best.layout.expression}")
    yield ()
    names = ("family", "best", "worst-warp", "all-warps", "extra")
    head = [say(f"analysis.column.{column}") for column in names]
    worst, total = _worst(analysis), _total(analysis)
    present = [say("analysis.yours"), say("analysis.as-it-is"), str(worst), str(total), "0"]
    rows = [
        [c.layout.family, c.layout.name, str(c.wavefronts[0]), str(c.total), str(c.extra_elements)]
        for c in search.families
    ]
    yield from table([head, present, *rows], right=(2, 3, 4))


def recorded_lines(recorded: RecordedAccesses, say: Words) -> Iterator[Line]:
    """Show a line for each access, and the sum."""
    names = ("line", "op", "width", "wavefronts", "conflicts", "ideal")
    head = tuple(say(f"analysis.column.{column}") for column in names)
    total = (say("analysis.sum"), "", "", *_cells(recorded.total))
    rows = [head, *map(_recorded_row, recorded.rows), total]
    yield from table(rows, right=(0, 2, 3, 4, 5))
    if any("+" in cell for row in rows[1:] for cell in row):
        yield sentence(say("analysis.plus"))


def access_as_plain(analysis: AccessAnalysis) -> Plain:
    """Return an access of all warps, and the witness of the worst one."""
    query, busiest = analysis.query, analysis.warps[analysis.worst].witness
    words = [] if busiest is None else [word._asdict() for word in busiest.words]
    return {
        "arch": query.arch,
        "op": query.op,
        "width": query.bytes_per_lane,
        "warps": [
            {"warp": number, **_cost_as_plain(warp)} for number, warp in enumerate(analysis.warps)
        ],
        "worst": analysis.worst,
        "total": _cost_as_plain(analysis.total),
        "evidence": analysis.total.evidence,
        "source": analysis.total.source,
        "witness": None if busiest is None else {"bank": busiest.bank, "words": words},
    }


def search_as_plain(analysis: AccessAnalysis, search: LayoutSearch) -> Plain:
    """Return what the search found."""
    return {
        "best": _candidate_as_plain(search.best),
        "yours": {"wavefronts": _worst(analysis), "total": _total(analysis)},
        "families": [_candidate_as_plain(candidate) for candidate in search.families],
        "tried": search.tried,
        "seconds": round(search.seconds, 3),
    }


def recorded_as_plain(recorded: RecordedAccesses, arch: str) -> Plain:
    """Return recorded accesses in the file's order; None for a line that holds none."""
    return {"arch": arch, "rows": [_recorded_as_plain(row) for row in recorded.rows]}


def format_range(least: int, most: int | None) -> str:
    """Write `2`, `2–5` if only bounds are known, `2+` if there is no upper one."""
    if most is None:
        return f"{least}+"
    return str(least) if most == least else f"{least}–{most}"


def _heading(analysis: AccessAnalysis) -> Fact:
    query = analysis.query
    width = fact("count.bytes", n=query.bytes_per_lane)
    lanes = fact("count.lanes", n=int(analysis.active.sum()))
    if len(analysis.warps) > 1:
        lanes = fact("analysis.lanes-in-warps", lanes=lanes, warps=len(analysis.warps))
    return fact("analysis.heading", op=query.op, width=width, lanes=lanes, arch=query.arch)


def _which(analysis: AccessAnalysis) -> Fact:
    """Say which warp the map is of."""
    costs = {(warp.wavefronts, warp.conflicts, warp.ideal) for warp in analysis.warps}
    if len(costs) == 1:
        return fact("analysis.equal-warps", warp=analysis.worst)
    return fact("analysis.worst-warp", warp=analysis.worst)


def _worst(analysis: AccessAnalysis) -> int:
    return wavefronts_of(analysis.warps[analysis.worst])


def _total(analysis: AccessAnalysis) -> int:
    return sum(map(wavefronts_of, analysis.warps))


def _cost_as_plain(cost: AccessCost) -> Plain:
    exact = {
        "wavefronts": cost.wavefronts,
        "conflicts": cost.conflicts,
        "ideal": cost.ideal,
        "groups": cost.groups,
        "ways": cost.ways,
    }
    return exact | _upper(cost.wavefronts, cost.wavefronts_at_most)


def _recorded_as_plain(row: RecordedAccess | InvalidLine) -> Plain | None:
    if isinstance(row, InvalidLine):
        return None
    wavefronts, most, conflicts, ideal = row.counts
    exact = {"wavefronts": wavefronts, "conflicts": conflicts, "ideal": ideal}
    return exact | _upper(wavefronts, most)


def _upper(least: int, most: int | None) -> Plain:
    """Return the upper bound if it differs; None if there is none."""
    return {} if most == least else {"wavefronts_at_most": most}


def _candidate_as_plain(candidate: LayoutCandidate) -> Plain:
    return {
        "family": candidate.layout.family,
        "name": candidate.layout.name,
        "expression": candidate.layout.expression,
        "wavefronts": candidate.wavefronts[0],
        "total": candidate.total,
        "extra_elements": candidate.extra_elements,
        "fits": candidate.fits,
    }


def _recorded_row(row: RecordedAccess | InvalidLine) -> tuple[str, ...]:
    if isinstance(row, InvalidLine):
        return str(row.line), _NONE, _NONE, _NONE, _NONE, _NONE
    return str(row.line), row.op, str(row.width), *_cells(row.counts)


def _cells(counts: AccessCounts) -> tuple[str, str, str]:
    wavefronts = format_range(counts.wavefronts, counts.wavefronts_at_most)
    return wavefronts, format_range(counts.conflicts, counts.conflicts_at_most), str(counts.ideal)
