"""`python -m bench.gpu.foreign`: what a GPU is asked about others' kernels, and the judgment."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench import public_solves
from bench.gpu.foreign import emulating, jobs
from bench.gpu.foreign.compiling import text_of
from bench.gpu.foreign.emulated import cut, read, run
from bench.gpu.foreign.jobs import Buffer, Field, Job, Launch
from bench.public_programs import KINDS, make_table, read_rows

PROGRAM = """
#include <iostream>
#include <vector>
#include "scale.cuh"
#define N 64
using namespace std;
const int unused = 3;
static vector<int> kept_on_the_host(4);
struct Pair { float first; int second; };
enum Mode { add_one = 1, add_two };
__constant__ float factor[2];
__device__ int calls;
template <typename T = int> void host(T *a) { cout << N; }
namespace own {
template <typename T, int M>
__global__ void k(const T *a, Pair pair, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll
    for (int j = 0; j < M; ++j)
        if (i < n) out[i] = scale(a[i], factor[1]) + pair.second + add_two;
    if (i == 0) atomicAdd(&calls, 1);
}
}
__global__ void ordered(/* not yet */);
__device__ int next(int *count) { return atomicAdd(count, 1); }
__global__ void ordered(int *count, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && count[1] >= 0) out[next(count) % 4096] = i;
}
__global__ void chaotic(const float *a, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int j = 0; j < 99; ++j) x = tanf(x) + sinf(x);
    if (i < n) out[i] = x;
}
__global__ void smooth(const float *a, float *out) { out[threadIdx.x] = expf(a[threadIdx.x]); }
__global__ void faulty(float *out) { out[threadIdx.x + (1 << 20)] = 1; }
__global__ void rejected(const float *out) { out[0] = 1; }
__global__ void idle(float *out, int n) { if (n < 0) out[0] = 1; }
__global__ void refused(float *out) { out[0] = clock(); }
int main() { constexpr int COUNT = 3; own::k<float, COUNT><<<1, 32>>>(0, {}, 0, 4); }
"""
RUNNING = ("own::k<float, 3>", "ordered", "chaotic", "smooth")
HEADER = "#pragma once\n__device__ float scale(float x, float by) { return x * by; }\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root" / "theirs" / "day1"
    folder.mkdir(parents=True)
    (folder / "program.cu").write_text(PROGRAM, "utf-8")
    (folder / "scale.cuh").write_text(HEADER, "utf-8")
    return tmp_path / "root"


def test_nvrtc_gets_what_a_kernel_needs_and_no_host_code(root):
    found = read(root / "theirs/day1/program.cu", root, [])
    source = " ".join(cut(found.parts, "k").split())
    for name in ("scale", "factor", "calls", "Pair", "Mode", "#pragma unroll", "namespace own {"):
        assert name in source
    assert not re.search("host|vector|cout|unused|main|faulty|std", source)


def test_each_kernel_is_run_and_those_without_a_fault_become_jobs(root, tmp_path):
    rows = {row.kernel: row for row in emulating.run_all(root, tmp_path)}
    assert {name: row.outcome for name, row in rows.items()} == {
        **dict.fromkeys(RUNNING, "runs"), "faulty": "faults", "rejected": "not C++",
        "idle": "idle", "refused": "refused",
    }  # fmt: skip
    assert rows["faulty"].why == "out-of-bounds"
    assert rows["refused"].why == "cpp.no-clock"
    names = {jobs.name_of(rows[name]) for name in (*RUNNING, "rejected")}
    assert {path.stem for path in tmp_path.glob("*.npz")} == names
    job = jobs.load(tmp_path / f"{jobs.name_of(rows['own::k<float, 3>'])}.npz")
    assert "uint" not in text_of(job)
    for launch in job.launches:
        _check_outputs(launch)


def _check_outputs(launch: Launch) -> None:
    """Hold what a job of `k` has against NumPy."""
    assert [buffer.symbol for buffer in launch.buffers] == ["", "", "factor", "calls"]
    a, out, factor, _ = (buffer.fill() for buffer in launch.buffers)
    given = a.view(np.float32), out.view(np.float32), factor.view(np.float32)
    second = int.from_bytes(bytes.fromhex(launch.parameters[1])[4:], "little")
    n = int.from_bytes(bytes.fromhex(launch.parameters[3]), "little")
    n = min(n, int(np.prod(launch.grid) * np.prod(launch.block)))
    wanted = given[1].copy()
    wanted[:n] = (given[0][:n] * given[2][1] + np.float32(second)) + np.float32(2)
    assert launch.outputs[1].view(np.float32).tolist() == wanted.tolist()
    assert launch.outputs[3].view(np.int32).tolist() == [1]


@pytest.mark.parametrize(
    ("name", "picks", "unstable"),
    [
        ("k", False, False),
        ("ordered", True, False),
        ("chaotic", False, True),
        ("smooth",) + (False,) * 2,
    ],
)
def test_a_launch_says_what_may_decide_its_numbers(root, name, picks, unstable):
    found = read(root / "theirs/day1/program.cu", root, [])
    assert found.source is not None
    (kernel,) = (each for each in found.source.tree.kernels if each.name == name and each.body)
    job = run(found, kernel)[1]
    assert job is not None
    assert {(each.picks, each.unstable) for each in job.launches} == {(picks, unstable)}
    assert "not yet" not in job.source
    assert job.source.count(f" {name} (") == 1


def test_another_order_is_right_where_an_atomic_decides_and_nowhere_else():
    buffer = Buffer(8, 4, (Field("<i4", 0),), seed=1)
    wanted = np.arange(8, dtype=np.int32)
    launch = Launch((1,), (8,), 0, (), (), (buffer,), outputs={0: wanted.view(np.uint8)})
    turned, other = wanted[::-1].copy(), wanted // 2
    picking = replace(launch, picks=True)
    assert jobs.compare(launch, [turned.view(np.uint8)])[0] == "wrong"
    assert jobs.compare(picking, [turned.view(np.uint8)])[0] == "order"
    assert jobs.compare(picking, [other.view(np.uint8)])[0] == "wrong"
    assert jobs.compare(replace(launch, unstable=True), [other.view(np.uint8)])[0] == "rounding"


def test_a_job_is_read_as_it_was_written(tmp_path):
    buffers = (Buffer(8, 8, (Field("<f4", 0), Field("<i4", 4)), seed=5), Buffer(1, 4, (), "s"))
    before = [each.fill() for each in buffers]
    outputs = {0: before[0] + np.uint8(1), 1: np.arange(4, dtype=np.uint8)}
    launch = Launch(
        (2, 2), (8,), 64, ("00" * 8,), ((0, 0, 0),), buffers, "d", picks=True, outputs=outputs
    )
    job = Job("theirs", "a.cu", 3, "k", "source", (launch,))
    jobs.save(job, tmp_path / "a.npz")
    again = jobs.load(tmp_path / "a.npz")
    assert again == job
    assert {at: data.tolist() for at, data in again.launches[0].outputs.items()} == {
        at: data.tolist() for at, data in outputs.items()
    }


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda values: values, "same"),
        (lambda values: np.where(np.isnan(values), -values, values), "same"),
        (lambda values: values * np.float32(1 + 1e-6), "close"),
        (lambda values: values * np.float32(1.01), "wrong"),
        (lambda values: np.where(np.arange(8) == 2, 0, values), "wrong"),
        (lambda values: np.where(np.arange(8) == 2, np.nan, values), "wrong"),
    ],
)
def test_floats_are_close_and_all_else_is_the_same_or_wrong(change, kind):
    buffer = Buffer(8, 4, (Field("<f4", 0),), seed=1)
    wanted = np.linspace(-1, 50, 8).astype(np.float32)
    wanted[5] = np.nan
    launch = Launch((1,), (8,), 0, (), (), (buffer,), outputs={0: wanted.view(np.uint8)})
    left = change(wanted).astype(np.float32).view(np.uint8)
    assert jobs.compare(launch, [left])[0] == kind
    whole = replace(buffer, fields=(Field("<i4", 0),))
    as_integers = replace(launch, buffers=(whole,))
    same = np.array_equal(left, wanted.view(np.uint8))
    assert jobs.compare(as_integers, [left])[0] == ("same" if same else "wrong")


def test_a_buffer_that_the_emulator_left_alone_must_be_left_alone():
    buffer = Buffer(8, 4, (Field("<i4", 0),), seed=1)
    launch = Launch((1,), (8,), 0, (), (), (buffer,))
    assert jobs.compare(launch, [buffer.fill()])[0] == "same"
    assert jobs.compare(launch, [buffer.fill() + np.uint8(1)])[0] == "wrong"


def test_the_same_arguments_are_drawn_each_time(root):
    found = read(root / "theirs/day1/program.cu", root, [])
    assert found.source is not None
    (kernel,) = (each for each in found.source.tree.kernels if each.name == "k")
    first, second = run(found, kernel)[1], run(found, kernel)[1]
    assert first == second
    assert first is not None
    assert len({launch.digest for launch in first.launches}) == len(first.launches) == 2


DATA = Path(__file__).parent / "data"
OUTCOMES = ("runs", "faults", "idle", "budget", "arguments", "refused", "not C++")
COMPARED = ("gpu same", "gpu close", "gpu order", "gpu rounding", "gpu wrong")


def _rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_emulator_page_has_the_sums_of_the_recorded_table():
    total: Counter[str] = Counter()
    for row in _rows("foreign_kernels.csv"):
        counts = {name: int(value) for name, value in row.items() if name != "repository"}
        assert counts["kernels"] == sum(counts[name] for name in OUTCOMES)
        total.update(counts)
    numbers = [total["kernels"], *(total[name] for name in OUTCOMES)]
    numbers += [sum(total[name] for name in COMPARED), *(total[name] for name in COMPARED)]
    page = (DATA.parent.parent / "docs" / "emulator.md").read_text("utf-8")
    assert f"| {' | '.join(f'{number:,}' for number in numbers)} |" in page


def test_the_emulator_page_has_the_sums_of_the_judgments():
    verdicts = Counter(row["verdict"] for row in _rows("foreign_findings.csv"))
    assert set(verdicts) == {"true", "argument", "false"}
    page = (DATA.parent.parent / "docs" / "emulator.md").read_text("utf-8")
    text = " ".join(page.split())
    said = f"{verdicts['true']} are true of the code, {verdicts['argument']} of the generated"
    assert said in text
    assert f"{verdicts.total()} of the faults were judged" in text


def test_the_emulator_page_has_the_table_of_public_programs():
    page = (DATA.parent.parent / "docs" / "emulator.md").read_text("utf-8")
    table = make_table()
    assert len(table) == 4
    assert [row for row in table if row not in page] == []
    rows = read_rows()
    assert {row[column] for row in rows for column in ("before", "after")} <= {*KINDS}
    assert all(row["why"] or row["after"] == "run" for row in rows)


def test_the_command_page_has_the_table_of_public_functions():
    page = (DATA.parent.parent / "docs" / "cli.md").read_text("utf-8")
    assert [row for row in public_solves.make_table() if row not in page] == []
    rows = public_solves.read_rows()
    assert {row["judged"] for row in rows} <= {*public_solves.JUDGED}
    assert [row["file"] for row in rows if row["judged"] == "wrong" and not row["known"]] == []
