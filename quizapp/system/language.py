"""The language of this process, without what reading all settings costs: `quiz --help` needs it.

`Settings.language` is the same value, checked. Here a wrong setting means English: the command that
reads the settings reports it, and that report needs a language too.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from quizapp.system import paths

if TYPE_CHECKING:
    from quizapp.domain.question import Language

VARIABLE = "QUIZ_LANGUAGE"
_FOLDER = "gpu-quiz"
"""`paths.APP`, which a test holds equal."""
_LINE = r"(?m)^[ \t]*language[ \t]*=[ \t]*[\"']zh[\"']"
_TABLE = r"(?m)^[ \t]*\["
"""Where the first table begins, behind which `language` is something else."""


def person_language() -> Language:
    """Return the language that the environment or the settings file sets; English otherwise."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return "zh" if chosen == "zh" else "en"
    return "zh" if _file_says_chinese(_find_config()) else "en"


def _find_config() -> str:
    """Return the path of the settings file, `find_paths().config`.

    On Linux without what `find_paths` loads: pathlib, dataclasses and platformdirs take 12 ms.
    """
    if home := os.environ.get("QUIZ_HOME"):
        return os.path.join(os.path.expanduser(home), "config.toml")
    if sys.platform != "linux":
        return str(paths.find_paths().config)
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(folder):
        folder = os.path.expanduser("~/.config")
    return os.path.join(folder, _FOLDER, "config.toml")


def _file_says_chinese(path: str) -> bool:
    """Look for the one line; Python's TOML reader takes 3 ms to load."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, ValueError):
        return False
    return re.search(_LINE, re.split(_TABLE, text, maxsplit=1)[0]) is not None
