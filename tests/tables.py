"""A table of rows that one test compares at once.

`pytest.mark.parametrize` makes a test of each row, and collecting one costs 0.6 ms in each of four
workers, often more than its row takes. Use this where rows need no fixture of their own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any


def each(
    names: str | tuple[str, ...],
    rows: Iterable[Any],
    ids: Callable[[Any], object] | Iterable[object] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with every row, like `parametrize`; what fails is told with its row's id."""
    several = not isinstance(names, str)
    keys: tuple[str, ...] = names if isinstance(names, tuple) else (names,)
    table = [(tuple(row) if several else (row,)) for row in rows]
    assert table, "a table without rows proves nothing"
    shown = _name_rows(table, ids, several=several)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def compare(**fixtures: Any) -> None:
            failed: list[Exception] = []
            for name, row in zip(shown, table, strict=True):
                try:
                    test(**dict(zip(keys, row, strict=True)), **fixtures)
                except Exception as error:
                    error.add_note(f"row: {name}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(table)} rows", failed)

        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in keys]
        compare.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        del compare.__wrapped__  # type: ignore[attr-defined]
        return compare

    return decorate


def _name_rows(
    table: Sequence[tuple[Any, ...]],
    ids: Callable[[Any], object] | Iterable[object] | None,
    *,
    several: bool,
) -> list[object]:
    if ids is None:
        return [row if several else row[0] for row in table]
    if callable(ids):
        return [tuple(map(ids, row)) if several else ids(row[0]) for row in table]
    return list(ids)
