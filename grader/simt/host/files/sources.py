"""Runs a CUDA C++ source: the whole program, or one kernel as options of `quiz profile` ask for."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from grader.facts import Fact, fact
from grader.simt.cuda.lowering.kernel import CudaSource, describe_kernel
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.host.files.checking import check_outputs, outputs_of_launch
from grader.simt.host.files.drawing import DrawnParameter, DrawnShape
from grader.simt.host.files.entry_points import ENTRY_NAMES, find_entry, run_entry
from grader.simt.host.files.judging import (
    SubjectRun,
    has_all,
    judge,
    say_indices,
    suggest_arguments,
)
from grader.simt.host.files.modules import (
    SourceFiles,
    SourceKernel,
    choose_overload,
    compile_asked,
    open_source,
)
from grader.simt.host.files.ptx_kernels import PtxKernel, open_ptx
from grader.simt.host.files.written_arguments import DTYPES, WrittenArgument, read_arguments
from grader.simt.host.session import Config, ScriptSession
from grader.simt.host.touched import TouchedMemory
from grader.simt.launches.reports import Launch
from grader.simt.native.hosting import run_program
from grader.simt.program.kernel import CompiledKernel
from grader.simt.program.types import INT64
from grader.simt.ptx.kernel import ParameterField

_MOST_THREADS = 1 << 18
"""Of a launch whose arrays only show how long they are."""
Fitted = tuple[Sequence[WrittenArgument], CompiledKernel, Sequence[Any]]
"""The arguments as written, the kernel for them, and what it gets."""


@dataclass
class LaunchSubject:
    """A kernel that is launched alone; see `judging.Subject`.

    Attributes:
        asked: `grid`, `block`, `shared` and `cluster`; see `sources.launch_kernel`.
        fit: fits it to a text of arguments.
        flat: True if its threads are numbered by `blockDim`, so that a grid may be chosen.
        axes: along which blocks and threads are numbered.
    """

    signature: str
    parameters: tuple[DrawnParameter, ...]
    session: ScriptSession
    asked: Mapping[str, Any]
    fit: Callable[[str], Fitted]
    flat: bool = False
    axes: int = 1

    def probe(self, shape: DrawnShape) -> Mapping[str, TouchedMemory]:
        """See `judging.Subject`."""
        self.session.touched = {}
        try:
            written, ready, fitting = self.fit(shape.text)
            done, _ = self._launch(written, ready, fitting, shape.numbers)
        finally:
            self.session.touched = None
        return {
            name: TouchedMemory().add(done.accessed_elements(name), value.itemsize)
            for name, value in zip(ready.function.parameters, fitting, strict=True)
            if isinstance(value, np.ndarray)
        }

    def run(self, shape: DrawnShape) -> SubjectRun:
        """See `judging.Subject`."""
        written, ready, fitting = self.fit(shape.text)
        names = ready.function.parameters
        given = dict(zip(names, copy.deepcopy(fitting), strict=True))
        done, unfilled = self._launch(written, ready, fitting)
        outputs = outputs_of_launch(ready, given, dict(zip(names, fitting, strict=True)), done)
        if ready.program.stores_anywhere:  # where is only known from what has changed
            changed = {
                name: value
                for name, value in outputs.stored.items()
                if id(value) in unfilled or value.tobytes() != given[name].tobytes()
            }
            outputs = replace(outputs, stored=changed or outputs.stored)
        kinds = {each.name: each.dtype for each in self.parameters}
        return SubjectRun(0, outputs.as_numbers(kinds))

    def options(self, shape: DrawnShape) -> str:
        """Return the options of a launch with these arguments, but for the arguments."""
        written, _, _ = self.fit(shape.text)
        sizes = {"grid": self._grid(written), "block": self.asked["block"]}
        return " ".join(f"--{name} {','.join(map(str, each))}" for name, each in sizes.items())

    def _launch(
        self,
        written: Sequence[WrittenArgument],
        ready: CompiledKernel,
        fitting: Sequence[Any],
        numbers: Mapping[str, int] | None = None,
    ) -> tuple[Launch, set[int]]:
        """Launch it; return what it did, and the arrays without a fill.

        Args:
            numbers: sizes that the grid follows from; None: it follows from the arrays.
        """
        unfilled = {id(array) for argument in written for array in argument.unfilled}
        outputs = tuple(
            name
            for name, value in zip(ready.function.parameters, fitting, strict=True)
            if id(value) in unfilled and name in ready.compiled.stored
        )
        asked = self.asked
        cluster = asked["cluster"] and tuple((*asked["cluster"], 1, 1)[:3])
        grid, block = self._grid(written, numbers), asked["block"]
        config = Config(grid, block, asked["shared"], outputs=outputs, cluster=cluster)
        return self.session.run(ready, config, fitting), unfilled

    def _grid(
        self, written: Sequence[WrittenArgument], numbers: Mapping[str, int] | None = None
    ) -> tuple[int, ...]:
        """Return the grid that was asked for, or one with a thread for each element.

        Raises:
            InvalidLaunch: no grid follows from the source.
        """
        if self.asked["grid"] is not None:
            return tuple(self.asked["grid"])
        if not self.flat:
            raise InvalidLaunch(fact("cpp.grid-unknown", kernel=self.signature))
        block: tuple[int, ...] = (*self.asked["block"], 1, 1)[:3]
        shapes = [array.shape for argument in written for array in argument.arrays]
        if numbers is not None:
            flat = prod(block[1:]) == 1
            most = max(numbers.values(), default=1)
            shapes = [
                (min(prod(numbers.values()), _MOST_THREADS),) if flat else (most,) * self.axes
            ]
            written = ()
        stored = [array.shape for argument in written for array in argument.unfilled]
        if prod(block[1:]) == 1:
            needed: list[int] = [max(map(prod, shapes), default=1)]
        else:
            chosen = [each for each in stored if len(each) > 1] or shapes
            padded = [(1, 1, 1, *each)[-3:] for each in chosen]
            needed = [max(each) for each in zip(*padded, strict=True)][::-1]
        return tuple(-(-each // threads) for each, threads in zip(needed, block, strict=False))


_SHORT = {dtype: name for name, dtype in DTYPES.items()}


def run_source(
    file: Path, arguments: Sequence[str], session: ScriptSession, asked: Mapping[str, Any]
) -> int:
    """Run a source: the whole program if it has a `main` and no launch is asked for.

    Args:
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
    text = "".join(map("".join, source.files.values()))
    missing = _missing_options(asked, planes="Idx.y" in text)
    given = asked["arguments"] is not None or not set(kernel.parameters) - set(kernel.defaults)

    def fit(text: str) -> Fitted:
        return choose_overload(kernel, lambda each: each.fit_text(text))

    subject = LaunchSubject(
        kernel.signature, kernel.drawn_parameters, session, asked, fit,
        flat="blockDim" in text, axes=1 + ("Idx.y" in text) + ("Idx.z" in text),
    )  # fmt: skip
    if missing or not (given or asked["check"]):
        options = missing if given or asked["check"] else {**missing, "--args": None}
        what = fact("cpp.launch-missing", options=tuple(options), kernel=kernel.signature)
        if "main" in source.tree.host_functions:
            what = fact("cpp.launch-not-main", options=tuple(options), kernel=kernel.signature)
        _refuse_options(subject, what, options)
    return _run(subject, set(kernel.defaults))


def launch_ptx(kernel: PtxKernel, session: ScriptSession, asked: Mapping[str, Any]) -> int:
    """Launch a kernel as compiled; see `launch_kernel` for the arguments.

    Raises:
        Refused: it uses what is not emulated.
        InvalidLaunch: it cannot be launched like that.
    """
    missing = _missing_options(asked)
    names = tuple(kernel.arguments)

    def fit(text: str) -> Fitted:
        written = read_arguments(text, kernel.signature, names, {})
        return written, kernel.compiled, kernel.fit([argument.value for argument in written])

    parameters = tuple(_draw_fields(name, fields) for name, fields in kernel.arguments.items())
    subject = LaunchSubject(kernel.signature, parameters, session, asked, fit, flat=True)
    subject.axes = len(asked["block"] or (1,))
    if asked["arguments"] is None and kernel.fields and asked["check"] is None:
        given = (f"{name}={_example(fields)}" for name, fields in kernel.arguments.items())
        missing["--args"] = f"'{', '.join(given)}'"
    if missing:
        what = fact("cpp.launch-missing", options=tuple(missing), kernel=kernel.signature)
        _refuse_options(subject, what, missing)
    return _run(subject, set())


def _draw_fields(name: str, fields: Sequence[ParameterField]) -> DrawnParameter:
    """Describe a parameter of PTX: what 64 bits are of is not known."""
    dtype = fields[0].dtype
    if dtype == INT64 or fields[0].whole:
        return DrawnParameter(name, "f32", array=True)
    return DrawnParameter(name, _SHORT.get(np.dtype(dtype), "i32"))


def _example(fields: Sequence[ParameterField]) -> str:
    """Return what an argument may be."""
    if fields[0].whole:
        return "tensor(f16[64, 256]:random, box=[8, 64])"
    return "f32[256]" if fields[0].dtype == INT64 else "256"


def _run(subject: LaunchSubject, optional: set[str]) -> int:
    """Launch a kernel once, or over drawn shapes, and compare it if that is asked for."""
    asked = subject.asked
    text, check = asked["arguments"], asked["check"]
    if check is not None and not has_all(subject.parameters, subject.signature, text, optional):
        return judge(subject, Path(check), text)
    ran = subject.run(DrawnShape(text or "", {}))
    say_indices(subject, text or "")
    return 0 if check is None or ran.outputs is None else check_outputs(Path(check), ran.outputs)


def _only_kernel(source: CudaSource) -> str:
    if not source.kernels:
        raise InvalidLaunch(fact("cpp.no-kernels"))
    if len(source.kernels) > 1:
        signatures = "; ".join(map(describe_kernel, source.tree.kernels))
        raise InvalidLaunch(
            fact("cpp.several-kernels"), fact("cpp.name-kernel", signatures=signatures)
        )
    return source.kernels[0]


def _missing_options(asked: Mapping[str, Any], *, planes: bool = False) -> dict[str, str | None]:
    """Return the options that a launch lacks, each with an example; a check chooses a grid.

    Args:
        planes: True if threads have two numbers.
    """
    examples = {"grid": "4,4", "block": "16,16"} if planes else {"grid": "8", "block": "256"}
    if asked["check"] is not None:
        del examples["grid"]
    return {f"--{name}": text for name, text in examples.items() if asked[name] is None}


def _refuse_options(
    subject: LaunchSubject, what: Fact, missing: Mapping[str, str | None]
) -> NoReturn:
    """Refuse a launch that lacks options.

    Args:
        missing: what is missing, each with an example; None for arguments that are to be found.

    Raises:
        InvalidLaunch: the advice shows what could be given.
    """
    sizes = {
        name: tuple(map(int, (missing.get(f"--{name}") or "1").split(",")))
        for name in ("grid", "block")
        if subject.asked[name] is None
    }
    launched = replace(subject, asked={**subject.asked, **sizes})
    raise InvalidLaunch(what, suggest_arguments(launched, missing))
