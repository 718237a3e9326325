"""A kind of event, or a field, that is new comes with a schema that older programs refuse.

Else they would take the first such event for damage. `tests/data/events.json` holds, for each
schema since this is checked, the fields of every kind.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

from quizapp.domain.log.events import Body
from quizapp.store.migrate import REVISIONS

RECORDED = Path(__file__).parents[1] / "data" / "events.json"


def vocabulary() -> dict[str, list[str]]:
    kinds = get_args(Body)
    return {kind.__struct_config__.tag: list(kind.__struct_fields__) for kind in kinds}


def test_the_newest_schema_knows_every_kind_and_field():
    known = json.loads(RECORDED.read_text("utf-8"))
    newest = REVISIONS[-1]
    assert known.get(newest) == vocabulary(), (
        "add a migration (it may change nothing), and a record of its kinds to events.json"
    )


def test_no_kind_and_no_field_was_ever_removed():
    for kinds in json.loads(RECORDED.read_text("utf-8")).values():
        for tag, fields in kinds.items():
            assert set(fields) <= set(vocabulary()[tag]), tag
