"""What can be wrong with an exercise itself: the author's to mend, not the person's."""

from __future__ import annotations

Path = tuple[str | int, ...]
"""Where in a question, by keys and positions: `("access", "index")`."""


class BadExercise(ValueError):
    """Something of the question cannot be computed.

    Attributes:
        path: where in the question.
        what: the fault.
        todo: what to do about it.
    """

    def __init__(self, path: Path, what: str, todo: str) -> None:
        super().__init__(what)
        self.path = path
        self.what = what
        self.todo = todo
