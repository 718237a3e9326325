"""`quiz sync`: what it asks on each machine, and that damage is told once."""

from __future__ import annotations

import json

from quizapp.domain.errors import OK
from quizapp.store.store import Store
from tests.commands.program import answer


def test_each_machine_is_asked_once_since_its_own_answers_go_into_the_folder(
    quiz, inside, tmp_path
):
    shared = tmp_path / "shared"
    shared.mkdir()
    answer(1)
    first = inside("sync", shared, typed="y\n")
    assert first.status == OK
    assert f"This machine has not written to {shared} yet." in first.err
    assert "Sync? [y/N]" in first.err
    assert len([*shared.glob("quiz-*.jsonl")]) == 1
    again = inside("sync", shared)
    assert (again.status, "Sync?" in again.err) == (OK, False)
    second = quiz("sync", shared, typed="n\n", QUIZ_HOME=str(tmp_path / "second"))
    assert f"This machine has not written to {shared} yet." in second.stderr


def test_the_same_damage_is_told_once(inside, tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    answer(1)
    inside("sync", shared, "--yes")
    [own] = shared.glob("quiz-*.jsonl")
    other = shared / "quiz-o\nther.jsonl"
    other.write_bytes(own.read_bytes() + b'{"id": "cut')
    told = inside("sync", shared)
    assert r"quiz-o\nther.jsonl: 1 line is cut or damaged." in told.err
    for name in ("quiz-o\nther.jsonl", "quiz-third.jsonl"):
        assert "cut or damaged" not in inside("sync", shared).err
        (shared / name).touch()
    assert json.loads(inside("sync", shared, "--json").out)["unreadable"] == 1
    other.write_bytes(other.read_bytes() + b"\nagain\n")
    assert r"quiz-o\nther.jsonl: 2 lines are cut or damaged." in inside("sync", shared).err
    other.write_bytes(other.read_bytes() + own.read_bytes())
    assert "cut or damaged" not in inside("sync", shared).err
    other.unlink()
    assert "cut or damaged" not in inside("sync", shared).err


def test_an_implausible_event_is_named_and_the_others_are_taken_in(inside, tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    answer(2)
    inside("sync", shared, "--yes")
    [own] = shared.glob("quiz-*.jsonl")
    *before, last = own.read_bytes().splitlines(keepends=True)
    event = json.loads(last)
    del event["check"]
    event["body"]["study_day"] = 2**40
    own.write_bytes(b"".join([*before, json.dumps(event).encode() + b"\n"]))
    third = str(tmp_path / "third")
    for _ in range(2):
        said = inside("sync", shared, "--yes", "--json", QUIZ_HOME=third)
        [refused] = json.loads(said.out)["refused"]
        assert (refused["file"], refused["line"]) == (own.name, len(before) + 1)
    said = inside("sync", shared, "--yes", QUIZ_HOME=third)
    assert f"{own.name}:{len(before) + 1}: study_day of an event `answer` is {2**40}" in said.err
    with Store.open(tmp_path / "third" / "progress.db") as store:
        assert store.count_events() == len(before)  # with the import instead of the header
