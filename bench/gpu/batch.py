"""`python -m bench.gpu.batch [DEVICES [MOST]]`: a class on 1, 2, … GPUs of this machine (GPU).

Solutions, other right kernels and known mistakes of the questions with a GPU part. The emulator
grades all; what passes is then measured twice on one GPU with nothing else running, on more GPUs at
the same time, and on all of them while the emulator keeps every CPU busy. Prints gradings a second,
and by how much the speedup of a submission differs from what it is alone. At most MOST of those
that go to a GPU are taken, evenly from all.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from quizapp.batch.devices import list_devices
from quizapp.batch.exercises import Exercises
from quizapp.batch.gpu_pool import GpuPool, GpuWorker, TwoStages, is_for_gpu, open_all
from quizapp.batch.pool import Pool
from quizapp.batch.reading import Reader
from quizapp.batch.submissions import find_submissions
from quizapp.batch.values import Job, Result
from quizapp.deck.content import load_deck
from quizapp.deck.deck import Deck
from quizapp.domain.languages import put_in
from quizapp.domain.question import Kernel
from quizapp.system.config import Settings
from quizapp.system.paths import find_paths

COMPETENT = Path(__file__).parents[2] / "tests/data/competent"
"""Right kernels that are not the solutions, named QUESTION--HOW.py."""
MOST_DIFFERENT = 0.02
_SEED = 20_261_124

Grade = Callable[[Iterator[Job]], Generator[Result, None, None]]


class Run(NamedTuple):
    """What came of grading some jobs on GPUs, by student and question."""

    seconds: float
    results: dict[tuple[str, str], Result]

    @property
    def rate(self) -> float:
        """Gradings a second, of those on a GPU."""
        return sum(self.speedup(name) is not None for name in self.results) / self.seconds

    def speedup(self, name: tuple[str, str]) -> float | None:
        """The speedup of a submission over the baseline; None if it has none."""
        gpu = (self.results[name].verdict or {}).get("gpu") or {}
        ratio = (gpu.get("speed") or {}).get("ratio")
        return None if ratio is None else ratio["median"]


def main() -> int:
    """The exit status: 1 if a result changed, or a submission was not graded."""
    devices = list_devices()
    counts = [count for count in (1, 2, 4, 8) if count <= len(devices)]
    if len(sys.argv) > 1:
        counts = [int(sys.argv[1])] if sys.argv[1] == "1" else [1, int(sys.argv[1])]
    with tempfile.TemporaryDirectory(prefix="quiz-bench-") as folder:
        jobs = _make_class(Path(folder))
    start = perf_counter()
    graded = list(Pool(os.cpu_count() or 1).grade(iter(jobs)))
    seconds = perf_counter() - start
    results = {(result.student, result.question): result for result in graded}
    passed = [job for job in jobs if is_for_gpu(job, results[job.student, job.question])]
    if len(sys.argv) > 2:
        taken = passed[:: -(-len(passed) // int(sys.argv[2]))]
        left = {(job.student, job.question) for job in passed if job not in taken}
        jobs = [job for job in jobs if (job.student, job.question) not in left]
        passed = taken
    rate = len(graded) / seconds
    print(
        f"emulator: {len(graded)} submissions, {rate:.1f}/s; {len(passed)} go to a GPU", flush=True
    )
    alone = _measure(devices[:1], passed)
    print(f"alone on 1 GPU: {alone.rate:.2f}/s", flush=True)
    whole = _compare("alone on 1 GPU, again", _measure(devices[:1], passed), alone)
    for count in counts[1:]:
        whole &= _compare(f"{count} GPUs", _measure(devices[:count], passed), alone)
    whole &= _compare(
        f"{counts[-1]} GPU{'s' if counts[-1] > 1 else ''} and the emulator on all CPUs",
        _measure(devices[: counts[-1]], jobs, Pool(os.cpu_count() or 1)),
        alone,
    )
    return 0 if whole else 1


def _make_class(folder: Path) -> list[Job]:
    """Write solutions, other right kernels and mistakes, each by a student of its own."""
    paths = find_paths()
    deck = load_deck(paths, Settings())
    for name, text in _submissions(deck):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    exercises = Exercises(deck, paths)
    found = find_submissions(folder, exercises)
    reader = Reader(found.root, exercises, _SEED, "en")
    return [job for job in map(reader.read, found.all) if isinstance(job, Job)]


def _submissions(deck: Deck) -> Iterator[tuple[str, str]]:
    for entry in deck.entries.values():
        question = deck.question(entry.id) if entry.kind == "kernel" else None
        if not isinstance(question, Kernel) or question.gpu is None:
            continue
        shown = put_in(question, "python")
        yield f"solution/{entry.id}.py", shown.solution or ""
        for number, wrong in enumerate(shown.wrong):
            yield f"wrong-{number}/{entry.id}.py", wrong.source
        for file in sorted(COMPETENT.glob(f"{entry.id}--*.py")):
            how = file.stem.partition("--")[2]
            yield f"right-{how}/{entry.id}.py", file.read_text("utf-8")


def _measure(devices: Sequence[str], jobs: Sequence[Job], emulators: Pool | None = None) -> Run:
    """Grade jobs on these GPUs, whose processes have started before."""
    workers = [GpuWorker(device) for device in devices]
    fault = open_all(workers)
    if fault is not None:
        raise SystemExit(str(fault))
    gpus = GpuPool(workers)
    grade = gpus.grade if emulators is None else TwoStages(emulators, gpus).grade
    start = perf_counter()
    results = {(result.student, result.question): result for result in grade(iter(jobs))}
    return Run(perf_counter() - start, results)


def _compare(what: str, run: Run, alone: Run) -> bool:
    """Print how a run differs from one alone; True if no verdict does."""
    changed, apart = [], []
    for name, before in alone.results.items():
        now = run.results.get(name)
        if now is None or (now.status, now.gate) != (before.status, before.gate):
            changed.append(name)
            continue
        was, is_ = alone.speedup(name), run.speedup(name)
        if was and is_:
            apart.append((abs(is_ / was - 1), name, was, is_))
    apart.sort(reverse=True)
    far = [found for found in apart if found[0] > MOST_DIFFERENT]
    middle = apart[len(apart) // 2][0] if apart else 0.0
    print(
        f"{what}: {run.rate:.2f}/s, {run.rate / alone.rate:.2f} × alone; {len(apart)} speedups, "
        f"median difference {middle:.2%}, {len(far)} above {MOST_DIFFERENT:.0%}; "
        f"{len(changed)} other verdicts",
        flush=True,
    )
    for difference, (student, question), was, is_ in far:
        print(f"  {question} {student}: {was:.3f} -> {is_:.3f} ({difference:.1%})")
    for student, question in changed:
        print(f"  {question} {student}: another verdict")
    return not changed


if __name__ == "__main__":
    sys.exit(main())
