"""A known mistake is recognized by what it does: a shipped one, rewritten in several ways.

The first of each check that one fails; all of them in `make test-long`.
"""

from __future__ import annotations

import ast
import builtins
from contextlib import closing
from functools import cache, partial

import pytest

from grader.facts import fact
from grader.kernels import KernelGrade, RefereeFailed, ReferenceOutputs, grade
from quizapp.domain.errors import Ungraded
from quizapp.domain.question import Kernel, WrongKernel
from quizapp.exercises.kernel_mistakes import KernelMistakes
from quizapp.exercises.kernels import problem
from quizapp.study.examiner import Examiner
from tests.exercises.tools import kernel
from tests.grader.gpu.tools import Shipped, shipped
from tests.sampling import every, first_of_each

QUESTIONS = {one.id.partition("kernel-")[2]: one for one in shipped()}
BY_STEPS = {("scan-grid", "number-of-the-launch"), ("scan-grid", "goes-on-past-a-prefix")}
"""How far these come depends on the number of statements, which rewriting changes."""
LISTED = [
    (name, wrong)
    for name, one in QUESTIONS.items()
    for wrong in one.question.wrong
    if (name, wrong.file) not in BY_STEPS
]
MISTAKES = KernelMistakes()


class Renamed(ast.NodeTransformer):
    """Every parameter, variable and global of one's own has another name."""

    def __init__(self, tree: ast.Module) -> None:
        stored = {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        taken = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        self._names = (stored | taken) - set(dir(builtins))

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id in self._names:
            node.id = f"my_{node.id}"
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = f"my_{node.arg}"
        return node


class Rewritten(ast.NodeTransformer):
    """`x += y` becomes `x = x + y`, and what may be is added and multiplied the other way round."""

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        return ast.Assign([node.target], value)

    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        self.generic_visit(node)
        plain = all(isinstance(one, ast.Name | ast.Constant) for one in (node.left, node.right))
        if plain and isinstance(node.op, ast.Mult):
            node.left, node.right = node.right, node.left
        return node


class Reordered(ast.NodeTransformer):
    """Neighboring assignments of scalars that do not depend on each other change places."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        body = node.body
        i = 0
        while i + 1 < len(body):
            if self._free(body[i], body[i + 1]):
                body[i], body[i + 1] = body[i + 1], body[i]
                i += 1
            i += 1
        return node

    @staticmethod
    def _free(one: ast.stmt, other: ast.stmt) -> bool:
        for statement in (one, other):
            if not isinstance(statement, ast.Assign) or ast.unparse(statement).count("["):
                return False
            if "sync" in ast.unparse(statement) or "array" in ast.unparse(statement):
                return False
        names = [
            {n.id: n.ctx for n in ast.walk(s) if isinstance(n, ast.Name)} for s in (one, other)
        ]
        stores = [{k for k, ctx in found.items() if isinstance(ctx, ast.Store)} for found in names]
        return not (stores[0] & set(names[1])) and not (stores[1] & set(names[0]))


def rewrite(source: str) -> str:
    """The same mistake as somebody else would write it."""
    tree = ast.parse(source)
    for change in (Reordered(), Rewritten(), Renamed(tree)):
        tree = ast.fix_missing_locations(change.visit(tree))
    return "# mine\n" + ast.unparse(tree) + "\n"


@cache
def expect(name: str) -> ReferenceOutputs:
    return ReferenceOutputs(QUESTIONS[name].problem)


def grade_source(name: str, source: str) -> KernelGrade:
    return grade(QUESTIONS[name].problem, source, expect(name))


def mistake(name: str, source: str) -> WrongKernel | None:
    one: Shipped = QUESTIONS[name]
    return MISTAKES.of(one.question, grade_source(name, source), partial(grade_source, name))


@pytest.mark.parametrize(
    ("name", "wrong"),
    first_of_each(
        lambda row: row[1].fails.partition(":")[0], LISTED, lambda row: f"{row[0]}-{row[1].file}"
    ),
)
def test_a_mistake_written_otherwise_is_told_by_what_it_does(name: str, wrong: WrongKernel) -> None:
    source = rewrite(wrong.source or "")
    assert source.split() != (wrong.source or "").split()
    found = mistake(name, source)
    assert found is not None
    assert found.file == wrong.file


@pytest.mark.parametrize("name", every(4, QUESTIONS, str, dear=["gemm-fp8-blockwise"]))
def test_what_is_no_listed_mistake_is_not_called_one(name: str) -> None:
    """A starter fails, and not as a mistake does. (Lint proves that solutions pass.)"""
    question = QUESTIONS[name].question
    starter = mistake(name, question.starter or "")
    same = [one for one in question.wrong if one.source == question.starter]
    assert starter is None or same, starter


def two_alike() -> Kernel:
    """Both mistakes do the same, and only their texts tell them apart."""
    data = kernel()
    twice = (data.wrong[0].source or "").replace("2 *", "1 * 2 *")
    second = WrongKernel(file="other", fails=data.wrong[0].fails, why="Other.", source=twice)
    return type(data)(
        **{
            **{f: getattr(data, f) for f in data.__struct_fields__},
            "wrong": (data.wrong[0], second),
        }
    )


def test_where_two_mistakes_do_the_same_none_is_named_but_the_one_as_written() -> None:
    question = two_alike()
    asked = problem(question)
    known, right = KernelMistakes(), ReferenceOutputs(asked)

    def of(source: str) -> WrongKernel | None:
        return known.of(question, grade(asked, source, right), lambda s: grade(asked, s, right))

    first, second = (one.source or "" for one in question.wrong)
    assert [one and one.file for one in map(of, (first, second))] == ["no-guard", "other"]
    assert of(first.replace("2 *", "2 * 1 *")) is None
    assert of(f"\n\n{first}\n") == question.wrong[0]


def test_each_mistake_is_worked_out_once() -> None:
    known, asked = KernelMistakes(), []

    def counted(name: str, source: str) -> KernelGrade:
        asked.append(source)
        return grade_source(name, source)

    question = QUESTIONS["saxpy"].question
    of = partial(known.of, question, grade=partial(counted, "saxpy"))
    assert of(grade_source("saxpy", question.wrong[0].source or "")) == question.wrong[0]
    assert asked == []  # as written: nothing needs to be compared
    source = rewrite(question.wrong[0].source or "")
    gate = grade_source("saxpy", source).verdict
    for _ in range(2):
        assert of(grade_source("saxpy", source)) == question.wrong[0]
        assert len(asked) == sum(gate.fails_at(one.fails) for one in question.wrong)


def test_the_examiner_names_the_mistake() -> None:
    question = kernel()
    source = rewrite(question.wrong[0].source or "")
    with closing(Examiner()) as examiner:
        assert examiner.check(question, source).mistake == question.wrong[0]
        assert examiner.check(question, question.solution or "").mistake is None


def test_a_mistake_that_cannot_be_worked_out_takes_no_verdict_away_but_a_repeatable_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise RefereeFailed(fact("referee.slow", seconds=1))

    monkeypatch.setattr(KernelMistakes, "of", fails)
    question = kernel()
    with closing(Examiner()) as examiner:
        checked = examiner.check(question, question.wrong[0].source or "")
    assert checked.gate == "findings: out-of-bounds"
    assert checked.mistake is None
    with closing(Examiner(repeatable=True)) as examiner, pytest.raises(Ungraded):
        examiner.check(question, question.wrong[0].source or "")
