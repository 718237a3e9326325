"""`Study`: one running program's view of deck and progress, and everything it can do with them.

Not thread-safe: an interface calls it from one worker thread, never from the one that draws.
Grading is pure (`recording`), the queue is pure (`domain.queue`); this class holds what changes.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from msgspec import UNSET

from grader.did_you_mean import suggest
from grader.facts import fact
from quizapp.deck import ordering, question_location
from quizapp.deck.deck import Deck
from quizapp.deck.index import Entry
from quizapp.deck.installing.consent import find_held_back
from quizapp.domain import leeches, queue, workload
from quizapp.domain.attempt import GradedSubmission, Response
from quizapp.domain.days import from_date, study_day
from quizapp.domain.easy_days import EasyDays, read_easy_days
from quizapp.domain.errors import StoreError, UnaskableQuestion, UsageError
from quizapp.domain.goal import Goal
from quizapp.domain.languages import language_of, languages_of, put_in
from quizapp.domain.log.events import (
    Answered,
    Body,
    Buried,
    Flagged,
    LogEntry,
    MockQueued,
    Optimized,
    Placed,
    PlanDropped,
    PlanSet,
    Reset,
    Revealed,
    Suspended,
    Unvoided,
    Voided,
)
from quizapp.domain.log.projection import Begun, Card, attempt_so_far, redo_target, undo_target
from quizapp.domain.minutes import EASY_SHARE, DayMinutes
from quizapp.domain.order import Candidate
from quizapp.domain.placement import begin_where_unknown
from quizapp.domain.planning import plan
from quizapp.domain.question import (
    CODE_LANGUAGES,
    KINDS,
    AnyQuestion,
    CodeLanguage,
    Index,
    Kernel,
    PutQuestion,
    Spot,
    Trace,
    code_language,
)
from quizapp.domain.queue import Item, Limits, Queue, Stage
from quizapp.domain.rating import Pace, Rating
from quizapp.domain.schedule import Load, Parameters
from quizapp.exercises import faults, layouts, spots, traces
from quizapp.store.store import Store
from quizapp.study import recording
from quizapp.study.clock import TimeSource
from quizapp.study.examiner import Examiner
from quizapp.study.pace import Paces, comparable_durations, expect_seconds
from quizapp.study.planned import read_planned
from quizapp.study.values import Filter, GradedResponse, Turn, Undone
from quizapp.system.config import Settings
from quizapp.system.paths import shipped_content
from quizapp.system.trust import Trust

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.exercises.layouts import CheckedLayout  # NumPy, 80 ms
    from quizapp.exercises.spots import DrawnSpot
    from quizapp.exercises.traces import DrawnTrace
    from quizapp.study.recording import Occasion


_MINUTE_MS = 60_000

_PLACED_DAYS = 30
"""So long a placement decides where new questions begin."""

CHECKPOINT_ANSWERS = 50
"""The main file is brought up to date after so many: a lost write-ahead log costs no more."""

WRITTEN = ("index", "kernel")
"""Kinds whose answer is code: an undo brings it back to the editor."""


class Study:
    """A deck, a store and a clock, with the session that is going on.

    `examiner` grades kernels. It and `clock` may be used from any thread, nothing else.
    """

    def __init__(
        self,
        deck: Deck,
        store: Store,
        settings: Settings,
        clock: TimeSource,
        trust: Callable[[], Trust] = lambda: Trust((str(shipped_content()),)),
        *,
        kept_plan: Path | None = None,
    ) -> None:
        """Nothing is asked yet.

        Args:
            deck: the questions.
            store: the person's progress.
            settings: what they set.
            clock: says what time it is.
            trust: says whose Python may run, as it is now.
            kept_plan: where the report on the plan is kept; None to make it anew each time.
        """
        self.deck = deck
        self._settings = settings
        self._arrange()
        self._trust = trust
        self.held_back = find_held_back(deck, trust())
        self.store = store
        self.queue = Queue(())
        self.examiner = Examiner(lambda: self.settings.gpu)
        self.clock, self.kept_plan = clock, kept_plan
        self._session_id = uuid.uuid4().hex
        self._began_ms = clock.now().utc_ms
        self.narrowed = Filter()
        self._interrupted: list[tuple[Filter, Queue]] = []
        self._committed: dict[str, GradedResponse] = {}
        self._undone: set[str] = set()
        self._languages: dict[str, CodeLanguage] = {}
        """Of the questions that were switched in this session."""
        self._since_checkpoint = 0
        self._fitting: tuple[tuple[int, Goal | None], int] = (0, None), 0
        self.paces = Paces(store)
        store.adopt(deck.renames)
        self._read_cards()

    def __enter__(self) -> Self:
        """The study itself; the store is closed on leaving."""
        return self

    def __exit__(self, *_error: object) -> None:
        self.examiner.close()
        self.store.close()

    # The day and the deck

    @property
    def session_id(self) -> str:
        """What the events of this program's run are filed under."""
        return self._session_id

    @property
    def day(self) -> int:
        """The study day it is now."""
        return study_day(self.clock.now(), self.store.latest_day())

    @property
    def parameters(self) -> Parameters:
        """What the scheduler is tuned with now."""
        return self._planned.parameters(self.settings.retention)

    @property
    def goal(self) -> Goal | None:
        """The plan that holds, while its day is ahead."""
        return self._planned.goal

    @property
    def ended_plan(self) -> int | None:
        """The day of a plan that was not dropped, once that day has come."""
        return self._planned.ended

    def adopt_weights(self, weights: tuple[float, ...], *, before: float, after: float) -> None:
        """Schedule by these weights from the next answer on; the log loss says why."""
        loss = (before, after)
        self._append(None, Optimized(study_day=self.day, weights=weights, log_loss=loss))
        self._read_cards()

    def drop_weights(self) -> bool:
        """Undo the latest fit: the weights before it hold; False if they are the library's own."""
        latest = self.store.latest_fit()
        if latest is None or not self._planned.weights:
            return False
        self._append_each(latest, Voided)
        self._read_cards()
        return True

    @property
    def interview(self) -> int | None:
        """The day that is prepared for: that of the plan, else that of the settings."""
        if self.goal is not None:
            return self.goal.day
        if self.ended_plan == self.day:
            return self.ended_plan
        date = self.settings.interview_date
        return None if date is None else from_date(date)

    def set_plan(self, goal: Goal) -> None:
        """Plan for a day, in place of any plan before; what is due changes at once."""
        body = PlanSet(
            study_day=goal.since,
            day=goal.day,
            minutes=goal.minutes,
            topics=goal.topics,
            retention=UNSET if goal.retention is None else goal.retention,
            new_share=goal.new_share,
            promised=UNSET if goal.promised is None else goal.promised,
        )
        self._append(None, body)
        self._follow_plan()

    def drop_plan(self) -> None:
        """Drop the plan: the normal schedule holds again."""
        self._append(None, PlanDropped(study_day=self.day))
        self._follow_plan()

    def catch_up(self) -> bool:
        """Read anew if another program stored something meanwhile; return True if it did."""
        if not self.store.changed_elsewhere():
            return False
        goal = self.goal
        self._read_cards()
        if self.goal != goal:
            self._follow_plan()
        else:
            asked = self.candidates(self.narrowed)
            self.queue = queue.drop_done(self.queue, asked, self._cards, self.day)
        return True

    def _follow_plan(self) -> None:
        """Read the cards, due on the days that the plan gives them, and build the queue anew."""
        self._read_cards()
        self.queue = self._put_pending_first(self.plan_day())
        if self.narrowed.limit is not None:
            self.queue = queue.shorten(self.queue, self.narrowed.limit)

    def covered(self, goal: Goal | None) -> tuple[list[Card], list[Candidate]]:
        """List what was learned of what a plan covers, and what is still to be met, in order.

        Without a plan, of everything.
        """
        asked = [c for c in self.candidates() if goal is None or goal.covers(c)]
        cards = (self.card(candidate.question) for candidate in asked)
        learned = [card for card in cards if card.memory and not card.suspended]
        return learned, plan.to_meet(asked, self._cards, self._known)

    def waiting_new(self, asked: Sequence[Candidate]) -> plan.Waiting:
        """Count what is new in a selection and waits for others, and list these others' topics."""
        return plan.find_waiting(asked, self.candidates(), self._cards, self._known)

    def planned_new(self) -> tuple[list[Candidate], list[Candidate]] | None:
        """Split what is to be met: what fits into the plan, and what it leaves out; None without.

        What fits is what the plan promised, until a simulation found that it has shrunk.
        """
        if self.goal is None:
            return None
        learned, new = self.covered(self.goal)
        noted = self._fitting[0] == (self.day, self.goal)
        fits = self._fitting[1] if noted else self.goal.promised
        left = len(new) if fits is None else max(0, fits - len(learned))
        return new[:left], new[left:]

    def note_fitting(self, day: int, goal: Goal, number: int) -> None:
        """Take note of how many questions fit into a plan by the simulation of a day.

        May be called from any thread.
        """
        self._fitting = (day, goal), number

    def _read_cards(self) -> None:
        """Read all cards, due on the days that the plan gives them."""
        self.paces.forget()
        self._planned = read_planned(self.store, self.day, self._order)
        place = self._planned.place
        self._cards = {name: place(card) for name, card in self.store.cards().items()}

    @property
    def cards(self) -> Mapping[str, Card]:
        """The state of every question that has one."""
        return self._cards

    def card(self, question: str) -> Card:
        """Return the state of a question's card; an empty one if it was never answered."""
        return self._cards.get(question) or Card(question)

    def use_deck(self, deck: Deck) -> None:
        """Go on with changed content; what is gone leaves the queue, progress stays."""
        self.deck = deck
        self._arrange()
        self.held_back = find_held_back(deck, self._trust())
        self.store.adopt(deck.renames)
        self._read_cards()
        for item in self.queue.items:
            if item.question not in deck.entries or item.question in self.held_back.questions:
                self.queue = queue.drop(self.queue, item.question)

    # Packs

    @property
    def settings(self) -> Settings:
        """What the person set."""
        return self._settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        before, self._settings = self._settings, settings
        if (settings.packs, settings.job) != (before.packs, before.job):
            self._arrange()

    @property
    def packs_on(self) -> frozenset[str]:
        """The packs that ask; the others rest: they can be practiced, and their schedule waits."""
        return self._packs_on

    def is_askable(self, question: str) -> bool:
        """Return True if the deck has the question, and what it runs was agreed to."""
        return question in self.deck.entries and question not in self.held_back.questions

    def rests(self, question: str) -> bool:
        """Return True if the question is in a pack that is switched off."""
        return self.deck.entries[question].pack not in self._packs_on

    def _arrange(self) -> None:
        """Put the questions into order: those of the packs that are on, then the others.

        The deck is kept in that order for the packs that are on by default and any job; for others
        it is made here, which takes 50 ms a thousand questions.
        """
        job = None if self._settings.job == "any" else self._settings.job
        entries = self.deck.entries.values()
        self._packs_on = self.deck.packs_on(self._settings.packs)
        if job is None and self._packs_on == self.deck.packs_on({}):
            self._order = [ordering.candidate(entry) for entry in entries]
        else:
            on = [entry for entry in entries if entry.pack in self._packs_on]
            rest = [entry for entry in entries if entry.pack not in self._packs_on]
            self._order = [*ordering.default_order(on, job), *map(ordering.candidate, rest)]
        self._known = frozenset(e.id for e in entries if e.pack in self._packs_on)
        self._concepts = workload.group_by_concept(
            candidate for candidate in self._order if candidate.pack in self._packs_on
        )

    # The session

    def begin(self, narrowed: Filter) -> Queue:
        """Build the day's queue.

        Raises:
            UnknownTopic, UnknownPack, UsageError: the filter names what no question has.
        """
        if narrowed.pack is not None:
            self.deck.check_pack(narrowed.pack)
        if narrowed.topic is not None:
            self.deck.check_topic(narrowed.topic)
        if narrowed.kind is not None and narrowed.kind not in KINDS:
            what = fact("question.unknown-kind", kind=narrowed.kind)
            raise UsageError(what, suggest(narrowed.kind, KINDS))
        self.narrowed = narrowed
        self.held_back = find_held_back(
            self.deck, self._trust()
        )  # it may have been agreed to since
        self._follow_plan()
        return self.queue

    def interrupt(self, narrowed: Filter) -> Queue:
        """Begin a session within the one that is going on; `resume` takes that up again.

        Raises:
            UnknownTopic, UnknownPack, UsageError: the filter names what no question has.
        """
        interrupted = (self.narrowed, self.queue)
        begun = self.begin(narrowed)
        self._interrupted.append(interrupted)
        return begun

    def resume(self) -> None:
        """End the inner session: go on with the outer, without what was answered meanwhile."""
        self.narrowed, outer = self._interrupted.pop()
        chosen = self.narrowed.is_chosen
        asked = self.every_candidate() if chosen else self.candidates()
        self.queue = queue.drop_done(outer, asked, self._cards, self.day)

    def still_asks(self, turn: Turn) -> bool:
        """Return True if this is still in the queue, as it was put."""
        return turn.item in self.queue.items

    def _put_pending_first(self, planned: Queue) -> Queue:
        """Put what a GPU's turn left pending first, if it is asked at all."""
        waiting = {item.question: item for item in (*planned.first, *planned.waiting)}
        for name in self.store.recently_submitted():
            if name in waiting and attempt_so_far(self.store.events(name)).pending is not None:
                planned = queue.put_back(planned, waiting[name], answer=False)
        return planned

    def plan_day(self, narrowed: Filter | None = None) -> Queue:
        """Build the queue of what the day still asks, narrowed as the session is if not said."""
        narrowed = self.narrowed if narrowed is None else narrowed
        day, candidates = self.day, self.candidates(narrowed)
        if narrowed.is_chosen:
            if narrowed.guided:
                candidates = self._left_today(candidates)
            resting = frozenset(c.question for c in candidates if self.rests(c.question))
            practice = frozenset(self.deck.entries) if narrowed.practice else resting
            return queue.choose(candidates, self._cards, day, practice, once=narrowed.guided)
        candidates = self._begin_where_placed(candidates)
        if narrowed.new is None:
            candidates = self._within_plan(candidates)
        limits, known, concepts = self.limits(narrowed.new), self._known, self._concepts
        planned = queue.build(candidates, self._cards, limits, day, known, concepts=concepts)
        return queue.head(planned, self._headed(candidates, day), self._cards, day)

    def _begin_where_placed(self, candidates: list[Candidate]) -> list[Candidate]:
        """Put what a placement found probably known behind the rest, as far as answers agree.

        A placement that was undone has left no card, and an old one says nothing any more.
        """
        taken = self.store.placement_taken()
        if taken is None or self.day - taken.study_day > _PLACED_DAYS:
            return candidates
        found = {each.question: each.knew is True for each in taken.asked}
        if not any(knew and self.card(name).memory for name, knew in found.items()):
            return candidates
        facts = self.store.answer_facts(taken.study_day)
        found |= {f.question: f.correct for f in facts if f.counts and f.was_new}
        by_name = {candidate.question: candidate for candidate in self._order}
        steps = [(by_name[name], knew) for name, knew in found.items() if name in by_name]
        return begin_where_unknown(candidates, steps)

    def _left_today(self, candidates: list[Candidate]) -> list[Candidate]:
        """Leave out what was answered today, so that leaving can be resumed; all, if all was."""
        today = self.day
        met = {c.question for c in self._cards.values() if c.memory and c.memory.last_day == today}
        return [c for c in candidates if c.question not in met] or candidates

    def _within_plan(self, candidates: list[Candidate]) -> list[Candidate]:
        """Leave out the new questions that the plan, if there is one, does not cover.

        Somebody who asks for a number of new questions goes beyond the plan.
        """
        goal = self.goal
        if goal is None or not goal.topics:
            return candidates
        return [c for c in candidates if goal.covers(c) or self.card(c.question).memory]

    def _headed(self, candidates: Iterable[Candidate], day: int) -> list[Candidate]:
        """List what failed in a mock interview and is to come first, until it is answered."""
        since: dict[str, int] = {}
        for event in self.store.mock_events():
            if isinstance(event.body, MockQueued) and event.body.day <= day:
                since |= dict.fromkeys(event.body.questions, event.body.day)
        if not since:
            return []
        cards = self._cards
        answered = {
            name
            for name, first in since.items()
            if (card := cards.get(name)) and card.memory and card.memory.last_day >= first
        }
        by_name = {candidate.question: candidate for candidate in candidates}
        return [by_name[name] for name in since if name in by_name and name not in answered]

    def candidates(self, narrowed: Filter | None = None) -> list[Candidate]:
        """List what may be asked, in the default order; without what is held back or rests.

        What rests is asked as practice where the filter names it, or its pack.
        """
        narrowed = narrowed or Filter()
        asked = self._packs_on
        if narrowed.questions or (narrowed.practice and narrowed.pack is not None):
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
        return self._choose(known, narrowed) if narrowed.questions or narrowed.failed else known

    def every_candidate(self) -> list[Candidate]:
        """List all that is not held back, in the default order, whether its pack is on or rests."""
        held_back = self.held_back.questions
        return [candidate for candidate in self._order if candidate.question not in held_back]

    def _choose(self, known: Iterable[Candidate], narrowed: Filter) -> list[Candidate]:
        """Keep the candidates that the filter names, in its order; what is gone is left out."""
        by_name = {candidate.question: candidate for candidate in known}
        names = narrowed.questions or self.failed_lately()
        return [by_name[name] for name in dict.fromkeys(names) if name in by_name]

    def failed_lately(self) -> tuple[str, ...]:
        """List questions with an answer rated Again today or on the study day before."""
        facts = self.store.answer_facts(self.day - 1)
        return tuple(dict.fromkeys(f.question for f in facts if f.rating is Rating.AGAIN))

    def to_meet(self) -> list[Candidate]:
        """List what was never answered and will be asked one day, in order."""
        candidates = self.candidates(self.narrowed.by_schedule)
        return plan.to_meet(candidates, self._cards, self._known)

    def limits(self, new: int | None = None) -> Limits:
        """Return what is left of the day's limits; a filter's `new` replaces those of new ones."""
        done, goal = self.store.totals_of_day(self.day), self.goal
        minutes = None
        pace = 0 if self.overdue_minutes() else self.settings.new_per_day - done.new
        if goal is not None and new is None:
            pace = len(self._order)
            spent = self._divide_minutes(done.duration_ms)
            whole = goal.minutes * (EASY_SHARE if self.day in self.easy_days else 1)
            minutes = DayMinutes(whole, self.estimate_minutes(), goal.new_share, spent)
        return Limits(
            new=pace if new is None else new,
            reviews=self.settings.reviews_per_day - done.reviews,
            new_of=self._new_of_packs() if new is None else {},
            minutes=minutes,
            later=self._leave_for_later() if goal is None else frozenset(),
        )

    @property
    def easy_days(self) -> EasyDays:
        """The days that are to have few reviews."""
        return read_easy_days(self.settings.easy_days)

    def minutes_used(self) -> float:
        """Return the minutes of today that are spent, and those that what returns will take."""
        day, each = self.day, self.estimate_minutes()
        returning = queue.expect_repeats(self.candidates(), self._cards, day, each)
        return self.store.totals_of_day(day).duration_ms / _MINUTE_MS + sum(returning)

    def _divide_minutes(self, duration_ms: int) -> tuple[float, float]:
        """Divide what was spent today into minutes on reviews and on questions new today."""
        facts = self.store.answer_facts(self.day)
        new = {fact.question for fact in facts if fact.was_new}
        on_new = sum(fact.duration_ms for fact in facts if fact.question in new)
        return (duration_ms - on_new) / _MINUTE_MS, on_new / _MINUTE_MS

    def _leave_for_later(self) -> frozenset[str]:
        """Choose the reviews that wait where today would take more than is usual."""
        day, each = self.day, self.estimate_minutes()
        facts = self.store.answer_facts(day - workload.RECENT_DAYS)
        reviewed = (
            (fact.study_day, each(fact.question))
            for fact in facts
            if fact.counts and not fact.was_new and fact.study_day < day
            if fact.question in self.deck.entries
        )
        usual = workload.find_usual(reviewed)
        if usual is None:
            return frozenset()
        names = (candidate.question for candidate in self.candidates())
        cards = [self._cards[name] for name in names if name in self._cards]
        return workload.leave_for_later(
            cards, day, usual, each, parameters=self.parameters, easy=self.easy_days
        )

    def overdue_minutes(self) -> int:
        """Return the minutes of overdue reviews if new questions wait for them; else 0.

        They wait while these are more than the person has per day, unless a plan shares out the
        minutes. What was due today is not overdue.
        """
        most = self.settings.day_minutes
        if self.goal is not None or not most:
            return 0
        day, each = self.day, self.estimate_minutes()
        asked = (self._cards.get(candidate.question) for candidate in self.candidates())
        overdue = (
            c for c in asked if c and c.memory and not c.suspended and c.memory.due_day < day
        )
        minutes = sum(each(card.question) for card in overdue)
        return round(minutes) if minutes > most else 0

    def estimate_minutes(self) -> Callable[[str], float]:
        """Return what says how many minutes an answer to a question takes, by the person's pace."""
        minutes = cache(self.paces.minutes)
        return lambda question: minutes(self.deck.entries[question].kind)

    def _new_of_packs(self) -> dict[str, int]:
        """Return what is left of the limits that packs have of their own."""
        limits = self.settings.new_per_pack
        if not limits:
            return {}
        facts = (f for f in self.store.answer_facts(self.day) if f.counts and f.was_new)
        done = Counter(entry.pack for f in facts if (entry := self.deck.entries.get(f.question)))
        return {pack: most - done[pack] for pack, most in limits.items()}

    def next(self) -> Turn | None:
        """Return the next question, or None when the session is done; twice gives the same.

        Raises:
            UnaskableQuestion: it cannot be computed; it has left the queue.
            StoreDamaged: no answer could be stored.
        """
        if self.store.damage is not None:
            raise self.store.damage
        item = queue.next_item(self.queue)
        if item is None:
            return None
        entry = self.deck.entries[item.question]
        card = self.card(item.question)
        begun = attempt_so_far(self.store.events(item.question))
        language = self._choose_language(item.question, begun)
        question, drawn = self._draw_question(item.question, begun.answers, language)
        repetition = card.memory.repetitions if card.memory else 0
        if item.stage is Stage.PRACTICE:  # neither an order that is to come, nor what was begun
            repetition, begun = -1 - begun.answers, Begun()
        turn = Turn(
            item=item,
            entry=entry,
            question=question,
            card=card,
            position=self.queue.asked + 1,
            total=self.queue.asked + self.queue.left,
            order=recording.draw_order(question, entry.id, repetition),
            draft=self.store.draft(item.question, language_of(question)) or "",
            drawn=drawn,
            tried=begun.tried,
            hints=min(begun.hints, len(question.hints)),
            timed=self.examiner.measures(question),
            pending=begun.pending.source if begun.pending is not None else "",
            returns=not self.queue.once,
            explains=self.narrowed.guided or entry.kind not in self._known_kinds(),
            linked=linked_questions(self.deck, entry, question),
            languages=languages_of(self.deck.question(item.question)),
        )
        if turn.lapses_if_leech is None:
            return turn
        return replace(turn, easier=leeches.find_easier(entry.id, self.candidates()))

    def switch_language(self, turn: Turn) -> None:
        """Put the question that is asked in its other language from now on, if it has one."""
        if turn.other_language is not None:
            self._languages[turn.entry.id] = turn.other_language

    def _choose_language(self, name: str, begun: Begun) -> CodeLanguage:
        """Choose what a question is put in: as it was left, else as the person writes."""
        if name in self._languages:
            return self._languages[name]
        if begun.pending is not None:
            return code_language(begun.pending.source)
        return self.store.draft_language(name) or self.settings.code_language

    def _known_kinds(self) -> set[str]:
        """Return the kinds of which a question was answered."""
        seen = (name for name, card in self._cards.items() if card.memory is not None)
        return {self.deck.entries[name].kind for name in seen if name in self.deck.entries}

    def leave_out(self, question: str) -> None:
        """Leave a question out of this session; nothing is stored."""
        self.queue = queue.drop(self.queue, question)

    def grade(self, turn: Turn, response: Response) -> GradedResponse:
        """Grade and rate a response. Nothing is stored yet."""
        source = "" if response.effort.gave_up else response.text
        return recording.grade(turn, response, self._occasion(turn, source))

    def check(self, turn: Turn, source: str) -> CheckedLayout:
        """Grade a layout; one that fails is stored, once.

        Raises:
            StoreError: it failed and is not stored.
        """
        assert isinstance(turn.question, Index)
        checked = layouts.check(turn.question, source)
        self.store_failure(turn, checked)
        return checked

    def store_failure(self, turn: Turn, submission: GradedSubmission) -> None:
        """Store a submission that failed, once.

        Raises:
            StoreError: it is not stored.
        """
        begun = attempt_so_far(self.store.events(turn.entry.id))
        occasion = self._occasion(turn, submission.source)
        known = not occasion.submission and submission.source in (*begun.tried, *begun.never_ran)
        if not submission.passed and not known:
            self.store.append([recording.record_failure(turn, submission, occasion)])

    def submit(self, turn: Turn, checked: CheckedKernel) -> None:
        """Store a submission that the emulator passed, once, before a GPU is asked about it.

        Raises:
            StoreError: it is not stored.
        """
        occasion = self._occasion(turn, checked.source)
        if not occasion.submission and not turn.is_practice:
            self.store.append([recording.record_submission(turn, checked, occasion)])
        self.save_draft(turn.entry.id, checked.source, turn.language)

    def show_hint(self, turn: Turn, number: int) -> None:
        """Store that the `number`-th hint was shown: it counts although the person leaves now.

        In practice it counts for this answer alone, which says so itself.

        Raises:
            StoreError: it is not stored.
        """
        if turn.is_practice:
            return
        self.store.append([recording.record_hint(turn, number, self._occasion(turn))])

    def commit(self, graded: GradedResponse) -> None:
        """Store an answer. May be called again after a failure: it is stored once.

        Raises:
            StoreError: it is not stored; the answer is still in `graded`.
        """
        self.store.append(graded.events)
        question = graded.turn.entry.id
        solved = graded.grade.correct
        self.store.drop_drafts(question, CODE_LANGUAGES if solved else (graded.turn.language,))
        self._refresh(question)
        if graded.event_id not in self._committed:
            self._committed[graded.event_id] = graded
            rating = graded.suggestion.rating
            self.queue = queue.answer(self.queue, graded.turn.item, rating)
            self._set_aside(graded.turn)
            self._since_checkpoint += 1
            if self._since_checkpoint >= CHECKPOINT_ANSWERS:
                self.checkpoint()

    @property
    def results(self) -> tuple[GradedResponse, ...]:
        """This program's stored answers that were not undone, in order."""
        return tuple(g for name, g in self._committed.items() if name not in self._undone)

    def rate(self, graded: GradedResponse, rating: Rating) -> None:
        """Override the rating of a stored answer.

        Raises:
            StoreError: the override is not stored.
        """
        event = recording.rerate(graded, rating, self._occasion(graded.turn))
        self.store.append([event])
        self._refresh(graded.turn.entry.id)
        self.queue = queue.rerate(self.queue, graded.turn.item, rating)
        self._set_aside(graded.turn)

    def _set_aside(self, turn: Turn) -> None:
        """Leave out what became a leech; questions to learn its concept from follow.

        One that is new is answered for the first time, and others are practice.
        """
        for name in turn.easier:
            self.queue = queue.drop_offer(self.queue, name)
        if turn.lapses_if_leech is None or not self.card(turn.entry.id).suspended:
            return
        self.queue = queue.drop(self.queue, turn.entry.id)
        for name in turn.easier:
            entry = self.deck.entries[name]
            stage = Stage.NEW if self.card(name).memory is None else Stage.PRACTICE
            item = Item(name, entry.topic, stage, entry.kind)
            self.queue = queue.offer(self.queue, item)

    # Safety

    def checkpoint(self) -> None:
        """Bring the database's main file up to date: after a session, and within a long one."""
        with suppress(StoreError):  # the answers are stored; the next checkpoint has them too
            self.store.checkpoint()
        self._since_checkpoint = 0

    def back_up(self) -> Path | None:
        """Make today's rolling copy, if one is due. For any thread.

        Raises:
            StoreError: there is none.
        """
        return self.store.roll()

    def check_database(self) -> None:
        """Check that the whole database is sound; if not, no answer is taken. For any thread.

        Raises:
            StoreDamaged: it is not.
        """
        self.store.check_pages()

    # Taking back

    def undo(self) -> Undone | None:
        """Take back the last answer, bury, suspend or flag; None when there is nothing."""
        target = undo_target(self._recent())
        if target is None:
            return None
        self._append_each(target, Voided)
        self._undone.add(target.id)
        return self._finish_step(target, undone=True)

    def redo(self) -> Undone | None:
        """Restore what was undone last; None when there is nothing."""
        target = redo_target(self._recent())
        if target is None:
            return None
        self._append_each(target, Unvoided)
        self._undone.discard(target.id)
        return self._finish_step(target, undone=False)

    # Marks

    def bury(self, question: str) -> None:
        """Do not ask it before tomorrow."""
        self._append(question, Buried(until=self.day + 1))
        self.queue = queue.drop(self.queue, question)

    def reveal(self, question: str) -> bool:
        """Note that the answer was looked at; return True if that puts it off until tomorrow.

        Only what was still to be asked today is put off: new, or due.
        """
        entry = self.deck.entries[question]
        stage = queue.stage_of(ordering.candidate(entry), self._cards.get(question), self.day)
        if stage not in (Stage.NEW, Stage.REVIEW):
            return False
        self._append(question, Revealed(study_day=self.day))
        self.queue = queue.drop(self.queue, question)
        return not self.rests(question)

    def suspend(self, question: str, *, on: bool = True) -> None:
        """Do not ask it until this is switched off."""
        self._append(question, Suspended(on=on))
        if on:
            self.queue = queue.drop(self.queue, question)

    def flag(self, question: str, *, on: bool = True) -> None:
        """Mark it as wrong, unclear or worth another look."""
        self._append(question, Flagged(on=on))

    def toggle_flag(self, question: str) -> bool:
        """Flag it, or remove the flag; return True if it is flagged now."""
        on = not self.card(question).flagged
        self.flag(question, on=on)
        return on

    def reset(self, questions: Sequence[str]) -> int:
        """Make questions new again; return how many had progress to forget."""
        touched = [q for q in questions if self.card(q).memory is not None]
        occasion = self._occasion(None)
        self.store.append([recording.new_event(q, Reset(), occasion) for q in touched])
        self._read_cards()
        return len(touched)

    def save_draft(self, question: str, text: str, language: CodeLanguage = "python") -> None:
        """Keep a half-written answer; an empty one is forgotten."""
        if text.strip():
            self.store.save_draft(question, text, self.clock.now().utc_ms, language)
        else:
            self.store.drop_drafts(question, (language,))

    def half_written(self) -> dict[str, str]:
        """Return the latest half-written answer to each question of the deck that has one."""
        texts = self.store.drafts()
        return {name: texts[name] for name in texts if name in self.deck.entries}

    def drop_half_written(self, questions: Iterable[str]) -> int:
        """Forget the half-written answers to these, in every language; return to how many."""
        begun = [name for name in self.store.drafts() if name in set(questions)]
        for name in begun:
            self.store.drop_drafts(name, CODE_LANGUAGES)
        return len(begun)

    # Inside

    def _draw_question(
        self, name: str, answers: int, language: CodeLanguage
    ) -> tuple[PutQuestion, DrawnTrace | DrawnSpot | None]:
        """Draw a question of the deck as it is put after so many answers.

        Raises:
            UnaskableQuestion: it cannot be computed; it has left the queue.
        """
        question = put_in(self.deck.question(name), language)
        try:
            return draw(question, name, answers)
        except faults.BadExercise as error:
            self.leave_out(name)
            raise UnaskableQuestion(name, error.fault.located_fact) from None

    def _occasion(self, turn: Turn | None, source: str = "") -> Occasion:
        """Collect what holds now; `source` is the code that was submitted."""
        parameters = self.parameters
        return recording.Occasion(
            moment=self.clock.now(),
            day=self.day,
            session=self._session_id,
            parameters=parameters,
            announce=parameters.id not in self.store.parameters(),
            pace=self._pace(turn),
            load=None if turn is None else self._find_load(turn.entry.id),
            bring_forward=int
            if turn is None
            else partial(self._planned.bring_forward, turn.entry.id, self.day),
            submission=self._submission(turn, source),
        )

    def _find_load(self, question: str) -> Load:
        """Find what the other questions of the packs that are on ask of the days to come."""
        asked = (candidate for candidate in self._order if candidate.pack in self._packs_on)
        minutes = self.estimate_minutes()
        return workload.find_load(question, asked, self._cards, minutes, self.easy_days)

    def _submission(self, turn: Turn | None, source: str) -> str:
        """Find the event of a submission that a GPU never judged, if this is it."""
        if turn is None or turn.is_practice or not isinstance(turn.question, Kernel):
            return ""
        pending = attempt_so_far(self.store.events(turn.entry.id)).pending
        return pending.event if pending is not None and pending.source == source else ""

    def _pace(self, turn: Turn | None) -> Pace:
        if turn is None:
            return Pace(first_exposure=True)

        @cache
        def expect(name: str) -> float:
            return expect_seconds(self.deck.question(name), self.settings.language)

        times = (
            (expect(name), took)
            for name, took in self.paces.durations(turn.entry.kind)
            if name in self.deck.entries
        )
        expected = expect(turn.entry.id)
        return Pace(
            first_exposure=turn.card.memory is None,
            durations_ms=comparable_durations(times, expected),
            asks_confidence=self.settings.confidence,
        )

    def _append(self, question: str | None, body: Body) -> None:
        self.store.append([recording.new_event(question, body, self._occasion(None))])
        if question is not None:
            self._refresh(question)

    def _append_each(self, target: LogEntry, step: type[Voided | Unvoided]) -> None:
        """Undo or redo an event; of a placement, all that it found known, in one transaction."""
        together = [target]
        if isinstance(target.body, Placed):
            found = target.body.placement
            together = [
                event
                for event in self._recent()
                if isinstance(event.body, Placed) and event.body.placement == found
            ]
        occasion = self._occasion(None)
        steps = [recording.new_event(e.question, step(target=e.id), occasion) for e in together]
        self.store.append(steps)
        for event in together:
            if event.question is not None:
                self._refresh(event.question)

    def _refresh(self, question: str) -> None:
        entry = self.deck.entries.get(question)
        self.paces.forget("" if entry is None else entry.kind)
        card = self.store.card(question)
        if card is None:
            self._cards.pop(question, None)
        else:
            self._cards[question] = self._planned.place(card)

    def _recent(self) -> list[LogEntry]:
        return self.store.recent_undo_events(self._session_id, self._began_ms)

    def _finish_step(self, target: LogEntry, *, undone: bool) -> Undone:
        """Bring the queue in line with an undo or a redo, and say what it was."""
        if isinstance(target.body, PlanSet | PlanDropped):
            self._follow_plan()
        elif target.question is None:
            self._read_cards()
            asked = self.candidates(self.narrowed)
            self.queue = queue.drop_done(self.queue, asked, self._cards, self.day)
        question = target.question or ""
        entry = self.deck.entries.get(question)
        if isinstance(target.body, Answered) and target.body.kind in WRITTEN:
            language: CodeLanguage = "cuda" if target.body.language == "cuda" else "python"
            if undone:
                self.save_draft(question, target.body.response, language)
            elif self.store.draft(question, language) == target.body.response:  # not edited since
                self.store.drop_drafts(question, (language,))
        runs = question not in self.held_back.questions
        if isinstance(target.body, Placed):
            self.queue = self.plan_day()
        elif entry is not None and runs and not isinstance(target.body, Flagged):
            self._requeue(entry, target, undone=undone)
        tag = type(target.body).__struct_config__.tag
        return Undone("" if isinstance(target.body, Placed) else question, str(tag))

    def _is_due(self, question: str) -> bool:
        """Return True if the day's queue, within filter and limits, would ask it."""
        return question in {item.question for item in self.plan_day().items}

    def _requeue(self, entry: Entry, target: LogEntry, *, undone: bool) -> None:
        """Ask an undone question again at once; take a redone one away, or bring it back later."""
        candidate = ordering.candidate(entry)
        stage = queue.stage_of(candidate, self._cards.get(entry.id), self.day)
        answer = isinstance(target.body, Answered)
        if isinstance(target.body, Answered) and target.body.practice:
            stage = Stage.PRACTICE
        self.queue = queue.drop(self.queue, entry.id)
        item = Item(entry.id, entry.topic, stage or Stage.REVIEW, entry.kind)
        if undone and (answer or self._is_due(entry.id)) and stage is not None:
            self.queue = queue.put_back(self.queue, item, answer=answer)
        elif answer and not undone:
            rating = Rating.AGAIN if stage is Stage.REPEAT else Rating.GOOD
            self.queue = queue.answer(self.queue, item, rating)


def linked_questions(deck: Deck, entry: Entry, question: PutQuestion) -> dict[str, AnyQuestion]:
    """Return the questions that follow-ups name, by the id that is written there."""
    linked = linked_ids(entry.pack, question).items()
    return {name: deck.question(whole) for name, whole in linked if whole in deck.entries}


def linked_ids(pack: str, question: PutQuestion) -> dict[str, str]:
    """Return the whole ids of the questions that follow-ups name, by the id written there."""
    names = [follow for follow in question.follow_ups if isinstance(follow, str)]
    return {name: question_location.canonical(name, pack) for name in names}


def draw(
    question: AnyQuestion, name: str, answers: int
) -> tuple[PutQuestion, DrawnTrace | DrawnSpot | None]:
    """Draw what varies for the review after so many answers; most kinds have nothing.

    Raises:
        BadExercise: it cannot be computed.
    """
    drawn: DrawnTrace | DrawnSpot
    if isinstance(question, Trace):
        drawn = traces.draw_trace(question, name, answers)
    elif isinstance(question, Spot):
        drawn = spots.draw_spot(question, name, answers)
    else:
        return question, None
    return drawn.question, drawn
