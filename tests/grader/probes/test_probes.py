"""Probes of kernels of the deck: every answer comes out again from the changed text alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.probe_answers import Again, check
from bench.probe_deck import again_from, replay_of, solution_of
from grader.changes import Change
from grader.extras import is_installed
from grader.facts import Fact, fact
from grader.probes import KernelProbe, LaunchChange
from grader.probes.making import arrange, make_probes
from grader.probes.outcomes import SAME, write_value
from grader.probes.replaying import CannotReplay, Replay, hold_arguments
from grader.probes.rivals import Rival, offer, say_why
from grader.probes.trials import Trials
from grader.probes.values import AS_IT_WAS
from grader.simt import compile_for
from grader.simt.cuda.lowering.kernel import read_cuda
from grader.simt.host.files.modules import SourceKernel
from grader.simt.host.files.ptx_kernels import LineInSource, PtxKernel
from grader.simt.host.files.written_arguments import read_arguments
from grader.simt.host.session import ScriptSession
from grader.simt.ptx.kernel import find_kernel
from grader.simt.ptx.reading import read_ptx
from quizapp.report.content.probes import ProbePlace, plain_question
from quizapp.report.words import Words

DATA = Path(__file__).parents[2] / "data"
QUICK = (("kernel-saxpy", "cuda"), ("kernel-maximum-few-atomics", "python"))
SLOW = (
    ("kernel-dot-product", "python"), ("kernel-dot-product", "cuda"),
    ("kernel-transpose-padded", "python"), ("kernel-transpose-padded", "cuda"),
    ("kernel-append-aggregated", "cuda"), ("kernel-gemv-int8", "cuda"),
)  # fmt: skip
SUM = """
from numba import cuda, float32

@cuda.jit
def total(x, out, n):
    part = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    part[t] = x[i] if i < n else 0
    cuda.syncthreads()
    half = 64
    while half > 0:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(out, 0, part[0])
"""


def replay(source: str = SUM, n: int = 512, x: np.ndarray | None = None) -> Replay:
    x = np.arange(n, dtype=np.float32) if x is None else x
    given = [x, np.zeros(1, np.float32), n]
    return Replay(compile_for(source, given), (4,), (128,), 0, hold_arguments(given))


@pytest.mark.parametrize(
    ("name", "language"), [*QUICK, *(pytest.param(*each, marks=pytest.mark.long) for each in SLOW)]
)
def test_answers_come_out_again(name, language):
    asked, source = solution_of(name, language)
    made = make_probes(replay_of(asked, source))
    assert len(made.probes) >= 4
    assert check(again_from(asked, source, replay_of(asked, source)), made) == []


@pytest.mark.long
def test_what_a_library_does_in_a_line_is_not_asked():
    asked, source = solution_of("kernel-gemm-wmma", "cuda")
    lines = [n for n, line in enumerate(source.split("\n"), 1) if "_sync(" in line]
    made = make_probes(replay_of(asked, source))
    assert made.probes
    assert not [each for each in made.probes if each.form == "number" and each.line in lines]


def test_a_slip_is_told_by_what_it_replaces():
    for each in make_probes(replay()).probes:
        if each.asked.code == "probe.change.question":
            fields = each.asked.fields
            assert re.split(r"[^\w.<>=]+", str(fields["code"])).count(str(fields["old"])) <= 1


@pytest.mark.parametrize(
    ("value", "written"),
    [(np.int32(238_431_000), "238,431,000"), (np.float32(0.1), "0.1"), (200.0, "200")],
)
def test_integers_are_written_with_all_digits(value, written):
    assert write_value(value) == written


def test_the_same_launch_has_the_same_probes():
    done = []
    first, second = (make_probes(replay(), lambda *at: done.append(at)) for _ in range(2))
    assert done == 2 * [(i, len(done) // 2) for i in range(len(done) // 2)]
    assert replace(first, seconds=0) == replace(second, seconds=0)


def test_a_wrong_answer_is_seen():
    """The check that is used above sees what it is for."""
    asked, source = solution_of(*QUICK[1])
    made = make_probes(replay_of(asked, source))
    assert {"number", "line", "choice"} == {probe.form for probe in made.probes}
    for probe in made.probes:
        if probe.form == "number":
            other = replace(probe, answer=probe.answer + 1)
        elif probe.form == "line":
            first, second, *rest = probe.lines
            other = replace(probe, lines=(second, first, *rest))
        else:
            first, second, *rest = probe.options
            other = replace(probe, options=(second, first, *rest))
        told = replace(made, probes=(other,))
        assert check(again_from(asked, source, replay_of(asked, source)), told), probe


def test_a_prediction_is_of_no_counter_that_was_shown_and_of_none_that_values_decide():
    first = next(each for each in make_probes(replay()).probes if each.rule == "predict")
    assert first.answer == 32
    twice = ("global_load_requests",) * 2  # 16 each
    printed = make_probes(replay(), printed=[twice]).probes
    assert 32 not in [each.answer for each in printed if each.rule == "predict"]
    branching = SUM.replace("if t < half:", "if t < half and part[t + half] >= 0:")
    asked = make_probes(replay(branching, x=np.arange(512, dtype=np.float32) - 256)).probes
    assert "part[t] += part[t + half]" not in [
        each.asked.fields["code"] for each in asked if each.rule == "predict"
    ]


def test_rules_are_of_many_kinds():
    made = make_probes(replay())
    assert {"predict", "guard", "barrier", "change", "planted", "order"} <= {
        probe.rule for probe in made.probes
    }


def test_no_feedback_gives_away_a_later_answer():
    for name, language in QUICK:
        probes = make_probes(replay_of(*solution_of(name, language))).probes
        assert "planted" not in [each.rule for each in probes[1:]], "all others show the source"
        for place, probe in enumerate(probes):
            line, run = probe.asked.fields.get("at", probe.line), (probe.changes, probe.launch)
            counts = probe.rule in ("predict", "cost", "requests")
            for before in probes[:place] if probe.form == "number" else ():
                for said in (*before.seen, *before.reasons):
                    if said.fields.get("line") != line:
                        continue
                    told = {said.fields.get("before")} - {None}
                    if (before.changes, before.launch) == run:
                        told = {v for k, v in said.fields.items() if k not in ("line", "what")}
                    elif run != ((), AS_IT_WAS):
                        continue
                    assert not (told if counts else told & {probe.answer}), (probe, said)


def test_what_a_change_comes_to_is_asked_after_what_it_was_and_a_count_not_after_its_line():
    was = KernelProbe("cost", fact("a", line=4), "number", 4, answer=8)
    told = (fact("b", line=4, before=8.0, n=2),)
    after = KernelProbe("pitch", fact("c", line=4), "number", 4, answer=2, seen=told,
                        launch=LaunchChange(block=(8,)))  # fmt: skip
    assert arrange([after, was]) == [was, after]
    factor = replace(was, rule="predict", answer=16, seen=(fact("g", line=4, n=16, requests=2),))
    assert arrange([factor, replace(was, seen=(fact("h", line=4, n=2),))]) == [factor]
    cut = (Change("i < n", "true", "if (i < n)", 4, 2),)
    cases = (fact("d", line=4, n=840),)
    guard = KernelProbe("guard", fact("e"), "line", lines=(4, 5), right=(4,), changes=cut,
                        seen=cases)  # fmt: skip
    threads = KernelProbe("guard-threads", fact("f", at=4), "number", answer=840, changes=cut,
                          seen=cases)  # fmt: skip
    assert arrange([guard, threads]) == [guard]
    slip = KernelProbe("change", fact("g"), "choice", changes=cut)
    planted = replace(slip, rule="planted")
    assert arrange([was, slip, planted]) == [planted, was]


def test_nothing_trivial_is_asked():
    for name, language in QUICK:
        for probe in make_probes(replay_of(*solution_of(name, language))).probes:
            offered = probe.lines or probe.options
            if probe.form == "number":
                assert probe.answer
            else:
                assert len(offered) >= 3
                assert len(set(map(str, offered))) == len(offered)
            if probe.form == "line":
                assert not set(probe.lines[1:]) & set(probe.right)


def test_a_kernel_with_faults_is_asked_about_these():
    made = make_probes(replay(SUM.replace("i < n", "i <= n"), 508))
    assert {probe.rule for probe in made.probes} == {"fault", "mend"}
    assert (
        made.probes[0].lines[0] == SUM.split("\n").index("    part[t] = x[i] if i < n else 0") + 1
    )


COUNT = """
__global__ void count(const int *a, int *h, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        h[a[i]] = h[a[i]] + 1;
}
"""
ALIKE = """
__global__ void add(const float *a, float *x, float *y, float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = a[i] + 1;
    if (i < n) y[i] = a[i] + 2;
    if (i < n) z[i] = a[i] + 3;
}
"""


def launched(source: str, name: str, given: str) -> Replay:
    kernel = SourceKernel(read_cuda(source), name, ScriptSession())
    _, ready, fitting = kernel.fit_text(given)
    return Replay(ready, (4,), (256,), 0, hold_arguments(fitting))


def test_a_small_kernel_that_races_is_asked_what_mends_it():
    replayed = launched(COUNT, "count", "a=i32[1000]:random, h=i32[100]:zeros, n=1000")
    made = make_probes(replayed)
    mend = next(probe for probe in made.probes if probe.rule == "mend")
    assert mend.options[0].fields["code"] == "atomicAdd(&h[a[i]], 1);"
    assert any("__syncthreads" in str(option.fields["code"]) for option in mend.options[1:])
    assert made.is_faulty

    def read(text: str, given: Mapping[str, Any], _other: LaunchChange) -> Any:
        kernel = SourceKernel(read_cuda(text), "count", ScriptSession())
        return *kernel.fit(tuple(given.values())), None

    again = Again(COUNT, replayed.grid, replayed.block, 0, replayed.given, read)
    assert check(again, made) == []


BLUR = """
from numba import cuda, float32

@cuda.jit
def blur(x, y):
    s = cuda.shared.array(130, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t + 1] = x[i]
    if t == 0:
        s[0] = x[max(i - 1, 0)]
        s[129] = x[min(i + 128, x.size - 1)]
    y[i] = (s[t] + s[t + 1] + s[t + 2]) / 3
"""


def test_no_line_with_the_same_fault_is_a_wrong_answer():
    """What thread 0 stores for thread 127 races, too."""
    given = [np.arange(512, dtype=np.float32), np.zeros(512, np.float32)]
    made = make_probes(Replay(compile_for(BLUR, given), (4,), (128,), 0, hold_arguments(given)))
    fault = next(probe for probe in made.probes if probe.rule == "fault")
    pairs = [(each.fields["line"], each.fields.get("other")) for each in fault.options]
    assert pairs[0] in ((9, 13), (12, 13))
    assert not {(9, 13), (12, 13)} & set(pairs[1:])


def test_how_many_elements_race_is_derived():
    """Without the last barrier, warp 1 writes what warp 0 reads next."""
    step = "part[t] += part[t + half]\n        cuda.sync"
    made = make_probes(replay(SUM.replace(f"{step}threads", f"{step}warp")))
    (count,) = (probe for probe in made.probes if probe.rule == "fault-count")
    (seen,) = count.seen
    assert (count.answer, seen.fields["n"]) == (32, 32)
    assert "part[32] to part[63]" in Words("en").fact(seen)


def test_of_lines_that_are_alike_one_is_asked_about():
    outputs = ", ".join(f"{name}=f32[1000]" for name in "xyz")
    made = make_probes(launched(ALIKE, "add", f"a=f32[1000]:random, {outputs}, n=1000"))
    patterns = [probe.pattern for probe in made.probes]
    assert len(patterns) == len(set(patterns))
    assert len([probe for probe in made.probes if probe.rule == "guard-threads"]) == 1


SAXPY = """
__global__ void saxpy(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i] + y[i];
}
"""


def test_all_accesses_of_a_line_are_counted_and_nothing_is_asked_of_what_is_undefined():
    given = "x=f32[1000]:random, y=f32[1000]:random, n=1000"
    made = make_probes(launched(SAXPY, "saxpy", given)).probes
    answers = {p.asked.fields["array"]: p.answer for p in made if p.rule == "guard-threads"}
    assert answers == {"y": 48}, "a load and a store of each of 24 threads"
    assert "alias" in [probe.rule for probe in made]
    for name, word in (("y", "__restrict__"), ("x", "__restrict")):
        restricted = SAXPY.replace(f"float* {name}", f"float* {word} {name}")
        made = make_probes(launched(restricted, "saxpy", given)).probes
        assert "alias" not in [probe.rule for probe in made]


def test_a_wrong_option_names_the_change_that_makes_it_right():
    asked, source = solution_of(*QUICK[1])
    made = make_probes(replay_of(asked, source))
    told = next(p for p in made.probes if any("edit" in each.fields for each in p.reasons))
    edit = next(each.fields["edit"] for each in told.reasons if "edit" in each.fields)
    other = Fact(edit.code, {**edit.fields, "new": edit.fields["old"]})
    lies = [
        Fact(each.code, {**each.fields, "edit": other}) if "edit" in each.fields else each
        for each in told.reasons
    ]
    lying = replace(made, probes=(replace(told, reasons=tuple(lies)),))
    assert check(again_from(asked, source, replay_of(asked, source)), lying)


def test_equal_inputs_are_varied_so_that_a_wrong_index_shows():
    made = make_probes(replay(x=np.ones(512, np.float32)))
    assert made.varied == ("x",)
    assert make_probes(replay()).varied == ()


def test_what_does_not_end_is_refused():
    with pytest.raises(CannotReplay, match=r"long|endless"):
        make_probes(replay(SUM.replace("half //= 2", "pass")))


def test_large_arrays_are_not_copied():
    with pytest.raises(CannotReplay, match="large"):
        hold_arguments([np.zeros(1 << 25, np.float32)])


FLAG = """
__global__ void any_large(const float *x, float *y, int *flag) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = x[i];
    __syncthreads();
    if (s[255 - t] > 0.5f)
        flag[blockIdx.x] = 1;
    float m = 0;
    for (int k = 0; k < 256; k++)
        m = fmaxf(m, s[k]);
    if (t == 0)
        y[blockIdx.x] = m;
}
"""


def test_no_answer_denies_a_race_whose_threads_store_the_same():
    replayed = launched(FLAG, "any_large", "x=f32[1024]:random, y=f32[4], flag=i32[4]:zeros")
    trials = Trials(replayed, replayed.run())
    (guard,) = (each for each in trials.guards if "t == 0" in each.edit.old)
    of_flag, of_y = (
        Fact("probe.outcome.race-in-line", {"array": array, "line": line})
        for array, line in (("flag", 8), ("y", 13))
    )
    assert guard.is_same
    assert not trials.is_free(guard)
    assert trials.find_races() == {of_flag}
    assert of_y in trials.find_races([guard.edit])
    offered = offer(
        (Fact("probe.outcome.never-written", {}),),
        [Rival(each, say_why("same")) for each in (of_y, of_flag, SAME, Fact("a"))],
        partial(trials.find_races, [guard.edit]),
    )
    assert offered is not None
    assert offered.options[1:] == (SAME, Fact("a"))


def test_a_kernel_in_ptx_is_asked_about_and_its_answers_come_out_again():
    """Branches and masks, barriers, addresses: by lines of the PTX itself."""
    written = "param_0=f32[1024]:random, param_1=f32[1024], param_2=32"
    source = (DATA / "ptx" / "examples.ptx").read_text("utf-8")

    def read(text: str, given: Mapping[str, Any], _other: LaunchChange) -> Any:
        module = read_ptx(text)
        kernel = PtxKernel(module, find_kernel(module, "transpose"), ())
        return kernel.compiled, kernel.fit(list(given.values())), None

    names = ("param_0", "param_1", "param_2")
    values = [each.value for each in read_arguments(written, "transpose", names, {})]
    given = dict(zip(names, values, strict=True))
    ready, fitting, _ = read(source, given, LaunchChange())
    replayed = Replay(ready, (1, 1), (32, 8), 0, hold_arguments(fitting))
    made = make_probes(replayed)
    assert {"guard", "barrier", "change", "longer", "planted"} <= {
        each.rule for each in made.probes
    }
    (barrier,) = (each for each in made.probes if each.rule == "barrier")
    assert barrier.asked.fields["code"] == "bar.sync 0;"
    assert check(Again(source, (1, 1), (32, 8), 0, replayed.given, read), made) == []


def test_what_triton_compiled_is_asked_about_by_its_own_lines():
    """Its source is shown and not changed, and what it keeps in shared memory is not asked."""
    lines = tuple((DATA / "ptx" / "triton_kernels.py").read_text("utf-8").split("\n"))
    given = [np.random.default_rng(1).normal(size=(8, 100)), np.zeros((8, 100)), 100, 100]
    values = [np.asarray(each, np.float32 if np.ndim(each) else np.int32)[()] for each in given]
    module = read_ptx((DATA / "ptx" / "softmax.ptx").read_text("utf-8"))
    place = LineInSource("softmax", "triton_kernels.py", (8, 1), {"": lines}, {})
    kernel = PtxKernel(
        module, find_kernel(module, "softmax"), ("x", "out", "stride", "n"), place=place,
        compiler="Triton 3.6.0 for 8.0",
    )  # fmt: skip
    fitting = kernel.fit([*values, *[None] * (len(kernel.fields) - len(values))])
    made = make_probes(Replay(kernel.compiled, (8,), (128,), 16, hold_arguments(fitting)))
    assert (made.compiled_by, made.first, made.last) == ("Triton 3.6.0 for 8.0", 8, 14)
    assert {each.rule for each in made.probes} == {"predict", "requests", "fill"}
    assert not [each for each in made.probes if each.changes or "shared" in str(each.asked)]
    prompt = plain_question(made.probes[0], made, ProbePlace("x", "f.py"))["prompt"]["en"]
    assert "It ran as Triton 3.6.0 for 8.0 compiled it" in prompt


@pytest.mark.skipif(not is_installed("triton"), reason="needs the extra `triton`")
def test_a_kernel_in_triton_is_compiled_again_and_its_answers_come_out_again():
    """Masks, factors, tiles and warps: from the text alone."""
    asked, source = solution_of("kernel-triton-softmax", "triton")
    made = make_probes(replay_of(asked, source))
    rules = Counter(each.rule for each in made.probes)
    assert len(made.probes) >= 4
    assert rules["change"] + rules["planted"] >= 2, "a slip is asked about in one way"
    assert rules["tile"] == 1
    left_out = [each for each in made.probes if each.asked.code == "probe.dropped.question"]
    assert left_out
    assert all(each.changes[0].new == "" for each in left_out)
    assert check(again_from(asked, source, replay_of(asked, source)), made) == []
    prompt = plain_question(made.probes[0], made, ProbePlace("x", "f.py"))["prompt"]["en"]
    assert "`num_warps=" in prompt
    assert "`BLOCK = 1024`" in prompt, "a constant"
