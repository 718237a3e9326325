"""Kernels in Numba: counters of those of `bench.gpu`, speeds of the shipped solutions."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from bench.gpu import device, nsight
from bench.gpu.cases import Case, cases
from bench.gpu.claims.figures import Figure


def counters(raw: Path) -> Iterator[Figure]:
    """Conflicts of the reductions of `bench.gpu`; what ncu says of all its kernels is kept."""
    nsight.profile(raw, device.identity())
    _device, versions, launches = nsight.read(raw.read_text("utf-8"))
    yield Figure("machine", "numba", "versions", versions)
    for case, launch in zip(cases(), launches, strict=True):
        if case.name.startswith("reduce"):
            yield from _of_a_block(case, launch.counts())


def _of_a_block(case: Case, counts: Mapping[str, int]) -> Iterator[Figure]:
    each = {op: counts[f"shared_{op}_conflicts"] / case.grid[0] for op in ("load", "store")}
    yield Figure("numba_kernels", case.name, "conflicts of a block", f"{sum(each.values()):g}")
    for op, count in each.items():
        yield Figure("numba_kernels", case.name, f"{op} conflicts of a block", f"{count:g}")


def speeds(known: Container[str] = ()) -> Iterator[Figure]:
    """How many times as fast as its baseline a question's solution is, with its interval.

    Args:
        known: questions that are not measured again, without their pack.
    """
    from grader.gpu import Benchmark, Gpu  # noqa: PLC0415 - a worker, which the rest does without
    from quizapp.deck import index  # noqa: PLC0415 - the questions
    from quizapp.deck.compiler import compile_deck  # noqa: PLC0415
    from quizapp.deck.deck import Deck  # noqa: PLC0415
    from quizapp.domain.question import Kernel  # noqa: PLC0415
    from quizapp.exercises.kernels import problem  # noqa: PLC0415

    content = Path(__file__).parents[3] / "content"
    deck = Deck(compile_deck(index.sources([str(content)])).compiled)
    kernels = [entry.id for entry in deck.entries.values() if entry.kind == "kernel"]
    names = [one for one in kernels if one.rpartition("/")[2] not in known]
    with Gpu(seconds=120) as gpu:
        for name in names:
            question = deck.question(name)
            if not isinstance(question, Kernel) or question.gpu is None:
                continue
            asked = Benchmark(question.gpu.shape, question.gpu.baseline or "", {})
            graded = gpu.grade(problem(question), question.solution or "", asked)
            short = name.rpartition("/")[2]  # without its pack
            yield Figure("numba_kernels", short, "standing", graded.standing)
            speed = graded.speed
            if speed is None or speed.ratio is None:
                continue
            ratio, inverse = speed.ratio, 1 / speed.ratio.median
            for what, value, unit in (
                ("times the baseline", f"{ratio.median:.4g}", "times"),
                ("its interval", str(ratio), ""),
                ("baseline's speed over its own", f"{inverse:.4g}", "times"),
                ("time", f"{speed.seconds * 1e6:.4g}", "µs"),
            ):
                yield Figure("numba_kernels", short, what, value, unit)
