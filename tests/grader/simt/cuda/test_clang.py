"""Our parser against clang's, expression by expression, where libclang is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.simt.cuda.parser.parsing import parse
from tests.grader.simt.cuda.clang_shapes import ClangReader, compare, our_shapes

pytestmark = pytest.mark.long
ROOT = Path(__file__).resolve().parents[4]
KERNELS = [
    *sorted((ROOT / "content").rglob("*.cu")),
    *sorted((ROOT / "bench" / "gpu" / "claims" / "cuda").glob("*.cu")),
]


@pytest.fixture(scope="module")
def reader():
    return ClangReader(pytest.importorskip("clang.cindex", reason="pip install libclang"))


def test_clang_reads_every_expression_of_our_sources_as_we_do(reader):
    functions = expressions = 0
    for path in KERNELS:
        found = compare(reader, path)
        assert found.differences == []
        functions += found.functions
        expressions += found.expressions
    assert functions > 200
    assert expressions > 2_000


def test_a_difference_is_seen(reader, tmp_path):
    path = tmp_path / "a.cu"
    path.write_text("__global__ void f(int x, int y, int* p) { p[0] = x + y << 2; }", "utf-8")
    theirs = reader.shapes(path)
    assert theirs == {("f", 1): ["(= (index p #) (<< (+ x y) #))"]}
    unit = parse("__global__ void f(int x, int y, int* p) { p[0] = x + (y << 2); }", path="a.cu")
    assert our_shapes(unit, "a.cu") != theirs
