"""The schema's history; Alembic runs `env.py` and the scripts in `versions/`, nothing imports them.

A released script never changes, and imports nothing of ours: what it calls would.
"""
