"""The house stays livable: small functions, modules, and folders, and one meaning a name."""

from __future__ import annotations

import ast
from collections import Counter

from bench import size

TOO_LONG = {"quizapp/tui/screens/question.py"}
"""Modules that are still to be divided."""


def test_functions_modules_and_folders_are_small():
    large, modules = [], {}
    folders: Counter[str] = Counter()
    for path in size.sources(size.PRODUCT):
        text = path.read_text("utf-8")
        modules[path.as_posix()] = text.count("\n")
        folders[path.parent.as_posix()] += 1
        large += [path for lines in size.function_sizes(ast.parse(text)) if lines > 60]
    assert large == []
    assert {name for name, lines in modules.items() if lines > 600} <= TOO_LONG
    assert [folder for folder, count in folders.items() if count > 25] == []


def test_the_name_of_a_class_means_one_thing():
    assert size.repeated_names() == []
