import triton
import triton.language as tl


@triton.jit
def add(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    left = tl.load(a + at, mask=inside)
    right = tl.load(b + at, mask=inside)
    tl.store(out + at, left + right, mask=inside)
