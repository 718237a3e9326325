"""What chosen inputs are worth, and which changes of the right kernel are run at them."""

from __future__ import annotations

import pytest

from grader.kernels import Referee
from quizapp.domain.interview_theme import InputsFields
from quizapp.domain.kernel import OfferedInput
from quizapp.domain.question import InputChoice, WrongKernel, prose
from quizapp.domain.typed.inputs import add_input, read_input
from quizapp.exercises.known_results import remember
from quizapp.exercises.tried_inputs import TriedInputs, build_choice, refuse_input, try_inputs
from quizapp.report.verdicts.found_by_inputs import describe, solve
from quizapp.report.words import Words
from tests.grader.gpu.tools import shipped

FLAWS = tuple(WrongKernel(name, "result", "no") for name in ("guard", "barrier", "one-block"))
TRIED = TriedInputs(
    FLAWS, (frozenset({0}), frozenset({1}), frozenset({0, 1}), frozenset({2}), frozenset())
)


@pytest.mark.parametrize(
    ("picked", "score"),
    [((2, 3), 1), ((0, 1), (2 - 1.8) / (3 - 1.8)), ((3, 4), 0), ((0, 4), 0), ((), 0)],
)
def test_inputs_are_worth_what_they_find_above_as_many_that_are_drawn(picked, score):
    assert TRIED.score_inputs(picked) == pytest.approx(score)


def test_typed_inputs_may_find_more_than_those_of_the_list_and_do_not_raise_the_bar():
    tried = TriedInputs(
        FLAWS, (frozenset({0}), frozenset(), frozenset({0, 1}), frozenset({2})), typed=2
    )
    assert tried.best_listed(1) == (0,)
    assert [tried.score_inputs((i,)) for i in range(4)] == [1, 0, 1, 1]


def test_the_best_inputs_are_those_that_were_chosen_where_these_are_as_good():
    both = TriedInputs(FLAWS[:2], (frozenset({0, 1}), frozenset({0, 1}), frozenset()))
    assert both.best([1]) == (1,)
    assert both.best([0]) == (0,)
    assert both.best([], 2)


def choose(language: str) -> InputChoice:
    [kernel] = [each.question for each in shipped(language) if each.id.endswith("kernel-mse-loss")]
    sizes = ({"n": 1}, {"n": 256}, {"n": 4096}, {"n": 16500})
    normal = {"prediction": "normal", "target": "normal"}
    offered = tuple(OfferedInput(size, normal) for size in sizes)
    stage = InputsFields(question="q", prompt="?", explanation="!", offered=offered, pick=1)
    return build_choice(stage, kernel, "tests")


@pytest.mark.parametrize("language", [pytest.param("python", marks=pytest.mark.long), "cuda"])
def test_changes_of_the_right_kernel_are_run_and_said_in_sentences(language):
    choice, known, done = choose(language), {}, []
    with Referee() as referee:
        referee.author = "shipped"
        remembered = remember(referee.find_failure, known)

        def find(problem, source):
            assert not problem.limits, "what only costs more does not count"
            return remembered(problem, source)

        for text, code in (("n=40000", None), ("n=4 target=inf", "undefined")):
            refused = refuse_input(choice, read_input(choice.kernel, text), find)
            assert (refused and refused.code.partition(".")[2]) == code
        choice = add_input(choice, read_input(choice.kernel, "n=40000"))
        tried = try_inputs(choice, find, lambda *runs: done.append(runs))
        runs = len(known)
        assert try_inputs(choice, find) == tried
    assert len(known) == runs, "what was run is not run again"
    assert tried.easy > 5, "most of a kernel's mistakes are found by most inputs"
    assert len(tried.found[-1]) > len(tried.found[-2]) > 0, "16 bits and bounds of the tests"
    assert done == sorted(done)
    for say in (Words("en"), Words("zh")):
        solved = solve(choice, tried, (0,), say)
        assert sum(option.correct for option in solved.options) == 1
        for flaw in tried.flaws:
            narrowed = getattr(flaw, "rule", "") == "narrow"
            assert not narrowed or "16" in flaw.source or "short" in flaw.source
            sentence = describe(flaw, say)
            assert sentence.rstrip(" ）”")[-1] in ".。", sentence
            assert getattr(flaw, "rule", getattr(flaw, "file", "")) not in sentence
        missed = set(range(len(tried.flaws))) - tried.found[0]
        shown = prose(solved.explanation, "en")
        assert all(shown.count(describe(tried.flaws[i], say)) == 1 for i in missed)
