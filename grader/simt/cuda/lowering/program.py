"""What all functions of a CUDA C++ kernel share, and what a launch knows of the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.simt.program.kernel import Program

Lines = tuple[str, ...]


@dataclass
class CudaProgram(Program):
    """What all functions of a kernel share.

    Attributes:
        path: the kernel's file, or "".
        files: the lines of the source and of what it includes, by path.
    """

    path: str = ""
    files: Mapping[str, Lines] = field(default_factory=dict, repr=False)

    @property
    def sources(self) -> Mapping[str, Lines]:
        """The lines of each file; the kernel's is ""."""
        return {"" if path == self.path else path: lines for path, lines in self.files.items()}


@dataclass(frozen=True, eq=False)
class CudaFunction:
    """A kernel as a launch shows it.

    Attributes:
        name: with its template arguments: `transpose<32, float>`.
        qualified: with the namespaces around it, without template arguments.
        parameters: what it takes; a struct is its members.
        start: line and column of its name.
    """

    name: str
    qualified: str
    parameters: tuple[str, ...]
    path: str
    start: tuple[int, int]
