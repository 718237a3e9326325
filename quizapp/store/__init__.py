"""Progress on disk: an append-only event log in SQLite, and the tables that derive from it.

The only package that knows SQL. It knows the domain's values and nothing of decks, screens or the
clock. SQLAlchemy costs 200 ms: the names below load it when they are first used, so that the help
of a command imports a module of this package without it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizapp.store.facts import DayCounts
    from quizapp.store.log import NewEvent
    from quizapp.store.store import Store

__all__ = ["DayCounts", "NewEvent", "Store"]

_MODULES = {"DayCounts": "facts", "NewEvent": "log", "Store": "store"}


def __getattr__(name: str) -> object:
    """Load one of the names above."""
    if name not in _MODULES:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
