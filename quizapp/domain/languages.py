"""Kernel and spot questions in the language that a person writes: Numba, CUDA C++, or Triton.

A question put in a language holds that language's code where Python's would stand, so nothing that
takes it asks for the language but what reads code. A question in Triton has that instead of Numba.
"""

from __future__ import annotations

from typing import TypeVar, cast

from msgspec.structs import replace

from quizapp.domain.question import (
    CODE_LANGUAGES,
    CodeLanguage,
    CudaKernel,
    CudaMistake,
    CudaSpot,
    Dialect,
    Kernel,
    KernelTwin,
    Spot,
    WrongKernel,
    code_language,
)

ENDINGS: dict[CodeLanguage, str] = {"python": ".py", "cuda": ".cu"}
"""Of files with code."""
_Question = TypeVar("_Question")


def languages_of(question: object) -> tuple[CodeLanguage, ...]:
    """Return the languages that a question of the deck can be put in; none of most kinds."""
    match question:
        case Kernel(cuda=cuda):
            held = (question.starter, None if cuda is None else cuda.starter)
        case Spot(cuda=cuda):
            held = (question.code or None, None if cuda is None else cuda.code)
        case _:
            return ()
    return tuple(name for name, code in zip(CODE_LANGUAGES, held, strict=True) if code is not None)


def language_of(question: object) -> CodeLanguage:
    """Return the language that a question was put in; Python's name for one without kernels."""
    return question.language if isinstance(question, Kernel | Spot) else "python"


def dialect_of(question: object) -> Dialect:
    """Return the language that a question was put in, with what its Python is for."""
    in_triton = isinstance(question, Kernel) and question.triton is not None
    return "triton" if in_triton else language_of(question)


def extra_of(question: object) -> str:
    """Return the extra that must be installed before a question can be asked; "" for most."""
    return "triton" if dialect_of(question) == "triton" else ""


def language_of_code(question: object, code: str) -> CodeLanguage:
    """Return the language of code for a question; that of an index function shows in its text."""
    return language_of(question) if languages_of(question) else code_language(code)


def put_in(question: _Question, language: CodeLanguage) -> _Question:
    """Return a question of the deck as it is put in a language, or in the only one it has."""
    if language not in languages_of(question):
        language = next(iter(languages_of(question)), "python")
    match question:
        case Kernel(cuda=CudaKernel() as cuda) if language == "cuda":
            return cast("_Question", _in_cuda(question, cuda))
        case Kernel():
            return cast("_Question", _in_python(question))
        case Spot(cuda=CudaSpot() as cuda) if language == "cuda":
            return replace(
                question,
                language=language,
                code=cuda.code,
                cause=cuda.cause,
                prompt=cuda.prompt or question.prompt,
                hints=cuda.hints or question.hints,
                explanation=cuda.explanation or question.explanation,
            )
    return question


def _in_python(question: Kernel) -> Kernel:
    cuda = question.cuda
    twin = (
        None
        if cuda is None or cuda.solution is None
        else KernelTwin("cuda", cuda.solution, cuda.baseline)
    )
    wrong = tuple(mistake for mistake in question.wrong if mistake.source is not None)
    return replace(question, wrong=wrong, twin=twin)


def _in_cuda(question: Kernel, cuda: CudaKernel) -> Kernel:
    own = {limit.counter for limit in cuda.counts}
    others = [limit for limit in question.counts if limit.counter not in own]
    gpu, solution = question.gpu, question.solution
    numba = None if gpu is None else gpu.baseline
    return replace(
        question,
        language="cuda",
        twin=None if solution is None else KernelTwin("python", solution, numba),
        starter=cuda.starter,
        solution=cuda.solution,
        hints=cuda.hints or question.hints,
        counts=(*others, *cuda.counts),
        wrong=tuple(
            _wrong_in_cuda(mistake, mistake.cuda)
            for mistake in question.wrong
            if mistake.cuda is not None and mistake.cuda.source is not None
        ),
        gpu=None if gpu is None else replace(gpu, baseline=cuda.baseline, speedup=cuda.speedup),
    )


def _wrong_in_cuda(mistake: WrongKernel, cuda: CudaMistake) -> WrongKernel:
    return replace(
        mistake, fails=cuda.fails or mistake.fails, why=cuda.why or mistake.why, source=cuda.source
    )
