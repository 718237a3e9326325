"""The text of a typed program, as `quiz profile --show-program` prints it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args

import numpy as np
import pytest

from grader.simt import read
from grader.simt.checks.counters import Site
from grader.simt.launches.launching import compile_for_types
from grader.simt.program import nodes
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.nodes import Break, Number, Operate, Read, Set, Step
from grader.simt.program.printing import print_program
from grader.simt.program.types import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    Array,
    Constant,
    DType,
    Nothing,
    Pointer,
    Scalar,
    Type,
    VectorType,
)
from tests.grader.simt.tools import kernel

POINT = np.dtype([("x", "f4"), ("n", "i4"), ("v", "f4", 3)], align=True)
SOURCE = """\
import math
from numba import cuda, float32

def area(w, h):
    if w < 0:
        return 0.0
    return w * h

def kernel(a, points, out):
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    column = a[1:4, i]
    x = 1
    if i > 3:
        x = 2.5
    y = x + i
    r = points[i]
    r.n += 2
    r.v[1] = -r.x ** 2
    tile = cuda.shared.array((4, 33), float32)
    rest = cuda.shared.array(0, float32)
    own = cuda.local.array(4, float32)
    rest[t] = column[2]
    for k in (1, 2):
        if k == i:
            continue
        own[k] += area(points[k].x, y)
    for k in range(i, 9):
        if tile[k, t] > 3 and not (i & 1) == 0:
            break
    else:
        out[i] = cuda.atomic.add(out, 0, 1)
    v = cuda.float32x4(1, 2, 3, 4)
    q = points.x
    while 0 < i < 9:
        i -= 1
    b = (i << 2 | 1) - (i - (i if x > 2 else 4))
    out[b] = q[0] + v.y + math.sqrt(y) + own[-1]
    cuda.syncthreads()
    if b:
        return
    out[0] = a.shape[0] > 1
"""
SOURCE_TYPES = (
    Array(FLOAT32, 2, "global"),
    Array(POINT, 1, "global"),
    Array(FLOAT32, 1, "global"),
)
TEXT = """\
kernel kernel(a: global float32[:,:], points: global record(x, n, v)[:], out: global float32[:])
  10:5       i: int64 = grid.x
  11:5       t: int32 = threadIdx.x
  12:5       column: global float32[:] = a[1:4, i]
  13:5       x: int64 = 1
  14:5       if i > 3
  15:9           x: float64 = 2.5
  16:5       y: float64 = float64(x) + float64(i)
  17:5       r: global record(x, n, v) = points[i]
  18:5       update r.n as %1 = int32(int64(%1) + 2)
  19:5       r.v[1] = -(r.x ** 2)
  20:5       tile = shared float32[4, 33]
  21:5       rest = shared float32[]
  22:5       own = local float32[4]
  23:5       rest[int64(t)] = column[2]
  24:5       %2: (int64, int64) = (1, 2)
             round 1 of 2
                 %3: int64 = %2.0
                 k: int64 = %3
  25:9           if k == i
  26:13              continue
  27:9           update own[k] as %4 = float32(float64(%4) + area(points[k].x, y))
             round 2 of 2
                 %3 = %2.1
                 k = %3
  25:9           if k == i
  26:13              continue
  27:9           update own[k] as %4 = float32(float64(%4) + area(points[k].x, y))
  28:5       %5: (int64, int64, int64) = range_bounds((i, 9, 1))
             %6: int64 = %5.0
             %7: int64 = %5.1
             %8: int64 = %5.2
             %9: int64 = 0
             loop while %8 > %9
                 k = %6
  29:9           if float64(tile[k, int64(t)]) > 3.0 and not (i & 1) == 0
  30:13              break
             step
                 %6 = advance(%6, %7)
                 %9 = next(%9)
             else
  32:9           out[i] = atomic_add(out, 0, float32(1))
  33:5       v: float32x4 = float32x4(float32(1), float32(2), float32(3), float32(4))
  34:5       q: global float32[:] = points.x
  35:5       loop while 0 < (%10 := i) and %10 < 9
  36:9           i = i - 1
  37:5       b: int64 = ((i << 2) | 1) - (i - (float64(x) > 2.0 ? i : 4))
  38:5       out[b] = float32(float64(q[0] + v.y) + sqrt(y) + float64(own[-1]))
  39:5       syncthreads()
  40:5       if bool(b)
  41:9           return
  42:5       out[0] = float32(shape(a).0 > 1)

function area(w: float32, h: float64) -> float64
   5:5       if float64(w) < 0.0
   6:9           return 0.0
   7:5       return float64(w) * h
"""


def text_of(source: str, *types: Type) -> str:
    """The text of the last function."""
    return print_program(lowered(source, *types))


def lowered(source: str, *types: Type) -> nodes.Function:
    return compile_for_types(read(source), types).compiled.lowered


def test_a_kernel_as_text():
    assert text_of(SOURCE, *SOURCE_TYPES) == TEXT


def number(value: Any, kind: Type = INT64) -> Number:
    return Number(kind, value)


def read_of(name: str, kind: Type = INT64) -> Read:
    return Read(kind, name)


def site(line: int) -> Site:
    return Site(1, line, 5)


def step(line: int, *operations: nodes.Operation) -> Step:
    return Step(site(line), operations)


def increase(name: str) -> Set:
    return Set(name, Operate(INT64, "+", (read_of(name), number(1))))


def less(name: str, most: int) -> Operate:
    return Operate(BOOL, "<", (read_of(name), number(most)))


def pointed() -> nodes.Block:
    """A tile, through pointers to numbers, to vectors, and to what is neither."""
    kind, four = Pointer(FLOAT32, "shared"), VectorType(FLOAT32, 4)
    tile = nodes.Memory(Array(FLOAT32, 2, "shared"), DeclaredArray("tile", FLOAT32, (4, 33)))
    p = Read(kind, "p")
    fifth = nodes.Move(kind, p, increase("n").value, 4)
    row = nodes.Move(kind, nodes.AddressOf(kind, tile), read_of("n"), 33 * 4)
    element = nodes.target(FLOAT32, nodes.Move(kind, row, number(2), 4), site(22))
    whole = nodes.Load(four, nodes.target(four, p, site(21)))
    return (
        step(20, Set("p", nodes.AddressOf(kind, tile)), Set("q", fifth)),
        step(
            21, nodes.Store(nodes.target(FLOAT32, fifth, site(21)), nodes.Part(FLOAT32, whole, 3))
        ),
        step(22, nodes.Store(nodes.target(FLOAT32, p, site(22)), number(0.5, FLOAT32))),
        step(22, nodes.Store(element, number(1, FLOAT32))),
        step(23, Set("p", nodes.Move(kind, p, number(3), 6))),
    )


def handmade() -> nodes.Function:
    """A function of what C++ needs: `switch`, `do`, and effects within an expression."""
    seen = Set("n", nodes.Observe(INT64, number(0, Constant(0))))
    kept = nodes.Do(nodes.Apply(Nothing(), "some text", print, (nodes.Static(DType(FLOAT32)),)))
    when = nodes.When(less("n", 3), (increase("n"),), (Set("n", number(7, INT32)),))
    cases = nodes.If(site(5), less("n", 1), (Break(site(6)),), ())
    branch = nodes.If(site(7), less("n", 2), (nodes.Exit(site(8)),), (), before=(increase("n"),))
    body: nodes.Block = (
        nodes.Nested(site(2), (step(2, seen, kept),)),
        nodes.Alive(site(3), nodes.Watched(site(3), step(3, when), lambda execute: execute)),
        nodes.Switch(site(4), (increase("n"),), (cases, branch)),
        nodes.Loop(
            site(9), (), less("n", 9), (), (step(10, increase("n")),), (), (), head=(increase("n"),)
        ),
        nodes.Loop(site(11), (), None, (), (Break(site(12)),), (increase("n"),), ()),
        *pointed(),
        nodes.Return(site(13), read_of("n", FLOAT64), before=(increase("n"),)),
    )
    return nodes.Function("made", ("n",), FLOAT64, body)


MADE = """\
function made(n) -> float64
             tile = shared float32[4, 33]
   2:5       n: int64 = 0
             some_text(float32)
   3:5       when n < 3
                 n = n + 1
             else
                 n: int32 = int32(7)
   4:5       n: int64 = int64(n) + 1
             switch
   5:5           if n < 1
   6:5               break
   7:5           n = n + 1
                 if n < 2
   8:5               exit
   9:5       loop
                 n = n + 1
             while n < 9
  10:5           n = n + 1
  11:5       loop
  12:5           break
             step
                 n = n + 1
  20:5       p: shared float32* = &tile
             q: shared float32* = p + (n + 1)
  21:5       p[n + 1] = (*(float32x4*)p).w
  22:5       *p = float32(0.5)
  22:5       tile[n][2] = float32(1)
  23:5       p = move(p, 3 * 6 bytes)
  13:5       n = n + 1
             return float64(n)
"""


def test_what_numba_never_needs():
    assert print_program(handmade()) == MADE


def graph() -> nodes.Function:
    """A function as a compiler draws it: any segment may lead to any other."""
    first = nodes.Run(site(2), (Set("n", number(0, INT64)),), 2)
    again = nodes.Run(site(3), (increase("n"),), 1)
    segments = (
        nodes.Segment((first,), site(2), None, 1, None, None, waits=False),
        nodes.Segment((again,), site(3), less("n", 9), 1, None, 1, waits=False),
    )
    body = nodes.Graph(site(2), segments, read_of("n", FLOAT64), {1: 1})
    return nodes.Function("drawn", (), FLOAT64, (body,))


DRAWN = """\
function drawn() -> float64
   2:5       segment 0
   2:5           n: int64 = 0
                 go to 1
             segment 1
   3:5           n = n + 1
                 if n < 9 go to 1, else leave
             return float64(n)
"""


def test_what_only_compilers_draw():
    assert print_program(graph()) == DRAWN


def found_in(value: Any, seen: set[int]) -> Iterator[type]:
    """The node types of a program, however deep."""
    if isinstance(value, tuple):
        for part in value:
            yield from found_in(part, seen)
    elif is_dataclass(value) and type(value).__module__ == nodes.__name__ and id(value) not in seen:
        seen.add(id(value))
        yield type(value)
        for field in fields(value):
            yield from found_in(getattr(value, field.name), seen)


def test_the_two_show_every_type_of_node():
    shown: set[type] = set()
    for function in (handmade(), graph(), lowered(SOURCE, *SOURCE_TYPES)):
        shown.update(found_in(function, set()))
    assert shown >= set(node_types())


def node_types() -> list[type]:
    """What has no subclass there is a node."""
    here = [kind for _, kind in inspect.getmembers(nodes, inspect.isclass) if is_dataclass(kind)]
    own = [kind for kind in here if kind.__module__ == nodes.__name__]
    parts = (nodes.Expression, nodes.Place, nodes.Statement, *get_args(nodes.Operation))
    return [kind for kind in own if not kind.__subclasses__() and issubclass(kind, parts)]


def infix(operator: str, left: Any, right: Any, kind: Scalar = INT64) -> Operate:
    return Operate(kind, operator, (left, right))


A, B, C = map(read_of, "abc")
EITHER = nodes.Logical(BOOL, (A, B), conjunction=False)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (infix("-", infix("-", A, B), C), "a - b - c"),
        (infix("-", A, infix("-", B, C)), "a - (b - c)"),
        (infix("*", infix("+", A, B), C), "(a + b) * c"),
        (infix("+", A, infix("*", B, C)), "a + b * c"),
        (infix("&", A, infix("<<", B, C)), "a & (b << c)"),
        (infix("==", infix("&", A, B), C, BOOL), "(a & b) == c"),
        (infix("==", infix("+", A, B), C, BOOL), "a + b == c"),
        (infix("**", Operate(INT64, "neg", (A,)), B), "(-a) ** b"),
        (Operate(INT64, "neg", (infix("*", A, B),)), "-(a * b)"),
        (nodes.Logical(BOOL, (EITHER, C), conjunction=True), "(a or b) and c"),
        (infix("+", nodes.Choose(INT64, A, B, C), A), "(a ? b : c) + a"),
        (nodes.Choose(INT64, A, nodes.Choose(INT64, A, B, C), C), "a ? (a ? b : c) : c"),
        (infix("div", A, infix("+", B, C)), "div(a, b + c)"),
        (infix("+", read_of("i", INT32), number(1, INT32), INT32), "i + 1"),
        (infix("+", A, nodes.Convert(INT64, number(1, INT32))), "a + 1"),
        (infix("<<", A, number(1, INT32)), "a << int32(1)"),
        (number(1, INT32), "int32(1)"),
        (nodes.Convert(BOOL, number(2)), "bool(2)"),
        (number(0.5, FLOAT64), "0.5"),
        (number(2, FLOAT64), "2.0"),
        (nodes.Convert(INT32, A), "int32(a)"),
        (nodes.Convert(INT64, A), "a"),
    ],
)  # fmt: skip
def test_parentheses_stand_where_they_are_needed(expression: nodes.Expression, text: str):
    made = nodes.Function("f", ("a", "b", "c"), Nothing(), (step(1, nodes.Do(expression)),))
    assert print_program(made).splitlines()[1].strip() == f"1:5       {text}"


def test_a_read_of_another_type_is_a_conversion():
    """Behind the branch, `x` may be either; within it, it is what it was set to."""
    source = kernel("x = 1", "if a[0] > 0:", "    x = 2.5", "    a[1] = x", "a[0] = x")
    text = text_of(source, Array(FLOAT64, 1, "global"))
    assert "5:9           a[1] = x\n" in text
    assert "6:5       a[0] = float64(x)\n" in text


def test_a_type_is_shown_once_and_where_it_changes():
    source = kernel("n = 1", "while n < 9:", "    n = n + 1", "n = 0.5", "a[0] = n")
    text = text_of(source, Array(FLOAT64, 1, "global"))
    assert text.count("n: int64 = ") == 1
    assert text.count("n: float64 = ") == 1
    assert "        n = n + 1\n" in text
