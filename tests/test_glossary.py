"""The glossary: its document is current, its entries are complete and each term stands once."""

import re
from collections import Counter
from types import ModuleType

import msgspec
import pytest

from quizapp.deck.glossary import Meaning, Term, parse_terms
from tests.docs_scripts import script_of_docs

HAN = "[\u3400-\u9fff]"
UNSPACED = re.compile(rf"{HAN}[A-Za-z0-9`]|[A-Za-z0-9`%]{HAN}")
HALF_WIDTH = re.compile(rf"{HAN}[,;:.?!()]")


@pytest.fixture(scope="module")
def glossary():
    with script_of_docs("make_glossary") as module:
        yield module


@pytest.fixture(scope="module")
def terms(glossary: ModuleType):
    return parse_terms(glossary.SOURCE.read_bytes())


def test_the_document_is_what_the_script_makes(glossary, terms):
    assert glossary.TARGET.read_text(encoding="utf-8") == glossary.render(terms)
    assert glossary.main(["--check"]) == 0


def test_check_notices_a_difference_and_a_missing_document(glossary, tmp_path, monkeypatch, capsys):
    target = tmp_path / "glossary.md"
    monkeypatch.setattr(glossary, "TARGET", target)
    assert glossary.main(["--check"]) == 1
    assert not target.exists()
    assert glossary.main([]) == 0
    assert glossary.main(["--check"]) == 0
    target.write_text(target.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert glossary.main(["--check"]) == 1
    assert "not current" in capsys.readouterr().err


def test_every_entry_has_all_fields(terms):
    assert terms
    for term in terms:
        for text in (term.en, term.zh, term.means.en, term.means.zh):
            assert text, term
            assert text == text.strip(), term
            assert "\n" not in text, term
        assert term.means.en.endswith("."), term.en
        assert term.means.zh.endswith("。"), term.en


def test_an_entry_without_a_meaning_is_refused(glossary):
    with pytest.raises(msgspec.ValidationError, match="means"):
        parse_terms(b"- {en: bank, zh: bank}")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_term_stands_twice(terms, language):
    counts = Counter(getattr(term, language).casefold() for term in terms)
    assert [name for name, count in counts.items() if count > 1] == []


def test_a_kept_term_is_the_same_in_both_languages(terms):
    for term in terms:
        assert term.keep == (term.en == term.zh), term.en


def test_chinese_is_spaced_and_has_full_width_punctuation(terms):
    for term in terms:
        for text in (term.zh, term.means.zh):
            assert not UNSPACED.search(text), text
            assert not HALF_WIDTH.search(text), text


def test_a_bar_does_not_end_a_cell(glossary):
    term = Term(en="or", zh="或", means=Meaning(en="a | b.", zh="甲 | 乙。"))
    assert "| or | 或 | a \\| b. | 甲 \\| 乙。 |\n" in glossary.render([term])
