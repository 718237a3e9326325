import triton
import triton.language as tl


@triton.jit
def dropout(x, p, seed, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside)
    keep = tl.rand(seed, at) >= p
    tl.store(out + at, tl.where(keep, value / (1.0 - p), 0.0), mask=inside)
