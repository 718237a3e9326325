"""`%%quiz_profile`: a notebook's cell as a script on the emulator; shows the page of its report.

    %load_ext quizapp.notebook

    %%quiz_profile --kernel transpose
    …

The cell runs by itself in a process of its own, in the notebook's folder, as `quiz profile` runs a
script; it takes the same options. Imports no IPython: it is given the shell.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from grader import profiles
from grader.profiles import LaunchReport
from quizapp.report.profile import sentences
from quizapp.report.words import Words
from quizapp.system.language import person_language

_HEIGHT = "40rem"


class CellReport:
    """What a cell's launches came to; a notebook shows its page.

    Attributes:
        report: the launches, as `grader.profiles` has them.
        page: the same as one file of HTML.
    """

    def __init__(self, report: LaunchReport, page: str, script: Path) -> None:
        self.report = report
        self.page = page
        self._script = script

    def __repr__(self) -> str:
        """Return the verdict, where no page can be shown."""
        names = sentences.FileNames(self._script)
        return sentences.verdict(self.report.verdict, names, Words(person_language()))

    def _repr_html_(self) -> str:
        """Return the page in a frame, in which nothing runs and whose style stays inside."""
        style = f"width: 100%; height: {_HEIGHT}; border: 0; resize: vertical"
        return f'<iframe sandbox="" style="{style}" srcdoc="{escape(self.page)}"></iframe>'


def quiz_profile(line: str, cell: str) -> CellReport | None:
    """Run a cell on the emulator.

    `line`: options of `quiz profile`, and behind `--` arguments of the script.

    Returns:
        The report; None where there is none, and standard error says why.
    """
    words = shlex.split(line)
    end = words.index("--") if "--" in words else len(words)
    with TemporaryDirectory(prefix="quiz-") as folder:
        script, page = Path(folder) / "cell.py", Path(folder) / "page.html"
        script.write_text(cell, encoding="utf-8")
        options = [*words[:end], "--json", "--html", str(page), *words[end:]]
        printed, said = _run([str(script), *options])
        own = [each for each in said.splitlines(keepends=True) if str(page) not in each]
        print("".join(own).replace(f"{folder}{os.sep}", ""), end="", file=sys.stderr)
        if not page.exists():
            return None
        plain = json.loads(printed)
        launches, refused = profiles.read_launches(plain), profiles.read_refused(plain)
        if not launches:
            return None
        report = profiles.make_report(launches, refused)
        return CellReport(report, page.read_text(encoding="utf-8"), script)


def _run(arguments: list[str]) -> tuple[str, str]:
    """Run `quiz profile`; return what it prints to standard output and to standard error."""
    path = os.pathsep.join(filter(None, (str(Path.cwd()), os.environ.get("PYTHONPATH", ""))))
    with subprocess.Popen(
        [sys.executable, "-m", "quizapp", "profile", *arguments],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as child:
        try:
            return child.communicate()
        except KeyboardInterrupt:  # it ends the script, and reports the launches until then
            child.send_signal(signal.SIGINT)
            return child.communicate()


def load_ipython_extension(shell: Any) -> None:
    """Register the magic; IPython calls this for `%load_ext quizapp.notebook`."""
    shell.register_magic_function(quiz_profile, "cell", "quiz_profile")
