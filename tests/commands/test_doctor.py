"""`quiz doctor` and `quiz paths`: what they see, and that they leave it as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizapp import __version__
from quizapp.errors import FINDINGS, OK
from tests.commands.program import answer


@pytest.fixture
def findings(inside):
    """The doctor's findings by (section, name), and its exit status."""

    def look() -> tuple[dict[tuple[str, str], dict], int]:
        said = inside("doctor", "--json")
        told = json.loads(said.out)
        assert said.err == ""
        by_name = {(f["section"], f["name"]): f for f in told["findings"]}
        assert told["problems"] == sum(f["status"] == "problem" for f in by_name.values())
        for finding in by_name.values():
            assert finding["status"] in ("ok", "note", "problem")
            assert finding["todo"] or finding["status"] == "ok"
        return by_name, said.status

    return look


def test_a_healthy_installation(findings, home):
    found, status = findings()
    assert status == OK
    assert found["versions", "quiz"]["what"] == __version__
    assert {name for section, name in found if section == "folders"} == {
        "data", "config", "cache", "log",
    }  # fmt: skip
    assert "none yet" in found["database", "file"]["what"]
    assert found["deck", "questions"]["status"] == "ok"
    assert found["terminal", "tty"]["status"] == "note"
    assert found["gpu", "device"]["status"] == "ok"
    assert not (home / "progress.db").exists()


def test_the_database(findings, inside):
    answer(2)
    found, status = findings()
    assert status == OK
    # The parameters are an event too.
    assert found["database", "events"]["what"] == "3 events"
    assert found["database", "integrity"]["status"] == "ok"
    assert found["database", "schema"]["what"].startswith("0")


def test_a_damaged_database(findings, home):
    home.mkdir()
    (home / "progress.db").write_bytes(b"no database" * 1000)
    found, status = findings()
    assert status == FINDINGS
    assert found["database", "file"]["status"] == "problem"
    assert (home / "progress.db").read_bytes() == b"no database" * 1000
    assert found["deck", "questions"]["status"] == "ok"


def test_a_wrong_settings_file_stops_nothing(findings, home):
    home.mkdir()
    (home / "config.toml").write_text("langauge = 'zh'\n")
    found, status = findings()
    assert status == FINDINGS
    assert "config.toml:1: " in found["settings", "file"]["what"]
    assert "language" in found["settings", "file"]["todo"]
    assert found["deck", "questions"]["status"] == "ok"


def test_a_content_folder_that_is_not_there(findings, monkeypatch):
    monkeypatch.setenv("QUIZ_CONTENT", "/no/such/folder")
    found, status = findings()
    assert status == FINDINGS
    assert found["settings", "content"]["what"] == "there is no /no/such/folder"


def test_a_remapped_key_that_is_none(findings, home):
    home.mkdir()
    (home / "config.toml").write_text('[keys]\nhimt = "f2"\nhint = "f3"\n')
    found, status = findings()
    assert status == OK
    assert found["settings", "keys"]["what"] == "there is no binding 'himt'"


def test_questions_with_errors(findings, home):
    (home / "content" / "mine").mkdir(parents=True)
    (home / "content" / "mine" / "broken.yaml").write_text("- id: broken\n")
    found, status = findings()
    assert status == FINDINGS
    assert found["deck", "left out"]["todo"].startswith("`quiz lint`")


def test_a_place_that_cannot_be_written(findings, home):
    home.write_text("a file where a folder should be")
    found, status = findings()
    assert status == FINDINGS
    assert found["folders", "data"]["status"] == "problem"
    assert found["folders", "cache"]["status"] == "note"


@pytest.mark.parametrize(
    ("variable", "name", "what"),
    [
        ("TERM=dumb", "TERM", "dumb"),
        ("NO_COLOR=1", "colours", "none: NO_COLOR is set"),
        ("COLORTERM=truecolor", "colours", "16 million"),
    ],
)
def test_the_terminal(variable, name, what, findings, monkeypatch):
    monkeypatch.setenv(*variable.split("="))
    found, _ = findings()
    assert found["terminal", name]["what"] == what


def test_a_terminal_without_unicode(quiz):
    done = quiz("doctor", "--json", LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    [found] = [f for f in json.loads(done.stdout)["findings"] if f["name"] == "encoding"]
    assert found["status"] == "note"
    assert "UTF-8" in found["todo"]


def test_the_text_says_what_the_json_says(inside, findings):
    inside("doctor")  # which makes the cache
    text = inside("doctor").out
    found, _ = findings()
    for finding in found.values():
        assert finding["what"] in text
        assert finding["status"] in text


def test_a_gpu_is_seen(findings, monkeypatch, tmp_path):
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    found, _ = findings()
    assert "/usr/bin/nvidia-smi" in found["gpu", "device"]["what"]


def test_paths_are_below_quiz_home(inside, home):
    told = json.loads(inside("paths", "--json").out)
    shipped = told.pop("shipped_content")
    assert Path(shipped).is_dir()
    assert all(Path(path).is_relative_to(home) for path in told.values())
    assert not home.exists()


def test_paths_as_text_say_the_same(inside):
    told = json.loads(inside("paths", "--json").out)
    assert dict(line.split(maxsplit=1) for line in inside("paths").out.splitlines()) == told
