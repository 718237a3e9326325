"""What goes from the emulator to the GPU: a job for each kernel, and how outputs are compared.

Needs NumPy alone: the machine with the GPU has nothing else of the emulator.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
_NEAR = {2: 3e-2, 4: 2e-3, 8: 1e-9}
"""By the bytes of a float, of its value: what functions that round otherwise, and sums in any
order, may differ by."""


@dataclass(frozen=True)
class Field:
    """Numbers within an element: their dtype, where they lie, how many there are."""

    dtype: str
    offset: int
    count: int = 1


@dataclass(frozen=True)
class Buffer:
    """Memory that a kernel gets.

    Attributes:
        count, size: its elements, and the bytes of one.
        fields: the numbers in each.
        symbol: the variable of the source whose memory it is; "" if an argument points to it.
        seed: of its values; None if the source says what it begins with.
    """

    count: int
    size: int
    fields: tuple[Field, ...]
    symbol: str = ""
    seed: int | None = None

    @property
    def nbytes(self) -> int:
        """All of it."""
        return self.count * self.size

    def fill(self) -> Bytes:
        """Draw its values: integers from 0 to 15, floats from -2 to 2."""
        found = np.zeros((self.count, self.size), np.uint8)
        if self.seed is None:
            return found.reshape(-1)
        for at, each in enumerate(self.fields):
            draw = np.random.Generator(np.random.PCG64([self.seed, at]))
            dtype = np.dtype(each.dtype)
            shape = (self.count, each.count)
            if dtype.kind == "b":
                values: Any = draw.integers(0, 2, shape)
            elif dtype.kind == "f":
                values = draw.random(shape) * 4 - 2
            else:
                values = draw.integers(0, 16, shape)
            place = slice(each.offset, each.offset + each.count * dtype.itemsize)
            found[:, place] = np.ascontiguousarray(values.astype(dtype)).view(np.uint8)
        return found.reshape(-1)

    def view(self, data: Bytes, each: Field) -> NDArray[Any]:
        """Return the numbers of a field in the bytes of the buffer."""
        dtype = np.dtype(each.dtype)
        place = slice(each.offset, each.offset + each.count * dtype.itemsize)
        rows = np.ascontiguousarray(data.reshape(self.count, self.size)[:, place])
        numbers: NDArray[Any] = rows.view(dtype)
        return numbers


@dataclass(frozen=True)
class Launch:
    """A launch, and what it left.

    Attributes:
        parameters: the bytes of each argument, in hexadecimal; pointers are zero.
        pointers: (parameter, offset in it, buffer) of each pointer.
        shared: dynamic shared memory in bytes.
        digest: of the memory before.
        picks: True if the kernel uses what an atomic returns, which the order of threads decides.
        unstable: True if arguments that differ in their last bits leave numbers that are not near.
        outputs: by number of the buffer, its bytes behind, for those that changed.
    """

    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    parameters: tuple[str, ...]
    pointers: tuple[tuple[int, int, int], ...]
    buffers: tuple[Buffer, ...]
    digest: str = ""
    picks: bool = False
    unstable: bool = False
    outputs: dict[int, Bytes] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class Job:
    """A kernel that ran in the emulator without a fault, or that it says is not C++.

    Attributes:
        repository, file, line: where it stands; the file from the repository on.
        kernel: as C++ names it, with its template's arguments.
        source: what NVRTC gets.
        launches: none of one that is not C++: NVRTC is to reject it.
    """

    repository: str
    file: str
    line: int
    kernel: str
    source: str
    launches: tuple[Launch, ...]


@dataclass
class Row:
    """What became of a kernel.

    Attributes:
        outcome: in the emulator: "runs", "faults", "idle" (it changes no memory), "budget",
            "arguments" (none can be made), "refused", "not C++", or "broken".
        why: a code, or the kinds of findings.
        device: on the GPU: see `compare`, or "not compiled", "registers" (too many for the block),
            "failed"; of one that is not C++ "rejected" or "accepted"; "" if it was not there.
        found: the first difference, or what NVRTC or the driver says.
    """

    repository: str
    file: str
    line: int
    kernel: str
    outcome: str
    why: str = ""
    device: str = ""
    found: str = ""


def digest(buffers: Sequence[Bytes]) -> str:
    """Return a hash of the memory that a launch begins with."""
    return sha256(b"".join(each.tobytes() for each in buffers)).hexdigest()[:16]


def save(job: Job, path: Path) -> None:
    """Write a job; what a launch changes is kept as the difference to what was there before."""
    arrays = dict[str, Any]()
    plain = asdict(job)
    for at, (launch, written) in enumerate(zip(job.launches, plain["launches"], strict=True)):
        del written["outputs"]
        for number, data in launch.outputs.items():
            arrays[f"{at}-{number}"] = data ^ launch.buffers[number].fill()
    arrays["job"] = np.frombuffer(json.dumps(plain).encode(), np.uint8)
    np.savez_compressed(path, **arrays)


def load(path: Path) -> Job:
    """Read a job."""
    with np.load(path) as arrays:
        plain = json.loads(arrays["job"].tobytes())
        outputs = {name: arrays[name] for name in arrays.files if name != "job"}
    launches = list[Launch]()
    for at, each in enumerate(plain.pop("launches")):
        buffers = tuple(
            Buffer(**{**one, "fields": tuple(Field(**part) for part in one["fields"])})
            for one in each.pop("buffers")
        )
        changed = {
            number: outputs[f"{at}-{number}"] ^ buffer.fill()
            for number, buffer in enumerate(buffers)
            if f"{at}-{number}" in outputs
        }
        pointers = tuple(tuple(one) for one in each.pop("pointers"))
        grid, block = tuple(each.pop("grid")), tuple(each.pop("block"))
        parameters = tuple(each.pop("parameters"))
        launches.append(
            Launch(grid, block, each.pop("shared"), parameters, pointers, buffers,
                   outputs=changed, **each)
        )  # fmt: skip
    return Job(launches=tuple(launches), **plain)


def compare(launch: Launch, given: Sequence[Bytes]) -> tuple[str, str]:
    """Compare what a GPU left with what the emulator left.

    Returns:
        "same" bits; "close"; "order": the same elements in another order, which an atomic decided;
        "rounding": other numbers where the last bits of the arguments decide; or "wrong". Then
        where it differs.
    """
    result = "same", ""
    for number, (buffer, found) in enumerate(zip(launch.buffers, given, strict=True)):
        wanted = launch.outputs.get(number)
        wanted = buffer.fill() if wanted is None else wanted
        kind, text = _compare_buffer(buffer, found, wanted)
        if kind == "same":
            continue
        text = f"{buffer.symbol or f'buffer {number}'} {text}"
        if kind == "wrong" and launch.picks and _is_permuted(buffer, found, wanted):
            kind = "order"
        if kind == "wrong" and launch.unstable:
            kind = "rounding"
        if kind == "wrong":
            return kind, text
        result = (kind, text) if result[0] in ("same", "close") else result
    return result


def _compare_buffer(buffer: Buffer, found: Bytes, wanted: Bytes) -> tuple[str, str]:
    result = "same", ""
    if np.array_equal(wanted, found):
        return result
    for each in buffer.fields:
        kind, text = _differ(buffer.view(found, each), buffer.view(wanted, each))
        if kind == "wrong":
            return kind, text
        result = result if kind == "same" else (kind, text)
    return result


def _is_permuted(buffer: Buffer, found: Bytes, wanted: Bytes) -> bool:
    """Return True if a buffer has the same elements in another order; a variable, its numbers."""
    size = buffer.size if buffer.count > 1 else np.dtype(buffer.fields[0].dtype).itemsize
    one, other = (sorted(data.view(f"V{size}").tolist()) for data in (found, wanted))
    return one == other


def _differ(found: NDArray[Any], wanted: NDArray[Any]) -> tuple[str, str]:
    """Return how numbers differ: a NaN equals any other, since its bits are open."""
    different = found.view(f"u{found.itemsize}") != wanted.view(f"u{wanted.itemsize}")
    if found.dtype.kind != "f":
        return _first("wrong", different, found, wanted)
    different &= ~(np.isnan(found) & np.isnan(wanted))
    wide, right = found.astype(np.float64), wanted.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        finite = np.abs(right[np.isfinite(right)])
        scale = max(1.0, float(np.median(finite)) if finite.size else 1.0)
        allowed = _NEAR[found.itemsize] * np.maximum(np.abs(right), scale * 0.01)
        far = different & ~(np.abs(wide - right) <= allowed) & ~(wide == right)
    if far.any():
        return _first("wrong", far, found, wanted)
    return _first("close", different, found, wanted)


def _first(
    kind: str, different: NDArray[Any], found: NDArray[Any], wanted: NDArray[Any]
) -> tuple[str, str]:
    if not different.any():
        return "same", ""
    at = int(np.flatnonzero(different)[0])
    count = int(np.count_nonzero(different))
    one, other = found.reshape(-1)[at], wanted.reshape(-1)[at]
    return kind, f"[{at}]: {one!r} on the GPU, {other!r} here ({count} of {found.size})"


def add_row(path: Path, row: Row) -> None:
    """Append a row to a file of JSON lines."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(row)) + "\n")


def read_rows(path: Path) -> list[Row]:
    """Read all rows of a file of JSON lines."""
    return [Row(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def name_of(row: Row) -> str:
    """Return the name of a row's job."""
    key = sha256(f"{row.file}:{row.line}".encode()).hexdigest()[:12]
    return f"{row.repository}-{key}"
