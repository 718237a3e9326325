"""What spans questions and files: ids, overlays, requirements, former ids, packs."""

from __future__ import annotations

import msgspec
import pytest

from quizapp.deck.compiler import compile_deck
from quizapp.deck.deck import Deck
from quizapp.report.content.problems import lines
from quizapp.report.words import Words
from tests.deck.tools import CHOICE, NUMBER, RECALL, compile_texts, file, question, split_mark
from tests.sentences import english, sentence

UNPARSEABLE = "- id: [\n"


def ids(result) -> list[str]:
    return [entry.id for entry in result.compiled.entries]


def whats(result) -> list[str]:
    return [sentence(problem.what) for problem in result.problems]


# Files


def test_a_file_that_does_not_parse_leaves_the_others():
    result = compile_texts(NUMBER, UNPARSEABLE, CHOICE)
    assert ids(result) == ["pack/a-number", "pack/a-choice"]
    (problem,) = result.problems
    assert problem.file == "root/pack/1.yaml"
    assert problem.line in (1, 2)
    (((position, _), _),) = lines(problem, Words("en"))
    assert position == f"root/pack/1.yaml:{problem.line}:{problem.column}:"


def test_a_file_with_refused_yaml_is_left_out_whole():
    """What a repeated key or an alias meant is anybody's guess."""
    result = compile_texts(NUMBER + "  topic: other\n", CHOICE)
    assert ids(result) == ["pack/a-choice"]
    assert whats(result) == ["the key 'topic' appears twice"]


def test_an_empty_file_has_no_questions_and_no_problems():
    assert compile_texts("", "# a note\n", "---\n").problems == ()


def test_the_order_is_that_of_the_files():
    assert ids(compile_texts(RECALL, NUMBER, CHOICE)) == [
        "pack/a-recall",
        "pack/a-number",
        "pack/a-choice",
    ]


def test_problems_are_in_order_of_file_line_and_column():
    result = compile_texts(
        CHOICE + question(id="B", difficulty="9"), UNPARSEABLE, question(topic="A b")
    )
    places = [(p.file, p.line, p.column) for p in result.problems]
    assert places == sorted(places)
    assert len({file for file, _, _ in places}) == 3


# Ids


def test_the_second_of_two_equal_ids_is_named_and_the_first_can_be_studied():
    clean, place = split_mark(question("choice", id="¦a-number"))
    result = compile_texts(NUMBER, clean)
    assert ids(result) == ["pack/a-number"]
    assert result.compiled.entries[0].kind == "number"
    (problem,) = result.problems
    assert (problem.file, problem.line, problem.column) == ("root/pack/1.yaml", *place)
    assert "pack/0.yaml:1" in english(problem)
    assert problem.question == "pack/a-number"


def test_equal_ids_in_two_packs_are_two_questions():
    result = compile_deck([file(NUMBER, "one/a.yaml"), file(NUMBER, "two/a.yaml")])
    assert ids(result) == ["one/a-number", "two/a-number"]
    assert result.problems == ()


def test_sub_folders_do_not_change_an_id():
    assert ids(compile_deck([file(NUMBER, "pack/deep/er/a.yaml")])) == ["pack/a-number"]


# Overlays


def test_a_later_root_s_question_takes_the_place_of_an_earlier_one():
    mine = question(prompt="Mine?")
    result = compile_deck(
        [file(NUMBER + CHOICE, root="shipped"), file(mine, "pack/mine.yaml", root="own")]
    )
    assert result.problems == ()
    deck = Deck(result.compiled)
    assert list(deck.entries) == ["pack/a-number", "pack/a-choice"]
    assert deck.question("pack/a-number").prompt == "Mine?"
    assert {e.id: e.changed for e in deck.entries.values()} == {
        "pack/a-number": True,
        "pack/a-choice": False,
    }
    assert deck.entries["pack/a-number"].file == "own/pack/mine.yaml"


def test_an_overlay_with_an_error_leaves_the_shipped_question():
    result = compile_deck(
        [file(NUMBER, root="shipped"), file(question(difficulty="9"), root="own")]
    )
    assert len(result.problems) == 1
    (entry,) = result.compiled.entries
    assert (entry.file, entry.changed) == ("shipped/pack/file.yaml", False)


def test_two_overlays_in_one_root_are_an_id_used_twice():
    result = compile_deck(
        [
            file(NUMBER, root="shipped"),
            file(NUMBER, "pack/a.yaml", root="own"),
            file(NUMBER, "pack/b.yaml", root="own"),
        ]
    )
    (problem,) = result.problems
    assert problem.file == "own/pack/b.yaml"
    assert result.compiled.entries[0].file == "own/pack/a.yaml"


# What was left out


def count_left_out(*texts: str) -> int:
    return compile_texts(*texts).compiled.left_out


def test_left_out_counts_questions_and_not_faults():
    assert count_left_out(NUMBER, CHOICE) == 0
    assert count_left_out(NUMBER, question("choice", difficulty="9", topic="A b")) == 1
    assert count_left_out(question(difficulty="9") + question("choice", topic="A b")) == 2
    assert count_left_out(NUMBER, NUMBER) == 1


def test_a_question_without_an_id_is_one_question_however_many_faults_it_has():
    assert count_left_out(question(id=None, difficulty="9", topic="A b")) == 1


def test_a_question_that_can_be_studied_is_not_left_out():
    """Dangling references and the pack's own file warn; nothing is missing from the session."""
    assert count_left_out(question(requires="[gone]")) == 0
    pack = file("titel: x\n", "pack/pack.yaml")
    result = compile_deck([pack, file(NUMBER)])
    assert len(result.problems) == 1
    assert len(result.compiled.entries) == 1
    assert result.compiled.left_out == 0


# Requirements


@pytest.mark.parametrize("name", ["a-choice", "pack/a-choice"])
def test_a_requirement_may_name_its_pack_or_not(name):
    result = compile_texts(question(requires=f"[{name}]") + CHOICE)
    assert result.problems == ()
    assert result.compiled.entries[0].requires == ("pack/a-choice",)


def test_a_requirement_that_does_not_exist_is_named_with_the_nearest():
    clean, place = split_mark(question(requires="[a-choice, ¦a-choise]") + CHOICE)
    (problem,) = compile_texts(clean).problems
    assert (problem.line, problem.column) == place
    assert "'a-choise'" in english(problem)
    assert "did you mean 'a-choice'?" in english(problem)


def test_a_requirement_in_another_pack_is_found():
    needs = question(requires="[other/a-choice]")
    assert compile_deck([file(needs), file(CHOICE, "other/a.yaml")]).problems == ()
    (problem,) = compile_deck([file(needs), file(CHOICE, "third/a.yaml")]).problems
    assert "other/a-choice" in english(problem)


@pytest.mark.parametrize(
    "texts",
    [
        [question(requires="[a-number]")],
        [question(requires="[a-choice]"), question("choice", requires="[a-number]")],
        [
            question(requires="[a-choice]"),
            question("choice", requires="[a-recall]"),
            question("recall", requires="[pack/a-number]"),
        ],
    ],
    ids=["itself", "two", "three"],
)
def test_a_circle_of_requirements_is_a_problem_that_names_its_members(texts):
    (problem,) = compile_texts(*texts).problems
    assert "circle" in english(problem)
    for text in texts:
        assert text.splitlines()[0].removeprefix("- id: ") in english(problem)


def test_a_chain_and_a_diamond_are_no_circle():
    texts = [
        question(requires="[b, c]"),
        question(id="b", requires="[d]"),
        question(id="c", requires="[d]"),
        question(id="d"),
    ]
    assert compile_texts(*texts).problems == ()


# Former ids


def test_a_former_id_is_canonical():
    result = compile_texts(question(was="[old, other/older]"))
    assert result.problems == ()
    assert Deck(result.compiled).renames == {
        "pack/old": "pack/a-number",
        "other/older": "pack/a-number",
    }


@pytest.mark.parametrize(
    ("text", "others", "says"),
    [
        (question(was="[¦a-choice]"), CHOICE, "a question has it now"),
        (question(was="[¦a-number]"), "", "a question has it now"),
        (question(was="[old, ¦pack/old]"), "", "also a former id"),
    ],
)
def test_a_former_id_that_is_taken_is_a_problem(text, others, says):
    clean, place = split_mark(text)
    (problem,) = compile_texts(clean, others).problems
    assert (problem.line, problem.column) == place
    assert says in english(problem)


def test_a_former_id_that_two_claim_is_a_problem_of_the_second():
    (problem,) = compile_texts(question(was="[old]"), question("choice", was="[old]")).problems
    assert problem.file == "root/pack/1.yaml"
    assert "pack/a-number" in english(problem)


def test_a_question_that_exists_is_never_renamed_away():
    """The problem above only warns: until it is mended each question must keep its own progress."""
    deck = Deck(compile_texts(question(was="[a-choice]"), CHOICE).compiled)
    assert "pack/a-choice" in deck.entries
    assert "pack/a-choice" not in deck.renames


# Packs


@pytest.mark.parametrize(
    ("pack", "line"),
    [
        ("titel: x\n", 1),
        ("languages: en\n", 1),
        ("- a\n", 1),
        ("title: x\nlanguages: [5]\n", 2),
        ("languages: [en\n", 2),
        ("a: 1\na: 2\n", 2),
    ],
)
def test_a_wrong_pack_file_is_a_problem_and_its_questions_remain(pack, line):
    result = compile_deck([file(pack, "pack/pack.yaml"), file(NUMBER)])
    assert result.problems
    assert {p.file for p in result.problems} == {"root/pack/pack.yaml"}
    assert ids(result) == ["pack/a-number"]


def test_each_pack_has_its_own_languages():
    result = compile_deck(
        [
            file("languages: [en, zh]\n", "both/pack.yaml"),
            file(NUMBER, "both/a.yaml"),
            file(NUMBER, "plain/a.yaml"),
        ]
    )
    assert ids(result) == ["plain/a-number"]
    assert {p.file for p in result.problems} == {"root/both/a.yaml"}


def test_an_own_pack_of_the_same_name_keeps_its_own_languages():
    result = compile_deck(
        [
            file("languages: [en, zh]\n", "pack/pack.yaml", root="shipped"),
            file(NUMBER, "pack/mine.yaml", root="own"),
        ]
    )
    assert result.problems == ()


# Entries


def test_an_entry_says_what_a_session_needs_and_where_the_question_stands():
    (entry,) = compile_deck([file("\n# note\n" + question(rev="4", was="[old]"))]).compiled.entries
    assert entry.id == "pack/a-number"
    assert (entry.kind, entry.topic, entry.concept) == ("number", "banks", "strides")
    assert (entry.difficulty, entry.rev, entry.was) == (2, 4, ("pack/old",))
    assert (entry.file, entry.line) == ("root/pack/file.yaml", 3)


def test_a_body_is_the_question_and_its_hash_follows_the_content_and_not_the_layout():
    plain = compile_texts(NUMBER).compiled
    spaced = compile_texts(
        "\n\n" + NUMBER.replace("topic: banks", "topic:   'banks'  # !")
    ).compiled
    other = compile_texts(NUMBER.replace("answer: 32", "answer: 33")).compiled
    assert plain.entries[0].content_hash == spaced.entries[0].content_hash
    assert plain.entries[0].content_hash != other.entries[0].content_hash
    start, length = plain.entries[0].start, plain.entries[0].length
    assert msgspec.json.decode(plain.bodies[start : start + length])["answer"] == 32


def test_every_body_is_found_behind_the_others():
    deck = Deck(compile_texts(RECALL, CHOICE, NUMBER).compiled)
    for name in deck.entries:
        assert f"pack/{deck.question(name).id}" == name


def test_a_topic_the_pack_does_not_have_is_named_with_the_nearest():
    pack = file("topics: [banks, capacity]\n", "pack/pack.yaml")
    clean, place = split_mark(question(topic="¦capactiy"))
    (problem,) = compile_deck([pack, file(clean)]).problems
    assert (problem.line, problem.column) == place
    assert "did you mean 'capacity'?" in english(problem)
