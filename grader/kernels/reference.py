"""Computes the right outputs by the problem's own `reference`, which is Python and runs here.

Only ever called in a process with limits, or by a test: see `worker`.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, FactError, fact
from grader.kernels.inputs import ArgumentValue, make_arguments
from grader.kernels.problem import Problem

FILE = "reference.py"


class ReferenceFailed(FactError):
    """The reference has no answer: `line` of its source, 0 if unknown."""

    def __init__(self, what: Fact, line: int = 0) -> None:
        super().__init__(what)
        self.line = line


class ReferenceOutputs:
    """The right outputs of a problem, run by run; each is computed once, unless it is known."""

    def __init__(
        self, problem: Problem, known: Mapping[int, Sequence[NDArray[Any]]] | None = None
    ) -> None:
        self._problem = problem
        self._known: dict[int, Sequence[NDArray[Any]]] = dict(known or {})
        self._function: Any = None

    def for_run(self, run: int) -> Sequence[NDArray[Any]]:
        """Return the outputs of a run, in the order of the arguments that are not inputs.

        Raises:
            ReferenceFailed: it raised an error, or returned something else.
        """
        if run not in self._known:
            self._known[run] = self._compute(run)
        return self._known[run]

    def _compute(self, run: int) -> list[NDArray[Any]]:
        if self._function is None:
            self._function = _function(self._problem.reference)
        given = make_arguments(self._problem, run)
        named = {
            argument.name: _widen(value)
            for argument, value in zip(self._problem.arguments, given, strict=True)
            if argument.role != "output"
        }
        try:
            with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
                found = self._function(**named)
        except Exception as error:  # its author's, whatever it is
            raise _explain_failure(error) from None
        outputs = list(found) if isinstance(found, tuple) else [found]
        wanted = [given[i] for i in self._problem.outputs]
        if len(outputs) != len(wanted):
            what = fact("reference.arrays", returned=len(outputs), outputs=len(wanted))
            raise ReferenceFailed(what)
        for output, array in zip(outputs, wanted, strict=True):
            if np.shape(output) != np.shape(array):
                what = fact(
                    "reference.shape", returned=str(np.shape(output)), shape=str(np.shape(array))
                )
                raise ReferenceFailed(what)
        return [np.asarray(output) for output in outputs]


def _function(source: str) -> Any:
    names: dict[str, Any] = {"__name__": "reference", "np": np, "numpy": np}
    try:
        code = compile(source, FILE, "exec")
        linecache.cache.pop(FILE, None)
        exec(code, names)  # noqa: S102 - its duty, in a process with limits
    except SyntaxError as error:
        raise ReferenceFailed(
            fact("reference.not-python", why=error.msg), error.lineno or 0
        ) from None
    except Exception as error:
        raise _explain_failure(error) from None
    function = names.get("reference")
    if not callable(function):
        raise ReferenceFailed(fact("reference.no-function"))
    return function


def _explain_failure(error: Exception) -> ReferenceFailed:
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno or 0 for frame in frames if frame.filename == FILE]
    what = fact("reference.raised", error=type(error).__name__, text=str(error))
    return ReferenceFailed(what, lines[-1] if lines else 0)


def _widen(value: ArgumentValue) -> Any:
    """Widen floats to float64, so that the reference rounds less than any kernel."""
    array = np.array(value)
    wide = array.astype(np.float64) if array.dtype.kind == "f" else array
    return wide if array.ndim else wide.item()
