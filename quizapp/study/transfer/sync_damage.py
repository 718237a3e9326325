"""Remembers which damage of a shared folder the person was told, so that each is told once.

The note is in the cache: if it is lost, all is told again.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from quizapp.domain.errors import EnvironmentProblem
from quizapp.study.transfer.sync import Damage, SyncPlan
from quizapp.system.files import replace_file
from quizapp.system.paths import Paths

_Told = dict[str, dict[str, Damage]]
"""What was told, by folder and by the name of a file in it."""


def note_new(plan: SyncPlan, paths: Paths) -> Mapping[str, Damage]:
    """Return the damage that the person was not told yet, by file, and note all of it as told."""
    note = paths.cache / "sync-damage.json"
    told, folder = _read(note), str(plan.folder)
    before = told.get(folder, {})
    if before != plan.damaged:
        told[folder] = dict(plan.damaged)
        with suppress(EnvironmentProblem):
            replace_file(note, msgspec.json.encode(told))
    return {name: found for name, found in plan.damaged.items() if before.get(name) != found}


def _read(note: Path) -> _Told:
    try:
        return msgspec.json.decode(note.read_bytes(), type=_Told)
    except (OSError, msgspec.MsgspecError):
        return {}
