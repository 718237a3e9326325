"""Processes that a script starts are emulated too, and their launches are in the report."""

from __future__ import annotations

import json
import os
import shutil
import signal

import pytest

from quizapp.domain.errors import FINDINGS, OK, SCRIPT
from tests.commands.program import ROOT

SCRIPT_TEXT = """
import multiprocessing, os, subprocess, sys
import numpy as np
from numba import cuda


@cuda.jit
def fill(a, n):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = n
    if n == 7:
        a[0] = i


def work(n):
    a = np.zeros(40, np.float32)
    fill[2, 32](a, n)
    return int(a[1])


if __name__ == "__main__":
    how = sys.argv[1]
    if how in ("spawn", "fork", "forkserver"):
        context = multiprocessing.get_context(how)
        with context.Pool(2) as pool:
            assert pool.map(work, [1, 2, 3]) == [1, 2, 3]
        single = context.Process(target=work, args=(7,))
        single.start()
        single.join()
    elif how == "interpreter":
        subprocess.run([sys.executable, __file__, "alone"], check=True)
        look = "import sys; assert 'numba' not in sys.modules; print(sys.path)"
        done = subprocess.run([sys.executable, "-c", look], capture_output=True, check=True)
        assert b"host/site" not in done.stdout, done.stdout
    elif how == "os.fork":
        work(1)
        if os.fork() == 0:
            work(2)
            sys.exit(0)
        os.wait()
    elif how == "os._exit":
        work(1)
        os._exit(0)
    else:
        work(7)
"""
LAUNCHES = {
    "spawn": (4, FINDINGS),
    "fork": (4, FINDINGS),
    "forkserver": (4, FINDINGS),
    "interpreter": (1, FINDINGS),
    "os.fork": (2, OK),
    "os._exit": (1, OK),
}


@pytest.fixture
def profiled(quiz, tmp_path):
    def call(text, *arguments):
        path = tmp_path / "script.py"
        path.write_text(text, encoding="utf-8")
        done = quiz("profile", path, "--json", "--", *arguments)
        return done, json.loads(done.stdout)

    return call


@pytest.mark.parametrize(
    "how",
    [
        "spawn", "interpreter", "os.fork", "os._exit",
        *(pytest.param(how, marks=pytest.mark.long) for how in ("fork", "forkserver")),
    ],
)  # fmt: skip
def test_launches_of_each_process_are_in_the_report(how, profiled):
    done, report = profiled(SCRIPT_TEXT, how)
    assert done.stderr == ""
    assert (len(report["launches"]), done.returncode) == LAUNCHES[how]


def test_what_a_process_is_refused_is_said_in_words(profiled):
    text = SCRIPT_TEXT.replace("a[i] = n\n", "a[i] = [n][0]\n")
    done, _ = profiled(text, "spawn")
    assert done.returncode == SCRIPT
    assert "lists are not available in a kernel" in done.stderr


def test_a_site_file_of_the_person_has_its_turn(quiz, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "sitecustomize.py").write_text("import sys\nsys.mine = 7\n")
    path = tmp_path / "script.py"
    path.write_text(
        "import subprocess, sys\n"
        "code = 'import sys; assert sys.mine == 7; from numba import cuda; cuda.grid'\n"
        "subprocess.run([sys.executable, '-c', code], check=True)\n"
    )
    done = quiz("profile", path, PYTHONPATH=f"{tmp_path / 'own'}:{ROOT}")
    assert done.returncode == OK
    assert done.stderr.startswith("No kernel was launched. ")


BUSY = {
    "script.py": "import os\nos.fork()\nprint(os.getpid(), flush=True)\nwhile True:\n    pass\n",
    "program.cu": (
        "#include <cstdio>\n#include <unistd.h>\nint main() {\n"
        '    printf("%d\\n", getpid());\n    fflush(stdout);\n    while (1) usleep(1);\n}\n'
    ),
}


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("script.py", signal.SIGTERM),
        pytest.param("script.py", signal.SIGHUP, marks=pytest.mark.long),
        ("script.py", signal.SIGKILL),
        ("program.cu", signal.SIGKILL),
    ],
)
def test_all_processes_end_with_the_command_that_started_them(quiz, tmp_path, name, number):
    if name.endswith(".cu") and not any(map(shutil.which, ("c++", "g++", "clang++"))):
        pytest.skip("no C++ compiler")
    path = tmp_path / name
    path.write_text(BUSY[name])
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with quiz.start("profile", path, TMPDIR=str(temporary)) as program:
        started = [program.stdout.readline() for _ in range(2 if name.endswith(".py") else 1)]
        # In one folder, which goes whenever the command can still do anything.
        assert len([*temporary.glob("quiz-*")]) == 1
        program.send_signal(number)
        program.stdout.read()  # ends when all processes that can write have ended
        expected = -number if number == signal.SIGKILL else 128 + number
        assert (program.wait(), all(map(str.strip, started))) == (expected, True)
    if number != signal.SIGKILL:
        assert [*temporary.iterdir()] == []


ENDLESS = """\
#include <cstdio>
__global__ void step(int *left, int *by) { *left -= *by; }
int main() {
    int *left, *by, all = 3;
    cudaMalloc(&left, 4);
    cudaMalloc(&by, 4);
    cudaMemset(by, 1, 4);
    cudaMemcpy(left, &all, 4, cudaMemcpyHostToDevice);
    cudaFree(by);
    while (all > 0) {
        step<<<1, 1>>>(left, by);
        cudaMemcpy(&all, left, 4, cudaMemcpyDeviceToHost);
    }
}
"""


def test_a_host_that_never_ends_says_what_failed_and_keeps_its_report(quiz, tmp_path):
    if not any(map(shutil.which, ("c++", "g++", "clang++"))):
        pytest.skip("no C++ compiler")
    path = tmp_path / "program.cu"
    path.write_text(ENDLESS)
    with quiz.start("profile", path, "--json") as program:
        said = program.stderr.readline()
        program.send_signal(signal.SIGTERM)
        [launch] = json.loads(program.stdout.read())["launches"]
        assert program.wait() == 128 + signal.SIGTERM
        assert program.stderr.read() == "quiz: interrupted\n"
    assert said.startswith(f"{path}:2: ")
    assert "(cudaErrorIllegalAddress)" in said
    assert [finding["line"] for finding in launch["findings"]] == [2]


TOLD = {
    "compiler": "#!/bin/sh\nexec 9>{fifo}\nps -o ppid= -p $PPID >&9\nsleep 600 &\nwait\n",
    "program": (
        "#include <cstdio>\n#include <unistd.h>\nint main() {{\n"
        '    FILE *to = fopen("{fifo}", "w");\n    fprintf(to, "%d\\n", getppid());\n'
        "    fflush(to);\n    while (1) {{}}\n}}\n"
    ),
}
"""What tells the emulator's process."""


@pytest.mark.parametrize("what", TOLD)
def test_a_compiler_and_a_program_end_with_the_emulator_alone(quiz, tmp_path, what):
    """The command above it is stopped, so that it cannot end them."""
    if not any(map(shutil.which, ("c++", "g++", "clang++"))):
        pytest.skip("no C++ compiler")
    fifo, compiler, path = (tmp_path / name for name in ("fifo", "compiler", "program.cu"))
    os.mkfifo(fifo)
    path.write_text(TOLD["program"].format(fifo=fifo))
    compiler.write_text(TOLD["compiler"].format(fifo=fifo))
    compiler.chmod(0o755)
    options = {"CXX": str(compiler)} if what == "compiler" else {}
    with quiz.start("profile", path, **options) as program, fifo.open() as told:
        emulator = int(told.readline())
        program.send_signal(signal.SIGSTOP)
        os.kill(emulator, signal.SIGKILL)
        assert told.read() == ""  # ends when all that have it open have ended
        program.kill()
