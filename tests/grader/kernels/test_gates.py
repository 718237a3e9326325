"""Each gate of a kernel: in its order, with its place, and one sentence of what came instead."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.facts import fact
from grader.kernels import Argument, CountLimit, ReferenceOutputs, grade, launching
from grader.kernels.inputs import SENTINEL, make_arguments
from grader.kernels.outcome import ComparedOutput, describe_shape
from grader.kernels.plausible import check_graded
from grader.kernels.problem import SUMS
from grader.simt.checks.counters import COUNTERS
from grader.wire import Malformed
from tests.grader.kernels.tools import ARRAY, FIRST, GOOD, OUT, failure, graded, kernel, problem
from tests.sentences import english

TILED = """\
from numba import cuda, float32

@cuda.jit
def double(a, out):
    tile = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = 2 * a[i]
    cuda.syncthreads()
    out[i] = tile[31 - t]
"""
REVERSED = "def reference(a):\n    return 2 * a.reshape(-1, 32)[:, ::-1].reshape(-1)\n"
WHOLE = {"shapes": ({"n": 64},), "reference": REVERSED}


def conflicts(most: int | str = 0) -> CountLimit:
    return CountLimit("shared_conflicts", most=most)


# Passed


def test_a_kernel_that_passes_has_every_gate_in_order():
    limits = (CountLimit("global_requests", most="2 * ceil(n / 32)"), conflicts())
    found = graded(GOOD, limits=limits)
    assert found.passed
    assert [gate.key for gate in found.verdict.gates] == [
        "source",
        "runs",
        "result",
        "findings",
        "counts: global_requests",
        "counts: shared_conflicts",
    ]
    assert {gate.state for gate in found.verdict.gates} == {"passed"}
    assert found.verdict.gates[2].count == 164
    assert [dict(run.shape) for run in found.runs] == [{"n": 64}, {"n": 100}]


def test_parameters_may_have_other_names():
    assert graded(GOOD.replace("out", "result").replace("(a,", "(x,").replace("a[", "x[")).passed


def test_without_a_reference_no_values_are_compared():
    found = graded(kernel("if i < out.size:", "    out[i] = 3 * a[i]"), reference="")
    assert found.passed
    assert [gate.name for gate in found.verdict.gates] == ["source", "runs", "findings"]


def test_a_warning_is_kept_and_fails_nothing():
    source = kernel("if i < out.size:", "    out[i] = 2.0 * a[i]")
    found = graded(source)
    assert found.passed
    assert [(one.kind, one.line) for one in found.findings] == [("warning", FIRST + 1)]


def test_numbers_and_arrays_that_are_changed_in_place():
    arguments = (
        Argument("data", "int32", ("n",), role="inout", filling="ramp"),
        Argument("step", "int32", value="n // 32"),
    )
    source = (
        "@cuda.jit\ndef double(data, step):\n    i = cuda.grid(1)\n"
        "    if i < data.size:\n        data[i] += step\n"
    )
    reference = "def reference(data, step):\n    return data + step\n"
    assert graded(source, arguments=arguments, reference=reference).passed
    gate = failure(source.replace("+= step", "+= 7"), arguments=arguments, reference=reference)
    assert "data[0] is 7, not 2: thread 0, block 0" in english(gate.reason)


# Right values


def test_a_wrong_value_says_which_and_who_wrote_it():
    gate = failure(kernel("if i < out.size:", "    out[i] = (3 if i == 37 else 2) * a[i]"))
    value = make_arguments(problem(), 0)[0][37]
    assert (gate.key, gate.line) == ("result", FIRST + 1)
    assert gate.count == 1
    assert english(gate.reason) == (
        f"for n = 64, out[37] is {3 * value!s}, not {2 * value!s}: "
        f"thread 5, block 1, line {FIRST + 1}"
    )


def test_the_writer_of_a_wrong_value_is_the_last_one():
    source = kernel(
        "if i < out.size:", "    out[i] = 2 * a[i]", "if i == 3:", "    out[2] = float32(0)"
    )
    ((wrong,),) = [run.wrong for run in graded(source).runs if run.wrong]
    assert (wrong.index, wrong.got) == ((2,), "0.0")
    assert wrong.writer is not None
    assert (wrong.writer.thread, wrong.writer.block) == ((3, 0, 0), (0, 0, 0))
    assert wrong.writer.line == FIRST + 3


def test_an_element_that_nobody_wrote_is_said_to_be():
    gate = failure(kernel("if i < 60:", "    out[i] = 2 * a[i]"))
    assert (gate.key, gate.line) == ("result", 0)
    assert gate.count == 4
    assert "out[60] is nan, not " in english(gate.reason)
    assert english(gate.reason).endswith(": never written")


def test_nothing_written_is_no_whole_number_by_chance():
    arguments = (Argument("a", "int32", ("n",), filling="zeros"), Argument("out", "int32", ("n",),
                 role="output"))  # fmt: skip
    gate = failure(kernel("return"), arguments=arguments)
    assert f"out[0] is {SENTINEL}, not 0: never written" in english(gate.reason)


ENDS = {"assert i < 50": "AssertionError", "if i == 50: raise ValueError": "ValueError"}


@pytest.mark.parametrize("statement", ENDS)
def test_a_launch_that_a_thread_ends_has_no_result(statement):
    source = f"{GOOD}    {statement}\n"
    assert graded(source.replace("raise", "pass  # ")).passed  # it says nothing without `debug`
    gate = failure(source.replace("@cuda.jit", "@cuda.jit(debug=True)"))
    assert (gate.key, gate.line) == ("runs: stopped", FIRST + 2)
    assert gate.reason == fact("launch.raised", name=ENDS[statement])


def test_a_pass_holds_how_many_elements_of_each_output_were_compared_and_written():
    found = graded(GOOD)
    assert [run.compared for run in found.runs] == [
        (ComparedOutput("out", n, n),) for n in (64, 100)
    ]
    check_graded(found, problem(), GOOD)
    whole = found.runs[1]
    for change in (
        {"finished": False},
        {"compared": ()},
        {"compared": (ComparedOutput("out", 99, 99),)},
        {"compared": (ComparedOutput("out", 100, 0),)},
        {"compared": (ComparedOutput("other", 100, 100),)},
    ):
        runs = found.runs[0], replace(whole, **change)
        with pytest.raises(Malformed, match="evidence"):
            check_graded(replace(found, runs=runs), problem(), GOOD)


def test_an_output_that_nobody_wrote_is_no_result_even_if_it_is_right():
    arguments = (Argument("a", "int32", ("n",)), Argument("out", "int32", ("n",), role="output"))
    reference = f"def reference(a):\n    return 0 * a + {SENTINEL}\n"
    gate = failure(kernel("return"), arguments=arguments, reference=reference)
    assert (gate.key, gate.reason and gate.reason.code) == ("result", "kernel.unproven")


@pytest.mark.parametrize("value", ["float32(0)", "a[i]"])
def test_an_input_must_not_be_written(value):
    gate = failure(kernel("if i < out.size:", "    out[i] = 2 * a[i]", f"    a[i] = {value}"))
    assert (gate.key, gate.line) == ("result", FIRST + 2)
    assert "writes to its input a, " in english(gate.reason)
    assert "a[0] by thread 0, block 0, line " in english(gate.reason)


def test_a_shape_at_which_it_fails_is_named_and_those_behind_it_are_not_run():
    shapes = ({"n": 64}, {"n": 100}, {"n": 33})
    found = graded(kernel("if i < 64:", "    out[i] = 2 * a[i]"), shapes=shapes)
    assert found.verdict.failure is not None
    assert found.verdict.failure.count == 36
    assert "for n = 100" in english(found.verdict.failure.reason)
    assert len(found.runs) == 2


def test_few_of_many_wrong_elements_are_kept():
    found = graded(kernel("return"))
    assert (found.runs[0].wrong_count, len(found.runs[0].wrong)) == (64, 12)


# Findings


def test_a_race_fails_although_the_values_are_right():
    without = TILED.replace("    cuda.syncthreads()\n", "").replace("(32,", "(64,")
    wide = {"block": (64,), "grid": ("n // 64",), "shapes": ({"n": 128},),
            "reference": REVERSED.replace("32", "64")}  # fmt: skip
    without = without.replace("31 - t", "63 - t")
    gate = failure(without, **wide)
    assert (gate.key, gate.line, gate.column) == ("findings: race", 9, 14)
    assert "tile" in gate.reason.fields["element"]
    assert graded(without.replace("    out", "    cuda.syncthreads()\n    out"), **wide).passed


def test_an_index_out_of_bounds_is_at_its_place():
    gate = failure(kernel("out[i] = 2 * a[i]"))
    assert (gate.key, gate.line, gate.column) == ("findings: out-of-bounds", FIRST, 5)
    assert gate.reason == fact("finding.out-of-bounds", index="100", array="out", shape="(100,)")
    assert gate.hint.fields["size"] == "out.shape[0]"


def test_a_load_and_a_store_of_one_element_are_one_finding():
    found = graded(kernel("out[i] = 2 * a[i] + 0 * out[i]"), shapes=({"n": 33}, {"n": 40}))
    outside = [one for one in found.findings if one.kind == "out-of-bounds"]
    assert [(one.array, one.index) for one in outside] == [("out", (33,)), ("a", (33,))]
    assert [one.kind for one in found.runs[0].findings].count("out-of-bounds") == 3


def test_wrong_values_come_before_findings():
    assert failure(kernel("out[i] = 3 * a[i]")).key == "result"


# Runs


FEW = 10_000_000
"""Operations: right kernels here take some 100,000."""


@pytest.mark.parametrize(
    "lines",
    [
        ("while True:", "    i += 1"),
        ("while i >= 0:", "    out[0] = a[0]"),
        ("for k in range(10 ** 12):", "    i += k"),
        ("while i == 3:", "    cuda.syncwarp()"),
    ],
)
def test_what_never_ends_is_ended_at_its_loop(lines):
    gate = failure(kernel(*lines), operations=FEW)
    assert (gate.key, gate.line) == ("runs: budget", FIRST)
    assert gate.reason == fact("finding.budget")


@pytest.mark.parametrize(
    ("counter", "alone", "code"),
    [
        ("busiest_thread_percent", "i == 0", "kernel.stopped-thread"),
        ("busiest_block_percent", "cuda.blockIdx.x == 0", "kernel.stopped-block"),
    ],
)
def test_what_takes_too_long_in_one_place_is_told_so(counter, alone, code):
    source = kernel(f"if {alone}:", "    for k in range(10 ** 12):", "        i += k")
    gate = failure(source, operations=FEW, limits=(CountLimit(counter, most=150),))
    assert gate.key == "runs: budget"
    assert gate.reason is not None
    assert (gate.reason.code, gate.reason.fields["most"]) == (code, 1.5)


def test_what_exceeds_a_limit_before_it_is_ended_fails_at_the_limit():
    endless = "    while out.size == 100:"  # at the second shape
    source = kernel("if i < out.size:", "    out[i] = 2 * a[i]", endless, "        i += 0")
    assert failure(source, operations=FEW).key == "runs: budget"
    gate = failure(source, operations=FEW, limits=(CountLimit("instructions", most=1),))
    assert gate.key == "counts: instructions"


@pytest.mark.parametrize("line", ["out[0] = a[0]", "tile[i % 31] = a[0]"])
def test_it_is_ended_where_conflicts_differ_between_blocks(line):
    tile = "tile = cuda.shared.array(32, float32)"
    gate = failure(kernel(tile, "while i >= 0:", f"    {line}"), operations=FEW)
    assert (gate.key, gate.line) == ("runs: budget", FIRST + 1)


def test_a_block_that_no_device_takes_does_not_begin():
    gate = failure(GOOD, block=(2048,), grid=(1,))
    assert (gate.key, gate.line) == ("runs: resources", 0)
    assert gate.reason == fact("finding.threads", threads=2048, most=1024)


def test_more_shared_memory_than_a_block_has():
    source = kernel("tile = cuda.shared.array(16384, float32)", "tile[0] = a[0]")
    gate = failure(source)
    assert gate.key == "runs: resources"
    assert gate.reason == fact("finding.static-memory", bytes=65536, most=49152)
    assert "dynamic" in english(gate.reason)


@pytest.mark.parametrize("space", ["shared", "local"])
@pytest.mark.parametrize("shape", ["2_500_000_000", "10 ** 12"])
def test_ten_gigabytes_are_refused_before_anything_is_made_of_that_size(space, shape):
    gate = failure(kernel(f"t = cuda.{space}.array({shape}, float32)", "t[0] = a[0]"))
    assert gate.key == "runs: resources"
    assert gate.reason.code == "simt.block-memory"


# Counts


@pytest.mark.parametrize("shapes", [({"n": 64}, {"n": 100}), ({"n": 100}, {"n": 64})])
def test_counts_are_limited_at_every_shape(shapes):
    found = graded(GOOD, limits=(CountLimit("global_requests", most=4),), shapes=shapes)
    gate = found.verdict.failure
    assert gate is not None
    assert (gate.key, gate.count) == ("counts: global_requests", 8)
    assert (gate.least, gate.most, gate.line) == (None, 4, FIRST + 1)
    assert found.find_run(gate).shape == {"n": 100}


def test_a_limit_that_is_exact_at_the_first_shape_may_be_missed_at_a_later_one():
    gate = failure(GOOD, limits=(CountLimit("global_requests", most="2 * n / 32"),))
    assert gate.reason is not None
    assert gate.reason.fields["shape"] == describe_shape({"n": 100})


def test_the_run_that_confirms_a_pass_has_limits_too():
    source = kernel("if i < out.size:", "    x = a[i] if a.size in (64, 100) else a[i] + a[i] * 0")
    source += "        out[i] = 2 * x\n"
    limits = (CountLimit("global_requests", most="2 * ceil(n / 32)"),)
    gate = failure(source, limits=limits, confirm=({"n": (65, 96)},))
    assert (gate.key, gate.count, gate.most) == ("counts: global_requests", 9, 6)


@pytest.mark.parametrize(
    ("test", "end", "step", "counter", "percent"),
    [
        # Of 8 blocks: `i = …`, `if`; where it holds the loop, its iterations and their stores.
        (
            "cuda.threadIdx.x == 0",
            "i + 32",
            1,
            "busiest_thread_percent",
            100 * 68 * 32 // (64 + 66),
        ),
        ("cuda.blockIdx.x == 0", "256", 32, "busiest_block_percent", 100 * 20 * 8 // (16 + 18)),
    ],
)
def test_work_that_is_not_shared_is_seen(test, end, step, counter, percent):
    limits = (CountLimit(counter, most=300),)
    assert graded(GOOD, limits=limits, shapes=({"n": 256},)).passed
    lines = (f"if {test}:", f"    for j in range(i, {end}, {step}):", "        out[j] = 2 * a[j]")
    gate = failure(kernel(*lines), limits=limits, shapes=({"n": 256},))
    assert (gate.key, gate.count) == (f"counts: {counter}", percent)


def test_too_little_fails_as_too_much_does():
    """Nobody passes `no conflicts` by leaving shared memory alone."""
    both = CountLimit("shared_requests", most=4, least=4)
    gate = failure(GOOD, limits=(conflicts(), both))
    assert gate.key == "counts: shared_requests"
    assert (gate.count, gate.least, gate.most, gate.line) == (0, 4, 4, 0)
    assert graded(TILED, limits=(conflicts(), both), **WHOLE).passed


def test_conflicts_are_at_the_line_that_has_most():
    source = TILED.replace("array(32,", "array(1024,").replace("tile[", "tile[32 * ")
    source = source.replace("32 * 31 - t", "32 * (31 - t)")
    found = graded(source, limits=(conflicts(),), **WHOLE)
    assert found.verdict.failed_at == "counts: shared_conflicts"
    assert found.verdict.failure is not None
    assert found.verdict.failure.line in (8, 10)
    assert found.worst is not None
    assert (found.worst.wavefronts, found.worst.ideal) == (32, 1)
    assert found.worst.addresses == tuple(128 * lane for lane in range(32)) or (
        found.worst.addresses == tuple(128 * (31 - lane) for lane in range(32))
    )


def test_sums_add_up_loads_stores_and_atomics():
    assert SUMS["shared_requests"] == (
        "shared_load_requests",
        "shared_store_requests",
        "shared_atomic_requests",
    )
    assert {part for parts in SUMS.values() for part in parts} <= set(COUNTERS)


@pytest.mark.parametrize("how", ["load", "store"])
def test_an_atomic_counts_toward_a_limit_on_loads_and_on_stores(how):
    """`atomic.max(a, i, -1e30)` reads an element and changes nothing."""
    reads = "cuda.atomic.max(a, i, float32(-1e30))"
    source = kernel("if i < out.size:", f"    out[i] = 2 * {reads}")
    limits = (CountLimit(f"global_{how}_sectors", most="ceil(n / 8)"),)
    assert graded(GOOD, limits=limits).passed
    gate = failure(source, limits=(CountLimit(f"global_{how}_sectors", most=0), *limits))
    assert (gate.count, gate.line) == ({"load": 8, "store": 16}[how], FIRST + 1)
    plain = (CountLimit("global_atomic_sectors", most="ceil(n / 8)"),)
    assert graded(source, limits=plain).passed


def test_limits_are_come_to_in_order_and_the_first_that_fails_ends_it():
    limits = (CountLimit("global_requests", most=0), CountLimit("barriers", least=1))
    assert failure(GOOD, limits=limits).key == "counts: global_requests"


# Inputs


def test_inputs_are_the_same_each_time_and_others_for_another_seed():
    first, again, other = (make_arguments(problem(seed=seed), 0)[0] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_every_filling_is_what_it_is_called():
    def filled(filling, dtype="int32", **bounds):
        argument = Argument("a", dtype, ("n",), filling=filling, **bounds)
        return make_arguments(problem(arguments=(argument, OUT)), 1)[0]

    assert filled("ramp").tolist() == list(range(100))
    assert sorted(filled("permutation").tolist()) == list(range(100))
    assert filled("zeros").tolist() == [0] * 100
    assert filled("ones").tolist() == [1] * 100
    drawn = filled("integers", low=3, high=9)
    assert set(drawn.tolist()) == set(range(3, 9))
    ascending = filled("sorted", low=-5, high="n")
    assert (np.diff(ascending) >= 0).all()
    ends = filled("offsets", low=0, high="3 * n")
    assert (np.diff(ends) >= 0).all()
    assert (ends[0], ends[-1]) == (0, 300)
    uniform = filled("uniform", "float32", low=-1, high=1)
    assert (abs(uniform) <= 1).all()
    assert uniform.std() > 0.4


def test_the_same_problem_is_graded_the_same():
    asked = problem(arguments=(ARRAY, OUT))
    source = kernel("out[i] = 3 * a[i]")
    one, other = (grade(asked, source, ReferenceOutputs(asked)) for _ in range(2))
    assert one == other


def test_a_limit_on_operations_ends_a_run_at_the_same_place_each_time():
    """Its verdict does not depend on the machine, unlike that of a limit on processor time."""
    endless = kernel("j = 0", "while j < 5:", "    j = j - j", "    j = j * i", "out[i] = j")
    found = graded(endless, operations=30_000_000)
    assert found.verdict.failed_at == "runs: budget"
    assert graded(endless, operations=30_000_000).runs == found.runs
    assert graded(endless, operations=60_000_000).runs[0].counts != found.runs[0].counts
    assert graded(GOOD, operations=1_000_000).passed


def test_without_a_limit_of_its_own_a_run_may_take_twenty_times_the_solution(monkeypatch):
    """What has taken too much at once begins anew, on the arrays as they were."""
    monkeypatch.setattr(launching, "ALWAYS_ALLOWED", 50_000)
    data = Argument("a", "int32", ("n",), role="inout")
    asked = {
        "arguments": (data, OUT),
        "reference": "def reference(a):\n    return a + 1, 2 * a\n",
        "solution": kernel("if i < out.size:", "    out[i] = 2 * a[i]", "    a[i] += 1"),
    }
    work = kernel(
        "if i < out.size:", "    for k in range({times}):", "        out[i] = 2 * a[i] - 1",
        "    out[i] += 1", "    a[i] += 1",
    )  # fmt: skip
    assert graded(work.format(times=5), **asked).passed
    assert graded(work.format(times=1_000), **asked).verdict.failed_at == "runs: budget"
    assert graded(work.format(times=1_000), **asked, operations=10**9).passed
