"""Offers the ways out when progress is damaged or lost, line by line, before any session begins.

The screens use it too: it runs before they are drawn, or after they are gone.
"""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TextIO

from quizapp.domain.errors import StoreDamaged, StoreError, StoreLost
from quizapp.plain.console import QUIT, Console, Ended
from quizapp.report.words import Words
from quizapp.study.rescue import BackupCopy, RescueResult, Way, Ways, ways_out


def offer_rescue(
    error: StoreDamaged, database: Path, words: Words, stdin: TextIO, stdout: TextIO
) -> bool:
    """Offer the ways out of `error` until one is taken; False if the person takes none."""
    console = Console(stdin, stdout)
    key = "rescue.lost" if isinstance(error, StoreLost) else "rescue.damaged"
    console.say(words(key, path=database), words("rescue.details", what=error.what), "")
    offered = ways_out(database)
    ways = offered.ways
    console.say(*_asides(offered, words))
    console.say(*(_line(number, way, words) for number, way in enumerate(ways, 1)))
    console.say(words("rescue.leave"))
    while True:
        try:
            line = console.read(words("rescue.ask")).strip()
        except Ended:
            return False
        if line in QUIT:
            return False
        if line not in map(str, range(1, len(ways) + 1)):
            console.say(words("rescue.unclear", count=len(ways)))
            continue
        try:
            done = ways[int(line) - 1].take()
        except StoreError as failed:
            console.say(str(failed))
            continue
        console.say(*_report(done, words), "")
        return True


def _line(number: int, way: Way, words: Words) -> str:
    when = _format_time(way.copy) if way.copy else ""
    return words(f"rescue.way.{way.name}", number=number, when=when, n=way.events)


def _asides(offered: Ways, words: Words) -> list[str]:
    """Say what is not among the choices, and why."""
    said = [
        words("rescue.unusable", when=_format_time(copy), path=copy.path)
        for copy in offered.unusable
    ]
    if offered.others:
        said.append(words("rescue.others", n=offered.others))
    if all(way.name != "salvage" for way in offered.ways):
        said.append(words("rescue.nothing-readable"))
    return [*said, ""] if said else []


def _format_time(copy: BackupCopy) -> str:
    return f"{copy.made.astimezone():%Y-%m-%d %H:%M}"


def _report(done: RescueResult, words: Words) -> list[str]:
    lines = [words("rescue.done", n=done.events)]
    if done.kept is not None:
        lines.append(words("rescue.kept", path=done.kept))
        lines.append(words("rescue.back", command=f"quiz salvage {quote(str(done.kept))}"))
    return lines
