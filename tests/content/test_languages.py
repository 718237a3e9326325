"""Kernel and spot questions are there in Numba and in CUDA C++; `quiz lint` checks mistakes."""

from __future__ import annotations

from quizapp.domain.languages import dialect_of, languages_of
from quizapp.domain.question import CODE_LANGUAGES
from tests.content.one_language import ONE_LANGUAGE


def test_every_kernel_and_spot_is_in_both_languages_or_says_why_not(deck):
    asked = {name: deck.question(name) for name in deck.entries}
    found = {n: languages_of(one) for n, one in asked.items() if dialect_of(one) != "triton"}
    assert CODE_LANGUAGES in found.values()
    alone = {name for name, languages in found.items() if len(languages) == 1}
    assert alone == set(ONE_LANGUAGE)
