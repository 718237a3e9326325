"""What a Triton compiler is asked, and what it answers: types and sizes."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from grader.wire import Count, Name, Text

FILE = "/kernel.py"
"""What PTX calls the text; there is no such file."""
MOST_PTX = 16 << 20
"""Bytes of an answer: a fused attention takes 0.1 MB."""
Constant = int | float | bool | str | None
"""The value of a `constexpr`."""


class TritonRequest(Struct, frozen=True, kw_only=True):
    """Compile a kernel for arguments of some types.

    Attributes:
        source: the text with the kernel; the compiler's process runs it as a module.
        types: of its parameters, as Triton writes them: `*fp32`, `i32`, `constexpr`.
        constants: values of the parameters of type `constexpr`, by position.
        aligned: positions of pointers and numbers that are multiples of 16.
        warps: of a block.
        stages: of a loop whose loads are made ahead; the default is Triton's own.
    """

    source: str
    kernel: str
    types: tuple[str, ...]
    constants: tuple[tuple[int, Constant], ...] = ()
    aligned: tuple[int, ...] = ()
    warps: int = 4
    stages: int = 3


class TritonReply(Struct, frozen=True, kw_only=True):
    """The PTX, or why there is none.

    Attributes:
        shared: bytes of shared memory that a block takes.
        refused: what Triton or Python says, at `line` and `column` of the source (0: unknown).
        ended: how the process ended before it answered.
    """

    ptx: Annotated[str, Meta(max_length=MOST_PTX)] = ""
    shared: Count = 0
    version: Name = ""
    refused: Text = ""
    line: Count = 0
    column: Count = 0
    ended: Name = ""
