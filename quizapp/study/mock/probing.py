"""`Probing`: questions made from a kernel that passed, asked one after the other, kept as events.

Cards, queue, and statistics never see them. How they are worded is their maker's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import UNSET

from quizapp.domain.attempt import GradedSubmission, Response
from quizapp.domain.log.events import Probed, Voided
from quizapp.domain.log.interview import InterviewRecord
from quizapp.domain.log.projection import Card
from quizapp.domain.question import Choice, Kernel, Number
from quizapp.domain.queue import Item, Stage
from quizapp.study.service import Study
from quizapp.study.sessions import recording
from quizapp.study.sessions.asking import Attempts
from quizapp.study.values import GradedResponse, Turn

FEWEST, MOST, MOST_IN_MOCK = 2, 5, 4
"""Questions about a kernel; a mock interview asks fewer, or one alone."""


class Probe(NamedTuple):
    """A question about the kernel, and the rule that made it."""

    rule: str
    question: Choice | Number


_OF_HARDWARE = frozenset(("cost", "pitch", "other-block"))
"""Rules whose answer takes a rule of the hardware; others are read or counted off the code."""


class ProbedStage(NamedTuple):
    """The stage of a mock interview whose kernel is asked about.

    `failed`: True if it failed before, so that what each line costs was shown.
    """

    interview: str
    stage: str
    failed: bool = False

    @classmethod
    def of(cls, record: InterviewRecord, stage: str) -> ProbedStage:
        """Return a stage of an interview, as far as it went."""
        return cls(record.id, stage, bool(record.failed_at(stage)))

    def asks(self, probe: Probe) -> bool:
        """Return True unless a probe needs no hardware, or the feedback on a failure told it."""
        return probe.rule in _OF_HARDWARE and not (self.failed and probe.rule == "cost")


def can_probe(turn: Turn, submission: GradedSubmission | None) -> bool:
    """Return True if there may be questions about a submission: a kernel that passed."""
    return isinstance(turn.question, Kernel) and submission is not None and submission.passed


class Probing:
    """The questions about one kernel that go on; like the study for one thread at a time."""

    def __init__(
        self, study: Study, about: Turn, probes: Sequence[Probe], stage: ProbedStage | None = None
    ) -> None:
        """Begin with the first.

        `about`: the question that the kernel answers. `probes`: what is asked, in order. `stage`:
        in which of a mock interview; None in study.
        """
        self.study = study
        self.examiner = study.examiner
        self.clock = study.clock
        self.attempts = Attempts()
        self._about = about
        self._probes = list(probes)
        self._stage = stage
        self._answered: dict[str, str] = {}

    @property
    def in_interview(self) -> bool:
        """True if they belong to a stage of a mock interview."""
        return self._stage is not None

    @property
    def answers_stand(self) -> bool:
        """True in a mock interview."""
        return self.in_interview

    def next(self) -> Turn | None:
        """Return the question whose turn it is; None at the end."""
        left = (each for each in self._probes if each.question.id not in self._answered)
        probe = next(left, None)
        return None if probe is None else self._turn(probe)

    def still_asks(self, turn: Turn) -> bool:
        """Return True if this question is still to be answered."""
        return turn.entry.id not in self._answered

    def leave_out(self, question: str) -> None:
        """Do not ask a question that has no verdict."""
        self._probes = [each for each in self._probes if each.question.id != question]

    def grade(self, turn: Turn, response: Response) -> GradedResponse:
        """Grade a response. Nothing is stored yet."""
        graded = recording.grade_apart(turn, response)
        if self.in_interview:
            graded = recording.give_credit(graded)
        effort = response.effort
        stage = self._stage or ProbedStage("", "")
        body = Probed(
            question=self._about.entry.id,
            probe=turn.entry.id,
            rule=next(each.rule for each in self._probes if each.question.id == turn.entry.id),
            kind=turn.entry.kind,
            study_day=self.study.day,
            utc_ms=self.clock.now().utc_ms,
            correct=graded.grade.correct,
            score=graded.grade.score,
            gave_up=effort.gave_up,
            elapsed_ms=response.elapsed_ms,
            confidence=effort.confidence,
            response=recording.readable(response),
            interview=stage.interview,
            stage=stage.stage,
            chance=recording.chance_of(turn.question, effort),
            credit=UNSET if graded.credit is None else graded.credit,
        )
        return replace(graded, events=(self.study.progress.make_event(body),))

    def commit(self, graded: GradedResponse) -> None:
        """Store an answer, once. Raises StoreError: it is not stored; it may be called again."""
        self.study.store.append(graded.events)
        self._answered[graded.turn.entry.id] = graded.event_id

    def switch_language(self, turn: Turn) -> None:
        """Change nothing: it is about code that is written."""

    def take_back(self) -> bool | None:
        """Take the latest answer back, so that it is asked again; False if there is none.

        In a mock interview every answer stands, hence None.

        Raises StoreError: it is not taken back.
        """
        if self.in_interview:
            return None
        if not self._answered:
            return False
        name, event = list(self._answered.items())[-1]
        self.study.progress.append(Voided(target=event))
        del self._answered[name]
        return True

    def _turn(self, probe: Probe) -> Turn:
        question, name = probe.question, probe.question.id
        kind = str(question.__struct_config__.tag)
        stage = Stage.PRACTICE if self._stage is None else Stage.INTERVIEW
        entry = self._about.entry._replace(
            id=name, kind=kind, difficulty=question.difficulty, requires=(), was=(), changed=False
        )
        about, place = self._about, (len(self._answered) + 1, len(self._probes))
        position, total = (about.position, about.total) if self.in_interview else place
        return Turn(
            item=Item(name, entry.topic, stage, kind),
            entry=entry,
            question=question,
            card=Card(name),
            position=position,
            total=total,
            least_total=about.least_total if self.in_interview else 0,
            part=place if self.in_interview else None,
            order=recording.draw_order(question, name, 0),
            returns=False,
            withholds=self.in_interview,
        )
