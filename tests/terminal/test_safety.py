"""Text from outside in a real terminal: nothing of it steers, in both modes and in commands.

What the program writes is read back from the pty, byte by byte. Every text that a question of any
kind can hold has sequences in it that a terminal would obey.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader.gpu.messages import PROTOCOL, package_version
from quizapp.deck import yaml_reader
from quizapp.deck.index import sources
from quizapp.domain.question import KINDS
from quizapp.store.store import Store
from tests.compiled_content import compile_at
from tests.remote_gpu import HOST, far_gpu
from tests.sampling import every
from tests.terminal.program import StartPty, drafts
from tests.terminal.screen import Pty, program

CONTENT = Path(__file__).parents[2] / "content"
OSC_52, OSC_8 = "\x1b]52;c;UVVJWg==\x07", "\x1b]8;;evil:\x1b\\"
CSI, C1, BIDI = "\x1b[7;77H", "\x9b7;76H", "\u202e\u2066"
PAYLOAD = f" {OSC_52}{OSC_8}{CSI}{C1}{BIDI} "
COMMENT = "".join(f"\n# {one}" for one in (OSC_52, OSC_8, CSI, C1, BIDI)) + "\n"
ENTITIES = "&#27;]52;c;UVVJWg==&#7; &#x9b;7;75H &#x202e; "
"""The same as HTML has it, which Markdown decodes."""
RAW = [
    b"\x1b]52;c;UVVJ",
    b"\x1b]8;;evil",
    b"\x1b[7;77H",
    b"\xc2\x9b",
    b"\xe2\x80\xae",
    b"\xe2\x81\xa6",
]
WIDE = (150, 200)
STILL_S = 0.15

CODE = {"starter", "solution", "source", "code", "reference", "baseline"}
NAMES = {
    "id", "kind", "topic", "concept", "requires", "basis", "compute", "ask", "lane", "let", "was",
    "access", "accesses", "arguments", "kernel", "launch", "terms", "counts", "file", "fails",
    "flops", "follow_ups", "draw", "parameters", "cause", "asks", "excused", "tags", "equals",
    "edit",
}  # fmt: skip
"""Fields that hold no text but names and expressions, which have a form of their own."""


def assert_nothing_steers(written: bytes) -> None:
    found = [one for one in RAW if one in written]
    assert found == [], f"{found} in {written[-3000:]!r}"


def texts(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of what is text in a question."""
    if isinstance(data, str):
        yield path
    elif isinstance(data, dict | list):
        for step, part in data.items() if isinstance(data, dict) else enumerate(data):
            if step not in NAMES:
                yield from texts(part, (*path, step))


def plant(data: Any, path: tuple[str | int, ...]) -> None:
    """Put the sequences into the text at `path`."""
    *steps, last = path
    for step in steps:
        data = data[step]
    code = CODE & {str(step) for step in path}
    comment = COMMENT.replace("\n#", "\n//") if "cuda" in path else COMMENT
    data[last] += comment if code else f"{PAYLOAD}{ENTITIES}{'中' * (last == 'zh')}"


@pytest.fixture
def evil(home: Path) -> Path:
    """A pack with a question of each kind, on the topic `evil`; its texts hold the sequences."""
    pack = home / "content" / "evil"
    for kind in KINDS:
        question, folder = largest(kind)
        for path in [*texts(question)]:
            plant(question, path)
        question.pop("may_reveal", None)
        question |= {"topic": "evil", "concept": kind, "requires": [], "id": f"evil-{kind}"}
        file = pack / kind / "question.yaml"
        file.parent.mkdir(parents=True)
        if kind == "kernel":
            shutil.copytree(folder, file.parent, dirs_exist_ok=True)
            for beside in file.parent.rglob("*.py"):
                beside.write_text(beside.read_text("utf-8") + COMMENT, "utf-8")
        file.write_text(json.dumps([question]), "utf-8")
    compile_at(home)
    return pack


def largest(kind: str) -> tuple[dict[str, Any], Path]:
    """The shipped question of a kind with the most texts, and its folder."""
    found = [(data, folder) for data, folder in list_shipped() if data.get("kind") == kind]
    question, folder = max(found, key=lambda one: len([*texts(one[0])]))
    return deepcopy(question), folder


@cache
def list_shipped() -> list[tuple[dict[str, Any], Path]]:
    """All shipped questions, each with the folder it is in."""
    return [
        (question, Path(file.root, file.path).parent)
        for file in sources([str(CONTENT)])
        for data in [yaml_reader.read(file.data).data]
        for question in (data if isinstance(data, list) else [data])
    ]


def settle(pty: Pty, *typed: str) -> None:
    """Type, each time once the screen has been still for a while."""
    for text in ("", *typed):
        pty.type(text)
        until = time.monotonic() + STILL_S
        while time.monotonic() < until:
            if pty.come(STILL_S / 5):
                until = time.monotonic() + STILL_S


@pytest.mark.parametrize("kind", every(2, KINDS, str))
def test_a_question_on_the_screen(kind: str, evil: Path, start_pty: StartPty):
    pty = start_pty.at_home("--topic", "evil", "--kind", kind, size=WIDE)
    pty.type("\r")
    pty.wait_for("hint", r"\x1b]52;c;UVVJWg==\x07", r"\x9b7;76H", r"\u202e\u2066")
    in_field = kind in ("number", "trace", "index", "kernel")
    settle(pty, *(["\x1b"] if in_field else []), "h", "h", "h", "g", "\r", "d", "d")
    assert pty.press_until_exit("\x03") == 130
    assert_nothing_steers(pty.written)
    assert b"UVVJWg" in pty.written


@pytest.mark.parametrize("kind", every(2, (*tuple(KINDS)[1:], "recall"), str))
def test_a_question_in_plain_mode(kind: str, evil: Path, start_pty: StartPty):
    pty = start_pty("--plain", "--topic", "evil", "--kind", kind)
    pty.wait_for(r"\x1b]52;c;UVVJWg==\x07", r"\x9b7;76H", r"\u202e\u2066")
    pty.type(":h\r:h\r:h\r:g\r:m\r\r:m\r\r")
    settle(pty, "\x04:q\r")  # what is typed ahead does not say how sure one is
    pty.rest()
    assert_nothing_steers(pty.written)


def test_what_is_typed_and_stored_is_shown_safely_and_kept_as_it_is(
    home: Path, start_pty: StartPty
):
    with Store.open(home / "progress.db") as store:
        store.save_draft("mine/recall", PAYLOAD, 1)
    pty = start_pty.at_home("--topic", "terminal", "--kind", "recall", size=WIDE)
    settle(pty, "\r", "i", "x", "\x1b", "\r")
    pty.press_until_exit("\x03")
    assert_nothing_steers(pty.written)
    assert PAYLOAD.strip() in "".join(drafts(home).values())
    plain = start_pty("--plain", "--topic", "terminal", "--kind", "recall")
    settle(plain, ":g\r", "\r", ":q\r")
    plain.rest()
    assert_nothing_steers(plain.written)


def test_settings_on_the_screen(home: Path, start_pty: StartPty):
    text = json.dumps(PAYLOAD)
    (home / "config.toml").write_text(
        f"welcomed = true\ntheme = {text}\neditor = {text}\ncontent = [{text}]\n"
        f"[keys]\nhint = {text}\n[gpu]\nuse = true\n",
        "utf-8",
    )
    pty = start_pty.at_home(size=WIDE)
    settle(pty, ",", "\x1b", "?", "\x1b", "/", PAYLOAD.replace("\x1b", ""), "\x1b")
    pty.press_until_exit("\x03")
    assert_nothing_steers(pty.written)
    assert rb"\x1b]52" in pty.written


COMMANDS = [[PAYLOAD], ["banks", PAYLOAD], ["profile", PAYLOAD], ["config", "theme", PAYLOAD]]
FURTHER = [
    [f"--{PAYLOAD}"],
    ["start", "--topic", PAYLOAD],
    ["start", "--plain", "--kind", PAYLOAD],
    ["start", PAYLOAD],
    ["banks", "lane", "--arch", PAYLOAD],
    ["banks", "lane", "--tile", PAYLOAD],
    ["banks", "--trace", PAYLOAD],
    ["preview", PAYLOAD],
    ["edit", PAYLOAD],
    ["lint", PAYLOAD],
    ["grade", PAYLOAD],
    ["new", PAYLOAD],
    ["reset", PAYLOAD],
    ["config", PAYLOAD],
    ["config", "gpu.host", PAYLOAD],
    ["config", f"keys.{PAYLOAD}", "t"],
    ["config"],
    ["doctor"],
    ["lint", "{mine}"],  # of the whole deck, it takes minutes on a busy machine
]


@pytest.mark.parametrize(
    "arguments", [*COMMANDS, *(pytest.param(one, marks=pytest.mark.long) for one in FURTHER)]
)
def test_arguments_come_back_safely(arguments: list[str], home: Path, start_pty: StartPty):
    mine = home / "content" / "mine"
    (mine / "more.yaml").write_text(f"- {json.dumps(PAYLOAD)}: 1\n", "utf-8")
    pty = start_pty(command=[*program(), *(one.format(mine=mine) for one in arguments)])
    pty.rest(120)
    assert_nothing_steers(pty.written)
    assert b"error in quiz" not in pty.written


def test_variables_come_back_safely(start_pty: StartPty):
    for name in ("QUIZ_THEME", "QUIZ_LANGUAGE"):
        pty = start_pty(command=[*program(), "config"], **{name: PAYLOAD})
        pty.rest()
        assert_nothing_steers(pty.written)
    pty = start_pty(TERM="", QUIZ_EDITOR=PAYLOAD)
    pty.rest()
    assert_nothing_steers(pty.written)


SCRIPT = f"""
import sys, warnings
import numpy as np
from numba import cuda

@cuda.jit
def kernel(a):
    a[cuda.threadIdx.x] = 1  # {PAYLOAD.replace(chr(27), "").replace(chr(7), "")}
    print({PAYLOAD!r})

kernel[1, 1](np.zeros(1))
print({PAYLOAD!r})
sys.stderr.write({PAYLOAD!r})
warnings.warn({PAYLOAD!r})
raise SystemExit({PAYLOAD!r}) if len(sys.argv) > 1 else ValueError({PAYLOAD!r})
"""


@pytest.mark.parametrize("more", [[], ["exit"]])
def test_what_a_script_writes(more: list[str], tmp_path: Path, start_pty: StartPty):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, "utf-8")
    pty = start_pty(command=[*program(), "profile", str(script), *more])
    pty.rest(60)
    assert rb"\x1b]52;c;UVVJWg==\x07" in pty.written
    assert_nothing_steers(pty.written)


def test_what_a_script_writes_into_a_pipe_is_its_own(tmp_path: Path, start_pty: StartPty):
    script = tmp_path / "script.py"
    script.write_text('import sys; sys.stdout.buffer.write(b"\\xff"); print("\\x1b[31mred")\n')
    target = tmp_path / "out"
    quiz = " ".join(program())
    pty = start_pty(command=["sh", "-c", f"{quiz} profile {script} >{target}"])
    pty.rest(60)
    assert target.read_bytes() == b"\xff\x1b[31mred\n"


def test_a_gpu_host_that_says_such_things(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_pty: StartPty
):
    said = json.dumps(PAYLOAD)[1:-1].replace("\\", "\\\\\\\\")
    far_gpu(tmp_path, monkeypatch, before=f'printf "{said}\\n" >&2; printf "{said}\\n"; exit 1')
    (home / "config.toml").write_text(f'welcomed = true\n[gpu]\nhost = "{HOST}"\n', "utf-8")
    pty = start_pty(command=[*program(), "doctor"])
    pty.rest(60)
    assert_nothing_steers(pty.written)


LIAR = """\
#!{python}
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    facts = dict(
        name={name!r}, capability="9.0", driver={name!r}, driver_cuda="13.0", runtime="13.0",
        versions={{"numba-cuda": {name!r}}}, multiprocessors=132, memory=1 << 37, l2=0, peak=0.0,
    )
    hello = {{"protocol": {protocol}, "package": {package!r}}}
    problem = {{"path": [], "what": {name!r}, "todo": {name!r}}}
    answers = {{"hello": hello, "describe": {{"describe": facts}}}}
    said = answers.get(asked["do"], {{"problem": problem}})
    print(json.dumps({{"id": asked["id"], **said}}), flush=True)
"""


def test_a_gpu_whose_name_is_such_a_thing(home: Path, tmp_path: Path, start_pty: StartPty):
    ssh = tmp_path / "bin" / "ssh"
    ssh.parent.mkdir()
    facts = {"name": f"H200{PAYLOAD}", "protocol": PROTOCOL, "package": package_version()}
    ssh.write_text(LIAR.format(python=sys.executable, **facts), "utf-8")
    ssh.chmod(0o755)
    (home / "config.toml").write_text('welcomed = true\n[gpu]\nhost = "liar"\n', "utf-8")
    path = f"{ssh.parent}{os.pathsep}{os.environ['PATH']}"
    pty = start_pty(command=[*program(), "doctor"], PATH=path, PYTHONPATH=str(CONTENT.parent))
    pty.rest(60)
    assert b"liar" in pty.written
    assert b"error in quiz" not in pty.written
    assert_nothing_steers(pty.written)
