"""Settings from file and environment: what applies, what is refused and where, what is kept."""

from __future__ import annotations

import datetime as dt
import os
import stat
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.errors import BadSetting
from quizapp.system.config import (
    GpuSettings,
    Settings,
    default,
    describe,
    format_value,
    keys,
    load,
    parse,
    read_file,
    value_of,
    variable,
    with_value,
)
from quizapp.system.settings_file import set_value
from tests.sentences import chinese, english, expect_error


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "config.toml"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


# What applies


def test_without_file_and_environment_the_defaults_apply(path):
    assert load(path, {}) == Settings()
    assert not path.parent.exists()


def test_the_environment_is_over_the_file_over_the_default(path):
    write(path, 'language = "zh"\nnew_per_day = 3\n')
    found = load(path, {"QUIZ_NEW_PER_DAY": "7", "QUIZ_HOME": "/elsewhere", "OTHER": "x"})
    assert (found.language, found.new_per_day, found.reviews_per_day) == ("zh", 7, 200)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("language", "zh", "zh"),
        ("new_per_day", "0", 0),
        ("new_per_day", "1000", 1000),
        ("reviews_per_day", "10000", 10_000),
        ("interview_date", "2026-11-05", dt.date(2026, 11, 5)),
        ("interview_date", "", None),
        ("interview_date", "  ", None),
        ("confidence", "true", True),
        ("confidence", "false", False),
        ("retention", "0.7", 0.7),
        ("retention", "0.97", 0.97),
        ("theme", "nord", "nord"),
        ("editor", "code --wait", "code --wait"),
        ("content", f"/a{os.pathsep}/b c", ("/a", "/b c")),
        ("content", "", ()),
        ("gpu.use", "false", False),
        ("gpu.host", "me@gpu-box.lan", "me@gpu-box.lan"),
        ("gpu.host", "", ""),
        ("welcomed", "true", True),
    ],
)
def test_text_is_understood(path, key, text, value):
    assert parse(key, text) == value
    assert value_of(load(path, {variable(key): text}), key) == value
    assert set_value(path, key, text) == value
    assert value_of(load(path, {}), key) == value
    assert value_of(with_value(Settings(), key, value), key) == value


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("language", "fr"),
        ("language", ""),
        ("new_per_day", "-1"),
        ("new_per_day", "1001"),
        ("new_per_day", "ten"),
        ("new_per_day", "1.5"),
        ("reviews_per_day", "10001"),
        ("interview_date", "tomorrow"),
        ("interview_date", "2026-02-30"),
        ("interview_date", "05.11.2026"),
        ("confidence", "maybe"),
        ("retention", "0.5"),
        ("retention", "1"),
        ("retention", "nan"),
        ("keys", "undo = z"),
        ("gpu.use", "sometimes"),
        ("gpu.host", "-oProxyCommand=x"),
        ("gpu.host", "me@box and more"),
        ("gpu.host", "me@box\n"),
    ],
)
def test_text_that_means_nothing_is_refused_and_nothing_is_written(path, key, text):
    with expect_error(BadSetting, match=key):
        parse(key, text)
    with expect_error(BadSetting, match=variable(key)):
        load(path, {variable(key): text})
    with pytest.raises(BadSetting):
        set_value(path, key, text)
    assert not path.exists()


# What is wrong, and where


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("langauge = 'zh'\n", 1, "did you mean 'language'?"),
        ("# note\n\nlanguage = 'en'\nnew_per_dya = 5\n", 4, "did you mean 'new_per_day'?"),
        ("\nlanguage = 'fr'\n", 2, "language"),
        ("new_per_day = 'ten'\n", 1, "new questions per day"),
        ("new_per_day = '10'\n", 1, "integer from 0 to 1000"),
        ("language = 'en'\nretention = 2.0\n", 2, "retention"),
        ("retention = nan\n", 1, "retention"),
        ("interview_date = 2026-11-05T10:00:00\n", 1, "interview_date"),
        ("content = '/a'\n", 1, "content"),
        ("[keys]\nundo = 5\n", 1, "keys"),
        ("language = 'en'\n\n[keyes]\nundo = 'z'\n", 3, "did you mean 'keys'?"),
        ("xyzzy = 1\n", 1, "settings: language"),
        ("theme = 'nord'\n\n[gpu]\nuse = true\nhots = 'a'\n", 5, "did you mean 'gpu.host'?"),
        ("gpu.use = true\ngpu.host = 7\n", 2, "user@host"),
        ("gpu = 'me@box'\n", 1, "there is no setting 'gpu'"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line_and_what_to_do(path, text, line, says):
    write(path, text)
    with pytest.raises(BadSetting) as refused:
        load(path, {})
    assert english(refused.value).startswith(f"{path}:{line}: ")
    assert says in english(refused.value)
    assert chinese(refused.value).startswith(f"{path}:{line}：")


@pytest.mark.parametrize(
    ("text", "line"), [("language = \n", 1), ("a = 1\nb = x\n", 2), ("a = 1\na = 2\n", 2)]
)
def test_what_is_no_toml_is_refused_with_its_line(path, text, line):
    with pytest.raises(BadSetting) as refused:
        load(write(path, text), {})
    assert english(refused.value).startswith(f"{path}:{line}: ")


def test_what_is_not_utf_8_or_a_folder_is_refused_with_its_path(path):
    path.parent.mkdir()
    path.write_bytes(b"theme = '\xff'\n")
    with pytest.raises(BadSetting, match=str(path)):
        load(path, {})
    path.unlink()
    path.mkdir()
    with pytest.raises(BadSetting, match=str(path)):
        load(path, {})


def test_an_unknown_key_is_refused_on_writing_too(path):
    with expect_error(BadSetting, match="there is no setting 'langauge'"):
        set_value(path, "langauge", "zh")


# Writing


COMMENTED = """\
# my settings
language = "en"  # for now

new_per_day = 5

[keys]
# mine
undo = "z"
"""


def test_writing_keeps_comments_order_and_all_else(path):
    write(path, COMMENTED)
    set_value(path, "language", "zh")
    assert path.read_text("utf-8") == COMMENTED.replace('"en"', '"zh"')


def test_a_new_key_does_not_land_in_a_table(path):
    write(path, COMMENTED)
    set_value(path, "theme", "nord")
    found = load(path, {})
    assert found.theme == "nord"
    assert found.keys == {"undo": "z"}
    assert "# mine" in path.read_text("utf-8")


def test_a_key_of_a_group_lands_in_its_table(path):
    write(path, COMMENTED + "\n[gpu]  # mine too\nuse = false\n")
    set_value(path, "gpu.host", "me@box")
    set_value(path, "theme", "nord")
    assert load(path, {}).gpu == GpuSettings(use=False, host="me@box")
    assert "# mine too" in path.read_text("utf-8")


def test_taking_a_value_back_removes_its_key(path):
    set_value(path, "interview_date", "2026-11-05")
    assert "interview_date" in path.read_text("utf-8")
    set_value(path, "interview_date", "")
    assert "interview_date" not in path.read_text("utf-8")


def test_a_file_with_an_error_is_not_written_over(path):
    write(path, "language = 'fr'\n")
    with pytest.raises(BadSetting):
        set_value(path, "theme", "nord")
    assert path.read_text("utf-8") == "language = 'fr'\n"


def test_writing_replaces_the_file_whole_and_leaves_nothing_beside_it(path):
    write(path, "language = 'en'\n")
    reader = path.open()  # what is read meanwhile is the old file, to its end
    before = path.stat().st_ino
    set_value(path, "theme", "nord")
    assert path.stat().st_ino != before
    assert reader.read() == "language = 'en'\n"
    reader.close()
    assert [p.name for p in path.parent.iterdir()] == ["config.toml"]


def test_writing_keeps_who_may_read_the_file(path):
    write(path, "")
    path.chmod(0o644)
    set_value(path, "theme", "nord")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_writing_through_a_link_keeps_the_link(path, tmp_path):
    """Who keeps settings among other dotfiles links to them."""
    real = write(tmp_path / "dotfiles" / "quiz.toml", "language = 'zh'\n")
    path.parent.mkdir()
    path.symlink_to(real)
    set_value(path, "theme", "nord")
    assert path.is_symlink()
    assert tomllib.loads(real.read_text("utf-8")) == {"language": "zh", "theme": "nord"}


@pytest.mark.parametrize("key", [key for key in keys() if key != "keys"])
def test_what_is_printed_can_be_given_back(key):
    assert parse(key, format_value(default(key))) == default(key)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20))
def test_any_text_for_the_editor_comes_back(text):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "config.toml"
        set_value(path, "editor", text)
        assert read_file(path) == {"editor": text}


def test_every_key_is_described():
    for said in (english, chinese):
        assert len({said(describe(key)) for key in keys()}) == len(keys())


def test_a_bracket_in_a_comment_ends_no_table(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('[gpu]\nuse = true  # not [false]\nhost = "-x"\n', "utf-8")
    with pytest.raises(BadSetting) as raised:
        load(path, {})
    assert english(raised.value).startswith(f"{path}:3: gpu.host: ")
