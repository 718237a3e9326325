"""stumpy's GPU tests: what passes, what is refused; wrong is none.

    QUIZ_STUMPY=FOLDER make test-long

FOLDER is a checkout of github.com/stumpy-dev/stumpy, which needs SciPy and pandas (below 3: it
writes into arrays that pandas 3 made read-only). Nothing is downloaded. Commit 60283ff has 134 of
these tests; all passed in November 2026, in 13 minutes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
FOLDER = "QUIZ_STUMPY"
NEEDED = ("numba", "pandas", "scipy")
_SECONDS = 3600


@pytest.fixture(scope="module")
def folder():
    named = os.environ.get(FOLDER)
    if not named:
        pytest.skip(f"{FOLDER} names no checkout of stumpy")
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        pytest.skip(f"stumpy needs what is not installed: pip install {' '.join(missing)}")
    found = Path(named).expanduser().resolve()
    assert list(found.glob("tests/test_gpu_*.py")), f"{found} has no tests/test_gpu_*.py"
    return found


def commit_of(folder):
    done = subprocess.run(
        ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip() or "no commit"


@pytest.mark.long
@pytest.mark.timeout(_SECONDS)
def test_stumpy_s_gpu_tests(folder, tmp_path, capsys):
    report = tmp_path / "report.json"
    tests = sorted(str(path) for path in folder.glob("tests/test_gpu_*.py"))
    child = [sys.executable, "-m", "tests.grader.simt.stumpy_suite.child", str(report), *tests]
    subprocess.run(
        child,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))},
        stdout=subprocess.DEVNULL,
        timeout=_SECONDS,
        check=False,
    )
    found = json.loads(report.read_text(encoding="utf-8"))
    outcomes = Counter(one["outcome"] for one in found.values())
    with capsys.disabled():
        print(f"\nstumpy {commit_of(folder)}: {dict(outcomes)}", end="")
        print(f", {sum(one['launches'] for one in found.values())} launches")
        for name, one in found.items():
            if one["outcome"] != "passed" or one["faults"]:
                print(f"  {one['outcome']:8} {name}  {one['message'] or one['faults']}")
    assert set(outcomes) <= {"passed", "refused", "skipped"}
    assert outcomes["passed"] > len(found) / 2
