"""The language of the command line, which is read without the settings, is that of the settings."""

from __future__ import annotations

import pytest

from quizapp.domain.errors import BadSetting
from quizapp.system.config import load
from quizapp.system.language import person_language
from quizapp.system.paths import find_paths

FILES = [
    "",
    'language = "zh"\n',
    "language='zh'  # mine\n",
    '  language   =   "en"\n',
    '# language = "zh"\n',
    'theme = "nord"\nlanguage = "zh"\n[keys]\nhint = "t"\n',
    '[keys]\nlanguage = "zh"\n',
    'editor = "language"\n[gpu]\nhost = "me@gpu"\n',
]


@pytest.mark.parametrize("text", FILES)
@pytest.mark.parametrize("variable", [None, "en", "zh"])
def test_it_is_what_the_settings_say(text, variable, tmp_path, monkeypatch):
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    monkeypatch.delenv("QUIZ_LANGUAGE", raising=False)
    if variable:
        monkeypatch.setenv("QUIZ_LANGUAGE", variable)
    config = tmp_path / "config.toml"
    config.write_text(text, "utf-8")
    assert person_language() == load(config).language


@pytest.mark.parametrize("text", ["language = 'klingon'\n", "language = \n", "\xff"])
def test_a_wrong_setting_is_reported_in_english(text, tmp_path, monkeypatch):
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path))
    monkeypatch.delenv("QUIZ_LANGUAGE", raising=False)
    config = tmp_path / "config.toml"
    config.write_text(text, "latin-1")
    assert person_language() == "en"
    with pytest.raises(BadSetting):
        load(config)


def test_without_a_file_it_is_english(tmp_path, monkeypatch):
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path / "missing"))
    monkeypatch.delenv("QUIZ_LANGUAGE", raising=False)
    assert person_language() == "en"


@pytest.mark.parametrize("folder", [None, "", " ", "settings", " settings "])
def test_it_is_read_where_the_settings_are(folder, tmp_path, monkeypatch):
    """Without what finds the settings elsewhere: `quiz --help` has no time for it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("QUIZ_HOME", "QUIZ_LANGUAGE", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    if folder is not None:
        monkeypatch.setenv("XDG_CONFIG_HOME", folder.replace("settings", f"{tmp_path}/settings"))
    config = find_paths().config
    config.parent.mkdir(parents=True)
    config.write_text('language = "zh"\n', "utf-8")
    assert person_language() == "zh"
