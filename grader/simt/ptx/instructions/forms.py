"""The instructions that compute, by opcode: a row adds one.

A `Form` looks at no thread and at no memory. Sections are those of the PTX ISA, chapter 9.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from grader.simt.intrinsics.functions import approximations, bits
from grader.simt.intrinsics.functions.signed_zeros import (
    larger,
    larger_or_nan,
    smaller,
    smaller_or_nan,
)
from grader.simt.ptx.instructions import arithmetic, bitwise, comparing, converting, floats, packed
from grader.simt.ptx.instructions.kinds import Form, Make, of_bits, of_integers, type_of
from grader.simt.ptx.instructions.video import find_video, is_video


def find_form(
    opcode: str, modifiers: Sequence[str], operands: int, selectors: Sequence[str] = ()
) -> Form | None:
    """Return the form of an instruction; None if it is none of these.

    Args:
        operands: how many it is given, results included.
        selectors: which parts of the operands a video instruction takes.
    """
    if is_video(opcode):
        return find_video(opcode, modifiers, operands - 1, selectors)
    kind = type_of(modifiers)
    make = (_FORMS if kind else _FORMS_WITHOUT_TYPE).get(opcode)
    if make is None or selectors:
        return None
    form = make(kind, modifiers)
    if form is None or operands != 1 + len(form.operands) - form.reads_carry:
        return None
    return form


_FORMS: dict[str, Make] = {
    "add": partial(arithmetic.total, "add", np.add, lambda a, b: a + b),
    "sub": partial(arithmetic.total, "sub", np.subtract, lambda a, b: a - b),
    "addc": partial(arithmetic.with_carry, "add"),
    "subc": partial(arithmetic.with_carry, "sub"),
    "mul": arithmetic.product,
    "mul24": arithmetic.mul24,
    "mad24": arithmetic.mad24,
    "mad": arithmetic.mad,
    "madc": arithmetic.madc,
    "div": arithmetic.quotient,
    "rem": of_integers(2, arithmetic.find_remainder),
    "sad": of_integers(3, bits.add_difference),
    "abs": partial(arithmetic.of_one, np.abs),
    "neg": partial(arithmetic.of_one, np.negative),
    "min": partial(arithmetic.extreme, smaller, smaller_or_nan, np.minimum),
    "max": partial(arithmetic.extreme, larger, larger_or_nan, np.maximum),
    "dp2a": arithmetic.dp2a,
    "dp4a": arithmetic.dp4a,
    "fma": arithmetic.fma,
    "rcp": floats.reciprocal,
    "sqrt": floats.root,
    "rsqrt": partial(floats.approximate, lambda value: 1 / np.sqrt(value)),
    "sin": partial(floats.approximate_wave, approximations.sine),
    "cos": partial(floats.approximate_wave, approximations.cosine),
    "lg2": partial(floats.approximate, np.log2),
    "ex2": partial(floats.approximate, np.exp2),
    "tanh": partial(floats.approximate, np.tanh),
    "copysign": floats.copysign,
    "testp": floats.testp,
    "setp": comparing.setp,
    "set": comparing.set_register,
    "selp": comparing.selp,
    "slct": comparing.slct,
    "and": of_bits(2, np.bitwise_and),
    "or": of_bits(2, np.bitwise_or),
    "xor": of_bits(2, np.bitwise_xor),
    "not": of_bits(1, np.invert),
    "cnot": of_bits(1, bitwise.is_zero),
    "lop3": bitwise.lop3,
    "shl": partial(bitwise.shift, left=True),
    "shr": partial(bitwise.shift, left=False),
    "shf": bitwise.shf,
    "popc": partial(bitwise.count, bits.popc),
    "clz": partial(bitwise.count, bits.clz),
    "brev": of_bits(1, bits.brev),
    "bfind": bitwise.bfind,
    "bfe": bitwise.bfe,
    "bfi": bitwise.bfi,
    "bmsk": bitwise.bmsk,
    "szext": bitwise.szext,
    "fns": bitwise.fns,
    "prmt": bitwise.prmt,
    "cvt": converting.cvt,
}
"""By opcode."""
_FORMS_WITHOUT_TYPE: dict[str, Make] = {
    "add": partial(packed.in_halves, np.add),
    "min": partial(packed.in_halves, np.minimum),
    "max": partial(packed.in_halves, np.maximum),
    "prmt": bitwise.prmt,
}
"""Those whose last modifier is none of `DTYPES`."""
