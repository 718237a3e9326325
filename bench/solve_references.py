"""What problems of practice sites ask for, in NumPy: a function each, for `public_solves`.

Each takes inputs of `solve` by their names, as a person writes a reference for `--check`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def add(A: Array, B: Array) -> Array:
    return A + B


def matmul(A: Array, B: Array) -> Array:
    return A @ B


def transpose(input: Array) -> Array:
    return input.T


def transpose_a(A: Array) -> Array:
    return A.T


def copy(A: Array) -> Array:
    return A


def reverse(input: Array) -> Array:
    return input[::-1]


def relu(input: Array) -> Array:
    return np.maximum(input, 0)


def leaky_relu(input: Array) -> Array:
    return np.where(input > 0, input, 0.01 * input)


def sigmoid(X: Array) -> Array:
    return 1 / (1 + np.exp(-X))


def silu(input: Array) -> Array:
    return input / (1 + np.exp(-input))


def swiglu(input: Array) -> Array:
    a, b = np.split(input, 2)
    return a / (1 + np.exp(-a)) * b


def geglu(input: Array) -> Array:
    a, b = np.split(input.astype(np.float64), 2)
    steps = np.linspace(0, 1, 2001) * b[:, None] / np.sqrt(2)  # NumPy has no erf
    erf = 2 / np.sqrt(np.pi) * np.trapezoid(np.exp(-(steps**2)), steps, axis=1)
    return a * b * 0.5 * (1 + erf)


def clip(input: Array, lo: float, hi: float) -> Array:
    return np.clip(input, lo, hi)


def interleave(A: Array, B: Array) -> Array:
    return np.stack([A, B], axis=1)


def softmax(input: Array) -> Array:
    e = np.exp(input.astype(np.float64) - input.max())
    return e / e.sum()


def total(input: Array) -> Any:
    return input.sum(dtype=np.float64)


def dot(A: Array, B: Array) -> Any:
    return A.astype(np.float64) @ B.astype(np.float64)


def mse(predictions: Array, targets: Array) -> Any:
    return np.mean((predictions.astype(np.float64) - targets) ** 2)


def mse_pred(pred: Array, targets: Array) -> Any:
    return np.mean((pred.astype(np.float64) - targets) ** 2)


def conv1d(input: Array, kernel: Array) -> Array:
    return np.correlate(input, kernel, "valid")


def conv2d(input: Array, kernel: Array) -> Array:
    windows = np.lib.stride_tricks.sliding_window_view(input, kernel.shape)
    return np.einsum("ijkl,kl->ij", windows, kernel)


def conv3d(input: Array, kernel: Array) -> Array:
    windows = np.lib.stride_tricks.sliding_window_view(input, kernel.shape)
    return np.einsum("ijkabc,abc->ijk", windows, kernel)


def gaussian_blur(input: Array, kernel: Array) -> Array:
    rows, cols = kernel.shape
    padded = np.pad(input, ((rows // 2, rows // 2), (cols // 2, cols // 2)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, kernel.shape)
    return np.einsum("ijkl,kl->ij", windows, kernel)[: len(input), : input.shape[1]]


def invert(image: Array) -> Array:
    pixels = image.reshape(-1, 4).copy()
    pixels[:, :3] = 255 - pixels[:, :3]
    return pixels


def grayscale(input: Array) -> Array:
    return input.reshape(-1, 3) @ np.array([0.299, 0.587, 0.114], np.float32)


def count(input: Array, K: int) -> Any:
    return (input == K).sum()


def count_p(input: Array, P: int) -> Any:
    return (input == P).sum()


def subarray_sum(input: Array, S: int, E: int) -> Any:
    return input[S : E + 1].sum()


def subarray_sum_2d(input: Array, S_ROW: int, E_ROW: int, S_COL: int, E_COL: int) -> Any:
    return input[S_ROW : E_ROW + 1, S_COL : E_COL + 1].sum()


def max_subarray(input: Array, window_size: int) -> Any:
    return max(input[at : at + window_size].sum() for at in range(len(input) - window_size + 1))


def histogram(input: Array, num_bins: int) -> Array:
    kept = input[(input >= 0) & (input < num_bins)]
    return np.bincount(kept, minlength=num_bins)


def sort(data: Array) -> Array:
    return np.sort(data)


def radix_sort(input: Array) -> Array:
    return np.sort(input)


def top_k(input: Array, k: int) -> Array:
    return np.sort(input)[::-1][:k]


def batched_matmul(A: Array, B: Array) -> Array:
    return A.astype(np.float32) @ B.astype(np.float32)


def gemm(A: Array, B: Array, C: Array, alpha: float, beta: float) -> Array:
    return alpha * (A.astype(np.float32) @ B.astype(np.float32)) + beta * C


def attention(Q: Array, K: Array, V: Array) -> Array:
    scores = Q.astype(np.float64) @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ V


def alibi(Q: Array, K: Array, V: Array, alpha: float) -> Array:
    scores = Q.astype(np.float64) @ K.T / np.sqrt(Q.shape[1])
    scores += alpha * (np.arange(len(Q))[:, None] - np.arange(len(K)))
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ V


def rms_norm(input: Array, gamma: float, beta: float, eps: float) -> Array:
    return input / np.sqrt(np.mean(input.astype(np.float64) ** 2) + eps) * gamma + beta


def batch_norm(input: Array, gamma: Array, beta: Array, eps: float) -> Array:
    wide = input.astype(np.float64)
    return (wide - wide.mean(0)) / np.sqrt(wide.var(0) + eps) * gamma + beta


def cross_entropy(logits: Array, true_labels: Array) -> Any:
    wide = logits.astype(np.float64)
    most = wide.max(axis=1)
    losses = most + np.log(np.exp(wide - most[:, None]).sum(axis=1))
    return np.mean(losses - wide[np.arange(len(wide)), true_labels])


def monte_carlo(y_samples: Array, a: float, b: float) -> Any:
    return (b - a) * y_samples.mean(dtype=np.float64)


def matvec(A: Array, x: Array) -> Array:
    return A @ x


def fnv_hash(input: Array, R: int) -> Array:
    values = input.astype(np.uint32)
    for _ in range(R):
        found = np.full(values.shape, 2166136261, np.uint32)
        for byte in range(4):
            found = (found ^ ((values >> np.uint32(8 * byte)) & np.uint32(255))) * np.uint32(
                16777619
            )
        values = found
    return values


def jacobi(input: Array) -> Array:
    output = input.copy()
    output[1:-1, 1:-1] = 0.25 * (
        input[:-2, 1:-1] + input[2:, 1:-1] + input[1:-1, :-2] + input[1:-1, 2:]
    )
    return output


def max_pool(input: Array, kernel_size: int, stride: int, padding: int) -> Array:
    sides = ((0, 0), (0, 0), (padding, padding), (padding, padding))
    padded = np.pad(input, sides, constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (kernel_size, kernel_size), (2, 3))
    return windows[:, :, ::stride, ::stride].max(axis=(4, 5))


def recurrence(a: Array, x: Array) -> Array:
    h, last = np.empty_like(x), np.zeros(len(x), x.dtype)
    for step in range(x.shape[1]):
        h[:, step] = last = a[:, step] * last + x[:, step]
    return h


def dequantize(X: Array, S: Array, TILE_SIZE: int) -> Array:
    return X * np.kron(S, np.ones((TILE_SIZE, TILE_SIZE)))[: len(X), : X.shape[1]]


def lora(x: Array, W: Array, A: Array, B: Array, lora_scale: float) -> Array:
    return x @ W.T + lora_scale * (x @ A.T) @ B.T


def rope(Q: Array, cos: Array, sin: Array) -> Array:
    half = Q.shape[1] // 2
    return Q * cos + np.concatenate([-Q[:, half:], Q[:, :half]], axis=1) * sin


def nearest(points: Array) -> Array:
    away = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(away, np.inf)
    return away.argmin(axis=1)


def matrix_power(input: Array, P: int) -> Array:
    return np.linalg.matrix_power(input.astype(np.float64), P)


def merge(A: Array, B: Array) -> Array:
    return np.sort(np.concatenate([A, B]))


def shortest_paths(dist: Array) -> Array:
    found = dist.copy()
    for via in range(len(found)):
        found = np.minimum(found, found[:, via, None] + found[None, via])
    return found


def multi_head(Q: Array, K: Array, V: Array, h: int) -> Array:
    parts = zip(*(np.split(each.astype(np.float64), h, axis=1) for each in (Q, K, V)), strict=True)
    heads = []
    for q, k, v in parts:
        scores = q @ k.T / np.sqrt(q.shape[1])
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        heads.append(weights / weights.sum(axis=1, keepdims=True) @ v)
    return np.concatenate(heads, axis=1)
