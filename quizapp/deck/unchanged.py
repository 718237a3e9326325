"""What an earlier compiled deck still knows: the questions of files that are as they were.

An author who saves one file waits for that file, not for the hundreds beside it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict

import msgspec

from quizapp import __version__
from quizapp.deck import bodies, content_hash
from quizapp.deck.index import CompiledDeck, Entry, SourceFile
from quizapp.deck.packs import Pack
from quizapp.deck.question_location import LocatedQuestion, QuestionLocation
from quizapp.deck.yaml_reader import unread


def digest(file: SourceFile, pack: Pack) -> str:
    """Hash all that decides what the questions of one file are, and this version's checks."""
    alone = content_hash.fingerprint([file._replace(root="")])  # a copy elsewhere means the same
    whole = f"{__version__} {alone}".encode() + msgspec.json.encode(pack)
    return hashlib.sha256(whole).hexdigest()[:32]


class Unchanged:
    """The questions of an earlier deck, by file."""

    def __init__(self, earlier: CompiledDeck | None = None) -> None:
        self._bodies = earlier.bodies if earlier else b""
        self._entries: dict[str, list[Entry]] = defaultdict(list)
        for entry in earlier.entries if earlier else ():
            self._entries[entry.digest].append(entry)

    def questions(self, file: SourceFile, key: str) -> list[LocatedQuestion] | None:
        """Return the questions of the file with this digest; None if they must be compiled.

        A file that had a problem has no digest, and one of whose questions some are overlaid is
        not whole.
        """
        entries = sorted(self._entries.get(key, ()), key=lambda entry: entry.line)
        if not entries or len(entries) != max(entries[0].listed, 1):
            return None
        document = unread(file.data)
        return [
            LocatedQuestion(
                entry.id,
                bodies.decode(self._bodies[entry.start : entry.start + entry.length], entry.kind),
                QuestionLocation(file, document, (place,) if entry.listed else ()),
                entry.line,
            )
            for place, entry in enumerate(entries)
        ]
