"""What Nsight Compute measured beside what was counted: as lines, and as plain data.

The keys of the plain data are promised in docs/cli.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from grader.profiles import KernelPair
from quizapp.report.lines import Line, Role, Span, sentence, table

if TYPE_CHECKING:
    from quizapp.report.words import Words

_CAUSES: dict[str, Role] = {"same": "good", "other": "conflict"}


def lines(pairs: Sequence[KernelPair], say: Words) -> Iterator[Line]:
    """Show each measured kernel: its counters beside the computed ones, its limit, what next."""
    for pair in pairs:
        yield ()
        yield sentence(_title(pair, say), "bold")
        if pair.launch is None:
            yield sentence(say("nsight.no-launch"), "note")
        if pair.counters:
            yield from table(list(_rows(pair, say)), right=(1, 2), indent="  ")
        causes = dict.fromkeys(each.cause for each in pair.counters if each.cause != "same")
        for cause in causes:
            yield sentence(say(f"nsight.why.{cause}"), _CAUSES.get(cause, "text"))
        if pair.limit is not None:
            shown = ", ".join(f"{unit.upper()} {share:.0f}%" for unit, share in pair.peaks.items())
            yield sentence(
                say("nsight.peaks", peaks=shown, limit=say(f"nsight.limit.{pair.limit}"))
            )
        if pair.step is not None:
            yield sentence(_step(pair, say))
    if any(pair.launch for pair in pairs) and not any(pair.counters for pair in pairs):
        yield ()
        yield sentence(say("nsight.no-counters"), "note")


def as_plain(pair: KernelPair) -> dict[str, Any]:
    """Return a measured kernel, with what is compared with it."""
    return {
        "id": pair.kernel.number,
        "kernel": pair.kernel.name,
        "grid": list(pair.kernel.grid),
        "block": list(pair.kernel.block),
        "capability": pair.kernel.capability,
        "seconds": pair.kernel.seconds,
        "launched": pair.launch is not None,
        "counters": [
            {
                "counter": each.counter,
                "measured": each.measured,
                "computed": each.computed,
                "cause": each.cause,
            }
            for each in pair.counters
        ],
        "peaks": dict(pair.peaks),
        "limit": pair.limit,
        "step": pair.step,
    }


def _title(pair: KernelPair, say: Words) -> str:
    kernel = pair.kernel
    time = ""
    if kernel.seconds is not None:
        time = say("nsight.time", microseconds=f"{kernel.seconds * 1e6:,.1f}")
    grid, block = (",".join(map(str, sizes)) for sizes in (kernel.grid, kernel.block))
    return say("nsight.title", kernel=kernel.name, id=kernel.number, grid=grid, block=block) + time


def _rows(pair: KernelPair, say: Words) -> Iterator[Sequence[str | Span]]:
    yield "", say("nsight.measured"), say("nsight.computed"), ""
    for each in pair.counters:
        role = _CAUSES.get(each.cause, "text")
        result: Span = (say(f"nsight.cause.{each.cause}"), role)
        yield each.counter, f"{each.measured:,}", f"{each.computed:,}", result


def _step(pair: KernelPair, say: Words) -> str:
    occupancy = "" if pair.occupancy is None else f"{pair.occupancy:.0f}"
    return say(
        f"nsight.next.{pair.step}", line=pair.line, times=f"{pair.excess:.1f}", occupancy=occupancy
    )
