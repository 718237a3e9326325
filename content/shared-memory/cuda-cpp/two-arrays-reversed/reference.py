def reference(key, weight):
    return key.reshape(-1, 100)[:, ::-1].reshape(-1), weight.reshape(-1, 100)[:, ::-1].reshape(-1)
