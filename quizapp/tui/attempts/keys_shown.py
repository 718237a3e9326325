"""Which keys of a question can do something now, and which of them the last line shows.

Help and palette leave out the others. Draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from quizapp.domain.attempt import Attempt, Phase
from quizapp.domain.question import Choice, Index, InputChoice, Kernel, Number, Recall, Spot
from quizapp.domain.rating import Confidence, Rating

_CODE = frozenset({"check", "open-code", "open-code-here", "view", "view-here", "prompt"})
_DIGIT = "digit-"


def can_work(name: str, attempt: Attempt, *, unsaved: bool, switches: bool) -> bool:
    """Return True if the binding with this id does something in the state that `attempt` is in.

    `unsaved`: whether the answer could not be stored. `switches`: whether the question has another
    language.
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
        "detail": attempt.is_graded and attempt.shows_answer,
        "retry": unsaved,
        "switch-language": is_open and switches,
    }
    return needs.get(name, True)


def _digits(attempt: Attempt) -> int:
    """Return up to which digit something can be picked."""
    if attempt.is_graded:
        return len(Rating)
    return len(Confidence) if attempt.phase is Phase.CONFIDENCE else attempt.rows


# The last line

_FIELD_KEYS = {
    "number": ("answer", "hint-here", "give-up-here", "back:leave-field"),
    "essay": ("hint-here", "give-up-here", "back:leave-field"),
    "code": ("check", "view-here", "prompt", "hint-here", "give-up-here", "back:leave-field"),
}
_KERNEL_KEYS = ("check", "practise", "view-here", "hint-here", "give-up-here", "back:leave-field")
_WIDE_KERNEL_KEYS = ("check", "practise", "line-here", *_KERNEL_KEYS[3:])
"""The line stands beside the code; to turn to another view comes with a verdict."""
_WITHHELD_KEYS = ("answer:next", "back", "help")
"""Of a verdict alone, or of words that stand."""
_LONG_KEYS = ("answer:next", "probes", "down:more-below", "detail", "undo", "help")
"""Of feedback that does not fit the screen."""
_EXERCISE_KEYS = ("answer:check", "write", "view", "hint", "give-up", "help")
_AWAY_KEYS = ("back:leave-line", "view", "hint", "give-up", "help")
"""Where a narrow screen shows something other than the editor."""
_WRITING_KEYS = ("answer", "write", "hint", "give-up", "back", "help")
_SPOT_KEYS = ("up:line", "down:line", "digit-1:kind", "answer", "hint", "give-up", "help")
_GRADING_KEYS = ("back:cancel",)
_GPU_KEYS = ("back:without",)
_OPEN_KEYS = ("answer", "hint", "give-up", "undo:undo-last", "back", "help")
_INPUT_KEYS = ("answer", "write:type-input", "give-up", "undo:undo-last", "back", "help")
_GRADED_KEYS = ("answer:next", "probes", "detail", "undo", "edit", "help")
_LESS_THAN_A_RACE = ("line-here", "hint", "hint-here", "edit")
"""Keys that give way in the last line to the one that shows a race step by step."""
_KEYS = {
    Phase.CONFIDENCE: (
        *("digit-1:guess", "digit-2:fairly", "digit-3:certain", "answer:fairly"),
        "back:change-answer",
    ),
    Phase.COMPARING: ("answer:accept", "mark", "back", "help"),
    Phase.STANDING: _WITHHELD_KEYS,
    Phase.GRADING: (),
    Phase.GRADED: _GRADED_KEYS,
    Phase.OVERRIDDEN: _GRADED_KEYS,
}


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where a key would go, as far as the last line depends on it.

    Attributes:
        attempt: the state.
        field: the id of the field that is typed into; empty if none is.
        types: whether a key types something there.
        panel: the keys of the pane beside the code and what it is about; None while others count.
        at_code: whether the editor is shown.
        wide: whether the prompt is above the code, and the line beside it.
        has_more, shows_race: what is shown goes on below; a race can be gone through.
        switches: whether the question has another language.
        grading: what grades it now, if anything does.
        unsaved: whether the answer could not be stored.
    """

    attempt: Attempt
    field: str
    types: Callable[[str], bool]
    panel: tuple[tuple[str, ...], str] | None
    at_code: bool
    wide: bool
    has_more: bool
    shows_race: bool
    switches: bool
    grading: str
    unsaved: bool


def last_line(at: KeyPlace) -> tuple[str, ...]:
    """List the keys that the last line shows, what matters most first; each as id, or id:word."""
    attempt = at.attempt
    keys = _open_keys(at) if attempt.is_open else _KEYS[attempt.phase]
    if attempt.is_graded and not attempt.shows_answer:
        keys = _WITHHELD_KEYS
    elif attempt.is_graded and at.has_more:
        keys = _LONG_KEYS
    if at.panel is not None:
        own, mode = at.panel
        keys = (*own, "view-here", *(("back:leave-line",) if mode == "line" else ()))
    elif at.field:
        keys = _field_keys(at)
    if at.panel is None and at.shows_race:
        others = [key for key in keys[1:] if key not in _LESS_THAN_A_RACE]
        keys = (keys[0], "line-here:replay", *others)
    if at.has_more and not attempt.is_graded and not attempt.is_written:
        keys = ("more-below", *keys)
    if not attempt.hints_left:
        keys = tuple(key for key in keys if key not in ("hint", "hint-here"))
    if at.grading:
        keys = _GPU_KEYS if at.grading == "gpu" else _GRADING_KEYS
    return ("retry", *keys) if at.unsaved else keys


def _open_keys(at: KeyPlace) -> tuple[str, ...]:
    """List the keys that are commands before there is an answer, outside of fields."""
    match at.attempt.question:
        case Index() | Kernel():
            keys: tuple[str, ...] = _EXERCISE_KEYS if at.at_code else _AWAY_KEYS
        case Number() | Recall():
            return _WRITING_KEYS
        case Spot():
            keys = _SPOT_KEYS
        case InputChoice():
            return _INPUT_KEYS
        case _:
            return _OPEN_KEYS
    return (*keys[:-1], "switch-language", keys[-1]) if at.switches else keys


def _field_keys(at: KeyPlace) -> tuple[str, ...]:
    """List the keys that are commands in a field."""
    if isinstance(at.attempt.question, Kernel):
        keys: tuple[str, ...] = _WIDE_KERNEL_KEYS if at.wide else _KERNEL_KEYS
        if at.wide and at.attempt.submission is not None:
            keys = tuple("view-here" if key == "practise" else key for key in keys)
        return (*keys[:-2], "switch-language", keys[-1]) if at.switches else keys
    if isinstance(at.attempt.question, InputChoice):
        return ("answer:add-input", "back:leave-field")
    keys = _FIELD_KEYS[at.field]
    if at.field == "number":
        return tuple(_shortest(name, at.types) for name in keys)
    return tuple("line-here" if at.wide and key == "prompt" else key for key in keys)


def _shortest(name: str, types: Callable[[str], bool]) -> str:
    """Return the binding that does the same by a letter, unless the letter is typed."""
    letter = name.removesuffix("-here")
    return name if letter == name or types(letter) else letter
