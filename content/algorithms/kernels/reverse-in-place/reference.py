def reference(a):
    return a[::-1]
