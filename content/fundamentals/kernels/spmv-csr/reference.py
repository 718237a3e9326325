def reference(starts, columns, values, x):
    sums = np.concatenate([[0.0], np.cumsum(values * x[columns])])
    return sums[starts[1:]] - sums[starts[:-1]]
