"""Compiles a kernel in Triton to one that the emulator runs, and again from a changed text.

The compiler is a confined process of its own; a process that is confined itself must have started
it before (`start_compiler`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from grader.extras import is_installed
from grader.facts import fact
from grader.mistakes import Mistake, parse_python
from grader.simt.host.files.ptx_kernels import LineInSource, PtxKernel, shorten
from grader.simt.ptx.kernel import find_kernel
from grader.simt.ptx.reading import read_ptx
from grader.triton.client import CompilerEnded, TritonCompiler
from grader.triton.messages import FILE, TritonReply, TritonRequest

TYPES = {
    "bool": "i1", "float16": "fp16", "float32": "fp32", "float64": "fp64",
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
}  # fmt: skip
"""What Triton calls a type of NumPy's."""
CONSTANT = "constexpr"
_KEPT = 64
"""Compiled kernels that are kept: a submission runs at some shapes, and is graded again."""
_MODULES = ("triton", "math")
"""That a kernel may need: a script's others may be large, and are not for the compiler."""
_PLAIN = (
    ast.Constant, ast.Name, ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Call, ast.operator,
    ast.unaryop, ast.expr_context,
)  # fmt: skip


class TritonRefused(Mistake):
    """Triton does not compile it, or there is no Triton."""


class TritonRecipe(NamedTuple):
    """What a kernel is compiled with.

    Attributes:
        parameters: the names of all of them.
    """

    request: TritonRequest
    parameters: tuple[str, ...]
    line: int

    @property
    def launched(self) -> tuple[str, ...]:
        """The parameters that a launch passes."""
        pairs = zip(self.parameters, self.request.types, strict=True)
        return tuple(name for name, kind in pairs if kind != CONSTANT)

    @property
    def constants(self) -> dict[str, int]:
        """The integers among the constants, by name."""
        known = ((self.parameters[at], value) for at, value in self.request.constants)
        return {name: value for name, value in known if type(value) is int}

    def change(
        self, text: str, constants: Mapping[str, int], dtypes: Mapping[str, str], warps: int
    ) -> TritonRecipe:
        """Return it for another text, other constants and arrays of other types.

        Of the text, only kernels and what they name are compiled.

        Raises:
            Mistake: the text is not Python.
        """
        request = self.request
        named = [(self.parameters[at], at, value) for at, value in request.constants]
        types = (
            f"*{TYPES[dtypes[name]]}" if name in dtypes else kind
            for name, kind in zip(self.parameters, request.types, strict=True)
        )
        changed = replace(
            request,
            source=_keep_kernels(text),
            types=tuple(types),
            constants=tuple((at, constants.get(name, value)) for name, at, value in named),
            warps=warps,
        )
        return self._replace(request=changed)

    def compile(self) -> tuple[PtxKernel, int]:
        """Return the kernel, and the bytes of shared memory that a block takes.

        Raises:
            Mistake: Triton refuses it, or what it made is not emulated.
        """
        return compile_kernel(self)


class _Compiler:
    """The process that compiles, started when it is first needed."""

    def __init__(self) -> None:
        self._process: TritonCompiler | None = None

    def start(self) -> None:
        """Start it, unless it runs or Triton is not installed."""
        if self._process is None and is_installed("triton"):
            self._process = TritonCompiler()

    def ask(self, request: TritonRequest) -> TritonReply:
        """Compile a kernel.

        Raises:
            TritonRefused: there is no compiler, or it ended.
        """
        self.start()
        if self._process is None:
            raise TritonRefused(fact("triton.missing"))
        try:
            return self._process.compile(request)
        except CompilerEnded:
            self._process.close()
            self._process = None
            raise TritonRefused(fact("triton.ended")) from None


_COMPILER = _Compiler()


def start_compiler() -> None:
    """Start the process that compiles Triton: before this process is confined."""
    _COMPILER.start()


@lru_cache(_KEPT)
def compile_kernel(recipe: TritonRecipe) -> tuple[PtxKernel, int]:
    """Compile a kernel; return it with the bytes of shared memory that a block takes.

    Raises:
        TritonRefused: Triton refuses it.
        Refused: what Triton made is not emulated.
    """
    request, line = recipe.request, recipe.line
    reply = _COMPILER.ask(request)
    if reply.ended:
        raise TritonRefused(fact("triton.crashed", how=reply.ended), line)
    if reply.refused:
        place = reply.line or line, reply.column or 1
        raise TritonRefused(fact("triton.refuses", said=shorten(reply.refused)), *place)
    module = read_ptx(reply.ptx)
    lines = tuple(request.source.split("\n"))
    where = LineInSource(request.kernel, FILE, (line, 1), {"": lines}, {})
    found = find_kernel(module, request.kernel)
    kernel = PtxKernel(
        module, found, recipe.launched, compiler=f"Triton {reply.version}", place=where,
        recipe=recipe, replicated=True,
    )  # fmt: skip
    return kernel, reply.shared


def _keep_kernels(text: str) -> str:
    """Return a module without what launches its kernels; the lines that stay keep their numbers."""
    kept = set[int]()
    for node in parse_python(text, Mistake).body:
        if _is_needed(node):
            kept |= set(_lines_of(node))
    lines = text.split("\n")
    return "\n".join(line if n in kept else "" for n, line in enumerate(lines, 1))


def _lines_of(node: ast.stmt) -> Iterator[int]:
    last = node.end_lineno or node.lineno
    yield from range(node.lineno, last + 1)
    if isinstance(node, ast.FunctionDef):
        for each in filter(is_jit, node.decorator_list):
            yield from range(each.lineno, (each.end_lineno or each.lineno) + 1)


def _is_needed(node: ast.stmt) -> bool:
    match node:
        case ast.Import(names=names):
            return _are_kept([each.name for each in names])
        case ast.ImportFrom(module=str(name), level=0):
            return name == "__future__" or _are_kept([name])
        case ast.FunctionDef(decorator_list=decorators):
            return any(map(is_jit, decorators))
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            return all(isinstance(each, _PLAIN) and _is_calm(each) for each in ast.walk(value))
    return False


def _are_kept(names: Sequence[str]) -> bool:
    return all(name.partition(".")[0] in _MODULES for name in names)


def _is_calm(node: ast.AST) -> bool:
    """Return True but for calls of something that is not a constant, or a function of `math`."""
    if not isinstance(node, ast.Call):
        return True
    called = ast.unparse(node.func)
    return called.endswith("constexpr") or called.startswith("math.")


def is_jit(decorator: ast.expr) -> bool:
    """Return True for `@triton.jit`, with or without arguments."""
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(call) in ("triton.jit", "jit")
