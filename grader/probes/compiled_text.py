"""The text of a kernel that a compiler made: shown, and changed where it is Triton's.

What is changed are mistakes that people make: a mask that is missing or off by one, a block's
offset or a stride that is another one's, a sum that is overwritten, a type of too few bits.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from grader.changes import Change
from grader.probes.edits import LOOSE, ProbedText, ProbeEdit
from grader.probes.replaying import CannotReplay, Replay

if TYPE_CHECKING:
    from grader.triton.kernels import TritonRecipe


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


_ACCESSES = ("tl.load", "tl.store", "tl.atomic_add")
_PROGRAM = "tl.program_id"
_OTHER_TYPES = {"tl.float32": "tl.float16", "tl.int32": "tl.int8", "tl.int64": "tl.int32"}
_PRECISIONS = {"'ieee'": '"tf32"', "'tf32'": '"ieee"', "'tf32x3'": '"tf32"', "False": "True"}


class FixedText(ProbedText):
    """The source of a kernel that a compiler made: it is shown, and nothing of it is changed."""

    def __init__(self, replay: Replay) -> None:
        """Find the kernel.

        Raises:
            CannotReplay: it is not found.
        """
        self.text, self.scene, self.is_cuda = replay.text, None, True
        line = int(replay.kernel.function.start[0])
        last = _find_last(self.text, line)
        if not last:
            raise CannotReplay("no-source")
        self._lines = (line, last)

    @property
    def head(self) -> int:
        """The line of the kernel's name, or of what stands before it."""
        return self._lines[0]

    @property
    def last(self) -> int:
        """The last line of the kernel."""
        return self._lines[1]

    def guards(self) -> Iterator[ProbeEdit]:
        """Yield nothing."""
        yield from ()

    barriers = slips = guards

    def more_barriers(self, line: int, column: int) -> Iterator[Change]:
        """Yield nothing."""
        yield from ()


class TritonText(FixedText):
    """The text of a kernel in Triton, which is compiled again when it is changed."""

    def __init__(self, replay: Replay) -> None:
        """Find the kernel.

        Raises:
            CannotReplay: it is not found.
        """
        super().__init__(replay)
        recipe: TritonRecipe | None = replay.recipe
        assert recipe is not None
        numbers = (n for n, v in replay.given.items() if isinstance(v, int | np.integer))
        self._numbers = frozenset((*recipe.constants, *numbers))
        self._starts = [0]
        for line in self.text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._kernel = next(
            node
            for node in ast.walk(ast.parse(self.text))
            if isinstance(node, ast.FunctionDef)
            and node.end_lineno == self.last
            and node.name == replay.kernel.function.name
        )

    def slips(self) -> Iterator[ProbeEdit]:
        """Yield what is mistyped easily, in the order of the lines."""
        found = {(each.line, each.old, each.new): each for each in self._all_slips()}
        told = filter(self._is_told_by_its_text, found.values())
        yield from sorted(told, key=lambda each: (each.line, each.change.offset))

    def _all_slips(self) -> Iterator[ProbeEdit]:
        for node in ast.walk(self._kernel):
            match node:
                case ast.Call():
                    yield from self._slips_of_call(node)
                case ast.Compare(left=left, comparators=[right]):
                    yield from self._loosen(left, right)
                case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
                    yield from self._drop(self._end_behind(left), self._end_behind(right))
                case ast.BinOp(left=left, op=ast.Mult(), right=right):
                    yield from self._drop_factor(left, right)
                case ast.AugAssign(target=ast.Name() as target, op=ast.Add(), value=value):
                    yield from self._replace_between(target, value, "+=", "=")
                case ast.Attribute() if ast.unparse(node) in _OTHER_TYPES:
                    yield from self._replace(node, _OTHER_TYPES[ast.unparse(node)])
                case ast.Name(id=name) if name in self._strides:
                    yield from self._replace(node, self._strides[name])

    def _slips_of_call(self, node: ast.Call) -> Iterator[ProbeEdit]:
        """Yield a call without its mask, with another value behind it, along another axis."""
        called = ast.unparse(node.func)
        named = {each.arg: each for each in node.keywords}
        other = named.get("other")
        if called in _ACCESSES and "mask" in named and node.args:
            yield from self._drop_mask([*node.args, *(each.value for each in node.keywords)], named)
        if other is not None and ast.unparse(other.value).startswith("-float("):
            yield from self._replace(other.value, "0.0")
        if called == _PROGRAM and self._programs > 1 and node.args:
            axis = node.args[0]
            if isinstance(axis, ast.Constant) and axis.value in (0, 1):
                yield from self._replace(node, f"{_PROGRAM}({1 - axis.value})")
        along = named.get("axis")
        if along is not None and isinstance(along.value, ast.Constant):
            yield from self._replace(along.value, str(1 - int(bool(along.value.value))))
        yield from self._rewrite_call(node, called)
        precision = named.get("input_precision") or named.get("allow_tf32")
        if precision is not None and ast.unparse(precision.value) in _PRECISIONS:
            yield from self._replace(precision.value, _PRECISIONS[ast.unparse(precision.value)])

    def _drop_mask(
        self, parts: Sequence[ast.expr], named: Mapping[str | None, ast.keyword]
    ) -> Iterator[ProbeEdit]:
        """Yield an access without its mask, and without what it has behind that."""
        at = parts.index(named["mask"].value)
        last = at
        if "other" in named:
            last = parts.index(named["other"].value)
        if last in (at, at + 1):
            yield from self._drop(self._end(parts[at - 1]), self._end(parts[last]))

    def _rewrite_call(self, node: ast.Call, called: str) -> Iterator[ProbeEdit]:
        """Yield factors in the other order, and a quotient that is rounded down."""
        if len(node.args) < 2:
            return
        one, other = map(ast.unparse, node.args[:2])
        if called == "tl.dot" and one != other:
            start, end = self._start_of(node.args[0]), self._end(node.args[1])
            yield self._edit(start, end, f"{other}, {one}")
        if called in ("tl.cdiv", "triton.cdiv"):
            yield from self._replace(node, f"{one} // {other}")

    @property
    def _programs(self) -> int:
        """How many axes of the grid the kernel reads."""
        return len(set(re.findall(rf"{re.escape(_PROGRAM)}\((?:axis=)?(\d)", self._body_text)))

    @property
    def _body_text(self) -> str:
        return "\n".join(self.text.split("\n")[self.head - 1 : self.last])

    @property
    def _strides(self) -> dict[str, str]:
        """Return, for each stride of an array, the array's next one: `stride_am`, `stride_ak`."""
        arguments = self._kernel.args.args
        names = [each.arg for each in arguments if "stride" in each.arg]
        return {one: other for one, other in pairwise(names) if one[:-1] == other[:-1]}

    def _loosen(self, left: ast.expr, right: ast.expr) -> Iterator[ProbeEdit]:
        between = self.text[self._end(left) : self._start_of(right)]
        sign = between.strip(" ()")
        if sign in LOOSE:
            yield from self._replace_between(left, right, sign, LOOSE[sign])

    def _drop_factor(self, left: ast.expr, right: ast.expr) -> Iterator[ProbeEdit]:
        """Yield a product without the stride, or the size of a tile, that is one of its factors."""
        if isinstance(right, ast.Name) and right.id in self._numbers:
            yield from self._drop(self._end(left), self._end(right))
        elif isinstance(left, ast.Name) and left.id in self._numbers:
            yield from self._drop(self._start_of(left), self._start_of(right))

    def _drop(self, start: int, end: int) -> Iterator[ProbeEdit]:
        old = self.text[start:end]
        if old.strip() and "\n" not in old and old.count("(") == old.count(")"):
            edit = self._edit(start, end, "")
            yield edit._replace(kind="drop", old=old.strip(" ,"))

    def _replace(self, node: ast.expr, new: str) -> Iterator[ProbeEdit]:
        if node.lineno == node.end_lineno:
            yield self._edit(self._start_of(node), self._end(node), new)

    def _replace_between(
        self, one: ast.expr, other: ast.expr, old: str, new: str
    ) -> Iterator[ProbeEdit]:
        at = self.text.find(old, self._end(one), self._start_of(other))
        if at >= 0:
            yield self._edit(at, at + len(old), new)

    def _end_behind(self, node: ast.expr) -> int:
        """Return where an operand ends, with the parenthesis around it."""
        end = self._end(node)
        opened = self.text[: self._start_of(node)].endswith("(")
        return end + 1 if opened and self.text.startswith(")", end) else end

    def _start_of(self, node: ast.expr) -> int:
        return self._offset(node.lineno, node.col_offset)

    def _end(self, node: ast.expr) -> int:
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        """Return where a place of Python's is in the text: it counts bytes of UTF-8."""
        start = self._starts[line - 1]
        text = self.text[start : self._starts[line] - 1]
        return start + len(text.encode()[:column].decode("utf-8", "ignore"))


def _find_last(text: str, line: int) -> int:
    """Return the last line of a function that begins in a line; 0 if it is not found."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        at = sum(len(each) + 1 for each in text.split("\n")[: line - 1])
        end = find_closing(text, text.find("{", at))
        return text.count("\n", 0, end) + 1 if end > 0 else 0
    functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))
    own = (
        each for each in functions
        if line in (each.lineno, *(above.lineno for above in each.decorator_list))
    )  # fmt: skip
    ends: list[int] = [each.end_lineno or 0 for each in own]
    return max(ends, default=0)


def read_text(replay: Replay) -> ProbedText:
    """Return the text of a launch's kernel, in whatever language.

    Raises:
        CannotReplay: the kernel is not found in it.
    """
    if replay.compiled_by:
        return FixedText(replay) if replay.recipe is None else TritonText(replay)
    return PtxText(replay) if replay.is_ptx else ProbedText(replay)
