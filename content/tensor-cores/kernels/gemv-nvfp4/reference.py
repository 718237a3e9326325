import numpy as np


def reference(w, w_scales, x, x_scales):
    return decode(w, w_scales) @ decode(x, x_scales)


def decode(words, scales):
    codes = words[..., None] >> np.arange(0, 32, 4, dtype=np.uint32) & 15
    codes = codes.reshape(*scales.shape, 16).astype(np.int64)
    magnitudes = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])[codes & 7]
    bits = scales.astype(np.int64)
    exponents, mantissas = bits >> 3, bits & 7
    factors = np.where(exponents, (8 + mantissas) * 2.0 ** (exponents - 10), mantissas * 2.0**-9)
    values = np.where(codes & 8, -magnitudes, magnitudes) * factors[..., None]
    return values.reshape(*words.shape[:-1], -1)
