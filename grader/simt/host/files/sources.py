"""Runs a CUDA C++ source: the whole program, or one kernel as options of `quiz profile` ask for."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grader.facts import Fact, fact
from grader.simt.cuda.lowering.kernel import CudaSource, describe_kernel
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.host.files.checking import Outputs, check_outputs
from grader.simt.host.files.entry_points import ENTRY_NAMES, find_entry, run_entry
from grader.simt.host.files.modules import (
    SourceFiles,
    SourceKernel,
    choose_overload,
    compile_asked,
    open_source,
)
from grader.simt.host.files.ptx_kernels import PtxKernel, open_ptx
from grader.simt.host.files.written_arguments import WrittenArgument, read_arguments
from grader.simt.host.session import Config, ScriptSession
from grader.simt.launches.reports import WriteOrigin
from grader.simt.native.hosting import run_program
from grader.simt.program.kernel import CompiledKernel
from grader.simt.program.types import INT64
from grader.simt.ptx.kernel import ParameterField


def run_source(
    file: Path, arguments: Sequence[str], session: ScriptSession, asked: Mapping[str, Any]
) -> int:
    """Run a source: the whole program if it has a `main` and no launch is asked for.

    Args:
        file: the source.
        arguments: the program's command line.
        session: runs its launches.
        asked: see `launch_kernel`; `defines`, pairs of macros and texts; `more` and `folders`, see
            `SourceFiles`; `check`, the file of a reference, or None; `lifeline`, the descriptor
            with which a program ends; and `folder`, where it is compiled: the parent process
            removes that, also if it has to kill this one.

    Returns:
        The exit status; of a program that a signal ended, the negative signal.

    Raises:
        Refused: the source is not CUDA C++, is not emulated, or does not compile.
        InvalidLaunch: there is no such kernel, or it cannot be launched like that.
        OSError: the file cannot be read.
    """
    if file.suffix.lower() in (".ptx", ".cubin", ".fatbin"):
        session.has_script = False
        return launch_ptx(open_ptx(file, asked["kernel"]), session, asked)
    files = SourceFiles.sort(file, map(Path, asked["more"]), map(Path, asked["folders"]))
    whole = (asked["grid"], asked["block"], asked["arguments"]) == (None, None, None)
    compiled = whole or session.reads == "ptx"
    source = open_source(files, dict(asked["defines"]), compiled=compiled)
    if "main" in source.tree.host_functions:
        if whole:
            return run_program(files, source, arguments, session, asked)
    elif (asked["grid"], asked["block"], asked["kernel"]) == (None, None, ""):
        entry = find_entry(files.read())
        if entry is not None:
            return run_entry(files, entry, session, asked)
        named = sorted(ENTRY_NAMES & source.tree.host_functions)
        if named:
            raise InvalidLaunch(fact("cpp.entry-form", name=named[0]))
    session.has_script = False
    return launch_kernel(source, session, asked)


def launch_kernel(source: CudaSource, session: ScriptSession, asked: Mapping[str, Any]) -> int:
    """Launch a kernel of a source; return the exit status.

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
        kernel = SourceKernel(source, name, session, folders=asked["folders"])
    except Refused as error:  # of its parameters
        compiled = compile_asked(source, name, error, session.reads, asked["folders"])
        return launch_ptx(compiled, session, asked)
    _require_options(source, kernel, asked)
    text: str = asked["arguments"] or ""
    written, ready, fitting = choose_overload(kernel, lambda each: each.fit_text(text))
    return _run(session, asked, written, ready, fitting)


def launch_ptx(kernel: PtxKernel, session: ScriptSession, asked: Mapping[str, Any]) -> int:
    """Launch a kernel as compiled; see `launch_kernel` for the arguments.

    Raises:
        Refused: it uses what is not emulated.
        InvalidLaunch: it cannot be launched like that.
    """
    examples = {"grid": "8", "block": "256"}
    missing = {f"--{name}": text for name, text in examples.items() if asked[name] is None}
    if asked["arguments"] is None and kernel.fields:
        given = (f"{name}={_example(fields)}" for name, fields in kernel.arguments.items())
        missing["--args"] = f"'{', '.join(given)}'"
    _require(missing, fact("cpp.launch-missing", options=tuple(missing), kernel=kernel.signature))
    names = tuple(kernel.arguments)
    written = read_arguments(asked["arguments"] or "", kernel.signature, names, {})
    fitting = kernel.fit([argument.value for argument in written])
    return _run(session, asked, written, kernel.compiled, fitting)


def _example(fields: Sequence[ParameterField]) -> str:
    """Return what an argument may be."""
    if fields[0].whole:
        return "tensor(f16[64, 256]:random, box=[8, 64])"
    return "f32[256]" if fields[0].dtype == INT64 else "256"


def _run(
    session: ScriptSession,
    asked: Mapping[str, Any],
    written: Sequence[WrittenArgument],
    ready: CompiledKernel,
    fitting: Sequence[Any],
) -> int:
    unfilled = {id(array) for argument in written for array in argument.unfilled}
    outputs = tuple(
        name
        for name, value in zip(ready.function.parameters, fitting, strict=True)
        if id(value) in unfilled and name in ready.compiled.stored
    )
    cluster = asked["cluster"] and tuple((*asked["cluster"], 1, 1)[:3])
    config = Config(
        asked["grid"], asked["block"], asked["shared"], outputs=outputs, cluster=cluster
    )
    if asked["check"] is None:
        session.run(ready, config, fitting)
        return 0
    given = dict(zip(ready.function.parameters, copy.deepcopy(fitting), strict=True))
    done = session.run(ready, config, fitting)
    pairs = zip(ready.function.parameters, fitting, strict=True)
    stored = {
        name: value
        for name, value in pairs
        if name in ready.compiled.stored and isinstance(value, np.ndarray)
    }
    if ready.program.stores_anywhere:  # where is only known from what has changed
        changed = {
            name: value
            for name, value in stored.items()
            if id(value) in unfilled or value.tobytes() != given[name].tobytes()
        }
        stored = changed or stored

    def find_writer(name: str, place: int) -> WriteOrigin | None:
        at = np.unravel_index(place, np.shape(stored[name]))
        return done.origin(name, tuple(map(int, at)))

    return check_outputs(Path(asked["check"]), Outputs(given, stored, find_writer))


def _only_kernel(source: CudaSource) -> str:
    if not source.kernels:
        raise InvalidLaunch(fact("cpp.no-kernels"))
    if len(source.kernels) > 1:
        signatures = "; ".join(map(describe_kernel, source.tree.kernels))
        raise InvalidLaunch(
            fact("cpp.several-kernels"), fact("cpp.name-kernel", signatures=signatures)
        )
    return source.kernels[0]


def _require_options(source: CudaSource, kernel: SourceKernel, asked: Mapping[str, Any]) -> None:
    """Require what a launch needs.

    Raises:
        InvalidLaunch: something is missing; the advice shows what could be given.
    """
    examples = {"grid": "8", "block": "256"}
    missing = {f"--{name}": text for name, text in examples.items() if asked[name] is None}
    if asked["arguments"] is None and set(kernel.parameters) - set(kernel.defaults):
        missing["--args"] = kernel.example
    what = fact("cpp.launch-missing", options=tuple(missing), kernel=kernel.signature)
    if "main" in source.tree.host_functions:
        what = fact("cpp.launch-not-main", options=tuple(missing), kernel=kernel.signature)
    _require(missing, what)


def _require(missing: Mapping[str, str], what: Fact) -> None:
    if missing:
        example = " ".join(f"{option} {text}" for option, text in missing.items())
        raise InvalidLaunch(what, fact("cpp.launch-example", example=example))
