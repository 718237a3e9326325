"""A program on a pseudo-terminal: keys in, and when the bytes of its answer came out.

Times are taken when bytes were read, before anything is made of them. Replies to the one question
that Textual asks a terminal and waits for nothing else: whether it knows synchronised output.
"""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import termios
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Self, TypeVar

T = TypeVar("T")

NARROW, WIDE = (80, 24), (120, 40)
"""Columns and rows."""

PATIENCE_S = 30.0

_ASKS_SYNCHRONISED = b"\x1b[?2026$p"
_SYNCHRONISED = b"\x1b[?2026;2$y"
_FRAME_BEGINS, _FRAME_ENDS = b"\x1b[?2026h", b"\x1b[?2026l"
_POSITION = re.compile(r"\x1b\[[0-9;]*H")
_OTHER_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b[^\[\]]")


class NeverCame(Exception):
    """What a benchmark waited for was not drawn; the message holds what was."""


class Terminal:
    """A running program and all it wrote since `mark`."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        size: tuple[int, int] = NARROW,
    ) -> None:
        columns, rows = self.size = size
        self._fd, inside = os.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._buffer = bytearray()
        self.began = perf_counter()
        self._process = subprocess.Popen(
            arguments,
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env={**environment, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        os.close(inside)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._fd)

    @property
    def text(self) -> str:
        """What was written since `mark`, without escapes; every change of position is a line."""
        text = self._buffer.decode("utf-8", "replace")
        return _OTHER_ESCAPE.sub("", _POSITION.sub("\n", text))

    def core_ms(self) -> float:
        """Milliseconds that the program's threads have been on a core; 0 where Linux is not."""
        tasks = Path(f"/proc/{self._process.pid}/task")
        try:
            used = [int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()]
        except OSError:  # no /proc, or a thread ended meanwhile
            return 0.0
        return sum(used) / 1e6

    def press(self, keys: str) -> float:
        """Send keys and forget what was written before; the time it was."""
        self._buffer.clear()
        began = perf_counter()
        os.write(self._fd, keys.encode())
        return began

    def leave(self, keys: str) -> None:
        """Press keys that end the program, and wait until it has."""
        self.press(keys)
        while self._read(PATIENCE_S) is not None:
            pass
        self._process.wait(PATIENCE_S)

    def until(self, seen: Callable[[str], T | None]) -> tuple[float, T]:
        """When a whole frame was read in which `seen` found what it looks for, and what it found.

        Raises:
            NeverCame: half a minute later, or the program ended.
        """
        until = perf_counter() + PATIENCE_S
        while (now := perf_counter()) < until:
            came = self._read(until - now)
            if came is None:
                break
            if self._between_frames and (found := seen(self.text)) is not None:
                return came, found
        drawn = "\n".join(line for line in self.text.split("\n") if line.strip())
        message = f"half a minute, or the program's end, without it; drawn was:\n{drawn}"
        raise NeverCame(message)

    def wait_for(self, *patterns: str) -> float:
        """When all `patterns` had been drawn.

        Raises:
            NeverCame: as `until`.
        """
        wanted = [re.compile(pattern) for pattern in patterns]
        came, _ = self.until(lambda text: all(p.search(text) for p in wanted) or None)
        return came

    def quiet(self, seconds: float) -> float | None:
        """Read until nothing came for so long; the time of the last bytes, None if none came."""
        last = None
        while (came := self._read(seconds)) is not None:
            last = came
        return last

    @property
    def _between_frames(self) -> bool:
        return self._buffer.rfind(_FRAME_ENDS) >= self._buffer.rfind(_FRAME_BEGINS)

    def _read(self, seconds: float) -> float | None:
        """Read what there is; the time, or None when nothing came or the program ended."""
        ready, _, _ = select.select([self._fd], [], [], seconds)
        if not ready:
            return None
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:  # what Linux says when the other side has closed
            return None
        came = perf_counter()
        self._buffer += data
        if _ASKS_SYNCHRONISED in data:
            os.write(self._fd, _SYNCHRONISED)
        return came
