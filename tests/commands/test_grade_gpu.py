"""`quiz grade` of what the emulator passed, on a GPU: that of a host that stands in for one."""

from __future__ import annotations

import json
import math
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from grader.compiled import (
    ArchitectureReport,
    CompilerReport,
    KernelCompiler,
    LineInstructions,
)
from grader.facts import quote
from grader.gpu import Gpu, GpuFailed, Ratio
from quizapp.deck.compiler import compile_deck
from quizapp.deck.deck import Deck
from quizapp.deck.index import sources
from quizapp.domain.errors import ENVIRONMENT, FINDINGS, OK, USAGE
from quizapp.domain.question import Kernel
from quizapp.exercises.kernels import CheckedKernel
from quizapp.study.examiner import Examiner
from quizapp.system.config import GpuSettings
from tests.deck.tools import KERNEL_FILES, kernel_folder, question
from tests.remote_gpu import HOST, far_gpu
from tests.waiting import until

SOLUTION, UNGUARDED = KERNEL_FILES["solution.py"], KERNEL_FILES["wrong/no-guard.py"]
SCATTERED = SOLUTION.replace("2 * a[i]", "2 * a[i] + 0 * a[i * 8 % out.size]")
"""Right, and slow: each thread of a warp reads another sector."""
AGAINST = "{en: every eighth element is read too, zh: 还读取每第八个元素}"
GPU = f"{{shape: {{n: 65536}}, against: {AGAINST}, speedup: {{Emulated: 1.1}}}}"
LOOSE = "{counter: global_requests, most: 3 * ceil(n / 32)}"


@pytest.fixture(autouse=True)
def content(home) -> Path:
    return make(home)


def make(home: Path, gpu: str = GPU, baseline: str = SCATTERED) -> Path:
    text = question("kernel", gpu=gpu, counts=f"[{LOOSE}]")
    return kernel_folder(home / "content", text, path="mine/a-kernel", baseline=baseline)


def compiled_kernel(folder: Path) -> Kernel:
    found = Deck(compile_deck(sources([str(folder.parents[1])])).compiled).question("mine/a-kernel")
    assert isinstance(found, Kernel)
    return found


@pytest.fixture
def hand_in(inside, tmp_path, monkeypatch):
    """Grade a text; a machine that has no GPU of its own."""
    monkeypatch.setattr("quizapp.system.gpu.device_nodes", list)

    def call(source: str, *options: str):
        (tmp_path / "mine.py").write_text(source, "utf-8")
        return inside("grade", "mine/a-kernel", tmp_path / "mine.py", *options)

    return call


@pytest.fixture
def far(tmp_path, monkeypatch) -> str:
    return far_gpu(tmp_path, monkeypatch)


def test_what_is_right_and_fast_says_how_much(hand_in, far):
    said = hand_in(SOLUTION, "--gpu-host", far)
    assert (said.status, said.err) == (OK, "")
    assert "✓ right at 2 shapes" in said.out
    assert "✓ right on Emulated" in said.out
    ratio = r"✓ (\d\.\d+)× speedup over the baseline \(95%: \1–\1\) · at least 1\.1 required"
    assert float(re.search(ratio, said.out)[1]) > 1.1
    assert "the baseline: every eighth element is read too" in said.out
    assert re.search(r"time +\d+\.\d µs +baseline \d+\.\d µs, \d+ runs of each", said.out)
    assert re.search(r"memory +\d+ GB/s +\d+% of what a large copy reaches \(3,900", said.out)
    assert re.search(r"registers +32 +per thread", said.out)
    assert re.search(r"occupancy +50% +32 blocks per SM, limited by the number", said.out)
    assert "0 shared wavefronts (ideal 0), 16 sectors, for n = 64" in said.out


def test_what_is_right_and_slow_fails_at_the_speed(hand_in, far):
    said = hand_in(SCATTERED, "--gpu-host", far)
    assert said.status == FINDINGS
    assert "✗ too slow on Emulated" in said.out
    assert "1.00× speedup over the baseline (95%: 1.00–1.00); at least 1.1× is required" in said.out
    assert "Extra work compared with the solution, source-level" in said.out
    assert re.search(r"· Global memory: \d+ sectors, \d+ in the solution; most in line 8", said.out)
    assert said.out.count("install gpu-quiz[compile]") == 1


def test_what_is_slow_says_what_its_busiest_loop_became(hand_in, far, monkeypatch):
    """In the machine code, beside the solution's."""
    report = ArchitectureReport("9.0", 32, 0, 0, 0, 0, 8, 1.0, "threads")

    def compile_kernel(_self, source, *_rest, **_options):
        integers = {"integer": 9 if "* 8" in source else 3, "global-load": 1}
        lines = tuple(LineInstructions(n, integers, integers) for n in range(1, 9))
        return CompilerReport("compiler 1", (report,), "9.0", lines)

    monkeypatch.setattr("grader.compiled.is_installed", lambda *_: True)
    monkeypatch.setattr(KernelCompiler, "compile", compile_kernel)
    said = hand_in(SCATTERED, "--gpu-host", far)
    text = " ".join(said.out.split())
    assert "line 8 is executed most; in the machine code, its loop has these" in text
    assert "instructions: 9 integer, 1 global memory · most of them are integer" in text
    assert re.search(r"in the solution, line \d is executed most; its loop .*: 3 integer, 1", text)


def test_another_device_is_not_judged(hand_in, far, home):
    make(home, gpu="{shape: {n: 4096}, speedup: {NVIDIA H200: 900}}")
    said = hand_in(SOLUTION, "--gpu-host", far)
    assert said.status == OK
    assert "speed not judged: the question sets no speedup for Emulated" in said.out


def test_what_the_emulator_fails_never_reaches_a_gpu(hand_in, far, tmp_path):
    said = hand_in(UNGUARDED, "--gpu-host", far)
    assert said.status == FINDINGS
    assert "Emulated" not in said.out
    assert not (tmp_path / "log").exists()


def test_arithmetic_is_told_where_the_question_counts_it(hand_in, far, home):
    make(home, gpu="{shape: {n: 4096}, flops: 2 * n}")
    assert re.search(r"arithmetic +\d+ GFLOP/s", hand_in(SOLUTION, "--gpu-host", far).out)


def test_a_baseline_that_is_wrong_takes_no_verdict_away(hand_in, far, home):
    make(home, baseline=SOLUTION.replace("2 *", "3 *"))
    said = hand_in(SOLUTION, "--gpu-host", far)
    assert "✓ right at 2 shapes" in said.out
    assert (
        "speedup not measured: a-kernel cannot be graded: the baseline fails at `result`"
        in " ".join(said.out.split())
    )
    assert said.status == ENVIRONMENT


def test_settings_name_the_host(hand_in, far, monkeypatch):
    monkeypatch.setenv("QUIZ_GPU_HOST", far)
    assert "right on Emulated" in hand_in(SOLUTION).out
    monkeypatch.setenv("QUIZ_GPU_USE", "false")
    assert "speedup not measured: the GPU is switched off" in hand_in(SOLUTION).out


@pytest.mark.parametrize("options", [(), ("--no-gpu",)])
def test_without_a_gpu_the_emulator_s_verdict_stands(hand_in, options):
    said = hand_in(SOLUTION, *options)
    assert said.status == OK
    assert "speedup not measured: " in said.out


def test_no_gpu_is_no_setting_to_be_changed(hand_in, far, monkeypatch):
    monkeypatch.setenv("QUIZ_GPU_HOST", far)
    said = hand_in(SOLUTION, "--no-gpu")
    assert "speedup not measured: --no-gpu was given\n" in said.out
    assert "gpu.use" not in said.out


def test_the_gpu_of_this_machine_is_needed_where_it_is_named(hand_in):
    said = hand_in(SOLUTION, "--gpu-host", "")
    assert (said.status, said.out) == (ENVIRONMENT, "")


def test_a_gpu_that_is_needed_and_absent_is_an_error(hand_in):
    said = hand_in(SOLUTION, "--gpu")
    assert (said.status, said.out) == (ENVIRONMENT, "")
    assert "no GPU on this machine" in said.err
    assert "gpu.host" in said.err


def test_a_gpu_without_its_package_says_what_to_install(hand_in, monkeypatch):
    monkeypatch.setattr("quizapp.system.gpu.device_nodes", lambda: ["/dev/nvidia0"])
    monkeypatch.setattr("grader.gpu.installed_compiler", lambda: None)
    said = hand_in(SOLUTION)
    assert said.status == OK
    assert "speedup not measured: neither numba-cuda nor numba-cuda-mlir is installed" in said.out
    assert "install gpu-quiz[gpu-cu13]" in said.out


def test_a_host_that_does_not_answer_takes_no_verdict_away(hand_in, tmp_path, monkeypatch):
    far_gpu(tmp_path, monkeypatch, before="echo 'Connection refused' >&2; exit 255")
    said = hand_in(SOLUTION, "--gpu-host", HOST)
    assert said.status == ENVIRONMENT
    assert "✓ right at 2 shapes" in said.out
    assert f"speedup not measured: no connection to {HOST}: Connection refused" in said.out
    monkeypatch.setenv("QUIZ_GPU_HOST", HOST)
    assert hand_in(SOLUTION).status == OK


def test_what_a_host_prints_is_no_template(hand_in, tmp_path, monkeypatch):
    far_gpu(tmp_path, monkeypatch, before="echo 'KeyError: {oops} {' >&2; exit 1")
    said = hand_in(SOLUTION, "--gpu-host", HOST)
    assert (said.status, said.err) == (ENVIRONMENT, "")
    assert "ended with status 1: KeyError: {oops} {" in " ".join(said.out.split())


def test_a_login_script_that_prints_is_quoted(hand_in, tmp_path, monkeypatch):
    far_gpu(tmp_path, monkeypatch, before="echo 'Welcome to gpu-box'")
    said = hand_in(SOLUTION, "--gpu-host", HOST)
    assert (said.status, said.err) == (ENVIRONMENT, "")
    assert f"the GPU worker on {HOST} answered `Welcome to gpu-box` " in " ".join(said.out.split())
    assert f"`ssh {HOST} true` must print nothing" in said.out


def test_as_json_it_has_promised_keys(hand_in, far):
    plain = json.loads(hand_in(SOLUTION, "--gpu-host", far, "--json").out)["gpu"]
    assert list(plain) == [
        "standing", "gates", "facts", "resources", "speed", "error", "allowed", "seed", "replaced",
        "costs",
    ]  # fmt: skip
    assert plain["standing"] == "passed"
    assert [gate["state"] for gate in plain["gates"]] == ["passed"] * 4
    assert plain["speed"]["ratio"]["median"] > 1.1
    none = json.loads(hand_in(SOLUTION, "--json").out)["gpu"]
    assert list(none) == ["standing", "why", "todo"]
    assert json.loads(hand_in(UNGUARDED, "--json").out)["gpu"] is None


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--gpu-host", "-oProxyCommand=x"], "--gpu-host: gpu.host: '-oProxyCommand=x' is not"),
        (["--no-gpu", "--gpu-host", HOST], "cannot be combined"),
    ],
)
def test_options_that_make_no_sense(hand_in, options, says):
    said = hand_in(SOLUTION, *options)
    assert said.status == USAGE
    assert says in said.err


def test_a_kernel_without_a_part_for_a_gpu_says_so(hand_in, far, home):
    kernel_folder(home / "content", question("kernel"), path="mine/a-kernel")
    said = hand_in(SOLUTION, "--gpu-host", far)
    assert (said.status, said.out) == (USAGE, "")
    assert "has no part `gpu`" in said.err


def test_a_fault_to_be_found_has_no_gpu(inside):
    found = ("--line", "8", "--fault", "race")
    said = inside("grade", "spot-missing-barrier", *found, "--gpu")
    assert said.status == USAGE
    assert "--gpu is for kernels that are written" in said.err


def test_a_layout_has_no_gpu(inside, tmp_path):
    (tmp_path / "mine.py").write_text("row * 33 + col", "utf-8")
    said = inside("grade", "place-column-with-padding", tmp_path / "mine.py", "--gpu")
    assert said.status == USAGE
    assert "--gpu is for kernels" in said.err


def test_an_error_without_end_is_no_number_in_json(hand_in, far, monkeypatch):
    measured = Examiner.measure

    def endless(self: Examiner, checked: CheckedKernel) -> CheckedKernel:
        found = measured(self, checked)
        return replace(found, gpu=replace(found.measured, error=math.inf))

    monkeypatch.setattr(Examiner, "measure", endless)
    plain = json.loads(hand_in(SOLUTION, "--gpu-host", far, "--json").out)
    assert plain["gpu"]["error"] is None


NO_DEVICE = GpuFailed(
    "no-device", quote("no GPU on this machine: CUDA_ERROR_NO_DEVICE"), quote("look")
)


@pytest.fixture
def without_cuda(monkeypatch) -> None:
    """A device stands in /dev, and CUDA has none: in a container, say."""
    monkeypatch.setattr("quizapp.system.gpu.device_nodes", lambda: ["/dev/nvidia0"])
    monkeypatch.setattr("grader.gpu.installed_compiler", lambda: "numba-cuda")


@pytest.mark.usefixtures("without_cuda")
def test_a_device_that_the_driver_does_not_give_is_asked_for_once(content, monkeypatch):
    asked: list[str | None] = []

    def absent(self: Gpu, *_: object) -> None:
        asked.append(self.host)
        raise NO_DEVICE

    monkeypatch.setattr(Gpu, "grade", absent)
    with closing(Examiner(GpuSettings)) as examiner:
        kernel = compiled_kernel(content)
        for _ in range(2):
            checked = examiner.measure(examiner.check(kernel, SOLUTION))
            assert checked.passed
            assert "CUDA_ERROR_NO_DEVICE" in str(checked.gpu.what)
        assert not examiner.measures(kernel)
    assert asked == [None]


@pytest.mark.usefixtures("without_cuda")
def test_a_device_that_is_missing_is_remembered_from_the_start_beforehand(content, monkeypatch):
    def absent(_: Gpu) -> None:
        raise NO_DEVICE

    monkeypatch.setattr(Gpu, "describe", absent)
    with closing(Examiner(GpuSettings)) as examiner:
        kernel = compiled_kernel(content)
        assert examiner.measures(kernel)
        examiner.prepare(kernel)
        until(lambda: not examiner.measures(kernel))


def test_a_ratio_is_told_to_three_figures(hand_in, far, monkeypatch):
    told = {0.00421: "0.00421", 0.76: "0.760", 1: "1.00", 12.76: "12.8", 243.4: "243"}
    measure, kept, ratios = Examiner.measure, list[CheckedKernel](), iter(told)

    def as_fast(self: Examiner, checked: CheckedKernel) -> CheckedKernel:
        kept.extend([] if kept else [measure(self, checked)])
        found, ratio = kept[0].measured, next(ratios)
        speed = replace(found.speed, ratio=Ratio(ratio, ratio, ratio), gate=None)
        return replace(checked, gpu=replace(found, speed=speed))

    monkeypatch.setattr(Examiner, "measure", as_fast)
    for shown in told.values():
        said = hand_in(SOLUTION, "--gpu-host", far)
        assert f" {shown}× speedup over the baseline (95%: {shown}–{shown})" in said.out
