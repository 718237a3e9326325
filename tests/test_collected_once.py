"""`--forks`: what comes of each test is reported, whatever becomes of its process."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.commands.program import ROOT

FILES = {
    "test_fails.py": """
def test_prints(tmp_path):
    print("printed", tmp_path)
    assert not tmp_path
""",
    "test_dies.py": """
import os


def test_before():
    pass


def test_dies():
    os._exit(7)


def test_after():
    pass
""",
    "test_skips.py": """
import pytest


def test_skips():
    pytest.skip("the reason")
""",
    "test_last.py": "def test_last():\n    pass\n",
}


def test_what_comes_of_each_test_is_reported(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "tests.collected_once", "-p", "no:xdist"),
            *("-p", "no:cacheprovider", "-raR", "--forks", "2", "-c", "/dev/null", str(tmp_path)),
        ],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    said = done.stdout
    assert done.returncode == 1, said + done.stderr
    assert "2 failed, 2 passed, 1 skipped" in said
    assert re.search(r"printed \S+/fork-[01]/test_prints0", said)
    assert "Its process ended (7)" in said
    assert re.search(r"FAILED \S+::test_dies", said)
    assert re.search(r"SKIPPED .* the reason", said)
