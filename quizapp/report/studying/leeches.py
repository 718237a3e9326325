"""That a question was forgotten so often that it is set aside, or had better be, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizapp.domain.rating import Rating

MANY_FAILURES = 3
"""So often wrong in one session, it had better wait for another day."""

if TYPE_CHECKING:
    from quizapp.report.words import Words
    from quizapp.study.values import Turn


def set_aside_text(turn: Turn, rating: Rating, say: Words) -> str:
    """Say it once, with what follows instead and how to take it back; empty if it is not so."""
    lapses = turn.lapses_if_leech
    if lapses is None or rating is not Rating.AGAIN:
        return ""
    follows = say("study.easier-follow", n=len(turn.easier)) if turn.easier else ""
    return " ".join(filter(None, [say("study.set-aside", n=lapses), follows]))


def put_off_text(turn: Turn, rating: Rating, say: Words, key: str) -> str:
    """Offer to put a question off that is wrong over and over in a session; empty if it is not.

    `key` does that.
    """
    failures = turn.item.failures + 1
    if rating is not Rating.AGAIN or failures < MANY_FAILURES or not turn.returns:
        return ""
    return say("study.put-off", n=failures, key=key)
