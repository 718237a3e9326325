"""A mock interview line by line: stage after stage against the clock, then the report."""

from __future__ import annotations

from typing import TextIO

from quizapp.domain.errors import OK
from quizapp.domain.log.interview import InterviewRecord
from quizapp.plain.console import QUIT, Console, Ended
from quizapp.plain.session import ask_all
from quizapp.plain.sitting import Sitting
from quizapp.plain.walkthrough import go_through
from quizapp.report.numbers import clock_time
from quizapp.report.studying import interview as interview_report
from quizapp.report.words import Words
from quizapp.study.mock import interviews
from quizapp.study.mock.interview import Interview, Themes
from quizapp.study.mock.interview_report import report
from quizapp.study.mock.walkthrough import Walkthrough
from quizapp.study.rolling_copy import keep_copy
from quizapp.study.service import Study
from quizapp.study.values import Turn


def run(study: Study, themes: Themes, interview: Interview, stdin: TextIO, stdout: TextIO) -> int:
    """Ask until the interview is over or left, then report; return the exit status.

    Raises:
        StoreError: an answer could not be stored, and the person gave up trying.
        KeyboardInterrupt: what was answered is kept, and the interview can be resumed.
    """
    words = Words(study.settings.language)
    sitting = Sitting(study, Console(stdin, stdout), words, interview)
    study.store.check_pages()
    try:
        ask_all(
            sitting,
            lambda: sitting.retry_write(interview.next),
            lambda turn: () if turn.stands else ("", _clock(interview, turn, words)),
        )
        sitting.console.say("", words("mock.over"))
    except Ended:
        sitting.console.say("", words("mock.left-open"))
    except KeyboardInterrupt:
        sitting.console.say("", words("mock.left-open"))
        raise
    found = report(study, themes, interview.record)
    sitting.console.say("")
    sitting.console.report(interview_report.lines(found, study.deck, words))
    if found.can_queue:
        _offer_queue(sitting, themes, interview)
    if found.is_asked_through and found.answered:
        go_through(sitting, Walkthrough(study, themes, interview.record))
    study.session.checkpoint()
    notice = keep_copy(study.store)
    if notice:
        sitting.console.prose(words.fact(notice))
    return OK


def ask_about_unfinished(study: Study, stdin: TextIO, stdout: TextIO) -> InterviewRecord | None:
    """Ask what becomes of each unfinished interview before another one begins.

    Returns:
        The one to go on with; None if there is none, or all were ended as incomplete.

    Raises:
        Ended: the person answers neither, and nothing has changed.
        StoreError: one could not be ended.
    """
    console, words = Console(stdin, stdout), Words(study.settings.language)
    while (record := interviews.unfinished(study)) is not None:
        place = interview_report.place_fields(record, words)
        typed = console.read(words("mock.unfinished-ask", **place)).strip()
        if typed in QUIT:
            raise Ended
        if not typed:
            return record
        if typed.casefold() == "e":
            interviews.end(study, record)
            console.say(words("mock.ended-incomplete", number=record.begun.earlier + 1))
    return None


def _clock(interview: Interview, turn: Turn, words: Words) -> str:
    return words(
        "mock.clock",
        elapsed=clock_time(interview.record.elapsed_ms + turn.spent_ms),
        limit=clock_time(interview.record.limit_ms),
        par=clock_time(interview.par_ms(turn)),
    )


def _offer_queue(sitting: Sitting, themes: Themes, interview: Interview) -> None:
    """Put what failed first from tomorrow on, if the person says so."""
    try:
        typed = sitting.console.read(sitting.words("mock.queue-ask"))
    except Ended:
        return
    if typed.strip().casefold() in ("y", "yes", "是"):
        study = sitting.study
        n = sitting.retry_write(lambda: interviews.queue_failures(study, themes, interview.record))
        sitting.console.say(sitting.words("mock.queued", n=n))
