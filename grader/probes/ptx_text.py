"""The text of a kernel in PTX, and its changes by rule: branches, barriers, addresses, tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from grader.changes import Change
from grader.probes.edits import ProbedText, ProbeEdit
from grader.probes.replaying import CannotReplay, Replay

_BRANCH = re.compile(r"@!?%\w+\s+bra(?:\.uni)?\s+([\w$]+)\s*;")
_MASK = re.compile(r"@!?%\w+\s+(?=(?:ld|st|atom|red|cp)\.)")
"""What masks an access: what Triton's `mask=` becomes."""
_BARRIER = re.compile(r"\b(?:bar|barrier)\.(?:warp\.|cta\.)?sync[.\w]*\s+[^;]*;")
_OPCODE = re.compile(r"(?:@!?%\w+\s+)?([a-z][\w.]*)\s")
_NUMBER = re.compile(r"(?<![\w.%$<>=\-])\d+(?![\w.])")
_TEST = re.compile(r"\bsetp\.(lt|le|gt|ge)\b[.\w]*")
_AXIS = re.compile(r"%tid\.([xy])")
_LOOSE = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt"}
_MOST_NUMBER = 4096
_WORD = 4
"""Bytes by which an offset is changed: it stays aligned."""


class PtxText(ProbedText):
    """The text of a `.ptx` file, and where its kernel is in it."""

    def __init__(self, replay: Replay) -> None:
        """Find the kernel.

        Raises:
            CannotReplay: it is not found.
        """
        self.text, self.scene, self.is_cuda = replay.text, None, True
        name = re.escape(replay.kernel.function.qualified)
        entry = re.search(rf"\.entry\s+{name}\b", self.text)
        start = self.text.find("{", entry.end()) if entry is not None else -1
        if entry is None or start < 0:
            raise CannotReplay("no-source")
        self._entry, self._start, self._end = entry.start(), start, find_closing(self.text, start)

    @property
    def head(self) -> int:
        """The line of the kernel's name."""
        return self._line(self._entry)

    @property
    def last(self) -> int:
        """The last line of the kernel."""
        return self._line(self._end)

    def code(self, line: int) -> str:
        """Return a line of the file with single blanks."""
        return " ".join(super().code(line).split())

    def guards(self) -> Iterator[ProbeEdit]:
        """Yield each branch over something, and each condition of an access, that is dropped."""
        for at, line in self._lines:
            branch = _BRANCH.search(line)
            over = branch is not None and self._is_behind(branch[1], at)
            found = branch if over else _MASK.search(line)
            if found is not None:
                edit = self._edit(at + found.start(), at + found.end(), "")
                yield edit._replace(kind="guard")

    def barriers(self) -> Iterator[ProbeEdit]:
        """Yield each barrier that is dropped."""
        for at, line in self._lines:
            if found := _BARRIER.search(line):
                edit = self._edit(at + found.start(), at + found.end(), "")
                yield edit._replace(kind="barrier")

    def more_barriers(self, line: int, column: int) -> Iterator[Change]:
        """Yield nothing: where a barrier may be in PTX, its labels alone do not say."""
        yield from ()

    def pitches(self, array: str, columns: int) -> Iterator[ProbeEdit]:
        """Yield nothing: arrays have no rows."""
        yield from ()

    def types(self, old: str, new: str) -> Iterator[Change]:
        """Yield nothing: instructions of another type are others."""
        yield from ()

    def _all_slips(self) -> Iterator[ProbeEdit]:
        for at, line in self._lines:
            opcode = _OPCODE.match(line.strip())
            if opcode is None or _BARRIER.search(line):
                continue
            if found := _TEST.search(line):
                new = found[0].replace(f".{found[1]}", f".{_LOOSE[found[1]]}", 1)
                yield self._edit(at + found.start(), at + found.end(), new)
            for found in _AXIS.finditer(line):
                other = "y" if found[1] == "x" else "x"
                yield self._edit(at + found.start(), at + found.end(), f"%tid.{other}")
            for found in _NUMBER.finditer(line):
                if int(found[0]) <= _MOST_NUMBER:
                    number = _slip(opcode[1], int(found[0]))
                    yield self._edit(at + found.start(), at + found.end(), str(number))

    @cached_property
    def _lines(self) -> list[tuple[int, str]]:
        """The instructions of the kernel, with where their lines begin; without comments."""
        found, at = [], self._start + 1
        for line in self.text[at : self._end].split("\n"):
            code = line.partition("//")[0]
            if code.strip() and code.lstrip()[0] not in ".{}" and ";" in code:
                found.append((at, code))
            at += len(line) + 1
        return found

    def _edit(self, start: int, end: int, new: str) -> ProbeEdit:
        edit = super()._edit(start, end, new)
        return edit._replace(old=" ".join(edit.old.split()))

    def _is_behind(self, label: str, at: int) -> bool:
        """Return True if a label of the kernel stands behind a place."""
        named = re.compile(rf"^\s*{re.escape(label)}:", re.MULTILINE)
        return named.search(self.text, at, self._end) is not None


def find_closing(text: str, start: int) -> int:
    """Return where the brace closes that opens at `start`; -1 if none does."""
    depth = 0
    for found in re.compile("[{}]").finditer(text, start) if start >= 0 else ():
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return found.start()
    return -1


def _slip(opcode: str, number: int) -> int:
    """Return what a number is mistaken for: an element's size doubled, an offset one word on."""
    if opcode.startswith(("mul", "mad")):
        return 2 * number if number > 1 else number + 1
    return number + (_WORD if opcode.startswith(("ld", "st", "atom", "red")) else 1)
