"""Reading machine code: what nvdisasm printed for three kernels, for compute capability 9.0."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.compiled import CATEGORIES, CompilerReport, find_reasons
from grader.compiled.linking import UnknownReport, read_report
from grader.compiled.outcome import ArchitectureReport
from grader.compiled.sass import by_line, category, instructions

DATA = Path(__file__).parents[2] / "data" / "compiled"
FILE = "<kernel>"


def text(name: str) -> str:
    return (DATA / name).read_text("utf-8")


def line_of(name: str, code: str) -> int:
    """The number of the first line with this code."""
    return next(n for n, line in enumerate(text(f"{name}.py").splitlines(), 1) if code in line)


def compiled(name: str) -> CompilerReport:
    report = ArchitectureReport("9.0", *read_report(text(f"{name}.log")), 8, 1.0, "threads")
    return CompilerReport("compiler", (report,), "9.0", by_line(text(f"{name}.sass"), FILE))


@pytest.mark.parametrize("name", ["xor", "spill", "double"])
def test_every_instruction_is_counted_once(name):
    """Against a count of the lines with an address, without padding."""
    printed = re.findall(r"^\s+/\*[0-9a-f]{4,}\*/\s+.*;", text(f"{name}.sass"), re.MULTILINE)
    padding = [line for line in printed if re.search(r"\*/\s+NOP", line)]
    lines = by_line(text(f"{name}.sass"), FILE)
    counted = sum(sum(line.counts.values()) for line in lines)
    assert counted == len(printed) - len(padding) - 1  # the jump to itself at the end
    assert {kind for line in lines for kind in line.counts} <= {*CATEGORIES}
    last = text(f"{name}.py").count("\n")
    assert all(0 <= line.line <= last for line in lines)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("LDS.128", "shared-load"), ("LDSM.16.M88.4", "shared-load"), ("STS", "shared-store"),
        ("LDG.E.CONSTANT", "global-load"), ("LDGSTS.E.BYPASS.128", "global-load"),
        ("LD.E", "global-load"), ("ST.E", "global-store"), ("LDL.LU", "local-load"),
        ("LDC", "constant-load"), ("LDCU.64", "constant-load"), ("ULDC.64", "constant-load"),
        ("RED.E.ADD", "atomic"), ("REDG.E.ADD", "atomic"), ("REDUX.SUM", "warp"),
        ("ATOMS.POPC.INC.32", "atomic"), ("I2F.S64", "conversion"), ("F2F.F64.F32", "conversion"),
        ("F2FP.F16.F32.PACK_AB", "conversion"), ("HADD2.F32", "conversion"), ("HADD2", "fp32"),
        ("FFMA.FTZ", "fp32"), ("MUFU.EX2", "fp32"), ("MUFU.RCP64H", "fp64"), ("DFMA", "fp64"),
        ("HMMA.16816.F32", "tensor"), ("IMAD.MOV.U32", "move"), ("IMAD.WIDE", "integer"),
        ("IADD3", "integer"), ("UIADD3", "integer"), ("LOP3.LUT", "integer"),
        ("ISETP.GE.AND", "integer"), ("VIADD", "integer"), ("SHF.R.S32.HI", "integer"),
        ("BAR.SYNC.DEFER_BLOCKING", "control"), ("BRA", "control"), ("SHFL.DOWN", "warp"),
        ("VOTE.ANY", "warp"), ("S2R", "move"), ("S2UR", "move"), ("SEL", "move"),
        ("XYZZY", "other"),
    ],
)  # fmt: skip
def test_what_an_instruction_does(name, kind):
    assert category(name) == kind


def test_the_inner_loop_of_a_swizzle_recomputes_its_index():
    """The kernel that is right, conflict-free, and 0.97 times as fast as the baseline."""
    inner = line_of("xor", "i ^ tx")
    line = next(line for line in compiled("xor").lines if line.line == inner)
    assert line.looped["shared-load"] >= line.looped["fp32"] > 0
    assert line.looped["integer"] > 2 * (line.looped["shared-load"] + line.looped["fp32"])
    executed = {inner: 100, inner - 1: 100, 1: 1}
    (reason,) = find_reasons(compiled("xor"), executed)
    assert (reason.kind, reason.line) == ("busiest", inner)
    assert reason.mix["integer"] == line.looped["integer"]
    assert reason.recomputes


def test_spilled_registers_are_told_with_the_line():
    found = find_reasons(compiled("spill"), {})
    assert [reason.kind for reason in found] == ["spills"]
    assert found[0].amount == 472
    assert found[0].line in range(1, text("spill.py").count("\n") + 1)


def test_a_local_array_and_double_precision_are_told_with_their_lines():
    local, double = find_reasons(compiled("double"), {})
    assert (local.kind, local.amount) == ("local", 256)
    assert local.line in {line_of("double", code) for code in ("s[j] = 0", "picks[j]", "* 0.1")}
    assert (double.kind, double.line) == ("fp64", line_of("double", "* 0.1"))


def test_a_loop_is_a_jump_back_and_the_innermost_counts():
    sass = "\n".join(
        [
            "\t.section\t.text.k,",
            f'\t//## File "/x/{FILE}", line 2',
            "        /*0000*/                   MOV R1, R2 ;",
            ".L_x_1:",
            "        /*0010*/                   IADD3 R1, R1, R2, RZ ;",
            ".L_x_2:",
            f'\t//## File "/x/{FILE}", line 3',
            "        /*0020*/                   LDS R1, [R2] ;",
            "        /*0030*/              @!P0 BRA `(.L_x_2) ;",
            '\t//## File "/x/other.py", line 9',
            "        /*0040*/               @P1 BRA `(.L_x_1) ;",
            "        /*0050*/                   EXIT ;",
            ".L_x_3:",
            "        /*0060*/                   BRA `(.L_x_3);",
            "        /*0070*/                   NOP;",
        ]
    )
    found = [(one.name, one.line, one.innermost) for one in instructions(sass, FILE)]
    assert found == [
        ("MOV", 2, False), ("IADD3", 2, False), ("LDS", 3, True), ("BRA", 3, True),
        ("BRA", 0, False), ("EXIT", 0, False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"), [("xor", (32, 0, 0, 8192, 0)), ("spill", (24, 472, 608, 0, 328))]
)
def test_what_the_linker_says(name, expected):
    assert tuple(read_report(text(f"{name}.log"))) == expected


def test_a_text_that_is_no_report():
    with pytest.raises(UnknownReport):
        read_report("nvJitLink: nothing\n")
