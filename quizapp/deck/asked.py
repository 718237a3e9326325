"""How often interviews ask for a concept, as `asked.yaml` beside the packs of a folder says it.

The file names public lists of interview questions, for which kind of job each is, and the lists
that ask for each concept. Concepts of a folder without the file count as asked by one list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, Struct

from quizapp.domain.order import JOBS, Job
from quizapp.domain.question import Slug

UNCOUNTED, NOT_ASKED = ((lists,) * (1 + len(JOBS)) for lists in (1, 0))
"""The counts of a concept in a folder without the file, and of one that no list asks for."""


class AskingList(Struct, frozen=True, forbid_unknown_fields=True):
    """A list of interview questions, or several of one kind: what it is, where, for which jobs."""

    what: Annotated[str, Meta(min_length=1)]
    jobs: Annotated[tuple[Job, ...], Meta(min_length=1)]
    urls: tuple[str, ...] = ()


class AskedFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What `asked.yaml` says: the lists by a short name, and the lists that ask for a concept."""

    lists: dict[str, AskingList]
    concepts: dict[Slug, tuple[str, ...]]

    def __post_init__(self) -> None:
        """Refuse a list that is not there; msgspec adds that to its own findings."""
        for concept, names in self.concepts.items():
            for name in names:
                if name not in self.lists:
                    message = f"no list is called {name!r} - at `$.concepts.{concept}`"
                    raise ValueError(message)

    def count(self, concept: str) -> tuple[int, ...]:
        """Count the lists that ask for a concept: all of them, then those for each of `JOBS`."""
        lists = [self.lists[name] for name in dict.fromkeys(self.concepts.get(concept, ()))]
        return len(lists), *(sum(job in each.jobs for each in lists) for job in JOBS)


@dataclass(frozen=True, slots=True)
class AskedConcepts:
    """What the files of some folders say, and the packs in those folders."""

    files: tuple[AskedFile, ...]
    packs: frozenset[str]

    def count(self, pack: str, concept: str) -> tuple[int, ...]:
        """Count the lists that ask for a concept of a pack, or of a person's copies in its name."""
        for file in self.files:
            if concept in file.concepts:
                return file.count(concept)
        return NOT_ASKED if pack in self.packs else UNCOUNTED
