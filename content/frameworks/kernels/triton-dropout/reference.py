import numpy as np

MASK = np.uint64(0xFFFFFFFF)


def philox(seed, count):
    """The first word of Philox 4x32-10 for each counter (i, 0, 0, 0), as Triton computes it."""
    c0 = np.arange(count, dtype=np.uint64)
    c1, c2, c3 = (np.zeros(count, np.uint64) for _ in range(3))
    k0, k1 = np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32 & 0xFFFFFFFF)
    for _ in range(10):
        first = np.uint64(0xD2511F53) * c0
        second = np.uint64(0xCD9E8D57) * c2
        c0, c2 = (second >> np.uint64(32)) ^ c1 ^ k0, (first >> np.uint64(32)) ^ c3 ^ k1
        c1, c3 = second & MASK, first & MASK
        k0 = k0 + np.uint64(0x9E3779B9) & MASK
        k1 = k1 + np.uint64(0xBB67AE85) & MASK
    return c0.astype(np.uint32)


def reference(x, p, seed):
    word = philox(int(seed), x.size).view(np.int32).astype(np.int64)
    word = np.where(word < 0, -word - 1, word)
    uniform = word.astype(np.float32) * np.float32(4.6566127342e-10)
    return np.where(uniform >= np.float32(p), x / (1 - p), 0)
