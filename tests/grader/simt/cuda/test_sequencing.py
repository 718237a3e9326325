"""Changes of a variable that C++17 does not order with another use of it."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

SOURCE = """
__device__ int f(int x, int y) {{ return x - y; }}
__global__ void k(int *a) {{
    int i = 3, j = 4;
    {}
    a[0] = i + j;
}}
"""
UNORDERED = {
    "j = i++ * i;": 10,
    "j = i + i--;": 14,
    "j = i++ + i++;": 10,
    "j = f(i++, i++);": 12,
    "j = f(i, ++i);": 14,
    "j = (i = 2) + i;": 12,
    "j = a[i] + a[i++];": 19,
    "j = min(i++, i);": 14,
    "int x(f(1, i++) - i);": 17,
    "j = (i += 1) == i;": 12,
}
ORDERED = (
    "i = i++ + 1;",
    "a[i] = i++;",
    "i = ++i;",
    "j = i++ << i;",
    "j = i++ && i;",
    "j = (i++, i);",
    "j = i++ ? i : i + 1;",
    "int x[2] = {i++, i++}; j = x[0];",
    "j = f(i++, j++);",
    "j += i++; i += i; j = sizeof(i++) + i;",
    "for (int n = 0; n < 3; n++, i++) j += n * i;",
    "a[i++] += j; a[i++] += j;",
)


def found(body):
    kernel, _ = lower_kernel(read_cuda(SOURCE.format(body)), "k")
    done = launch(kernel, 1, 1, [np.zeros(16, np.int32)])
    return [(each.kind, each.line, each.column, each.what.fields["name"]) for each in done.faults]


@pytest.mark.parametrize("body", UNORDERED)
def test_a_change_without_an_order_is_found_at_its_place(body):
    first = found(body)[0]
    assert first == ("unsequenced", 5, UNORDERED[body], "i")


@pytest.mark.parametrize("body", ORDERED)
def test_what_has_an_order_is_not_blamed(body):
    assert found(body) == []
