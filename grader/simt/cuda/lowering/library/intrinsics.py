"""Functions of CUDA that begin with two underscores: integers, bits, rounding, conversions.

Each is one of libdevice; its name follows by rule, and its types, but for what is unsigned.
`__dp4a` and `__dp2a_…`, sums of products of bytes and halves, take words or vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from grader.simt.cuda.lowering.library.entries import as_overload, type_of
from grader.simt.cuda.lowering.library.maths import by_pointer
from grader.simt.cuda.lowering.library.overloads import Handler, LibraryOverload, overloaded
from grader.simt.cuda.lowering.model.types import INT, UNSIGNED, VECTORS, Arithmetic
from grader.simt.cuda.lowering.model.values import Aggregate, Plain, Value
from grader.simt.intrinsics.functions import rounding
from grader.simt.intrinsics.functions.dpx import DPX
from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature, Vector
from grader.simt.intrinsics.functions.lanes_in_words import FUNCTIONS, UNARY, sum_products
from grader.simt.intrinsics.functions.libdevice import ENTRIES
from grader.simt.intrinsics.functions.libdevice_integers import INTEGERS
from grader.simt.intrinsics.functions.rounding import MODES
from grader.simt.program.nodes import Apply
from grader.simt.program.types import FLOAT32, FLOAT64, INT32, UINT32

_WORDS = (INT32,) * 3
_DOTS = {"__dp4a": (1, slice(None)), "__dp2a_lo": (2, slice(2)), "__dp2a_hi": (2, slice(2, None))}
"""Bytes of the left factors, and which bytes of the right word are the others."""
_VECTORS = {("i", 1): "char4", ("u", 1): "uchar4", ("i", 2): "short2", ("u", 2): "ushort2"}
"""By sign and bytes of an element."""


def _join(*parts: Vector) -> Vector:
    """Return the words that bytes or halves make."""
    together = np.stack(np.broadcast_arrays(*parts), axis=-1)
    words: Vector = together.view(np.uint32)[..., 0]
    return words


def _of_vectors(
    letter: str, size: int, kind: Arithmetic, words: LibraryOverload
) -> LibraryOverload:
    """Make the overload that takes vectors where another one takes words."""

    def to_word(value: Value) -> Plain:
        assert isinstance(value, Aggregate)  # as its type says
        parts = tuple(part.node for part in value.members if isinstance(part, Plain))
        return Plain(kind, Apply(kind.dtype, "to word", _join, parts))

    def lower(unit: Any, node: Any, given: Sequence[Any]) -> Value:
        found: Value = words.lower(unit, node, (to_word(given[0]), to_word(given[1]), given[2]))
        return found

    vectors = VECTORS[_VECTORS[letter, size]], VECTORS[_VECTORS[letter, 1]]
    return LibraryOverload((*vectors, kind), lower)


def _overloads(name: str) -> Iterator[LibraryOverload]:
    size, part = _DOTS[name]
    for letter, kind in (("i", INT), ("u", UNSIGNED)):
        entry = FixedSignature(
            (INT32,), _WORDS, sum_products((f"{letter}{size}", f"{letter}1"), part, INT32)
        )
        made = as_overload(name, entry, (kind,) * 3, kind)
        yield from (made, _of_vectors(letter, size, kind, made))


DOTS: dict[str, Handler] = {name: overloaded(*_overloads(name)) for name in _DOTS}


_OPERATIONS = ("add", "sub", "mul", "div", "rcp", "sqrt", "rsqrt", "fma", "fmaf")
_UNSIGNED_OPERANDS = {
    "popc", "popcll", "brev", "brevll", "byte_perm", "umulhi", "umul64hi", "umul24", "usad",
    "uhadd", "urhadd", "umin", "umax", "ullmin", "ullmax", "uint_as_float", "funnelshift_l",
    "funnelshift_lc", "funnelshift_r", "funnelshift_rc",
}  # fmt: skip
_UNSIGNED_RESULTS = _UNSIGNED_OPERANDS - {"popc", "popcll", "uint_as_float"} | {
    "sad", "float_as_uint",
}  # fmt: skip
"""All operands, and the result; libdevice types them as signed."""
_NOT_HERE = {"abs", "llabs", "max", "min", "hadd", "float2half_rn", "half2float"} | {
    name for name in INTEGERS if name.startswith(("is", "finite", "signbit"))
}
"""Functions whose names have no underscores, or that are overloaded for half."""
_PLAIN_NAMES = ("umin", "umax", "llmin", "llmax", "ullmin", "ullmax")


def _funnel(*, left: bool, clamp: bool) -> Callable[[Vector, Vector, Vector], Vector]:
    """Shift two words as one of 64 bits, and return its high or its low word."""

    def shift_words(low: Vector, high: Vector, count: Vector) -> Vector:
        both: Vector = high.view(UINT32).astype(np.uint64) << np.uint64(32) | low.view(UINT32)
        by = count.view(UINT32).astype(np.uint64)
        by = np.minimum(by, np.uint64(32)) if clamp else by & np.uint64(31)
        found = (both << by) >> np.uint64(32) if left else both >> by
        low_word: Vector = (found & np.uint64(0xFFFFFFFF)).astype(np.uint32).view(INT32)
        return low_word

    return shift_words


_PERMUTED = INTEGERS["byte_perm"].apply
"""With signs by the selector's highest bits, which CUDA C++ takes away."""
_MORE: dict[str, FixedSignature] = {
    "funnelshift_l": FixedSignature((INT32,), _WORDS, _funnel(left=True, clamp=False)),
    "funnelshift_lc": FixedSignature((INT32,), _WORDS, _funnel(left=True, clamp=True)),
    "funnelshift_r": FixedSignature((INT32,), _WORDS, _funnel(left=False, clamp=False)),
    "funnelshift_rc": FixedSignature((INT32,), _WORDS, _funnel(left=False, clamp=True)),
    "byte_perm": FixedSignature(
        (INT32,), _WORDS, lambda *given: _PERMUTED(*given[:2], given[2] & INT32.type(0x7777))
    ),
    "tanhf": FixedSignature((FLOAT32,), (FLOAT32,), np.tanh),
    "float_as_uint": ENTRIES["float_as_int"],
    "uint_as_float": ENTRIES["int_as_float"],
    **{
        f"dsub_{mode}": FixedSignature(
            (FLOAT64,),
            (FLOAT64,) * 2,
            rounding.directed(np.subtract, lambda a, b: a - b, mode, "float64"),
        )
        for mode in MODES
    },
}
"""Functions that libdevice has not: instructions, or written in the headers."""


def _is_rounded(name: str) -> bool:
    own = name.rpartition("_")[0]
    return name[-3:] in ("_rn", "_rz", "_ru", "_rd") and (
        own in ("fma", "fmaf") or own[1:] in _OPERATIONS
    )


def _entries() -> Iterator[tuple[str, FixedSignature]]:
    yield from INTEGERS.items()
    yield from _MORE.items()
    for name, entry in ENTRIES.items():
        if _is_rounded(name):
            yield name, entry
            if name.startswith("fmaf"):
                yield name.replace("fmaf", "fmaf_ieee"), entry
    yield "saturatef", ENTRIES["saturatef"]
    for name, entry in ENTRIES.items():
        if name.startswith("fast_") and len(entry.results) == 1:
            yield name.removeprefix("fast_"), entry


def _overload(name: str, entry: FixedSignature) -> LibraryOverload:
    source, _, target = name.rpartition("_")[0].partition("2")
    unsigned = name in _UNSIGNED_OPERANDS or source in ("uint", "ull")
    gives_unsigned = name in _UNSIGNED_RESULTS or target in ("uint", "ull")
    parameters = [type_of(dtype, unsigned=unsigned) for dtype in entry.operands]
    if name == "sad":
        parameters[-1] = UNSIGNED
    result = type_of(entry.results[0], unsigned=gives_unsigned)
    return as_overload(name, entry, parameters, result)


def _handlers() -> Iterator[tuple[str, Handler]]:
    for name, entry in _entries():
        if name not in _NOT_HERE:
            handler = overloaded(_overload(name, entry))
            yield name if name in _PLAIN_NAMES else f"__{name}", handler
    for name, function in FUNCTIONS.items():
        words = (UINT32,) * (1 if name in UNARY else 2)
        made = as_overload(
            name, FixedSignature((UINT32,), words, function), [UNSIGNED] * len(words), UNSIGNED
        )
        yield name, overloaded(made)
    for name, entry in DPX.items():
        kinds = [type_of(dtype) for dtype in entry.operands]
        one = len(entry.results) == 1
        made = (
            as_overload(name, entry, kinds, kinds[0])
            if one
            else by_pointer(name, entry, returns=True)
        )
        yield f"__{name}", overloaded(made)
    yield from DOTS.items()


HADD = _overload("hadd", ENTRIES["hadd"])
"""`__hadd(int, int)`; the one of two halves is another function."""
HANDLERS: dict[str, Handler] = dict(_handlers())
