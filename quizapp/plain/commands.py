"""What a line that begins with a colon does, at whatever prompt. Each command is one function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import normalize

from quizapp.domain.actions import GiveUp, ShowHint, StartOver, Submit, Write
from quizapp.domain.errors import QuizError
from quizapp.domain.languages import ENDINGS, language_of_code
from quizapp.domain.question import prose
from quizapp.plain import question
from quizapp.plain.console import Ended
from quizapp.plain.feedback import follow_up_answers, more
from quizapp.plain.sitting import Dialogue, Sitting
from quizapp.report.content.question_text import has_answers
from quizapp.report.studying import ratings
from quizapp.study.values import Undone
from quizapp.system import editor
from quizapp.system.submission import SubmissionFile

COLONS = (":", "：")
"""A Chinese input method types the second one, and `？` for a question mark."""


class PhaseChanged(Exception):
    """A command has moved the attempt on: what is asked for at the prompt is no longer wanted."""


class WithoutGpu(PhaseChanged):
    """The person takes the emulator's verdict on the submission that is pending."""


class LeftQuestion(Exception):
    """Another question is next: this one was put away, or an earlier one was taken back."""


def obey(dialogue: Dialogue, line: str) -> None:
    """Do what a command line says.

    Raises PhaseChanged, LeftQuestion, Ended: as the command wants.
    """
    letter = normalize("NFKC", line).strip()[1:]
    command = COMMANDS.get(letter)
    if letter in _OF_CARDS and dialogue.sitting.interview is not None:
        dialogue.sitting.console.say(dialogue.sitting.words("mock.not-here"))
    elif command is None:
        dialogue.sitting.console.say(dialogue.sitting.words("plain.unknown", command=line.strip()))
    else:
        command(dialogue)


def say_question(dialogue: Dialogue) -> None:
    """Say the question, and what costs something in an interview."""
    turn, words = dialogue.turn, dialogue.sitting.words
    costs = filter(None, [ratings.costs(turn, words, hint_key=":h")])
    dialogue.sitting.console.prose(*question.describe(turn, words), *costs)


def _hint(dialogue: Dialogue) -> None:
    sitting, words, question = dialogue.sitting, dialogue.sitting.words, dialogue.turn.question
    if not dialogue.attempt.is_open:
        sitting.console.say(words("plain.too_late"))
    elif not dialogue.attempt.hints_left:
        sitting.console.say(words("study.no-hint"))
    else:
        dialogue.act(ShowHint(dialogue.now_ms))
        shown = dialogue.attempt.hints
        sitting.retry_write(lambda: sitting.asks.attempts.show_hint(dialogue.turn, shown))
        text = prose(question.hints[shown - 1], words.language)
        total = len(question.hints)
        sitting.console.prose(words("plain.hint", position=shown, total=total, hint=text))


def _give_up(dialogue: Dialogue) -> None:
    if not dialogue.attempt.is_open:
        dialogue.sitting.console.say(dialogue.sitting.words("plain.too_late"))
        return
    dialogue.act(GiveUp(dialogue.now_ms))
    raise PhaseChanged


def _start_over(dialogue: Dialogue) -> None:
    sitting = dialogue.sitting
    if not dialogue.attempt.is_open:
        sitting.console.say(sitting.words("plain.too_late"))
        return
    dialogue.lines.clear()
    dialogue.act(StartOver(dialogue.now_ms))
    turn, left = dialogue.turn, dialogue.attempt.draft
    save = sitting.asks.attempts.save_draft
    sitting.retry_write(lambda: save(turn.entry.id, left, turn.language))
    sitting.console.say(sitting.words("plain.afresh"))


def _open_editor(dialogue: Dialogue) -> None:
    """Write code in the person's editor: what there is of it, else the starter."""
    sitting, attempt = dialogue.sitting, dialogue.attempt
    if not attempt.is_open:
        sitting.console.say(sitting.words("plain.too_late"))
    elif not attempt.is_written or not sitting.console.is_terminal:
        sitting.console.say(sitting.words("plain.no-editor"))
    else:
        _take_edited(dialogue, "\n".join(dialogue.lines) or dialogue.turn.initial_text)


def _take_edited(dialogue: Dialogue, code: str) -> None:
    sitting, turn = dialogue.sitting, dialogue.turn
    name = "code" + ENDINGS[language_of_code(turn.question, code)]
    with TemporaryDirectory(prefix="quiz-") as folder:
        file = SubmissionFile(Path(folder), name)
        try:
            file.write(code)
            editor.edit(sitting.study.settings.editor, file.path, 1)
        except QuizError as error:
            sitting.console.say(sitting.words.error(error))
            return
        written = file.read_change() or code
    dialogue.lines[:] = written.splitlines()
    dialogue.act(Write(dialogue.now_ms, written))
    left = dialogue.attempt.draft
    sitting.retry_write(
        lambda: sitting.asks.attempts.save_draft(turn.entry.id, left, turn.language)
    )
    sitting.console.say(sitting.words("plain.edited", n=len(dialogue.lines)))


def _switch_language(dialogue: Dialogue) -> None:
    """Put the question in its other language; what is written in this one is kept."""
    sitting = dialogue.sitting
    if not dialogue.attempt.is_open:
        sitting.console.say(sitting.words("plain.too_late"))
    elif dialogue.turn.other_language is None:
        sitting.console.say(sitting.words("plain.one_language"))
    else:
        sitting.asks.switch_language(dialogue.turn)
        raise LeftQuestion


def _without_gpu(dialogue: Dialogue) -> None:
    pending = dialogue.attempt.pending
    if not dialogue.attempt.is_open or not pending:
        dialogue.sitting.console.say(dialogue.sitting.words("plain.no_pending"))
        return
    dialogue.act(Write(dialogue.now_ms, pending), Submit(dialogue.now_ms))
    raise WithoutGpu


def _more(dialogue: Dialogue) -> None:
    if dialogue.graded is None or dialogue.turn.withholds:
        early = "mock.withheld" if dialogue.turn.withholds else "plain.too_early"
        dialogue.sitting.console.say(dialogue.sitting.words(early))
        return
    graded, words = dialogue.graded, dialogue.sitting.words
    if dialogue.said_more and has_answers(graded.turn.question):
        dialogue.sitting.console.prose(*follow_up_answers(graded, words))
    else:
        dialogue.sitting.console.prose(*more(graded, words))
    dialogue.said_more = True


def _undo(dialogue: Dialogue) -> None:
    sitting = dialogue.sitting
    if sitting.interview is not None:
        taken = sitting.retry_write(sitting.interview.take_back)
        if not taken:
            said = "mock.not-here" if taken is None else "plain.undo_none"
            sitting.console.say(sitting.words(said))
            return
        sitting.console.say(sitting.words("mock.taken-back"))
        raise LeftQuestion
    _report_undo(dialogue, "undo", sitting.retry_write(sitting.study.history.undo))


def _redo(dialogue: Dialogue) -> None:
    sitting = dialogue.sitting
    _report_undo(dialogue, "redo", sitting.retry_write(sitting.study.history.redo))


_WHOLE = {"undo": "plain.undo_whole", "redo": "plain.redo_whole"}
"""What is said of an event that concerns no question."""


def _report_undo(dialogue: Dialogue, which: str, undone: Undone | None) -> None:
    words = dialogue.sitting.words
    if undone is None:
        dialogue.sitting.console.say(words(f"plain.{which}_none"))
        return
    what = words(f"plain.what.{undone.what}")
    key = f"plain.{which}" if undone.question else _WHOLE[which]
    dialogue.sitting.console.say(words(key, what=what, question=undone.question))
    raise LeftQuestion


def _bury(dialogue: Dialogue) -> None:
    dialogue.sitting.retry_write(lambda: dialogue.sitting.study.marks.bury(dialogue.turn.entry.id))
    dialogue.sitting.console.say(dialogue.sitting.words("plain.buried"))
    raise LeftQuestion


def _suspend(dialogue: Dialogue) -> None:
    sitting = dialogue.sitting
    sitting.retry_write(lambda: sitting.study.marks.suspend(dialogue.turn.entry.id))
    sitting.console.say(sitting.words("plain.suspended"))
    raise LeftQuestion


def _flag(dialogue: Dialogue) -> None:
    sitting, name = dialogue.sitting, dialogue.turn.entry.id
    on = sitting.retry_write(lambda: sitting.study.marks.toggle_flag(name))
    sitting.console.say(sitting.words("plain.flagged" if on else "plain.unflagged"))


def _probe(dialogue: Dialogue) -> None:
    if dialogue.sitting.probe is None:
        dialogue.sitting.console.say(dialogue.sitting.words("plain.no_probes"))
    else:
        dialogue.sitting.probe(dialogue)


def _help(dialogue: Dialogue) -> None:
    words = dialogue.sitting.words
    dialogue.sitting.console.say(words("plain.help"))
    without = {*_without(dialogue.sitting)}
    letters = (letter for letter in COMMANDS if letter not in without)
    dialogue.sitting.console.say(*(words(f"plain.command.{letter}") for letter in letters))


def _without(sitting: Sitting) -> Iterator[str]:
    """Yield the letters that do nothing in a sitting, whatever is asked."""
    apart = sitting.interview
    if apart is not None:
        yield from _OF_CARDS
    if apart is not None and apart.answers_stand:
        yield "u"
    if sitting.probe is None:
        yield "p"


def _quit(_dialogue: Dialogue) -> None:
    raise Ended


COMMANDS: dict[str, Callable[[Dialogue], None]] = {
    "h": _hint, "g": _give_up, "r": say_question, "x": _start_over,
    "o": _open_editor, "l": _switch_language, "e": _without_gpu, "m": _more, "u": _undo,
    "U": _redo, "b": _bury, "s": _suspend, "f": _flag,
    "p": _probe, "?": _help, "q": _quit,
}  # fmt: skip
"""Letter after the colon → what it does, in the order of the help."""

_OF_CARDS = frozenset("Ubsf")
"""Commands about a question's card, which an interview does not have."""
