"""An exercise's starter: whether a submission is it, and what of it an interview shows."""

from __future__ import annotations

import ast
import re

_COMMENT = re.compile(r"[ \t]*//[^\n]*|[ \t]*/\*.*?\*/", re.DOTALL)
_CONSTANT = re.compile(r"^(?:#define|(?:static |__constant__ )?const(?:expr)?) .*\n", re.MULTILINE)
_GAP = re.compile(r"\n{3,}")


def is_starter(source: str, starter: str | None) -> bool:
    """True if only white space at line ends, blank lines and line endings differ."""
    return _code(source) == _code(starter or "")


def bare_kernel(starter: str, name: str) -> str:
    """Return a starter without the body of its kernel, and without constants and comments.

    `name`: the kernel's. A starter in which it is not found is returned as it is.
    """
    bare = _bare_cuda if "__global__" in starter else _bare_python
    return bare(starter, name) or starter


def _bare_cuda(starter: str, name: str) -> str:
    found = re.search(rf"\b{name}\s*\([^{{]*\)\s*\{{", starter)
    if found is None:
        return ""
    before = _CONSTANT.sub("", _COMMENT.sub("", starter[: found.end() - 1]))
    return _GAP.sub("\n\n", before).strip() + "\n{\n}\n"


def _bare_python(starter: str, name: str) -> str:
    lines, kept, found = starter.splitlines(), list[str](), False
    for node in ast.parse(starter).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            kept += lines[node.lineno - 1 : node.end_lineno]
        elif isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1
            if node.name != name:
                kept += ["", "", *lines[first : node.end_lineno]]
            elif node.body[0].lineno > node.lineno:
                kept += ["", "", *lines[first : node.body[0].lineno - 1], "    pass"]
                found = True
    kept = [line for line in kept if not line.lstrip().startswith("#")]
    return "\n".join(kept) + "\n" if found else ""


def _code(source: str) -> list[str]:
    lines = source.removeprefix("\ufeff").splitlines()
    return [line.rstrip() for line in lines if line.strip()]
