"""What interviews ask for: how it is counted, and that it decides the order of new questions."""

from __future__ import annotations

from itertools import pairwise

import pytest

from quizapp.deck import yaml_reader
from quizapp.deck.asked import NOT_ASKED, UNCOUNTED
from quizapp.deck.compiler import compile_deck
from quizapp.deck.index import ASKED
from quizapp.deck.ordering import default_order
from quizapp.domain.order import JOBS, MOST_ASKED, find_tiers
from quizapp.system.paths import shipped_content
from tests.deck.tools import file, question
from tests.shipped_packs import ASKED as ASKED_PACKS

LISTS = """\
lists:
  A: {what: a list, jobs: [kernel, hpc]}
  B: {what: another, jobs: [hpc], urls: [https://example.org]}
concepts:
  strides: [A, B]
"""


def asked(text: str, root: str = "root"):
    """The counts of three questions, the last of another folder, and what is wrong."""
    deck = [
        file(question(), "pack/0.yaml", "root"),
        file(question(id="other", concept="rare"), "pack/1.yaml", "root"),
        file(question(id="own", concept="mine"), "own/0.yaml", "elsewhere"),
    ]
    result = compile_deck([file(text, ASKED, root), *deck])
    return [entry.asked for entry in result.compiled.entries], result.problems


def test_lists_are_counted_by_concept_and_job():
    counts, problems = asked(LISTS)
    assert counts == [(2, 1, 0, 0, 2), NOT_ASKED, UNCOUNTED]
    assert not problems


@pytest.mark.parametrize(
    "text",
    [
        LISTS.replace("[A, B]", "[A, C]"),
        LISTS.replace("hpc", "poet"),
        "concepts: {}",
        "- a list",
    ],
)
def test_counts_that_are_not_valid_are_a_problem_and_count_nothing(text):
    counts, problems = asked(text)
    assert [problem.what.code for problem in problems] == ["deck.bad-asked"]
    assert set(counts) == {UNCOUNTED}


@pytest.fixture(scope="module")
def shipped(deck):
    """The entries of the shipped deck that are on by default."""
    return [entry for entry in deck.entries.values() if entry.pack in ASKED_PACKS]


def test_the_deck_has_every_concept_that_lists_ask_for(shipped):
    listed = yaml_reader.read((shipped_content() / ASKED).read_bytes()).data["concepts"]
    assert set(listed) <= {entry.concept for entry in shipped}


@pytest.mark.parametrize("job", [None, *JOBS])
def test_for_every_job_what_most_lists_ask_comes_first_and_kinds_take_turns(shipped, job):
    order = default_order(shipped, job)
    kinds = len({candidate.kind for candidate in order})
    tiers = find_tiers(sorted(order, key=lambda candidate: candidate.difficulty))
    most = [c.question for c in order if tiers[c.question] == MOST_ASKED]
    assert {c.question for c in order[: len(most) + kinds + 20]} >= set(most)
    repeats = [at for at, (one, other) in enumerate(pairwise(order)) if one.kind == other.kind]
    for at in repeats:
        shown, rest = order[: at + 1], order[at + 1 :]
        locked = {c.question for c in rest}
        unmet = {c.concept for c in rest} - {c.concept for c in shown}
        open_now = {
            c.kind for c in rest if locked.isdisjoint(c.requires) and unmet.isdisjoint(c.builds_on)
        }
        assert open_now == {order[at].kind}, "another kind was open"
