"""The sentences of a report on launches: verdict, headings, what bounds a launch, what would help.

Every format that has sentences takes them from here. Computes nothing; knows no format.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.profiles import (
    ArgumentRecord,
    Bound,
    CostlyLine,
    FaultPlace,
    LaunchGroup,
    LaunchReport,
    ReportVerdict,
)
from grader.simt import Advice
from quizapp.report.file_names import below_here
from quizapp.report.verdicts.counted_lines import sizes, write_ratio
from quizapp.report.words import Words

PTX = "PTX"
"""The compiler of a launch of a person's own PTX."""
_KILO = 1024
_UNITS = ("bytes", "KB", "MB", "GB")


class FileNames:
    """How files are named: "" for the script, else as seen from the current folder."""

    def __init__(self, script: Path) -> None:
        self._script = script.absolute()

    def __call__(self, path: str) -> str:
        """Name a file."""
        if not path or Path(path) == self._script:
            return ""
        return str(below_here(path))


def headline(report: LaunchReport, names: FileNames, say: Words) -> str:
    """Say the verdict, and what ended the launches before the script did."""
    said = verdict(report.verdict, names, say)
    if report.signal:
        said = say("profile.until-signal", signal=report.signal, said=said)
    if report.refused is not None:
        said = say("profile.until-refused", said=said)
    return said


def verdict(found: ReportVerdict, names: FileNames, say: Words) -> str:
    """Say in one line how many launches ended early or have faults, and the costliest lines."""
    parts = [_faults(found, names, say)]
    if found.unfinished == found.faulty == found.launches == 1:
        parts = [say("profile.only-unfinished-faulty", which=_which(found, names, say))]
    elif found.unfinished:
        parts.insert(0, _unfinished(found, say))
    if found.warnings:
        parts[-1] = say("profile.with-warnings", said=parts[-1], n=found.warnings)
    parts += [costly_line(line, names, say) for line in found.costly]
    return say("profile.clause").join(parts)


def _unfinished(found: ReportVerdict, say: Words) -> str:
    if found.launches == 1:
        return say("profile.only-unfinished")
    return say("profile.some-unfinished", n=found.unfinished, launches=found.launches)


def _faults(found: ReportVerdict, names: FileNames, say: Words) -> str:
    if not found.faulty and found.unfinished:
        return say("profile.none-until-then")
    if not found.faulty:
        return say("profile.none-faulty", n=found.launches)
    which = _which(found, names, say)
    if found.launches == 1:
        return say("profile.only-faulty", which=which)
    return say("profile.some-faulty", n=found.faulty, launches=found.launches, which=which)


def _which(found: ReportVerdict, names: FileNames, say: Words) -> str:
    """Name the first fault, and how many more there are."""
    which = fault(found.faults[0], names, say)
    if more := len(found.faults) - 1:
        return say("profile.more-faults", fault=which, n=more)
    return which


def fault(found: FaultPlace, names: FileNames, say: Words) -> str:
    """Name a fault, what it is about, and its lines: `race in shared memory (tile, line 12)`."""
    kind = say(f"finding.kind.{found.kind}")
    where = _places(found, names, say)
    if not found.array:
        return say("profile.fault", kind=kind, place=where)
    return say("profile.fault-of-array", kind=kind, array=found.array, place=where)


def _places(found: FaultPlace, names: FileNames, say: Words) -> str:
    """Name the lines of a fault, the upper one first."""
    here, there = (found.file, found.line), (found.other_file, found.other_line)
    if not found.other_line or here == there:
        return place(found.line, names(found.file), say)
    if found.file == found.other_file:
        first, second = sorted((found.line, found.other_line))
        key = "place.two-lines-of-file" if names(found.file) else "place.two-lines"
        return say(key, first=first, second=second, file=names(found.file))
    places = [place(line, names(file), say) for file, line in sorted((here, there))]
    return say("place.both", first=places[0], second=places[1])


def costly_line(costly: CostlyLine, names: FileNames, say: Words) -> str:
    """Say which line costs how much of a memory space, and what would help."""
    shown = {
        "kernel": costly.kernel,
        "place": place(costly.line, names(costly.file), say),
        "percent": round(100 * costly.share),
    }
    if costly.space == "global":
        return say("profile.costly-global", ratio=write_ratio(costly.ratio), **shown)
    ways = say("banks.ways", count=write_ratio(costly.ratio))
    said = say("profile.costly-shared", ways=ways, **shown)
    fix = short_fix(costly.pitch, say)
    return say("profile.with-fix", said=said, fix=fix) if fix else said


def short_fix(pitch: Advice | None, say: Words) -> str:
    """Name what helps in a few words; "" if nothing has been tried that does."""
    if pitch is None:
        return ""
    fields = pitch.what.fields
    if "row" in fields:
        return say("profile.fix-pad-flat", pitch=fields["longer"], columns=fields["row"])
    return say("profile.fix-pad", pitch=fields["pitch"])


def place(line: int, file: str, say: Words) -> str:
    """Name a line; that of the script without its file."""
    if file:
        return say("place.line-of-file", line=line, file=file)
    return say("place.line", line=line)


def heading(group: LaunchGroup, say: Words) -> str:
    """Name kernel, grid, block, time, and how many launches are equal."""
    grid, block = sizes(group.launch.grid), sizes(group.launch.block)
    time = _time(group.seconds, say)
    said = say("profile.heading", title=group.title, grid=grid, block=block, time=time)
    if not group.launch.finished:
        said = say("profile.unfinished", heading=said)
    if group.summed:
        return say("profile.summed", heading=said, n=group.count)
    return say("profile.equal", heading=said, n=group.count) if group.count > 1 else said


def compiled(group: LaunchGroup, say: Words) -> str:
    """Say that it ran as compiled; "" for a kernel as it is written."""
    compiler = group.launch.compiler
    if not compiler:
        return ""
    return (
        say("profile.as-ptx") if compiler == PTX else say("profile.as-compiled", compiler=compiler)
    )


def libraries(group: LaunchGroup, say: Words) -> str:
    """Say which libraries are headers of ours; "" if there are none."""
    names = ", ".join(group.launch.libraries)
    return say("profile.libraries", names=names) if names else ""


def _time(seconds: float, say: Words) -> str:
    if seconds >= 1:
        return say("profile.seconds", seconds=seconds)
    return say("profile.milliseconds", milliseconds=seconds * 1000)


def launched(group: LaunchGroup, names: FileNames, say: Words) -> str:
    """Say which line launched it and with what; "" if neither is known."""
    caller = group.launch.caller
    arguments = ", ".join(map(argument, group.launch.arguments))
    if not caller.line:
        return arguments
    where = place(caller.line, names(caller.file), say)
    if not arguments:
        return say("profile.launched", place=where)
    return say("profile.launched-with", place=where, arguments=arguments)


def argument(given: ArgumentRecord) -> str:
    """Write an argument as `image: float32[64, 64]` or `n: int = 64`."""
    if given.shape is None:
        return f"{given.name}: {given.type} = {given.value}"
    return f"{given.name}: {given.type}[{', '.join(map(str, given.shape))}]"


def bound(found: Bound, say: Words) -> Iterator[str]:
    """Say how long each memory takes at least, then what moves through it."""
    if found.limit is None:
        return
    each = tuple(
        say("profile.cycles", resource=say(f"profile.resource.{space}"), cycles=f"{cycles:,}")
        for space, cycles in found.cycles.items()
        if cycles
    )
    yield say("profile.bound", n=found.cycles[found.limit], each=each)
    if found.sectors:
        yield say(
            "profile.traffic",
            moved=write_bytes(found.bytes_moved, say),
            needed=write_bytes(found.bytes_needed, say),
            percent=f"{100 * found.sector_share:.0f}",
        )
    if found.wavefronts:
        ideal = f"{found.ideal_wavefronts:,}"
        yield say("profile.shared-cost", n=found.wavefronts, ideal=ideal)


def shared(group: LaunchGroup, say: Words) -> str:
    """Say how much shared memory a block has; "" if none."""
    taken = group.launch.shared_bytes
    return say("profile.shared-bytes", bytes=write_bytes(taken, say)) if taken else ""


def write_bytes(number: int, say: Words) -> str:
    """Write a number of bytes with the unit that leaves up to three digits before the point."""
    value, power = float(number), 0
    while value >= _KILO and power < len(_UNITS) - 1:
        value, power = value / _KILO, power + 1
    text = f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"
    return f"{text} {_UNITS[power]}" if power else say("profile.bytes", n=number)


_PYTHON = (".py", ".pyw", ".ipynb", ">")
"""Endings of files with Numba kernels; the last is that of texts, as of a notebook's cell."""


def proposals(group: LaunchGroup, say: Words) -> Iterator[str]:
    """Say which layouts would help."""
    for found in group.proposals:
        yield say("profile.proposals", array=found.array, now=found.wavefronts)
        named: dict[str, str | int] = {"array": found.array}
        if not group.launch.file.endswith(_PYTHON):
            named["language"] = "cuda"
        if found.is_flat:
            named["columns"] = found.columns
        if found.pitch is not None:
            key = "profile.proposal-flat" if found.is_flat else "profile.proposal-pad"
            yield "  " + say(key, pitch=found.pitch, then=found.padded, **named)
        if found.swizzle:
            key = "profile.proposal-flat-swizzle" if found.is_flat else "profile.proposal-swizzle"
            yield "  " + say(key, slot=found.swizzle, then=found.swizzled, **named)


def strides(group: LaunchGroup, say: Words, line: int | None = None) -> Iterator[str]:
    """Say which global accesses, of one line or all, are evenly apart, and the usual remedy."""
    by_place = {(found.line, found.array, found.apart): found for found in group.strides}
    for found in by_place.values():
        if line not in (None, found.line):
            continue
        key = "profile.stride-row" if found.is_row else "profile.stride"
        yield say(
            key,
            place=place(found.line, "", say),
            array=found.array,
            apart=found.apart,
            width=found.width,
            n=found.sectors,
            ideal=found.ideal,
        )
