"""Kernels of others as launches that can be run again, and once more from any text.

Of a text in Python, only the kernel is read, with the functions, the constants and the imports
that it may need: nothing of it runs here. Triton compiles in its own confined process.
"""

from __future__ import annotations

import ast
import csv
import re
import subprocess
import textwrap
from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from bench.probe_answers import Again, Read
from grader.probes import LaunchChange
from grader.probes.replaying import Replay, hold_arguments
from grader.simt import CompiledKernel
from grader.simt.cuda.lowering.kernel import read_cuda
from grader.simt.host.files.modules import SourceKernel
from grader.simt.host.files.written_arguments import read_arguments
from grader.simt.host.session import ScriptSession
from grader.simt.launches.arguments import type_of
from grader.simt.launches.launching import compile_for_types
from grader.simt.numba.reading.module import read_module
from grader.triton import TritonRequest
from grader.triton.kernels import CONSTANT, TYPES, TritonRecipe

MANIFEST = Path(__file__).with_name("probe_kernels.csv")
_OWN_INCLUDE = re.compile(r'^#include ".*"', re.MULTILINE)
"""What host code needs; the line stays, so that lines keep their numbers."""
_HEADS = {
    "python": "import math\nimport numba\nfrom numba import cuda, float32, f8, int32\n",
    "triton": "import triton\nimport triton.language as tl\n",
}
_DEFINED = {
    "nelem": 256, "tpb": 16, "bpg": 4, "TPB": 16, "n": 64, "gpu_block_sum_max_blockdim": 128,
}  # fmt: skip
"""What kernels in Numba take from the host's code, for the launches of the manifest."""
_HELPERS = ("triton.jit", "numba.jit")
"""What marks functions that a kernel may call."""
_LANES, _ALIGNED = 32, 16


def manifest() -> Iterator[dict[str, str]]:
    """Yield the public kernels: a row for each."""
    with MANIFEST.open(newline="") as file:
        yield from csv.DictReader(file)


def source_of(mirrors: Path, entry: Mapping[str, str]) -> str:
    """Return the text of a kernel's file at its commit, or of the kernel in it."""
    folder = mirrors / entry["repository"].replace("/", "+") / "repo"
    text = subprocess.run(
        ["git", "--git-dir", folder, "show", f"{entry['commit']}:{entry['path']}"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    if entry["language"] == "cuda":
        return _OWN_INCLUDE.sub("", text)
    return _extract(text, entry["kernel"], entry["language"])


def load(entry: Mapping[str, str], source: str) -> tuple[Replay, Again]:
    """Return the launch of a kernel, and the means to run it again from any text.

    Raises:
        CannotReplay: it cannot be run again.
        Mistake, InvalidLaunch: it is not emulated, or not launched like that.
    """
    grid, block = (tuple(map(int, entry[axis].split(","))) for axis in ("grid", "block"))
    shared = int(entry["shared"])
    if entry["language"] == "cuda":
        read, ready, fitting = _load_cuda(entry, source)
    elif entry["language"] == "python":
        read, ready, fitting = _load_numba(entry, source)
    else:
        read, ready, fitting, shared = _load_triton(entry, source, prod(block) // _LANES)
    held = hold_arguments(fitting)
    given = dict(zip(ready.function.parameters, held, strict=True))
    replay = Replay(ready, grid, block, shared, held)
    return replay, Again(source, grid, block, shared, given, read)


def _load_cuda(
    entry: Mapping[str, str], source: str
) -> tuple[Read, CompiledKernel, list[Any]]:  # fmt: skip
    kernel = SourceKernel(read_cuda(source), entry["kernel"], ScriptSession())
    _, ready, fitting = kernel.fit_text(entry["arguments"])

    def read(text: str, given: Mapping[str, Any], _other: LaunchChange) -> Any:
        changed = SourceKernel(read_cuda(text), entry["kernel"], ScriptSession())
        return *changed.fit(tuple(given[each] for each in ready.function.parameters)), None

    return read, ready, fitting


def _load_numba(
    entry: Mapping[str, str], source: str
) -> tuple[Read, CompiledKernel, list[Any]]:  # fmt: skip
    def read(text: str, given: Mapping[str, Any], _other: LaunchChange) -> Any:
        function = read_module(text)[entry["kernel"]]
        values = list(given.values())
        return compile_for_types(function, list(map(type_of, values))), values, None

    names = read_module(source)[entry["kernel"]].parameters
    ready, fitting, _ = read(source, _written(entry, tuple(names)), LaunchChange())
    return read, ready, fitting


def _load_triton(
    entry: Mapping[str, str], source: str, warps: int
) -> tuple[Read, CompiledKernel, list[Any], int]:
    node = next(
        each for each in ast.parse(source).body
        if isinstance(each, ast.FunctionDef) and each.name == entry["kernel"]
    )  # fmt: skip
    names = tuple(each.arg for each in node.args.args)
    written = _written(entry, names)
    fixed = {
        each.arg
        for each in node.args.args
        if "constexpr" in ast.unparse(each.annotation or ast.Constant(0))
        or (isinstance(written[each.arg], int) and written[each.arg] == 1)
    }

    def read(text: str, given: Mapping[str, Any], other: LaunchChange) -> Any:
        values = {**written, **given, **dict(other.constants)}
        types = {name: CONSTANT if name in fixed else _type_of(values[name]) for name in names}
        live = [name for name in names if name not in fixed]
        request = TritonRequest(
            source=text, kernel=entry["kernel"], types=tuple(types.values()),
            constants=tuple((at, values[n]) for at, n in enumerate(names) if n in fixed),
            aligned=tuple(at for at, n in enumerate(names) if n in live and _is_even(values[n])),
            warps=prod(other.block) // _LANES or warps,
        )  # fmt: skip
        recipe = TritonRecipe(request, names, node.decorator_list[0].lineno)
        kernel, shared = recipe.compile()
        extras = [None] * (len(kernel.fields) - len(live))
        return kernel.compiled, kernel.fit([*(values[name] for name in live), *extras]), shared

    return read, *read(source, written, LaunchChange())


def _type_of(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"*{TYPES[value.dtype.name]}"
    return "fp32" if isinstance(value, float | np.floating) else "i32"


def _is_even(value: Any) -> bool:
    """Return True for arrays, and for integers that Triton knows to be multiples of 16."""
    return isinstance(value, np.ndarray) or (
        isinstance(value, int | np.integer) and not value % _ALIGNED
    )


def _written(entry: Mapping[str, str], names: tuple[str, ...]) -> dict[str, Any]:
    written = read_arguments(entry["arguments"], entry["kernel"], names, {})
    return dict(zip(names, (each.value for each in written), strict=True))


def _extract(text: str, kernel: str, language: str) -> str:
    """Return the kernel of a text, wherever it is defined, behind the other functions there."""
    lines = text.split("\n")
    parts = [_HEADS[language], *(f"{line}\n" for line in lines if line.startswith("from triton"))]
    if language == "python":
        parts += [f"{name} = {value}\n" for name, value in _DEFINED.items() if name in text]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and _is_device(node, kernel):
            first = min(each.lineno for each in (node, *node.decorator_list))
            whole = lines[first - 1 : node.end_lineno]
            parts.append(textwrap.dedent("\n".join(whole)) + "\n")
    return "\n".join(parts)


def _is_device(node: ast.FunctionDef, kernel: str) -> bool:
    """Return True for the kernel, and for what it may call."""
    marks = [ast.unparse(each) for each in node.decorator_list]
    helper = any("device=True" in each or each.startswith(_HELPERS) for each in marks)
    return node.name == kernel or (helper and "kernel" not in node.name)
