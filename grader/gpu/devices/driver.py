"""The version of NVIDIA's driver on this machine. Loads no library, and never waits long."""

from __future__ import annotations

import contextlib
import re
import subprocess
from pathlib import Path

_FILE = Path("/proc/driver/nvidia/version")
_TOOL = ("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")
_TOOL_SECONDS = 5.0
_ENDING_SECONDS = 1.0


def driver_version() -> str:
    """Read the version, as `580.65.06`, by the kernel module, else (WSL) `nvidia-smi`; or empty."""
    try:
        text = _FILE.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        text = _query_tool()
    found = re.search(r"\d+\.\d+(?:\.\d+)?", text)
    return found.group() if found else ""


def _query_tool() -> str:
    """Return what the tool prints; empty if it is missing or takes too long."""
    try:
        tool = subprocess.Popen(
            _TOOL, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return ""
    try:
        return tool.communicate(timeout=_TOOL_SECONDS)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        tool.kill()
        # `subprocess.run` would wait on: no signal ends what hangs in the driver.
        with contextlib.suppress(subprocess.TimeoutExpired):
            tool.communicate(timeout=_ENDING_SECONDS)
        return ""
