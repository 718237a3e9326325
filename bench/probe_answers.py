"""Answers probes once more, from the text of the changed kernel, without what made them.

The changed text is read as a submission or a source of its own and launched by the emulator's
public interface; answers are read off its findings, counters and outputs by code of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact
from grader.probes import KernelProbe, KernelProbes, LaunchChange
from grader.simt import CompiledKernel, Launch, launch
from grader.simt.ptx.shown import PtxFunction

_BUDGET_FACTOR, _BUDGET = 4, 10_000
_MOST = 150_000_000
_MEMORY = {"wavefronts": "shared", "sectors": "global"}
_KINDS = ("load", "store", "atomic")
_RACES = ("probe.outcome.race", "probe.outcome.race-in-line")
_ENDLESS = ("budget", "no-progress")
_LIMITS = {"9.0": (64, 32, 228 << 10), "12.0": (48, 24, 100 << 10)}
"""Warps, blocks and bytes of an SM."""
_STATED = ("most", "blocks", "room", "unit", "reserved")
"""What the question says of an SM: threads, blocks, bytes, and how a block is given these."""

Read = Callable[
    [str, Mapping[str, Any], LaunchChange], tuple[CompiledKernel, list[Any], int | None]
]
"""Read a kernel from a text, for arguments by the names of its parameters, and fit these; with the
bytes of shared memory that its compiler wants, if that is for the compiler to say."""


@dataclass(frozen=True)
class Again:
    """A launch as it was made from the source, to be made again from other texts."""

    source: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared_bytes: int
    given: Mapping[str, Any]
    read: Read


def check(again: Again, made: KernelProbes) -> list[str]:
    """Return what is not as the probes say; nothing if all answers come out the same."""
    given = _vary(again.given, made.varied)
    first = Rerun(again, given, again.source, LaunchChange(), _MOST)
    budget = _BUDGET_FACTOR * first.done.operations + _BUDGET
    wrong = []
    for probe in made.probes:
        text = _apply(again.source, probe)
        run = Rerun(again, given, text, probe.launch, budget)
        said = _disagreement(probe, first, run)
        if not said and _is_of_races(probe):
            model = Rerun(again, given, text, probe.launch, budget, by_model=True)
            said = _deny_race(probe, first, model)
        if said:
            wrong.append(f"{made.kernel} {probe.rule} {probe.asked.bare()}: {said}")

    @cache
    def rerun(text: str, other: LaunchChange = LaunchChange()) -> Rerun:  # noqa: B008 - frozen
        return Rerun(again, given, text, other, budget)

    wrong += [
        f"{made.kernel} {probe.rule} {probe.asked.bare()}: {said}"
        for probe in made.probes
        for said in check_reasons(again.source, probe, first, rerun)
    ]
    return wrong


class Rerun:
    """A launch of a text."""

    def __init__(
        self, again: Again, given: Mapping[str, Any], text: str, other: LaunchChange, budget: int,
        *, by_model: bool = False,
    ) -> None:  # fmt: skip
        values = _change(given, other)
        kernel, fitting, shared = again.read(text, values, other)
        with np.errstate(all="ignore"):
            self.done: Launch = launch(
                kernel, other.grid or again.grid, other.block or again.block, fitting,
                shared_bytes=again.shared_bytes if shared is None else shared,
                budget=budget, tell_harmless=not by_model,
                same_races=by_model, order=other.order or None,
            )  # fmt: skip
        self.hides_shared = shared is not None  # then it is the compiler that uses it
        self.names = kernel.function.parameters
        self.arrays = {
            name: value
            for name, value in zip(self.names, fitting, strict=True)
            if name in kernel.compiled.stored and isinstance(value, np.ndarray)
        }
        compiled = isinstance(kernel.function, PtxFunction)  # of which any array may be an output
        self.outputs = {
            name: value
            for name, value in self.arrays.items()
            if not compiled or self.done.written_elements(name).any()
        }

    def faults(self, *kinds: str) -> list[Any]:
        """Its faults, of these kinds."""
        found = [f for f in self.done.faults if f.kind in kinds or not kinds]
        return [f for f in found if f.kind != "race" or not self.hides_shared]

    def lines(self, *kinds: str) -> set[int]:
        """The lines of these."""
        found = {f.line for f in self.faults(*kinds) if not f.file}
        return found | {f.other_line for f in self.faults(*kinds) if f.other_line}

    def count(self, line: int, name: str) -> int:
        """A counter of a line."""
        return int(self.done.line(line).get(name, 0))


def _disagreement(probe: KernelProbe, first: Rerun, run: Rerun) -> str:
    if probe.form == "number":
        found = _number(probe, run)
        return "" if found == probe.answer else f"{found}, not {probe.answer}"
    if probe.form == "line":
        return _check_line(probe, run)
    if probe.rule == "mend":
        return "still has a fault" if run.faults() else ""
    true = [option.code for option in probe.options if holds(option, first, run)]
    if true != [probe.options[0].code] or not holds(probe.options[0], first, run):
        return f"holds {true}, not only {probe.options[0].code}"
    return ""


def _is_of_races(probe: KernelProbe) -> bool:
    """True if a wrong answer may say of a race that there is none."""
    kind = str(probe.asked.fields.get("kind"))
    return (
        probe.rule in ("barrier", "mend")
        or (probe.rule == "fault" and "race" in kind)
        or any(option.code in _RACES for option in probe.options[1:])
    )


def _deny_race(probe: KernelProbe, first: Rerun, model: Rerun) -> str:
    """Say which race of CUDA's memory model, where any two stores conflict, an answer denies."""
    if probe.rule == "mend":
        return "races by the memory model" if model.faults("race", "global-race") else ""
    if probe.form == "line":
        denied = sorted(set(probe.lines[1:]) & model.lines("race", "global-race"))
    else:
        races = [each for each in probe.options[1:] if each.code in _RACES]
        denied = [each.bare() for each in races if holds(each, first, model)]
    return f"denies races of the memory model: {denied}" if denied else ""


def _number(probe: KernelProbe, run: Rerun) -> float:
    fields = probe.asked.fields
    match probe.rule:
        case "guard-threads":
            out = [f for f in run.faults("out-of-bounds") if not f.file]
            if not out or out[0].line != fields["at"]:
                return -1
            place = (out[0].array, out[0].line)
            return int(sum(f.count for f in out if (f.array, f.line) == place))
        case "fault-count" if "array" in fields:
            cells = [cells for found, cells in run.done.races if found.array == fields["array"]]
            return len({int(each) for one in cells for some in one.elements for each in some})
        case "fault-count":
            return sum(f.count for f in run.faults("out-of-bounds"))
        case "longer" | "tile":
            return int((~run.done.written_elements(str(fields["array"]))).sum())
        case "resident":
            said = {name: int(str(fields[name])) for name in _STATED}
            if (said["most"] // 32, said["blocks"], said["room"]) != _LIMITS[
                str(fields["capability"])
            ]:
                return -1
            size = -(-run.done.shared_bytes // said["unit"]) * said["unit"] + said["reserved"]
            warps = -(-int(str(fields["threads"])) // 32)
            return min(said["most"] // 32 // warps, said["blocks"], said["room"] // size)
    space, kind = fields["access"].code.split(".")[-2:]  # type: ignore[union-attr]
    requests = run.count(probe.line, f"{space}_{kind}_requests")
    if probe.asked.code in ("probe.requests.question", "probe.warps.question"):
        return requests
    unit = "wavefronts" if space == "shared" else "sectors"
    total = run.count(probe.line, f"{space}_{kind}_{unit}")
    return total if probe.rule == "predict" else total / requests


def _check_line(probe: KernelProbe, run: Rerun) -> str:
    others = set(probe.lines[1:])
    match probe.rule:
        case "guard":
            right = run.lines("out-of-bounds")
        case "barrier":
            right = run.lines("race", "global-race")
        case "fault":
            kind = str(probe.asked.fields["kind"]).rpartition(".")[2]
            right = run.lines(kind)
        case "costly":
            memory = probe.asked.fields["memory"]
            unit = "wavefronts" if str(memory).startswith("repair.counted.shared") else "sectors"
            space = _MEMORY[unit]

            def cost(line: int) -> int:
                return sum(run.count(line, f"{space}_{kind}_{unit}") for kind in _KINDS)

            right = {max(probe.lines, key=cost)}
        case "barrier-free":
            right = set() if run.done.faults else {probe.line}
        case _:  # planted: what was changed
            right = {change.place for change in probe.changes}
    if probe.lines[0] not in right or right & others:
        return f"lines {sorted(right)} are right, of {probe.lines}"
    return ""


def holds(option: Any, first: Rerun, run: Rerun) -> bool:
    """True if an option is true of a run."""
    name = option.code.rpartition(".")[2]
    fields = option.fields
    if option.code.startswith("finding.kind."):
        return bool(run.faults(name))
    if option.code.startswith("probe.value."):
        array = next(iter(run.outputs.values()))
        finite = bool(np.isfinite(array).all())
        return {
            "nan": bool(np.isnan(array).any()),
            "inf": bool(np.isinf(array).any()) and not np.isnan(array).any(),
            "zero": not array.any(),
            "finite": finite and bool(array.any()),
        }[name]
    faults = run.faults()
    if name == "endless":
        return any(f.kind in _ENDLESS for f in faults)
    if name in ("race", "race-in-line"):
        pair = {fields["line"], fields.get("other", fields["line"])}
        races = run.faults("race", "global-race")
        return any({f.line, f.other_line or f.line} == pair and f.array == fields["array"]
                   for f in races)  # fmt: skip
    if name in ("same", "wrong", "rounding"):
        return not faults and _compare(name, fields, first, run)
    return any(f.line == fields["line"] and f.array == fields["array"] for f in run.faults(name))


def _compare(name: str, fields: Mapping[str, Any], first: Rerun, run: Rerun) -> bool:
    names = [fields["array"]] if name != "same" else list(first.outputs)
    for each in names:
        before, after = first.outputs[each], run.arrays[each]
        different = before.size if before.shape != after.shape else _different(before, after)
        if name == "same" and different:
            return False
        if name == "wrong" and different != fields["n"]:
            return False
        close = before.dtype.kind == "f" and np.allclose(before, after, 1e-3, equal_nan=True)
        if name == "rounding" and not (different and close):
            return False
        if name == "wrong" and close:
            return False
    return True


def _different(one: NDArray[Any], other: NDArray[Any]) -> int:
    pairs = zip(one.reshape(-1), other.reshape(-1), strict=True)
    return sum(a.tobytes() != b.tobytes() for a, b in pairs)


def _vary(given: Mapping[str, Any], varied: tuple[str, ...]) -> dict[str, Any]:
    changed = dict(given)
    for number, name in enumerate(varied):
        value = changed[name]
        drawn = np.random.default_rng(number).normal(size=value.shape)
        changed[name] = drawn.astype(value.dtype)
    return changed


def _change(given: Mapping[str, Any], other: LaunchChange) -> dict[str, Any]:
    values = {n: np.array(v) if isinstance(v, np.ndarray) else v for n, v in given.items()}
    for name, number in other.numbers:
        values[name] = type(values[name])(number)
    for name, length in other.lengths:
        old = values[name]
        new = np.zeros((length, *old.shape[1:]), old.dtype)
        n = min(length, len(old))
        new[:n] = old[:n]
        values[name] = new
    for name, dtype in other.dtypes:
        values[name] = values[name].astype(dtype)
    for name, value in other.fills:
        values[name] = np.full_like(values[name], value)
    if other.same:
        values[other.same[1]] = values[other.same[0]]
    return values


def _apply(source: str, probe: KernelProbe) -> str:
    """Put the changes into the source, the last one first."""
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    places = [
        (source.index(each.context, starts[each.line - 1]) + each.offset, each)
        for each in probe.changes
    ]
    for at, each in sorted(places, key=lambda place: -place[0]):
        assert source[at : at + len(each.old)] == each.old
        source = source[:at] + each.new + source[at + len(each.old) :]
    return source


def check_reasons(
    source: str, probe: KernelProbe, first: Rerun, rerun: Callable[..., Rerun]
) -> Iterator[str]:
    """Yield why the options of a probe are wrong where that is not so."""
    options = probe.options or probe.lines
    if len(probe.reasons) != max(0, len(options) - 1):
        yield f"{len(probe.reasons)} reasons"
    for option, reason in zip(options[1:], probe.reasons, strict=False):
        edit = reason.fields.get("edit")
        if probe.rule == "mend":
            if not rerun(_put(source, option)).faults():
                yield f"mends as well: {option}"
        elif isinstance(edit, Fact):
            if edit.code == "probe.edit.tile":
                constant = str(edit.fields["name"]), int(str(edit.fields["new"]))
                run = rerun(source, LaunchChange(constants=(constant,)))
            else:
                run = rerun(_replace(source, edit))
            if reason.code == "probe.why.change":
                true = holds(option, first, run)
            elif reason.code == "probe.why.line-other":
                true = option in run.lines()
            else:  # a line that was not changed, and what a change of it comes to
                true = bool(run.faults()) or not holds(Fact("probe.outcome.same"), first, run)
            if not true:
                yield f"{option} is not so with {edit.bare()}"


def _replace(source: str, edit: Fact) -> str:
    """Write one text in place of another one that stands once in its line, or begins there."""
    lines = source.split("\n")
    at = sum(len(line) + 1 for line in lines[: int(str(edit.fields["line"])) - 1])
    old, new = str(edit.fields["old"]), str(edit.fields["new"])
    written = r"\s+".join(map(re.escape, old.split(" ")))
    found = re.compile(rf"(?<![\w.<>=!]){written}(?![\w.<>=])").search(source, at)
    assert found is not None, edit.bare()
    return source[: found.start()] + new + source[found.end() :]


def _put(source: str, option: Any) -> str:
    """Write the change that an option says."""
    lines = source.split("\n")
    line, code = int(option.fields["line"]), option.fields["code"]
    old = lines[line - 1]
    indent = old[: len(old) - len(old.lstrip())]
    written = {
        "line": [indent + code], "before": [indent + code, old], "after": [old, indent + code],
    }[option.code.rpartition(".")[2]]  # fmt: skip
    return "\n".join([*lines[: line - 1], *written, *lines[line:]])
