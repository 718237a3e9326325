"""Writes one PTX text with a kernel for each instruction: kernel n computes case n."""

from __future__ import annotations

from collections.abc import Iterable

from bench.gpu.ptx.instructions import Case
from grader.simt.ptx.reading import SIZES

_HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
_REGISTERS = {1: "b16", 2: "b16", 4: "b32", 8: "b64"}


def _register(kind: str) -> str:
    """Return the type of a register: floats of 32 and 64 bits have their own."""
    if kind in ("pred", "f32", "f64"):
        return kind
    return _REGISTERS[SIZES[kind]]


def write(cases: Iterable[Case]) -> str:
    """Return the text; each kernel takes operands, results (64 bits each) and their count."""
    return _HEAD + "".join(_kernel(number, case) for number, case in enumerate(cases))


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
    operands = ", ".join(f"%a{at}" for at in range(len(case.operands)))
    lines.append(f"{case.name} %d, {operands};")
    lines += [*_to_bits("%d", case.results[0]), "add.s64 %at, %results, %offset;"]
    return "\n".join([*lines, "st.global.b64 [%at], %bits;", "ret;", "}", ""])


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
