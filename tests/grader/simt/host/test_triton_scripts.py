"""Scripts in Triton, as they are: what they ask of kernels and of a device, and no false races."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.extras import is_installed

_HEAD = """import numpy as np
import triton
import triton.language as tl


class Tensor:  # as PyTorch's: of before DLPack 1.0
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self):
        return self.array.__dlpack__()


"""
_OCCUPANCY = """@triton.jit
def twice(a, out, n, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(out + at, 2 * tl.load(a + at, mask=at < n), mask=at < n)


a, out = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
kernel = twice.warmup(Tensor(a), Tensor(out), 100, TILE=128, grid=(1,))
kernel._init_handles()
assert 0 < kernel.n_regs <= 255 and kernel.n_spills == 0
kernel[(1, 1, 1)](Tensor(a), Tensor(out), 100, 128)
assert (out == 2 * a).all()
"""
_IN_PLACE = """@triton.jit
def halve(a, TILE: tl.constexpr):
    at = tl.arange(0, TILE)
    tl.store(a + at, tl.load(a + at) / 2)


a = np.arange(32, dtype=np.float32)
halve[(1,)](Tensor(a), TILE=32)
assert (a == np.arange(32) / 2).all()
"""
_SHIFTED = (
    _IN_PLACE.replace("tl.load(a + at) / 2)", "tl.load(a + at + 1) / 2)")
    .replace("a = np.arange(32,", "a = np.arange(1, 34,")
    .replace("(a ==", "(a[:32] ==")
    .replace("np.arange(32) / 2", "np.arange(2, 34) / 2")
)
_VIEWS = """@triton.jit
def copy(out, a, across, down, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    tl.store(out + row * COLUMNS + column, tl.load(a + row * down + column * across))


@triton.jit
def twice(out, a, TILE: tl.constexpr):
    at = tl.arange(0, TILE)
    tl.store(out + at, 2 * tl.load(a + at))


a = np.arange(32 * 64, dtype=np.float32).reshape(32, 64)
for view in (a.T, a[:, 16:48], a[::-1], a[8:, ::2][:16], np.broadcast_to(a[1], (16, 64))):
    out = np.zeros(view.shape, np.float32)
    down, across = (each // 4 for each in view.strides)
    copy[(1,)](out, view, across, down, ROWS=view.shape[0], COLUMNS=view.shape[1])
    assert (out == view).all()
row = np.arange(32, dtype=np.float32)
twice[(1,)](row, row, TILE=32)
assert (row == 2 * np.arange(32)).all()
"""
_PRINTS = """@triton.jit
def show(a, n, TILE: tl.constexpr):
    tl.device_print("n", n)
    tl.device_print("a", tl.load(a + tl.arange(0, TILE)))


show[(1,)](np.arange(5, 37, dtype=np.int32), 7, TILE=32, num_warps=1)
"""
_ASSERTS = """@triton.jit(debug=True)
def check(a, out, TILE: tl.constexpr):
    value = tl.load(a + tl.arange(0, TILE))
    tl.device_assert(value < 5, "too large")
    tl.store(out + tl.arange(0, TILE), value)


check[(1,)](np.arange(32, dtype=np.int32), np.zeros(32, np.int32), TILE=32)
"""
_OUTSIDE = """@triton.jit
def add(a, out, n, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(out + at, tl.load(a + at) + 1, mask=at < n)


add[(4,)](np.zeros(1000, np.float32), np.zeros(1000, np.float32), 1000, TILE=256)
"""
_TABLE = """import torch


@triton.jit
def twice(table, n, TILE: tl.constexpr):
    a = tl.load(table + tl.program_id(0)).to(tl.pointer_type(tl.float32))
    at = tl.arange(0, TILE)
    tl.store(a + at, 2 * tl.load(a + at, mask=at < n), mask=at < n)


several = [torch.arange(50.0), torch.arange(50.0) + 100]
twice[(2,)](torch.tensor([each.data_ptr() for each in several]), 50, TILE=64)
assert (several[1] == 2 * (torch.arange(50.0) + 100)).all()
"""
_ON_CUDA = """import torch

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def twice(a, out, n, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(out + at, 2 * tl.load(a + at, mask=at < n), mask=at < n)


def run(a):
    assert a.is_cuda and a.device == DEVICE == torch.device("cuda", torch.cuda.current_device())
    out = torch.empty_like(a, device="cuda")
    with torch.cuda.device(a.device):
        twice[(triton.cdiv(a.numel(), 64),)](a, out, a.numel(), TILE=64)
    torch.cuda.synchronize()
    return out


assert torch.cuda.is_available() and torch.cuda.get_device_capability() == (8, 0)
assert torch.cuda.get_device_properties(DEVICE).multi_processor_count == 108
host = torch.rand(100)
for a in (host.cuda(), host.to(DEVICE), host.to(device="cuda", dtype=torch.float32)):
    kept = a.cpu()
    assert torch.equal(run(a), 2 * a) and torch.equal(run(a).to("cpu"), 2 * host)
    a.zero_()
    assert torch.equal(kept, host)
run(torch.ones(64, device=torch.device("cuda:0"), pin_memory=True))
layer = torch.nn.Linear(8, 8, device="cuda").to("cuda")
layer(torch.randn(4, 8, device=DEVICE)).sum().backward()
run(layer.weight.grad)
"""
_TIMED = "triton.testing.do_bench(lambda: None)\n"
_EVENT = "import torch\n\ntorch.cuda.Event(enable_timing=True)\n"


def _profile(tmp_path: Path, body: str) -> tuple[int, Any]:
    done = _run(tmp_path, body)
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


def _run(tmp_path: Path, body: str) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "script.py"
    script.write_text(_HEAD + body, encoding="utf-8")
    command = [sys.executable, "-m", "quizapp", "profile", str(script), "--json"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


pytestmark = pytest.mark.skipif(not is_installed("triton"), reason="needs the extra `triton`")


@pytest.mark.parametrize(
    "body", [_OCCUPANCY, _IN_PLACE, _VIEWS], ids=["occupancy", "copies of elements", "views"]
)
def test_a_script_runs_as_it_is(tmp_path: Path, body: str) -> None:
    status, report = _profile(tmp_path, body)
    assert status == 0, report
    assert report["launches"][0]["findings"] == []


def test_an_element_that_another_thread_still_reads_is_a_race(tmp_path: Path) -> None:
    _, report = _profile(tmp_path, _SHIFTED)
    assert [each["kind"] for each in report["launches"][0]["findings"]] == ["global-race"]


def test_what_a_kernel_prints_is_what_it_holds(tmp_path: Path) -> None:
    done = _run(tmp_path, _PRINTS)
    assert done.returncode == 0, done.stdout
    said = [line for line in done.stderr.splitlines() if line.startswith("pid")]
    wanted = [f"pid (0, 0, 0) idx ({at:2}) a: {at + 5}" for at in range(32)]
    assert sorted(said) == sorted(["pid (0, 0, 0) idx () n: 7"] * 32 + wanted)


@pytest.mark.parametrize(
    ("body", "kind", "facts"),
    [
        (_ASSERTS, "stopped", {"condition": "too large"}),
        (_OUTSIDE, "out-of-bounds", {"index": "1000", "shape": "(1000,)"}),
    ],
)
def test_a_fault_is_said_in_the_terms_of_the_script(
    tmp_path: Path, body: str, kind: str, facts: dict[str, str]
) -> None:
    _, report = _profile(tmp_path, body)
    (found,) = report["launches"][0]["findings"]
    assert found["kind"] == kind
    assert facts.items() <= found["what"]["fields"].items(), found


@pytest.mark.parametrize("body", [_TABLE, _ON_CUDA], ids=["a table of addresses", "on a GPU"])
def test_tensors_of_pytorch_lie_on_the_cpu_wherever_they_were_asked_for(
    body: str, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    status, report = _profile(tmp_path, body)
    assert status == 0, report
    assert report.get("on_cpu", []) == (["PyTorch"] if body is _ON_CUDA else [])
    assert report["launches"][0]["findings"] == []


@pytest.mark.parametrize(
    ("body", "code"), [(_TIMED, "triton.no-times"), (_EVENT, "triton.torch-gpu")]
)
def test_what_measures_on_a_gpu_is_refused_by_name(body: str, code: str, tmp_path: Path) -> None:
    if body is _EVENT:
        pytest.importorskip("torch")
    _, report = _profile(tmp_path, body)
    assert report["refused"]["what"]["code"] == code
