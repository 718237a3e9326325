"""Writes what a GPU needs to launch the kernels: ptxas's code, and the arguments."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from bench.gpu.ptx.counted.launches import Bound, PtxLaunch
from bench.gpu.ptx.counted.texts import Compiled

_OPTIONS = ("-arch=sm_90",)


def write(found: Iterable[tuple[PtxLaunch, Compiled]], folder: Path) -> int:
    """Write a folder for `device`; return how many launches are in it."""
    folder.mkdir(parents=True, exist_ok=True)
    listed, arrays, codes = list[Any](), dict[str, Any](), dict[str, str]()
    for launch, compiled in found:
        digest = hashlib.sha256(compiled.text.encode()).hexdigest()
        if digest not in codes:
            codes[digest] = f"{len(codes)}.cubin"
            code = assemble(compiled.text)
            (folder / codes[digest]).write_bytes(code)
            (folder / codes[digest]).with_suffix(".sass").write_text(_disassemble(code), "utf-8")
        bound = launch.bind(compiled)
        asked = _describe(bound, f"{len(listed)}", arrays)
        asked |= {"name": launch.name, "sha256": digest, "entry": compiled.entry}
        listed.append(asked | {"code": codes[digest]})
    np.savez_compressed(folder / "arrays.npz", **arrays)
    (folder / "launches.json").write_text(json.dumps(listed), encoding="utf-8")
    (folder / "versions.txt").write_text(f"nvJitLink {version('nvidia-nvjitlink')}", "utf-8")
    return len(listed)


def _describe(bound: Bound, number: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """Return a launch as plain data; its arrays, and what the emulator leaves in them, are kept."""
    parameters = [bytearray(size) for size in bound.sizes]
    pointers, known = list[tuple[int, int, int]](), dict[int, int]()
    before = list[np.ndarray]()
    for each, value in zip(bound.fields, bound.values, strict=True):
        if isinstance(value, np.ndarray):
            at = known.setdefault(id(value), len(known))
            if at == len(before):
                before.append(value.copy())
            pointers.append((each.parameter, each.offset, at))
            continue
        data = np.asarray(0 if value is None else value).astype(each.dtype).tobytes()
        parameters[each.parameter][each.offset : each.offset + len(data)] = data
    bound.run()
    for at, value in enumerate({id(one): one for one in bound.values if id(one) in known}.values()):
        arrays[f"{number}_{at}"] = before[at]
        if not np.array_equal(value, before[at], equal_nan=value.dtype.kind == "f"):
            arrays[f"{number}_{at}_after"] = value
    return {
        "parameters": [bytes(each).hex() for each in parameters], "pointers": pointers,
        "arrays": len(before), "grid": _three(bound.grid), "block": _three(bound.block),
        "shared": bound.shared,
    }  # fmt: skip


def _three(sizes: Any) -> list[int]:
    given = [sizes] if isinstance(sizes, int) else list(sizes)
    return [*map(int, given), 1, 1, 1][:3]


def assemble(text: str) -> bytes:
    """Return ptxas's code for an H200."""
    linker: Any = import_module("cuda.bindings.nvjitlink")
    handle = linker.create(len(_OPTIONS), list(_OPTIONS))
    try:
        data = text.encode() + b"\0"
        linker.add_data(handle, linker.InputType.PTX, data, len(data), "kernel")
        linker.complete(handle)
        code = bytearray(linker.get_linked_cubin_size(handle))
        linker.get_linked_cubin(handle, code)
    finally:
        linker.destroy(handle)
    return bytes(code)


def _disassemble(code: bytes) -> str:
    from grader.compiled.numba_compiler import disassemble  # noqa: PLC0415 - not installed for tests

    return disassemble(code)
