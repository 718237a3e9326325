"""That a question was forgotten so often that it is set aside, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizapp.domain.rating import Rating

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
