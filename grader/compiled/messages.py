"""Messages to and from the process that compiles."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from grader.compiled.outcome import CompilerReport
from grader.facts import Fact
from grader.wire import Count, Name, Reply, Request

_MOST_ARGUMENTS = 100


class CompileRequest(Request, frozen=True, kw_only=True, tag="compile"):
    """Compile a kernel; `CompileReply`.

    Attributes:
        kernel: its name; in CUDA C++ with its template arguments.
        arguments: NumPy's name of each argument's elements, and its axes; 0 for a number.
        threads: of a block.
        dynamic: bytes of dynamic shared memory of a block.
        capabilities: architectures, major.minor.
        disassembled: the one whose instructions are asked for.
    """

    source: str
    kernel: str
    arguments: Annotated[tuple[tuple[Name, Count], ...], Meta(max_length=_MOST_ARGUMENTS)]
    threads: int
    dynamic: int
    capabilities: tuple[str, ...]
    disassembled: str
    language: Literal["python", "cuda", "ptx"] = "python"


class CompileReply(Reply, frozen=True, kw_only=True):
    """What the compiler makes of it, or why it does not."""

    compiled: CompilerReport | None = None
    refused: Fact | None = None
