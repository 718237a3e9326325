"""Our header of cuRAND draws the bits that cuRAND's own draws, compiled by NVRTC."""

from __future__ import annotations

import json

import pytest

from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused
from tests.grader.simt.cuda.record_curand import CASES, RECORD, SOURCE, draw, macros


@pytest.mark.parametrize("number", range(len(CASES)))
def test_numbers_are_those_of_curand(number):
    state, more, sequence, seed, offset = CASES[number]
    source = read_cuda(SOURCE.read_text("utf-8"), defines=macros(state, more, sequence))
    kernel, _ = lower_kernel(source, "draw")
    assert draw(kernel, seed, offset) == json.loads(RECORD.read_text("utf-8"))[number]
    assert kernel.function.libraries == ("cuRAND",)


def test_the_rest_of_curand_is_refused_by_name():
    text = "#include <curand_kernel.h>\n__global__ void k(curandStateMRG32k3a* s) { s[0]; }"
    with pytest.raises(Refused) as found:
        lower_kernel(read_cuda(text), "k")
    assert found.value.what.code == "cpp.no-curand"
