"""Video instructions: of one part of each word, of halves, of bytes (PTX ISA 9.7.16).

Those of halves and bytes choose each of their parts among both words; `.add` sums them up. Of those
of one part, what an H200 computes otherwise than the ISA says is refused: a part of the result,
`.min` and `.max`, `.sat.add`, `.sat` of unsigned numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.frozen import frozen
from grader.simt.intrinsics.functions.fixed_signatures import COMPARISONS
from grader.simt.intrinsics.functions.lanes_in_words import rounded_mean
from grader.simt.program.types import INT64, UINT32, UINT64
from grader.simt.ptx.instructions.kinds import Form
from grader.simt.ptx.values import DTYPES, Vector

_Operate = Callable[[Vector, Vector], Any]


_ARITHMETIC: dict[str, _Operate] = {
    "vadd": np.add, "vsub": np.subtract, "vabsdiff": lambda a, b: np.abs(a - b), "vmin": np.minimum,
    "vmax": np.maximum, "vavrg": rounded_mean,
}  # fmt: skip


@frozen
class _Asked:
    """An instruction.

    Attributes:
        name: without the count of its parts.
        parts: of a word: 1, 2, or 4.
        types: of the result and both operands.
        rest: the modifiers behind them.
        selectors: of the result and the operands, "" without.
    """

    name: str
    parts: int
    types: tuple[str, str, str]
    rest: Sequence[str]
    selectors: Sequence[str]
    operands: int

    def selector(self, place: int) -> str:
        return self.selectors[place] if place < len(self.selectors) else ""


def is_video(opcode: str) -> bool:
    """Return True for the opcodes that `find_video` knows."""
    return opcode.rstrip("24") in _MAKE


def find_video(
    opcode: str, modifiers: Sequence[str], operands: int, selectors: Sequence[str]
) -> Form | None:
    """Return the form of a video instruction; None if it is none.

    Args:
        operands: how many it is given, without the result.
        selectors: of the result and the operands, each without its dot; "" for none.
    """
    name = opcode.rstrip("24")
    parts = int(opcode[len(name) :] or 1)
    typed = 2 if name == "vset" else 3
    types = tuple(modifiers[:typed])
    if name not in _MAKE or len(types) < typed or any(each not in ("u32", "s32") for each in types):
        return None
    if typed == 2:
        types = ("u32", *types)
    asked = _Asked(name, parts, types[:3], tuple(modifiers[typed:]), selectors, operands)  # type: ignore[arg-type]
    return _MAKE[name](asked)


def _of_arithmetic(asked: _Asked) -> Form | None:
    operate, rest = _ARITHMETIC[asked.name], list(asked.rest)
    if "sat" in rest[:1]:
        limits = _limits(asked)
        rest.pop(0)
        return _finish(asked, lambda a, b: np.clip(operate(a, b), *limits), rest)
    return _finish(asked, operate, rest)


def _of_comparison(asked: _Asked) -> Form | None:
    test = COMPARISONS.get(asked.rest[0]) if asked.rest else None
    if test is None:
        return None
    return _finish(asked, lambda a, b: test(a, b).astype(INT64), asked.rest[1:])


_MAKE: Mapping[str, Callable[[_Asked], Form | None]] = {
    **dict.fromkeys(_ARITHMETIC, _of_arithmetic),
    "vset": _of_comparison,
}


def _limits(asked: _Asked) -> tuple[int, int]:
    """Return what a result is limited to where it saturates."""
    kind = "int" if asked.types[0] == "s32" else "uint"
    limits = np.iinfo(f"{kind}{32 // asked.parts}")
    return int(limits.min), int(limits.max)


def _finish(asked: _Asked, operate: _Operate, rest: Sequence[str]) -> Form | None:
    """Add what an instruction does with its third operand."""
    sums = tuple(rest) == ("add",)
    if rest and not sums:
        return None
    if asked.parts > 1:
        return _of_parts(asked, operate, sums=sums) if asked.operands == 3 else None
    if asked.name == "vavrg" or asked.selector(0) or asked.operands != 2 + sums:
        return None
    if "sat" in asked.rest and (sums or (asked.types[0] == "u32" and "u32" in asked.types[1:])):
        return None

    def compute(a: Vector, b: Vector, *last: Vector) -> Any:
        found = operate(_part(a, asked, 1), _part(b, asked, 2))
        return _word(found + last[0].astype(INT64) if sums else found)

    return Form(("b32",), ("b32",) * asked.operands, compute)


def _part(value: Vector, asked: _Asked, at: int) -> Any:
    """Return the part of a word that an operand is, as an integer of its type."""
    place, kind = asked.selector(at), asked.types[at][0]
    if not place:
        return value.view(DTYPES[asked.types[at]]).astype(INT64)
    dtype = np.dtype(f"{'i' if kind == 's' else 'u'}{1 if place[0] == 'b' else 2}")
    whole = np.ascontiguousarray(value)[..., None].view(dtype)
    return whole[..., int(place[1])].astype(INT64)


class _Choice(NamedTuple):
    """Which parts of two words an operand is, the lowest first, and their type."""

    places: list[int]
    dtype: np.dtype[Any]


def _choice(asked: _Asked, at: int) -> _Choice:
    count = asked.parts
    own = asked.selector(at)[1:] or "".join(
        map(str, range(count * at - 1, count * (at - 1) - 1, -1))
    )
    dtype = np.dtype(f"{'i' if asked.types[at][0] == 's' else 'u'}{4 // count}")
    return _Choice([int(each) for each in reversed(own)], dtype)


def _of_parts(asked: _Asked, operate: _Operate, *, sums: bool) -> Form:
    choices = [_choice(asked, at) for at in (1, 2)]
    named = asked.selector(0)[1:] or "".join(map(str, range(asked.parts)))
    chosen = np.array([str(at) in named for at in range(asked.parts)])
    narrow = np.dtype(f"u{4 // asked.parts}")

    def compute(a: Vector, b: Vector, c: Vector) -> Any:
        both = np.stack(np.broadcast_arrays(a, b), axis=-1)
        given = [both.view(each.dtype)[..., each.places].astype(INT64) for each in choices]
        found = operate(*given)
        if sums:
            total = np.where(chosen, found, 0).sum(axis=-1) + c.astype(INT64)
            return _word(total)
        kept = np.ascontiguousarray(c)[..., None].view(narrow)
        merged = np.where(chosen, found.astype(narrow), kept)
        return np.ascontiguousarray(merged).view(UINT32)[..., 0]

    return Form(("b32",), ("b32",) * 3, compute)


def _word(value: Vector) -> Any:
    """Return the low 32 bits."""
    return value.astype(UINT64).astype(UINT32)
