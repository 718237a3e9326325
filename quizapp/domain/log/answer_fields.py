"""What a replay reads of an answer: of an `Answered`, or of the form that a log keeps it in.

A replay of 1,000,000 answers would spend a fifth of its time on making an `Answered` of each.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import UnsetType

from quizapp.domain.rating import Rating


class Rated(Protocol):
    """A rating, and what it chose."""

    @property
    def rating(self) -> Rating:
        """The rating."""

    @property
    def due_day(self) -> int:
        """The study day that was chosen for the question's return."""


class AnswerFields(Rated, Protocol):
    """The fields of `Answered` that say what it does to a card, to the sums, and to the parts."""

    @property
    def kind(self) -> str:
        """The kind of the question."""

    @property
    def rev(self) -> int:
        """The revision of the question."""

    @property
    def study_day(self) -> int:
        """The study day."""

    @property
    def correct(self) -> bool:
        """True if it was right."""

    @property
    def gave_up(self) -> bool:
        """True if the person asked for the answer."""

    @property
    def duration_ms(self) -> int:
        """The time that it took."""

    @property
    def confidence(self) -> int | None:
        """How sure the person said to be."""

    @property
    def response(self) -> str:
        """What the person wrote."""

    @property
    def scheduler(self) -> str:
        """The version of the scheduler."""

    @property
    def parameters_id(self) -> str:
        """The scheduler's parameters."""

    @property
    def practice(self) -> bool | UnsetType:
        """True if it leaves the schedule alone."""
