"""Runs a CUDA C++ source: the whole program, or one kernel as options of `quiz profile` ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from grader.facts import Fact, fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.kernel import CudaSource, describe_kernel
from grader.simt.cuda.lowering.types import VECTORS
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.host.modules import CudaKernel, SourceFiles, choose_overload, open_source
from grader.simt.host.ptx_kernels import PtxKernel, compile_source, open_ptx
from grader.simt.host.session import Config, ScriptSession
from grader.simt.host.written_arguments import WrittenArgument, read_arguments
from grader.simt.native.hosting import run_program
from grader.simt.program.kernel import CompiledKernel
from grader.simt.program.types import INT64

_DTYPES = {
    "float": "f32", "double": "f64", "half": "f16", "__half": "f16", "int": "i32", "char": "i8",
    "unsigned int": "u32", "unsigned char": "u8", "long long": "i64",
    "unsigned long long": "u64", "bool": "bool",
}  # fmt: skip
"""What an example gives for a pointer to a type of C++."""


def run_source(
    file: Path, arguments: Sequence[str], session: ScriptSession, asked: Mapping[str, Any]
) -> int:
    """Run a source: the whole program if it has a `main` and no launch is asked for.

    Args:
        file: the source.
        arguments: the program's command line.
        session: runs its launches.
        asked: see `launch_kernel`; `defines`, pairs of macros and texts; `more` and `folders`, see
            `SourceFiles`; and `lifeline`, the
            descriptor with which a program ends.

    Returns:
        The exit status; of a program that a signal ended, the negative signal.

    Raises:
        Refused: the source is not CUDA C++, is not emulated, or does not compile.
        InvalidLaunch: there is no such kernel, or it cannot be launched like that.
        OSError: the file cannot be read.
    """
    if file.suffix == ".ptx":
        session.has_script = False
        launch_ptx(open_ptx(file, asked["kernel"]), session, asked)
        return 0
    files = SourceFiles.sort(file, map(Path, asked["more"]), map(Path, asked["folders"]))
    whole = (asked["grid"], asked["block"], asked["arguments"]) == (None, None, None)
    source = open_source(files, dict(asked["defines"]), compiled=whole)
    if "main" in source.tree.host_functions and whole:
        return run_program(files, source, arguments, session, asked)
    session.has_script = False
    launch_kernel(source, session, asked)
    return 0


def launch_kernel(source: CudaSource, session: ScriptSession, asked: Mapping[str, Any]) -> None:
    """Launch a kernel of a source.

    Args:
        source: the source.
        session: runs it.
        asked: `kernel`, its name, "" for the only one; `grid` and `block`, None if they are not
            given; `shared`, bytes; `arguments`, see `written_arguments`, or None.

    Raises:
        Refused: the source is not CUDA C++, or not emulated.
        InvalidLaunch: there is no such kernel, or it cannot be launched like that.
    """
    name = asked["kernel"] or _only_kernel(source)
    try:
        kernel = CudaKernel(source, name, session)
    except Refused as error:  # of its parameters
        declared = source.find_kernel(name.partition("<")[0].strip())
        compiled = compile_source(source, declared, name, error, asked["folders"])
        launch_ptx(compiled, session, asked)
        return
    _require_options(source, kernel, asked)
    text: str = asked["arguments"] or ""
    try:
        written, ready, fitting = choose_overload(kernel, partial(_fit_written, text))
    except Refused as error:
        launch_ptx(kernel.compile(error, asked["folders"]), session, asked)
        return
    _run(session, asked, written, ready, fitting)


def launch_ptx(kernel: PtxKernel, session: ScriptSession, asked: Mapping[str, Any]) -> None:
    """Launch a kernel as compiled; see `launch_kernel` for the arguments.

    Raises:
        Refused: it uses what is not emulated.
        InvalidLaunch: it cannot be launched like that.
    """
    examples = {"grid": "8", "block": "256"}
    missing = {f"--{name}": text for name, text in examples.items() if asked[name] is None}
    if asked["arguments"] is None and kernel.fields:
        given = (
            f"{each.name}={'f32[256]' if each.dtype == INT64 else 256}" for each in kernel.fields
        )
        missing["--args"] = f"'{', '.join(given)}'"
    _require(missing, fact("cpp.launch-missing", options=tuple(missing), kernel=kernel.signature))
    names = tuple(each.name for each in kernel.fields)
    written = read_arguments(asked["arguments"] or "", kernel.signature, names, {})
    fitting = kernel.fit([argument.value for argument in written])
    _run(session, asked, written, kernel.compiled, fitting)


def _run(
    session: ScriptSession,
    asked: Mapping[str, Any],
    written: Sequence[WrittenArgument],
    ready: CompiledKernel,
    fitting: Sequence[Any],
) -> None:
    unfilled = {id(array) for argument in written for array in argument.unfilled}
    outputs = tuple(
        name
        for name, value in zip(ready.function.parameters, fitting, strict=True)
        if id(value) in unfilled and name in ready.compiled.stored
    )
    config = Config(asked["grid"], asked["block"], asked["shared"], outputs=outputs)
    session.run(ready, config, fitting)


def _fit_written(
    text: str, kernel: CudaKernel
) -> tuple[list[WrittenArgument], CompiledKernel, list[Any]]:
    """Return the arguments of a text, and the kernel with what it gets for them.

    Raises:
        Refused: it is not C++, or not emulated.
        InvalidLaunch: the text is none of arguments, or they do not fit.
    """
    written = read_arguments(text, kernel.signature, kernel.parameters, kernel.defaults)
    return written, *kernel.fit_alone(tuple(argument.value for argument in written))


def _only_kernel(source: CudaSource) -> str:
    if not source.kernels:
        raise InvalidLaunch(fact("cpp.no-kernels"))
    if len(source.kernels) > 1:
        signatures = "; ".join(map(describe_kernel, source.tree.kernels))
        raise InvalidLaunch(
            fact("cpp.several-kernels"), fact("cpp.name-kernel", signatures=signatures)
        )
    return source.kernels[0]


def _require_options(source: CudaSource, kernel: CudaKernel, asked: Mapping[str, Any]) -> None:
    """Require what a launch needs.

    Raises:
        InvalidLaunch: something is missing; the advice shows what could be given.
    """
    examples = {"grid": "8", "block": "256"}
    missing = {f"--{name}": text for name, text in examples.items() if asked[name] is None}
    if asked["arguments"] is None and set(kernel.parameters) - set(kernel.defaults):
        missing["--args"] = f"'{', '.join(map(_example, kernel.declared.parameters))}'"
    what = fact("cpp.launch-missing", options=tuple(missing), kernel=kernel.signature)
    if "main" in source.tree.host_functions:
        what = fact("cpp.launch-not-main", options=tuple(missing), kernel=kernel.signature)
    _require(missing, what)


def _require(missing: Mapping[str, str], what: Fact) -> None:
    if missing:
        example = " ".join(f"{option} {text}" for option, text in missing.items())
        raise InvalidLaunch(what, fact("cpp.launch-example", example=example))


def _example(parameter: syntax.Parameter) -> str:
    """Write an argument that a parameter could take."""
    match parameter.type:
        case syntax.PointerType(_, syntax.NamedType(_, name, const)):
            own = name.parts[-1].identifier
            dtype = own if own in VECTORS else _DTYPES.get(own, "f32")
            return f"{parameter.name}={dtype}[256]{':random' if const else ''}"
        case syntax.PointerType() | syntax.ArrayType():
            return f"{parameter.name}=f32[256]"
    return f"{parameter.name}=256"
