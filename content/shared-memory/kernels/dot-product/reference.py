def reference(a, b):
    blocks = -(-a.size // 2048)
    padded = np.zeros(blocks * 2048)
    padded[: a.size] = a * b
    return padded.reshape(blocks, 2048).sum(axis=1)
