"""Which keys of the question screen can do something now; help and palette leave out the others."""

from __future__ import annotations

from quizapp.domain.attempt import Attempt, Phase
from quizapp.domain.question import Choice, Kernel, Spot
from quizapp.domain.rating import Confidence, Rating

_CODE = frozenset({"check", "open-code", "open-code-here", "view", "view-here", "prompt"})
_DIGIT = "digit-"


def can_work(name: str, attempt: Attempt, *, unsaved: bool, switches: bool) -> bool:
    """Return True if the binding with this id does something in the state that `attempt` is in.

    Args:
        name: the id.
        attempt: the state.
        unsaved: whether the answer could not be stored.
        switches: whether the question has another language.
    """
    if name.startswith(_DIGIT):
        return (int(name.removeprefix(_DIGIT)) or 10) <= _digits(attempt)
    question, is_open = attempt.question, attempt.is_open
    kernel = is_open and isinstance(question, Kernel)
    needs = {
        **dict.fromkeys(_CODE, attempt.is_written),
        **dict.fromkeys(("hint", "hint-here"), is_open and attempt.hints_left > 0),
        **dict.fromkeys(("give-up", "give-up-here"), is_open),
        **dict.fromkeys(("practise", "without-gpu"), kernel),
        "write": is_open and not isinstance(question, Choice | Spot),
        "mark": attempt.has_cursor and attempt.rows > 0,
        "detail": attempt.is_graded,
        "retry": unsaved,
        "switch-language": is_open and switches,
    }
    return needs.get(name, True)


def _digits(attempt: Attempt) -> int:
    """Return up to which digit something can be picked."""
    if attempt.is_graded:
        return len(Rating)
    return len(Confidence) if attempt.phase is Phase.CONFIDENCE else attempt.rows
