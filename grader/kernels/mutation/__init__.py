"""Makes mutants of a solution by rule: kernels that are wrong in one place, or cannot be told apart.

    for mutant in write_mutants(problem, solution):
        grade(problem, mutant.source, expected).passed  # a survivor: an input is missing

Knows how a source is changed, not how a mutant is run.
"""

from grader.kernels.mutation.rules import RULES, VERSION, Mutant, write_mutants

__all__ = ["RULES", "VERSION", "Mutant", "write_mutants"]
