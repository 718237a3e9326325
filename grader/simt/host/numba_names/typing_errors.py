"""Typing errors that a script can catch as Numba's own."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from grader.simt.errors import NotTyped, Refused
from grader.simt.host.numba_names.numba_errors import ERRORS
from grader.simt.numba.refused import NOT_RUN


def as_numbas(error: Refused) -> Refused:
    """Return the same error, as the `TypingError` of the stand-in and of real Numba too.

    What the emulator alone refuses (`NOT_RUN`) stays what it is.
    """
    if error.what.code in NOT_RUN:
        return error
    own = ERRORS["TypingError"]
    theirs: Any = getattr(sys.modules.get("numba.core.errors"), "TypingError", own)
    both = _combine((own,) if theirs is own else (theirs, own))
    found: NotTyped = both.__new__(both, *error.args)
    vars(found).update(vars(error))
    return found


@cache
def _combine(theirs: tuple[type[BaseException], ...]) -> Any:
    members = {
        "__module__": __name__, "__str__": NotTyped.__str__, "__reduce__": _reduce,
    }  # fmt: skip
    return type("NotTyped", (NotTyped, *theirs), members)


def _reduce(error: Refused) -> tuple[Any, ...]:
    """Pickle it for another process, in which the class is combined anew."""
    return _restore, (error.args, vars(error))


def _restore(arguments: tuple[Any, ...], attributes: dict[str, Any]) -> Refused:
    plain = NotTyped.__new__(NotTyped, *arguments)
    vars(plain).update(attributes)
    return as_numbas(plain)
