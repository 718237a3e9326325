"""More than one program at a database, and programs that are killed: real processes, real files."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from quizapp.domain.errors import StoreLocked
from quizapp.store.store import Store
from tests.sentences import english
from tests.store.tools import Q, answer, build_answer, driver, new, writer

EACH = 200


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def say(process: subprocess.Popen[str]) -> None:
    """Let it go on."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def end(process: subprocess.Popen[str]) -> list[str]:
    """The rest of what it printed, after a clean end."""
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return out.split()


def write_at_once(path: Path, programs: int, each: int) -> list[str]:
    """Ids that the programs reported, all of them started before the first one writes."""
    processes = [writer("append", path, each) for _ in range(programs)]
    for process in processes:
        assert line(process) == "open"
    for process in processes:
        say(process)
    return [id_ for process in processes for id_ in end(process)]


def test_two_programs_write_at_once(path: Path):
    ids = write_at_once(path, 2, EACH)
    with Store.open(path) as store:
        events = {id_: store.event(id_) for id_ in ids}
        sequences = {event.sequence for event in events.values() if event}
        assert len(ids) == len(sequences) == 2 * EACH
        assert sequences == set(range(2, 2 * EACH + 2))
        kept = store.dump()
        store.rebuild()
        assert store.dump() == kept
        # Each day's seven questions were answered by both programs, and counted once.
        assert sum(store.answers_by_day(0, 30_000).values()) == len(
            {(f.question, f.study_day) for f in store.answer_facts()}
        )


def test_programs_that_create_the_database_at_once(tmp_path: Path, pristine: Path):
    """The first start, four times over."""
    path = tmp_path / "new" / "progress.db"
    processes = [writer("loaded", path) for _ in range(4)]
    for process in processes:
        end(process)
    with Store.open(path) as store, Store.open(pristine) as made_alone:
        assert store.check() == []
        assert store.count_events() == 0
        schemas = []
        for each in (store, made_alone):
            with driver(each) as connection:
                schemas.append(connection.execute("SELECT sql FROM sqlite_master").fetchall())
        assert schemas[0] == schemas[1]


def test_a_card_answered_in_two_programs_on_one_day_counts_once(path: Path):
    """The earlier answer moves the schedule, whichever program it came from."""
    other = writer("append", path, 1, Q)
    assert line(other) == "open"
    with Store.open(path) as store:
        first = answer(store, correct=False)
        say(other)
        (second,) = end(other)
        counted = {fact.event: fact.counts for fact in store.answer_facts()}
        assert counted == {first.id: True, second: False}


def kill_while_writing(path: Path, rounds: int, seed: int) -> None:
    """Kill a program after some answers, often; whatever it reported as logged is there."""
    moment = random.Random(seed)
    reported: list[str] = []
    for _ in range(rounds):
        process = writer("append", path, 10_000)
        assert line(process) == "open"
        say(process)
        reported += [line(process) for _ in range(moment.randrange(1, 40))]
        process.kill()
        out, _ = process.communicate()
        # What it managed to say before the kill counts too, save a line cut short.
        reported += [id_ for id_ in out.split() if len(id_) == 32]
    with Store.open(path) as store:
        assert store.check() == []
        assert [id_ for id_ in reported if store.event(id_) is None] == []
        assert 0 <= store.count_events() - 1 - len(reported) <= rounds
        kept = store.dump()
        store.rebuild()
        assert store.dump() == kept


def test_a_killed_program_loses_nothing_it_had_logged(path: Path):
    kill_while_writing(path, rounds=3, seed=1)


@pytest.mark.long
def test_a_killed_program_loses_nothing_it_had_logged_full_size(path: Path):
    kill_while_writing(path, rounds=40, seed=2)


@pytest.mark.long
def test_four_programs_write_at_once_full_size(path: Path):
    ids = write_at_once(path, 4, 1000)
    with Store.open(path) as store:
        assert len(set(ids)) == 4000
        assert store.count_events() == 4001


def test_a_lock_that_is_held_too_long_is_an_error_and_the_call_can_be_repeated(path: Path):
    with Store.open(path, busy_timeout_ms=50) as store:
        holder = writer("hold", path)
        assert line(holder) == "held"
        wanted = [new(Q, build_answer())]
        with pytest.raises(StoreLocked, match=r"store\.locked") as caught:
            store.append(wanted)
        assert str(path) in english(caught.value)
        assert "close that program" in english(caught.value)
        assert store.cards() == {}, "reading goes on"
        with pytest.raises(StoreLocked):
            Store.open(path, busy_timeout_ms=50)
        say(holder)
        end(holder)
        store.append(wanted)
        assert store.count_events() == 2


def test_a_short_lock_is_waited_for(path: Path):
    with Store.open(path) as store:
        holder = writer("hold", path)
        assert line(holder) == "held"
        say(holder)
        answer(store)
        end(holder)


def test_a_writing_transaction_begins_as_one(path: Path):
    """What the driver really sends, from SQLite's own trace."""
    with Store.open(path) as store:
        statements: list[str] = []
        with driver(store) as connection:
            connection.set_trace_callback(statements.append)
        answer(store)
        begins = [s for s in statements if s.startswith(("BEGIN", "COMMIT", "ROLLBACK"))]
        assert begins == ["BEGIN IMMEDIATE", "COMMIT"]
        assert next(s for s in statements if not s.startswith("PRAGMA")) == "BEGIN IMMEDIATE"
        statements.clear()
        store.cards()
        assert statements[0] == "BEGIN"
        assert statements[-1] == "ROLLBACK"


def test_every_connection_is_set_up(path: Path):
    with Store.open(path) as store, driver(store) as connection:
        settings = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    full = 2
    assert settings == {
        "journal_mode": "wal",
        "synchronous": full,
        "foreign_keys": 1,
        "busy_timeout": 5000,
    }


def test_opening_what_exists_does_not_load_alembic(path: Path):
    """It costs 150 ms at every start."""
    loaded = set(end(writer("loaded", path)))
    assert "sqlalchemy" in loaded
    assert "alembic" not in loaded
