"""What NVRTC refuses, the front end refuses, and what looks wrong and is not, it takes.

`python -m bench.gpu.cuda_values verdicts` recorded what NVRTC says to each text.
"""

from __future__ import annotations

from bench.gpu.cuda_values.variants import ACCEPTED, load_verdicts, read_variants, sha256
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import InvalidLaunch, Refused
from tests.tables import each

VARIANTS = read_variants()
VERDICTS = load_verdicts()
STRICTER = {
    "case beyond a declaration": "g++ and clang refuse it; NVRTC warns",
    "const pointee through double pointer": "C++ has no such conversion; NVRTC takes it",
    "kernel called": "a launch by a kernel is not emulated",
    "kernel with a reference": "it gets the address of a variable of the host; NVRTC takes it",
    "narrowing in a struct": "g++ and clang refuse it; NVRTC warns",
    "narrowing in braces": "g++ and clang refuse it; NVRTC warns",
    "narrowing to unsigned": "g++ and clang refuse it; NVRTC warns",
    "long float": "no C++; NVRTC takes it as double",
}
"""What NVRTC takes and the front end refuses, and why."""


def lowered(name):
    """Return True if the front end takes a text."""
    try:
        lower_kernel(read_cuda(VARIANTS[name]), "k")
    except (Refused, InvalidLaunch):
        return False
    return True


def test_each_text_has_its_verdict():
    assert {sha256(text) for text in VARIANTS.values()} == set(VERDICTS)


@each("name", VARIANTS)
def test_the_front_end_says_what_nvrtc_says(name):
    accepted = VERDICTS[sha256(VARIANTS[name])].verdict == ACCEPTED
    assert lowered(name) == (accepted and name not in STRICTER)


def test_what_is_refused_by_name_breaks_no_rule():
    source = read_cuda("""struct timer { int x; };
struct timer timer;
__global__ void textured(float *a, cudaTextureObject_t t) { a[0] = texCubemap<float>(t, 0, 0, 0); }
__global__ void k(float *a) { a[0] = 1; }""")
    assert lower_kernel(source, "k")
