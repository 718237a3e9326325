import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, scale, out, n, WIDTH: tl.constexpr, ROWS: tl.constexpr):
    tile, head = tl.program_id(0), tl.program_id(1)
    q += head * n * WIDTH
    k += head * n * WIDTH
    v += head * n * WIDTH
    out += head * n * WIDTH
    rows = tile * ROWS + tl.arange(0, ROWS)
    d = tl.arange(0, WIDTH)
    queries = tl.load(q + rows[:, None] * WIDTH + d[None, :], rows[:, None] < n, 0.0)
    factor = scale * 1.4426950408889634
    m = tl.full([ROWS], -1e30, tl.float32)
    s = tl.zeros([ROWS], tl.float32)
    acc = tl.zeros([ROWS, WIDTH], tl.float32)
    for j in range(tile + 1):
        cols = j * ROWS + tl.arange(0, ROWS)
        keys = tl.load(k + cols[None, :] * WIDTH + d[:, None], cols[None, :] < n, 0.0)
        x = tl.dot(queries, keys) * factor
        if j == tile:
            x = tl.where(rows[:, None] >= cols[None, :], x, -1e30)
        new = tl.maximum(m, tl.max(x, 1))
        p = tl.exp2(x - new[:, None])
        keep = tl.exp2(m - new)
        s = s * keep + tl.sum(p, 1)
        values = tl.load(v + cols[:, None] * WIDTH + d[None, :], cols[:, None] < n, 0.0)
        acc = acc * keep[:, None] + tl.dot(p.to(tl.float16), values)
        m = new
    tl.store(out + rows[:, None] * WIDTH + d[None, :], acc / s[:, None], rows[:, None] < n)
