def reference(x):
    places = np.argsort(-x, axis=1, kind="stable")[:, :8]
    return np.take_along_axis(x, places, axis=1), places
