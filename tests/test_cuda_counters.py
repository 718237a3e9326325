"""CUDA C++ under Nsight Compute, and the tool that records it, as far as it goes without a GPU.

`python -m bench.gpu.cuda count` launches the `.cu` files beside kernel questions and the kernels of
bench/gpu/cuda/exact.cu under `ncu`. Here a table like ncu's is made of the emulator's counts.
"""

from __future__ import annotations

import re
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from bench.gpu import record
from bench.gpu.cases import cases
from bench.gpu.cuda import __main__ as command
from bench.gpu.cuda import counters
from bench.gpu.cuda.exact import SOURCE, exact_cases
from bench.gpu.cuda.launches import (
    RIGHT,
    ExactLaunch,
    LaunchKey,
    QuestionLaunch,
    counted_launches,
    uses_library,
)
from bench.gpu.cuda.programs import programs
from bench.gpu.nsight import ProfilerFailed
from bench.gpu.questions import emulate
from grader.profiles import NCU_METRICS
from tests.grader.gpu.emulated_device import EmulatedDevice
from tests.tables import each

LAUNCHES = {launch.key: launch for launch in counted_launches()}
EXACT = {case.name: case for case in exact_cases()}
NUMBA = cases()
LEAST_EXACT = 100
ROOT = Path(__file__).parents[1]
RECORDED = counters.load()
REASONS = counters.load_reasons()


def find(file: str, shape: str = "", question: str = "") -> QuestionLaunch | ExactLaunch:
    """Return the launch of a question's file, or a case of exact.cu."""
    (found,) = (
        launch
        for key, launch in LAUNCHES.items()
        if key.file == file and question == key.question and shape in key.shape
    )
    return found


SAXPY = find("solution.cu", question="kernel-saxpy")
TILED = find("exact.cu", "transpose_tiled")
CHOSEN = (SAXPY, TILED, find("exact.cu", "shared_float4_stride_2"))
CELL = (TILED.key, "shared_load_wavefronts")


def table(changed: dict[tuple[LaunchKey, str], int] | None = None) -> str:
    """Return what `ncu` would say of some launches if it counted as the emulator does."""
    lines = ["# A GPU|NVRTC 13.0; ncu 1"]
    lines += [f"# {counters.launched_line(launch, RIGHT)}" for launch in CHOSEN]
    lines.append('"ID","Kernel Name","Metric Name","Metric Value"')
    for number, launch in enumerate(CHOSEN):
        for counter, count in counters.count(launch).items():
            value = (changed or {}).get((launch.key, counter), count)
            name = NCU_METRICS[counter][0]
            lines.append(f'"{number}","{launch.key.kernel}","{name}","{value:,}"')
    return "\n".join(lines)


def problems(cells, reasons=(), launches=CHOSEN):
    found = [text for one in launches for text in counters.problems(one, cells, reasons)]
    return [*found, *counters.problems_of_tables(launches, cells, reasons)]


def reason(counter: str, sass: str, shape: str = "", kind: str = "merged") -> counters.Reason:
    return counters.Reason("", SOURCE.name, "transpose_tiled", shape, counter, kind, sass)


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
def test_the_emulator_counts_what_the_gpu_counted(step):
    """Or there is a reason, and nothing else differs."""
    differing = {
        str(key): found
        for key, launch in [*LAUNCHES.items()][::step]
        if (found := list(counters.problems(launch, RECORDED, REASONS)))
    }
    assert differing == {}


def test_what_was_recorded_is_there_still():
    assert list(counters.problems_of_tables(counted_launches(), RECORDED, REASONS)) == []


def test_the_document_says_what_differs_and_why():
    document = (ROOT / "docs" / "measured.md").read_text("utf-8")
    rows = re.findall(r"^\| (\w+) \| (\d+) \| [^|]+ \|$", document, re.MULTILINE)
    found = counters.by_kind(RECORDED, REASONS)
    assert rows == [(kind, str(found[kind])) for kind in counters.KINDS]
    said, _, _ = counters.summary(RECORDED, REASONS).partition("; with a reason")
    assert f"`{said}`" in " ".join(document.split())
    assert f"The other {found.total()} differ for a reason" in document
    assert len(REWRITTEN) == 12
    assert "Twelve of these kernels" in document


def test_idle_warps_and_replays_add_and_merged_loads_take_away():
    """What a kind of reason can do to a count, whatever the kernel."""
    for cell in RECORDED:
        kind = next((one.kind for one in REASONS if one.covers(cell)), "")
        if kind == "predicated":
            assert cell.counter.endswith("_requests")
        if kind in ("predicated", "replayed", "unrolled"):
            assert cell.gpu > cell.emulator
        if kind in ("merged", "dropped") and cell.counter.endswith("_requests"):
            assert cell.gpu < cell.emulator


REMAINDER = """{{ int trips = end > {at} ? (end - {at} + {step} - 1) / {step} : 0;
    for (int rest = trips % 4; rest > 0; rest--) {once}
    int left = trips / 4 * 4;
    while (left > 12) {{ {sixteen} left -= 16; }}
    if (left > 4) {{ {eight} left -= 8; }}
    if (left > 0) {{ {four} }} }}"""


def unroll(body: str, at: str, step: int = 1) -> str:
    """Return a loop as NVRTC unrolls it: the remainder alone, then 16, 8 and 4 rounds at once."""
    once = f"{{ {body} {at} += {step}; }} "
    parts = {"sixteen": 16 * once, "eight": 8 * once, "four": 4 * once}
    return REMAINDER.format(at=at, step=step, once=once, **parts)


ROW = (
    "for (int i = starts[row]{}; i < starts[row + 1]; i{})\n        s += values[i] * x[columns[i]];"
)
PRODUCT = "s += values[i] * x[columns[i]];"
DOT = "for (int i = 0; i < T; i++)\n            sum += sa[ty][i] * {};"
REWRITTEN: dict[tuple[str, str], dict[str, str]] = {
    ("kernel-spmv-csr", "baseline.cu"): {
        ROW.format("", "++"):
            f"int i = starts[row], end = starts[row + 1]; {unroll(PRODUCT, 'i')}",
    },
    ("kernel-spmv-csr", "solution.cu"): {
        ROW.format(" + lane", " += 32"):
            f"int i = starts[row] + lane, end = starts[row + 1]; {unroll(PRODUCT, 'i', 32)}",
    },
    ("kernel-scan-double-buffered", "baseline.cu"): {
        "for (int j = first; j <= i; j++)\n            x += a[j];":
            f"int j = first, end = i + 1; {unroll('x += a[j];', 'j')}",
    },
    ("kernel-stencil-halo", "baseline.cu"): {
        "for (int j = max(i - 4, 0); j <= min(i + 4, n - 1); j++)\n        sum += a[j];":
            f"int j = max(i - 4, 0), end = min(i + 4, n - 1) + 1; {unroll('sum += a[j];', 'j')}",
    },
    ("kernel-gather-pages", "baseline.cu"): {
        "for (int d = lane * each;":
            "int page = table[seq * columns + position / 16];\nfor (int d = lane * each;",
        "{\n            int page = table[seq * columns + position / 16];": "{",
    },
    ("kernel-merge-path", "solution.cu"): {
        "so[k] = j >= n || (i < m && sa[i] <= sb[j]) ? sa[i++] : sb[j++];":
            "{ int from_a = j >= n || (i < m && sa[i] <= sb[j]);"
            " const int* from = from_a ? sa + i : sb + j;"
            " i += from_a; j += !from_a; so[k] = *from; }",
    },
    ("kernel-gemm-tiled", "solution.cu"): {
        DOT.format("sb[i][tx]"):
            "for (int i = 0; i < T; i += 4) { float4 u = *(const float4*)&sa[ty][i];"
            " sum += u.x * sb[i][tx] + u.y * sb[i + 1][tx] + u.z * sb[i + 2][tx]"
            " + u.w * sb[i + 3][tx]; }",
    },
    ("kernel-gemm-b-transposed", "baseline.cu"): {
        DOT.format("sb[tx][i]"):
            "for (int i = 0; i < T; i += 4) { float4 u = *(const float4*)&sa[ty][i];"
            " float4 v = *(const float4*)&sb[tx][i];"
            " sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w; }",
    },
    ("kernel-layer-norm", "solution.cu"): {
        "float sum = part[0] + part[1] + part[2] + part[3];":
            "float4 u = *(const float4*)part; float sum = u.x + u.y + u.z + u.w;",
    },
    ("kernel-attention-tile", "baseline.cu"): {
        "for (int d = 0; d < 32; d++)\n"
        "            score += __shfl_sync(all, mine, d) * __half2float(ks[lane][d]);":
            "for (int d = 0; d < 32; d += 4) { short4 u = *(const short4*)&ks[lane][d];"
            " score += u.x + u.w; }",
    },
    ("kernel-sort-bitonic", "solution.cu"): {
        "int x = s[i], y = s[i + d];":
            "int x, y; int2* pair = (int2*)&s[i];"
            " if (d == 1) { int2 both = *pair; x = both.x; y = both.y; }"
            " else { x = s[i]; y = s[i + d]; }",
        "s[i] = y;\n                s[i + d] = x;":
            "if (d == 1) *pair = make_int2(y, x); else { s[i] = y; s[i + d] = x; }",
    },
    ("kernel-histogram-private", "solution.cu"): {
        "if (counts[t] > 0)\n        atomicAdd(&bins[t], counts[t]);":
            "int own = counts[t]; if (own > 0) atomicAdd(&bins[t], own);",
    },
}  # fmt: skip
"""Texts that say what the machine code does; sums differ, which no count depends on."""


@pytest.mark.parametrize("name", REWRITTEN, ids=" ".join)
def test_a_text_that_says_what_the_machine_code_does_counts_as_the_gpu(name):
    """The reason is the whole difference: merged, dropped and unrolled accesses, not the model."""
    launch = find(name[1], question=name[0])
    assert isinstance(launch, QuestionLaunch)
    text = launch.program.source
    for before, after in REWRITTEN[name].items():
        assert text.count(before) == 1
        text = text.replace(before, after)
    totals = emulate(launch.problem, text)
    recorded = {cell.counter: cell.gpu for cell in RECORDED if cell.key == launch.key}
    idle = {
        counter
        for one in REASONS
        if one.kind == "predicated" and (one.question, one.file) == name
        for counter in one.counters.split()
    }
    assert {counter: totals.get(counter, 0) for counter in recorded if counter not in idle} == {
        counter: count for counter, count in recorded.items() if counter not in idle
    }


def test_every_file_beside_a_question_is_launched_and_every_case():
    counted = [one for one in programs() if not uses_library(one)]
    launched = {(key.question, key.file) for key in LAUNCHES if key.question}
    files = {(one.question.id, one.path.name) for one in counted}
    assert launched == files
    assert {key.shape for key in LAUNCHES if not key.question} == set(EXACT)
    assert len(EXACT) >= LEAST_EXACT
    keys = {launch.key for launch in counted_launches()}
    assert len(keys) == len(counted_launches()) == len(files) + len(EXACT)


def test_every_kernel_of_the_file_is_launched():
    text = SOURCE.read_text("utf-8")
    kernels = {case.kernel for case in EXACT.values()}
    assert len(kernels) == text.count("__global__")
    assert all(f"void {kernel}(" in text for kernel in kernels)


@each("case", EXACT.values(), ids=lambda case: case.name)
def test_a_case_is_right_and_nothing_is_found(case):
    done, result = case.emulated()
    assert case.wrong(result) == ""
    assert done.findings == ()


@each("case", NUMBA, ids=lambda case: case.name)
def test_a_kernel_counts_the_same_in_numba_and_in_cuda(case):
    totals = EXACT[case.name].emulated()[0].totals
    assert {name: totals.get(name, 0) for name in NCU_METRICS} == record.count(case)


@pytest.mark.parametrize("launch", CHOSEN, ids=lambda launch: launch.key.kernel)
def test_a_launch_on_a_device_is_checked(launch):
    assert launch.run(EmulatedDevice()) == RIGHT


def test_a_wrong_result_is_told():
    case = EXACT["copy"]
    wrong = case.right.copy()
    wrong[7] += 1
    launch = ExactLaunch(replace(case, right=wrong), TILED.key, "0")
    assert launch.run(EmulatedDevice()).startswith(f"1 of {wrong.size} wrong, first (7,): ")
    program = replace(SAXPY.program, path=SAXPY.program.path.with_name("baseline.cu"))
    other = replace(SAXPY.problem, reference="def reference(a, x, y):\n    return x\n")
    said = QuestionLaunch(program, other, SAXPY.key, "0").run(EmulatedDevice())
    assert "gpu.wrong-values" in said


def test_cells_with_a_reason_are_counted_by_its_kind():
    cells = counters.read_cells(table({CELL: 7}))
    given = [reason(CELL[1], "LDS.128"), reason(CELL[1], "LDS", kind="dropped")]
    assert counters.by_kind(cells, given) == {"merged": 1}
    assert counters.summary(cells, given).endswith("; with a reason: 1 merged")
    assert counters.summary(cells, []).endswith("; with a reason: none")


def test_the_launches_print_what_is_read_back(monkeypatch, capsys):
    monkeypatch.setattr(command, "counted_launches", lambda: CHOSEN)
    monkeypatch.setattr("grader.gpu.devices.numba_device.open_device", EmulatedDevice)
    assert command._launch(Namespace(missing=False))
    printed = capsys.readouterr().out.splitlines()
    assert [f"# {line}" for line in printed] == table().splitlines()[1 : 1 + len(CHOSEN)]


def test_a_launch_that_fails_is_told_and_is_none(monkeypatch, capsys):
    class Broken(EmulatedDevice):
        def compile_cuda(self, source, entry):
            return (
                super().compile_cuda("", entry)
                if "saxpy" in entry
                else super().compile_cuda(source, entry)
            )

    monkeypatch.setattr(command, "counted_launches", lambda: CHOSEN[:2])
    monkeypatch.setattr("grader.gpu.devices.numba_device.open_device", Broken)
    assert not command._launch(Namespace(missing=False))
    failed, launched = capsys.readouterr().out.splitlines()
    assert failed.startswith(f"failed {SAXPY.key}: compile: ")
    assert launched.endswith("|right")


def test_a_recording_holds_the_counters_of_each_kind_of_access():
    cells = counters.read_cells(table())
    assert problems(cells) == []
    assert {cell.counter for cell in cells if cell.key == SAXPY.key} == {
        f"global_{kind}_{what}" for kind in ("load", "store") for what in ("requests", "sectors")
    }
    tiled = {cell.counter: cell.gpu for cell in cells if cell.key == TILED.key}
    assert tiled["shared_load_wavefronts"] == 32 * tiled["shared_load_requests"] == 32 * 64 * 32
    assert {(cell.device, cell.versions) for cell in cells} == {("A GPU", "NVRTC 13.0; ncu 1")}


def test_a_recording_is_saved_as_it_is(tmp_path):
    cells = counters.read_cells(table())
    counters.save(tmp_path / "counts.csv", cells)
    assert counters.load(tmp_path / "counts.csv") == cells


def test_a_cell_differs_only_for_a_reason_that_cites_the_instruction():
    cells = counters.read_cells(table({CELL: 7}))
    where = f"{TILED.key}, {CELL[1]}: 7 on the GPU, 65536 in the emulator"
    assert problems(cells) == [where]
    assert problems(cells, [reason(CELL[1], "one LDS.128")]) == []
    assert problems(cells, [reason(CELL[1], "merged")]) == [
        f"exact.cu transpose_tiled, {CELL[1]}: the reason cites no instruction"
    ]
    assert problems(cells, [reason(CELL[1], "LDS", kind="other")])[0].endswith(
        "other is none of merged, predicated, dropped, unrolled, retried, replayed, arrival, matrix"
    )
    (said,) = problems(cells, [reason(f"{CELL[1]} shared_load_conflicts", "LDS")])
    assert said.endswith(": a reason for shared_load_conflicts, which does not differ")


def test_a_reason_for_equal_counts_is_told():
    cells = counters.read_cells(table())
    first, second = problems(cells, [reason(CELL[1], "LDS", "transpose_tiled")])
    assert first == f"{TILED.key}, {CELL[1]}: the counts are equal and need no reason"
    assert second.endswith(f": a reason for {CELL[1]}, which does not differ")


def test_a_text_that_has_changed_must_be_counted_again():
    cells = counters.read_cells(table())
    old = [replace(cell, sha256="0") if cell.key == SAXPY.key else cell for cell in cells]
    (said,) = problems(old)
    assert said.startswith(f"{SAXPY.key}: the text has changed since it was counted; run `python")
    assert "bench.gpu.cuda count RAW" in said
    (said,) = problems([cell for cell in cells if cell.key != SAXPY.key])
    assert said.startswith(f"{SAXPY.key}: not recorded; run `python -m bench.gpu.cuda count RAW`")
    gone = [*cells, replace(cells[0], file="gone.cu")]
    (said,) = problems(gone)
    assert said.endswith("recorded, but there is no such launch")


def test_an_emulator_that_counts_something_else_is_told():
    """Also where the counts differ for a reason: an error of the emulator would hide there."""
    cells = counters.read_cells(table({CELL: 7}))
    spoilt = [
        replace(cell, emulator=5) if (cell.key, cell.counter) == CELL else cell for cell in cells
    ]
    (said,) = problems(spoilt, [reason(CELL[1], "LDS")])
    assert "the emulator counts 65536, and counted 5 when this was recorded" in said
    assert counters.counted_again(spoilt) == cells


def test_what_was_counted_of_another_text_or_was_wrong_is_left_out():
    old = table().replace(SAXPY.sha256, "0")
    assert SAXPY.key not in {cell.key for cell in counters.read_cells(old)}
    wrong = table().replace("|right", "|3 of 4 wrong", 1)
    assert SAXPY.key not in {cell.key for cell in counters.read_cells(wrong)}


def test_other_launches_than_those_that_were_made_are_told():
    lines = table().splitlines()
    with pytest.raises(ProfilerFailed, match="2 launches were counted, 3 were made"):
        counters.read_cells("\n".join(line for line in lines if not line.startswith('"0"')))
    with pytest.raises(ProfilerFailed, match="copy instead of kernel-saxpy"):
        counters.read_cells(table().replace('"saxpy"', '"copy"'))


def test_the_command_records_and_compares(tmp_path, monkeypatch, capsys):
    raw, recorded = tmp_path / "raw.txt", tmp_path / "counts.csv"
    raw.write_text(table({CELL: 7}), encoding="utf-8")
    monkeypatch.setattr(command, "counted_launches", lambda: CHOSEN)
    monkeypatch.setattr(counters, "RECORDED", recorded)
    monkeypatch.setattr(counters, "load_reasons", list)
    monkeypatch.setattr(counters, "load", lambda: LOAD(recorded))
    assert not command._counted(Namespace(raw=raw, missing=False))
    assert capsys.readouterr().out.splitlines()[0].endswith("7 on the GPU, 65536 in the emulator")
    raw.write_text(table(), encoding="utf-8")
    assert command._counted(Namespace(raw=raw, missing=False))
    said = capsys.readouterr().out
    assert command._counted(Namespace(raw=None, missing=False))
    assert capsys.readouterr().out == said == f"{counters.summary(LOAD(recorded), [])}\n"
    assert said.startswith("questions: 1 launches, 4 of 4 counts are equal; exact.cu: 2 launches,")


LOAD = counters.load
