import triton
import triton.language as tl


@triton.jit
def dropout(x, p, seed, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
