"""The real device's own code, on a stand-in for `numba.cuda`.

What a driver does, no test here tells: that is `test_on_gpu`.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from grader.gpu.devices import compilers, mlir_device, numba_device
from grader.gpu.devices.device import GUARD_BYTE, DeviceError, DeviceLaunch
from grader.gpu.devices.numba_device import NumbaDevice, compile_kind, kind_of
from grader.gpu.grading import GpuGrader
from tests.grader.gpu.fake_cuda import FakeCuda
from tests.grader.gpu.tools import DOUBLE, request
from tests.sentences import english, expect_error

ARRAYS = "from numba import cuda\n@cuda.jit(max_registers=64)\ndef double(a, out):\n    {}\n"
"""Executed with NumPy arrays in place of a launch."""


@pytest.fixture
def cuda(monkeypatch) -> FakeCuda:
    fake = FakeCuda()
    modules = {
        "numba": SimpleNamespace(),
        "numba.cuda": fake,
        "numba.cuda.cudadrv.driver": SimpleNamespace(device_memset=fake.memset),
    }
    monkeypatch.setattr(compilers, "import_module", modules.__getitem__)
    monkeypatch.setattr(compilers, "find_spec", str)
    monkeypatch.setenv("NUMBA_CUDA_MLIR_ICE_FULL_TB", "0")
    return fake


@pytest.fixture
def device(cuda) -> NumbaDevice:
    return numba_device.open_device()


def compiled(device, body="out[...] = 2 * a"):
    given = [np.zeros(4, np.float32)] * 2
    return device.compile(
        ARRAYS.format(body).replace("from numba import cuda\n", ""), "double", given
    )


def test_its_facts(device):
    facts = device.facts
    assert (facts.name, facts.capability, facts.multiprocessors) == ("NVIDIA Fake", "9.0", 4)
    assert (facts.driver_cuda, facts.runtime) == ("13.0", "12.9")
    assert facts.memory == 1 << 24
    assert facts.l2 == 1 << 20
    assert facts.peak == 0.0  # the driver tells no bus width
    assert "numpy" in facts.versions


def test_a_kernel_is_compiled_for_the_types_of_its_arguments(device):
    kernel = compiled(device)
    assert (kernel.registers, kernel.shared, kernel.local, kernel.max_threads) == (40, 128, 8, 1024)
    assert kernel.handle.types == ("float321", "float321")
    assert kernel.handle.options == {"max_registers": 64}


@pytest.mark.parametrize("array", [np.arange(7, dtype=np.int8), np.ones((3, 5)), np.eye(4).T])
def test_an_array_goes_there_and_back_between_guards(device, array):
    there = device.to_device(array, refillable=True)
    fetched = device.from_device(there)
    assert fetched.guarded
    assert fetched.values.dtype == array.dtype
    np.testing.assert_array_equal(fetched.values, array)
    there.handle.shaped.host[...] = 9
    there.handle.whole.host[0] = 0
    assert not device.from_device(there).guarded
    device.refill(there)
    again = device.from_device(there)
    assert again.guarded
    np.testing.assert_array_equal(again.values, array)
    device.free(there)


@pytest.mark.parametrize("at", [0, -1])
def test_either_guard_is_looked_at(device, at):
    there = device.to_device(np.ones(5, np.int8))
    assert there.handle.whole.host[at] == GUARD_BYTE
    there.handle.whole.host[at] = 1
    assert not device.from_device(there).guarded


def test_the_flush_is_queued_ahead_of_the_start_event(device, cuda):
    given = [device.to_device(np.ones(4, np.float32), refillable=True) for _ in range(2)]
    launch = DeviceLaunch(compiled(device), (1,), (32,), tuple(given), 0, (given[1],))
    device.time_launches([launch], 1)
    cuda.queued.clear()
    (seconds,) = device.time_launches([launch], 1)
    assert seconds == pytest.approx(2e-5)
    assert cuda.queued[-3:] == ["event", "kernel", "event"]
    assert set(cuda.queued[:-3]) == {"flush"}


def test_a_kernel_that_runs_on_is_timed_out(device, cuda):
    given = tuple(device.to_device(np.ones(4, np.float32)) for _ in range(2))
    launch = DeviceLaunch(compiled(device), (1,), (32,), given)
    cuda.hangs = True
    with pytest.raises(DeviceError) as raised:
        device.launch(launch, 0.01)
    assert raised.value.kind == "timed-out"
    assert raised.value.poisoned


class ApiError(Exception):
    """As numba-cuda's CudaAPIError."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@pytest.mark.parametrize(
    ("error", "kind", "poisoned"),
    [
        (ApiError(700, "Call to cuEventQuery results in CUDA_ERROR_ILLEGAL_ADDRESS"),
         "illegal-access", True),
        (ApiError(700, "[700] Call to cuMemcpyDtoH results in UNKNOWN_CUDA_ERROR"),
         "illegal-access", True),
        (ApiError(716, "CUDA_ERROR_MISALIGNED_ADDRESS"), "misaligned", True),
        (ApiError(701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"), "resources", False),
        (ApiError(1, "CUDA_ERROR_INVALID_VALUE"), "resources", False),
        (ApiError(2, "CUDA_ERROR_OUT_OF_MEMORY"), "out-of-memory", False),
        (ApiError(719, "CUDA_ERROR_LAUNCH_FAILED"), "launch-failed", True),
        (RuntimeError("CUDA_ERROR_MISALIGNED_ADDRESS: misaligned"), "misaligned", True),
        (ApiError(12345, "CUDA_ERROR_BRAND_NEW"), "launch-failed", True),
    ],
)  # fmt: skip
def test_what_the_driver_raises_has_a_kind(device, cuda, error, kind, poisoned):
    given = tuple(device.to_device(np.ones(4, np.float32)) for _ in range(2))
    launch = DeviceLaunch(compiled(device), (1,), (32,), given)
    cuda.raises = error
    with pytest.raises(DeviceError) as raised:
        device.launch(launch, 1)
    assert (raised.value.kind, raised.value.poisoned) == (kind, poisoned)


def test_what_is_no_error_of_the_driver_stays_what_it_is(device, cuda):
    launch = DeviceLaunch(compiled(device), (1,), (32,), ())
    cuda.raises = ZeroDivisionError("ours")
    with pytest.raises(ZeroDivisionError):
        device.launch(launch, 1)


PTX = ".version 6.0\n.target sm_50\n"


@pytest.fixture
def library(cuda):
    return cuda.cudadrv.driver.driver.lib


def test_ptx_is_loaded_as_it_stands(device, library):
    two = device.load_ptx(PTX, ("one", "other"))
    assert {(one.registers, one.shared, one.local, one.max_threads) for one in two} == {
        (40, 20480, 8, 1024)
    }
    array = device.to_device(np.arange(4))
    device.launch(DeviceLaunch(two[0], (1,), (1024,), (array, np.int32(-7))), 1)
    address = array.handle.shaped.host.ctypes.data
    assert library.launched == [(1, 1, 1, 1024, 1, 1, 0, [address % 2**32, 2**32 - 7])]


@pytest.mark.parametrize(
    ("log", "kind", "words"),
    [
        (b"ptxas fatal: feature stmatrix needs sm_90\n", "compile", "stmatrix needs sm_90"),
        (b"", "compile", "cuModuleLoadDataEx results in CUDA_ERROR_INVALID_PTX"),
        (b"entry uses too much shared data", "shared-memory", "too much"),
    ],
)
def test_ptx_that_is_not_for_this_device(device, library, log, kind, words):
    library.fails["cuModuleLoadDataEx"], library.log = 218, log
    with expect_error(DeviceError, words) as raised:
        device.load_ptx(PTX, ("one",))
    assert raised.value.kind == kind
    assert not raised.value.poisoned


def test_ptx_without_the_entry(device):
    with expect_error(DeviceError, "cuModuleGetFunction results in 500") as raised:
        device.load_ptx(PTX, ("none",))
    assert raised.value.kind == "compile"


@pytest.mark.parametrize("call", ["cuModuleLoadDataEx", "cuLaunchKernel"])
def test_a_context_that_is_of_no_use_any_more_takes_no_ptx(device, library, call):
    library.fails[call] = 700
    with expect_error(DeviceError, "ILLEGAL_ADDRESS") as raised:
        device.launch(DeviceLaunch(*device.load_ptx(PTX, ("one",)), (1,), (32,), ()), 1)
    assert raised.value.kind == "illegal-access"
    assert raised.value.poisoned


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ptxas error : Entry function 'x' uses too much shared data (0x64000)", "shared-memory"),
        ("Failed in cuda mode pipeline (step: nopython frontend)", "compile"),
    ],
)
def test_what_the_compiler_says_has_a_kind(device, cuda, text, kind):
    assert compile_kind(text) == kind
    cuda.raises = RuntimeError(text)
    with pytest.raises(DeviceError) as raised:
        compiled(device)
    assert raised.value.kind == kind
    assert english(raised.value) == f"RuntimeError: {text}"


def test_a_compiler_that_fails_itself_refuses_no_kernel(device, cuda):
    """A Numba that does not fit its CUDA target: right kernels must not fail for it."""
    cuda.raises = TypeError("Signature mismatch: 2 argument types given")
    with pytest.raises(DeviceError) as raised:
        compiled(device)
    assert raised.value.kind == "compiler"


def test_an_unnamed_error_goes_by_its_number():
    assert kind_of("something", 716) == "misaligned"
    assert kind_of("something") == "launch-failed"


def test_without_a_package(monkeypatch):
    monkeypatch.setattr(compilers, "find_spec", lambda _: None)
    with expect_error(DeviceError, "No module named 'numba_cuda'") as raised:
        numba_device.open_device()
    assert raised.value.kind == "no-package"


def test_a_package_that_does_not_import(cuda, monkeypatch):
    def broken(name):
        raise ImportError("libnvvm.so.4: cannot open shared object file")

    monkeypatch.setattr(compilers, "import_module", broken)
    with expect_error(DeviceError, "libnvvm.so.4") as raised:
        numba_device.open_device()
    assert raised.value.kind == "no-package"


@pytest.fixture
def successor(monkeypatch) -> FakeCuda:
    """Stand for numba-cuda-mlir, which knows no Numba."""
    fake = FakeCuda()
    modules = {
        "numba_cuda_mlir.cuda": fake,
        "numba_cuda_mlir.cuda.cudadrv.driver": SimpleNamespace(device_memset=fake.memset),
        "numba_cuda_mlir.numba_cuda.types": SimpleNamespace(float32="f32", _hidden=1),
    }
    monkeypatch.setattr(compilers, "import_module", modules.__getitem__)
    monkeypatch.setattr(compilers, "find_spec", lambda name: name == "numba_cuda_mlir" or None)
    for name in ("numba", "numba.cuda", "numba.types"):
        monkeypatch.setitem(sys.modules, name, sys.modules.get(name))
    return fake


@pytest.mark.parametrize("package", [numba_device, mlir_device])
def test_the_successor_compiles_what_is_written_for_numba(successor, package):
    device = package.open_device()
    source = "import numba\nfrom numba import cuda, float32\n" + ARRAYS.format("out[...] = 2 * a")
    body = source.replace("from numba import cuda\n@", "@").replace("2 * a", "float32")
    kernel = device.compile(body, "double", [np.zeros(4, np.float32)] * 2)
    names = kernel.handle.function.__globals__
    assert (names["cuda"], names["float32"]) == (successor, "f32")
    assert not hasattr(names["numba"], "_hidden")
    assert kernel.registers == 40


def test_the_successor_alone_is_asked_for(cuda, monkeypatch):
    monkeypatch.setattr(compilers, "find_spec", lambda name: name == "numba_cuda" or None)
    with expect_error(DeviceError, "No module named 'numba_cuda_mlir'"):
        mlir_device.open_device()


def test_without_a_device(cuda, monkeypatch):
    monkeypatch.setattr(cuda, "is_available", lambda: False)
    cuda.cuda_error = lambda: "no driver"
    with expect_error(DeviceError, "no driver") as raised:
        numba_device.open_device()
    assert raised.value.kind == "no-device"


def test_a_copy_is_read_and_written(device, cuda, monkeypatch):
    events = iter(range(100))
    monkeypatch.setattr(
        "tests.grader.gpu.fake_cuda.FakeEvent.elapsed_time", lambda *_: 1e3 * (1 + next(events) % 3)
    )
    assert device.copy_bandwidth() == 2 * (1 << 20) / 2.0


def test_a_whole_submission(device, monkeypatch):
    monkeypatch.setattr(
        "grader.gpu.grading._check_source", lambda *_: SimpleNamespace(name="double", takes=None)
    )
    source = ARRAYS.format("out[...] = 2 * a")
    source = source.replace("from numba import cuda\n", "")
    assert GpuGrader(device).grade(request(DOUBLE, source, None, 1)).right
