import triton
import triton.language as tl


@triton.jit
def matmul(x, packed, scales, out, m, n, k, TILE: tl.constexpr, GROUP: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    cols = tl.program_id(1) * TILE + tl.arange(0, TILE)
    acc = tl.zeros((TILE, TILE), tl.float32)
    for g in range(k // GROUP):
        depth = g * GROUP + tl.arange(0, GROUP)
        left = tl.load(x + rows[:, None] * k + depth[None, :], rows[:, None] < m, 0.0)
        even, odd = tl.split(tl.reshape(left, (TILE, GROUP // 2, 2)))
        pairs = g * (GROUP // 2) + tl.arange(0, GROUP // 2)
        codes = tl.load(packed + pairs[:, None] * n + cols[None, :], cols[None, :] < n, 0)
        low = (codes & 0xF).to(tl.float16) - 8.0
        high = (codes >> 4).to(tl.float16) - 8.0
        both = tl.dot(even, low.to(tl.float16)) + tl.dot(odd, high.to(tl.float16))
        acc += both * tl.load(scales + g * n + cols, cols < n, 0.0)[None, :]
    tl.store(out + rows[:, None] * n + cols[None, :], acc, (rows[:, None] < m) & (cols[None, :] < n))
