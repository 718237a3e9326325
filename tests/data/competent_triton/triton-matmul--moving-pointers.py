import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, m, n, k, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    cols = tl.program_id(1) * TILE + tl.arange(0, TILE)
    ks = tl.arange(0, TILE)
    a_ptrs = a + rows[:, None] * k + ks[None, :]
    b_ptrs = b + ks[:, None] * n + cols[None, :]
    acc = tl.zeros([TILE, TILE], tl.float32)
    for step in range(tl.cdiv(k, TILE)):
        left = k - step * TILE
        a_tile = tl.load(a_ptrs, (rows[:, None] < m) & (ks[None, :] < left), 0.0)
        b_tile = tl.load(b_ptrs, (cols[None, :] < n) & (ks[:, None] < left), 0.0)
        acc += tl.dot(a_tile, b_tile)
        a_ptrs += TILE
        b_ptrs += TILE * n
    tl.store(c + rows[:, None] * n + cols[None, :], acc, (rows[:, None] < m) & (cols[None, :] < n))
