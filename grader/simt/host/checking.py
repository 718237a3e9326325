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
from grader.simt.launches.launching import WriteOrigin

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


FindWriter = Callable[[str, int], WriteOrigin | None]
"""From an output and the place of an element in it to the last write of that, if it is known."""


def check_outputs(
    file: Path,
    given: Mapping[str, Any],
    outputs: Mapping[str, NDArray[Any]],
    find_writer: FindWriter,
) -> int:
    """Compare outputs with what a reference gives, and say what came of it.

    Args:
        file: has the function `reference`, or one function only. It is called with those of the
            arguments that its parameters name, else with all that are no outputs, in their order.
        given: the arguments before the launch, by name.
        outputs: arrays after it, by name.
        find_writer: tells which thread wrote an element.

    Returns:
        The status with which the process ends: see `grader.scripts`.
    """
    try:
        _check(file, given, outputs, find_writer)
    except _Unchecked as error:
        lines = [str(error.what), *([f"  {error.hint}"] if error.hint is not None else [])]
        print(*lines, sep="\n", file=sys.stderr, flush=True)
        return error.status
    return 0


def _check(
    file: Path,
    given: Mapping[str, Any],
    outputs: Mapping[str, NDArray[Any]],
    find_writer: FindWriter,
) -> None:
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
        right = _fit(name, got, np.asarray(result), file)
        wrong = compare(got, right, terms).wrong
        if len(wrong):
            raise _wrong(name, got, right, wrong, find_writer)
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


def _fit(name: str, got: NDArray[Any], result: NDArray[Any], file: Path) -> NDArray[Any]:
    """Return what the reference gives in the shape of an output.

    Raises:
        _Unchecked: it has not as many elements.
    """
    if result.size != got.size:
        shape, wanted = str(result.shape), str(got.shape)
        what = fact("check.shape", name=name, shape=shape, wanted=wanted, file=file.name)
        raise _Unchecked(what, fact("check.shape.hint", file=file.name))
    return result.reshape(got.shape)


def _wrong(
    name: str,
    got: NDArray[Any],
    right: NDArray[Any],
    wrong: NDArray[np.int64],
    find_writer: FindWriter,
) -> _Unchecked:
    """Say which element is the first that is wrong, and who wrote it."""
    first = tuple(int(each) for each in wrong[0])
    origin = find_writer(name, int(np.ravel_multi_index(first, got.shape)))
    writer = fact("kernel.never")
    if origin is not None:
        block, thread = str(origin.block), str(origin.thread)
        writer = fact("kernel.written", thread=thread, block=block, line=origin.line)
    what = fact(
        "check.wrong",
        element=f"{name}[{', '.join(map(str, first))}]",
        got=repr(got[first].item()),
        expected=repr(right[first].item()),
        writer=writer,
        n=len(wrong),
        total=got.size,
    )
    return _Unchecked(what)
