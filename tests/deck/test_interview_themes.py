"""Themes of mock interviews: what is wrong with one, and where; what the shipped ones promise."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from quizapp.deck.index import is_theme, sources
from quizapp.deck.interview_themes import load_themes
from quizapp.deck.linting.lint import lint
from quizapp.deck.writing.templates import theme_text
from quizapp.domain.interview_theme import (
    choose_themes,
    fill_quotes,
    quotes_in,
)
from quizapp.domain.question import prose

CONTENT = Path(__file__).parents[2] / "content"
GOOD = theme_text("a-theme", "schema.json", ("en",), "en")
SAY = """\
  - name: say
    minutes: 1
    ask: {kind: recall, prompt: a, answer: b, rubric: [{point: c}, {point: d}], explanation: e}
"""


def problems(folder: Path, text: str, name: str = "pack/mock/a.yaml") -> list[tuple[str, int, int]]:
    """The code, line, and column of each problem of a theme."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    found = lint([], [str(folder)]).problems
    return [(p.what.code, p.line, p.column) for p in found]


def test_the_template_has_no_problem(tmp_path):
    assert problems(tmp_path, GOOD) == []


def line_of(part: str, text: str) -> int:
    return next(i for i, line in enumerate(text.splitlines(), 1) if part in line)


@pytest.mark.parametrize(
    ("before", "after", "code", "at"),
    [
        ("minutes: 1", "minutes: 0", "field.too-small", "minutes: 0"),
        ("minutes: 1", "minuets: 1", "field.unknown", "minuets: 1"),
        ("- name: column", "- name: bank", "theme.repeated-stage", "- name: bank\n    minutes: 2"),
        ("[[wrong:bank|", "[[wrong:trade|", "theme.quotes-unknown", "lead:"),
        (
            "  - name: trade",
            "  - if_wrong: lost\n    name: trade",
            "theme.quotes-unknown",
            "- if_w",
        ),
        (
            "  - name: trade",
            "  - if_wrong: bank\n    if_right: bank\n    name: trade",
            "theme.two-conditions",
            "if_right:",
        ),
        (
            "  - name: trade",
            SAY + "  - if_wrong: say\n    name: trade",
            "theme.depends-on-words",
            "- if_wrong: say",
        ),
        ("[[correct:bank]]", "[[correct:bamk]]", "theme.quotes-unknown", "lead:"),
        ("kind: number", "kind: kernel", "theme.kernel-in-place", "kind: kernel"),
        ("correct: true", "correct: false", "choice.none-correct", '- text: "1"'),
        ("bank(4, 33 * 7 + 5)", "bank(4, )", "formula", "compute:"),
        ("    ask: #", "    question: nothing\n    ask: #", "theme.one-question", "- name: bank"),
    ],
)
def test_a_fault_is_named_where_it_is(tmp_path, before, after, code, at):
    """Line by line, as the author's editor shows it."""
    text = GOOD.replace(before, after, 1)
    assert text != GOOD
    found = problems(tmp_path, text)
    wanted = at.splitlines()[0]
    lines = [i for i, line in enumerate(text.splitlines(), 1) if wanted in line]
    assert any(each.startswith(code) and line in lines for each, line, _ in found), found


OFFERED = "{sizes: {n: 1}}, {sizes: {n: 64}}, {sizes: {n: 8191}, values: {x: ones}}"
INPUTS = f"""    inputs:
      question: shared-memory/kernel-saxpy
      prompt: {{en: Which input finds the most mistakes?}}
      explanation: {{en: It depends on the length.}}
      offered: [{OFFERED}]
      pick: 1
"""


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("n: 64", "m: 64", "theme.no-such-name"),
        ("x: ones", "z: ones", "theme.no-such-name"),
        ("n: 64", "n: 8000000", "problem.elements"),
        ("saxpy", "saxpyy", "deck.no-question"),
        ("kernel-saxpy", "two-words-of-one-bank", "theme.inputs-of-no-kernel"),
        (OFFERED, "{sizes: {n: 64}}, {sizes: {n: 64}}, {sizes: {n: 64}}", "theme.inputs-alike"),
    ],
)
def test_what_inputs_find_is_run_and_a_fault_of_theirs_is_named(tmp_path, before, after, code):
    ask = GOOD[GOOD.index("    ask: #") : GOOD.index("  - name: column")]
    good = GOOD.replace(ask, INPUTS)
    text = good.replace(before, after)
    assert text != good
    file = tmp_path / "pack" / "mock" / "a.yaml"
    file.parent.mkdir(parents=True)
    for written, said in ((good, []), (text, [code])):
        file.write_text(written, "utf-8")
        assert [p.what.code for p in lint([file], [str(CONTENT), str(tmp_path)]).problems] == said


FACTS = """    facts:
      prompt: {en: What do you ask first?}
      explanation: {en: The length decides.}
      facts:
        - {asked: {en: How long?}, told: {en: A thousand.}, why: {en: It decides.}, matters: true}
        - {asked: {en: How old?}, told: {en: A year.}, why: {en: Age decides nothing.}}
        - {asked: {en: How loud?}, told: {en: Silent.}, why: {en: Noise decides nothing.}}
"""


@pytest.mark.parametrize(
    ("before", "after"), [("nothing.}}", "nothing.}, matters: true}"), (", matters: true", "")]
)
def test_some_facts_matter_and_some_do_not(tmp_path, before, after):
    ask = GOOD[GOOD.index("    ask: #") : GOOD.index("  - name: column")]
    good = GOOD.replace(ask, FACTS)
    assert problems(tmp_path, good) == []
    text = good.replace(before, after)
    assert problems(tmp_path, text) == [("theme.facts", line_of("How long?", text), 9)]


ASKS_ROWS = """  - name: rows{condition}
    minutes: 1
    ask:
      kind: number
      prompt: {{en: "How long does it take{given}?"}}
      answer: 1764
      unit: ms
      explanation: {{en: "It is 42 · 42."}}
"""


@pytest.mark.parametrize(
    ("shown", "given", "condition", "found"),
    [
        ("It takes 1764 ms.", "", "", ["theme.prints-answer"]),
        ("There are 1,764 rows.", "", "", ["theme.prints-answer"]),
        ("There are 1,763 rows, and 176 columns.", "", "", []),
        ("There are 1,764 rows.", ", with 1,764 rows", "", []),
        ("There are 1,764 rows.", "", "\n    if_wrong: column", ["theme.prints-answer"]),
        ("There are 1,764 rows.", "", "\n    if_right: column", []),
    ],
)
def test_a_number_that_is_shown_before_it_is_asked_for_is_named(
    tmp_path, shown, given, condition, found
):
    """Shown after a wrong answer, it is not seen by a person who is asked after a right one."""
    asks = ASKS_ROWS.format(given=given, condition=condition)
    text = GOOD.replace("It costs 32 words", shown + " It costs 32 words")
    text = text.replace("- name: trade", "- name: trade\n    if_wrong: column") + asks
    assert [code for code, _, _ in problems(tmp_path, text)] == found


def test_a_question_that_is_not_there_is_named_with_the_nearest(tmp_path):
    ask = GOOD[GOOD.index("    ask: #") : GOOD.index("  - name: column")]
    text = GOOD.replace(ask, "    question: shared-memory/bank-formular\n")
    assert problems(tmp_path, text) == [("deck.no-question", line_of("formular", text), 15)]


def test_two_themes_of_one_id_are_a_problem(tmp_path):
    assert problems(tmp_path, GOOD, "pack/mock/b.yaml") == []
    assert problems(tmp_path, GOOD) == [("theme.repeated-id", 4, 5)]


def test_themes_are_not_read_as_questions():
    """Not even those directly below a folder called `mock` that is a pack itself."""
    assert not any(is_theme(file.path) for file in sources([str(CONTENT)]))
    assert is_theme("pack/mock/a.yaml")
    assert not is_theme("mock/a.yaml")
    assert not is_theme("pack/other/a.yaml")


def test_shipped_themes_have_follow_ups_in_both_languages_and_fit_an_interview():
    themes = load_themes([str(CONTENT)])
    assert len(themes) >= 32
    for theme in themes.values():
        assert 4 <= len(theme.stages) <= 12, theme.id
        assert 15 <= theme.minutes <= 40, theme.id
        assert all(stage.study or stage.question for stage in theme.stages), theme.id
        asked_here = {stage.name for stage in theme.stages if stage.ask is not None}
        for stage in theme.stages:  # "You said 15 ms" is untrue of who gave up
            quoted = {n for what, n in quotes_in(prose(stage.lead, "en")) if what == "answer"}
            right = (stage.if_right or "").rpartition("/")[2]
            assert quoted & asked_here <= {right}, stage.id


def test_each_weakness_is_mended_by_a_question_that_was_not_asked_and_by_its_own():
    """Any two stages can go wrong; what one of them takes must not be all that the other names."""
    for theme in load_themes([str(CONTENT)]).values():
        asked = {stage.question for stage in theme.stages}
        mends = {stage.id: {*stage.study} - asked for stage in theme.stages}
        assert [name for name, questions in mends.items() if not questions] == [], theme.id
        for (one, these), (other, those) in combinations(mends.items(), 2):
            assert len(these | those) > 1, (one, other)


def test_quotes_are_found_and_filled():
    text = "It is [[correct:a-b]][[wrong:a-b|, not {answer}]]; [[answer:a]]; `x[[1]]`, [[wrong:a]]."
    assert [*quotes_in(text)] == [("correct", "a-b"), ("wrong", "a-b"), ("answer", "a")]
    filled = fill_quotes(text, lambda what, name: f"<{what} {name}>")
    assert filled == ("It is <correct a-b>, not <wrong a-b>; <answer a>; `x[[1]]`, [[wrong:a]].")
    filled = fill_quotes(text, lambda what, name: "" if what == "wrong" else f"<{what} {name}>")
    assert filled == "It is <correct a-b>; <answer a>; `x[[1]]`, [[wrong:a]]."


@pytest.mark.parametrize(
    ("taken", "minutes", "chosen"),
    [
        ([], 45, ("a", "b")),
        ([], 60, ("a", "b")),
        ([], 70, ("a", "b", "c")),
        ([], 5, ("a",)),
        (["a"], 45, ("b", "c")),
        (["a", "b", "c", "a"], 30, ("b",)),
    ],
)
def test_an_interview_has_what_was_asked_longest_ago_while_it_fits(taken, minutes, chosen):
    themes = [("a", 20.0), ("b", 25.0), ("c", 20.0)]
    assert choose_themes(themes, taken, minutes) == chosen
