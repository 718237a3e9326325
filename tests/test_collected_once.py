"""`--forks`: what comes of each test is reported, whatever becomes of its process."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.commands.program import ROOT
from tests.waiting import until, until_ended

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


SLOW = """
import os
import time
from pathlib import Path

import pytest


@pytest.mark.parametrize("number", range(1000))
def test_waits(number):
    Path(f"{__file__}.{os.getpid()}").touch()
    time.sleep(0.05)
"""


def command(folder):
    return [
        *(sys.executable, "-m", "pytest", "-p", "tests.collected_once", "-p", "no:xdist"),
        *("-p", "no:cacheprovider", "-raR", "--forks", "2", "-c", "/dev/null", str(folder)),
    ]


def test_what_comes_of_each_test_is_reported(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    done = subprocess.run(
        command(tmp_path), cwd=ROOT, capture_output=True, text=True, check=False, timeout=100
    )
    said = done.stdout
    assert done.returncode == 1, said + done.stderr
    assert "2 failed, 2 passed, 1 skipped" in said
    assert re.search(r"printed \S+/fork-[01]/test_prints0", said)
    assert "Its process ended (7)" in said
    assert re.search(r"FAILED \S+::test_dies", said)
    assert re.search(r"SKIPPED .* the reason", said)


def test_the_processes_end_with_the_one_that_forked_them(tmp_path):
    for number in range(2):
        (tmp_path / f"test_{number}.py").write_text(SLOW, "utf-8")
    with subprocess.Popen(command(tmp_path), cwd=ROOT, stdout=subprocess.DEVNULL) as first:
        until(lambda: len([*tmp_path.glob("*.py.*")]) == 2)
        first.kill()
    forks = [int(path.suffix[1:]) for path in tmp_path.glob("*.py.*")]
    until_ended(*forks)
