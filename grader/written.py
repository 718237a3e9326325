"""What a person wrote: a mistake at a place in it, and the tree of it where it is Python."""

from __future__ import annotations

import ast
import warnings


class Mistake(ValueError):
    """Something is wrong at `line` and `column` (from 1), and `instead` says what to write.

    `file` is "" for a text that stands in none.
    """

    def __init__(
        self, what: str, line: int = 1, column: int = 1, instead: str = "", file: str = ""
    ) -> None:
        super().__init__(what)
        self.what = what
        self.line = line
        self.column = column
        self.instead = instead
        self.file = file

    def __str__(self) -> str:
        tail = f"; {self.instead}" if self.instead else ""
        where = f"{self.file}, " if self.file else ""
        return f"{where}line {self.line}, column {self.column}: {self.what}{tail}"


def python_tree(source: str, mistake: type[Mistake], first: int = 0) -> ast.Module:
    """The tree of a text that begins `first` lines below the first; nothing of it is executed.

    Raises:
        Mistake: it is not Python, as an error of the class given.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they would be printed over the screen
            # Python opens a file of that name to show its line in an error: "" is none.
            return ast.parse(source, filename="")
    except SyntaxError as error:
        what = f"not Python: {error.msg.partition(': ')[0]}"  # not in `expected ':'`
        line, column = error.lineno or 1, max(1, error.offset or 1)
        raise mistake(what, line + first, column) from None
    except UnicodeEncodeError as error:
        before = source[: error.start]
        line, column = before.count("\n") + 1, error.start - before.rfind("\n")
        todo = "save it as UTF-8"
        raise mistake("a character that is no text", line + first, column, todo) from None
    except (ValueError, RecursionError, MemoryError):
        raise mistake("nested too deeply, or not text", 1, 1, "name parts of it") from None
