import triton
import triton.language as tl


@triton.jit
def moments(row, there, width):
    mean = tl.sum(tl.where(there, row, 0.0), 0) / width
    away = tl.where(there, row - mean, 0.0)
    return away, tl.sum(away * away, 0) / width


@triton.jit
def layer_norm(x, w, b, eps, y, width, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    there = column < width
    at = tl.program_id(0) * width + column
    away, variance = moments(tl.load(x + at, there), there, width)
    y_row = away * tl.rsqrt(variance + eps)
    y_row = tl.fma(y_row, tl.load(w + column, there), tl.load(b + column, there))
    tl.store(y + at, y_row, there)
