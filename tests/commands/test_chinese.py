"""A walk through the commands in Chinese: no English sentence is on the way.

Code, names, flags, paths and quotations stay as they are; documents and schemas are English.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from quizapp.cli import COMMANDS
from quizapp.domain.errors import OK
from quizapp.domain.question import KINDS
from tests.commands.program import BROKEN, answer

KEPT = (
    r"`[^`]*`",  # code
    r"“[^”]*”|'[^'\n]*'",  # quotations, names
    r"(?m)^ *\d+  .*$",  # lines of a script, with their numbers
    r"(?m)^ +File .*\n.*$",  # Python's traceback
    r"(?m)^Traceback .*$",
    r"(?m)\b(QUIZ_\w+=\S+ )?quiz( [\w./:@=\[\]?*+%-]+)+",  # commands
    r"[\w.-]*/[\w./×-]*",  # paths, ids of questions
    r"--?[\w-]+(=\S+)?",  # flags
    r"recall, choice, number, trace, index, kernel",
    r"CUDA C\+\+ Programming Guide|Nsight Compute|NVIDIA H200",
)
"""What is no sentence of ours."""
SENTENCE = re.compile(r"\b[A-Za-z][a-z']+(?:[,;:]? [A-Za-z][a-z']*){2,}")

SCRIPT = """\
from numba import cuda
import numpy as np


@cuda.jit
def kernel(a):
    s = cuda.shared.array(32, dtype=np.float32)
    s[cuda.threadIdx.x] = a[cuda.threadIdx.x]
    a[cuda.threadIdx.x] = s[31 - cuda.threadIdx.x] / 3.0


kernel[1, 64](np.zeros(50, np.float32))
"""
SCRIPTS = {
    "findings": SCRIPT,
    "list": SCRIPT.replace("s[31 - cuda.threadIdx.x]", "[a[0]][0]"),
    "random": "import numba.cuda.random\n",
    "ptx": "from numba import cuda\ncuda.compile_ptx(max, ())\n",
    "relative": "from . import beside\n",
    "nothing": "pass\n",
}
RELATIVE = "attempted relative import with no known parent package"
"""Python says that."""

WRONG_QUESTIONS = {
    "kind": BROKEN,
    "tab": "- id: x\n\tkind: choice\n",
    "colon": "- id: a: b\n",
    "dash": "- id: - x\n",
    "quote": '- id: "x\n',
    "bracket": "- id: [x\n",
    "alias": "- id: *x\n",
    "missing": "- id: x\n  kind: choice\n",
    "types": "- id: 3\n  kind: number\n  topic: []\n  prompt: 1\n  answer: x\n",
}

CALLS = [
    *([name, "--help"] for name in COMMANDS),
    ["--help"],
    ["doctor"],
    ["due"],
    ["stats"],
    ["card"],
    ["docs"],
    ["docs", "nonesuch"],
    ["config"],
    ["config", "keys"],
    ["config", "theme", "foo"],
    ["config", "keys.hint", "q"],
    ["config", "new_per_day", "many"],
    ["config", "langauge"],
    ["config", "gpu.host", "two words"],
    ["paths"],
    ["backup"],
    ["export", "answers.csv"],
    ["export"],
    ["import", "nonesuch.jsonl"],
    ["import"],
    ["sync", "nonesuch"],
    ["sync", ".", "--yes"],
    ["restore"],
    ["restore", "nonesuch.db"],
    ["salvage", "nonesuch.db"],
    ["salvage"],
    ["rebuild"],
    ["reset", "nonesuch"],
    ["reset", "--topic", "banks"],
    ["reset"],
    ["erase"],
    ["pack"],
    ["pack", "add"],
    ["pack", "add", "http://example.org/x.git"],
    ["pack", "remove", "fundamentals"],
    ["pack", "remove", "nonesuch"],
    ["trust"],
    ["trust", "nonesuch"],
    ["edit", "nonesuch"],
    ["grade"],
    ["grade", "nonesuch"],
    ["lint", "nonesuch.yaml"],
    ["preview", "nonesuch.yaml"],
    ["profile", "nonesuch.py"],
    ["banks", "lane * 33"],
    ["banks", "tile[lane][0]", "--tile", "32x32", "--search"],
    ["banks", "lan"],
    ["banks", "lane +"],
    ["banks"],
    ["start"],
    ["start", "--topic", "nonesuch"],
    ["start", "--kind", "nonesuch"],
    ["start", "--limit", "0"],
    ["new", "nonesuch"],
    ["calibrate", "--gpu-host", "two words"],
    ["nonesuch"],
    ["due", "--nonesuch"],
    ["due", "more"],
]


def english_in(text: str) -> list[str]:
    """The runs of three or more English words that are neither code nor names."""
    for kept in KEPT:
        text = re.sub(kept, "§", text)
    return SENTENCE.findall(text)


@pytest.fixture
def check(inside) -> Callable[..., None]:
    """Call `quiz` in Chinese and look at all that it prints."""

    def call(*arguments: str, **given: str) -> None:
        said = inside(*arguments, QUIZ_LANGUAGE="zh", **given)
        assert english_in(said.out + said.err) == []

    return call


def test_the_walk_sees_a_sentence():
    assert english_in("没有主题：there is no topic 'x'") == ["there is no topic"]
    assert english_in("`there is no topic`，quiz start --topic banks") == []


@pytest.mark.parametrize("arguments", CALLS, ids=" ".join)
def test_a_command_says_nothing_in_english(arguments, check):
    check(*arguments)


def test_progress_is_in_chinese(check):
    answer(3)
    for command in ("due", "stats", "backup", "restore", "doctor"):
        check(command, QUIZ_INTERVIEW_DATE="2999-01-01")


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_s_report_is_in_chinese(name, quiz, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPTS[name], "utf-8")
    done = quiz("profile", "--budget", "100000000", "script.py", QUIZ_LANGUAGE="zh")
    assert english_in((done.stdout + done.stderr).replace(RELATIVE, "")) == []


def test_what_is_wrong_with_a_question_is_in_chinese(check, tmp_path):
    files = [f"{number}.yaml" for number in range(len(WRONG_QUESTIONS))]
    for file, text in zip(files, WRONG_QUESTIONS.values(), strict=True):
        (tmp_path / file).write_text(text, "utf-8")
        check("preview", file)
    check("lint", *files)


def test_new_questions_lint_and_have_comments_in_chinese(inside, home, monkeypatch):
    monkeypatch.setenv("QUIZ_LANGUAGE", "zh")
    for kind in KINDS:
        said = inside("new", kind)
        path = Path(said.out.strip())
        assert "下一步" in said.err
        comments = re.findall("# (.*)", path.read_text(encoding="utf-8"))[1:]
        assert [comment for comment in comments if not re.search("[\u3400-\u9fff]", comment)] == []
    linted = inside("lint", home / "content")
    assert (linted.status, linted.out) == (OK, "")
    assert f"{len(KINDS)} 道题" in linted.err
    assert english_in(linted.err) == []


TYPED = ":?\n:h\n:x\nfoo\n:s\n:d\n:q\n"


def test_plain_mode_is_in_chinese(check):
    check("start", "--plain", "--limit", "2", "--kind", "number", typed=TYPED)
