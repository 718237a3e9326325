"""Constructs for threads that a guard lets through, and guards: texts for `test_guarded`.

A construct uses what a thread has: `t`, its number; integers `i` and `j` from 1 to 7; a number `f`
up to 7; the arrays `p`, `q` (40,), `pp` (20, 20), local `l` (40,). It leaves its result in `r`.
"""

from __future__ import annotations

PLAIN = [
    *("p[i]", "p[-i]", "p[i:][0]", "p[i:i + 2][1]", "p[:i][i - 1]", "p[::-1][i]", "p[i::2][1]"),
    *("len(p[i:])", "p[i:2 * i + 1].size", "p[i:].shape[0]", "p[-i:][0]", "p[30:i:-3][0]"),
    *("pp[i][j]", "pp[i, j]", "pp[i:, j:][0, 1]", "pp[i].T[0]", "pp.T[i, 1]", "pp[:, i][j]"),
    *("pp[i:i + 2, j][1]", "pp[i][j:][0]", "pp[i:j + 9].shape[0]", "pp.T[i:, j][1]", "T[i]"),
    *("p[int(f)]", "p[min(i, j):max(i, j) + 1][0]", "p[i if i < j else j]"),
    *("i // j", "j // i", "i % j", "f // j", "f % i", "j / i", "(i * 100) // -j", "-i % j"),
    *("j << i", "(j * 999) >> i", "i ** j", "f ** i", "i ** f", "f ** f", "2 ** i", "i & j | 1"),
    *("i ^ j", "~i", "-i", "+f", "abs(-i)", "not i", "i < j", "0 < i <= j < 9", "i == j or f > 1"),
    *("divmod(j, i)[0]", "divmod(f, i)[1]", "pow(i, j)", "round(f)", "round(f, i % 3)", "int(f)"),
    *("float(i)", "bool(i)", "min(i, j, f)", "max(f, i)", "(3, 1, 4, 1, 5, 9, 2, 6)[i]"),
    *("i in (1, 2, 3)", "j not in (i, 4)", "((i, f), j)[0][1]", "(i, j) == (j, i)"),
    *("math.sqrt(f)", "math.log(f)", "math.log2(i)", "math.log1p(f)", "math.exp(f)"),
    *("math.expm1(f)", "math.pow(f, i)", "math.gamma(i)", "math.lgamma(f)", "math.erf(f)"),
    *("math.erfc(f)", "math.sin(f)", "math.acos(1 / i)", "math.acosh(f + 1)", "math.atan2(f, i)"),
    *("math.fmod(f, i)", "math.hypot(i, j)", "math.ldexp(f, i)", "math.frexp(f)[1]"),
    *("math.modf(f)[0]", "math.floor(f)", "math.ceil(f)", "math.trunc(f)", "math.copysign(f, -i)"),
    *("math.degrees(f)", "math.isnan(f)", "math.isinf(f / i)", "math.remainder(f, i)"),
    *("complex(f, i).imag", "abs(complex(f, i))", "cmath.sqrt(complex(f, i)).real"),
    *("cmath.rect(f, i).imag", "cmath.polar(complex(f, i))[1]", "cmath.exp(complex(f, i)).real"),
    *("np.sin(f)", "np.hypot(f, i)", "np.left_shift(j, i)", "np.logical_and(i, f)"),
    *("np.fmin(f, i)", "np.arctan2(f, i)", "np.floor(f)"),
    *("f if i > 3 else j", "(p if i > 3 else q)[i]", "(p if i > 3 else p[1:])[i]"),
    *("pair(i, f)[1]", "tail(p, i)", "either(p, q, i)[j]", "sign(i, f)", "rows(pp, i, j)"),
]
"""Expressions that mean the same to Python."""

STATEMENTS = [
    ["r = 0", "for k in range(i):", "    r += k"],
    ["r = 0", "for k in range(i, 3 * i, i):", "    r += k"],
    ["r = 0", "for k in range(20, j, -i):", "    r += p[k] + k"],
    ["r = 0", "for x in p[i:i + 3]:", "    r += x"],
    ["r = 0", "for x, y in zip(p[i:], q[j:]):", "    r += x * y"],
    ["r = 0", "for k, x in enumerate(p[i:i + j], i):", "    r += k * x"],
    ["r = 0", "for x in (i, j, 3):", "    r += x"],
    ["r = 0", "for x in pp[i][j:]:", "    r += x"],
    ["r = 0", "for k in range(len(p[i:])):", "    r += p[i:][k]"],
    ["r, k = 0, i", "while k > 0:", "    k -= 1", "    r += p[k]"],
    ["r = 0", "for k in range(9):", "    if k < i:", "        continue", "    r += 10 // k"],
    ["r = 0", "for k in range(i, 99):", "    if k > j:", "        break", "    r += p[k:][0]"],
    ["v = p[i:]", "w = v[1:j + 1]", "r = w[0] + v.size + len(w)"],
    ["v = pp[i]", "w = pp[:, j]", "r = v[j] + w[i] + v.size"],
    ["v = p", "if i > j:", "    v = q[1:]", "r = v[i]"],
    ["v, w = p[i:], q", "if i % 2:", "    v, w = w, v", "r = v[1] - w[2]"],
    ["a, b = i, f", "a, b = b, a", "r = a * 10 + b"],
    ["a = (i, f, j)", "r = a[0] + a[1]", "x, y, z = a", "r += z"],
    ["l[i] = f", "l[i] += j", "r = l[i]"],
    ["l[i:i + 2][1] = f", "r = l[i + 1]"],
    ["for k in range(i):", "    l[k] = k * f", "r = l[i - 1]"],
    ["l[i:] = f", "r = l[i - 1] + l[i] + l[39]"],
    ["v = l[j:]", "v[i:i + 2] = f", "r = l[i + j + 1] + l[i + j + 2]"],
    ["v = l[i:]", "v[j] = f", "r = l[i + j]"],
    ["np.sin(p[i:i + 2], l[i:i + 2])", "r = l[i + 1]"],
    ["np.hypot(p[i:i + 3], f, l[j:j + 3])", "r = l[j + 2]"],
    ["np.cos(p[:i], l[:i])", "r = l[i - 1]"],
    ["np.log(p[1:2], l[i:i + j])", "r = l[i]"],
    ["r = i", "r //= j", "r += 7 // i", "r <<= i", "r **= 2"],
    ["r = 1 if 1 // i >= 0 and p[i:][0] > -9 else 2"],
    ["r = 0", "if i > 9 or p[i] > -9 or 1 // 0 > 0:", "    r = 1"],
    ["assert i > 0", "r = i"],
    ["x: float = f", "r = x"],
]
"""Several lines that mean the same to Python."""

OURS = [
    *("np.int8(i)", "np.uint8(f)", "np.int32(i * 1.5)", "np.uint64(i)", "np.float32(f)"),
    *("np.float16(f)", "numba.int16(f * 9)", "cuda.popc(i)", "cuda.clz(i)", "cuda.ffs(i)"),
    *("cuda.brev(np.uint32(i))", "cuda.fma(f, f, f)", "cuda.cbrt(f)", "cuda.selp(i > 3, i, j)"),
    *("cuda.fp16.hsqrt(np.float16(f))", "cuda.fp16.hfma(np.float16(f), np.float16(f), H)"),
    *("np.complex64(complex(f, i)).real", "cuda.const.array_like(T)[i]", "math.nextafter(f, i)"),
    *("cuda.shfl_sync(-1, f, cuda.laneid)", "cuda.shfl_xor_sync(-1, i, 0)"),
    *("cuda.shfl_up_sync(-1, f, 0)", "cuda.shfl_down_sync(-1, j, 0)", "cuda.lanemask_lt()"),
]
"""Expressions whose values are those without a guard."""

TOGETHER = [
    ["r = cuda.atomic.add(acc, i, 1)"],
    ["cuda.atomic.max(acc, i, j)", "r = 0"],
    ["r = cuda.atomic.cas(acc, i, 0, j)"],
    ["r = cuda.atomic.exch(acc, j, i)"],
    ["cuda.atomic.add(facc, i % 3, f)", "r = 0"],
    ["cuda.atomic.nanmin(facc[i:], 0, f)", "r = 0"],
    ["r = cuda.atomic.add(s, i, f)"],
    ["cuda.atomic.add((acc if i > 3 else acc[9:]), i, 1)", "r = 0"],
    ["s[x] = f", "r = s[x]"],
    ["s[x:x + 1][0] = f", "v = s[x:]", "r = v[0]"],
    ["r = cuda.ballot_sync(cuda.activemask(), i > 3)"],
    ["r = cuda.any_sync(cuda.activemask(), i > 6)"],
    ["r = cuda.all_sync(cuda.activemask(), i > 1)"],
    ["r = cuda.match_any_sync(cuda.activemask(), i)"],
    ["r = cuda.match_all_sync(cuda.activemask(), i // 9)[1]"],
    ["r = cuda.eq_sync(cuda.activemask(), f > 0)"],
    ["print(i, f)", "r = i"],
]
"""What depends on the threads that a guard lets through: values are those with tame others."""

FUNCTIONS = """
def pair(i, f):
    return i, f * 2

def tail(p, i):
    rest = p[i:]
    return rest[0]

def either(p, q, i):
    if i > 3:
        return p
    return q

def sign(i, f):
    if i % 2:
        return -f
    return f

def rows(pp, i, j):
    row = pp[i]
    return row[j]

"""

GUARDS = {
    "if": ["if ok:", "    {}"],
    "return": ["if not ok:", "    return", "{}"],
    "else": ["if not ok:", "    r = 0", "else:", "    {}"],
    "while": ["again = 0", "while ok and again < 1:", "    again += 1", "    {}"],
    "range": ["for again in range(1 if ok else 0):", "    {}"],
    "continue": ["for again in range(2):", "    if again or not ok:", "        continue", "    {}"],
    "break": ["for again in range(3):", "    if not ok:", "        break", "    {}", "    break"],
    "forever": ["while True:", "    if not ok:", "        break", "    {}", "    break"],
    "and": ["if t >= 0 and ok:", "    {}"],
    "or": ["if not (t < 0 or not ok):", "    {}"],
    "elif": ["if not ok:", "    pass", "elif t >= 0:", "    {}"],
}
"""Statements around `{}`, which only threads with `ok` come to."""

IN_EXPRESSIONS = {
    "ternary": "(({}) if ok else 0)",
    "and": "(ok and ({}))",
    "or": "(not ok or ({}))",
    "comparison": "(0 < ok < 2 + 0 * ({}))",
    "function": "guarded(ok, i, j, f, p, q, pp)",
}
"""Expressions around one, which only threads with `ok` come to."""
