import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, m, n, k, TILE: tl.constexpr):
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    column = tl.program_id(1) * TILE + tl.arange(0, TILE)
    step = tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for begin in range(0, k, TILE):
        depth = begin + step
        left_at = row[:, None] * k + depth[None, :]
        left_in = (row[:, None] < m) & (depth[None, :] < k)
        right_at = depth[:, None] * n + column[None, :]
        right_in = (depth[:, None] < k) & (column[None, :] < n)
        left = tl.load(a + left_at, mask=left_in, other=0.0)
        right = tl.load(b + right_at, mask=right_in, other=0.0)
        total = tl.dot(left, right, total)
    at = row[:, None] * n + column[None, :]
    inside = (row[:, None] < m) & (column[None, :] < n)
    tl.store(c + at, total, mask=inside)
