"""`quiz start --plain`: a session line by line on standard input and output.

For screen readers, dumb terminals and scripts: no cursor movement, no colour, no box drawing. The
same study service as the terminal application, and the same words for the same things.

`run` is loaded when it is first used: `quiz grade --help` needs no session.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizapp.plain.session import run

__all__ = ["run"]


def __getattr__(name: str) -> object:
    """Load `run`."""
    if name != "run":
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.session"), name)
