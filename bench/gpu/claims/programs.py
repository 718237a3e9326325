"""The CUDA programs of `cuda/`: built by nvcc, counted by Nsight Compute, read by cuobjdump.

A program prints `case NAME` before each launch, and what it found itself as
`figure CASE|WHAT|VALUE|UNIT` or `text CASE|WHAT|VALUE`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from bench.gpu import nsight
from bench.gpu.claims.figures import ARBITRATION, Figure
from bench.gpu.claims.tools import Said, ToolFailed, call, find_program

_SECONDS = 100
"""For a program that measures its own times."""
_SOURCES = Path(__file__).with_name("cuda")
_FLAGS = ("-O3", "-std=c++17", "-lineinfo")
_ARCHITECTURES = {"wgmma": "-gencode=arch=compute_90a,code=sm_90a"}
"""Of programs that need more than compute capability 9.0 in general."""
_SOURCE_PAGE = {
    "memory_l1_wavefronts_shared": "wavefronts of the source page",
    "memory_l1_wavefronts_shared_ideal": "ideal wavefronts",
}
"""Of what was executed, without what else kept the pipe busy; beside the hardware's counters."""
OPERATIONS = {"ld": "load", "st": "store", "atom": "atomic"}
_COUNTER = re.compile(
    r"(?:l1tex__data_pipe_lsu_(?P<pipe>wavefronts)_mem_shared"
    r"|l1tex__data_bank_(?P<bank>conflicts)_pipe_lsu_mem_shared"
    r"|sm(?:sp)?__(?:sass_)?inst_executed_op_shared)_(?:op_)?(?P<op>ld|st|atom)\.sum"
)
_ACCESS = re.compile(
    r"(?<![\w.])((?:LDS|STS|ATOMS|LDSM|STSM|REDUX|LDL|STL|LDGSTS)(?:\.[A-Z0-9]+)*)\b"
)
_NEVER = re.compile(r"@!U?PT\s+LDS[^;\n]*")
"""What the assembler puts there to wait; no lane executes it."""


def build(name: str, folder: Path) -> Path:
    """The program, compiled into the folder unless it is there.

    Raises:
        ToolFailed: nvcc is not there, or does not take it.
    """
    program = folder / name
    if program.exists():
        return program
    said = call([find_program("nvcc"), *_flags(name), "-o", program, _SOURCES / f"{name}.cu"])
    if said.status:
        raise ToolFailed(f"nvcc does not compile {name}.cu: {said.all[-2000:]}")
    return program


def compile_source(name: str, kind: str, folder: Path) -> Said:
    """What nvcc says of a source that is only compiled, into NAME.kind of the folder."""
    target = folder / f"{name}.{kind}"
    source = _SOURCES / f"{name}.cu"
    return call([find_program("nvcc"), *_flags(name), f"-{kind}", "-o", target, source])


def _flags(name: str) -> list[str]:
    return [*_FLAGS, _ARCHITECTURES.get(name, "-arch=sm_90")]


def measure_time(name: str, program: Path) -> list[Figure]:
    """What the program finds by itself, as figures of the experiment of that name.

    Raises:
        ToolFailed: it ends with an error.
    """
    said = call([program, "time"], _SECONDS)
    if said.status:
        print(said.out)  # what it found until then
        raise ToolFailed(f"{name} ended with status {said.status}: {said.all[-2000:]}")
    return list(_parse_output(name, said.out))


def read_counters(name: str, program: Path) -> list[Figure]:
    """Every counter of every named launch, and the accesses that its kernel consists of.

    Raises:
        ToolFailed: ncu is not there, or the launches are not those that were named.
    """
    code = instructions(program)
    out, launches = profile(program, ["count"], [*metrics(), *_SOURCE_PAGE])
    figures = list(_parse_output(name, out))
    for case, launch in launches:
        counts = {short(metric): count for metric, count in launch.metrics.items()}
        unit = ARBITRATION if _was_arbitrated(counts) else ""
        for what, count in _of_launch(counts).items():
            exact = what in _SOURCE_PAGE.values() or what.endswith("instructions")
            figures.append(Figure(name, case, what, str(count), "" if exact else unit))
        if launch.kernel in code:
            figures.append(Figure(name, case, "SASS", code[launch.kernel]))
    return figures


def _of_launch(counts: Mapping[str, int]) -> dict[str, int]:
    """Counters of the kinds of access that it makes; all conflicts; what one access takes."""
    told = {what: count for what, count in counts.items() if what in _SOURCE_PAGE.values()}
    told["conflicts"] = 0
    for op in OPERATIONS.values():
        executed, wavefronts = counts[f"{op} instructions"], counts[f"{op} wavefronts"]
        if executed or wavefronts:  # those of matrices are not counted among the instructions
            conflicts = counts[f"{op} conflicts"]
            told |= {f"{op} instructions": executed, f"{op} wavefronts": wavefronts}
            told |= {f"{op} conflicts": conflicts, "conflicts": told["conflicts"] + conflicts}
            if executed and wavefronts % executed == 0:
                told[f"wavefronts a {op}"] = wavefronts // executed
    return told


def _was_arbitrated(counts: Mapping[str, int]) -> bool:
    """Whether the hardware counted more than was executed: warps that waited for one another."""
    hardware = sum(counts[f"{op} wavefronts"] for op in OPERATIONS.values())
    return hardware > counts[_SOURCE_PAGE["memory_l1_wavefronts_shared"]]


def profile(
    program: Path, arguments: Sequence[str], asked: Sequence[str]
) -> tuple[str, list[tuple[str, nsight.Profiled]]]:
    """What the program printed, and each of its named launches with these metrics.

    Raises:
        ToolFailed: ncu is not there, or the launches are not those that were named.
    """
    log = program.with_suffix(".ncu")
    log.unlink(missing_ok=True)
    said = call([
        find_program("ncu"), f"--metrics={','.join(asked)}", "--csv", "--print-units=base",
        "--print-kernel-base=mangled", "--clock-control=none", f"--log-file={log}",
        program, *arguments,
    ])  # fmt: skip
    table = log.read_text("utf-8", "replace") if log.exists() else ""
    if said.status:
        raise ToolFailed(f"ncu ended with status {said.status}: {said.all[-1000:]}{table[-2000:]}")
    names = [line.removeprefix("case ") for line in said.out.splitlines() if line[:5] == "case "]
    launches = nsight.launches(table)
    if len(names) != len(launches):
        raise ToolFailed(f"{program}: {len(launches)} launches were counted, {len(names)} named")
    return said.out, list(zip(names, launches, strict=True))


@cache
def metrics() -> tuple[str, ...]:
    """Of the counters of shared memory those that this device has."""
    listed = call([find_program("ncu"), "--query-metrics"]).out
    return tuple(one for one in nsight.available(listed) if _COUNTER.fullmatch(one))


def instructions(program: Path) -> dict[str, str]:
    """The accesses to shared and local memory of each kernel's machine code: how many of which."""
    said = call([find_program("cuobjdump"), "-sass", program])
    kernels = re.split(r"^\s*Function : ", said.out, flags=re.MULTILINE)[1:]
    return {text.split(maxsplit=1)[0]: accesses(text) for text in kernels}


def short(metric: str) -> str:
    """A counter's name for a person: `load wavefronts` and so on."""
    named = _COUNTER.fullmatch(metric)
    if named is None:
        return _SOURCE_PAGE.get(metric, metric)
    what = named["pipe"] or named["bank"] or "instructions"
    return f"{OPERATIONS[named['op']]} {what}"


def accesses(code: str) -> str:
    """How many of which instructions access shared or local memory, as a short text."""
    names = Counter(_ACCESS.findall(_NEVER.sub("", code)))
    return ", ".join(f"{count} {name}" for name, count in sorted(names.items()))


def _parse_output(name: str, out: str) -> Iterator[Figure]:
    for line in out.splitlines():
        kind, _, rest = line.partition(" ")
        parts = rest.split("|")
        if kind == "figure":
            yield Figure(name, *parts)
        elif kind == "text":
            yield Figure(name, parts[0], parts[1], "|".join(parts[2:]))
