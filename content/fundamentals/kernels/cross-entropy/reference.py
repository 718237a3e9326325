def reference(logits, labels):
    top = logits.max(axis=1)
    total = np.exp(logits - top[:, None]).sum(axis=1)
    return np.log(total) + top - logits[np.arange(len(labels)), labels]
