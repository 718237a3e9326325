"""`make start` and `make test` from a fresh clone, and the pages that say how.

The Makefile is driven with a stand-in for Python that writes down what it was asked and makes a
venv of stand-ins: what is tested is when it installs, not pip. tests/test_wheel.py installs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from quizapp.cli import COMMANDS, cli
from quizapp.domain import errors
from tests.conftest import pytest_collection_modifyitems

ROOT = Path(__file__).parents[1]
AT_ONCE = (
    "-p no:xdist --forks 6"
    if sys.platform == "linux"
    else "-n 4 --dist loadfile --no-loadscope-reorder"
)

# Answers what the Makefile asks of an interpreter. Everything but a question (-c) is logged.
STAND_IN = """#!/bin/sh
case "$1 $2" in
  "-c "*version_info*) exit ${FAKE_OLD:-0} ;;
  "-c "*venv*) exit ${FAKE_NO_VENV:-0} ;;
esac
echo "python $*" >> "$LOG"
case "$*" in
  *"-m venv"*)
    rm -rf .venv; mkdir -p .venv/bin
    cp "$0" .venv/bin/python
    echo "VIRTUAL_ENV=$(pwd -P)/.venv" > .venv/bin/activate
    for name in quiz ruff mypy lint-imports; do
      printf '#!/bin/sh\\necho "%s $*" >> "$LOG"\\n[ "$FAKE_FAILS" != %s ]\\n' $name $name \\
        > .venv/bin/$name
      chmod +x .venv/bin/$name
    done ;;
  *"-m pip"*)
    echo "Collecting textual"
    while [ "$FAKE_PIP_ENDS" ] && [ ! -e "$FAKE_PIP_ENDS" ]; do sleep 0.05; done
    echo "pip says why"
    exit ${FAKE_PIP_FAILS:-0} ;;
esac
"""


@dataclass(frozen=True)
class Clone:
    """A folder with the Makefile, pyproject.toml and the stand-in; `log` is what was run."""

    folder: Path
    log: Path

    def make(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs make here and forgets what was logged before."""
        self.log.write_text("")
        return subprocess.run(
            ["make", "--no-print-directory", *arguments],
            cwd=self.folder, env=self.environment | environment,
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    @property
    def environment(self) -> Mapping[str, str]:
        """Ours, less what a make above us left there."""
        ours = {
            name: value
            for name, value in os.environ.items()
            if name not in {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "ARGS"}
        }
        return ours | {"LOG": str(self.log), "PYTHON": str(self.folder.parent / "python3")}

    @property
    def ran(self) -> list[str]:
        """The commands that the last make ran, pip and venv by their names alone."""
        lines = self.log.read_text().splitlines()
        steps = [line.removeprefix("python -m ").rstrip() for line in lines]
        return [step.split()[0] if step.startswith(("pip ", "venv ")) else step for step in steps]

    @property
    def stamps(self) -> list[str]:
        """What the venv says is installed in it."""
        return sorted(path.name.split("-")[1] for path in self.folder.glob(".venv/.installed-*"))


@pytest.fixture
def clone(tmp_path: Path, needs_program: Callable[[str], str]) -> Clone:
    needs_program("make")
    folder = tmp_path / "a clone"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    python = tmp_path / "python3"
    python.write_text(STAND_IN)
    python.chmod(0o755)
    return Clone(folder, tmp_path / "log")


@pytest.fixture
def on_terminal() -> Callable[..., str]:
    """Runs `make start` on a terminal until pip's step was told so often; what it wrote there."""

    def run(clone: Clone, often: int, **environment: str) -> str:
        enough = clone.folder.with_name("enough")
        environment["FAKE_PIP_ENDS"] = str(enough)
        master, slave = os.openpty()
        clone.log.write_text("")
        made = subprocess.Popen(
            ["make", "--no-print-directory", "start"],
            cwd=clone.folder, env={**clone.environment, **environment},
            stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
        )  # fmt: skip
        os.close(slave)
        said = b""
        try:
            while chunk := os.read(master, 4096):
                said += chunk
                if said.count(b" s  Collecting textual") >= often:
                    enough.touch()
        except OSError:  # Linux, once the last writer has closed it
            pass
        finally:
            os.close(master)
        made.wait(timeout=60)
        return said.decode()

    return run


def test_the_first_start_installs_and_the_second_only_starts(clone: Clone):
    first = clone.make("start")
    assert first.returncode == 0, first.stderr
    assert clone.ran == ["venv", "pip", "quiz start"]
    [said] = first.stdout.splitlines()
    assert re.fullmatch(r"Installing into \.venv: .*, \d+ MB", said)

    second = clone.make("start", "ARGS=--plain")
    assert clone.ran == ["quiz start --plain"]
    assert second.stdout == second.stderr == ""


def test_a_changed_pyproject_installs_again(clone: Clone):
    clone.make("start")
    pyproject = clone.folder / "pyproject.toml"
    before = pyproject.stat()
    pyproject.write_text(pyproject.read_text() + "# a new dependency\n")
    os.utime(pyproject, (before.st_atime, before.st_mtime))  # as an archive unpacks it
    clone.make("start")
    assert clone.ran == ["pip", "quiz start"]
    clone.make("start")
    assert clone.ran == ["quiz start"]


def test_a_touched_pyproject_installs_again(clone: Clone):
    clone.make("start")
    [stamp] = clone.folder.glob(".venv/.installed-*")
    later = stamp.stat().st_mtime + 1
    os.utime(clone.folder / "pyproject.toml", (later, later))
    clone.make("start")
    assert clone.ran == ["pip", "quiz start"]


def test_a_failed_install_starts_nothing_and_leaves_no_stamp(clone: Clone):
    clone.make("start")
    with (clone.folder / "pyproject.toml").open("a") as pyproject:
        pyproject.write("# a dependency that does not exist\n")
    failed = clone.make("start", FAKE_PIP_FAILS="1")
    assert failed.returncode != 0
    assert "pip says why\nCould not install" in failed.stderr
    assert clone.ran == ["pip"]
    assert clone.stamps == []

    assert clone.make("start").returncode == 0
    assert clone.ran == ["pip", "quiz start"]


def test_on_a_terminal_it_says_every_second_what_it_is_at(clone: Clone, on_terminal):
    said = on_terminal(clone, often=2)
    assert re.search(r"(\r +\d+ s  Collecting textual +){2,}\r +\r$", said)
    seconds = [int(number) for number in re.findall(r"\r +(\d+) s ", said)]
    assert seconds == [*range(1, len(seconds) + 1)]


def test_a_failure_ends_what_it_says_every_second(clone: Clone, on_terminal):
    said = on_terminal(clone, often=1, FAKE_PIP_FAILS="1")
    assert re.search(r"\d s  Collecting textual +\r +\rpip says why\s+Could not install", said)


def test_the_developers_install_contains_the_other(clone: Clone):
    checked = clone.make("test", "ARGS=tests/domain")
    assert checked.returncode == 0, checked.stderr
    ran = clone.ran
    assert ran[:5] == [
        "venv", "pip", "ruff check", "ruff format --check", "lint-imports --no-cache",
    ]  # fmt: skip
    assert {*ran[5:]} == {"mypy", f"pytest {AT_ONCE} --reruns 2 tests/domain"}, "at the same time"
    assert ".[dev]" in checked.stdout + clone.log.read_text()
    assert clone.stamps == ["base", "dev"]
    clone.make("start")
    assert clone.ran == ["quiz start"]


@pytest.mark.parametrize("check", ["ruff", "lint-imports", "mypy"])
def test_each_check_can_fail(clone: Clone, check: str):
    assert clone.make("test", FAKE_FAILS=check).returncode == 2


def test_tests_after_a_start_install_the_rest(clone: Clone):
    clone.make("start")
    clone.make("test-long")
    assert clone.ran == ["pip", f"pytest {AT_ONCE} -m long --timeout 0"]


def test_a_moved_checkout_gets_a_new_venv(clone: Clone):
    clone.make("start")
    moved = Clone(clone.folder.rename(clone.folder.with_name("moved")), clone.log)
    moved.make("start")
    assert moved.ran == ["venv", "pip", "quiz start"]


def test_a_venv_whose_python_is_gone_is_made_anew(clone: Clone):
    clone.make("start")
    python = clone.folder / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3.11")
    clone.make("start")
    assert clone.ran == ["venv", "pip", "quiz start"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"FAKE_OLD": "1"}, "is older than Python 3.11"),
        ({"FAKE_NO_VENV": "1"}, "has no venv module"),
        ({"PYTHON": "no-such-python"}, "no-such-python was not found"),
    ],
)
def test_an_unfit_python_is_named_and_nothing_is_made(
    clone: Clone, change: dict[str, str], said: str
):
    done = clone.make("start", **change)
    assert done.returncode != 0
    assert said in done.stderr
    assert not (clone.folder / ".venv").exists()


def test_clean_leaves_the_checkout(clone: Clone):
    before = set(clone.folder.iterdir())
    clone.make("start")
    clone.make("clean")
    assert set(clone.folder.iterdir()) == before


def test_help_names_every_target(clone: Clone):
    [line] = re.findall(r"^\.PHONY: (help .*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    said = clone.make().stdout.splitlines()
    assert [row.split()[:2] for row in said] == [["make", target] for target in line.split()]


def pyproject() -> dict[str, list[str]]:
    """Each group of dependencies, base as "", by the distribution's name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    return {
        group: [re.split(r"[\[<>=~! ]", wanted, maxsplit=1)[0].lower() for wanted in wants]
        for group, wants in groups.items()
    }


def rows(page: str, heading: str) -> list[list[str]]:
    """The body of the table below a heading, cell by cell, without code marks."""
    text = (ROOT / page).read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [
        [cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines[2:]
    ]


def test_every_dependency_has_its_reason():
    table = rows("CONTRIBUTING.md", "Dependencies")
    assert [name for name, _ in table] == pyproject()[""]
    assert all(reason for _, reason in table)


def test_every_extra_is_described():
    extras = {row[0] for row in rows("README.md", "Sizes")}
    assert {group for group in pyproject() if group} <= extras


def test_the_base_install_is_without_numba():
    assert [name for name in pyproject()[""] if "numba" in name] == []


def test_the_readme_states_the_size_that_make_says():
    sizes = {name: size for name, size, _ in rows("README.md", "Sizes")}
    makefile = (ROOT / "Makefile").read_text()
    [said] = re.findall(r"^base_text := .*?(\d+ MB)$", makefile, re.MULTILINE)
    assert sizes["base"] == said


def test_the_exit_statuses_are_those_of_the_program():
    stated = [int(row[0]) for row in rows("README.md", "Exit status")]
    assert stated == [
        errors.OK,
        errors.FINDINGS,
        errors.USAGE,
        errors.DATA,
        errors.ENVIRONMENT,
        errors.SCRIPT,
        errors.INTERRUPTED,
    ]


def test_every_command_is_in_the_readme():
    stated = {row[0].split()[1] for row in rows("README.md", "Commands")}
    assert stated == set(COMMANDS)


def test_the_readme_names_each_command_that_writes_a_page():
    table = rows("README.md", "Commands")
    stated = {row[0].split()[1] for row in table if "--html" in " ".join(row)}
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        if any("--html" in option.opts for option in command.params):
            assert name in stated


def test_the_readme_begins_with_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"make \w+", text)[:2] == ["make start", "make test"]
    assert text.index("make test") < 600


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_no_link_leads_nowhere(page: str):
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_ci_runs_what_a_person_runs():
    script = (ROOT / ".ci/run").read_text()
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert re.search(r"^set -euo pipefail$", script, re.MULTILINE)
    assert re.search(r"^export QUIZ_REQUIRE_PROGRAMS=1\nexec make test\b", script, re.MULTILINE)


def test_ci_installs_every_program_that_tests_ask_for():
    """And no test looks for a program and skips itself, past the rule of conftest.py."""
    tests = {path: path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")}
    asked = {
        name
        for text in tests.values()
        for name in re.findall(r"needs_program\(\"([^\"]+)\"\)", text)
    }
    listed = set(re.findall(r"^    \[([\w+]+)\]=", (ROOT / ".ci/run").read_text(), re.MULTILINE))
    not_here = {"ssh", "sshd", "uv", "sh", "no-such-program"}
    """Asked for by long tests, and by the test below."""
    assert asked - not_here == listed
    tests.pop(Path(__file__))
    alone = [
        path.name for path, text in tests.items() if "which(" in text and "pytest.skip(" in text
    ]
    assert alone == ["conftest.py"]


def test_a_missing_program_skips_and_fails_where_it_must_not(
    monkeypatch: pytest.MonkeyPatch, needs_program: Callable[[str], str]
):
    monkeypatch.delenv("QUIZ_REQUIRE_PROGRAMS", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-program is not installed"):
        needs_program("no-such-program")
    monkeypatch.setenv("QUIZ_REQUIRE_PROGRAMS", "1")
    with pytest.raises(pytest.fail.Exception, match="no-such-program is not installed"):
        needs_program("no-such-program")
    assert Path(needs_program("sh")).name == "sh"


def test_a_long_test_has_its_own_time_or_no_limit(request: pytest.FixtureRequest):
    """However `-m long` is run; the limit of the others ends many long tests on a busy machine."""

    def wanted(*marks: pytest.MarkDecorator) -> tuple[object, ...] | None:
        test = pytest.Function.from_parent(request.node.parent, name="test", callobj=lambda: None)
        for mark in marks:
            test.add_marker(mark)
        pytest_collection_modifyitems([test])
        timeout = test.get_closest_marker("timeout")
        return None if timeout is None else timeout.args

    assert wanted() is None
    assert wanted(pytest.mark.long) == (0,)
    assert wanted(pytest.mark.long, pytest.mark.timeout(1800)) == (1800,)
