"""The lines of a program's source that its machine code is of, as binutils' `addr2line` tells."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from grader.simt.host.streams import ScriptPlace

_SECONDS = 20.0
"""For the tool that knows the lines."""


class CodeLines:
    """The lines of an executable, of which those in some files are the person's own."""

    def __init__(self, executable: Path, files: Mapping[str, Sequence[str]]) -> None:
        self._executable = executable
        self._files = files
        self._known: dict[tuple[int, ...], ScriptPlace | None] = {}

    def find(self, frames: tuple[int, ...]) -> ScriptPlace | None:
        """Return the innermost line of the person's own files; None if no tool tells it.

        Args:
            frames: offsets of the code, innermost first.
        """
        if frames not in self._known:
            self._known[frames] = self._ask(frames)
        return self._known[frames]

    def place(self, frames: tuple[int, ...]) -> ScriptPlace:
        """Return the same; line 0 if no tool tells it."""
        return self.find(frames) or ScriptPlace("", 0)

    def _ask(self, frames: tuple[int, ...]) -> ScriptPlace | None:
        tool = shutil.which("addr2line")
        if tool is None or not frames:
            return None
        command = [tool, "-i", "-e", str(self._executable), *map(hex, frames)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return next((at for at in _places(done.stdout) if at.file in self._files), None)


def _places(text: str) -> Iterator[ScriptPlace]:
    for file, line in re.findall(r"^(.*):(\d+)", text, re.MULTILINE):
        yield ScriptPlace(file, int(line))
