"""`quiz config`: what applies, where it came from, and that a wrong value changes nothing."""

from __future__ import annotations

import json

import pytest

from quizapp.domain.errors import OK, USAGE
from quizapp.system.config import keys, load, variable
from quizapp.tui.keys import EVERYWHERE, KEYS, SCREENS, find_clash
from tests.shipped_packs import ASKED


@pytest.fixture
def file(home):
    home.mkdir()
    return home / "config.toml"


def value_and_source(inside, key: str) -> tuple[object, str]:
    told = json.loads(inside("config", key, "--json").out)
    return told["value"], told["source"]


def test_the_list_has_every_key(inside):
    said = inside("config")
    assert said.status == OK
    assert [line.split()[0] for line in said.out.splitlines()[1:]] == list(keys())


def test_default_then_file_then_environment(inside, file, monkeypatch):
    assert value_and_source(inside, "new_per_day") == (10, "default")
    file.write_text("new_per_day = 5\n")
    assert value_and_source(inside, "new_per_day") == (5, "file")
    monkeypatch.setenv("QUIZ_NEW_PER_DAY", "3")
    assert value_and_source(inside, "new_per_day") == (3, "environment")
    assert inside("config", "new_per_day").out == "3\n"


def test_a_flag_goes_before_the_environment(quiz):
    done = quiz("start", "--plain", "--new", "0", QUIZ_NEW_PER_DAY="3")
    assert done.returncode == OK
    assert "new 0 of" in done.stdout


def test_writing_keeps_the_rest(inside, file):
    file.write_text("# mine\nlanguage = 'en'  # for now\n")
    assert inside("config", "new_per_day", "7").out == "new_per_day = 7\n"
    assert inside("config", "language", "zh").status == OK
    text = file.read_text()
    assert "# mine" in text
    assert "# for now" in text
    assert inside("config", "language").out == "zh\n"


def test_writing_makes_the_folder(inside, home):
    assert inside("config", "confidence", "false").status == OK
    assert (home / "config.toml").read_text() == "confidence = false\n"


def test_an_empty_value_clears(inside, file):
    file.write_text("interview_date = 2026-12-24\n")
    assert value_and_source(inside, "interview_date") == ("2026-12-24", "file")
    assert inside("config", "interview_date", "").status == OK
    assert value_and_source(inside, "interview_date") == (None, "default")


def test_writing_says_when_the_environment_goes_before(inside, monkeypatch):
    monkeypatch.setenv("QUIZ_LANGUAGE", "en")
    said = inside("config", "language", "zh")
    assert (said.status, said.out) == (OK, "language = en\n")
    assert "QUIZ_LANGUAGE is set" in said.err


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["langauge", "zh"], "did you mean 'language'?"),
        (["langauge"], "did you mean 'language'?"),
        (["language", "klingon"], "it means: language of screens and questions"),
        (["new_per_day", "many"], "it means: new questions per day"),
        (["new_per_day", "1001"], "it means: new questions per day"),
        (["interview_date", "soon"], "YYYY-MM-DD"),
        (["keys", "x"], "`quiz config keys.hint t`"),
        (["language", "--path"], "--path takes no key"),
        (["content", "/"], "every start would read through all of it"),
        (["content", "/dev"], "every start would read through all of it"),
        (["content", "/proc/self"], "every start would read through all of it"),
    ],
)
def test_what_cannot_be_changes_nothing(arguments, what, inside, file):
    file.write_text("language = 'en'\n")
    said = inside("config", *arguments)
    assert (said.status, said.out) == (USAGE, "")
    assert what in said.err
    assert file.read_text() == "language = 'en'\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("language = 'en'\nnew_per_dya = 1\n", "config.toml:2: "),
        ("language = 'en'\n# much\nretention = 2\n", "config.toml:3: "),
        ("language = en\n", "config.toml:1: "),
    ],
)
def test_a_wrong_file_is_named_with_its_line(text, place, inside, file):
    file.write_text(text)
    said = inside("due")
    assert said.status == USAGE
    assert place in said.err
    assert inside("config", "--path").out == f"{file}\n"


def test_a_wrong_variable_is_named(inside, monkeypatch):
    monkeypatch.setenv("QUIZ_RETENTION", "all")
    said = inside("due")
    assert said.status == USAGE
    assert said.err.startswith("quiz: QUIZ_RETENTION: retention: ")


def test_keys_are_listed_with_all_bindings_there_are(inside, file):
    file.write_text('[keys]\nhint = "f2"\n')
    rows = [line.split(maxsplit=2) for line in inside("config", "keys").out.splitlines()[1:]]
    assert [name for name, _, _ in rows] == list(KEYS)
    assert ["hint", "f2", "hint"] in rows
    assert ["undo", "u", "undo"] in rows
    assert "hint = f2" in inside("config").out
    assert value_and_source(inside, "keys") == ({"hint": "f2"}, "file")


@pytest.mark.parametrize("name", KEYS)
def test_every_key_can_be_set_read_and_given_back(name, inside, file):
    key = f"keys.{name}"
    default = KEYS[name].keys
    assert inside("config", key).out == f"{default}\n"
    assert inside("config", key, "ctrl+b,f9").out == f"{key} = ctrl+b,f9\n"
    assert value_and_source(inside, key) == ("ctrl+b,f9", "file")
    assert load(file).keys == {name: "ctrl+b,f9"}
    assert inside("config", key, "").out == f"{key} = {default}\n"
    assert value_and_source(inside, key) == (default, "default")


def test_a_key_is_written_beside_others_and_comments_stay(inside, file):
    file.parent.mkdir(exist_ok=True)
    file.write_text('# mine\n[keys]\nflag = "z" # often\n', "utf-8")
    assert inside("config", "keys.hint", "t").status == OK
    assert file.read_text("utf-8") == '# mine\n[keys]\nflag = "z" # often\nhint = "t"\n'


@pytest.mark.parametrize(
    ("arguments", "what", "todo"),
    [
        (("keys.hnt", "t"), "there is no key 'hnt'", "did you mean 'keys.hint'?"),
        (("keys.hint", "two words"), "'two words' is not a key", "such as t"),
        (("keys.hint", "\x1b"), "is not a key", "such as t"),
        (("keys.", "t"), "there is no key ''", "`quiz config keys` lists them"),
        (("keys", "t"), "keys are set one by one", "keys.hint"),
        (("keys.hint", "q"), "hint cannot have the key q: quit (leave) has it", "keys.quit KEY`"),
        (("keys.hint", "t,question_mark"), "help (help) has it", "choose another key"),
        (("keys.hint", "?"), "help (help) has it", "choose another key"),
        (("keys.hint", "ctrl+c"), "it leaves quiz on every screen", "choose another key"),
        (("theme", "foo"), "there is no theme 'foo'", "choose one of: "),
        (("theme", "nrod"), "there is no theme 'nrod'", "did you mean 'nord'?"),
    ],
)
def test_a_wrong_key_changes_nothing(arguments, what, todo, inside, file):
    said = inside("config", *arguments)
    assert (said.status, said.out) == (USAGE, "")
    assert what in said.err
    assert todo in said.err
    assert not file.exists()


def test_a_key_that_another_binding_gave_up_can_be_had(inside, file):
    file.write_text('[keys]\nquit = "ctrl+x"\n', "utf-8")
    assert inside("config", "keys.hint", "q").status == OK
    assert inside("config", "keys.quit", "").status == USAGE  # it would have q again


def test_bindings_of_different_screens_may_have_one_key(inside):
    assert inside("config", "keys.hint", "x").status == OK  # as `reset` of the browser


@pytest.mark.parametrize("name", KEYS)
def test_no_default_key_clashes_and_every_binding_is_on_a_screen(name):
    assert find_clash(name, {}) is None
    assert any(name in ids for ids in (EVERYWHERE, *SCREENS.values()))


def test_a_key_that_works_everywhere_is_taken_on_every_screen(inside):
    said = inside("config", "keys.hint", "ctrl+p")
    assert said.status == USAGE
    assert "palette" in said.err
    assert inside("config", "keys.palette", "x").status == USAGE
    assert inside("config", "keys.palette", "f9").status == OK
    assert inside("config", "keys.hint", "ctrl+p").status == OK


DEEP = 5_000
HUGE = "9" * DEEP


@pytest.mark.parametrize(
    "line",
    [
        f"new_per_day = {HUGE}",
        f"new_per_day = {'_'.join(HUGE)}",
        f"new_per_day = 0x{'f' * DEEP}",
        f"retention = 0.{HUGE}",
        f"theme = {HUGE}",
        f"keys.hint = {HUGE}",
        f"gpu.use = {HUGE}",
        f"nonsense = {HUGE}",
        f"content = {'[' * DEEP}",
        f"content = {'[' * 300}{']' * 300}",
        f"content = [{'0x' + 'f' * DEEP}]",
        f"keys = {'{a=' * DEEP}",
        f"theme = {{ {'a.' * DEEP}b = 1 }}",
        f"{'a.' * DEEP}b = 1",
        f"[{'a.' * DEEP}b]",
        f'theme = "{"x" * DEEP}\\q"',
    ],
    ids=lambda line: line[:24],
)
def test_a_setting_of_any_size_is_named_with_its_line(line, inside, file):
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"# mine\n\n{line}\n", "utf-8")
    said = inside("config")
    assert (said.status, said.out) == (USAGE, "")
    what, todo = said.err.splitlines()
    assert f"{file}:3: " in what
    assert len(what) < DEEP // 2
    assert todo.strip()


@pytest.mark.parametrize("key", keys())
def test_no_value_however_long_is_an_internal_error(key, inside, monkeypatch):
    for value in (HUGE, f"0x{'f' * DEEP}", "[" * DEEP, "-" * DEEP, "\x1b]52;c;\x07\x9b\u202e"):
        said = inside("config", key, value)
        assert said.status in (OK, USAGE), (key, value)
        assert "\x1b" not in said.out + said.err
        monkeypatch.setenv(variable(key), value)
        assert inside("config", "--json").status in (OK, USAGE), (key, value)
        monkeypatch.delenv(variable(key))
        inside("config", key, "")


def test_a_pack_is_switched_by_file_and_environment(inside, file, monkeypatch):
    assert value_and_source(inside, "packs.older-gpus") == (False, "default")
    assert inside("config", "packs.older-gpus", "true").out == "packs.older-gpus = true\n"
    assert file.read_text() == "[packs]\nolder-gpus = true\n"
    assert value_and_source(inside, "packs.older-gpus") == (True, "file")
    on = {line.split()[0]: line.split()[1] for line in inside("config", "packs").out.splitlines()}
    assert (on["older-gpus"], on["fundamentals"]) == ("true", "true")
    monkeypatch.setenv("QUIZ_PACKS", "older-gpus=false, fundamentals=false")
    assert value_and_source(inside, "packs.older-gpus") == (False, "environment")
    due = json.loads(inside("due", "--json").out)
    asked = {row["pack"] for row in due["packs"] if row["on"]}
    assert asked == {*ASKED} - {"fundamentals"}
    assert {row["pack"] for row in due["topics"]} == asked
    monkeypatch.delenv("QUIZ_PACKS")
    assert inside("config", "packs.older-gpus", "").status == OK
    assert value_and_source(inside, "packs.older-gpus") == (False, "default")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("packs.older-gpu", "true", "older-gpus"),
        ("packs.older-gpus", "perhaps", "packs.older-gpus"),
        ("packs", "older-gpus", "packs.older-gpus"),
        ("new_per_pack.older-gpus", "many", "new_per_pack.older-gpus"),
        ("new_per_pack.older-gpus", "1001", "an integer from 0 to 1000"),
        ("new_per_pack.older", "1", "older-gpus"),
    ],
)
def test_a_wrong_pack_or_value_is_refused(inside, file, key, value, said):
    refused = inside("config", key, value)
    assert refused.status == USAGE
    assert said in refused.err
    assert not file.exists()


def test_a_pack_has_a_limit_of_its_own_by_file_and_environment(inside, file, monkeypatch):
    key = "new_per_pack.fundamentals"
    assert value_and_source(inside, key) == (None, "default")
    assert inside("config", key, "2").out == f"{key} = 2\n"
    assert file.read_text() == "[new_per_pack]\nfundamentals = 2\n"
    assert value_and_source(inside, key) == (2, "file")
    monkeypatch.setenv("QUIZ_NEW_PER_PACK", "fundamentals=0,older-gpus=1")
    assert value_and_source(inside, key) == (0, "environment")
    monkeypatch.delenv("QUIZ_NEW_PER_PACK")
    assert inside("config", key, "").status == OK
    assert value_and_source(inside, key) == (None, "default")


def test_a_session_asks_of_one_pack(inside):
    done = inside("start", "--plain", "--pack", "fundamentals", "--new", "0")
    assert done.status == OK
    unknown = inside("start", "--plain", "--pack", "fundamental")
    assert unknown.status == USAGE
    assert "fundamentals" in unknown.err
