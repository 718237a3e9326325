"""A placement line by line: a few questions, then what counts as known."""

from __future__ import annotations

from contextlib import suppress
from typing import TextIO

from quizapp.domain.errors import OK
from quizapp.plain.console import Console, Ended
from quizapp.plain.session import ask_all
from quizapp.plain.sitting import Sitting
from quizapp.report.studying import placement as placement_text
from quizapp.report.words import Words
from quizapp.study.mock.placement import Placement, find_earlier
from quizapp.study.service import Study


def run(study: Study, stdin: TextIO, stdout: TextIO) -> int:
    """Ask until the placement is over; return the exit status. Left before, it can be taken up.

    Raises StoreError: it could not be stored, and the person gave up trying.
    """
    words, placement = Words(study.settings.language), Placement(study)
    sitting = Sitting(study, Console(stdin, stdout), words, placement)
    study.store.check_pages()
    if not placement.resumed and not _goes_on(sitting, study):
        return OK
    if placement.resumed:
        sitting.console.say(words("place.resumed", n=placement.resumed))
    else:
        sitting.console.say(words("place.begins"))
    try:
        ask_all(sitting, placement.next, lambda _turn: ("",))
    except Ended:
        sitting.console.say("", words("place.left"))
        return OK
    known = sitting.retry_write(placement.finish)
    sitting.console.say(*placement_text.result(placement.result, study.deck, words))
    if known:
        _offer_undo(sitting, study)
    return OK


def _goes_on(sitting: Sitting, study: Study) -> bool:
    """Show what the last placement found, if there is one; return True to ask nevertheless."""
    found = find_earlier(study)
    if found is None:
        return True
    sitting.console.say(*placement_text.result(found, study.deck, sitting.words), "")
    with suppress(Ended):
        typed = sitting.console.read(sitting.words("place.again-ask"))
        return typed.strip().casefold() in ("a", ":a")
    return False


def _offer_undo(sitting: Sitting, study: Study) -> None:
    """Take all of it back, if the person says so."""
    with suppress(Ended):
        typed = sitting.console.read(sitting.words("place.undo-ask"))
        if typed.strip().casefold() in ("u", ":u"):
            sitting.retry_write(study.history.undo)
            sitting.console.say(sitting.words("study.undone.place"))
