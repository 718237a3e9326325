"""A mock interview as its events tell it: what was asked, how it went, what is still to come.

Pure: from events in log order to values. Knows no theme; a stage is named `pack/theme/stage`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from msgspec import UNSET

from quizapp.domain.grading import Grade, is_terse
from quizapp.domain.log.events import (
    LogEntry,
    MockAnswered,
    MockBegun,
    MockEnded,
    MockHinted,
    MockQueued,
    MockSkipped,
    MockSubmitted,
    Probed,
)
from quizapp.domain.rating import Confidence, is_confident_error

_MINUTE_MS = 60_000

Ending = Literal["done", "time", "left", "open"]


@dataclass(frozen=True, slots=True)
class InterviewRecord:
    """An interview so far.

    `answers` are by stage, in the order given; `answer_events` are their ids. `hints`: how many
    hints of a stage were shown. `queued`: the questions that were put at the head of a queue.
    `probes`: by stage, the answers to questions made from the kernel that passed there.
    `submitted`: by stage, what stands before its answer: code that failed, and words.
    """

    id: str
    begun: MockBegun
    answers: Mapping[str, MockAnswered] = field(default_factory=dict)
    answer_events: Mapping[str, str] = field(default_factory=dict)
    skipped: frozenset[str] = frozenset()
    hints: Mapping[str, int] = field(default_factory=dict)
    ended: MockEnded | None = None
    queued: tuple[str, ...] = ()
    probes: Mapping[str, tuple[Probed, ...]] = field(default_factory=dict)
    submitted: Mapping[str, tuple[MockSubmitted, ...]] = field(default_factory=dict)

    @property
    def seed(self) -> int:
        """What decides which of its variants a question is put in."""
        return self.begun.earlier if self.begun.seed is UNSET else self.begun.seed

    @property
    def elapsed_ms(self) -> int:
        """The time that its answers took."""
        probes = (each.elapsed_ms for several in self.probes.values() for each in several)
        written = (self.submitted[stage][0].elapsed_ms for stage in self.to_tick)
        answers = (answer.elapsed_ms for answer in self.answers.values())
        return sum(answers) + sum(written) + sum(probes)

    @property
    def limit_ms(self) -> int:
        """The time that it has."""
        return self.begun.minutes * _MINUTE_MS

    @property
    def is_over_time(self) -> bool:
        """True if its time is used up."""
        return self.elapsed_ms >= self.limit_ms

    def failed_at(self, stage: str) -> tuple[str, ...]:
        """Return the gates that submissions of a stage failed at, each once, as far as kept."""
        gates = (each.gate for each in self.submitted.get(stage, ()))
        return tuple(dict.fromkeys(filter(None, gates)))

    @property
    def standing(self) -> tuple[str, ...]:
        """The stages answered in words that are judged once all stages are over, in order."""
        given = self.submitted
        return tuple(s for s in self.begun.stages if any(each.stands for each in given.get(s, ())))

    @property
    def to_tick(self) -> tuple[str, ...]:
        """Those of them whose points are still to be ticked."""
        done = {*self.answers, *self.skipped}
        return tuple(stage for stage in self.standing if stage not in done)

    @property
    def left(self) -> tuple[str, ...]:
        """The stages still to be asked, in order, as far as it is known."""
        done = {*self.answers, *self.skipped, *self.standing}
        return tuple(stage for stage in self.asked if stage not in done)

    @property
    def is_asked_through(self) -> bool:
        """True once no stage is asked any more: only then is it told what is right."""
        return self.ended is not None or self.is_over_time or not self.left

    @property
    def asked(self) -> tuple[str, ...]:
        """The stages without those that are asked only if another went otherwise."""
        return tuple(stage for stage in self.begun.stages if self._is_asked(stage))

    @property
    def place(self) -> tuple[int, int, int]:
        """The position of the next stage, from 1, and the least and the most that there may be.

        How many there are depends on answers that are still to come.
        """
        conditions = {**(self.begun.if_wrong or {}), **(self.begun.if_right or {})}
        roots = [stage for stage in self.begun.stages if stage not in conditions]
        following = self.next_stage
        asked = [each for each in self.begun.stages if each == following or self._is_asked(each)]
        position = len(asked) if following is None else asked.index(following) + 1
        return (position, *self._count(roots))

    def _count(self, stages: Iterable[str]) -> tuple[int, int]:
        """Count stages and those that depend on them, at least and at most."""
        least = most = 0
        for stage in stages:
            answer = self.answers.get(stage)
            follow_ups = {True: self.begun.if_wrong, False: self.begun.if_right}
            ways = (True, False) if answer is None else (failed(answer),)
            counts = [
                self._count(each for each, on in (follow_ups[way] or {}).items() if on == stage)
                for way in ways
                if stage not in self.skipped and stage not in self.standing
            ] or [(0, 0)]
            least += 1 + min(count[0] for count in counts)
            most += 1 + max(count[1] for count in counts)
        return least, most

    def _is_asked(self, stage: str) -> bool:
        """Return True unless it depends on an answer that was another, or is not given yet.

        What the person judges at the end decides nothing.
        """
        for conditions, wrong in ((self.begun.if_wrong, True), (self.begun.if_right, False)):
            earlier = conditions.get(stage) if conditions else None
            if earlier is not None:
                answer = None if earlier in self.standing else self.answers.get(earlier)
                return answer is not None and failed(answer) is wrong
        return True

    @property
    def next_stage(self) -> str | None:
        """The stage to be asked next, or ticked; None if it is over."""
        if self.ended is not None:
            return None
        return next(iter(self.to_tick if self.is_asked_through else self.left), None)

    @property
    def ending(self) -> Ending:
        """How it ended; `open` if it can be taken up again."""
        if self.ended is not None:
            return self.ended.how
        if self.next_stage is not None:
            return "open"
        return "time" if self.left else "done"


def failed(answer: MockAnswered) -> bool:
    """Return True if a stage is to be studied again: wrong, given up, or half of it missed."""
    return answer.gave_up or not answer.correct


def worth_of(answer: MockAnswered | Probed) -> float:
    """Return what an answer counts, -1 to 1; of one without a credit, its score."""
    return answer.score if answer.credit is UNSET else answer.credit


def read_words(answer: MockAnswered) -> str:
    """Return what the person wrote, without the points ticked that are stored below it."""
    ticked = " ".join(map(str, answer.covered))
    return answer.response.removesuffix(ticked).removesuffix("\n")


def is_doubted(answer: MockAnswered) -> bool:
    """Return True if points were ticked that the few words written can hardly hold."""
    return answer.kind == "recall" and bool(answer.covered) and is_terse(read_words(answer))


def was_lucky(answer: MockAnswered) -> bool:
    """Return True if it was a guess that was right, and counts nothing."""
    guessed = answer.credit is not UNSET and answer.confidence == Confidence.GUESS
    return guessed and answer.correct


def was_confident_error(answer: MockAnswered | Probed) -> bool:
    """Return True if the person was certain, and wrong."""
    grade, is_recall = Grade(answer.correct, answer.score), answer.kind == "recall"
    credit = worth_of(answer)
    return is_confident_error(answer.confidence, grade, is_recall=is_recall, credit=credit)


def interviews(events: Iterable[LogEntry]) -> list[InterviewRecord]:
    """Collect the interviews that events tell of, in the order in which they began.

    `events`: those that were not undone, in log order.
    """
    found: dict[str, InterviewRecord] = {}
    for event in events:
        body = event.body
        if isinstance(body, MockBegun):
            found[event.id] = InterviewRecord(event.id, body)
        elif (record := found.get(getattr(body, "interview", ""))) is not None:
            found[record.id] = _after(record, event)
    return list(found.values())


def _after(record: InterviewRecord, event: LogEntry) -> InterviewRecord:
    """Return an interview after one of its events."""
    match event.body:
        case MockAnswered() as answer:
            answers = {**record.answers, answer.stage: answer}
            ids = {**record.answer_events, answer.stage: event.id}
            return replace(record, answers=answers, answer_events=ids)
        case MockSkipped(stage=stage):
            return replace(record, skipped=record.skipped | {stage})
        case MockHinted(stage=stage, number=number):
            shown = max(number, record.hints.get(stage, 0))
            return replace(record, hints={**record.hints, stage: shown})
        case MockSubmitted() as submitted:
            before = record.submitted.get(submitted.stage, ())
            by_stage = {**record.submitted, submitted.stage: (*before, submitted)}
            return replace(record, submitted=by_stage)
        case Probed() as probed:
            earlier = record.probes.get(probed.stage, ())
            return replace(record, probes={**record.probes, probed.stage: (*earlier, probed)})
        case MockEnded() as ended:
            return replace(record, ended=ended)
        case MockQueued(questions=questions):
            return replace(record, queued=questions)
        case _:
            return record
