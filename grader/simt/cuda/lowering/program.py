"""What all functions of a CUDA C++ kernel share, and what a launch knows of the kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from grader.facts import Fact
from grader.simt.checks.findings import Finding
from grader.simt.program.kernel import CompiledKernel, Program

Lines = tuple[str, ...]
LANGUAGE = "cuda"
"""Of facts that say something else of CUDA C++ than of Numba."""


@dataclass
class CudaProgram(Program):
    """What all functions of a kernel share.

    Attributes:
        path: the kernel's file, or "".
        files: the lines of the source and of what it includes, by path.
        library_lines: where these are called: file and line.
    """

    path: str = ""
    files: Mapping[str, Lines] = field(default_factory=dict, repr=False)
    libraries: set[str] = field(default_factory=set)
    library_lines: set[tuple[str, int]] = field(default_factory=set)

    @property
    def sources(self) -> Mapping[str, Lines]:
        """The lines of each file; the kernel's is ""."""
        return {"" if path == self.path else path: lines for path, lines in self.files.items()}

    def describe(self, finding: Finding) -> Finding:
        """Return a finding whose facts have `language`, and write elements as C++ does."""
        hint = None if finding.hint is None else _in_cuda(finding.hint)
        return replace(finding, what=_in_cuda(finding.what), hint=hint)


def _in_cuda(what: Fact) -> Fact:
    fields = {
        name: _in_cuda(value) if isinstance(value, Fact) else value
        for name, value in what.fields.items()
    }
    if "element" in fields:
        fields["element"] = str(fields["element"]).replace(", ", "][")
    if "shape" in fields:
        fields["shape"] = str(fields["shape"]).strip("(,)").replace(", ", " × ")
    return Fact(what.code, {**fields, "language": LANGUAGE})


@dataclass(frozen=True, eq=False)
class CudaFunction:
    """A kernel as a launch shows it.

    Attributes:
        name: with its template arguments: `transpose<32, float>`.
        qualified: with the namespaces around it, without template arguments.
        parameters: what it takes; a struct is its members.
        start: line and column of its name.
        device_text: writes it with what it may use of its source, for a compiler.
        edit: lowers it again, from another text of its file and what tells where a line is there;
            `keeps=True` if variables of the source keep their data.
        libraries: those of which it runs headers of ours.
        library_lines: where these are called: file ("" for `path`) and line.
    """

    name: str
    qualified: str
    parameters: tuple[str, ...]
    path: str
    start: tuple[int, int]
    device_text: Callable[[], str] = field(repr=False)
    edit: Callable[..., CompiledKernel] = field(repr=False)
    libraries: tuple[str, ...] = ()
    library_lines: frozenset[tuple[str, int]] = frozenset()
