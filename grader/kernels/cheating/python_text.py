"""Changes of a kernel in Python, by its tree: what cheats of several kinds are made with."""

from __future__ import annotations

import ast


def parse_expression(text: str) -> ast.expr:
    """Return the tree of an expression."""
    return ast.parse(text, mode="eval").body


def find_kernel(tree: ast.Module, name: str) -> ast.FunctionDef:
    """Return a function of a text."""
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return next(node for node in functions if node.name == name)


def write_tree(tree: ast.AST) -> str:
    """Write a tree that was changed."""
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def transform(change: ast.NodeTransformer, solution: str) -> str:
    """Change a text."""
    return write_tree(change.visit(ast.parse(solution)))


def begin_with(kernel: str, solution: str, statements: str, parameter: int = 0) -> str:
    """Put statements before all that a kernel does; `{}` in them is one of its parameters."""
    tree = ast.parse(solution)
    declared = find_kernel(tree, kernel)
    text = statements.replace("{}", declared.args.args[parameter].arg)
    declared.body[:0] = ast.parse(text).body
    return write_tree(tree)
