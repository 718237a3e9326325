"""Starts a person's CUDA script on the emulator, in an interpreter of its own.

`grader.simt.host.runner` runs it there. Loads nothing of the emulator.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

ADVISE: list[Callable[[BaseException], str]] = []
"""Say what to do about an error that ends a script, or ""; added in the script's process."""
LOGS: list[Callable[[BaseException], str]] = []
"""Log an error of ours, and return the log's path; added in the script's process."""
KEPT: set[str] = set()
"""What is kept beside the launches; added in the script's process. `kernels`: each kernel as a text
that another process can compile, with the types of its arguments. `programs`: the typed program of
each kernel as a text."""
EMULATED = "QUIZ_EMULATED"
"""The variable that tells processes of a script's Python to be emulated as well."""
_ROOT = Path(__file__).resolve().parents[1]


Reads = Literal["either", "source", "ptx"]
"""What of a kernel is run: its source, and what a compiler makes of it where that is refused; the
source alone; what a compiler makes of it, alone."""
NOT_AS_REFERENCE, NO_REFERENCE = 117, 118
"""Exit statuses: the outputs differ from the reference's; they could not be compared with it."""


class SourceLaunch(NamedTuple):
    """How a CUDA C++ source is run: as a program, or a launch of one kernel of it.

    Attributes:
        kernel: its name with the arguments of its template; "" for the only one of the source.
        grid, block: sizes along up to three axes; None if they are not given.
        shared: bytes of dynamic shared memory.
        arguments: see `grader.simt.host.files.written_arguments`; None if they are not given.
        more: further files of the program.
        folders: where included files are looked for, too.
        defines: macros and their texts.
        check: the file of a reference that its outputs are compared with; None for none.
        cluster: blocks of a cluster along up to three axes; None: as the kernel says.
    """

    kernel: str = ""
    grid: tuple[int, ...] | None = None
    block: tuple[int, ...] | None = None
    shared: int = 0
    arguments: str | None = None
    more: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    defines: tuple[tuple[str, str], ...] = ()
    check: str | None = None
    cluster: tuple[int, ...] | None = None


def command(
    script: Path,
    arguments: Sequence[str],
    report: Path,
    budget: int | None,
    *,
    first: str = "",
    allowed: Sequence[tuple[str, int]] = (),
    launch: SourceLaunch | None = None,
    reads: Reads = "either",
    check: tuple[str, str] | None = None,
) -> list[str]:
    """Return the command line of a process that runs a script and leaves its launches in a file.

    Args:
        arguments: what it finds behind its name in `sys.argv`.
        report: JSON is written there: `launches`, a list; `refused`, why the emulator ended the
            script, or null; and `kernels` and `programs`, lists, empty unless they are `KEPT`. See
            `grader.simt.host.session`. Not if the script ends in a way that no program notices, as
            by SIGKILL.
        budget: operations of a launch; None for no end.
        first: a line of Python that prepares the process.
        allowed: file (the end of its path, "" for any) and line whose races are allowed.
        launch: what to launch of the file, if that is a CUDA C++ source and no script.
        reads: what of its kernels is run.
        check: of a script, the file of a reference that launches are compared with, and the kernel
            whose launches these are, "" for any.
    """
    start = (
        f"import sys; sys.path.insert(0, {str(_ROOT)!r}); {first or 'pass'}; "
        f"from grader.simt.host.runner import main; sys.exit(main({first!r}))"
    )
    options = options_text(budget, allowed, launch, reads, check)
    return [sys.executable, "-c", start, str(report), options, str(script), *arguments]


def options_text(
    budget: int | None,
    allowed: Sequence[tuple[str, int]] = (),
    launch: SourceLaunch | None = None,
    reads: Reads = "either",
    check: tuple[str, str] | None = None,
) -> str:
    """Write the options of `command` as `grader.simt.host.children.make_session` reads them."""
    asked = None if launch is None else launch._asdict()
    lines = [list(line) for line in allowed]
    told = {"budget": budget, "allowed": lines, "launch": asked, "reads": reads, "check": check}
    return json.dumps(told)
