"""The arguments of a launch: from the bytes that a program passes to what a kernel gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.cuda.lowering.model.types import (
    ARITHMETIC,
    Arithmetic,
    ArrayOf,
    CType,
    PointerTo,
    StructType,
    VoidType,
    numbers_of,
    unnest,
)
from grader.simt.errors import InvalidLaunch
from grader.simt.intrinsics.functions.bfloat16 import from_bits
from grader.simt.memory.allocations import Heap, HeapBlock, HeapPointer


class KernelParameters(NamedTuple):
    """What a kernel takes: its signature, for errors, and its parameters' names and types."""

    signature: str
    names: Sequence[str]
    types: Sequence[CType]


def decode_arguments(
    parameters: KernelParameters, arguments: Sequence[bytes], heap: Heap
) -> list[Any]:
    """Return the values of a kernel's parameters; of a struct, its members.

    Args:
        arguments: the bytes of each.

    Raises:
        InvalidLaunch: a type has another size on the host, or another number of them is passed.
    """
    kernel, names, types = parameters
    if len(arguments) != len(types):
        count, given = len(types), len(arguments)
        raise InvalidLaunch(fact("cpp.argument-count", function=kernel, n=count, given=given))
    arrays: dict[int, NDArray[Any]] = {}
    values: list[Any] = []
    for name, kind, data in zip(names, types, arguments, strict=True):
        if len(data) != kind.size:
            size, given = kind.size, len(data)
            what = fact("program.argument-size", name=name, kernel=kernel, n=size, given=given)
            raise InvalidLaunch(what)
        values += _decode(kind, data, heap, arrays)
    return values


def _decode(kind: CType, data: bytes, heap: Heap, arrays: dict[int, NDArray[Any]]) -> list[Any]:
    match kind:
        case Arithmetic():
            found = np.frombuffer(data, kind.stored)
            return [found[0] if kind.stored == kind.dtype else np.float32(from_bits(found)[0])]
        case PointerTo():
            address = int.from_bytes(data, "little")
            address -= (address >> 63) << 64
            block = heap.find(address)
            if block is None:
                return [np.int64(address)]
            array = arrays.setdefault(block.start, _as_elements(block, kind.target))
            return [HeapPointer(address, block.start, array)]
        case StructType():
            return [
                part
                for each in kind.members
                for part in _decode(
                    each.type, data[each.offset : each.offset + each.type.size], heap, arrays
                )
            ]
        case ArrayOf(element):
            size = element.size
            each_data = (data[at : at + size] for at in range(0, len(data), size))
            return [part for each in each_data for part in _decode(element, each, heap, arrays)]
    raise AssertionError(kind)  # no argument has another type


def _as_elements(block: HeapBlock, target: CType) -> NDArray[Any]:
    """View an allocation as what a pointer points to; as bytes where that does not divide it."""
    kind, lengths = unnest(target)
    dtype, inner = _dtype_of(kind)
    shape = (*(length or 1 for length in lengths), *inner)
    whole = dtype.itemsize * int(np.prod(shape))
    if block.data.nbytes % whole:
        return block.data
    elements: NDArray[Any] = block.data.view(dtype)
    return elements.reshape(-1, *shape)


def _dtype_of(kind: CType) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Return the dtype of a type's values, and the shape of those that are a vector."""
    match kind:
        case Arithmetic():
            return kind.stored, ()
        case PointerTo():
            return np.dtype(np.int64), ()
        case StructType(vector=True) if numbers := numbers_of(kind):
            return numbers[0].stored, (len(numbers),)
        case StructType():
            return _record(kind), ()
    return ARITHMETIC["unsigned char"].dtype, ()


def _record(kind: StructType) -> np.dtype[Any]:
    """Return the dtype of a struct's fields, where they lie."""
    formats = []
    for member in kind.members:
        inner, lengths = unnest(member.type)
        dtype, shape = (np.dtype(np.uint8), ()) if isinstance(inner, VoidType) else _dtype_of(inner)
        formats.append((dtype, (*(length or 0 for length in lengths), *shape)))
    return np.dtype(
        {
            "names": [member.name for member in kind.members],
            "formats": formats,
            "offsets": [member.offset for member in kind.members],
            "itemsize": kind.size,
        }
    )
