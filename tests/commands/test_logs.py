"""The log: small, rotating, never in the way, and without what a person wrote."""

from __future__ import annotations

import errno
import io
import logging

import pytest

from quizapp.system import logs


class FullDisk(io.StringIO):
    """A file that nothing more can be written to."""

    def write(self, _text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def path(tmp_path):
    yield tmp_path / "folder" / "quiz.log"
    logs.close()


def test_it_makes_its_folder_and_says_what_happened(path):
    logs.set_up(path)
    logs.record("reset", questions=3, topic="分块")
    assert path.read_text(encoding="utf-8").endswith(" INFO reset questions=3 topic=分块\n")


def test_setting_up_again_writes_no_line_twice(path):
    logs.set_up(path)
    logs.set_up(path)
    logs.record("once")
    assert path.read_text().count("once") == 1


def test_another_path_is_gone_over_to(path, tmp_path):
    logs.set_up(path)
    logs.set_up(tmp_path / "other.log")
    logs.record("there")
    assert path.read_text() == ""
    assert "there" in (tmp_path / "other.log").read_text()


def test_three_files_of_512_kb(path, monkeypatch):
    assert (logs.SIZE, logs.FILES) == (512 * 1024, 3)
    monkeypatch.setattr(logs, "SIZE", 1000)
    logs.set_up(path)
    for number in range(200):
        logs.record("event", number=number)
    files = sorted(path.parent.iterdir())
    assert [file.name for file in files] == ["quiz.log", "quiz.log.1", "quiz.log.2"]
    assert all(file.stat().st_size <= 1000 for file in files)
    assert "number=199" in path.read_text()


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    logs.set_up(tmp_path / "file" / "quiz.log")
    logs.record("lost")
    logs.failure(ValueError("lost"))
    assert capsys.readouterr() == ("", "")


def test_a_log_that_cannot_be_written_any_more_is_no_error(path, capsys):
    logs.set_up(path)
    [handler] = logging.getLogger("quizapp").handlers
    handler.stream.close()
    handler.stream = FullDisk()
    logs.record("lost")
    logs.failure(ValueError("lost"))
    assert capsys.readouterr() == ("", "")


def test_an_error_is_logged_by_class_and_place(path):
    logs.set_up(path)
    try:
        try:
            float("my secret answer")
        except ValueError as cause:
            raise RuntimeError("could not grade 'my secret answer'") from cause
    except RuntimeError as error:
        logs.failure(error)
    text = path.read_text()
    assert "RuntimeError\n" in text
    assert "because of ValueError\n" in text
    assert "test_logs.py:" in text
    assert "secret" not in text


def test_what_other_modules_log_is_as_discreet(path):
    logs.set_up(path)
    try:
        float("my secret answer")
    except ValueError:
        logging.getLogger("quizapp.tui.app").exception("failed")
    assert "ValueError" in path.read_text()
    assert "secret" not in path.read_text()
