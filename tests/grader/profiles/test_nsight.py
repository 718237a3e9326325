"""What Nsight Compute measured on an H200 (tests/data/ncu) beside what the emulator counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.profiles import LaunchRecord, NotNsight, pair_kernels, read_nsight
from grader.profiles.nsight import base_name

FOLDER = Path(__file__).parents[2] / "data" / "ncu"
HEAD = '"ID","Kernel Name","Block Size","Grid Size","CC"'
PLACE = '"void n::k<int>(int *)","(32, 1, 1)","(2, 1, 1)","9.0"'
REQUESTS = "smsp__inst_executed_op_shared_ld.sum"
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"


def wide(**metrics: object):
    """A report of one kernel, a row for it."""
    names, values = (",".join(f'"{each}"' for each in part) for part in (metrics, metrics.values()))
    units = '"","","","",""' + "," * len(metrics)
    return read_nsight(f'{HEAD},{names}\n{units}\n"0",{PLACE},{values}\n'.encode())


def test_both_forms_of_a_recorded_report_say_the_same():
    raw, long = (read_nsight((FOLDER / f"{name}.csv").read_bytes()) for name in ("raw", "metrics"))
    assert [kernel.name for kernel in raw] == ["transpose", "scale", "columns"]
    for one, other in zip(raw, long, strict=True):
        assert (one.name, one.grid, one.block) == (other.name, other.grid, other.block)
        for name in (WAVEFRONTS, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"):
            assert one.metrics[name] == other.metrics[name]
    assert raw[0].seconds == pytest.approx(9.184e-6)
    assert long[0].seconds == pytest.approx(9.216e-6)


@pytest.mark.parametrize(
    ("data", "code", "hint"),
    [
        (b"NVR\0\1\2", "nsight.binary", "nsight.export"),
        (b"", "nsight.no-header", "nsight.record"),
        (b"\xff\xfe\x00", "nsight.no-header", "nsight.record"),
        (b"a,b\n1,2\n", "nsight.no-header", "nsight.record"),
        (b'"ID","Name"\n"0","k"\n', "nsight.no-header", "nsight.record"),
        (f"{HEAD}\n".encode(), "nsight.no-kernels", "nsight.record"),
        (f'{HEAD},"Duration"\n"0",{PLACE},3\n'.encode(), "nsight.no-metrics", "nsight.raw-page"),
        (f'{HEAD},"a__b"\n"0",{PLACE}\n'.encode(), "nsight.cut", "nsight.record"),
        (
            f'{HEAD},"Metric Name","Metric Unit","Metric Value"\n"0",{PLACE},"a__b"\n'.encode(),
            "nsight.cut",
            "nsight.record",
        ),
        (b'"ID","Kernel Name","Grid Size"\n', "nsight.no-column", "nsight.record"),
        (b"==ERROR== ERR_NVGPUCTRPERM\n", "nsight.error", "nsight.record"),
    ],
)
def test_what_is_no_report_says_what_to_do(data, code, hint):
    with pytest.raises(NotNsight) as caught:
        read_nsight(data)
    assert (caught.value.what.code, caught.value.hint.code) == (code, hint)


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("transpose(const float *, float *)", "transpose"),
        ("void a::b::reduce<(int)3, float>(T2 *)", "reduce"),
        ("cudapy::__main__::add[abi:v1,cw51](Array<float, 1>)", "add"),
        ("_Z3addPf", "add"),
        ("_ZN8__main__5scaleB2v1B40cE5ArrayIfLi1E", "scale"),
        ("cudapy::__main__::scale$241(Array<float, 1>)", "scale"),
    ],
)
def test_the_name_of_a_kernel_is_that_of_its_source(name, base):
    assert base_name(name) == base


def one_pair(computed: dict[str, int], **metrics: object):
    own = LaunchRecord(
        "k", "k", "k.cu", 1, (2, 1, 1), (32, 1, 1), 0.0, finished=True, totals=computed
    )
    (pair,) = pair_kernels(wide(**metrics), (own,))
    return pair


@pytest.mark.parametrize(
    ("requests", "wavefronts", "page", "causes"),
    [
        (8, 64, 64, ["same", "same"]),
        (2, 16, 16, ["merged", "merged"]),
        (9, 65, 64, ["predicated", "predicated"]),
        (8, 70, 64, ["same", "replayed"]),
        (8, 70, 70, ["same", "other"]),
        (8, 60, 60, ["same", "other"]),
    ],
)
def test_the_direction_of_a_difference_tells_its_cause(requests, wavefronts, page, causes):
    computed = {"shared_load_requests": 8, "shared_load_wavefronts": 64}
    measured = {REQUESTS: requests, WAVEFRONTS: wavefronts, "memory_l1_wavefronts_shared": page}
    pair = one_pair(computed, **measured)
    assert [each.cause for each in pair.counters] == causes


PEAK = ".avg.pct_of_peak_sustained_elapsed"
SMS = "device__attribute_multiprocessor_count"
ACTIVE = "sm__warps_active.avg.pct_of_peak_sustained_active"


@pytest.mark.parametrize(
    ("ideal", "busy", "limit", "step"),
    [
        (4, (20, 80, 50), "l1", "conflicts"),
        (64, (20, 80, 50), "l1", "bytes"),
        (4, (90, 20, 50), "dram", "bytes"),
        (64, (20, 30, 20), "latency", "warps"),
        (64, (20, 30, 90), "latency", "loads"),
    ],
)
def test_what_limits_a_kernel_and_what_it_wastes_say_what_is_next(ideal, busy, limit, step):
    dram, l1, active = busy
    computed = {"shared_load_wavefronts": 64, "shared_load_ideal": ideal}
    measured = {f"gpu__dram_throughput{PEAK}": dram, f"l1tex__throughput{PEAK}": l1}
    pair = one_pair(computed, **measured, **{ACTIVE: active, WAVEFRONTS: 64})
    assert (pair.limit, pair.step) == (limit, step)
    few = one_pair(computed, **measured, **{ACTIVE: active, WAVEFRONTS: 64, SMS: 132})
    assert few.step == ("blocks" if limit == "latency" else step), "most SMs have no block"


def test_another_size_is_not_compared():
    own = LaunchRecord("k", "k", "k.cu", 1, (4, 1, 1), (32, 1, 1), 0.0, finished=True)
    (pair,) = pair_kernels(wide(**{WAVEFRONTS: 64}), (own,))
    assert pair.launch is None
    assert not pair.counters


def test_the_details_page_tells_time_and_peaks():
    raw, details = (
        read_nsight((FOLDER / name).read_bytes()) for name in ("raw.csv", "details.csv")
    )
    for one, other in zip(raw, details, strict=False):
        assert other.seconds == pytest.approx(one.seconds, rel=0.01)
        (pair,) = pair_kernels([other], ())
        assert set(pair.peaks) == {"dram", "l2", "l1", "sm"}


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_decimal_comma_is_read_as_one(separator):
    (english,) = wide(**{REQUESTS: "32,768", "gpu__time_duration.sum": "1,005.152000"})
    names = [REQUESTS, "gpu__time_duration.sum"]
    rows = [
        [*HEAD.replace('"', "").split(","), *names],
        ["0", "k", "(32, 1, 1)", "(2, 1, 1)", "9.0", "32.768", "1.005,152000"],
    ]
    text = "\n".join(separator.join(f'"{cell}"' for cell in row) for row in rows)
    (german,) = read_nsight(text.encode())
    assert german.metrics == english.metrics
    assert german.capability == "9.0"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("separator", [",", ";"])
def test_tables_of_other_programs_are_read(encoding, separator):
    rows = ["ID", "Kernel Name", "Block Size", "Grid Size", "a__b"], ["0", "k", "32", "2", "7"]
    text = "\r\n".join(separator.join(row) for row in rows)
    (kernel,) = read_nsight(text.encode(encoding))
    assert (kernel.name, kernel.block, kernel.metrics["a__b"]) == ("k", (32, 1, 1), 7)


@pytest.mark.parametrize("text", ["1e999", "nan", "9" * 400, "n/a", ""])
def test_what_is_no_count_is_left_out(text):
    measured = wide(**{WAVEFRONTS: text, REQUESTS: 3})
    assert WAVEFRONTS not in measured[0].metrics


def test_a_launch_measured_twice_is_compared_twice():
    own = LaunchRecord("k", "k", "k.cu", 1, (2, 1, 1), (32, 1, 1), 0.0, finished=True)
    pairs = pair_kernels(wide(**{WAVEFRONTS: 64}) * 2, (own,))
    assert [pair.launch for pair in pairs] == [own, own]
