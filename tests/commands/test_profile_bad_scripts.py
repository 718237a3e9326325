"""Scripts that cannot be run to their end: one line says what to install or to do."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from quizapp.domain.errors import OK, SCRIPT, USAGE
from tests.commands.program import ROOT

LAUNCH = (
    "import os, signal\nimport numpy as np\nfrom numba import cuda\n\n\n"
    "@cuda.jit\ndef kernel(a):\n    a[0] = 1\n\n\nkernel[1, 1](np.zeros(1))\n"
)
PIP = f"{sys.executable} -m pip install"
ENDS = {
    "a module that is not there": (
        "import absent.part\n",
        f"install the package that has absent where quiz is: {PIP} PACKAGE",
    ),
    "Triton": (
        "raise ModuleNotFoundError('No module named triton', name='triton')\n",
        "install Triton where quiz is",
    ),
    "one that needs a GPU": ("import pycuda.driver\n", "pycuda needs a GPU; give the kernels"),
    "PyTorch without a GPU": (
        "raise AssertionError('Torch not compiled with CUDA enabled')\n",
        "there is no GPU for PyTorch here: keep its tensors on the CPU",
    ),
    "a name of Numba's": (
        "from numba.cuda import frobnicate\n",
        "the emulator's numba has no such name; `quiz docs emulator` lists what works",
    ),
    "a name of the other package's": (
        "from numba_cuda_mlir import frobnicate\n",
        "the emulator's numba_cuda_mlir has no such name",
    ),
    "a module built for another NumPy": (
        "raise ImportError('numpy.core.multiarray failed to import')\n",
        "this package was built for another version than NumPy 2",
    ),
    "input": ("input()\n", "the script reads input, and there is none: quiz profile SCRIPT < FILE"),
    "SIGKILL": (
        "import os\nos.kill(os.getpid(), 9)\n",
        "ended by signal 9, and its launches are lost; does it kill itself, or use up the memory?",
    ),
    "an interpreter error": ("import ctypes\nctypes.string_at(0)\n", "ended by signal 11, and its"),
    "another program in its place": (
        "import os\nos.execv('/bin/true', ['true'])\n",
        "ended without its report: it replaced its own process; start another program with",
    ),
}


@pytest.fixture
def profiled(quiz, tmp_path):
    def call(text, **options):
        path = tmp_path / "script.py"
        path.write_text(text, encoding="utf-8")
        return quiz("profile", path, **options)

    return call


@pytest.mark.parametrize("how", ENDS)
def test_one_line_says_what_to_do(how, profiled):
    text, said = ENDS[how]
    done = profiled(text)
    assert (done.returncode, done.stdout) == (SCRIPT, "")
    [line] = [line for line in done.stderr.splitlines() if said in line]
    assert line


@pytest.mark.parametrize("text", ['{"cells": []}', "# not one at all"])
def test_a_notebook_is_not_run_as_a_script(text, quiz, tmp_path):
    (tmp_path / "book.ipynb").write_text(text, "utf-8")
    done = quiz("profile", "book.ipynb")
    assert (done.returncode, done.stdout) == (USAGE, "")
    what, advice = done.stderr.splitlines()
    assert what == "quiz: book.ipynb looks like a notebook; quiz profile runs scripts"
    assert "jupyter nbconvert --to script book.ipynb" in advice


@pytest.mark.parametrize("how", ["os.kill(os.getpid(), signal.SIGTERM)", "os._exit(3)"])
def test_launches_before_an_end_that_can_be_noticed_are_reported(how, profiled):
    done = profiled(f"{LAUNCH}{how}\n")
    assert done.returncode == SCRIPT
    assert "kernel  grid 1, block 1" in done.stdout
    assert ("status 3" if "exit" in how else "ended by signal 15\n") in done.stderr


def test_a_numba_of_another_major_version_keeps_all_but_its_cuda_part(profiled, tmp_path):
    package = tmp_path / "other" / "numba"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("__version__ = '2.0'\ndef njit(f):\n    return 'theirs'\n")
    text = (
        "import numba\nassert numba.__version__ == '2.0' and numba.njit(len) == 'theirs'\n"
        + LAUNCH
        + "@cuda.jit\ndef bad(a):\n    a[0] = a + a\n"
        "try:\n    bad[1, 1](np.zeros(1))\nexcept cuda.errors.TypingError:\n    print('caught')\n"
    )
    done = profiled(text, PYTHONPATH=f"{package.parent}:{ROOT}")
    assert (done.stderr, done.returncode) == ("", OK)
    assert "caught" in done.stdout


def test_gigabytes_go_where_the_script_sends_them(quiz, tmp_path):
    path = tmp_path / "script.py"
    path.write_text("for _ in range(40_000):\n    print('x' * 4999)\n", encoding="utf-8")
    command = [*quiz.command("profile", path), "--json"]
    peak = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stderr=-3, stdout=-3);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", peak, *map(str, command)],
        capture_output=True, text=True, check=True, env=quiz.environment(), cwd=tmp_path,
    )  # fmt: skip
    kilobytes = int(done.stdout) / (1024 if sys.platform == "darwin" else 1)
    assert kilobytes < 150_000 < 40_000 * 5000 / 1024


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_forks_end_as_they_would(profiled):
    each = "    if os.fork() == 0:\n        os._exit(0)\n    os.wait()\n"
    done = profiled(f"import os\nfor _ in range(5):\n{each}{LAUNCH}")
    assert (done.returncode, done.stderr) == (OK, "")
    assert "no faults in 1 launch" in done.stdout
