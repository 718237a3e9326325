"""Every question was read by somebody who did not write it, in both languages (docs/readings)."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from bench.gpu.claims.sentences import questions

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "readings"
FILES = sorted(FOLDER.glob("*.csv"))
COLUMNS = ["question", "reader", "language", "verdict", "change"]
READERS = {"editor", "fresh eyes", "author"}
VERDICTS = {"right", "unclear", "wrong"}
UNREAD: frozenset[str] = frozenset()
"""New questions that so far only their author has read; empty this with their readings."""
STRUCK = "struck"
"""A change: the question is gone, its record stays."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_record_has_its_columns_and_known_words(path):
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    assert reader.fieldnames == COLUMNS
    for row in rows:
        assert row["reader"] in READERS, row
        assert row["language"] in {"en", "zh"}, row
        assert row["verdict"] in VERDICTS, row
        assert row["change"] is not None, row


def test_every_question_was_read_in_both_languages_by_fresh_eyes_or_waits_for_them():
    """Its author answered one that waits, from the prompt alone; the row goes when it is read."""
    read = defaultdict(set)
    for path in FILES:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                name = row["question"].rpartition("/")[2]
                read[row["language"]].add((name, row["reader"]))
    ids = {question.id for question in questions()}
    for language in ("en", "zh"):
        fresh = {name for name, reader in read[language] if reader == "fresh eyes"}
        waiting = {name for name, reader in read[language] if reader == "author"}
        assert waiting <= ids - fresh <= waiting | UNREAD


def test_what_is_recorded_is_a_question_or_was_struck():
    ids = {question.id for question in questions()}
    for path in FILES:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                known = row["question"].rpartition("/")[2] in ids
                assert known or row["change"].startswith(STRUCK), (path.name, row)
