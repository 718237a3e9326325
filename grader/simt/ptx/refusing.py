"""Says why an instruction is not emulated."""

from __future__ import annotations

import re

from grader.facts import Fact, fact
from grader.simt.ptx import syntax

_OF_BLACKWELL = frozenset(
    {
        "e2m1", "e2m1x2", "e2m1x4", "e2m3", "e2m3x2", "e2m3x4", "e3m2", "e3m2x2", "e3m2x4",
        "ue8m0", "ue8m0x2", "block_scale", "kind", "b4x16_p64", "b6x16_p32", "f32x2", "v8",
        "m16n16", "m8n16", "m16n8",
    }
)  # fmt: skip
"""Modifiers of instructions that no GPU before compute capability 10.0 has."""

_OF_TEXTURES = frozenset({"tex", "tld4", "txq", "suld", "sust", "sured", "suq"})

_REGISTER = re.compile(r"%(?!pm)[a-z]{1,2}[0-9]+$")
"""What compilers call registers: special ones have longer names."""


def say_refused(instruction: syntax.Instruction, why: str = "") -> Fact:
    """Return what is said of an instruction that is not emulated.

    Args:
        why: the operand or the modifier with which it is not; "" for none.
    """
    name, line = instruction.name, instruction.line
    newer = instruction.opcode == "tcgen05" or not _OF_BLACKWELL.isdisjoint(
        part for each in instruction.modifiers for part in each.split("::")
    )
    what = fact("ptx.instruction", name=name, line=line)
    if instruction.opcode in _OF_TEXTURES:
        what = fact("ptx.texture", name=name, line=line)
    if newer:
        what = fact("ptx.newer", name=name, line=line)
    if why and not newer:
        what = fact("ptx.operand-of", name=name, line=line, why=why)
    if _REGISTER.match(why):
        what = fact("ptx.no-register", name=name, line=line, register=why)
    return what
