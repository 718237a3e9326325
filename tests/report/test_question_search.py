"""The search: words of the text, names of kinds, states and of the record, phrases with numbers."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from quizapp.deck.glossary import read_terms, searched_names
from quizapp.deck.index import Entry
from quizapp.domain.log.projection import Card
from quizapp.domain.question import KINDS, LANGUAGES
from quizapp.domain.schedule import CardMemory
from quizapp.report.content.question_search import match, read_texts
from quizapp.report.content.search_words import Searched, fold
from quizapp.report.words import Words
from quizapp.study.browsing import MARKS, Listed, State
from quizapp.system.paths import shipped_content

DATA = Path(__file__).parents[1] / "data"
TEXT = "a new kernel, due to its wrong index; 共享内存"
TEXTS = {"p/q": Searched("", "", "", fold(TEXT))}


def row(kind="choice", state=State.KNOWN, due_in=None, lapses=0, marks=()) -> Listed:
    entry = Entry(
        "p/q", kind, "banks", "banks", "bank", "c", (), (1,), 1, (), 1, (), "h", "f", 1, False, 0, 0
    )
    card = Card("p/q", CardMemory(5.0, 5.0, 1, 2, 2, lapses))
    return Listed(entry, card, state, due_in, frozenset(marks))


def found(query: str, **facts) -> bool:
    return bool(match([row(**facts)], TEXTS, query))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kind_is_found_by_its_name_alone(kind, language):
    name = Words(language)(f"kind.{kind}").upper()
    assert found(name, kind=kind)
    assert not found(name, kind="number" if kind != "number" else "choice")


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_state_is_found_by_its_name_alone(state, language):
    name = Words(language)(f"browser.state.{state.value}")
    assert found(name, state=state)
    assert not found(name, state=State.NEW if state is not State.NEW else State.DUE)


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_record_is_found_by_its_words(mark, language):
    name = Words(language)(f"browser.mark.{mark}")
    assert found(f"kernel {name}", kind="kernel", marks=(mark,))
    assert not found(name)


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("核函数", True),
        ("核函数 共享内存", True),
        ("共享内存核函数", True),
        ("核函数 互质", True),  # half of the words, since nothing has both
        ("互质 流多处理器", False),
        ("流多处理器", False),
    ],
)
def test_a_term_is_found_by_its_other_names(query, matches):
    names = {"核函数": ("kernel",), "流多处理器": ("ew",)}  # a part of "new", which is another word
    assert bool(match([row()], TEXTS, query, names)) is matches
    assert not match([row()], TEXTS, "核函数")


def test_what_is_quoted_is_text():
    assert found('"new kernel" "due"')
    assert not found('"old kernel"')
    assert found('"new ker'), "while it is still typed"


@pytest.mark.parametrize(
    ("query", "facts"),
    [
        ("in 12 days", {"due_in": 12}),
        ("12 天后", {"due_in": 12}),
        ("tomorrow", {"due_in": 1}),
        ("due today", {"due_in": 0}),
        ("3 d overdue", {"due_in": -3}),
        ("2 lapses", {"lapses": 2}),
        ("忘记 2 次", {"lapses": 2}),
        ("1 lapse", {"lapses": 1}),
    ],
)
def test_what_the_list_says_with_a_number_is_found(query, facts):
    assert found(query, **facts)
    assert found(f"共享 {query}", **facts)
    assert not found(query, due_in=7, lapses=5)


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("wgmma", "name title part mention"),
        ("线程束", "name title part mention"),
        ("存储体", "name title mention"),
        ("wgmma 存储体", "name title mention"),
        ("共享", "part mention title name"),  # equally far from all: their order stays
    ],
)
def test_what_is_about_a_word_comes_before_what_mentions_it(query, order):
    texts = {
        "part": Searched("subwgmma", "", "swarps", "subwgmma swarps warp 共享"),
        "mention": Searched("a", "", "b", "a b wgmma warp bank 共享"),
        "title": Searched("b", "", "wgmma warp bank", "b wgmma warp bank 共享"),
        "name": Searched("wgmma warp bank", "", "a", "wgmma warp bank a 共享"),
    }
    names = {"线程束": ("warp",), "存储体": ("bank",)}
    rows = [replace(row(), entry=row().entry._replace(id=name)) for name in texts]
    found = [row.entry.id for row in match(rows, texts, query, names)]
    assert found == order.split()


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("the due kernel of an index", True),
        ("due kernel", False),  # each word has a meaning
        ("DUE kernel of an…", True),
        ("The due kernel of an index, which a list cuts after its first words", True),
        ("due kernels", False),
        ("an index of kernel", True),  # a kind is a word if nothing is found otherwise
        ("due", False),
        ("index", False),
        ("of due", False),
    ],
)
def test_a_title_is_found_though_its_words_have_meanings(query, matches):
    text = "the due kernel of an index, which a list cuts"
    texts = {"p/q": Searched("", "", fold(text), fold(text))}
    assert bool(match([row()], texts, query)) is matches


def test_two_chinese_characters_and_parts_of_words_are_found():
    assert found("内存")
    assert found("kern ind 共享")
    assert not found("存内")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("topk", "the top-k of a row"),
        ("top k", "the topk of a row"),
        ("layer_norm", "a layer norm"),
        ("32x64", "a tile of 32×64"),
        ("32 * 64", "a tile of 32 × 64"),
        ("0x64", "the value 0x64"),
        ("存储 体", "存储体"),
        ("存储体bank", "存储体 bank"),
        ("怎么做存储体的", "存储体"),
        ("a kernle and its swizzle", "kernel swizzle"),
        ("共享存储体", "共享内存的存储体"),
    ],
)
def test_spelling_and_fillers_do_not_matter(query, text):
    texts = {"p/q": Searched(fold(text), "", "", fold(text))}
    assert match([row()], texts, query)


def test_what_people_type_finds_its_question_among_the_first_five(deck):
    texts = read_texts(deck)
    rows = [replace(row(), entry=entry) for entry in deck.entries.values()]
    names = searched_names(read_terms(shipped_content()))
    missed = {}
    with (DATA / "find_queries.csv").open(encoding="utf-8", newline="") as file:
        for asked in csv.DictReader(file):
            found = [
                each.entry.id.partition("/")[2]
                for each in match(rows, texts, asked["query"], names)
            ]
            if asked["question"] not in found[:5]:
                missed[asked["query"]] = found[:5]
    assert missed == {}
