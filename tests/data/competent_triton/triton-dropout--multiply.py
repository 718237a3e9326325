import triton
import triton.language as tl


@triton.jit
def dropout(x, p, seed, y, count, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK
    at = first + tl.arange(0, BLOCK)
    factor = (tl.rand(seed, at) >= p).to(tl.float32) / (1 - p)
    tl.store(y + at, tl.load(x + at, at < count, other=0.0) * factor, at < count)
