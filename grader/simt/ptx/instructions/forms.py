"""The instructions that compute, by opcode: a row adds one.

A `Form` looks at no thread and at no memory. Sections are those of the PTX ISA, chapter 9.7.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grader.simt.intrinsics.functions import approximations, bits
from grader.simt.intrinsics.functions.signed_zeros import (
    larger,
    larger_or_nan,
    smaller,
    smaller_or_nan,
)
from grader.simt.ptx.instructions import arithmetic, bitwise, comparing, converting, floats, packed
from grader.simt.ptx.instructions.kinds import Form, Make
from grader.simt.ptx.instructions.video import find_video, is_video


def find_form(
    opcode: str, modifiers: Sequence[str], operands: int, selectors: Sequence[str] = ()
) -> Form | None:
    """Return the form of an instruction; None if it is none of these.

    Args:
        opcode: its first word.
        modifiers: the others.
        operands: how many it is given, results included.
        selectors: which parts of the operands a video instruction takes.
    """
    if is_video(opcode):
        return find_video(opcode, modifiers, operands - 1, selectors)
    make = _FORMS.get(opcode)
    if make is None or selectors:
        return None
    form = make(modifiers)
    if form is None or operands != 1 + len(form.operands) - form.reads_carry:
        return None
    return form


_FORMS: dict[str, Make] = {
    "add": packed.in_halves(np.add, arithmetic.total("add", np.add, lambda a, b: a + b)),
    "sub": arithmetic.total("sub", np.subtract, lambda a, b: a - b),
    "addc": arithmetic.with_carry("add"),
    "subc": arithmetic.with_carry("sub"),
    "mul": arithmetic.product,
    "mul24": arithmetic.mul24,
    "mad24": arithmetic.mad24,
    "mad": arithmetic.mad,
    "madc": arithmetic.madc,
    "div": arithmetic.quotient,
    "rem": arithmetic.remainder,
    "sad": arithmetic.absolute_difference,
    "abs": arithmetic.of_one(np.abs, np.abs),
    "neg": arithmetic.of_one(np.negative, np.negative),
    "min": packed.in_halves(np.minimum, arithmetic.extreme(smaller, smaller_or_nan, np.minimum)),
    "max": packed.in_halves(np.maximum, arithmetic.extreme(larger, larger_or_nan, np.maximum)),
    "dp2a": arithmetic.dp2a,
    "dp4a": arithmetic.dp4a,
    "fma": arithmetic.fma,
    "rcp": floats.reciprocal,
    "sqrt": floats.root,
    "rsqrt": floats.approximate(lambda value: 1 / np.sqrt(value)),
    "sin": floats.approximate_wave(approximations.sine),
    "cos": floats.approximate_wave(approximations.cosine),
    "lg2": floats.approximate(np.log2),
    "ex2": floats.approximate(np.exp2),
    "tanh": floats.approximate(np.tanh),
    "copysign": floats.copysign,
    "testp": floats.testp,
    "setp": comparing.setp,
    "set": comparing.set_register,
    "selp": comparing.selp,
    "slct": comparing.slct,
    "and": bitwise.logic(np.bitwise_and),
    "or": bitwise.logic(np.bitwise_or),
    "xor": bitwise.logic(np.bitwise_xor),
    "not": bitwise.invert,
    "cnot": bitwise.cnot,
    "lop3": bitwise.lop3,
    "shl": bitwise.shift(left=True),
    "shr": bitwise.shift(left=False),
    "shf": bitwise.shf,
    "popc": bitwise.count(bits.popc),
    "clz": bitwise.count(bits.clz),
    "brev": bitwise.brev,
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
