"""Writes one PTX text with a kernel for each instruction: kernel n computes case n."""

from __future__ import annotations

from collections.abc import Sequence

from bench.gpu.ptx.candidates import keep_accepted
from bench.gpu.ptx.instructions import CARRIED, Case
from grader.simt.ptx.reading import SIZES

_HEAD = ".version 8.7\n.target sm_90a\n.address_size 64\n"
_REGISTERS = {1: "b16", 2: "b16", 4: "b32", 8: "b64"}


def _register(kind: str) -> str:
    """Return the type of a register: floats of 32 and 64 bits have their own."""
    if kind in ("pred", "f32", "f64"):
        return kind
    return _REGISTERS[SIZES[kind]]


def write(cases: Sequence[Case]) -> tuple[list[Case], str]:
    """Return the cases that ptxas takes, and a text with a kernel for each.

    A kernel takes operands, results (64 bits each) and their count.
    """
    kernels = [_kernel(number, case) for number, case in enumerate(cases)]
    taken = keep_accepted(kernels, _HEAD)
    kept = [case for case, is_one in zip(cases, taken, strict=True) if is_one]
    return kept, _HEAD + "".join(_kernel(number, case) for number, case in enumerate(kept))


def _kernel(number: int, case: Case) -> str:
    lines = [
        f".visible .entry case{number}(.param .u64 given, .param .u64 results, .param .u32 n)",
        "{",
        ".reg .pred %p, %q, %r0p;",
        ".reg .b32 %n, %i;",
        ".reg .b64 %given, %results, %offset, %at, %step, %bits;",
        *(f".reg .{_register(kind)} %a{at};" for at, kind in enumerate(case.operands)),
        f".reg .{_register(case.results[0])} %d;",
        "ld.param.u64 %given, [given];",
        "ld.param.u64 %results, [results];",
        "ld.param.u32 %n, [n];",
        "mov.u32 %i, %tid.x;",
        "setp.ge.u32 %p, %i, %n;",
        "@%p ret;",
        "mul.wide.u32 %offset, %i, 8;",
        "mul.wide.u32 %step, %n, 8;",
        "add.s64 %at, %given, %offset;",
    ]
    for at, kind in enumerate(case.operands):
        lines += ["ld.global.b64 %bits, [%at];", *_from_bits(f"%a{at}", kind)]
        lines.append("add.s64 %at, %at, %step;")
    lines += [*_set_carry(case), _instruction(case)]
    if case.sets_carry:
        lines.append("addc.u32 %i, 0, 0;")
    lines += [*_to_bits("%d", case.results[0]), "add.s64 %at, %results, %offset;"]
    if case.sets_carry:
        lines += ["cvt.u64.u32 %step, %i;", f"mul.lo.u64 %step, %step, {CARRIED:#x};"]
        lines.append("xor.b64 %bits, %bits, %step;")
    elif len(case.results) == 2:
        lines += ["selp.b64 %step, 2, 0, %q;", "or.b64 %bits, %bits, %step;"]
    return "\n".join([*lines, "st.global.b64 [%at], %bits;", "ret;", "}", ""])


def _set_carry(case: Case) -> list[str]:
    """Return what sets the carry flag as the last operand says."""
    if not case.reads_carry:
        return []
    return [f"selp.b32 %i, 1, 0, %a{len(case.operands) - 1};", "add.cc.u32 %i, %i, -1;"]


def _instruction(case: Case) -> str:
    name, _, parts = case.name.partition(":")
    registers = ["%d", *(f"%a{at}" for at in range(len(case.operands) - case.reads_carry))]
    if len(case.results) == 2 and not case.sets_carry:
        registers[0] = "%d|%q"
    if parts:
        named = zip(registers, parts.split(","), strict=True)
        registers = [f"{register}.{part}" if part else register for register, part in named]
    return f"{name} {', '.join(registers)};"


def _from_bits(register: str, kind: str) -> list[str]:
    if kind == "pred":
        return [f"setp.ne.u64 {register}, %bits, 0;"]
    if kind == "f64":
        return [f"mov.b64 {register}, %bits;"]
    if SIZES[kind] == 8:
        return [f"mov.b64 {register}, %bits;"]
    if kind == "f32":
        return ["cvt.u32.u64 %i, %bits;", f"mov.b32 {register}, %i;", "mov.u32 %i, %tid.x;"]
    wide = "u32" if SIZES[kind] == 4 else "u16"
    return [f"cvt.{wide}.u64 {register}, %bits;"]


def _to_bits(register: str, kind: str) -> list[str]:
    if kind == "pred":
        return [f"selp.b64 %bits, 1, 0, {register};"]
    if SIZES[kind] == 8:
        return [f"mov.b64 %bits, {register};"]
    if kind == "f32":
        return [f"mov.b32 %i, {register};", "cvt.u64.u32 %bits, %i;"]
    wide = {4: "u32", 2: "u16", 1: "u8"}[SIZES[kind]]
    return [f"cvt.u64.{wide} %bits, {register};"]
