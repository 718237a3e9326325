"""The catalogue against the source: no key missing, none unused, both languages alike."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from grader import wire
from grader.compiled import MIX
from grader.facts import fact
from grader.gpu import GATES as GPU_GATES
from grader.kernels import GATES
from grader.kernels.costs import KINDS as COSTS
from grader.simt.checks.findings import Kind
from quizapp.domain.kernel import FAULTS, SPOTTABLE
from quizapp.domain.log.events import UNDOABLE
from quizapp.domain.question import KINDS, LANGUAGES
from quizapp.domain.queue import Stage
from quizapp.domain.rating import Confidence, Rating, Rule
from quizapp.report.numbered_code import kind_name
from quizapp.report.verdicts.compiled_verdict import COLUMNS
from quizapp.report.verdicts.kernel_views import VIEWS
from quizapp.report.words import Words, parse, texts
from quizapp.study.browsing import FILTERS, MARKS, State
from quizapp.tui.keys import KEYS
from tests.sentences import catalogue
from tests.study.tools import ROOT

SOURCES = (ROOT / "quizapp", ROOT / "grader")
CATALOGUE = ROOT / "quizapp" / "report" / "words"
HAN = re.compile("[\u3400-\u9fff]")

SAME_IN_BOTH = re.compile(
    r"(?:[\W\d_]|bank|warp|lane|sms?|swizzle|gemm|padding|stencils?|gpu|abi|cuda c|cuda|hopper"
    r"|triton|mb|gib|numba|kernel|wave|wavefront|sector|pass)*",
    re.IGNORECASE,
)
"""Texts, their fields taken out, that need no Chinese: signs and kept terms."""

OTHER_FIELDS = {"date": "English names the month, Chinese numbers it; the caller gives both"}

FINDINGS = get_args(Kind)

FAMILIES = {
    "analysis.column.": "columns of the tables of `quiz banks`",
    "access.": "accesses of exercises, by name",
    "layout.gate.": "gates of a layout",
    "ask.why.": "why there are no questions about a kernel",
    "basis.": "what counts refer to",
    "batch.column.": "columns of the summary of a class",
    "batch.count.": "what came of submissions",
    "calibration.column.": "columns of `quiz calibrate`",
    "calibration.count.": "accesses by how model and clock compare",
    "calibration.state.": "how model and clock compare",
    "code.": "languages of a kernel",
    "compile.column.": "columns of what the compiler says",
    "compile.memory.": "why a kernel has local memory",
    "compile.mix.": "instructions by kind",
    "confidence.": "levels of confidence by number",
    "compare.measure.": "counts that are compared",
    "counter.": "counters of the emulator",
    "docs.title.": "documents, by file",
    "source.tool.": "modules that computed something, by name",
    "source.note.": "what came of checking a source",
    "source.": "how a fact of a question was found out, as content writes it",
    "doctor.health.": "how bad a finding of doctor is",
    "doctor.name.": "what doctor looks at, where it has a name of its own",
    "doctor.section.": "sections of doctor",
    "finding.kind.": "kinds of findings",
    "repair.counted.": "what a change makes less",
    "guide.kind.": "how each kind of question works",
    "browser.column.": "columns of the browser",
    "browser.filter.": "what the browser can be narrowed to",
    "browser.mark.": "what can be said of a question beside that",
    "browser.state.": "how a question stands",
    "gpu.cost.": "what a slow kernel does more than the solution",
    "gpu.gate.": "gates of a GPU",
    "gpu.limit.": "what keeps more blocks from a multiprocessor",
    "guide.keys.": "parts of the help",
    "config.about.": "keys of the settings, as `quiz config` lists them",
    "config.source.": "what decided a setting",
    "pack.column.": "columns of `quiz pack list`",
    "pack.source.": "where a pack is from",
    "paths.": "places that `quiz paths` names",
    "trust.column.": "columns of `quiz trust`",
    "help.": "commands of the command line; tests/commands/test_cli.py knows which",
    "help.any.": "options of several commands",
    "help.metavar.": "values that a command takes",
    "help.section.": "sections of the list of commands",
    "key.": "bindings, in footer and help",
    "kernel.gate.": "gates of a kernel",
    "kernel.view.": "views of the verdict on a kernel",
    "kind.": "kinds of questions",
    "limit.over.": "what it means that a counter is above its limit",
    "limit.under.": "what it means that a counter is below its limit, and what to try",
    "mock.column.": "columns of interviews and their reports",
    "mock.skill.": "what an interview shows of a candidate",
    "nsight.cause.": "why a counter differs from what was measured, in a word",
    "nsight.limit.": "what limits a measured kernel",
    "nsight.next.": "what to look at next",
    "nsight.why.": "why a counter differs from what was measured",
    "mock.ending.": "how an interview ended, in a word",
    "mock.ending-said.": "how an interview ended, as a sentence",
    "mock.state.": "how a stage of an interview went",
    "mock.probed.": "what a question about a kernel asked",
    "mock.without.": "why stages of an interview are not graded",
    "mutant.": "changes of a right kernel",
    "mock.style.": "styles of interviews",
    "month.": "months by number",
    "palette.": "what the command palette says of its commands",
    "spot.cost.": "what a line costs, by kind",
    "plain.command.": "commands of the plain mode by letter",
    "rescue.way.": "ways out when progress is damaged or lost",
    "plain.what.": "what was undone in the plain mode, by tag of the event",
    "profile.cost.": "what a costly line wastes, by memory",
    "profile.resource.": "what can limit a launch",
    "probe.edit.": "changes of a kernel",
    "probe.outcome.": "what a changed launch came to",
    "probe.symptom.": "the same without its lines",
    "probe.value.": "what an output may hold",
    "probe.why.kind.": "why a fault is of no other kind",
    "probe.why.value.": "why an output does not hold something else",
    "probe.why.": "why an answer to a question about a kernel is wrong",
    "proof.column.": "columns of the tables of `quiz lint`",
    "rating.": "ratings by number",
    "rule.": "rules of rating",
    "setting.": "keys of the configuration",
    "settings.language.": "languages by code",
    "settings.job.": "kinds of jobs",
    "spot.kind.": "kinds of faults, where they are called otherwise than what was found",
    "stage.": "stages of the session",
    "unit.": "units of answers",
    "weekday.": "days of the week by number",
    "welcome.": "parts of the first screen",
}
"""Beginnings that f-strings complete: `say(f"rule.{rule}")`. A new one has to be listed here."""

GIVEN_BEGINNINGS = ("study.undone", "study.redone", "guide.grading", "guide.rating", "guide.signs")
"""Beginnings that are handed on as a whole: `say(f"{heading}.{name}")`."""

GIVEN_ENDINGS = re.compile(r"plain\.(un|re)do(_none)?")
"""Keys whose end alone is handed on."""

UNDONE = [str(body.__struct_config__.tag) for body in UNDOABLE]
"""What a key undoes, by the tags of the events."""

KEY = re.compile(r"[a-z0-9-]+(\.[a-z0-9_-]+)+")


def sources() -> list[Path]:
    found = [path for source in SOURCES for path in source.rglob("*.py")]
    return [path for path in found if CATALOGUE not in path.parents]


@cache
def trees() -> list[ast.Module]:
    return [ast.parse(path.read_text("utf-8")) for path in sources()]


@cache
def nodes() -> list[tuple[Path, ast.Constant | ast.JoinedStr | ast.Call]]:
    """Every node that may hold a key, with its file: one walk for all tests."""
    kinds = ast.Constant | ast.JoinedStr | ast.Call
    return [
        (path, node)
        for path, tree in zip(sources(), trees(), strict=True)
        for node in ast.walk(tree)
        if isinstance(node, kinds)
    ]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def strings() -> set[str]:
    """Every string constant of the application."""
    return {
        node.value
        for _, node in nodes()
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def beginnings() -> set[str]:
    """What stands before the first field of every f-string that could be a key."""
    heads = {
        str(node.values[0].value)
        for _, node in nodes()
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant)
    }
    parts = {key.split(".")[0] for key in catalogue()}
    return {
        head for head in heads if re.fullmatch(r"[a-z.-]+\.", head) and head.split(".")[0] in parts
    }


def find_literals() -> list[tuple[str, str]]:
    """Keys that are looked up by a literal: (place, key)."""
    found = []
    for path, node in nodes():
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = node.args[0]
            literal = isinstance(first, ast.Constant) and isinstance(first.value, str)
            if name in ("say", "words") and literal and KEY.fullmatch(str(first.value)):
                found.append((f"{path.relative_to(ROOT)}:{node.lineno}", str(first.value)))
    return found


@cache
def facts() -> list[tuple[str, ast.Call]]:
    """Every `fact("code", …)` of the product: (place, call)."""
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno}", node)
        for path, node in nodes()
        if isinstance(node, ast.Call) and makes_fact(node.func) and imports_facts(path)
    ]


@cache
def imports_facts(path: Path) -> bool:
    found = re.search(r"grader\.facts import|grader import .*facts", path.read_text("utf-8"))
    return found is not None


def makes_fact(called: ast.expr) -> bool:
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        return (called.value.id, called.attr) == ("facts", "fact")
    return isinstance(called, ast.Name) and called.id == "fact"


def test_every_fact_has_a_literal_code_with_a_sentence_of_the_same_fields():
    assert facts()
    for place, call in facts():
        code = call.args[0]
        assert isinstance(code, ast.Constant), (place, "a code is written out, so it can be found")
        assert code.value in catalogue(), (place, code.value)
        given = {keyword.arg for keyword in call.keywords}
        if None in given:  # **fields
            continue
        for key in spellings(str(code.value)):
            for text in catalogue().get(key, ()):
                assert fields(text) <= given, (place, key, "a field that is not given")


def spellings(code: str) -> tuple[str, ...]:
    """Keys that are looked up for a fact: its sentence, its advice, those for CUDA C++."""
    keys = (code, f"{code}.one", f"{code}.hint")
    return (*keys, *(f"{key}.cuda" for key in keys))


def base(key: str) -> str:
    """The code of the fact whose sentence or advice it is."""
    return key.removesuffix(".cuda").removesuffix(".one").removesuffix(".hint")


def bare(text: str) -> str:
    """A sentence without what its fields hold and without quotation marks."""
    return re.sub("[\"'`“”‘’]", "", re.sub(r"\{[^}]*\}", "#", text))


def test_a_sentence_is_said_under_one_key():
    """Names of things may coincide; a sentence has at least three words.

    Advice that is looked up by the code of its fact, `code.hint`, may be that for another fact, in
    the same Chinese too.
    """
    said: dict[str, str] = {}
    for key, (english, chinese) in catalogue().items():
        words = re.findall(r"[A-Za-z-]+", bare(english))
        if len(words) < 3 or key.startswith(("rule.covered", "key.")):
            continue
        other = said.setdefault(bare(english), key)
        if other == key:
            continue
        same = bare(chinese) == bare(catalogue()[other][1])
        if key.endswith(".hint") or other.endswith(".hint"):
            assert same, (key, other, "one advice, two translations")
        else:
            assert not same, (key, other)
            assert len(words) == 3, (key, other, "one sentence, two translations")


def test_no_text_of_the_command_line_advises_a_key():
    """In a shell there is none; a form of the screens (`goal.form`) and bindings have keys."""
    advice = re.compile(r"\bkeys? (for|that)\b|\bpress\b|撤销键", re.IGNORECASE)
    for language in LANGUAGES:
        sections = (CATALOGUE / f"{language}.txt").read_text("utf-8").split("\n## ")
        shell = [section for section in sections if section.startswith("command_line/")]
        assert shell
        for line in "\n".join(shell).splitlines():
            assert not advice.search(line), line


def test_both_languages_have_the_same_keys_in_the_same_sections():
    files = [(CATALOGUE / f"{language}.txt").read_text("utf-8") for language in LANGUAGES]
    english, chinese = (
        re.findall(r"^## [a-z_/]+|^[^#\s].*?(?= =)", f, re.MULTILINE) for f in files
    )
    assert english == chinese
    assert list(texts("en")) == list(texts("zh"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# note\n\na.b = 1 = {n}\n", {"a.b": "1 = {n}"}),
        ('a = " b "\nc = "d\n', {"a": " b ", "c": '"d'}),
        ("a =\n    one\n\n      two\n\nb = c", {"a": "one\n\n  two", "b": "c"}),
        ("a = one\n    two\n", {"a": "one\ntwo"}),
    ],
)
def test_a_text_is_read_as_it_stands(text, found):
    assert parse(text) == found


@pytest.mark.parametrize("text", ["a = 1\na = 2", "a = 1\nwithout a text"])
def test_a_line_that_is_no_text_is_named(text):
    with pytest.raises(ValueError, match="line 2"):
        parse(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_from_outside_takes_no_line_of_its_own(language):
    say, name = Words(language), "a\n0 events taken in\t\r\n"
    strange = fact("anki.strange-member", name=name)
    said = [
        say("import.empty", file=name),
        say("import.taken-back", origin=name, answers="2"),
        say("sync.no-folder", folder=name),
        say.fact(fact("anki.unreadable", file=name, reason=strange)),
    ]
    for text in said:
        assert len(text.splitlines()) == 1
        assert r"a\n0 events" in text


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
        bare = re.sub(r"\{\w+[^}]*\}|--[a-z-]+|`[^`]*`", "", chinese)
        assert HAN.search(chinese) or SAME_IN_BOTH.fullmatch(bare), (key, chinese)


def test_a_singular_has_its_plural_and_no_field_that_the_plural_has_not():
    for key, said in catalogue().items():
        if key.endswith(".one") and key.removesuffix(".one") in catalogue():
            plural = catalogue()[key.removesuffix(".one")]
            for one, many in zip(said, plural, strict=True):
                assert fields(one) <= fields(many), key


def test_every_key_that_is_said_exists():
    keys = find_literals()
    assert len(keys) > 50
    missing = [(place, key) for place, key in keys if key not in catalogue()]
    assert missing == []


def test_a_fact_with_any_key_comes_back_from_a_worker():
    told = [key for key in catalogue() if key.startswith(("probe.", "repair.", "finding."))]
    assert [key for key in told if not wire._CODE.fullmatch(key)] == []


def test_every_key_is_used():
    used = strings()
    made = (*FAMILIES, *(f"{name}." for name in GIVEN_BEGINNINGS))
    unused = [
        key
        for key in catalogue()
        if not ({key, key.removesuffix(".one"), base(key)} & used)
        if not key.startswith(made)
        if not GIVEN_ENDINGS.fullmatch(key)
    ]
    assert unused == []


def test_every_family_is_listed_and_made_somewhere():
    assert beginnings() - {"plain."} == set(FAMILIES)
    for family in FAMILIES:
        assert any(key.startswith(family) for key in catalogue()), family


CAPITALS = re.compile(r"\{|[A-Z]+\b|C\+\+|Chinese|Numba|None|Python|Triton")
"""What a clause may begin with beside a small letter: a field, an acronym, a name."""
PLAIN = re.compile(r"\w+[.@]\w+|quiz ")
"""What a full sentence may begin with beside a capital: a file, an address, the program."""


@cache
def codes() -> set[str]:
    return {str(call.args[0].value) for _, call in facts()}  # type: ignore[attr-defined]


def is_clause(key: str) -> bool:
    """True for what a fact says, and for its advice.

    It stands behind `quiz: `, behind a place, or in another sentence, as those of rustc and uv do.
    """
    code = base(key)
    return code in codes() and not code.endswith(".question") and code not in SUMMARIES


SUMMARIES = ("lint.clean", "lint.found")
"""Facts that are shown alone, as sentences."""


def test_what_a_fact_says_is_a_clause_without_capital_and_full_stop():
    for key, (english, chinese) in catalogue().items():
        if is_clause(key):
            assert not english[0].isupper() or CAPITALS.match(english), (key, english)
            assert not re.search(r"[\w)}`]\.( [A-Z]|$)", english), (key, english)
            assert "。" not in chinese, (key, chinese)


def test_what_ends_with_a_full_stop_is_a_sentence_in_both_languages():
    for key, (english, chinese) in catalogue().items():
        if not is_clause(key):
            stop = english.endswith(".") and not english.endswith("…")
            assert stop == chinese.endswith("。"), (key, english, chinese)
            assert not (stop and english[0].islower()) or PLAIN.match(english), (key, english)


def test_chinese_has_its_own_punctuation():
    """Between Chinese characters; ASCII signs are those of code and of numbers."""
    for key, (_, chinese) in catalogue().items():
        bare = re.sub(r"`[^`]*`|\{[^}]*\}", "x", chinese)
        assert not re.search(rf"{HAN.pattern}[(),;:?!.](?![\w=])|[,;] ?{HAN.pattern}", bare), (
            key,
            chinese,
        )


def test_every_document_has_its_title():
    pages = (ROOT / "docs").glob("*.md")
    titles = {path.stem: path.read_text("utf-8").split("\n")[0] for path in pages}
    known = {f"docs.title.{name}": title.removeprefix("# ") for name, title in titles.items()}
    said = {key: said[0] for key, said in catalogue().items() if key.startswith("docs.title.")}
    assert said == known


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
        ("study.undone", [*UNDONE]),
        ("study.redone", [*UNDONE]),
        ("browser.mark", [*MARKS]),
        ("browser.state", [state.value for state in State]),
        ("finding.kind", FINDINGS),
        ("gpu.gate", [*GPU_GATES]),
        ("check", [gate for gate in GATES if gate not in ("source", "result")]),
        ("gpu.cost", [*COSTS]),
        ("kernel.gate", [*GATES]),
        (
            "kernel.view",
            [view for view in VIEWS if view != "twin"],
        ),  # which has its language's name
        ("compile.mix", [*MIX]),
        ("compile.memory", ["spills", "local"]),
        ("compile.column", [*COLUMNS]),
        ("gpu.limit", ["registers", "shared memory", "threads", "blocks"]),
    ],
)
def test_every_member_of_a_family_has_its_words(prefix, values):
    missing = [value for value in values if f"{prefix}.{value}" not in catalogue()]
    assert missing == []


def test_every_counter_that_has_a_name_says_what_it_means_to_be_above_its_limit():
    named = [key.removeprefix("counter.") for key in catalogue() if key.startswith("counter.")]
    assert [name for name in named if f"limit.over.{name}" not in catalogue()] == []


def test_every_fault_that_can_be_named_has_a_name_of_its_own():
    for language in LANGUAGES:
        names = [kind_name(kind, Words(language)) for kind in SPOTTABLE]
        assert len(set(names)) == len(SPOTTABLE)
    assert {*FAULTS} <= {*FINDINGS}


def test_every_filter_of_the_browser_has_its_words():
    for name in FILTERS:
        assert {f"browser.filter.{name}", f"browser.state.{name}"} & set(catalogue()), name


@pytest.mark.parametrize(
    ("n", "en", "zh"),
    [(1, "tomorrow", "明天"), (2, "in 2 days", "2 天后"), (0, "in 0 days", "0 天后")],
)
def test_a_number_takes_the_singular_only_when_it_is_one(n, en, zh):
    assert Words("en")("home.when-days", n=n) == en
    assert Words("zh")("home.when-days", n=n) == zh


def test_an_unknown_key_is_an_error_unless_a_text_is_given_for_it():
    with pytest.raises(KeyError):
        Words("en")("no.such.key")
    assert Words("zh").get("kind.own-kind", "own-kind") == "own-kind"
    assert Words("zh").get("kind.choice", "?") == "选择"
