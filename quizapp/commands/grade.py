"""`quiz grade`: one submission of an exercise, with the verdict that the application gives."""

from __future__ import annotations

import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from quizapp.commands._gpu import gpu_host_option, whose
from quizapp.commands._output import note, print_json, print_table, room
from quizapp.commands._params import QUESTION
from quizapp.commands._shared import json_option, read_deck, subcommand, surroundings
from quizapp.config import GpuSettings
from quizapp.errors import OK, EnvironmentProblem, UsageError
from quizapp.gpu import nobody

if TYPE_CHECKING:
    from collections.abc import Iterator

    from quizapp.commands._grade_kernel import KernelReport
    from quizapp.commands._grade_layout import LayoutReport
    from quizapp.domain.question import Index, Kernel, Spot

POLL_SECONDS = 0.3
KINDS = ("index", "kernel", "spot")
LONGEST = 1_000_000
"""Bytes: more is no submission."""


_FAULT_HELP = (
    "Of a fault to be found: race, global-race, uninitialised-read, barrier-divergence, "
    "out-of-bounds, never-written, or warning (double precision on single-precision data)."
)

_GPU_HELP = (
    "Of a kernel: run it on a GPU too, or not. Without either, the settings gpu.use and gpu.host "
    "decide, and no GPU is no error."
)


@subcommand(
    "Grade a submission of an exercise, again on each save if you like.",
    "quiz grade",
    "quiz grade place-column-with-padding mine.py",
    "quiz grade kernel-transpose-padded mine.py --watch",
    "quiz grade kernel-transpose-padded mine.py --gpu-host me@gpu-box",
    "quiz grade spot-missing-barrier --line 8 --fault race",
    "echo 'row * 33 + col' | quiz grade place-column-with-padding - --json",
)
@click.argument("question", type=QUESTION, required=False)
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path), required=False)
@click.option("--watch", is_flag=True, help="Grade it again whenever the file is saved.")
@click.option("--search", is_flag=True, help="Of a layout: also try those that everybody uses.")
@click.option("--line", type=int, metavar="N", help="Of a fault to be found: the line.")
@click.option("--fault", metavar="KIND", help=_FAULT_HELP)
@click.option("--review", type=click.IntRange(min=0), default=0, help="Which draw of it; 0.")
@click.option("--gpu/--no-gpu", default=None, help=_GPU_HELP)
@gpu_host_option
@json_option
def command(
    question: str | None,
    file: Path | None,
    *,
    gpu: bool | None,
    gpu_host: str | None,
    watch: bool,
    search: bool,
    line: int | None,
    fault: str | None,
    review: int,
    as_json: bool,
) -> int:
    """FILE holds an index function in Python or C, or a Numba kernel; - reads standard input.

    It is interpreted, never executed; a kernel that passes then runs on a GPU, where there is one.
    Nothing is stored. Status 1 if a check is not passed, 4 if --gpu or --gpu-host gave no GPU.
    Without QUESTION the exercises are listed; without FILE one is told. A fault to be found takes
    --line and --fault instead of FILE.
    """
    if question is None:
        return _list(as_json=as_json)
    from quizapp.commands._grade_spot import Named, show_spot  # noqa: PLC0415
    from quizapp.domain.question import Spot  # noqa: PLC0415 - msgspec, 18 ms

    entry_id, asked = _exercise(question)
    asks = _Gpu(gpu, gpu_host)
    if isinstance(asked, Spot):
        if file is not None:
            what = f"{entry_id} has a fault to be found, and takes no file"
            raise UsageError(what, "write --line N --fault KIND")
        if asks.needed:
            what = f"leave it out: {entry_id} has a fault to be found"
            raise UsageError("--gpu is for kernels that are written", what)
        return show_spot(asked, Named(entry_id, line, fault, review), as_json=as_json)
    if line is not None or fault is not None:
        what = f"--line and --fault are for faults to be found; {entry_id} asks for code"
        raise UsageError(what, f"quiz grade {entry_id} FILE")
    if file is None:
        return _tell(entry_id, asked)
    with _report(entry_id, asked, asks, search=search, as_json=as_json) as report:
        if not watch:
            return report.show(_read(file))
        if str(file) == "-":
            raise UsageError("--watch needs a file", "name one; standard input is read once")
        return _watch(file, report)


class _Gpu(NamedTuple):
    """What the command line says of GPUs: whether, and whose."""

    wanted: bool | None
    host: str | None

    @property
    def needed(self) -> bool:
        """Whether a verdict without one is not what was asked for."""
        return bool(self.wanted) or self.host is not None

    def settings(self) -> GpuSettings:
        """Whom to ask.

        Raises:
            BadSetting, UsageError: these make no sense.
            EnvironmentProblem: a GPU is needed, and there is nobody to ask.
        """
        if self.wanted is False and self.host is not None:
            raise UsageError("--no-gpu and --gpu-host exclude each other", "leave one out")
        mine = whose(surroundings().settings.gpu, self.host)
        use = mine.use if self.wanted is None else self.wanted
        found = GpuSettings(use=use, host=mine.host)
        reason = nobody(found) if self.needed else None
        if reason is not None:
            raise EnvironmentProblem(reason.what, reason.todo)
        return found


def _list(*, as_json: bool) -> int:
    """All exercises, by kind and topic, the easiest first."""
    entries = [e for e in read_deck(surroundings()).entries.values() if e.kind in KINDS]
    entries.sort(key=lambda e: (KINDS.index(e.kind), e.topic, e.difficulty, e.id))
    facts = ("id", "kind", "topic", "difficulty")
    if as_json:
        print_json([{name: getattr(entry, name) for name in facts} for entry in entries])
    else:
        print_table([[str(getattr(entry, name)) for name in facts] for entry in entries])
    return OK


def _tell(entry_id: str, asked: Index | Kernel) -> int:
    """What the exercise asks, and what it begins with."""
    from quizapp.domain.question import prose  # noqa: PLC0415 - msgspec, 18 ms
    from quizapp.plain.markdown import plain  # noqa: PLC0415

    print(*plain(prose(asked.prompt, surroundings().settings.language), room()), sep="\n")
    print(f"\n{asked.starter or ''}", end="")
    note(f"Write it into a file, then: quiz grade {entry_id} FILE --watch")
    return OK


@contextmanager
def _report(
    entry_id: str, asked: Index | Kernel, gpu: _Gpu, *, search: bool, as_json: bool
) -> Iterator[LayoutReport | KernelReport]:
    """What grades submissions of this exercise and shows the verdicts."""
    from quizapp.commands._grade_kernel import KernelReport  # noqa: PLC0415
    from quizapp.commands._grade_layout import LayoutReport  # noqa: PLC0415
    from quizapp.domain.question import Index  # noqa: PLC0415 - msgspec, 18 ms

    if isinstance(asked, Index):
        if gpu.needed:
            raise UsageError("--gpu is for kernels", f"leave it out: {entry_id} asks for a layout")
        yield LayoutReport(entry_id, asked, search=search, as_json=as_json)
        return
    if search:
        raise UsageError("--search is for layouts", f"leave it out: {entry_id} asks for a kernel")
    if gpu.needed and asked.gpu is None:
        what = f"{entry_id} has no part `gpu`: nothing is asked of one"
        raise UsageError(what, "leave --gpu and --gpu-host out")
    from quizapp.study.examiner import Examiner  # noqa: PLC0415

    settings = gpu.settings()
    with closing(Examiner(lambda: settings)) as examiner:
        asks = None if gpu.wanted is False else gpu.needed
        yield KernelReport(entry_id, asked, examiner, needs_gpu=asks, as_json=as_json)


def _exercise(name: str) -> tuple[str, Index | Kernel | Spot]:
    """The exercise of that name.

    Raises:
        UsageError: there is no such question, or it is of another kind.
    """
    from quizapp.domain.question import Index, Kernel, Spot  # noqa: PLC0415 - msgspec, 18 ms

    deck = read_deck(surroundings())
    entry = deck.find(name)
    question = deck.question(entry.id)
    if not isinstance(question, Index | Kernel | Spot):
        what = f"{entry.id} is of the kind '{entry.kind}', and has no submissions"
        todo = f"name one of the kinds {', '.join(KINDS)}; `quiz start` asks the others"
        raise UsageError(what, todo)
    return entry.id, question


def _read(file: Path) -> str:
    """The submission.

    Raises:
        UsageError: there is none, or it is no text.
    """
    if str(file) == "-":
        data = sys.stdin.buffer.read(LONGEST + 1)
    else:
        if not file.exists():
            raise UsageError(f"there is no file {file}", "name the file that holds your function")
        if file.is_dir():
            raise UsageError(f"{file} is a folder", "name the file that holds your function")
        with file.open("rb") as opened:
            data = opened.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise UsageError(f"{file} is larger than {LONGEST:,} bytes", "hand in a function alone")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"{file} is not UTF-8 at byte {error.start}"
        raise UsageError(what, "save it as UTF-8") from None


def _watch(file: Path, report: LayoutReport | KernelReport) -> int:
    """Grade on each save, until interrupted."""
    note(f"Watching {file}; Ctrl-C ends.")
    status = OK
    for source in _saves(file):
        print(f"── {time.strftime('%H:%M:%S')} ──", file=sys.stderr)
        status = report.show(source)
        sys.stdout.flush()
    return status


def _saves(file: Path) -> Iterator[str]:
    """What the file holds, now and after each save; gone for a moment is no save."""
    seen: str | None = None
    while True:
        try:
            text = _read(file)
        except (OSError, UsageError):
            if seen is None:
                raise
        else:
            if text != seen:
                seen = text
                yield text
        time.sleep(POLL_SECONDS)
