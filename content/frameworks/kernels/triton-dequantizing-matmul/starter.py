import triton
import triton.language as tl


@triton.jit
def matmul(x, packed, scales, out, m, n, k, TILE: tl.constexpr, GROUP: tl.constexpr):
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    column = tl.program_id(1) * TILE + tl.arange(0, TILE)
