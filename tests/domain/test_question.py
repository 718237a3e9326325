"""Prose in two languages, and that the tables of kinds agree."""

from __future__ import annotations

from typing import get_args

import pytest

from quizapp.domain.question import KINDS, AnyQuestion, Translated, prose


@pytest.mark.parametrize(
    ("value", "en", "zh"),
    [
        ("both", "both", "both"),
        (Translated(en="bank"), "bank", "bank"),
        (Translated(en="lane", zh="通道"), "lane", "通道"),
    ],
)
def test_prose_falls_back_to_english(value, en, zh):
    assert prose(value, "en") == en
    assert prose(value, "zh") == zh


def test_every_kind_is_in_the_table_under_its_tag():
    assert set(KINDS.values()) == set(get_args(AnyQuestion))
    assert {name: kind.__struct_config__.tag for name, kind in KINDS.items()} == {
        name: name for name in KINDS
    }
