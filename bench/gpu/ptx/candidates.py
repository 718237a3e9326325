"""Every combination of opcode, modifiers and types that may be an instruction that computes.

Which ones are, ptxas says (`keep_accepted`). Behind a colon stand the parts of operands that a
video instruction names.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

_INTEGERS = ("s16", "u16", "s32", "u32", "s64", "u64", "s16x2", "u16x2")
_BITS = ("b16", "b32", "b64")
_FLOATS = ("f16", "f16x2", "bf16", "bf16x2", "f32", "f64")
_ALL = (*_INTEGERS, *_BITS, *_FLOATS)
_NARROW = ("s8", "u8", *_INTEGERS[:6], "f16", "bf16", "f32", "f64")
_MODES = ("", "rn", "rz", "rm", "rp")
_COMPARE = ("eq", "ne", "lt", "le", "gt", "ge")
_EVERY_COMPARE = (
    *_COMPARE, "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
)  # fmt: skip
_WORDS = ("s32", "u32")
_TARGET = "sm_90a"
_ERROR = re.compile(r", line (\d+); error")


def candidates() -> Iterator[str]:
    """Yield all combinations, each once."""
    for parts in (
        _arithmetic(), _floats(), _approximations(), _comparisons(), _bits(), _conversions(),
        _video(),
    ):  # fmt: skip
        yield from (".".join(filter(None, each)) for each in parts)
    yield from _of_parts()


def _arithmetic() -> Iterator[tuple[str, ...]]:
    for name in ("add", "sub", "mul"):
        yield from product((name,), _MODES, ("", "ftz"), ("", "sat"), _ALL)
    for name in ("mul", "mad", "mul24", "mad24"):
        yield from product((name,), ("lo", "hi", "wide"), ("", "sat"), _INTEGERS)
    yield from product(("add", "sub"), ("cc",), _INTEGERS)
    yield from product(("addc", "subc"), ("", "cc"), _INTEGERS)
    yield from product(("mad", "madc"), ("lo", "hi"), ("", "cc"), _INTEGERS)
    yield from product(("div", "rem", "sad", "abs", "neg"), _INTEGERS)
    yield from product(("min", "max"), ("", "relu"), _INTEGERS)
    yield from product(("dp4a",), ("", "lo"), _WORDS, _WORDS)
    yield from product(("dp2a",), ("lo", "hi"), _WORDS, _WORDS)


def _floats() -> Iterator[tuple[str, ...]]:
    yield from product(
        ("fma", "mad"), _MODES, ("", "ftz"), ("", "sat"), ("", "relu"), _FLOATS
    )  # fmt: skip
    yield from product(("div", "rcp", "sqrt"), _MODES[1:], ("", "ftz"), _FLOATS)
    yield from product(("abs", "neg"), ("", "ftz"), _FLOATS)
    yield from product(("min", "max"), ("", "ftz"), ("", "NaN"), ("", "xorsign.abs"), _FLOATS)
    yield from product(("copysign",), _FLOATS)
    tests = ("finite", "infinite", "number", "notanumber", "normal", "subnormal")
    yield from product(("testp",), tests, _FLOATS)


def _approximations() -> Iterator[tuple[str, ...]]:
    names = ("rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh")
    yield from product(names, ("approx",), ("", "ftz"), _FLOATS)
    yield from product(("div",), ("approx", "full"), ("", "ftz"), _FLOATS)


def _comparisons() -> Iterator[tuple[str, ...]]:
    results = ("u16", "s16", "u32", "s32", "f16", "bf16", "f32", "f16x2", "bf16x2")
    yield from product(("setp",), _EVERY_COMPARE, ("", "and"), ("", "ftz"), _ALL)
    yield from product(("setp",), ("lt",), ("or", "xor"), _ALL)
    yield from product(("set",), _EVERY_COMPARE, ("",), ("", "ftz"), results, _ALL)
    yield from product(("set",), ("lt",), ("and", "or", "xor"), results, _ALL)
    yield from product(("selp",), _ALL)
    yield from product(("slct",), ("", "ftz"), _ALL, ("s32", "f32"))


def _bits() -> Iterator[tuple[str, ...]]:
    yield from product(("and", "or", "xor", "not", "cnot"), (*_BITS, "pred"))
    names = ("shl", "shr", "popc", "clz", "brev", "bfind", "bfind.shiftamt", "bfe", "bfi")
    yield from product(names, (*_BITS, *_INTEGERS))
    yield from product(("szext", "bmsk"), ("wrap", "clamp"), (*_BITS, *_INTEGERS))
    yield from product(("shf",), "lr", ("wrap", "clamp"), ("b32",))
    yield from product(("prmt.b32",), ("", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"))
    yield ("fns", "b32")


def _conversions() -> Iterator[tuple[str, ...]]:
    modes = (*_MODES, "rni", "rzi", "rmi", "rpi", "rna")
    limits = ("", "sat", "relu", "satfinite")
    yield from product(("cvt",), modes, ("", "ftz"), limits, _NARROW, _NARROW)
    yield from product(("cvt",), _MODES, ("", "satfinite"), ("", "relu"), _PACKED)
    yield from product(("cvt.pack.sat",), ("u16", "s16"), ("s32",))
    yield from product(("cvt.pack.sat",), ("u8", "s8", "u4", "s4", "u2", "s2"), ("s32.b32",))


_PACKED = ("f16x2.f32", "bf16x2.f32", "tf32.f32")
"""Those of FP8 are measured for all codes (`fp8`)."""


def _video() -> Iterator[tuple[str, ...]]:
    names = ("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vavrg")
    counts = ("", "2", "4")
    for name, count in product(names, counts):
        yield from product((name + count,), _WORDS, _WORDS, _WORDS, ("", "sat"), ("", "add"))
    for count in counts:
        yield from product((f"vset{count}",), _WORDS, _WORDS, _COMPARE, ("", "add"))


def _of_parts() -> Iterator[str]:
    """Yield video instructions that name parts: of the result, both operands, and the third."""
    one = (",h1,b3", ",b0,", ",h0,b1")
    for name, parts in (
        ("vadd", one), ("vsub", one), ("vabsdiff", one), ("vmin", one), ("vmax", one),
        ("vadd2", ("h1,h01,h32,", "h0,h21,h13,", "h10,h33,h00,")),
        ("vsub2", ("h1,h01,h32,", ",h21,h13,")), ("vavrg2", ("h0,h12,h30,",)),
        ("vadd4", ("b20,b0123,b7654,", "b3,b7531,b6420,")),
        ("vsub4", ("b310,b0246,b1357,",)), ("vabsdiff4", ("b321,b4567,b3210,",)),
    ):  # fmt: skip
        for kinds, limit, part in product(("s32.s32.u32", "u32.s32.s32"), ("", ".sat"), parts):
            yield f"{name}.{kinds}{limit}:{part}"
    for test in _COMPARE:
        yield from (f"vset.s32.u32.{test}:{part}" for part in (",h0,b2", ",b3,h1"))
        yield from (f"vset2.s32.u32.{test}:{part}" for part in ("h1,h20,h31,", "h0,h10,h32,"))


def keep_accepted(kernels: Iterable[str], head: str) -> list[bool]:
    """Return which kernels ptxas takes.

    Args:
        kernels: each in PTX.
        head: what stands before all of them.
    """
    starts, texts, line = list[int](), [head], head.count("\n")
    for kernel in kernels:
        starts.append(line)
        texts.append(kernel)
        line += kernel.count("\n")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "all.ptx"
        file.write_text("".join(texts))
        command = ("ptxas", f"-arch={_TARGET}", "-o", "/dev/null", str(file))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    wrong = {int(each) for each in _ERROR.findall(done.stderr)}
    ends = [*starts[1:], line]
    return [
        wrong.isdisjoint(range(start + 1, end + 1))
        for start, end in zip(starts, ends, strict=True)
    ]  # fmt: skip
