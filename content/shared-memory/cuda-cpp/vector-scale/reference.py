def reference(a, x):
    return a * x
