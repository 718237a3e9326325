"""Appending: order, identity, refusals, and what undo gets to see."""

from __future__ import annotations

import random
import sqlite3
from typing import get_args

import pytest

from quizapp.domain.errors import StoreError
from quizapp.domain.log.events import (
    Answered,
    Body,
    Buried,
    Erased,
    Flagged,
    Hinted,
    Imported,
    MockAnswered,
    MockBegun,
    MockEnded,
    MockHinted,
    MockQueued,
    MockSkipped,
    MockSubmitted,
    Optimized,
    ParametersSet,
    Placed,
    PlacementAnswer,
    PlacementProgress,
    PlacementTaken,
    PlanDropped,
    PlanSet,
    Probed,
    Rerated,
    Reset,
    Revealed,
    Submitted,
    Suspended,
    Tried,
    Unvoided,
    Voided,
)
from quizapp.domain.log.projection import redo_target, undo_target
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import Parameters
from quizapp.store import log
from quizapp.store.engine import raw
from quizapp.store.store import Store
from tests.sentences import english
from tests.store.tools import (
    NOON_MS,
    OTHER,
    PARAMETERS,
    Q,
    answer,
    build_answer,
    driver,
    new,
    one,
    redo,
    undo,
)

EVERY_BODY = [
    build_answer(drawn={"n": [1, 2.5, None, {"名": "共享内存"}]}, response="\x00 a[tid] 银行"),
    Tried(
        content_hash="a", rev=1, study_day=3, utc_ms=4, offset_s=0, source="def ？\n", gate="parses"
    ),
    Submitted(
        content_hash="a",
        rev=1,
        study_day=3,
        utc_ms=4,
        offset_s=0,
        source="def ？\n",
        gates={"counts: barriers": "passed"},
    ),
    Hinted(number=1, utc_ms=4),
    Revealed(study_day=3),
    Rerated(target="x", rating=Rating.HARD, due_day=3),
    Voided(target="x"),
    Unvoided(target="x"),
    Buried(until=5),
    Suspended(on=True),
    Flagged(on=True),
    Reset(),
    ParametersSet(parameters=Parameters(retention=0.8, maximum_days=100)),
    Imported(origin="laptop"),
    Erased(through={"0f" * 16: 3}),
    MockBegun(
        themes=("p/a",), style="screen", minutes=9, stages=("p/a/b",), earlier=0,
        study_day=1, utc_ms=2, offset_s=0,
    ),
    MockAnswered(
        interview="i", stage="p/a/b", question="", kind="recall", content_hash="a", utc_ms=4,
        correct=True, score=1.0, covered=(0,), points=2, response="银行", shown="bank",
    ),
    MockHinted(interview="i", stage="p/a/b", number=1, utc_ms=4),
    MockSubmitted(interview="i", stage="p/a/b", response="银行", utc_ms=4, stands=True, gate="b"),
    MockSkipped(interview="i", stage="p/a/b"),
    MockEnded(interview="i", how="left", utc_ms=4),
    MockQueued(interview="i", questions=(Q,), day=4),
    PlanSet(study_day=3, day=40, minutes=30, topics=("banks",)),
    PlanDropped(study_day=3),
    Optimized(study_day=3, weights=Parameters().weights, log_loss=(0.4, 0.3)),
    PlacementProgress(asked=(PlacementAnswer(Q, True, 5, True, "b"),), study_day=3, utc_ms=4),
    PlacementTaken(asked=(PlacementAnswer(Q, True, 5),), study_day=3, utc_ms=4),
    Placed(placement="i", rev=1, study_day=3, parameters_id=Parameters().id),
    Probed(
        question="p/k", probe="k-fill-0a", rule="fill", kind="choice", study_day=3, utc_ms=4,
        correct=True, score=1.0,
    ),
]  # fmt: skip


def test_every_body_comes_back_as_it_went_in(store: Store):
    assert {type(body) for body in EVERY_BODY} == set(get_args(Body))
    for body in EVERY_BODY:
        event = one(store, Q, body)
        assert event.body == body
        assert store.event(event.id) == event


def test_an_unknown_event_is_none(store: Store):
    assert store.event("no such") is None


def test_a_log_is_read_in_the_order_it_was_written_though_the_clock_was_set_back(store: Store):
    times = [NOON_MS, NOON_MS - 3_600_000, NOON_MS + 5, NOON_MS - 86_400_000]
    events = [one(store, Q, Flagged(on=True), utc_ms=ms) for ms in times]
    assert store.events(Q) == events
    assert [e.at_ms for e in events] == [NOON_MS, NOON_MS, NOON_MS + 5, NOON_MS + 5]
    assert events == sorted(events, key=lambda e: e.order)


def test_sequence_numbers_have_no_gap(store: Store):
    events = [*store.append([new(Q, Flagged(on=True)) for _ in range(3)]), answer(store)]
    assert [e.sequence for e in events] == [2, 3, 4, 5]
    assert {e.machine for e in events} == {store.machine}


def test_appending_again_changes_nothing(store: Store):
    """The call that is repeated after a full disk: some of it may have been logged."""
    batch = [new(Q, build_answer(19_000)), new(OTHER, build_answer(19_000))]
    first = store.append(batch[:1])
    both = store.append(batch)
    dump = store.dump()
    assert both[0] == first[0]
    assert store.append(batch) == both
    assert store.append([batch[1], batch[1]]) == (both[1], both[1])
    assert store.count_events() == 3
    assert store.dump() == dump


def test_nothing_to_append_is_nothing(store: Store):
    assert store.append([]) == ()


def test_a_batch_is_logged_whole_or_not_at_all(store: Store):
    bad = new(None, Flagged(on=True))
    with pytest.raises(StoreError, match=r"no-question.*flag"):
        store.append([new(Q, build_answer()), bad])
    assert store.count_events() == 1
    assert store.cards() == {}


def test_an_answer_under_unknown_parameters_is_refused(store: Store):
    """Its replay would be impossible, and the log cannot be mended afterwards."""
    unknown = Parameters(retention=0.7)
    with pytest.raises(StoreError, match=unknown.id):
        answer(store, parameters_id=unknown.id)
    assert store.count_events() == 1


def test_parameters_may_come_with_the_first_answer_under_them(store: Store):
    chosen = Parameters(retention=0.7)
    store.append(
        [
            new(None, ParametersSet(parameters=chosen)),
            new(Q, build_answer(parameters_id=chosen.id)),
        ]
    )
    assert store.parameters() == {chosen.id: chosen, PARAMETERS.id: PARAMETERS}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET body = '{}'",
        "UPDATE event SET at_ms = 0 WHERE kind = 'parameters'",
        "DELETE FROM event",
        "INSERT OR REPLACE INTO event SELECT * FROM event",
        (
            "REPLACE INTO event"
            " SELECT NULL, 'new', at_ms, machine, sequence, session, question, kind, body"
            " FROM event"
        ),
    ],
)
def test_the_log_cannot_be_changed_by_any_sql(store: Store, statement: str):
    answer(store)
    before = store.events(Q)
    with (
        driver(store) as connection,
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
    ):
        connection.execute(statement)
    assert store.events(Q) == before
    assert store.count_events() == 2


def test_a_refusal_reaches_a_person_as_a_store_error(store: Store):
    with (
        pytest.raises(StoreError, match="append-only") as caught,
        store._database.writing() as connection,
    ):
        connection.exec_driver_sql("DELETE FROM event")
    assert str(store._database.path) in english(caught.value)
    assert "quiz doctor" in english(caught.value)


def test_undo_and_redo_walk_through_a_session(store: Store):
    def recent():
        return store.recent_undo_events("session", NOON_MS)

    first, second = answer(store), answer(store, OTHER)
    assert undo_target(recent()) == second
    undo(store, second)
    assert undo_target(recent()) == first
    assert redo_target(recent()) == second
    redo(store, second)
    assert undo_target(recent()) == second
    assert redo_target(recent()) is None


def test_undo_sees_only_what_undo_is_about(store: Store):
    event = answer(store)
    one(store, Q, Rerated(target=event.id, rating=Rating.HARD, due_day=1))
    one(store, Q, Reset())
    assert store.recent_undo_events("session", NOON_MS) == [event]


def test_two_running_programs_do_not_undo_each_other(store: Store):
    began = NOON_MS + 1000
    with Store.open(store._database.path) as beside:
        mine = one(store, Q, build_answer(), session="mine", utc_ms=began + 10)
        theirs = one(beside, OTHER, build_answer(), session="theirs", utc_ms=began + 20)
        assert store.recent_undo_events("mine", began) == [mine]
        assert beside.recent_undo_events("theirs", began) == [theirs]


@pytest.mark.parametrize("clock_ms", [60_000, -86_400_000], ids=["later", "clock set back"])
def test_undo_reaches_back_before_a_restart(store: Store, clock_ms: int):
    event = answer(store)
    with Store.open(store._database.path) as restarted:
        assert restarted.recent_undo_events("next", NOON_MS + clock_ms) == [event]


def test_undo_sees_the_latest_when_there_are_many(store: Store):
    events = [answer(store, day=19_000 + n) for n in range(6)]
    assert store.recent_undo_events("session", 0, limit=4) == events[2:]


def test_undo_ignores_another_machine(store: Store):
    with store._database.writing() as connection:
        connection.exec_driver_sql(
            "INSERT INTO event SELECT NULL, 'theirs', at_ms, 'laptop', 1, session, 'a/b', 'flag',"
            """ '{"type":"flag","on":true}' FROM event"""
        )
    assert store.recent_undo_events("session", NOON_MS + 1) == []
    assert [e.machine for e in store.events("a/b")] == ["laptop"]


def submit(store: Store, question: str, **more) -> None:
    body = next(body for body in EVERY_BODY if isinstance(body, Submitted))
    one(store, question, body, **more)


def test_recent_submissions_are_found_by_their_questions_present_names(store: Store):
    assert store.recently_submitted() == []
    submit(store, "old/name")
    submit(store, OTHER)
    submit(store, Q)
    submit(store, OTHER)
    store.adopt({"old/name": "new/name"})
    assert store.recently_submitted() == ["new/name", Q, OTHER]


def test_only_the_latest_events_of_this_machine_are_looked_at_for_submissions(store: Store):
    submit(store, Q)
    store.append([new(OTHER, Flagged(on=True)) for _ in range(399)])
    assert store.recently_submitted() == [Q]
    store.append([new(OTHER, Flagged(on=True))])
    assert store.recently_submitted() == []
    with store._database.writing() as connection:
        connection.exec_driver_sql(
            "INSERT INTO event SELECT NULL, 'theirs', at_ms, 'laptop', 9999, session, question,"
            " kind, body FROM event WHERE kind = 'submit'"
        )
    assert store.recently_submitted() == []


def test_answers_keep_what_was_shown_and_said(store: Store):
    body = answer(store, hints=2, failures=1, confidence=3, repeat=True).body
    assert isinstance(body, Answered)
    assert (body.hints, body.failures, body.confidence, body.repeat) == (2, 1, 3, True)
    assert body.drawn == {"order": [2, 0, 1]}


@pytest.mark.parametrize("times", [1, 3, 40, 100_000])
def test_a_replay_reads_the_log_in_its_order(
    store: Store, times: int, monkeypatch: pytest.MonkeyPatch
):
    """As SQLite sorts it, however many events have one time, and whatever names machines have."""
    monkeypatch.setattr(log, "_BATCH", 50)
    chance = random.Random(times)
    machines = ["a text", b"\x01" * 16, b"\xff" * 16, "\U0001f642", "\uffff", 7]
    rows = [
        (chance.randbytes(16), chance.randrange(times), chance.choice(machines), number, b"s")
        for number in range(600)
    ]
    chance.shuffle(rows)
    insert = (
        "INSERT INTO event (id, at_ms, machine, sequence, session, question, kind, body)"
        " VALUES (?, ?, ?, ?, ?, 'p/a', 'flag', '{}')"
    )
    sort = "SELECT row FROM event WHERE question NOT NULL ORDER BY at_ms, machine, sequence"
    with store._database.writing() as connection:
        raw(connection).executemany(insert, rows)
        read = [found[0] for batch in log.stored(connection) for found in batch]
        assert read == [row for (row,) in raw(connection).execute(sort)]
        assert len(read) == len(rows)
        connection.rollback()
