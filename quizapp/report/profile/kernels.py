"""What the compiler makes of a script's kernels: as lines, and as plain data.

The keys of the plain data are promised in docs/cli.md. Compiles nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from grader import wire
from quizapp.report.lines import Line, sentence
from quizapp.report.verdicts import compiled_verdict

if TYPE_CHECKING:
    from quizapp.report.words import Words
    from quizapp.study.compiling import ScriptKernel


def lines(kernels: Sequence[ScriptKernel], say: Words) -> Iterator[Line]:
    """Show each kernel's resources and reasons, or why it was not compiled."""
    for kernel in kernels:
        text = kernel.kernel
        yield ()
        yield sentence(say("profile.compiled", kernel=text.kernel, line=text.line), "bold")
        if kernel.found is not None:
            found, reasons = kernel.found, kernel.reasons
            yield from compiled_verdict.lines(found, reasons, kernel.threads, say)
        elif kernel.why is not None:
            yield sentence(say("profile.not-compiled", why=say.fact(kernel.why)))


def as_plain(kernel: ScriptKernel) -> dict[str, Any]:
    """Return what the compiler makes of a kernel, or why it was not compiled."""
    text = kernel.kernel
    plain = {"kernel": text.kernel, "file": text.file, "line": text.line, "block": list(text.block)}
    if kernel.found is None:
        return {**plain, "why": wire.to_plain(kernel.why)}
    return {
        **plain,
        "threads": kernel.threads,
        **wire.to_plain(kernel.found),
        "reasons": wire.to_plain(kernel.reasons),
    }
