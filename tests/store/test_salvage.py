"""What is rescued of damaged files: held against what SQLite read while they were whole."""

from __future__ import annotations

import shutil
import sqlite3
import struct
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.domain.errors import StoreDamaged, StoreLocked
from quizapp.domain.log.events import Flagged, Hinted, ParametersSet, Revealed
from quizapp.domain.log.projection import Card
from quizapp.domain.schedule import Parameters
from quizapp.store import tables
from quizapp.store.packing import unpack_id, unpack_text
from quizapp.store.safety import salvage, write_ahead
from quizapp.store.safety.pages import read_image
from quizapp.store.safety.recovery import salvage_database
from quizapp.store.safety.salvage import EventRow, rescue
from quizapp.store.store import Store
from tests.store.older import events_of, make_old, old_row
from tests.store.older import fill as fill_weeks
from tests.store.tools import (
    OTHER,
    Q,
    answer,
    build_answer,
    driver,
    new,
    one,
    undo,
    with_parameters,
    writer,
)

PAGE = 4096


def fill(path: Path, count: int, seed: int = 0) -> None:
    """A log of answers, short and long, with undos, marks and a draft."""
    random = Random(seed)
    with Store.open(path) as store:
        for number in range(count):
            size = random.choice([0, 40, 400, 4000, 20_000])
            body = build_answer(19_000 + number, response=random.choice("aα中") * size)
            store.append([new(f"pack/{number % 9}", body, utc_ms=1_700_000_000_000 + number)])
        undo(store, answer(store, day=19_500))
        one(store, OTHER, Flagged(on=True))
        one(store, OTHER, Hinted(number=1, utc_ms=5))
        store.save_draft(Q, "half a sentence", 7)


@pytest.fixture(scope="module")
def filled(pristine: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = Path(shutil.copy(pristine, tmp_path_factory.mktemp("filled") / "progress.db"))
    fill(path, 60)
    return path


def by_sqlite(path: Path) -> set[tuple]:
    """The log as SQLite reads it, in text."""
    with closing(sqlite3.connect(path)) as connection:
        return {in_text(row) for row in connection.execute("SELECT * FROM event")}


def in_text(row: tuple) -> tuple:
    """A row of `event`, its ids in hex and its body in JSON."""
    _, id_, at_ms, machine, sequence, session, question, kind, body = row
    session = unpack_id(session)
    return (id_.hex(), at_ms, machine.hex(), sequence, session, question, kind, unpack_text(body))


def pages_of_rows(path: Path) -> dict[tuple, set[int]]:
    """The pages that each event is on, overflow included: an event is found by its own bytes."""
    image = read_image(path)
    pages: dict[tuple, set[int]] = {}
    for number, page in image.pages.items():
        for row in image._rows_on(page, number):
            if len(row) == len(EventRow._fields) + 1:
                pages.setdefault(row, set()).add(number)
    return {
        in_text(row): found | overflow_of(image.pages, image.pages[min(found)], row)
        for row, found in pages.items()
    }


def overflow_of(pages, leaf: bytes, row: tuple) -> set[int]:
    """Every page whose first four bytes chain on from a pointer at the end of this row's cell."""
    body = row[8] if isinstance(row[8], bytes) else str(row[8]).encode()
    if len(body) < PAGE - 400:
        return set()
    head = body[:200]
    at = leaf.find(head)
    # The pointer stands where the local part of the body ends: try each place, follow to the end.
    for end in range(at + 200, PAGE - 3):
        (number,) = struct.unpack_from(">I", leaf, end)
        chain, text = [], leaf[at:end]
        while number in pages and len(chain) < 50:
            chain.append(number)
            text += pages[number][4:]
            (number,) = struct.unpack_from(">I", pages[number], 0)
        if chain and text.startswith(body):
            return set(chain)
    raise AssertionError


def test_the_reader_knows_the_columns_of_the_log():
    assert ("row", *EventRow._fields) == tuple(column.name for column in tables.event.columns)


@pytest.mark.parametrize("size", [512, 1024, 4096, 65536])
def test_a_whole_file_is_read_as_sqlite_reads_it(filled: Path, tmp_path: Path, size: int):
    path = Path(shutil.copy(filled, tmp_path))
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"PRAGMA journal_mode=DELETE; PRAGMA page_size={size}; VACUUM")
    rescued = rescue(path)
    assert set(rescued.events) == by_sqlite(path)
    assert (rescued.unreadable, rescued.rescheduled, rescued.parameters) == (0, 0, ())
    assert [draft.text for draft in rescued.drafts] == ["half a sentence"]


def test_what_is_only_in_the_write_ahead_log_is_read(filled: Path, tmp_path: Path):
    live = Path(shutil.copy(filled, tmp_path / "live.db"))
    with Store.open(live) as store:
        for number in range(20):
            answer(store, day=20_000 + number, response="x" * 300 * number)
        path = tmp_path / "progress.db"
        shutil.copy(live, path)
        shutil.copy(f"{live}-wal", f"{path}-wal")
        wanted = {event.id for event in store.events(Q)}
    assert {row.id for row in rescue(path).events} >= wanted
    assert len(rescue(path).events) == len(by_sqlite(live))


def test_a_damaged_page_of_the_write_ahead_log_costs_only_itself(pristine: Path, tmp_path: Path):
    live = Path(shutil.copy(pristine, tmp_path / "live.db"))
    path = tmp_path / "progress.db"
    with Store.open(live) as store:
        for number in range(15):
            one(store, f"pack/{number}", build_answer(19_000, response="y" * 3500))
        shutil.copy(live, path)
        content = bytearray(Path(f"{live}-wal").read_bytes())
    frame = 24 + PAGE
    middle = 32 + (len(content) - 32) // frame // 2 * frame
    hit = slice(middle + 100, middle + 200)
    content[hit] = bytes(255 - byte for byte in content[hit])
    Path(f"{path}-wal").write_bytes(content)
    with closing(sqlite3.connect(path)) as connection:
        by_sqlite_alone = connection.execute("SELECT count(*) FROM event").fetchone()[0]
    Path(f"{path}-wal").write_bytes(content)
    rescued = len(rescue(path).events)
    assert by_sqlite_alone < rescued
    assert rescued >= 14


def test_a_transaction_that_did_not_end_is_not_in_the_write_ahead_log(filled: Path, tmp_path: Path):
    live = Path(shutil.copy(filled, tmp_path / "live.db"))
    with Store.open(live) as store:
        answer(store, response="x" * 3 * PAGE)
        content = Path(f"{live}-wal").read_bytes()
    assert [*write_ahead.frames(content, PAGE)]
    assert [*write_ahead.frames(content[: 32 + 24 + PAGE], PAGE)] == []


def check_random_pages(filled: Path, pages: Iterable[int], seed: int, folder: Path) -> None:
    """Every event of which no page was hit is rescued, word for word."""
    whole = filled.read_bytes()
    last = len(whole) // PAGE
    hit = {1 + number % last for number in pages}
    random = Random(seed)
    damaged = bytearray(whole)
    for number in hit:
        damaged[(number - 1) * PAGE : number * PAGE] = random.randbytes(PAGE)
    path = folder / "progress.db"
    path.write_bytes(damaged)
    safe = {row for row, on in PAGES[filled].items() if not on & hit}
    assert safe <= set(rescue(path).events)


PAGES: dict[Path, dict[tuple, set[int]]] = {}


@pytest.fixture(scope="module")
def mapped(filled: Path) -> Path:
    PAGES[filled] = pages_of_rows(filled)
    assert set(PAGES[filled]) == by_sqlite(filled)
    assert max(map(len, PAGES[filled].values())) > 5
    return filled


damages = given(pages=st.sets(st.integers(0, 10_000), min_size=1, max_size=40), seed=st.integers())


@settings(max_examples=40, deadline=None)
@damages
def test_every_event_on_undamaged_pages_is_rescued(mapped, tmp_path_factory, pages, seed):
    check_random_pages(mapped, pages, seed, tmp_path_factory.getbasetemp())


@pytest.mark.long
@settings(max_examples=5000, deadline=None)
@damages
def test_every_event_on_undamaged_pages_full_size(mapped, tmp_path_factory, pages, seed):
    check_random_pages(mapped, pages, seed, tmp_path_factory.getbasetemp())


def damage(filled: Path, folder: Path, content: bytes) -> Path:
    path = folder / "progress.db"
    path.write_bytes(content)
    return path


def test_a_zeroed_header_costs_nothing(filled: Path, tmp_path: Path):
    path = damage(filled, tmp_path, bytes(100) + filled.read_bytes()[100:])
    assert set(rescue(path).events) == by_sqlite(filled)


@pytest.mark.parametrize("at", range(16, 24))
def test_a_header_that_lies_costs_nothing(filled: Path, tmp_path: Path, at: int):
    for value in (0, 1, 2, 8, 64, 255):
        content = bytearray(filled.read_bytes())
        content[at] = value
        assert set(rescue(damage(filled, tmp_path, content)).events) == by_sqlite(filled)


def test_of_a_file_cut_off_what_is_before_the_cut_is_there(mapped: Path, tmp_path: Path):
    whole = mapped.read_bytes()
    for pages in range(0, len(whole) // PAGE, 3):
        path = damage(mapped, tmp_path, whole[: pages * PAGE + 1000])
        left = {row for row, on in PAGES[mapped].items() if max(on) <= pages}
        assert left <= set(rescue(path).events)


def check_rubbish(content: bytes, folder: Path) -> None:
    path = folder / "progress.db"
    path.write_bytes(content)
    Path(f"{path}-wal").write_bytes(content[::-1])
    rescue(path)
    Path(f"{path}-wal").unlink()


@settings(max_examples=60, deadline=None)
@given(content=st.binary(max_size=10_000))
def test_no_file_whatsoever_ends_the_reader(tmp_path_factory, content):
    check_rubbish(content, tmp_path_factory.getbasetemp())


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_damage_within_pages_ends_the_reader_or_invents_an_event(
    filled: Path, tmp_path_factory, data
):
    content = bytearray(filled.read_bytes())
    for _ in range(20):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "progress.db"
    path.write_bytes(content)
    known = {row[0] for row in by_sqlite(filled)}
    strangers = {row.id for row in rescue(path).events} - known
    assert len(strangers) <= 20  # an id whose own digits were hit


def test_a_file_of_an_older_version_is_rescued_word_for_word(tmp_path: Path):
    path = tmp_path / "progress.db"
    with Store.open(tmp_path / "now.db") as store:
        machine = fill_weeks(with_parameters(store))
        events = events_of(store)
    make_old(path, ("0001", "0002", "0003"), events, machine)
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    assert set(rescue(path).events) == {old_row(event) for event in events}


# --- a database of what was rescued


def test_a_salvaged_database_replays_what_was_rescued(filled: Path, tmp_path: Path):
    path = Path(shutil.copy(filled, tmp_path))
    with Store.open(path) as store:
        before, machine = store.dump(), store.machine
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    broken = path.read_bytes()
    done = salvage_database(path)
    assert done.kept is not None
    assert done.kept.read_bytes() == broken
    with Store.open(path) as store:
        assert store.dump() == before
        assert store.check() == []
        assert store.drafts() == {Q: "half a sentence"}
        assert store.machine != machine
        event = answer(store, day=20_000)
        assert (event.machine, event.sequence) == (store.machine, 1)


@pytest.mark.parametrize(
    ("parameters", "rescheduled"),
    [(Parameters(retention=0.85), 0), (Parameters(maximum_days=77), 3)],
)
def test_lost_scheduler_parameters_are_recognized_or_the_default_ones_stand_in(
    tmp_path: Path, parameters: Parameters, rescheduled: int
):
    path = tmp_path / "progress.db"
    with Store.open(path) as store:
        one(store, None, ParametersSet(parameters=parameters))
        for number in range(3):
            answer(store, day=19_000 + 30 * number, parameters_id=parameters.id)
        with driver(store) as connection:
            connection.execute("DROP TRIGGER event_no_delete")
            connection.execute("DELETE FROM event WHERE kind = 'parameters'")
    done = salvage_database(path)
    assert done.rescued.rescheduled == rescheduled
    with Store.open(path) as store:
        wanted = Parameters() if rescheduled else parameters
        assert set(store.parameters()) == {wanted.id}
        assert len(store.answer_facts()) == 3
        answer(store, day=19_500, parameters_id=wanted.id)


def test_nothing_to_rescue_changes_nothing(tmp_path: Path):
    path = damage(tmp_path, tmp_path, b"my notes\n" * 5000)
    with pytest.raises(StoreDamaged, match=r"store\.(no-events|only-answers)"):
        salvage_database(path)
    assert [file.name for file in tmp_path.iterdir()] == ["progress.db"]
    assert path.read_bytes() == b"my notes\n" * 5000


def test_a_database_that_another_program_uses_is_not_salvaged(filled: Path, tmp_path: Path):
    path = Path(shutil.copy(filled, tmp_path))
    with writer("append", path, 1) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        before = path.read_bytes()
        with pytest.raises(StoreLocked, match=r"store\.in-use"):
            salvage_database(path)
        assert path.read_bytes() == before
        process.communicate("\n", timeout=60)
    assert salvage_database(path).rescued.unreadable == 0


def test_practice_and_what_was_revealed_are_rescued(tmp_path):
    path = tmp_path / "progress.db"
    with Store.open(path) as store:
        one(with_parameters(store), Q, build_answer(practice=True))
        one(store, Q, Revealed(study_day=19_000))
        cards = store.cards()
    rescued = rescue(path)
    bodies = [event.body for event in rescued.events]
    assert any('"practice":true' in body for body in bodies)
    with Store.open(tmp_path / "new" / "progress.db") as store:
        with store.writing() as connection:
            salvage.write(connection, rescued)
        store.rebuild()
        assert store.cards() == cards == {Q: Card(Q, buried_until=19_001)}
        assert store.latest_answers() == {}
