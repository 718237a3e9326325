"""Every wrong name is told with the nearest right one, at its place."""

from __future__ import annotations

import pytest

from grader.did_you_mean import name_near, suggest
from grader.facts import fact
from quizapp.deck.linting.lint import lint
from quizapp.domain.errors import USAGE
from tests.compiled_content import compile_once
from tests.deck.tools import MARK, NUMBER, TRACE, split_mark, write
from tests.sentences import english

MISSPELT = {
    "a function": (
        NUMBER.replace("answer: 32", f"compute: {MARK}bnak(5)"), "there is no 'bnak'", "'bank'"),
    "a parameter": (
        TRACE.replace("prompt: ", f"prompt: {MARK}Of {{{{strdie}}}}? ", 1),
        "there is no 'strdie'", "'stride'"),
    "a topic": (
        NUMBER.replace("topic: banks", f"topic: {MARK}bnaks"), "no topic 'bnaks'", "'banks'"),
}  # fmt: skip


@pytest.mark.parametrize("kind", MISSPELT)
def test_a_wrong_name_in_a_question(tmp_path, kind):
    text, what, meant = MISSPELT[kind]
    clean, place = split_mark(text)
    write(tmp_path, "pack/pack.yaml", "topics: [banks, atomics]\n")
    write(tmp_path, "pack/q.yaml", clean)
    (problem,) = lint([], [str(tmp_path)]).problems
    assert (problem.line, problem.column) == place
    assert what in english(problem)
    assert f"did you mean {meant}?" in english(problem)


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("start", "--topic", "bnaks", "--plain"), "'banks'"),
        (("start", "--kind", "kernle", "--plain"), "'kernel'"),
        (("config", "languge"), "'language'"),
        (("previw",), "'preview'"),
        (("grade", "Saxpy"), "'shared-memory/kernel-saxpy'"),
        (("edit", "saxpy"), "'shared-memory/kernel-saxpy'"),
    ],
)
def test_a_wrong_name_on_the_command_line(arguments, meant, tmp_path, monkeypatch, capsys):
    from quizapp.cli import run  # noqa: PLC0415 - only here

    compile_once(monkeypatch)
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    assert run(arguments) == USAGE
    assert f"did you mean {meant}?" in capsys.readouterr().err


def test_case_alone_makes_no_name_another_one():
    assert suggest("THREADS", ["threshold", "threads"]) == suggest("thread", ["threads"])


@pytest.mark.parametrize("word", ["saxpy", "Saxpy", "SAXPY.", "kernel_saxpy"])
def test_a_part_of_a_name_means_that_name_however_it_is_written(word):
    names = ["place-column", "kernel-saxpy", "kernel-saxpy-strided"]
    assert suggest(word, names) == fact("suggest.name", name="kernel-saxpy")


def test_a_misspelled_name_is_nearer_than_one_that_only_has_it_as_a_part():
    assert suggest("row", ["row_count", "rows"]) == fact("suggest.name", name="rows")
    assert suggest("x", ["tile_x", "y"]) == fact("suggest.choices", names=("tile_x", "y"))


def test_a_name_that_begins_with_the_word_is_nearer_than_one_that_is_only_similar():
    names = ["eq_sync", "syncthreads_or", "syncthreads", "syncwarp"]
    both = fact("suggest.either", first="cuda.syncwarp", second="cuda.syncthreads")
    assert name_near("sync", names, "cuda.") == both
    assert name_near("syncthread", names) == fact("suggest.name", name="syncthreads")
    assert name_near("eqsync", names) == fact("suggest.name", name="eq_sync")
    assert name_near("zzz", names) is None


def test_nothing_near_says_something_else():
    otherwise = fact("usage.see-commands")
    assert suggest("zzz", ["banks"], otherwise) == otherwise
    assert suggest("zzz", ["banks"]) == fact("suggest.choices", names=("banks",))
    assert suggest("b" * 10**6, ["banks"], otherwise) == otherwise


def test_several_names_may_be_near():
    near = suggest("bank", ["banks", "banks", "bonks"], most=2, before="x.")
    assert near == fact("suggest.either", first="x.banks", second="x.bonks")
