"""`Interview`: a mock interview that goes on, asked stage by stage like a session of the study.

Every answer is an event of its own kind; cards, queue, and statistics never see it. What an
interview consists of is decided when it begins; whatever time it is stopped, it can be taken up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET
from msgspec.structs import replace as replace_fields

from quizapp.deck.asked import NOT_ASKED
from quizapp.deck.index import Entry
from quizapp.domain.attempt import Attempt, GradedSubmission, Response
from quizapp.domain.credit import after_failures
from quizapp.domain.interview_theme import INPUTS_KIND, InterviewTheme, ThemeStage, fill_quotes
from quizapp.domain.languages import language_of, languages_of, put_in
from quizapp.domain.log.event_bounds import LONGEST_TEXT
from quizapp.domain.log.events import (
    Body,
    MockAnswered,
    MockEnded,
    MockHinted,
    MockSkipped,
    MockSubmitted,
)
from quizapp.domain.log.interview import InterviewRecord, interviews
from quizapp.domain.log.projection import Card
from quizapp.domain.question import (
    CODE_LANGUAGES,
    AnyQuestion,
    CodeLanguage,
    Index,
    InputChoice,
    Kernel,
    Language,
    Prose,
    PutQuestion,
    Recall,
    prose,
)
from quizapp.domain.queue import Item, Stage
from quizapp.domain.rating import Confidence, Effort
from quizapp.domain.starters import bare_kernel
from quizapp.domain.typed.inputs import take_up
from quizapp.exercises.faults import BadExercise
from quizapp.study.mock.quoting import knows_facts, quote_answer, quote_correct
from quizapp.study.mock.stage_questions import question_of
from quizapp.study.service import Study
from quizapp.study.sessions import recording
from quizapp.study.sessions.asking import Attempts
from quizapp.study.sessions.drawing import draw, linked_questions
from quizapp.study.values import GradedResponse, Turn

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms

Themes = Mapping[str, InterviewTheme]

_MINUTE_MS = 60_000


def records(study: Study) -> list[InterviewRecord]:
    """Read all interviews, in the order in which they began."""
    return interviews(study.store.mock_events())


def par_ms(stage: ThemeStage) -> int:
    """Return the time that the theme gives a stage."""
    return round(stage.minutes * _MINUTE_MS)


def _language_answered(answer: MockAnswered) -> CodeLanguage | None:
    """Return the language of the code of a stage that was answered; None if it had none."""
    return next((each for each in CODE_LANGUAGES if each == answer.language), None)


class StageAttempts(Attempts):
    """What an interview keeps of the attempt at a stage before its answer."""

    def __init__(self, interview: Interview) -> None:
        self._interview = interview

    def store_failure(self, turn: Turn, submission: GradedSubmission) -> None:
        """Store code that failed, once: it costs although the person leaves now.

        Raises StoreError: it is not stored.
        """
        known = self._interview.submitted(turn.item.question)
        if submission.ran and not submission.passed and submission.source not in known:
            self._submit(turn, Response(submission.source), gate=submission.gate)

    def keep_standing(self, turn: Turn, response: Response) -> None:
        """Store words that stand; they are compared with the model answer once all was asked.

        Raises StoreError: they are not stored.
        """
        if turn.stands is None:
            self._submit(turn, response, stands=True)
            self._interview.drop_drafts(turn.item.question)

    def submit(self, turn: Turn, checked: CheckedKernel) -> None:
        """Keep the code while a GPU judges it."""
        self.save_draft(turn.entry.id, checked.source, turn.language)

    def show_hint(self, turn: Turn, number: int) -> None:
        """Store that the `number`-th hint was shown. Raises StoreError: it is not stored."""
        going, stage = self._interview, turn.item.question
        now_ms = going.clock.now().utc_ms
        going.append(
            MockHinted(interview=going.record.id, stage=stage, number=number, utc_ms=now_ms)
        )

    def save_draft(self, question: str, text: str, language: CodeLanguage = "python") -> None:
        """Keep a half-written answer to the stage at hand; an empty one is forgotten."""
        record = self._interview.record
        if record.next_stage is not None:
            drafts = self._interview.study.attempts
            drafts.save_draft(self._interview.draft_key(record.next_stage), text, language)

    def _submit(
        self, turn: Turn, response: Response, *, stands: bool = False, gate: str = ""
    ) -> None:
        going = self._interview
        body = MockSubmitted(
            interview=going.record.id,
            stage=turn.item.question,
            response=response.text[:LONGEST_TEXT],
            utc_ms=going.clock.now().utc_ms,
            elapsed_ms=response.elapsed_ms,
            confidence=response.effort.confidence,
            stands=stands,
            gate=gate,
        )
        going.append(body)


class Interview:
    """A mock interview that goes on; like the study for one thread at a time."""

    def __init__(self, study: Study, themes: Themes, record: InterviewRecord) -> None:
        """Take up an interview where its record ends."""
        self.study = study
        self.record = record
        self.examiner = study.examiner
        self.clock = study.clock
        self._stages = {
            stage.id: (theme, stage) for theme in themes.values() for stage in theme.stages
        }
        self.attempts = StageAttempts(self)
        self._languages: dict[str, CodeLanguage] = {}

    # What an interface asks for

    def next(self) -> Turn | None:
        """Return the stage whose turn it is, to be asked or ticked; None once all is over.

        Raises StoreError: that it is over, or that a stage cannot be asked, is not stored.
        """
        self._read()  # questions about a kernel may have been answered since
        while (name := self.record.next_stage) is not None:
            turn = self.put(name)
            if turn is not None:
                return turn
            self.append(MockSkipped(interview=self.record.id, stage=name))
        if self.record.ended is None:
            how: Literal["done", "time"] = "time" if self.record.left else "done"
            now_ms = self.clock.now().utc_ms
            self.append(MockEnded(interview=self.record.id, how=how, utc_ms=now_ms))
            for stage in self.record.begun.stages:
                self.drop_drafts(stage)
        return None

    def still_asks(self, turn: Turn) -> bool:
        """Return True if this stage is the one to be answered."""
        return self.record.next_stage == turn.item.question

    def leave_out(self, question: str) -> None:
        """Skip the stage at hand, which has no verdict."""
        name = self.record.next_stage
        if name is not None:
            self.append(MockSkipped(interview=self.record.id, stage=name))

    def grade(self, turn: Turn, response: Response) -> GradedResponse:
        """Grade a response. Nothing is stored yet."""
        graded = recording.grade_apart(turn, response)
        name = turn.item.question
        stage = self._stages[name][1]
        effort, recall = response.effort, turn.question
        if isinstance(turn.question, Index | Kernel):
            graded = replace(graded, grade=after_failures(graded.grade, effort.failures))
        if not isinstance(recall, Recall):
            graded = recording.give_credit(graded)
        body = MockAnswered(
            interview=self.record.id,
            stage=name,
            question=stage.question,
            kind=turn.entry.kind,
            content_hash=turn.entry.content_hash,
            utc_ms=self.clock.now().utc_ms,
            correct=graded.grade.correct,
            score=graded.grade.score,
            hints=effort.hints,
            failures=effort.failures,
            gave_up=effort.gave_up,
            elapsed_ms=response.elapsed_ms,
            par_ms=par_ms(stage),
            confidence=effort.confidence,
            covered=response.covered,
            points=len(recall.rubric) if isinstance(recall, Recall) else 0,
            response=recording.readable(response),
            shown=quote_answer(turn.question, response, self._language),
            drawn=recording.describe_drawn(turn),
            language=turn.language if turn.languages else UNSET,
            chance=recording.chance_of(turn.question, effort),
            credit=UNSET if graded.credit is None else graded.credit,
        )
        return replace(graded, events=(self.study.progress.make_event(body),))

    def commit(self, graded: GradedResponse) -> None:
        """Store an answer. May be called again after a failure: it is stored once.

        Raises StoreError: it is not stored; the answer is still in `graded`.
        """
        self.study.store.append(graded.events)
        self.drop_drafts(graded.turn.item.question)
        self._read()

    def switch_language(self, turn: Turn) -> None:
        """Put the stage in its other language from now on, if it has one."""
        if turn.other_language is not None:
            self._languages[turn.item.question] = turn.other_language

    # What an interview has beyond a session

    def put(self, name: str, answer: str = "") -> Turn | None:
        """Put a stage; None if its theme or its question is gone, or cannot be computed.

        `answer`: what was answered, where that is looked at again, in place of a draft.
        """
        if name not in self._stages:
            return None
        theme, stage = self._stages[name]
        if stage.ask is None and not self.study.course.is_askable(stage.question):
            return None
        question = self._question(stage)
        language = self._language_of(name)
        try:
            put, drawn = draw(put_in(question, language), name, self.record.seed)
        except BadExercise:
            return None
        entry = self._entry(theme, stage)
        draft = answer or self.study.store.draft(self.draft_key(name), language_of(put)) or ""
        if isinstance(put, InputChoice):
            put = take_up(put, draft)
        if isinstance(put, Kernel):  # an interviewer's page is blank
            put = replace_fields(put, starter=bare_kernel(put.starter or "", put.kernel))
        item = Item(name, entry.topic, Stage.INTERVIEW, entry.kind)
        is_code = isinstance(put, Index | Kernel)
        position, least, most = self.record.place
        return Turn(
            item=item,
            entry=entry,
            question=self._with_context(put, theme, stage),
            card=Card(name),
            position=position,
            total=most,
            least_total=least,
            order=recording.draw_order(put, name, self.record.seed),
            draft=draft,
            drawn=drawn,
            hints=min(self.record.hints.get(name, 0), len(put.hints)),
            timed=self.examiner.measures(put),
            returns=False,
            linked=linked_questions(self.study.deck, entry, put),
            languages=languages_of(question),
            spent_ms=self._spent_ms(name),
            tried=self.submitted(name) if is_code else (),
            stands=None if is_code else self._standing(name),
            withholds=not self.record.is_asked_through,
        )

    def drop_drafts(self, stage: str) -> None:
        """Forget what was half-written at a stage, and its time."""
        for kept in (self.draft_key(stage), self._time_key(stage)):
            self.study.store.drop_drafts(kept, CODE_LANGUAGES)

    def par_ms(self, turn: Turn) -> int:
        """Return the time that the theme gives a stage."""
        return par_ms(self._stages[turn.item.question][1])

    def draft_key(self, stage: str) -> str:
        """Return what the draft of a stage is kept under."""
        return f"{self.record.id}/{stage}"

    def keep_time(self, turn: Turn, attempt: Attempt) -> None:
        """Keep what an answer has taken so far, so that the clock goes on from there.

        Raises StoreError: it is not kept.
        """
        if self.still_asks(turn):
            self._keep_ms(turn.item.question, attempt.elapsed_at(self.clock.now().utc_ms))

    @property
    def answers_stand(self) -> bool:
        """True: whoever has seen what is right does not answer again."""
        return True

    def take_back(self) -> None:
        """Take nothing back: whoever has seen what is right does not answer again."""

    def submitted(self, stage: str) -> tuple[str, ...]:
        """Return the code of a stage that failed, or the words that stand."""
        return tuple(each.response for each in self.record.submitted.get(stage, ()))

    def append(self, body: Body) -> None:
        """Store an event of the interview."""
        self.study.progress.append(body)
        self._read()

    # Inside

    @property
    def _language(self) -> Language:
        return self.study.settings.language

    def _language_of(self, stage: str) -> CodeLanguage:
        """Return the language of the code of a stage: as it was left, else as the latest one."""
        answers = self.record.answers
        left = self._languages.get(stage)
        if left is None and stage in answers:
            left = _language_answered(answers[stage])
        left = left or self.study.store.draft_language(self.draft_key(stage))
        for answer in reversed([*answers.values()]):
            left = left or _language_answered(answer)
        return left or self.study.settings.code_language

    def _read(self) -> None:
        self.record = next(r for r in records(self.study) if r.id == self.record.id)

    def _time_key(self, stage: str) -> str:
        """Return what the time of a stage is kept under, as a draft."""
        return f"{self.draft_key(stage)}/ms"

    def _spent_ms(self, stage: str) -> int:
        return int(self.study.store.draft(self._time_key(stage)) or 0)

    def _keep_ms(self, stage: str, elapsed_ms: int) -> None:
        now_ms = self.clock.now().utc_ms
        self.study.store.save_draft(self._time_key(stage), str(elapsed_ms), now_ms)

    def _standing(self, stage: str) -> Response | None:
        """Return the words that stand; None if there are none yet."""
        shown = next(iter(self.record.submitted.get(stage, ())), None)
        if shown is None:
            return None
        sure = None if shown.confidence is None else Confidence(shown.confidence)
        effort = Effort(confidence=sure)
        return Response(shown.response, effort=effort, elapsed_ms=shown.elapsed_ms)

    def _question(self, stage: ThemeStage) -> AnyQuestion:
        return question_of(self.study.deck, stage, self._language_of(stage.id))

    def _entry(self, theme: InterviewTheme, stage: ThemeStage) -> Entry:
        """Return what is known of the stage's question; of one that the theme holds, make it."""
        if stage.inputs is not None:
            entry = self.study.deck.entries[stage.question]
            return entry._replace(kind=INPUTS_KIND, content_hash=stage.content_hash)
        if stage.ask is None:
            return self.study.deck.entries[stage.question]
        ask, pack = stage.ask, theme.pack
        known = ask.topic in self.study.deck.topics
        names = (ask.topic.replace("-", " "),) * 2
        english, chinese = self.study.deck.topic_names(ask.topic, pack) if known else names
        return Entry(
            id=stage.id,
            kind=str(ask.__struct_config__.tag),
            topic=ask.topic,
            topic_en=english,
            topic_zh=chinese,
            concept=ask.concept,
            builds_on=(),
            asked=NOT_ASKED,
            difficulty=ask.difficulty,
            requires=(),
            rev=ask.rev,
            was=(),
            content_hash=stage.content_hash,
            file=theme.file,
            line=stage.line,
            changed=False,
            start=0,
            length=0,
        )

    def _with_context(
        self, question: PutQuestion, theme: InterviewTheme, stage: ThemeStage
    ) -> PutQuestion:
        """Add what the interviewer says before the question, and the answers that it quotes."""

        def fill(text: Prose) -> str:
            return fill_quotes(
                prose(text, self._language), lambda what, of: self._quote(theme, what, of)
            )

        first = next(s for s in self.record.begun.stages if s.startswith(f"{theme.id}/"))
        said = [theme.opening] if stage.id == first else []
        parts = [fill(text).strip() for text in (*said, stage.lead, question.prompt) if text]
        changed = replace_fields(
            question,
            prompt="\n\n".join(parts),
            hints=tuple(map(fill, question.hints)),
            explanation=fill(question.explanation),
        )
        if isinstance(changed, Recall):
            return replace_fields(changed, answer=fill(changed.answer))
        return changed

    def _quote(self, theme: InterviewTheme, what: str, name: str) -> str:
        """Return what a stage quotes of an earlier one of its theme."""
        stage = f"{theme.id}/{name}"
        given = self.record.answers.get(stage)
        question = self._question(self._stages[stage][1])
        put, _ = draw(put_in(question, self._language_of(stage)), stage, self.record.seed)
        if what == "wrong":
            if given is None or given.correct or knows_facts(put, given.response):
                return ""
            return given.shown
        if what == "answer":
            stands = None if isinstance(put, Index | Kernel) else self._standing(stage)
            written = "" if stands is None else quote_answer(put, stands, self._language)
            if shown := written if given is None else given.shown:
                return shown
        return quote_correct(put, self._language)
