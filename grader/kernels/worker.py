"""The process in which kernels are interpreted and a problem's reference runs: see `referee`."""

from __future__ import annotations

import json
from typing import Any

from grader.answering import limit, serve
from grader.kernels.grading import grade
from grader.kernels.problem import InvalidProblem, problem_from
from grader.kernels.reference import Expected, ReferenceFailed

MEMORY = 4 << 30
"""Bytes of address space."""
_KEPT = 8
"""Problems whose right outputs are remembered."""


class _Desk:
    """Answers requests; remembers what the last problems expect."""

    def __init__(self) -> None:
        self._expected: dict[str, Expected] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """`prepare`: work out what is right. `right`: that. `grade`: the verdict on a source."""
        problem = problem_from(request["problem"])
        plain = json.dumps(request["problem"])
        expected = self._known(plain) if problem.reference else None
        try:
            if request["do"] == "prepare":
                for run in range(len(problem.shapes)):
                    if expected is not None:
                        expected.of(run)
                return {}
            if request["do"] == "right":
                return {"right": [one.tolist() for one in self._known(plain).of(0)]}
            return {"graded": grade(problem, request["source"], expected).plain()}
        except InvalidProblem as error:
            return {"problem": {"path": error.path, "what": error.what, "todo": error.todo}}
        except ReferenceFailed as error:
            return {"reference": {"what": error.what, "line": error.line}}

    def _known(self, plain: str) -> Expected:
        if plain not in self._expected:
            if len(self._expected) >= _KEPT:
                del self._expected[next(iter(self._expected))]
            self._expected[plain] = Expected(problem_from(json.loads(plain)))
        return self._expected[plain]


def main() -> None:
    """Answer until the application goes away."""
    limit(MEMORY)
    serve(_Desk().answer)
