import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, scale, out, n, WIDTH: tl.constexpr, ROWS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    head = tl.program_id(1)
