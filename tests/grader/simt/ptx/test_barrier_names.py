"""An `mbarrier` in a helper: findings name the barrier, and the kernel's line beside the helper's.

The same kernel as it is written and as compiled code with `inlined_at` has it.
"""

from __future__ import annotations

import pytest

from grader.facts import Fact
from grader.simt.checks.findings import Finding
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.launches.launching import launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

_CUDA = """typedef unsigned long long bar_t; typedef unsigned u32;
__device__ void init(u32 b, int n) { asm("mbarrier.init.shared.b64 [%0], %1;" :: "r"(b), "r"(n)); }
__device__ void arrive(u32 b) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(b)); }
__device__ bool ended(u32 b) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0;"
    "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(b));
  return done;
}
__device__ void wait(u32 b) { while (!ended(b)) {} }
__global__ void k() {
  __shared__ bar_t empty[2]; u32 at = (u32)__cvta_generic_to_shared(empty);
  if (threadIdx.x == 0) {
    init(at, 32);
    init(at + 8, EXPECTED);
  }
  MEET
  arrive(at + 8);
  wait(at + 8);
}
"""
_INIT, _ARRIVE, _WAIT = (2, 15), (3, 18), (6, 19)
_PTX = """.version 8.7
.target sm_90a
.address_size 64
.visible .entry k()
{
.reg .pred %p, %q;
.reg .b32 %a, %t;
.shared .align 8 .b8 empty[16];
.loc 1 13 3
mov.u32 %t, %tid.x;
mov.u32 %a, empty;
setp.ne.u32 %q, %t, 0;
@%q bra MET;
.loc 1 2 33, function_name $L__info_string0, inlined_at 1 14 5
mbarrier.init.shared.b64 [%a], 32;
.loc 1 2 33, function_name $L__info_string0, inlined_at 1 15 5
mbarrier.init.shared.b64 [%a+8], EXPECTED;
MET:
.loc 1 17 3
MEET
.loc 1 3 33, function_name $L__info_string0, inlined_at 1 18 3
mbarrier.arrive.shared.b64 _, [%a+8];
.loc 1 10 33, function_name $L__info_string0, inlined_at 1 19 3
AGAIN:
.loc 1 6 3, function_name $L__info_string0, inlined_at 1 10 33
mbarrier.try_wait.parity.shared.b64 %p, [%a+8], 0;
@!%p bra AGAIN;
ret;
}
.file 1 "<kernel>"
"""


def _run(mode: str, expected: int, meet: str) -> list[Finding]:
    source, text = (
        each.replace("EXPECTED", str(expected)).replace("MEET", meet) for each in (_CUDA, _PTX)
    )
    if mode == "as written":
        ready, _ = lower_kernel(read_cuda(source), "k")
    else:
        module = read_ptx(text)
        kernel = find_kernel(module, "k")
        sources = {"": tuple(source.splitlines())}
        ready = lower_ptx(module, kernel, list_fields(kernel), sources=sources)
    return list(launch(ready, 1, 32, [], budget=3_000_000_000).findings)


@pytest.mark.parametrize("mode", ["as written", "compiled"])
@pytest.mark.parametrize(
    ("expected", "met", "code", "lines"),
    [
        (32, True, "", ()),
        (33, True, "finding.no-progress.arrivals", _WAIT),
        (31, True, "finding.arrivals", _ARRIVE),
        (32, False, "finding.barrier-early", (_ARRIVE[1], _INIT[1])),
    ],
)
def test_a_finding_names_the_barrier_and_the_line_of_the_kernel(
    mode: str, expected: int, met: bool, code: str, lines: tuple[int, ...]
) -> None:
    meet = "" if not met else "__syncthreads();" if mode == "as written" else "bar.sync 0;"
    found = {each.what.code: each for each in _run(mode, expected, meet)}
    assert bool(found) == bool(code)
    if code:
        finding = found[code]
        barrier = finding.what.fields["barrier"]
        assert isinstance(barrier, Fact)
        assert barrier.fields["name"] == "empty[1]"
        assert {finding.line, finding.other_line} == set(lines)
