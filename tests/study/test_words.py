"""The catalogue against the source: no key missing, none unused, both languages alike."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from grader.gpu import GATES as GPU_GATES
from grader.kernels import GATES
from grader.simt import Finding
from grader.simt.findings import Kind
from quizapp.domain.kernel import SPOTTABLE
from quizapp.domain.question import KINDS, LANGUAGES
from quizapp.domain.rating import Confidence, Rating, Rule
from quizapp.domain.session import Stage
from quizapp.kernel_verdict import VIEWS, finding_text
from quizapp.numbered_code import kind_name
from quizapp.study.browsing import FILTERS, State
from quizapp.tui.keys import KEYS
from quizapp.words import PARTS, Words, catalogue
from tests.study.tools import ROOT

SOURCE = ROOT / "quizapp"
HAN = re.compile("[\u3400-\u9fff]")

SAME_IN_BOTH = re.compile(r"[\W\d_]*|bank|swizzle|gemm|gpu", re.IGNORECASE)
"""Texts, their fields taken out, that need no Chinese: signs and kept terms."""

FOUND = ("race", "global-race", "uninitialised-read", "barrier-divergence", "out-of-bounds")
OTHER_FIELDS = {
    "date": "English names the month, Chinese numbers it; the caller gives both",
    **{
        f"finding.{kind}": "English is the emulator's own sentence"
        for kind in (*FOUND, "never-written", "budget")
    },
}

FINDINGS = get_args(Kind)

FAMILIES = {
    "access.": "accesses of exercises, by name",
    "layout.gate.": "gates of a layout",
    "basis.": "what counts refer to",
    "confidence.": "levels of confidence by number",
    "confirm.": "yes and no",
    "counter.": "counters of the emulator",
    "finding.": "what the emulator found, in a sentence",
    "finding.kind.": "kinds of findings",
    "browser.column.": "columns of the browser",
    "browser.filter.": "what the browser can be narrowed to",
    "browser.kind.": "kinds of questions, short",
    "browser.state.": "how a question stands",
    "gpu.gate.": "gates of a GPU",
    "gpu.limit.": "what keeps more blocks from a multiprocessor",
    "gpu.why.": "why no GPU said anything, where Chinese says it otherwise",
    "guide.keys.": "parts of the help",
    "key.": "bindings, in footer and help",
    "kernel.gate.": "gates of a kernel",
    "kernel.view.": "views of the verdict on a kernel",
    "kind.": "kinds of questions",
    "month.": "months by number",
    "palette.": "what the command palette says of its commands",
    "plain.command.": "commands of the plain mode by letter",
    "plain.what.": "what was undone in the plain mode, by tag of the event",
    "rating.": "ratings by number",
    "rule.": "rules of rating",
    "setting.": "keys of the configuration",
    "settings.language.": "languages by code",
    "spot.kind.": "kinds of faults, where they are called otherwise than what was found",
    "stage.": "stages of the session",
    "unit.": "units of answers",
    "topic.": "topics of the content",
    "weekday.": "days of the week by number",
    "welcome.": "parts of the first screen",
}
"""Beginnings that f-strings complete: `say(f"rule.{rule}")`. A new one has to be listed here."""

GIVEN_BEGINNINGS = ("study.undone", "guide.grading", "guide.rating", "guide.signs")
"""Beginnings that are handed on as a whole: `say(f"{heading}.{name}")`."""

GIVEN_ENDINGS = re.compile(r"plain\.(un|re)do(_none)?")
"""Keys whose end alone is handed on."""

KEY = re.compile(r"[a-z0-9-]+(\.[a-z0-9_-]+)+")


def sources() -> list[Path]:
    return [path for path in SOURCE.rglob("*.py") if path.parent.name != "words"]


@cache
def trees() -> list[ast.Module]:
    return [ast.parse(path.read_text("utf-8")) for path in sources()]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def strings() -> set[str]:
    """Every string constant of the application."""
    return {
        node.value
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def beginnings() -> set[str]:
    """What stands before the first field of every f-string that could be a key."""
    heads = {
        str(node.values[0].value)
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant)
    }
    parts = {key.split(".")[0] for key in catalogue()}
    return {
        head for head in heads if re.fullmatch(r"[a-z.-]+\.", head) and head.split(".")[0] in parts
    }


def said() -> list[tuple[str, str]]:
    """Keys that are looked up by a literal: (place, key)."""
    found = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                first = node.args[0]
                literal = isinstance(first, ast.Constant) and isinstance(first.value, str)
                if name in ("say", "words") and literal and KEY.fullmatch(str(first.value)):
                    found.append((f"{path.relative_to(ROOT)}:{node.lineno}", str(first.value)))
    return found


def test_every_part_is_read_and_every_file_is_a_part():
    files = {path.stem for path in (SOURCE / "words").glob("*.py")} - {"__init__"}
    assert files == set(PARTS)


def test_every_text_has_both_languages_with_the_same_fields():
    for key, (english, chinese) in catalogue().items():
        assert english.strip(), key
        assert chinese.strip(), key
        if key not in OTHER_FIELDS:
            assert fields(english) == fields(chinese), key


def test_the_chinese_is_chinese_and_the_english_is_not():
    for key, (english, chinese) in catalogue().items():
        if "language" in key:  # languages are named in themselves
            continue
        assert not HAN.search(english), key
        bare = re.sub(r"\{\w+\}", "", chinese)
        assert HAN.search(chinese) or SAME_IN_BOTH.fullmatch(bare), (key, chinese)


def test_a_singular_has_its_plural_and_no_field_that_the_plural_has_not():
    for key, texts in catalogue().items():
        if key.endswith(".one") and key.removesuffix(".one") in catalogue():
            plural = catalogue()[key.removesuffix(".one")]
            for one, many in zip(texts, plural, strict=True):
                assert fields(one) <= fields(many), key


def test_every_key_that_is_said_exists():
    keys = said()
    assert len(keys) > 50
    missing = [(place, key) for place, key in keys if key not in catalogue()]
    assert missing == []


def test_every_key_is_used():
    used = strings()
    made = (*FAMILIES, *(f"{name}." for name in GIVEN_BEGINNINGS))
    unused = [
        key
        for key in catalogue()
        if not ({key, key.removesuffix(".one")} & used or key.startswith(made))
        if not GIVEN_ENDINGS.fullmatch(key)
    ]
    assert unused == []


def test_every_family_is_listed_and_made_somewhere():
    assert beginnings() - {"plain."} == set(FAMILIES) - {"topic.", "unit."}  # made in `Words`
    for family in FAMILIES:
        assert any(key.startswith(family) for key in catalogue()), family


def test_every_binding_has_its_words():
    for name in KEYS:
        assert f"key.{name}" in catalogue(), name


@pytest.mark.parametrize(
    ("prefix", "values"),
    [
        ("rule", [rule.value for rule in Rule]),
        ("rating", [str(rating.value) for rating in Rating]),
        ("confidence", [str(level.value) for level in Confidence]),
        ("stage", [stage.value for stage in Stage]),
        ("kind", [*KINDS]),
        ("basis", ["as-written", "as-compiled"]),
        ("weekday", [str(n) for n in range(7)]),
        ("month", [str(n) for n in range(1, 13)]),
        ("study.undone", ["answer", "bury", "suspend", "flag"]),
        ("browser.state", [state.value for state in State]),
        ("browser.kind", [*KINDS]),
        ("finding", FINDINGS),
        ("finding.kind", FINDINGS),
        ("gpu.gate", [*GPU_GATES]),
        ("kernel.gate", [*GATES]),
        ("kernel.view", [*VIEWS]),
    ],
)
def test_every_member_of_a_family_has_its_words(prefix, values):
    missing = [value for value in values if f"{prefix}.{value}" not in catalogue()]
    assert missing == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_finding_is_told_in_a_sentence_without_gaps(language):
    """Its fields are those that `finding_text` gives; English is what the emulator said."""
    for kind in FINDINGS:
        found = Finding(kind, 3, 5, "the message", array="tile", index=(1, 2), other_line=7)
        text = finding_text(found, Words(language))
        assert text == "the message" if language == "en" else text, kind
        assert "{" not in text


def test_every_fault_that_can_be_named_has_a_name_of_its_own():
    for language in LANGUAGES:
        names = [kind_name(kind, Words(language)) for kind in SPOTTABLE]
        assert len(set(names)) == len(SPOTTABLE)
    assert set(SPOTTABLE) <= set(FINDINGS)


def test_every_filter_of_the_browser_has_its_words():
    for name in FILTERS:
        assert {f"browser.filter.{name}", f"browser.state.{name}"} & set(catalogue()), name


@pytest.mark.parametrize(
    ("n", "en", "zh"),
    [(1, "tomorrow", "明天"), (2, "in 2 days", "还有 2 天"), (0, "in 0 days", "还有 0 天")],
)
def test_a_number_takes_the_singular_only_when_it_is_one(n, en, zh):
    assert Words("en")("home.in-days", n=n) == en
    assert Words("zh")("home.in-days", n=n) == zh


def test_an_unknown_key_is_an_error_unless_a_text_is_given_for_it():
    with pytest.raises(KeyError):
        Words("en")("no.such.key")
    assert Words("zh").get("topic.own-topic", "own-topic") == "own-topic"
    assert Words("zh").get("topic.padding", "?") == "填充"
