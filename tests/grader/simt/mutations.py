"""Makes a faulty kernel of a right one: one edit in one line, so that lines keep their numbers.

An edit names the line by its mark: `# @name` at a line's end. Knows nothing of what an edit does to
a kernel.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

MARK = re.compile(r"# @(\w+)$", re.MULTILINE)
Edit = tuple[str, ...]
"""What is done, the mark of its line, and what else the operation takes."""


def marked(text: str) -> dict[str, int]:
    """The lines that have a mark, by it."""
    lines = enumerate(text.splitlines(), 1)
    return {found[1]: number for number, line in lines if (found := MARK.search(line))}


def mutated(text: str, edit: Edit) -> str:
    """The text with one line changed.

    Raises:
        ValueError: there is nothing in this line that the operation is about, or too much.
    """
    operation, mark, *rest = edit
    number = marked(text)[mark]
    lines = text.splitlines(keepends=True)
    before = lines[number - 1]
    lines[number - 1] = _OPERATIONS[operation](before, *rest)
    changed = "".join(lines)
    ast.parse(changed)
    if lines[number - 1] == before or changed.count("\n") != text.count("\n"):
        raise ValueError(f"{edit} changes nothing, or the number of lines")
    return changed


def _drop(line: str) -> str:
    """The statement is gone."""
    return _replaced(line, _statement(line), "pass")


def _always(line: str) -> str:
    """The guard lets everybody through."""
    return _replaced(line, _statement(line).test, "True")


def _edit(line: str, old: str, new: str) -> str:
    """By hand."""
    if line.count(old) != 1:
        raise ValueError(f"{old!r} is {line.count(old)} times in {line!r}")
    return line.replace(old, new)


def _plain(line: str) -> str:
    """An atomic becomes a read and a write: `a[i] += v`, and what it gave is read before."""
    statement = _statement(line)
    call = statement.value
    array, index, value = map(ast.unparse, call.args)
    name = call.func.attr
    into = f"{array}[{index}]"
    change = f"{into} += {value}" if name == "add" else f"{into} = {name}({into}, {value})"
    if isinstance(statement, ast.Assign):
        change = f"{ast.unparse(statement.targets[0])} = {into}; {change}"
    return _replaced(line, statement, change)


def _within(line: str, test: str) -> str:
    """A statement that only some threads come to."""
    statement = _statement(line)
    return _replaced(line, statement, f"if {test}: {ast.unparse(statement)}")


def _further(line: str) -> str:
    """`range` goes one too far."""
    call = _statement(line).iter
    stop = call.args[len(call.args) > 1]
    return _replaced(line, stop, f"{ast.unparse(stop)} + 1")


def _shift(line: str, array: str, by: int) -> str:
    """The last index of an array, read or written, is off."""
    found = [
        node
        for node in ast.walk(_statement(line))
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == array
    ]
    (place,) = found
    index = place.slice.elts[-1] if isinstance(place.slice, ast.Tuple) else place.slice
    return _replaced(line, index, f"{ast.unparse(index)} + {by}")


def _statement(line: str) -> ast.AST:
    """The statement that begins in a line, as a tree; a compound one with an empty body."""
    source = MARK.sub("", line.strip()).strip()
    if source.startswith("elif"):
        source = source[2:]
    return ast.parse(f"{source} pass" if source.endswith(":") else source).body[0]


def _replaced(line: str, node: ast.AST, by: str) -> str:
    """The line with other source in the place of a part of its statement."""
    indent = len(line) - len(line.lstrip())
    if line[indent:].startswith("elif"):
        indent += 2
    start, end = indent + node.col_offset, indent + node.end_col_offset
    return line[:start] + by + line[end:]


_OPERATIONS: dict[str, Callable[..., str]] = {
    "drop": _drop,
    "always": _always,
    "edit": _edit,
    "plain": _plain,
    "within": _within,
    "further": _further,
    "shift": _shift,
}
