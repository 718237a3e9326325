"""Whatever is done in whatever order: what is kept step by step equals what a replay gives, and
both equal a count made here by hand, without the domain's projection.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.domain.events import (
    Answered,
    Buried,
    Flagged,
    LogEntry,
    ParametersSet,
    Rerated,
    Reset,
    Submitted,
    Suspended,
    Tried,
    Unvoided,
    Voided,
)
from quizapp.domain.projection import redo_target, undo_target
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import Parameters
from quizapp.store.answer_counts import DayCounts
from quizapp.store.log import NewEvent
from quizapp.store.store import Store
from tests.store.tools import NOON_MS, PARAMETERS, build_answer, one, redo, undo

DAYS = range(100, 108)
QUESTIONS = ("p/a", "p/b", "p/c")
SECOND = Parameters(retention=0.8, maximum_days=30)

WHEN = {"content_hash": "h", "rev": 1, "study_day": 100, "utc_ms": 0, "offset_s": 0}

question = st.sampled_from(QUESTIONS)
pick = st.integers(0, 50)
act = st.one_of(
    st.tuples(
        st.just("answer"),
        question,
        st.sampled_from(DAYS),
        st.sampled_from(Rating),
        st.sampled_from([PARAMETERS.id, SECOND.id]),
        st.integers(0, 5000),
    ),
    st.tuples(st.sampled_from(["void", "unvoid"]), pick),
    st.tuples(st.just("rate"), pick, st.sampled_from(Rating)),
    st.tuples(st.sampled_from(["bury", "suspend", "flag", "reset"]), question, st.booleans()),
    st.tuples(st.sampled_from(["submit", "try"]), question, pick),
    st.tuples(st.just("adopt"), st.dictionaries(question, question, max_size=2)),
)
acts = st.lists(st.tuples(act, st.integers(-90_000_000, 90_000_000)), max_size=25)


@contextmanager
def copy_of(pristine: Path) -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copy(pristine, Path(folder) / "progress.db")
        with Store.open(Path(path)) as store:
            one(store, None, ParametersSet(parameters=SECOND))
            yield store


def body_of(what: tuple[Any, ...], done: list[LogEntry]) -> tuple[str, Any] | None:
    """The question and body that an act is logged with; None when it has nothing to act on."""
    match what:
        case ("answer", name, day, rating, parameters, ms):
            correct = rating is not Rating.AGAIN
            more = {"rating": rating, "parameters_id": parameters, "duration_ms": ms}
            return name, build_answer(day, correct=correct, **more)
        case ("void" | "unvoid" | "rate", number, *rest):
            if not done:
                return None
            target = done[number % len(done)]
            assert target.question is not None
            kinds = {"void": Voided, "unvoid": Unvoided}
            if what[0] in kinds:
                return target.question, kinds[what[0]](target=target.id)
            return target.question, Rerated(target=target.id, rating=rest[0], due_day=0)
        case ("bury", name, _):
            return name, Buried(until=104)
        case ("suspend", name, on):
            return name, Suspended(on=on)
        case ("flag", name, on):
            return name, Flagged(on=on)
        case ("reset", name, _):
            return name, Reset()
        case ("submit" | "try", name, number):
            return name, submit(what[0], number, done)
    raise AssertionError(what)


def submit(kind: str, number: int, done: list[LogEntry]) -> Submitted | Tried:
    """A submission, or one that a GPU failed; it names any event."""
    source = f"{number % 3}"
    if kind == "submit":
        return Submitted(**WHEN, source=source, gates={"result": "passed"})
    named = {"submission": done[number % len(done)].id} if done else {}
    return Tried(**WHEN, source=source, gate="gpu result", **named)


def perform(store: Store, sequence: list[tuple[Any, int]]) -> list[LogEntry]:
    """Do it all; the events as first logged, with the ids their questions had then."""
    done: list[LogEntry] = []
    for what, shift_ms in sequence:
        if what[0] == "adopt":
            store.adopt(what[1])
        elif (made := body_of(what, done)) is not None:
            done.append(one(store, made[0], made[1], utc_ms=NOON_MS + shift_ms))
    return done


@dataclass
class Count:
    new: int = 0
    reviews: int = 0
    repeats: int = 0
    duration_ms: int = 0


def count_by_hand(store: Store, done: list[LogEntry]) -> dict[int, Count]:
    """A day's counts from the log, question by question, with a dictionary and an `if`."""
    void: set[str] = set()
    for event in done:
        if isinstance(event.body, Voided):
            void.add(event.body.target)
        if isinstance(event.body, Unvoided):
            void.discard(event.body.target)
    days = {day: Count() for day in DAYS}
    last_day: dict[str, int] = {}
    for event in done:
        now = store.event(event.id)
        assert now is not None
        assert now.question is not None
        body = event.body
        if event.id in void:
            continue
        if isinstance(body, Reset):
            last_day.pop(now.question, None)
        if isinstance(body, Answered):
            day = days[body.study_day]
            day.duration_ms += body.duration_ms
            if now.question not in last_day:
                day.new += 1
                last_day[now.question] = body.study_day
            elif body.study_day > last_day[now.question]:
                day.reviews += 1
                last_day[now.question] = body.study_day
            else:
                day.repeats += 1
    return days


def check_step_by_step_equals_replay_equals_count(pristine: Path, sequence) -> None:
    with copy_of(pristine) as store:
        done = perform(store, sequence)
        by_hand = count_by_hand(store, done)
        kept = store.dump()
        for day, counted in by_hand.items():
            assert store.day_counts(day) == DayCounts(**vars(counted))
        assert store.answers_by_day(DAYS[0], DAYS[-1]) == {
            day: c.new + c.reviews for day, c in by_hand.items() if c.new + c.reviews
        }
        assert len(store.answer_facts()) == sum(
            c.new + c.reviews + c.repeats for c in by_hand.values()
        )
        store.rebuild()
        assert store.dump() == kept
        assert store.check() == []


def check_undo_then_redo(pristine: Path, sequence, number: int) -> None:
    """Undo up to `number` acts one by one, then redo them: every state comes back exactly."""
    with copy_of(pristine) as store:
        perform(store, sequence)
        states = [store.dump()]
        for _ in range(number):
            target = undo_target(store.recent_undo_events("session", 0))
            if target is None:
                break
            undo(store, target)
            states.append(store.dump())
        while len(states) > 1:
            assert store.dump() == states.pop()
            target = redo_target(store.recent_undo_events("session", 0))
            assert target is not None
            redo(store, target)
        assert store.dump() == states.pop()


@settings(max_examples=60, deadline=None)
@given(sequence=acts)
def test_step_by_step_equals_replay_equals_count(pristine: Path, sequence):
    check_step_by_step_equals_replay_equals_count(pristine, sequence)


@settings(max_examples=30, deadline=None)
@given(sequence=acts, number=st.integers(1, 5))
def test_undo_then_redo_gives_every_state_again(pristine: Path, sequence, number: int):
    check_undo_then_redo(pristine, sequence, number)


@settings(max_examples=30, deadline=None)
@given(sequence=acts, last=act.filter(lambda a: a[0] in {"answer", "bury", "suspend", "flag"}))
def test_an_undone_act_has_not_been(pristine: Path, sequence, last):
    with copy_of(pristine) as store:
        perform(store, sequence)
        before = store.dump()
        (event,) = perform(store, [(last, 0)])
        undo(store, event)
        assert store.dump() == before


@settings(max_examples=15, deadline=None)
@given(sequence=acts)
def test_submissions_change_no_table(pristine: Path, sequence):
    """What was handed in to a GPU is in the log; every card and answer is as without it."""
    without = [step for step in sequence if step[0][0] not in ("submit", "try")]
    without = [step for step in without if step[0][0] not in ("void", "unvoid", "rate")]
    both = [step for step in sequence if step[0][0] not in ("void", "unvoid", "rate")]
    with copy_of(pristine) as store, copy_of(pristine) as other:
        perform(store, both)
        perform(other, without)
        assert tables(store) == tables(other)


def tables(store: Store) -> dict[str, list[dict[str, Any]]]:
    """The caches without the ids and times of events, which no two logs share."""
    dump = store.dump()
    answers = [{k: v for k, v in a.items() if k not in ("event", "at_ms")} for a in dump["answer"]]
    return {"card": dump["card"], "answer": sorted(answers, key=repr)}


@settings(max_examples=30, deadline=None)
@given(sequence=acts)
def test_batches_give_the_same_as_single_events(pristine: Path, sequence):
    """Logging everything in one call is what a retry after a full disk may come to."""
    with copy_of(pristine) as store, copy_of(pristine) as at_once:
        done = perform(store, [step for step in sequence if step[0][0] != "adopt"])
        same = [NewEvent(e.id, e.session, e.question, e.body, e.at_ms) for e in done]
        logged = at_once.append(same)
        assert [e.at_ms for e in logged] == [e.at_ms for e in done]
        assert at_once.dump() == store.dump()


@pytest.mark.long
@settings(max_examples=3000, deadline=None)
@given(sequence=acts, number=st.integers(1, 8))
def test_full_size(pristine: Path, sequence, number: int):
    check_step_by_step_equals_replay_equals_count(pristine, sequence)
    check_undo_then_redo(pristine, sequence, number)
