"""Runs a person's program and collects the probes of its kernels, or says why there are none."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from grader.facts import Fact, fact
from grader.probes import KernelProbe, KernelProbes, keep_probes
from grader.scripts import SourceLaunch
from quizapp.domain.errors import OK, UsageError
from quizapp.study import profiling

if TYPE_CHECKING:
    from grader.profiles import LaunchRecord
    from quizapp.study.profiling import ScriptRun

BUDGET = 2_000_000_000
"""Operations of a launch: two seconds. A longer one is ended, and asked nothing about."""
FEWEST = 2
"""Questions of a kernel that is not too small."""
_LAUNCHER = """\
import runpy
from grader.simt.host.files.written_arguments import read_arguments

_names = runpy.run_path({file!r})
_kernels = {{n: k for n, k in _names.items() if hasattr(k, "py_func") and not k._device}}
_kernel = _kernels[{kernel!r} or list(_kernels)[-1]]
_code = _kernel.py_func.__code__
_parameters = _code.co_varnames[:_code.co_argcount]
_written = read_arguments({given!r}, _kernel.py_func.__name__, _parameters, {{}})
_kernel[{grid!r}, {block!r}, 0, {shared!r}](*(each.value for each in _written))
"""
"""Launches a kernel of a Python file that launches none itself."""


class Asked(NamedTuple):
    """The kernels of a program that questions can be asked about, and why not about others.

    Attributes:
        kernels: with at least `FEWEST` probes.
        skipped: the other kernels, and the reason.
    """

    kernels: tuple[KernelProbes, ...]
    skipped: tuple[tuple[str, Fact], ...]


class AskLimits(NamedTuple):
    """How long a program may take with its changes, and who is told how far it is.

    `told` gets a kernel, or "" while there is none, and how many kinds of its questions, of how
    many, are made.
    """

    seconds: int
    told: Callable[[str, int, int], None]


def run_program(
    file: Path, arguments: Sequence[str], launch: SourceLaunch, *, prepare: str, limits: AskLimits
) -> ScriptRun:
    """Run a program, and run its kernels with changes.

    `file`: a CUDA C++ source, or a script in Python. `launch`: what to launch, if it launches
    nothing. `prepare`: a line of Python that runs before it. `limits`: for the program and the
    changes together.

    Raises:
        UsageError: a kernel cannot be launched like that.
        OSError: it cannot be read.
    """
    with TemporaryDirectory(prefix="quiz-") as folder:
        progress = Path(folder) / "progress"
        run = partial(
            profiling.run_script, budget=BUDGET, quiet=True, seconds=limits.seconds,
            prepare=f"{prepare}; {keep_probes(str(progress))}",
            tick=lambda: _tell(progress, limits.told),
        )  # fmt: skip
        if profiling.is_source(file) or launch.grid is None:
            return run(file, arguments, launch=launch)
        script = Path(folder) / "launch.py"
        text = _LAUNCHER.format(
            file=str(file.absolute()), kernel=launch.kernel, given=launch.arguments or "",
            grid=launch.grid, block=launch.block, shared=launch.shared,
        )  # fmt: skip
        script.write_text(text, encoding="utf-8")
        return run(script, arguments)


def _tell(progress: Path, told: Callable[[str, int, int], None]) -> None:
    """Tell what a program has written about how far it is; before, that there is no kernel yet."""
    if not progress.exists():
        told("", 0, 0)
        return
    with suppress(OSError, ValueError):  # as it is being written
        done, total, kernel = progress.read_text(encoding="utf-8").split(" ", 2)
        told(kernel, int(done), int(total))


def choose_probes(
    run: ScriptRun, file: Path, kernel: str, most: int, lines: Collection[int] | None = None
) -> Asked:
    """Choose what is asked about a program that ran: of lines that are alike, about one.

    `kernel`: the only one to ask about; "" for all of them. `most`: probes of a kernel. `lines`: of
    the file that a question must be about; None: all of them.

    Raises UsageError: it did not run, launched nothing, or there is nothing to ask about.
    """
    wanted = kernel.partition("<")[0]
    found = [each for each in run.probes if wanted in ("", each.kernel.partition("<")[0])]
    if not found and run.timed_out:
        raise UsageError(fact("ask.slow", file=str(file)))
    if not found and (run.status != OK or run.refused is not None):
        raise UsageError(fact("ask.not-run", file=str(file)))
    if not found and run.probes:
        known = tuple(dict.fromkeys(each.kernel for each in run.probes))
        raise UsageError(fact("ask.no-kernel", file=str(file), name=kernel, known=known))
    if not found:
        raise UsageError(fact("ask.no-launch", file=str(file)))
    kernels, skipped, patterns = list[KernelProbes](), list[tuple[str, Fact]](), set[str]()
    for each in found:
        fresh = (probe for probe in each.probes if probe.pattern not in patterns)
        about = (probe for probe in fresh if lines is None or _is_about(probe, lines))
        probes = tuple(islice(about, most))
        if len(probes) >= FEWEST or (probes and (each.is_faulty or lines is not None)):
            patterns |= {probe.pattern for probe in probes}
            kernels.append(replace(each, probes=probes))
        else:
            untouched = fact("ask.why.untouched")
            why = _explain(each, run.launches) if lines is None else untouched
            skipped.append((each.kernel, why))
    if not kernels:
        raise UsageError(fact("ask.nothing", file=str(file), why=skipped[0][1]))
    return Asked(tuple(kernels), tuple(skipped))


def _is_about(probe: KernelProbe, lines: Collection[int]) -> bool:
    """Return True if a probe asks about one of some lines, changes one, or is answered by one."""
    named = (probe.line, *probe.lines[:1], *(each.place for each in probe.changes))
    return any(line in lines for line in named)


def _explain(found: KernelProbes, launches: Sequence[LaunchRecord]) -> Fact:
    """Say why nothing is asked about a kernel: of a launch with a fault, that."""
    same = [each for each in launches if (each.kernel, each.line) == (found.kernel, found.line)]
    faults = [fault for each in same for fault in each.faults]
    if found.refused or not faults:
        alike = "alike" if len(found.probes) >= FEWEST else "small"
        return Fact(f"ask.why.{found.refused or alike}")
    return fact("ask.why.fault", what=faults[0].what)


def digest(source: bytes) -> str:
    """Identify the content of a file."""
    return hashlib.sha256(source).hexdigest()[:16]
