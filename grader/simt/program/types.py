"""The types of a kernel's values. A number's type is its NumPy dtype; everything else is here.

Knows nothing of how an operation is typed: see `typing_rules`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any
from typing import Literal as OneOf

import numpy as np

from grader.facts import Fact, fact
from grader.frozen import frozen

Scalar = np.dtype[Any]

BOOL: Scalar = np.dtype(np.bool_)
INT8: Scalar = np.dtype(np.int8)
INT16: Scalar = np.dtype(np.int16)
INT32: Scalar = np.dtype(np.int32)
INT64: Scalar = np.dtype(np.int64)
UINT8: Scalar = np.dtype(np.uint8)
UINT16: Scalar = np.dtype(np.uint16)
UINT32: Scalar = np.dtype(np.uint32)
UINT64: Scalar = np.dtype(np.uint64)
FLOAT16: Scalar = np.dtype(np.float16)
FLOAT32: Scalar = np.dtype(np.float32)
FLOAT64: Scalar = np.dtype(np.float64)
COMPLEX64: Scalar = np.dtype(np.complex64)
COMPLEX128: Scalar = np.dtype(np.complex128)

BFLOAT16: Scalar = np.dtype(">f4")
"""NumPy has no bfloat16: it is a float32 that is rounded to 8 bits of precision, told apart by its
byte order, which nothing else here has. No memory holds it."""

SIGNED = (INT8, INT16, INT32, INT64)
UNSIGNED = (UINT8, UINT16, UINT32, UINT64)
REAL = (FLOAT32, FLOAT64)
COMPLEX = (COMPLEX64, COMPLEX128)
SCALARS = (BOOL, *SIGNED, *UNSIGNED, FLOAT16, *REAL, *COMPLEX)

NAMES: dict[str, Scalar] = {
    **{dtype.name: dtype for dtype in SCALARS},
    **{f"i{dtype.itemsize}": dtype for dtype in SIGNED},
    **{f"u{dtype.itemsize}": dtype for dtype in UNSIGNED},
    **dict.fromkeys(("boolean", "bool_", "b1", "bool"), BOOL),
    **dict.fromkeys(("intp", "int_", "ssize_t", "long_", "longlong", "int"), INT64),
    **dict.fromkeys(("uintp", "uint", "ulong", "ulonglong", "size_t"), UINT64),
    **dict.fromkeys(("float_", "double", "f8", "float"), FLOAT64),
    **dict.fromkeys(("single", "f4"), FLOAT32),
    **dict.fromkeys(("half", "f2"), FLOAT16),
    **dict.fromkeys(("byte", "uchar"), UINT8),
    "char": INT8,
    "short": INT16,
    "intc": INT32,
    "ushort": UINT16,
    "uintc": UINT32,
    "c8": COMPLEX64,
    "c16": COMPLEX128,
}
"""What `numba`, `numba.types` and `numpy` call them."""

Space = OneOf["global", "shared", "local", "constant"]
PointedSpace = Space | OneOf["generic"]
"""A generic pointer may point into any space, in each thread into another one."""


@frozen
class Constant:
    """An integer known at compile time: Numba's literal type, the only one that sizes an array."""

    value: int


@frozen
class Array:
    """Elements of one dtype in a memory space."""

    dtype: Scalar
    ndim: int
    space: Space
    writable: bool = True


@frozen
class RecordType:
    """A record of a structured dtype in a memory space: a variable of it names that memory."""

    dtype: Scalar
    space: Space
    writable: bool = True


@frozen
class Tuple:
    """Several values; `names` of a named tuple's."""

    items: tuple[Type, ...]
    names: tuple[str, ...] = ()


@frozen
class VectorType:
    """One of CUDA's vector types: `float32x4` holds four float32, called x, y, z, w."""

    dtype: Scalar
    size: int

    @property
    def items(self) -> tuple[Scalar, ...]:
        """The types of its members."""
        return (self.dtype,) * self.size

    @property
    def names(self) -> tuple[str, ...]:
        """What its members are called."""
        return ("x", "y", "z", "w")[: self.size]


@frozen
class Pointer:
    """An address, an int64: see `memory.allocations`.

    Attributes:
        target: what is there; a structured dtype for a struct.
        space: whose memory it is.
    """

    target: Scalar | VectorType | Pointer
    space: PointedSpace


@frozen
class Nothing:
    """The type of `None`."""


@frozen
class Slice:
    """A `slice(…)`; `parts` says which of start, stop and step it has, the others are None."""

    parts: tuple[bool, bool, bool]


@frozen
class Range:
    """A `range(…)`, whose numbers are of `dtype`."""

    dtype: Scalar


@frozen
class Series:
    """What `enumerate` and `zip` give a loop: elements of `kind`."""

    kind: Type


@frozen
class NamePath:
    """Something with a name in a module that we know: `cuda.shared.array`, `math.sqrt`."""

    name: str


@frozen
class DType:
    """A type used as a value: `float32`, `a.dtype`."""

    dtype: Scalar


@frozen
class Text:
    """A piece of text, which only a signature or `print` can use."""

    value: str


@frozen
class DeviceFunction:
    """A function of the person's own; `function` is a `source.Function`."""

    function: Any


@frozen(eq=False)
class Closure:
    """A function that is defined in a function.

    Attributes:
        function: a `source.Function`, with its own parameters.
        full: the same, with the captured variables as further parameters.
        captured: variables around it that it reads, as they are when it is called.
        scope: says which function it is defined in.
    """

    function: Any
    full: Any
    captured: tuple[str, ...]
    scope: object


@frozen
class Conflict:
    """Two types that do not go together met in a variable. An error if it is read."""

    first: Type
    second: Type


@frozen
class Member:
    """A member of an enumeration: its number if it is an `IntEnum`, else its place."""

    enum: type[Enum]

    @property
    def whole(self) -> bool:
        """True if it is a number."""
        return issubclass(self.enum, int)


@frozen
class NamedTupleClass:
    """A class that `collections.namedtuple` made."""

    value: type[tuple[Any, ...]]


@frozen
class Namespace:
    """A module or an enumeration of the person's own: something with members."""

    value: Any


@frozen
class Opaque:
    """A value with methods of its own, such as a cooperative grid: `kind` says which."""

    kind: str


@frozen
class Dynamic:
    """A value whose type only a run tells: `what` is all that its language knows of it.

    Its front end has operations for such values, and joins them where paths meet: the machine gives
    it both values of a `Choose`. In a function that returns one, what a variable or the result is
    given holds for all threads, and no warps are gathered.
    """

    what: str


Type = (
    Scalar | Constant | Array | RecordType | VectorType | Tuple | Nothing | Slice | Range | Series
    | Pointer | NamePath | DType | Text | DeviceFunction | Closure | Conflict | Opaque | Member
    | Namespace | NamedTupleClass | Dynamic
)  # fmt: skip
_SPACES: dict[Space, Fact] = {
    "global": fact("space.global"),
    "shared": fact("space.shared"),
    "local": fact("space.local"),
    "constant": fact("space.constant"),
}
_OTHERS: dict[type[Any], Fact] = {
    Text: fact("type.string"),
    Slice: fact("type.slice"),
    Range: fact("type.range"),
    Series: fact("type.series"),
    DeviceFunction: fact("type.function"),
    Closure: fact("type.function"),
    NamedTupleClass: fact("type.function"),
    Opaque: fact("type.grid"),
}
"""Types that are described alike, whatever they hold."""


def number(kind: Type) -> Scalar | None:
    """Return the dtype of a number's type; None for anything else."""
    if isinstance(kind, np.dtype):
        return kind
    if isinstance(kind, Constant):
        return UINT64 if kind.value > np.iinfo(np.int64).max else INT64
    if isinstance(kind, Pointer) or (isinstance(kind, Member) and kind.whole):
        return INT64
    return None


def is_number(kind: Type) -> bool:
    """Return True if a type is that of a number."""
    return number(kind) is not None


def describe(kind: Type) -> str | Fact:
    """Name a type in a sentence: a name of the source, or a fact."""
    match kind:
        case np.dtype():
            return name_of(kind)
        case NamePath(name):
            return name
        case Namespace(value):
            return str(value.__name__)
        case Nothing():
            return "None"
        case VectorType(dtype, size):
            return f"{dtype.name}x{size}"
        case Pointer(target):
            return fact("type.pointer", target=describe(target))
        case _:
            return _describe_value(kind)


def _describe_value(kind: Type) -> Fact:
    match kind:
        case Constant(value):
            return fact("type.number", value=str(value))
        case Array(dtype, ndim, space):
            return fact("type.array", ndim=ndim, space=_SPACES[space], dtype=name_of(dtype))
        case RecordType(dtype):
            return fact("type.record", fields=", ".join(dtype.names or ()))
        case Tuple(items):
            return fact("type.tuple", n=len(items))
        case Member(value):
            return fact("type.member", name=value.__name__)
        case DType(dtype):
            return fact("type.dtype", dtype=name_of(dtype))
        case Conflict(first, second):
            return fact("type.either", first=describe(first), second=describe(second))
        case _:
            return _OTHERS[type(kind)]


def name_of(dtype: Scalar) -> str:
    """Name a dtype; a structured one by its fields, and bfloat16, which NumPy does not know."""
    if dtype == BFLOAT16:
        return "bfloat16"
    return f"record({', '.join(dtype.names)})" if dtype.names else dtype.name


def layouts(types: Iterable[Type]) -> tuple[str, ...]:
    """Return what tells records apart that NumPy takes for equal: `align=True`."""
    return tuple(
        repr(kind.dtype)
        for kind in types
        if isinstance(kind, (Array, RecordType)) and kind.dtype.names
    )


def is_same(first: Type | None, second: Type | None) -> bool:
    """Return True if two types are one, or both None.

    To NumPy's `==`, a scalar type equals whatever has it as its `dtype`, as arrays have, and None.
    """
    return type(first) is type(second) and first == second


def join_types(first: Type, second: Type) -> Type:
    """Return the type of a variable that two paths assign."""
    if is_same(first, second):
        return first
    if isinstance(first, Conflict) or isinstance(second, Conflict):
        return first if isinstance(first, Conflict) else second
    left, right = number(first), number(second)
    if left is not None and right is not None:
        if BFLOAT16 in (left, right):
            return Conflict(first, second)  # Numba has no type for both
        return np.promote_types(left, right)
    match first, second:
        case Tuple(items), Tuple(others) if len(items) == len(others):
            parts = tuple(join_types(a, b) for a, b in zip(items, others, strict=True))
            bad = any(isinstance(part, Conflict) for part in parts)
            names = first.names if first.names == second.names else ()
            return Conflict(first, second) if bad else Tuple(parts, names)
        case Array(), Array() if (first.dtype, first.ndim) == (second.dtype, second.ndim):
            same_space = first.space == second.space
            writable = first.writable and second.writable
            return (
                Array(first.dtype, first.ndim, first.space, writable)
                if same_space
                else Conflict(first, second)
            )
        case RecordType(), RecordType() if (first.dtype, first.space) == (
            second.dtype,
            second.space,
        ):
            return RecordType(first.dtype, first.space, first.writable and second.writable)
        case _:
            return Conflict(first, second)


def real_of(dtype: Scalar) -> Scalar:
    """Return the type of a complex number's parts."""
    return FLOAT32 if dtype == COMPLEX64 else FLOAT64
