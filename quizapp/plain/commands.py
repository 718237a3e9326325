"""What a line that begins with a colon does, at whatever prompt. Each command is one function."""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import normalize

from quizapp.domain.question import prose
from quizapp.plain import question
from quizapp.plain.console import Ended
from quizapp.plain.feedback import more
from quizapp.plain.sitting import Turn
from quizapp.study.values import Undone

COLONS = (":", "：")
"""A Chinese input method types the second one, and `？` for a question mark."""


class GaveUp(Exception):
    """The person wants to see the answer."""


class Moved(Exception):
    """Another question is next: this one was put away, or an earlier one was taken back."""


def obey(turn: Turn, line: str) -> None:
    """Do what a command line says.

    Raises:
        GaveUp, Moved, Ended: as the command wants.
    """
    command = COMMANDS.get(normalize("NFKC", line).strip()[1:])
    if command is None:
        turn.sitting.console.say(turn.sitting.words("plain.unknown", command=line.strip()))
    else:
        command(turn)


def put(turn: Turn) -> None:
    """Say the question."""
    turn.sitting.console.prose(*question.put(turn.asked, turn.sitting.words))


def _hint(turn: Turn) -> None:
    words, hints = turn.sitting.words, turn.asked.question.hints
    if turn.duration_ms is not None:
        turn.sitting.console.say(words("plain.too_late"))
    elif turn.hints == len(hints):
        turn.sitting.console.say(words("plain.no_hint"))
    else:
        text = prose(hints[turn.hints], words.language)
        turn.hints += 1
        turn.sitting.kept(lambda: turn.sitting.study.show_hint(turn.asked, turn.hints))
        said = words("plain.hint", position=turn.hints, total=len(hints), hint=text)
        turn.sitting.console.prose(said)


def _give_up(turn: Turn) -> None:
    if turn.duration_ms is None:
        raise GaveUp
    turn.sitting.console.say(turn.sitting.words("plain.too_late"))


def _afresh(turn: Turn) -> None:
    if turn.duration_ms is not None:
        turn.sitting.console.say(turn.sitting.words("plain.too_late"))
        return
    turn.forget()
    turn.sitting.kept(lambda: turn.sitting.study.save_draft(turn.asked.entry.id, ""))
    turn.sitting.console.say(turn.sitting.words("plain.afresh"))


def _more(turn: Turn) -> None:
    if turn.graded is None:
        turn.sitting.console.say(turn.sitting.words("plain.too_early"))
        return
    turn.sitting.console.prose(*more(turn.graded, turn.sitting.words))


def _undo(turn: Turn) -> None:
    _after(turn, "undo", turn.sitting.kept(turn.sitting.study.undo))


def _redo(turn: Turn) -> None:
    _after(turn, "redo", turn.sitting.kept(turn.sitting.study.redo))


def _after(turn: Turn, which: str, undone: Undone | None) -> None:
    words = turn.sitting.words
    if undone is None:
        turn.sitting.console.say(words(f"plain.{which}_none"))
        return
    what = words(f"plain.what.{undone.what}")
    turn.sitting.console.say(words(f"plain.{which}", what=what, question=undone.question))
    raise Moved


def _bury(turn: Turn) -> None:
    turn.sitting.kept(lambda: turn.sitting.study.bury(turn.asked.entry.id))
    turn.sitting.console.say(turn.sitting.words("plain.buried"))
    raise Moved


def _suspend(turn: Turn) -> None:
    turn.sitting.kept(lambda: turn.sitting.study.suspend(turn.asked.entry.id))
    turn.sitting.console.say(turn.sitting.words("plain.suspended"))
    raise Moved


def _flag(turn: Turn) -> None:
    study, name = turn.sitting.study, turn.asked.entry.id
    on = not study.card(name).flagged
    turn.sitting.kept(lambda: study.flag(name, on=on))
    turn.sitting.console.say(turn.sitting.words("plain.flagged" if on else "plain.unflagged"))


def _help(turn: Turn) -> None:
    words = turn.sitting.words
    turn.sitting.console.say(words("plain.help"))
    turn.sitting.console.say(*(words(f"plain.command.{letter}") for letter in COMMANDS))


def _quit(_turn: Turn) -> None:
    raise Ended


COMMANDS: dict[str, Callable[[Turn], None]] = {
    "h": _hint,
    "g": _give_up,
    "r": put,
    "x": _afresh,
    "m": _more,
    "u": _undo,
    "U": _redo,
    "b": _bury,
    "s": _suspend,
    "f": _flag,
    "?": _help,
    "q": _quit,
}
"""Letter after the colon → what it does, in the order of the help."""
