"""`Course`: the deck as this person set it: what is asked at all, and in which order.

Knows no answers. What is held back would run code that the person has not agreed to.
"""

from __future__ import annotations

from collections.abc import Callable

from grader.did_you_mean import suggest
from grader.facts import fact
from quizapp.deck import ordering
from quizapp.deck.deck import Deck
from quizapp.deck.installing.consent import find_held_back
from quizapp.domain import workload
from quizapp.domain.errors import UsageError
from quizapp.domain.order import Candidate
from quizapp.domain.question import KINDS
from quizapp.study.home_values import Filter
from quizapp.system.config import Settings
from quizapp.system.trust import Trust


class Course:
    """A deck with the settings and the consent that it is asked by.

    Attributes:
        deck: all questions.
        order: all of them in the default order: first those of packs that are on.
        packs_on: the packs that ask; the others rest: they can be practiced, and their schedule
            waits.
        known: the questions of those packs.
        concepts: the siblings among them, by concept.
        held_back: what runs Python that the person has not agreed to.
    """

    def __init__(self, deck: Deck, settings: Settings, trust: Callable[[], Trust]) -> None:
        """Use a deck; `trust` says whose Python may run, as it is now."""
        self._settings = settings
        self._trust = trust
        self.use(deck)

    def use(self, deck: Deck) -> None:
        """Go on with this content."""
        self.deck = deck
        self._arrange()
        self.reconsider()

    def reconsider(self) -> None:
        """Hold back what is not agreed to now."""
        self.held_back = find_held_back(self.deck, self._trust())

    @property
    def settings(self) -> Settings:
        """What the person set."""
        return self._settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        before, self._settings = self._settings, settings
        if (settings.packs, settings.job) != (before.packs, before.job):
            self._arrange()

    def _arrange(self) -> None:
        """Put the questions into order: those of the packs that are on, then the others.

        The deck is kept in that order for the packs that are on by default and any job; for others
        it is made here, which takes 50 ms a thousand questions.
        """
        job = None if self._settings.job == "any" else self._settings.job
        entries = self.deck.entries.values()
        self.packs_on = self.deck.packs_on(self._settings.packs)
        if job is None and self.packs_on == self.deck.packs_on({}):
            self.order = [ordering.candidate(entry) for entry in entries]
        else:
            on = [entry for entry in entries if entry.pack in self.packs_on]
            rest = [entry for entry in entries if entry.pack not in self.packs_on]
            self.order = [*ordering.default_order(on, job), *map(ordering.candidate, rest)]
        self.known = frozenset(e.id for e in entries if e.pack in self.packs_on)
        self.concepts = workload.group_by_concept(
            candidate for candidate in self.order if candidate.pack in self.packs_on
        )

    def is_askable(self, question: str) -> bool:
        """Return True if the deck has the question, and what it runs was agreed to."""
        return question in self.deck.entries and question not in self.held_back.questions

    def rests(self, question: str) -> bool:
        """Return True if the question is in a pack that is switched off."""
        return self.deck.entries[question].pack not in self.packs_on

    def check(self, narrowed: Filter) -> None:
        """Check that a filter names what there is.

        Raises UnknownTopic, UnknownPack, UsageError: it names what no question has.
        """
        if narrowed.pack is not None:
            self.deck.check_pack(narrowed.pack)
        if narrowed.topic is not None:
            self.deck.check_topic(narrowed.topic)
        if narrowed.kind is not None and narrowed.kind not in KINDS:
            what = fact("question.unknown-kind", kind=narrowed.kind)
            raise UsageError(what, suggest(narrowed.kind, KINDS))

    def candidates(self, narrowed: Filter | None = None) -> list[Candidate]:
        """List what may be asked, in the default order; without what is held back or rests.

        What rests is asked as practice where the filter names it, or its pack.
        """
        narrowed = narrowed or Filter()
        by_name = bool(narrowed.questions) and not narrowed.failed
        asked = self.packs_on
        if by_name or (narrowed.practice and narrowed.pack is not None):
            asked = frozenset(self.deck.packs)
        known = [
            candidate
            for candidate in self.every_candidate()
            if candidate.pack in asked
            and narrowed.pack in (None, candidate.pack)
            and narrowed.topic in (None, candidate.topic)
            and narrowed.kind in (None, candidate.kind)
        ]
        if narrowed.guided:
            easiest: dict[str, Candidate] = {}
            for candidate in known:
                easiest.setdefault(candidate.kind, candidate)
            return list(easiest.values())
        if narrowed.questions or narrowed.failed:  # in its order; what is gone is left out
            found = {candidate.question: candidate for candidate in known}
            return [found[name] for name in dict.fromkeys(narrowed.questions) if name in found]
        return known

    def count_off(self) -> int:
        """Count the questions that are never asked by themselves: they rest, or are held back."""
        return len(self.deck.entries) - len(self.candidates())

    def every_candidate(self) -> list[Candidate]:
        """List all that is not held back, in the default order, whether its pack is on or rests."""
        held_back = self.held_back.questions
        return [candidate for candidate in self.order if candidate.question not in held_back]
