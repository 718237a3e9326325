def reference(values):
    blocks = -(-values.size // 1024)
    padded = np.zeros(blocks * 1024)
    padded[: values.size] = values
    return padded.reshape(blocks, 1024).sum(axis=1)
