"""Threads that a guard holds back never matter, whatever their values are.

Constructs under guards, with garbage in the threads that are held back: no error, and the values
that Python gives one thread after the other, or the emulator without the guard or the garbage.
"""

from __future__ import annotations

import cmath
import math
import random
from itertools import count
from typing import Any, NamedTuple

import numpy as np
import pytest

from grader.simt import Refused, launch, read
from tests.grader.simt.guarded_cases import (
    FUNCTIONS,
    GUARDS,
    IN_EXPRESSIONS,
    OURS,
    PLAIN,
    STATEMENTS,
    TOGETHER,
)

TAKES = "vi, vj, vf, vok, p, q, pp, acc, facc, out"
HEAD = [
    "s = cuda.shared.array(128, numba.float64)",
    "l = cuda.local.array(40, numba.float64)",
    "t = cuda.grid(1)",
    "x = cuda.threadIdx.x",
    "s[x] = 0",
    "cuda.syncthreads()",
    "for y in range(40):",
    "    l[y] = y",
    "i, j, f, ok = vi[t], vj[t], vf[t], vok[t]",
]
_NUMBER = count()
WHOLE = (0, -1, 2**63 - 1, -(2**63), 2**31, -64, 65, 1 << 40, 99, -99)
REAL = (math.nan, math.inf, -math.inf, 1e308, -1e308, 0.0, -0.0, 5e-324, -7.5, 2.0**70)


class Setting(NamedTuple):
    """Who is held back, and what everybody has."""

    grid: int
    block: int
    ok: np.ndarray
    tame: dict[str, np.ndarray]
    wild: dict[str, np.ndarray]


def setting(chance: random.Random) -> Setting:
    grid, block = chance.choice([(1, 32), (1, 40), (2, 64), (3, 33), (4, 32), (2, 128)])
    threads = grid * block
    ok = np.array(
        chance.choice(
            [
                [t < threads - 5 for t in range(threads)],
                [t % 2 == 0 for t in range(threads)],
                [t == threads // 2 for t in range(threads)],
                [chance.random() < 0.6 for _ in range(threads)],
                [t // block == 0 and t > 3 for t in range(threads)],
            ]
        )
    )
    tame = {
        "i": np.array([chance.randint(1, 7) for _ in range(threads)]),
        "j": np.array([chance.randint(1, 7) for _ in range(threads)]),
        "f": np.array([chance.randint(1, 56) / 8 for _ in range(threads)]),
    }
    wild = {
        "i": np.where(ok, tame["i"], [chance.choice(WHOLE) for _ in range(threads)]),
        "j": np.where(ok, tame["j"], [chance.choice(WHOLE) for _ in range(threads)]),
        "f": np.where(ok, tame["f"], [chance.choice(REAL) for _ in range(threads)]),
    }
    return Setting(grid, block, ok, tame, wild)


def around(guard: str, lines: list[str]) -> list[str]:
    """Lines, guarded; a loop's variable is its own."""
    found, own = [], f"again{next(_NUMBER)}"
    for line in GUARDS[guard]:
        indent = line[: len(line) - len(line.lstrip())]
        found += (
            [indent + one for one in lines]
            if line.strip() == "{}"
            else [line.replace("again", own)]
        )
    return found


def text(lines: list[str], inner: str = "") -> str:
    body = "".join(f"    {line}\n" for line in [*HEAD, *lines])
    return f"{FUNCTIONS}{inner}def kernel({TAKES}):\n{body}"


def arrays() -> dict[str, np.ndarray]:
    made = np.random.default_rng(5)
    return {
        "p": made.integers(1, 9, 40) / 2,
        "q": made.integers(1, 9, 40).astype(np.float64),
        "pp": made.integers(1, 90, (20, 20)) / 4,
    }


GLOBALS = {"cmath": cmath, "T": np.arange(9) * 3, "H": np.float16(0.5)}


def run(source: str, given: dict[str, np.ndarray], case: Setting) -> list[Any]:
    """All that a launch leaves and prints."""
    left = [np.zeros(40, np.int32), np.zeros(40), np.full(len(case.ok), -1.0)]
    values = [given["i"], given["j"], given["f"], case.ok, *arrays().values(), *left]
    printed: list[str] = []
    launch(read(source, names=GLOBALS), case.grid, case.block, values, printed=printed.append)
    return [*left, printed]


def same(got: list[Any], want: list[Any], source: str) -> None:
    for one, other in zip(got, want, strict=True):
        if isinstance(one, list):
            assert one == other, source
        else:
            np.testing.assert_array_equal(one, other, source)


def check(lines: list[str], case: Setting, inner: str = "") -> None:
    """With garbage in the others, as with tame values in them."""
    source = text(lines, inner)
    same(run(source, case.wild, case), run(source, case.tame, case), source)


def by_python(lines: list[str], case: Setting) -> np.ndarray:
    """What Python makes of a construct: one thread after the other."""
    found = np.full(len(case.ok), -1.0)
    names = {"math": math, "cmath": cmath, "np": np, "T": GLOBALS["T"], **arrays()}
    exec(FUNCTIONS, names)
    code = compile("\n".join(lines), "<construct>", "exec")
    for t in np.flatnonzero(case.ok):
        own = {name: case.tame[name][t].item() for name in "ijf"}
        own |= {"t": int(t), "l": np.arange(40.0)}
        exec(code, {**names, **own}, own)
        found[t] = own["r"]
    return found


FEW, ALL = 12, 1000
HOW_MANY = pytest.mark.parametrize("most", [FEW, pytest.param(ALL, marks=pytest.mark.long)])


def some(constructs: list[Any], most: int, chance: random.Random) -> list[list[str]]:
    """So many of them, or all, as lines."""
    found = constructs if most >= len(constructs) else chance.sample(constructs, most)
    return [[f"r = {one}"] if isinstance(one, str) else one for one in found]


@HOW_MANY
@pytest.mark.parametrize("guard", GUARDS)
def test_what_python_has_too(guard, most):
    chance = random.Random(guard)
    for lines in some([*PLAIN, *STATEMENTS], most, chance):
        case = setting(chance)
        source = text(around(guard, [*lines, "out[t] = r"]))
        got = run(source, case.wild, case)[2]
        np.testing.assert_allclose(got, by_python(lines, case), rtol=1e-12, err_msg=source)


@HOW_MANY
@pytest.mark.parametrize("guard", GUARDS)
def test_what_only_a_device_has(guard, most):
    chance = random.Random(guard)
    for lines in some(OURS, most // 3, chance):
        case, kept = setting(chance), [*lines, "out[t] = r"]
        got = run(text(around(guard, kept)), case.wild, case)[2]
        free = run(text(kept), case.tame, case)[2]
        np.testing.assert_array_equal(got, np.where(case.ok, free, -1), kept[0])
    for lines in some(TOGETHER, most // 3, chance):
        check(around(guard, [*lines, "out[t] = r"]), setting(chance))


@HOW_MANY
@pytest.mark.parametrize("form", IN_EXPRESSIONS)
def test_expressions_for_some_threads(form, most):
    chance = random.Random(form)
    for construct in PLAIN if most == ALL else chance.sample(PLAIN, most):
        inner = "def guarded(ok, i, j, f, p, q, pp):\n    if not ok:\n        return 0.0\n"
        inner += f"    return ({construct}) + 0.0\n\n"
        guarded = IN_EXPRESSIONS[form].format(construct)
        check([f"r = {guarded}", "if ok:", "    out[t] = r"], setting(chance), inner)


@pytest.mark.parametrize(
    ("seed", "cases"),
    [(0, 20), *(pytest.param(seed, 50, marks=pytest.mark.long) for seed in range(1, 41))],
)
def test_any_constructs_under_any_guards(seed, cases):
    """A variable may get another type from another construct: that is refused with its place."""
    chance = random.Random(seed)
    ran, refused = 0, list[tuple[int, int]]()
    for _ in range(cases):
        lines: list[str] = []
        for one in some([*PLAIN, *STATEMENTS, *OURS, *TOGETHER], chance.randint(1, 3), chance):
            lines += [*one, "out[t] = out[t] * 3 + r"]
            if chance.random() < 0.3:
                lines = around(chance.choice(list(GUARDS)), lines)
        try:
            check(around(chance.choice(list(GUARDS)), lines), setting(chance))
            ran += 1
        except Refused as error:
            refused.append((error.line, error.column))
    assert min(refused, default=(99, 9)) > (len(FUNCTIONS.splitlines()), 1)
    assert ran > cases / 2
