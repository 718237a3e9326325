"""What a question's log comes to: hand-made logs, and undo and redo against a simple oracle."""

from __future__ import annotations

from collections.abc import Iterable

import fsrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.days import day_start
from quizapp.domain.log.events import (
    Answered,
    Body,
    Buried,
    Flagged,
    Hinted,
    LogEntry,
    Rerated,
    Reset,
    Revealed,
    Submitted,
    Suspended,
    Tried,
    Unvoided,
    Voided,
)
from quizapp.domain.log.projection import (
    Card,
    PendingSubmission,
    attempt_so_far,
    project,
    redo_target,
    undo_target,
)
from quizapp.domain.rating import Rating, Rule
from quizapp.domain.schedule import SCHEDULER_VERSION, Parameters, review

Q = "pack/question"
DAY = 20_000
PARAMETERS = Parameters()
STRICT = Parameters(retention=0.97)
KNOWN = {p.id: p for p in (PARAMETERS, STRICT)}
AGAIN, HARD, GOOD, EASY = Rating


def answer(day: int, rating: Rating = GOOD, **more) -> Answered:
    facts = {
        "kind": "choice",
        "content_hash": "h",
        "rev": 1,
        "study_day": day,
        "utc_ms": 0,
        "offset_s": 0,
        "correct": rating is not AGAIN,
        "score": 1.0,
        "duration_ms": 1000,
        "rating": rating,
        "rule": Rule.UNAIDED,
        "scheduler": SCHEDULER_VERSION,
        "parameters_id": PARAMETERS.id,
        "due_day": day + 1,
    }
    return Answered(**(facts | more))


def log(*bodies: Body) -> list[LogEntry]:
    """Events with ids "0", "1", … in log order."""
    return [LogEntry(str(n), n, "m", n, "s", Q, body) for n, body in enumerate(bodies)]


def card(*bodies: Body) -> Card:
    return project(Q, log(*bodies), KNOWN).card


def stability(*reviews: tuple[int, Rating], parameters: Parameters = PARAMETERS) -> float | None:
    """py-fsrs itself on these study days."""
    scheduler = fsrs.Scheduler(
        desired_retention=parameters.retention,
        maximum_interval=parameters.maximum_days,
        learning_steps=(),
        relearning_steps=(),
        enable_fuzzing=False,
    )
    found = fsrs.Card(card_id=1)
    for day, rating in reviews:
        found, _ = scheduler.review_card(found, fsrs.Rating(rating.value), day_start(day))
    return found.stability


def compute_stability(*bodies: Body) -> float:
    memory = card(*bodies).memory
    assert memory is not None
    return memory.stability


# Answers


def test_an_empty_log_is_a_card_never_seen():
    assert project(Q, [], KNOWN) == project(Q, log(), KNOWN)
    assert card() == Card(Q)


def test_only_the_first_answer_of_a_day_moves_the_schedule():
    first_only = card(answer(DAY, AGAIN))
    with_repeats = card(answer(DAY, AGAIN), answer(DAY, AGAIN), answer(DAY, GOOD))
    assert with_repeats.memory == first_only.memory
    assert compute_stability(answer(DAY, AGAIN), answer(DAY, GOOD)) == stability((DAY, AGAIN))


def test_the_next_day_s_answer_moves_it_from_there():
    bodies = answer(DAY, AGAIN), answer(DAY, GOOD), answer(DAY + 1, GOOD)
    assert compute_stability(*bodies) == stability((DAY, AGAIN), (DAY + 1, GOOD))


def test_an_answer_filed_under_an_earlier_day_moves_nothing():
    """The clock was set back two days: the log keeps it, the schedule does not follow it."""
    ahead = card(answer(DAY))
    back = card(answer(DAY), answer(DAY - 2, AGAIN))
    assert back.memory == ahead.memory


def test_facts_tell_what_counted_and_what_was_new():
    facts = project(
        Q,
        log(answer(DAY, AGAIN, duration_ms=7), answer(DAY), answer(DAY + 4), answer(DAY + 3)),
        KNOWN,
    ).answers
    assert [(f.event, f.counts, f.was_new, f.elapsed, f.correct) for f in facts] == [
        ("0", True, True, 0, False),
        ("1", False, False, 0, True),
        ("2", True, False, 4, True),
        ("3", False, False, 0, True),
    ]
    assert facts[0].duration_ms == 7
    assert {f.question for f in facts} == {Q}


def test_each_answer_is_scheduled_under_the_parameters_it_names():
    bodies = answer(DAY), answer(DAY + 3, parameters_id=STRICT.id)
    memory = card(*bodies).memory
    assert memory is not None
    loose = card(answer(DAY), answer(DAY + 3)).memory
    assert loose is not None
    assert memory.due_day < loose.due_day


@pytest.mark.parametrize(
    ("answers", "passed", "again_day"),
    [
        ([(DAY, AGAIN)], False, DAY),
        ([(DAY, AGAIN), (DAY, GOOD)], True, None),
        ([(DAY, GOOD), (DAY, AGAIN)], True, DAY),
        ([(DAY, AGAIN), (DAY, AGAIN)], False, DAY),
        ([(DAY, HARD)], True, None),
        ([(DAY, AGAIN), (DAY + 1, GOOD), (DAY + 9, AGAIN)], True, DAY + 9),
    ],
)
def test_passed_stays_and_again_lasts_until_it_was_right(answers, passed, again_day):
    found = card(*(answer(day, rating) for day, rating in answers))
    assert (found.passed, found.again_day) == (passed, again_day)


def test_the_first_day_and_the_last_revision_are_kept():
    found = card(answer(DAY, rev=1), answer(DAY + 5, rev=3))
    assert (found.first_day, found.rev) == (DAY, 3)


# Overridden, undone, marked


def test_an_override_replaces_the_rating_as_if_it_had_been_given():
    overridden = card(answer(DAY, AGAIN), Rerated(target="0", rating=EASY, due_day=0))
    assert overridden.memory == card(answer(DAY, EASY)).memory
    assert (overridden.passed, overridden.again_day) == (True, None)


def test_the_last_override_holds_and_later_answers_follow_from_it():
    bodies = (
        answer(DAY, GOOD),
        Rerated(target="0", rating=EASY, due_day=0),
        answer(DAY + 3, GOOD),
        Rerated(target="0", rating=HARD, due_day=0),
    )
    assert compute_stability(*bodies) == stability((DAY, HARD), (DAY + 3, GOOD))


def test_an_override_of_a_repeat_does_not_move_the_schedule():
    bodies = answer(DAY, AGAIN), answer(DAY, AGAIN), Rerated(target="1", rating=EASY, due_day=0)
    found = card(*bodies)
    assert found.memory == card(answer(DAY, AGAIN)).memory
    assert found.again_day is None


def test_an_undone_answer_never_was():
    assert card(answer(DAY), Voided(target="0")) == Card(Q)
    assert project(Q, log(answer(DAY), Voided(target="0")), KNOWN).answers == ()
    twice = card(answer(DAY), answer(DAY + 3, AGAIN), Voided(target="1"))
    assert twice == card(answer(DAY))


def test_a_redone_answer_is_back_with_its_override():
    bodies = (
        answer(DAY, AGAIN),
        Rerated(target="0", rating=GOOD, due_day=0),
        Voided(target="0"),
        Unvoided(target="0"),
    )
    assert card(*bodies) == card(answer(DAY, GOOD))


def test_when_the_day_s_first_answer_is_undone_the_second_counts():
    bodies = answer(DAY, AGAIN), answer(DAY, GOOD), Voided(target="0")
    assert compute_stability(*bodies) == stability((DAY, GOOD))
    assert project(Q, log(*bodies), KNOWN).answers[0].counts


def test_an_undo_between_two_answers_changes_what_the_second_builds_on():
    bodies = answer(DAY, GOOD), answer(DAY + 2, AGAIN), answer(DAY + 4, GOOD), Voided(target="1")
    assert compute_stability(*bodies) == stability((DAY, GOOD), (DAY + 4, GOOD))


def test_a_reset_forgets_all_but_the_flag():
    bodies = (
        answer(DAY),
        Flagged(on=True),
        Suspended(on=True),
        Buried(until=DAY + 1),
        Reset(),
    )
    assert card(*bodies) == Card(Q, flagged=True)


def test_after_a_reset_a_question_is_new_again():
    facts = project(Q, log(answer(DAY), Reset(), answer(DAY)), KNOWN).answers
    assert [(f.counts, f.was_new) for f in facts] == [(True, True), (True, True)]
    assert compute_stability(answer(DAY), Reset(), answer(DAY, EASY)) == stability((DAY, EASY))


@pytest.mark.parametrize(
    ("bodies", "field", "value"),
    [
        ([Buried(until=DAY + 1)], "buried_until", DAY + 1),
        ([Buried(until=DAY + 1), Buried(until=DAY + 5)], "buried_until", DAY + 5),
        ([Buried(until=DAY + 1), Voided(target="0")], "buried_until", None),
        ([Suspended(on=True)], "suspended", True),
        ([Suspended(on=True), Suspended(on=False)], "suspended", False),
        ([Suspended(on=True), Suspended(on=False), Voided(target="1")], "suspended", True),
        ([Flagged(on=True)], "flagged", True),
        ([Flagged(on=True), Flagged(on=False)], "flagged", False),
        ([Flagged(on=True), Voided(target="0"), Unvoided(target="0")], "flagged", True),
    ],
)
def test_marks_are_what_was_said_last_and_not_undone(bodies, field, value):
    assert getattr(card(*bodies), field) == value


def test_marks_and_answers_do_not_disturb_one_another():
    marked = card(Flagged(on=True), answer(DAY), Buried(until=DAY + 2), answer(DAY + 3))
    assert marked.memory == card(answer(DAY), answer(DAY + 3)).memory
    assert marked.flagged


# A submission that a GPU is to judge


def submitted(source: str) -> Submitted:
    return Submitted(
        content_hash="h", rev=1, study_day=DAY, utc_ms=0, offset_s=0, source=source,
        gates={"result": "passed"},
    )  # fmt: skip


def tried(source: str, submission: str) -> Tried:
    return Tried(
        content_hash="h", rev=1, study_day=DAY, utc_ms=0, offset_s=0, source=source,
        gate="gpu speedup", ran=True, submission=submission,
    )  # fmt: skip


A, B = submitted("a"), submitted("b")


@pytest.mark.parametrize(
    ("bodies", "pending"),
    [
        ([A], PendingSubmission("0", "a")),
        ([A, B], PendingSubmission("1", "b")),
        ([A, tried("a", "0")], None),
        ([A, tried("c", "")], PendingSubmission("0", "a")),
        ([A, tried("a", "0"), A], PendingSubmission("2", "a")),
        ([A, answer(DAY, submission="0")], None),
        ([A, answer(DAY)], None),
        (
            [A, answer(DAY), Voided(target="1")],
            PendingSubmission("0", "a"),
        ),  # given up, and that undone
        ([A, answer(DAY, submission="0"), Voided(target="1")], None),  # it had its verdict
        ([A, answer(DAY, submission="0"), Voided(target="1"), Unvoided(target="1")], None),
        ([A, Reset()], None),
        ([A, Flagged(on=True), Buried(until=DAY)], PendingSubmission("0", "a")),
        ([A, B, answer(DAY, submission="1"), Voided(target="2")], PendingSubmission("0", "a")),
    ],
)
def test_what_is_pending(bodies, pending):
    assert attempt_so_far(log(*bodies)).pending == pending


def test_a_submission_schedules_nothing_and_cannot_be_undone():
    assert card(A, answer(DAY), B) == card(answer(DAY))
    assert card(A) == Card(Q)
    assert undo_target(log(A)) is None
    assert undo_target(log(answer(DAY), A)) == log(answer(DAY))[0]


# Undo and redo against an oracle that an editor would recognise

ACTS = ("answer", "bury", "suspend", "flag")
steps = st.lists(st.sampled_from([*ACTS, "undo", "redo", "rate", "reset"]), max_size=30)


class Editor:
    """The oracle: a list of acts and a position in it; a new act cuts off what lay ahead."""

    def __init__(self) -> None:
        self.acts: list[str] = []
        self.position = 0

    def act(self, name: str) -> None:
        self.acts[self.position :] = [name]
        self.position += 1

    def undo(self) -> str | None:
        if not self.position:
            return None
        self.position -= 1
        return self.acts[self.position]

    def redo(self) -> str | None:
        if self.position == len(self.acts):
            return None
        self.position += 1
        return self.acts[self.position - 1]


BODY = {
    "answer": answer(DAY),
    "bury": Buried(until=DAY + 1),
    "suspend": Suspended(on=True),
    "flag": Flagged(on=True),
    "reset": Reset(),
}


def play(names: Iterable[str]) -> tuple[list[LogEntry], Editor]:
    """A log made by following our own targets, and the oracle that says what they had to be."""
    events: list[LogEntry] = []
    editor = Editor()

    def append(body: Body) -> str:
        number = len(events)
        events.append(LogEntry(str(number), number, "m", number, "s", Q, body))
        return str(number)

    for name in names:
        if name == "undo":
            target, expected = undo_target(events), editor.undo()
            assert (target.id if target else None) == expected
            if target:
                append(Voided(target=target.id))
        elif name == "redo":
            target, expected = redo_target(events), editor.redo()
            assert (target.id if target else None) == expected
            if target:
                append(Unvoided(target=target.id))
        elif name == "rate":
            if editor.position:
                append(Rerated(target=editor.acts[editor.position - 1], rating=GOOD, due_day=0))
        elif name == "reset":
            append(BODY[name])
        else:
            editor.act(append(BODY[name]))
    return events, editor


@given(steps)
def test_undo_and_redo_walk_as_in_an_editor(names):
    play(names)


@given(steps.map(lambda names: [name for name in names if name not in ("rate", "reset")]))
def test_what_was_undone_leaves_the_card_that_only_the_rest_would_make(names):
    events, editor = play(names)
    standing = set(editor.acts[: editor.position])
    rest = [e for e in events if e.id in standing]
    assert project(Q, events, KNOWN) == project(Q, rest, KNOWN)


@given(steps, st.integers(1, 10))
def test_as_many_redos_as_undos_give_the_state_before(names, times):
    events, _ = play(names)
    before = project(Q, events, KNOWN)
    undone = 0
    for _ in range(times):
        target = undo_target(events)
        if target is None:
            break
        events.append(_next(events, Voided(target=target.id)))
        undone += 1
    for _ in range(undone):
        target = redo_target(events)
        assert target is not None
        events.append(_next(events, Unvoided(target=target.id)))
    assert project(Q, events, KNOWN) == before


def _next(events: list[LogEntry], body: Body) -> LogEntry:
    number = len(events)
    return LogEntry(str(number), number, "m", number, "s", Q, body)


def test_practice_changes_nothing_but_the_history():
    before = [answer(DAY), answer(DAY, AGAIN)]
    practiced = answer(DAY + 40, practice=True)
    assert card(*before, practiced) == card(*before)
    assert card(practiced) == Card(Q)
    *_, fact = project(Q, log(*before, practiced), KNOWN).answers
    assert (fact.practice, fact.counts, fact.was_new) == (True, False, False)
    assert card(*before, practiced, answer(DAY + 9)) == card(*before, answer(DAY + 9))


def test_practice_leaves_the_attempt_that_was_begun_alone():
    occasion = {"content_hash": "h", "rev": 1, "study_day": DAY, "utc_ms": 0, "offset_s": 0}
    failed = Tried(**occasion, source="mine", gate="values", ran=True)
    practiced = Tried(**occasion, source="other", gate="values", ran=True, practice=True)
    begun = attempt_so_far(
        log(Hinted(number=2, utc_ms=0), failed, practiced, answer(DAY, practice=True))
    )
    assert (begun.tried, begun.hints, begun.answers) == (("mine",), 2, 1)


def test_practice_is_undone_like_an_answer():
    events = log(answer(DAY), answer(DAY, practice=True))
    assert undo_target(events) == events[1]


def test_what_was_revealed_returns_the_day_after():
    assert card(Revealed(study_day=DAY)) == Card(Q, buried_until=DAY + 1)
    later = card(Buried(until=DAY + 5), Revealed(study_day=DAY))
    assert later.buried_until == DAY + 5


# The due day that was chosen


def test_the_stored_choice_is_kept_and_an_overridden_rating_has_its_own():
    """A new card rated Easy is due in 8 days, give or take 2."""
    for chosen in (DAY + 6, DAY + 10):
        kept = card(answer(DAY, EASY, due_day=chosen))
        assert kept.memory is not None
        assert kept.memory.due_day == chosen
        rated = Rerated(target="0", rating=EASY, due_day=chosen)
        kept = card(answer(DAY, AGAIN, due_day=DAY + 1), rated)
        assert kept.memory is not None
        assert kept.memory.due_day == chosen


def test_a_choice_of_before_an_undo_that_no_longer_fits_is_not_kept():
    first, second = answer(DAY, EASY, due_day=DAY + 8), answer(DAY + 8, GOOD, due_day=DAY + 60)
    alone = card(second)
    assert card(first, second, Voided(target="0")).memory == alone.memory
    assert alone.memory is not None
    assert alone.memory.due_day < DAY + 20


def test_older_versions_took_the_day_of_the_seed_whatever_they_stored():
    old = card(answer(DAY, EASY, due_day=DAY + 6, scheduler="fsrs6-days-1"))
    other = card(answer(DAY, EASY, due_day=DAY + 10, scheduler="fsrs6-days-1"))
    assert old.memory == other.memory == review(Q, None, EASY, DAY, PARAMETERS)


# Leeches


def lapsed(times: int, **more) -> list[Body]:
    """A first answer, then one rated Again on each of the next days."""
    return [answer(DAY), *(answer(DAY + n, AGAIN, **more) for n in range(1, times + 1))]


@pytest.mark.parametrize(
    ("lapses", "aside"), [(7, False), (8, True), (9, False), (11, False), (12, True), (16, True)]
)
def test_a_question_is_set_aside_at_eight_lapses_and_each_four_more(lapses, aside):
    events = lapsed(lapses - 1)
    back = Suspended(on=False)
    assert card(*events, back, answer(DAY + lapses, AGAIN)).suspended is aside


def test_what_was_set_aside_is_taken_back_by_switching_it_on_undoing_or_rating_it_otherwise():
    events = lapsed(8)
    assert card(*events).suspended
    assert not card(*events, Suspended(on=False)).suspended
    assert not card(*events, Voided(target="8")).suspended
    assert not card(*events, Rerated(target="8", rating=HARD, due_day=DAY + 9)).suspended


def test_neither_repeats_nor_practice_nor_answers_of_older_versions_set_anything_aside():
    events = lapsed(7)
    assert not card(*events, answer(DAY + 7, AGAIN)).suspended
    assert not card(*events, answer(DAY + 8, AGAIN, practice=True)).suspended
    assert not card(*lapsed(8, scheduler="fsrs6-days-1")).suspended
