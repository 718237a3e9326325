"""Draws kernels of float32 sums and products, which a compiler contracts to multiply-adds.

A program is a list of steps. They are written as CUDA C++, and carried out on any kind of number:
on float32 arrays, which round after each operation, and on values with their bounds (`rounding`).
No step depends on a comparison of floats, and nothing overflows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.gpu.cuda_values.programs import BLOCKS, EACH, KERNEL, THREADS
from bench.gpu.cuda_values.rounding import Bounded

_ARRAYS = ("a", "b", "c")
_LITERALS = (0.5, 1.5, 2.0, 3.0, 0.1, 1.1, 0.3333, 1e-3)
_HIGH_INPUT = 2.0**6
_HIGHEST = 2.0**100
"""No value is larger: float32 ends at 2^128."""
_HELPERS = """\
__device__ float mix(float x, float y, float z) { return x * y + z; }
__device__ float square(float x) { return x * x; }"""


class Number(Protocol):
    """What a program can be carried out on."""

    def __add__(self, other: Any) -> Any:
        """Add."""

    def __sub__(self, other: Any) -> Any:
        """Subtract."""

    def __mul__(self, other: Any) -> Any:
        """Multiply."""

    def __neg__(self) -> Any:
        """Negate."""


class Domain(Protocol):
    """The numbers that a program is carried out on."""

    def exact(self, value: NDArray[np.float32]) -> Any:
        """Return numbers that float32 holds, one per thread."""

    def choose(self, test: NDArray[np.bool_], first: Any, second: Any) -> Any:
        """Return one of two numbers in each thread."""


class RoundedFloats:
    """Arrays of float32: NumPy rounds after each operation."""

    def exact(self, value: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the array."""
        return value

    def choose(
        self, test: NDArray[np.bool_], first: NDArray[np.float32], second: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return one of two numbers in each thread."""
        return np.where(test, first, second)


class BoundedFloats:
    """Float64 values with their bounds."""

    def exact(self, value: NDArray[np.float32]) -> Bounded:
        """Return the values without an error."""
        return Bounded.exact(value)

    def choose(self, test: NDArray[np.bool_], first: Bounded, second: Bounded) -> Bounded:
        """Return one of two numbers in each thread."""
        return first.where(test, second)


@dataclass(frozen=True, slots=True)
class Term:
    """An expression: its text, how to evaluate it, and a bound on its absolute value.

    Attributes:
        parts: operands.
        name: an operator or a function; else a variable, an element (`a[2]`) or a literal.
    """

    name: str
    high: float
    parts: tuple[Term, ...] = ()

    @property
    def text(self) -> str:
        """The expression in C++."""
        texts = [part.operand for part in self.parts]
        match self.name, len(texts):
            case _, 0:
                return self.name
            case "-", 1:
                return f"-{texts[0]}"
            case "+" | "-" | "*", _:
                return f"{texts[0]} {self.name} {texts[1]}"
            case "?", _:
                return f"at % 3 == 0 ? {texts[0]} : {texts[1]}"
        return f"{self.name}({', '.join(part.text for part in self.parts)})"

    @property
    def operand(self) -> str:
        """The expression as an operand."""
        return f"({self.text})" if self.parts and self.name in "+-*?" else self.text


@dataclass(frozen=True, slots=True)
class Step:
    """An assignment to a variable, or as many as a loop has iterations.

    Attributes:
        operator: `=`, `+=`, `-=` or `*=`.
        iterations: of the loop; in its term, `a[k]` is an element by the loop's counter.
    """

    target: str
    operator: str
    term: Term
    iterations: int = 0


@dataclass(frozen=True, slots=True)
class Program:
    """A kernel of `KERNEL`'s name over three arrays, with one output per variable and thread."""

    seed: int
    steps: tuple[Step, ...]
    variables: tuple[str, ...]

    @property
    def source(self) -> str:
        """The kernel in CUDA C++."""
        parameters = ", ".join(f"const float *{name}" for name in _ARRAYS)
        lines = [_HELPERS, f"__global__ void {KERNEL}({parameters}, float *out) {{"]
        lines.append("    int at = blockIdx.x * blockDim.x + threadIdx.x;")
        lines += [f"    {name} += at * {EACH};" for name in _ARRAYS]
        declared: set[str] = set()
        for step in self.steps:
            if step.iterations:
                lines.append(f"    for (int k = 0; k < {step.iterations}; ++k)")
            kind = "" if step.target in declared else "float "
            declared.add(step.target)
            indent = "        " if step.iterations else "    "
            lines.append(f"{indent}{kind}{step.target} {step.operator} {step.term.text};")
        count = len(self.variables)
        lines += [f"    out[at * {count} + {i}] = {name};" for i, name in enumerate(self.variables)]
        return "\n".join((*lines, "}"))

    def inputs(self) -> list[NDArray[np.float32]]:
        """Draw the inputs: of many magnitudes, so that sums lose digits, and both signs."""
        random = np.random.default_rng(self.seed)
        size = BLOCKS * THREADS * EACH
        return [
            np.clip(
                random.uniform(-1, 1, size) * np.exp2(random.integers(-12, 7, size)),
                -_HIGH_INPUT,
                _HIGH_INPUT,
            ).astype(np.float32)
            for _ in _ARRAYS
        ]

    def outputs(self) -> list[NDArray[np.float32]]:
        """Return the empty output: (threads * variables,)."""
        return [np.zeros(BLOCKS * THREADS * len(self.variables), np.float32)]

    def evaluate(self, domain: Domain) -> list[Any]:
        """Carry the program out; return each variable, for all threads."""
        state: dict[str, Any] = {}
        arrays = dict(zip(_ARRAYS, self.inputs(), strict=True))
        for step in self.steps:
            for k in range(max(step.iterations, 1)):
                value = _evaluate(step.term, domain, arrays, state, k)
                before = state.get(step.target)
                match step.operator:
                    case "+=":
                        value = before + value
                    case "-=":
                        value = before - value
                    case "*=":
                        value = before * value
                state[step.target] = value
        return [state[name] for name in self.variables]


def _evaluate(
    term: Term, domain: Domain, arrays: Mapping[str, NDArray[np.float32]],
    state: Mapping[str, Any], k: int,
) -> Any:  # fmt: skip
    parts = [_evaluate(part, domain, arrays, state, k) for part in term.parts]
    match term.name, parts:
        case "+", [x, y]:
            return x + y
        case "-", [x, y]:
            return x - y
        case "*", [x, y]:
            return x * y
        case "-", [x]:
            return -x
        case "mix", [x, y, z]:
            return x * y + z
        case "square", [x]:
            return x * x
        case "?", [x, y]:
            return domain.choose(_THREAD % 3 == 0, x, y)
    return _leaf(term.name, domain, arrays, state, k)


_THREAD = np.arange(BLOCKS * THREADS)


def _leaf(
    name: str, domain: Domain, arrays: Mapping[str, NDArray[np.float32]],
    state: Mapping[str, Any], k: int,
) -> Any:  # fmt: skip
    if name in state:
        return state[name]
    if name == "(float)at":
        return domain.exact(_THREAD.astype(np.float32))
    if name.endswith("]"):
        array, index = name[:-1].split("[")
        place = k if index == "k" else int(index)
        return domain.exact(arrays[array][place::EACH])
    return domain.exact(np.full(_THREAD.shape, np.float32(name.removesuffix("f"))))


@dataclass(eq=False)
class _Writer:
    """Draws steps; `highs` bounds each variable that there is."""

    random: Random
    highs: dict[str, float] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    def expression(self, depth: int, *, counter: bool = False) -> Term:
        random = self.random
        if depth <= 0 or random.random() < 0.1:
            return self._leaf(counter=counter)
        name = random.choice(
            ("+", "+", "-", "-", "*", "*", "*", "neg", "?", "mix", "mix", "square")
        )
        count = {"neg": 1, "square": 1, "mix": 3}.get(name, 2)
        parts = tuple(self.expression(depth - 1, counter=counter) for _ in range(count))
        return _combine(name, parts)

    def _leaf(self, *, counter: bool) -> Term:
        random = self.random
        match random.randrange(8):
            case 0:
                value = random.choice(_LITERALS)
                return Term(f"{value}f", value)
            case 1:
                return Term("(float)at", float(BLOCKS * THREADS))
            case 2 | 3 | 4 if self.highs:
                name = random.choice(list(self.highs))
                return Term(name, self.highs[name])
        index = "k" if counter and random.random() < 0.7 else random.randrange(EACH)
        return Term(f"{random.choice(_ARRAYS)}[{index}]", _HIGH_INPUT)

    def declare(self) -> None:
        name = f"v{len(self.highs)}"
        term = self.expression(3)
        self.steps.append(Step(name, "=", term))
        self.highs[name] = term.high

    def change(self) -> None:
        name = self.random.choice(list(self.highs))
        iterations = self.random.choice((0, 0, EACH))
        term = self.expression(2, counter=bool(iterations))
        operator = self.random.choice(("+=", "+=", "-=", "=", "*="))
        high = self.highs[name]
        for _ in range(max(iterations, 1)):
            # A loop's term may hold the variable itself, so that its bound grows with each turn.
            grown = _high_of(term, self.highs | {name: high})
            high = {"=": grown, "*=": high * grown}.get(operator, high + grown)
        if high <= _HIGHEST:
            self.steps.append(Step(name, operator, term, iterations))
            self.highs[name] = high


def _combine(name: str, parts: tuple[Term, ...]) -> Term:
    """Combine parts; a product that might overflow becomes a sum."""
    made = Term("-" if name == "neg" else name, 0.0, parts)
    high = _high_of(made, {})
    if high > _HIGHEST:
        made = Term("+", 0.0, (parts * 2)[:2])
        high = _high_of(made, {})
    return Term(made.name, high, made.parts)


def _high_of(term: Term, highs: Mapping[str, float]) -> float:
    """Bound the absolute value of a term, of which some variables have other bounds now."""
    if not term.parts:
        return highs.get(term.name, term.high)
    parts = [_high_of(part, highs) if highs else part.high for part in term.parts]
    match term.name:
        case "*":
            return parts[0] * parts[1]
        case "square":
            return parts[0] * parts[0]
        case "mix":
            return parts[0] * parts[1] + parts[2]
        case "?":
            return max(parts)
    return sum(parts)


def draw(seed: int) -> Program:
    """Draw a program; the same for the same seed."""
    writer = _Writer(Random(seed))
    for _ in range(3):
        writer.declare()
    for _ in range(writer.random.randint(4, 10)):
        writer.random.choice((writer.declare, writer.change, writer.change))()
    return Program(seed, tuple(writer.steps), tuple(writer.highs))
