"""Modules compiled once per test run: in a fresh clone each worker spent 5 s on all of them.

Each worker first compiles its part. When it has done that, so have the others.
"""

from __future__ import annotations

import compileall
import os
import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

ROOT = Path(__file__).parents[1]
FOLDERS = ("quizapp", "grader", "bench", "tests")


def compile_part(config: pytest.Config) -> None:
    """Compile what is not compiled or is old: a worker its part, forks of this process all."""
    if sys.dont_write_bytecode:
        return
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        _compile(config, int(worker["workerid"].removeprefix("gw")), worker["workercount"])
    parts = range(config.option.forks)
    for fork in [_fork(config, number, len(parts)) for number in parts]:
        os.waitpid(fork, 0)


def _fork(config: pytest.Config, number: int, count: int) -> int:
    fork = os.fork()
    if fork == 0:
        try:
            _compile(config, number, count)
        finally:
            os._exit(0)
    return fork


def _compile(config: pytest.Config, number: int, count: int) -> None:
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    paths = [path for path in paths if not path.is_relative_to(ROOT / "tests" / "data")]
    for path in paths[number::count]:
        if path.name.startswith("test_") or path.name == "conftest.py":
            _rewrite(path, config)
        else:
            compileall.compile_file(path, quiet=2)


def _rewrite(path: Path, config: pytest.Config) -> None:
    """Compile a file of tests as pytest would when it imports it."""
    compiled = rewrite.get_cache_dir(path) / f"{path.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(path, compiled) is None:
        compiled.parent.mkdir(exist_ok=True)
        source, code = rewrite._rewrite_test(path, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source, compiled)
