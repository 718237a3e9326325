"""Nothing is lost: undo and redo, drafts, failures, two programs, and content that changes."""

from __future__ import annotations

import csv
import io
import random
import sqlite3

import pytest

from quizapp.domain import workload
from quizapp.domain.days import as_date
from quizapp.domain.errors import StoreLocked
from quizapp.domain.goal import Goal
from quizapp.domain.log.events import Answered
from quizapp.domain.queue import Stage
from quizapp.domain.rating import Rating, Rule
from quizapp.study.home_values import Filter
from quizapp.study.overview import next_days
from quizapp.study.sessions.recording import grade_response
from quizapp.study.transfer import exchange
from tests.study.tools import (
    AGAIN,
    EASY,
    EVERYTHING,
    TODAY,
    Person,
    answer,
    asked_ids,
    deck_of,
    finish,
    on_by_default,
    right,
    wrong,
)

QUESTION = """\
- id: {id}
  kind: number
  topic: {topic}
  concept: concept-{id}
  difficulty: 1
  prompt: How many banks?
  explanation: There are 32.
  sources: [s]
  answer: 32
"""


def text(*ids: str, **more: str) -> str:
    """Questions by id, each on a topic of its own; `a="rev: 2"` adds a field to question a."""
    return "".join(
        QUESTION.format(id=name, topic=f"topic-{name}")
        + (f"  {more[name]}\n" if name in more else "")
        for name in ids
    )


def state(study) -> tuple[object, ...]:
    """Everything that an undo and its redo must leave as it was."""
    session = study.session.queue
    return (
        study.store.dump(),
        dict(study.progress.cards),
        session.asked,
        session.left,
        {i.question for i in session.waiting} | {i.question for _, i in session.returning},
    )


# Undo and redo


def test_an_undone_answer_leaves_no_trace_and_is_asked_again_at_once(person):
    study = person().open()
    study.session.begin(EVERYTHING)
    answer(study)
    before, asked = state(study), study.session.next()
    answer(study, correct=False)
    undone = study.history.undo()
    assert (undone.question, undone.what) == (asked.entry.id, "answer")
    assert state(study) == before
    again = study.session.next()
    assert (again.entry, again.card, again.position, again.total, again.order) == (
        asked.entry,
        asked.card,
        asked.position,
        asked.total,
        asked.order,
    )


@pytest.mark.parametrize("correct", [True, False])
def test_undo_and_redo_end_where_they_began(person, correct):
    study = person().open()
    study.session.begin(EVERYTHING)
    for _ in range(3):
        answer(study, correct=correct)
    after = state(study)
    assert [study.history.undo() is not None for _ in range(3)] == [True] * 3
    assert study.history.undo() is None
    assert [study.history.redo() is not None for _ in range(3)] == [True] * 3
    assert study.history.redo() is None
    assert state(study) == after


def test_a_new_answer_ends_what_could_be_redone(person):
    study = person().open()
    study.session.begin(EVERYTHING)
    answer(study)
    study.history.undo()
    answer(study, correct=False)
    assert study.history.redo() is None


def test_an_override_is_undone_with_its_answer_and_comes_back_with_it(person):
    study = person().open()
    study.session.begin(EVERYTHING)
    graded = answer(study)
    study.session.rate(graded, EASY)
    after = study.store.dump()
    study.history.undo()
    assert study.progress.card(graded.turn.entry.id).memory is None
    study.history.redo()
    assert study.store.dump() == after


def test_undo_and_redo_work_after_a_restart(person):
    one = person()
    study = one.open()
    study.session.begin(EVERYTHING)
    done = [answer(study) for _ in range(3)]
    after = study.store.dump()
    study.history.undo()

    study = one.reopen()
    study.session.begin(EVERYTHING)
    assert study.history.undo().question == done[1].turn.entry.id
    assert study.session.next().entry.id == done[1].turn.entry.id

    study = one.reopen()
    study.session.begin(EVERYTHING)
    assert [study.history.redo().question for _ in range(2)] == asked_ids(done[1:])
    assert study.history.redo() is None
    assert study.store.dump() == after


def mark(study, act: str, question: str) -> None:
    """Make a mark, by the name that an undo of it has."""
    getattr(study.marks, "toggle_flag" if act == "flag" else act)(question)


@pytest.mark.parametrize("act", ["bury", "suspend", "flag"])
def test_a_mark_is_undone_and_redone(person, act):
    study = person().open()
    study.session.begin(EVERYTHING)
    asked, before = study.session.next(), state(study)
    mark(study, act, asked.entry.id)
    after = state(study)
    assert study.history.undo().what == act
    assert state(study) == before
    assert study.session.next().entry.id == asked.entry.id
    assert study.history.redo().what == act
    assert state(study) == after


@pytest.mark.parametrize("act", ["bury", "suspend", "flag"])
def test_undoing_a_mark_of_a_question_outside_the_session_does_not_bring_it_in(
    person, shipped, act
):
    """From the browser anything can be marked: the day's limits and the filter still hold."""
    study = person().open()
    study.session.begin(Filter(topic="banks", limit=2))
    outside = next(name for name, entry in shipped.entries.items() if entry.topic != "banks")
    mark(study, act, outside)
    study.history.undo()
    assert outside not in asked_ids(finish(study))


def test_an_undone_answer_gives_its_place_in_the_day_s_limit_back(person):
    one = person(new_per_day=3)
    study = one.open()
    finish(study, EVERYTHING)
    study.history.undo()
    assert one.reopen().session.begin(EVERYTHING).left == 1


@pytest.mark.parametrize("seed", range(4))
def test_any_walk_of_answers_marks_undos_and_redos_agrees_with_a_rebuild(person, seed):
    """Caches, what the study holds in memory and a replay of the log are the same at any time."""
    choose = random.Random(seed)
    one = person(new_per_day=8)
    study = one.open()
    study.session.begin(EVERYTHING)
    past = []
    for _ in range(40):
        act = choose.choices(
            ["right", "wrong", "undo", "redo", "flag", "bury", "rate", "tomorrow", "restart"],
            [6, 3, 5, 4, 1, 1, 2, 1, 1],
        )[0]
        asked = study.session.next()
        if act in ("right", "wrong") and asked is not None:
            past.append(answer(study, correct=act == "right"))
        elif act == "undo":
            study.history.undo()
        elif act == "redo":
            study.history.redo()
        elif act in ("flag", "bury") and asked is not None:
            mark(study, act, asked.entry.id)
        elif act == "rate" and past and study.progress.card(past[-1].turn.entry.id).memory:
            study.session.rate(past[-1], choose.choice(list(Rating)))
        elif act == "tomorrow":
            one.clock.move(days=1)
            study.session.begin(EVERYTHING)
        elif act == "restart":
            study, past = one.reopen(), []
            study.session.begin(EVERYTHING)
        assert dict(study.progress.cards) == study.store.cards()
        standing = {card.question for card in study.progress.cards.values() if card.suspended}
        assert not standing & {item.question for item in study.session.queue.waiting}
    derived = study.store.dump()
    study.store.rebuild()
    assert study.store.dump() == derived


# Marks


@pytest.mark.parametrize(("days", "expected"), [(0, False), (1, True)])
def test_a_buried_question_returns_tomorrow(person, days, expected):
    one = person()
    study = one.open()
    study.session.begin(EVERYTHING)
    name = study.session.next().entry.id
    study.marks.bury(name)
    assert name not in asked_ids(finish(study))
    one.clock.move(days=days)
    one.settings = one.settings.__class__(new_per_day=1000)
    found = one.reopen().session.begin(EVERYTHING)
    assert (name in {item.question for item in found.waiting}) is expected


def test_a_suspended_question_stays_away_until_it_is_switched_on(person):
    one = person(new_per_day=20)
    study = one.open()
    study.session.begin(EVERYTHING)
    name = study.session.next().entry.id
    study.marks.suspend(name)
    one.clock.move(days=100)
    study = one.reopen()
    assert name not in asked_ids(finish(study, EVERYTHING))
    study.marks.suspend(name, on=False)
    one.clock.move(days=1)
    study = one.reopen()
    assert name in {i.question for i in study.session.begin(EVERYTHING).waiting}


def test_a_flag_goes_on_and_off(person):
    one = person()
    study = one.open()
    study.session.begin(EVERYTHING)
    name = study.session.next().entry.id
    assert study.marks.toggle_flag(name) is True
    assert one.reopen().progress.card(name).flagged
    assert one.open().marks.toggle_flag(name) is False


def test_a_reset_makes_questions_new_and_counts_those_that_had_progress(person, shipped):
    one = person(new_per_day=4)
    study = one.open()
    done = asked_ids(finish(study, EVERYTHING))
    unseen = next(name for name in shipped.entries if name not in done)
    assert study.marks.reset([*done[:2], unseen]) == 2
    assert [study.progress.card(name).memory is None for name in done] == [True, True, False, False]
    assert len(study.store.events(done[0])) == 2  # the answer stays in the log


# Drafts


def test_a_half_written_answer_is_offered_again_after_a_kill(person):
    one = person()
    study = one.open()
    study.session.begin(EVERYTHING)
    name = study.session.next().entry.id
    study.attempts.save_draft(name, "bank conflicts are 中文 `a[tid]`\n")
    second = one.open()  # the first was never closed
    second.session.begin(EVERYTHING)
    assert second.session.next().draft == "bank conflicts are 中文 `a[tid]`\n"


def test_a_draft_goes_with_its_answer_and_with_its_last_letter(person):
    study = person().open()
    study.session.begin(EVERYTHING)
    name = study.session.next().entry.id
    study.attempts.save_draft(name, "words")
    study.attempts.save_draft(name, "  ")
    assert study.session.next().draft == ""
    study.attempts.save_draft(name, "words")
    answer(study)
    assert study.store.drafts() == {}


# Failures


def test_an_answer_that_could_not_be_stored_can_be_stored_again_and_counts_once(person):
    one = person()
    study = one.open()
    study.session.begin(EVERYTHING)
    asked = study.session.next()
    graded = study.session.grade(asked, wrong(asked))
    before = study.session.queue
    lock = sqlite3.connect(one.database, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreLocked):
        study.session.commit(graded)
    assert study.session.queue == before
    assert study.session.next() == asked
    lock.execute("ROLLBACK")
    lock.close()

    study.session.commit(graded)
    after = state(study)
    study.session.commit(graded)
    assert state(study) == after
    assert len(study.store.events(asked.entry.id)) == 1
    assert study.session.queue.asked == 1


def test_a_failed_override_and_undo_change_nothing(person):
    one = person()
    study = one.open()
    study.session.begin(EVERYTHING)
    graded = answer(study)
    before = state(study)
    lock = sqlite3.connect(one.database, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    for act in (
        lambda: study.session.rate(graded, AGAIN),
        study.history.undo,
        lambda: study.marks.bury("x/y"),
    ):
        with pytest.raises(StoreLocked):
            act()
    lock.execute("ROLLBACK")
    lock.close()
    assert state(study) == before


# Two programs on one database


def test_two_programs_lose_nothing_and_count_nothing_twice(person):
    one = person(new_per_day=6)
    here, there = one.open(), one.open()
    here.session.begin(EVERYTHING)
    there.session.begin(EVERYTHING)
    name = here.session.next().entry.id
    assert there.session.next().entry.id == name

    answer(here, correct=False)
    memory = here.progress.card(name).memory
    answer(there)  # the same question, later on the same day
    assert there.store.card(name).memory == memory
    counts = there.store.totals_of_day(TODAY)
    assert (counts.new, counts.reviews, counts.repeats) == (1, 0, 1)
    assert len([e for e in here.store.events(name) if isinstance(e.body, Answered)]) == 2


def test_programs_do_not_undo_each_other_s_answers(person):
    one = person()
    here, there = one.open(), one.open()
    here.session.begin(EVERYTHING)
    there.session.begin(EVERYTHING)
    mine = answer(here)
    assert there.history.undo() is None
    theirs = [answer(there), answer(there)]
    assert here.history.undo().question == mine.turn.entry.id
    assert here.history.undo() is None
    assert there.history.undo().question == theirs[1].turn.entry.id


def test_two_programs_taking_turns_ask_all_questions_of_the_day(person, tmp_path):
    one = person(deck_of(tmp_path / "c", text("a", "b", "c", "d")))
    here, there = one.open(), one.open()
    here.session.begin(EVERYTHING)
    there.session.begin(EVERYTHING)
    for study in (here, there, here, there, here, there, here, there):
        answer(study)
    assert here.store.cards() == there.store.cards()
    assert all(c.memory.repetitions == 1 for c in here.store.cards().values())
    assert one.reopen().session.begin(EVERYTHING).left == 0


# Content that changes


@pytest.fixture
def small(person, tmp_path):
    """A person who answered a, b and c today; and a way to change the deck."""

    class Small:
        def __init__(self) -> None:
            self.person: Person = person(self.deck(text("a", "b", "c")))
            self.study = self.person.open()
            finish(self.study, EVERYTHING)

        def deck(self, content: str, name: str = "pack/a.yaml"):
            return deck_of(tmp_path / "content", content, name)

        def later(self, content: str, days: float = 60):
            """The program, started some days later with other content."""
            self.person.clock.move(days=days)
            self.study = self.person.reopen(self.deck(content))
            return self.study

    return Small()


def test_progress_stays_when_a_question_is_edited_or_moved(small, tmp_path):
    memory = small.study.progress.card("pack/a").memory
    study = small.later(text("a", "b", "c").replace("How many banks?", "How many?"), days=0)
    assert study.progress.card("pack/a").memory == memory
    assert study.session.begin(EVERYTHING).left == 0
    (tmp_path / "content" / "pack" / "a.yaml").unlink()
    study = small.person.reopen(small.deck(text("a", "b", "c"), "pack/deep/z.yaml"))
    assert study.progress.card("pack/a").memory == memory


def test_progress_follows_a_renamed_question(small):
    small.study.attempts.save_draft("pack/a", "words")
    memory = small.study.progress.card("pack/a").memory
    study = small.later(text("renamed", "b", "c", renamed="was: [a]"))
    assert study.progress.card("pack/renamed").memory == memory
    assert "pack/a" not in study.progress.cards
    study.session.begin(Filter(topic="topic-renamed"))
    asked = study.session.next()
    assert (asked.item.stage, asked.draft) == (Stage.REVIEW, "words")
    answer(study)
    assert [e.question for e in study.store.events("pack/renamed")] == ["pack/renamed"] * 2
    assert study.progress.card("pack/renamed").memory.repetitions == 2
    study.history.undo()
    assert study.progress.card("pack/renamed").memory == memory


def test_a_rename_of_a_rename_and_its_way_back(small):
    memory = small.study.progress.card("pack/a").memory
    small.later(text("second", "b", "c", second="was: [a]"), days=0)
    study = small.later(text("third", "b", "c", third="was: [a, second]"), days=0)
    assert study.progress.card("pack/third").memory == memory
    study = small.later(text("a", "b", "c", a="was: [second, third]"), days=0)
    assert study.progress.card("pack/a").memory == memory


def test_a_question_that_another_claims_as_its_former_self_keeps_its_progress(small):
    """`was: [b]` while b is still there is a mistake that lint names; b must not pay for it."""
    memory = small.study.progress.card("pack/b").memory
    study = small.later(text("a", "b", "c", a="was: [b]"), days=0)
    assert study.progress.card("pack/b").memory == memory
    assert study.session.begin(EVERYTHING).left == 0


def test_a_deleted_question_s_history_waits_for_it(small):
    memory = small.study.progress.card("pack/a").memory
    study = small.later(text("b", "c"))
    assert "pack/a" not in asked_ids(finish(study, EVERYTHING))
    study = small.later(text("a", "b", "c"), days=0)
    assert study.progress.card("pack/a").memory == memory
    assert asked_ids(finish(study, EVERYTHING)) == ["pack/a"]


def test_a_raised_revision_asks_again_once(small):
    study = small.later(text("a", "b", "c", a="rev: 2"), days=0)
    assert study.session.begin(EVERYTHING).left == 0  # it was answered today
    study = small.later(text("a", "b", "c", a="rev: 2"), days=1)
    due = {
        name
        for name in ("pack/b", "pack/c")
        if study.progress.card(name).memory.due_day <= study.day
    }
    done = finish(study, EVERYTHING)
    assert set(asked_ids(done)) == {"pack/a", *due}
    assert {g.turn.item.stage for g in done} == {Stage.REVIEW}
    assert study.session.begin(EVERYTHING).left == 0


def test_content_that_changes_during_a_session_leaves_the_rest_of_the_queue(person, tmp_path):
    one = person(deck_of(tmp_path / "c", text("a", "b", "c", "d")))
    study = one.open()
    study.session.begin(EVERYTHING)
    answer(study, correct=False)
    study.use_deck(deck_of(tmp_path / "c", text("b", "d", "e")))
    assert asked_ids(finish(study)) == ["pack/b", "pack/d"]
    assert study.session.queue.left == 0


# Requirements

CHAIN = text("a", "b", "c", b="requires: [a]", c="requires: [a, b]")


def test_a_question_waits_until_what_it_requires_was_right(person, tmp_path):
    one = person(deck_of(tmp_path / "c", CHAIN))
    study = one.open()
    study.session.begin(EVERYTHING)
    assert study.session.queue.left == 1
    answer(study, correct=False)
    assert one.reopen().session.begin(EVERYTHING).waiting == ()
    study = one.reopen()
    study.session.begin(EVERYTHING)
    answer(study)  # the repeat: right once is enough
    study.session.begin(EVERYTHING)
    assert asked_ids(finish(study)) == ["pack/b"]
    assert asked_ids(finish(study, EVERYTHING)) == ["pack/c"]


def test_a_session_on_one_topic_does_not_ask_what_is_still_locked(person, tmp_path):
    """What a question requires may stand in another topic."""
    one = person(deck_of(tmp_path / "c", CHAIN))
    study = one.open()
    assert study.session.begin(Filter(topic="topic-b")).left == 0
    finish(study, EVERYTHING)
    assert study.session.begin(Filter(topic="topic-b")).left == 1


def test_a_requirement_that_is_not_in_the_deck_holds_nothing_back(person, tmp_path):
    one = person(deck_of(tmp_path / "c", text("a", a="requires: [gone]")))
    assert one.open().session.begin(EVERYTHING).left == 1


def test_undoing_the_answer_that_opened_a_question_locks_it_again(person, tmp_path):
    one = person(deck_of(tmp_path / "c", CHAIN))
    study = one.open()
    study.session.begin(EVERYTHING)
    answer(study)
    study.history.undo()
    assert {i.question for i in study.session.begin(EVERYTHING).waiting} == {"pack/a"}


@pytest.mark.parametrize("alone", ["fundamentals", pytest.param("", marks=pytest.mark.long)])
def test_the_shipped_deck_opens_step_by_step_and_knows_right_answers_from_wrong(
    person, shipped, monkeypatch, alone
):
    """Of one pack alone, or whole: both answers to all of it take 24 s."""
    monkeypatch.setattr(workload, "MOST_SIBLINGS", 0)  # all in one day
    off = {pack: False for pack in shipped.packs if alone not in ("", pack)}
    asked = {name: one for name, one in on_by_default(shipped).items() if one.pack not in off}
    opened = {name for name, entry in asked.items() if not entry.requires}
    study = person(new_per_day=len(asked), packs=off).open()
    first = {item.question for item in study.session.begin(EVERYTHING).waiting}
    assert first <= opened
    assert all(asked[name].builds_on for name in opened - first)  # on what is not asked yet
    rounds = 0
    while study.session.begin(EVERYTHING).left:
        while (turn := study.session.next()) is not None:
            assert not grade_response(turn.question, wrong(turn)).correct, turn.entry.id
            graded = study.session.grade(turn, right(turn))
            assert graded.grade.correct, turn.entry.id
            study.session.commit(graded)
        rounds += 1
        assert rounds <= len(asked) - len(opened) + 1
    assert set(study.progress.cards) == set(asked)


# Leeches


def test_a_leech_leaves_the_session_and_easier_questions_follow_until_it_is_taken_back(
    person, tmp_path
):
    """Eight lapses, a day each; then its sibling is asked: new, that is its first answer."""
    deck = deck_of(
        tmp_path / "c",
        text("a", "b", "c").replace("concept-b", "concept-a"),
    )
    one = person(deck)
    for _ in range(8):
        study = one.reopen()
        study.session.begin(Filter(questions=("pack/a",)))
        answer(study, correct=False)
        one.clock.move(days=1)
    study = one.reopen()
    study.session.begin(Filter(questions=("pack/a",)))
    before = state(study)
    told = answer(study, correct=False)
    assert (told.turn.lapses_if_leech, told.turn.easier) == (8, ("pack/b",))
    assert study.progress.card("pack/a").suspended
    follows = study.session.next()
    assert follows is not None
    assert (follows.entry.id, follows.item.stage) == ("pack/b", Stage.NEW)
    again = one.open()
    again.store.rebuild()
    assert again.store.dump() == study.store.dump()
    study.history.undo()
    assert state(study)[:2] == before[:2]
    assert not study.progress.card("pack/a").suspended
    study.history.redo()
    study.marks.suspend("pack/a", on=False)
    one.clock.move(days=1)
    assert "pack/a" in {item.question for item in one.reopen().session.begin(EVERYTHING).waiting}


def test_every_export_says_what_the_projection_says_of_corrected_and_undone_answers(person):
    one = person()
    study = one.open()
    study.session.begin(EVERYTHING)
    first = answer(study)
    study.session.rate(first, Rating.HARD)
    study.session.rate(first, Rating.EASY)
    study.session.rate(answer(study, correct=False), Rating.GOOD)
    answer(study)
    answer(study)
    study.history.undo()
    table = io.StringIO()
    study.plan.set(Goal(TODAY, TODAY + 2, 30))
    today, later = as_date(TODAY).isoformat(), as_date(TODAY + 1).isoformat()
    exchange.write_answers(study.store, next_days(study), table, lambda _: None)
    rows = list(csv.DictReader(io.StringIO(table.getvalue())))
    facts = {fact.question: fact for fact in study.store.answer_facts()}
    assert {row["question"]: int(row["rating"]) for row in rows} == {
        name: int(fact.rating) for name, fact in facts.items()
    }
    for row in rows:
        assert row["due"] == str(as_date(study.store.card(row["question"]).memory.due_day))
        again = study.progress.card(row["question"]).again_day == TODAY
        assert row["next"] == (today if again else later)  # as the plan, and a repeat, have it
    corrected = [row["question"] for row in rows if row["rule"] == Rule.PERSON]
    assert len(corrected) == 2
