"""A second program at the same database, for tests that need a real one.

append PATH COUNT [QUESTION]   append COUNT answers one by one, print each id once it is logged
hold PATH                      hold the write lock until a line comes in
loaded PATH                    open the store, print the names of all loaded modules
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from uuid import uuid4

from quizapp.store.store import Store
from tests.store.tools import build_answer, new


def append(path: Path, count: str, question: str = "") -> None:
    with Store.open(path) as store:
        print("open", flush=True)
        sys.stdin.readline()
        for number in range(int(count)):
            name = question or f"pack/{number % 7}"
            (event,) = store.append(
                [new(name, build_answer(19_000 + number // 50), session=f"session-{uuid4().hex}")]
            )
            print(event.id, flush=True)


def hold(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    print("held", flush=True)
    sys.stdin.readline()
    connection.rollback()
    connection.close()


def print_modules(path: Path) -> None:
    Store.open(path).close()
    print(*sys.modules)


if __name__ == "__main__":
    act, path, *rest = sys.argv[1:]
    {"append": append, "hold": hold, "loaded": print_modules}[act](Path(path), *rest)
