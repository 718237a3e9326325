"""Lint finds a text that prints the answer of a question that comes soon after."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.deck.compiler import compile_deck
from quizapp.deck.index import SourceFile, sources
from quizapp.deck.linting.leaks import REACH, leak_problems
from quizapp.deck.linting.lint import lint
from quizapp.deck.ordering import default_order
from quizapp.deck.problems import ContentProblem
from tests.deck.tools import ROOT, compile_texts, file, kernel_folder, question, write
from tests.sentences import sentence

LEAK = "leak.prints-answer"
FIRST, LATER = "first", "later"


def leaks(*files: SourceFile) -> list[ContentProblem]:
    result = compile_deck(files)
    assert not result.problems
    return list(leak_problems(result.found, default_order(result.compiled.entries)))


def later_number(**fields: str) -> str:
    """A number question of eight wavefronts that is asked last."""
    defaults = {"id": LATER, "difficulty": "3", "answer": "8", "unit": "wavefronts"}
    return question("number", **(defaults | fields))


def first_choice(**fields: str) -> str:
    """An easy choice: choices are shown before all other kinds."""
    return question("choice", **({"id": FIRST, "difficulty": "1"} | fields))


def leaks_of(printed: str, later: str = "", **fields: str) -> list[str]:
    """What is found where the first question's explanation says this, and a later one asks."""
    first = first_choice(explanation=f"'{printed}'")
    found = leaks(file(first + (later or later_number(**fields))))
    return [str(problem.what.fields["text"]) for problem in found]


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        ("It takes 8 wavefronts.", "8 wavefronts"),
        ("An **8**-wavefront access.", "8-wavefront"),
        ("需要 8 个 wavefront。", "8 个 wavefront"),
        ("It takes 8.0 wavefronts.", "8.0 wavefronts"),
        ("It takes 8.", None),
        ("It takes 18 wavefronts.", None),
        ("It takes 1,008 wavefronts.", None),
        ("It takes 1.8 wavefronts.", None),
        ("It takes n−8 wavefronts more.", None),
        ("It takes 8 wavefrontish things.", None),
        ("It takes 9 wavefronts.", None),
    ],
)
def test_a_number_is_printed_with_its_unit(printed, found):
    assert leaks_of(printed) == ([found] if found else [])


@pytest.mark.parametrize(
    ("unit", "answer", "printed"),
    [
        ("ways", "8", "8-way"),
        ("ways", "8", "8 路"),
        ("conflicts", "31", "31 次冲突"),
        ("conflicts", "31", "31 次 bank 冲突"),
        ("blocks", "3", "3 个线程块"),
        ("bank", "12", "bank 12"),
        ("column", "11", "column 11"),
        ("column", "11", "第 11 列"),
        ("times", "17", "17 倍"),
        ("%", "12.5", "12.5%"),
        ("%", "12.5", "12.5 %"),
    ],
)
def test_a_unit_is_found_as_people_write_it(unit, answer, printed):
    found = leaks_of(f"So: {printed}.", answer=answer, unit=f'"{unit}"')
    assert found == [printed.removeprefix("第 ")]


def test_a_number_counts_within_its_tolerance_and_in_its_other_units():
    fields = {"answer": "195.84", "unit": "GB/s", "tolerance": "1%", "units": "{TB/s: 1000}"}
    assert leaks_of("About 196 GB/s", **fields) == ["196 gb/s"]
    assert leaks_of("About 0.196 TB/s", **fields) == ["0.196 tb/s"]
    assert leaks_of("About 190 GB/s", **fields) == []


@pytest.mark.parametrize(
    ("answer", "topic", "concept", "is_leak"),
    [
        ("8", "banks", "other", True),
        ("8", "padding", "strides-in-choice", False),
        ("1", "banks", "other", False),
        ("1", "banks", "strides-in-choice", True),
        ("144", "padding", "other", True),
        ("100", "padding", "other", False),
    ],
)
def test_a_coincidence_is_told_by_topic_and_concept(answer, topic, concept, is_leak):
    found = leaks_of(f"{answer} wavefronts", answer=answer, topic=topic, concept=concept)
    assert bool(found) is is_leak


def choice(right: str, **fields: str) -> str:
    options = f"[{{text: {right}, correct: true}}, {{text: Something else, why: No.}}]"
    return question("choice", id=LATER, **({"difficulty": "3", "options": options} | fields))


@pytest.mark.parametrize(
    ("right", "printed", "is_leak"),
    [
        ("One word for all lanes", "It is one `word` for all lanes.", True),
        ("{en: One word, zh: 一个字}", "共有一个字。", True),
        ("Wide", "Width is what counts.", False),
        ('"32"', "There are 32 of them.", False),
        ("Something right", "Something else", False),
    ],
)
def test_a_right_option_is_found_word_for_word(right, printed, is_leak):
    assert bool(leaks_of(printed, choice(right, topic="padding"))) is is_leak


def test_every_field_is_read_and_both_languages():
    first = first_choice(
        prompt="{en: 8 wavefronts, zh: 8 个 wavefront}",
        hints="[8 wavefronts]",
        options="[{text: 8 wavefronts, correct: true}, {text: Nine, why: 8 wavefronts}]",
    )
    found = leaks(file(first + later_number()))
    assert [problem.line for problem in found] == [6, 6, 10, 9, 9]
    assert {problem.question for problem in found} == {"pack/first"}


def test_the_code_of_a_kernel_is_read_in_its_own_file(tmp_path):
    kernel_folder(tmp_path)
    write(tmp_path, "pack/a.yaml", first_choice() + choice('"`out[i] = 2 * a[i]`"'))
    (problem,) = (p for p in lint([], [str(tmp_path)]).problems if p.what.code == LEAK)
    assert Path(problem.file).name == "solution.py"
    assert problem.question == "pack/a-kernel"


@pytest.mark.parametrize(("between", "found"), [(REACH - 1, 1), (REACH, 0)])
def test_only_questions_within_reach_count(between, found):
    first = first_choice(explanation="777 KB")
    others = [question("number", id=f"q{n}", difficulty="2") for n in range(between)]
    last = later_number(answer="777", unit="KB", difficulty="5")
    assert len(leaks(file("".join([first, *others, last])))) == found


def test_what_came_before_may_be_printed():
    first = later_number(id=FIRST, difficulty="1")
    assert leaks(file(first + later_number(answer="9", explanation="8 wavefronts"))) == []


def test_it_names_both_places_and_what_to_do(tmp_path):
    write(tmp_path, "pack/a.yaml", first_choice(explanation="It takes 8 wavefronts"))
    write(tmp_path, "pack/b.yaml", later_number())
    (problem,) = lint([], [str(tmp_path)]).problems
    assert (Path(problem.file).name, problem.line) == ("a.yaml", 7)
    assert "'8 wavefronts', the answer to 'later' (pack/b.yaml:1)" in sentence(problem.what)
    assert lint([tmp_path / "pack/a.yaml"], [str(tmp_path)]).problems == (problem,)
    assert lint([tmp_path / "pack/b.yaml"], [str(tmp_path)]).problems == ()


def test_an_exception_excuses_one_question():
    excused = "[{question: later, reason: Of another access.}]"
    first = first_choice(explanation="8 wavefronts", may_reveal=excused)
    assert leaks(file(first + later_number())) == []
    assert len(leaks(file(first + later_number() + later_number(id="also")))) == 1


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ("[{question: later}]", "field.missing"),
        ("[{question: latter, reason: Of another access.}]", "deck.no-question"),
    ],
)
def test_an_exception_has_a_reason_and_names_a_question(wrong, code):
    problems = compile_texts(first_choice(may_reveal=wrong) + later_number()).problems
    assert [problem.what.code for problem in problems] == [code]


def test_no_shipped_text_gives_an_answer_away():
    assert leaks(*sources([str(ROOT / "content")])) == []


def test_a_file_that_is_named_keeps_its_place_in_the_order(tmp_path):
    """The two are equal but for their files, so the first file's question comes first."""
    leak, asked = {"explanation": "8 wavefronts"}, {"answer": "8", "unit": "wavefronts"}
    write(tmp_path, "pack/a.yaml", question("number", id="told", **asked))
    write(tmp_path, "pack/b.yaml", question("number", id="telling", **leak))
    for named in ([], [tmp_path / "pack/a.yaml"], [tmp_path / "pack/b.yaml"]):
        assert lint(named, [str(tmp_path)]).problems == ()
