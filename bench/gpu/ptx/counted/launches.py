"""The launches that are counted as compiled: in CUDA C++, for Numba, in Triton.

Each is compiled here, without a GPU, to the PTX that the emulator runs; ptxas makes of the same
text what a GPU runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import version
from math import prod
from typing import Any, NamedTuple

import numpy as np

from bench.gpu import cases, triton
from bench.gpu.cuda import exact
from bench.gpu.cuda.launches import ExactLaunch, QuestionLaunch, counted_launches
from bench.gpu.cuda.programs import kernel_questions
from bench.gpu.ptx.counted.texts import Compiled, strip
from bench.gpu.questions import first_case
from grader.kernels import Problem, evaluate_number, evaluate_sizes
from grader.kernels.submission import PythonSubmission, read_submission
from grader.kernels.triton_submission import TritonSubmission
from grader.simt import Launch, launch
from grader.simt.host.decorators.numba_compiled import list_parts, part_value
from grader.simt.host.files.ptx_kernels import PtxKernel
from grader.simt.numba.reading.source import Function
from grader.simt.ptx.kernel import ParameterField
from grader.simt.ptx.reading import read_ptx
from grader.triton import TritonCompiler
from quizapp.exercises.kernels import problem

CAPABILITY = "9.0"
SOLUTION = "solution.py"


class Bound(NamedTuple):
    """A kernel with all that a launch of it takes.

    Attributes:
        sizes: of its parameters, in bytes.
        fields: what is in them; `values` has one for each.
    """

    kernel: PtxKernel
    sizes: tuple[int, ...]
    fields: tuple[ParameterField, ...]
    values: Sequence[Any]
    grid: Any
    block: Any
    shared: int

    def run(self) -> Launch:
        """Launch it in the emulator; its arrays change."""
        return launch(
            self.kernel.compiled, self.grid, self.block, self.values, shared_bytes=self.shared
        )


@dataclass(frozen=True)
class PtxLaunch:
    """One launch.

    Attributes:
        language: `CUDA C++`, `Numba` or `Triton`.
        name: the question and the file, or the case, and its sizes; alone of this name.
        sha256: of the source.
        compile: makes its PTX; needs the compiler.
        bind: makes it ready, with its inputs, which are the same each time.
    """

    language: str
    name: str
    sha256: str
    compile: Callable[[], Compiled]
    bind: Callable[[Compiled], Bound]


@cache
def launches() -> tuple[PtxLaunch, ...]:
    """Return all of them, in the order in which they are launched."""
    return (*_of_triton(), *_of_numba(), *_of_cuda())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _sizes(made: Problem) -> str:
    return " ".join(f"{name}={size}" for name, size in made.shapes[0].items())


def _bound(
    compiled: Compiled, names: Sequence[str], values: Any, how: tuple[Any, Any, int], **options: Any
) -> Bound:
    """Make a kernel ready.

    Args:
        compiled: its PTX.
        names: of its parameters in the source.
        values: one for each field, or what makes them of the fields.
        how: grid, block, bytes of dynamic shared memory.
        options: see `PtxKernel`.
    """
    module = read_ptx(compiled.text)
    function = module.functions[compiled.entry]
    kernel = PtxKernel(module, function, names, **options)
    given = values(kernel) if callable(values) else values
    sizes = tuple(each.size for each in function.parameters)
    return Bound(kernel, sizes, kernel.fields, given, *how)


def _configuration(made: Problem) -> tuple[Any, Any, int]:
    shape = made.shapes[0]
    grid, block = (
        evaluate_sizes(sizes, shape, ("launch", name))
        for sizes, name in ((made.grid, "grid"), (made.block, "block"))
    )
    return grid, block, int(evaluate_number(made.shared, shape, ("launch", "shared")))


def _of_cuda() -> Iterator[PtxLaunch]:
    for each in counted_launches():
        name = f"{each.key.question or 'exact.cu'} {each.key.file} {each.key.shape}"
        if isinstance(each, QuestionLaunch):
            source, bind = each.program.source, partial(_bind_cuda, each)
            entry = read_submission(each.problem, source).entry
        else:
            assert isinstance(each, ExactLaunch)
            source, entry = exact.SOURCE.read_text("utf-8"), each.case.kernel
            bind = partial(_bind_exact, each.case)
        compiling = partial(_compile_cuda, source, entry)
        yield PtxLaunch("CUDA C++", name, each.sha256, compiling, bind)


def _compile_cuda(source: str, entry: str) -> Compiled:
    from grader.gpu.devices import nvrtc  # noqa: PLC0415 - not installed where tests run

    image = nvrtc.compile_ptx(source, "<kernel>", CAPABILITY, entry)
    text = strip(image.code.decode())
    return Compiled(text, image.entry, 0, _digest(source), f"NVRTC {nvrtc.version()}")


def _bind_cuda(each: QuestionLaunch, compiled: Compiled) -> Bound:
    case = first_case(each.problem)
    submission: Any = read_submission(each.problem, each.program.source)
    names = [each.name for each in submission.declared.parameters]
    values = submission.prepare(case.given, case.shape).arguments
    return _bound(compiled, names, values, _configuration(each.problem))


def _bind_exact(case: exact.CudaCase, compiled: Compiled) -> Bound:
    return _bound(compiled, (), _copy(case), (case.grid, case.block, case.shared))


def _of_numba() -> Iterator[PtxLaunch]:
    for question, folder in kernel_questions():
        if question.triton is None and (folder / SOLUTION).is_file():
            made = replace(problem(question), language="python")
            source = (folder / SOLUTION).read_text("utf-8")
            submission = read_submission(made, source)
            assert isinstance(submission, PythonSubmission)
            draw, how = partial(_draw, made), _configuration(made)
            name = f"{question.id} {SOLUTION} {_sizes(made)}"
            yield _numba_launch(name, source, submission.function, draw, how)
    text = cases.KERNELS.read_text("utf-8")
    for case in cases.cases():
        function, how = cases.functions()[case.kernel], (case.grid, case.block, 0)
        yield _numba_launch(f"kernels.py {case.name}", text, function, partial(_copy, case), how)


def _draw(made: Problem) -> Sequence[Any]:
    return first_case(made).given


def _copy(case: cases.Case) -> Sequence[Any]:
    return [one.copy() if isinstance(one, np.ndarray) else one for one in case.arguments]


def _numba_launch(
    name: str,
    source: str,
    function: Function,
    draw: Callable[[], Sequence[Any]],
    how: tuple[Any, Any, int],
) -> PtxLaunch:
    compiling = partial(_compile_numba, source, function.name, draw)
    bind = partial(_bind_numba, function, draw, how)
    return PtxLaunch("Numba", name, _digest(source), compiling, bind)


@cache
def _numba_compiler() -> Any:
    from grader.compiled.numba_compiler import NumbaCompiler  # noqa: PLC0415 - as NVRTC

    return NumbaCompiler()


def _compile_numba(source: str, kernel: str, draw: Callable[[], Sequence[Any]]) -> Compiled:
    from grader.compiled.numba_compiler import ArgumentType  # noqa: PLC0415 - as NVRTC

    given = map(np.asarray, draw())
    asked = [ArgumentType(each.dtype.name, each.ndim) for each in given]
    made = strip(_numba_compiler().compile_ptx(source, kernel, asked, CAPABILITY))
    compiler = f"numba-cuda {version('numba-cuda')}"
    return Compiled(made, read_ptx(made).kernels[0], 0, _digest(source), compiler)


def _bind_numba(
    function: Function,
    draw: Callable[[], Sequence[Any]],
    how: tuple[Any, Any, int],
    compiled: Compiled,
) -> Bound:
    given = draw()
    parts = [
        part
        for at, (name, value) in enumerate(zip(function.parameters, given, strict=True))
        for part in list_parts(at, name, np.ndim(value))
    ]

    def values(kernel: PtxKernel) -> list[Any]:
        chosen = ((parts[each.parameter], each.dtype) for each in kernel.fields)
        return [
            part_value(part, given[part.argument], given[part.argument], dtype)
            for part, dtype in chosen
        ]

    names = [part.name for part in parts]
    return _bound(compiled, names, values, how, reads_all=False)


def _of_triton() -> Iterator[PtxLaunch]:
    for each in triton.right_kernels():
        source = each.file.read_text("utf-8")
        submission = read_submission(each.problem, source)
        assert isinstance(submission, TritonSubmission)
        name = f"{each.name} {_sizes(each.problem)}"
        compiling = partial(_compile_triton, submission)
        bind = partial(_bind_triton, submission)
        yield PtxLaunch("Triton", name, _digest(source), compiling, bind)


@cache
def _triton_compiler() -> TritonCompiler:
    return TritonCompiler()


def _compile_triton(submission: TritonSubmission) -> Compiled:
    case = first_case(submission.problem)
    request, _ = submission.request(case.given, case.shape)
    reply = _triton_compiler().compile(request)
    return Compiled(
        strip(reply.ptx), request.kernel, reply.shared, _digest(submission.source),
        f"Triton {reply.version}",
    )  # fmt: skip


def _bind_triton(submission: TritonSubmission, compiled: Compiled) -> Bound:
    case = first_case(submission.problem)
    _, live = submission.request(case.given, case.shape)

    def values(kernel: PtxKernel) -> list[Any]:
        return kernel.fit([*live.values(), *[None] * (len(kernel.fields) - len(live))])

    grid, block, _ = _configuration(submission.problem)
    return _bound(compiled, tuple(live), values, (grid, (prod(block),), compiled.shared))
