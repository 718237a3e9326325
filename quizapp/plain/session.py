"""The order of events: home line, question after question, summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO, cast

from quizapp.domain.actions import Override, TakeAssessment
from quizapp.domain.attempt import Phase
from quizapp.domain.errors import OK, StoreError, UnaskableQuestion, Ungraded
from quizapp.domain.question import InputChoice, Spot
from quizapp.domain.queue import Stage
from quizapp.plain import greetings, question
from quizapp.plain.answering import answer, ask
from quizapp.plain.commands import LeftQuestion, say_question
from quizapp.plain.console import Console, Ended
from quizapp.plain.feedback import feedback, ratings
from quizapp.plain.sitting import Dialogue, Sitting, begin_dialogue
from quizapp.report.content import probes as probe_text
from quizapp.report.studying.ratings import noted
from quizapp.report.verdicts import found_by_inputs, spot_verdict
from quizapp.report.words import Words
from quizapp.study.home_values import Filter
from quizapp.study.mock.interview import Interview
from quizapp.study.mock.probing import MOST, MOST_IN_MOCK, ProbedStage, Probing, can_probe
from quizapp.study.overview import explain_few, home
from quizapp.study.rolling_copy import keep_copy
from quizapp.study.service import Study
from quizapp.study.statistics import summary
from quizapp.study.values import GradedResponse, Turn, why_nothing_chosen

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.exercises.spots import SpotAnswer
    from quizapp.report.lines import Line


def run(study: Study, narrowed: Filter, stdin: TextIO, stdout: TextIO) -> int:
    """Study until nothing is left, the person quits or the input ends; return the exit status.

    Raises:
        UsageError: the filter names what does not exist; nothing was said.
        StoreError: an answer could not be stored, and the person gave up trying.
        StoreDamaged: the database is not sound; no answer was taken since that was found.
        KeyboardInterrupt: after saying where we stand.
    """
    sitting = Sitting(study, Console(stdin, stdout), Words(study.settings.language), probe=probe)
    questions = study.session.begin(narrowed).left
    now, words = home(study), sitting.words
    sitting.console.prose(*greetings.welcome(now, questions, words, chosen=narrowed.is_chosen))
    if now.interview_in is not None:
        sitting.console.prose(*greetings.describe_readiness(study, words))
    fewer = explain_few(study)
    if fewer is not None:
        sitting.console.prose(words.fact(fewer))
    if not study.progress.cards and now.questions:
        sitting.console.prose(*greetings.introduce(study, words))
    if not questions:
        empty = greetings.describe_empty(now, study.deck, words)
        chosen = [words(why_nothing_chosen(narrowed))]
        if fewer is None:
            sitting.console.prose(*(chosen if narrowed.is_chosen else empty))
        return OK
    study.store.check_pages()
    try:
        ask_all(sitting, lambda: _next(sitting), lambda _turn: ())
        sitting.console.say(sitting.words("summary.done"))
    except Ended:
        sitting.console.say("", sitting.words("plain.stopped"))
    except KeyboardInterrupt:
        answers = len(sitting.study.session.results)
        sitting.console.say("", sitting.words("plain.interrupted", n=answers))
        raise
    figures = summary(study, study.session.results)
    sitting.console.prose(*greetings.farewell(figures, sitting.words))
    study.session.checkpoint()
    notice = keep_copy(study.store)
    if notice:
        sitting.console.prose(sitting.words.fact(notice))
    return OK


def ask_all(
    sitting: Sitting, next_turn: Callable[[], Turn | None], heading: Callable[[Turn], Iterable[str]]
) -> None:
    """Ask until there is no next question; one that cannot be graded is left out.

    `heading`: gives the lines before a question.

    Raises Ended: the person left, or the input ended.
    """
    while (turn := next_turn()) is not None:
        sitting.console.say(*heading(turn))
        try:
            with suppress(LeftQuestion):
                ask_one(sitting, turn)
        except Ungraded as error:
            sitting.console.say(sitting.words.error(error))
            sitting.asks.leave_out(turn.entry.id)


def _next(sitting: Sitting) -> Turn | None:
    """Return the next question that can be asked."""
    while True:
        try:
            return sitting.asks.next()
        except UnaskableQuestion as error:
            sitting.console.say(sitting.words.error(error))


def ask_one(sitting: Sitting, turn: Turn) -> None:
    """Ask, grade and rate. An answer is stored before its verdict is said."""
    dialogue = begin_dialogue(sitting, turn)
    sitting.console.say("")
    say_question(dialogue)
    try:
        answer(dialogue)
    finally:
        _keep_time(dialogue)
    if dialogue.attempt.phase is Phase.STANDING:
        sitting.console.say("", sitting.words("mock.compare-later"))
        ask(dialogue, sitting.words("mock.ask-next"), lambda _typed: None)
        return
    # Before the answer is stored: without a verdict of the emulator there is nothing to store.
    found = [*reveal_key(dialogue)]
    graded = sitting.asks.grade(dialogue.turn, dialogue.attempt.response)
    sitting.retry_write(lambda: sitting.asks.commit(graded))
    dialogue.act(TakeAssessment(dialogue.now_ms, graded))
    dialogue.graded = graded
    sitting.console.say("")
    if turn.withholds:
        gave_up = graded.response.effort.gave_up
        sitting.console.say(noted(graded.turn.question, sitting.words, gave_up=gave_up))
    else:
        sitting.console.report(found)
        sitting.console.prose(*feedback(graded, sitting.words))
    if turn.item.stage is Stage.INTERVIEW and can_probe(turn, dialogue.attempt.submission):
        probe(dialogue)
    if turn.is_practice:
        asked = "mock.ask-next" if turn.withholds else "plain.ask.next"
        ask(dialogue, sitting.words(asked), lambda _typed: None)
    else:
        _rate(dialogue, graded)


def _keep_time(dialogue: Dialogue) -> None:
    """Keep the time that a stage of an interview has taken, however it was left."""
    going = dialogue.sitting.interview
    if isinstance(going, Interview):
        with suppress(StoreError):
            going.keep_time(dialogue.turn, dialogue.attempt)


def probe(dialogue: Dialogue) -> None:
    """Make questions from the kernel of a dialogue and ask them; say so if there are none."""
    sitting, words = dialogue.sitting, dialogue.sitting.words
    if dialogue.graded is None or not can_probe(dialogue.turn, dialogue.attempt.submission):
        sitting.console.say(words("plain.no_probes"))
        return
    going = sitting.interview
    stage = None
    if isinstance(going, Interview):
        stage = ProbedStage.of(going.record, dialogue.turn.item.question)
    sitting.console.say(words("probe.making"))
    try:
        checked = cast("CheckedKernel", dialogue.attempt.submission)
        made = sitting.asks.examiner.probe(checked)
    except Ungraded as error:
        sitting.console.say(words.error(error))
        return
    most = MOST_IN_MOCK if stage else MOST
    probes = probe_text.choose(made, dialogue.turn.entry.id, most, stage)
    if not probes:
        sitting.console.say(words("probe.none" if stage is None else "probe.none-in-mock"))
        return
    probing = Probing(sitting.study, dialogue.turn, probes, stage)
    if stage is not None:
        sitting.console.say(words("probe.counts"))
    inner = Sitting(sitting.study, sitting.console, words, probing)
    with suppress(Ended):
        ask_all(inner, probing.next, lambda _turn: ("",))
    sitting.console.say(words("plain.probes_done"))


def reveal_key(dialogue: Dialogue) -> Iterator[Line]:
    """Have the emulator say what is right: of a `spot`, or of inputs; nothing for other kinds.

    Raises Ungraded: it does not say.
    """
    before, sitting = dialogue.attempt, dialogue.sitting
    if not before.needs_key:
        return
    words, examiner = sitting.words, sitting.asks.examiner
    if isinstance(before.question, InputChoice):
        sitting.console.say(words("plain.runs_inputs"))
    dialogue.attempt = found_by_inputs.reveal(before, examiner, words, lambda: dialogue.now_ms)
    dialogue.turn = replace(dialogue.turn, question=dialogue.attempt.question)
    if isinstance(before.question, Spot):
        key = cast("SpotAnswer", dialogue.attempt.key)
        yield from spot_verdict.lines(key, before.claimed_bug, words)


def _rate(dialogue: Dialogue, graded: GradedResponse) -> None:
    """Accept the rating, or override it."""
    sitting, suggested = dialogue.sitting, graded.suggestion.rating
    words = sitting.words
    rating = ask(
        dialogue,
        words("plain.ask.rating", ratings=ratings(graded, words)),
        lambda typed: question.rating(typed, suggested, words),
    )
    dialogue.act(Override(dialogue.now_ms, rating))
    if dialogue.attempt.rating is not None:
        sitting.retry_write(lambda: sitting.study.session.rate(graded, rating))
        sitting.console.say(words("plain.rerated", rating=words(f"rating.{int(rating)}")))
