"""Runs scripts in Triton through `quiz profile`: `python -m bench.triton_scripts FILE…`.

Prints of each how it ended, and what was found; all of its own words go to standard error.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

_SECONDS = 600
_FAILED = re.compile(r"^quiz: .* failed: ", re.MULTILINE)
"""What `quiz profile` says of a script that raised."""


def run(script: Path) -> str:
    """Return a line: `run`, `refused` or `wrong` (an assertion fails), launches, and faults."""
    command = [sys.executable, "-m", "quizapp", "profile", str(script.resolve()), "--json"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=_SECONDS, cwd=script.parent
    )
    sys.stderr.write(done.stderr)
    start = done.stdout.rfind('{\n  "format"')
    report: dict[str, Any] = json.loads(done.stdout[start:]) if start >= 0 else {}
    launches = report.get("launches", [])
    ended = "run"
    if report.get("refused") or _FAILED.search(done.stderr):
        ended = "wrong" if "AssertionError" in done.stderr else "refused"
    kernels = len({each["kernel"] for each in launches})
    faults = Counter(found["kind"] for each in launches for found in each["findings"])
    said = ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "no faults"
    return f"{script.name}: {ended}; {kernels} kernels, {len(launches)} launches, {said}"


def main() -> None:
    """Print a line for each script, and how many ended how."""
    lines = [run(Path(name)) for name in sys.argv[1:]]
    ends = Counter(line.partition(": ")[2].partition(";")[0] for line in lines)
    print("\n".join([*lines, ", ".join(f"{count} {end}" for end, count in ends.items())]))


if __name__ == "__main__":
    main()
