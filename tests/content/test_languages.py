"""Questions that hold kernels are there in Numba and in CUDA C++."""

from __future__ import annotations

import pytest

from quizapp.deck.deck import Deck, load
from quizapp.domain.languages import languages_of
from quizapp.domain.question import CODE_LANGUAGES, Spot
from tests.content.one_language import ONE_LANGUAGE
from tests.deck.tools import ROOT

IN_BOTH = (Spot,)
"""Kinds whose questions must be in both languages; `Kernel` joins when all of them are."""


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    return load([str(ROOT / "content")], str(tmp_path_factory.mktemp("cache") / "deck"))


def test_every_question_is_in_both_languages_or_says_why_not(deck):
    lacking = {
        name
        for name in deck.entries
        if isinstance(question := deck.question(name), IN_BOTH)
        and languages_of(question) != CODE_LANGUAGES
    }
    assert lacking == set(ONE_LANGUAGE)
