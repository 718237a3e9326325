"""Seeds faults into the product, and counts those that the tests find.

    python -m tests.seeded_faults draw > tests/data/seeded_faults.csv
    python -m tests.seeded_faults run deck study > found.csv

A fault is one edit of one line. Drawn once and kept, so that the tests of before and of after a
change are asked about the same faults. `run` edits the working tree, and restores it. It calls the
tests of the fault's room, to the first failure: what those of other rooms would find is not known.
"""

from __future__ import annotations

import ast
import csv
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests/data/seeded_faults.csv"
FAULTS_PER_ROOM = 10

ROOMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "domain": (("quizapp/domain",), ("tests/domain", "tests/study")),
    "exercises": (("quizapp/exercises",), ("tests/exercises", "tests/deck", "tests/study")),
    "deck": (("quizapp/deck",), ("tests/deck",)),
    "store": (("quizapp/store",), ("tests/store",)),
    "study": (("quizapp/study",), ("tests/study",)),
    "report": (("quizapp/report",), ("tests/report", "tests/tui", "tests/commands")),
    "tui": (("quizapp/tui",), ("tests/tui",)),
    "commands": (("quizapp/commands",), ("tests/commands",)),
    "grader": (
        ("grader/banks", "grader/layouts", "grader/kernels", "grader/profiles"),
        ("tests/grader/test_*.py", "tests/grader/layouts", "tests/grader/kernels"),
    ),
    "simt": (("grader/simt",), ("tests/grader/simt",)),
}
"""Of each room, the folders of its product and of its tests."""


class SeededFault(NamedTuple):
    """One edit: `new` in the place of the text `old` of a line, which has this number (1-based)."""

    room: str
    file: str
    line: int
    old: str
    new: str


_OPPOSITES: dict[type[ast.AST], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
    ast.Add: "-", ast.Sub: "+", ast.And: "or", ast.Or: "and",
}  # fmt: skip


def _edit(node: ast.AST) -> tuple[ast.AST, str] | None:
    """The part of a tree that a fault replaces, and by which source; None where it has no fault."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            new = f"{ast.unparse(left)} {_OPPOSITES[type(operator)]} {ast.unparse(right)}"
            return node, f"({new})"
        case ast.BoolOp(op=operator, values=values):
            return node, f"({f' {_OPPOSITES[type(operator)]} '.join(map(ast.unparse, values))})"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=right):
            return node, f"({ast.unparse(left)} {_OPPOSITES[type(operator)]} {ast.unparse(right)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return node, f"({ast.unparse(operand)})"
        case ast.Constant(value=bool() as value):
            return node, str(not value)
        case ast.Constant(value=int() as value):
            return node, str(value + 1)
        case ast.If(test=test):
            return test, f"(not ({ast.unparse(test)}))"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            return value, "None"
    return None


def _faults_of(room: str, path: Path) -> Iterator[SeededFault]:
    """Every fault of a file: in the functions' bodies, not in annotations."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
    inside = [s for f in functions for s in f.body if not isinstance(s, ast.FunctionDef)]
    for node in dict.fromkeys(node for statement in inside for node in ast.walk(statement)):
        if isinstance(node, ast.AnnAssign) or (edit := _edit(node)) is None:
            continue
        place, new = edit
        line = lines[place.lineno - 1]
        if place.lineno == place.end_lineno and line.isascii() and "\n" not in new:
            changed = f"{line[: place.col_offset]}{new}{line[place.end_col_offset :]}"
            file = path.relative_to(ROOT).as_posix()
            yield SeededFault(room, file, place.lineno, line.strip(), changed.strip())


def draw() -> list[SeededFault]:
    """Draw faults, of each room from as many files."""
    drawn = []
    for room, (folders, _) in ROOMS.items():
        chance = random.Random(room)
        files = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
        chance.shuffle(files)
        by_file = ([*_faults_of(room, file)] for file in files)
        some = (chance.choice(faults) for faults in by_file if faults)
        drawn += [fault for fault, _ in zip(some, range(FAULTS_PER_ROOM), strict=False)]
    return drawn


def find(fault: SeededFault) -> str:
    """The test that finds a fault; empty if none of its room does.

    Raises:
        ValueError: the line is not there any more.
    """
    path = ROOT / fault.file
    text = path.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    near = sorted(range(len(lines)), key=lambda i: abs(i + 1 - fault.line))
    at = next((i for i in near if lines[i].strip() == fault.old), None)
    if at is None:
        raise ValueError(f"{fault.file}:{fault.line}: this line has changed: {fault.old}")
    lines[at] = lines[at].replace(fault.old, fault.new)
    path.write_text("".join(lines), "utf-8")
    try:
        return _first_failure(ROOMS[fault.room][1])
    finally:
        path.write_text(text, "utf-8")


def _first_failure(tests: tuple[str, ...]) -> str:
    """Call tests to the first failure; its name, or `collection` where none could be called."""
    files = [str(file) for test in tests for file in sorted(ROOT.glob(test))]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "--tb=no", *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    failed = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("FAILED")]
    return failed[0] if failed else "collection" if done.returncode else ""


def main(action: str, *rooms: str) -> None:
    """Print the list, or what the tests of some rooms find."""
    rows = csv.writer(sys.stdout, lineterminator="\n")
    if action == "draw":
        rows.writerow(SeededFault._fields)
        rows.writerows(draw())
        return
    with LIST.open(encoding="utf-8", newline="") as file:
        kept = [SeededFault(r["room"], r["file"], int(r["line"]), r["old"], r["new"])
                for r in csv.DictReader(file)]  # fmt: skip
    for fault in kept:
        if not rooms or fault.room in rooms:
            rows.writerow([*fault[:3], find(fault)])
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
