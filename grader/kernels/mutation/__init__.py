"""Makes mutants of a solution by rule: wrong in one place, or not to be told from it.

    for mutant in write_mutants(problem, solution):
        grade(problem, mutant.source, expected).passed  # a survivor: an input is missing

Knows how a source is changed, not how a mutant is run.
"""

from grader.kernels.mutation.rules import RULES, Mutant, write_mutants

__all__ = ["RULES", "Mutant", "write_mutants"]
