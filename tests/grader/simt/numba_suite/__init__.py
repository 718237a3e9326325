"""Numba's own CUDA tests, from its wheel, through the stand-in for `numba.cuda`.

`child` runs one test module in a process of its own, `shim` gives those tests what else of
`numba.cuda` they import, `suite` runs all of them and reads and writes the table of outcomes.
`python -m tests.grader.simt.numba_suite` writes `tests/data/numba_suite.csv` anew.
"""
