"""Compares what a kernel wrote with a person's reference, a function of Python in a file.

The file is executed here, in the process that runs a person's own script or program.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.comparing import compare
from grader.facts import Fact, fact, quote
from grader.scripts import NO_REFERENCE, NOT_AS_REFERENCE

_REFERENCE = "reference"


class _Unchecked(Exception):
    """Something is not right, or cannot be compared; `status` is what the process ends with."""

    def __init__(
        self, what: Fact, hint: Fact | None = None, status: int = NOT_AS_REFERENCE
    ) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint
        self.status = status


def check_outputs(file: Path, given: Mapping[str, Any], outputs: Mapping[str, NDArray[Any]]) -> int:
    """Compare outputs with what a reference gives, and say what came of it.

    Args:
        file: has the function `reference`, or one function only. It is called with those of the
            arguments that its parameters name, else with all that are no outputs, in their order.
        given: the arguments before the launch, by name.
        outputs: arrays after it, by name.

    Returns:
        The status with which the process ends: see `grader.scripts`.
    """
    try:
        _check(file, given, outputs)
    except _Unchecked as error:
        lines = [str(error.what), *([f"  {error.hint}"] if error.hint is not None else [])]
        print(*lines, sep="\n", file=sys.stderr, flush=True)
        return error.status
    return 0


def _check(file: Path, given: Mapping[str, Any], outputs: Mapping[str, NDArray[Any]]) -> None:
    function = _load(file)
    inputs = {name: value for name, value in given.items() if name not in outputs}
    names = [*inspect.signature(function).parameters]
    chosen = [given[name] for name in names if name in given]
    arguments = chosen if len(chosen) == len(names) else [*inputs.values()]
    try:
        with np.errstate(all="ignore"):
            made = function(*(np.copy(each) if isinstance(each, np.ndarray) else each
                              for each in arguments))  # fmt: skip
    except Exception as error:
        why = quote(f"{type(error).__name__}: {error}")
        raise _Unchecked(
            fact("check.failed", file=str(file), why=why), None, NO_REFERENCE
        ) from error
    results = made if isinstance(made, tuple) else (made,)
    if len(results) != len(outputs):
        n, found = len(outputs), len(results)
        what = fact("check.count", names=tuple(outputs), n=n, found=found, file=file.name)
        raise _Unchecked(what, fact("check.count.hint", file=file.name))
    terms = max((np.size(each) for each in given.values()), default=1)
    for (name, got), result in zip(outputs.items(), results, strict=True):
        _compare(name, got, np.asarray(result), terms, file)
        n = got.size
        print(f"{fact('check.right', name=name, n=n, file=file.name)}", file=sys.stderr, flush=True)


def _failed(file: Path, error: Exception) -> _Unchecked:
    why = quote(f"{type(error).__name__}: {error}")
    return _Unchecked(fact("check.failed", file=str(file), why=why), None, NO_REFERENCE)


def _load(file: Path) -> Callable[..., Any]:
    spec = spec_from_file_location("quiz_reference", file)
    if spec is None or spec.loader is None:
        raise _Unchecked(
            fact("check.no-function", file=str(file)), fact("check.no-function.hint"), NO_REFERENCE
        )
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        why = quote(f"{type(error).__name__}: {error}")
        raise _Unchecked(
            fact("check.failed", file=str(file), why=why), None, NO_REFERENCE
        ) from error
    own = [
        each
        for each in vars(module).values()
        if inspect.isfunction(each) and each.__module__ == module.__name__
    ]
    chosen = [each for each in own if each.__name__ == _REFERENCE] or own
    if len(chosen) != 1:
        raise _Unchecked(
            fact("check.no-function", file=str(file)), fact("check.no-function.hint"), NO_REFERENCE
        )
    return chosen[0]


def _compare(name: str, got: NDArray[Any], expected: NDArray[Any], terms: int, file: Path) -> None:
    """Compare an output with the reference's, as floats of its own precision.

    Raises:
        _Unchecked: they have not as many elements, or one differs by more than rounding.
    """
    if expected.size != got.size:
        shape, wanted = str(expected.shape), str(got.shape)
        what = fact("check.shape", name=name, shape=shape, wanted=wanted, file=file.name)
        raise _Unchecked(what, fact("check.shape.hint", file=file.name))
    right = expected.reshape(got.shape)
    wrong = compare(got, right, terms).wrong
    if not len(wrong):
        return
    first = tuple(int(each) for each in wrong[0])
    element = f"{name}[{', '.join(map(str, first))}]"
    shown, wanted = f"{got[first].item()!r}", f"{right[first].item()!r}"
    raise _Unchecked(
        fact("check.wrong", element=element, got=shown, expected=wanted,
             n=len(wrong), total=got.size)
    )  # fmt: skip
