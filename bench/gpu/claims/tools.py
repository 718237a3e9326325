"""NVIDIA's programs: where each lies, what it says, which version it is."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PLACES = ("/usr/local/cuda*/bin", "/usr/local/cuda*/compute-sanitizer", "/opt/nvidia/*/*")
"""Where CUDA's installer puts them, if the path does not hold them."""
_SECONDS = 240
_VERSION = re.compile(r"\b(V?\d+\.\d+\.\d+[.\d]*)\b")


class ToolFailed(Exception):
    """A program is not there, or did not do what it was asked; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Said:
    """How a program ended, and what it printed.

    Attributes:
        status: -1 where it was ended because it took too long.
    """

    status: int
    out: str
    error: str

    @property
    def all(self) -> str:
        """Both streams."""
        return self.out + self.error


def call(command: Sequence[str | Path], seconds: float = _SECONDS) -> Said:
    """Run it to its end, or to the time limit."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, check=False, timeout=seconds, errors="replace"
        )
    except subprocess.TimeoutExpired as late:
        parts: list[str | bytes] = [one or b"" for one in (late.stdout, late.stderr)]
        out, error = (
            one if isinstance(one, str) else one.decode("utf-8", "replace") for one in parts
        )
        return Said(-1, out, error)
    return Said(done.returncode, done.stdout, done.stderr)


def find_program(name: str) -> Path:
    """The program of that name.

    Raises:
        ToolFailed: there is none.
    """
    program = shutil.which(name)
    if program is not None:
        return Path(program)
    for place in _PLACES:
        there = sorted(Path("/").glob(f"{place[1:]}/{name}"))
        if there:
            return there[-1]
    raise ToolFailed(f"{name} was not found: it is part of NVIDIA's CUDA toolkit")


def version_of(name: str) -> str:
    """Which version it says it is; why not, where it does not."""
    try:
        said = call([find_program(name), "--version"])
    except ToolFailed as error:
        return str(error)
    numbers = _VERSION.findall(said.all)
    return numbers[-1].removeprefix("V") if numbers else "unknown"
