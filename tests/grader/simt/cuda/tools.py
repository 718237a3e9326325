"""Parses what stands in a kernel, and prints it with all its parentheses."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from grader.simt.cuda.declared import Statement, TranslationUnit
from grader.simt.cuda.parser.parsing import parse
from grader.simt.cuda.syntax import Compound, Node
from grader.simt.errors import Refused
from tests.grader.simt.cuda.printing import format_node


def body_of(statements: str, before: str = "") -> tuple[Statement, ...]:
    """The statements of a kernel with variables of all kinds, behind declarations."""
    parameters = "int i, int j, int n, int m, int x, int y, int z, float a, float b, float* p"
    unit = parse(f"{before}\n__global__ void f({parameters}) {{\n{statements}\n}}")
    kernel = unit.kernels[-1]
    if kernel.refusal:
        raise kernel.refusal
    assert isinstance(kernel.body, Compound)
    return kernel.body.statements


def shown(statements: str, before: str = "") -> str:
    """The statements as they were understood."""
    return " ".join(" ".join(format_node(each).split()) for each in body_of(statements, before))


def refusal_of(text: str, **options: object) -> Refused:
    """The error for a source, or for its first kernel that is refused."""
    with pytest.raises(Refused) as caught:
        raise_first(parse(text, **options))  # type: ignore[arg-type]
    return caught.value


def raise_first(unit: TranslationUnit) -> None:
    for function in (*unit.kernels, *unit.functions):
        if function.refusal:
            raise function.refusal


def code_and_place(text: str, **options: object) -> tuple[str, int, int]:
    error = refusal_of(text, **options)
    return error.what.code, error.line, error.column


def files(texts: Mapping[str, str]):
    """A reader of includes from a mapping."""
    return lambda name, _path: (name, texts[name]) if name in texts else None


def without_places(node: Node) -> str:
    return format_node(node)
