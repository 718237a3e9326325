"""Seeds faults into the product, and counts those that the tests find.

    python -m tests.seeded_faults draw ../before > drawn.csv  # then moved to tests/data
    python -m tests.seeded_faults run before.csv --checkout ../before
    python -m tests.seeded_faults run after.csv --first before.csv deck study
    python -m tests.seeded_faults show before.csv after.csv

A fault is one edit of one line. Drawn once and kept, so that the tests of before and of after a
change are asked about the same faults: `draw` replaces only those whose line is not in each
checkout that it is given, and here. `run` edits a checkout, and restores it. It asks mypy, and
calls the tests of the fault's room to the first failure: what those of other rooms would find is
not known.
It adds to a file of results, and skips what is there: end it and go on when you like.
"""

from __future__ import annotations

import argparse
import ast
import csv
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests/data/seeded_faults.csv"
FAULTS_PER_ROOM = 10

SEED = "2026-11-29"
NOT_ASKED = "not asked:"
MOST_SECONDS = 3600
"""Until the tests of a room are ended, and the fault counts as found."""

ROOMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "domain": (("quizapp/domain",), ("tests/domain", "tests/study")),
    "exercises": (
        ("quizapp/exercises", "quizapp/system"),
        ("tests/exercises", "tests/deck", "tests/study", "tests/commands"),
    ),
    "deck": (("quizapp/deck",), ("tests/deck", "tests/commands")),
    "store": (("quizapp/store",), ("tests/store", "tests/study")),
    "study": (("quizapp/study",), ("tests/study", "tests/commands")),
    "report": (
        ("quizapp/report", "quizapp/plain"),
        ("tests/report", "tests/plain", "tests/commands", "tests/tui"),
    ),
    "tui": (("quizapp/tui",), ("tests/tui", "tests/terminal")),
    "commands": (("quizapp/commands", "quizapp/cli.py"), ("tests/commands",)),
    "grader": (
        ("grader/banks", "grader/layouts", "grader/kernels", "grader/profiles"),
        (
            "tests/grader/test_*.py",
            *(f"tests/grader/{folder}" for folder in ("layouts", "kernels", "profiles")),
        ),
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


def _ordered(call: ast.Call) -> bool:
    """True if a call means something else once its first arguments are swapped."""
    if ast.unparse(call.func).rpartition(".")[2] in ("min", "max", "minimum", "maximum"):
        return False
    return not any(isinstance(argument, ast.Starred) for argument in call.args)


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
        case ast.Call(func=called, args=[first, second, *_]) if _ordered(node):
            swapped = ast.Call(called, [second, first, *node.args[2:]], node.keywords)
            return node, ast.unparse(swapped)
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


def draw(others: Iterable[Path]) -> list[SeededFault]:
    """Draw faults, of each room from as many files, in the place of those that are not everywhere.

    Args:
        others: checkouts that have the faults' lines, as this one has.
    """
    checkouts = ROOT, *others
    drawn = []
    for room, (folders, _) in ROOMS.items():
        kept = [each for each in read_faults() if each.room == room and _in_all(each, checkouts)]
        drawn += kept
        taken = {ROOT / fault.file for fault in kept}
        chance = random.Random(f"{SEED} {room}")
        places = [ROOT / folder for folder in folders]
        files = sorted(file for place in places for file in (place, *place.rglob("*.py")))
        files = [file for file in files if file.suffix == ".py"]
        chance.shuffle(files)
        by_file = (_faults_of(room, file) for file in files if file not in taken)
        usable = ([each for each in faults if _in_all(each, checkouts)] for faults in by_file)
        some = (chance.choice(faults) for faults in usable if faults)
        drawn += islice(some, FAULTS_PER_ROOM - len(kept))
    return drawn


def _in_all(fault: SeededFault, checkouts: Iterable[Path]) -> bool:
    """True if each checkout has the line of a fault."""
    return all(_lines_like(fault, _read_lines(fault, checkout)) for checkout in checkouts)


def _read_lines(fault: SeededFault, checkout: Path) -> list[str]:
    """The lines of a fault's file, with their ends; none if it is not there."""
    path = checkout / fault.file
    return path.read_text("utf-8").splitlines(keepends=True) if path.exists() else []


def _lines_like(fault: SeededFault, lines: Iterable[str]) -> list[int]:
    """The indices of lines that a fault could be an edit of."""
    return [i for i, line in enumerate(lines) if line.strip() == fault.old]


@contextmanager
def seeded(fault: SeededFault, checkout: Path) -> Iterator[None]:
    """Edit a file of a checkout, and restore it.

    Raises:
        LookupError: the line is not there any more.
    """
    lines = _read_lines(fault, checkout)
    if not (same := _lines_like(fault, lines)):
        raise LookupError(f"{fault.file}:{fault.line}: this line has changed: {fault.old}")
    path, text = checkout / fault.file, "".join(lines)
    at = min(same, key=lambda i: abs(i + 1 - fault.line))
    lines[at] = lines[at].replace(fault.old, fault.new)
    time = path.stat().st_mtime_ns
    path.write_text("".join(lines), "utf-8")
    try:
        yield
    finally:
        path.write_text(text, "utf-8")
        os.utime(path, ns=(time, time))  # else what was compiled within the same second would stay


def type_error(checkout: Path) -> str:
    """The first error that mypy finds in a checkout, which has none without a fault."""
    mypy = [str(checkout / ".venv/bin/mypy"), "--no-error-summary"]
    done = subprocess.run(mypy, cwd=checkout, capture_output=True, text=True, check=False)
    return f"mypy: {done.stdout.splitlines()[0]}" if done.returncode == 1 else ""


def first_failure(tests: Iterable[str], checkout: Path) -> str:
    """Call tests of a checkout to the first failure.

    Returns:
        Its name; `collection` if none could be called; empty if they pass.
    """
    python = checkout / ".venv/bin/python"
    command = [
        str(python),
        "-m",
        "pytest",
        "-x",
        "-q",
        "-n",
        "0",
        "--tb=no",
        "-p",
        "no:cacheprovider",
    ]
    try:
        done = subprocess.run(
            [*command, *tests], cwd=checkout, capture_output=True, text=True, check=False,
            timeout=MOST_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "does not end"
    failed = [
        line.split(" ", 1)[1].partition(" - ")[0]
        for line in done.stdout.splitlines()
        if line.startswith(("FAILED ", "ERROR "))
    ]
    return failed[0] if failed else "collection" if done.returncode else ""


def find(fault: SeededFault, checkout: Path, likely: str = "") -> str:
    """What finds a fault: mypy, or the name of a test; empty if none of its room does.

    Args:
        fault: the fault.
        checkout: the project, with its `.venv`.
        likely: a test that is called first, if it is there.
    """
    folders = [str(path) for test in ROOMS[fault.room][1] for path in sorted(checkout.glob(test))]
    try:
        with seeded(fault, checkout):
            if error := type_error(checkout):
                return error
            if (checkout / likely.partition("::")[0]).is_file():
                found = first_failure([likely], checkout)
                if found.startswith(likely):
                    return found
            return first_failure(folders, checkout)
    except LookupError as error:
        return f"{NOT_ASKED} {error}"


def read_faults() -> list[SeededFault]:
    """The faults that were drawn."""
    with LIST.open(encoding="utf-8", newline="") as file:
        return [
            SeededFault(row["room"], row["file"], int(row["line"]), row["old"], row["new"])
            for row in csv.DictReader(file)
        ]


def read_found(path: Path) -> dict[tuple[str, int, str], str]:
    """What a file of results says: by file, line and fault, the test that found it."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {(name, int(line), new): test for name, line, new, test in csv.reader(file)}


def run(results: Path, checkout: Path, first: Path | None, rooms: list[str]) -> None:
    """Look for the faults that are not in `results`, and add them there."""
    done = read_found(results)
    hints = read_found(first) if first else {}
    for fault in read_faults():
        key = fault.file, fault.line, fault.new
        if key in done or (rooms and fault.room not in rooms):
            continue
        found = find(fault, checkout, hints.get(key, ""))
        with results.open("a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow([*key, found])


def show(before: Path, after: Path) -> None:
    """Print both columns side by side."""
    old, new = read_found(before), read_found(after)
    for fault in read_faults():
        key = fault.file, fault.line, fault.new
        if key in old and key in new:
            print(
                f"{fault.room:10} {fault.file}:{fault.line}  {old[key] or '-'}  {new[key] or '-'}"
            )
    both = [key for key in old.keys() & new.keys() if NOT_ASKED not in old[key] + new[key]]
    print(f"{len(both)} asked; found before {sum(map(bool, (old[k] for k in both)))}, "
          f"after {sum(map(bool, (new[k] for k in both)))}")  # fmt: skip


def main() -> None:
    """Draw, run or show."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the edited file is restored
    parser = argparse.ArgumentParser(prog="python -m tests.seeded_faults")
    actions = parser.add_subparsers(dest="action", required=True)
    drawing = actions.add_parser("draw")
    drawing.add_argument("checkout", type=Path, nargs="*", help="has the same lines")
    running = actions.add_parser("run")
    running.add_argument("results", type=Path)
    running.add_argument("--checkout", type=Path, default=ROOT)
    running.add_argument("--first", type=Path, help="results whose tests are called first")
    running.add_argument("rooms", nargs="*")
    showing = actions.add_parser("show")
    showing.add_argument("before", type=Path)
    showing.add_argument("after", type=Path)
    match parser.parse_args():
        case argparse.Namespace(action="draw") as asked:
            rows = csv.writer(sys.stdout, lineterminator="\n")
            rows.writerow(SeededFault._fields)
            rows.writerows(draw(asked.checkout))
        case argparse.Namespace(action="run") as asked:
            run(asked.results, asked.checkout.resolve(), asked.first, asked.rooms)
        case asked:
            show(asked.before, asked.after)


if __name__ == "__main__":
    main()
