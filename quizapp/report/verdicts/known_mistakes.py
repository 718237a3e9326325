"""What is said of code that makes a mistake its question lists."""

from __future__ import annotations

from quizapp.domain.question import prose
from quizapp.exercises.kernels import CheckedKernel
from quizapp.exercises.layouts import CheckedLayout
from quizapp.report.words import Words


def explain(checked: CheckedKernel | CheckedLayout, say: Words) -> str:
    """Explain a known mistake, as Markdown; empty if it is not a known one, or is not told."""
    known = checked.mistake if checked.tells_cures else None
    return "" if known is None else prose(known.why, say.language).strip()
