"""`quiz due`, `stats`, `reset`, `erase`, `rebuild`: what they say, and that nothing is lost."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quizapp.domain.errors import DATA, INTERRUPTED, OK, USAGE
from quizapp.report.words import Words
from quizapp.study.opening import open_study
from quizapp.system.config import Settings
from quizapp.system.paths import find_paths
from tests.commands.program import answer


def due(inside) -> dict:
    return json.loads(inside("due", "--json").out)


def count_seen(inside) -> int:
    return sum(topic["seen"] for topic in due(inside)["topics"])


def events(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT count(*) FROM event").fetchone()[0]


# What is due


def test_a_first_day(inside):
    told = due(inside)
    assert told["due"] == 0
    assert 0 < told["new"] <= Settings().new_per_day
    assert Settings().day_minutes < told["minutes"] < 1.5 * Settings().day_minutes
    assert inside("due").out.splitlines()[2] == "time  45  min or a little more"
    assert told["unseen"] == told["questions"] == sum(t["questions"] for t in told["topics"])
    assert told["next"] is None
    assert told["topics"][0]["hardest"] is None


def test_answers_count(inside):
    before = due(inside)
    answer(2)
    after = due(inside)
    assert after["unseen"] == before["unseen"] - 2
    assert after["new"] + after["due"] <= before["new"]
    assert after["studied_days"] == 1
    text = inside("due").out
    assert text.splitlines()[0].split() == ["due", str(after["due"])]
    for topic in after["topics"]:
        assert Words("en").topic(topic["topic"]) in text


def test_the_interview_is_counted_down(inside, monkeypatch):
    monkeypatch.setenv("QUIZ_INTERVIEW_DATE", "2999-01-01")
    assert due(inside)["interview_in_days"] > 300_000
    assert "interview in" in inside("due").out


def test_left_out_questions_are_said(inside, home):
    (home / "content" / "mine").mkdir(parents=True)
    (home / "content" / "mine" / "broken.yaml").write_text("- id: broken\n")
    assert due(inside)["left_out"] == 1
    assert "see `quiz lint`" in inside("due").out


def test_an_empty_deck_says_how_to_begin(inside, monkeypatch, tmp_path):
    monkeypatch.setattr("quizapp.deck.content.shipped_content", lambda: tmp_path / "nothing")
    said = inside("due")
    assert said.status == OK
    assert "`quiz new choice` writes one" in said.out
    assert inside("stats").status == OK


# Statistics


def test_statistics(inside):
    answer(3)
    told = json.loads(inside("stats", "--json").out)
    assert told["answers"] == 3
    assert told["streak_days"] == 1
    assert told["answers_by_day"] == {told["day"]: 3}
    assert told["retention"]["all"] == {
        "answers": 0,
        "passed": 0,
        "share": None,
        "bounds": None,
    }
    assert next(iter(told["forecast"])) == told["day"]
    text = inside("stats").out
    assert "answers by day" in text
    assert "###" in text


def test_the_card_of_a_day_is_text_json_and_a_picture(inside, tmp_path):
    assert "no answer yet" in inside("card").out
    answer(3)
    told = json.loads(inside("card", "--json").out)
    assert (told["answered"], told["days_left"]) == (3, None)
    assert sum(topic["learned"] + topic["missed"] for topic in told["topics"]) == 3
    file = tmp_path / "card.svg"
    text = inside("card", "--svg", str(file)).out
    assert "3 answered" in text
    picture = file.read_text("utf-8")
    assert "3&#160;answered" in picture
    assert "url(http" not in picture


# Reset


@pytest.fixture
def answered(inside) -> list[str]:
    return answer(3)


def test_one_question_is_new_again(inside, answered):
    said = inside("reset", answered[0], "--yes")
    assert said.status == OK
    assert Path(said.out.strip()).is_file()
    assert count_seen(inside) == 2


def test_an_id_without_its_pack_will_do(inside, answered):
    assert inside("reset", answered[0].split("/")[1], "--yes").status == OK
    assert count_seen(inside) == 2


def test_a_topic_is_new_again(inside, home):
    answer(2, topic="banks")
    answer(1, topic="padding")
    said = inside("reset", "--topic", "Banks and mapping", typed="y\n")
    assert said.status == OK
    assert "Make 2 questions new again?" in said.err
    assert count_seen(inside) == 1


def test_all_is_new_again_and_the_backup_has_what_was(inside, answered, home):
    before = events(home / "progress.db")
    said = inside("reset", "--all", typed="yes\n")
    assert "Make 3 questions new again?" in said.err
    assert count_seen(inside) == 0
    assert events(home / "progress.db") == before + 3
    assert events(Path(said.out.strip())) == before


def test_a_question_that_is_gone_is_reset_too(inside, monkeypatch, tmp_path):
    answer(1)
    monkeypatch.setattr("quizapp.deck.content.shipped_content", lambda: tmp_path / "nothing")
    said = inside("reset", "--all", "--yes")
    assert said.status == OK
    assert "1 question will be asked as new" in said.err


@pytest.mark.parametrize("typed", ["n\n", "\n", "yes please\n"])
def test_another_answer_changes_nothing(typed, inside, answered, home):
    said = inside("reset", "--all", typed=typed)
    assert (said.status, said.out) == (INTERRUPTED, "")
    assert "Nothing was changed." in said.err
    assert count_seen(inside) == 3
    assert not (home / "backups").exists()


@pytest.mark.parametrize("command", [["reset", "--all"], ["erase"]])
def test_nobody_there_to_confirm(command, inside, answered):
    said = inside(*command)
    assert (said.status, said.out) == (USAGE, "")
    assert "--yes" in said.err
    assert count_seen(inside) == 3


def test_nothing_to_reset_needs_no_confirmation(inside, home):
    said = inside("reset", "--all")
    assert (said.status, said.out) == (OK, "")
    assert not (home / "backups").exists()


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ([], "quiz reset QUESTION, quiz reset --topic T, or quiz reset --all"),
        (["--all", "--topic", "banks"], "quiz reset QUESTION"),
        (["interview-brodcast"], "shared-memory/interview-broadcast"),
        (["xyzzy"], "search for it"),
        (["--topic", "paddin"], "did you mean 'padding'?"),
        (["--topic", "xyzzy"], "`quiz pack topics` lists the topics"),
    ],
)
def test_a_wrong_call_says_what_there_is(arguments, hint, inside):
    said = inside("reset", *arguments, "--yes")
    assert (said.status, said.out) == (USAGE, "")
    assert hint in said.err


# Erase


def test_erase_forgets_all_but_the_backup(inside, answered, home):
    before = events(home / "progress.db")
    kept = [home / "cache" / name for name in ("plan.json", "home.json")]
    for path in kept:
        path.write_text("{}")
    said = inside("erase", typed="erase\n")
    assert said.status == OK
    assert not any(path.exists() for path in kept)
    assert events(home / "progress.db") == 1
    assert events(Path(said.out.strip())) == before
    assert due(inside)["studied_days"] == 0


@pytest.mark.parametrize("typed", ["y\n", "yes\n", "\n"])
def test_erase_wants_the_word(typed, inside, answered):
    said = inside("erase", typed=typed)
    assert said.status == INTERRUPTED
    assert count_seen(inside) == 3


def test_erase_without_progress(inside, home):
    said = inside("erase")
    assert (said.status, said.out) == (OK, "")
    assert "Nothing to erase" in said.err
    assert not (home / "progress.db").exists()


# Rebuild


def test_rebuild_derives_the_same(inside, answered):
    def dump() -> object:
        with open_study(find_paths(), Settings()) as study:
            return study.store.dump()

    before = dump()
    said = inside("rebuild")
    assert (said.status, said.out) == (OK, "")
    assert "3 questions" in said.err
    assert dump() == before


# Bad days


@pytest.mark.parametrize("command", ["due", "stats", "rebuild", "reset", "erase"])
def test_a_database_that_is_none_stays_as_it_is(command, inside, home):
    home.mkdir()
    (home / "progress.db").write_bytes(b"not a database" * 1000)
    arguments = ["--all", "--yes"] if command == "reset" else []
    said = inside(command, *arguments)
    assert (said.status, said.out) == (DATA, "")
    assert str(home / "progress.db") in said.err
    assert (home / "progress.db").read_bytes() == b"not a database" * 1000


def test_the_log_says_what_was_called_and_no_answer(inside, answered, home):
    with open_study(find_paths(), Settings()) as study:
        study.attempts.save_draft(answered[0], "my secret draft")
    inside("due")
    inside("reset", "--all", "--yes")
    log = (home / "quiz.log").read_text(encoding="utf-8")
    assert "INFO due version=" in log
    assert "INFO reset questions=3" in log
    assert "secret" not in log


def test_optimize_with_nothing_to_fit_to_and_nothing_to_undo(inside):
    pytest.importorskip("fsrs_rs_python", reason="needs the extra `tune`")
    said = inside("optimize", "--dry-run")
    assert "0 reviews are too few to fit to" in said.out
    assert inside("optimize", "--undo").err == "Nothing was adopted.\n"
