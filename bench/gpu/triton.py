"""Runs the deck's kernels in Triton on a GPU: are they right there, and how long do they take?

    python -m bench.gpu.triton OUT.csv      # with PyTorch and Triton, which compiles for that GPU

Values are those of the questions' own inputs and references, at each of their shapes; times are of
`SIZES`, as `triton.testing.do_bench` measures them. tests/data/triton_h200.csv is such a file.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from grader.comparing import compare
from grader.kernels import Problem, ReferenceOutputs, evaluate_sizes
from grader.kernels.inputs import make_arguments
from grader.kernels.problem import evaluate_integer
from quizapp.deck import index
from quizapp.deck.compiler import compile_deck
from quizapp.domain.question import Kernel
from quizapp.exercises.kernels import problem as problem_of

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = ("kernel", "shapes", "right", "sizes", "median_us", "low_us", "high_us", "machine")
COMPETENT = ROOT / "tests" / "data" / "competent_triton"
SIZES: Mapping[str, Mapping[str, int]] = {
    "triton-add": {"n": 1 << 26},
    "triton-softmax": {"rows": 1 << 16, "columns": 1024},
    "triton-layer-norm": {"rows": 1 << 16, "columns": 1024},
    "triton-dropout": {"n": 1 << 26},
    "triton-matmul": {"m": 4096, "n": 4096, "k": 4096},
    "triton-attention": {"heads": 64, "n": 4096},
    "triton-dequantizing-matmul": {"m": 16, "n": 16384, "k": 4096},
}
_LANES = 32


class RightKernel(NamedTuple):
    """A kernel that is right here: its name, the question's, what it must do, and its file."""

    name: str
    question: str
    problem: Problem
    file: Path


def right_kernels() -> Iterator[RightKernel]:
    """Yield the solutions, and other right kernels, by question."""
    sources = [each for each in index.sources([str(ROOT / "content")]) if each.pack == "frameworks"]
    for found in compile_deck(sources).found:
        question = found.question
        if isinstance(question, Kernel) and question.triton is not None:
            name = question.id.removeprefix("kernel-")
            problem = problem_of(question)
            folder = Path(found.file).parent
            yield RightKernel(f"{name}--solution", name, problem, folder / "solution.py")
            for file in sorted(COMPETENT.glob(f"{name}--*.py")):
                yield RightKernel(file.stem, name, problem, file)


def arguments_of(problem: Problem, shape: Mapping[str, int], given: list[Any]) -> list[Any]:
    """Return what a kernel is launched with, in its order."""
    values: dict[str, Any] = {
        **shape,
        **{
            each.name: value if hasattr(value, "data_ptr") else np.asarray(value).item()
            for each, value in zip(problem.arguments, given, strict=True)
        },
        **{name: evaluate_integer(each, shape, ()) for name, each in problem.constants.items()},
    }
    return [values[name] for name in problem.parameter_names]


def load(file: Path, name: str) -> Any:
    """Import a kernel."""
    spec = spec_from_file_location("kernel", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def wrong_outputs(problem: Problem, run: int, outputs: list[Any]) -> int:
    """Count the outputs with a wrong element."""
    terms = evaluate_integer(problem.terms, problem.shapes[run], ())
    right = ReferenceOutputs(problem).for_run(run)
    pairs = zip(outputs, right, strict=True)
    return sum(bool(len(compare(got, expected, terms).wrong)) for got, expected in pairs)


def _to_gpu(value: Any) -> Any:
    import torch  # noqa: PLC0415 - only on a machine with a GPU

    return torch.from_numpy(value).cuda() if isinstance(value, np.ndarray) else value


def _measure(each: RightKernel, machine: str) -> tuple[Any, ...]:
    from triton.testing import do_bench  # noqa: PLC0415

    problem, kernel = each.problem, load(each.file, each.problem.kernel)

    def launch(shape: Mapping[str, int], tensors: list[Any]) -> None:
        grid, block = (evaluate_sizes(sizes, shape, ()) for sizes in (problem.grid, problem.block))
        warps = int(np.prod(block)) // _LANES
        kernel[grid](*arguments_of(problem, shape, tensors), num_warps=warps)

    right = 0
    for run, shape in enumerate(problem.shapes):
        given = [_to_gpu(value) for value in make_arguments(problem, run)]
        launch(shape, given)
        outputs = [given[at].cpu().numpy() for at in problem.outputs]
        right += not wrong_outputs(problem, run, outputs)
    shape = SIZES[each.question]
    large = [_to_gpu(value) for value in make_arguments(problem, 0)]
    for at, argument in enumerate(problem.arguments):
        if argument.shape:  # the small array again and again: zeros would be quicker
            sizes, tile = evaluate_sizes(argument.shape, shape, ()), large[at].reshape(-1)
            count = int(np.prod(sizes))
            large[at] = tile.repeat(-(-count // len(tile)))[:count].reshape(sizes).contiguous()
    times = do_bench(lambda: launch(shape, large), quantiles=[0.5, 0.1, 0.9])
    sizes_said = " ".join(f"{name}={size}" for name, size in shape.items())
    cells = [f"{1000 * each:.1f}" for each in times]
    return (each.name, len(problem.shapes), right, sizes_said, *cells, machine)


def main() -> None:
    """Write the table."""
    import torch  # noqa: PLC0415
    import triton  # noqa: PLC0415

    name = torch.cuda.get_device_name()
    machine = f"{name}, Triton {triton.__version__}, {datetime.now(UTC).date()}"
    with Path(sys.argv[1]).open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for each in right_kernels():
            row = _measure(each, machine)
            print(*row, flush=True)
            rows.writerow(row)


if __name__ == "__main__":
    main()
