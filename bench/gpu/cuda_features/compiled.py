"""Runs the programs from the PTX that NVRTC makes of them, beside their source and the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.gpu.cuda_features import record
from bench.gpu.cuda_features.building import joined
from bench.gpu.cuda_features.programs import Program
from grader.gpu.devices.nvrtc import NotCompiled, compile_ptx
from grader.simt import launch
from grader.simt.errors import SimtError
from grader.simt.ptx import syntax
from grader.simt.ptx.kernel import list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_CAPABILITY = "9.0"
_PARAMETERS = ("a", "x", "out")


class Compared(NamedTuple):
    """A program, run from its PTX.

    Attributes:
        problem: what differs from the record, or from the source where there is none; "" if
            nothing does.
        contracted: words that differ if NVRTC may contract products and sums.
        on_gpu: the same with nvcc on a GPU; None where that is not recorded.
    """

    program: Program
    problem: str
    contracted: int
    on_gpu: int | None


def compare(programs: Sequence[Program]) -> Iterator[str]:
    """Yield what differs, program by program, and how many agree; needs NVRTC."""
    families: dict[str, list[Program]] = {}
    for program in programs:
        families.setdefault(program.family.name, []).append(program)
    every, rows = list[Compared](), record.load()
    for family in families.values():
        try:
            modules = _compile(family)
        except NotCompiled as error:
            yield f"{family[0].family.name}: not compiled, {error}"
            continue
        for program in family:
            found = _compare(program, modules, rows.get(program.seed))
            every.append(found)
            if found.problem:
                yield f"{program.seed} {program.family.name}: {found.problem}"
    yield from _summarize(every)


def _compile(family: Sequence[Program]) -> list[syntax.Module]:
    """Return the programs of a family as PTX: as they are written, and contracted."""
    name, first = family[0].family.name, family[0]
    entry = f"p{first.seed}::{first.kernel}"
    images = [
        compile_ptx(joined(family), name, _CAPABILITY, entry, contract=contract)
        for contract in (False, True)
    ]
    return [read_ptx(image.code.decode()) for image in images]


def _compare(
    program: Program, modules: Sequence[syntax.Module], row: record.Row | None
) -> Compared:
    known = row if row is not None and row.sha256 == record.sha256(program) else None
    on_gpu = None if known is None else known.contracted
    try:
        exact, contracted = (_emulate(program, module) for module in modules)
    except SimtError as error:
        return Compared(program, f"refused, {error}", 0, on_gpu)
    (found, blamed), other = exact, contracted[0]
    differ = int((found != other).sum())
    if blamed:
        return Compared(program, f"blamed, {blamed}", differ, on_gpu)
    if known is not None and record.hash_output(found) == known.output:
        return Compared(program, "", differ, on_gpu)
    wanted, _ = record.emulate(program)
    unlike = np.flatnonzero(wanted != found)
    if not len(unlike):
        return Compared(program, "" if known is None else "not the GPU's", differ, on_gpu)
    at = int(unlike[0])
    problem = (
        f"{len(unlike)} of {found.size} words are not the source's, first"
        f" {at}: {found[at]:#x}, not {wanted[at]:#x}"
    )
    return Compared(program, problem, differ, on_gpu)


def _emulate(program: Program, module: syntax.Module) -> tuple[NDArray[Any], str]:
    """Return what a program writes, and the first fault that it is blamed for."""
    function = module.functions[program.kernel]
    kernel = lower_ptx(module, function, list_fields(function, _PARAMETERS))
    output = program.outputs()
    given = [*program.inputs(), output]
    done = launch(kernel, (program.blocks,), (program.threads,), given)
    return output, str(done.faults[0]) if done.faults else ""


def _summarize(every: Sequence[Compared]) -> Iterator[str]:
    recorded = [each for each in every if each.on_gpu is not None]
    for of, those in (
        ("the GPU's", recorded),
        ("the source's", [each for each in every if each.on_gpu is None]),
    ):
        if those:
            same = sum(not each.problem for each in those)
            yield f"{same} of {len(those)} programs give {of} bits from their PTX"
    other = [each for each in every if each.contracted]
    words = sum(each.contracted for each in other)
    yield f"contracted: {len(other)} programs differ, in {words} words"
    if recorded:
        told: Mapping[int, int] = {
            each.program.seed: each.on_gpu for each in recorded if each.on_gpu
        }
        words = sum(told.values())
        yield f"contracted on the GPU: {len(told)} programs differ, in {words} words"
