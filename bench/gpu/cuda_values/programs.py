"""Draws whole programs: a kernel, its functions, and the host's `main` for the same text."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.gpu.cuda_values.expressions import Array, Callee, Expressions
from bench.gpu.cuda_values.kinds import DOUBLE, FLOAT, INT, KINDS, UNSIGNED, Kind, Variable
from bench.gpu.cuda_values.statements import MEMBERS, STRUCT, Body

BLOCKS, THREADS = 2, 40
KERNEL = "k"
EACH = 4
"""Elements of each input that a thread has."""
_INPUTS = (
    ("a", INT, np.int32), ("b", UNSIGNED, np.uint32), ("c", Kind("long long", 64, 5), np.int64),
    ("d", FLOAT, np.float32), ("e", DOUBLE, np.float64), ("f", Kind("signed char", 8, 1), np.int8),
)  # fmt: skip
_EDGES = (
    0,
    1,
    -1,
    2,
    127,
    -128,
    255,
    32767,
    65535,
    2**31 - 1,
    -(2**31),
    2**32 - 1,
    2**63 - 1,
    -(2**63),
)
_REALS = (0.0, -0.0, 1.0, -1.5, 1e-40, 1e30, float("inf"), float("nan"), 0.1, 16777217.0)


class Runnable(Protocol):
    """A kernel of `KERNEL`'s name, with the arrays that it is given."""

    @property
    def seed(self) -> int:
        """What it was drawn from."""

    @property
    def source(self) -> str:
        """The text."""

    def inputs(self) -> list[NDArray[Any]]:
        """Return its inputs, the same each time."""

    def outputs(self) -> list[NDArray[Any]]:
        """Return its outputs, empty."""


@dataclass(frozen=True, slots=True)
class Program:
    """A kernel of `KERNEL`'s name over six inputs and two outputs.

    Attributes:
        source: CUDA C++ that a C++17 compiler takes, too.
        wholes: 64-bit integers that each thread writes.
        reals: doubles that each thread writes.
    """

    seed: int
    source: str
    wholes: int
    reals: int

    def inputs(self) -> list[np.ndarray]:
        """Draw the inputs: numbers of all sizes, and the edges of each type."""
        random = Random(self.seed)
        return [_draw(random, dtype) for _, _, dtype in _INPUTS]

    def outputs(self) -> list[np.ndarray]:
        """Return empty outputs: (threads * wholes,) and (threads * reals,)."""
        threads = BLOCKS * THREADS
        return [
            np.zeros(max(threads * self.wholes, 1), np.int64),
            np.zeros(max(threads * self.reals, 1), np.float64),
        ]


def _draw(random: Random, dtype: type) -> np.ndarray:
    count = BLOCKS * THREADS * EACH
    if np.issubdtype(dtype, np.floating):
        values = [
            random.choice(_REALS) if random.random() < 0.1 else random.uniform(-100, 100)
            for _ in range(count)
        ]
        return np.array(values).astype(dtype)
    bits = 8 * np.dtype(dtype).itemsize
    numbers = [
        random.choice(_EDGES) if random.random() < 0.2 else
        random.getrandbits(random.randint(1, bits)) * random.choice((1, -1))
        for _ in range(count)
    ]  # fmt: skip
    mask = (1 << bits) - 1
    return np.array([each & mask for each in numbers], f"u{bits // 8}").view(dtype)


def draw(seed: int) -> Program:
    """Draw a program; the same for the same seed."""
    random = Random(seed)
    members = " ".join(f"{kind} {name};" for name, kind in MEMBERS)
    texts = [f"struct {STRUCT} {{ {members} }};", _MOVED]
    callees: list[Callee] = []
    texts += [_function(random, number, callees) for number in range(random.randint(1, 3))]
    texts += _templates(random, callees)
    body, wholes, reals = _kernel(random, callees)
    return Program(seed, "\n".join((*texts, body)), wholes, reals)


_MOVED = f"""\
__device__ {STRUCT} moved({STRUCT} p, int by) {{
    p.x ^= by;
    p.far = p.far / 2 + p.x;
    p.y = p.y * 0.5f;
    return p;
}}"""


def _function(random: Random, number: int, callees: list[Callee]) -> str:
    result = random.choice(KINDS)
    values = tuple(random.choice(KINDS) for _ in range(random.randint(1, 3)))
    place = random.choice(KINDS) if random.random() < 0.4 else None
    elements = (random.choice(KINDS), random.choice((2, 4))) if random.random() < 0.3 else None
    scope = Expressions(random, callees=list(callees))
    parameters: list[str] = []
    for at, kind in enumerate(values):
        parameters.append(f"{kind.name} x{at}")
        scope.variables.append(Variable(f"x{at}", kind, f"x{at}"))
    if place is not None:
        parameters.append(f"{place.name} &ref")
        scope.variables.append(Variable("ref", place, "ref"))
    if elements is not None:
        kind, length = elements
        parameters.append(f"{kind.name} *ptr")
        scope.arrays.append(Array("ptr", kind, "ptr", length))
    body = Body(random, scope, result=result)
    for _ in range(random.randint(1, 4)):
        body.statement(1)
    value = scope.to(result, scope.draw(3))
    body.write(f"return {value.text};")
    callees.append(Callee(f"f{number}", result, values, place, elements))
    head = f"__device__ {result.name} f{number}({', '.join(parameters)}) {{"
    return "\n".join((head, *body.lines, "}"))


def _templates(random: Random, callees: list[Callee]) -> list[str]:
    kind, other = random.choice(KINDS), random.choice(KINDS)
    count = random.randint(1, 4)
    callees.append(Callee(f"pick<{kind.name}>", kind, (kind, kind)))
    callees.append(Callee(f"pick<{other.name}>", other, (other, other)))
    callees.append(Callee(f"turn<{count}>", UNSIGNED, (UNSIGNED,)))
    return [_PICK, _TURN]


_PICK = """\
template <typename T> __device__ T pick(T a, T b) {
    T best = a;
    if (b < a) best = b;
    else if (a == T(1)) return T(3);
    return best;
}"""
_TURN = """\
template <int N> __device__ unsigned int turn(unsigned int x) {
    for (int i = 0; i < N; ++i) x = (x << N) ^ (x >> (N + 1)) ^ N;
    return x;
}"""


def _kernel(random: Random, callees: list[Callee]) -> tuple[str, int, int]:
    scope = Expressions(random, callees=list(callees))
    body = Body(random, scope)
    body.write("int at = blockIdx.x * blockDim.x + threadIdx.x;")
    scope.variables.append(Variable("at", INT, "at", const=True, low=0, high=BLOCKS * THREADS - 1))
    scope.variables.append(
        Variable("threadIdx.x", UNSIGNED, "threadIdx", const=True, low=0, high=THREADS - 1)
    )
    for name, kind, _ in _INPUTS:
        scope.arrays.append(Array(f"({name} + at * {EACH})", kind, name, EACH, const=True))
    for _ in range(5):
        body.declare_number(random.choice(KINDS))
    body.declare_array()
    body.declare_struct()
    for _ in range(random.randint(6, 14)):
        body.statement(2)
    shown = [(each.text, each.kind) for each in scope.variables if not each.const]
    shown += [(f"{each.text}[{i}]", each.kind) for each in scope.arrays if not each.const
              for i in range(each.length)]  # fmt: skip
    wholes = [text for text, kind in shown if not kind.real]
    reals = [text for text, kind in shown if kind.real]
    for at, text in enumerate(wholes):
        body.write(f"whole[at * {len(wholes)} + {at}] = (long long){text};")
    for at, text in enumerate(reals):
        body.write(f"real[at * {len(reals)} + {at}] = {text};")
    parameters = ", ".join(f"const {kind.name} *{name}" for name, kind, _ in _INPUTS)
    head = f"__global__ void {KERNEL}({parameters}, long long *whole, double *real) {{"
    return "\n".join((head, *body.lines, "}")), len(wholes), len(reals)
