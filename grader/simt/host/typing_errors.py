"""Errors of typing, so that what a script catches of Numba's is caught here too."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from grader.simt.errors import NotTyped


def as_numbas(error: NotTyped) -> NotTyped:
    """The same error, as Numba's `TypingError` too where Numba is there."""
    errors = sys.modules.get("numba.core.errors")
    if errors is None:
        return error
    made = _both(errors.TypingError)
    found: NotTyped = made.__new__(made, *error.args)
    vars(found).update(vars(error))
    return found


@cache
def _both(theirs: type[Exception]) -> Any:
    return type(
        "NotTyped", (NotTyped, theirs), {"__module__": __name__, "__str__": NotTyped.__str__}
    )
