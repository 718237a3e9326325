"""Functions of CUDA that begin with two underscores: integers, bits, rounding, conversions.

Each is one of libdevice; its name follows by rule, and its types, but for what is unsigned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from grader.simt.cuda.lowering.library import dots
from grader.simt.cuda.lowering.library.entries import as_overload, type_of
from grader.simt.cuda.lowering.library.maths import by_pointer
from grader.simt.cuda.lowering.library.overloads import Handler, LibraryOverload, overloaded
from grader.simt.cuda.lowering.model.types import UNSIGNED
from grader.simt.intrinsics.functions import rounding
from grader.simt.intrinsics.functions.dpx import DPX
from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature, Vector
from grader.simt.intrinsics.functions.lanes_in_words import FUNCTIONS, UNARY
from grader.simt.intrinsics.functions.libdevice import ENTRIES
from grader.simt.intrinsics.functions.libdevice_integers import INTEGERS
from grader.simt.intrinsics.functions.rounding import MODES
from grader.simt.program.types import FLOAT32, FLOAT64, INT32, UINT32

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


_WORDS = (INT32,) * 3
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
    yield from dots.HANDLERS.items()


HADD = _overload("hadd", ENTRIES["hadd"])
"""`__hadd(int, int)`; the one of two halves is another function."""
HANDLERS: dict[str, Handler] = dict(_handlers())
