"""`quiz start`: what is refused before any screen, and whom it hands over to."""

from __future__ import annotations

import pexpect
import pytest

from quizapp.domain.errors import ENVIRONMENT, OK, USAGE
from quizapp.study.home_values import Filter
from quizapp.system.config import Settings

QUESTION = """\
- {{id: mine, kind: number, topic: {topic}, concept: mine, difficulty: 1, prompt: How many?,
   answer: 1, explanation: One., sources: [me]}}
"""


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["--topic", "weather"], "`quiz pack topics` lists the topics"),
        (["--kind", "essay"], "choose one of: recall, choice, number"),
        (["--limit", "0"], "see `quiz start --help`"),
        (["--only", "interview-broadcas"], "shared-memory/interview-broadcast"),
        (["--new", "-1"], "see `quiz start --help`"),
    ],
)
@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_what_there_is_not_is_refused_with_what_there_is(arguments, hint, plain, inside):
    said = inside("start", *arguments, *plain)
    assert (said.status, said.out) == (USAGE, "")
    assert hint in said.err


def test_without_a_terminal(inside, home):
    said = inside("start")
    assert (said.status, said.out) == (ENVIRONMENT, "")
    assert "`quiz start --plain`" in said.err
    assert not (home / "progress.db").exists()


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_cannot_draw(term, quiz):
    [program, *arguments] = quiz.command("start")
    child = pexpect.spawn(program, arguments, env=quiz.environment(TERM=term), encoding="utf-8")
    child.expect("--plain")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == ENVIRONMENT


def test_the_first_start_says_what_it_waits_for(quiz):
    program, *arguments = quiz.command("start")
    (quiz.home / "cache" / "deck").unlink()
    environment = quiz.environment(TERM="xterm")
    child = pexpect.spawn(program, arguments, env=environment, encoding="utf-8")
    child.expect("Reading the questions")
    child.close(force=True)


def test_plain_studies(quiz):
    done = quiz("start", "--plain", "--kind", "choice", "--limit", "1", typed="q\n")
    assert (done.returncode, done.stderr) == (OK, "")
    assert done.stdout


def test_the_screen_gets_what_was_asked_for(inside, monkeypatch, home):
    called = []

    def run(paths, settings, narrowed, wish):
        called.append((paths.data, settings, narrowed, wish))
        return 7

    monkeypatch.setattr("quizapp.tui.starting.run", run)
    monkeypatch.setattr("quizapp.commands.study.start.require_terminal", lambda *_: None)
    only = ("--only", "interview-broadcast")
    said = inside(
        "start", *only, "--topic", "banks", "--kind", "choice", "--limit", "3", "--new", "0"
    )
    assert said.status == 7
    narrowed = Filter("banks", "choice", 3, 0, ("shared-memory/interview-broadcast",))
    assert called == [(home, Settings(), narrowed, None)]


@pytest.mark.parametrize("name", ["vector access", "Vector Access", "vector-access", "向量化访问"])
def test_a_topic_goes_by_its_id_and_by_the_titles_that_are_printed(name, inside):
    said = inside("start", "--plain", "--topic", name, "--limit", "1", typed=":q\n")
    assert said.status == OK
    assert "1 of 1 · vector access" in said.out


def test_a_pack_goes_by_its_title(inside):
    said = inside("start", "--plain", "--pack", "gpu fundamentals", "--limit", "1", typed=":q\n")
    assert (said.status, said.err) == (OK, "")


def test_a_title_that_two_topics_have_is_refused_with_their_ids(inside, home):
    for pack, topic in (("mine", "first"), ("yours", "second")):
        folder = home / "content" / pack
        folder.mkdir(parents=True)
        names = f"topics:\n  {topic}: {{en: Twice, zh: {topic}}}\n"
        (folder / "pack.yaml").write_text(f"title: {pack}\n{names}", "utf-8")
        (folder / "q.yaml").write_text(QUESTION.format(topic=topic), "utf-8")
    said = inside("start", "--plain", "--topic", "twice")
    assert said.status == USAGE
    assert "several topics are called 'twice'" in said.err
    assert "choose one of: first, second" in said.err


@pytest.mark.parametrize("name", ["recall", "Recall", "问答"])
def test_a_kind_goes_by_its_id_and_by_the_names_that_screens_show(name, inside):
    said = inside("start", "--plain", "--kind", name, "--limit", "1", typed=":q\n")
    assert said.status == OK
    assert "· recall ·" in said.out


def test_the_nearest_name_of_a_kind_is_said(inside):
    said = inside("start", "--plain", "--kind", "indxe")
    assert (said.status, said.out) == (USAGE, "")
    assert "index" in said.err


def test_plain_practice_says_so_rates_nothing_and_can_be_repeated(quiz):
    chosen = ("start", "--plain", "--practice", "--kind", "choice", "--limit", "1")
    for _ in range(2):
        done = quiz(*chosen, typed=":g\n\n")
        assert (done.returncode, done.stderr) == (OK, "")
        assert "· practice" in done.stdout
        assert "the schedule stays as it was" in done.stdout
        assert "again" not in done.stdout.split("the schedule stays")[1].split("question")[0]
    failed = quiz("start", "--plain", "--practice", "--failed", typed="")
    assert "No wrong answers yesterday or today." in failed.stdout
