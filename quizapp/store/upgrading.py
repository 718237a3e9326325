"""Brings a schema up to ours by Alembic, whose import takes 150 ms: loaded when there is a need."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

MIGRATIONS = Path(__file__).with_name("migrations")


def upgrade(connection: Connection) -> None:
    """Run the migrations that the database has not had."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
