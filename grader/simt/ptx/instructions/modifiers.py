"""Which modifiers an instruction may have: an unknown one is refused, rather than passed over.

Those of instructions that compute are the ones of the forms that a GPU has run
(tests/data/ptx/forms.npz); the others are as the grammar of the PTX ISA has them. Their order, and
which of them exclude each other, is looked at where an instruction is lowered.
"""

from __future__ import annotations

import re

from grader.simt.ptx import syntax
from grader.simt.ptx.reading import SIZES
from grader.simt.ptx.values import DTYPES

TYPES = frozenset(
    {*SIZES, *DTYPES, "b1", "b4", "s2", "s4", "u2", "u4", "e4m3", "e5m2", "s16x2", "u16x2"}
)
_SHAPED = frozenset({"mma", "wmma", "wgmma", "ldmatrix", "stmatrix", "movmatrix"})
_SHAPE = re.compile(r"m\d+n\d+(k\d+)?$")
_COMPARED = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"
_ROUNDED = "rn rz rm rp ftz"
_SPACES = "global local const param param::entry param::func shared shared::cta shared::cluster"
_ORDERED = "relaxed acquire release acq_rel cta cluster gpu sys"
_CACHED = (
    "ca cg cs cv lu wb wt L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last"
    " L1::no_allocate L2::evict_normal L2::evict_first L2::evict_last L2::cache_hint"
    " L2::64B L2::128B L2::256B"
)
_CHANGES = "add inc dec min max and or xor noftz"
_REPORTS = "async mbarrier::complete_tx::bytes"
_WARPS = "sync aligned"
_MADE = (
    "named_arrive named_wait named_result cluster_wait popc and or"  # see `mbarriers.take_apart`
)

_COMPUTING = {
    "add sub": f"{_ROUNDED} cc sat",
    "addc subc": "cc",
    "mul": f"{_ROUNDED} hi lo sat wide",
    "mad": f"{_ROUNDED} cc hi lo sat wide",
    "madc": "cc hi lo",
    "mul24": "hi lo",
    "mad24": "hi lo sat",
    "fma": f"{_ROUNDED} relu sat",
    "div": f"{_ROUNDED} approx full",
    "rcp sqrt": f"{_ROUNDED} approx",
    "rsqrt sin cos lg2 ex2": "approx ftz",
    "tanh": "approx",
    "abs neg slct": "ftz",
    "min max": "NaN abs ftz relu xorsign",
    "dp2a": "hi lo",
    "setp set": _COMPARED,
    "testp": "finite infinite normal notanumber number subnormal",
    "bfind": "shiftamt",
    "bmsk szext": "clamp wrap",
    "shf": "clamp wrap l r",
    "prmt": "b4e ecl ecr f4e rc16 rc8",
    "cvt": f"{_ROUNDED} rni rzi rmi rpi pack relu sat satfinite",
    "vadd vsub vabsdiff vmin vmax vadd2 vsub2 vabsdiff2 vavrg2 vmin2 vmax2 vadd4 vsub4 vabsdiff4"
    " vavrg4 vmin4 vmax4": "add sat",
    "vset vset2 vset4": "add eq ne lt le gt ge",
    "and or xor not cnot shl shr popc clz brev bfe bfi selp sad rem copysign dp4a fns": "",
}
"""Modifiers beside types, by opcodes: what the recorded forms have."""
_OTHERS = {
    "lop3": "and or xor",
    "cvt": "rna",
    "mov call activemask nanosleep trap": "uni",
    "ld ldu": f"{_SPACES} {_ORDERED} {_CACHED} weak volatile mmio nc v2 v4",
    "st": f"{_SPACES} {_ORDERED} {_CACHED} {_REPORTS} weak volatile mmio v2 v4",
    "atom": f"{_SPACES} {_ORDERED} {_CACHED} {_CHANGES} cas exch v2 v4 v8",
    "red": f"{_SPACES} {_ORDERED} {_CACHED} {_CHANGES} {_REPORTS} v2 v4 v8",
    "cvta isspacep": f"{_SPACES} to",
    "mapa getctarank": "shared::cluster",
    "shfl": f"{_WARPS} up down bfly idx",
    "vote": f"{_WARPS} all any uni ballot",
    "match": f"{_WARPS} all any",
    "redux": f"{_WARPS} add min max and or xor abs NaN",
    "elect": _WARPS,
    "bar barrier": f"{_WARPS} {_ORDERED} arrive red popc and or warp wait",
    "mbarrier": f"{_ORDERED} {_MADE} init inval expect_tx complete_tx arrive arrive_drop test_wait"
    " try_wait pending_count noComplete parity shared shared::cta shared::cluster",
    "membar": "cta gl sys proxy alias",
    "fence": f"{_ORDERED} sc mbarrier_init proxy alias async tensormap::generic async::generic"
    " global shared::cta shared::cluster sync_restrict::shared::cta sync_restrict::shared::cluster",
    "ldmatrix stmatrix movmatrix": f"{_WARPS} x1 x2 x4 trans shared shared::cta",
    "mma": f"{_WARPS} {_ROUNDED} row col satfinite xor and popc sp sp::ordered_metadata",
    "wmma": f"{_WARPS} {_ROUNDED} a b c d load store mma row col satfinite xor and popc global"
    " shared shared::cta",
    "wgmma": f"{_WARPS} fence mma_async commit_group wait_group sp satfinite and popc",
    "cp": f"{_CACHED} {_CHANGES} async commit_group wait_group wait_all mbarrier arrive noinc bulk"
    " bulk_group read prefetch L2 tensor reduce cp_mask 1d 2d 3d 4d 5d tile tile::gather4"
    " tile::scatter4 im2col im2col::w im2col::w::128 im2col_no_offs multicast::cluster"
    " mbarrier::complete_tx::bytes shared::cta shared::cluster shared global cta_group::1"
    " cta_group::2",
}


def _by_opcode(*tables: dict[str, str]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for table in tables:
        for opcodes, modifiers in table.items():
            for opcode in opcodes.split():
                found[opcode] = found.get(opcode, frozenset()) | frozenset(modifiers.split())
    return found


COMPUTING = _by_opcode(_COMPUTING)
"""Of instructions that compute, by opcode."""
_KNOWN = _by_opcode(_COMPUTING, _OTHERS)


def find_unknown(instruction: syntax.Instruction) -> str:
    """Return the first modifier that no instruction of its opcode has; "" without one.

    Nothing is said of an opcode that is not in the tables: it changes nothing, or is refused.
    """
    opcode = instruction.opcode
    known = _KNOWN.get(opcode)
    if known is None:
        return ""
    others = (each for each in instruction.modifiers if each not in known and each not in TYPES)
    return next((each for each in others if opcode not in _SHAPED or not _SHAPE.match(each)), "")
