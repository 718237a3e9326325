"""quiz: a spaced-repetition trainer for GPU interviews, in the terminal.

This package is the application; the graders live in `grader` and know nothing of it.
"""

from quizapp.system import deferred

__version__ = "0.1.0"

deferred.install()
