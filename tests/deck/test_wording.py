"""Rules of language: what they refuse, what they leave alone, and that our own texts keep them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quizapp.deck.glossary import Meaning, RefusedWording, Term, read_terms
from quizapp.deck.linting.lint import lint
from quizapp.deck.linting.wording import Wording
from quizapp.report.words import Words
from quizapp.system.paths import shipped_content
from tests.deck.tools import question
from tests.sentences import catalogue

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PAGES = [page for page in PAGES if page.name != "glossary.md"]  # it lists what is refused

SM = Term(
    "SM", "SM", Meaning("m.", "义。"), True, RefusedWording(("multiprocessor",), ("多处理器",))
)
TMA = Term(
    "TMA", "TMA", Meaning("m.", "义。"), True, RefusedWording(("tensor copy",), ("张量拷贝",))
)
RULES = Wording((SM, TMA))
EN = Words("en")


def refused(text: str, language: str = "en") -> list[tuple[str, str]]:
    """What is refused in a text: (characters, advice)."""
    found = RULES.refusals(text, language)
    return [(refusal.text, EN.hint(refusal.what)) for refusal in found]


@pytest.mark.parametrize(
    ("text", "part", "advice"),
    [
        ("Each Multiprocessor has 32 banks.", "Multiprocessor", "SM"),
        ("A tensor copy writes it.", "tensor copy", "TMA"),
        ("at most two barriers a block", "barriers a block", "per"),
        ("It moves 8 bytes a lane, in order.", "bytes a lane", "per"),
        ("four loads a thread into a register", "four loads a thread", "per"),
        ("The length is no multiple of 32.", "is no m", "is not a"),
        ("a stage that nobody filled", "nobody", "subject"),
        ("Neighbouring lanes", "Neighbouring", "Neighboring"),
        ("It synchronises and optimises.", "synchronises", "synchronizes"),
        ("UNINITIALISED", "UNINITIALISED", "UNINITIALIZED"),
        ("an analysed access", "analysed", "analyzed"),
        ("the centre of the grey tile", "centre", "center"),
        ("about 27 % slower", "7 %", "space"),
        ("It takes some 0.2 s each.", "some ", "about"),
        ("It saves some microseconds.", "some ", "a few"),
        ("Look at the time line.", "time line", "timeline"),
        ("It costs more than it must.", "than it must", "needs to"),
        ("Half the warps take half of the time.", "half of the ", "half the"),
        ("114 KB are rounded up.", "are", "is"),
    ],
)
def test_english_that_is_refused(text, part, advice):
    found, hint = refused(text)[0]
    assert found == part
    assert advice in hint


@pytest.mark.parametrize(
    "text",
    [
        "`multiprocessor` and `// 4 bytes a lane` are code",
        "```cuda\n// the multiprocessor takes 8 bytes a lane\n```",
        "the multiprocessors' own name",
        "One warp reads a column: lane i reads one word.",
        "Which rows a thread reads does not matter.",
        "warp 0 loads a row, the others wait",
        "There is no barrier.",
        "It is no longer valid, and no faster: 100% of it is no more.",
        "analysis, practice, promise, precise, exercise, otherwise, likewise, raise, noise",
        "a size of 8 % 3 elements",
        "256 MB are copied in, and some lanes wait some of the time, half of the rows",
    ],
)
def test_english_that_is_left_alone(text):
    assert refused(text) == []


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("每个多处理器有 32 个 bank。", "多处理器"),
        ("一次张量拷贝", "张量拷贝"),
        ("快 27 % 左右", "7 %"),
        ("每个warp一次", "个"),
        ("先读取,再写入", "取,"),
        ("每个线程只许写一次", "只许"),
    ],
)
def test_chinese_that_is_refused(text, part):
    assert part in dict(refused(text, "zh"))


@pytest.mark.parametrize(
    "text",
    [
        "冲突路数是 gcd(步长, 32)。",
        "位于 (行, 列)。",
        "见 `tile[i]`，每个 warp 12.5%。",
        "对 {{n}} 个元素：允许。",
    ],
)
def test_chinese_that_is_left_alone(text):
    assert refused(text, "zh") == []


GLOSSARY = """\
- en: SM
  zh: SM
  keep: true
  means: {en: "m.", zh: "义。"}
  never: {en: [multiprocessor], zh: [多处理器]}
"""


def test_lint_names_place_wording_and_term(tmp_path):
    (tmp_path / "pack").mkdir()
    file = tmp_path / "pack" / "a.yaml"
    file.write_text(question(explanation="One per multiprocessor."), encoding="utf-8")
    (tmp_path / "glossary.yaml").write_text(GLOSSARY, encoding="utf-8")
    (problem,) = lint([], [str(tmp_path)]).problems
    line = file.read_text(encoding="utf-8").splitlines()[problem.line - 1]
    assert line[problem.column - 1 :].startswith("multiprocessor")
    assert EN.fact(problem.what) == "the text says “multiprocessor”"
    assert EN.hint(problem.what) == "the term of the glossary is “SM”"


def test_a_pack_without_a_glossary_is_held_to_the_shipped_terms(tmp_path):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "a.yaml").write_text(
        question(explanation="一个核函数,最多两个线程束 and two barriers a block"), encoding="utf-8"
    )
    problems = lint([], [str(tmp_path)]).problems
    assert {EN.fact(problem.what) for problem in problems} == {
        "the text says “核函数”",
        "the text says “线程束”",
    }


@pytest.fixture(scope="module")
def shipped():
    return Wording(read_terms(shipped_content()))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_screens_keep_the_rules(shipped, language):
    for key, texts in catalogue().items():
        if key.startswith("wording."):  # they quote what is refused
            continue
        text = re.sub(r"\{[^{}]*\}", "…", texts[language == "zh"])  # a field may hold any script
        assert [refusal.text for refusal in shipped.refusals(text, language)] == [], (key, text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_documents_keep_the_rules(shipped, page):
    text = page.read_text(encoding="utf-8")
    found = [(text[: r.offset].count("\n") + 1, r.text) for r in shipped.refusals(text, "en")]
    assert found == []
