"""docs/coverage.md and docs/interviews.md are current; what no question comes from has a reason."""

from __future__ import annotations

import re

import pytest

from tests.docs_scripts import DOCS, script_of_docs

README = DOCS.parent / "README.md"


@pytest.fixture(scope="module")
def coverage():
    with script_of_docs("make_coverage") as module:
        yield module


def test_the_document_is_what_the_script_makes(coverage):
    assert coverage.main(["--check"]) == 0, "python docs/make_coverage.py"


def test_what_interviews_ask_is_what_the_script_makes_and_the_readme_says_it():
    with script_of_docs("make_interviews") as interviews:
        assert interviews.main(["--check"]) == 0, "python docs/make_interviews.py"
        items, later = interviews.read_items(), interviews.read_items(interviews.LATER)
        said = interviews.figures(interviews.read_questions(), items, later)
    assert said in README.read_text("utf-8")
    assert {item.list[0] for item in later} == set(interviews.CLASSES)
    assert not {item.list for item in items} & {item.list for item in later}
    for item in later:  # a second judgment is a better one, because of a question written since
        at, now = map(interviews.JUDGMENTS.index, (item.judgment, item.now))
        assert (now < at) is bool(item.again) is bool(item.questions_again), item


def test_every_section_has_a_question_or_a_reason(coverage):
    texts = coverage.read_texts()
    asked = coverage.sections_asked(texts, coverage.read_questions())
    for text in texts:
        for section in text.sections:
            assert ((text.title, section.at) in asked) != bool(section.why_none), section


def test_every_claim_has_a_question(coverage):
    numbers = re.findall(r"^\| (\d+) \|", coverage.CLAIMS.read_text("utf-8"), re.MULTILINE)
    assert sorted(map(int, numbers)) == sorted(coverage.claims_asked(coverage.read_questions()))


def test_a_source_names_a_section_and_not_one_whose_name_begins_so(coverage):
    section = coverage.Section("§4.1", "about")
    text = coverage.Text("T", "a text", (section, coverage.Section("§4.1.3", "below")))
    asked = [coverage.Asked("q", ("“T” §4.1.3, “Other” §4.1", "“T” exercise 1"))]
    assert coverage.sections_asked([text], asked) == {("T", "§4.1.3"): ["q"]}
