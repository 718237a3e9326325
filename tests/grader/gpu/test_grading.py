"""The gates in order, on the emulated device, in this process."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.facts import fact
from grader.gpu import GATES, Benchmark
from grader.gpu.devices.device import DeviceError
from grader.gpu.grading import GpuGrader
from grader.kernels import InvalidProblem
from tests.grader.gpu.emulated_device import FACTS, NAME, EmulatedDevice
from tests.grader.gpu.tools import DOUBLE, GOOD, SLOW, ZEROS, request
from tests.sentences import english, expect_error

LARGE = {"n": 1 << 14}


class Failing(EmulatedDevice):
    """Raises this at a launch."""

    def __init__(self, error) -> None:
        super().__init__()
        self.error = error

    def launch(self, *_):
        raise self.error


class Timed(EmulatedDevice):
    """Tells these times, in the order in which `sample` asks: turned around after the warm-up."""

    def __init__(self, slow, fast, facts=FACTS) -> None:
        super().__init__(facts)
        self.told = slow, fast

    def time_launches(self, launches, *_):
        slow, fast = self.told
        return [slow, fast, fast, slow] if len(launches) == 4 else [slow, fast] * 3


def graded(source=GOOD, benchmark=None, device=None, problem=DOUBLE, *, gated=True):
    grader = GpuGrader(device or EmulatedDevice(), gated=gated)
    return grader.grade(request(problem, source, benchmark))


def states(found):
    assert [gate.name for gate in found.verdict.gates] == [*GATES]
    return [gate.state for gate in found.verdict.gates]


def test_without_a_benchmark_the_speed_is_not_judged():
    found = graded()
    assert states(found) == ["passed", "passed", "passed", "not reached"]
    assert found.standing == "right, speed not judged"
    assert found.verdict.gates[2].count == 868
    assert (found.facts, found.seed, found.speed) == (FACTS, 7, None)
    assert found.resources.registers == 32
    assert found.resources.occupancy == 1.0


@pytest.mark.parametrize(
    ("gate", "slow", "standing"),
    [(1.5, 3e-6, "passed"), (1.5, 2e-6, "failed"), (None, 3e-6, "right, speed not judged")],
)
def test_the_gate_binds_where_the_device_is_listed(gate, slow, standing):
    speedup = {"NVIDIA Other": 9.0} if gate is None else {NAME: gate}
    found = graded(benchmark=Benchmark(LARGE, SLOW, speedup), device=Timed(slow, 2e-6))
    assert (found.standing, found.speed.gate) == (standing, gate)
    assert found.speed.ratio.median == pytest.approx(slow / 2e-6)
    last = found.verdict.gates[-1]
    assert last.name == "speedup"
    assert last.state == {"passed": "passed", "failed": "failed"}.get(standing, "not reached")


def test_an_interval_too_wide_around_the_gate_decides_nothing():
    class Wavering(Timed):
        turn = 0

        def time_launches(self, launches, *_):
            self.turn += 1
            slow = 1 + 0.4 * (self.turn % 2)  # every other pair of pairs
            return [one * slow if one > 2e-6 else one for one in super().time_launches(launches)]

    found = graded(benchmark=Benchmark(LARGE, SLOW, {NAME: 1.8}), device=Wavering(3e-6, 2e-6))
    assert found.standing == "not decided"
    assert found.right
    assert found.verdict.failure is None
    assert found.verdict.gates[-1].reason == found.speed.shortfall


def test_what_is_faster_than_memory_is_refused_as_an_error_of_measurement():
    facts = replace(FACTS, l2=0, peak=1e9)
    found = graded(benchmark=Benchmark(LARGE, SLOW, {NAME: 1.5}), device=Timed(3e-6, 1e-12, facts))
    assert found.standing == "right, not measured"
    assert found.speed.ratio is None
    assert found.speed.refused.code == "gpu.impossible-time"
    assert found.verdict.gates[-1].reason == found.speed.refused


def test_bandwidth_and_operations_are_told_beside_the_copy():
    found = graded(benchmark=Benchmark(LARGE, SLOW, {}, "2 * n"), device=Timed(3e-6, 2e-6)).speed
    assert found.bytes == LARGE["n"] * 8
    assert found.gigabytes == pytest.approx(LARGE["n"] * 8 / 2e-6 / 1e9)
    assert found.gigaflops == pytest.approx(2 * LARGE["n"] / 2e-6 / 1e9)
    assert found.copy_gigabytes == pytest.approx(3900)


def test_a_wrong_kernel_is_never_timed():
    found = graded(ZEROS, Benchmark(LARGE, SLOW, {NAME: 1.5}))
    assert found.verdict.failed_at == "result"
    assert states(found) == ["passed", "passed", "failed", "not reached"]
    assert found.speed is None


def test_a_kernel_that_is_wrong_at_the_timed_shape_alone_fails():
    source = GOOD.replace("i < out.size", "i < out.size and out.size < 1000")
    found = graded(source, Benchmark(LARGE, SLOW, {NAME: 1.5}))
    assert found.verdict.failed_at == "result"
    assert "n = 16,384" in english(found.verdict.failure.reason)


def test_a_baseline_that_is_wrong_is_the_questions_fault():
    with pytest.raises(InvalidProblem) as raised:
        graded(benchmark=Benchmark(LARGE, ZEROS))
    assert raised.value.path == ("gpu", "baseline")
    with expect_error(InvalidProblem, "compiles"):
        graded(benchmark=Benchmark(LARGE, "import os\n"))


@pytest.mark.parametrize(
    ("source", "line"),
    [("import os\n" + GOOD, 1), (GOOD.replace("a[i] + a[i]", "open(a[i])"), 8), ("def (", 1)],
)
def test_what_the_source_gate_refuses_is_not_compiled(source, line):
    device = EmulatedDevice()
    device.compile = None  # would raise
    found = graded(source, device=device)
    assert found.verdict.failed_at == "compiles: source"
    assert found.verdict.failure.line == line


@pytest.mark.parametrize(
    ("kind", "words", "replaced"),
    [
        ("illegal-access", "illegal access", True),
        ("misaligned", "misaligned address", True),
        ("registers", "registers", False),
        ("threads", "threads", False),
        ("shared-memory", "shared memory", False),
        ("resources", "out of resources", False),
        ("out-of-memory", "out of memory", False),
        ("timed-out", "timed out: a kernel is still running", True),
        ("launch-failed", "the launch failed", True),
    ],
)
def test_an_error_of_the_device_in_words(kind, words, replaced):
    found = graded(device=Failing(DeviceError(kind, "CUDA_ERROR_X")))
    assert found.verdict.failed_at == f"runs: {kind}"
    assert words in english(found.verdict.failure.reason)
    assert "n = 512" in english(found.verdict.failure.reason)
    assert found.replaced is replaced


def test_too_much_shared_memory_that_the_linker_sees_is_a_matter_of_the_launch():
    class Linking(EmulatedDevice):
        def compile(self, *_given, **_options):
            raise DeviceError("shared-memory", "uses too much shared data")

    found = graded(device=Linking())
    assert found.verdict.failed_at == "runs: shared-memory"


def test_a_compiler_that_fails_itself_gives_no_verdict():
    class Broken(EmulatedDevice):
        def compile(self, *_given, **_options):
            raise DeviceError("compiler", "Signature mismatch")

    with pytest.raises(DeviceError, match="compiler"):
        graded(device=Broken())


def test_too_many_threads_for_its_registers_is_said_before_the_launch():
    class Small(EmulatedDevice):
        def compile(self, *given, **options):
            return replace(super().compile(*given, **options), registers=255, max_threads=64)

    found = graded(device=Small())
    assert found.verdict.failed_at == "runs: registers"
    assert "128 threads of 255 registers" in english(found.verdict.failure.reason)


def test_the_same_text_is_compiled_once():
    class Counting(EmulatedDevice):
        compiled = 0

        def compile(self, *given, **options):
            self.compiled += 1
            return super().compile(*given, **options)

    device = Counting()
    grader = GpuGrader(device)
    for _ in range(3):
        grader.grade(request(DOUBLE, GOOD, Benchmark(LARGE, SLOW), 7))
    assert device.compiled == 2


# In CUDA C++

IN_CUDA = replace(DOUBLE, kernel="twice", language="cuda")
HEAD = "__global__ void twice(const float* a, float* out, int n) {\n"
LOOP = """  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
    out[i] = {value};
}}
"""
CUDA = HEAD + LOOP.format(value="2 * a[i]")


def in_cuda(source, benchmark=None, device=None, problem=IN_CUDA):
    return graded(source, benchmark, device, problem)


def test_a_kernel_in_cuda_gets_pointers_and_sizes():
    found = in_cuda(CUDA)
    assert found.right
    assert found.verdict.gates[2].count == 868
    templated = "template <typename T>\n" + CUDA.replace("float", "T")
    assert in_cuda(templated).right


def test_wrong_values_in_cuda_fail():
    assert in_cuda(HEAD + LOOP.format(value="3 * a[i]")).verdict.failed_at == "result"
    assert in_cuda(CUDA.replace("int n", "int* n")).verdict.failed_at == "compiles: source"
    assert in_cuda(GOOD).verdict.failed_at == "compiles: source"


def test_the_speed_of_cuda_is_compared_with_its_own_baseline():
    slow = HEAD + LOOP.format(value="a[i * 32 % n + i * 32 / n] * 0 + 2 * a[i]")
    found = in_cuda(CUDA, Benchmark(LARGE, slow, {NAME: 1.05}))
    assert found.standing == "passed"
    assert found.speed.ratio.median > 1.05


def test_what_nvrtc_rejects_is_quoted():
    class Rejecting(EmulatedDevice):
        def compile_cuda(self, *_given):
            raise DeviceError("compile", fact("quoted", text="kernel.cu(2): error: no"))

    found = in_cuda(CUDA, device=Rejecting())
    assert found.verdict.failed_at.startswith("compiles")
    assert "kernel.cu(2): error: no" in english(found.verdict.failure.reason)
