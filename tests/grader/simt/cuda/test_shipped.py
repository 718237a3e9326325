"""The CUDA C++ that the project ships."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from pathlib import Path

from grader.simt.cuda.parser.parsing import parse
from grader.simt.cuda.syntax import Node
from grader.simt.cuda.trees import children, walk
from grader.simt.errors import Refused
from tests.grader.simt.cuda.printing import format_tree
from tests.tables import each

ROOT = Path(__file__).resolve().parents[4]
KERNELS = sorted((ROOT / "content").rglob("*.cu"))
PROGRAMS = sorted((ROOT / "tests" / "data").rglob("*.cu"))
CLAIMS = sorted((ROOT / "bench" / "gpu" / "claims" / "cuda").glob("*.cu"))


def read(name: str, path: str) -> tuple[str, str] | None:
    file = Path(path).parent / name
    return (str(file), file.read_text("utf-8")) if file.is_file() else None


@each("file", KERNELS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_kernel_of_the_content_is_parsed_whole_and_printed_for_good(file):
    unit = parse(file.read_text("utf-8"), path=str(file), read=read)
    assert unit.kernels
    assert unit.unavailable == ()
    reasons = [each.refusal.what.code for each in (*unit.kernels, *unit.functions) if each.refusal]
    assert reasons == []
    printed = format_tree(unit)
    assert format_tree(parse(printed)) == printed


def _fields(node: Node) -> list[Node]:
    """Return the nodes in the fields of a node, as its class declares them."""
    values = [getattr(node, each.name) for each in dataclasses.fields(node)]
    whole = [value if type(value) is tuple else (value,) for value in values]
    return [each for value in whole for each in value if isinstance(each, Node)]


def test_below_each_node_of_a_tree_are_the_nodes_of_its_fields_in_order():
    known = set[type[Node]]()
    for file in (*KERNELS[::4], *CLAIMS, *PROGRAMS):
        with suppress(Refused):
            unit = parse(file.read_text("utf-8"), path=str(file), read=read)
            for node in walk(*unit.declarations):
                assert list(children(node)) == _fields(node)
                known.add(type(node))
    assert len(known) > 40, sorted(each.__name__ for each in known)


def test_each_kernel_question_in_python_has_a_solution_in_cuda():
    solutions = (file.parent for file in (ROOT / "content").rglob("solution.py"))
    in_python = {
        each for each in solutions if "\ntriton:" not in (each / "question.yaml").read_text("utf-8")
    }
    assert in_python <= {file.parent for file in KERNELS if file.name == "solution.cu"}
    assert in_python


@each("file", CLAIMS, ids=lambda file: file.stem)
def test_the_measured_programs_are_parsed_or_refused_by_name(file):
    unit = parse(file.read_text("utf-8"), path=str(file), read=read)
    codes = {each.refusal.what.code for each in unit.kernels if each.refusal}
    assert codes <= {
        "cpp.no-inline-ptx", "cpp.no-pipelines", "cpp.no-wmma", "cpp.no-clusters",
        "cpp.no-cooperative-group", "cpp.no-tensor-maps", "cpp.no-libcu", "cpp.unavailable",
    }  # fmt: skip
