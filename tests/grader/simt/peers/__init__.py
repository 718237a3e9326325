"""Other projects' own CUDA tests, run by the stand-in for `numba.cuda`, and what became of them.

`suites` names the projects and runs them, file by file; `child` runs one file in a process of its
own, `innards` gives it the names that no script needs, `judging` says what became of a test.
Nothing is downloaded: a person names a folder for each project. Numba's own tests are in its wheel.
`python -m tests.grader.simt.peers` runs them and prints the table.
"""
