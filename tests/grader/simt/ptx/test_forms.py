"""What computing instructions give, against what an H200 gave (`python -m bench.gpu.ptx`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.gpu.ptx.candidates import candidates
from bench.gpu.ptx.comparing import compare, load_names
from bench.gpu.ptx.instructions import form_of
from grader.simt.launches.launching import launch
from grader.simt.ptx.instructions.modifiers import COMPUTING, TYPES
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx


def test_every_instruction_gives_an_h200s_bits() -> None:
    assert compare() == []
    page = (Path(__file__).parents[4] / "docs" / "ptx.md").read_text("utf-8")
    assert f"{len(load_names()):,}\nforms" in page


def test_no_combination_of_modifiers_breaks_anything() -> None:
    found = {name for name in dict.fromkeys(candidates()) if form_of(name) is not None}
    assert set(load_names()) <= found


def test_modifiers_of_what_computes_are_those_that_a_gpu_has_run() -> None:
    found: dict[str, set[str]] = {}
    for name in load_names():
        opcode, *modifiers = name.partition(":")[0].split(".")
        found.setdefault(opcode, set()).update(set(modifiers) - TYPES)
    assert {opcode: set(known) - TYPES for opcode, known in COMPUTING.items()} == found


_PARTS = """.version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b32 %a, %b, %c, %d;
.reg .b64 %out;
ld.param.u64 %out, [out];
mov.u32 %a, 0x01020304;
mov.u32 %b, 0x10203040;
mov.u32 %c, 0xaabbccdd;
INSTRUCTION
st.global.u32 [%out], %d;
ret;
}
"""


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("vadd.u32.u32.u32 %d, %a.b1, %b.h1;", 0x1023),
        ("vadd4.u32.u32.u32 %d.b20, %a.b0123, %b.b7654, %c;", 0xAA23CC41),
        ("vsub2.s32.s32.s32.sat %d.h1, %a, %b.h10, %c;", 0x0000CCDD),
        ("vabsdiff4.u32.u32.u32.add %d, %a, %b, 0;", 0x96),
        ("fns.b32 %d, %a, 9, 2;", 17),
        ("cvt.pack.sat.u8.s32.b32 %d, 300, -5, %a;", 0x0304FF00),
    ],
)
def test_parts_of_words_are_taken_as_they_are_named(instruction: str, wanted: int) -> None:
    module, out = read_ptx(_PARTS.replace("INSTRUCTION", instruction)), np.zeros(1, np.uint32)
    kernel = find_kernel(module, "k")
    launch(lower_ptx(module, kernel, list_fields(kernel)), 1, 1, [out])
    assert out.tolist() == [wanted]
