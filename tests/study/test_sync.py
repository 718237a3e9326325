"""Machines that share a folder: whatever comes when, in whichever pieces, all come to the same."""

from __future__ import annotations

import json
import shutil
import tracemalloc
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from quizapp.domain.log.events import (
    Buried,
    Flagged,
    Imported,
    ParametersSet,
    Rerated,
    Reset,
    Suspended,
    Tried,
    Unvoided,
    Voided,
)
from quizapp.domain.log.projection import undo_target
from quizapp.domain.rating import Rating
from quizapp.store.log import NewEvent
from quizapp.store.safety.recovery import restore
from quizapp.store.store import Store
from quizapp.study.transfer import exchange, withdrawing
from quizapp.study.transfer.sync import SyncPlan, SyncResult, carry_out, plan_sync
from tests.store.tools import PARAMETERS, answer, build_answer, new, one, undo

START_MS = 1_790_000_000_000
DAY_MS = 86_400_000
QUESTIONS = [f"pack/q{number}" for number in range(12)]
SKEWS_MS = (0, -40 * DAY_MS, 3 * DAY_MS)
"""How far the clocks of the machines are off."""


LATER_MS = START_MS + 100 * DAY_MS
"""When every clock has come to what any of them has dated."""


def sync(store: Store, folder: Path, now_ms: int = LATER_MS, **more) -> tuple[SyncPlan, SyncResult]:
    plan = plan_sync(store, folder, now_ms, lambda _: None, **more)
    return plan, carry_out(store, plan, START_MS)


def file_of(store: Store, folder: Path) -> Path:
    return folder / f"quiz-{store.machine}.jsonl"


@pytest.fixture
def machines(tmp_path, pristine):
    """Stores of three machines, and the folder that they share."""
    with ExitStack() as stack:
        stores = []
        for name in "abc":
            path = tmp_path / name / "progress.db"
            path.parent.mkdir()
            shutil.copy(pristine, path)
            stores.append(stack.enter_context(Store.open(path)))
        shared = tmp_path / "shared"
        shared.mkdir()
        yield stores, shared


@pytest.fixture(scope="module")
def pristine(tmp_path_factory) -> Path:
    """An empty database."""
    path = tmp_path_factory.mktemp("pristine") / "progress.db"
    Store.open(path).close()
    return path


def build_try(text: str) -> Tried:
    """A submission that failed."""
    return Tried(
        content_hash="0f", rev=1, study_day=1, utc_ms=1, offset_s=0, source=text, gate="source"
    )


def with_parameters(store: Store) -> None:
    one(store, None, ParametersSet(parameters=PARAMETERS))


def test_two_machines_come_to_the_same(machines):
    (first, second, _), shared = machines
    with_parameters(first)
    answer(first, QUESTIONS[0], day=100)
    undo(first, answer(first, QUESTIONS[1], day=100))
    plan, done = sync(first, shared)
    assert (plan.is_first, done.taken, done.written) == (True, 0, 4)
    plan, done = sync(second, shared)
    assert (done.taken, done.written) == (4, 0)
    assert second.dump() == first.dump()
    answer(second, QUESTIONS[1], day=103)
    sync(second, shared)
    assert sync(first, shared)[1].taken == 1
    assert second.dump() == first.dump()
    for store in (first, second):
        assert sync(store, shared)[1] == SyncResult(0, 0, None)


def test_no_machine_writes_anothers_file(machines):
    (first, second, _), shared = machines
    with_parameters(first)
    sync(first, shared)
    before = file_of(first, shared).read_bytes()
    answer(second, QUESTIONS[0]) if second.parameters() else with_parameters(second)
    sync(second, shared)
    sync(second, shared)
    assert file_of(first, shared).read_bytes() == before


def test_a_sync_is_taken_back_as_one_which_other_machines_do_not_notice(machines):
    (first, second, third), shared = machines
    with_parameters(first)
    answer(first, QUESTIONS[0])
    sync(first, shared)
    with_parameters(second)
    answer(second, QUESTIONS[1])
    before = second.dump()
    sync(second, shared)
    both = second.dump()
    assert undo_target(second.recent_undo_events("x", START_MS * 2)).question == QUESTIONS[1]
    (found,) = withdrawing.reversals(second)
    assert (found.brought.answers, found.brought.origin) == (1, str(shared))
    withdrawing.reverse(second, found, START_MS)
    assert second.dump() == before
    plan, _ = sync(second, shared)
    assert plan.withdrawn == 1
    assert second.dump() == before
    sync(first, shared)
    sync(third, shared)
    assert first.dump() == third.dump() == both
    withdrawing.bring_back(second, second.withdrawn_imports(), START_MS)
    assert second.dump() == both


def test_an_answer_waits_for_the_parameters_that_it_names(machines, tmp_path):
    (first, second, third), shared = machines
    with_parameters(first)
    sync(first, shared)
    sync(second, shared)
    answer(second, QUESTIONS[0])
    sync(second, shared)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(file_of(second, shared), elsewhere)
    assert sync(third, elsewhere)[0].waiting == 1
    assert not any(third.dump().values())
    sync(third, shared)
    assert third.dump() == first.dump() or sync(first, shared)
    assert third.dump() == first.dump()


@pytest.mark.parametrize(
    "name",
    ["quiz-{} (conflicted copy 2026-11-23).jsonl", "quiz-{}.sync-conflict-20261123-1-AB.jsonl"],
)
def test_copies_that_a_sync_service_made_are_read(name, machines):
    (first, second, _), shared = machines
    with_parameters(first)
    answer(first, QUESTIONS[0])
    sync(first, shared)
    file_of(first, shared).rename(shared / name.format(first.machine))
    sync(second, shared)
    assert second.dump() == first.dump()


def test_a_newer_program_loses_nothing_to_an_older_one(machines):
    (first, second, _), shared = machines
    with_parameters(first)
    sync(first, shared)
    own = file_of(first, shared)
    line = json.loads(own.read_bytes().splitlines()[1])
    del line["check"]
    newer = json.dumps(line | {"id": "e" * 32, "body": {"type": "dream"}}).encode()
    own.write_bytes(own.read_bytes() + newer + b"\n")
    (shared / f"quiz-{'f' * 32}.jsonl").write_bytes(b'{"format":"quiz-events","version":2}\nx\n')
    plan, done = sync(second, shared)
    assert (plan.newer, plan.newer_files, done.taken) == (1, 1, 1)
    answer(first, QUESTIONS[0])
    sync(first, shared)
    assert newer in own.read_bytes()


def test_what_another_log_took_back_does_not_hide_what_was_answered_here(machines, tmp_path):
    """Neither by its own import and undo in an exported file, nor by a made-up one."""
    (first, second, third), shared = machines
    with_parameters(second)
    answer(second, QUESTIONS[0])
    sync(second, shared)
    sync(first, shared)
    (undo_it, *_) = withdrawing.reversals(first)
    withdrawing.reverse(first, undo_it, START_MS)
    assert first.cards() == {}
    before = second.dump()
    made_up = {second.machine: ((1, 9_999), (9, 3)), "f" * 32: ()}
    (hostile,) = third.append([new(None, Imported(origin="x", taken=made_up))])
    third.append([new(None, Voided(target=hostile.id))])
    for other in (first, third):
        exported = tmp_path / f"{other.machine}.jsonl"
        with exported.open("wb") as file:
            exchange.write_log(other, file, lambda _: None)
        exchange.import_log(second, exported, LATER_MS, lambda _: None)
        assert second.dump() == before
        second.rebuild()
        assert second.dump() == before
        assert exchange.plan_import(second, exported, LATER_MS, lambda _: None).new == 0
    answer(second, QUESTIONS[1], day=19_001)
    assert set(second.cards()) == {QUESTIONS[0], QUESTIONS[1]}


def test_what_is_dated_after_today_waits_until_its_day_has_come(machines):
    (first, second, _), shared = machines
    with_parameters(first)
    day = START_MS // DAY_MS
    answer(first, QUESTIONS[0], day=day)
    answer(first, QUESTIONS[1], day=day + 9)
    sync(first, shared)
    plan, done = sync(second, shared, START_MS)
    assert (plan.ahead, done.taken) == (1, 2)
    assert set(second.cards()) == {QUESTIONS[0]}
    plan, done = sync(second, shared, START_MS + 7 * DAY_MS)
    assert (plan.ahead, done.taken) == (0, 1)
    assert second.dump() == first.dump()
    assert second.dated_after(day + 2) == {QUESTIONS[1]: day + 9}


def test_an_erase_is_honored_everywhere_but_not_for_what_it_did_not_know(machines):
    (first, second, third), shared = machines
    with_parameters(first)
    answer(first, QUESTIONS[0], response="secret words")
    sync(first, shared)
    sync(second, shared)
    sync(third, shared)
    late = answer(third, QUESTIONS[2])
    first.erase(START_MS)
    sync(first, shared)
    assert not first.cards()
    assert b"secret words" not in file_of(first, shared).read_bytes()
    plan, done = sync(second, shared)
    assert plan.forgotten == 1
    assert done.backup.exists()
    assert not second.cards()
    sync(third, shared)
    assert {name for name, card in third.cards().items() if card.memory} == {QUESTIONS[2]}
    for store in (first, second, third, first, second):
        sync(store, shared)
    assert first.dump() == second.dump() == third.dump()
    assert first.event(late.id) is not None
    assert b"secret words" not in b"".join(file.read_bytes() for file in shared.iterdir())


def test_an_erase_can_be_taken_back_where_a_backup_was_restored(machines):
    (first, second, _), shared = machines
    with_parameters(first)
    answer(first, QUESTIONS[0])
    sync(first, shared)
    sync(second, shared)
    before = second.dump()
    copy = second.erase(START_MS)
    sync(second, shared)
    path = second._database.path
    second.close()
    restore(path, copy)
    with Store.open(path) as restored:
        assert plan_sync(restored, shared, LATER_MS, lambda _: None).forgotten == 1
        sync(restored, shared, revive=True)
        assert restored.dump() == before
        sync(first, shared)
        assert first.dump() == before


def test_a_copied_database_goes_on_under_another_id(machines, tmp_path):
    (first, second, _), shared = machines
    with_parameters(first)
    answer(first, QUESTIONS[0])
    first.checkpoint()
    twin_path = tmp_path / "twin" / "progress.db"
    twin_path.parent.mkdir()
    shutil.copy(first._database.path, twin_path)
    with Store.open(twin_path) as twin:
        assert twin.machine != first.machine
        answer(first, QUESTIONS[1])
        answer(twin, QUESTIONS[2])
        for store in (first, twin, second, first):
            sync(store, shared)
        assert first.dump() == twin.dump() == second.dump()
        assert len(first.cards()) == 3
    moved = tmp_path / "moved.db"
    twin_path.rename(moved)
    with Store.open(moved) as again:
        assert again.machine == twin.machine


def test_copies_that_numbered_their_events_alike_lose_nothing(machines, tmp_path):
    """As programs did that did not know of copies yet."""
    (first, second, _), shared = machines
    with_parameters(first)
    answer(first, QUESTIONS[0])
    first.checkpoint()
    twin_path = tmp_path / "twin" / "progress.db"
    twin_path.parent.mkdir()
    shutil.copy(first._database.path, twin_path)
    with Store.open(twin_path) as twin:
        with twin.writing() as connection:
            connection.exec_driver_sql(
                f"UPDATE meta SET value = '{first.machine}' WHERE key = 'machine'"
            )
        twin.machine = first.machine
        alike = answer(first, QUESTIONS[1]), answer(twin, QUESTIONS[2])
        assert len({(event.machine, event.sequence) for event in alike}) == 1
        sync(first, shared)
        sync(twin, shared)
        assert twin.machine != first.machine
        for store in (second, first, twin, second):
            sync(store, shared)
        assert first.dump() == twin.dump() == second.dump()
        assert len(first.cards()) == 3


@dataclass
class Machine:
    """A person at one machine, whose view of the folder may be late and cut."""

    store: Store
    folder: Path
    skew_ms: int
    random: Random
    clock_ms: int = START_MS
    logged: list[tuple[str, str]] = field(default_factory=list)

    def act(self, count: int) -> None:
        """Log some events: answers and marks, undos, redos and overrides of earlier ones."""
        self.clock_ms += self.random.randrange(DAY_MS // 4)
        events = [self._event() for _ in range(count)]
        self.store.append(events)

    def _event(self) -> NewEvent:
        random, now_ms = self.random, self.clock_ms + self.skew_ms
        question = random.choice(QUESTIONS)
        id_, day = random.randbytes(16).hex(), now_ms // DAY_MS
        match random.randrange(10):
            case 0 | 1 if self.logged:
                target, question = random.choice(self.logged)
                kind = random.choice([Voided, Unvoided])
                body = kind(target=target)
            case 2 if self.logged:
                target, question = random.choice(self.logged)
                body = Rerated(target=target, rating=random.choice(list(Rating)), due_day=day + 1)
            case 3:
                body = random.choice(
                    [Buried(until=day + 1), Suspended(on=True), Suspended(on=False), Reset(),
                     Flagged(on=True), Flagged(on=False)]
                )  # fmt: skip
            case _:
                rating = random.choice(list(Rating))
                body = build_answer(
                    day, correct=rating > 1, rating=rating, utc_ms=now_ms, due_day=day + 2
                )
        self.logged.append((id_, question))
        return NewEvent(id_, "session", question, body, now_ms)

    def receive(self, others: list[Machine]) -> None:
        """Get the others' files as they are now, each perhaps cut in the middle of a line."""
        for other in others:
            for file in other.folder.glob(f"quiz-{other.store.machine}*"):
                content = file.read_bytes()
                if self.random.random() < 0.5:
                    content = content[: self.random.randrange(len(content) + 1)]
                (self.folder / file.name).write_bytes(content)

    def cut_own(self) -> None:
        """Lose the end of the own file, as at a crash."""
        file = file_of(self.store, self.folder)
        if file.exists():
            content = file.read_bytes()
            file.write_bytes(content[: self.random.randrange(len(content) + 1)])


def run_machines(tmp_path: Path, pristine: Path, events: int, seed: int) -> None:
    """Let three machines log and sync at random; then all must be what one log in any order is."""
    random = Random(seed)
    with ExitStack() as stack:
        machines = []
        for number, skew in enumerate(SKEWS_MS):
            folder = tmp_path / f"{seed}-{number}"
            (folder / "shared").mkdir(parents=True)
            path = folder / "progress.db"
            shutil.copy(pristine, path)
            store = stack.enter_context(Store.open(path))
            machines.append(Machine(store, folder / "shared", skew, Random(seed * 10 + number)))
        for machine in machines:
            one(machine.store, None, ParametersSet(parameters=PARAMETERS))
        logged = 0
        while logged < events:
            machine = random.choice(machines)
            match random.randrange(4):
                case 0 | 1:
                    count = random.randrange(1, max(2, events // 60))
                    machine.act(count)
                    logged += count
                case 2:
                    machine.receive([other for other in machines if other is not machine])
                case _:
                    if random.random() < 0.2:
                        machine.cut_own()
                    sync(machine.store, machine.folder)
        for machine in machines:
            sync(machine.store, machine.folder)
        shared = tmp_path / f"{seed}-all"
        shared.mkdir()
        for machine in machines:
            shutil.copy(file_of(machine.store, machine.folder), shared)
        for machine in machines:
            plan, _ = sync(machine.store, shared)
            assert plan.waiting == 0
        dumps = [machine.store.dump() for machine in machines]
        assert dumps[0] == dumps[1] == dumps[2]
        assert any(dumps[0].values())
        lines = [
            line
            for file in shared.iterdir()
            for line in file.read_bytes().splitlines()
            if not line.startswith(b'{"format"')
        ]
        random.shuffle(lines)
        mixed = tmp_path / f"{seed}-mixed"
        mixed.mkdir()
        (mixed / f"quiz-{uuid4().hex}.jsonl").write_bytes(b"\n".join(lines))
        path = tmp_path / f"{seed}-fresh.db"
        shutil.copy(pristine, path)
        fresh = stack.enter_context(Store.open(path))
        sync(fresh, mixed)
        assert fresh.dump() == dumps[0]
        fresh.rebuild()
        assert fresh.dump() == dumps[0]


@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=pytest.mark.long) for s in (1, 2))])
def test_the_result_does_not_depend_on_the_order(tmp_path, pristine, seed):
    run_machines(tmp_path, pristine, 250, seed)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_ten_thousand_events_on_three_machines(tmp_path, pristine):
    run_machines(tmp_path, pristine, 10_000, 99)


def test_files_are_not_held_in_memory(machines):
    """30 MB of submissions: planning keeps no body, and an erase goes through line by line."""
    (first, second, _), shared = machines
    text = "x" * 100_000
    for portion in range(3):
        first.append(
            [
                NewEvent(uuid4().hex, "s", QUESTIONS[0], build_try(text), START_MS + portion)
                for _ in range(100)
            ]
        )
    sync(first, shared)
    assert file_of(first, shared).stat().st_size > 30_000_000
    tracemalloc.start()
    try:
        plan = plan_sync(second, shared, LATER_MS, lambda _: None)
        _, planning = tracemalloc.get_traced_memory()
        first.erase(START_MS + 9)
        tracemalloc.reset_peak()
        sync(first, shared)
        _, purging = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(plan.incoming) == 300
    assert max(planning, purging) < 10_000_000
    assert file_of(first, shared).stat().st_size < 10_000
