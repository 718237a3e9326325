"""The deck that a session uses: entries at once, questions decoded when asked for.

`load` reads the compiled deck where it still fits the content, and compiles it otherwise. It must
not import what only compiling or decoding needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizapp.deck import index
from quizapp.deck.index import Compiled, Entry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from quizapp.domain.question import AnyQuestion


class Deck:
    """All questions that can be studied. Immutable; reload to see changed content."""

    def __init__(self, compiled: Compiled) -> None:
        self.entries: Mapping[str, Entry] = {entry.id: entry for entry in compiled.entries}
        self.left_out = compiled.left_out
        self._bodies = compiled.bodies
        self._decoded: dict[str, AnyQuestion] = {}

    def question(self, name: str) -> AnyQuestion:
        """The question with the canonical id `name`, which must be in `entries`."""
        found = self._decoded.get(name)
        if found is None:
            from msgspec import json  # noqa: PLC0415 - 18 ms, and only bodies need it

            from quizapp.domain.question import KINDS  # noqa: PLC0415

            entry = self.entries[name]
            body = self._bodies[entry.start : entry.start + entry.length]
            found = json.decode(body, type=KINDS[entry.kind])
            self._decoded[name] = found
        return found

    @property
    def topics(self) -> dict[str, int]:
        """How many questions each topic has, in order of name."""
        counts: dict[str, int] = {}
        for entry in self.entries.values():
            counts[entry.topic] = counts.get(entry.topic, 0) + 1
        return dict(sorted(counts.items()))

    @property
    def renames(self) -> dict[str, str]:
        """Former canonical id → the present one."""
        return {old: entry.id for entry in self.entries.values() for old in entry.was}


def load(roots: Sequence[str], cache: str) -> Deck:
    """The deck of the content roots; later roots overlay earlier ones.

    `cache` is the file of the compiled deck. It is written when content changed; a folder that
    cannot be written only costs the time to compile again.
    """
    files = index.sources(roots)
    fingerprint = index.fingerprint(files)
    compiled = index.read(cache, fingerprint)
    if compiled is None:
        from quizapp.deck.compile import compile_deck  # noqa: PLC0415 - YAML and msgspec, 40 ms

        compiled = compile_deck(files).compiled
        try:
            index.write(cache, fingerprint, compiled)
        except OSError:
            return Deck(compiled)
    return Deck(compiled)
