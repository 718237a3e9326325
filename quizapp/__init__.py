"""quiz: a spaced-repetition trainer for GPU interviews, in the terminal.

This package is the application; the graders live in `grader` and know nothing of it.
"""

__version__ = "0.1.0"
