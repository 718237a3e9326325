"""Mock interviews as a whole: which themes there are, how one begins, what its failures lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec import UNSET
from msgspec.structs import replace

from grader.did_you_mean import suggest
from grader.facts import fact
from quizapp.deck import interview_themes
from quizapp.deck.index import ContentRoot
from quizapp.deck.titles import find_titled
from quizapp.domain.errors import UsageError
from quizapp.domain.interview_theme import (
    INPUTS_KIND,
    InterviewStyle,
    InterviewTheme,
    ThemeStage,
    asked_stages,
    choose_themes,
    minutes_of,
)
from quizapp.domain.log.events import MockBegun, MockEnded, MockQueued
from quizapp.domain.log.interview import InterviewRecord, failed, is_doubted, was_lucky, worth_of
from quizapp.domain.question import LANGUAGES, prose
from quizapp.study.mock.interview import Interview, Themes, records
from quizapp.study.service import Study

DEFAULT_MINUTES = 45


@dataclass(frozen=True, slots=True)
class InterviewWish:
    """What a person asks for; without a theme or `resumes`, to see what there is.

    `places`: a placement instead. `again`: how the interview began that another person had.
    """

    theme: str | None = None
    style: InterviewStyle | None = None
    minutes: int | None = None
    resumes: bool = False
    places: bool = False
    again: MockBegun | None = None


def load_themes(study: Study, roots: Sequence[ContentRoot]) -> Themes:
    """Read the themes of which a stage can be asked in the deck as it is, in a fixed order."""
    found = interview_themes.load_themes(roots)
    return {name: theme for name, theme in found.items() if _kinds(study, theme)}


def unfinished(study: Study) -> InterviewRecord | None:
    """Return the latest interview that can be taken up; None if there is none."""
    return next((record for record in reversed(records(study)) if record.ending == "open"), None)


def end(study: Study, record: InterviewRecord) -> None:
    """End an interview for good, as incomplete; its answers stay in its report.

    Raises StoreError: it has not ended.
    """
    now_ms = study.clock.now().utc_ms
    ended = MockEnded(interview=record.id, how="left", utc_ms=now_ms)
    study.progress.append(ended)


def find_theme(themes: Themes, name: str) -> str:
    """Return the id of a theme that a person names: by it, without its pack, or by the title.

    Raises UsageError: there is none.
    """
    short = {each: each.rpartition("/")[2] for each in themes}
    titles = {
        each: (each, short[each], *(prose(theme.title, language) for language in LANGUAGES))
        for each, theme in themes.items()
    }
    found = find_titled(name, titles)
    if found:
        return found[0]
    raise UsageError(fact("mock.no-theme", name=name), suggest(name, short.values()))


def find_record(study: Study, number: int) -> InterviewRecord:
    """Return an interview by its number, from 1 in the order in which they began.

    Raises UsageError: there is none.
    """
    found = records(study)
    if not found:
        raise UsageError(fact("mock.no-interview-yet"))
    if not 1 <= number <= len(found):
        raise UsageError(fact("mock.no-interview", number=number, n=len(found)))
    return found[number - 1]


def find_id(study: Study, id_: str) -> InterviewRecord:
    """Return the interview with this id as the log has it now."""
    return next(record for record in records(study) if record.id == id_)


def begin_again(study: Study, themes: Themes, begun: MockBegun) -> Interview:
    """Begin an interview with the stages and the variants of another one.

    `begun`: how the other one began; every stage of it is known.

    Raises StoreError: nothing has begun.
    """
    return _begin(study, themes, begun)


def _begin(study: Study, themes: Themes, begun: MockBegun) -> Interview:
    """Store that an interview begins here and now."""
    now = study.clock.now()
    begun = replace(
        begun,
        earlier=len(records(study)),
        study_day=study.day,
        utc_ms=now.utc_ms,
        offset_s=now.offset_s,
    )
    event = study.progress.make_event(begun)
    study.store.append([event])
    return Interview(study, themes, InterviewRecord(event.id, begun))


def begin(
    study: Study, themes: Themes, style: InterviewStyle, minutes: int, theme: str | None = None
) -> Interview:
    """Begin an interview. One that is `unfinished` stays so: the person is asked about it first.

    `style`: on the phone nothing is programmed. `theme`: what it is about; None for what was asked
    longest ago or never, most asked by interviews first, as many as fit in `minutes`.

    Raises:
        UsageError: there is no theme.
        StoreError: nothing has begun.
    """
    if not themes:
        raise UsageError(fact("mock.no-themes"))
    earlier = records(study)
    stages = {name: asked_of(study, each, style) for name, each in themes.items()}
    frequencies = {each.question: each.frequency for each in study.course.candidates()}
    often = sorted(stages, key=lambda name: -_frequency(themes[name], frequencies))
    sizes = [(n, minutes_of(asked)) for n in often if (asked := stages[n])]
    taken = [name for record in earlier for name in record.begun.themes]
    chosen = (theme,) if theme is not None else choose_themes(sizes, taken, minutes)
    chosen_stages = [stage for name in chosen for stage in stages[name]]
    begun = MockBegun(
        themes=chosen,
        style=style,
        minutes=minutes,
        stages=tuple(stage.id for stage in chosen_stages),
        earlier=0,
        study_day=0,
        utc_ms=0,
        offset_s=0,
        if_wrong={s.id: s.if_wrong for s in chosen_stages if s.if_wrong} or UNSET,
        if_right={s.id: s.if_right for s in chosen_stages if s.if_right} or UNSET,
    )
    return _begin(study, themes, begun)


def _frequency(theme: InterviewTheme, frequencies: Mapping[str, int]) -> float:
    """Return how many lists ask for a concept of the theme, in the mean over its stages."""
    named = [frequencies.get(n, 0) for s in theme.stages for n in {s.question, *s.study} - {""}]
    return sum(named) / max(1, len(named))


def asked_of(study: Study, theme: InterviewTheme, style: InterviewStyle) -> tuple[ThemeStage, ...]:
    """Return the stages of a theme that an interview of this style asks."""
    kinds = _kinds(study, theme)
    return asked_stages(theme, style, lambda stage: kinds.get(stage.id))


def questions_to_study(study: Study, themes: Themes, record: InterviewRecord) -> tuple[str, ...]:
    """List questions of the deck to study after an interview, by what failed or is doubted.

    What cost most comes first.
    """
    stages = {stage.id: stage for theme in themes.values() for stage in theme.stages}
    costliest = sorted(record.answers.items(), key=lambda each: worth_of(each[1]))
    named = (
        name
        for stage, answer in costliest
        if failed(answer) or is_doubted(answer) or was_lucky(answer)
        for name in (answer.question, *(stages[stage].study if stage in stages else ()))
    )
    return tuple(dict.fromkeys(name for name in named if name in study.deck.entries))


def queue_failures(study: Study, themes: Themes, record: InterviewRecord) -> int:
    """Put what failed at the head of tomorrow's queue; return how many questions that are.

    Raises StoreError: nothing has changed.
    """
    questions = questions_to_study(study, themes, record)
    if questions and not record.queued:
        day = study.day + 1
        body = MockQueued(interview=record.id, questions=questions, day=day)
        study.progress.append(body)
    return len(questions)


def _kinds(study: Study, theme: InterviewTheme) -> dict[str, str]:
    """Return the kinds of the stages that can be asked, by the stages' ids."""
    found: dict[str, str] = {}
    for stage in theme.stages:
        if stage.ask is not None:
            found[stage.id] = str(stage.ask.__struct_config__.tag)
        elif study.course.is_askable(stage.question):
            kind = study.deck.entries[stage.question].kind
            found[stage.id] = INPUTS_KIND if stage.inputs is not None else kind
    return found
