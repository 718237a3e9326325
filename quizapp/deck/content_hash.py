"""The hash of content: equal for what would be compiled to the same deck.

Apart from `index`, which reads a cached deck without it: hashlib takes 4 ms.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from quizapp.deck.index import FORMAT, SourceFile


def fingerprint(files: Iterable[SourceFile]) -> str:
    """Hash names and content: an equal hash means that compiling would give the same deck."""
    digest = hashlib.sha256(f"{FORMAT}".encode())
    for file in files:
        named = f"\0{file.root}\0{file.path}\0{len(file.data)}\0{file.stamp}\0"
        digest.update(named.encode("utf-8", "surrogateescape"))  # file names need not be UTF-8
        digest.update(str(file.refused).encode())
        digest.update(file.data)
    return digest.hexdigest()
