"""One attempt: every action, the clock, and any walk of actions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.actions import (
    Accept,
    AlreadyGraded,
    GiveUp,
    MoveAction,
    NothingPicked,
    NothingWritten,
    Override,
    Pick,
    Practise,
    RevealAction,
    ShowHint,
    StarterUnchanged,
    StartOver,
    StateConfidence,
    StopGrading,
    Submit,
    TakeAssessment,
    TakeKey,
    TakeVerdict,
    Withdraw,
    Write,
)
from quizapp.domain.attempt import IDLE_MS, Assessment, Attempt, Phase, advance, begin
from quizapp.domain.bounds import LONGEST_ANSWER_MS
from quizapp.domain.exercise import LayoutAccess, TileShape
from quizapp.domain.grading import Grade, NotANumber, NotSubmitted, UnknownUnit
from quizapp.domain.kernel import KernelArgument, KernelLaunch
from quizapp.domain.question import (
    AskedFact,
    Choice,
    FactChoice,
    Index,
    Kernel,
    Number,
    Option,
    PutQuestion,
    Recall,
    RubricPoint,
    Spot,
    WrongKernel,
    WrongSolution,
)
from quizapp.domain.rating import Confidence, Effort, Rating, Rule, Suggestion

COMMON = {
    "id": "q",
    "topic": "banks",
    "concept": "c",
    "difficulty": 1,
    "prompt": "?",
    "explanation": "!",
    "sources": ("s",),
    "hints": ("vague", "plain"),
}
OPTIONS = tuple(Option(text=str(i), correct=i == 1, why="no") for i in range(4))
ONE = Choice(**COMMON, options=OPTIONS)
SEVERAL = Choice(**COMMON, options=OPTIONS, several=True)
NUMBER = Number(**COMMON, answer=32.0)
RECALL = Recall(**COMMON, answer="!", rubric=tuple(RubricPoint(point=str(i)) for i in range(3)))
INDEX = Index(
    **COMMON,
    tile=TileShape(32, 32),
    accesses=(LayoutAccess("load", along="rows"),),
    starter="row",
    solution="row * 33 + col",
    wrong=(WrongSolution("col", "wavefronts", "no"),),
)
ARGUMENTS = (KernelArgument("x", "float32", (8,)),)
KERNEL = Kernel(
    **COMMON,
    kernel="f",
    arguments=ARGUMENTS,
    shapes=({"n": 8},),
    launch=KernelLaunch((1,), (32,)),
    wrong=(WrongKernel("w", "result", "no"),),
    starter="pass",
)
SPOT = Spot(**COMMON, code="a\nb\nc\n", arguments=ARGUMENTS, launch=KernelLaunch((1,), (32,)))
FACTS = FactChoice(
    **COMMON,
    options=OPTIONS,
    several=True,
    facts=tuple(AskedFact(asked=str(i), told="yes", why="no") for i in range(4)),
)
QUESTIONS = (ONE, SEVERAL, NUMBER, RECALL)
CODE = (INDEX, KERNEL)
SURE = Confidence.FAIRLY


@dataclass(frozen=True)
class Graded:
    """Code with a verdict."""

    source: str
    passed: bool = False
    ran: bool = True
    gate: str = ""
    unchanged: bool = False


class Key:
    """The bug is in line 2."""

    def score(self, line: int, _kind: str) -> float:
        return {1: 0.5, 2: 1.0}.get(line, 0.0)


def fresh(question: PutQuestion, *, asks_confidence: bool = True, **known) -> Attempt:
    order = (2, 0, 3, 1) if isinstance(question, Choice) else ()
    return begin(question, 0, order=order, asks_confidence=asks_confidence, **known)


def advance_all(attempt: Attempt, *actions) -> Attempt:
    for action in actions:
        attempt = advance(attempt, action)
    return attempt


def worth(rating: Rating) -> Assessment:
    grade = Grade(correct=True, score=1.0)
    return Assessment(grade, Suggestion(rating, Rule.UNAIDED), dict.fromkeys(Rating, 1))


# Picking


def test_a_row_is_picked_as_it_is_shown_and_kept_as_it_was_written():
    assert advance_all(fresh(ONE), Pick(0, 0)).picked == {2}
    assert advance_all(fresh(ONE), Pick(0, 3)).picked == {1}


def test_of_one_choice_the_last_pick_stands():
    picked = advance_all(fresh(ONE), Pick(0, 0), Pick(0, 1))
    assert (picked.picked, picked.cursor) == ({0}, 1)
    assert advance_all(picked, Pick(0, 1)).picked == {0}


def test_of_several_each_pick_goes_on_and_off():
    picked = advance_all(fresh(SEVERAL), Pick(0, 0), Pick(0, 1))
    assert picked.picked == {2, 0}
    assert advance_all(picked, Pick(0, 0)).picked == {0}


@pytest.mark.parametrize("row", [-1, 4, 99])
def test_a_row_that_is_not_there_changes_nothing(row):
    begun = advance_all(fresh(ONE), MoveAction(0, 0))
    assert advance_all(begun, Pick(0, row)) == begun


@pytest.mark.parametrize("question", [NUMBER, RECALL])
def test_where_nothing_can_be_picked_nothing_is(question):
    begun = advance_all(fresh(question), MoveAction(0, 0))
    assert advance_all(begun, Pick(0, 0)) == begun


def test_a_submitted_answer_stays_as_it_is():
    choice = advance_all(
        fresh(ONE), Pick(0, 0), Submit(0), Pick(0, 1), MoveAction(0, 1), Write(0, "x")
    )
    assert (choice.picked, choice.text) == ({2}, "")
    spot = advance_all(
        fresh(SPOT), Pick(0, 0), Submit(0), Pick(0, 1), MoveAction(0, 2), ShowHint(0)
    )
    assert (spot.claimed_bug, spot.hints) == ((1, SPOT.kinds[0]), 0)


@pytest.mark.parametrize(
    ("moves", "row"), [([1], 1), ([1, 1, 1, 1, 1], 3), ([-1], 0), ([9, -2], 1)]
)
def test_the_cursor_stays_within_the_rows(moves, row):
    found = advance_all(fresh(ONE), *(MoveAction(0, rows) for rows in moves))
    assert found.cursor == row
    assert advance_all(fresh(NUMBER), MoveAction(0, 1)).cursor == 0


def test_of_a_spot_the_cursor_is_a_line_of_its_code():
    attempt = advance_all(fresh(SPOT), MoveAction(0, 9), Pick(0, 1))
    assert attempt.claimed_bug == (3, SPOT.kinds[1])


# Phases


@pytest.mark.parametrize(
    ("question", "asks_confidence", "phases"),
    [
        (ONE, True, [Phase.CONFIDENCE, Phase.GRADING]),
        (ONE, False, [Phase.GRADING]),
        (NUMBER, True, [Phase.CONFIDENCE, Phase.GRADING]),
        (NUMBER, False, [Phase.GRADING]),
        (RECALL, True, [Phase.CONFIDENCE, Phase.COMPARING, Phase.GRADING]),
        (RECALL, False, [Phase.COMPARING, Phase.GRADING]),
        (SPOT, True, [Phase.CONFIDENCE, Phase.GRADING]),
    ],
)
def test_confidence_is_asked_before_grading_and_a_recall_is_compared(
    question, asks_confidence, phases
):
    found, seen = fresh(question, asks_confidence=asks_confidence), []
    assert found.phase is Phase.READING
    found = advance_all(found, Write(0, "32"), Pick(0, 0))
    assert found.phase is Phase.ANSWERING
    while not found.is_final:
        match found.phase:
            case Phase.ANSWERING:
                found = advance_all(found, Submit(0))
            case Phase.CONFIDENCE:
                found = advance_all(found, StateConfidence(0, SURE))
            case _:
                found = advance_all(found, StateConfidence(0, SURE), Accept(0))
        seen.append(found.phase)
    assert seen == phases
    assert (found.confidence is SURE) is asks_confidence


def test_withdrawing_goes_back_to_the_answer_as_it_was():
    picked = advance_all(fresh(ONE), Pick(0, 2), ShowHint(0))
    assert advance_all(picked, Submit(0), Withdraw(0)) == picked


def test_the_points_of_a_recall_are_ticked_on_and_off():
    comparing = advance_all(fresh(RECALL, asks_confidence=False), Submit(0))
    assert comparing.rows == 3
    ticked = advance_all(comparing, Pick(0, 0), Pick(0, 2), Pick(0, 0))
    assert ticked.covered == {2}
    assert advance_all(comparing, Pick(0, 3)) == comparing


def test_how_sure_is_asked_before_the_points_of_a_recall_are_shown():
    asked = advance_all(fresh(RECALL), Submit(0))
    assert not asked.shows_answer
    assert advance_all(asked, Withdraw(0)).is_open
    comparing = advance_all(asked, StateConfidence(0, Confidence.CERTAIN))
    assert comparing.phase is Phase.COMPARING
    assert advance_all(comparing, StateConfidence(0, Confidence.GUESS)) == comparing
    assert advance_all(comparing, Accept(0)).response.effort.confidence is Confidence.CERTAIN


@pytest.mark.parametrize("question", [*QUESTIONS, *CODE, SPOT])
def test_giving_up_needs_no_confidence_and_no_ticks(question):
    found = advance_all(fresh(question), GiveUp(0))
    assert (found.phase, found.is_final) == (Phase.GRADING, True)
    assert found.response.effort.gave_up


@pytest.mark.parametrize("question", CODE)
def test_a_starter_that_is_given_up_on_is_no_answer(question):
    untouched = advance_all(fresh(question), Write(0, question.starter + "\n"), GiveUp(0))
    assert untouched.response.text == ""
    assert advance_all(fresh(question), Write(0, "x"), GiveUp(0)).response.text == "x"


def test_hints_are_shown_as_far_as_there_are_any():
    found = fresh(ONE)
    for expected in (1, 2, 2):
        found = advance_all(found, ShowHint(0))
        assert found.hints == expected


def test_what_was_done_is_what_is_graded():
    found = advance_all(
        fresh(SEVERAL, hints=1),
        Pick(1000, 0),
        Pick(2000, 1),
        ShowHint(3000),
        Submit(4000),
        StateConfidence(9000, Confidence.CERTAIN),
    )
    response = found.response
    assert (response.picked, response.covered) == ((0, 2), ())
    assert response.effort == Effort(2, 0, False, 4000, Confidence.CERTAIN)


def test_a_rating_is_overridden_and_taken_back():
    graded = advance_all(fresh(ONE), GiveUp(0), TakeAssessment(0, worth(Rating.GOOD)))
    assert (graded.phase, graded.is_graded, graded.shows_answer) == (Phase.GRADED, True, True)
    hard = advance_all(graded, Override(0, Rating.HARD))
    assert (hard.phase, hard.rating, hard.is_graded) == (Phase.OVERRIDDEN, Rating.HARD, True)
    assert advance_all(hard, Override(0, Rating.GOOD)) == graded
    assert advance_all(graded, TakeAssessment(0, worth(Rating.AGAIN))) == graded


def test_what_is_only_looked_at_is_never_graded():
    shown = advance_all(fresh(INDEX), RevealAction(0), TakeVerdict(0, Graded("s", passed=True)))
    assert (shown.phase, shown.shows_answer, shown.is_graded) == (Phase.REVEALED, True, False)
    assert (shown.hints, shown.assessment, shown.failed) == (2, None, ())
    assert (
        advance_all(shown, TakeAssessment(0, worth(Rating.GOOD)), Override(0, Rating.HARD)) == shown
    )


# What cannot be submitted


@pytest.mark.parametrize(
    ("question", "text", "reason"),
    [
        (ONE, "", NothingPicked),
        (SPOT, "", NothingPicked),
        (NUMBER, "", NotANumber),
        (NUMBER, "many", NotANumber),
        (NUMBER, "3 apples", UnknownUnit),
        (INDEX, " \n", NothingWritten),
        (KERNEL, "", NothingWritten),
        (KERNEL, f"{KERNEL.starter}\n", StarterUnchanged),
    ],
)
def test_what_is_no_answer_is_not_submitted(question, text, reason):
    attempt = advance_all(fresh(question), Write(0, text))
    with pytest.raises(reason) as raised:
        advance(attempt, Submit(0))
    assert isinstance(raised.value, NotSubmitted)


def test_a_recall_may_be_said_instead_of_written():
    assert advance_all(fresh(RECALL, asks_confidence=False), Submit(0)).phase is Phase.COMPARING


def test_code_that_was_graded_just_now_is_not_graded_again():
    failed = advance_all(fresh(INDEX), Write(0, "x"), Submit(0), TakeVerdict(0, Graded("x")))
    with pytest.raises(AlreadyGraded):
        advance(failed, Submit(0))
    assert advance_all(failed, Write(0, "y"), Submit(0)).phase is Phase.GRADING


def test_a_test_run_does_not_stand_in_for_a_submission():
    run = advance_all(fresh(KERNEL), Write(0, "x"), Practise(0))
    run = advance_all(run, TakeVerdict(0, Graded("x", passed=True), practice=True))
    assert (run.phase, run.is_solved, run.failed) == (Phase.ANSWERING, False, ())
    assert advance_all(run, Submit(0)).phase is Phase.GRADING
    assert advance_all(fresh(NUMBER), Write(0, "x"), Practise(0)).phase is Phase.ANSWERING


# Code


@pytest.mark.parametrize("question", CODE)
def test_what_did_not_run_costs_nothing(question):
    attempt = fresh(question)
    for source in ("row +", "row * )", "row + 1"):
        verdict = TakeVerdict(0, Graded(source, ran=source == "row + 1", gate="any"))
        attempt = advance_all(attempt, Write(0, source), Submit(0), verdict)
    assert attempt.failed == ("row + 1",)
    solved = advance_all(
        attempt, Write(0, "right"), Submit(0), TakeVerdict(0, Graded("right", passed=True))
    )
    assert (solved.is_final, solved.response.credit, solved.response.text) == (True, 1.0, "right")
    assert solved.effort.failures == 1


def test_the_same_failure_counts_once_also_from_an_earlier_day():
    attempt = advance_all(
        fresh(INDEX, failed=("x",)), Write(0, "x"), Submit(0), TakeVerdict(0, Graded("x"))
    )
    assert attempt.failed == ("x",)


def test_while_code_is_graded_the_person_may_write_ask_and_give_up():
    grading = advance_all(fresh(KERNEL), Write(0, "x"), Submit(0), Write(0, "y"), ShowHint(0))
    assert (grading.phase, grading.text, grading.hints) == (Phase.GRADING, "y", 1)
    assert grading.is_open
    assert advance_all(grading, Submit(0)) == grading
    given_up = advance_all(grading, GiveUp(0), TakeVerdict(0, Graded("x", passed=True)))
    assert (given_up.is_final, given_up.submission, given_up.response.credit) == (True, None, 0.0)


def test_grading_that_stops_leaves_the_attempt_as_it_was():
    written = advance_all(fresh(KERNEL), Write(0, "x"))
    assert advance_all(written, Submit(0), StopGrading(0)) == written
    final = advance_all(fresh(ONE), GiveUp(0))
    assert advance_all(final, StopGrading(0)) == final


def test_a_verdict_or_a_new_start_ends_what_is_pending():
    pending = fresh(KERNEL, pending="x", text="x")
    assert advance_all(pending, Submit(0), TakeVerdict(0, Graded("x"))).pending == ""
    assert (
        advance_all(pending, StartOver(0)).text == advance_all(pending, StartOver(0)).pending == ""
    )
    assert advance_all(pending, Submit(0), StopGrading(0)).pending == "x"


@pytest.mark.parametrize(("line", "credit"), [(1, 0.5), (2, 1.0), (3, 0.0)])
def test_a_bug_is_credited_by_the_emulators_key(line, credit):
    named = advance_all(
        fresh(SPOT, asks_confidence=False), MoveAction(0, line - 1), Pick(0, 0), Submit(0)
    )
    assert (named.needs_key, named.response.credit) == (True, 0.0)
    known = advance_all(named, TakeKey(0, Key()))
    assert (known.needs_key, known.response.credit) == (False, credit)
    assert known.response.text == f"line {line}: {SPOT.kinds[0]}"


# The clock


def test_thinking_excludes_idle_time_the_question_how_sure_and_grading():
    attempt = advance_all(
        fresh(NUMBER),
        Write(10_000, "3"),  # 10 s
        Write(10_000 + 10 * IDLE_MS, "32"),  # away: a minute
        Submit(615_000),  # 5 s
        StateConfidence(700_000, SURE),  # does not count
        TakeAssessment(799_000, worth(Rating.GOOD)),  # does not count
        Override(999_000, Rating.HARD),
    )
    assert attempt.effort.duration_ms == 10_000 + IDLE_MS + 5_000


def test_no_time_is_longer_than_a_day():
    days = [Write(minute * IDLE_MS, str(minute)) for minute in range(1, 3_000)]
    response = advance_all(fresh(NUMBER), *days, Submit(3_000 * IDLE_MS)).response
    assert response.effort.duration_ms == response.elapsed_ms == LONGEST_ANSWER_MS


def test_comparing_counts_as_thinking():
    attempt = advance_all(
        fresh(RECALL),
        Submit(5_000),  # 5 s
        StateConfidence(7_000, SURE),  # does not count
        Pick(10_000, 0),  # 3 s beside the model answer
        Accept(11_000),  # 1 s
    )
    assert attempt.effort.duration_ms == 9_000


@pytest.mark.parametrize("question", CODE)
def test_grading_code_does_not_count_and_going_on_does(question):
    attempt = advance_all(
        fresh(question),
        Write(20_000, "x"),
        Submit(20_000),
        TakeVerdict(50_000, Graded("x")),
        Write(52_000, "y"),
        Submit(53_000),
        TakeVerdict(90_000, Graded("y", passed=True)),
    )
    assert attempt.effort.duration_ms == 23_000


def test_a_clock_that_was_set_adds_a_minute_at_most_and_takes_nothing_away():
    attempt = advance_all(fresh(ONE), Pick(5_000, 0), Pick(-9_000_000, 1), Pick(-8_999_000, 2))
    assert attempt.thinking_ms == 6_000
    assert advance_all(fresh(ONE), Pick(10**12, 0)).thinking_ms == IDLE_MS


steps = st.one_of(
    st.builds(Pick, st.integers(0, 9), st.integers(-1, 9)),
    st.builds(MoveAction, st.integers(0, 9), st.integers(-9, 9)),
    st.builds(StateConfidence, st.integers(0, 9), st.sampled_from(Confidence)),
    st.builds(Write, st.integers(0, 9), st.sampled_from(["", "32", "x"])),
    st.sampled_from(
        [ShowHint(1), Submit(2), Withdraw(3), Accept(4), Practise(5), StopGrading(6), GiveUp(7)]
    ),
    st.builds(TakeVerdict, st.just(8), st.builds(Graded, st.just("x"), st.booleans())),
    st.just(TakeAssessment(9, worth(Rating.GOOD))),
)


@given(st.sampled_from([*QUESTIONS, *CODE, SPOT]), st.booleans(), st.lists(steps, max_size=12))
def test_any_walk_stays_within_the_question(question, asks_confidence, walk):
    found = fresh(question, asks_confidence=asks_confidence)
    for step in walk:
        before = found
        try:
            found = advance(found, step)
        except NotSubmitted:
            continue
        assert found.hints >= before.hints
        assert found.thinking_ms >= before.thinking_ms
        if before.is_final:
            assert found.response == before.response
            unchanged = ("phase", "assessment", "rating", "at_ms")
            same = {name: getattr(before, name) for name in unchanged}
            assert replace(found, **same) == before
    assert found.covered <= set(range(3))
    assert 0 <= found.hints <= 2
    assert 0 <= found.cursor <= 3
    if not isinstance(question, Choice | Spot):
        assert not found.picked
    if not isinstance(question, Recall):
        assert not found.covered


@pytest.mark.parametrize(
    ("question", "actions"),
    [
        (NUMBER, [Write(0, "1,02")]),
        (SEVERAL, [Pick(0, 0), Pick(0, 3)]),
        (FACTS, [Pick(0, 2)]),
        (SPOT, [MoveAction(0, 1), Pick(0, 2)]),
    ],
)
def test_what_is_written_or_picked_is_taken_up_from_a_draft(question, actions):
    order = tuple(reversed(range(len(getattr(question, "options", ())))))
    left = begin(question, 0, order=order)
    for action in actions:
        left = advance(left, action)
    again = begin(question, 5, order=order, text=left.draft)
    assert left.draft
    for name in ("text", "picked", "claimed_bug"):
        assert getattr(again, name) == getattr(left, name)
    told = advance(again, StartOver(6)).picked
    assert told == (left.picked if question is FACTS else frozenset())


@pytest.mark.parametrize("draft", ["7 1", "½ banks", "", "1 2 3", "0 99"])
def test_a_draft_of_a_question_that_has_changed_picks_nothing_that_is_not_there(draft):
    for question in (SEVERAL, SPOT):
        again = begin(question, 0, order=(0,), text=draft)
        assert again.picked <= {0, 1}
        assert again.cursor <= 1
        assert again.text == ""
