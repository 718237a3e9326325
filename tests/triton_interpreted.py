"""Runs kernels by Triton's own interpreter: `python -m tests.triton_interpreted CONTENT FILE…`.

Another meaning of the same source than its PTX in the emulator. The interpreter wants tensors; an
array here has as much of one as it asks for.
"""

from __future__ import annotations

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

from grader.comparing import compare
from grader.kernels import Problem, ReferenceOutputs, evaluate_sizes
from grader.kernels.inputs import make_arguments
from grader.kernels.problem import evaluate_integer
from quizapp.deck import index
from quizapp.deck.compiler import compile_deck
from quizapp.domain.question import Kernel
from quizapp.exercises.kernels import problem as problem_of


class Tensor:
    """An array in memory of the host, which is also that of the device."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.dtype = f"torch.{array.dtype.name}"

    def data_ptr(self) -> int:
        """Return its address."""
        return int(self.array.ctypes.data)

    def __getattr__(self, name: str) -> Any:
        """Be its own storage, on every device."""
        if name in ("untyped_storage", "cpu"):
            return lambda: self
        if name == "new_empty":
            return lambda *_, **__: self
        if name in ("set_", "copy_", "storage_offset", "size", "stride"):
            return lambda *_: 0
        raise AttributeError(name)


def is_right(problem: Problem, file: Path, run: int) -> bool:
    """Run the kernel of a file at a shape, and compare its outputs with the reference."""
    spec = spec_from_file_location("kernel", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    shape, given = problem.shapes[run], make_arguments(problem, run)
    values: dict[str, Any] = {
        **shape,
        **{
            each.name: Tensor(value) if isinstance(value, np.ndarray) else np.asarray(value).item()
            for each, value in zip(problem.arguments, given, strict=True)
        },
        **{name: evaluate_integer(each, shape, ()) for name, each in problem.constants.items()},
    }
    grid = evaluate_sizes(problem.grid, shape, ())
    getattr(module, problem.kernel)[grid](*(values[name] for name in problem.parameter_names))
    terms = evaluate_integer(problem.terms, shape, ())
    right = ReferenceOutputs(problem).for_run(run)
    outputs = [given[at] for at in problem.outputs]
    return not any(
        len(compare(np.asarray(got), expected, terms).wrong)
        for got, expected in zip(outputs, right, strict=True)
    )


def main() -> None:
    """Print each shape at which a kernel is wrong."""
    os.environ["TRITON_INTERPRET"] = "1"  # Triton reads it when a kernel imports it
    content, *files = map(Path, sys.argv[1:])
    sources = [each for each in index.sources([str(content)]) if each.pack == "frameworks"]
    found = {each.id: each.question for each in compile_deck(sources).found}
    for file in files:
        name = file.stem.partition("--")[0] if "--" in file.stem else file.parent.name
        question = found[f"frameworks/kernel-{name}"]
        assert isinstance(question, Kernel)
        problem = problem_of(question)
        for run in range(len(problem.shapes)):
            if not is_right(problem, file, run):
                print(f"{file.stem} of {name} is wrong at {problem.shapes[run]}")


if __name__ == "__main__":
    main()
