"""Ways to call `quiz`: as a process of its own, in this one, and installed where it is no checkout.

And a person's progress, made by the study service as the screens make it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from quizapp.domain.attempt import Response
from quizapp.study.home_values import Filter
from quizapp.study.opening import open_study
from quizapp.system.config import Settings
from quizapp.system.paths import find_paths
from tests.commands import forking
from tests.compiled_content import fill_cache

ROOT = Path(__file__).parents[2]
OURS = ("QUIZ_", "_QUIZ", "EDITOR", "VISUAL", "NO_COLOR", "COLORTERM", "PYTHON")

STARTING = ("PYTHON", "LC_", "LANG")
"""Variables that an interpreter reads as it starts."""

BROKEN = "- id: broken\n  kind: choise\n"
"""A question with one error: its kind, at 2:9."""


def environment(home: Path, **variables: str) -> dict[str, str]:
    """Ours, less what would let the person's own settings in."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return kept | {"QUIZ_HOME": str(home), "PYTHONPATH": str(ROOT)} | variables


@dataclass(frozen=True)
class Program:
    """`quiz` as a process, in a folder of its own; `variables` go before ours."""

    folder: Path
    variables: Mapping[str, str]

    @property
    def home(self) -> Path:
        """What QUIZ_HOME is."""
        return self.folder / "home"

    def environment(self, **variables: str) -> dict[str, str]:
        """What it is called with."""
        return environment(self.home, **{**self.variables, **variables})

    def command(self, *arguments: str | Path) -> list[str]:
        """The command line; its home has shipped content compiled, which would take 2 s."""
        fill_cache(self.home)
        return [sys.executable, "-m", "quizapp", *map(str, arguments)]

    def start(self, *arguments: str | Path, **variables: str) -> subprocess.Popen[str]:
        """Let it run, connected by pipes."""
        return subprocess.Popen(
            self.command(*arguments), cwd=self.folder, env=self.environment(**variables),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def needs_start(self, variables: Mapping[str, str]) -> bool:
        """Whether something is set that decides the start of an interpreter."""
        return any(name.startswith(STARTING) for name in {**self.variables, **variables})

    def __call__(
        self, *arguments: str | Path, typed: str = "", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run it to its end; forked, where the start of an interpreter decides nothing."""
        environment = self.environment(**variables)
        if self.needs_start(variables):
            return subprocess.run(
                self.command(*arguments), cwd=self.folder, env=environment,
                input=typed, capture_output=True, encoding="utf-8", timeout=120, check=False,
            )  # fmt: skip
        return forking.call([*map(str, arguments)], self.folder, environment, typed)


def on_terminal(quiz: Program, *arguments: str | Path, **variables: str) -> str:
    """What it writes to standard error where that is a terminal, to its end."""
    nowhere = os.devnull
    return _watched(quiz, lambda tty: (nowhere, nowhere, tty), *arguments, **variables)[1]


def in_terminal(
    quiz: Program, *arguments: str | Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run it to its end where standard input and output are a terminal; what it writes there."""
    with tempfile.NamedTemporaryFile() as errors:
        status, said = _watched(
            quiz, lambda tty: (tty, tty, errors.name), *arguments, NO_COLOR="1", **variables
        )
        told = errors.read().decode()
    return subprocess.CompletedProcess([], status, said.replace("\r\n", "\n"), told)


def _watched(
    quiz: Program,
    streams: Callable[[str], tuple[str, str, str]],
    *arguments: str | Path,
    **variables: str,
) -> tuple[int, str]:
    """Run it to its end with files as streams, one a terminal; its status, what it wrote there."""
    environment = quiz.environment(TERM="xterm", **variables)
    master, slave = os.openpty()
    with ThreadPoolExecutor(1) as reading:
        said = reading.submit(_rest_of, master)
        names = streams(os.ttyname(slave))
        if quiz.needs_start(variables):
            with ExitStack() as opened:
                files = [
                    opened.enter_context(Path(name).open(mode))
                    for name, mode in zip(names, ("rb", "wb", "wb"), strict=True)
                ]
                status = subprocess.run(
                    quiz.command(*arguments), cwd=quiz.folder, env=environment, check=False,
                    stdin=files[0], stdout=files[1], stderr=files[2], start_new_session=True,
                ).returncode  # fmt: skip
        else:
            status = forking.call_with(names, [*map(str, arguments)], quiz.folder, environment)
        os.close(slave)
    return status, said.result()


def _rest_of(master: int) -> str:
    """What comes from a pseudo-terminal until nobody writes to it any more; closes it."""
    said = b""
    with suppress(OSError):  # which is how it ends
        while part := os.read(master, 4096):
            said += part
    os.close(master)
    return said.decode()


@dataclass(frozen=True)
class Said:
    """What a call in this process came to."""

    status: int
    out: str
    err: str


def answer(count: int = 1, **narrowed: str) -> list[str]:
    """Answer so many questions under the QUIZ_HOME of this process; their ids."""
    done = []
    with open_study(find_paths(), Settings()) as study:
        study.session.begin(Filter(**narrowed))
        for _ in range(count):
            asked = study.session.next()
            assert asked is not None
            study.session.commit(
                study.session.grade(asked, Response(picked=(0,), covered=(0,), value=1.0))
            )
            done.append(asked.entry.id)
    return done


def install(folder: Path) -> Path:
    """Lay the program out as its wheel does, content inside; the folder to put on PYTHONPATH."""
    site = folder / "site"
    if not site.exists():
        for package in ("quizapp", "grader"):
            shutil.copytree(ROOT / package, site / package)
        for data in ("content", "docs"):
            shutil.copytree(ROOT / data, site / "quizapp" / data)
    return site
