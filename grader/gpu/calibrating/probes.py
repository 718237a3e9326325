"""The PTX text of a probe: one warp access by a certain instruction, repeated and timed.

Written by us, so that no compiler chooses the instruction. Knows no device and no addresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from string import Template

from grader.banks import LANES, Kind

THREADS = 1024
WARPS = THREADS // LANES
UNROLLED = 8
"""Accesses of a round; more of 16 bytes would not fit into a thread's 64 registers."""
WARM_ROUNDS = 4
WARP_BYTES = 128
"""From the addresses of a warp to those of the next: the same banks, and words of its own."""
REACH = 16 << 10
"""Bytes that the addresses of a warp may span, its last byte included."""
BALLAST_WAVEFRONTS = 8
BALLAST = "ballast"
"""The probe of the ballast alone."""
BEHIND = "_behind"
"""Ends the name of the probe in which a load of the ballast goes before each access."""
MASKED = "_masked"
"""Before that, where not all lanes take part: some compilers jump around every access then."""

_SHARED = REACH + WARPS * WARP_BYTES


@dataclass(frozen=True, slots=True)
class ProbeInstruction:
    """One that accesses shared memory.

    Attributes:
        name: of its probe; `[a-z0-9_]`.
        shown: as a person reads it.
        width: bytes per lane.
        code: PTX, with $at for the address, $r0 to $r3 for results, $v, $v1, $v2 and $v3 for
            operands of 32 bits and $w for one of 64, $zero for one of 32 that is 0.
        bits: of a result.
        lanes: that give an address, from lane 0 on.
        since: the first compute capability that has it, as PTX writes it.
        ptx: the version of PTX.
    """

    name: str
    shown: str
    kind: Kind
    width: int
    code: str
    bits: int = 32
    lanes: int = LANES
    since: int = 50
    ptx: str = "6.0"

    @property
    def results(self) -> int:
        """How many registers it gives."""
        return sum(f"$r{i}" in self.code for i in range(4))

    @property
    def matrix(self) -> bool:
        """True for a matrix form, which either all lanes execute or none."""
        return "matrix" in self.code


def _atomic(form: str, kind: Kind, operands: str, since: int = 50) -> ProbeInstruction:
    """Describe an atomic whose result is used."""
    bits = 64 if form.endswith("64") else 32
    name, code = f"atom_{form.replace('.', '_')}", f"atom.shared.{form} $r0, [$at], {operands};"
    return ProbeInstruction(name, f"atom.shared.{form}", kind, bits // 8, code, bits, since=since)


def _matrix(verb: Kind, count: int, trans: str = "") -> ProbeInstruction:
    """Describe a matrix form: 8 lanes give the addresses of a matrix."""
    form = f"{verb}.sync.aligned.m8n8.x{count}{trans}.shared.b16"
    shown, lanes = f"{verb}.x{count}{trans}", 8 * count
    name = shown.replace(".", "_")
    if verb == "ldmatrix":
        into = ", ".join(f"$r{i}" for i in range(count))
        code = f"{form} {{{into}}}, [$at];"
        return ProbeInstruction(name, shown, verb, 16, code, lanes=lanes, since=75, ptx="6.5")
    code = f"{form} [$at], {{{', '.join(('$v', '$v1', '$v2', '$v3')[:count])}}};"
    return ProbeInstruction(name, shown, verb, 16, code, lanes=lanes, since=90, ptx="7.8")


WORD_LOAD = ProbeInstruction(
    "ld_b32", "ld.shared.b32", "load", 4, "ld.volatile.shared.b32 $r0, [$at];"
)
INSTRUCTIONS: tuple[ProbeInstruction, ...] = (
    WORD_LOAD,
    ProbeInstruction("ld_b8", "ld.shared.b8", "load", 1, "ld.volatile.shared.b8 $r0, [$at];"),
    ProbeInstruction("ld_b16", "ld.shared.b16", "load", 2, "ld.volatile.shared.u16 $r0, [$at];"),
    ProbeInstruction(
        "ld_b64", "ld.shared.b64", "load", 8, "ld.volatile.shared.b64 $r0, [$at];", 64,
    ),
    ProbeInstruction(
        "ld_b128", "ld.shared.v4.b32", "load", 16,
        "ld.volatile.shared.v4.b32 {$r0, $r1, $r2, $r3}, [$at];",
    ),
    ProbeInstruction("st_b8", "st.shared.b8", "store", 1, "st.volatile.shared.b8 [$at], $v;"),
    ProbeInstruction("st_b16", "st.shared.b16", "store", 2, "st.volatile.shared.u16 [$at], $v;"),
    ProbeInstruction("st_b32", "st.shared.b32", "store", 4, "st.volatile.shared.b32 [$at], $v;"),
    ProbeInstruction("st_b64", "st.shared.b64", "store", 8, "st.volatile.shared.b64 [$at], $w;"),
    ProbeInstruction(
        "st_b128", "st.shared.v4.b32", "store", 16,
        "st.volatile.shared.v4.b32 [$at], {$v, $v1, $v2, $v3};",
    ),
    _atomic("add.u32", "atom", "$v"),
    ProbeInstruction(
        "red_add_u32", "red.shared.add.u32 x", "atom", 4, "red.shared.add.u32 [$at], $v;",
    ),
    ProbeInstruction(
        "red_add_1", "red.shared.add.u32 1", "atom_inc", 4, "red.shared.add.u32 [$at], 1;",
    ),
    _atomic("inc.u32", "atom", "$v"),
    _atomic("max.s32", "atom", "$v"),
    _atomic("exch.b32", "atom", "$v"),
    _atomic("cas.b32", "atom_cas", "$zero, $v"),
    _atomic("cas.b64", "atom_cas", "0, $w"),
    _atomic("add.f32", "atom_float", "0f3F800000"),
    _atomic("add.u64", "atom", "$w"),
    _atomic("add.f64", "atom_float", "0d3FF0000000000000", since=60),
    *(_matrix("ldmatrix", count) for count in (1, 2, 4)),
    _matrix("ldmatrix", 4, ".trans"),
    *(_matrix("stmatrix", count) for count in (1, 2, 4)),
)  # fmt: skip
"""All that are asked about; the others are measured by the first."""

_MODULE = """\
.version {ptx}
.target sm_{since}
.address_size 64
.shared .align 128 .b8 tile[{shared}];
"""
_ENTRY = """
.visible .entry {name}(
    .param .u64 offsets,  // int32 of each lane: bytes
    .param .u64 active,   // int32 of each lane: 0 or 1
    .param .u64 clocks,   // int64 of each warp: before, after
    .param .u64 kept,     // int32 of each thread: what was read, so that nothing can be left out
    .param .u32 rounds
)
.maxntid {threads}, 1, 1
{{
    .reg .pred %on, %more;
    .reg .b32 %thread, %lane, %warp, %at, %ballast, %i, %left, %next, %b, %kept, %a<32>;
    .reg .b32 %zero, %v, %v1, %v2, %v3;
    .reg .b64 %p, %w, %before, %after, %wide, %c<8>;

    mov.u32 %thread, %tid.x;
    and.b32 %lane, %thread, 31;
    shr.u32 %warp, %thread, 5;
    mov.u32 %ballast, tile;

    shl.b32 %i, %thread, 2;
ZERO:
    .pragma "nounroll";
    add.u32 %at, %ballast, %i;
    st.shared.u32 [%at], 0;
    add.u32 %i, %i, {row};
    setp.lt.u32 %more, %i, {shared};
    @%more bra ZERO;

    mad.lo.u32 %ballast, %warp, {warp_bytes}, %ballast;
    ld.param.u64 %p, [offsets];
    cvta.to.global.u64 %p, %p;
    mad.wide.u32 %p, %lane, 4, %p;
    ld.global.u32 %at, [%p];
    add.u32 %at, %at, %ballast;
    ld.param.u64 %p, [active];
    cvta.to.global.u64 %p, %p;
    mad.wide.u32 %p, %lane, 4, %p;
    ld.global.u32 %i, [%p];
    setp.ne.u32 %on, %i, 0;
    and.b32 %zero, %i, 2;
    shr.u32 %i, %lane, 2;
    mad.lo.u32 %ballast, %i, 128, %ballast;
    add.u32 %v, %thread, 1;
    add.u32 %v1, %thread, 2;
    add.u32 %v2, %thread, 3;
    add.u32 %v3, %thread, 4;
    cvt.u64.u32 %w, %v;
    mov.u32 %kept, 0;
    mov.u64 %wide, 0;

    mov.u32 %left, {warm};
    ld.param.u32 %next, [rounds];
TIMED:
    bar.sync 0;
    mov.u64 %before, %clock64;
ROUND:
    .pragma "nounroll";
{round}
    sub.u32 %left, %left, 1;
    setp.ne.u32 %more, %left, 0;
    @%more bra ROUND;
    mov.u64 %after, %clock64;
    setp.ne.u32 %more, %next, 0;
    mov.u32 %left, %next;
    mov.u32 %next, 0;
    @%more bra TIMED;

    mov.b64 {{%i, %at}}, %wide;  // both halves, or a compiler would read but one
    xor.b32 %kept, %kept, %i;
    xor.b32 %kept, %kept, %at;
    ld.param.u64 %p, [kept];
    cvta.to.global.u64 %p, %p;
    mad.wide.u32 %p, %thread, 4, %p;
    st.global.u32 [%p], %kept;
    setp.eq.u32 %on, %lane, 0;
    ld.param.u64 %p, [clocks];
    cvta.to.global.u64 %p, %p;
    mad.wide.u32 %p, %warp, 16, %p;
    @%on st.global.u64 [%p], %before;
    @%on st.global.u64 [%p + 8], %after;
    ret;
}}
"""
_OPERANDS = {
    name: f"%{name}" for name in ("at", "zero", "v", "v1", "v2", "v3", "w")
}  # fmt: skip
_BALLAST = "    ld.volatile.shared.b32 %b, [%ballast];"
"""8 words on one bank, each for 4 lanes: 8 wavefronts."""
_KEEP_BALLAST = "    xor.b32 %kept, %kept, %b;"


def ballast_text() -> str:
    """Write the PTX module with the probe of the background load alone."""
    lines = [_BALLAST, _KEEP_BALLAST] * UNROLLED
    return _module("6.0", 50) + _entry(BALLAST, lines)


def text(instruction: ProbeInstruction) -> str:
    """Write the PTX module with the probes of an instruction, `probe_names`."""
    return _module(instruction.ptx, instruction.since) + "".join(
        _entry(probe_name(instruction, masked=masked, behind=behind), [
            line
            for number in range(UNROLLED)
            for line in _access(instruction, number, masked=masked, behind=behind)
        ])
        for masked, behind in _forms(instruction)
    )  # fmt: skip


def probe_names(instruction: ProbeInstruction) -> tuple[str, ...]:
    """List all probes of an instruction."""
    return tuple(
        probe_name(instruction, masked=masked, behind=behind)
        for masked, behind in _forms(instruction)
    )


def probe_name(instruction: ProbeInstruction, *, masked: bool, behind: bool) -> str:
    """Name the probe: with inactive lanes or not, behind the background load or not."""
    return instruction.name + (MASKED if masked else "") + (BEHIND if behind else "")


def _forms(instruction: ProbeInstruction) -> Iterator[tuple[bool, bool]]:
    for masked in (False,) if instruction.matrix else (False, True):
        for behind in (False, True):
            yield masked, behind


def _access(instruction: ProbeInstruction, number: int, *, masked: bool, behind: bool) -> list[str]:
    """Write one access of a round, with its results kept alive."""
    wide, count = instruction.bits > 32, instruction.results
    letter, kept = ("c", "%wide") if wide else ("a", "%kept")
    results = [f"%{letter}{(number * count + i) % (8 if wide else 32)}" for i in range(count)]
    names = {f"r{i}": result for i, result in enumerate(results)}
    code = Template(instruction.code).substitute(names | _OPERANDS)
    # No matrix form is volatile: equal ones would be one, were it known that nothing is added.
    return [
        *([_BALLAST] if behind else []),
        *(["    add.u32 %at, %at, %zero;"] if instruction.matrix else []),
        f"    {'@%on ' if masked else ''}{code}",
        *(f"    xor.b{instruction.bits} {kept}, {kept}, {result};" for result in results),
        *([_KEEP_BALLAST] if behind else []),
    ]


def _module(ptx: str, since: int) -> str:
    return _MODULE.format(ptx=ptx, since=since, shared=_SHARED)


def _entry(name: str, lines: list[str]) -> str:
    return _ENTRY.format(
        name=name, threads=THREADS, row=4 * THREADS, shared=_SHARED, warp_bytes=WARP_BYTES,
        warm=WARM_ROUNDS, round="\n".join(lines),
    )  # fmt: skip
