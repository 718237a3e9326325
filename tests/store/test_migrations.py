"""The schema: what the migrations make is what the code expects, and no upgrade can lose a log."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from quizapp.domain.errors import StoreError, StoreTooNew
from quizapp.domain.log.projection import AnswerFact, Card
from quizapp.domain.schedule import CardMemory
from quizapp.store import migrate, upgrading
from quizapp.store.store import Store
from quizapp.store.tables import answer as answer_table
from quizapp.store.tables import card as card_table
from quizapp.store.tables import metadata
from tests.sampling import every
from tests.store.older import events_of, fill, make_old
from tests.store.tools import Q, answer, driver, dump_tables, with_parameters

NEWEST = migrate.REVISIONS[-1]
LATER = f"{int(NEWEST) + 1:04}"

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{down}"


def upgrade():
    op.create_table("note", sa.Column("text", sa.Text))
    op.add_column("card", sa.Column("leech", sa.Boolean))
    {last}
"""


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A later version of quiz, with one more migration that ends as told."""

    def make(last: str = "") -> None:
        folder = tmp_path / "migrations"
        shutil.copytree(upgrading.MIGRATIONS, folder)
        text = NEXT.format(last=last, revision=LATER, down=NEWEST)
        (folder / "versions" / f"{LATER}_next.py").write_text(text)
        monkeypatch.setattr(upgrading, "MIGRATIONS", folder)
        monkeypatch.setattr(migrate, "REVISIONS", (*migrate.REVISIONS, LATER))

    return make


def revision(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]


def test_the_migrations_make_the_tables_that_the_code_uses(store: Store):
    with store._database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, metadata) == []


def test_every_revision_has_a_script_in_this_order():
    config = Config()
    config.set_main_option("script_location", str(upgrading.MIGRATIONS))
    scripts = ScriptDirectory.from_config(config).walk_revisions()
    assert tuple(script.revision for script in scripts)[::-1] == migrate.REVISIONS


def test_the_caches_have_a_column_for_every_field():
    memory = list(CardMemory.__struct_fields__)
    card = [n for n in Card.__struct_fields__ if n not in {"question", "memory"}]
    assert card_table.columns.keys() == ["question", *memory, *card]
    # Practice is in the log alone.
    assert [*answer_table.columns.keys(), "practice"] == list(AnswerFact.__struct_fields__)


def test_a_new_database_is_made_where_no_folder_was(tmp_path: Path):
    path = tmp_path / "ein Ordner %s" / "数据?#" / "progress.db"
    with Store.open(path) as store:
        machine = store.machine
    assert re.fullmatch("[0-9a-f]{32}", machine)
    assert [file.name for file in path.parent.iterdir()] == ["progress.db"]
    with Store.open(path) as store:
        assert store.machine == machine


def test_an_empty_file_becomes_a_database(tmp_path: Path):
    path = tmp_path / "progress.db"
    path.touch()
    with Store.open(path) as store:
        assert store.check() == []


def test_an_old_database_is_backed_up_then_migrated(path: Path, next_version):
    with Store.open(path) as store:
        answer(store)
        store.save_draft(Q, "words", 1)
        dump = store.dump()
    before = dump_tables(path)
    next_version()
    with Store.open(path) as store:
        assert store.dump() == dump
        assert store.draft(Q) == "words"
        assert store.check() == []
        with driver(store) as connection:
            assert connection.execute("SELECT count(*) FROM note").fetchone() == (0,)
    (copy,) = (path.parent / "backups").iterdir()
    assert re.fullmatch(rf"progress-\d{{8}}-\d{{6}}-before-{LATER}\.db", copy.name)
    assert dump_tables(copy) == before
    assert (revision(copy), revision(path)) == (NEWEST, LATER)


@pytest.mark.parametrize("older_than", every(5, migrate.REVISIONS[1:], str))
def test_a_database_of_an_older_version_is_migrated_and_that_version_refuses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, older_than: str
):
    """Its events are the same ones, what derives from them too, and the backup is as it was."""
    path = tmp_path / "old" / "progress.db"
    known = tuple(each for each in migrate.REVISIONS if each < older_than)
    with Store.open(tmp_path / "now.db") as store:
        machine = fill(with_parameters(store))
        dump, events = store.dump(), events_of(store)
        make_old(path, known, events, machine)
    before = dump_tables(path)
    with Store.open(path) as store:
        assert store.machine == machine
        assert events_of(store) == events
        assert store.dump() == dump
        assert store.check() == []
        store.rebuild()
        assert store.dump() == dump
    (copy,) = (path.parent / "backups").iterdir()
    assert (revision(copy), revision(path)) == (known[-1], migrate.REVISIONS[-1])
    assert dump_tables(copy) == before
    content = dump_tables(path)
    monkeypatch.setattr(migrate, "REVISIONS", known)
    with pytest.raises(StoreTooNew):
        Store.open(path)
    assert dump_tables(path) == content


def test_a_migration_happens_once(path: Path, next_version):
    next_version()
    Store.open(path).close()
    content = dump_tables(path)
    Store.open(path).close()
    assert dump_tables(path) == content
    assert len(list((path.parent / "backups").iterdir())) == 1


def test_a_migration_that_fails_leaves_the_database_as_it_was(path: Path, next_version):
    before = dump_tables(path)
    next_version(last='op.execute("INSERT INTO no_such_table VALUES (1)")')
    with pytest.raises(StoreError, match="no_such_table"):
        Store.open(path)
    assert dump_tables(path) == before


def test_after_going_back_to_the_old_version_the_backup_is_the_way(
    path: Path, next_version, monkeypatch: pytest.MonkeyPatch
):
    next_version()
    Store.open(path).close()
    monkeypatch.undo()
    with pytest.raises(StoreTooNew):
        Store.open(path)
    (copy,) = (path.parent / "backups").iterdir()
    shutil.copy(copy, path)
    Store.open(path).close()


def test_two_programs_that_migrate_make_one_backup(path: Path, next_version):
    """The second has seen the old schema, and finds the new one once it has the lock."""
    next_version()
    with Store.open(path):
        pass
    slow = migrate.revision
    try:
        migrate.revision = lambda *_: "0001"
        Store.open(path).close()
    finally:
        migrate.revision = slow
    assert len(list((path.parent / "backups").iterdir())) == 1
