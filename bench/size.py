"""Prints the size of the house: lines, modules, functions, names with two meanings, exemptions.

python -m bench.size            product code (quizapp, grader) and tests
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median

PRODUCT = ("quizapp", "grader")
TESTS = ("tests", "bench")
CATALOGUE = Path("quizapp/report/words")
NAMESPACES = (
    "grader.simt.cuda.declared", "grader.simt.cuda.syntax", "grader.simt.program.nodes",
    "grader.simt.ptx.syntax",
)  # fmt: skip
"""Modules whose classes may have a name that another class has: three languages each have an `If`
or a `Call`. Nothing imports such a name, so that it always stands behind its module's."""
_EXEMPTION = re.compile(r"# noqa|# type: ignore")
_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def sources(roots: tuple[str, ...]) -> list[Path]:
    """All Python files below these folders, recorded test data left out."""
    found = [path for root in roots for path in Path(root).rglob("*.py")]
    return sorted(path for path in found if "tests/data" not in path.as_posix())


def lines_of_code(text: str, tree: ast.Module) -> int:
    """Lines that are not blank, a comment or part of a docstring."""
    prose: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            prose |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    counted = enumerate(text.split("\n"), 1)
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in prose
        for number, line in counted
    )


def spread(sizes: list[int]) -> str:
    """Median, the size that 90% do not exceed, and the largest."""
    sizes = sorted(sizes)
    return f"{median(sizes):g} / {sizes[int(0.9 * len(sizes))]} / {sizes[-1]}"


def function_sizes(tree: ast.Module) -> Iterator[int]:
    """Lines of every function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def repeated_names() -> list[str]:
    """Names of public classes that mean two things; one of `NAMESPACES` may have it, too."""
    meanings: defaultdict[str, set[str]] = defaultdict(set)
    imported: set[tuple[str, str]] = set()
    for path in sources(PRODUCT):
        module = ".".join(path.with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                meanings[node.name].add(module)
            elif isinstance(node, ast.ImportFrom) and node.module in NAMESPACES:
                imported |= {(node.module, each.name) for each in node.names}

    def counts(name: str, module: str) -> bool:
        return module not in NAMESPACES or (module, name) in imported

    several = {name: modules for name, modules in meanings.items() if len(modules) > 1}
    return sorted(
        name
        for name, modules in several.items()
        if sum(counts(name, module) for module in modules) > 1
        or any(module in NAMESPACES and counts(name, module) for module in modules)
    )


def main() -> None:
    """Print the table."""
    modules, functions, code, exemptions = [], [], 0, 0
    catalogue = sum(path.read_text("utf-8").count("\n") for path in CATALOGUE.glob("*.txt"))
    folders: Counter[str] = Counter()
    for path in sources(PRODUCT):
        text = path.read_text("utf-8")
        tree = ast.parse(text)
        size = text.count("\n")
        modules.append(size)
        functions += function_sizes(tree)
        code += lines_of_code(text, tree)
        exemptions += len(_EXEMPTION.findall(text))
        folders[path.parent.as_posix()] += 1
    repeated = repeated_names()
    tests = [path.read_text("utf-8").count("\n") for path in sources(TESTS)]
    print(f"product: {sum(modules):,} lines in {len(modules)} modules, {code:,} of them code")
    print(f"  the catalogue of sentences, both languages: {catalogue:,} lines beside these")
    print(f"tests and benchmarks: {sum(tests):,} lines in {len(tests)} modules")
    print(f"module, median / p90 / max: {spread(modules)}")
    print(f"function, median / p90 / max: {spread(functions)}")
    print(f"noqa and type: ignore: {exemptions}")
    print(f"class names with two meanings: {len(repeated)} {' '.join(repeated)}")
    print("modules per folder, the largest:", dict(folders.most_common(8)))


if __name__ == "__main__":
    main()
