"""Shipped questions and mistakes that exist in one language alone, each with the reason."""

ONE_LANGUAGE = {
    "cpp/spot-auto-without-a-reference": "only C++ has references",
    "cpp/spot-float-at-an-odd-byte": "Numba has no cast of a pointer",
    "cpp/spot-size-of-an-array-parameter": "only in C++ does an array become a pointer",
    "cpp/spot-volatile-counter": "Numba has no `volatile`",
    "fundamentals/kernel-row-argmax": "its mistakes are casts and overloads of C++",
    "fundamentals/spot-histogram-of-char": "only C++ has `char`, which is signed or not",
    "fundamentals/spot-left-neighbor-of-element-0": "Numba's indices are signed",
    "fundamentals/spot-row-offset-in-int": "Numba's integers have 64 bits",
    "fundamentals/spot-vectors-at-an-offset": "Numba has no cast to a vector of floats",
    "shared-memory/kernel-carve-shared-arrays": "only C++ carves arrays out of a pool of bytes",
    "shared-memory/kernel-scale-by-float4": "Numba has no cast to a vector of floats",
    "shared-memory/spot-async-last-tile": "Numba has no asynchronous copies",
    "shared-memory/spot-async-refill": "Numba has no asynchronous copies",
    "shared-memory/spot-async-sixteen-bytes": "Numba has no asynchronous copies",
    "shared-memory/spot-async-tail": "Numba has no asynchronous copies",
    "shared-memory/spot-async-wait-is-not-a-barrier": "Numba has no asynchronous copies",
    "shared-memory/spot-double-accumulator": (
        "in C++ a variable is a double only where somebody has written so"
    ),
    "shared-memory/spot-two-arrays-in-one-pool": "only C++ carves arrays out of a pool of bytes",
    "tensor-cores/kernel-fused-epilogue": "Numba has no Tensor Core instructions",
    "tensor-cores/kernel-gemm-int8": "Numba has no Tensor Core instructions",
    "tensor-cores/kernel-gemm-mma-ldmatrix": "Numba has no Tensor Core instructions",
    "tensor-cores/kernel-gemm-ring": "Numba has no Tensor Core instructions",
    "tensor-cores/kernel-gemm-w4a16": "Numba has no Tensor Core instructions",
    "tensor-cores/kernel-gemm-wmma": "Numba has no Tensor Core instructions",
    "tensor-cores/kernel-transpose-ldmatrix": "Numba has no `ldmatrix`",
    "tensor-cores/spot-pitch-of-a-fragment": "Numba has no Tensor Core instructions",
    "tensor-cores/spot-sums-read-by-other-lanes": "Numba has no Tensor Core instructions",
}
"""By canonical id."""
