"""Linting files as parts of a deck, from whatever folder one stands in."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.deck import compiler, index
from quizapp.deck.deck import load
from quizapp.deck.linting.lint import lint
from quizapp.domain.errors import UsageError
from tests.deck.tools import CHOICE, NUMBER, RECALL, question, write
from tests.sentences import sentence


@pytest.fixture
def root(tmp_path: Path) -> Path:
    content = tmp_path / "content"
    write(content, "pack/pack.yaml", "title: A pack\n")
    write(content, "pack/a.yaml", NUMBER)
    write(content, "pack/sub/b.yaml", question("choice", requires="[a-number]"))
    write(content, "pack/sub/c.yaml", question("recall", difficulty="9"))
    return content


def describe(problems) -> list[tuple[str, int, str]]:
    return [(Path(p.file).name, p.line, sentence(p.what)) for p in problems]


def test_all_roots_are_linted_when_nothing_is_named(root):
    report = lint([], [str(root)])
    assert (report.questions, report.files) == (2, 4)
    assert [(name, line) for name, line, _ in describe(report.problems)] == [("c.yaml", 5)]


def test_a_named_file_is_linted_with_the_rest_of_the_deck_known(root):
    report = lint([root / "pack/sub/b.yaml"], [str(root)])
    assert (report.problems, report.questions, report.files) == ((), 1, 1)


@pytest.fixture
def compiled(monkeypatch) -> list[str]:
    """The files that are compiled, each time anew, as they are."""
    files: list[str] = []
    compile_file = compiler._questions

    def note(file, pack, findings):
        files.append(file.path)
        return compile_file(file, pack, findings)

    monkeypatch.setattr(compiler, "_questions", note)
    monkeypatch.setattr("quizapp.deck.linting.lint.compile_deck", compiler.compile_deck)
    return files


def test_beside_a_compiled_deck_only_what_is_named_and_what_changed_is_read(
    root, tmp_path, compiled
):
    (root / "pack/sub/c.yaml").unlink()
    cache = str(tmp_path / "deck")
    load([str(root)], cache)
    named, roots = [root / "pack/sub/b.yaml"], [str(root)]
    compiled.clear()
    assert lint(named, roots, earlier=index.read(cache)) == lint(named, roots)
    assert compiled == ["pack/sub/b.yaml", "pack/a.yaml", "pack/sub/b.yaml"]
    write(root, "pack/a.yaml", NUMBER.replace("a-number", "another"))
    compiled.clear()
    report = lint(named, roots, earlier=index.read(cache))
    assert compiled == ["pack/a.yaml", "pack/sub/b.yaml"]
    assert report == lint(named, roots)
    assert [name for name, _, _ in describe(report.problems)] == ["b.yaml"]


def test_a_named_folder_gives_only_its_own_problems(root):
    report = lint([root / "pack/sub"], [str(root)])
    assert [name for name, _, _ in describe(report.problems)] == ["c.yaml"]
    assert (report.questions, report.files) == (1, 2)


def test_a_root_is_linted_without_its_glossary_which_no_question_is_in(root):
    write(root, "glossary.yaml", "- term: bank\n  en: A part of shared memory.\n")
    report = lint([root], [str(root)])
    assert [name for name, _, _ in describe(report.problems)] == ["c.yaml"]
    assert report.files == 4


@pytest.mark.parametrize(
    ("folder", "path"),
    [
        ("pack/sub", "b.yaml"),
        ("pack/sub", "."),
        ("pack", "sub/b.yaml"),
        ("pack", "."),
        (".", "pack/sub/b.yaml"),
        (".", "pack"),
        ("pack/sub", "../sub/b.yaml"),
    ],
)
def test_it_does_not_matter_where_one_stands(root, monkeypatch, folder, path):
    """The requirement of b.yaml is found only when its pack is."""
    write(root, "pack/sub/c.yaml", "")
    monkeypatch.chdir(root / folder)
    report = lint([Path(path)], [str(root)])
    assert report.problems == ()
    assert report.questions >= 1


def test_languages_of_the_pack_hold_for_a_file_named_from_within(root, monkeypatch):
    write(root, "pack/pack.yaml", "languages: [en, zh]\n")
    monkeypatch.chdir(root / "pack" / "sub")
    whats = {what for _, _, what in describe(lint([Path("b.yaml")], [str(root)]).problems)}
    assert "the text has no Chinese" in whats


def test_a_file_outside_all_roots_is_linted_too(root, tmp_path):
    file = write(tmp_path / "elsewhere", "mine/x.yaml", question(difficulty="7"))
    report = lint([file], [str(root)])
    assert [(name, line) for name, line, _ in describe(report.problems)] == [("x.yaml", 5)]


def test_a_file_named_twice_or_by_its_folder_too_is_read_once(root):
    file = root / "pack/a.yaml"
    assert lint([file, file], [str(root)]).problems == ()
    assert lint([root / "pack", file], [str(root)]).questions == 2


def test_an_id_used_in_the_deck_already_is_found_for_a_named_file(root):
    file = write(root, "pack/z.yaml", NUMBER)
    assert [name for name, _, _ in describe(lint([file], [str(root)]).problems)] == ["z.yaml"]


@pytest.mark.parametrize("path", ["absent.yaml", "absent", "notes.txt"])
def test_what_is_no_yaml_file_is_a_usage_error_that_names_it(tmp_path, path):
    (tmp_path / "notes.txt").write_text(CHOICE + RECALL)
    with pytest.raises(UsageError, match=path):
        lint([tmp_path / path], [])
