"""Makes arguments for a kernel of which nothing but its types and names is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from bench.gpu.foreign.jobs import Buffer, Field
from grader.simt.cuda.lowering.model.types import (
    Arithmetic,
    ArrayOf,
    CType,
    PointerTo,
    StructType,
    VoidType,
)

ELEMENTS = 4096
"""Of each buffer that a pointer points to."""
_MOST_BYTES = 1 << 18
_TOTAL = re.compile(
    r"n|nn|size|len|length|.*(?:total|count|elements|numel|_size|size_|length|_len)|num_?\w+|n_\w+",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r".*(?:stride|offset|radius|filter|channel|batch|head|pad|dilation|depth|level|iter|step|seed"
    r"|start|axis|shift|bit|kernel|mask|ksize|window|pool)\w*|k|c|b|h|s|r|id",
    re.IGNORECASE,
)


class NoArguments(Exception):
    """No arguments can be made for a type: the message names it."""


class Sizes(NamedTuple):
    """What integers are: of a whole array, of an edge, and those that are small."""

    total: int
    side: int
    small: int


SIZES = (
    Sizes(1024, 32, 4), Sizes(1000, 25, 3), Sizes(256, 16, 2), Sizes(32, 32, 1),
    Sizes(16, 16, 16), Sizes(64, 8, 1), Sizes(8, 8, 8), Sizes(4, 4, 4), Sizes(1, 1, 1),
)  # fmt: skip
_FLAT = (((4,), (256,)), ((1,), (32,)), ((8,), (128,)), ((1,), (1024,)), ((2,), (64,)))
_PLANE = (((2, 2), (16, 16)), ((1, 1), (32, 32)), ((4, 4), (8, 8)), ((1, 4), (32, 8)))
_SPACE = (((2, 2, 2), (8, 8, 4)), ((4, 4, 4), (4, 4, 4)))


def geometries(source: str) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield grids with blocks for a kernel, by the axes that its source names."""
    axes = set(re.findall(r"(?:threadIdx|blockIdx) \. ([xyz])", source))
    if "z" in axes:
        yield from _SPACE
    if axes & {"y", "z"}:
        yield from _PLANE
    if "z" not in axes:
        yield from _FLAT


@dataclass
class Arguments:
    """The arguments of a launch, while they are made.

    Attributes:
        parameters: bytes of each; pointers are zero.
        pointers: see `jobs.Launch`.
    """

    sizes: Sizes
    seed: int
    parameters: list[bytes] = field(default_factory=list)
    pointers: list[tuple[int, int, int]] = field(default_factory=list)
    buffers: list[Buffer] = field(default_factory=list)

    def add(self, name: str, kind: CType) -> None:
        """Make an argument.

        Raises:
            NoArguments: a pointer is in memory, or something of another kind.
        """
        data = bytearray(kind.size)
        self._put(name, kind, data, 0)
        self.parameters.append(bytes(data))

    def _put(self, name: str, kind: CType, data: bytearray, offset: int) -> None:
        match kind:
            case Arithmetic():
                data[offset : offset + kind.size] = self._number(name, kind)
            case PointerTo(target=target):
                self.pointers.append((len(self.parameters), offset, len(self.buffers)))
                self.buffers.append(make_buffer(target, self.seed + len(self.buffers)))
            case StructType(members=members):
                for each in members:
                    self._put(each.name, each.type, data, offset + each.offset)
            case ArrayOf(element=element, length=length):
                for at in range(length or 0):
                    self._put(name, element, data, offset + at * element.size)
            case _:
                raise NoArguments(kind.name)

    def _number(self, name: str, kind: Arithmetic) -> bytes:
        if kind.dtype.kind == "b":
            value: float = 1
        elif kind.dtype.kind == "f":
            value = np.random.Generator(np.random.PCG64([self.seed, len(name)])).random() + 0.25
        elif _TOTAL.fullmatch(name):
            value = self.sizes.total
        elif _SMALL.fullmatch(name):
            value = self.sizes.small
        else:
            value = self.sizes.side
        if kind.dtype.itemsize == 1:
            value = min(value, 100)
        return np.asarray(value).astype(kind.dtype).tobytes()


def make_buffer(kind: CType, seed: int | None, symbol: str = "") -> Buffer:
    """Describe memory of elements of a type; of a variable, that of one element.

    Raises:
        NoArguments: there are pointers in it.
    """
    size = max(kind.size, 1)
    count = 1 if symbol else max(1, min(ELEMENTS, _MOST_BYTES // size))
    return Buffer(count, size, tuple(_join(list(_fields(kind, 0)))), symbol, seed)


def _fields(kind: CType, offset: int) -> Iterator[Field]:
    match kind:
        case Arithmetic():
            yield Field(kind.stored.str, offset)
        case VoidType():
            yield Field("|u1", offset)
        case StructType(members=members):
            for each in members:
                yield from _fields(each.type, offset + each.offset)
        case ArrayOf(element=Arithmetic() as element, length=length):
            yield Field(element.stored.str, offset, length or 0)
        case ArrayOf(element=element, length=length):
            for at in range(length or 0):
                yield from _fields(element, offset + at * element.size)
        case _:
            raise NoArguments(f"{kind.name} in memory")


def _join(fields: Sequence[Field]) -> Iterator[Field]:
    """Yield fields; neighbors of one dtype are one."""
    last: Field | None = None
    for each in fields:
        if last is not None and last.dtype == each.dtype:
            end = last.offset + last.count * np.dtype(last.dtype).itemsize
            if end == each.offset:
                last = Field(last.dtype, last.offset, last.count + each.count)
                continue
        if last is not None:
            yield last
        last = each
    if last is not None:
        yield last
