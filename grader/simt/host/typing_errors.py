"""Typing errors that a script can catch as Numba's own."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from grader.simt.errors import NotTyped


def as_numbas(error: NotTyped) -> NotTyped:
    """Return the same error, as Numba's `TypingError` too where Numba is installed."""
    errors = sys.modules.get("numba.core.errors")
    if errors is None:
        return error
    both = _combine(errors.TypingError)
    found: NotTyped = both.__new__(both, *error.args)
    vars(found).update(vars(error))
    return found


@cache
def _combine(theirs: type[Exception]) -> Any:
    return type(
        "NotTyped", (NotTyped, theirs), {"__module__": __name__, "__str__": NotTyped.__str__}
    )
