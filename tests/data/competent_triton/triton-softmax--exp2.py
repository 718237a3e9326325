import triton
import triton.language as tl

LOG2_E: tl.constexpr = tl.constexpr(1.4426950408889634)


@triton.jit
def softmax(x, y, width, BLOCK: tl.constexpr):
    at = tl.program_id(axis=0).to(tl.int64) * width + tl.arange(0, BLOCK)
    there = tl.arange(0, BLOCK) < width
    row = tl.load(x + at, there, -1e30)
    row -= tl.max(row, 0)
    row = tl.exp2(row * LOG2_E)
    tl.store(y + at, row * (1.0 / tl.sum(row, 0)), there)
