"""Triton kernels whose PTX is beside: softmax.ptx, matmul.ptx; prints whether each is right."""

import numpy as np
import triton
import triton.language as tl


@triton.jit
def softmax(x, out, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + at, mask=at < n, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + at, powers / tl.sum(powers, axis=0), mask=at < n)


@triton.jit
def matmul(a, b, c, n, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, n, BK):
        left = tl.load(a + rows[:, None] * n + (start + depth)[None, :])
        right = tl.load(b + (start + depth)[:, None] * n + columns[None, :])
        sums += tl.dot(left, right)
    tl.store(c + rows[:, None] * n + columns[None, :], sums)


def main():
    random = np.random.default_rng(1)
    x = random.normal(size=(8, 100)).astype(np.float32)
    out = np.zeros_like(x)
    softmax[(8,)](x, out, 100, 100, BLOCK=128)
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    print("softmax", np.allclose(out, powers / powers.sum(axis=1, keepdims=True), atol=1e-6))
    a, b = (random.integers(-4, 5, (64, 64)).astype(np.float16) for _ in range(2))
    c = np.zeros((64, 64), np.float32)
    matmul[(2, 2)](a, b, c, 64, BM=32, BN=32, BK=32)
    print("matmul", np.array_equal(c, a.astype(np.float32) @ b.astype(np.float32)))


if __name__ == "__main__":
    main()
