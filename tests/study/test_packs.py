"""Packs: which ask, which rest, and what of them is kept."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from quizapp.deck.deck import Deck, load
from quizapp.domain.errors import UnknownPack
from quizapp.domain.question import KINDS
from quizapp.domain.queue import Stage
from quizapp.study.browsing import State, list_questions
from quizapp.study.home_values import Filter
from quizapp.study.overview import count_resting, home
from quizapp.study.statistics import statistics
from quizapp.system.config import Settings
from tests.deck.tools import NUMBER
from tests.shipped_packs import SHIPPED
from tests.study.tools import Person, respond, right

NAMES = "abcdefgh"


def question(name: str, **more: str) -> str:
    """A question on `topic-a`."""
    text = NUMBER.replace("id: a-number", f"id: {name}").replace("topic: banks", "topic: topic-a")
    return text + "".join(f"  {key}: {value}\n" for key, value in more.items())


def write_packs(folder: Path, **packs: bool) -> Deck:
    """A deck of packs of eight questions each, some of which are off by default."""
    for pack, on in packs.items():
        at = folder / pack
        at.mkdir(parents=True, exist_ok=True)
        (at / "pack.yaml").write_text(
            f"title: {{en: The {pack}, zh: 题包}}\non_by_default: {str(on).lower()}\n"
            "topics: {topic-a: {en: first topic, zh: 主题一}}\n"
        )
        texts = (re.sub("concept: .*", f"concept: {pack}-{n}", question(n)) for n in NAMES)
        (at / "questions.yaml").write_text("".join(texts))
    return load([str(folder)], str(folder / "cache" / "deck"))


@pytest.fixture
def one(tmp_path, person) -> Person:
    """Somebody with three packs, one of which is off by default."""
    return person(write_packs(tmp_path / "content", basics=True, mine=True, old=False))


def switch(person: Person, **packs: bool) -> None:
    person.settings = Settings(packs=packs, new_per_day=person.settings.new_per_day)


def asked(study, narrowed: Filter | None = None) -> set[str]:
    """The packs of what the day asks."""
    return {
        item.question.split("/")[0] for item in study.session.begin(narrowed or Filter()).waiting
    }


def learn(study, number: int) -> list[str]:
    """Answer so many questions; their ids."""
    study.session.begin(Filter())
    names = []
    for _ in range(number):
        turn = study.session.next()
        study.session.commit(study.session.grade(turn, right(turn)))
        names.append(turn.entry.id)
    return names


def test_new_questions_come_from_packs_that_are_on_in_proportion(one):
    study = one.open()
    assert asked(study) == {"basics", "mine"}
    firsts = [item.question.split("/")[0] for item in study.session.queue.waiting]
    assert abs(firsts.count("basics") - firsts.count("mine")) <= 1
    switch(one, old=True, mine=False)
    assert asked(one.reopen()) == {"basics", "old"}


def test_a_pack_that_is_switched_on_takes_its_turn_at_once(one):
    switch(one, old=True)
    study = one.open()
    study.session.begin(Filter(new=6))
    assert asked(study, Filter(new=6)) == {"basics", "mine", "old"}


def test_the_reviews_of_a_pack_that_is_off_wait_and_nothing_is_lost(one):
    study = one.open()
    names = learn(study, 6)
    mine = [name for name in names if name.startswith("mine/")]
    assert mine
    one.clock.move(days=30)
    switch(one, mine=False)
    study = one.reopen()
    facts = home(study)
    assert asked(study) == {"basics"}
    assert facts.whole.due == len(names) - len(mine)
    row = next(row for row in facts.packs if row.pack == "mine")
    assert (row.on, row.due, row.new, row.resting) == (False, 0, 0, len(mine))
    assert count_resting(study, "mine") == len(mine)
    states = {row.entry.id: row for row in list_questions(study)}
    assert {states[name].state for name in mine} == {State.RESTING}
    assert {states[name].due_in for name in mine} == {None}
    kept = [row for row in statistics(study).topics if row.pack == "mine"]
    assert kept
    assert kept[0].seen == len(mine)
    switch(one, mine=True)
    study = one.reopen()
    assert home(study).whole.due == len(names)


def test_a_question_of_a_pack_that_is_off_is_practiced(one):
    study = one.open()
    chosen = study.session.begin(Filter(questions=("old/a", "basics/a")))
    assert [item.stage for item in chosen.waiting] == [Stage.PRACTICE, Stage.NEW]
    assert asked(study, Filter(pack="old", practice=True)) == {"old"}
    assert asked(study, Filter(practice=True)) == {"basics", "mine"}
    assert asked(study, Filter(pack="old")) == set()
    turn_before = study.session.begin(Filter(questions=("old/a",))).waiting
    assert turn_before
    turn = study.session.next()
    study.session.commit(study.session.grade(turn, respond(gave_up=True)))
    assert study.progress.card("old/a").memory is None
    with pytest.raises(UnknownPack):
        study.session.begin(Filter(pack="older"))


def test_switching_during_a_session_takes_the_questions_out(one):
    study = one.open()
    study.session.begin(Filter())
    study.session.interrupt(Filter(questions=("basics/a",)))
    study.course.settings = Settings(packs={"mine": False})
    study.session.resume()
    assert {item.question.split("/")[0] for item in study.session.queue.waiting} == {"basics"}


def test_what_needs_a_question_of_a_pack_that_is_off_is_open(tmp_path, person):
    write_packs(tmp_path / "content", basics=True, old=False)
    (tmp_path / "content/basics/more.yaml").write_text(question("needs", requires="[old/a]"))
    deck = load([str(tmp_path / "content")], str(tmp_path / "cache" / "deck"))
    one = person(deck, new_per_day=100)
    study = one.open()
    assert "basics/needs" in {item.question for item in study.session.begin(Filter()).waiting}
    assert "basics/needs" in {candidate.question for candidate in study.plan.to_meet()}
    switch(one, old=True)
    study = one.reopen()
    assert "basics/needs" not in {item.question for item in study.session.begin(Filter()).waiting}


@pytest.mark.parametrize("rebuild", [False, True], ids=["as it is", "rebuilt"])
def test_a_question_that_moves_to_another_pack_keeps_its_progress(tmp_path, person, rebuild):
    content = tmp_path / "content"
    deck = write_packs(content, basics=True, old=True)
    one = person(deck)
    study = one.open()
    study.session.begin(Filter(questions=("old/a",)))
    turn = study.session.next()
    study.session.commit(study.session.grade(turn, right(turn)))
    study.marks.toggle_flag("old/a")
    learned = study.progress.card("old/a").memory
    shutil.rmtree(content)
    write_packs(content, basics=True)
    moved = question("a-moved", was="[old/a]")
    (content / "basics" / "moved.yaml").write_text(moved)
    one.deck = load([str(content)], str(tmp_path / "cache" / "deck"))
    study = one.reopen()
    if rebuild:
        study.store.rebuild()
        study = one.reopen()
    card = study.progress.card("basics/a-moved")
    assert card.memory == learned
    assert card.flagged
    assert study.store.card("old/a") == card
    assert {fact.question for fact in study.store.answer_facts(0)} == {"basics/a-moved"}
    assert study.history.undo() is not None
    assert not study.progress.card("basics/a-moved").flagged
    one.clock.move(days=40)
    study = one.reopen()
    assert "basics/a-moved" in {i.question for i in study.session.begin(Filter(new=0)).waiting}


def test_all_that_was_merged_or_moved_in_the_shipped_deck_keeps_its_progress(
    tmp_path, person, shipped
):
    """A database of before: each former id has an answer of its own, a month before today."""
    former = sorted(shipped.renames)
    for name in former:
        pack, own = name.split("/")
        file = tmp_path / "content" / pack / "questions.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a") as content:
            content.write(question(own))
    one = person(load([str(tmp_path / "content")], str(tmp_path / "cache" / "deck")))
    one.settings = Settings(new_per_day=len(former), day_minutes=0)
    study = one.open()
    assert sorted(learn(study, len(former))) == former
    one.clock.move(days=30)
    one.deck = shipped
    study = one.reopen()
    kept = {name: card for name, card in study.progress.cards.items() if card.memory is not None}
    assert set(kept) == set(shipped.renames.values())
    assert {fact.question for fact in study.store.answer_facts(0)} == set(kept)
    assert all(study.store.card(old) == kept[new] for old, new in shipped.renames.items())


def test_packs_are_listed_by_their_order_then_by_name(tmp_path):
    write_packs(tmp_path, alpha=True, beta=True, gamma=True, old=False, older=False)
    for pack, order in (("gamma", 1), ("old", 2), ("older", 1)):
        file = tmp_path / pack / "pack.yaml"
        file.write_text(file.read_text() + f"order: {order}\n")
    deck = load([str(tmp_path)], str(tmp_path / "cache" / "ordered"))
    assert list(deck.packs) == ["gamma", "alpha", "beta", "older", "old"]


def test_the_shipped_packs_begin_with_shared_memory(shipped):
    assert tuple(shipped.packs) == SHIPPED


def test_the_first_session_has_one_of_each_kind_of_packs_that_are_on(shipped):
    first = list(shipped.entries.values())[: len(KINDS)]
    assert {entry.kind for entry in first} == set(KINDS)
    assert all(shipped.packs[entry.pack].on_by_default for entry in first)
