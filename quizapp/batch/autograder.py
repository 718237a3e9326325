"""Makes Gradescope's autograder for some questions: the files of its zip.

Gradescope unpacks them into /autograder/source of an image with Ubuntu 22.04, runs `setup.sh` once,
as root, and `run_autograder` for each submission. AUTOGRADER and PYTHON are for trying the scripts
elsewhere.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from grader.facts import fact
from quizapp import __version__
from quizapp.deck.deck import Deck
from quizapp.deck.installing.pack_files import read_folder
from quizapp.deck.installing.pack_installing import find_origins
from quizapp.domain.errors import UsageError
from quizapp.system.paths import Paths

PROGRAMS = ("setup.sh", "run_autograder")
"""The files that are run."""
_PACKAGE = "gpu-quiz"
PACKAGE = f"{_PACKAGE}=={__version__}"
"""What is installed where no wheel is given."""
_CONTENT = "home/content"
"""Where the packs are that are not part of the program, below QUIZ_HOME."""

_SETUP = """\
#!/usr/bin/env bash
# Installs quiz when Gradescope builds the image. Ubuntu 22.04's own Python is too old.
set -euo pipefail
root="${AUTOGRADER:-/autograder}"
python="${PYTHON:-python3.11}"
if ! command -v "$python" > /dev/null; then
    apt-get update
    apt-get install -y python3.11 python3.11-venv
fi
"$python" -m venv "$root/quiz"
"$root/quiz/bin/pip" install PROGRAM
# The questions are read once, and a missing one ends the build.
export QUIZ_HOME="$root/source/home"
for question in QUESTIONS; do
    "$root/quiz/bin/quiz" grade "$question" > /dev/null
done
"""
_RUN = """\
#!/usr/bin/env bash
# Grades one submission; the results say what is wrong with it, whatever was submitted.
set -euo pipefail
root="${AUTOGRADER:-/autograder}"
export QUIZ_HOME="$root/source/home"
exec "$root/quiz/bin/quiz" grade --gradescope QUESTIONS \\
    --seed SEED --all "$root/submission" --out "$root/results/results.json" --overwrite
"""


def make_autograder(
    questions: Sequence[str], deck: Deck, paths: Paths, seed: int, wheel: Path | None
) -> dict[str, bytes]:
    """Make the files, by their names.

    `questions`: ids of exercises; those of packs that are not part of the program come along.
    `seed`: of the inputs that no submission knows, the same for every student. `wheel`: the
    program; None for the published package of this version.

    Raises:
        UsageError: the wheel is none of this version.
        BadPack: a pack holds what it must not.
    """
    files: dict[str, bytes] = {}
    program = PACKAGE
    if wheel is not None:
        files[wheel.name] = _read_wheel(wheel)
        program = f'"$root/source/{wheel.name}"'
    names = shlex.join(questions)
    setup = _SETUP.replace("PROGRAM", program).replace("QUESTIONS", names)
    run = _RUN.replace("SEED", str(seed)).replace("QUESTIONS", names)
    files |= {"setup.sh": setup.encode(), "run_autograder": run.encode()}
    for pack in {deck.entries[question].pack: None for question in questions}:
        folder = _folder_of(pack, deck, paths)
        if folder is not None:
            found = read_folder(folder)
            files |= {f"{_CONTENT}/{pack}/{name}": data for name, data in found.items()}
    return files


def _folder_of(pack: str, deck: Deck, paths: Paths) -> Path | None:
    """Return the folder with the questions, or the changed copies, that the program lacks."""
    origin = find_origins(deck, paths)[pack]
    if origin.kind != "shipped":
        return origin.folder
    changed = any(entry.pack == pack and entry.changed for entry in deck.entries.values())
    return paths.own_content / pack if changed else None


def _read_wheel(wheel: Path) -> bytes:
    """Read the wheel.

    Raises UsageError: it is another package's, another version's, or there is none.
    """
    if not wheel.is_file():
        raise UsageError(fact("file.missing", file=str(wheel)), fact("autograder.build-wheel"))
    expected = rf"{_PACKAGE.replace('-', '_')}-{re.escape(__version__)}-[\w.-]+\.whl"
    if not re.fullmatch(expected, wheel.name):
        what = fact(
            "autograder.other-wheel", file=str(wheel), package=_PACKAGE, version=__version__
        )
        raise UsageError(what, fact("autograder.build-wheel"))
    return wheel.read_bytes()
