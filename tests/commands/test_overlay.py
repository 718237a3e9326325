"""Changed copies: cut out whole, laid over, kept through upgrades, taken back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from quizapp.deck import yaml_reader
from quizapp.deck.deck import load
from quizapp.deck.index import Entry
from quizapp.deck.writing import overlay
from quizapp.domain.errors import DeckError, EnvironmentProblem, UsageError
from quizapp.system.files import replace_file
from quizapp.system.paths import Paths
from tests.commands.program import ROOT
from tests.sentences import english, expect_error

QUESTION = """\
- id: {id}
  kind: choice
  topic: banks
  concept: c
  difficulty: 1
  prompt: "{prompt}"  # how it is asked
  options:
    - text: "32"
      correct: true
    # one that people believe
    - text: "16"
      why: it had
  explanation: so
  sources: [known]
"""
HEADER = 3
"""Lines that a copy begins with."""


def question(name: str, prompt: str = "How many?") -> str:
    return QUESTION.format(id=name, prompt=prompt)


FILE = (
    "# yaml-language-server: $schema=../schema.json\n"
    "# about the first\n"
    f"{question('first')}\n"
    "# about the second,\n"
    "# in two lines\n"
    f"{question('second')}\n"
    f"{question('third')}"
)


FLOW = (
    "[{id: first, kind: number, topic: a, concept: c, difficulty: 1, prompt: p, explanation: e, "
    "sources: [s], answer: 1}, {id: second, kind: number, topic: a, concept: c, difficulty: 1, "
    "prompt: 多少？, explanation: e, sources: [s], answer: 1.5}]\n"
)

JSON = (
    '[{"id": "second", "kind": "number", "topic": "a", "concept": "c", "difficulty": 1, '
    '"prompt": "p", "explanation": "e", "sources": ["s"], "answer": 1.5}]'
)


@pytest.fixture
def paths(tmp_path) -> Paths:
    return Paths(
        tmp_path / "data", tmp_path / "config.toml", tmp_path / "cache", tmp_path / "quiz.log"
    )


@pytest.fixture
def pack(tmp_path, monkeypatch) -> Path:
    """A question file of an installed pack."""
    monkeypatch.setattr(overlay, "shipped_content", lambda: tmp_path / "shipped")
    path = tmp_path / "shipped" / "pack" / "questions.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(FILE)
    return path


@pytest.fixture
def entry(tmp_path, paths, pack):
    """Look a question up in the deck as it is now."""

    def find(name: str = "pack/second") -> Entry:
        roots = [str(tmp_path / "shipped"), str(paths.own_content)]
        return load(roots, str(paths.compiled_deck)).entries[name]

    return find


def prompt_now(tmp_path, paths, name: str = "pack/second") -> str:
    roots = [str(tmp_path / "shipped"), str(paths.own_content)]
    return str(load(roots, str(paths.compiled_deck)).question(name).prompt)


def test_the_copy_is_the_question_as_it_stands(entry, paths, pack):
    path, line = overlay.editable_copy(entry(), paths)
    assert path == paths.own_content / "pack" / "second.yaml"
    header, body = path.read_text().split("# about the second,\n")
    assert len(header.splitlines()) == HEADER
    assert body == f"# in two lines\n{question('second')}"
    assert path.read_text().splitlines()[line - 1] == "- id: second"
    assert pack.read_text() == FILE


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("first", "# about the first", "  sources: [known]"),
        ("second", "# about the second,", "  sources: [known]"),
        ("third", "- id: third", "  sources: [known]"),
    ],
)
def test_no_line_of_another_question_comes_along(name, first, last, entry, paths):
    path, _ = overlay.editable_copy(entry(f"pack/{name}"), paths)
    lines = path.read_text().splitlines()
    assert lines[HEADER] == first
    assert lines[-1] == last
    assert [item["id"] for item in yaml_reader.read(path.read_bytes()).data] == [name]


@pytest.mark.parametrize(
    "text",
    [
        question("second").replace("- id", "  id").replace("\n  ", "\n").strip(),
        question("second").replace("\n", "\r\n"),
        "".join(f"    {line}\n" for line in FILE.splitlines()),
        question("first") + question("second").replace("- id", "-\n  id"),
        FLOW,
        JSON,
    ],
    ids=["single", "crlf", "indented", "dash alone", "not cut by lines", "json"],
)
def test_however_it_is_written_the_copy_says_the_same(text, entry, paths, pack):
    pack.write_bytes(text.encode())
    found = entry()
    path, line = overlay.editable_copy(found, paths)
    assert yaml_reader.read(path.read_bytes()).faults == ()
    copied = entry()
    assert (copied.content_hash, copied.changed) == (found.content_hash, True)
    assert "second" in "".join(path.read_text().splitlines()[line - 1 : line + 1])


@pytest.mark.parametrize("step", [30, pytest.param(1, marks=pytest.mark.long)])
def test_shipped_questions_can_be_copied_and_say_the_same(paths, tmp_path, monkeypatch, step):
    """A few, or all: each copy costs a look at the whole deck."""
    shipped = tmp_path / "shipped"
    shutil.copytree(ROOT / "content", shipped)
    monkeypatch.setattr(overlay, "shipped_content", lambda: shipped)
    roots = [str(shipped), str(paths.own_content)]
    before = dict([*load(roots, str(paths.compiled_deck)).entries.items()][::step])
    for found in before.values():
        overlay.editable_copy(found, paths)
    entries = load(roots, str(paths.compiled_deck)).entries
    now = {name: entries[name] for name in before}
    assert {name: found.content_hash for name, found in now.items()} == {
        name: found.content_hash for name, found in before.items()
    }
    assert all(found.changed for found in now.values())
    assert all(overlay.drop_unchanged(found, paths) for found in before.values())
    left = [path.name for path in paths.own_content.rglob("*") if path.is_file()]
    assert left == ["schema.json"]


def test_a_copy_goes_before_and_is_shown_as_changed(entry, paths, tmp_path):
    path, _ = overlay.editable_copy(entry(), paths)
    path.write_text(path.read_text().replace("How many?", "How many banks?"))
    assert prompt_now(tmp_path, paths) == "How many banks?"
    assert [entry(f"pack/{name}").changed for name in ("first", "second", "third")] == [
        False, True, False,
    ]  # fmt: skip


def test_a_copy_survives_an_upgrade(entry, paths, tmp_path, pack):
    path, _ = overlay.editable_copy(entry(), paths)
    path.write_text(path.read_text().replace("How many?", "Mine?"))
    pack.write_text(FILE.replace("How many?", "How many banks has an SM?"))
    assert prompt_now(tmp_path, paths) == "Mine?"
    assert prompt_now(tmp_path, paths, "pack/first") == "How many banks has an SM?"
    assert overlay.editable_copy(entry(), paths)[0] == path
    overlay.revert(entry(), paths)
    assert prompt_now(tmp_path, paths) == "How many banks has an SM?"


def test_a_copy_is_made_once(entry, paths):
    path, _ = overlay.editable_copy(entry(), paths)
    path.write_text("# mine\n" + path.read_text().replace("How many?", "Mine?"))
    again, line = overlay.editable_copy(entry(), paths)
    assert again == path
    assert path.read_text().splitlines()[line - 1] == "- id: second"
    assert "Mine?" in path.read_text()


@pytest.mark.parametrize("broken", ["- id: [", "- id: second\n  kind: choise\n", ""])
def test_a_broken_copy_is_mended_not_replaced(broken, entry, paths):
    path, _ = overlay.editable_copy(entry(), paths)
    path.write_text(broken)
    assert entry().changed is False
    assert overlay.editable_copy(entry(), paths) == (path, 1)
    assert path.read_text() == broken
    assert overlay.revert(entry(), paths).read_text() == broken


def test_reverting_keeps_every_version_aside(entry, paths):
    kept = []
    for text in ("Mine?", "Mine again?"):
        path, _ = overlay.editable_copy(entry(), paths)
        path.write_text(path.read_text().replace("How many?", text))
        kept.append(overlay.revert(entry(), paths))
    assert [path.name for path in kept] == ["second.yaml.reverted", "second.yaml.reverted-2"]
    assert ["Mine?" in path.read_text() for path in kept] == [True, False]
    assert entry().changed is False


def test_what_was_not_changed_cannot_be_reverted(entry, paths, pack):
    with expect_error(UsageError, match="there is no copy of pack/second") as refused:
        overlay.revert(entry(), paths)
    assert str(pack) in english(refused.value)


def test_a_question_of_ones_own_cannot_be_reverted(entry, paths):
    own = paths.own_content / "mine" / "own.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(question("own"))
    with expect_error(UsageError, match="your own question"):
        overlay.revert(entry("mine/own"), paths)
    assert own.exists()


def test_reverting_takes_no_other_question_along(entry, paths):
    path, _ = overlay.editable_copy(entry(), paths)
    path.write_text(path.read_text() + question("fourth"))
    with expect_error(UsageError, match="also holds fourth"):
        overlay.revert(entry(), paths)
    assert path.exists()


def test_a_copy_left_as_it_was_is_removed(entry, paths):
    before = entry()
    path, _ = overlay.editable_copy(before, paths)
    assert overlay.drop_unchanged(before, paths)
    assert not path.exists()
    overlay.editable_copy(before, paths)
    path.write_text(path.read_text() + "# a thought\n")
    assert not overlay.drop_unchanged(before, paths)
    assert path.exists()


def test_a_question_of_ones_own_is_edited_where_it_stands(entry, paths):
    own = paths.own_content / "mine" / "own.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("# mine\n" + question("own"))
    found = entry("mine/own")
    assert overlay.editable_copy(found, paths) == (own, 2)
    assert not overlay.drop_unchanged(found, paths)


def test_a_checkout_too_is_edited_in_a_copy(entry, paths, pack, monkeypatch):
    monkeypatch.setattr(overlay, "is_checkout", lambda _: True)
    path, _ = overlay.editable_copy(entry(), paths)
    assert path == paths.own_content / "pack" / "second.yaml"
    with expect_error(UsageError, match="your copy overrides pack/second"):
        overlay.original(entry())


def test_the_authors_of_a_checkout_edit_the_question_itself(entry, pack, monkeypatch):
    with expect_error(UsageError, match="the next upgrade replaces it"):
        overlay.original(entry())
    monkeypatch.setattr(overlay, "is_checkout", lambda _: True)
    assert overlay.original(entry()) == (pack, entry().line)


def test_a_configured_folder_is_edited_where_it_stands(entry, paths, pack, monkeypatch, tmp_path):
    monkeypatch.setattr(overlay, "shipped_content", lambda: tmp_path / "elsewhere")
    assert overlay.editable_copy(entry(), paths) == (pack, entry().line)


def test_the_place_of_a_copy_may_be_taken(entry, paths):
    path = paths.own_content / "pack" / "second.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(question("other"))
    with expect_error(DeckError, match="but holds other"):
        overlay.editable_copy(entry(), paths)
    assert path.read_text() == question("other")


def test_a_question_that_just_went_away_is_said(entry, paths, pack):
    found = entry()
    pack.write_text(question("first"))
    with expect_error(DeckError, match=r"pack/second is no longer in"):
        overlay.editable_copy(found, paths)
    assert not paths.own_content.exists()


def test_a_folder_that_cannot_be_written_is_said(entry, paths):
    found = entry()
    paths.data.write_text("a file where a folder should be")
    with expect_error(EnvironmentProblem, match=r"second\.yaml cannot be written"):
        overlay.editable_copy(found, paths)


def test_nothing_half_written_stays(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"before")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with expect_error(EnvironmentProblem, match="no space left"):
        replace_file(path, b"after")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    assert path.read_bytes() == b"before"
