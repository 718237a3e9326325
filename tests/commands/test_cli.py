"""The command line as a whole: help, suggestions, exit statuses, completion, what is loaded."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest

import quizapp.commands
from quizapp import __version__
from quizapp import cli as programs
from quizapp.cli import COMMANDS, OUTPUT_CLOSED, cli, run
from quizapp.commands.common.help import Command
from quizapp.commands.common.parameters import Integer, Named, OneOf, Sizes, Value
from quizapp.commands.common.written_files import OutputFile
from quizapp.domain import errors
from quizapp.domain.kernel import SPOTTABLE
from quizapp.report.words import Words
from quizapp.system.config import default, describe, format_value, keys
from tests.commands.program import BROKEN, ROOT, answer
from tests.compiled_content import fill_cache
from tests.sentences import catalogue, english

DOCS = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## quiz (\w+)\n(.*?)(?=^## |\Z)", DOCS, re.MULTILINE | re.DOTALL))


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def examples(name: str) -> Sequence[str]:
    """The command lines at the end of a command's help."""
    found = command(name)
    assert isinstance(found, Command)
    return found.examples


def test_every_module_is_a_command_and_the_other_way_round():
    [folder] = quizapp.commands.__path__
    for section, names in programs.SECTIONS.items():
        modules = {path.stem.rstrip("_") for path in Path(folder, section).glob("[!_]*.py")}
        assert modules == set(names)


@pytest.mark.parametrize("name", COMMANDS)
class TestEveryCommand:
    def test_has_the_line_of_help_that_the_table_says(self, name):
        assert command(name).short_help == Words("en")(f"help.{name}")

    def test_begins_its_help_with_that_line(self, name, inside):
        said = inside(name, "--help").out
        assert "None" not in said
        assert said.split("\n\n")[1] == f"  {command(name).short_help}"
        text, _ = said.split("Options:\n")
        assert not re.search(r"\S {2,}\S|^ {3,}\S", text, re.MULTILINE)

    def test_has_examples_that_parse(self, name):
        assert examples(name)
        for example in examples(name):
            words = shlex.split(example.split(" > ")[0])
            words = words[words.index("quiz") + 1 :]
            assert words[0] == name
            with cli.make_context("quiz", [], resilient_parsing=True) as root:
                command(name).make_context(name, words[1:], parent=root)
            known = {option for p in command(name).params for option in p.opts}
            ours = words[: words.index("--")] if "--" in words else words
            assert {word for word in ours if word.startswith("--")} <= known

    def test_explains_every_option(self, name):
        for parameter in command(name).params:
            if isinstance(parameter, click.Option):
                assert parameter.help

    def test_is_documented_with_every_option(self, name):
        section = SECTIONS[name]
        assert f"    quiz {name}" in section
        for parameter in command(name).params:
            if isinstance(parameter, click.Option):
                assert parameter.opts[-1] in section

    def test_answers_help_whoever_has_asked_before(self, name, inside, monkeypatch):
        asked = command(name)
        monkeypatch.setattr(asked, "_help_option", None)  # where click keeps it
        asked.get_params(click.Context(asked))
        assert inside(name, "-h").status == 0

    def test_answers_help(self, name, inside):
        said = inside(name, "--help")
        assert said.status == 0
        assert said.out.startswith(f"Usage: quiz {name}")
        assert said.err == ""


def test_no_words_of_help_are_unused():
    options = {
        f"help.{name}.{parameter.opts[-1].lstrip('-')}"
        for name in COMMANDS
        for parameter in command(name).params
        if isinstance(parameter, click.Option)
    }
    shared = {f"help.any.{key.rpartition('.')[2]}" for key in options}
    lines = {f"help.{name}{more}" for name in COMMANDS for more in ("", ".more")}
    page = {"help.quiz", "help.usage", "help.options", "help.options-metavar", "help.examples"}
    known = options | shared | lines | page | {"help.any.help", "help.any.version"}
    unused = [
        key
        for key in catalogue()
        if key.startswith("help.") and key not in known
        if not key.startswith(("help.section.", "help.metavar."))
    ]
    assert unused == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_in_the_language_that_is_set(name, inside, monkeypatch):
    monkeypatch.setenv("QUIZ_LANGUAGE", "zh")
    said = inside(name, "--help").out
    assert said.startswith(f"用法：quiz {name}")
    assert f"  {Words('zh')(f'help.{name}')}\n" in said
    assert "显示此帮助并退出。" in said
    assert "Usage:" in inside(name, "--help", QUIZ_LANGUAGE="en").out


def test_the_documentation_knows_no_other_command():
    assert list(SECTIONS) == list(COMMANDS)


def test_the_documented_settings_are_those_there_are():
    rows = re.findall(r"^\| `([\w.]+)` \|(.*?)\| (.*) \|$", SECTIONS["config"], re.MULTILINE)
    stated = [(key, value.strip("` "), meaning) for key, value, meaning in rows]
    assert stated == [
        (key, format_value(default(key)) if key != "keys" else "", english(describe(key)))
        for key in keys()
    ]


def test_the_documented_statuses_are_those_there_are():
    rows = {int(status) for status in re.findall(r"^\| (\d+) \|", DOCS, re.MULTILINE)}
    assert rows == {
        errors.OK, errors.FINDINGS, errors.USAGE, errors.DATA,
        errors.ENVIRONMENT, errors.SCRIPT, errors.INTERRUPTED, errors.TERMINATED, OUTPUT_CLOSED,
    }  # fmt: skip


# Help and mistakes


def test_alone_it_is_help(inside):
    alone, asked = inside(), inside("--help")
    assert alone == asked
    assert alone.status == 0
    for name in COMMANDS:
        line = Words("en")(f"help.{name}")
        start = re.escape(line.split(",")[0])  # a line may be folded
        assert re.search(rf"^  {name} +{start}", alone.out, re.MULTILINE)


def test_version(quiz):
    done = quiz("--version")
    assert (done.returncode, done.stdout) == (0, f"quiz {__version__}\n")


SEE_START = "see `quiz start --help`"


@pytest.mark.parametrize(
    ("typed", "what", "hint"),
    [
        (["strat"], "there is no command 'strat'", "did you mean 'stats' or 'start'?"),
        (["xyzzy"], "there is no command 'xyzzy'", "see `quiz --help` for all commands"),
        (["due", "--jsno"], "there is no option '--jsno'", "did you mean '--json'?"),
        (["--verison"], "there is no option '--verison'", "did you mean '--version'?"),
        (["start", "--limit", "many"], "--limit: 'many' is not an integer", SEE_START),
        (["start", "--limit", "0"], "--limit: 0 is less than 1", SEE_START),
        (["start", "--limit"], "the option --limit needs a value", SEE_START),
        (["start", "--plain=1"], "the option --plain takes no value", SEE_START),
        (["due", "more"], "unexpected argument: more", "see `quiz due --help`"),
        (["completion", "tcsh"], "shell: there is no 'tcsh'", "choose one of: bash, zsh, fish"),
        (["new"], "the argument KIND is missing", "see `quiz new --help`"),
    ],
)
def test_a_wrong_call_is_answered_with_the_nearest_right_one(typed, what, hint, inside):
    said = inside(*typed)
    assert said.status == errors.USAGE
    assert said.out == ""
    assert said.err.startswith(f"quiz: {what}")
    assert said.err.endswith(f"\n  {hint}\n")


@pytest.mark.parametrize(
    "typed",
    [
        ["strat"], ["due", "--jsno"], ["start", "--limit", "many"], ["start", "--limit", "0"],
        ["start", "--limit"], ["start", "--plain=1"], ["due", "more"], ["completion", "tcsh"],
        ["new"], ["new", "chioce"], ["start"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_wrong_call_is_answered_in_chinese(typed, inside):
    said = inside(*typed, QUIZ_LANGUAGE="zh")
    assert said.status in (errors.USAGE, errors.ENVIRONMENT)
    assert said.err.startswith("quiz: ")
    for line in said.err.splitlines():
        assert re.search("[\u4e00-\u9fff]", line), said.err


PLAIN = (type(click.STRING), type(click.BOOL), type(click.UNPROCESSED))


def test_no_value_is_refused_in_english_by_click():
    """Every type of ours refuses in facts; a path or a text is never refused."""
    ours = (Named, Value, Integer, OneOf, Sizes, click.Path)
    for name in COMMANDS:
        for parameter in command(name).params:
            kind = parameter.type
            plain = isinstance(
                kind, tuple(map(type, (click.STRING, click.BOOL, click.UNPROCESSED)))
            )
            assert plain or isinstance(kind, ours), (name, parameter.name)
            if isinstance(kind, click.Path):
                assert not kind.exists


# Exit statuses, of the real program


def test_status_0(quiz):
    assert quiz("paths").returncode == errors.OK


def test_status_1(quiz, tmp_path):
    (tmp_path / "broken.yaml").write_text(BROKEN)
    assert quiz("lint", "broken.yaml").returncode == errors.FINDINGS


def test_status_2(quiz):
    done = quiz("config", "langauge", "zh")
    assert done.returncode == errors.USAGE
    assert done.stderr == "quiz: there is no setting 'langauge'\n  did you mean 'language'?\n"


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_status_3(quiz, option):
    quiz.home.mkdir()
    database = quiz.home / "progress.db"
    database.write_bytes(b"no database at all, and long enough to be looked at" * 100)
    before = database.read_bytes()
    done = quiz("due", *option)
    assert (done.returncode, done.stdout) == (errors.DATA, "")
    first, *rest = done.stderr.splitlines()
    assert first.startswith(f"quiz: {database} is not a usable database")
    assert rest
    assert all(line.startswith("  ") for line in rest)
    assert database.read_bytes() == before


def test_status_4(quiz):
    done = quiz("start")
    assert (done.returncode, done.stdout) == (errors.ENVIRONMENT, "")
    assert "quiz start --plain" in done.stderr


def test_status_130_when_interrupted(quiz, inside):
    answer()
    with quiz.start("erase") as program:
        assert program.stderr.read(1)
        program.send_signal(signal.SIGINT)
        program.wait(timeout=30)
    assert program.returncode == errors.INTERRUPTED


def test_status_141_when_nobody_reads_on(quiz):
    with quiz.start("schema") as program:
        program.stdout.close()
        assert program.stderr.read() == ""
    assert program.returncode == OUTPUT_CLOSED


def test_status_4_when_the_output_cannot_be_written(quiz):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            quiz.command("schema"), stdout=full, stderr=subprocess.PIPE, text=True,
            env=quiz.environment(), check=False,
        )  # fmt: skip
    assert done.returncode == errors.ENVIRONMENT
    assert done.stderr.startswith("quiz: no space left on the disk\n  ")


# Errors of ours


@pytest.fixture
def failing(monkeypatch):
    """`quiz schema`, with an error in it that quotes an answer."""

    def fail() -> None:
        raise ValueError("could not convert 'my secret answer' to float")

    monkeypatch.setattr("quizapp.commands.questions.schema.schema", fail)


@pytest.mark.usefixtures("failing")
def test_an_error_of_ours_is_one_sentence_and_a_log(inside, home):
    said = inside("schema")
    assert said.status == errors.DATA
    assert said.out == ""
    assert "Traceback" not in said.err
    assert "(ValueError)" in said.err
    assert str(home / "quiz.log") in said.err
    log = (home / "quiz.log").read_text()
    assert "ValueError" in log
    assert "test_cli.py" in log
    assert "secret" not in log


@pytest.mark.usefixtures("failing")
def test_debugging_shows_the_traceback(inside, monkeypatch):
    monkeypatch.setenv("QUIZ_DEBUG", "1")
    said = inside("schema")
    assert said.status == errors.DATA
    assert "Traceback" in said.err
    assert "in fail" in said.err


def test_an_error_of_the_system_names_the_file(inside, home):
    (home / "quiz.log").mkdir(parents=True)  # a log that cannot be written is no error
    (home / "config.toml").mkdir()
    said = inside("config", "language", "zh")
    assert said.status == errors.USAGE
    assert str(home / "config.toml") in said.err


def test_a_terminal_without_chinese_ends_nothing(quiz):
    done = quiz("preview", ROOT / "content/shared-memory/interview/banks.yaml",
                PYTHONIOENCODING="ascii", QUIZ_LANGUAGE="zh")  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u5171" in done.stdout


# Completion


@pytest.fixture
def complete(inside, capsys):
    """What completes a line; as a shell has it asked, which ends the process."""

    def call(line: str, **variables: str) -> list[str]:
        words = shlex.split(line) + ([""] if line.endswith(" ") else [])
        asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), **variables}
        with pytest.raises(SystemExit, match=r"^0$"):
            inside(_QUIZ_COMPLETE="bash_complete", **asked)
        out, err = capsys.readouterr()
        assert err == ""
        return [line.removeprefix("plain,") for line in out.split()]

    return call


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("quiz st", ["start", "stats"]),
        ("quiz start --pl", ["--plain"]),
        (
            "quiz start --kind ",
            ["recall", "choice", "number", "trace", "index", "kernel", "spot"],
        ),
        ("quiz start --topic ba", ["banks", "batch-statistics", "batching"]),
        ("quiz reset interview-broad", ["shared-memory/interview-broadcast"]),
        ("quiz edit shared-memory/interview-broad", ["shared-memory/interview-broadcast"]),
        ("quiz config lang", ["language"]),
        ("quiz config keys.hi", ["keys.hint", "keys.hint-here"]),
        ("quiz config language ", ["en", "zh"]),
        ("quiz config confidence ", ["true", "false"]),
        ("quiz config gpu.use f", ["false"]),
        ("quiz config theme textual-", ["textual-dark", "textual-light"]),
        ("quiz config editor ", []),
        ("quiz grade x --fault ", [*SPOTTABLE]),
        ("quiz completion ", ["bash", "zsh", "fish"]),
        ("quiz new choice --pack sh", ["shared-memory"]),
    ],
)
def test_completes(line, expected, complete):
    assert complete(line) == expected


def test_completion_is_silent_where_it_knows_nothing(complete):
    assert complete("quiz start --topic ", QUIZ_LANGUAGE="klingon") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_asks_quiz(shell, inside):
    said = inside("completion", shell)
    assert said.status == 0
    assert "_QUIZ_COMPLETE" in said.out
    assert re.search(r"\bquiz\b", said.out)
    examples = inside("completion", "--help").out.partition("Examples:")[2]
    [example] = [line for line in examples.splitlines() if f"completion {shell}" in line]
    made, _, written = example.partition("; ")
    assert written.partition(" > ")[2].startswith(made.split()[-1] + "/")


# What is loaded


def test_help_of_every_command_loads_no_database_and_no_screen():
    program = (
        "import sys; from quizapp.cli import run\n"
        f"assert [run([name, '--help']) for name in {list(COMMANDS)}] == [0] * {len(COMMANDS)}\n"
        "print('loaded', *sys.modules)"
    )
    out = subprocess.check_output([sys.executable, "-c", program], text=True, cwd=ROOT)
    loaded = set(out.splitlines()[-1].split())
    assert "quizapp.commands.study.start" in loaded
    assert loaded & {"sqlalchemy", "textual", "rich.console", "numpy", "fsrs", "numba"} == set()


def test_garbage_is_hardly_looked_for_while_a_command_starts(home):
    program = (
        "import gc, sys; from quizapp.cli import main\n"
        "looks = lambda: sum(each['collections'] for each in gc.get_stats())\n"
        "sys.argv = ['quiz', 'due']; before = looks(); assert main() == 0\n"
        "print(looks() - before)"
    )
    fill_cache(home)
    command = [sys.executable, "-c", program]
    out = subprocess.check_output(command, text=True, cwd=ROOT, env={"QUIZ_HOME": str(home)})
    assert int(out.splitlines()[-1]) < 5  # otherwise over a hundred times


# What a command writes


WRITERS = [
    ("backup", "FILE"),
    ("banks", "threadIdx.x", "--html", "FILE"),
    ("calibrate", "--output", "FILE"),
    ("card", "--svg", "FILE"),
    ("export", "FILE"),
    ("grade", "--all", ".", "--out", "FILE"),
    ("grade", "place-column-with-padding", "mine.py", "--html", "FILE"),
    ("mock", "--export", "FILE"),
    ("pack", "export", "shared-memory", "FILE"),
    ("profile", "script.py", "--html", "FILE"),
    ("profile", "script.py", "--sarif", "FILE"),
    ("stats", "--html", "FILE"),
]
"""One line for each argument that names a file to write."""


@pytest.mark.parametrize("arguments", WRITERS, ids=" ".join)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_folder_that_is_missing_is_named_and_not_made(arguments, language, quiz, tmp_path):
    file = tmp_path / "msispelled" / "page.html"
    named = [str(file) if word == "FILE" else word for word in arguments]
    done = quiz(*named, QUIZ_LANGUAGE=language)
    assert (done.returncode, done.stdout) == (errors.USAGE, "")
    assert str(file.parent) in done.stderr
    assert not file.parent.exists()


def test_every_option_for_a_file_to_write_is_among_these():
    listed = {(words[0], words[-2]) for words in WRITERS if words[-2].startswith("--")}
    found = {
        (name, option.opts[-1])
        for name in COMMANDS
        for option in command(name).params
        if isinstance(option, click.Option) and isinstance(option.type, OutputFile)
    }
    assert found == listed


# JSON


@pytest.mark.parametrize(
    ("arguments", "section"),
    [
        (["due"], "due"),
        (["stats"], "stats"),
        (["lint", ROOT / "content" / "shared-memory" / "interview"], "lint"),
        (["config"], "config"),
        (["config", "language"], "config"),
        (["config", "language", "zh"], "config"),
        (["config", "--path"], "config"),
        (["doctor"], "doctor"),
        (["paths"], "paths"),
        (["backup"], "backup"),
        (["sync", ".", "--yes"], "sync"),
        (["export", "answers.csv"], "export"),
        (["export", "progress.jsonl"], "export"),
        (["restore"], "restore"),
        (["restore", "--empty", "--yes"], "restore"),
        (["salvage", "--yes"], "salvage"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(value[0]),
)
def test_json_is_all_there_is_and_its_keys_are_documented(arguments, section, inside):
    answer(2)
    said = inside(*arguments, "--json")
    value = json.loads(said.out)
    assert next(iter(value)) == "format"
    for key in value.keys() - {"format"}:
        assert f"`{key}`" in SECTIONS[section] or re.search(rf"[{{ ]{key}[,}}]", SECTIONS[section])
    assert said.out.isascii()


def test_run_can_be_called_again_and_again(inside):
    assert [run(["paths"]), run(["paths"])] == [0, 0]
