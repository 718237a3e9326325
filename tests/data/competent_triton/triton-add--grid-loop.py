import triton
import triton.language as tl


@triton.jit
def add_tile(a, b, out, first, n, BLOCK: tl.constexpr):
    at = first + tl.arange(0, BLOCK)
    both = tl.load(a + at, at < n, other=0.0) + tl.load(b + at, at < n, other=0.0)
    tl.store(out + at, both, at < n)


@triton.jit
def add(x, y, z, length, BLOCK: tl.constexpr):
    for tile in range(tl.program_id(0), tl.cdiv(length, BLOCK), tl.num_programs(0)):
        add_tile(x, y, z, tile * BLOCK, length, BLOCK)
