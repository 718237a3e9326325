"""From a question to its final answer: what is asked in each phase, and how a line is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from grader.facts import fact
from quizapp.domain.actions import (
    Accept,
    AddInput,
    MoveAction,
    Pick,
    StateConfidence,
    StopGrading,
    Submit,
    TakeVerdict,
    Write,
)
from quizapp.domain.attempt import GradedSubmission, Phase
from quizapp.domain.errors import StoreError, Ungraded
from quizapp.domain.grading import LEAST_WORDS, BadInput, NotSubmitted, is_terse
from quizapp.domain.question import (
    Choice,
    FactChoice,
    Index,
    InputChoice,
    Kernel,
    Number,
    Recall,
    Spot,
)
from quizapp.domain.typed.inputs import example_of
from quizapp.plain import question
from quizapp.plain.commands import COLONS, PhaseChanged, WithoutGpu, obey
from quizapp.plain.console import QUIT, Ended, EndOfInput, Unclear
from quizapp.plain.feedback import model_answer
from quizapp.plain.markdown import CODE_INDENT
from quizapp.plain.sitting import Dialogue
from quizapp.report.content import question_text
from quizapp.report.studying import ratings
from quizapp.report.verdicts import kernel_verdict, kernel_views, known_mistakes, layout_verdict
from quizapp.study.values import why_not_submitted
from quizapp.system.gpu import NotMeasured

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel

T = TypeVar("T")

TEXT_ENDS = ("", ".", "。")
CODE_ENDS = (".", "。")
"""An empty line may belong to code."""
_ASKS_FOR_HELP = ("?", "？", "help", "hint", "帮助", "提示")
"""Lines that answer nothing: commands begin with a colon, which not everybody knows."""
PLAIN_ROOM = 80
"""Columns of a table."""


def answer(dialogue: Dialogue) -> None:
    """Ask until the answer is final, or given up.

    Raises Ended, LeftQuestion, StoreError: the question is left without one.
    """
    if dialogue.attempt.pending:
        dialogue.sitting.console.say(dialogue.sitting.words("plain.pending"))
    while not dialogue.attempt.is_final and not dialogue.attempt.is_done:
        try:
            _ask_for_phase(dialogue)
        except WithoutGpu:
            _grade_code(dialogue, on_gpu=False)
        except PhaseChanged:
            continue


def _ask_for_phase(dialogue: Dialogue) -> None:
    """Ask for what the attempt waits for. Raises PhaseChanged: it waits for something else now."""
    put = dialogue.turn.question
    match dialogue.attempt.phase:
        case Phase.CONFIDENCE:
            _ask_confidence(dialogue)
        case Phase.COMPARING if isinstance(put, Recall):
            _ask_points(dialogue, put)
        case _:
            _ask_answer(dialogue)


def _ask_answer(dialogue: Dialogue) -> None:
    match dialogue.turn.question:
        case FactChoice() as facts:
            _ask_facts(dialogue, facts)
        case InputChoice() as inputs:
            _ask_inputs(dialogue, inputs)
        case Choice() as choice:
            _ask_options(dialogue, choice)
        case Number() as number:
            _ask_number(dialogue, number)
        case Spot() as spot:
            _ask_place(dialogue, spot)
        case Recall():
            _read_text(dialogue)
            _let_stand(dialogue)
        case Index() | Kernel():
            _ask_code(dialogue)


def _ask_options(dialogue: Dialogue, choice: Choice) -> None:
    turn, words = dialogue.turn, dialogue.sitting.words
    _recall_picks(dialogue)
    rows = ask(
        dialogue,
        question.request(turn, words),
        lambda typed: question.read_options(typed.strip() or _picks(dialogue), choice, words),
    )
    _pick_rows(dialogue, rows)


def _ask_inputs(dialogue: Dialogue, choice: InputChoice) -> None:
    """Ask for inputs of the list, to which the person may add others."""
    words = dialogue.sitting.words
    _recall_picks(dialogue)

    def read(typed: str) -> tuple[int, ...]:
        if "=" in typed or "＝" in typed:
            _add_input(dialogue, typed)
            return ()
        put = dialogue.turn.question
        assert isinstance(put, InputChoice)
        return question.read_options(typed.strip() or _picks(dialogue), put, words)

    example = example_of(choice.kernel)
    while not (rows := ask(dialogue, words("plain.ask.inputs", example=example), read)):
        continue
    _pick_rows(dialogue, rows)


def _add_input(dialogue: Dialogue, typed: str) -> None:
    """Add an input that was typed to those that are offered.

    Raises:
        Unclear: it is none.
        Ungraded: it cannot be run.
    """
    sitting, choice = dialogue.sitting, dialogue.turn.question
    assert isinstance(choice, InputChoice)
    try:
        sitting.asks.examiner.check_input(choice, typed)
        dialogue.act(AddInput(dialogue.now_ms, typed))
    except BadInput as reason:
        raise Unclear(sitting.words.in_line(reason.what)) from None
    more, order = dialogue.attempt.question, dialogue.attempt.order
    assert isinstance(more, InputChoice)
    dialogue.turn = replace(dialogue.turn, question=more, order=order)
    text = question_text.option_text(more, order[-1], sitting.words)
    sitting.console.prose(question.number_text(len(order), text))
    _save_draft(dialogue)


def _pick_rows(dialogue: Dialogue, rows: Sequence[int]) -> None:
    """Pick these rows and no others, and let that stand."""
    now_ms, before = dialogue.now_ms, _picked_rows(dialogue)
    changed = [row for row in (*before, *rows) if (row in before) != (row in rows)]
    dialogue.act(*(Pick(now_ms, row) for row in changed), Submit(now_ms))


def _picked_rows(dialogue: Dialogue) -> tuple[int, ...]:
    """Return the rows that are picked, from 0, as they are shown."""
    picked = dialogue.attempt.picked
    return tuple(row for row, own in enumerate(dialogue.turn.order) if own in picked)


def _picks(dialogue: Dialogue) -> str:
    """Write what is picked as it is typed: rows, or the line and the kind of a bug."""
    attempt = dialogue.attempt
    if isinstance(attempt.question, Spot):
        numbers = [attempt.cursor, *attempt.picked] if attempt.picked else []
    else:
        numbers = [*_picked_rows(dialogue)]
    return " ".join(str(number + 1) for number in numbers)


def _recall_picks(dialogue: Dialogue) -> None:
    """Say what is picked from last time, if anything is."""
    picks = _picks(dialogue)
    if picks and dialogue.attempt.phase is Phase.READING:
        words = dialogue.sitting.words
        dialogue.sitting.console.say(words("plain.draft_picked", picked=picks))


def _ask_facts(dialogue: Dialogue, facts: FactChoice) -> None:
    """Tell each fact that is asked for, until the person knows enough."""
    words, order = dialogue.sitting.words, dialogue.turn.order

    def tell(rows: Iterable[int]) -> None:
        for row in rows:
            if order[row] in dialogue.attempt.picked:
                text = question_text.option_text(facts, order[row], words, told=True)
                dialogue.sitting.console.prose(question.number_text(row + 1, text))

    def read(typed: str) -> tuple[int, ...]:
        if not typed.strip() and dialogue.attempt.picked:
            return ()
        return question.read_options(typed, facts, words)

    if dialogue.attempt.picked and dialogue.attempt.phase is Phase.READING:
        dialogue.sitting.console.say(words("study.draft-asked"))
        tell(_picked_rows(dialogue))
    while len(dialogue.attempt.picked) < len(facts.facts):
        rows = ask(dialogue, words("plain.ask.fact"), read)
        dialogue.act(*(Pick(dialogue.now_ms, row) for row in rows))
        tell(rows)
        _save_draft(dialogue)
        if not rows:
            break
    dialogue.act(Submit(dialogue.now_ms))


def _ask_number(dialogue: Dialogue, number: Number) -> None:
    words = dialogue.sitting.words

    def submit(typed: str) -> None:
        try:
            dialogue.act(Write(dialogue.now_ms, typed), Submit(dialogue.now_ms))
        except NotSubmitted as reason:
            raise Unclear(question.explain(reason, number, typed, words)) from None

    ask(dialogue, question.request(dialogue.turn, words), submit)


def _ask_place(dialogue: Dialogue, spot: Spot) -> None:
    """Ask for the line and the kind of the bug."""
    words = dialogue.sitting.words
    _recall_picks(dialogue)
    line, kind = ask(
        dialogue,
        question.request(dialogue.turn, words),
        lambda typed: question.read_place(typed.strip() or _picks(dialogue), spot, words),
    )
    now_ms, rows = dialogue.now_ms, line - 1 - dialogue.attempt.cursor
    dialogue.act(MoveAction(now_ms, rows), Pick(now_ms, kind), Submit(now_ms))


def _ask_code(dialogue: Dialogue) -> None:
    """Read code, and have it graded; say why code failed."""
    _read_text(dialogue, CODE_ENDS)
    try:
        dialogue.act(Submit(dialogue.now_ms))
    except NotSubmitted as reason:
        dialogue.lines.clear()
        dialogue.sitting.console.say(dialogue.sitting.words(why_not_submitted(reason)))
        return
    _grade_code(dialogue)


def _grade_code(dialogue: Dialogue, *, on_gpu: bool = True) -> None:
    """Have what was submitted graded, and say the verdict."""
    match dialogue.turn.question:
        case Index():
            _grade_layout(dialogue)
        case Kernel() as kernel:
            _grade_kernel(dialogue, kernel, on_gpu=on_gpu)


def _grade_layout(dialogue: Dialogue) -> None:
    sitting, source = dialogue.sitting, dialogue.attempt.text
    layout = sitting.retry_write(lambda: sitting.asks.attempts.check(dialogue.turn, source))
    layout = dialogue.turn.tell(layout)
    _take(dialogue, layout)
    if layout.passed:
        return
    dialogue.sitting.console.report(layout_verdict.failure(layout, sitting.words))
    if why := known_mistakes.explain(layout, sitting.words):
        sitting.console.prose(why)
    dialogue.sitting.console.report(layout_verdict.figures(layout, sitting.words))


def _grade_kernel(dialogue: Dialogue, question: Kernel, *, on_gpu: bool) -> None:
    sitting, source = dialogue.sitting, dialogue.attempt.text
    try:
        kernel = _check_kernel(dialogue, question, source, on_gpu=on_gpu)
    except Ungraded as error:
        sitting.console.say(sitting.words.error(error))
        dialogue.act(StopGrading(dialogue.now_ms))
        return
    kernel = dialogue.turn.tell(kernel)
    sitting.retry_write(lambda: sitting.asks.attempts.store_failure(dialogue.turn, kernel))
    before = dialogue.attempt.failed
    _take(dialogue, kernel)
    if not (kernel.passed and dialogue.turn.withholds):
        dialogue.sitting.console.report(kernel_verdict.verdict(kernel, sitting.words))
        _say_kernel(dialogue, kernel, before)


def _take(dialogue: Dialogue, submission: GradedSubmission) -> None:
    """Take a verdict, and say so if the submission does not count as an attempt."""
    dialogue.lines.clear()
    dialogue.act(TakeVerdict(dialogue.now_ms, submission))
    if not submission.passed and not submission.ran:
        dialogue.sitting.console.say(dialogue.sitting.words("study.never-ran"))


def _say_kernel(dialogue: Dialogue, kernel: CheckedKernel, before: tuple[str, ...]) -> None:
    """Say what a GPU measured, or why a kernel failed; `before` are the failures before it."""
    words = dialogue.sitting.words
    if kernel.passed:
        if kernel.measured is not None:
            dialogue.sitting.console.report(kernel_views.view("gpu", kernel, (), words, PLAIN_ROOM))
        return
    if why := known_mistakes.explain(kernel, words):
        dialogue.sitting.console.prose(why)
    for view in kernel_views.views(kernel, before, solved=False):
        if view in ("gpu", "findings", "values"):
            dialogue.sitting.console.report(
                kernel_views.view(view, kernel, before, words, PLAIN_ROOM)
            )


def _check_kernel(
    dialogue: Dialogue, kernel: Kernel, source: str, *, on_gpu: bool
) -> CheckedKernel:
    """Return the verdict of the emulator, with that of a GPU if there is one and it is wanted.

    Raises Ungraded: there is none.
    """
    sitting = dialogue.sitting
    examiner = sitting.asks.examiner
    checked = examiner.check(kernel, source)
    if not on_gpu:
        return replace(checked, gpu=NotMeasured("cancelled", fact("gpu.skipped")))
    if not checked.passed or not examiner.measures(kernel):
        return examiner.measure(checked)
    sitting.retry_write(lambda: sitting.asks.attempts.submit(dialogue.turn, checked))
    sitting.console.say(sitting.words("plain.on-gpu"))
    try:
        return examiner.measure(checked)
    except KeyboardInterrupt:  # the first: the emulator's verdict stands
        return replace(checked, gpu=NotMeasured("cancelled", fact("gpu.skipped")))


def _ask_confidence(dialogue: Dialogue) -> None:
    """Ask how sure the person is; if the input ends with the answer, it stays unknown."""
    words, confidence = dialogue.sitting.words, None
    if stakes := ratings.stakes_text(dialogue.turn, words):
        dialogue.sitting.console.prose(stakes, words("mock.guess"))
    with suppress(EndOfInput):
        confidence = ask(
            dialogue, words("plain.ask.confidence"), lambda typed: question.confidence(typed, words)
        )
    dialogue.act(StateConfidence(dialogue.now_ms, confidence))


def _let_stand(dialogue: Dialogue) -> None:
    """Let words stand, before anything is shown beside them."""
    sitting, turn = dialogue.sitting, dialogue.turn
    dialogue.act(Submit(dialogue.now_ms))
    response = dialogue.attempt.response
    sitting.retry_write(lambda: sitting.asks.attempts.keep_standing(turn, response))


def _ask_points(dialogue: Dialogue, recall: Recall) -> None:
    """Show the model answer; ask which of its points were covered."""
    words, console = dialogue.sitting.words, dialogue.sitting.console
    if dialogue.turn.stands is not None:
        console.say(words("mock.answer-stands"))
        console.show(*(CODE_INDENT + line for line in dialogue.lines))
    console.say("")
    console.prose(*model_answer(recall, words))
    if is_terse(dialogue.attempt.text):
        console.prose(words("study.few-words", least=LEAST_WORDS))
    covered = ask(
        dialogue,
        words("plain.ask.points"),
        lambda typed: question.read_points(typed, recall, words),
    )
    now_ms = dialogue.now_ms
    ticks = [Pick(now_ms, row) for row in covered]
    dialogue.act(*ticks, Accept(now_ms))


def _read_text(dialogue: Dialogue, ends: Sequence[str] = TEXT_ENDS) -> None:
    """Read lines up to one of `ends`, saving each as it comes; a draft is their beginning."""
    sitting, is_code = dialogue.sitting, ends is CODE_ENDS
    sitting.console.forget_typed_ahead()
    sitting.console.say(question.request(dialogue.turn, sitting.words))
    if dialogue.lines and dialogue.attempt.phase is Phase.READING:
        key = "plain.draft_code" if is_code else "plain.draft"
        sitting.console.say(sitting.words(key))
        sitting.console.show(*(CODE_INDENT + line for line in dialogue.lines))
    while (typed := read_line(dialogue, code=is_code)).strip() not in ends:
        if is_code and typed.strip() in QUIT:
            sitting.console.say(sitting.words("plain.no-answer"))
            continue
        dialogue.lines.append(typed)
        dialogue.act(Write(dialogue.now_ms, "\n".join(dialogue.lines)))
        _save_draft(dialogue)


def _save_draft(dialogue: Dialogue) -> None:
    sitting = dialogue.sitting
    try:
        turn = dialogue.turn
        sitting.asks.attempts.save_draft(turn.entry.id, dialogue.attempt.draft, turn.language)
    except StoreError:
        sitting.console.say(sitting.words("plain.draft_unsaved"))


def ask(dialogue: Dialogue, prompt: str, read: Callable[[str], T]) -> T:
    """Ask until `read` understands a line; `q` alone quits, since here no text is expected."""
    while True:
        typed = read_line(dialogue, prompt)
        if typed.strip() == "q":
            raise Ended
        try:
            return read(typed)
        except Unclear as unclear:
            dialogue.sitting.console.say(str(unclear))


def read_line(dialogue: Dialogue, prompt: str = "", *, code: bool = False) -> str:
    """Read the next line that is not a command; a longer one with a colon first may be code.

    Raises EndOfInput, Ended, PhaseChanged, LeftQuestion: nothing more to read here.
    """
    while True:
        typed = dialogue.sitting.console.read(prompt)
        if typed.strip().casefold() in _ASKS_FOR_HELP:
            dialogue.sitting.console.say(dialogue.sitting.words("plain.no-answer"))
        elif not typed.lstrip().startswith(COLONS) or (code and len(typed.strip()) > len(":x")):
            return typed
        else:
            obey(dialogue, typed)
