"""What home shows, kept when the program ends, so that it is drawn before the database is open.

It is read only while all is as it was: the database's files, the deck, the settings, what may run,
the time zone, the program. It is kept for that day and the next, for the case that nothing happens
until then. Imports neither the database nor what a study is made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader import extras
from quizapp.domain.days import Instant, local_day
from quizapp.study import kept_report, overview, service
from quizapp.study.clock import TimeSource
from quizapp.study.home_values import Filter, Home
from quizapp.system import trust
from quizapp.system.file_state import find_state

if TYPE_CHECKING:
    from quizapp.deck.deck import Deck
    from quizapp.study.service import Study
    from quizapp.system.config import Settings
    from quizapp.system.paths import Paths

_DAYS = 2
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class _ClockAhead:
    """A clock that is days ahead."""

    clock: TimeSource
    days: int

    def now(self) -> Instant:
        """Return the moment that comes then."""
        now = self.clock.now()
        return Instant(now.utc_ms + self.days * _DAY_MS, now.offset_s)


def read(paths: Paths, settings: Settings, deck: Deck, now: Instant) -> Home | None:
    """Return what home shows at a start now; None where that was not kept."""
    if _may_change(paths):
        return None
    key = _find_key(paths, settings, deck, now)
    days = kept_report.read(paths.kept_home, key, dict[int, Home])
    return days.get(local_day(now)) if days else None


def foresee(study: Study, paths: Paths) -> dict[int, Home] | None:
    """Find what home shows at the next start, by day; None if another program has just written."""
    found = {}
    study.store.changed_elsewhere()  # from here on
    for days in range(_DAYS):
        clock = _ClockAhead(study.clock, days)
        later = service.Study(
            study.deck, study.store, study.settings, clock, lambda: trust.read_trust(paths)
        )
        later.session.begin(Filter())
        found[local_day(clock.now())] = overview.home(later)
    return None if study.store.changed_elsewhere() else found


def keep(study: Study, paths: Paths, days: dict[int, Home]) -> None:
    """Keep what `foresee` found just before the study was closed."""
    if not _may_change(paths):
        key = _find_key(paths, study.settings, study.deck, study.clock.now())
        kept_report.write(paths.kept_home, key, days)


def _find_key(paths: Paths, settings: Settings, deck: Deck, now: Instant) -> str:
    """Hash everything that home depends on but the day."""
    needed = {entry.extra for entry in deck.entries.values()} - {""}
    parts = (
        kept_report.program(),
        deck.fingerprint,
        sorted(extra for extra in needed if extras.is_installed(extra)),
        settings,
        now.offset_s,
        *((str(path), find_state(path)) for path in (paths.database, paths.trusted)),
    )
    return kept_report.hash_parts(parts)


def _may_change(paths: Paths) -> bool:
    """Return True while a program has written what is not in the database's own file yet."""
    try:
        return Path(f"{paths.database}-wal").stat().st_size > 0
    except OSError:
        return False
