"""Kernels and faults in the plain mode: typed lines in, verdicts in words out."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from quizapp.deck.deck import load
from quizapp.domain.kernel import FAULTS, SPOTTABLE
from quizapp.domain.log.events import Answered, Probed, Tried
from quizapp.domain.rating import Rule
from quizapp.exercises.kernels import CheckedKernel
from quizapp.study.examiner import Examiner
from quizapp.study.home_values import Filter
from tests.compiled_content import fill_cache
from tests.deck.tools import (
    KERNEL_FILES,
    NUMBER,
    ROOT,
    SPOT,
    SPOT_PLACES,
    kernel_folder,
    question,
    write,
)
from tests.examining import EXAMINER
from tests.plain.person import Played, right, wrong

KERNELS, SPOTS = Filter(kind="kernel"), Filter(kind="spot")
KERNELED, SPOTTED = "pack/a-kernel", "pack/a-spot"
SOLUTION = KERNEL_FILES["solution.py"].splitlines()
NO_GUARD, TWICE = (
    KERNEL_FILES[f"wrong/{name}.py"].splitlines() for name in ("no-guard", "reads-twice")
)
THREE = [line.replace("2 *", "3 *") for line in SOLUTION]
RACE = SPOTTABLE.index("race") + 1
ZH = question("spot", prompt="{en: What is wrong?, zh: 哪里错了？}",
              explanation="{en: A barrier., zh: 缺少屏障。}")  # fmt: skip


@pytest.fixture(scope="session")
def deck(tmp_path_factory):
    root = tmp_path_factory.mktemp("kernels")
    kernel_folder(root)
    write(root, "pack/b.yaml", SPOT)
    write(root, "pack/c.yaml", NUMBER)
    return load([str(root)], str(root / "cache" / "deck"))


@pytest.fixture
def shared(stage):
    """The stage, with the process that other tests use as well: starting one takes 0.3 s."""
    made = stage.study

    def study(*arguments, **settings):
        one = made(*arguments, **settings)
        one.session.examiner = EXAMINER
        return one

    stage.study = study
    return stage


def failed_submissions(played: Played) -> list[Tried]:
    events = played.study.store.events(KERNELED)
    return [event.body for event in events if isinstance(event.body, Tried)]


def answer(played: Played, name: str = KERNELED) -> Answered:
    (one,) = played.answers(name)
    return one


# Kernels


def test_a_kernel_shows_its_starter_and_how_to_hand_in(shared):
    said = shared.play(narrowed=KERNELS).said
    assert re.search(r"^1 of 1 · .* · kernel · difficulty 2$", said, re.MULTILINE)
    assert "Store twice each element of `a` in `out`." in said
    assert "\n    @cuda.jit\n    def double(a, out):\n        i = cuda.grid(1)\n" in said
    assert "Type all of your code, also what you keep" in said


def test_a_kernel_that_passes_is_right_with_what_was_shown(shared):
    played = shared.play(*SOLUTION, ".", "", narrowed=KERNELS)
    assert "✓ right at 2 shapes (164 elements), no bug found" in played.said
    assert "✓ global memory requests: 4 (at most 4)" in played.said
    assert "One thread an element." in played.said
    assert answer(played).response == "\n".join(SOLUTION)
    assert (answer(played).correct, answer(played).failures) == (True, 0)
    assert failed_submissions(played) == []


def test_a_kernel_that_passed_is_asked_about(shared):
    probed = [":g", ""] * 5
    played = shared.play(":p", *SOLUTION, ".", ":p", *probed, narrowed=KERNELS)
    assert "Questions about a kernel come once it has passed." in played.said
    assert "Kernel `double`" in played.said or "Kernel double" in played.said
    assert "That was the last question about your kernel." in played.said
    kept = [entry.body for entry in played.study.store.mock_events()]
    assert kept
    assert all(isinstance(body, Probed) and body.gave_up for body in kept)
    assert answer(played).correct


def test_ctrl_c_goes_on_without_a_gpu_and_the_emulator_s_verdict_stands(shared, monkeypatch):
    def interrupted(self: Examiner, checked: CheckedKernel) -> CheckedKernel:
        raise KeyboardInterrupt

    monkeypatch.setattr(Examiner, "measures", lambda *_: True)
    monkeypatch.setattr(Examiner, "measure", interrupted)
    played = shared.play(*SOLUTION, ".", "", narrowed=KERNELS)
    assert "Now on the GPU … Ctrl-C continues without it." in played.said
    assert "speedup not measured: it was skipped" in played.said
    assert answer(played).correct


def test_wrong_values_are_a_table_and_the_next_submission_may_pass(shared):
    played = shared.play(*THREE, ".", *SOLUTION, ".", "", narrowed=KERNELS)
    assert "✗ wrong values · line 8\n  for n = 64, out[0] is " in played.said
    assert "64 of 64 elements are wrong for n = 64" in played.said
    assert re.search(r"element +expected +got +written last by", played.said)
    assert re.search(r"out\[7\] .* thread 7, block 0, line 8", played.said)
    assert [(body.source, body.gate) for body in failed_submissions(played)] == [
        ("\n".join(THREE), "result")
    ]
    assert (answer(played).failures, answer(played).rule) == (1, Rule.UNAIDED)


def test_a_known_mistake_is_explained_and_a_limit_says_what_came(shared):
    said = shared.play(*NO_GUARD, ".", *TWICE, ".", narrowed=KERNELS).said
    assert "✗ out of bounds · line 7" in said
    assert "index 100 is out of bounds: the shape of out is (100,)" in said
    assert "The last block has threads to spare." in said
    assert "✗ global memory requests · line 8" in said
    assert "6; the limit is 4" in said
    assert "It loads `a` twice." in said


@pytest.mark.parametrize(
    ("lines", "says", "failures"),
    [
        (["x = 1"], "there is no function", 0),
        (["def double(a, out:"], "'(' was never closed", 0),
        (["def double(a):", "    return"], "takes 1 argument, not 2", 0),
        (["\x00"], "a NUL byte", 0),
        (
            [*SOLUTION, "    while True:", "        i += 1"],
            "It was stopped after",
            1,
        ),
        (["# " + "x" * 300_000], "characters; the limit is 200,000", 0),
    ],
    ids=["no function", "no Python", "signature", "NUL", "endless", "long"],
)
def test_what_is_no_such_kernel_is_told_kept_and_goes_on(shared, lines, says, failures):
    """What was not even run is kept, and is no attempt."""
    played = shared.play(*lines, ".", *SOLUTION, ".", "", narrowed=KERNELS)
    assert says in played.said
    assert [body.source for body in failed_submissions(played)] == ["\n".join(lines)]
    assert answer(played).failures == failures


def test_nothing_is_not_submitted(shared):
    played = shared.play(".", *SOLUTION, ".", "", narrowed=KERNELS)
    assert "\nWrite something first.\n" in played.said
    assert failed_submissions(played) == []


def test_the_starter_as_it_was_costs_nothing(shared):
    starter = KERNEL_FILES["starter.py"].splitlines()
    played = shared.play(*starter, ".", *SOLUTION, ".", "", narrowed=KERNELS)
    assert "This is the starter, unchanged; write your part first." in played.said
    assert failed_submissions(played) == []
    assert (answer(played).failures, answer(played).rule) == (0, Rule.UNAIDED)


def test_two_failures_make_it_hard_over_a_restart(shared):
    shared.play(*THREE, ".", narrowed=KERNELS)
    played = shared.play(":x", *TWICE, ".", *SOLUTION, ".", "", narrowed=KERNELS)
    assert (answer(played).failures, answer(played).rule) == (2, Rule.TWO_FAILURES)


def test_giving_up_shows_the_solution(shared):
    played = shared.play(*THREE, ".", ":g", "", narrowed=KERNELS)
    assert "✗ given up\nA solution\n    from numba import cuda\n" in played.said
    assert "            out[i] = 2 * a[i]\n" in played.said
    assert (answer(played).gave_up, answer(played).failures) == (True, 1)


def test_what_was_typed_so_far_is_a_draft(shared):
    played = shared.play(*SOLUTION[:5], narrowed=KERNELS)
    assert played.study.store.draft(KERNELED) == "\n".join(SOLUTION[:5])
    assert "✓ right" in shared.play(*SOLUTION[5:], ".", "", narrowed=KERNELS).said


def test_undo_asks_the_kernel_again(shared):
    played = shared.play(*SOLUTION, ".", ":u", ":x", *SOLUTION, ".", "", narrowed=KERNELS)
    assert f"Undone: answer, {KERNELED}." in played.said
    assert [one.correct for one in played.answers(KERNELED)] == [True, True]


def test_a_reference_that_fails_is_told_and_the_text_is_kept(stage, tmp_path):
    kernel_folder(tmp_path, reference="def reference(a):\n    return b\n")
    stage.deck = load([str(tmp_path)], str(tmp_path / "deck"))
    played = stage.play(*SOLUTION, ".", narrowed=KERNELS)
    assert "a-kernel cannot be graded: NameError: name 'b' is not defined" in played.said
    assert "quiz lint" in played.said
    assert played.status == 0
    assert failed_submissions(played) == []
    assert played.study.store.draft(KERNELED) == "\n".join(SOLUTION)


# Faults


def test_a_spot_shows_its_lines_numbered_and_what_may_be_named(shared):
    said = shared.play(narrowed=SPOTS).said
    assert re.search(r"^1 of 1 · .* · spot · difficulty 2$", said, re.MULTILINE)
    assert re.search(r"^ +1  @cuda\.jit$", said, re.MULTILINE)
    assert re.search(r"^ +7 +out\[i\] = (tile|part)\[(63|127) - t\]$", said, re.MULTILINE)
    assert "1. race in shared memory" in said
    assert f"{FAULTS.index('warning') + 1}. unintended float64" in said


@pytest.mark.parametrize("line", sorted(line for line, _ in SPOT_PLACES))
@pytest.mark.parametrize("form", ["{} {}", "  {},{} ", "{}，{}"])
def test_either_end_of_the_race_is_right_however_it_is_typed(shared, line, form):
    played = shared.play(form.format(line, RACE), "", narrowed=SPOTS)
    assert "✓ right" in played.said
    assert answer(played, SPOTTED).correct
    assert answer(played, SPOTTED).response.startswith(f"line {line}: race")
    assert "A barrier is missing" in played.said


def test_a_wrong_place_is_told_with_what_the_emulator_found(shared):
    played = shared.play(wrong, "", narrowed=SPOTS)
    assert "✗ wrong" in played.said
    assert re.search(r"• race in shared memory · line \d", played.said)
    assert not answer(played, SPOTTED).correct


@pytest.mark.parametrize(
    "typed", ["", "6", "race", "0 1", "8 1", "6 0", f"6 {len(FAULTS) + 1}", "6 1 1", "-6 1", "²"]
)
def test_what_is_no_line_and_kind_is_asked_again(shared, typed):
    played = shared.play(typed, f"6 {RACE}", "", narrowed=SPOTS)
    assert "1 to 7" in played.said or f"1 to {len(FAULTS)}" in played.said
    assert answer(played, SPOTTED).correct


def test_what_was_drawn_is_stored_and_another_is_drawn_next_time(shared):
    first = shared.play(wrong, "", right, "", narrowed=SPOTS)
    parameters = [body.drawn["parameters"] for body in first.answers(SPOTTED)]
    assert len(parameters) == 2
    assert parameters[0] != parameters[1]
    assert all(set(one) == {"size", "tile"} for one in parameters)


def test_giving_up_a_spot_says_what_is_wrong(shared):
    played = shared.play(":g", "", narrowed=SPOTS)
    assert "✗ given up" in played.said
    assert "race in shared memory" in played.said
    assert answer(played, SPOTTED).gave_up


def test_how_sure_is_asked_of_a_spot_and_not_of_a_kernel(shared):
    played = shared.play(f"6 {RACE}", "2", "", narrowed=SPOTS, confidence=True)
    assert answer(played, SPOTTED).confidence == 2
    played = shared.play(*SOLUTION, ".", "", narrowed=KERNELS, confidence=True)
    assert "How sure?" not in played.said


@pytest.mark.parametrize("typed", [f"6 {RACE}", ":g"])
def test_a_spot_that_nobody_can_grade_is_told_and_the_next_is_asked(stage, tmp_path, typed):
    barrier = "        cuda.syncthreads()\n        out[i] = {{tile}}"
    faultless = SPOT.replace("        out[i] = {{tile}}", barrier)
    write(tmp_path, "pack/a.yaml", faultless + question("number"))
    stage.deck = load([str(tmp_path)], str(tmp_path / "deck"))
    in_this_order = Filter(questions=(SPOTTED, "pack/a-number"))
    played = stage.play(typed, "32", "", "", narrowed=in_this_order)
    assert "a-spot cannot be graded: the emulator finds nothing" in played.said
    assert answer(played, "pack/a-number").correct
    assert played.answers(SPOTTED) == []
    assert played.status == 0


# Chinese


def test_chinese_speaks_of_kernels_and_faults(shared):
    said = shared.play(*THREE, ".", *NO_GUARD, ".", narrowed=KERNELS, language="zh").said
    assert "✗ 结果不对 · 第 8 行" in said
    assert "最后写入者" in said
    assert "✗ 越界 · 第 7 行" in said
    assert "最后一个块有多余的线程。" in said
    said = shared.play(wrong, "", narrowed=SPOTS, language="zh").said
    assert "1. 共享内存数据竞争" in said
    assert "之间缺少同步" in said


# The program itself


@pytest.fixture
def environment(tmp_path):
    kernel_folder(tmp_path / "content", question("kernel", topic="bytes"))
    fill_cache(tmp_path)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("QUIZ_")}
    return {**kept, "QUIZ_HOME": str(tmp_path), "QUIZ_CONFIDENCE": "false", "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("encoding", ["utf-8", pytest.param("ascii", marks=pytest.mark.long)])
def test_a_broken_byte_in_a_kernel_is_told_and_the_next_one_passes(environment, encoding):
    """Through a real pipe: it ends nothing, and the submission is kept."""
    typed = b"# caf\xe9\n" + "\n".join(THREE).encode() + b"\n.\n"
    typed += "\n".join(SOLUTION).encode() + b"\n.\n\n:q\n"
    done = subprocess.run(
        [sys.executable, "-m", "quizapp", "start", "--plain", "--topic", "bytes"],
        input=typed, capture_output=True, timeout=60, check=False,
        env=environment | {"PYTHONIOENCODING": encoding},
    )  # fmt: skip
    said = done.stdout.decode(errors="replace")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "wrong values" in said
    assert "1 question answered, 0 right at the first attempt" in said
