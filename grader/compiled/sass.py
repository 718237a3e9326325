"""Reads what nvdisasm prints: instructions, by source line and category. Runs nothing.

Written by the CUDA Binary Utilities' instruction set tables (Turing to Blackwell) and by what
nvdisasm 13.5 prints with `--print-line-info` for kernels that were linked with `-lineinfo`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from grader.compiled.outcome import Category, LineInstructions

_PLACE = re.compile(r'\s*//## File "(?P<file>[^"]*)", line (?P<line>\d+)')
_LABEL = re.compile(r"(?P<label>\.L_\w+):$")
_INSTRUCTION = re.compile(
    r"\s*/\*(?P<address>[0-9a-f]{4,})\*/\s+(?P<predicate>@!?U?P\w+\s+)?(?P<name>[A-Z][\w.]*)(?P<rest>[^;]*);"
)
_TARGET = re.compile(r"`\((?P<label>\.L_\w+)\)")
_SECTION = re.compile(r"\s*\.section\s+\.text\.")

_BY_PREFIX: tuple[tuple[str, Category], ...] = (
    ("ATOM", "atomic"), ("RED.", "atomic"), ("REDG", "atomic"), ("SUATOM", "atomic"),
    ("LDGSTS", "global-load"), ("LDGDEPBAR", "control"), ("LDG", "global-load"),
    ("LDSM", "shared-load"), ("LDS", "shared-load"), ("LDL", "local-load"),
    ("LDC", "constant-load"), ("ULDC", "constant-load"), ("LD.", "global-load"),
    ("STG", "global-store"), ("STS", "shared-store"), ("STL", "local-store"),
    ("ST.", "global-store"), ("UBLKCP", "global-load"), ("UTMA", "global-load"),
    ("I2F", "conversion"), ("UI2F", "conversion"), ("F2", "conversion"), ("UF2", "conversion"),
    ("I2I", "conversion"), ("FRND", "conversion"), ("HADD2.F32", "conversion"),
    ("MUFU.RCP64", "fp64"), ("MUFU.RSQ64", "fp64"),
    ("DADD", "fp64"), ("DMUL", "fp64"), ("DFMA", "fp64"), ("DSETP", "fp64"), ("DMNMX", "fp64"),
    ("DMMA", "tensor"), ("HMMA", "tensor"), ("IMMA", "tensor"), ("QMMA", "tensor"),
    ("HGMMA", "tensor"), ("UTC", "tensor"), ("WGMMA", "tensor"), ("BMMA", "tensor"),
    ("SHFL", "warp"), ("VOTE", "warp"), ("MATCH", "warp"), ("REDUX", "warp"), ("CREDUX", "warp"),
    ("IMAD.MOV", "move"), ("MOV", "move"), ("UMOV", "move"), ("CS2", "move"), ("S2", "move"),
    ("R2", "move"), ("P2R", "move"), ("SEL", "move"), ("USEL", "move"), ("FSEL", "move"),
    ("FADD", "fp32"), ("FMUL", "fp32"), ("FFMA", "fp32"), ("FSETP", "fp32"), ("FSET", "fp32"),
    ("FMNMX", "fp32"), ("FCHK", "fp32"), ("FSWZADD", "fp32"), ("MUFU", "fp32"), ("UF", "fp32"),
    ("HADD", "fp32"), ("HMUL", "fp32"), ("HFMA", "fp32"), ("HSET", "fp32"), ("HMNMX", "fp32"),
    ("BAR", "control"), ("BRA", "control"), ("BRX", "control"), ("BSSY", "control"),
    ("BSYNC", "control"), ("BREAK", "control"), ("BMOV", "control"), ("BPT", "control"),
    ("CALL", "control"), ("RET", "control"), ("EXIT", "control"), ("JMP", "control"),
    ("WARPSYNC", "control"), ("YIELD", "control"), ("MEMBAR", "control"), ("ERRBAR", "control"),
    ("DEPBAR", "control"), ("CCTL", "control"), ("FENCE", "control"), ("SYNCS", "control"),
    ("NANOSLEEP", "control"), ("UBRA", "control"), ("KILL", "control"), ("PREEXIT", "control"),
    ("ACQBULK", "control"), ("UCGABAR", "control"), ("ELECT", "warp"), ("ENDCOLLECTIVE", "control"),
)  # fmt: skip
"""Prefixes of mnemonics; the first that fits counts."""
_INTEGER = re.compile(
    r"U?(I(ADD|MAD|SETP|ABS|MNMX|SCADD|DP|MUL)|LEA|LOP|PLOP|SHF|SHL|SHR|PRMT|POPC|FLO|BREV|SGXT|BMSK"
    r"|VIADD|VI|VABSDIFF|XMAD|SETP|ICMP)"
)
_PADDING = "NOP"
_JUMPS = ("BRA", "UBRA", "JMP")


class SassInstruction(NamedTuple):
    """One instruction.

    Attributes:
        name: the mnemonic, such as `LDS.128`.
        line: of the source; 0 if the compiler names none.
        innermost: it is in a loop that contains no other loop.
        predicated: it is executed for some threads only, without a jump.
    """

    name: str
    line: int
    innermost: bool
    predicated: bool = False


def category(name: str) -> Category:
    """Tell what an instruction does by its mnemonic, such as `LDS.128`."""
    dotted = f"{name}."
    for prefix, found in _BY_PREFIX:
        if dotted.startswith(prefix):
            return found
    return "integer" if _INTEGER.match(name) else "other"


def by_line(text: str, file: str) -> tuple[LineInstructions, ...]:
    """Count the instructions of each source line of a file, in its order.

    Args:
        text: nvdisasm's, of a cubin with one kernel.
        file: name of the source file, as it was compiled; code of others has line 0.
    """
    counts: defaultdict[int, Counter[Category]] = defaultdict(Counter)
    looped: defaultdict[int, Counter[Category]] = defaultdict(Counter)
    for instruction in instructions(text, file):
        kind = category(instruction.name)
        counts[instruction.line][kind] += 1
        if instruction.innermost:
            looped[instruction.line][kind] += 1
    return tuple(
        LineInstructions(line, dict(counts[line]), dict(looped[line])) for line in sorted(counts)
    )


def instructions(text: str, file: str) -> tuple[SassInstruction, ...]:
    """Read all instructions but the padding behind the last; arguments as of `by_line`."""
    found: list[_Printed] = []
    labels: dict[str, int] = {}
    for one in _read(text.splitlines(), file):
        labels |= dict.fromkeys(one.labels, one.address)
        found.append(one)
    loops: dict[int, int] = {}
    for one in found:
        head = labels.get(one.target, one.address)
        if head < one.address:
            loops[head] = max(one.address, loops.get(head, 0))
    return tuple(
        SassInstruction(one.name, one.line, _is_innermost(one.address, loops), one.predicated)
        for one in found
        if one.name != _PADDING and labels.get(one.target) != one.address  # behind the last EXIT
    )


def _is_innermost(address: int, loops: Mapping[int, int]) -> bool:
    """Return True inside a loop that contains no other; loops are heads and last jumps."""
    around = [head for head, end in loops.items() if head <= address <= end]
    if not around:
        return False
    head = max(around)
    return not any(head < other <= loops[head] for other in loops)


class _Printed(NamedTuple):
    """An instruction as it is printed; `target` is the label that a jump names."""

    address: int
    name: str
    target: str
    line: int
    labels: tuple[str, ...]
    predicated: bool


def _read(lines: Iterable[str], file: str) -> Iterator[_Printed]:
    """Yield the instructions; an address is counted on from one section to the next."""
    line, base, address = 0, 0, -1
    labels: list[str] = []
    for text in lines:
        if _SECTION.match(text):
            line, base = 0, address + 1
        elif place := _PLACE.match(text):
            line = int(place["line"]) if place["file"].endswith(file) else 0
        elif label := _LABEL.match(text.strip()):
            labels.append(label["label"])
        elif printed := _INSTRUCTION.match(text):
            address = base + int(printed["address"], 16)
            target = _TARGET.search(printed["rest"]) if printed["name"].startswith(_JUMPS) else None
            name, label_named = printed["name"], target["label"] if target else ""
            predicated = printed["predicate"] is not None
            yield _Printed(address, name, label_named, line, tuple(labels), predicated)
            labels.clear()
