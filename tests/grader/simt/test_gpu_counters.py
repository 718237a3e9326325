"""What the emulator counts, against what Nsight Compute counted on a GPU: `bench/gpu`.

And that tool itself, as far as it goes without a GPU: a stand-in for `ncu`'s table is written from
the emulator's counts.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from bench.gpu import nsight, record
from bench.gpu.cases import Case, cases, functions
from grader.profiles import NCU_METRICS
from grader.scripts import command

ROOT = Path(__file__).parents[3]
CASES = cases()
LEAST_KERNELS = 24

SAMPLE = """\
# NVIDIA H200|CUDA 13.0; ncu 2025.3.1.0
==PROF== Connected to process 4242 (/usr/bin/python3.12)
==PROF== Profiling "copy": 0%....50%....100% - 4 passes
==PROF== Disconnected from process 4242
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size",\
"Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","4242","python3.12","127.0.0.1","bench::gpu::kernels::copy[abi:v1][abi:cw51cXTLSUwv1](Array<\
float, (int)1, C, mutable, aligned>, Array<float, (int)1, C, mutable, aligned>)","1","7",\
"(256, 1, 1)","(64, 1, 1)","0","9.0","Command line profiler metrics",\
"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","sector","65,536"
"0","4242","python3.12","127.0.0.1","bench::gpu::kernels::copy[abi:v1][abi:cw51cXTLSUwv1](Array<\
float, (int)1, C, mutable, aligned>, Array<float, (int)1, C, mutable, aligned>)","1","7",\
"(256, 1, 1)","(64, 1, 1)","0","9.0","Command line profiler metrics",\
"smsp__inst_executed_op_shared_ld.sum","inst","0"
"1","4242","python3.12","127.0.0.1","_ZN5bench3gpu7kernels12copy_stridedB2v1B92cw51cEx","1","7",\
"(256, 1, 1)","(16, 1, 1)","0","9.0","Command line profiler metrics",\
"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","sector","1,024"
"""


def case(name: str) -> Case:
    return next(one for one in CASES if one.name == name)


def table(changed: dict[tuple[str, str], int] | None = None) -> str:
    """What `ncu` would say if it counted as the emulator does, but for some cells."""
    lines = ["# A GPU|ncu 1", '"ID","Kernel Name","Metric Name","Metric Value"']
    for number, one in enumerate(CASES):
        name = f"bench::gpu::kernels::{one.kernel}[abi:v1](…)"
        for counter, count in record.count(one).items():
            value = (changed or {}).get((one.name, counter), count)
            lines.append(f'"{number}","{name}","{NCU_METRICS[counter][0]}","{value:,}"')
    return "\n".join(lines)


def test_the_emulator_counts_what_the_gpu_counted():
    cells = record.load(record.RECORDED)
    assert record.problems(cells) == []


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_a_case_is_right_and_nothing_is_found(one):
    done, result = one.emulated()
    assert one.wrong(result) == ""
    assert done.findings == ()


def test_all_kernels_are_launched_and_there_are_enough():
    assert {one.kernel for one in CASES} == set(functions())
    assert len(functions()) >= LEAST_KERNELS
    assert len({one.name for one in CASES}) == len(CASES)


def test_a_wrong_result_is_told():
    one = case("copy")
    spoilt = one.right.copy()
    spoilt[7] += 1
    assert one.wrong(spoilt).startswith(f"1 of {spoilt.size} wrong, first (7,): ")


@pytest.mark.long
def test_all_are_launched_through_numba_s_interface(tmp_path):
    script = ROOT / "bench" / "gpu" / "__main__.py"
    run = command(script, ["run"], tmp_path / "report", None)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(run, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in done.stdout.splitlines()] == [
        [one.name, "right"] for one in CASES
    ]


def test_the_table_of_ncu_is_read():
    device, versions, launches = nsight.read(SAMPLE)
    assert (device, versions) == ("NVIDIA H200", "CUDA 13.0; ncu 2025.3.1.0")
    assert [one.counts() for one in launches] == [
        {"shared_load_requests": 0, "global_load_sectors": 65_536},
        {"global_load_sectors": 1024},
    ]


@pytest.mark.parametrize(("number", "name"), [(0, "copy"), (1, "copy_stride_2")])
def test_a_launch_is_known_by_its_kernel(number, name):
    launch = nsight.read(SAMPLE)[2][number]
    assert {one.kernel for one in CASES if launch.is_of(one.kernel)} == {case(name).kernel}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# A GPU|\n==ERROR== ERR_NVGPUCTRPERM", "ERR_NVGPUCTRPERM"),
        (SAMPLE.replace("65,536", "n/a"), "is 'n/a', no whole number"),
    ],
)
def test_what_ncu_did_not_count_is_told(text, said):
    with pytest.raises(nsight.ProfilerFailed, match=said):
        nsight.read(text)


def test_the_first_metric_that_the_device_has_is_asked_for(capsys):
    listed = [name.removesuffix(".sum") for names in NCU_METRICS.values() for name in names]
    listed.remove("smsp__inst_executed_op_shared_ld")
    listed.remove("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st")
    text = "\n".join(f"{name}   Counter   inst   # of …" for name in listed)
    asked = nsight.available(text)
    assert "smsp__sass_inst_executed_op_shared_ld.sum" in asked
    assert len(asked) == len(NCU_METRICS) - 1
    assert capsys.readouterr().err.startswith("no shared_store_wavefronts: the device has no ")


def test_without_a_list_all_are_asked_for():
    assert nsight.available("") == [names[0] for names in NCU_METRICS.values()]


PROFILER = """\
#!/bin/sh
echo "$@" >> {folder}/asked
for one in "$@"; do
    case $one in
    --query-metrics) echo 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld  Counter' ;;
    --version) echo 'Version 2025.3.1.0 (build 1)' ;;
    --log-file=*) echo '"ID","Kernel Name"' > "${{one#*=}}"; echo 'copy  right'; exit {status} ;;
    esac
done
"""


@pytest.mark.parametrize("status", [0, 1])
def test_what_the_profiler_counted_is_kept(status, tmp_path, monkeypatch, capsys):
    program, raw = tmp_path / "ncu", tmp_path / "raw.txt"
    program.write_text(PROFILER.format(folder=tmp_path, status=status), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(nsight.ProfilerFailed, match="status 1") if status else nullcontext():
        nsight.profile(raw, ("NVIDIA H200", "CUDA 13.0"))
    assert raw.read_text("utf-8") == (
        '# NVIDIA H200|CUDA 13.0; ncu 2025.3.1.0\n# copy  right\n"ID","Kernel Name"\n'
    )
    assert capsys.readouterr().out == "copy  right\n"
    asked = (tmp_path / "asked").read_text("utf-8").splitlines()[1].split()
    assert asked[0] == "--metrics=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
    assert asked[-3:] == ["-m", "bench.gpu", "run"]


def test_a_profiler_that_is_missing_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(nsight.ProfilerFailed, match="Nsight Compute"):
        nsight.profile(tmp_path / "raw.txt", ("", ""))


def test_a_recording_holds_the_counters_of_each_kind_of_access():
    cells = record.read_cells(table())
    assert record.problems(cells) == []
    copied = {cell.counter: cell.gpu for cell in cells if cell.kernel == "copy"}
    assert copied == {
        f"global_{kind}_{what}": count
        for kind in ("load", "store")
        for what, count in (("requests", 512), ("sectors", 2048))
    }
    assert sum(cell.kernel == "transpose_padded" for cell in cells) == 10


def test_a_recording_is_saved_as_it_is(tmp_path):
    cells = record.read_cells(table())
    record.save(tmp_path / "counts.csv", cells)
    assert record.load(tmp_path / "counts.csv") == cells


MERGED = ("gemm", "shared_load_requests")


def test_a_cell_differs_only_for_a_reason_that_cites_the_instruction():
    cells = record.read_cells(table({MERGED: 10_240}))
    differs = "gemm, shared_load_requests: 10240 on the GPU, 16384 in the emulator"
    assert record.problems(cells) == [differs]
    merged = next(cell for cell in cells if cell.gpu != cell.emulator)
    at = cells.index(merged)
    cells[at] = replace(merged, sass="merged")
    assert record.problems(cells) == [f"{differs}; the reason cites no instruction"]
    cells[at] = replace(merged, sass="left[ty, k … k + 3] is one LDS.128")
    assert record.problems(cells) == []
    assert record.read_cells(table({MERGED: 10_240}), cells) == cells
    assert record.read_cells(table(), cells) == record.read_cells(table())


def test_a_reason_that_is_none_any_more_is_told():
    cells = record.read_cells(table())
    cells[0] = replace(cells[0], sass="LDG.64")
    assert record.problems(cells)[0].endswith("it needs no reason")


def test_a_quarter_of_the_cells_may_differ_and_no_more():
    cells = record.read_cells(table())
    most = len(cells) // 4
    spoilt = [replace(cell, gpu=cell.gpu + 1, sass="LDS") for cell in cells[: most + 1]]
    assert record.problems(spoilt[:most] + cells[most:]) == []
    expected = f"{most + 1} of {len(cells)} cells are excepted: more than 25%"
    assert record.problems(spoilt + cells[most + 1 :]) == [expected]


def test_a_recording_of_other_kernels_is_told():
    cells = record.read_cells(table())
    rest = [cell for cell in cells if cell.kernel != "copy"]
    assert record.problems(rest) == ["copy: not recorded"]
    strange = [*cells, replace(cells[0], kernel="gone")]
    assert record.problems(strange) == ["gone: recorded, but there is no such case"]
    lines = table().splitlines()
    with pytest.raises(nsight.ProfilerFailed, match="launches instead of"):
        record.read_cells("\n".join(line for line in lines if not line.startswith('"0"')))
    with pytest.raises(nsight.ProfilerFailed, match=r"gather.* instead of copy"):
        record.read_cells(table().replace("::copy[", "::gather["))


@pytest.mark.long
def test_the_command_line_records_and_compares(tmp_path):
    raw, counts = tmp_path / "ncu.txt", tmp_path / "counts.csv"
    raw.write_text(table({MERGED: 1}), encoding="utf-8")

    def call(*arguments: object) -> subprocess.CompletedProcess[str]:
        asked = [sys.executable, "-m", "bench.gpu", *map(str, arguments)]
        return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)

    first = call("record", raw, counts)
    assert first.returncode == 1
    assert first.stdout.startswith("gemm, shared_load_requests: 1 on the GPU, 16384 in")
    raw.write_text(table(), encoding="utf-8")
    assert call("record", raw, counts).returncode == 0
    done = call("compare", counts)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{record.summary(record.load(counts))}\n"
    raw.write_text("# A GPU|\n==ERROR==", encoding="utf-8")
    failed = call("record", raw, counts)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "no table of ncu's" in failed.stderr
