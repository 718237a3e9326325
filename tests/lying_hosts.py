"""Puts a GPU host that lies in the place of ssh; its lies are those of `lying_host`."""

from __future__ import annotations

import json
import os
import shlex
import sys
from functools import partial
from pathlib import Path

import pytest

from grader.gpu import Gpu, WorkerSetup
from grader.gpu.client import START_SECONDS
from tests import lying_host
from tests.grader.gpu.lies import DESCRIBE, HELLO, honest
from tests.remote_gpu import HOST

_SILENT, _LIMIT = "stderr", 1.0
"""The lie that is no answer, and the seconds that its host is waited for."""


def install_lying_gpu(
    folder: Path, monkeypatch: pytest.MonkeyPatch, lie: str, at: str = "grade"
) -> str:
    """Let `ssh` be a host that lies from the request `at` on; the host's name."""
    (passed,) = (one for one in honest() if one.name == "grade passed")
    (tested,) = (one for one in honest() if one.name == "selftest")
    first = {"hello": HELLO, "describe": DESCRIBE}
    answers = {**first, "grade": passed.answer, "selftest": tested.answer}
    (folder / "answers.json").write_text(json.dumps(answers), "utf-8")
    program = folder / "bin" / "ssh"
    program.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-I", "-S", lying_host.__file__, str(folder), lie, at]
    program.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    if lie == _SILENT:
        setup = WorkerSetup(start_seconds=_LIMIT if at == "start" else START_SECONDS)
        monkeypatch.setattr("grader.gpu.Gpu", partial(Gpu, seconds=_LIMIT, setup=setup))
    return HOST
