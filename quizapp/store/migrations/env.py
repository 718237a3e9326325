"""Runs the migrations inside the transaction that `quizapp.store.migrate` has begun."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
