"""What a rule for repairs sees, and what it proposes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from grader.changes import Change
from grader.facts import Fact
from grader.simt.checks.findings import Finding
from grader.simt.repairs.cuda_text import CudaText
from grader.simt.repairs.python_text import PythonText
from grader.simt.repairs.statements import LoopStep, Suite, find_path

SourceText: TypeAlias = PythonText | CudaText


class RepairCandidate(NamedTuple):
    """Changes that may help, and what they do, in words."""

    what: Fact
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class RepairScene:
    """A kernel's source and what a launch gave it.

    Attributes:
        source: the text of the kernel's file.
        numbers: its scalar arguments that are integers, by name.
        dtypes: the names of the elements' types, of shared arrays too.
    """

    source: SourceText
    numbers: Mapping[str, int]
    shapes: Mapping[str, tuple[int, ...]]
    dtypes: Mapping[str, str]

    @property
    def is_cuda(self) -> bool:
        """True for CUDA C++."""
        return self.source.braces

    def line_of(self, offset: int) -> int:
        """Return the line of a place."""
        return self.source.text.count("\n", 0, offset) + 1

    def path(self, line: int, column: int) -> list[LoopStep]:
        """Return the statements around a place, the innermost last."""
        offset = self.source.offset(line, column)
        body = self.source.find_body(offset)
        return [] if body is None else find_path(body, offset)

    def body(self, finding: Finding) -> Suite | None:
        """Return the body of the function that a finding is in."""
        return self.source.find_body(self.source.offset(finding.line, finding.column))
