"""`quiz ask`: a person's program becomes questions of their own, and what it refuses."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from quizapp.domain.errors import OK, USAGE
from tests.commands.program import Program

KERNEL = """import numpy as np
from numba import cuda, float32


@cuda.jit
def total(x, out, n):
    part = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    part[t] = x[i] if i < n else 0
    cuda.syncthreads()
    half = 64
    while half > 0:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(out, 0, part[0])
"""
LAUNCH = "\n\ntotal[4, 128](np.ones(500, np.float32), np.zeros(1, np.float32), 500)\n"
CUDA = """#include <cuda_runtime.h>
__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
"""


SOLVE = """extern "C" void solve(const float *a, const float *b, float *c, int n) {
    add<<<4, 128>>>(a, b, c, n);
}
"""


GRID = ("--grid", "4", "--block", "128")


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def questions(program: Program, name: str) -> str:
    return (program.home / "content" / "mine" / "code" / f"{name}.yaml").read_text("utf-8")


def test_a_script_becomes_questions_that_lint_and_are_asked(quiz: Program, tmp_path: Path):
    script = write(tmp_path, "Block sum.py", KERNEL + LAUNCH)
    done = quiz("ask", script)
    assert done.returncode == OK, done.stderr
    text = questions(quiz, "block-sum")
    assert text.count("- id: block-sum-") >= 6
    assert "probe." not in text, "a fact without words"
    commented = CUDA.replace("int i =", "// 每个线程一个元素\n    int i =")
    given = "a=f32[500]:random, b=f32[500]:random, c=f32[500], n=500"
    other = quiz("ask", write(tmp_path, "add.cu", commented), *GRID, "--args", given)
    assert other.returncode == OK, other.stderr
    linted = quiz("lint", quiz.home / "content")
    assert linted.returncode == OK, linted.stdout
    asked = quiz("start", "--plain", "--topic", "block-sum", "--limit", "1", typed="q\n")
    assert "Kernel `total`" in asked.stdout or "Kernel total" in asked.stdout


def test_what_is_unchanged_keeps_its_id(quiz: Program, tmp_path: Path):
    script = write(tmp_path, "sum.py", KERNEL + LAUNCH)
    first = json.loads(quiz("ask", script, "--json").stdout)["programs"][0]
    assert quiz("ask", script).returncode == USAGE
    script.write_text(
        "# a line above\n" + KERNEL.replace("half //= 2", "half = half // 2") + LAUNCH
    )
    second = json.loads(quiz("ask", "--update", "--json").stdout)["programs"][0]
    assert first["new"]
    assert set(second["kept"]) < set(first["new"])
    assert len(second["kept"]) > len(second["new"])
    assert not json.loads(quiz("ask", "--update", "--json").stdout)["programs"]


@pytest.mark.parametrize(
    ("name", "text"), [("add.cu", CUDA), ("solve.cu", CUDA + SOLVE), ("total.py", KERNEL)]
)
def test_a_file_that_launches_nothing_is_launched(quiz: Program, tmp_path: Path, name, text):
    file = write(tmp_path, name, text)
    alone = quiz("ask", file)
    assert alone.returncode == USAGE
    given = "a=f32[500]:random, b=f32[500]:random, c=f32[500], n=500"
    if name.endswith(".py"):
        given = "x=f32[500]:random, out=f32[1]:zeros, n=500"
    launch = ("--args", given) if "solve" in name else (*GRID, "--args", given)
    done = quiz("ask", file, *launch)
    assert done.returncode == OK, done.stderr
    assert quiz("ask", file, "--update").returncode == OK, "the launch is remembered"


def test_faults_that_are_there_are_asked_about(quiz: Program, tmp_path: Path):
    file = write(tmp_path, "add.cu", CUDA.replace("i < n", "i <= n"))
    given = "a=f32[500]:random, b=f32[500]:random, c=f32[500], n=500"
    done = quiz("ask", file, *GRID, "--args", given)
    assert "already has faults" in done.stdout
    assert "add-fault-" in questions(quiz, "add")


LINE = """from numba import cuda
import numpy as np


@cuda.jit
def f(a):
    a[cuda.grid(1)] = 1


"""


PROGRAM = """#include <cuda_runtime.h>
__global__ void add(const float *a, float *b, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i] + 1.0f;
}}
__global__ void sub(const float *x, float *y, int m) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) y[i] = x[i] + 3.0f;
}}
int main() {{
    int n = 500;
    float *a, *b;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, n * 4);
    cudaMemset(a, 0, n * 4);
    add<<<5, {block}>>>(a, b, n);
    sub<<<5, {block}>>>(a, b, n);
    return {status};
}}
"""


def test_a_program_that_ends_with_an_error_is_asked_about_and_its_kernels_are_not_asked_twice(
    quiz: Program, tmp_path: Path
):
    done = quiz("ask", write(tmp_path, "ends.cu", PROGRAM.format(block=128, status=3)))
    assert done.returncode == OK
    assert "failed: status 3" in done.stderr
    assert "ended with that error" in done.stderr
    assert "sub: no questions, since its questions would be those about another" in done.stdout


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("fails.py", "raise SystemExit(3)\n", "does not run"),
        ("nothing.py", "print('hello')\n", "launches no kernel"),
        ("wrong.cu", "__global__ void k(float *a) { a[0] = ; }\n", "wrong.cu:1:38:"),
        ("launch.cu", PROGRAM.format(block=2048, status=0), "the limit is 1024"),
        ("empty.cu", "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n", "too small"),
        ("small.py", f"{LINE}f[1, 1](np.zeros(1))\n", "too small"),
        ("large.py", f"{LINE}f[1, 32](np.zeros(10_000_000))\n", "over 64 MB"),
    ],
)
def test_what_cannot_be_asked_about_is_said_in_a_sentence(
    quiz: Program, tmp_path: Path, name, text, said
):
    done = quiz("ask", write(tmp_path, name, text))
    assert done.returncode == USAGE
    assert said in done.stderr
    assert not (quiz.home / "content" / "mine").exists()


def test_a_name_is_one_of_a_file_and_a_kernel_is_one_that_is_launched(
    quiz: Program, tmp_path: Path
):
    script = write(tmp_path, "sum.py", KERNEL + LAUNCH)
    for name in ("../../../evil", str(tmp_path / "evil"), "a b", "名字", ""):
        done = quiz("ask", script, "--name", name)
        assert done.returncode == USAGE
        assert "lower-case words joined by hyphens" in done.stderr
    done = quiz("ask", script, "--kernel", "product")
    assert done.returncode == USAGE
    assert "launches no kernel product, but " in done.stderr
    assert not [*tmp_path.rglob("evil*"), *quiz.home.rglob("evil*")]


def test_without_a_file_there_is_nothing_to_update(quiz: Program):
    assert "so far" in quiz("ask", "--update").stderr
    assert quiz("ask").returncode == USAGE


def test_a_review_asks_about_what_a_diff_changed(quiz: Program, tmp_path: Path):
    script = write(tmp_path, "sum.py", KERNEL + LAUNCH)
    line = KERNEL.split("\n").index("            part[t] += part[t + half]") + 1
    diff = write(tmp_path, "pull.diff", f"""diff --git a/sum.py b/sum.py
--- a/sum.py
+++ b/sum.py
@@ -{line},2 +{line},2 @@
-            part[t] += part[t + half + 1]
+            part[t] += part[t + half]
         cuda.syncthreads()
""")  # fmt: skip
    found = json.loads(quiz("ask", script, "--review", diff, "--json").stdout)["programs"][0]
    assert found["name"] == "sum-review"
    probes = found["kernels"][0]["probes"]
    assert probes
    for each in probes:
        changed = [change["line"] for change in each["changes"]]
        places = {each["line"], *each["lines"][:1], *changed}
        assert places & {line - 1, line}, each["rule"]
    script.write_text(script.read_text().replace("part[t + half]", "part[half + t]"))
    refused = quiz("ask", script, "--review", diff)
    assert refused.returncode == USAGE
    assert f"line {line} differs" in refused.stderr
    other = quiz("ask", write(tmp_path, "other.py", KERNEL), "--review", diff)
    assert "changes nothing in" in other.stderr


TRITON = """import numpy as np
import triton
import triton.language as tl

FACTOR = tl.constexpr(2.0)


@triton.jit
def scale(x, out, n, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    value = tl.load(x + at, mask=at < n)
    tl.store(out + at, FACTOR * value, mask=at < n)


x = np.random.default_rng(1).normal(size=1000).astype(np.float32)
scale[(4,)](x, np.zeros_like(x), 1000, TILE=256)
"""


@pytest.mark.skipif(find_spec("triton") is None, reason="needs the extra `triton`")
def test_a_script_with_triton_is_asked_about_changes_of_its_kernels(quiz: Program, tmp_path: Path):
    done = quiz("ask", write(tmp_path, "scale.py", TRITON))
    assert done.returncode == OK, done.stderr
    text = questions(quiz, "scale")
    assert "`* TILE` is left out" in text
    assert "`TILE = 128`" in text
    linted = quiz("lint", quiz.home / "content")
    assert linted.returncode == OK, linted.stdout


def test_a_program_that_does_not_end_is_ended_and_what_to_do_is_said(quiz: Program, tmp_path: Path):
    done = quiz("ask", write(tmp_path, "endless.py", "while True:\n    pass\n"), "--seconds", "1")
    assert done.returncode == USAGE
    assert "take too long, and no kernel was finished" in done.stderr
    assert "--seconds 600" in done.stderr


@pytest.mark.long
def test_of_a_program_that_takes_too_long_it_is_asked_what_was_finished(
    quiz: Program, tmp_path: Path
):
    after = write(tmp_path, "after.py", KERNEL + LAUNCH + "while True:\n    pass\n")
    done = quiz("ask", after, "--seconds", "60")
    assert done.returncode == OK, done.stderr
    assert "It was ended after 60 s" in done.stderr
    assert "- id: after-" in questions(quiz, "after")
