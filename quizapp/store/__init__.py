"""Progress on disk: an append-only event log in SQLite, and the tables that derive from it.

The only package that knows SQL. It knows the domain's values and nothing of decks, screens or the
clock. Importing it costs 200 ms, nearly all of it SQLAlchemy: import it late.
"""

from __future__ import annotations

from quizapp.store.facts import DayCounts
from quizapp.store.log import NewEvent
from quizapp.store.store import Store

__all__ = ["DayCounts", "NewEvent", "Store"]
