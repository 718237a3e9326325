"""The layers of confinement: puts each around this process, as far as the machine has it.

Readable stays what a Python process needs to compute: its installation and system libraries.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from grader.confine import landlock, seccomp
from grader.confine.kernel_calls import NO_NEW_PRIVS, PARENT_DEATH_SIGNAL, machine, prctl
from grader.process import PARENT

OURS = Path(__file__).resolve().parents[1]
"""The package `grader`."""
_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
_FILES = ("/etc/ld.so.cache", "/dev/null", "/dev/zero", "/dev/urandom", "/etc/localtime")


def readable_paths() -> tuple[Path, ...]:
    """List what may be read, without duplicates; some paths may not exist here."""
    return tuple(dict.fromkeys(_list_paths()))


def _list_paths() -> Iterator[Path]:
    yield OURS
    yield Path(np.__file__).resolve().parents[1]  # where packages are installed
    yield Path(os.__file__).resolve().parent
    yield Path(sys.base_prefix, "lib")  # libraries that Python brings, as Conda's does
    yield from map(Path, (*_SYSTEM, *_FILES))


Guard = Literal["reads", "writes", "network", "processes", "survival"]
GUARDS: tuple[Guard, ...] = ("reads", "writes", "network", "processes", "survival")
"""What confined code cannot do: read files of others (`/proc` among them), write files, reach the
network or a local socket, start or signal processes, outlive the program."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """The layers that hold a process.

    Attributes:
        landlock: the ABI in use, 0 for none.
        seccomp: system calls are filtered.
        parent: it is killed when its parent ends.
        missing: why a layer is not there, by its name.
    """

    landlock: int = 0
    seccomp: bool = False
    parent: bool = False
    missing: tuple[tuple[str, str], ...] = ()

    @property
    def open_guards(self) -> tuple[Guard, ...]:
        """What nothing keeps it from."""
        held = {
            "reads": bool(self.landlock),
            "writes": self.seccomp or bool(self.landlock),
            "network": self.seccomp,
            "processes": self.seccomp,
            "survival": self.seccomp and self.parent,
        }
        return tuple(guard for guard in GUARDS if not held[guard])


def confine(readable: Iterable[Path], newest: int = landlock.NEWEST) -> Confinement:
    """Confine this process; it must have one thread.

    Args:
        newest: the newest ABI of Landlock to use, as if the kernel were older.
    """
    sys.dont_write_bytecode = True
    parent = os.environ.get(PARENT)
    os.environ.clear()
    missing: dict[str, str] = {}
    offered = min(landlock.abi(), newest)
    with _tolerate_missing("no new privileges", missing):
        prctl(NO_NEW_PRIVS, 1)
    with _tolerate_missing("parent", missing):
        prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if parent not in (None, str(os.getppid())):
            sys.exit("the program ended before its process was ready")  # no signal will come
    with _tolerate_missing("landlock", missing):
        if not offered:
            raise OSError("this kernel has no Landlock")
        landlock.restrict(readable, offered)
    with _tolerate_missing("seccomp", missing):
        seccomp.install(machine(), os.getpid())
    if "seccomp" in missing:
        # Weaker: not for root, and signals stay possible. It denies threads, too, on Linux.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    return Confinement(
        landlock=0 if "landlock" in missing else min(offered, landlock.NEWEST),
        seccomp="seccomp" not in missing,
        parent="parent" not in missing,
        missing=tuple(missing.items()),
    )


@contextlib.contextmanager
def _tolerate_missing(layer: str, missing: dict[str, str]) -> Iterator[None]:
    """Go on without a layer that the machine does not have."""
    try:
        yield
    except OSError as error:
        missing[layer] = error.strerror or str(error)
