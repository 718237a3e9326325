"""A question as it is put: what varies is drawn, what its follow-ups name is looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizapp.deck import question_location
from quizapp.deck.deck import Deck
from quizapp.deck.index import Entry
from quizapp.domain.question import AnyQuestion, PutQuestion, Spot, Trace
from quizapp.exercises import spots, traces

if TYPE_CHECKING:
    from quizapp.exercises.spots import DrawnSpot
    from quizapp.exercises.traces import DrawnTrace


def draw(
    question: AnyQuestion, name: str, answers: int
) -> tuple[PutQuestion, DrawnTrace | DrawnSpot | None]:
    """Draw what varies for the review after so many answers; most kinds have nothing.

    Raises BadExercise: it cannot be computed.
    """
    drawn: DrawnTrace | DrawnSpot
    if isinstance(question, Trace):
        drawn = traces.draw_trace(question, name, answers)
    elif isinstance(question, Spot):
        drawn = spots.draw_spot(question, name, answers)
    else:
        return question, None
    return drawn.question, drawn


def linked_questions(deck: Deck, entry: Entry, question: PutQuestion) -> dict[str, AnyQuestion]:
    """Return the questions that follow-ups name, by the id that is written there."""
    linked = linked_ids(entry.pack, question).items()
    return {name: deck.question(whole) for name, whole in linked if whole in deck.entries}


def linked_ids(pack: str, question: PutQuestion) -> dict[str, str]:
    """Return the whole ids of the questions that follow-ups name, by the id written there."""
    names = [follow for follow in question.follow_ups if isinstance(follow, str)]
    return {name: question_location.canonical(name, pack) for name in names}
