import triton
import triton.language as tl


@triton.jit
def matmul(x, packed, scales, out, m, n, k, TILE: tl.constexpr, GROUP: tl.constexpr):
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)
    column = tl.program_id(1) * TILE + tl.arange(0, TILE)
    half = tl.arange(0, GROUP // 2)
    row_in = row[:, None] < m
    column_in = column < n
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for group in range(0, k // GROUP):
        begin = group * GROUP
        byte_at = (begin // 2 + half)[:, None] * n + column[None, :]
        byte = tl.load(packed + byte_at, mask=column_in[None, :], other=0)
        low = (byte & 15).to(tl.float16) - 8
        high = (byte >> 4).to(tl.float16) - 8
        even_at = row[:, None] * k + (begin + 2 * half)[None, :]
        even = tl.load(x + even_at, mask=row_in, other=0.0)
        odd = tl.load(x + even_at + 1, mask=row_in, other=0.0)
        part = tl.dot(even, low)
        part = tl.dot(odd, high, part)
        scale = tl.load(scales + group * n + column, mask=column_in, other=0.0)
        total += part * scale[None, :]
    at = row[:, None] * n + column[None, :]
    tl.store(out + at, total, mask=row_in & column_in[None, :])
