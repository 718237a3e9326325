"""Launches what `write` left in a folder, under Nsight Compute: `python -m … FOLDER`.

Needs NumPy, the driver and `ncu`; nothing of it compiles.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu import nsight
from bench.gpu.ptx.driver import Device

RAW = "ncu-*.txt"
_TOGETHER = 100
"""Launches that one process profiles: what it has counted is kept if a later one fails."""
_NEAR = 1e-2
"""Relative: the order of sums and of atomics is the device's."""


def _list(folder: Path) -> list[Any]:
    found: list[Any] = json.loads((folder / "launches.json").read_text("utf-8"))
    return found


def run(folder: Path, first: int) -> None:
    """Launch some once, in order, and say of each how it ended."""
    device = Device()
    arrays = np.load(folder / "arrays.npz")
    for number, asked in list(enumerate(_list(folder)))[first : first + _TOGETHER]:
        given = [np.ascontiguousarray(arrays[f"{number}_{at}"]) for at in range(asked["arrays"])]
        after = [array.copy() for array in given]
        module = device.load((folder / asked["code"]).read_bytes())
        with device.memory(after) as addresses:
            code = device.start_grid(
                module, asked["entry"], (asked["grid"], asked["block"]),
                _parameters(asked, addresses), shared=asked["shared"],
            )  # fmt: skip
        ended = f"error {code}" if code else _compare(arrays, number, after)
        print(f"launched {asked['name']}|{asked['sha256']}|{ended}", flush=True)
        if code:
            raise SystemExit(1)


def _parameters(asked: Mapping[str, Any], addresses: Sequence[int]) -> list[bytes]:
    found = [bytearray(bytes.fromhex(each)) for each in asked["parameters"]]
    for number, offset, array in asked["pointers"]:
        found[number][offset : offset + 8] = addresses[array].to_bytes(8, "little")
    return [bytes(each) for each in found]


def _compare(arrays: Any, number: int, after: Sequence[NDArray[Any]]) -> str:
    """Return `right`, or how many elements are not what the emulator leaves."""
    wrong = 0
    for at, got in enumerate(after):
        name = f"{number}_{at}_after"
        right = arrays[name] if name in arrays else arrays[f"{number}_{at}"]
        if got.dtype.kind == "f":
            near = np.isclose(got, right, rtol=_NEAR, atol=_NEAR, equal_nan=True)
        else:
            near = got == right
        wrong += int((~near).sum())
    return f"{wrong} others" if wrong else "right"


def main(folder: Path) -> None:
    """Launch all under `ncu`."""
    device = Device()
    versions = (folder / "versions.txt").read_text("utf-8").strip()
    for first in range(0, len(_list(folder)), _TOGETHER):
        raw = folder / RAW.replace("*", str(first))
        if not raw.exists():
            command = ("-m", "bench.gpu.ptx.counted.device", str(folder), str(first))
            nsight.profile(raw, (device.name, versions), command)


if __name__ == "__main__":
    _folder, *_first = sys.argv[1:]
    if _first:
        run(Path(_folder), int(_first[0]))
    else:
        main(Path(_folder))
