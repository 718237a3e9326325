"""How an extra is added to this installation: by the pip of its environment, from its source.

Reads what pip noted when it installed the program; installs nothing.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path
from urllib.parse import unquote, urlsplit

_PACKAGE = "gpu-quiz"


@cache
def install_command(extra: str) -> str:
    """Return what to type: `.venv/bin/pip install -e '.[triton]'` in a checkout."""
    source, editable = _find_source()
    here = Path.cwd()
    named = "." if source == here else str(source or _PACKAGE)
    return f"{_find_pip(here)} install {'-e ' if editable else ''}'{named}[{extra}]'"


def _find_source() -> tuple[Path | None, bool]:
    """Return the folder or wheel that was installed, and whether it is run where it is.

    None if it came from an index.
    """
    try:
        noted = json.loads(Distribution.from_name(_PACKAGE).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return None, False
    url = urlsplit(noted.get("url", ""))
    if url.scheme != "file":
        return None, False
    return Path(unquote(url.path)), noted.get("dir_info", {}).get("editable", False)


def _find_pip(here: Path) -> str:
    """Return the pip of a virtual environment, as it is called from `here`, or of the shell."""
    if sys.prefix == sys.base_prefix:
        return "pip"
    pip = Path(sys.prefix) / "bin" / "pip"
    return str(pip.relative_to(here) if Path(sys.prefix).parent == here else pip)
