"""stumpy's GPU tests through the stand-in for `numba.cuda`, from a folder that a person names.

`child` runs them in a process of its own, `test_stumpy` starts it and prints what became of them.
"""
