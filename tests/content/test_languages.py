"""Kernel and spot questions are there in Numba and in CUDA C++."""

from __future__ import annotations

import pytest

from quizapp.deck.deck import Deck, load
from quizapp.domain.languages import languages_of
from quizapp.domain.question import CODE_LANGUAGES, Kernel
from tests.content.one_language import ONE_LANGUAGE, ONE_LANGUAGE_MISTAKES
from tests.deck.tools import ROOT


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    return load([str(ROOT / "content")], str(tmp_path_factory.mktemp("cache") / "deck"))


def test_every_kernel_and_spot_is_in_both_languages_or_says_why_not(deck):
    found = {name: languages_of(deck.question(name)) for name in deck.entries}
    assert CODE_LANGUAGES in found.values()
    alone = {name for name, languages in found.items() if len(languages) == 1}
    assert alone == set(ONE_LANGUAGE)


def test_every_mistake_of_a_kernel_is_in_both_languages_or_says_why_not(deck):
    questions = {name: deck.question(name) for name in deck.entries}
    both = {
        (name, wrong.file): {wrong.source is None, wrong.cuda is None or wrong.cuda.source is None}
        for name, kernel in questions.items()
        if isinstance(kernel, Kernel) and languages_of(kernel) == CODE_LANGUAGES
        for wrong in kernel.wrong
    }
    assert len(both) > 100
    assert {mistake for mistake, lacks in both.items() if lacks != {False}} == set(
        ONE_LANGUAGE_MISTAKES
    )
