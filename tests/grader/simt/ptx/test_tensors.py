"""Tensor copies: boxes, strides, swizzles, and what is outside, in both directions; and faults.

`nvcc` compiled tests/data/ptx/tensors/copies.cu; faults are edits of its text.
"""

from __future__ import annotations

import re
import struct
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.gpu.ptx import hopper
from bench.gpu.ptx.tensors import CASES, SHARED_BYTES, TensorCase, compute, given, read
from grader.simt.launches.launching import launch
from grader.simt.launches.reports import Launch
from grader.simt.memory.allocations import Heap, HeapBlock, HeapPointer
from grader.simt.ptx.instructions.tensors import TensorMap, decode, encode
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx
from tests.sampling import every

Bytes = NDArray[np.uint8]
GIVEN, RECORD = given(), hopper.load()
_START = (1 << 62) + (1 << 52)
_APART = 1 << 40


def _map_of(case: TensorCase) -> TensorMap:
    return TensorMap(
        _START, case.type, case.swizzle, bool(case.fill), case.sizes, case.strides[:-1], case.box,
        case.all_steps,
    )  # fmt: skip


def _run(
    kernel: str, case: TensorCase, memory: tuple[Bytes, Bytes], text: str, made: bytes
) -> Launch:
    """Launch a kernel whose tensor is the first allocation, and its other array the second."""
    tensor, other = memory
    module, heap = read_ptx(text), Heap()
    found = find_kernel(module, kernel)
    fields = list_fields(found)
    heap.add(HeapBlock(_START, tensor))
    heap.add(HeapBlock(_START + _APART, other))
    place = (*case.place, 0, 0, 0, 0, 0)[:5]
    parameters = (made, struct.pack("<7i", *place, case.bytes, case.offset))
    arguments: list[Any] = []
    for each in fields[:-1]:
        data = parameters[each.parameter][each.offset :]
        arguments.append(np.frombuffer(data, each.dtype, 1)[0])
    arguments.append(HeapPointer(_START + _APART, _START + _APART, other))
    ready = lower_ptx(module, found, fields)
    return launch(ready, 1, 128, arguments, heap=heap, budget=3_000_000_000)


_FEW_TRIES = read().replace("200000", "200").replace("199999", "199")
"""What asks again and again ends soon."""
_ENDED = "error 715"
"""An illegal instruction."""
_ILLEGAL = {"finding.tensor-misaligned", "finding.tensor-negative"}


def _is_recorded(name: str, computed: Bytes, *, legal: bool) -> bool:
    """Tell whether an H200 gave that, or ended the kernel."""
    return RECORD[f"tensors/{name}"] == (hopper.digest(computed) if legal else _ENDED)


@pytest.mark.parametrize("name", every(2, CASES, str))
def test_a_box_is_loaded_as_on_an_h200(name: str) -> None:
    case, (tensor, _), out = CASES[name], GIVEN[name], np.zeros(SHARED_BYTES, np.uint8)
    rank, made = len(case.sizes), _map_of(case)
    assert decode(encode(made)) == made
    done = _run(f"load{rank}", case, (tensor.copy(), out), _FEW_TRIES, encode(made))
    codes = {each.what.code for each in done.findings}
    if not case.is_legal(stores=False):
        assert codes & _ILLEGAL
    elif case.more:  # more bytes are waited for than come
        assert "finding.race" in codes
    else:
        assert not codes
        assert np.array_equal(out, compute(case, tensor))
    assert _is_recorded(f"load/{name}", compute(case, tensor), legal=case.is_legal(stores=False))


@pytest.mark.parametrize("name", every(2, CASES, str))
def test_a_box_is_stored_as_on_an_h200(name: str) -> None:
    case, (tensor, shared) = CASES[name], GIVEN[name]
    found, rank = tensor.copy(), len(case.sizes)
    done = _run(f"store{rank}", case, (found, shared.copy()), read(), encode(_map_of(case)))
    codes = {each.what.code for each in done.findings}
    assert codes <= _ILLEGAL
    assert bool(codes) != case.is_legal(stores=True)
    if not codes:
        assert np.array_equal(found, compute(case, tensor, shared))
    legal = case.is_legal(stores=True)
    assert _is_recorded(f"store/{name}", compute(case, tensor, shared), legal=legal)


def _edit(kernel: str, pattern: str, new: str) -> str:
    """Return the text with one edit in a kernel."""
    head, sign, rest = _FEW_TRIES.partition(f".entry {kernel}(")
    own, end, others = rest.partition("\n}\n")
    edited, count = re.subn(pattern, new, own, count=1)
    assert count == 1, pattern
    return f"{head}{sign}{edited}{end}{others}"


_CASE = CASES["t2"]
_WHOLE = encode(_map_of(_CASE))
_BEYOND = encode(_map_of(_CASE._replace(sizes=(96, 400))))
FAULTS: dict[str, tuple[str, TensorCase, tuple[str, str], bytes, str]] = {
    "nobody waits": (
        "load2", _CASE, (r"mbarrier\.try_wait[^;]*;", "setp.eq.u32 p, 0, 0;"), _WHOLE, "race",
    ),
    "no barrier before the copy": ("load2", _CASE, (r"bar\.sync \t0;", ""), _WHOLE, "race"),
    "the box is not aligned": (
        "load2", _CASE._replace(offset=64), ("ret;", "ret;"), _WHOLE, "finding.bulk-misaligned",
    ),
    "the map is of another rank": (
        "store2", _CASE, ("ret;", "ret;"), encode(_map_of(CASES["t3"])), "finding.no-tensor-map",
    ),
    "no map was made": ("store2", _CASE, ("ret;", "ret;"), bytes(128), "finding.no-tensor-map"),
    "the tensor is larger than its memory": (
        "load2", _CASE._replace(place=(8, 60)), ("ret;", "ret;"), _BEYOND, "out-of-bounds",
    ),
    "no proxy fence before the store": (
        "store2", _CASE, (r"fence\.proxy\.async[^;]*;", ""), _WHOLE, "finding.no-proxy-fence",
    ),
    "no barrier before the store": ("store2", _CASE, (r"bar\.sync \t0;", ""), _WHOLE, "race"),
}  # fmt: skip


@pytest.mark.parametrize(("kernel", "case", "edit", "made", "wanted"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found(
    kernel: str, case: TensorCase, edit: tuple[str, str], made: bytes, wanted: str
) -> None:
    tensor, other = GIVEN["t2"][0].copy(), np.zeros(SHARED_BYTES, np.uint8)
    if "store" in kernel:
        other = GIVEN["t2"][1].copy()
    done = _run(kernel, case, (tensor, other), _edit(kernel, *edit), made)
    assert wanted in {word for each in done.findings for word in (each.kind, each.what.code)}
