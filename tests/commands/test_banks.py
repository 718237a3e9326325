"""`quiz banks`: expressions, the search, recorded accesses, and what makes no sense."""

from __future__ import annotations

import csv
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from grader.banks import ARCHITECTURES, KINDS
from quizapp.commands.model.banks import ELEMENT_BYTES
from quizapp.domain.errors import FINDINGS, OK, USAGE
from quizapp.domain.exercise import Op
from quizapp.system.width import columns
from tests.commands.program import ROOT, Program
from tests.grader.bank_tools import RECORDED

CONTIGUOUS = " ".join(str(4 * lane) for lane in range(32))
HEADER = "op,width,mask,offsets\n"

STRIDE_2 = """\
load, 4 bytes per lane, 32 lanes, compute capability 9.0

 A raised ¹, ² or ³ is 10, 20 or 30: ²7 is 27.
 bank     0 1 2 3 4 5 6 7  8 9¹0¹1¹2¹3¹4¹5 ¹6¹7¹8¹9²0²1²2²3 ²4²5²6²7²8²9³0³1
 wave 1   0 · 1 · 2 · 3 ·  4 · 5 · 6 · 7 ·  8 · 9 ·¹0 ·¹1 · ¹2 ·¹3 ·¹4 ·¹5 ·
!wave 2  ¹6 ·¹7 ·¹8 ·¹9 · ²0 ·²1 ·²2 ·²3 · ²4 ·²5 ·²6 ·²7 · ²8 ·²9 ·³0 ·³1 ·
 words    2 · 2 · 2 · 2 ·  2 · 2 · 2 · 2 ·  2 · 2 · 2 · 2 ·  2 · 2 · 2 · 2 ·

wavefronts 2 · ideal 1 · conflicts 1 · 2-way
lanes 0, 16 conflict in bank 0, on words 0, 32
measured for 9.0 (--why names the source)
"""


def plain(inside, *arguments: str) -> dict:
    said = inside("banks", *arguments, "--json")
    assert (said.status, said.err) == (OK, "")
    assert said.out.isascii()
    return json.loads(said.out)


def figures(inside, *arguments: str) -> tuple[int, int]:
    """Wavefronts and conflicts of all warps."""
    total = plain(inside, *arguments)["total"]
    return total["wavefronts"], total["conflicts"]


# An expression, as text


def test_a_stride_of_two(inside):
    said = inside("banks", "threadIdx.x * 2")
    assert (said.status, said.out, said.err) == (OK, STRIDE_2, "")


def test_several_warps_show_the_worst_and_the_sum(inside):
    said = inside("banks", "threadIdx.x * (threadIdx.y + 1)", "--block", "32x4")
    lines = said.out.splitlines()
    assert lines[0] == "load, 4 bytes per lane, 128 lanes in 4 warps, compute capability 9.0"
    assert lines[1] == "warp 3; none takes more:"
    assert "wavefronts 4 · ideal 1 · conflicts 3 · 4-way" in lines
    assert "all 4 warps: wavefronts 8 · ideal 4 · conflicts 4 · 4-way" in lines
    assert inside("banks", "lane", "--block", "64").out.splitlines()[1] == (
        "warp 0; all others cost the same:"
    )


def test_a_partial_warp_and_a_mask(inside):
    assert ", 40 lanes in 2 warps," in inside("banks", "lane", "--block", "40").out
    assert ", 4 lanes," in inside("banks", "lane", "--mask", "0b1111").out
    assert "No lane is active" in inside("banks", "lane", "--mask", "0").out


@pytest.mark.parametrize("mask", ["0xff", "255", "0b11111111", "0XFF"])
def test_a_mask_in_each_notation(mask, inside):
    assert figures(inside, "lane * 32", "--mask", mask) == (8, 7)


# On a terminal


def on_a_terminal(quiz: Program, *arguments: str, width: int = 80, **variables: str) -> str:
    """What `quiz` writes to a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = quiz.environment(TERM="xterm-256color", **variables)
    environment.pop("COLUMNS", None)
    with subprocess.Popen(
        quiz.command(*arguments), env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    ):
        os.close(theirs)
        written = b""
        try:
            while some := os.read(ours, 1 << 16):
                written += some
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


def test_colour_on_a_terminal_alone_and_not_against_a_persons_will(quiz):
    arguments = ("banks", "threadIdx.x * 2")
    coloured = on_a_terminal(quiz, *arguments)
    assert "\x1b[31m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == STRIDE_2
    assert on_a_terminal(quiz, *arguments, NO_COLOR="1") == STRIDE_2
    assert quiz(*arguments, FORCE_COLOR="1").stdout == STRIDE_2


@pytest.mark.parametrize(("width", "first"), [(80, " bank     0 1"), (108, " bank      0  1")])
def test_the_map_is_as_wide_as_the_terminal_lets_it(width, first, quiz):
    shown = on_a_terminal(quiz, "banks", "lane * 33", width=width, NO_COLOR="1").splitlines()
    assert next(line for line in shown if line.startswith(" bank")).startswith(first)
    assert max(map(columns, shown)) <= width


def test_a_narrow_terminal_gets_the_map_in_two_parts(quiz):
    shown = on_a_terminal(quiz, "banks", "lane * 16", width=60, NO_COLOR="1")
    heads = [line.split()[1:] for line in shown.splitlines() if line.startswith(" bank ")]
    assert [(head[0], head[-1]) for head in heads] == [("0", "15"), ("16", "31")]
    assert "16-way" in shown
    assert max(map(columns, shown.splitlines())) <= 60


def test_the_narrowest_terminal_gets_all_but_the_map(quiz):
    shown = on_a_terminal(quiz, "banks", "lane * 32", width=32, NO_COLOR="1")
    assert "The bank map needs 33 columns;" in shown
    assert "32-way" in shown


# An expression, as JSON


def test_json_of_one_warp(inside):
    assert plain(inside, "lane * 2", "--mask", "0x10001") == {
        "format": 1,
        "arch": "9.0",
        "op": "load",
        "width": 4,
        "warps": [{"warp": 0, "wavefronts": 2, "conflicts": 1, "ideal": 1, "groups": 1, "ways": 2}],
        "worst": 0,
        "total": {"wavefronts": 2, "conflicts": 1, "ideal": 1, "groups": 1, "ways": 2},
        "evidence": "measured",
        "source": "H200",
        "witness": {
            "bank": 0,
            "words": [{"word": 0, "lanes": [0]}, {"word": 32, "lanes": [16]}],
        },
    }


def test_json_of_several_warps(inside):
    found = plain(inside, "threadIdx.x * (threadIdx.y + 1)", "--block", "32x4")
    assert [warp["wavefronts"] for warp in found["warps"]] == [1, 2, 1, 4]
    assert found["worst"] == 3
    assert found["total"]["wavefronts"] == 8
    assert [word["word"] for word in found["witness"]["words"]] == [0, 32, 64, 96]


def test_every_key_is_documented(inside, trace):
    page = (ROOT / "docs" / "cli.md").read_text("utf-8")
    section = page.split("\n## quiz banks\n")[1].split("\n## ")[0]
    documented = {
        name for code in re.findall(r"`([^`]+)`", section) for name in re.findall(r"\w+", code)
    }

    def keys(value: object) -> set[str]:
        if isinstance(value, list):
            return {key for each in value for key in keys(each)}
        if isinstance(value, dict):
            return {*value, *keys([*value.values()])}
        return set()

    bounds = plain(inside, "0", "--op", "atom_float", "--tile", "4x4", "--search")
    recorded = json.loads(trace(HEADER + ONE, "--json").out)
    assert keys([bounds, recorded, plain(inside, *TRANSPOSE)]) <= documented | {"format"}


@pytest.mark.parametrize(
    ("arguments", "least", "most"),
    [
        (["lane * 4", "--width", "16", "--arch", "2.0"], 4, 8),
        (["0", "--op", "atom_cas", "--arch", "3.5"], 32, None),
        (["0", "--op", "atom_cas", "--width", "16"], 32, None),
    ],
)
def test_json_of_bounds(arguments, least, most, inside):
    found = plain(inside, *arguments)
    for figures in (*found["warps"], found["total"]):
        assert (figures["wavefronts"], figures["wavefronts_at_most"]) == (least, most)


def test_json_without_active_lanes(inside):
    found = plain(inside, "lane", "--mask", "0")
    assert found["witness"] is None
    assert found["total"]["wavefronts"] == 0


@pytest.mark.parametrize(
    ("arguments", "wavefronts", "conflicts"),
    [
        (["tile[threadIdx.x][threadIdx.y]", "--block", "32x8", "--tile", "32x32"], 256, 248),
        (["tile[threadIdx.x][threadIdx.y]", "--block", "32x8", "--tile", "32×33"], 8, 0),
        (["tile[col][row]", "--block", "32x8", "--tile", "32x33"], 8, 0),
        (["def index(y, x):\n  return x, y", "--block", "32x8", "--tile", "32x33"], 8, 0),
        (["threadIdx.x * 33 + threadIdx.y", "--block", "32x8", "--tile", "32x33"], 8, 0),
        (["lane * 32", "--elem", "8"], 32, 30),
        (["lane * 33", "--elem", "8"], 2, 0),
        (["lane * 3", "--elem", "4"], 1, 0),
        (["lane", "--elem", "12", "--width", "4"], 1, 0),
        (["lane * 4", "--width", "16"], 4, 0),
        (["lane", "--elem", "16", "--op", "store"], 4, 0),
        (["lane", "--elem", "2"], 1, 0),
        (["0", "--op", "atom"], 32, 31),
        (["0", "--op", "atom_cas"], 64, 31),
        (["0", "--op", "atom_cas", "--elem", "8"], 64, 30),
        (["0", "--op", "atom_inc"], 1, 0),
        (["lane * 16", "--elem", "2", "--op", "ldmatrix", "--mask", "0xff"], 2, 1),
        (["lane * 16", "--elem", "2", "--op", "stmatrix", "--mask", "0xffff"], 4, 2),
        (["lane * 8", "--elem", "2", "--op", "ldmatrix"], 4, 0),
        (["lane * 64", "--elem", "2", "--op", "stmatrix", "--width", "16"], 32, 28),
        (["threadIdx.z * 32", "--block", "1x1x32"], 32, 31),
    ],
)
def test_known_counts(arguments, wavefronts, conflicts, inside):
    assert figures(inside, *arguments) == (wavefronts, conflicts)


def test_every_op_there_is_can_be_asked_for():
    assert set(Op.__args__) == set(KINDS)


def test_every_compute_capability_is_completed(quiz):
    done = quiz(_QUIZ_COMPLETE="bash_complete", COMP_WORDS="quiz banks --arch ", COMP_CWORD="3")
    offered = {line.removeprefix("plain,") for line in done.stdout.split()}
    assert offered == {name for row in ARCHITECTURES for name in row.devices}


# The search


TRANSPOSE = ("tile[threadIdx.x][threadIdx.y]", "--block", "32x8", "--tile", "32x32", "--search")


def test_search_as_text(inside):
    said = inside("banks", *TRANSPOSE)
    assert said.status == OK
    _, after = said.out.split("names the source)\n")
    assert (
        re.sub(r"in \d+\.\d\d s", "in N s", after)
        == """
245 layouts tried in N s, for this access alone
best: xor, col ^ row
  row * 32 + (col ^ row)

family    its best          worst warp  all warps  extra elements
yours     as it is                  32        256               0
padding   +1                         1          8              31
xor       col ^ row                  1          8               0
diagonal  (col + row) % 32           1          8               0
CuTe      Swizzle<5,0,5>             1          8               0
TMA       32B                        4         32               0
"""
    )


def test_search_as_json(inside):
    found = plain(inside, *TRANSPOSE)["search"]
    assert found["best"] == {
        "family": "xor",
        "name": "col ^ row",
        "expression": "row * 32 + (col ^ row)",
        "wavefronts": 1,
        "total": 8,
        "extra_elements": 0,
        "fits": True,
    }
    assert found["yours"] == {"wavefronts": 32, "total": 256}
    assert [layout["family"] for layout in found["families"]] == [
        "padding", "xor", "diagonal", "CuTe", "TMA",
    ]  # fmt: skip
    assert found["tried"] == 245
    assert found["seconds"] >= 0


def test_the_best_layout_costs_what_the_search_said(inside):
    best = plain(inside, *TRANSPOSE)["search"]["best"]
    at = re.sub(r"\brow\b", "threadIdx.x", best["expression"]).replace("col", "threadIdx.y")
    assert figures(inside, at, "--block", "32x8", "--tile", "32x32") == (best["total"], 0)


def test_search_knows_when_yours_is_as_good(inside):
    said = inside("banks", "lane", "--tile", "1x32", "--search")
    assert "\nbest: padding, +0; yours takes no more\n" in said.out


def test_search_of_one_index_of_wide_lanes_and_of_bounds(inside):
    found = plain(
        inside, "lane * 64", "--elem", "2", "--width", "16", "--tile", "32x64", "--search"
    )
    assert found["search"]["best"]["total"] == 4
    bounds = plain(
        inside, "lane * 4", "--width", "16", "--tile", "32x4", "--search", "--arch", "2.0"
    )
    assert bounds["search"]["yours"] == {"wavefronts": 8, "total": 8}


# What makes no sense


@pytest.mark.parametrize(
    ("arguments", "what", "todo"),
    [
        ([], "there is nothing to analyze", "--trace FILE"),
        (["  "], "there is nothing to analyze", "--trace FILE"),
        (["lane", "--search"], "--search needs the tile", "--tile 32x32"),
        (["tile[lane][0]"], "two indices, but the row length", "--tile 32x33"),
        (["lan"], "column 1 of the expression: the name `lan` is", "did you mean 'lane'?"),
        (["lane +"], "column 7 of the expression", "quiz banks --help"),
        (["def index(row, col):\n  return nothing"], "line 2, column 10 of the expression", ""),
        (["8 / (lane - 3)"], "the result is undefined, at threadIdx (3, 0, 0)", "test the divisor"),
        (["(long long)lane << 50"], "beyond any memory, at threadIdx (1, 0, 0)", ""),
        (["lane", "--tile", "4x4"], "(16, 0, 0): element [16] (4 bytes) is outside a tile of 4×4",
         "change"),
        (["lane - 1", "--tile", "4x40"], "(0, 0, 0): element [-1] (4 bytes) is outside", "change"),
        (["t[threadIdx.x][threadIdx.y]", "--block", "16x4", "--tile", "8x33"],
         "threadIdx (8, 0, 0): element [8][0] (4 bytes) is outside a tile of 8×33", "change"),
        (["t[threadIdx.y][threadIdx.x]", "--block", "16x4", "--tile", "33x8"],
         "threadIdx (8, 0, 0): element [0][8] (4 bytes) is outside a tile of 33×8", "change"),
        (["lane * 4", "--tile", "5x25", "--width", "16"],
         "threadIdx (31, 0, 0): element [124] (16 bytes) is outside", "change"),
        (["lane - 5"], "lane 0: address -20 is negative", "0 or more"),
        (["threadIdx.x - 33 * (threadIdx.x == 35)", "--block", "64", "--elem", "2", "--width", "4"],
         "warp 0, lane 1: address 2 is not aligned to 4 bytes", "a multiple of"),
        (["lane", "--elem", "12"], "9.0 has no load of 12 bytes", "--width"),
        (["lane", "--width", "3"], "9.0 has no load of 3 bytes", "--width"),
        (["lane", "--op", "atom_inc", "--elem", "8"], "no atom_inc of 8 bytes", "--width"),
        (["lane", "--arch", "1.3", "--op", "ldmatrix"], "1.x has no ldmatrix", "--op or --arch"),
        (["lane", "--arch", "9.9"], "no architecture '9.9'", "known: 1.x, 2.x"),
        (["lane", "--op", "ldmatrix", "--width", "4"], "ldmatrix moves 16 bytes", "--width out"),
        (["lane * 4", "--op", "ldmatrix", "--mask", "1"], "from 8, 16 or 32 lanes", "0xff is .x1"),
        (["lane * 4", "--op", "stmatrix", "--block", "48"], "by all lanes", "multiple of 32"),
        (["lane", "--op", "lod"], "there is no 'lod'", "did you mean 'load'?"),
        (["lane", "--mask", "ff"], "'ff' is not a mask", "0xffff"),
        (["lane", "--mask", "-1"], "mask -1 does not fit into 32 bits", "0xffff"),
        (["lane", "--mask", "0x100000000"], "does not fit into 32 bits", "0xffff"),
        (["lane", "--block", "32,8"], "'32,8' is not a block", "--block 32x8"),
        (["lane", "--block", "2x2x2x2"], "'2x2x2x2' is not a block", "--block 32x8"),
        (["lane", "--block", "0"], "a block of 0×1×1", "--block 32x8"),
        (["lane", "--block", "1025"], "a block of 1025×1×1", "--block 32x8"),
        (["lane", "--tile", "32"], "'32' is not a tile", "--tile 32x33"),
        (["lane", "--tile", "0x33"], "'0x33' is not a tile", "--tile 32x33"),
        (["lane", "--tile", "٣x٣"], "is not a tile", "--tile 32x33"),
        (["lane", "--elem", "0"], "0 is less than 1", "quiz banks --help"),
        (["lane", "--width", "2", "--tile", "4x8", "--search"],
         "--search: a lane moves 2 bytes, an element has 4", "--elem"),
        (["lane", "--tile", "257x256", "--search"], "--search: a tile has at most", "the tile"),
        (["lane * 2", "--width", "8", "--tile", "32x3", "--search"],
         "outside the tile", "the tile"),
        (["lane", "--trace", "x.csv"], "--trace takes no EXPRESSION", "leave it out"),
        (["--trace", "x.csv", "--elem", "4", "--search"], "--trace takes no --elem, --search", ""),
        (["--trace", "x.csv", "--tile", "4x4", "--mask", "1"], "takes no --tile, --mask", ""),
        (["--trace", "x.csv", "--arch", "9"], "no architecture '9'", "known"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_what_makes_no_sense_is_said_with_what_to_do(arguments, what, todo, as_json, inside):
    said = inside("banks", *arguments, *as_json)
    assert (said.status, said.out) == (USAGE, "")
    first, *rest = said.err.splitlines()
    assert first.startswith("quiz: ")
    assert what in first
    assert rest
    assert todo in rest[0]


def test_an_inactive_lane_may_be_anywhere(inside):
    assert figures(inside, "lane - 1", "--mask", "0xfffffffe", "--tile", "1x31") == (1, 0)
    assert figures(inside, "lane * 2 - 1", "--mask", "2", "--elem", "4") == (1, 0)


def test_nothing_of_the_expression_is_executed(inside, tmp_path):
    said = inside(
        "banks", f"def index(row, col):\n  open({str(tmp_path / 'made')!r}, 'w')\n  return 0"
    )
    assert said.status == USAGE
    assert not (tmp_path / "made").exists()


# Recorded accesses


def read_expected(recording: Path) -> list[tuple[int, int]]:
    with recording.open(newline="") as file:
        return [(int(r["wavefronts"]), int(r["conflicts"])) for r in csv.DictReader(file)]


@pytest.mark.parametrize(("recording", "count"), [*zip(RECORDED, (900, 284, 1300), strict=True)])
def test_all_recorded_accesses_cost_what_was_counted(recording, count, inside):
    found = plain(inside, "--trace", str(recording))
    assert found["arch"] == "9.0"
    assert len(found["rows"]) == count
    assert [(row["wavefronts"], row["conflicts"]) for row in found["rows"]] == read_expected(
        recording
    )
    assert {tuple(row) for row in found["rows"]} == {("wavefronts", "conflicts", "ideal")}


def test_recorded_accesses_as_a_table(inside):
    said = inside("banks", "--trace", RECORDED[0])
    head, first, *_, last, total = (line.split() for line in said.out.splitlines())
    assert head == ["line", "op", "width", "wavefronts", "conflicts", "ideal"]
    assert first == ["2", "load", "1", "2", "1", "1"]
    assert last == ["901", "stmatrix", "16", "32", "28", "4"]
    counted = read_expected(RECORDED[0])
    assert total[:3] == ["sum", str(sum(w for w, _ in counted)), str(sum(c for _, c in counted))]


@pytest.fixture
def trace(inside, tmp_path):
    """`quiz banks --trace` on a file with these bytes."""

    def call(content: str | bytes, *arguments: str):
        data = content.encode() if isinstance(content, str) else content
        (tmp_path / "a.csv").write_bytes(data)
        return inside("banks", "--trace", "a.csv", *arguments)

    return call


ONE = f"ld,4,0xffffffff,{CONTIGUOUS}\n"


@pytest.mark.parametrize(
    "content",
    [
        HEADER + ONE,
        HEADER + ONE.rstrip(),
        (HEADER + ONE).replace("\n", "\r\n"),
        (HEADER + ONE).replace("\n", "\r"),
        "\ufeff" + HEADER + ONE,
        "\n" + HEADER + "\n \n" + ONE + "\n\n",
        HEADER + f'"ld","4","4294967295","{CONTIGUOUS}"\n',
        HEADER + f" load , 4 , 0xffffffff , {CONTIGUOUS} \n",
        f'wavefronts,offsets,op,mask,note,width\n7,{CONTIGUOUS},load,0xffffffff,"a, b",4\n',
    ],
)
def test_csv_as_programs_write_it(content, trace):
    said = trace(content, "--json")
    assert (said.status, said.err) == (OK, "")
    assert json.loads(said.out)["rows"] == [{"wavefronts": 1, "conflicts": 0, "ideal": 1}]


def test_a_header_alone_is_no_access(trace):
    assert json.loads(trace(HEADER, "--json").out) == {"format": 1, "arch": "9.0", "rows": []}
    said = trace(HEADER)
    assert said.status == OK
    assert said.out.splitlines()[1].split() == ["sum", "0", "0", "0"]


def test_an_architecture_can_be_chosen_and_bounds_are_told(trace):
    content = HEADER + f"ld,16,0xff,{' '.join(str(16 * lane) for lane in range(32))}\n" + ONE
    said = trace(content, "--arch", "2.0", "--json")
    assert json.loads(said.out)["rows"] == [
        {"wavefronts": 1, "conflicts": 0, "ideal": 1, "wavefronts_at_most": 2},
        {"wavefronts": 1, "conflicts": 0, "ideal": 1},
    ]
    table = [line.split() for line in trace(content, "--arch", "2.0").out.splitlines()]
    assert table[1:] == [
        ["2", "load", "16", "1–2", "0–1", "1"],
        ["3", "load", "4", "1", "0", "1"],
        ["sum", "2–3", "0–1", "2"],
    ]


def test_no_upper_bound_is_null(trace):
    content = HEADER + f"atom_float,4,0xf,{CONTIGUOUS}\n" + ONE
    assert json.loads(trace(content, "--json").out)["rows"][0]["wavefronts_at_most"] is None
    *_, total, legend = trace(content).out.splitlines()
    assert total.split() == ["sum", "2+", "0+", "2"]
    assert legend.startswith("+: at least")


@pytest.mark.parametrize(
    ("expression", "remedy"),
    [("threadIdx.x - 1", "(int)threadIdx.x - 1"), ("lane * 10000000", "--elem")],
)
def test_an_address_beyond_shared_memory_is_refused(expression, remedy, inside):
    said = inside("banks", expression)
    assert (said.status, said.out) == (USAGE, "")
    assert "beyond any shared memory" in said.err
    assert remedy in said.err


def test_an_inactive_lanes_offset_does_not_matter_but_within_a_matrix(trace):
    offsets = ["-3"] * 32
    offsets[5] = "20"
    wide = " ".join(str(16 * lane) for lane in range(32))
    said = trace(HEADER + f"ld,4,0x20,{' '.join(offsets)}\nldmatrix,16,0xff00,{wide}\n", "--json")
    assert [row["wavefronts"] for row in json.loads(said.out)["rows"]] == [1, 1]
    said = trace(HEADER + f"ldmatrix,16,0x100,{wide.replace('144', '145')}\n")
    assert "lane 9: address 145 is not aligned" in said.err


BAD = [
    (f"foo,4,0xff,{CONTIGUOUS}", "there is no op 'foo'; use one of: ld, st, load"),
    (f"ld,3,0xff,{CONTIGUOUS}", "no access is 3 bytes wide; possible: 1, 2, 4, 8, 16"),
    (f"ld,four,0xff,{CONTIGUOUS}", "width 'four' is not an integer"),
    (f"ld,4,ff,{CONTIGUOUS}", "'ff' is not a mask; bit i stands for lane i"),
    (f"ld,4,0x1ffffffff,{CONTIGUOUS}", "mask 0x1ffffffff does not fit into 32 bits"),
    ("ld,4,0xff,0 4 8", "3 offsets, but a warp has 32"),
    (f"ld,4,0xff,{CONTIGUOUS} 128", "33 offsets, but a warp has 32"),
    (f"ld,4,0xff,{CONTIGUOUS.replace('8', 'x')}", "offsets are 32 integers"),
    (f"ld,4,0xff,{CONTIGUOUS.replace(' ', ',')}", "35 columns, but the first line names 4"),
    ("ld,4,0xff", "3 columns, but the first line names 4"),
    (f'ld,4,0xff,"{CONTIGUOUS}', "a quote is not closed on its line"),
    (f'ld,4,0xff,"{CONTIGUOUS}"x', "this is not CSV:"),
    (f"ld,8,0xff,{CONTIGUOUS}", "lane 1: address 4 is not aligned to 8 bytes"),
    (f"ld,4,0xff,-{CONTIGUOUS[2:].replace(' ', ' 4 ', 1)}", "lane 0: address -4 is negative"),
    (f"ld,4,0xff,{1 << 57} {CONTIGUOUS[2:]}", f"lane 0: address {1 << 57} is beyond any memory"),
    (f"ld,4,0xff,{1 << 70} {CONTIGUOUS[2:]}", "an offset is beyond any memory"),
    (f"atom,16,0xff,{CONTIGUOUS}", "9.0 has no atom of 16 bytes per lane"),
    ("\x1b[31m,4,0xff,0", "there is no op '\\x1b[31m'"),
]


@pytest.mark.parametrize(("line", "what"), BAD)
def test_a_bad_line_is_named_and_spoils_no_other(line, what, trace):
    good = {"wavefronts": 1, "conflicts": 0, "ideal": 1}
    said = trace(HEADER + ONE + line + "\n" + ONE, "--json")
    assert said.status == FINDINGS
    assert json.loads(said.out)["rows"] == [good, None, good]
    [message] = said.err.splitlines()
    assert message.startswith(f"a.csv:3: {what}")


def test_all_bad_lines_come_in_one_run_in_their_order(trace):
    said = trace(HEADER + ONE + "".join(line + "\n" for line, _ in BAD))
    assert said.status == FINDINGS
    numbers = [int(line.split(":")[1]) for line in said.err.splitlines()]
    assert numbers == list(range(3, 3 + len(BAD)))
    table = said.out.splitlines()
    assert len(table) == 1 + 1 + len(BAD) + 1
    assert table[2].split() == ["3", *"–––––"]
    assert table[-1].split() == ["sum", "1", "0", "1"]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "a.csv is empty"),
        (b"\r\n \n", "a.csv is empty"),
        (b"op,width\nld,4\n", "a.csv:1: no column mask, offsets"),
        (b"\nld,4,0xff,0 4\n", "a.csv:2: no column op, width, mask, offsets"),
        (b"op,op,width,mask,offsets\n", "a.csv:1: more than one column op"),
        (b'op,"width\n', "a.csv:1: a quote is not closed on its line"),
        (b"op,width,mask,offsets\nld,4,\xff,0\n", "a.csv:2: byte 0xff is not UTF-8"),
        (b"\xef\xbb\xbfop,width\n\n\xc3(", "a.csv:3: byte 0xc3 is not UTF-8"),
        ("op,width,mask,offsets\n".encode("utf-16"), "a.csv:1: byte 0xff is not UTF-8"),
    ],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_a_file_without_accesses(content, what, as_json, trace):
    said = trace(content, *as_json)
    assert (said.status, said.out) == (USAGE, "")
    first, todo = said.err.splitlines()
    assert first == f"quiz: {what}"
    assert "op,width,mask,offsets" in todo or "UTF-8" in todo


def test_a_file_that_is_not_there_and_a_folder(inside, tmp_path):
    assert inside("banks", "--trace", "none.csv").err.startswith(
        "quiz: there is no file none.csv\n"
    )
    said = inside("banks", "--trace", tmp_path)
    assert said.status == USAGE
    assert said.err.startswith(f"quiz: {tmp_path} is a folder\n")


def test_standard_input(quiz):
    done = quiz("banks", "--trace", "-", "--json", typed=HEADER + ONE)
    assert json.loads(done.stdout)["rows"] == [{"wavefronts": 1, "conflicts": 0, "ideal": 1}]
    done = quiz("banks", "--trace", "-", typed=HEADER + "x\n")
    assert (done.returncode, done.stderr[:5]) == (FINDINGS, "-:2: ")


@pytest.mark.long
def test_a_hundred_thousand_accesses_take_seconds(quiz, tmp_path):
    lines = RECORDED[0].read_text().splitlines(keepends=True)
    (tmp_path / "many.csv").write_text("".join([lines[0], *lines[1:] * 112]))
    done = subprocess.run(
        quiz.command("banks", "--trace", "many.csv", "--json"), cwd=tmp_path,
        env=quiz.environment(), capture_output=True, timeout=20, check=True,
    )  # fmt: skip
    found = json.loads(done.stdout)["rows"]
    assert [(row["wavefronts"], row["conflicts"]) for row in found] == read_expected(
        RECORDED[0]
    ) * 112


def test_the_default_element_is_a_float(inside):
    assert plain(inside, "lane")["width"] == ELEMENT_BYTES == 4


def test_an_expression_in_a_file_of_its_own(quiz, tmp_path: Path):
    (tmp_path / "index.py").write_text("def index(row, col):\n    return col ^ row\n")
    line = f'{" ".join(quiz.command("banks"))} "$(cat index.py)" --block 32x2 --json'
    done = subprocess.run(
        ["sh", "-c", line], cwd=tmp_path, env=quiz.environment(), capture_output=True, check=True
    )
    assert json.loads(done.stdout)["total"]["conflicts"] == 0


def test_why_names_the_source_of_the_rule(inside):
    said = inside("banks", "threadIdx.x * 2", "--why").out
    assert " ".join(said.split()).endswith(
        "measured for 9.0: the model matches every one of 2,484 warp instructions counted on one "
        "H200 with Nsight Compute 2025.3, all recorded with the source code"
    )
