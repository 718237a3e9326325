"""Texts that are no PTX, or use what is not emulated: one error, with its line."""

from __future__ import annotations

import pytest

from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
_BEGIN = f"{_HEAD}.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"

_BAD = {
    "empty": ("", "ptx.no-version", 1),
    "a C++ source": ("__global__ void k() {}\n", "ptx.no-version", 1),
    "a newer version": (".version 10.2\n", "ptx.version", 1),
    "truncated in a function": (f"{_BEGIN}mov.u32 %r1, ", "ptx.truncated", 8),
    "truncated in a head": (f"{_HEAD}.visible .entry k(", "ptx.truncated", 4),
    "no character": (f"{_BEGIN}mov.u32 %r1, ?;\n}}", "ptx.character", 8),
    "no operand": (f"{_BEGIN}mov.u32 %r1, ;\n}}", "ptx.operand", 8),
    "no semicolon": (f"{_BEGIN}mov.u32 %r1, 1 2;\n}}", "ptx.expected", 8),
    "a type that is none": (f"{_HEAD}.global .u128 x;", "ptx.expected-type", 4),
    "a directive": (f"{_HEAD}.surface .u32 x;", "ptx.directive", 4),
    "an instruction": (f"{_BEGIN}tcgen05.wait.sync.aligned;\nret;\n}}", "ptx.newer", 8),
    "a texture": (
        f"{_BEGIN}tex.1d.v4.f32.s32 {{%r1, %r2, %r3, %r4}}, [%r5, {{%r6}}];\nret;\n}}",
        "ptx.texture",
        8,
    ),
    "FP4": (f"{_BEGIN}cvt.rn.satfinite.e2m1x2.f32 %r1, %r2, %r3;\nret;\n}}", "ptx.newer", 8),
    "a modifier": (f"{_BEGIN}fma.rx.f32 %r1, %r2, %r3, %r2;\nret;\n}}", "ptx.operand-of", 8),
    "a modifier of a load": (
        f"{_BEGIN}ld.global.sideways.b32 %r1, [%rd1];\nret;\n}}", "ptx.operand-of", 8,
    ),
    "a form": (f"{_BEGIN}fma.rn.s32 %r1, %r2, %r3;\nret;\n}}", "ptx.instruction", 8),
    "operands": (f"{_BEGIN}add.s32 %r1, %r2;\nret;\n}}", "ptx.instruction", 8),
    "a register": (f"{_BEGIN}add.s32 %r1, %r2, %x;\nret;\n}}", "ptx.operand-of", 8),
    "a register that is not declared": (
        f"{_BEGIN}add.s32 %r1, %r2, %f44;\nret;\n}}", "ptx.no-register", 8,
    ),
    "a label": (f"{_BEGIN}bra nowhere;\n}}", "ptx.no-label", 8),
    "a function": (
        f"{_BEGIN}call.uni malloc;\nret;\n}}", "ptx.operand-of", 8,
    ),
    "two addresses": (
        f"{_BEGIN}prefetch.tensor [%rd1, %rd2];\nret;\n}}", "ptx.address", 8,
    ),
}  # fmt: skip


def _lower(text: str) -> None:
    module = read_ptx(text)
    kernel = find_kernel(module, "k")
    lower_ptx(module, kernel, list_fields(kernel))


@pytest.mark.parametrize("name", _BAD)
def test_bad_texts(name: str) -> None:
    text, code, line = _BAD[name]
    with pytest.raises(Refused) as caught:
        _lower(text)
    assert (caught.value.what.code, caught.value.line) == (code, line)


def test_a_kernel_that_is_not_there() -> None:
    module = read_ptx(f"{_BEGIN}ret;\n}}")
    with pytest.raises(InvalidLaunch, match=r"cpp\.no-kernel"):
        find_kernel(module, "other")
    with pytest.raises(InvalidLaunch, match=r"ptx\.no-kernels"):
        find_kernel(read_ptx(_HEAD), "k")
