import numpy as np


def reference(codes, scales):
    code = np.stack((codes & 15, codes >> 4), axis=-1).reshape(-1).astype(np.int64)
    magnitude = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])[code & 7]
    bits = scales.astype(np.int64)
    exponent, mantissa = bits >> 3, bits & 7
    scale = np.where(exponent, (8 + mantissa) * 2.0 ** (exponent - 10), mantissa * 2.0**-9)
    return np.where(code & 8, -1, 1) * magnitude * np.repeat(scale, 16)
