import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, scale, out, n, WIDTH: tl.constexpr, ROWS: tl.constexpr):
    first = tl.program_id(0) * ROWS
    start = tl.program_id(1) * n * WIDTH
    row = first + tl.arange(0, ROWS)
    step = tl.arange(0, ROWS)
    channel = tl.arange(0, WIDTH)
    row_at = start + row[:, None] * WIDTH + channel[None, :]
    query = tl.load(q + row_at, mask=row[:, None] < n, other=0.0)
    peak = tl.full((ROWS,), -float("inf"), tl.float32)
    weight = tl.zeros((ROWS,), tl.float32)
    total = tl.zeros((ROWS, WIDTH), tl.float32)
    for begin in range(0, first + ROWS, ROWS):
        key = begin + step
        key_at = start + key[:, None] * WIDTH + channel[None, :]
        keys = tl.load(k + key_at, mask=key[:, None] < n, other=0.0)
        values = tl.load(v + key_at, mask=key[:, None] < n, other=0.0)
        score = tl.dot(query, tl.trans(keys)) * scale
        score = tl.where(key[None, :] <= row[:, None], score, -float("inf"))
        higher = tl.maximum(peak, tl.max(score, axis=1))
        power = tl.exp(score - higher[:, None])
        shrink = tl.exp(peak - higher)
        weight = weight * shrink + tl.sum(power, axis=1)
        total = total * shrink[:, None]
        total = tl.dot(power.to(tl.float16), values, total)
        peak = higher
    result = total / weight[:, None]
    tl.store(out + row_at, result.to(tl.float16), mask=row[:, None] < n)
