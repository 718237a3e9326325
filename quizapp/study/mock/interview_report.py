"""What an interview came to, as facts: stage by stage, in all, and beside the one before it.

Reads themes and deck only for names; of what they no longer have, the events tell the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import Literal

from msgspec import UNSET

from quizapp.domain.days import Instant, calendar_day
from quizapp.domain.grading import LEAST_WORDS, count_words, mean_above_chance
from quizapp.domain.interview_theme import (
    SKILLS,
    WRITTEN_KINDS,
    InterviewStyle,
    Skill,
    ThemeStage,
    skill_of,
)
from quizapp.domain.languages import put_in
from quizapp.domain.log.events import MockAnswered, Probed
from quizapp.domain.log.interview import (
    Ending,
    InterviewRecord,
    failed,
    read_words,
    was_confident_error,
    was_lucky,
)
from quizapp.domain.question import (
    CODE_LANGUAGES,
    AnyQuestion,
    CodeLanguage,
    Prose,
    PutQuestion,
    Recall,
    RubricPoint,
)
from quizapp.domain.rating import Confidence
from quizapp.exercises.faults import BadExercise
from quizapp.study.mock.interview import Themes, par_ms, records
from quizapp.study.mock.interviews import questions_to_study
from quizapp.study.mock.stage_questions import question_of
from quizapp.study.service import Study
from quizapp.study.sessions.drawing import draw

StageState = Literal["right", "wrong", "gave-up", "stands", "skipped", "not-reached"]
ToldState = Literal[StageState, "noted"]
"""Of a stage, while others are still to be asked, also that its answer is noted."""


@dataclass(frozen=True, slots=True)
class StageReport:
    """One stage. `name`: its own, and its theme's `pack/theme`. Times in milliseconds.

    `question`: what was asked, in the variant that was put, if it is still as it was, else None; of
    a stage that was not answered, what would be asked now. `score`: its grade; `credit`: what it
    counts, -1 to 1, None where the person judges, or an earlier version asked. `points`: how many
    its rubric has, and how many were covered. `covered`, `missed`: points of its rubric. `probes`:
    of the questions about its kernel, how many were right, and how many were asked;
    `missed_probes` were wrong. `counted`: what the program judged of it, each what it counts with
    what guesses score on average that is still in it: the stage, and all of its probes together.
    `failed_at`: the gates that its submissions failed at, as far as they were kept.
    `study`: questions of the deck that mend it, the nearest first.
    """

    theme: str
    name: str
    state: StageState
    kind: str = ""
    question: PutQuestion | None = None
    deck_question: str = ""
    score: float = 0.0
    credit: float | None = None
    points: tuple[int, int] = (0, 0)
    covered: tuple[RubricPoint, ...] = ()
    missed: tuple[RubricPoint, ...] = ()
    elapsed_ms: int = 0
    par_ms: int = 0
    hints: int = 0
    failures: int = 0
    confidence: int | None = None
    is_confident_error: bool = False
    is_lucky: bool = False
    response: str = ""
    skill: Skill = "problem-solving"
    probes: tuple[int, int] = (0, 0)
    missed_probes: tuple[Probed, ...] = ()
    counted: tuple[tuple[float, float], ...] = ()
    failed_at: tuple[str, ...] = ()
    study: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The stage's id: `pack/theme/stage`."""
        return f"{self.theme}/{self.name}"

    @property
    def worth(self) -> float:
        """What it counts, -1 to 1."""
        return self.score if self.credit is None else self.credit

    @property
    def cost(self) -> tuple[bool, float]:
        """What a list that begins with the costliest is sorted by: what was right comes last."""
        return self.state == "right", self.worth

    @property
    def probes_worth(self) -> float | None:
        """What the questions about its kernel count together, -1 to 1; None if they do not."""
        return worth_of_probes(self.counted[self.is_graded :])

    @property
    def is_answered(self) -> bool:
        """True if there was an answer, or it was given up."""
        return self.state in ("right", "wrong", "gave-up")

    @property
    def is_graded(self) -> bool:
        """True if the program judged it; what has no verdict is no part of a score."""
        return self.is_answered and self.kind != "recall"

    @property
    def is_self_judged(self) -> bool:
        """True if the person judged it, or gave up what they would have judged."""
        return self.is_answered and self.kind == "recall"

    @property
    def is_ticked(self) -> bool:
        """True if points were ticked after the answer was seen."""
        return self.is_self_judged and self.state != "gave-up"

    @property
    def is_doubtful(self) -> bool:
        """True if points were ticked that so short an answer can hardly hold."""
        return self.is_ticked and self.points[0] > 0 and self.words < LEAST_WORDS

    @property
    def is_weak(self) -> bool:
        """True if it did not go well: not right, at once, and in full, hardly said, or a guess."""
        slips = self.failures > 0 or self.is_doubtful or self.is_lucky
        return self.state != "right" or slips or bool(self.missed)

    @property
    def is_failed_code(self) -> bool:
        """True if it is code that never passed."""
        return self.kind in WRITTEN_KINDS and self.state in ("wrong", "gave-up")

    @property
    def words(self) -> int:
        """How many words the answer has; two Chinese characters count as one."""
        return count_words(self.response)


def worth_of_probes(counted: Sequence[tuple[float, float]]) -> float | None:
    """Return what questions about a kernel count together, -1 to 1; None if there are none.

    `counted`: of a `StageReport`, without that of the stage itself.
    """
    if not counted:
        return None
    score, chance = counted[0]
    return (score - chance) / (1 - chance)


@dataclass(frozen=True, slots=True)
class SkillReport:
    """What an interview showed of one skill: mean scores, 0–1, None where there is nothing.

    `graded` by the program, `ticked` by the person. `stages` is the evidence.
    """

    skill: Skill
    graded: float | None
    ticked: float | None
    stages: tuple[StageReport, ...]


@dataclass(frozen=True, slots=True)
class InterviewReport:
    """An interview. `number`: from 1, in the order in which they began. `day`: of the calendar.

    `is_asked_through`: no stage is asked any more, so that it may be told what is right. `titles`
    are of its themes, by id, where they are known. `to_study`: questions of the deck.
    `before`: the latest earlier interview that asked one of the same themes, if it can be one that
    was complete.
    """

    number: int
    id: str
    day: int
    style: InterviewStyle
    minutes: int
    ending: Ending
    titles: Mapping[str, Prose]
    stages: tuple[StageReport, ...]
    to_study: tuple[str, ...]
    queued: tuple[str, ...]
    before: InterviewReport | None = None
    is_asked_through: bool = True

    def number_of(self, stage: StageReport) -> int:
        """Return the number of a stage, from 1: the same everywhere."""
        return self.stages.index(stage) + 1

    def told_state(self, stage: StageReport) -> ToldState:
        """Return what is told of how a stage went: of code that it passed, else nothing yet."""
        judged = stage.state in ("right", "wrong") and stage.kind not in WRITTEN_KINDS
        return "noted" if judged and not self.is_asked_through else stage.state

    @property
    def told_stages(self) -> tuple[StageReport, ...]:
        """The stages that are told of: none that is still to come."""
        told = self.is_asked_through
        return tuple(each for each in self.stages if told or each.state != "not-reached")

    @property
    def can_queue(self) -> bool:
        """True if something failed, and can be put first from tomorrow on."""
        failed = any(stage.state in ("wrong", "gave-up") for stage in self.stages)
        return failed and self.ending != "open" and bool(self.to_study) and not self.queued

    @property
    def is_early(self) -> bool:
        """True if the person guessed nearly all, and should begin with the basics."""
        said = [each for each in self.answered if each.confidence or each.state == "gave-up"]
        guessed = [each for each in said if each.confidence in (None, Confidence.GUESS)]
        several = len(guessed) >= max(_FEWEST_GUESSES, _MOSTLY * len(said))
        return several and self.told_score is not None and self.told_score < _LITTLE

    @property
    def answered(self) -> tuple[StageReport, ...]:
        """The stages that were answered, or given up."""
        return tuple(stage for stage in self.stages if stage.is_answered)

    @property
    def score(self) -> float | None:
        """The mean of what the program graded above guessing, 0–1; None if it graded nothing."""
        return _mean_counted(self.stages)

    @property
    def told_score(self) -> float | None:
        """The same as far as it is told: not while a stage is still to be asked."""
        return self.score if self.is_asked_through else None

    @property
    def ticked(self) -> float | None:
        """The mean score of what the person judged, 0–1; None if that is nothing."""
        return _mean([stage.score for stage in self.stages if stage.is_self_judged])

    def count(self, *states: StageState) -> int:
        """Count the stages in one of these states."""
        return sum(stage.state in states for stage in self.stages)

    @property
    def points(self) -> tuple[int, int]:
        """Rubric points covered, and of how many."""
        covered = sum(stage.points[0] for stage in self.stages)
        return covered, sum(stage.points[1] for stage in self.stages)

    @property
    def probes(self) -> tuple[int, int]:
        """Questions about kernels that passed: how many were right, and how many were asked."""
        right = sum(stage.probes[0] for stage in self.stages)
        return right, sum(stage.probes[1] for stage in self.stages)

    @property
    def elapsed_ms(self) -> int:
        """The time that all answers took."""
        return sum(stage.elapsed_ms for stage in self.stages)

    @property
    def par_ms(self) -> int:
        """The time that the themes give what was answered."""
        return sum(stage.par_ms for stage in self.stages)

    @property
    def hints(self) -> int:
        """How many hints were shown."""
        return sum(stage.hints for stage in self.stages)

    @property
    def skills(self) -> tuple[SkillReport, ...]:
        """Each skill of which something was answered."""
        found = []
        for skill in SKILLS:
            own = tuple(stage for stage in self.answered if stage.skill == skill)
            if own:
                graded = _mean_counted(own)
                ticked = _mean([stage.score for stage in own if stage.is_self_judged])
                found.append(SkillReport(skill, graded, ticked, own))
        return tuple(found)

    @property
    def weaknesses(self) -> tuple[tuple[StageReport, str], ...]:
        """The stages that cost most, three at most, each with a question that mends it."""
        return self._mended[:_MOST_WEAKNESSES]

    @property
    def study_next(self) -> tuple[str, ...]:
        """Questions of the deck to study after those of `weaknesses`, five at most.

        First those that mend the stages that cost most next, then others that what failed names.
        """
        names = [*(name for _, name in self._mended), *self.to_study]
        others = [each for each in dict.fromkeys(names) if each not in self._taught]
        return tuple(others[len(self.weaknesses) :][:_MOST_TO_STUDY])

    @property
    def _mended(self) -> tuple[tuple[StageReport, str], ...]:
        """The stages that did not go well, the costliest first, each with a question that mends it.

        None is named twice, and none teaches nothing today.
        """
        weak = [stage for stage in self.answered if stage.is_weak]
        found: dict[str, StageReport] = {}
        for stage in sorted(weak, key=lambda each: each.cost):
            name = next((e for e in stage.study if e not in {*self._taught, *found}), None)
            if name is not None:
                found[name] = stage
        return tuple((stage, name) for name, stage in found.items())

    @property
    def _taught(self) -> set[str]:
        """The questions that were asked here, and whose solution was just shown.

        Only code that never passed is to be written again.
        """
        asked = {stage.deck_question for stage in self.stages}
        return asked - {stage.deck_question for stage in self.stages if stage.is_failed_code}

    @property
    def missed_probes(self) -> tuple[tuple[StageReport, Probed], ...]:
        """The questions about kernels that were wrong, each with its stage."""
        return tuple((stage, each) for stage in self.stages for each in stage.missed_probes)

    @property
    def confident_errors(self) -> tuple[tuple[StageReport, Probed | None], ...]:
        """What was wrong though the person was certain: stages, and questions about their kernels.

        Of a stage itself, there is None beside it.
        """
        stages = [(stage, None) for stage in self.stages if stage.is_confident_error]
        probes = [each for each in self.missed_probes if was_confident_error(each[1])]
        return (*stages, *probes)


_MOST_WEAKNESSES, _MOST_TO_STUDY = 3, 5
_LITTLE = 0.3
"""Below this score, a person who mostly guessed is told where to begin."""
_MOSTLY, _FEWEST_GUESSES = 0.6, 3
"""The share of answers that are guesses, or given up, and how many there are at least."""


def _mean(scores: Sequence[float]) -> float | None:
    return sum(scores) / len(scores) if scores else None


def _mean_counted(stages: Iterable[StageReport]) -> float | None:
    return mean_above_chance(chain.from_iterable(stage.counted for stage in stages))


def report(study: Study, themes: Themes, record: InterviewRecord) -> InterviewReport:
    """Report one interview."""
    found = records(study)
    number = next(i for i, each in enumerate(found) if each.id == record.id)
    earlier = [
        (i, each)
        for i, each in enumerate(found[:number])
        if {*each.begun.themes} & {*record.begun.themes} and each.answers
    ]
    complete = [(i, each) for i, each in earlier if each.ending == "done"]
    before = _report(study, themes, *(complete or earlier)[-1], None) if earlier else None
    return _report(study, themes, number, record, before)


def reports(study: Study, themes: Themes) -> list[InterviewReport]:
    """Report all interviews, in the order in which they began."""
    return [_report(study, themes, i, each, None) for i, each in enumerate(records(study))]


def _report(
    study: Study,
    themes: Themes,
    position: int,
    record: InterviewRecord,
    before: InterviewReport | None,
) -> InterviewReport:
    stages = {stage.id: stage for theme in themes.values() for stage in theme.stages}
    begun = record.begun
    return InterviewReport(
        number=position + 1,
        id=record.id,
        day=calendar_day(Instant(begun.utc_ms, begun.offset_s)),
        style=begun.style,
        minutes=begun.minutes,
        ending=record.ending,
        titles={name: themes[name].title for name in begun.themes if name in themes},
        stages=tuple(_stage(study, name, stages.get(name), record) for name in record.asked),
        to_study=questions_to_study(study, themes, record),
        queued=record.queued,
        before=before,
        is_asked_through=record.is_asked_through,
    )


def _stage(
    study: Study, name: str, stage: ThemeStage | None, record: InterviewRecord
) -> StageReport:
    theme, _, own = name.rpartition("/")
    answer = record.answers.get(name)
    if answer is None:
        put = _as_it_is(study, name, stage, record)
        state: StageState = "skipped" if name in record.skipped else "not-reached"
        if name not in record.to_tick:
            return StageReport(theme, own, state, question=put)
        written = record.submitted[name][0]
        return StageReport(
            theme,
            own,
            "stands",
            kind="recall",
            question=put,
            response=written.response,
            elapsed_ms=written.elapsed_ms,
            par_ms=0 if stage is None else par_ms(stage),
        )
    question = _as_asked(study, name, stage, record)
    probes = record.probes.get(name, ())
    points = question.rubric if isinstance(question, Recall) else ()
    return StageReport(
        theme,
        own,
        "gave-up" if answer.gave_up else "wrong" if failed(answer) else "right",
        kind=answer.kind,
        question=question,
        deck_question=answer.question,
        score=answer.score,
        credit=None if answer.credit is UNSET else answer.credit,
        points=(len(answer.covered), answer.points),
        covered=tuple(point for i, point in enumerate(points) if i in answer.covered),
        missed=tuple(point for i, point in enumerate(points) if i not in answer.covered),
        elapsed_ms=answer.elapsed_ms + sum(each.elapsed_ms for each in probes),
        par_ms=answer.par_ms,
        hints=answer.hints,
        failures=answer.failures,
        confidence=answer.confidence,
        is_confident_error=was_confident_error(answer),
        is_lucky=was_lucky(answer),
        response=read_words(answer),
        probes=(sum(each.correct for each in probes), len(probes)),
        missed_probes=tuple(each for each in probes if not each.correct),
        counted=tuple(_counted(answer, probes)),
        failed_at=record.failed_at(name),
        skill=skill_of(answer.kind, stage.skill if stage else None),
        study=_to_study(study, stage, answer, record),
    )


def _counted(answer: MockAnswered, probes: Sequence[Probed]) -> Iterator[tuple[float, float]]:
    """Yield what the program judged of a stage, as `StageReport.counted`.

    What an earlier version asked about a kernel did not count, and does not.
    """
    if answer.kind != "recall":
        yield _credit(answer)
    several = [_credit(each) for each in probes if each.chance is not UNSET]
    if several:
        score, chance = (fmean(column) for column in zip(*several, strict=True))
        yield score, chance


def _credit(answer: MockAnswered | Probed) -> tuple[float, float]:
    """Return what an answer counts; of an earlier version its score, with what a guess scores."""
    if answer.credit is not UNSET:
        return answer.credit, 0.0
    return answer.score, answer.chance or 0.0


def _to_study(
    study: Study, stage: ThemeStage | None, answer: MockAnswered, record: InterviewRecord
) -> tuple[str, ...]:
    """List what mends a stage: what it names, then what is about the same concept, then topic.

    Of those that are only near, the ones that are not asked yet come first, the easiest of them.
    """
    deck = study.deck
    named = tuple(each for each in (stage.study if stage else ()) if each in deck.entries)
    about = [deck.entries[each] for each in (answer.question, *named) if each in deck.entries]
    concepts, topics = {each.concept for each in about}, {each.topic for each in about}
    near = [
        entry
        for entry in deck.entries.values()
        if entry.topic in topics and study.course.is_askable(entry.id)
    ]
    seen = study.progress.cards
    near.sort(key=lambda each: (each.concept not in concepts, each.id in seen, each.difficulty))
    return tuple(dict.fromkeys((*named, *(each.id for each in near))))


def _as_it_is(
    study: Study, name: str, stage: ThemeStage | None, record: InterviewRecord
) -> PutQuestion | None:
    """Return the question that a stage asks, with what is drawn for it, unless it is gone."""
    if stage is None or (stage.question and stage.question not in study.deck.entries):
        return None
    language = _language_of(study, record.answers.get(name))
    return _put(question_of(study.deck, stage, language), name, language, record)


def _as_asked(
    study: Study, name: str, stage: ThemeStage | None, record: InterviewRecord
) -> PutQuestion | None:
    """Return the question that was answered, unless it has changed since, or is gone."""
    answer = record.answers[name]
    if not is_as_asked(study, stage, answer):
        return None
    if stage is None or (answer.question and stage.inputs is None):
        language = _language_of(study, answer)
        return _put(study.deck.question(answer.question), name, language, record)
    return _as_it_is(study, name, stage, record)


def is_as_asked(study: Study, stage: ThemeStage | None, answer: MockAnswered) -> bool:
    """Return True if the question of a stage is there, and as it was answered."""
    if answer.question and (stage is None or stage.inputs is None):
        entry = study.deck.entries.get(answer.question)
        return entry is not None and entry.content_hash == answer.content_hash
    return stage is not None and stage.content_hash == answer.content_hash


def _put(
    question: AnyQuestion, name: str, language: CodeLanguage, record: InterviewRecord
) -> PutQuestion | None:
    """Put a question as the interview does; None if it cannot be computed."""
    try:
        return draw(put_in(question, language), name, record.seed)[0]
    except BadExercise:
        return None


def _language_of(study: Study, answer: MockAnswered | None) -> CodeLanguage:
    """Return the language in which the code of a stage was put, or would be."""
    if answer is not None and answer.language in CODE_LANGUAGES:
        return answer.language
    return study.settings.code_language
