"""`quiz export` and `quiz import`: nothing is lost, nothing comes twice, nothing comes half."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from quizapp.domain.errors import DATA, INTERRUPTED, OK, USAGE
from quizapp.domain.log.event_bounds import EDITION
from quizapp.store import meta
from quizapp.store.packing import unpack_text
from quizapp.store.store import Store
from quizapp.study.opening import open_study
from quizapp.study.service import Study
from quizapp.system.config import Settings
from quizapp.system.paths import find_paths
from tests.commands.program import answer


def rows(home: Path) -> list[tuple[object, ...]]:
    """Every event of a home, as the database has it; the body as text."""
    with closing(sqlite3.connect(home / "progress.db")) as connection:
        columns = "id, at_ms, machine, sequence, session, question, kind, body"
        query = f"SELECT {columns} FROM event ORDER BY at_ms, machine, sequence"
        found = connection.execute(query).fetchall()
    return [(*head, unpack_text(body)) for *head, body in found]


def dump(home: Path) -> dict[str, list[dict[str, object]]]:
    with Store.open(home / "progress.db") as store:
        return store.dump()


@contextmanager
def studying() -> Iterator[Study]:
    with open_study(find_paths(), Settings()) as study:
        yield study


@pytest.fixture
def exported(inside, home, tmp_path) -> Path:
    """What a home with answers, an undo and a mark exports."""
    answer(4)
    with studying() as study:
        study.session.begin(study.session.narrowed)
        study.marks.toggle_flag(study.session.next().entry.id)
        study.history.undo()
    file = tmp_path / "progress.jsonl"
    assert inside("export", file).status == OK
    return file


@pytest.fixture
def elsewhere(tmp_path, monkeypatch, exported) -> Path:
    """Another home, where nothing was done."""
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path / "elsewhere"))
    return tmp_path / "elsewhere"


def test_an_export_that_is_imported_elsewhere_loses_nothing(inside, home, exported, elsewhere):
    assert exported.read_bytes().isascii()
    said = inside("import", exported, "--yes", "--json")
    assert json.loads(said.out)["imported"] == len(rows(home))
    assert rows(elsewhere)[:-1] == rows(home)
    assert dump(elsewhere) == dump(home)
    again = elsewhere.with_name("again.jsonl")
    assert inside("export", again).status == OK
    assert again.read_bytes().splitlines()[1:-1] == exported.read_bytes().splitlines()[1:]


def test_an_export_says_how_many_implausible_events_it_leaves_out(inside, home, exported):
    with Store.open(home / "progress.db") as store:
        *_, last = store.stored_events()
        with store.writing() as connection:
            meta.keep_implausible(connection, json.dumps([last.id]), EDITION)
    said = inside("export", exported, "--overwrite")
    assert "1 implausible event is left out: it stays here" in said.err
    assert "6 events exported to:" in said.err
    told = json.loads(inside("export", exported, "--overwrite", "--json").out)
    assert (told["events"], told["left_out"]) == (6, 1)


def test_an_import_says_first_what_it_will_do_and_asks(inside, exported, elsewhere):
    said = inside("import", exported, typed="n\n")
    assert said.status == INTERRUPTED
    assert "progress.jsonl holds 7 events from 1 machine" in said.err
    assert "New here: 7 events, 4 answers among them; already here: 0 events." in said.err
    assert rows(elsewhere) == []
    assert inside("import", exported, typed="y\n").status == OK
    assert len(rows(elsewhere)) == 8


def test_importing_twice_changes_nothing(inside, exported, elsewhere):
    inside("import", exported, "--yes")
    before = rows(elsewhere)
    said = inside("import", exported)
    assert said.status == OK
    assert "nothing was changed" in said.err
    assert rows(elsewhere) == before


def test_an_import_is_taken_back_by_an_act_of_its_own_and_offered_again(
    inside, exported, elsewhere
):
    answer(1)
    before = dump(elsewhere)
    said = inside("import", exported, "--yes")
    assert "`quiz import --undo` takes all of them back" in said.err
    imported = dump(elsewhere)
    assert imported != before
    said = inside("import", "--undo", typed="n\n")
    assert said.status == INTERRUPTED
    assert "what came from progress.jsonl" in said.err
    assert "4 answers, 7 events in all" in said.err
    assert dump(elsewhere) == imported
    assert "4 answers from progress.jsonl" in inside("import", "--undo", "--yes").err
    assert dump(elsewhere) == before
    assert inside("rebuild").status == OK
    assert dump(elsewhere) == before
    answer(1)  # which does not take the way back
    said = json.loads(inside("import", "--redo", "--yes", "--json").out)
    assert (said["origin"], said["answers"], said["events"]) == (exported.name, 4, 7)
    assert said["withdrawn"] is False
    inside("import", "--undo", "--yes")
    said = inside("import", exported, typed="y\n")
    assert "7 events of it were taken back here, 4 answers among them" in said.err
    assert "4 answers from progress.jsonl count again." in said.err
    assert "nothing was changed" in inside("import", exported).err
    assert "nothing that an import or a sync brought was taken back" in (
        inside("import", "--redo").err
    )


def test_the_key_that_undoes_an_answer_leaves_what_came_from_elsewhere(inside, exported, elsewhere):
    answer(1)
    before = dump(elsewhere)
    inside("import", exported, "--yes")
    imported = dump(elsewhere)
    with studying() as study:
        assert study.history.undo().what == "answer"
        assert study.history.undo() is None
        assert study.history.redo().what == "answer"
    assert dump(elsewhere) == imported
    assert before != imported


def test_an_undo_of_an_import_that_is_itself_imported_counts(inside, exported, elsewhere, tmp_path):
    inside("import", exported, "--yes")
    inside("import", "--undo", "--yes")
    again = tmp_path / "undone.jsonl"
    inside("export", again)
    third = tmp_path / "third"
    assert inside("import", again, "--yes", QUIZ_HOME=str(third)).status == OK
    assert not any(dump(third).values())
    assert len(rows(third)) == len(rows(elsewhere)) + 1


def test_answers_as_a_table(inside, home, exported, tmp_path):
    said = inside("export", tmp_path / "answers.csv", "--json")
    assert json.loads(said.out)["answers"] == 4
    text = (tmp_path / "answers.csv").read_bytes().decode()
    table = list(csv.DictReader(io.StringIO(text, newline="")))
    logged = [json.loads(row[-1]) for row in rows(home) if row[-2] == "answer"]
    assert sorted(line["response"] for line in table) == sorted(e["response"] for e in logged)
    assert {line["correct"] for line in table} <= {"0", "1"}


def test_another_ending_is_refused_with_those_it_knows(inside, tmp_path):
    for name in ("progress.json", "progress", "answers.xlsx"):
        said = inside("export", tmp_path / name)
        assert said.status == USAGE
        assert "must end in one of: .jsonl, .csv, .apkg" in said.err
        assert ".jsonl for everything" in said.err
        assert not (tmp_path / name).exists()
    assert inside("export", tmp_path / "answers.txt", "--csv").status == OK


def test_a_file_is_never_written_over(inside, exported):
    content = exported.read_bytes()
    said = inside("export", exported)
    assert said.status == USAGE
    assert "exists already" in said.err
    assert exported.read_bytes() == content


def without_check(line: dict[str, object], **changed: object) -> bytes:
    kept = {key: value for key, value in line.items() if key != "check"}
    return json.dumps(kept | changed).encode()


def test_events_of_a_newer_program_stay_in_the_file(inside, exported, elsewhere):
    header, first, second, *rest = exported.read_bytes().splitlines()
    new_kind = without_check(json.loads(first), id="a" * 32, body={"type": "dream", "of": "banks"})
    event = json.loads(second)
    new_field = without_check(event, id="b" * 32, body=event["body"] | {"mood": "good"})
    parameters = {"type": "parameters", "parameters": {"retention": 5, "seed": 1}}
    within = without_check(json.loads(first), id="c" * 32, body=parameters)
    ahead = without_check(event, id="d" * 32, body=event["body"] | {"study_day": 99_999})
    count = header.replace(b'"events":7', b'"events":11')
    lines = [count, new_kind, new_field, within, ahead, first, second, *rest]
    exported.write_bytes(b"\n".join(lines))
    said = inside("import", exported, "--yes")
    assert said.status == OK
    assert "Only a newer version of quiz can read 3 events" in said.err
    assert "Not imported yet: 1 event dated after today" in said.err
    assert len(rows(elsewhere)) == 8


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda t: t.replace(b'"correct":true', b'"correct":false', 1), "its check does not match"),
        (lambda t: t[: t.rindex(b'{"id"')], "should hold 7 events and holds 6"),
        (lambda t: t[:-40], "line 8"),
        (lambda t: t[5:], "line 1"),
        (lambda t: t.replace(b'"version":1', b'"version":2'), "upgrade quiz"),
        (lambda _: b"SQLite format 3\x00", "does not begin as a file that `quiz export` wrote"),
        (lambda _: b"", "line 1"),
    ],
)
def test_a_damaged_file_is_refused_by_its_line(change, reason, inside, exported, elsewhere):
    exported.write_bytes(change(exported.read_bytes()))
    said = inside("import", exported, "--yes")
    assert said.status == DATA
    assert reason in said.err
    assert rows(elsewhere) == []


def test_an_implausible_event_is_refused_by_file_line_and_field(inside, exported, elsewhere):
    lines = exported.read_bytes().splitlines()
    place = next(n for n, line in enumerate(lines) if b'"type":"answer"' in line)
    event = json.loads(lines[place])
    lines[place] = without_check(event, body=event["body"] | {"duration_ms": -1})
    exported.write_bytes(b"\n".join(lines))
    said = inside("import", exported, "--yes")
    assert said.status == DATA
    assert f"{exported}:{place + 1}: duration_ms of an event `answer` is -1" in said.err
    assert "allowed: 0 to 86,400,000; nothing was imported" in said.err
    assert rows(elsewhere) == []


def test_answers_without_their_parameters_are_refused(inside, exported, elsewhere):
    lines = [line for line in exported.read_bytes().splitlines() if b'"parameters",' not in line]
    header = lines[0].replace(b'"events":7', b'"events":6')
    exported.write_bytes(b"\n".join([header, *lines[1:]]))
    said = inside("import", exported, "--yes")
    assert said.status == DATA
    assert "which neither it nor your progress holds" in said.err


STRANGE = (
    b"0", b"-1", b"99999999999999999999999", b"1e308", b"null", b"true", b'""', b"[]", b"{}",
    b'"\\ud800"', b"[" * 3000, b"\xff", b"\x00", b"\n", b'"type":"answer"', b"1700000000000",
    b'"void"', b'"import"',
)  # fmt: skip


def mutate(text: bytes, random: Random) -> bytes:
    """Change some places, then make the checks right: what is wrong must be found by its value."""
    for _ in range(random.randint(1, 4)):
        place, width = random.randrange(len(text)), random.choice([0, 1, 1, 8, 200])
        match random.randrange(5):
            case 0:
                middle = random.choice(STRANGE)
            case 1:
                middle = bytes([random.randrange(256)])
            case 2:
                start = random.randrange(len(text))
                middle = text[start : start + random.choice([1, 20, 400])]
            case 3:  # a value for a value
                place = text.find(b":", place) + 1
                ends = [e for e in (text.find(b",", place), text.find(b"}", place)) if e >= 0]
                width, middle = min(ends, default=place) - place, random.choice(STRANGE)
            case _:
                middle = b""
        text = text[:place] + middle + text[place + width :]
    lines = []
    for line in text.split(b"\n"):
        head, mark, _ = line.rpartition(b',"check":"')
        lines.append(b'%s%s%08x"}' % (head, mark, zlib.crc32(head)) if mark else line)
    return b"\n".join(lines)


def import_mutated(inside, exported: Path, elsewhere: Path, seeds: range) -> None:
    """Import mutated files: each is refused in a sentence, or is in the log as a whole."""
    inside("due")  # the home is made
    text = exported.read_bytes()
    outcomes = set()
    for seed in seeds:
        exported.write_bytes(mutate(text, Random(seed)))
        before = rows(elsewhere)
        said = inside("import", exported, "--yes", "--json")
        outcomes.add(said.status)
        assert said.status in (OK, DATA), (seed, said.err)
        assert "Traceback" not in said.err, seed
        if said.status == DATA:
            assert said.err.startswith("quiz: "), seed
            assert "error in quiz itself" not in said.err, (seed, said.err)
            assert rows(elsewhere) == before, seed
            continue
        count = json.loads(said.out)["imported"]
        assert len(rows(elsewhere)) - len(before) == (count + 1 if count else 0), seed
        with Store.open(elsewhere / "progress.db") as store:
            derived = store.dump()
            store.rebuild()
            assert store.dump() == derived, seed
    assert outcomes == {OK, DATA}


def test_mutated_files_are_imported_whole_or_not_at_all(inside, exported, elsewhere):
    import_mutated(inside, exported, elsewhere, range(40))


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_thousand_mutated_files(inside, exported, elsewhere):
    import_mutated(inside, exported, elsewhere, range(1000, 2000))
