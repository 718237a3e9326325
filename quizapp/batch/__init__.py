"""Grades many submissions: of a class, or of a program that writes kernels.

Finds them (`submissions`), has each graded in a process that knows nothing of the others
(`grading`, `worker`, `pool`), keeps each result as it comes (`journal`), and writes the results in
one order, whatever the order and the number of the workers (`running`). Prints nothing.
"""
