"""What a GPU says of a kernel, in the person's words: lines of styled text, as `bankmap` has.

The verdict in a line or two, and a table of what was measured. Knows no screen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader import compiled, profiles
from grader.facts import fact
from quizapp.domain.question import GpuPart, prose
from quizapp.report.lines import Line
from quizapp.report.verdicts import compiled_verdict
from quizapp.report.words import Words
from quizapp.system.gpu import NotMeasured
from quizapp.system.width import columns

if TYPE_CHECKING:  # types alone: most verdicts are without a GPU, and these take 40 ms
    from grader.gpu import GpuGrade, Ratio, Speed
    from grader.kernels import KernelGrade
    from grader.profiles import Space
    from quizapp.exercises.kernels import CheckedKernel

Row = tuple[str, str, str]
"""What, how much, and what that is beside."""
_EMULATED: tuple[tuple[str, Space, str], ...] = (
    ("waves", "shared", "wavefronts"),
    ("ideal", "shared", "ideal"),
    ("sectors", "global", "sectors"),
)


def verdict(checked: CheckedKernel, say: Words) -> Iterator[Line]:
    """Draw the verdict: right or not, how fast, or why that is unknown; nothing without a GPU."""
    found = checked.gpu
    if found is None:
        return
    if isinstance(found, NotMeasured):
        yield from _explain_unmeasured(found, say)
        return
    if found.verdict.failure is None:
        yield (("✓ ", "good"), (_right(found, say), "text"))
        yield from _speed(found, say)
    else:
        cures = checked.tells_cures or not found.verdict.ran
        yield from _failure(found, say, cures=cures)
        if checked.tells_cures and found.verdict.fails_at("speedup"):
            yield from _costs(checked, say)
    part = checked.question.gpu
    if part is not None and part.against is not None and found.speed and found.speed.ratio:
        text = say("gpu.against", what=prose(part.against, say.language))
        yield ((f"  {text}", "dim"),)


def table(found: GpuGrade, emulated: KernelGrade, say: Words) -> Iterator[Line]:
    """Draw what was measured, and the emulator's counts beside it."""
    rows = [*_timing_rows(found.speed, say), *_resources(found, say), *_count_rows(emulated, say)]
    widths = [max(columns(row[i]) for row in rows) for i in (0, 1)]
    for name, figure, beside in rows:
        first = name + " " * (widths[0] - columns(name))
        second = " " * (widths[1] - columns(figure)) + figure
        yield ((f"  {first}  ", "dim"), (second, "text"), (f"  {beside}", "dim"))
    yield ((say("gpu.seed", seed=found.seed), "dim"),)


def _right(found: GpuGrade, say: Words) -> str:
    device = _device(found)
    if not found.error:
        return say("gpu.right-exactly", device=device)
    error, allowed = f"{found.error:.2g}", f"{found.allowed:.2g}"
    return say("gpu.right", device=device, error=error, allowed=allowed)


def _speed(found: GpuGrade, say: Words) -> Iterator[Line]:
    speed = found.speed
    if speed is not None and speed.refused:
        yield (("· ", "dim"), (say("gpu.refused", why=say.fact(speed.refused)), "text"))
        return
    if speed is None or speed.ratio is None:
        return
    passed = found.standing == "passed"
    text = say("gpu.speedup", **_ratio(speed.ratio))
    text += "" if speed.gate is None else say("gpu.asked", gate=f"{speed.gate:g}")
    yield (("✓ " if passed else "· ", "good" if passed else "dim"), (text, "text"))
    if found.standing == "not decided":
        yield ((f"  {say('gpu.not-decided')}", "dim"),)
    elif not passed:
        yield ((f"  {say('gpu.not-judged', device=_device(found))}", "dim"),)


def _failure(found: GpuGrade, say: Words, *, cures: bool) -> Iterator[Line]:
    gate = found.verdict.failure
    assert gate is not None
    place = say("kernel.at", line=gate.line) if gate.line else ""
    title = say(f"gpu.gate.{gate.name}", device=_device(found))
    yield (("✗ ", "conflict"), (title + place, "text"))
    if gate.reason:
        for line in say.fact(gate.reason).splitlines():
            yield ((f"  {line}", "text"),)
        if cures and (hint := say.hint(gate.reason, gate.hint)):
            yield ((f"  {hint}", "dim"),)
    if gate.name == "result":
        yield ((f"  {say('gpu.seed', seed=found.seed)}", "dim"),)


_WRITTEN = {"python": ("float32(0.5)", "//"), "cuda": ("0.5f", "/")}
"""How a constant in single precision and an integer division are written."""


def _costs(checked: CheckedKernel, say: Words) -> Iterator[Line]:
    """Show what a kernel that is too slow does more than the solution, line by line."""
    head = say("gpu.costs" if checked.costs else "gpu.costs-none")
    yield ((f"  {head}", "text"),)
    single, divide = _WRITTEN[checked.question.language]
    for cost in checked.costs:
        text = say(
            f"gpu.cost.{cost.kind}",
            line=cost.line,
            count=f"{cost.count:,}",
            other=f"{cost.other:,}",
            each=cost.each,
            single=single,
            divide=divide,
        )
        yield ((f"  · {text}", "text"),)
    if checked.compiled is None:
        if not compiled.is_installed():
            yield ((f"  {say.hint(fact('compile.missing'), None)}", "dim"),)
        return
    for text in compiled_verdict.reason_texts(checked.compiled.reasons, say):
        yield ((f"  · {text}", "text"),)
    if checked.solution is not None:
        for text in compiled_verdict.solution_text(checked.solution.reasons, say):
            yield ((f"  · {text}", "text"),)


def _explain_unmeasured(found: NotMeasured, say: Words) -> Iterator[Line]:
    what = fact("gpu.skipped") if found.kind == "cancelled" else found.what
    yield (("· ", "dim"), (say("gpu.not-measured", why=say.fact(what)), "dim"))
    if hint := say.hint(what, found.todo):
        yield ((f"  {hint}", "dim"),)


def _timing_rows(speed: Speed | None, say: Words) -> Iterator[Row]:
    if speed is None:
        return
    beside = ""
    if speed.ratio is not None:
        beside = say("gpu.baseline", time=_time(speed.baseline_seconds), n=speed.samples)
    yield say("gpu.row.time"), _time(speed.seconds), beside
    share = f"{100 * speed.gigabytes / speed.copy_gigabytes:.0f}%" if speed.copy_gigabytes else "–"
    text = say("gpu.of-copy", share=share, copy=f"{speed.copy_gigabytes:,.0f}")
    yield say("gpu.row.memory"), f"{speed.gigabytes:,.0f} GB/s", text
    if speed.gigaflops is not None:
        yield say("gpu.row.arithmetic"), f"{speed.gigaflops:,.0f} GFLOP/s", ""


def _resources(found: GpuGrade, say: Words) -> Iterator[Row]:
    taken = found.resources
    if taken is None:
        return
    yield say("gpu.row.registers"), str(taken.registers), say("gpu.of-thread")
    yield say("gpu.row.shared"), f"{taken.shared_bytes:,}", say("gpu.of-block")
    if taken.local_bytes:
        yield say("gpu.row.local"), f"{taken.local_bytes:,}", say("gpu.bytes-thread")
    if taken.blocks:
        limiter = say(f"gpu.limit.{taken.limiter}")
        text = say("gpu.limited", blocks=taken.blocks, limiter=limiter)
        yield say("gpu.row.occupancy"), f"{100 * taken.occupancy:.0f}%", text


def _count_rows(emulated: KernelGrade, say: Words) -> Iterator[Row]:
    """Yield the emulator's counts at the first shape."""
    run = emulated.runs[0]
    figures = {
        name: f"{sum(profiles.total(counts, space, what) for counts in run.counts.values()):,}"
        for name, space, what in _EMULATED
    }
    shape = ", ".join(f"{name} = {size}" for name, size in run.shape.items())
    yield say("gpu.row.emulated"), "", say("gpu.emulated", shape=shape, **figures)


def _ratio(ratio: Ratio) -> dict[str, str]:
    return {name: _times(getattr(ratio, name)) for name in ("median", "low", "high")}


def _times(ratio: float) -> str:
    """Write a ratio to three figures, which is what such a measurement is worth."""
    return f"{ratio:.{max(0, 2 - math.floor(math.log10(ratio)))}f}" if ratio > 0 else "0"


def _time(seconds: float) -> str:
    micro = seconds * 1e6
    return f"{micro:,.1f} µs" if micro < 10_000 else f"{micro / 1000:,.1f} ms"


def _device(found: GpuGrade) -> str:
    return found.facts.name if found.facts is not None else "GPU"


def goal(part: GpuPart, say: Words) -> str:
    """Describe as Markdown what a GPU will check: the timed baseline, and the gates."""
    what = "" if part.against is None else prose(part.against, say.language)
    text = say("gpu.goal", what=what) if what else say("gpu.goal-unnamed")
    gates = tuple(
        say("gpu.goal-gate", ratio=gate, device=device) for device, gate in part.speedup.items()
    )
    return text + (say("gpu.goal-gates", gates=gates) if gates else "")
