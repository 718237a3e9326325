"""Mock interviews: what is asked, what is kept, that no schedule moves, and what is reported."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

import pytest
from msgspec import UNSET
from msgspec.structs import replace as replace_fields

from quizapp.deck.deck import Deck
from quizapp.deck.index import CompiledDeck, ContentRoot
from quizapp.domain.actions import (
    Accept,
    GiveUp,
    NothingWritten,
    Pick,
    StarterUnchanged,
    Submit,
    TakeVerdict,
    Write,
)
from quizapp.domain.attempt import Phase, Response, advance
from quizapp.domain.errors import UsageError
from quizapp.domain.interview_theme import minutes_of
from quizapp.domain.log.events import MockSubmitted
from quizapp.domain.question import LANGUAGES, Kernel, Number, Recall, RubricPoint, Spot, prose
from quizapp.domain.rating import Confidence
from quizapp.plain.question import describe
from quizapp.report.studying import interview as text
from quizapp.report.studying import interview_json
from quizapp.report.verdicts.check_names import check_name
from quizapp.report.words import Words
from quizapp.study.home_values import Filter
from quizapp.study.mock import interviews
from quizapp.study.mock.interview import Interview, records
from quizapp.study.mock.interview_report import InterviewReport, StageReport, report
from quizapp.study.mock.walkthrough import Walkthrough
from quizapp.study.service import Study
from quizapp.study.values import Turn
from tests import mock_theme
from tests.examining import EXAMINER
from tests.study.tools import ROOT, TODAY, right, wrong

TRANSPOSE = "shared-memory/transpose-at-a-third"
SAY = Words("en")


class Failed(NamedTuple):
    """Code that ran, and failed."""

    source: str
    passed: bool = False
    gate: str = "result"
    ran: bool = True
    unchanged: bool = False


def themes_of(study: Study):
    roots = [ContentRoot(str(root), "") for root in (ROOT / "content", mock_theme.ROOT)]
    return interviews.load_themes(study, roots)


def begin(study: Study, style="screen", minutes=45, theme=TRANSPOSE) -> Interview:
    return interviews.begin(study, themes_of(study), style, minutes, theme)


def answer(interview: Interview, *, correct: bool = True, minutes: float = 1, **more) -> Turn:
    """Answer the stage at hand after so many minutes."""
    turn = interview.next()
    assert turn is not None
    respond = right if correct else wrong
    given = respond(turn, elapsed_ms=round(minutes * 60_000), **more)
    interview.commit(interview.grade(turn, given))
    return turn


def ended(interview: Interview) -> InterviewReport:
    """End an interview, since what is right is told only then, and report it."""
    study = interview.study
    interviews.end(study, interview.record)
    record = interviews.find_id(study, interview.record.id)
    return report(study, themes_of(study), record)


def header(interview: Interview) -> str:
    turn = interview.next()
    assert turn is not None
    return next(describe(turn, SAY)).partition(" · ")[0]


def prompt(turn: Turn) -> str:
    return prose(turn.question.prompt, "en")


def test_stages_come_one_after_the_other_and_quote_earlier_answers(person):
    interview = begin(person().open())
    first = answer(interview)
    assert prompt(first).startswith("A float matrix")
    second = interview.next()
    assert second is not None
    assert prompt(second).startswith("Put a number on another case.")
    assert isinstance(second.question, Number)
    given = wrong(second, elapsed_ms=1)
    interview.commit(interview.grade(second, given))
    third = answer(interview)
    assert prompt(third).startswith("You said 69. By the bank model it is 34.")
    fourth = answer(interview)
    assert "def transpose(image, out):" in prompt(fourth)
    answer(interview)
    assert interview.next() is None
    assert interview.record.ending == "done"


def test_another_persons_interview_has_the_same_variants(person):
    first = begin(person().open())
    study = person().open()
    answer(begin(study))  # so that it is another interview's turn here
    again = interviews.begin_again(
        study, themes_of(study), replace_fields(first.record.begun, seed=0)
    )
    assert again.record.begun.earlier == 1
    mine, theirs = again.next(), first.next()
    assert mine is not None
    assert theirs is not None
    assert (mine.question, mine.order) == (theirs.question, theirs.order)


def test_a_stage_may_depend_on_the_answer_to_an_earlier_one(person):
    study = person().open()
    theme = themes_of(study)[TRANSPOSE]
    first, second, third, fourth, *rest = theme.stages
    second = replace(second, if_wrong=first.id, skill="correctness")
    third = replace(third, if_right=first.id)
    theme = replace(theme, stages=(first, second, third, fourth, *rest))
    assert minutes_of((first, second, third)) == first.minutes + max(second.minutes, third.minutes)
    interview = interviews.begin(study, {TRANSPOSE: theme}, "screen", 45, TRANSPOSE)
    assert interview.record.place == (1, 4, 4)  # one of both follows
    answer(interview)
    turn = interview.next()
    assert turn is not None
    assert turn.item.question == third.id
    assert turn.total == 4
    interview = interviews.begin(study, {TRANSPOSE: theme}, "screen", 45, TRANSPOSE)
    answer(interview, correct=False)
    assert answer(interview, correct=False).item.question == second.id
    turn = interview.next()
    assert turn is not None
    assert turn.item.question == rest[0].id  # the fourth is code
    assert turn.position == 3
    interviews.end(study, interview.record)
    told = report(study, {TRANSPOSE: theme}, records(study)[-1])
    assert third.name not in {stage.name for stage in told.stages}
    skills = {each.skill: each for each in told.skills}
    assert [stage.name for stage in skills["correctness"].stages] == [second.name]
    assert skills["correctness"].graded == 0
    assert [stage.name for stage, _ in told.weaknesses] == [second.name, first.name]
    lines = text.lines(told, study.deck, SAY)
    shown = "\n".join("".join(part for part, _ in line) for line in lines)
    assert "correctness and testing" in shown
    assert "Work on these" in shown
    assert shown.index("    Right: 34 wavefronts") < shown.index("  1. Why is it slow?")


def test_the_header_has_bounds_while_the_number_of_stages_depends_on_an_answer(person):
    study = person().open()
    theme = themes_of(study)[TRANSPOSE]
    first, second, third, *rest = theme.stages
    depend = (replace(second, if_wrong=first.id), replace(third, if_wrong=second.id))
    theme = replace(theme, stages=(first, *depend, *rest))
    interview = interviews.begin(study, {TRANSPOSE: theme}, "screen", 45, TRANSPOSE)
    shown = [header(interview)]
    for correct in (False, True):
        answer(interview, correct=correct)
        shown.append(header(interview))
    assert shown == ["1 of 3 to 5", "2 of 4 to 5", "3 of 4"]
    interview = interviews.begin(study, {TRANSPOSE: theme}, "screen", 45, TRANSPOSE)
    for _ in range(2):
        answer(interview, correct=False)
    assert header(interview) == "3 of 5"


def test_an_interview_on_site_asks_for_code_and_quotes_what_was_submitted(person):
    interview = begin(person().open(), style="onsite")
    for _ in range(3):
        answer(interview)
    turn = interview.next()
    assert turn is not None
    assert isinstance(turn.question, Kernel)
    mine = (turn.question.solution or "") + "\n# as I wrote it"
    given = right(turn, elapsed_ms=1)
    given = type(given)(text=mine, credit=1.0, effort=given.effort)
    interview.commit(interview.grade(turn, given))
    later = interview.next()
    assert later is not None
    assert "# as I wrote it" in prompt(later)


def test_no_schedule_and_no_statistics_know_of_it(person):
    study = person().open()
    before = study.store.dump()
    due = [item.question for item in study.session.begin(Filter()).waiting]
    interview = begin(study)
    while interview.next() is not None:
        answer(interview, correct=False)
    assert study.store.dump() == before
    assert study.store.latest_day() is None
    assert [item.question for item in study.session.begin(Filter()).waiting] == due


def test_it_is_over_when_its_time_is(person):
    interview = begin(person().open(), minutes=5)
    answer(interview, minutes=3)
    answer(interview, minutes=2.5)
    assert interview.next() is None
    assert interview.record.ending == "time"


def test_a_program_that_is_killed_goes_on_with_the_stage_and_what_was_written(person):
    one = person()
    study = one.open()
    interview = begin(study)
    answer(interview)
    turn = interview.next()
    assert turn is not None
    interview.attempts.show_hint(turn, 1) if turn.question.hints else None
    interview.attempts.save_draft(turn.entry.id, "12", "python")
    study = one.reopen()
    study.course.settings = replace_fields(study.settings, code_language="cuda")
    record = interviews.unfinished(study)
    assert record is not None
    again = Interview(study, themes_of(study), record).next()
    assert again is not None
    assert again.item.question == turn.item.question
    assert again.draft == "12", "whatever language code is written in"
    assert report(study, themes_of(study), record).ending == "open"


def resumed(study: Study) -> Interview:
    record = interviews.unfinished(study)
    assert record is not None
    return Interview(study, themes_of(study), record)


def test_the_clock_of_a_stage_goes_on_where_it_was_left(person):
    """Else one could think off the clock."""
    one = person()
    study = one.open()
    interview = begin(study)
    turn = interview.next()
    assert turn is not None
    attempt = turn.begin(interview.clock.now().utc_ms - 20_000, asks_confidence=False)
    interview.keep_time(turn, attempt)
    interview = resumed(one.reopen())
    again = interview.next()
    assert again is not None
    now_ms = interview.clock.now().utc_ms
    attempt = again.begin(now_ms, asks_confidence=False)
    assert attempt.elapsed_at(now_ms + 3_000) == 23_000
    answered = advance(advance(attempt, GiveUp(now_ms + 5_000)), Accept(now_ms + 9_000))
    assert answered.response.elapsed_ms == 25_000, "what it took before it was left, too"
    interview.commit(interview.grade(again, answered.response))
    interview.keep_time(again, answered)
    after = interview.next()
    assert after is not None
    assert after.spent_ms == 0
    answer(interview)
    assert not study.store.drafts(), "of an answered stage nothing is kept"


def test_a_kernel_reopens_in_the_language_of_its_draft_and_a_later_one_begins_in_it(person):
    one = person()
    study = one.open()
    every = (s for each in themes_of(study).values() for s in each.stages)
    asked = {s.question: s.id for s in every if not s.inputs}
    kernels = ("kernel-reduce-shuffle", "kernel-transpose-padded")
    stages = tuple(asked[f"shared-memory/{name}"] for name in kernels)
    begun = replace_fields(begin(study).record.begun, stages=stages)
    interview = interviews.begin_again(study, themes_of(study), begun)
    seen = []
    while (turn := interview.next()) is not None:
        if not seen:
            interview.switch_language(turn)
            turn = interview.next()
            assert turn is not None
            interview.attempts.save_draft(turn.entry.id, "// mine", turn.language)
            interview = resumed(one.reopen())
            turn = interview.next()
            assert turn is not None
            assert turn.draft == "// mine"
        seen.append(turn.language)
        answer(interview)
    assert seen == ["cuda", "cuda"]


def test_an_interview_that_is_ended_is_incomplete_and_keeps_its_answers(person):
    study = person().open()
    first = begin(study)
    answer(first)
    interviews.end(study, first.record)
    assert interviews.unfinished(study) is None
    ended = report(study, themes_of(study), records(study)[0])
    assert (ended.ending, len(ended.answered)) == ("left", 1)


def test_every_unfinished_interview_can_be_taken_up_the_latest_first(person):
    """Another machine's may have come by a sync while one went on here."""
    study = person().open()
    first, second = begin(study), begin(study)
    assert [record.ending for record in records(study)] == ["open", "open"]
    assert interviews.unfinished(study) == second.record
    interviews.end(study, second.record)
    assert interviews.unfinished(study) == first.record


def test_an_interview_whose_last_answer_is_stored_is_over_though_the_program_was_killed(person):
    study = person().open()
    interview = begin(study, minutes=5)
    answer(interview, minutes=6)
    assert [record.ending for record in records(study)] == ["time"]
    assert interviews.unfinished(study) is None


def say_words(interview: Interview, words: str, seconds: int) -> Turn:
    """Answer the recall at hand with these words, which stand."""
    turn = interview.next()
    assert turn is not None
    now = interview.clock.now().utc_ms
    attempt = turn.begin(now, asks_confidence=True)
    for action in (Write(now, words), Submit(now + seconds * 1000)):
        attempt = advance(attempt, action)
    assert attempt.phase is Phase.STANDING, "how sure one is changes nothing here"
    assert not attempt.shows_answer
    interview.attempts.keep_standing(turn, attempt.response)
    return turn


def test_words_stand_and_are_compared_once_all_was_asked(person):
    """The model answer teaches what later stages ask."""
    one = person()
    interview = begin(one.open())
    said = say_words(interview, "banks", 9)
    later = interview.next()
    assert later is not None
    assert (later.position, interview.record.elapsed_ms) == (2, 9_000)
    interview.attempts.save_draft(later.entry.id, "12", "python")
    interview = resumed(one.reopen())
    while (again := interview.next()) is not None and again.stands is None:
        assert again.withholds
        answer(interview)
    assert again is not None
    assert (again.item.question, again.withholds) == (said.item.question, False)
    interview = resumed(one.reopen())
    assert text.place_fields(interview.record, SAY)["place"].startswith("1 answer is still to be")
    found = report(interview.study, themes_of(interview.study), interview.record)
    assert (found.ending, found.stages[0].state, found.ticked) == ("open", "stands", 1)
    assert "Still to be compared by you" in text.markdown(found, interview.study.deck, SAY)
    again = interview.next()
    assert again is not None
    one.clock.move(hours=1)
    before, now = interview.record.elapsed_ms, interview.clock.now().utc_ms
    attempt = again.begin(now, asks_confidence=True)
    assert attempt.phase is Phase.COMPARING
    for action in (Write(now, "what the model answer says"), Pick(now, 1), Accept(now + 60_000)):
        attempt = advance(attempt, action)
    response = attempt.response
    assert (response.text, response.covered, response.elapsed_ms) == ("banks", (1,), 9_000)
    assert response.effort.confidence is None
    interview.commit(interview.grade(again, response))
    assert interview.record.elapsed_ms == before, "the clock had stopped"
    assert interview.take_back() is None
    assert interview.next() is None
    assert interview.record.ending == "done"


def test_words_that_are_ticked_at_the_end_decide_no_follow_up(person):
    study = person().open()
    theme = themes_of(study)[TRANSPOSE]
    first, second, third, *_ = theme.stages
    depend = (replace(second, if_wrong=first.id), replace(third, if_right=first.id))
    theme = replace(theme, stages=(first, *depend))
    interview = interviews.begin(study, {TRANSPOSE: theme}, "screen", 45, TRANSPOSE)
    say_words(interview, "banks", 9)
    answer(interview)
    assert interview.next() is None
    assert interview.record.asked == (first.id,)


def test_what_words_that_stand_said_is_quoted_before_they_are_ticked(person):
    study = person().open()
    theme = themes_of(study)[TRANSPOSE]
    first, second, *rest = theme.stages
    second = replace(second, lead="You said: [[answer:why]]")
    theme = replace(theme, stages=(first, second, *rest))
    interview = interviews.begin(study, {TRANSPOSE: theme}, "screen", 45, TRANSPOSE)
    say_words(interview, "banks", 9)
    later = interview.next()
    assert later is not None
    assert prompt(later).startswith("You said: > banks")


def test_while_a_stage_is_still_to_be_asked_a_report_says_not_how_it_went(person):
    study = person().open()
    interview = begin(study)
    say_words(interview, "banks", 9)
    answer(interview, correct=False, confidence=Confidence.CERTAIN)
    found = report(study, themes_of(study), interview.record)
    said = text.markdown(found, study.deck, SAY)
    assert "| noted · certain | – |" in said
    for told in ("34", "%  ", "Work on these", "What to study", "not reached", "✗"):
        assert told not in said
    plain = interview_json.report_as_plain(found)
    assert [(each["state"], each["score"]) for each in plain["stages"]] == [
        *(("stands", None), ("noted", None)),
    ]
    assert (plain["score"], plain["confident_errors"], plain["to_study"]) == (None, [], [])
    listed = "".join(part for line in text.list_lines([found], SAY) for part, _ in line)
    assert "%" not in listed.replace("30% of the bandwidth", "")
    assert "✗ wrong · certain | −100% |" in text.markdown(ended(interview), study.deck, SAY)


def test_an_answer_is_shown_as_it_was_given_when_all_are_gone_through(person):
    study = person().open()
    theme = themes_of(study)[TRANSPOSE]
    stages = {stage.name: stage for stage in theme.stages}
    spot = "shared-memory/spot-rotated-transpose-costly-line"
    bug = replace(stages["why"], ask=None, question=spot, content_hash="")
    theme = replace(theme, stages=(bug, *(stages[n] for n in ("wavefronts", "counter", "fix"))))
    interview = interviews.begin(study, {TRANSPOSE: theme}, "onsite", 45, TRANSPOSE)
    given = []
    while (turn := interview.next()) is not None:
        response = right(turn, elapsed_ms=1)
        if isinstance(turn.question, Spot):
            kind = turn.question.kinds[1]
            response = Response(f"line 3: {kind}", picked=(1,), claimed_bug=(3, kind))
        interview.commit(interview.grade(turn, response))
        given.append(response)
    going = Walkthrough(study, {TRANSPOSE: theme}, interview.record)
    assert len(going.places) == len(given) == 4
    for place, response in zip(going.places, given, strict=True):
        turn = going.turn_at(place)
        assert turn is not None
        assert turn.answered is not None
        assert turn.answered.shows_answer
        again = turn.answered.response
        kept = (again.picked, again.value, again.covered, again.claimed_bug)
        assert kept == (response.picked, response.value, response.covered, response.claimed_bug)
        assert turn.answered.is_written <= (again.text == response.text)


def test_words_of_an_earlier_version_are_ticked_where_they_were_said(person):
    """The model answer was shown beside them at once."""
    interview = begin(person().open())
    turn = interview.next()
    assert turn is not None
    stage, now = turn.item.question, interview.clock.now().utc_ms
    body = MockSubmitted(interview=interview.record.id, stage=stage, response="banks", utc_ms=now)
    interview.append(body)
    again = interview.next()
    assert again is not None
    assert again.item.question == stage
    assert again.begin(now, asks_confidence=False).phase is Phase.COMPARING


@pytest.mark.parametrize(
    ("failures", "score"),
    [
        (1, 0.7),
        (5, 0.3),
        *(pytest.param(*row, marks=pytest.mark.long) for row in ((0, 1), (2, 0.4))),
    ],
)
def test_code_that_failed_first_scores_less_though_the_program_was_left(person, failures, score):
    """Leaving wipes out no failure, and the same code fails once."""
    one = person()
    interview = begin(one.open(), style="onsite")
    for _ in range(3):
        answer(interview)
    for n in range(failures):
        turn = interview.next()
        assert turn is not None
        assert isinstance(turn.question, Kernel)
        code = f"{turn.question.starter}\n# {n}\n"
        failed = Failed(code, gate="findings: race" if n else "result")
        for _ in range(2):
            interview.attempts.store_failure(turn, failed)
        interview = resumed(one.reopen())
    turn = interview.next()
    assert turn is not None
    tried = turn.begin(interview.clock.now().utc_ms, asks_confidence=False).response.effort
    assert tried.failures == failures
    graded = interview.grade(turn, replace(right(turn), effort=tried))
    assert (graded.grade.correct, graded.grade.score) == (True, score)
    interview.commit(graded)
    found = ended(interview)
    weak = [(stage.name, stage.is_weak) for stage in found.stages if stage.kind == "kernel"]
    assert weak == [("fix", failures > 0)]
    for language in LANGUAGES:
        said = text.markdown(found, interview.study.deck, Words(language))
        cost = Words(language)("mock.failures-cost", cost="30%", least="30%")
        assert (cost in said) is (failures > 0)
        assert Words(language)("mock.both-cost", left="56%") not in said, "there was no hint"
        for gate, n in (("result", 0), ("findings: race", 1)):
            kind = check_name(gate, Words(language))
            assert (kind in said) is (failures > n), "what to work on names what was found"


def test_code_that_is_missing_or_wrong_or_costs_too_much_counts_nothing(person):
    interview = begin(person().open(), style="onsite")
    for _ in range(3):
        answer(interview)
    turn, now = interview.next(), interview.clock.now().utc_ms
    assert turn is not None
    assert isinstance(turn.question, Kernel)
    attempt = turn.begin(now, asks_confidence=True)
    for code, why in (("", NothingWritten), (turn.question.starter, StarterUnchanged)):
        with pytest.raises(why):
            advance(advance(attempt, Write(now, code)), Submit(now))
    solution = turn.question.solution or ""
    wrong = solution.replace("cuda.syncthreads()", "pass")
    slow = solution.replace("PITCH = TILE + 1", "PITCH = TILE")  # right, with conflicts
    for code in (wrong, slow):
        checked = EXAMINER.check(turn.question, code)
        for action in (Write(now, code), Submit(now), TakeVerdict(now, checked)):
            attempt = advance(attempt, action)
    attempt = advance(attempt, GiveUp(now))
    assert attempt.failed == (wrong, slow)
    graded = interview.grade(turn, attempt.response)
    assert (graded.grade.score, graded.credit) == (0, 0)


def test_each_weakness_leads_to_another_question_and_code_that_never_passed_to_itself(person):
    study = person().open()
    themes = themes_of(study)
    interview = begin(study, style="onsite")
    while (turn := interview.next()) is not None:
        answer(interview, correct=turn.item.question.endswith(("/wavefronts", "/counter")))
    found = report(study, themes, interview.record)
    mends = {stage.name: name.rpartition("/")[2] for stage, name in found.weaknesses}
    assert len({*mends.values()}) == len(mends) == 3
    asked = {stage.deck_question.rpartition("/")[2] for stage in found.stages}
    assert {*mends.values()} & asked == {"kernel-transpose-padded"}
    assert mends["fix"] == "kernel-transpose-padded"
    assert mends["why"] == "spot-conflicting-transpose-line"


def test_what_failed_heads_tomorrows_queue_until_it_is_answered_and_one_key_undoes_that(person):
    one = person()
    study = one.open()
    themes = themes_of(study)
    interview = begin(study)
    for correct in (True, True, False, True, True):
        answer(interview, correct=correct)
    assert interview.next() is None
    wanted = interviews.questions_to_study(study, themes, interview.record)
    assert set(wanted) == {
        "shared-memory/interview-find-conflicts",
        "shared-memory/gemm-conflict-counter-and-wavefronts",
    }
    assert interviews.queue_failures(study, themes, interview.record) == 2
    assert study.session.begin(Filter()).first == ()
    one.clock.move(days=1)
    study.session.begin(Filter())
    asked = {study.session.next().entry.id}
    study.session.commit(study.session.grade(turn := study.session.next(), right(turn)))
    asked.add(study.session.next().entry.id)
    assert asked == {*wanted}
    study.history.undo()
    undone = study.history.undo()
    assert undone is not None
    assert undone.what == "mock-queue"
    study.session.begin(Filter())
    assert study.session.next().entry.id not in wanted


@pytest.mark.parametrize(("text", "doubted"), [("hm, banks", True), ("", False)])
def test_what_was_ticked_on_a_few_words_is_to_be_studied_too(person, text, doubted):
    study = person().open()
    themes = themes_of(study)
    interview = begin(study)
    while (turn := interview.next()) is not None and not isinstance(turn.question, Recall):
        answer(interview)
    assert turn is not None
    interview.commit(interview.grade(turn, replace(right(turn), text=text)))
    stage, asked = next(
        each for each in interview.record.answers.items() if each[1].kind == "recall"
    )
    study_next = next(s.study for theme in themes.values() for s in theme.stages if s.id == stage)
    named = {asked.question, *study_next}
    wanted = interviews.questions_to_study(study, themes, interview.record)
    assert bool(named.intersection(wanted)) is doubted


def test_the_report_has_points_time_certainty_and_what_to_study(person):
    study = person().open()
    themes = themes_of(study)
    interview = begin(study, minutes=5)
    say_words(interview, "", 90)
    answer(interview, minutes=3.5, confidence=Confidence.GUESS)
    turn = interview.next()
    assert turn is not None, "the time is up, and there is something to tick"
    now = study.clock.now().utc_ms
    attempt = turn.begin(now, asks_confidence=True)
    for action in (Pick(now + 200_000, 1), Accept(now + 300_000)):
        attempt = advance(attempt, action)
    interview.commit(interview.grade(turn, attempt.response))
    assert interview.next() is None
    assert interview.record.ending == "time"
    found = report(study, themes, interview.record)
    first = found.stages[0]
    assert first.elapsed_ms == 90_000, "comparing with the rubric does not count"
    assert (first.points, len(first.covered), len(first.missed)) == ((1, 4), 1, 3)
    assert found.points == (1, 4)
    heaviest = sorted(first.missed, key=lambda point: -point.weight)[:2]
    weakest, mends = found.weaknesses[0]
    assert weakest is first
    points = "; ".join(prose(each.point, "en").rstrip(".") for each in heaviest)
    said = "".join(
        "".join(t for t, _ in line) + "\n" for line in text.lines(found, study.deck, SAY)
    )
    assert "  1. Why is it slow? First say what you rule out. · 1 of 4, your judgment · 17%" in said
    assert f"    Not said: {points}\n    Study: " in said
    assert f"\n    quiz start --only {mends}\n" in said
    assert "shared-memory/interview-padding-versus-swizzle" in found.to_study
    assert [stage.state for stage in found.stages] == [
        *("wrong", "right", "not-reached", "not-reached", "not-reached"),
    ]
    lines = ["".join(t for t, _ in line) for line in text.lines(found, study.deck, SAY)]
    assert any("1:30" in line and "4:00" in line for line in lines)
    markdown = text.markdown(found, study.deck, SAY)
    slow = "1. Why is it slow? First say what you rule out."
    assert f"| {slow} | 1 of 4, your judgment | 17% | 1:30 | 4:00 |" in markdown
    assert "  say what you rule out." in lines, "a name in the table goes on below"
    assert "- ✗ Global loads and stores are both coalesced (" in markdown
    assert "✗ not said, ✓ said, as you ticked it." in markdown
    only = re.findall(r"`quiz start --only (.*)`", markdown)
    assert only == [*(name for _, name in found.weaknesses), *found.study_next]
    assert len(only) == len({*only}) == 4, "all that one stage names, and none twice"
    page = text.html(found, study.deck, SAY).decode()
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "<td>1 of 4, your judgment</td>" in page


@pytest.mark.parametrize(("sure", "early"), [(Confidence.GUESS, True), (Confidence.FAIRLY, False)])
def test_who_guesses_nearly_all_reads_where_to_begin(person, sure, early):
    study = person().open()
    interview = begin(study, style="onsite")
    while interview.next() is not None:
        answer(interview, correct=False, confidence=sure)
    found = report(study, themes_of(study), interview.record)
    said = text.markdown(found, study.deck, SAY)
    for begins in (
        "start --pack fundamentals",
        "place",
        "plan --date",
        "mock transpose-at-a-third",
    ):
        assert (f"`quiz {begins}" in said) is early
    assert len(found.to_study) > len(found.weaknesses) + len(found.study_next) == 8


def test_nothing_is_offered_to_be_asked_first_where_nothing_failed(person):
    study = person().open()
    interview = begin(study)
    while interview.next() is not None:
        answer(interview, confidence=Confidence.GUESS)
    found = report(study, themes_of(study), interview.record)
    assert (bool(found.to_study), found.can_queue) == (True, False)
    answer(failing := begin(study))
    answer(failing, correct=False)
    assert ended(failing).can_queue


def test_a_report_is_beside_the_one_before_of_the_same_theme(person):
    study = person().open()
    themes = themes_of(study)
    for correct in (False, True):
        interview = begin(study)
        while interview.next() is not None:
            answer(interview, correct=correct)
    found = report(study, themes, interview.record)
    assert found.before is not None
    assert (found.score, found.before.score) == (1.0, pytest.approx(0.1, abs=0.1))
    lines = ["".join(t for t, _ in line) for line in text.lines(found, study.deck, SAY)]
    assert any("before: " in line and "(interview 1)" in line for line in lines)
    for _ in range(2):
        answer(interview := begin(study))
    before = report(study, themes, interview.record).before
    assert before is not None
    assert before.number == 2, "the latest that was complete"


def test_an_earlier_interview_that_was_not_complete_is_called_so(person):
    study = person().open()
    for _ in range(2):
        answer(interview := begin(study))
    found = ended(interview)
    assert "(interview 1, unfinished)" in text.markdown(found, study.deck, SAY)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_score_is_of_the_stages_that_were_graded_and_the_others_are_named(person, language):
    study = person().open()
    interview = begin(study)
    turn = interview.next()  # a recall, which nobody but the person would judge
    assert turn is not None
    now = interview.clock.now().utc_ms
    attempt = advance(turn.begin(now, asks_confidence=False), GiveUp(now + 1000))
    interview.commit(interview.grade(turn, attempt.response))
    answer(interview)
    interview.leave_out(interview.record.next_stage or "")
    found = ended(interview)
    assert (found.score, found.ticked) == (1.0, 0.0)
    assert (found.count("skipped"), found.count("not-reached")) == (1, 2)
    said = text.markdown(found, study.deck, Words(language))
    one = {
        "en": (
            "Graded by the program | 100% | of 1 stage", "Judged by yourself | 0% | of 1 stage",
            "Without a verdict, not graded | 1 stage", "Not reached, not graded | 2 stages",
        ),
        "zh": (
            "程序评分 | 100% | 1 个环节", "自评得分 | 0% | 1 个环节",
            "没有判定，未评分 | 1 个环节", "没有问到，未评分 | 2 个环节",
        ),
    }  # fmt: skip
    assert all(row in said for row in one[language])


def test_a_stage_whose_question_is_gone_is_skipped(person):
    study = person().open()
    interview = begin(study)
    del interview._stages[interview.record.begun.stages[0]]
    turn = interview.next()
    assert turn is not None
    assert turn.position == 2
    assert len(interview.record.skipped) == 1


def test_giving_up_quotes_what_is_right(person):
    interview = begin(person().open())
    answer(interview)
    turn = interview.next()
    assert turn is not None
    now = interview.clock.now().utc_ms
    attempt = advance(turn.begin(now, asks_confidence=False), GiveUp(now + 1000))
    interview.commit(interview.grade(turn, attempt.response))
    later = interview.next()
    assert later is not None
    assert prompt(later).startswith("By the bank model it is 34.")


def test_an_unknown_theme_or_interview_is_refused(person):
    study = person().open()
    with pytest.raises(UsageError):
        interviews.find_theme(themes_of(study), "transposed")
    with pytest.raises(UsageError):
        interviews.find_record(study, 1)


def test_what_the_person_ticked_is_no_grade_of_the_program():
    ticked = StageReport(
        "p/t",
        "one",
        "right",
        kind="recall",
        score=1.0,
        points=(3, 3),
        covered=(RubricPoint("a"),),
        response="hm",
    )
    wrong = StageReport("p/t", "two", "wrong", kind="choice", score=0.0, counted=((0.0, 0.25),))
    found = InterviewReport(1, "i", 20_000, "screen", 30, "done", {}, (ticked, wrong), (), ())
    assert (found.score, found.ticked) == (0.0, 1.0)
    assert ticked.is_doubtful
    assert not replace(ticked, response="a b c d e").is_weak
    assert replace(ticked, response="a b c d e", missed=(RubricPoint("b"),)).is_weak
    assert not replace(ticked, response="each warp reads a whole row").is_doubtful
    assert replace(ticked, response="每个 warp 读整行，写成一列").words == 6
    shown = text.markdown(found, Deck(CompiledDeck((), (), 0, b"")), SAY)
    assert "3 points are ticked, but the answer has fewer than 5 words" in shown


def test_what_guesses_reach_is_taken_off_and_earlier_versions_keep_their_scores(person):
    study = person().open()
    interview = begin(study)
    for correct in (True, True, False, True, True):
        answer(interview, correct=correct)
    found, events = report(study, themes_of(study), interview.record), interview.record.answers
    graded = [each for each in events.values() if each.kind != "recall"]
    chances = [each.chance for each in graded]
    scores = [each.score for each in graded]
    assert any(chances)
    above = [
        score or -max(0.4, chance / (1 - chance))
        for score, chance in zip(scores, chances, strict=True)
    ]
    assert found.score == pytest.approx(sum(above) / len(above), abs=1e-4)
    assert "A guess that is right counts nothing" in text.markdown(found, study.deck, SAY)
    mean = (sum(scores) - sum(chances)) / (len(graded) - sum(chances))
    for without, score in (({"credit": UNSET}, mean), ({"credit": UNSET, "chance": UNSET}, 1 / 2)):
        before = {name: replace_fields(each, **without) for name, each in events.items()}
        kept = replace(interview.record, answers=before)
        old = report(study, themes_of(study), kept)
        assert old.score == pytest.approx(score)
        assert ("Guessing scores 0%" in text.markdown(old, study.deck, SAY)) is (score == mean)


@pytest.mark.parametrize(
    ("language", "guess", "costs"),
    [("en", "(✓) right · guess", "✗ wrong · certain"), ("zh", "(✓) 正确 · 猜的", "✗ 错误 · 确定")],
)
def test_a_guess_that_is_right_counts_nothing_and_a_hint_costs(person, language, guess, costs):
    study = person().open()
    interview = begin(study)
    answer(interview)  # a recall, which the person judges
    answer(interview, confidence=Confidence.GUESS)
    answer(interview, correct=False, confidence=Confidence.CERTAIN)
    found = ended(interview)
    assert [stage.credit for stage in found.stages[:3]] == [None, 0, -1]
    assert found.score == 0
    assert [stage.name for stage, _ in found.weaknesses][-1] == found.stages[1].name
    assert found.stages[1].study[0] in found.to_study
    shown = text.markdown(found, study.deck, Words(language))
    for row in (f"{guess} | 0%", f"{costs} | −100%"):
        assert row in shown
    hinted = begin(study, theme="shared-memory/padding-or-swizzle", style="onsite")
    answer(hinted, hints=1, confidence=Confidence.CERTAIN)
    assert report(study, themes_of(study), hinted.record).score == 0.8


def test_the_report_names_a_question_in_the_variant_that_was_put(person):
    study = person().open()
    theme = "shared-memory/padding-or-swizzle"
    put = {}
    for _ in range(2):  # another interview draws other numbers
        interview = begin(study, minutes=90, theme=theme)
        while (turn := interview.next()) is not None:
            if turn.drawn is not None:
                put[turn.item.question] = prompt(turn)
            answer(interview, correct=False)
    found = report(study, themes_of(study), interview.record)
    told = {f"{stage.theme}/{stage.name}": stage.question for stage in found.stages}
    assert put
    for name, asked in put.items():
        question = told[name]
        assert question is not None
        assert asked.endswith(prose(question.prompt, "en").strip())


@pytest.mark.parametrize(
    ("language", "row"), [("en", "✓ right · 1 failed before"), ("zh", "✓ 正确 · 此前 1 次未通过")]
)
def test_a_row_has_earlier_failures_and_every_line_of_an_answer_stays_one(language, row):
    said = StageReport(
        "p/t", "one", "wrong", kind="recall", points=(0, 1), missed=(RubricPoint("a"),),
        response="1. Coalesced loads\n\n2. Shared-memory tiles",
    )  # fmt: skip
    code = StageReport("p/t", "two", "right", kind="kernel", score=1.0, failures=1)
    found = InterviewReport(1, "i", 20_000, "onsite", 30, "done", {}, (said, code), (), ())
    deck, say = Deck(CompiledDeck((), (), 0, b"")), Words(language)
    lines = ["".join(part for part, _ in line) for line in text.lines(found, deck, say)]
    assert any(row in line for line in lines)
    first = lines.index(say("mock.you-wrote", text="1. Coalesced loads"))
    assert lines[first + 1] == "2. Shared-memory tiles"


def test_the_date_of_a_report_is_the_calendars_past_midnight(person):
    one = person()
    study = one.open()
    one.clock.move(hours=15)
    interview = begin(study)
    assert study.day == TODAY
    assert report(study, themes_of(study), interview.record).day == TODAY + 1
