"""Arguments of a kernel as a person writes them: `in=f32[256, 256]:random, out=f32[256], n=256`.

A size may be computed from numbers among the arguments: `in=f32[2*n]:random, n=256`. A struct is
its members in braces, in order or by name: `p={n=256, scale=0.5}`. The map of a tensor is
`tensor(f16[64, 256]:random, box=[8, 64], swizzle=128)`, with axes as the array has them.

Knows no kernel: what it takes is `fitting`'s to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.compute import NotComputable, compute
from grader.did_you_mean import choices, suggest
from grader.facts import Fact, fact
from grader.simt.cuda.lowering.model.types import BFLOAT, BUILT_IN, StructType, numbers_of
from grader.simt.errors import InvalidLaunch
from grader.simt.host.files.narrow_floats import NARROW_FLOATS, narrow_float

MOST_BYTES = 1 << 30
"""Of all arrays: the emulator needs some times as much for them."""
_SIZES = {"f": (16, 32, 64), "i": (8, 16, 32, 64), "u": (8, 16, 32, 64)}
_KINDS = {"f": "float", "i": "int", "u": "uint"}
DTYPES = {
    f"{letter}{bits}": np.dtype(f"{_KINDS[letter]}{bits}")
    for letter, sizes in _SIZES.items()
    for bits in sizes
} | {"bool": np.dtype(np.bool_)}
"""By short names; NumPy's own and those of C++ are known, too."""
_C_NAMES = {
    "half": "f16", "float": "f32", "double": "f64", "char": "i8", "short": "i16", "int": "i32",
    **{f"int{bits}_t": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": f"u{bits}" for bits in (8, 16, 32, 64)}, "size_t": "u64",
    "uchar": "u8", "ushort": "u16", "uint": "u32", "unsigned": "u32",
    **dict.fromkeys(("__nv_bfloat16", "nv_bfloat16", "bfloat16"), "bf16"),
    **{f"__nv_fp8_{name}": name for name in ("e4m3", "e5m2")},
}  # fmt: skip
"""Those of C++, by the shorter names."""
_ELEMENTS = {**DTYPES, **{name: each.dtype for name, each in NARROW_FLOATS.items()}}
"""By the names that advice lists."""
_NAMES = {
    **_ELEMENTS,
    **{str(dtype): dtype for dtype in DTYPES.values()},
    **{name: _ELEMENTS[short] for name, short in _C_NAMES.items()},
}
_BELOW = re.compile(r"random\(0*([1-9]\d{0,8})\)")
_FILLS = ("random", "normal", "sorted", "zeros", "ones", "arange")
_RANDOM_INTEGERS = 100
"""Random integers are from 0 to one less than that."""
_NEXT_SEED = 1000
"""Between the members of a struct: no other argument has the same."""
_ARRAY = re.compile(r"(?P<type>[A-Za-z_]\w*) *\[(?P<shape>[^][]*)\] *(?::(?P<fill>.*))?")
_SIZED = re.compile(r"(?<=[A-Za-z_0-9 ])\[([^][]*)\]|(?<=:random)\(([^()]*)\)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_INTEGER = re.compile(r"([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlL]*")
_REAL = re.compile(r"([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf|nan))[fF]?")
_WORDS = {"true": True, "false": False, "nullptr": None, "NULL": None}


class WrittenTensor(NamedTuple):
    """The map of a tensor, as `cuTensorMapEncodeTiled` makes one.

    Attributes:
        array: the tensor, its last axis contiguous; `box` and `steps` are in the same order.
        swizzle: bytes: 0, 32, 64, or 128.
        fill: `zeros` or `nan`: what is outside.
    """

    array: NDArray[Any]
    box: tuple[int, ...]
    steps: tuple[int, ...]
    swizzle: int = 0
    fill: str = "zeros"


class WrittenArgument(NamedTuple):
    """An argument of a launch.

    Attributes:
        value: an array, a number, None for a null pointer, the map of a tensor, or a struct: a
            tuple, or by name.
        unfilled: its arrays without a fill: as `cudaMalloc` returns them.
    """

    value: Any
    unfilled: tuple[NDArray[Any], ...] = ()
    arrays: tuple[NDArray[Any], ...] = ()


def read_arguments(
    text: str, kernel: str, parameters: Sequence[str], defaults: Mapping[str, Any]
) -> list[WrittenArgument]:
    """Read the arguments of a launch, by position and by name, in the order of the parameters.

    Args:
        kernel: its signature, for errors.
        defaults: what some of them are if they are not given.

    Raises:
        InvalidLaunch: it is not written so, or the names are not those of the parameters.
    """
    found = read_texts(text, kernel, parameters)
    numbers = {name: int(written) for name, written in found.items() if written.isdecimal()}
    left = MOST_BYTES
    arguments, missing = list[WrittenArgument](), list[str]()
    for seed, name in enumerate(parameters):
        if name not in found:
            if name in defaults:
                arguments.append(WrittenArgument(defaults[name]))
            else:
                missing.append(name)
            continue
        argument = _read_value(name, put_numbers(found[name], numbers), seed, left)
        left -= sum(array.nbytes for array in argument.arrays)
        arguments.append(argument)
    if missing:
        raise InvalidLaunch(fact("cpp.written-missing", names=tuple(missing), kernel=kernel))
    return arguments


def read_texts(text: str, kernel: str, parameters: Sequence[str]) -> dict[str, str]:
    """Return what a person wrote for each parameter that is given, by name.

    Raises:
        InvalidLaunch: see `read_arguments`.
    """
    found: dict[str, str] = {}
    parts, named = list(_split(text)), False
    for place, part in enumerate(parts):
        name, written = _take_name(part)
        named = named or bool(name)
        if named and not name:
            raise InvalidLaunch(fact("cpp.written-order", text=part))
        if place >= len(parameters):
            n, given = len(parameters), len(parts)
            raise InvalidLaunch(fact("cpp.argument-count", function=kernel, n=n, given=given))
        name = name or parameters[place]
        if name not in parameters:
            what = fact("simt.no-parameter", name=name, function=kernel)
            raise InvalidLaunch(what, suggest(name, parameters))
        if name in found:
            raise InvalidLaunch(fact("cpp.written-twice", name=name))
        found[name] = written
    return found


def put_numbers(text: str, numbers: Mapping[str, int]) -> str:
    """Return an argument with the sizes of its arrays, and what bounds their fill, as integers."""
    return _SIZED.sub(partial(_put_numbers, numbers), text)


def _put_numbers(numbers: Mapping[str, int], found: re.Match[str]) -> str:
    whole = found[0]
    if not _NAME.search(whole):
        return whole
    sizes = (each if each.isdecimal() else _compute(each, numbers) for each in _split(whole[1:-1]))
    return f"{whole[0]}{', '.join(sizes)}{whole[-1]}"


def names_of_sizes(text: str) -> set[str]:
    """Return the names that sizes of an argument are computed from."""
    return {name for found in _SIZED.finditer(text) for name in _NAME.findall(found[0])}


def _compute(text: str, numbers: Mapping[str, int]) -> str:
    """Return the integer that a size is; the size as it is if that is not known."""
    if set(_NAME.findall(text)) <= numbers.keys():
        with suppress(NotComputable):
            value = compute(text, numbers)
            if value == int(value):
                return str(int(value))
    return text


def _split(text: str) -> Iterator[str]:
    """Yield what is between commas that are in no brackets."""
    if not text.strip():
        return
    depth, start = 0, 0
    for at, character in enumerate(text):
        depth += (character in "[({") - (character in "])}")
        if character == "," and depth <= 0:
            yield text[start:at].strip()
            start = at + 1
    yield text[start:].strip()


def _take_name(part: str) -> tuple[str, str]:
    """Return the name of an argument, "" if it has none, and its value."""
    name, equals, written = part.partition("=")
    if equals and re.fullmatch(r"[A-Za-z_]\w*(?:\+\d+)?", name.strip()):
        return name.strip(), written.strip()
    return "", part


def _read_value(name: str, text: str, seed: int, left: int) -> WrittenArgument:
    if (array := _ARRAY.fullmatch(text)) is not None:
        return _read_array(name, text, array, seed, left)
    if text.startswith("tensor(") and text.endswith(")"):
        return _read_tensor(name, text, seed, left)
    if (text[:1], text[-1:]) in (("{", "}"), ("(", ")")):
        return _read_struct(name, text, seed, left)
    return WrittenArgument(_WORDS[text] if text in _WORDS else _read_number(name, text))


def _read_struct(name: str, text: str, seed: int, left: int) -> WrittenArgument:
    """Read the members of a struct: all of them by name, or none."""
    parts = [_take_name(part) for part in _split(text[1:-1])]
    names = [own for own, _ in parts]
    if any(names) and not (all(names) and len(set(names)) == len(names)):
        raise InvalidLaunch(fact("cpp.written-form", name=name, text=text))
    members = list[WrittenArgument]()
    for own, written in parts:
        members.append(_read_value(f"{name}.{own}" if own else name, written, seed, left))
        left -= sum(array.nbytes for array in members[-1].arrays)
        seed += _NEXT_SEED
    values = [each.value for each in members]
    return WrittenArgument(
        dict(zip(names, values, strict=True)) if any(names) else tuple(values),
        tuple(array for each in members for array in each.unfilled),
        tuple(array for each in members for array in each.arrays),
    )


def _read_tensor(name: str, text: str, seed: int, left: int) -> WrittenArgument:
    """Read the map of a tensor: its array, then by name its box, and what else is to be said."""
    first, *others = [*_split(text.removeprefix("tensor(")[:-1])] or [""]
    said = dict(map(_take_name, others))
    if not said.get("swizzle", "0").isdecimal() or _ARRAY.fullmatch(first) is None:
        raise InvalidLaunch(fact("cpp.written-tensor", name=name, text=text))
    found = _read_value(name, first, seed, left)
    shape = found.value.shape
    sizes = {
        key: tuple(map(int, re.findall(r"[0-9]+", said.get(key, "1" + ",1" * (len(shape) - 1)))))
        for key in ("box", "steps")
    }
    swizzle, fill = int(said.get("swizzle", "0")), said.get("fill", "zeros")
    made = WrittenTensor(found.value, sizes["box"], sizes["steps"], swizzle, fill)
    wrong = said.keys() - {"box", "steps", "swizzle", "fill"} or "box" not in said
    if wrong or {len(each) for each in sizes.values()} != {len(shape)}:
        raise InvalidLaunch(fact("cpp.written-tensor", name=name, text=text))
    return found._replace(value=made)


def _read_number(name: str, text: str) -> int | float:
    if (integer := _INTEGER.fullmatch(text)) is not None:
        sign, digits = integer.groups()
        base = {"x": 16, "b": 2}.get(digits[1:2].lower(), 10)
        return int(f"{sign}{digits}", base)
    if (real := _REAL.fullmatch(text)) is not None:
        return float(real[1])
    raise InvalidLaunch(fact("cpp.written-form", name=name, text=text))


def _read_array(
    name: str, text: str, array: re.Match[str], seed: int, left: int
) -> WrittenArgument:
    vector = BUILT_IN.get(array["type"])
    dtype = _NAMES.get(array["type"])
    shape = tuple(_read_size(name, text, size) for size in array["shape"].split(","))
    if isinstance(vector, StructType) and vector.source is None and dtype is None:
        first, *others = numbers_of(vector)
        dtype = NARROW_FLOATS["bf16"].dtype if first is BFLOAT else first.dtype
        shape = (*shape, 1 + len(others))
    if dtype is None:
        what = fact("cpp.written-type", name=name, type=array["type"])
        raise InvalidLaunch(what, suggest(array["type"], _ELEMENTS, choices(_ELEMENTS)))
    size = prod(shape) * dtype.itemsize
    if size > left:
        raise InvalidLaunch(fact("cpp.written-large", name=name, text=text, most=MOST_BYTES))
    fill = array["fill"]
    if fill is None:
        empty = np.zeros(shape, dtype)
        return WrittenArgument(empty, (empty,), (empty,))
    filled = _fill(name, fill.strip(), shape, dtype, seed)
    return WrittenArgument(filled, arrays=(filled,))


def _read_size(name: str, text: str, size: str) -> int:
    if not re.fullmatch(r"0*[1-9]\d{0,18}", size.strip()):
        raise InvalidLaunch(fact("cpp.written-size", name=name, text=text, size=size.strip()))
    return int(size)


def _fill(
    name: str, fill: str, shape: tuple[int, ...], dtype: np.dtype[Any], seed: int
) -> NDArray[Any]:
    """Return an array with what a fill puts into it; the same for the same place in the list."""
    narrow = narrow_float(dtype)
    if narrow is not None:
        numbers = _fill(name, fill, shape, np.dtype(np.float32), seed)
        return narrow.encode(numbers).astype(narrow.dtype)
    match fill:
        case "zeros" | "ones":
            return np.full(shape, fill == "ones", dtype)
        case "arange":
            return np.arange(prod(shape)).astype(dtype).reshape(shape)
        case "random":
            random = np.random.default_rng(seed)
            if dtype.kind == "f":
                return random.random(shape).astype(dtype)
            most = 2 if dtype.kind == "b" else _RANDOM_INTEGERS
            return random.integers(most, size=shape).astype(dtype)
        case _ if dtype.kind in "iu" and (below := _BELOW.fullmatch(fill)) is not None:
            drawn = np.random.default_rng(seed).integers(int(below[1]), size=shape).astype(dtype)
            drawn.flat[0] = int(below[1]) - 1  # what they index is seen as long as it is
            return drawn
        case "normal" | "sorted" if dtype.kind in "fi":
            random = np.random.default_rng(seed)
            drawn = random.normal(size=shape) * (1 if dtype.kind == "f" else _RANDOM_INTEGERS / 4)
            drawn = np.sort(drawn) if fill == "sorted" else drawn
            return np.clip(drawn, -_RANDOM_INTEGERS, _RANDOM_INTEGERS).astype(dtype)
    if not fill.endswith(".npy"):
        advice: Fact = suggest(fill, (*_FILLS, "FILE.npy"), choices((*_FILLS, "FILE.npy")))
        raise InvalidLaunch(fact("cpp.written-fill", name=name, fill=fill), advice)
    return _load(name, fill, shape, dtype)


def _load(name: str, file: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    try:
        found = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InvalidLaunch(fact("cpp.written-file", name=name, file=file, why=why)) from None
    if found.dtype != dtype or found.shape != shape:
        holds = f"{found.dtype}{list(found.shape)}"
        what = fact("cpp.written-other", name=name, file=file, holds=holds)
        raise InvalidLaunch(what)
    return np.array(found)
