"""The types of C++ values: what a name of the source means once templates are specialized.

Sizes and alignments are bytes, as on a device: `long` has 8, a pointer too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from grader.frozen import frozen
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.places import Place
from grader.simt.program.types import (
    BFLOAT16,
    BOOL,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    Scalar,
)


@frozen(eq=False)
class EnumSource:
    """What an enumeration is: each is a type of its own.

    Attributes:
        values: of its enumerators, by name.
        scoped: True for an `enum class`, which converts to nothing by itself.
    """

    values: Mapping[str, int]
    scoped: bool


@frozen(eq=False)
class Arithmetic:
    """A number, or an enumeration. There is one object of each type.

    Attributes:
        rank: of an integer, for conversions; floats rank above all integers.
        enum: what an enumeration is; None for all others.
    """

    name: str
    dtype: Scalar
    rank: int
    enum: EnumSource | None = field(default=None, repr=False)

    @property
    def stored(self) -> Scalar:
        """What memory holds of it: of a bfloat16 its bits, since NumPy has no such number."""
        return UINT16 if self.dtype == BFLOAT16 else self.dtype

    @property
    def size(self) -> int:
        """Its bytes."""
        return self.stored.itemsize

    @property
    def alignment(self) -> int:
        """The bytes that its address is a multiple of."""
        return self.stored.itemsize

    @property
    def is_integer(self) -> bool:
        """True for integers, characters and bool."""
        return self.dtype.kind in "iub"

    @property
    def is_signed(self) -> bool:
        """True for what can be negative."""
        return self.dtype.kind in "if"


@frozen
class VoidType:
    """`void`: no value."""

    name: str = "void"
    size: int = 1
    alignment: int = 1


@frozen
class PointerTo:
    """A pointer; `const` if what it points to cannot be written through it.

    Attributes:
        volatile: True if threads may synchronize by what it points to; else it is the same type.
    """

    target: CType
    const: bool = False
    size: int = 8
    alignment: int = 8
    volatile: bool = field(default=False, compare=False)

    @property
    def name(self) -> str:
        """As it is written."""
        return f"{'const ' if self.const else ''}{self.target.name}*"


@frozen
class ReferenceTo(PointerTo):
    """What a struct has for a member that is a reference: where that is which it refers to."""


@frozen
class ArrayOf:
    """An array; `length` is None for `extern __shared__ float s[]`."""

    element: CType
    length: int | None

    @property
    def name(self) -> str:
        """As it is written."""
        inner, lengths = unnest(self)
        return inner.name + "".join("[]" if n is None else f"[{n}]" for n in lengths)

    @property
    def size(self) -> int:
        """Its bytes; 0 without a length."""
        return self.element.size * (self.length or 0)

    @property
    def alignment(self) -> int:
        """Of an element."""
        return self.element.alignment


ANONYMOUS = "anonymous:"
"""Begins the name of a member without one; no source has such a name."""
BASE = "base:"
"""Begins the name of the member that a base is: bases come before all other members."""


@frozen
class MemberOf:
    """A member of a struct, at an offset in bytes."""

    name: str
    type: CType
    offset: int


@frozen(eq=False)
class StructSource:
    """Where a struct is defined, and what the parameters of its template stand for.

    Attributes:
        arguments: of the template, of which `tree` may be a specialization.
    """

    tree: declared.Struct
    bindings: dict[str, Any]
    arguments: tuple[Any, ...] = ()


@dataclass(eq=False, slots=True)
class StructType:
    """A struct, a class, or one of CUDA's vector types.

    One of the source is made before it is laid out, since its members may point to it.

    Attributes:
        size: 0 until it is laid out.
            A union has its bits as words, so that a copy of it is one of all its bits.
        alternatives: the members of a union, which are all at its beginning.
        content: its bytes without those that fill it up at its end, where a struct that it is a
            base of has its own first member.
        vector: of a vector type: accessed as one, up to 16 bytes.
        source: where the source defines it; None for CUDA's own.
        parts: its members and those of its members, without the elements of arrays.
        closure: of what a lambda makes: its members are what it captures.
        references: the names of those that it captures by reference.
    """

    name: str
    members: tuple[MemberOf, ...] = field(default=(), repr=False)
    size: int = 0
    alignment: int = 1
    vector: bool = False
    source: StructSource | None = field(default=None, repr=False)
    parts: int = 0
    closure: bool = False
    references: frozenset[str] = frozenset()
    alternatives: tuple[MemberOf, ...] = ()
    content: int = 0

    @property
    def bases(self) -> tuple[StructType, ...]:
        """The structs that it is made of, in order."""
        return tuple(
            each.type
            for each in self.members
            if each.name.startswith(BASE) and isinstance(each.type, StructType)
        )

    @property
    def named(self) -> tuple[MemberOf, ...]:
        """Its members by their names: of a union, what it may hold."""
        return self.alternatives or self.members

    def member(self, name: str) -> int | None:
        """Return the place of a member; None if there is none of this name."""
        places = (place for place, member in enumerate(self.named) if member.name == name)
        return next(places, None)

    def path(self, name: str) -> tuple[int, ...]:
        """Return the places that lead to a member, which may be a base's or an anonymous one's."""
        found = self.member(name)
        if found is not None:
            return (found,)
        for at, each in enumerate(self.named):
            if each.name.startswith((ANONYMOUS, BASE)) and isinstance(each.type, StructType):
                inner = each.type.path(name)
                if inner:
                    return (at, *inner)
        return ()


@frozen
class FunctionOf:
    """What a pointer to a function points to."""

    result: CType
    parameters: tuple[CType, ...]
    size: int = 1
    alignment: int = 1

    @property
    def name(self) -> str:
        """As it is written."""
        return f"{self.result.name} ({', '.join(each.name for each in self.parameters)})"


CType: TypeAlias = "Arithmetic | VoidType | PointerTo | ArrayOf | StructType | FunctionOf"

BOOLEAN = Arithmetic("bool", BOOL, 0)
CHAR = Arithmetic("char", INT8, 1)
SIGNED_CHAR = Arithmetic("signed char", INT8, 1)
UNSIGNED_CHAR = Arithmetic("unsigned char", UINT8, 1)
SHORT = Arithmetic("short", INT16, 2)
UNSIGNED_SHORT = Arithmetic("unsigned short", UINT16, 2)
INT = Arithmetic("int", INT32, 3)
UNSIGNED = Arithmetic("unsigned int", UINT32, 3)
LONG = Arithmetic("long", INT64, 4)
UNSIGNED_LONG = Arithmetic("unsigned long", UINT64, 4)
LONG_LONG = Arithmetic("long long", INT64, 5)
UNSIGNED_LONG_LONG = Arithmetic("unsigned long long", UINT64, 5)
HALF = Arithmetic("half", FLOAT16, 6)
BFLOAT = Arithmetic("__nv_bfloat16", BFLOAT16, 6)
NARROW = frozenset({HALF, BFLOAT})
"""Classes of headers of their own, whose arithmetic is in their own precision."""
FLOAT = Arithmetic("float", FLOAT32, 7)
DOUBLE = Arithmetic("double", FLOAT64, 8)
NULLPTR = Arithmetic("nullptr", INT64, 9)
"""Of `nullptr`, which converts to pointers and to bool alone."""
VOID = VoidType()

_UNSIGNED = {
    CHAR: UNSIGNED_CHAR,
    SHORT: UNSIGNED_SHORT,
    INT: UNSIGNED,
    LONG: UNSIGNED_LONG,
    LONG_LONG: UNSIGNED_LONG_LONG,
}
ARITHMETIC: dict[str, Arithmetic] = {
    each.name: each
    for each in (
        *(BOOLEAN, CHAR, SIGNED_CHAR, UNSIGNED_CHAR, SHORT, UNSIGNED_SHORT, INT, UNSIGNED),
        *(LONG, UNSIGNED_LONG, LONG_LONG, UNSIGNED_LONG_LONG, HALF, BFLOAT, FLOAT, DOUBLE),
    )
}
"""By their canonical names."""
_ALIASES = {
    "__half": HALF,
    "nv_bfloat16": BFLOAT,
    **{
        f"int{bits}_t": kind
        for bits, kind in ((8, SIGNED_CHAR), (16, SHORT), (32, INT), (64, LONG))
    },
    **{
        f"uint{bits}_t": kind
        for bits, kind in (
            (8, UNSIGNED_CHAR),
            (16, UNSIGNED_SHORT),
            (32, UNSIGNED),
            (64, UNSIGNED_LONG),
        )
    },
    **dict.fromkeys(("size_t", "uintptr_t", "uintmax_t", "ulong"), UNSIGNED_LONG),
    **dict.fromkeys(("ssize_t", "ptrdiff_t", "intptr_t", "intmax_t", "clock_t", "time_t"), LONG),
    "uint": UNSIGNED,
    "uchar": UNSIGNED_CHAR,
    "ushort": UNSIGNED_SHORT,
    **dict.fromkeys(("cudaTextureObject_t", "cudaSurfaceObject_t"), UNSIGNED_LONG_LONG),
}
_VECTOR_BASES = {
    "char": CHAR, "uchar": UNSIGNED_CHAR, "short": SHORT, "ushort": UNSIGNED_SHORT, "int": INT,
    "uint": UNSIGNED, "long": LONG, "ulong": UNSIGNED_LONG, "longlong": LONG_LONG,
    "ulonglong": UNSIGNED_LONG_LONG, "float": FLOAT, "double": DOUBLE,
}  # fmt: skip


def _vector(name: str, base: Arithmetic, count: int) -> StructType:
    """Make one of CUDA's vector types, aligned as a device accesses it."""
    members = tuple(MemberOf("xyzw"[i], base, i * base.size) for i in range(count))
    alignment = base.size if count == 3 else min(base.size * count, 16)
    return StructType(name, members, base.size * count, alignment, vector=count != 3)


VECTORS: dict[str, StructType] = {
    f"{prefix}{count}": _vector(f"{prefix}{count}", base, count)
    for prefix, base in _VECTOR_BASES.items()
    for count in (1, 2, 3, 4)
}
HALF2 = _vector("half2", HALF, 2)
BFLOAT2 = _vector("__nv_bfloat162", BFLOAT, 2)
PAIRS = frozenset({HALF2, BFLOAT2})
"""Two numbers of 16 bits in a word, which arithmetic takes lane by lane."""
_PAIR_NAMES = {
    **dict.fromkeys(("half2", "__half2"), HALF2),
    **dict.fromkeys(("__nv_bfloat162", "nv_bfloat162"), BFLOAT2),
}


def _bits(name: str, kind: Arithmetic, *members: str) -> StructType:
    """Make a struct that holds the bits of numbers."""
    placed = tuple(MemberOf(each, kind, at * kind.size) for at, each in enumerate(members))
    size = kind.size * len(members)
    return StructType(name, placed, size, size)


FP8: dict[StructType, int] = {
    _bits(f"__nv_fp8{several}_{form}", word, "__x"): count
    for form in ("e4m3", "e5m2")
    for several, word, count in (
        ("", UNSIGNED_CHAR, 1), ("x2", UNSIGNED_SHORT, 2), ("x4", UNSIGNED, 4),
    )
}  # fmt: skip
"""Floats of 8 bits, and how many a struct of them holds."""
RAW = {
    _bits("__half_raw", UNSIGNED_SHORT, "x"): HALF,
    _bits("__nv_bfloat16_raw", UNSIGNED_SHORT, "x"): BFLOAT,
}
RAW_PAIRS = {
    _bits("__half2_raw", UNSIGNED_SHORT, "x", "y"): HALF2,
    _bits("__nv_bfloat162_raw", UNSIGNED_SHORT, "x", "y"): BFLOAT2,
}
"""What a number's bits are called, and the number."""
_ENCODED: dict[str, CType] = {each.name: each for each in (*FP8, *RAW, *RAW_PAIRS)}
_ENCODED |= {
    "__nv_fp8_storage_t": UNSIGNED_CHAR,
    "__nv_fp8x2_storage_t": UNSIGNED_SHORT,
    "__nv_fp8x4_storage_t": UNSIGNED,
    **dict.fromkeys(("__nv_saturation_t", "__nv_fp8_interpretation_t"), UNSIGNED),
}
UINT3 = VECTORS["uint3"]
DIM3 = StructType("dim3", UINT3.members, 12, 4)
BUILT_IN: dict[str, CType] = {
    **ARITHMETIC,
    **_ALIASES,
    **VECTORS,
    **_PAIR_NAMES,
    **_ENCODED,
    "dim3": DIM3,
    "void": VOID,
}
"""Every type that needs no declaration."""
KEYWORDS: dict[str, CType] = {
    **{name: kind for name, kind in ARITHMETIC.items() if kind not in NARROW},
    "void": VOID,
}
"""The types among these whose names nothing else can have."""
HEADERS: dict[CType, str] = {
    **dict.fromkeys((HALF, HALF2), "cuda_fp16.h"),
    **dict.fromkeys((BFLOAT, BFLOAT2), "cuda_bf16.h"),
    **dict.fromkeys(FP8, "cuda_fp8.h"),
}
"""The headers that types need."""


def make_unsigned(kind: Arithmetic) -> Arithmetic:
    """Return the unsigned type of the same size."""
    return _UNSIGNED.get(kind, UNSIGNED_CHAR if kind == SIGNED_CHAR else kind)


def underlying(kind: Arithmetic) -> Arithmetic:
    """Return the number that an enumeration is kept as; of a number itself."""
    if kind.enum is None:
        return kind
    wanted = (kind.dtype, kind.rank)
    return next(each for each in ARITHMETIC.values() if (each.dtype, each.rank) == wanted)


def is_scoped(kind: CType) -> bool:
    """Return True for an `enum class`."""
    return isinstance(kind, Arithmetic) and kind.enum is not None and kind.enum.scoped


def converts_alone(given: Arithmetic, wanted: Arithmetic) -> bool:
    """Return True if a number converts to another without a cast: none does to an enumeration."""
    if given == NULLPTR:
        return wanted in (NULLPTR, BOOLEAN)
    return given == wanted or not (wanted.enum or is_scoped(given))


def promote(kind: Arithmetic) -> Arithmetic:
    """Return what an integer below int, or an enumeration, becomes in arithmetic."""
    kind = underlying(kind)
    return INT if kind.rank < INT.rank else kind


UNCHANGED = frozenset(each for each in ARITHMETIC.values() if promote(each) == each) - NARROW
"""Numbers that arithmetic on two of one type leaves as they are."""


def common_arithmetic(left: Arithmetic, right: Arithmetic) -> Arithmetic:
    """Return the type of arithmetic on two numbers: C++'s usual arithmetic conversions."""
    if not left.is_integer or not right.is_integer:
        return max(left, right, key=lambda kind: kind.rank)
    left, right = promote(left), promote(right)
    if left == right:
        return left
    high, low = (left, right) if left.rank >= right.rank else (right, left)
    if high.is_signed == low.is_signed or not high.is_signed:
        return high
    return high if high.size > low.size else make_unsigned(high)


def find_base(kind: CType, wanted: CType) -> tuple[int, ...] | None:
    """Return the places that lead from a struct to one that it is made of; None if it is not."""
    if kind == wanted:
        return ()
    for at, each in enumerate(kind.bases if isinstance(kind, StructType) else ()):
        inner = find_base(each, wanted)
        if inner is not None:
            return (at, *inner)
    return None


_NO_TREE = declared.Struct(Place(0, 0, ""), "", "struct", ())


def tree_of(kind: StructType) -> declared.Struct:
    """Return the source of a struct; of one of CUDA's own an empty one."""
    return kind.source.tree if kind.source else _NO_TREE


def with_bases(kind: StructType) -> Iterator[StructType]:
    """Yield a struct, and the structs that it is made of."""
    yield kind
    for each in kind.bases:
        yield from with_bases(each)


def functions_of(kind: StructType) -> Iterator[declared.Function]:
    """Yield the functions of a struct and of its bases."""
    for each in with_bases(kind):
        yield from tree_of(each).functions


def offset_of(kind: StructType, path: Iterable[int]) -> int:
    """Return the bytes before a base, which the places in `path` lead to."""
    found = 0
    for at in path:
        member = kind.members[at]
        assert isinstance(member.type, StructType)  # a base
        found, kind = found + member.offset, member.type
    return found


def depends(base: declared.Base, tree: declared.Struct) -> bool:
    """Return True for a base that names a parameter of the struct's template.

    A name alone does not mean what such a base has.
    """
    own = {each.name for each in tree.template or ()}
    named = (each for each in trees.walk(base.type) if isinstance(each, syntax.Name))
    return any(each.parts[0].identifier.partition("#")[0] in own for each in named)


def members_of(kind: StructType | ArrayOf) -> Iterator[MemberOf]:
    """Yield the members of a struct, or the elements of an array, which have no names."""
    if isinstance(kind, StructType):
        yield from kind.members
    else:
        for at in range(kind.length or 0):
            yield MemberOf("", kind.element, at * kind.element.size)


def defaults_of(kind: StructType) -> dict[str, syntax.Initializer]:
    """Return what members begin with that are given no value, by name."""
    members = kind.source.tree.members if kind.source else ()
    return {each.name: each.initializer for each in members if each.initializer is not None}


def is_defaulted(kind: StructType) -> bool:
    """Return True if a struct's constructor without arguments is `= default`."""
    tree = kind.source.tree if kind.source else None
    return tree is not None and any(
        each.name == tree.name and each.defaulted and not each.parameters for each in tree.functions
    )


def has_defaults(kind: CType) -> bool:
    """Return True for what has values without being given any."""
    own, _ = unnest(kind)
    if not isinstance(own, StructType):
        return False
    return bool(defaults_of(own)) or any(has_defaults(each.type) for each in own.members)


def bindings_of(kind: StructType) -> dict[str, Any]:
    """Return what the parameters of a struct's template stand for."""
    return kind.source.bindings if kind.source else {}


def has_union(kind: CType) -> bool:
    """Return True for a union, and for what holds one: its members are views of its bits."""
    own, _ = unnest(kind)
    if not isinstance(own, StructType):
        return False
    return bool(own.alternatives) or any(has_union(each.type) for each in own.members)


def is_closure(kind: object) -> bool:
    """Return True for the type of a lambda."""
    return isinstance(kind, StructType) and kind.closure


def is_function_pointer(kind: object) -> bool:
    """Return True for a pointer to a function."""
    return isinstance(kind, PointerTo) and isinstance(kind.target, FunctionOf)


def is_mutable_closure(kind: object) -> bool:
    """Return True for the type of a lambda of which each copy may hold other values."""
    source = kind.source if isinstance(kind, StructType) and kind.closure else None
    return source is not None and not all(each.const for each in source.tree.functions)


def parts_of(kind: StructType | ArrayOf) -> tuple[CType, ...]:
    """Return the types of a struct's members, or of an array's elements."""
    if isinstance(kind, StructType):
        return tuple(member.type for member in kind.members)
    return (kind.element,) * (kind.length or 0)


def numbers_of(kind: StructType) -> tuple[Arithmetic, ...]:
    """Return the types of a vector's members."""
    return tuple(each for each in parts_of(kind) if isinstance(each, Arithmetic))


def unnest(kind: CType) -> tuple[CType, tuple[int | None, ...]]:
    """Return the elements of arrays within arrays, and the lengths of these, outermost first."""
    lengths: list[int | None] = []
    while isinstance(kind, ArrayOf):
        lengths.append(kind.length)
        kind = kind.element
    return kind, tuple(lengths)


def decay(kind: CType, *, const: bool = False, volatile: bool = False) -> CType:
    """Return the type of an argument: an array is a pointer; to what is const or volatile, then."""
    return PointerTo(kind.element, const, volatile=volatile) if isinstance(kind, ArrayOf) else kind


MOST_PARTS = 1_000
"""Of a struct: each is a variable of its own, and structs of structs have twice as many each."""
MOST_COPIED = 4_096
"""Bytes of a struct with an array that is copied: each element is an operation of its own."""


def has_array(kind: CType) -> bool:
    """Return True for a struct that holds an array: it lives in memory."""
    if not isinstance(kind, StructType):
        return False
    return any(isinstance(each.type, ArrayOf) or has_array(each.type) for each in kind.members)
