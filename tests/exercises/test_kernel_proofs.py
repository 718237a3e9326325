"""What lint promises of kernels and faults: a good one is spoilt in each way, and it is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.facts import fact
from grader.kernels import CHEATS
from quizapp.deck.linting.lint import lint
from quizapp.exercises.kernel_proofs import kernel_proofs
from quizapp.exercises.proofs import faults, first_fault
from tests.deck.tools import (
    KERNEL,
    KERNEL_FILES,
    MARK,
    SPOT,
    kernel_folder,
    question,
    split_mark,
    write,
)
from tests.examining import REFEREE
from tests.exercises.tools import kernel, spot
from tests.sentences import english, sentence

SOLUTION = KERNEL_FILES["solution.py"]
NO_GUARD, TWICE = (KERNEL_FILES[f"wrong/{name}.py"] for name in ("no-guard", "reads-twice"))
ZEROS = SOLUTION.replace("2 * a[i]", "0 * a[i]")


def find_faults(one) -> list[tuple[tuple, str]]:
    return [(fault.path, english(fault)) for fault in faults(one, REFEREE)]


# What is good has none


def test_what_these_tests_spoil_is_good():
    for one in (kernel(), kernel(**gpu(flops="2 * n")), spot()):
        assert find_faults(one) == []
        assert first_fault(one) is None


def test_every_proof_is_told_by_name_with_the_gate_it_failed_at():
    proofs, said = kernel_proofs(kernel(), REFEREE)
    assert said == []
    assert [(proof.submission, proof.gate) for proof in proofs[:4]] == [
        ("starter", "result"),
        ("solution", ""),
        ("no-guard", "findings: out-of-bounds"),
        ("reads-twice", "counts: global_requests"),
    ]
    assert [proof.submission for proof in proofs[4:]] == [*CHEATS[:6]]  # no limit on the shares
    assert all(proof.gate for proof in proofs[4:])
    assert all(proof.fault is None for proof in proofs)


# Kernels


def fails(gate: str, source: str = TWICE) -> dict:
    wrong = {"file": "one", "fails": gate, "why": "So.", "source": source}
    return {"wrong": [wrong]}


def gpu(**fields: object) -> dict:
    return {"gpu": {"shape": {"n": 4096}, "baseline": TWICE, **fields}}


CHEATED = "def reference(a):\n    return a\n"
COPY = SOLUTION.replace("2 * a[i]", "a[i]")
KERNELS = {
    "a starter that passes": (
        {"starter": SOLUTION}, ("starter",), "the starter passes already"),
    "a starter that is no Python": (
        {"starter": "def double(a, out:\n"}, ("starter",), "starter.py:1:11: the starter is not u"),
    "a starter of another signature": (
        {"starter": "\ndef double(a):\n    return\n"}, ("starter",),
        "starter.py:2:1: the starter is not understood: double takes 1 argument, not 2; it must b"),
    "a starter that is not emulated": (
        {"starter": SOLUTION.replace("2 *", "open(a) *")}, ("starter",), "the starter is not unde"),
    "a solution with wrong values": (
        {"solution": ZEROS}, ("solution",),
        "solution.py:8:1: the solution fails at `result`: for n = 64, out[0] is 0.0,"),
    "a solution without its guard": (
        {"solution": NO_GUARD, **fails("counts")}, ("solution",),
        "solution.py:7:5: the solution fails at `findings: out-of-bounds`: index 100 is o"),
    "a solution that counts too much": (
        {"solution": TWICE}, ("solution",),
        "solution.py:8:1: the solution fails at `counts: global_requests`: for n = 64: 6"),
    "a solution that is no Python": (
        {"solution": "Write it.\n"}, ("solution",), "fails at `source`"),
    "a solution without an end": (
        {"solution": NO_GUARD + "    while True:\n        i += 1\n"}, ("solution",),
        "solution.py:8:5: the solution fails at `runs: budget`"),
    "a wrong one that passes": (
        fails("result", SOLUTION), ("wrong", 0, "fails"),
        "wrong/one.py: passes; it must fail at result (checks: source, runs, result, findings"),
    "a wrong one that fails earlier": (
        fails("counts: global_requests", ZEROS), ("wrong", 0, "fails"),
        "wrong/one.py:8:1: fails at `result`"),
    "a wrong one that fails later": (
        fails("result"), ("wrong", 0, "fails"), "wrong/one.py:8:1: fails at `counts"),
    "a wrong one of another finding": (
        fails("findings: race", NO_GUARD), ("wrong", 0, "fails"),
        "fails at `findings: out-of-bounds`"),
    "a gate that is none": (
        fails("finding: race", NO_GUARD), ("wrong", 0, "fails"), "it must fail at finding: race"),
    "a cheat that passes": (
        {"reference": CHEATED, "solution": COPY, **fails("result", ZEROS)}, (),
        "the cheat `copy of an input` passes; compare more"),
    "one block that is enough": (
        {"launch": {"grid": [1], "block": [128]}, "shapes": [{"n": 64}], "counts": [],
         **fails("result", ZEROS)},
        (), "the cheat `one block only` passes"),
    "a reference that raises": (
        {"reference": "def reference(a):\n    return a / None\n"}, ("reference",),
        "reference.py:2: the reference has no answer: TypeError"),
    "a reference of another shape": (
        {"reference": "def reference(a):\n    return a[1:]\n"}, ("reference",),
        "reference.py: the reference has no answer: the reference returned the shape (63,)"),
    "a reference that exits": (
        {"reference": "def reference(a):\n    raise SystemExit(3)\n"}, (),
        "the grading process ended with status 3; simplify the question"),
    "a reference that is none": ({"reference": "x = 1\n"}, ("reference",), "no function"),
    "a type that is none": (
        {"arguments": [{"name": "a", "dtype": "float31", "shape": ["n"]},
                       {"name": "out", "dtype": "float32", "shape": ["n"], "role": "output"}]},
        ("arguments", 0, "dtype"), "there is no type float31"),
    "a timed shape that lacks a name": (
        gpu(shape={"m": 4096}), ("gpu", "shape"), "no size is given for n"),
    "operations of an unknown name": (
        gpu(flops="2 * m"), ("gpu", "flops"), "cannot be computed: "),
    "operations that are none": (gpu(flops=0), ("gpu", "flops"), "number of operations is not pos"),
    "a baseline that is no Python": (
        gpu(baseline="def (:"), ("gpu", "baseline"),
        "baseline.py:1:5: the baseline fails at `source`"),
    "a baseline with wrong values": (
        gpu(baseline=ZEROS), ("gpu", "baseline"),
        "baseline.py:8:1: the baseline fails at `result`: for n = 64, out[0] is 0.0"),
    "a baseline without its guard": (
        gpu(baseline=NO_GUARD), ("gpu", "baseline"),
        "baseline.py:7:5: the baseline fails at `findings: out-of-bounds`"),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "path", "says"), KERNELS.values(), ids=KERNELS.keys())
def test_a_spoilt_kernel_has_one_fault_at_its_place(fields, path, says):
    ((place, message),) = find_faults(kernel(**fields))
    assert place == path, message
    assert says in message


CANNOT = {
    "a name that no shape has": ({"launch": {"grid": ["m"], "block": [32]}}, ("launch", "grid", 0)),
    "a size of nothing": ({"shapes": [{"n": 64}], "launch": {"grid": ["n - 64"], "block": [32]}},
                          ("launch", "grid", 0)),
    "a fraction of a block": ({"launch": {"grid": ["n / 33"], "block": [32]}},
                              ("launch", "grid", 0)),
    "a counter that is none": ({"counts": [{"counter": "bank_conflict", "most": 0}]},
                               ("counts", 0, "counter")),
    "a limit without a bound": ({"counts": [{"counter": "barriers"}]}, ("counts", 0)),
    "too many threads": ({"launch": {"grid": [100_000], "block": [1024]}}, ("launch",)),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "path"), CANNOT.values(), ids=CANNOT.keys())
def test_what_cannot_be_launched_keeps_it_from_being_asked(fields, path):
    question = kernel(**fields)
    fault = first_fault(question)
    assert fault is not None
    assert fault.path == path, english(fault)
    assert [place for place, _ in find_faults(question)] == [path]


def test_all_that_is_wrong_with_a_kernel_is_named_in_one_run():
    wrong = [
        {"file": "a", "fails": "result", "why": "x", "source": SOLUTION},
        {"file": "b", "fails": "findings: out-of-bounds", "why": "x", "source": NO_GUARD},
        {"file": "c", "fails": "runs", "why": "x", "source": ZEROS},
    ]
    question = kernel(starter=SOLUTION, solution=ZEROS, wrong=wrong)
    assert [path for path, _ in find_faults(question)] == [
        ("starter",),
        ("solution",),
        ("wrong", 0, "fails"),
        ("wrong", 2, "fails"),
    ]


def test_a_question_after_one_that_ends_the_process_is_proved_too():
    exits = kernel(reference="def reference(a):\n    import os\n    os._exit(9)\n")
    assert len(find_faults(exits)) == 1
    assert find_faults(kernel()) == []


# Faults


MENDED = """\
@cuda.jit
def reverse(a, out):
    {{tile}} = cuda.shared.array({{size}}, numba.float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    {{tile}}[t] = a[i]
    cuda.syncthreads()
    out[i] = {{tile}}[{{size - 1}} - t]
"""
SPOTS = {
    "no fault": (
        {"code": MENDED}, ("code",), "finds nothing wrong"),
    "a warning that is no fault": (
        {"code": MENDED.replace("[t] = a[i]", "[t] = a[i - 1]")},
        ("code",), "nothing that can be asked for; it reports: warning"),
    "no fault in one draw": (
        {"code": MENDED.replace("    cuda.syncthreads()\n", "    {{step}}\n"),
         "draw": {"size": [64], "tile": ["tile"], "step": ["t += 0", "cuda.syncthreads()"]}},
        ("code",), "finds nothing"),
    "code that is not emulated": (
        {"code": "@cuda.jit\ndef k(a, out):\n    open(a)\n"}, ("code",), "line 3, column 5: "),
    "code that is no Python": ({"code": "__global__ void k() {}"}, ("code",), "line 1, column "),
    "two kernels": (
        {"code": MENDED + MENDED.replace("reverse", "other")}, ("code",), "two kernels"),
    "another number of arguments": (
        {"code": MENDED.replace("(a, out)", "(a)")}, ("code",), "takes 1 argument, not 2"),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "path", "says"), SPOTS.values(), ids=SPOTS.keys())
def test_a_spoilt_spot_has_one_fault_at_its_place(fields, path, says):
    ((place, message),) = find_faults(spot(**fields))
    assert place == path, message
    assert says in message


UNFILLED = {
    "in the code": ({"code": "{{part}}"}, ("code",)),
    "in the prompt": ({"prompt": "{{part}}"}, ("prompt",)),
    "in the Chinese": ({"explanation": {"en": "a", "zh": "{{part}}"}}, ("explanation", "zh")),
    "in a hint": ({"hints": ["a", "{{part}}"]}, ("hints", 1)),
    "in the launch": ({"launch": {"grid": ["part"], "block": [32]}}, ("launch", "grid", 0)),
    "in let": ({"let": {"half": "part // 2"}}, ("let", "half")),
    "a name that is taken": ({"let": {"size": "3"}}, ("let", "size")),
}


@pytest.mark.parametrize(("fields", "path"), UNFILLED.values(), ids=UNFILLED.keys())
def test_a_spot_that_cannot_be_filled_keeps_it_from_being_asked(fields, path):
    question = spot(**fields)
    fault = first_fault(question)
    assert fault is not None
    assert fault.path == path, english(fault)
    assert [place for place, _ in find_faults(question)] == [path]


# Through lint, with positions. The mark stands where the problem must be reported.


IN_FOLDERS = {
    "a starter that passes": (
        KERNEL.replace("- id", f"- {MARK}id"), {"starter": SOLUTION}, "the starter passes already"),
    "a wrong one that passes": (
        KERNEL.replace('fails: "findings', f'fails: {MARK}"findings'), {"wrong_no_guard": SOLUTION},
        "wrong/no-guard.py: passes"),
    "a wrong one at another gate": (
        KERNEL.replace('fails: "counts', f'fails: {MARK}"counts'), {"wrong_reads_twice": ZEROS},
        "wrong/reads-twice.py:8:1: fails at `result`"),
}  # fmt: skip
IN_PYTHON = {
    "starter.py": ({"starter": "def double(a, out:\n"}, (1, 11), "the starter is not understood"),
    "solution.py": ({"solution": ZEROS}, (8, 1), "the solution fails at `result`"),
    "reference.py": (
        {"reference": "def reference(a):\n    return b\n"}, (2, 1), "the reference has no answer:"),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_PYTHON)
def test_a_fault_in_a_python_file_is_at_its_place_there(name, tmp_path):
    files, place, what = IN_PYTHON[name]
    folder = kernel_folder(tmp_path, KERNEL, **files)
    (problem,) = lint([], [str(tmp_path)]).problems
    assert (Path(problem.file), (problem.line, problem.column)) == (folder / name, place)
    assert sentence(problem.what).startswith(what)
    assert lint([folder / "question.yaml"], [str(tmp_path)]).problems == (problem,)


def test_a_fault_in_code_that_yaml_holds_is_at_its_place_in_yaml(tmp_path):
    inlined = 'reference: "def reference(a):\\n    return b\\n"'
    text, place = split_mark(KERNEL + f"  {inlined.replace(': ', f': {MARK}', 1)}\n")
    folder = kernel_folder(tmp_path, text)
    (problem,) = lint([], [str(tmp_path)]).problems
    assert (Path(problem.file), (problem.line, problem.column)) == (
        folder / "question.yaml", place,
    )  # fmt: skip
    assert sentence(problem.what).startswith(
        "reference.py:2: the reference has no answer: NameError"
    )


def test_a_kernel_named_wrongly_is_told_with_the_nearest_name(tmp_path):
    text, place = split_mark(KERNEL.replace("kernel: double", f"kernel: {MARK}doubel"))
    kernel_folder(tmp_path, text)
    (problem,) = lint([], [str(tmp_path)]).problems
    assert (problem.line, problem.column) == place
    assert sentence(problem.what) == "solution.py has no function 'doubel'"
    assert problem.hint == fact("suggest.name", name="double")


def test_an_unknown_counter_has_the_nearest_name(tmp_path):
    text, place = split_mark(
        KERNEL.replace("counter: global_requests", f"counter: {MARK}global_request")
    )
    kernel_folder(tmp_path, text)
    (problem,) = lint([], [str(tmp_path)]).problems
    assert (problem.line, problem.column) == place
    assert "use one of: global_requests" in english(problem)


@pytest.mark.parametrize(("text", "files", "what"), IN_FOLDERS.values(), ids=IN_FOLDERS.keys())
def test_lint_gives_the_place_in_the_file(text, files, what, tmp_path):
    clean, place = split_mark(text)
    folder = kernel_folder(tmp_path, clean, **files)
    report = lint([], [str(tmp_path)])
    (problem,) = report.problems
    assert (problem.line, problem.column) == place, english(problem)
    assert what in english(problem)
    assert (problem.question, Path(problem.file)) == ("pack/a-kernel", folder / "question.yaml")
    assert report.questions == 1  # it can still be studied


def test_lint_gives_the_place_of_code_without_a_fault(tmp_path):
    block = "".join(f"    {line}\n" for line in MENDED.splitlines())
    text = SPOT[: SPOT.index("    @cuda")] + block + SPOT[SPOT.index("  arguments") :]
    clean, place = split_mark(text.replace("  code: |", f"  code: {MARK}|"))
    write(tmp_path, "pack/a.yaml", question("choice") + clean)
    (problem,) = lint([], [str(tmp_path)]).problems
    assert (problem.line - question("choice").count("\n"), problem.column) == place
    assert "the emulator finds nothing" in english(problem)
