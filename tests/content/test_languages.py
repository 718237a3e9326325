"""Kernel and spot questions are there in Numba and in CUDA C++; `quiz lint` checks mistakes."""

from __future__ import annotations

import pytest

from quizapp.deck.deck import Deck, load
from quizapp.domain.languages import languages_of
from quizapp.domain.question import CODE_LANGUAGES
from tests.content.one_language import ONE_LANGUAGE
from tests.deck.tools import ROOT


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    return load([str(ROOT / "content")], str(tmp_path_factory.mktemp("cache") / "deck"))


def test_every_kernel_and_spot_is_in_both_languages_or_says_why_not(deck):
    found = {name: languages_of(deck.question(name)) for name in deck.entries}
    assert CODE_LANGUAGES in found.values()
    alone = {name for name, each in found.items() if len(each) == 1 and each != ("triton",)}
    assert alone == set(ONE_LANGUAGE)
