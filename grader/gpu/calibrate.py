"""The bank model beside a device's clock: timed accesses of warps to shared memory.

Of each kind and width a ladder of strides is timed, whose wavefronts nobody disputes; the time of
any other access, put on that ladder, says how many wavefronts it takes on this device.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.banks import LANES, Access, Kind, cost
from grader.gpu.device import Compiled, Device, DeviceError, Launch

_ELEMENTS = 2048
"""Of the shared array; a power of two, so that a mask keeps addresses inside."""
ROUNDS = 4096
_THREADS = 1024
_SAMPLES = 5
_SECONDS = 10.0
_NEAR = 0.2
"""Part of the model's wavefronts by which a time may be off the ladder."""
_STRIDES = (1, 2, 4, 8, 16, 32)
_TYPES = {1: "int8", 2: "int16", 4: "int32", 8: "int64"}
_KERNEL = """\
from numba import cuda, {dtype}


@cuda.jit
def timed(index, active, rounds, out):
    tile = cuda.shared.array({elements}, {dtype})
    t = cuda.threadIdx.x
    for i in range(t, {elements}, cuda.blockDim.x):
        tile[i] = {dtype}(i)
    cuda.syncthreads()
    lane = t % 32
    at = index[lane]
    total = {dtype}(0)
    if active[lane]:
        for r in range(rounds):
            {access}
            at = (at + 128) & {mask}
    cuda.syncthreads()
    out[cuda.blockIdx.x, t] = total + tile[t]
"""
_ACCESS: dict[Kind, str] = {
    "load": "total += tile[at]",
    "store": "tile[at] = {dtype}(r)",
    "atom": "cuda.atomic.add(tile, at, {dtype}(t))",
}


@dataclass(frozen=True, eq=False)
class Question:
    """One access of a warp, of which a time is asked.

    Attributes:
        index: element of each lane.
        active: which lanes take part.
        ladder: whether it is a rung that the others are measured by.
    """

    name: str
    kind: Kind
    width: int
    index: NDArray[np.int64]
    active: NDArray[np.bool_]
    ladder: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What the device says beside the model.

    Attributes:
        model: wavefronts by the bank model of this architecture.
        timed: wavefronts by the device's clock, on the ladder of its kind and width.
        agrees: whether both are the same, within what a clock can tell; None for a rung.
    """

    name: str
    kind: Kind
    width: int
    seconds: float
    model: int
    timed: float
    agrees: bool | None


def questions() -> Iterator[Question]:
    """All that are asked, the ladder of a kind and width in front of its others."""
    lanes = np.arange(LANES, dtype=np.int64)
    everyone = np.ones(LANES, np.bool_)
    for kind, width in _kinds():
        for stride in _STRIDES:
            name = f"every {stride}th word"
            yield Question(name, kind, width, _words(stride * lanes, width), everyone, ladder=True)
        half = lanes < LANES // 2
        for name, index, active in (
            ("one word for all", np.zeros(LANES, np.int64), everyone),
            ("pairs in one word", _words(32 * (lanes // 2), width), everyone),
            ("neighbours", lanes, everyone),
            ("every third", 3 * lanes, everyone),
            ("first 16 lanes, every 32nd word", _words(32 * lanes, width), half),
            ("even lanes, every 32nd word", _words(32 * lanes, width), lanes % 2 == 0),
        ):
            yield Question(name, kind, width, index, active, ladder=False)


def _kinds() -> Iterator[tuple[Kind, int]]:
    for width in _TYPES:
        yield "load", width
        yield "store", width
    yield "atom", 4


def _words(words: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Elements of a width at these words; of a wide one as many elements instead."""
    return words * 4 // width if width < 4 else words  # noqa: PLR2004 - bytes of a word


def calibrated(device: Device, rounds: int = ROUNDS) -> dict[str, Any]:
    """The answers of a device, as JSON holds them.

    Args:
        device: which.
        rounds: how often each access is repeated by every warp.

    Raises:
        DeviceError: after it this process is of no use.
    """
    answers: list[Answer] = []
    refused: list[str] = []
    for (kind, width), asked in _grouped():
        try:
            answers += _answers(device, asked, rounds)
        except DeviceError as error:
            if error.poisoned:
                raise
            refused.append(f"{kind} of {width} bytes: {error.what}")
    judged = [one for one in answers if one.agrees is not None]
    return {
        "facts": device.facts.plain(),
        "answers": [asdict(one) for one in answers],
        "agree": sum(bool(one.agrees) for one in judged),
        "differ": sum(not one.agrees for one in judged),
        "refused": refused,
    }


def _grouped() -> Iterator[tuple[tuple[Kind, int], list[Question]]]:
    groups: dict[tuple[Kind, int], list[Question]] = {}
    for one in questions():
        groups.setdefault((one.kind, one.width), []).append(one)
    yield from groups.items()


def _answers(device: Device, asked: list[Question], rounds: int) -> Iterator[Answer]:
    kind, width = asked[0].kind, asked[0].width
    dtype = _TYPES[width]
    source = _KERNEL.format(
        dtype=dtype, elements=_ELEMENTS, mask=_ELEMENTS - 1,
        access=_ACCESS[kind].format(dtype=dtype),
    )  # fmt: skip
    blocks = device.facts.multiprocessors
    out = np.zeros((blocks, _THREADS), dtype)
    given = (asked[0].index, asked[0].active, rounds, out)
    kernel = device.compile(source, "timed", given)
    seconds = [_seconds(device, kernel, one, rounds, out) for one in asked]
    model = [_model(device, one) for one in asked]
    rungs = sorted((seconds[i], model[i]) for i, one in enumerate(asked) if one.ladder)
    for one, took, expected in zip(asked, seconds, model, strict=True):
        timed = _on_ladder(took, rungs)
        near = abs(timed - expected) <= _NEAR * max(expected, 1)
        yield Answer(one.name, kind, width, took, expected, timed, None if one.ladder else near)


def _on_ladder(seconds: float, rungs: list[tuple[float, int]]) -> float:
    """Wavefronts that take so long; below the first rung by the slope from there to the last."""
    first, last = rungs[0], rungs[-1]
    if seconds < first[0] and last[0] > first[0]:
        slope = (last[1] - first[1]) / (last[0] - first[0])
        return max(0.0, first[1] - (first[0] - seconds) * slope)
    return float(np.interp(seconds, [rung[0] for rung in rungs], [rung[1] for rung in rungs]))


def _model(device: Device, one: Question) -> int:
    addresses = (one.index % _ELEMENTS) * one.width
    access = Access(one.kind, one.width, addresses, one.active)
    return cost(access, device.facts.capability).wavefronts


def _seconds(
    device: Device, kernel: Compiled, one: Question, rounds: int, out: NDArray[Any]
) -> float:
    arrays = [device.to_device(array) for array in (one.index % _ELEMENTS, one.active, out)]
    index, active, written = arrays
    launch = Launch(kernel, (out.shape[0],), (_THREADS,), (index, active, rounds, written))
    try:
        device.launch(launch, _SECONDS)
        return median(device.timed([launch] * _SAMPLES, _SECONDS))
    finally:
        for array in arrays:
            device.free(array)
