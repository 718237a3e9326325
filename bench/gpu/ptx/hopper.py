"""What an H200 gives for clusters, tensors, reductions, `wgmma`, FP8, forms of `mma` and `wmma`.

`python -m bench.gpu.ptx hopper FOLDER` runs all of them, and writes their digests to
tests/data/ptx/hopper.csv. A case that the GPU ends with an error leaves the error's code, and the
others run in a new process, since that one can do no more.
"""

from __future__ import annotations

import csv
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu.ptx import clusters, fp8, matrices, reductions, tensors, wgmma, wholes
from bench.gpu.ptx.driver import Device, MapRequest

RECORD = Path(__file__).parents[3] / "tests" / "data" / "ptx" / "hopper.csv"
Array = NDArray[Any]
Cases = Iterator[tuple[str, Callable[[], Array]]]


class _Ended(Exception):
    """A launch ended with an error; the argument is its code."""


def run(folder: Path) -> None:
    """Run all on this machine's GPU; results are left in `hopper.npz`."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "bench.gpu.ptx.hopper", str(folder)]
    while subprocess.run(command, check=False).returncode:
        pass
    keep(folder)


def keep(folder: Path) -> None:
    """Record what is in `hopper.npz`: a digest of each case."""
    with np.load(folder / "hopper.npz") as found:
        results = dict(found)
    rows = [("case", str(results.pop("device"))), *((n, digest(results[n])) for n in results)]
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def load() -> dict[str, str]:
    """Return what was recorded: digests, or `error` and its code."""
    with RECORD.open(encoding="utf-8", newline="") as file:
        return dict(row for row in csv.reader(file) if row[0] != "case")


def digest(found: Array) -> str:
    """Return a digest of what a case gives; every NaN is the same."""
    if not found.ndim:
        return f"error {int(found)}"
    whole = np.where(np.isnan(found), np.nan, found) if found.dtype.kind == "f" else found
    return sha256(np.ascontiguousarray(whole.astype(found.dtype)).tobytes()).hexdigest()[:32]


def _run_rest(folder: Path) -> int:
    """Run what is not there yet, up to the first that ends with an error; return 1 for that."""
    file, device, results = folder / "hopper.npz", Device(), dict[str, Array]()
    if file.exists():
        with np.load(file) as before:
            results.update(before)
    results["device"], ended = np.array(device.name), 0
    parts = (_clusters, _refusals, _tensors, _reductions, _wgmma, _fp8, _matrices, _wholes)
    for name, case in chain.from_iterable(part(device) for part in parts):
        if name in results:
            continue
        try:
            results[name] = case()
        except _Ended as error:
            results[name], ended = np.array(error.args[0]), 1
            print(f"{name}: CUDA error {error}", flush=True)
            break
    np.savez_compressed(file, **results)
    print(f"{len(results) - 1} on {device.name}", flush=True)
    return ended


def _address(number: int) -> bytes:
    return number.to_bytes(8, "little")


def _see(code: int) -> None:
    if code:
        raise _Ended(code)


def _clusters(device: Device) -> Cases:
    for name in clusters.KERNELS:
        yield f"clusters/{name}", partial(_cluster, device, name)


def _cluster(device: Device, name: str) -> Array:
    own, module = clusters.KERNELS[name], device.load(clusters.read(name))
    out = own.stored.copy()
    given = [] if own.given is None else [own.given.copy()]
    with device.memory([*given, out]) as addresses:
        parameters = [*map(_address, addresses), *(struct.pack("<i", n) for n in own.numbers)]
        _see(device.start(module, name, (own.grid, own.threads), parameters, own.cluster))
    return out


def _refusals(device: Device) -> Cases:
    """Yield launches and tensor maps that cannot be, for the driver's codes."""
    for name in clusters.REFUSED:
        yield f"refused/{name}", partial(_refused_launch, device, name)
    for name, case in tensors.REFUSED.items():
        yield f"refused/{name}", partial(_refused_map, device, case)


def _refused_launch(device: Device, name: str) -> Array:
    kernel, grid, cluster = clusters.REFUSED[name]
    own, module = clusters.KERNELS[kernel], device.load(clusters.read(kernel))
    assert own.given is not None  # of those that are refused
    with device.memory([own.given.copy(), own.stored.copy()]) as addresses:
        parameters = [*map(_address, addresses), *(struct.pack("<i", n) for n in own.numbers)]
        return np.array(device.start(module, kernel, (grid, own.threads), parameters, cluster))


def _refused_map(device: Device, case: tensors.TensorCase) -> Array:
    with device.memory([np.zeros(1 << 16, np.uint8)]) as (address,):
        return np.array(device.encode(address, _request(case))[0])


def _request(case: tensors.TensorCase) -> MapRequest:
    strides = case.strides[:-1]
    return MapRequest(
        case.type, case.sizes, strides, case.box, case.all_steps, case.swizzle, case.fill
    )


def _tensors(device: Device) -> Cases:
    module, given = device.load(tensors.read()), tensors.given()
    for name, case in tensors.CASES.items():
        for kind in ("load", "store") if case.stores else ("load",):
            yield f"tensors/{kind}/{name}", partial(_box, device, module, case, kind, given[name])


def _box(
    device: Device, module: Any, case: tensors.TensorCase, kind: str, given: tuple[Array, Array]
) -> Array:
    place = struct.pack("<7i", *(*case.place, 0, 0, 0, 0, 0)[:5], case.bytes, case.offset)
    tensor, shared = (each.copy() for each in given)
    other = shared if kind == "store" else np.zeros(tensors.SHARED_BYTES, np.uint8)
    with device.memory([tensor, other]) as (first, second):
        code, made = device.encode(first, _request(case))
        _see(code)
        parameters = [made, place, _address(second)]
        _see(device.start(module, f"{kind}{len(case.sizes)}", ((1, 1), 128), parameters))
    return tensor if kind == "store" else other


def _reductions(device: Device) -> Cases:
    module, given = device.load(reductions.read()), reductions.given()
    for name, case in reductions.CASES.items():
        yield f"reductions/{name}", partial(_reduction, device, module, case, given[name])


def _reduction(
    device: Device, module: Any, case: reductions.Reduction, given: tuple[Array, Array]
) -> Array:
    copied, there = (each.copy() for each in given)
    blocks = 2 if case.where == "shared" else 1
    with device.memory([copied, there]) as (first, second):
        parameters = [_address(first), _address(second)]
        if case.where == "tensor":
            code, made = device.encode(second, _request(case.tensor))
            _see(code)
            place = [struct.pack("<i", at) for at in case.tensor.place]
            parameters = [made, *place, _address(first)]
        sizes = ((blocks, 1), reductions.THREADS)
        _see(device.start(module, case.kernel, sizes, parameters))
    return there


def _wgmma(device: Device) -> Cases:
    module = device.load(wgmma.read())
    for name, data in wgmma.given().items():
        yield f"wgmma/{name}", partial(_product, device, module, wgmma.CASES[name], data)


def _product(device: Device, module: Any, case: wgmma.WgmmaCase, data: wgmma.Given) -> Array:
    out = np.zeros_like(data.sums)
    words = struct.pack("<QQII", case.left, case.right, int(case.adds), 0)
    with device.memory([data.memory, data.sums, data.registers, out]) as addresses:
        parameters = [*map(_address, addresses[:3]), words, _address(addresses[3])]
        _see(device.start(module, case.kernel, ((1, 1), wgmma.THREADS), parameters))
    return out


def _fp8(device: Device) -> Cases:
    module = device.load(fp8.read())
    for name, case in fp8.cases().items():
        yield f"fp8/{name}", partial(_codes, device, module, name, case)


def _codes(device: Device, module: Any, name: str, case: fp8.Fp8Case) -> Array:
    out = case.stored.copy()
    with device.memory([*(each.copy() for each in case.given), out]) as addresses:
        parameters = [*map(_address, addresses)]
        if len(case.given) == 1:
            parameters.append(struct.pack("<i", out.size))
        _see(device.start(module, name, ((case.blocks, 1), case.threads), parameters))
    return out


def _matrices(device: Device) -> Cases:
    module = device.load(matrices.write())
    for name, given in matrices.given().items():
        yield f"matrices/{name}", partial(_fragments, device, module, matrices.CASES[name], given)


def _fragments(device: Device, module: Any, case: matrices.MatrixCase, given: Array) -> Array:
    out = np.zeros((matrices.BLOCKS, case.registers[0], matrices.LANES), np.uint64)
    with device.memory([given.copy(), out]) as addresses:
        parameters = [*map(_address, addresses)]
        sizes = ((matrices.BLOCKS, 1), matrices.LANES)
        _see(device.start(module, case.name, sizes, parameters))
    return case.results(out)


def _wholes(device: Device) -> Cases:
    module = device.load(wholes.write())
    for name, given in wholes.given().items():
        yield f"wmma/{name}", partial(_whole, device, module, wholes.CASES[name], given)


def _whole(device: Device, module: Any, case: wholes.WholeCase, given: tuple[Array, ...]) -> Array:
    arrays = [each.copy() for each in given]
    with device.memory(arrays) as addresses:
        sizes = ((wholes.BLOCKS, 1), wholes.LANES)
        _see(device.start(module, case.name, sizes, [*map(_address, addresses)]))
    return wholes.results(case, arrays[-1])


if __name__ == "__main__":
    sys.exit(_run_rest(Path(sys.argv[1])))
