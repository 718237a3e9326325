"""Progress on disk: an append-only event log in SQLite, and the tables that derive from it.

The only package that knows SQL. It knows the domain's values and nothing of decks, screens or the
clock. SQLAlchemy costs 200 ms: code that may not need it imports a module of this package as one.
"""
