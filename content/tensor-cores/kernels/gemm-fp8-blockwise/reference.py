import numpy as np


def reference(a, a_scales, b, b_scales):
    left = decode(a) * np.repeat(a_scales, 128, axis=1)
    scales = np.repeat(np.repeat(b_scales, 128, axis=0)[: len(b)], 128, axis=1)
    return left @ (decode(b) * scales).T


def decode(codes):
    bits = codes.astype(np.int64)
    exponents, mantissas = bits >> 3 & 15, bits & 7
    sizes = np.where(exponents, (8 + mantissas) * 2.0 ** (exponents - 10), mantissas * 2.0**-9)
    return np.where(bits & 128, -sizes, sizes)
