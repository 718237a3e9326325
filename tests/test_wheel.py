"""The wheel, installed where there is nothing else, is the whole program: code and content.

Builds once, installs once into an empty environment outside the checkout, and runs the program as
a person would, in a folder of its own. What the wheel requires is linked into that environment from
the one that runs the tests, and nothing else is; `make test-long` has pip fetch and install it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from email.parser import Parser
from importlib.metadata import Distribution, distribution, version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Installed:
    """An environment that holds the wheel, and an empty folder to start the program in."""

    venv: Path
    folder: Path

    @property
    def environment(self) -> Mapping[str, str]:
        """Ours, less what would let the checkout or the person's own progress in."""
        ours = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "QUIZ_", "VIRTUAL_ENV", "COVERAGE"))
        }
        return ours | {"QUIZ_HOME": str(self.folder / "home")}

    def quiz(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Runs the console script outside the checkout and returns what it did."""
        return subprocess.run(
            [str(self.venv / "bin/quiz"), *arguments],
            cwd=self.folder, env=self.environment, input=stdin,
            capture_output=True, encoding="utf-8", timeout=120, check=False,
        )  # fmt: skip


def run(*command: str | Path) -> None:
    """A step of the set-up: its whole output is the message when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module", params=["linked", pytest.param("fetched", marks=pytest.mark.long)])
def installed(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    venv = tmp_path_factory.mktemp("empty") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv)
    pip = (sys.executable, "-m", "pip", "--python", venv / "bin/python")
    install: tuple[str | Path, ...] = (*pip, "install", "--quiet", "--no-input")
    if request.param == "linked":
        [site] = venv.glob("lib/*/site-packages")
        for one in required(wheel):
            for top in {file.parts[0] for file in one.files or () if file.parts[0] != ".."}:
                (site / top).exists() or (site / top).symlink_to(one.locate_file(top))
        install = (*install, "--no-deps", "--no-compile")  # 8 s; what is run compiles itself
    run(*install, wheel)
    return Installed(venv, tmp_path_factory.mktemp("elsewhere"))


def required(wheel: Path) -> list[Distribution]:
    """What the wheel says that it needs, and what that needs."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        said = Parser().parsestr(archive.read(name).decode()).get_all("Requires-Dist")
    found: dict[str, Distribution] = {}
    waiting = [(text, "") for text in said or ()]
    seen = set(waiting)
    while waiting:
        text, extra = waiting.pop()
        one = Requirement(text)
        if one.marker is not None and not one.marker.evaluate({"extra": extra}):
            continue
        found[one.name] = distribution(one.name)
        wanted = [
            (text, extra)
            for text in found[one.name].requires or ()
            for extra in ("", *one.extras)
            if (text, extra) not in seen
        ]
        seen.update(wanted)
        waiting += wanted
    return list(found.values())


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def files(folder: str, pattern: str) -> list[str]:
    """Paths below a folder of the checkout, as they must stand in the wheel."""
    inside = f"quizapp/{folder}" if folder in ("content", "docs") else folder
    return [
        f"{inside}/{path.relative_to(ROOT / folder).as_posix()}"
        for path in sorted((ROOT / folder).rglob(pattern))
    ]


@pytest.mark.parametrize(
    ("folder", "pattern"),
    [
        ("content", "*.yaml"),
        ("docs", "*.md"),
        ("quizapp", "*.py"),
        ("quizapp/store/migrations", "*.py"),
        ("quizapp/tui", "*.tcss"),
        ("grader", "*.py"),
        ("quizapp", "py.typed"),
        ("grader", "py.typed"),
    ],
)
def test_the_wheel_holds(folder: str, pattern: str, names: set[str]):
    wanted = files(folder, pattern)
    assert wanted
    assert [name for name in wanted if name not in names] == []


def test_the_wheel_holds_the_licence(names: set[str], wheel: Path):
    [licence] = [name for name in names if name.endswith(".dist-info/licenses/LICENSE")]
    text = zipfile.ZipFile(wheel).read(licence).decode()
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_the_wheel_holds_nothing_else(names: set[str]):
    assert {name.split("/")[0].split("-")[0] for name in names} == {"quizapp", "grader", "gpu_quiz"}
    assert [name for name in names if re.search(r"(^|/)(tests|bench|__pycache__)/", name)] == []


def test_the_size_the_makefile_states_is_true(installed: Installed, wheel: Path):
    """Within a quarter: releases of the libraries move it, and a person only wants an idea."""
    makefile = (ROOT / "Makefile").read_text()
    [stated] = re.findall(r"^base_text := .* (\d+) MB$", makefile, re.MULTILINE)
    [site] = installed.venv.glob("lib/*/site-packages")
    files = {path for path in installed.venv.rglob("*") if not path.is_symlink()}
    files |= {site / file for one in required(wheel) for file in one.files or ()}
    size = sum(path.stat().st_size for path in files if path.exists()) / 1e6
    assert 0.75 * size < int(stated) < 1.25 * size


def test_version(installed: Installed):
    done = installed.quiz("--version")
    assert done.returncode == 0, done.stderr
    assert version("gpu-quiz") in done.stdout


def test_the_program_runs_from_the_wheel(installed: Installed):
    """Not from this checkout: else every other test here would prove nothing."""
    where = "import quizapp, grader; print(quizapp.__file__, grader.__file__)"
    python = [str(installed.venv / "bin/python"), "-c", where]
    printed = subprocess.check_output(
        python, text=True, cwd=installed.folder, env=installed.environment
    )
    assert [str(installed.venv) in path for path in printed.split()] == [True, True]


ONLY = """import sys

class Only:
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] not in {"grader", "numpy", "msgspec", *sys.stdlib_module_names}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Only)
"""


def test_the_graders_need_numpy_and_msgspec_alone(installed: Installed, tmp_path: Path):
    """As docs/api.md has it: without Textual, SQLAlchemy and the rest of the application."""
    page = (ROOT / "docs/api.md").read_text("utf-8")
    examples = tmp_path / "examples.py"
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    examples.write_text("\n".join([ONLY, *blocks]))
    done = subprocess.run(
        [installed.venv / "bin/python", examples],
        capture_output=True, text=True, cwd=tmp_path, env=installed.environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_lint(installed: Installed):
    """A kernel; tests/commands/test_lint.py proves the whole deck."""
    [content] = installed.venv.glob("lib/*/site-packages/quizapp/content/shared-memory")
    done = installed.quiz("lint", str(content / "kernels/saxpy"))
    assert done.returncode == 0, done.stdout + done.stderr


def words_of(text: str) -> str:
    """The words alone: whatever wrapping and Markdown became on the way to the terminal."""
    return " ".join(re.findall(r"\w+", text))


def prompts() -> list[str]:
    """How each shipped question begins, in English."""
    found = []
    for path in (ROOT / "content").rglob("*.yaml"):
        questions = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        if isinstance(questions, list):
            found += [question["prompt"]["en"] for question in questions if "prompt" in question]
    return [words_of(prompt.split("\n", 1)[0]) for prompt in found]


ANSWER = "1\n2\n\n"
"""The number one, fairly sure of it, and the rating accepted that follows from it."""


def test_a_study_session(installed: Installed):
    session = ("start", "--plain", "--kind", "number", "--limit", "2")
    done = installed.quiz(*session, stdin=f"{ANSWER}{ANSWER}:q\n")
    assert done.returncode == 0, done.stdout + done.stderr
    said = words_of(done.stdout)
    assert len([prompt for prompt in prompts() if prompt in said]) >= 2

    stats = installed.quiz("stats", "--json")
    assert stats.returncode == 0, stats.stderr
    assert json.loads(stats.stdout)["answers"] == 2
