"""Cards, answers, counts, former ids, drafts: what each call says after a few events."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.domain.errors import StoreDamaged, StoreError
from quizapp.domain.log.events import Buried, Flagged, Rerated, Reset, Suspended, Unvoided, Voided
from quizapp.domain.log.projection import Card
from quizapp.domain.log.totals import Totals
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import review
from quizapp.store import rebuilding
from quizapp.store.aliases import resolve
from quizapp.store.foreign import Arrival
from quizapp.store.store import Store
from tests.store.tools import (
    NOON_MS,
    OTHER,
    Q,
    answer,
    build_answer,
    driver,
    new,
    one,
    undo,
    with_parameters,
)

DAY = 19_000
FORMER = "shared-memory/old-name"


def test_nothing_is_known_of_an_unseen_question(store: Store):
    assert store.card(Q) is None
    assert store.cards() == {}
    assert store.events(Q) == []
    assert store.latest_day() is None
    assert store.totals_of_day(DAY) == Totals()


def test_a_card_is_what_the_domain_makes_of_its_events(store: Store):
    answer(store, rev=4)
    one(store, Q, Buried(until=DAY + 1))
    one(store, Q, Suspended(on=True))
    one(store, Q, Flagged(on=True))
    parameters = next(iter(store.parameters().values()))
    expected = Card(
        question=Q,
        memory=review(Q, None, Rating.GOOD, DAY, parameters),
        first_day=DAY,
        passed=True,
        again_day=None,
        rev=4,
        buried_until=DAY + 1,
        suspended=True,
        flagged=True,
    )
    assert store.card(Q) == expected
    assert store.cards() == {Q: expected}


def test_a_wrong_answer_asks_for_its_return(store: Store):
    answer(store, correct=False)
    card = store.card(Q)
    assert card is not None
    assert (card.again_day, card.passed) == (DAY, False)


def test_undoing_the_first_answer_leaves_no_card(store: Store):
    before = store.dump()
    undo(store, answer(store))
    assert store.card(Q) is None
    assert store.dump() == before


def test_an_overridden_rating_replaces_the_answers_row(store: Store):
    event = answer(store)
    one(store, Q, Rerated(target=event.id, rating=Rating.AGAIN, due_day=DAY + 1))
    (fact,) = store.answer_facts()
    assert fact.rating is Rating.AGAIN
    assert fact.correct


def test_only_a_days_first_attempt_counts(store: Store):
    """Whichever program it came from: the earlier one in the log."""
    with Store.open(store._database.path) as beside:
        first = answer(store, correct=False)
        second = answer(beside)
        card = beside.card(Q)
    facts = {fact.event: fact for fact in store.answer_facts()}
    assert facts[first.id].counts
    assert not facts[second.id].counts
    done = store.totals_of_day(DAY)
    assert (done.new, done.reviews, done.repeats, done.duration_ms) == (1, 0, 1, 3000)
    assert store.card(Q) == card
    assert card is not None
    assert card.memory is not None
    assert card.memory.repetitions == 1


def test_counts_of_days(store: Store):
    for day in (DAY, DAY + 3, DAY + 3, DAY + 9):
        answer(store, day=day)
    answer(store, OTHER, DAY + 3)
    assert store.latest_day() == DAY + 9
    done = store.totals_of_day(DAY + 3)
    assert (done.new, done.reviews, done.repeats, done.duration_ms) == (1, 1, 1, 4500)
    assert store.answers_by_day(DAY, DAY + 8) == {DAY: 1, DAY + 3: 2}
    assert store.answers_by_day(DAY + 9, DAY + 9) == {DAY + 9: 1}
    assert [f.study_day for f in store.answer_facts(DAY + 3)] == [
        *(DAY + 3, DAY + 3, DAY + 9),
        DAY + 3,
    ], "as logged"
    assert [f.elapsed for f in store.answer_facts() if f.question == Q] == [0, 3, 0, 6]


def test_the_latest_day_is_that_of_an_answer_that_stands(store: Store):
    answer(store)
    undo(store, answer(store, OTHER, DAY + 40))
    assert store.latest_day() == DAY


def test_a_reset_makes_a_question_new_and_keeps_what_was_done(store: Store):
    answer(store)
    one(store, Q, Reset())
    assert store.card(Q) is None
    answer(store, day=DAY + 1)
    assert [f.was_new for f in store.answer_facts()] == [True, True]
    assert store.answers_by_day(DAY, DAY + 1) == {DAY: 1, DAY + 1: 1}


def took(durations) -> list[int]:
    """The milliseconds of `Store.durations`."""
    return [ms for _, ms in durations]


def test_pace_is_taken_from_counted_right_answers_of_the_kind(store: Store):
    for n in range(4):
        one(store, f"p/{n}", build_answer(DAY, duration_ms=1000 + n), utc_ms=NOON_MS + n)
    answer(store, "p/0", DAY, duration_ms=900)
    answer(store, "p/wrong", DAY, correct=False, duration_ms=901)
    answer(store, "p/choice", DAY, kind="choice", duration_ms=902)
    assert took(store.durations("number")) == [1003, 1002, 1001, 1000]
    assert took(store.durations("number", limit=2)) == [1003, 1002]
    assert store.durations("recall") == ()


def test_durations_that_no_person_can_have_do_not_count_as_pace(store: Store):
    """The old plain mode logged them where lines were typed ahead."""
    for n, duration_ms in enumerate((2, 299, 300, 4394)):
        at_ms = NOON_MS + n
        one(store, f"p/{n}", build_answer(DAY, duration_ms=duration_ms), utc_ms=at_ms)
    assert took(store.durations("number")) == [4394, 300]
    assert (
        store.totals_of_day(DAY).duration_ms == 2 + 299 + 300 + 4394
    )  # the log itself stays as it is


def test_a_renamed_question_keeps_its_history(store: Store):
    answer(store, FORMER)
    before = store.card(FORMER)
    store.adopt({FORMER: Q})
    answer(store, day=DAY + 5)
    card = store.card(Q)
    assert before is not None
    assert card is not None
    assert card.first_day == before.first_day
    assert list(store.cards()) == [Q]
    assert store.card(FORMER) == card
    assert [e.question for e in store.events(Q)] == [Q, Q]
    assert store.events(FORMER) == store.events(Q)
    assert {fact.question for fact in store.answer_facts()} == {Q}
    assert [e.question for e in store.recent_undo_events("session", 0)] == [Q, Q]


def test_an_answer_under_the_old_name_counts_for_the_new_one(store: Store):
    """Two programs, one of them started before the rename."""
    store.adopt({FORMER: Q})
    event = answer(store, FORMER)
    assert event.question == Q
    assert [fact.question for fact in store.answer_facts()] == [Q]
    undo(store, event)
    assert store.cards() == {}


def test_taking_a_rename_back_gives_the_state_before(store: Store):
    answer(store, FORMER)
    answer(store, day=DAY + 5)
    before = store.dump()
    store.adopt({FORMER: Q})
    assert len(store.cards()) == 1
    store.adopt({})
    assert store.dump() == before


def test_adopting_what_is_adopted_writes_nothing(store: Store):
    store.adopt({FORMER: Q})
    statements: list[str] = []
    with store._database._engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.set_trace_callback(statements.append)
    store.adopt({FORMER: Q})
    assert [s for s in statements if s.startswith(("BEGIN IMMEDIATE", "DELETE", "INSERT"))] == []


@pytest.mark.parametrize(
    ("renames", "expected"),
    [
        ({}, {}),
        ({"a": "b", "b": "c"}, {"a": "c", "b": "c"}),
        ({"a": "a"}, {}),
        ({"a": "b", "b": "a"}, {}),
        ({"x": "a", "a": "b", "b": "a"}, {}),
        ({"a": "c", "b": "c"}, {"a": "c", "b": "c"}),
    ],
)
def test_renames_of_renames(renames: dict[str, str], expected: dict[str, str]):
    assert resolve(renames) == expected


def test_an_undo_stays_with_what_it_undoes_whatever_is_renamed(store: Store):
    """The caller names the question as it is called now; later it is called otherwise again."""
    written = answer(store, FORMER)
    store.adopt({FORMER: Q})
    now = store.event(written.id)
    assert now is not None
    assert now.question == Q
    undo(store, now)
    store.adopt({})
    assert store.cards() == {}


def test_an_undo_finds_its_target_in_the_same_batch(store: Store):
    store.adopt({FORMER: Q})
    wanted = new(FORMER, build_answer())
    store.append([wanted, new(Q, Voided(target=wanted.id))])
    store.adopt({})
    assert store.cards() == {}


def test_a_draft_is_kept_word_for_word(store: Store):
    text = "if (tid < 32)\n\t银行 \x00 [/x] 🙂"
    store.save_draft(Q, "half", NOON_MS)
    store.save_draft(Q, text, NOON_MS - 5)
    assert store.draft(Q) == text
    assert store.drafts() == {Q: text}
    store.drop_drafts(Q, ["python"])
    assert store.draft(Q) is None


def test_a_draft_moves_with_a_rename(store: Store):
    store.save_draft(FORMER, "old words", NOON_MS)
    store.adopt({FORMER: Q})
    assert store.draft(Q) == store.draft(FORMER) == "old words"
    store.save_draft(Q, "new words", NOON_MS + 1)
    assert store.drafts() == {Q: "new words"}
    store.drop_drafts(FORMER, ["python"])
    assert store.drafts() == {}


def test_a_rebuild_leaves_drafts_and_repairs_caches(store: Store):
    store.append([new(f"p/{n}", build_answer(DAY, correct=n % 2 == 0)) for n in range(5)])
    store.save_draft(Q, "words", NOON_MS)
    before = store.dump()
    with store._database.writing() as connection:
        connection.exec_driver_sql("UPDATE card SET stability = 99, suspended = 1")
        connection.exec_driver_sql("DELETE FROM answer WHERE question = 'p/3'")
        connection.exec_driver_sql(
            "INSERT INTO card SELECT 'ghost', stability, difficulty, last_day, due_day, repetitions"
            ", lapses, first_day, passed, again_day, rev, buried_until, suspended, flagged FROM"
            " card LIMIT 1"
        )
    assert store.dump() != before
    steps: list[tuple[int, int]] = []
    store.rebuild(lambda done, of: steps.append((done, of)))
    assert store.dump() == before
    assert store.draft(Q) == "words"
    assert steps == [(0, 6), (6, 6)]  # the parameters are an event, too


@pytest.mark.parametrize("body", ["'{'", "X'9300'"])
def test_a_migration_leaves_a_question_with_an_unreadable_event_without_rows(
    store: Store, body: str
):
    """Its answers before the unreadable event, after it, and those of other questions between."""
    answer(store, OTHER)
    expected = store.dump()
    recalled = {"kind": "recall", "response": "words\n0 2"}
    for day in range(DAY, DAY + 3):
        answer(store, Q, day, **recalled)
    assert store.rubric_totals() != []
    with store._database.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER event_no_update")
        connection.exec_driver_sql(f"UPDATE event SET body = {body} WHERE row = 4")
        with pytest.raises(StoreDamaged):
            rebuilding.rebuild(connection, None)
    with store._database.writing() as connection:
        rebuilding.rebuild(connection, None, skips_damage=True)
    assert store.dump() == expected


@pytest.mark.parametrize("action", [Voided, Unvoided])
def test_taking_back_a_large_import_asks_the_database_no_more_often(
    store: Store, tmp_path: Path, action: type[Voided | Unvoided]
):
    asked = []
    for number in (5, 50):
        with Store.open(tmp_path / f"{number}.db") as other:
            with_parameters(other)
            other.append([new(f"p/{number}-{n}", build_answer()) for n in range(number)])
            store.take_in(other.stored_events(), Arrival(f"{number:032}", "s", "o", NOON_MS))
        step = one(store, None, Voided(target=f"{number:032}")) if action is Unvoided else None
        with driver(store) as connection:
            statements: list[str] = []
            connection.set_trace_callback(statements.append)
            one(store, None, action(target=f"{number:032}"))
            connection.set_trace_callback(None)
        asked.append(sum(each.startswith("SELECT") for each in statements))
        found = {name for name in store.cards() if name.startswith(f"p/{number}-")}
        assert len(found) == (0 if step is None else number)
    assert asked[1] <= asked[0] + 5
    before = store.dump()
    store.rebuild()
    assert store.dump() == before


def test_a_rebuild_that_is_interrupted_changes_nothing(store: Store):
    answer(store)
    before = store.dump()

    def interrupt(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.rebuild(interrupt)
    assert store.dump() == before


def test_a_rebuild_checks_what_its_rows_refer_to(store: Store, monkeypatch: pytest.MonkeyPatch):
    """Before it commits; and the next transaction checks at each row again."""
    answer(store)
    before = store.dump()
    with monkeypatch.context() as patch:
        patch.setattr(
            "quizapp.store.cards.numbers_of", lambda _, names: dict.fromkeys(names, 1 << 40)
        )
        patch.setattr("quizapp.store.tally.ReplayTally.write", lambda *_: None)
        with pytest.raises(StoreDamaged, match=r"store\.orphan"):
            store.rebuild()
    assert store.dump() == before
    wrong = "UPDATE answer SET question = question + 1"
    with pytest.raises(StoreError), store._database.writing() as connection:
        connection.exec_driver_sql(wrong)
    store.rebuild()
    with pytest.raises(StoreError), store._database.writing() as connection:
        connection.exec_driver_sql(wrong)
    assert store.dump() == before
