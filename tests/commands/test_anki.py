"""`quiz export FILE.apkg` and `quiz import` of packages; Anki's own code reads them back."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import zipfile
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from quizapp.deck.installing.anki_pack import as_question, html_to_markdown
from quizapp.domain.errors import DATA, OK
from quizapp.study.opening import open_study
from quizapp.study.transfer.anki_package import zstd
from quizapp.system.config import Settings
from quizapp.system.paths import find_paths
from tests.commands.program import ROOT, answer
from tests.commands.test_exchange import rows

READ_BACK = Path(__file__).with_name("anki_read_back.py")


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    """A folder for a package and the home that it was exported from, which takes seconds."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def package(inside, home, kept, tmp_path) -> Path:
    """All questions, some of them answered."""
    file = tmp_path / "quiz.apkg"
    if not any(kept.iterdir()):
        answer(4)
        assert inside("export", file).status == OK
        shutil.copytree(home, kept / "home")
        shutil.copy(file, kept)
        return file
    shutil.copytree(kept / "home", home)
    return Path(shutil.copy(kept / file.name, file))


def collection_of(package: Path, folder: Path) -> sqlite3.Connection:
    with zipfile.ZipFile(package) as packed:
        folder.mkdir(exist_ok=True)
        packed.extract("collection.anki2", folder)
    return sqlite3.connect(folder / "collection.anki2")


def repack(package: Path, database: Path, name: str = "collection.anki2") -> None:
    with zipfile.ZipFile(package, "w") as packed:
        packed.write(database, name)
        packed.writestr("media", "{}")


def add_notes(package: Path, folder: Path, notes: list[tuple[int, str, str]]) -> None:
    """Put notes of another origin into a package, each with one review rated Good."""
    with closing(collection_of(package, folder)) as connection, connection:
        for number, front, back in notes:
            connection.execute(
                "INSERT INTO notes VALUES (?, ?, 7, 0, 0, '', ?, '', 0, 0, '')",
                (number, f"g{number}", f"{front}\x1f{back}"),
            )
            connection.execute(
                "INSERT INTO cards VALUES (?, ?, 1, 0, 0, 0, 2, 2, 1, 3, 0, 1, 0, 0, 0, 0, 0, '')",
                (number, number),
            )
            connection.execute(
                "INSERT INTO revlog VALUES (?, ?, 0, 3, 3, 0, 2500, 900, 1)", (number, number)
            )
    repack(package, folder / "collection.anki2")


def test_a_package_has_every_question_in_both_languages_with_reviews_and_pictures(
    package, tmp_path
):
    with open_study(find_paths(), Settings()) as study:
        cards = {
            name: card for name, card in study.progress.cards.items() if card.memory is not None
        }
        names = {candidate.question for candidate in study.course.every_candidate()}
    with closing(collection_of(package, tmp_path / "out")) as connection:
        guids = {guid for (guid,) in connection.execute("SELECT guid FROM notes")}
        assert guids == {f"quiz:{name}" for name in names}
        (crt,) = connection.execute("SELECT crt FROM col").fetchone()
        query = "SELECT guid, type, due, ivl FROM cards JOIN notes ON notes.id = nid WHERE reps > 0"
        for guid, kind, due, interval in connection.execute(query):
            known = cards[guid.removeprefix("quiz:")].memory
            assert (kind, crt // 86_400 + due, interval) == (
                2, known.due_day, max(1, known.due_day - known.last_day),
            )  # fmt: skip
        assert connection.execute("SELECT count(*) FROM revlog").fetchone() == (4,)
        fields = "".join(text for (text,) in connection.execute("SELECT flds FROM notes"))
        folded = "<details><summary>中文</summary>"
        assert fields.count(folded) == 2 * len(names)  # below what is asked, and the answer
        assert 'language-cuda">extern' in fields  # a kernel's solution in CUDA C++, beside Numba's
    with zipfile.ZipFile(package) as packed:
        media = json.loads(packed.read("media"))
        assert media
        for number, name in media.items():
            assert f'<img src="{name}">' in fields
            assert packed.read(number).startswith(b"<svg ")


def test_what_was_exported_is_known(inside, package, home):
    before = rows(home)
    said = inside("import", package)
    assert said.status == OK
    assert "already here: 4 answers" in said.err
    assert rows(home) == before


def test_reviews_of_our_notes_come_back_as_answers_once(inside, package, tmp_path):
    elsewhere = {"QUIZ_HOME": str(tmp_path / "elsewhere")}
    said = inside("import", package, "--yes", "--json", **elsewhere)
    assert json.loads(said.out)["answers"] == 4
    with open_study(find_paths(), Settings()) as study:
        here = {name: card.memory for name, card in study.progress.cards.items() if card.memory}
    again = inside("import", package, "--yes", "--json", **elsewhere)
    assert json.loads(again.out)["imported"] == 0
    due = json.loads(inside("due", "--json", **elsewhere).out)
    assert due["studied_days"] == 1
    stored = rows(tmp_path / "elsewhere")
    assert {row[5] for row in stored if row[6] == "answer"} == set(here)


def test_reviews_dated_after_today_are_left_behind_and_counted(inside, package, tmp_path):
    with closing(collection_of(package, tmp_path / "out")) as connection, connection:
        latest = "(SELECT max(id) FROM revlog)"
        connection.execute(f"UPDATE revlog SET id = id + 9 * 86400000 WHERE id = {latest}")
    repack(package, tmp_path / "out" / "collection.anki2")
    elsewhere = {"QUIZ_HOME": str(tmp_path / "elsewhere")}
    said = inside("import", package, "--yes", "--json", **elsewhere)
    found = json.loads(said.out)
    assert (found["answers"], found["left_reviews"]) == (3, 1)
    assert "Left behind: 1 review that is dated after today" in said.err


def test_other_notes_become_questions_that_lint_and_are_asked(inside, package, tmp_path, home):
    notes = [
        (1_700_000_000_001, "What is a <b>warp</b>?", "32 threads &amp; one<pre>a[i]\nb[i]</pre>"),
        (1_700_000_000_002, "A warp has {{c1::32::number}} threads", ""),
        (1_700_000_000_003, "no answer", "<br>"),
        (1_700_000_000_004, "\u202eunsafe\x00 <script>x</script>{{y}} *", "\\ \" ' # : - \u4e2d"),
    ]
    add_notes(package, tmp_path / "out", notes)
    with closing(collection_of(package, tmp_path / "out")) as connection, connection:
        first = notes[0][0]
        connection.execute(
            "UPDATE notes SET flds = flds || '<img src=a.png>' WHERE id = ?", (first,)
        )
        connection.execute("UPDATE cards SET queue = -1 WHERE nid = ?", (notes[1][0],))
        connection.execute("DELETE FROM revlog WHERE cid = ?", (notes[3][0],))
        connection.execute(
            "INSERT INTO cards VALUES (1, ?, 1, 1, 0, 0, 2, 2, 1, 3, 0, 1, 0, 0, 0, 0, 0, '')",
            (first,),
        )
    repack(package, tmp_path / "out" / "collection.anki2")
    said = inside("import", package, "--yes", "--json")
    value = json.loads(said.out)
    assert (value["questions"], value["skipped"], value["answers"]) == (3, 1, 2)
    assert (value["suspended"], value["left_cards"], value["left_pictures"]) == (1, 1, 1)
    assert value["left_due_days"] == 1
    with open_study(find_paths(), Settings()) as study:
        question = study.deck.question("anki/note-1700000000001")
        assert question.prompt == "What is a warp?"
        assert question.answer == "32 threads & one\n\n```text\na[i]\nb[i]\n```\n\n[a.png]"
        assert study.progress.card("anki/note-1700000000002").suspended
        cloze = study.deck.question("anki/note-1700000000002")
        assert (cloze.prompt, cloze.answer) == (
            "A warp has [number] threads", "A warp has 32 threads",
        )  # fmt: skip
        assert study.progress.card("anki/note-1700000000001").memory is not None
    inside("import", "--undo", "--yes")
    with open_study(find_paths(), Settings()) as study:
        assert study.progress.card("anki/note-1700000000001").memory is None
    said = inside("import", package, "--yes")
    assert "2 answers of it were taken back here" in said.err
    with open_study(find_paths(), Settings()) as study:
        assert study.progress.card("anki/note-1700000000001").memory is not None
    before = rows(home)
    assert "nothing was changed" in inside("import", package).err
    assert rows(home) == before
    assert inside("lint", home / "content" / "anki").status == OK


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("a<br>b", "a\nb"),
        ("<div>a</div><div>b</div>", "a\n\nb"),
        ("[sound:x.mp3]a &lt; b&nbsp;", "a < b"),
        ('<img src="x.png">', "[x.png]"),
        ("<ul><li>a</li><li>b</li></ul>", "- a\n\n- b"),
        ("<style>p{}</style>a", "a"),
    ],
)
def test_html_becomes_text(html, markdown):
    assert html_to_markdown(html) == markdown


def test_a_note_without_a_question_is_none():
    assert as_question(1, ("", "x"), "d") is None
    assert as_question(1, (), "d") is None


def with_member(package: Path, name: str, mode: int = 0o644) -> None:
    with zipfile.ZipFile(package, "a") as packed:
        member = zipfile.ZipInfo(name)
        member.external_attr = mode << 16
        packed.writestr(member, "/etc/passwd")


def be_a_view(package: Path, folder: Path) -> None:
    with closing(collection_of(package, folder)) as connection, connection:
        connection.execute("DROP TABLE revlog")
        connection.execute("CREATE VIEW revlog AS SELECT * FROM cards")
    repack(package, folder / "collection.anki2")


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda p, _: with_member(p, "../evil"), "outside of it"),
        (lambda p, _: with_member(p, "/evil"), "outside of it"),
        (lambda p, _: with_member(p, "link", 0o120777), "outside of it"),
        (be_a_view, "no collection of Anki"),
        (lambda p, _: repack(p, READ_BACK), "cannot be read"),
        (lambda p, _: repack(p, READ_BACK, "other"), "no collection of Anki"),
    ],
)
def test_harmful_packages_are_refused(harm, reason, inside, package, tmp_path):
    home = tmp_path / "home"
    harm(package, tmp_path / "out")
    before = rows(home)
    said = inside("import", package, "--yes")
    assert said.status == DATA
    assert reason in said.err
    assert rows(home) == before


def test_a_bomb_is_not_unpacked(inside, package, monkeypatch):
    monkeypatch.setattr("quizapp.study.transfer.anki_package.MOST_BYTES", 100_000)
    said = inside("import", package, "--yes")
    assert said.status == DATA
    assert "larger than" in said.err


def test_the_newest_form_is_unpacked(inside, package, home, tmp_path):
    add_notes(package, tmp_path / "out", [(7, "front", "back")])
    compressed = tmp_path / "collection"
    compressed.write_bytes(zstd.compress((tmp_path / "out" / "collection.anki2").read_bytes()))
    repack(package, compressed, "collection.anki21b")
    before = len(rows(home))
    said = json.loads(inside("import", package, "--yes", "--json").out)
    assert said["questions"] == 1
    assert len(rows(home)) > before


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("conf", "[]"),
        ("conf", '{"schedVer": "two"}'),
        ("decks", "[1]"),
        ("decks", '{"1": {}}'),
        ("crt", float("inf")),
    ],
)
def test_a_malformed_collection_is_refused_in_a_sentence(inside, package, tmp_path, column, text):
    with closing(collection_of(package, tmp_path / "out")) as connection, connection:
        connection.execute(f"UPDATE col SET {column} = ?", (text,))
    repack(package, tmp_path / "out" / "collection.anki2")
    said = inside("import", package, "--yes")
    assert said.status == DATA
    assert "its collection cannot be read: it is not as Anki writes one" in said.err


def test_a_package_that_was_cut_is_called_damaged(inside, package):
    package.write_bytes(package.read_bytes()[:2000])
    said = inside("import", package, "--yes")
    assert said.status == DATA
    assert "the package is damaged" in said.err
    assert "Zip" not in said.err


def test_a_newest_form_that_is_damaged_is_refused(inside, package, home):
    repack(package, READ_BACK, "collection.anki21b")
    before = rows(home)
    said = inside("import", package)
    assert said.status == DATA
    assert "the package is damaged" in said.err
    assert "Zip" not in said.err
    assert rows(home) == before


def import_mutated(inside, package: Path, home: Path, seeds: range, folder: Path) -> None:
    """Import packages with bytes changed in the database: a sentence, or all of it."""
    with closing(collection_of(package, folder)):
        pass
    database = folder / "collection.anki2"
    text = database.read_bytes()
    for seed in seeds:
        random = Random(seed)
        changed = bytearray(text)
        for _ in range(random.choice([1, 5, 50])):
            changed[random.randrange(len(changed))] = random.randrange(256)
        database.write_bytes(changed)
        repack(package, database)
        if random.random() < 0.2:
            whole = bytearray(package.read_bytes())
            whole[random.randrange(len(whole))] ^= 0x55
            package.write_bytes(whole)
        before = rows(home)
        said = inside("import", package, "--yes", "--json")
        assert said.status in (OK, DATA), (seed, said.err)
        assert "Traceback" not in said.err, seed
        assert "error in quiz itself" not in said.err, (seed, said.err)
        if said.status == DATA:
            assert rows(home) == before, seed


def test_mutated_packages_end_in_a_sentence(inside, package, home, tmp_path):
    import_mutated(inside, package, home, range(8), tmp_path / "out")


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_many_mutated_packages(inside, package, home, tmp_path):
    import_mutated(inside, package, home, range(100, 300), tmp_path / "out")


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_anki_reads_a_package_back_and_its_own_comes_home(
    inside, package, home, tmp_path, needs_program
):
    """With the package `anki` in an environment of its own, which the program never needs."""
    uv, environment = needs_program("uv"), tmp_path / "anki"
    subprocess.run([uv, "venv", "-q", environment], check=True)
    python = environment / "bin" / "python"
    subprocess.run([uv, "pip", "install", "-q", "--python", python, "anki"], check=True)
    (tmp_path / "out").mkdir()
    done = subprocess.run(
        [python, READ_BACK, package, tmp_path / "out"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    read = json.loads(done.stdout)
    with open_study(find_paths(), Settings()) as study:
        day, cards = study.day, study.progress.cards
        assert len(read["cards"]) == len(study.course.every_candidate())
    for guid, card in read["cards"].items():
        known = cards.get(guid.removeprefix("quiz:"))
        assert all(card["media"]), guid
        if known is None or known.memory is None:
            assert (card["type"], card["reviews"]) == (0, [])
            continue
        memory = known.memory
        assert (card["type"], card["queue"]) == (2, 2)
        assert card["due_in"] == memory.due_day - day
        assert card["stability"] == pytest.approx(memory.stability, rel=1e-3)
        assert len(card["reviews"]) == memory.repetitions
    before = len(rows(home))
    for name, expected in (("newest", (1, 4, 1)), ("legacy", (0, 5, 0))):
        package = tmp_path / "out" / f"{name}.apkg"
        said = json.loads(inside("import", package, "--yes", "--json").out)
        assert (said["answers"], said["known"], said["questions"]) == expected, name
    assert len(rows(home)) == before + 2
