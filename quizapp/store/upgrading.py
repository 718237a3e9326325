"""Brings a schema up to ours by Alembic, whose import takes 150 ms: loaded when there is a need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

MIGRATIONS = Path(__file__).with_name("migrations")


def upgrade(connection: Connection, progress: Callable[[int, int], None] | None = None) -> None:
    """Run the migrations that the database has not had; `progress` gets (events done, of all)."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["progress"] = progress
    command.upgrade(config, "head")
