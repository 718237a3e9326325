def reference(values):
    blocks = -(-values.size // 256)
    padded = np.zeros(blocks * 256)
    padded[: values.size] = values
    return padded.reshape(blocks, 256).sum(axis=1)
