"""Types are Numba's: rule by rule from its typing context, and variable by variable in kernels."""

from __future__ import annotations

import math
import operator
import warnings
from itertools import product

import pytest

from grader.simt.types import FLOAT32, FLOAT64, INT32, SCALARS, UINT32, Array, joined
from grader.simt.typing_rules import RANK, resolve
from tests.grader.simt.tools import in_numba, kernel, module, types_here, types_in_numba

pytest.importorskip("numba")
pytest.importorskip("numba_cuda")

BINARY = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "divmod": divmod,
    "math of two": math.atan2,
    "math of two reals": math.copysign,
    "math.pow": math.pow,
}
UNARY = {"neg": operator.neg, "pos": operator.pos, "~": operator.invert, "abs": abs}
UNARY |= {"math of one": math.tanh, "math test": math.isnan, "round": round}


@pytest.fixture(scope="module")
def context():
    target = module("numba.cuda.descriptor").cuda_target
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        target.typing_context.refresh()
        return target.typing_context


def in_numbas_context(context, function, operands):
    try:
        found = context.resolve_function_type(function, tuple(map(in_numba, operands)), {})
    except Exception:
        return None
    return None if found is None else found.return_type, [*map(str, found.args)] if found else None


def test_conversions_are_ranked_as_numba_ranks_them(context):
    ranks = {"exact": 0, "promote": 1, "safe": 2, "unsafe": 3}
    for one, other in product(SCALARS, repeat=2):
        found = context.can_convert(in_numba(one), in_numba(other))
        assert RANK.get((one, other)) == (None if found is None else ranks[found.name])


@pytest.mark.parametrize("name", BINARY)
def test_binary_signatures(context, name):
    for operands in product(SCALARS, repeat=2):
        check(context, name, BINARY[name], operands)


@pytest.mark.parametrize("name", UNARY)
def test_unary_signatures(context, name):
    for one in SCALARS:
        check(context, name, UNARY[name], (one,))


def check(context, name, function, operands):
    ours = resolve(name, *operands)
    theirs = in_numbas_context(context, function, operands)
    if ours is None or theirs is None:
        assert (ours, theirs) in ((None, None), (None, (None, None))), (name, operands)
        return
    result, given = theirs
    if name == "divmod":
        result = result.dtype
    assert in_numba(ours.result) == result, (name, operands)
    assert [str(in_numba(one)) for one in ours.operands] == given, (name, operands)


def test_variables_are_joined_as_numba_unifies_them(context):
    for one, other in product(SCALARS, repeat=2):
        unified = context.unify_pairs(in_numba(one), in_numba(other))
        assert in_numba(joined(one, other)) == unified, (one, other)


GIVEN = {"a": Array(FLOAT32, 1, "global"), "t": INT32, "u": UINT32, "d": FLOAT64}

STRAIGHT = [
    "cuda.threadIdx.x",
    "cuda.blockDim.y * cuda.blockIdx.y",
    "cuda.grid(1)",
    "cuda.grid(2)",
    "cuda.gridsize(1)",
    "cuda.laneid",
    "a[0] * 2",
    "a[0] * 2.0",
    "a[0] * t",
    "a[0] * np.float32(2)",
    "a[0] * np.int16(2)",
    "a[0] // 2",
    "a[0] % a[0]",
    "a[0] ** 2",
    "t ** 2",
    "a[0] ** t",
    "d ** 0.5",
    "pow(a[0], 2)",
    "t / 2",
    "u / u",
    "t // 2",
    "t + u",
    "u + u",
    "u - 1",
    "t << u",
    "u >> 1",
    "~t",
    "~u",
    "-u",
    "-a[0]",
    "not t",
    "t and 5",
    "t > 1 and u < 2",
    "t or a[0]",
    "3 if t else 2.5",
    "a[0] if 2.5 else d",
    "1 and a[0]",
    "0 or t and 1 and a[0]",
    "t and 0.0 and d",
    "a[0] if t else d",
    "t < u < 5",
    "t in (1, 2)",
    "min(t, 5)",
    "max(a[0], 0.0)",
    "max(a[0], a[0])",
    "min(u, t)",
    "abs(t)",
    "abs(u)",
    "abs(a[0])",
    "int(a[0])",
    "int(u)",
    "float(t)",
    "float(a[0])",
    "bool(t)",
    "round(a[0])",
    "round(a[0], 2)",
    "divmod(t, 3)",
    "divmod(a[0], a[0])",
    "math.sqrt(t)",
    "math.sqrt(a[0])",
    "math.exp(a[0])",
    "math.floor(a[0])",
    "math.floor(d)",
    "math.ceil(t)",
    "math.trunc(a[0])",
    "math.pow(a[0], 2)",
    "math.pow(a[0], a[0])",
    "math.atan2(a[0], a[0])",
    "math.hypot(t, t)",
    "math.fmod(a[0], 2.0)",
    "math.isnan(a[0])",
    "math.isinf(t)",
    "math.frexp(a[0])",
    "math.modf(a[0])",
    "math.ldexp(a[0], t)",
    "math.pi",
    "math.copysign(a[0], a[0])",
    "np.float32(t)",
    "np.int8(t)",
    "np.uint64(t)",
    "numba.int32(t) * numba.int32(t)",
    "numba.float64(a[0])",
    "a.shape",
    "a.shape[0]",
    "a.size",
    "a.ndim",
    "len(a)",
    "2 ** 3",
    "1 - 2",
    "3 / 2",
    "10000000000",
    "True + 1",
    "(t, a[0])",
    "(1, 2)[0]",
    "cuda.popc(t)",
    "cuda.popc(u)",
    "cuda.brev(u)",
    "cuda.clz(t)",
    "cuda.ffs(t)",
    "cuda.ffs(u)",
    "cuda.fma(a[0], a[0], a[0])",
    "cuda.fma(a[0], d, 2)",
    "cuda.cbrt(a[0])",
    "cuda.selp(t > 1, t, t)",
    "cuda.selp(t > 1, a[0], a[0])",
    "cuda.shfl_sync(0xffffffff, a[0], 1)",
    "cuda.shfl_down_sync(0xffffffff, t, 1)",
    "cuda.shfl_xor_sync(0xffffffff, d, 1)",
    "cuda.ballot_sync(0xffffffff, t > 1)",
    "cuda.any_sync(0xffffffff, t > 1)",
    "cuda.eq_sync(0xffffffff, t > 1)",
    "cuda.match_any_sync(0xffffffff, t)",
    "cuda.match_any_sync(0xffffffff, d)",
    "cuda.match_all_sync(0xffffffff, t)",
    "cuda.activemask()",
    "cuda.lanemask_lt()",
    "cuda.syncthreads_count(t)",
    "cuda.syncthreads_and(t)",
    "cuda.atomic.add(a, 0, 1)",
    "cuda.atomic.max(a, 0, 1.5)",
]


@pytest.mark.parametrize("expression", STRAIGHT)
def test_expressions(expression):
    text = kernel(f"x = {expression}", takes="a, t, u, d")
    ours = types_here(text, GIVEN)
    assert ours["x"] == theirs(text)["x"]


def theirs(text):
    return types_in_numba(text, GIVEN)


WAYS = {
    "a sum begun with 0": ["s = 0", "for i in range(t):", "    s += a[i]", "x = s"],
    "a sum begun with 0.0": ["s = 0.0", "for i in range(t):", "    s += a[i]", "x = s"],
    "a sum of its own type": [
        "s = numba.float32(0)",
        "for i in range(t):",
        "    s += a[i]",
        "x = s",
    ],
    "a product by an integer": ["s = 1", "for i in range(t):", "    s *= t", "x = s"],
    "one branch": ["s = 1", "if t:", "    s = 2.5", "x = s"],
    "two branches": ["if t:", "    s = a[0]", "else:", "    s = d", "x = s"],
    "a whole number and an unsigned one": ["s = u", "if t:", "    s = t", "x = s"],
    "no way leads here twice": ["s = 1", "s = 2.5", "x = s"],
    "before the change": ["s = 1", "x = s + 1", "s = 2.5"],
    "a range of int32": ["for i in range(t):", "    x = i"],
    "a range of constants": ["for i in range(4):", "    x = i"],
    "a range of int32 and a constant": ["for i in range(t, 5):", "    x = i"],
    "a range of uint32": ["for i in range(u):", "    x = i"],
    "a strided range": [
        "for i in range(cuda.threadIdx.x, a.shape[0], cuda.blockDim.x):",
        "    x = i",
    ],
    "a loop left by break": [
        "s = 0",
        "while True:",
        "    if t > 3:",
        "        break",
        "    s = s + 0.5",
        "x = s",
    ],
    "continue": [
        "s = 0",
        "for i in range(5):",
        "    if i == 2:",
        "        s = 1.5",
        "        continue",
        "    s = 1",
        "x = s",
    ],
    "a loop that only break leaves": [
        "s = 1",
        "while True:",
        "    s = a[0]",
        "    if t > 3:",
        "        break",
        "x = s",
    ],
    "else of a loop": [
        "s = t",
        "for i in range(3):",
        "    if t:",
        "        break",
        "else:",
        "    s = 2.5",
        "x = s",
    ],
    "halving": ["s = t", "while s > 0:", "    s = s // 2", "x = s"],
    "halving by /": ["s = t", "while s > 1:", "    s = s / 2", "x = s"],
    "unpacked": ["x, y = t, a[0]"],
    "swapped": ["p = t", "q = d", "for i in range(3):", "    p, q = q, p", "x = p"],
    "over a tuple": ["for i in (1, 2, 3):", "    x = i"],
    "over an array": ["for i in a:", "    x = i"],
    "tuples": ["s = (1, t)", "if t:", "    s = (2, 3)", "x = s"],
}


@pytest.mark.parametrize("name", WAYS)
def test_variables_that_several_ways_lead_to(name):
    text = kernel(*WAYS[name], takes="a, t, u, d")
    ours, numbas = types_here(text, GIVEN), theirs(text)
    last = max(one for one in numbas if one.partition(".")[0] == "x")
    assert ours["x"] == numbas[last]
