"""A person's path through the plain mode: lines in, words out, and what the log then holds."""

from __future__ import annotations

import random
import re
import unicodedata
from dataclasses import replace
from io import StringIO

import pytest

from grader.facts import quote
from quizapp.deck.deck import Deck, load
from quizapp.domain import workload
from quizapp.domain.errors import StoreReadOnly, UnknownTopic
from quizapp.domain.goal import Goal
from quizapp.domain.rating import Confidence, Rating, Rule
from quizapp.plain.commands import COMMANDS
from quizapp.plain.console import Unclear
from quizapp.plain.markdown import CODE_INDENT
from quizapp.plain.question import confidence
from quizapp.plain.session import run
from quizapp.report.words import Words
from quizapp.store.store import Store
from quizapp.study.home_values import Filter
from quizapp.system.extras import find_missing
from tests.deck import tools
from tests.deck.tools import question, write
from tests.plain.person import DAY_MS, Candidate, Played, Stage, right, wrong
from tests.sentences import catalogue
from tests.store.tools import FullOnce


def asked_of(deck: Deck) -> int:
    """How many questions can be asked here of the packs that are on by default."""
    on = deck.packs_on({})
    entries = deck.entries.values()
    return sum(entry.pack in on and not find_missing(entry.extra) for entry in entries)


CHOICE = Filter(kind="choice")
NUMBER = Filter(kind="number")
RECALL = Filter(kind="recall")


def find_headers(played: Played) -> list[str]:
    """The headers of the questions in the order they were put."""
    return re.findall(r"^\d+ of \d+ · .*$", played.said, re.MULTILINE)


def first(stage: Stage, narrowed: Filter) -> str:
    """The question that a session begins with."""
    study = stage.study()
    study.session.begin(narrowed)
    return study.session.next().entry.id


# Home


def test_home_says_what_is_due_and_new(stage, deck):
    played = stage.play(":q", new_per_day=7)
    assert re.search(rf"Due 0, new 7 of {asked_of(deck):,} unseen, about \d+ min\.", played.said)
    assert "This session: 7 questions." in played.said
    assert played.status == 0


def test_a_first_start_says_what_the_deck_covers_and_how_long_it_takes(stage, deck):
    said = " ".join(stage.play(right, "", ":q").said.split())
    off = len(deck.entries) - asked_of(deck)
    assert f"{asked_of(deck):,} questions ({off} more are off) about " in said
    assert "unseen, 45 min or a little more." in said
    assert re.search(r"At \d per day you will have met all of them on ", said)
    assert "new ones per day fit into your 45 min" in said
    assert " per day" not in stage.play(":q").said


def test_a_first_start_goes_by_the_plan_that_holds(stage):
    study = stage.study()
    study.plan.set(Goal(study.day, study.day + 30, 15, promised=20))
    said = " ".join(stage.play(":q").said.split())
    assert "15 min per day, 20 questions still to meet; " in said
    assert "At 10 per day" not in said


def test_how_a_kind_works_is_said_until_one_of_it_was_answered(stage):
    explained = " ".join(stage.play(right, "", ":q", narrowed=CHOICE).said.split())
    assert explained.count("Choice: pick the right option") == 1
    assert "Choice: pick" not in stage.play(":q", narrowed=CHOICE).said
    guided = stage.play(":q", narrowed=Filter(guided=True))
    assert "This session: 6 questions." in guided.said  # the choice was answered today
    assert "Number: work it out" in guided.said


def test_a_filter_narrows_the_session(stage):
    played = stage.play(":q", narrowed=Filter(topic="padding", kind="choice", limit=3))
    assert "This session: 3 questions." in played.said
    assert find_headers(played)[0].startswith("1 of 3 · padding · choice · difficulty ")


@pytest.mark.parametrize(
    ("narrowed", "language", "why"),
    [
        (Filter(topic="banks", kind="kernel", new=3), "en", "chose: banks and mapping, kernel"),
        (Filter(topic="banks", kind="spot"), "zh", "所有条件：bank 与映射、找错"),
        (Filter(pack="older-gpus", new=3), "en", "the pack older-gpus is off"),
    ],
)
def test_why_nothing_fits_is_said(stage, narrowed, language, why):
    said = stage.play(narrowed=narrowed, language=language).said
    assert why in said
    assert "- padding · " not in said


@pytest.mark.parametrize("topic", ["swizzling", "sampling"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_why_there_are_fewer_new_questions_adds_up(stage, deck, topic, language):
    on = deck.packs_on({})
    entries = deck.entries.values()
    unseen = sum(entry.topic == topic and entry.pack in on for entry in entries)
    said = stage.play(":q", narrowed=Filter(topic=topic, new=unseen), language=language).said
    (line,) = [line for line in said.splitlines() if "you asked for" in line or "你要" in line]
    found, wanted, *rest = map(int, re.findall(r"\d+", line))
    if language == "zh":
        found, wanted = wanted, found
    assert wanted == found + sum(rest) == unseen
    ids = {topic for topic in deck.topics if "-" in topic and topic not in deck.topic_names(topic)}
    assert not any(id_ in line for id_ in ids)


def test_nothing_due_says_when_and_what_there_is(stage, deck):
    stage.play(right, "", narrowed=Filter(new=1))
    played = stage.play(new_per_day=0)
    assert "Nothing to ask now.\nNext: 1 question on Sat 22 Nov." in played.said
    assert f"{asked_of(deck) - 1} questions are still unseen" in played.said
    assert f"- padding · padding · {deck.topics['padding']}" in played.said


def test_an_empty_deck_says_so(stage, tmp_path):
    stage.deck = load([], str(tmp_path / "none"))
    assert "There are no questions." in stage.play().said


def test_an_unknown_topic_is_refused_before_anything_is_said(stage):
    with pytest.raises(UnknownTopic):
        stage.play(narrowed=Filter(topic="origami"))
    assert stage.out.getvalue() == ""


# One question of each kind


def test_a_right_choice(stage):
    name = first(stage, CHOICE)
    played = stage.play(right, "", narrowed=CHOICE)
    assert "✓ right\nThe right answer: " in played.said
    assert "Rated good: right, without hints." in played.said
    (answer,) = played.answers(name)
    assert answer.correct
    assert played.study.progress.card(name).memory.repetitions == 1


def test_options_are_numbered_in_the_drawn_order(stage, deck):
    name = first(stage, CHOICE)
    said = stage.play(right, narrowed=CHOICE).said
    order = stage.play().answers(name)[0].drawn["order"]
    shown = [deck.question(name).options[position].text.en for position in order]
    numbered = [f"{number}. {text}" for number, text in enumerate(shown, 1)]
    assert "\n".join(numbered).replace("*", "") in said.replace("*", "")


def test_a_wrong_choice_says_why_and_comes_back(stage, deck):
    narrowed = Filter(kind="choice", new=3)
    name = first(stage, narrowed)
    played = stage.play(wrong, "", right, "", right, "", right, "", narrowed=narrowed)
    picked = int(re.search(r"(\d) is wrong: (.+)", played.said)[1])
    one, repeat = played.answers(name)
    option = deck.question(name).options[one.drawn["order"][picked - 1]]
    assert one.response == str(one.drawn["order"][picked - 1])
    assert option.why.en.split("`")[0].strip()[:20] in played.said
    assert (one.correct, one.repeat, repeat.correct, repeat.repeat) == (False, False, True, True)
    assert find_headers(played)[-1].endswith(" · again")
    assert "3 questions answered, 2 right at the first attempt; 3 new, 1 asked again" in played.said


def test_several_numbers_where_one_is_right_are_not_counted(stage):
    study = stage.study()
    study.session.begin(CHOICE)
    assert not study.session.next().question.several
    played = stage.play("1 2", "0", "x", "", "9 9", right, narrowed=CHOICE)
    assert played.said.count("Exactly one option is right") == 1
    assert played.said.count("Please type numbers from 1 to ") == 4
    assert "1 question answered, 1 right" in played.said


def test_several_right_options(stage, deck):
    name = next(n for n in deck.entries if getattr(deck.question(n), "several", False))
    entry = deck.entries[name]
    narrowed = Filter(kind="choice", topic=entry.topic, new=1000)

    def several_only(study):
        return right(study) if study.session.next().question.several else ":s"

    played = stage.play(*[several_only, ""] * 40, narrowed=narrowed)
    assert "all that are right, such as 1 3:" in played.said
    assert re.search(r"The right answer: \d \d", played.said)
    assert "✗" not in played.said


def test_a_number_may_have_its_unit(stage):
    def with_unit(study):
        return f"{right(study)} {study.session.next().question.unit}"

    name = first(stage, NUMBER)
    played = stage.play(with_unit, "", narrowed=NUMBER)
    assert "✓ right" in played.said
    assert f" · you: {played.answers(name)[0].response}" in played.said


def test_a_number_may_be_computed(stage):
    name = first(stage, NUMBER)
    played = stage.play(lambda study: f"2*{right(study)}/2", "", narrowed=NUMBER)
    assert "✓ right" in played.said
    assert f" · you: {played.answers(name)[0].response} = " in played.said


def test_what_is_no_number_is_explained_and_not_counted(stage):
    name = first(stage, NUMBER)
    played = stage.play("many", "1 furlong", "", wrong, "", narrowed=NUMBER)
    assert "“many” is not a number: “m” (character 1) does not fit there." in played.said
    assert "The unit “furlong” is not known here; expected: " in played.said
    assert "Type a number first. Not graded." in played.said
    assert len(played.answers(name)) == 1
    assert "✗ wrong" in played.said


def test_an_interview_answer(stage, deck):
    name = first(stage, RECALL)
    played = stage.play("Banks are", "four bytes wide.", ".", right, "", narrowed=RECALL)
    (answer,) = played.answers(name)
    assert answer.response.startswith("Banks are\nfour bytes wide.\n0 1")
    assert answer.rule is Rule.COVERED_MOST
    assert played.said.index("The model answer:") < played.said.index("Which points did you cover?")
    assert "You ticked 100%" in played.said
    assert "Rated good: covered 100% of the points." in played.said
    assert played.study.store.draft(name) is None


def test_ticks_on_an_interview_answer_of_two_words_are_questioned(stage):
    played = stage.play("clearblah foo", ".", right, "", narrowed=RECALL)
    asked = played.said.index("You wrote fewer than 5 words")
    assert asked < played.said.index("Which points did you cover?")
    assert "Rated hard: covered 100% of the points, in fewer words" in played.said


def test_what_is_wrong_three_times_can_be_put_off(stage):
    played = stage.play(":g", "", ":g", "", ":g", "", ":b", narrowed=replace(NUMBER, limit=1))
    assert played.said.count("times in this session") == 1
    assert "Wrong 3 times in this session: :b puts it off until tomorrow." in played.said


def test_an_interview_answer_said_aloud(stage):
    name = first(stage, RECALL)
    played = stage.play("", "", "7, 99", "0", "", narrowed=RECALL)
    assert played.said.count("Please type numbers from 0 to ") == 2
    assert played.answers(name)[0].rule is Rule.COVERED_LITTLE
    assert "You ticked " in played.said


@pytest.mark.parametrize("narrowed", [CHOICE, NUMBER, RECALL], ids=lambda f: f.kind)
def test_giving_up_shows_the_answer(stage, narrowed):
    name = first(stage, narrowed)
    played = stage.play(":g", ":g", "", narrowed=narrowed)
    assert "✗ given up" in played.said
    assert "The right answer" in played.said or "The model answer:" in played.said
    assert "That works only before you answer." in played.said
    assert "Rated again: given up." in played.said
    assert played.answers(name)[0].gave_up


def test_giving_up_explains_every_wrong_option(stage, deck):
    name = first(stage, CHOICE)
    wrong_options = [o for o in deck.question(name).options if not o.correct]
    played = stage.play(":g", "", narrowed=CHOICE)
    assert len(re.findall(r"\d is wrong: ", played.said)) == len(wrong_options)


def test_a_choice_with_several_right_options_says_so(stage, tmp_path):
    write(tmp_path, "pack/a.yaml", question("choice", several="true"))
    stage.deck = load([str(tmp_path)], str(tmp_path / "compiled"))
    assert "Several may be right: choose all that are.\n\n1. " in stage.play().said


def test_a_hint_makes_it_hard(stage):
    def hinted(study):
        return ":h" if study.session.next().question.hints else ":s"

    played = stage.play(*[hinted] * 9, narrowed=NUMBER)
    assert "Hint 1 of " in played.said
    played = stage.play(hinted, ":h", ":h", right, ":h", "", narrowed=NUMBER)
    assert "There is no further hint." in played.said
    assert "That works only before you answer." in played.said
    assert "Rated hard: right, with a hint." in played.said


def test_how_sure_is_asked_before_the_verdict(stage):
    name = first(stage, CHOICE)
    played = stage.play(wrong, "9", "1 2", "3", "", narrowed=CHOICE, confidence=True)
    assert played.answers(name)[0].confidence == Confidence.CERTAIN
    assert "✗ wrong · certain and wrong" in played.said
    assert played.said.count("How sure?") == 3


@pytest.mark.parametrize(
    ("language", "typed", "sure"),
    [
        ("en", "Guess", Confidence.GUESS),
        ("en", "f", Confidence.FAIRLY),
        ("en", "cert", Confidence.CERTAIN),
        ("en", "", Confidence.FAIRLY),
        ("zh", "猜", Confidence.GUESS),
        ("zh", "确定", Confidence.CERTAIN),
    ],
)
def test_how_sure_is_said_by_a_word_or_how_it_begins(language, typed, sure):
    assert confidence(typed, Words(language)) is sure
    with pytest.raises(Unclear):
        confidence("x" + typed, Words(language))


def test_how_sure_is_asked_before_the_points_of_a_recall_are_shown(stage):
    name = first(stage, RECALL)
    played = stage.play("text", ".", "3", "1", "", narrowed=RECALL, confidence=True)
    (answer,) = played.answers(name)
    assert (answer.confidence, answer.response) == (Confidence.CERTAIN, "text\n0")
    assert played.said.index("How sure?") < played.said.index("Which points did you cover?")


def test_with_the_points_of_a_recall_nothing_else_is_said(stage):
    played = stage.play("text", ".", "1 / 1", "1", "", narrowed=RECALL, confidence=False)
    assert "Please type numbers from 0 to" in played.said


# Rating


def test_a_digit_overrides_the_rating(stage):
    name = first(stage, CHOICE)
    played = stage.play(right, "5", "1 2", "4", narrowed=CHOICE)
    assert played.said.count("Please press enter, or type a number from 1 to 4.") == 2
    assert "Rated easy instead." in played.said
    (fact,) = played.study.store.answer_facts()
    assert fact.rating is Rating.EASY
    days = int(re.search(r"4 easy \((\d+) d\)", played.said)[1])
    assert played.study.progress.card(name).memory.due_day == played.study.day + days


def test_rating_a_right_answer_again_brings_it_back(stage):
    played = stage.play(right, "1", right, "", narrowed=Filter(new=1))
    assert len(find_headers(played)) == 2
    assert find_headers(played)[1].endswith(" · again")


def test_the_answer_is_stored_before_the_rating_is_asked(stage):
    name = first(stage, CHOICE)
    stored = []
    stage.play(
        right, lambda study: stored.append(study.progress.card(name).memory) or "", narrowed=CHOICE
    )
    assert stored[0] is not None


# Commands


def test_undo_asks_again_and_redo_restores(stage):
    name = first(stage, NUMBER)
    played = stage.play(wrong, "", ":u", right, ":u", ":U", ":q", narrowed=NUMBER)
    assert played.said.count(f"Undone: answer, {name}.") == 2
    assert f"Restored: answer, {name}." in played.said
    assert [answer.correct for answer in played.answers(name)] == [False, True]
    (fact,) = played.study.store.answer_facts()
    assert fact.correct
    assert "1 question answered, 1 right" in played.said


def test_undo_reaches_back_over_a_restart(stage):
    name = first(stage, NUMBER)
    stage.play(right, "", narrowed=NUMBER)
    stage.clock.utc_ms += 60_000
    played = stage.play(":u", wrong, "", narrowed=NUMBER)
    assert f"Undone: answer, {name}." in played.said
    (fact,) = played.study.store.answer_facts()
    assert not fact.correct
    assert "1 question answered, 0 right" in played.said


def test_nothing_to_undo_or_redo(stage):
    said = stage.play(":u", ":U").said
    assert "There is nothing to undo." in said
    assert "There is nothing to restore." in said


def test_bury_suspend_and_flag(stage):
    names = []

    def note(line):
        return lambda study: names.append(study.session.next().entry.id) or line

    played = stage.play(note(":b"), note(":s"), note(":f"), ":f", ":f", ":u", ":u", ":u")
    one, two, three = names
    assert one != two != three
    assert "Buried until tomorrow." in played.said
    assert played.said.count("\nFlagged.") == 2
    assert "Flag removed." in played.said
    assert played.said.count("Undone: flag, ") == 3
    assert played.study.progress.card(one).buried_until == played.study.day + 1
    assert played.study.progress.card(two).suspended
    assert not played.study.progress.card(three).flagged


def test_a_buried_question_can_be_taken_back(stage):
    name = first(stage, NUMBER)
    played = stage.play(":b", ":u", right, narrowed=NUMBER)
    assert f"Undone: bury, {name}." in played.said
    assert len(played.answers(name)) == 1


def test_more_says_reasons_sources_and_what_comes_next(stage, deck):
    name = first(stage, CHOICE)
    question = deck.question(name)
    said = stage.play(":m", right, ":m", narrowed=CHOICE).said
    assert "That works only after the verdict." in said
    assert re.search(r"\d is right\.", said)
    assert said.count(" is wrong: ") == sum(not option.correct for option in question.options)
    assert f"- {question.sources[0]}" in said


def test_more_again_answers_the_follow_up_questions(stage, tmp_path):
    asked = "{prompt: And then?, answer: Nothing.}"
    write(tmp_path, "pack/a.yaml", question("number", follow_ups=f"[{asked}, pack/a-recall]"))
    write(tmp_path, "pack/b.yaml", tools.RECALL)
    stage.deck = load([str(tmp_path)], str(tmp_path / "a-deck"))
    said = stage.play(right, ":m", narrowed=NUMBER).said
    assert "1. And then?" in said
    assert "2. What is a bank? (pack/a-recall)" in said.replace("`", "")
    assert "Nothing." not in said
    said = stage.play(right, ":m", ":m", narrowed=Filter(kind="number", practice=True)).said
    assert said.count("1. And then?") == 2
    assert said.count("Nothing.") == 1


def test_the_question_can_be_said_again(stage):
    played = stage.play(":r")
    assert len(find_headers(played)) == 2


def test_help_lists_every_command(stage):
    said = stage.play(":?", ":z").said
    for letter in COMMANDS:
        assert f"\n:{letter}  " in said
    assert {f"plain.command.{letter}" for letter in COMMANDS} == {
        key for key in catalogue() if key.startswith("plain.command.")
    }
    assert "There is no command ':z'; :? lists them." in said


# Drafts


def test_a_half_written_answer_is_offered_again(stage):
    name = first(stage, RECALL)
    stage.play("Banks are", narrowed=RECALL)
    played = stage.play("", right, "", narrowed=RECALL)
    assert "Draft from last time: enter keeps it" in played.said
    assert "\n    Banks are\n" in played.said
    assert played.answers(name)[0].response.startswith("Banks are\n0 1")
    assert played.study.store.drafts() == {}


def test_a_draft_can_be_continued_or_thrown_away(stage):
    name = first(stage, RECALL)
    stage.play("Banks", narrowed=RECALL)
    assert stage.play("are", narrowed=RECALL).study.store.draft(name) == "Banks\nare"
    played = stage.play(":x", "Anew", ".", right, narrowed=RECALL)
    assert played.answers(name)[0].response.startswith("Anew\n0 1")


def test_every_line_is_saved_as_it_comes(stage):
    name = first(stage, RECALL)
    seen = []

    def look(study):
        seen.append(study.store.draft(name))
        return "more"

    stage.play(look, look, look, narrowed=RECALL)
    assert seen == [None, "more", "more\nmore"]


# Leaving


@pytest.mark.parametrize("line", [":q", "q", " q "])
def test_quitting(stage, line):
    played = stage.play(right, "", line, narrowed=NUMBER)
    assert played.status == 0
    assert "Stopped here; all that was answered is kept." in played.said
    assert "1 question answered, 1 right" in played.said


def test_q_is_text_in_an_interview_answer(stage):
    name = first(stage, RECALL)
    assert stage.play("q", narrowed=RECALL).study.store.draft(name) == "q"


def test_the_end_of_the_input_may_come_anywhere(stage, tmp_path):
    """Cut a script after each of its lines: what was answered is kept, the exit status is 0."""
    script = [":h", right, "2", "", ":u", wrong, "3", "2", "text", ".", "1", "1 2", "", ":b"]
    kept = []
    for length in range(len(script) + 1):
        stage.path = tmp_path / f"{length}.db"
        played = stage.play(*script[:length], narrowed=Filter(topic="banks"), confidence=True)
        assert played.status == 0
        kept.append(len(played.study.store.answer_facts()))
    assert kept[1:4] == [0, 1, 1]  # answered but not yet how sure: kept all the same
    assert kept[-1] >= 1


def test_interrupted(stage):
    def interrupt(_study):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stage.play(right, "", interrupt)
    assert stage.out.getvalue().endswith("\nInterrupted after 1 answer; it is kept.\n")


# Bad days


class Unwritable(Store):
    """Neither answers nor drafts can be written."""

    def append(self, *_):
        raise StoreReadOnly(quote("The folder cannot be written."))

    def save_draft(self, *_):
        raise StoreReadOnly(quote("The folder cannot be written."))


def test_a_full_disk_keeps_the_answer_and_enter_retries(stage):
    name = first(stage, NUMBER)
    played = stage.play(right, "", "", narrowed=NUMBER, study=stage.study(FullOnce))
    assert "The disk is full.\nmake room\nNot stored yet, and not lost" in played.said
    assert "✓ right" in played.said
    assert len(played.answers(name)) == 1
    assert "1 question answered, 1 right" in played.said


@pytest.mark.parametrize("leaving", [[":q"], []], ids=["quits", "input ends"])
def test_an_answer_that_cannot_be_stored_is_an_error(stage, leaving):
    """What was answered is not kept, so it must not look as if it were."""
    with pytest.raises(StoreReadOnly):
        stage.play(right, "", *leaving, narrowed=NUMBER, study=stage.study(Unwritable))
    assert "kept" not in stage.out.getvalue()


def test_a_draft_that_cannot_be_saved_does_not_stop_the_writing(stage):
    with pytest.raises(StoreReadOnly):
        stage.play("a", "b", ".", right, narrowed=RECALL, study=stage.study(Unwritable))
    assert stage.out.getvalue().count("cannot be saved as you write") == 2


# The whole deck, in both languages


@pytest.mark.parametrize(
    ("language", "least"),
    [
        ("en", 0.05),
        pytest.param("en", 0.5, marks=pytest.mark.long),
        pytest.param("zh", 0.5, marks=pytest.mark.long),
    ],
)
def test_every_question_can_be_asked_and_answered(stage, deck, language, least, monkeypatch):
    """The deck in one session, a third wrong: no control character, no box, no markup."""
    monkeypatch.setattr(workload, "MOST_SIBLINGS", 0)  # all in one day
    study = stage.study(language=language)
    said = StringIO()
    person = Candidate(study, said, random.Random(7))
    assert run(study, Filter(new=60 if least < 0.1 else 1000), person, said) == 0
    answered = {fact.question for fact in study.store.answer_facts()}
    assert len(answered) > least * len(deck.entries)  # what was never right keeps others locked
    for character in set(said.getvalue()) - {"\n"}:
        assert unicodedata.category(character)[0] != "C", repr(character)
        assert not "\u2500" <= character <= "\u259f", repr(character)
    prose = [line for line in said.getvalue().splitlines() if not line.startswith(CODE_INDENT)]
    assert not any("**" in line.replace("x**2", "") for line in prose)  # which is a power


def test_chinese_questions_and_words(stage, deck):
    name = first(stage, CHOICE)
    played = stage.play(wrong, "", ":q", narrowed=CHOICE, language="zh")
    assert "第 1 题，共 10 题 · " in played.said
    assert "✗ 答错" in played.said
    assert deck.question(name).prompt.zh.split("`")[0][:8] in played.said
    assert "评为“重来”：答错。" in played.said


def test_a_chinese_keyboard_types_commands_numbers_and_stops_too(stage):
    played = stage.play("：？", "一行", "。", "１，２", "", "：q", narrowed=RECALL, language="zh")
    assert "命令（任何时候都可输入）：" in played.said
    assert "答了 1 题" in played.said


def test_the_next_day_asks_what_is_due(stage):
    stage.play(right, "", narrowed=Filter(new=1))
    stage.clock.utc_ms += 3 * DAY_MS
    played = stage.play(right, "", narrowed=Filter(new=0))
    assert "Due 1, new 0 of " in played.said
    assert "Done for now." in played.said
    assert "1 question answered, 1 right at the first attempt; 0 new" in played.said


def test_what_the_counts_of_a_question_are_is_said_in_words(stage):
    def said(*lines: str) -> str:
        return " ".join(stage.play(*lines, narrowed=Filter(kind="trace")).said.split())

    assert said(":q").count("Counts are source-level: each access") == 1
    assert said(right, ":m", ":q").count("Counts are source-level: each access") == 1
    assert said(":q").count("Counts are source-level: each access") == 0
    assert said(right, ":m", ":q").count("Counts are source-level: each access") == 1


@pytest.mark.parametrize("kind", ["choice", "number", "trace", "spot", "recall"])
def test_a_number_of_any_length_is_an_answer_like_another(stage, kind):
    huge = "9" * 5_000
    lines = (huge, f"{huge} 1", f"1 {huge}", f"1/{huge}", f"{huge}^{huge}", ":g", huge, ":q")
    assert stage.play(*lines, narrowed=Filter(kind=kind)).status == 0
