"""`printf`, with the formats of C; `%a`, `%n` and `*` are refused."""

from __future__ import annotations

from functools import partial

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import as_int64, convert, promoted, rvalue, whole
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.model.types import (
    DOUBLE,
    INT,
    LONG_LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    Arithmetic,
    PointerTo,
)
from grader.simt.cuda.lowering.model.values import Value
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics.printing import Specifier, print_values, split_format, styles_of
from grader.simt.program.nodes import Do, Expression, Perform
from grader.simt.program.types import Nothing as NothingType

_MOST = 32
_SIGNED = {"": INT, "h": SHORT, "hh": SIGNED_CHAR}
_UNSIGNED = {"": UNSIGNED, "h": UNSIGNED_SHORT, "hh": UNSIGNED_CHAR}


def lower_printf(unit: CudaUnit, node: syntax.Call) -> Value:
    """Lower `printf`, which returns how many arguments it was given.

    Raises:
        Refused: its format is not known, or not emulated, or does not fit the arguments.
    """
    if not node.arguments or not isinstance(node.arguments[0], syntax.StringLiteral):
        raise unit.refusal(node, fact("cpp.printf-format"))
    given = list(node.arguments[1:])
    if len(given) > _MOST:
        raise unit.refusal(node, fact("simt.print-count", most=_MOST))
    pieces, operands, used = list[str | Specifier](), list[Expression](), 0
    texts = set[int]()
    for piece in split_format(_text(node.arguments[0])):
        if isinstance(piece, str):
            pieces.append(piece)
            continue
        if used == len(given):
            n = used + 1
            raise unit.error(node, fact("cpp.printf-count", n=n, given=used))
        argument = given[used]
        used += 1
        if piece.letter == "s" and isinstance(argument, syntax.StringLiteral):
            pieces.append(piece.style % _text(argument))
            continue
        if piece.letter == "s":
            texts.add(len(operands))
        operands.append(_argument(unit, argument, piece))
        pieces.append(piece)
    run = partial(print_values, styles_of(pieces), frozenset(texts))
    site = unit.site(node.place)
    unit.emit(Do(Perform(NothingType(), "printf", run, tuple(operands), site, alone=True)))
    return whole(len(given))


def _text(node: syntax.StringLiteral) -> str:
    return node.value.decode(errors="replace")


def _argument(unit: CudaUnit, node: syntax.Expression, specifier: Specifier) -> Expression:
    """Lower an argument, as the type that its specifier prints."""
    if not specifier.style:
        raise unit.refusal(node, fact("cpp.printf-specifier", specifier=specifier.text))
    value = rvalue(unit, node, lower(unit, node))
    if isinstance(value.type, PointerTo):
        is_text = specifier.letter == "s" and value.type.target.size == 1
        if is_text or specifier.letter == "p":
            return as_int64(value.node)
    kind = _printed(specifier.length, specifier.letter)
    own = value.type
    if kind and isinstance(own, Arithmetic) and own.is_integer == kind.is_integer:
        return convert(unit, node, promoted(unit, node, value), kind).node
    raise unit.error(node, fact("cpp.printf-argument", specifier=specifier.text, type=own.name))


def _printed(length: str, letter: str) -> Arithmetic | None:
    """Return the type that a specifier prints; None for texts and pointers."""
    if letter in "di":
        return _SIGNED.get(length, LONG_LONG)
    if letter in "uxXo":
        return _UNSIGNED.get(length, UNSIGNED_LONG_LONG)
    if letter == "c":
        return UNSIGNED_CHAR
    return None if letter in "sp" else DOUBLE
