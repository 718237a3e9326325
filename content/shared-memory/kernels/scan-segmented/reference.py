def reference(a, flags):
    i = np.arange(len(a))
    start = np.maximum.accumulate(np.where((flags != 0) | (i % 256 == 0), i, 0))
    sums = np.cumsum(a)
    return sums - sums[start] + a[start]
