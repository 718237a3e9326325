"""Kernels of narrow numbers, of bytes in words, and of inline PTX: expressions of typed forms."""

from __future__ import annotations

from bench.gpu.cuda_features.drawing import Shown, Writer, read_forms

UNSIGNED = Shown("$u", ("@",))
FLOAT = Shown("$f", ("bits(@)",))
_HALVES = ("bits(__low2float(@))", "bits(__high2float(@))")
TYPES = {
    "unsigned": UNSIGNED,
    "int": Shown("(int)$u", ("(unsigned)@",)),
    "float": FLOAT,
    "half": Shown("__float2half($f)", ("bits(__half2float(@))",)),
    "half2": Shown("__floats2half2_rn($f, $f)", _HALVES),
    "bfloat": Shown("__float2bfloat16($f)", ("bits(__bfloat162float(@))",)),
    "bfloat2": Shown("__floats2bfloat162_rn($f, $f)", _HALVES),
    "e4m3": Shown("__nv_fp8_e4m3($f)", ("(unsigned)@.__x",)),
    "e5m2": Shown("__nv_fp8_e5m2($f)", ("(unsigned)@.__x",)),
    "e4m3x2": Shown("__nv_fp8x2_e4m3(make_float2($f, $f))", ("(unsigned)@.__x",)),
    "e5m2x4": Shown("__nv_fp8x4_e5m2(make_float4($f, $f, $f, $f))", ("(unsigned)@.__x",)),
}  # fmt: skip
ALIASES = """\
using bfloat = __nv_bfloat16; using bfloat2 = __nv_bfloat162;
using e4m3 = __nv_fp8_e4m3; using e5m2 = __nv_fp8_e5m2;
using e4m3x2 = __nv_fp8x2_e4m3; using e5m2x4 = __nv_fp8x4_e5m2;"""

_NARROW = """
T: __h{add|sub|mul|div}($T, $T)
T: __h{add|sub|mul}_sat($T, $T)
T: __hfma($T, $T, $T)
T: __hfma_relu($T, $T, $T)
T: __h{max|min}($T, $T)
T: __h{max|min}_nan($T, $T)
T: __h{neg|abs}($T)
T: ($T {+|-|*} $T)
T: (__h{gt|ge|lt|le|eq|ne|gtu|leu}($T, $T) ? $T : $T)
T: h{floor|ceil|trunc|rint}($T)
T: hsqrt(__habs($T))
T: hrcp($T)
T: __{low|high}2@w($T2)
T: __int2@w_{rn|rz|ru|rd}($int)
T: __uint2@w_{rn|rz|ru|rd}($unsigned)
T: __float2@w_{rn|rz|ru|rd}($float)
T: __short2@w_rn((short)$int)
int: __@w2int_{rn|rz|ru|rd}($T)
int: (int)__@w2short_{rn|rz|ru|rd}($T)
unsigned: __@w2uint_{rn|rz|ru|rd}($T)
int: (int)($T {<|>|<=|>=|==|!=} $T)
float: __@w2float($T)
T2: __h{add|sub|mul}2($T2, $T2)
T2: __h{add|sub|mul}2_sat($T2, $T2)
T2: __hfma2($T2, $T2, $T2)
T2: __hfma2_relu($T2, $T2, $T2)
T2: __h{max|min}2($T2, $T2)
T2: __h{neg|abs}2($T2)
T2: __h2div($T2, $T2)
T2: ($T2 {+|-|*} $T2)
T2: h2{floor|ceil|trunc|rint}($T2)
T2: h2sqrt(__habs2($T2))
T2: __h{eq|ne|gt|lt|ge|le}2($T2, $T2)
T2: __lowhigh2highlow($T2)
T2: __{lows|highs}2@p($T2, $T2)
T2: __{low2@p|high2@p}($T2)
T2: __halves2@p($T, $T)
T2: __@w2@p($T)
int: (int)__hb{eq|ne|gt|lt|ge|le}2($T2, $T2)
unsigned: __h{eq|lt|gt}2_mask($T2, $T2)
"""


def _narrow(kind: str, word: str, pair: str) -> dict[str, list[str]]:
    text = _NARROW.replace("@w", word).replace("@p", pair).replace("$T", f"${kind}")
    return read_forms(text.replace("T2: ", f"{kind}2: ").replace("T: ", f"{kind}: "))


_FP8 = read_forms("""
e4m3: __nv_fp8_e4m3(${float|half|bfloat})
e4m3: __nv_fp8_e4m3((float)$e5m2)
e4m3: __nv_fp8_e4m3((float)$e4m3 {*|+|-} $float)
e5m2: __nv_fp8_e5m2(${float|half|bfloat})
e5m2: __nv_fp8_e5m2((double)$float)
e5m2: __nv_fp8_e5m2((float)$e4m3 {*|+|-} (float)$e5m2)
e4m3x2: __nv_fp8x2_e4m3(make_float2($float, (float)$e4m3))
e4m3x2: __nv_fp8x2_e4m3(${half2|bfloat2})
e5m2x4: __nv_fp8x4_e5m2($half2, $half2)
e5m2x4: __nv_fp8x4_e5m2(make_float4($float, (float)$e5m2, $float, $float))
float: (float)${e4m3|e5m2}
half: __half(${e4m3|e5m2})
half: (half)${e4m3|e5m2}
half2: (__half2)$e4m3x2
half2: __floats2half2_rn((float)$e4m3, $float)
bfloat: __float2bfloat16((float)${e4m3|e5m2})
float: ((float2)$e4m3x2).{x|y}
float: ((float4)$e5m2x4).{x|y|z|w}
unsigned: (unsigned)__nv_cvt_float_to_fp8($float, {__NV_SATFINITE|__NV_NOSAT}, {__NV_E4M3|__NV_E5M2})
unsigned: (unsigned)__nv_cvt_float2_to_fp8x2(make_float2($float, $float), {__NV_SATFINITE|__NV_NOSAT}, {__NV_E4M3|__NV_E5M2})
unsigned: (unsigned)__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw($bfloat), __NV_SATFINITE, {__NV_E4M3|__NV_E5M2})
half: __half(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)$unsigned, {__NV_E4M3|__NV_E5M2}))
half2: __hadd2((__half2)$e4m3x2, $half2)
bfloat2: __floats2bfloat162_rn((float)$e5m2, $float)
""")

_PACKED = read_forms("""
unsigned: __v{add|sub|avgs|maxs|mins|addss|subss|absdiffs}4($unsigned, $unsigned)
unsigned: __v{avgu|maxu|minu|addus|subus|absdiffu}4($unsigned, $unsigned)
unsigned: __v{add|sub|avgs|maxs|mins|addss|subss|absdiffs|avgu|maxu|minu|addus|subus|absdiffu}2($unsigned, $unsigned)
unsigned: __vcmp{eq|ne|ges|geu|gts|gtu|les|leu|lts|ltu}{2|4}($unsigned, $unsigned)
unsigned: __vset{eq|ne|ges|geu|gts|gtu|les|leu|lts|ltu}{2|4}($unsigned, $unsigned)
unsigned: __v{abs|absss|neg|negss}{2|4}($unsigned)
unsigned: __vsad{s|u}{2|4}($unsigned, $unsigned)
unsigned: __vhaddu{2|4}($unsigned, $unsigned)
unsigned: __dp4a($unsigned, $unsigned, $unsigned)
int: __dp4a($int, $int, $int)
unsigned: __dp2a_{lo|hi}($unsigned, $unsigned, $unsigned)
int: __dp2a_{lo|hi}($int, $int, $int)
unsigned: __byte_perm($unsigned, $unsigned, {$nibbles|$unsigned})
unsigned: __funnelshift_{l|r|lc|rc}($unsigned, $unsigned, {$small|$unsigned})
unsigned: __brev($unsigned)
int: __{popc|clz|ffs}($int)
int: __{mulhi|mul24}($int, $int)
unsigned: __{umulhi|umul24}($unsigned, $unsigned)
unsigned: __sad($int, $int, $unsigned)
unsigned: __usad($unsigned, $unsigned, $unsigned)
int: __{hadd|rhadd}($int, $int)
unsigned: __{uhadd|urhadd}($unsigned, $unsigned)
unsigned: (unsigned)__{popcll|clzll|ffsll}((long long)$unsigned << 21 ^ (long long)$unsigned)
unsigned: (unsigned)(__umul64hi((unsigned long long)$unsigned << 30, (unsigned long long)$unsigned << 20) >> 3)
unsigned: ($unsigned {^|+|*|&} $unsigned)
int: (int)($unsigned {^|-} (unsigned)$int)
""")

_ASSEMBLY = read_forms("""
unsigned: lop3.b32 %0, %1, %2, %3, $byte; : unsigned, unsigned, unsigned
unsigned: prmt.b32{|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16} %0, %1, %2, %3; : unsigned, unsigned, unsigned
unsigned: bfe.{u32|s32} %0, %1, $small, $small; : unsigned
unsigned: bfi.b32 %0, %1, %2, $small, $small; : unsigned, unsigned
unsigned: mad.{lo|hi}.{u32|s32} %0, %1, %2, %3; : unsigned, unsigned, unsigned
unsigned: shf.{l|r}.{wrap|clamp}.b32 %0, %1, %2, %3; : unsigned, unsigned, unsigned
unsigned: .reg .pred p; setp.{lt|ge|eq|ls|hi|ne}.u32 p, %1, %2; selp.b32 %0, %2, %3, p; : unsigned, unsigned, unsigned
unsigned: .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, %3, t; : unsigned, unsigned, unsigned
unsigned: .reg .u64 t; mul.wide.u32 t, %1, %2; shr.u64 t, t, $small; cvt.u32.u64 %0, t; : unsigned, unsigned
unsigned: mov.u32 %0, %%{laneid|lanemask_lt|lanemask_ge|lanemask_eq|tid.x|ntid.x|ctaid.x|nctaid.x}; :
unsigned: {popc.b32|clz.b32|brev.b32|bfind.u32|not.b32|cnot.b32} %0, %1; : unsigned
unsigned: {min|max}.{u32|s32} %0, %1, %2; : unsigned, unsigned
unsigned: dp4a.{u32|s32}.{u32|s32} %0, %1, %2, %3; : unsigned, unsigned, unsigned
unsigned: sad.{u32|s32} %0, %1, %2, %3; : unsigned, unsigned, unsigned
unsigned: {add|sub|mul}.{f16x2|rn.f16x2} %0, %1, %2; : pair, pair
unsigned: cvt.{rni|rzi|rmi|rpi}{|.ftz}.{s32|u32}.f32 %0, %1; : float
unsigned: cvt.rn{|.relu}.{f16x2|bf16x2}.f32 %0, %1, %2; : float, float
float: fma.{rn|rz|rm|rp}{|.ftz|.sat}.f32 %0, %1, %2, %3; : float, float, float
float: {add|sub|mul}.{rn|rz|rm|rp}{|.ftz}.f32 %0, %1, %2; : float, float
float: {min|max}{|.NaN|.ftz}.f32 %0, %1, %2; : float, float
float: cvt.rn.f32.{u32|s32} %0, %1; : unsigned
float: copysign.f32 %0, %1, %2; : float, float
""")
"""Inline PTX: text, and the types of its operands."""
_CONSTRAINTS = {"unsigned": "r", "float": "f", "pair": "r"}
_PAIR = "(0x3c003c00u ^ ({} & 0x83ff83ffu))"
"""Two halves of 1 to 2 with any signs: a NaN's other bits are not promised."""


def halves(writer: Writer) -> None:
    """Write expressions of `half` and `half2`."""
    writer.forms = _narrow("half", "half", "half2")
    writer.declare_some(("half", "half2", "int", "float", "unsigned"), writer.random.randint(8, 14))


def bfloats(writer: Writer) -> None:
    """Write expressions of `__nv_bfloat16` and `__nv_bfloat162`."""
    writer.forms = _narrow("bfloat", "bfloat16", "bfloat162")
    kinds = ("bfloat", "bfloat2", "int", "float", "unsigned")
    writer.declare_some(kinds, writer.random.randint(8, 14))


def bytes_of_floats(writer: Writer) -> None:
    """Write conversions of FP8, with arithmetic between them."""
    writer.forms = _FP8
    kinds = ("e4m3", "e5m2", "e4m3x2", "e5m2x4", "half", "half2", "bfloat", "float", "unsigned")
    writer.declare_some(kinds, writer.random.randint(11, 16))


def packed_words(writer: Writer) -> None:
    """Write SIMD-in-a-word intrinsics, dot products of bytes, and their kin."""
    writer.forms = _PACKED
    writer.declare_some(("unsigned", "int"), writer.random.randint(10, 16), depth=4)


def inline_ptx(writer: Writer) -> None:
    """Write inline PTX: each statement reads what is there."""
    writer.declare_some(("unsigned", "float"), 4, depth=0)
    for _ in range(writer.random.randint(10, 16)):
        kind = writer.pick("unsigned", "unsigned", "unsigned", "float")
        text, _, kinds = writer.random.choice(_ASSEMBLY[kind]).partition(" : ")
        name = writer.name()
        operands = []
        for each in filter(None, kinds.split(", ")):
            value = writer.value("unsigned" if each == "pair" else each, 1)
            shown = _PAIR.format(value) if each == "pair" else value
            operands.append(f'"{_CONSTRAINTS[each]}"({shown})')
        filled = writer.fill(text.removesuffix(" :"), writer.input)
        body = f"{{ {filled} }}" if ".reg" in filled else filled
        inputs = f" : {', '.join(operands)}" if operands else ""
        volatile = writer.pick("", " volatile")
        writer.write(f"{kind} {name};")
        writer.write(f'asm{volatile}("{body}" : "={_CONSTRAINTS[kind]}"({name}){inputs});')
        writer.variables.setdefault(kind, []).append(name)
