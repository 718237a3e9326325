"""What is imported once home is drawn, since it costs more than a key press may.

In portions: a key that is pressed meanwhile waits for one of them at most.
"""

from __future__ import annotations

import gc

from grader import compute
from grader import layouts as tiles
from quizapp.exercises import layouts, spots, traces
from quizapp.tui import markdown
from quizapp.tui.screens import browser, question
from quizapp.tui.widgets import code_field, inspector


def _preload_text() -> object:
    """Load Pygments, 30 ms, Markdown, 28 ms, and the editor, 9 ms."""
    return markdown.lines("```cuda\nint x;\n```", 20), code_field.CodeField


def _preload_screens() -> object:
    """Load the screens that a key at home leads to first, 30 ms."""
    return question.QuestionScreen, browser.BrowserScreen


def _preload_arrays() -> object:
    """Load NumPy, 80 ms, and the bank model with it."""
    return compute.compute


def _preload_grader() -> object:
    """Load the exercises that the bank model grades, 20 ms."""
    return layouts.check, traces.draw_trace


def _preload_cpp() -> object:
    """Load what reads and computes C++, 50 ms: many traces and layouts are written in it."""
    import numpy as np  # noqa: PLC0415 - loaded by the portion before

    names = {name: np.zeros(1, np.int64) for name in ("row", "col")}
    return tiles.evaluate(tiles.read("row * 32 + col", names=names), names)


def _preload_emulator() -> object:
    """Load what a kernel question is made of, 40 ms; it is graded in another process."""
    return spots.draw_spot, inspector.Inspector


def _keep() -> None:
    """Keep what exists by now from the garbage collector, which need not look at it again.

    From now on it works once an answer is stored: in the middle of a key it takes up to 40 ms.
    """
    gc.freeze()
    gc.enable()


PRELOADED = (
    *(_preload_text, _preload_screens, _preload_arrays, _preload_grader),
    *(_preload_cpp, _preload_emulator),
    _keep,
)
