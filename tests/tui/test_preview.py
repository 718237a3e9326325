"""The preview: what the application shows, redrawn on save, and no file can break it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quizapp.domain.errors import INTERRUPTED, UsageError
from quizapp.study.examiner import Examiner
from quizapp.system.config import Settings
from quizapp.system.paths import shipped_content
from quizapp.system.width import columns as cells
from quizapp.tui import preview
from quizapp.tui.picture import Picture, merge, read
from quizapp.tui.preview import PreviewApp
from tests.sampling import every
from tests.tui.pilots import NARROW, WIDE, press, tap
from tests.tui.screen_text import rest, screen_lines, screen_text, wait_for_text, wait_until

FIRST = """\
- id: first
  kind: choice
  topic: banks
  concept: c
  difficulty: 2
  prompt: {en: "What does `a[tid]` read?", zh: "`a[tid]` 读取什么？"}
  options:
    - {text: {en: "[/x] one word", zh: "一个字"}, correct: true}
    - {text: {en: "[bold] words", zh: "[b] 字"}, why: {en: "no [/] here", zh: "不对"}}
  explanation: {en: "Because of [red].", zh: "因为如此。"}
  sources: [s]
"""
SECOND = """\
- id: second
  kind: number
  topic: banks
  concept: c
  difficulty: 1
  prompt: {en: "How many wavefronts?", zh: "几个 wavefront？"}
  answer: 2
  unit: wavefronts
  explanation: {en: "Two words.", zh: "两个字。"}
  sources: [s]
"""
ROOTS = [str(shipped_content())]


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "pack" / "q.yaml"
    path.parent.mkdir()
    path.write_text(FIRST + SECOND, "utf-8")
    return path


def app_of(path: Path, *, watch: bool = False, **settings: object) -> PreviewApp:
    return PreviewApp(path, ROOTS, Settings(**settings), watch=watch)


@pytest.fixture(autouse=True)
def looks_often(monkeypatch):
    monkeypatch.setattr(preview, "POLL_SECONDS", 0.02)


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=str)
@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("en", ("1 of 2 · pack/first", "a[tid]", "[/x] one word", "no [/] here", "of [red].")),
        ("zh", ("1 / 2 · pack/first", "读取什么？", "一个字", "不对", "因为如此。")),
    ],
)
async def test_everything_of_a_question_is_shown(file, size, language, parts):
    app = app_of(file, language=language)
    async with app.run_test(size=size) as pilot:
        await wait_for_text(pilot, *parts, app.say("preview.fine"))
        lines = screen_lines(app)
        assert len(lines) == size[1]
        assert all(cells(line) <= size[0] for line in lines)


async def test_from_question_to_question_and_from_language_to_language(file):
    async with app_of(file).run_test(size=NARROW) as pilot:
        await wait_for_text(pilot, "first")
        assert "The answer: 2 wavefronts" in await press(pilot, "n")
        assert "second" in await press(pilot, "right")
        text = await press(pilot, "l")
        assert "几个 wavefront？" in text
        assert "q 退出" in text
        assert "pack/first" in await press(pilot, "left", "p")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=str)
async def test_problems_are_those_of_lint_and_stand_by(file, size):
    file.write_text((FIRST + SECOND).replace("difficulty: 1", "difficulty: 9"), "utf-8")
    async with app_of(file).run_test(size=size) as pilot:
        text = await wait_for_text(
            pilot, "1 problem", "16:15 9 is more than 5", "What does a[tid] read?"
        )
        beside = any("a[tid]" in line and "1 problem" in line for line in text.splitlines())
        assert beside == (size == WIDE)


async def test_a_save_is_drawn_and_a_broken_one_keeps_the_last_good_picture(file):
    async with app_of(file, watch=True).run_test(size=WIDE) as pilot:
        await wait_for_text(pilot, "redrawn on save")
        await pilot.press("n")
        file.write_text((FIRST + SECOND).replace("Two words", "Three words"), "utf-8")
        await wait_for_text(pilot, "2 of 2", "Three words.")
        file.write_text("- id: [half", "utf-8")
        await wait_for_text(pilot, "shown: the last state", "Three words.", "1 problem")
        file.write_text((FIRST + SECOND).replace("Two words", "Four words"), "utf-8")
        await wait_for_text(pilot, "Four words.", "No problems.")


KERNEL = """\
id: double
kind: kernel
topic: banks
concept: c
difficulty: 2
prompt: {en: "Double `a`.", zh: "把 `a` 加倍。"}
kernel: double
arguments:
  - {name: a, dtype: float32, shape: [n]}
  - {name: out, dtype: float32, shape: [n], role: output}
shapes: [{n: 256}, {n: 100}]
launch: {grid: [ceil(n / 64)], block: [64]}
wrong:
  - {file: no-guard, fails: "findings: out-of-bounds", why: {en: "The end.", zh: "末尾。"}}
explanation: {en: "Twice as much.", zh: "两倍。"}
sources: [s]
"""
PYTHON = {
    "starter.py": "def double(a, out):\n    i = cuda.grid(1)\n",
    "solution.py": "def double(a, out):\n    i = cuda.grid(1)\n    if i < a.size:\n"
    "        out[i] = 2 * a[i]\n",
    "reference.py": "def reference(a):\n    return 2 * a\n",
    "wrong/no-guard.py": "def double(a, out):\n    i = cuda.grid(1)\n    out[i] = 2 * a[i]\n",
}
SPOT = """\
- id: late
  kind: spot
  topic: banks
  concept: c
  difficulty: 2
  prompt: {en: "What is wrong with {{name}}?", zh: "{{name}} 哪里错了？"}
  draw: {name: [part, tile]}
  code: |
    @cuda.jit
    def reverse(a, out):
        {{name}} = cuda.shared.array(64, numba.float32)
        t = cuda.threadIdx.x
        {{name}}[t] = a[t]
        out[t] = {{name}}[63 - t]
  arguments:
    - {name: a, dtype: float32, shape: [64]}
    - {name: out, dtype: float32, shape: [64], role: output}
  launch: {grid: [1], block: [64]}
  explanation: {en: "No barrier.", zh: "没有屏障。"}
  sources: [s]
"""


@pytest.fixture
def kernel(tmp_path) -> Path:
    """A kernel question in a folder of its own."""
    folder = tmp_path / "pack" / "double"
    (folder / "wrong").mkdir(parents=True)
    for name, text in PYTHON.items():
        (folder / name).write_text(text)
    (folder / "question.yaml").write_text(KERNEL, "utf-8")
    return folder / "question.yaml"


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("en", ("Double a.", "right at 2 shapes", "[counts]", "Twice as much.", "A solution",
                "    if i < a.size:", "The editor holds at first", "fails at findings: out-of",
                "The end.", "-    if i < a.size:", "No problems.")),
        ("zh", ("把 a 加倍。", "2 种形状", "[计数]", "两倍。", "编辑器最初的内容", "止步于",
                "末尾。", "没有问题。")),
    ],
)  # fmt: skip
async def test_of_a_kernel_solution_starter_and_mistakes_are_shown(kernel, language, parts):
    async with app_of(kernel, language=language).run_test(size=(100, 90)) as pilot:
        await wait_for_text(pilot, "pack/double", *parts)


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=str)
async def test_a_kernel_fits_the_screen(kernel, size):
    async with app_of(kernel).run_test(size=size) as pilot:
        await wait_for_text(pilot, "pack/double")
        lines = screen_lines(pilot.app)
        assert len(lines) == size[1]
        assert all(cells(line) <= size[0] for line in lines)


async def test_a_python_file_that_is_saved_is_drawn(kernel):
    async with app_of(kernel, watch=True).run_test(size=(100, 90)) as pilot:
        await wait_for_text(pilot, "redrawn on save")
        starter = kernel.with_name("starter.py")
        starter.write_text(PYTHON["starter.py"] + "    # do it\n")
        await wait_for_text(pilot, "# do it")
        wrong = kernel.parent / "wrong" / "no-guard.py"
        wrong.write_text(PYTHON["solution.py"])
        await wait_for_text(pilot, "1 problem", "must fail at findings: out-of-bounds")
        starter.unlink()
        await wait_for_text(pilot, "there is no starter.py", "# do it")
        starter.write_text(PYTHON["starter.py"])
        wrong.write_text(PYTHON["wrong/no-guard.py"])
        assert "# do it" not in await wait_for_text(pilot, "No problems.")


@pytest.mark.parametrize(
    ("language", "kinds"), [("en", "race in shared memory"), ("zh", "共享内存数据竞争")]
)
async def test_of_a_fault_its_lines_and_kinds_are_shown(file, language, kinds):
    file.write_text(SPOT, "utf-8")
    async with app_of(file, language=language).run_test(size=WIDE) as pilot:
        text = await wait_for_text(pilot, "pack/late", kinds)
        marked = [line for line in text.splitlines() if "✓" in line and "[" in line]
        assert [line.split()[:3] for line in marked] == [
            ["✓", "5", "part[t]"],
            ["✓", "6", "out[t]"],
        ]
        assert "{{" not in text
        assert "▶" not in text


async def test_code_without_a_fault_is_a_problem_and_is_shown(file):
    file.write_text(SPOT.replace("63 - t", "t"), "utf-8")
    async with app_of(file).run_test(size=WIDE) as pilot:
        text = await wait_for_text(pilot, "1 problem", "out[t] = part[t]")
        assert "✓" not in text


async def test_an_editor_that_saves_by_renaming_is_followed(file, monkeypatch):
    stamps, stamp = list[object](), preview._stamp
    monkeypatch.setattr(preview, "_stamp", lambda path: stamps.append(stamp(path)) or stamps[-1])
    async with app_of(file, watch=True).run_test(size=NARROW) as pilot:
        await wait_for_text(pilot, "first")
        file.unlink()
        await wait_until(pilot, lambda: stamps[-1] is None)
        beside = file.with_suffix(".tmp")
        beside.write_text(FIRST.replace("one word", "another word"), "utf-8")
        beside.replace(file)
        await wait_for_text(pilot, "1 of 1", "another word")


async def test_without_watch_nothing_is_read_again(file):
    async with app_of(file).run_test(size=NARROW) as pilot:
        await wait_for_text(pilot, "first")
        file.write_text(SECOND, "utf-8")
        await rest(pilot)  # which it never does while it watches
        assert "pack/first" in screen_text(pilot.app)


BROKEN = {
    "empty": b"",
    "no yaml": b"{{{{",
    "not utf-8": b"\xff\xfe\x00",
    "nul": b"a: \x00",
    "a scalar": b"hello",
    "unknown kind": b"- {id: a, kind: poem}",
    "numbers": b"- 1\n- 2",
    "a tag": b"- !!python/object:os.system {}",
    "deep": b"[" * 3000,
    "nested": b"[" * 3000 + b"]" * 3000,
    "uncomputable": SECOND.replace("answer: 2", "compute: 1/0").encode(),
}


@pytest.mark.parametrize("name", every(3, BROKEN, str))
async def test_no_content_breaks_it(file, name):
    file.write_bytes(BROKEN[name])
    async with app_of(file).run_test(size=NARROW) as pilot:
        await wait_for_text(pilot, "no valid question")
        await tap(pilot, "n", "p", "l", "down", "up")


async def test_what_breaks_right_after_it_was_read_breaks_nothing(file):
    file.write_text(FIRST, "utf-8")
    app = app_of(file, watch=True)
    file.write_bytes(BROKEN["uncomputable"])
    async with app.run_test(size=NARROW) as pilot:
        assert "pack/first" in await wait_for_text(pilot, "pack/first")


def test_a_question_that_breaks_stays_in_its_place(file):
    before = read(file, ROOTS, Examiner())
    file.write_text((FIRST + SECOND).replace("difficulty: 2", "difficulty: no"), "utf-8")
    now = read(file, ROOTS, Examiner())
    assert now.names == ["pack/second"]
    both = merge(before, now)
    assert both.names == ["pack/first", "pack/second"]
    assert both.kept
    assert both.problems == now.problems


def test_a_question_that_is_taken_out_is_gone(file):
    before = read(file, ROOTS, Examiner())
    file.write_text(SECOND, "utf-8")
    now = merge(before, read(file, ROOTS, Examiner()))
    assert now.names == ["pack/second"]
    assert not now.kept


def test_a_new_question_comes_after_a_broken_one(file):
    file.write_text(FIRST, "utf-8")
    before = read(file, ROOTS, Examiner())
    file.write_text(FIRST.replace("difficulty: 2", "difficulty: no") + SECOND, "utf-8")
    assert merge(before, read(file, ROOTS, Examiner())).names == ["pack/first", "pack/second"]


def test_nothing_merged_with_nothing():
    assert merge(Picture(), Picture()) == Picture()


def test_a_file_that_is_not_there_is_refused_before_any_screen(tmp_path):
    with pytest.raises(UsageError):
        preview.run(tmp_path / "none.yaml", watch=False, settings=Settings())


@pytest.mark.parametrize(("key", "status"), [("q", 0), ("escape", 0), ("ctrl+c", INTERRUPTED)])
async def test_it_ends(file, key, status):
    app = app_of(file)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press(key)
    assert (app.return_code or 0) == status


async def test_keys_can_be_remapped_and_clicked(file):
    app = app_of(file, keys={"next": "ctrl+n"})
    async with app.run_test(size=NARROW) as pilot:
        last = (await wait_for_text(pilot, "pack/first")).splitlines()[-1]
        assert "^n next" in last
        assert "2 of 2" in await press(pilot, "ctrl+n")
        await pilot.click(offset=(last.index("previous"), NARROW[1] - 1))
        assert "1 of 2" in await press(pilot)


async def test_it_opens_no_store(file, tmp_path, monkeypatch):
    monkeypatch.setenv("QUIZ_HOME", str(tmp_path / "home"))
    async with app_of(file).run_test(size=NARROW) as pilot:
        await wait_for_text(pilot, "pack/first")
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(("language", "words"), [("en", "Which bank"), ("zh", "地址")])
async def test_a_follow_up_that_is_another_question_is_named_by_its_first_words(
    file, language, words
):
    shipped = "shared-memory/calc-bank-of-byte-address"
    file.write_text(FIRST + f"  follow_ups: [second, {shipped}]\n" + SECOND, "utf-8")
    async with app_of(file, language=language).run_test(size=(120, 60)) as pilot:
        text = await wait_for_text(pilot, f"({shipped})")
        assert re.search(r"1\. \S.* \(second\)", text)
        assert re.search(rf"2\. .*{words}[^│]*\s+\({shipped}\)", text)
