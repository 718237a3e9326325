"""The house stays livable: small functions, modules, and folders, and one meaning a name."""

from __future__ import annotations

import ast
from collections import Counter

from bench import size


def test_functions_modules_and_folders_are_small():
    large, folders = [], Counter[str]()
    for path in size.sources(size.PRODUCT):
        text = path.read_text("utf-8")
        longest = max(size.function_sizes(ast.parse(text)), default=0)
        large += [(path, longest)] if longest > 60 or text.count("\n") > 600 else []
        folders[path.parent.as_posix()] += 1
    assert large == []
    assert [folder for folder, count in folders.items() if count > 25] == []


def test_the_name_of_a_class_means_one_thing():
    assert size.repeated_names() == []
