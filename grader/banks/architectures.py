"""How each architecture serves shared memory: the rules as data, each with its evidence.

Evidence: *measured* with hardware counters by this project, *published* by the vendor or by others
who measured, *inferred* from neighbouring architectures.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from grader.banks.access import InvalidAccess, Kind
from grader.facts import fact

Evidence = Literal["measured", "published", "inferred"]

SOURCES = {
    "H200": "the model matches every one of 2,484 warp instructions counted on one H200 with "
    "Nsight Compute 2025.3, all recorded with the source code",
    "guide 4.2": "CUDA C Programming Guide 4.2, appendix F: Shared Memory of compute capability "
    "1.x (F.3.3), 2.x (F.4.3) and 3.0 (F.5.3)",
    "guide 12": "CUDA C++ Programming Guide 12, Compute Capabilities: Shared Memory of 5.x, on "
    "which those of 6.x to 9.0 build",
    "forum": "forums.developer.nvidia.com/t/77228, answer by NVIDIA: loads of 7.0 to 7.5",
    "others": "measurements that others published for 8.0, the same as on 7.0 and 7.5",
    "neighbors": "taken from the architectures around it; not measured, not published",
    "CAS loop": "float atomics, 64-bit additions and the like, and compare-and-swap of 2 and 16 "
    "bytes compile to CAS loops that retry until every lane has succeeded: at least one pass per "
    "lane on a word. Up to 3.x every atomic is a lock loop",
}
"""The sources of the rules, by the name that a rule has for each."""


class Provenance(NamedTuple):
    """How a rule is known. `source` is a key of `SOURCES`."""

    evidence: Evidence
    source: str


CountRule = Literal[
    "words", "lanes", "one word per step", "words to lanes", "words, or one more", "lanes per word"
]
"""What determines the number of passes of a lane group.

words: the most distinct rows on one bank: lanes on one row are free (broadcast).
lanes: the most lanes on one bank: nothing is combined.
one word per step: each step serves all lanes on one word, and one lane on every other bank; which
    word is open, so there are a least and a most.
words to lanes: something between the two; not published.
words, or one more: a conflict is published, but not how many passes it takes.
lanes per word: at least the most lanes on one word; no upper bound.
"""


@dataclass(frozen=True)
class AccessRule:
    """How accesses of these kinds and widths (bytes per lane) are served.

    Attributes:
        lanes: how many lanes are served together.
        merges: true if adjacent lane groups become one when every active lane i has lane i^1
            inactive or at its own address, or the same holds for i^2 (one of the two for the whole
            warp). None: not known; treated as no.
        request: the most bytes of a lane in one request; wider accesses make several.
        wavefronts_a_pass: how often a pass goes through the LSU data pipe.
    """

    kinds: tuple[Kind, ...]
    widths: tuple[int, ...]
    lanes: int
    count: CountRule
    known: Provenance
    merges: bool | None = False
    request: int = 16
    wavefronts_a_pass: int = 1


@dataclass(frozen=True)
class Architecture:
    """One row of the table.

    Byte address a maps to bank `a // bank_bytes % banks`. A bank serves at once all its bytes of
    one aligned segment of `row_bytes`.

    Attributes:
        devices: the compute capabilities it covers.
    """

    name: str
    devices: tuple[str, ...]
    rules: tuple[AccessRule, ...]
    banks: int = 32
    bank_bytes: int = 4
    row_bytes: int = 128

    def rule(self, kind: Kind, width: int) -> AccessRule:
        """Return the rule for an access.

        Raises:
            InvalidAccess: the architecture has no such access.
        """
        for rule in self.rules:
            if kind in rule.kinds and width in rule.widths:
                return rule
        widths = [width for rule in self.rules if kind in rule.kinds for width in rule.widths]
        if not widths:
            raise InvalidAccess(fact("bank.no-such-kind", row=self.name, kind=kind))
        raise InvalidAccess(
            fact(
                "bank.no-such-width", row=self.name, kind=kind, width=width,
                widths=tuple(sorted(widths)),
            )
        )  # fmt: skip


_H200 = Provenance("measured", "H200")
_GUIDE_4 = Provenance("published", "guide 4.2")
_GUIDE_12 = Provenance("published", "guide 12")
_FORUM = Provenance("published", "forum")
_OTHERS = Provenance("published", "others")
_NEIGHBORS = Provenance("inferred", "neighbors")
_LOOP = Provenance("inferred", "CAS loop")

_LOOPS = (
    AccessRule(("atom",), (8,), 32, "lanes per word", _LOOP),
    AccessRule(("atom_float",), (2, 4, 8), 32, "lanes per word", _LOOP),
    AccessRule(("atom_cas",), (2, 16), 32, "lanes per word", _LOOP),
)
_LOCKS = (
    *_LOOPS,
    AccessRule(("atom", "atom_inc", "atom_cas"), (4,), 32, "lanes per word", _LOOP),
    AccessRule(("atom_cas",), (8,), 32, "lanes per word", _LOOP),
)


def _since_5(
    *,
    narrow: Provenance,
    loads: Provenance,
    others: Provenance,
    loads_merge: bool | None = True,
    others_merge: bool | None = None,
    matrices: tuple[Kind, ...] = ("ldmatrix", "stmatrix"),
) -> tuple[AccessRule, ...]:
    """Make the rules of 32 banks of 4 bytes, at most 128 bytes per group, with their evidence."""
    return (
        AccessRule(("load", "store"), (1, 2, 4), 32, "words", narrow),
        AccessRule(("load",), (8,), 16, "words", loads, loads_merge),
        AccessRule(("load",), (16,), 8, "words", loads, loads_merge),
        AccessRule(("store",), (8,), 16, "words", others, others_merge),
        AccessRule(("store",), (16,), 8, "words", others, others_merge),
        AccessRule(matrices, (16,), 8, "words", others, others_merge),
        AccessRule(("atom",), (4,), 32, "lanes", others),
        AccessRule(("atom_cas",), (4,), 32, "lanes", others, wavefronts_a_pass=2),
        AccessRule(("atom_cas",), (8,), 16, "lanes", others, wavefronts_a_pass=2),
        AccessRule(("atom_inc",), (4,), 32, "words", others),
        *_LOOPS,
    )


_KEPLER = (
    AccessRule(("load", "store"), (1, 2, 4), 32, "words", _GUIDE_4),
    AccessRule(
        ("load", "store"), (8,), 32, "words", _NEIGHBORS
    ),  # 256 bytes per pass: 64-bit banks
    AccessRule(("load", "store"), (16,), 16, "words", _NEIGHBORS),
    *_LOCKS,
)
_LIKE_9 = _since_5(narrow=_NEIGHBORS, loads=_NEIGHBORS, others=_NEIGHBORS)

ARCHITECTURES = (
    Architecture(
        "1.x",
        ("1.0", "1.1", "1.2", "1.3"),
        (
            AccessRule(("load",), (1, 2, 4, 8, 16), 16, "one word per step", _GUIDE_4, request=4),
            AccessRule(("store",), (1, 2, 4, 8, 16), 16, "words to lanes", _NEIGHBORS, request=4),
            AccessRule(("atom", "atom_inc", "atom_cas"), (4,), 16, "lanes per word", _LOOP),
        ),
        banks=16,
        row_bytes=64,
    ),
    Architecture(
        "2.x",
        ("2.0", "2.1"),
        (
            AccessRule(("load", "store"), (1, 2, 4), 32, "words", _GUIDE_4),
            AccessRule(("load", "store"), (8,), 16, "words", _GUIDE_4),
            AccessRule(("load", "store"), (16,), 8, "words, or one more", _GUIDE_4),
            *_LOCKS,
        ),
    ),
    Architecture("3.x", ("3.0", "3.2", "3.5", "3.7"), _KEPLER, row_bytes=256),
    Architecture(
        "3.x-8byte",
        ("3.0-8byte", "3.2-8byte", "3.5-8byte", "3.7-8byte"),
        _KEPLER,
        bank_bytes=8,
        row_bytes=256,
    ),
    Architecture(
        "5.x–6.x",
        ("5.x", "5.0", "5.2", "5.3", "6.x", "6.0", "6.1", "6.2"),
        _since_5(
            narrow=_GUIDE_12, loads=_NEIGHBORS, others=_NEIGHBORS, loads_merge=None, matrices=()
        ),
    ),
    Architecture(
        "7.0",
        ("7.0", "7.2"),
        _since_5(narrow=_GUIDE_12, loads=_FORUM, others=_NEIGHBORS, matrices=()),
    ),
    Architecture(
        "7.5",
        ("7.5",),
        _since_5(narrow=_GUIDE_12, loads=_FORUM, others=_NEIGHBORS, matrices=("ldmatrix",)),
    ),
    Architecture(
        "8.0",
        ("8.0",),
        _since_5(narrow=_GUIDE_12, loads=_OTHERS, others=_NEIGHBORS, matrices=("ldmatrix",)),
    ),
    Architecture(
        "8.6–8.9",
        ("8.6", "8.7", "8.8", "8.9"),
        _since_5(narrow=_GUIDE_12, loads=_NEIGHBORS, others=_NEIGHBORS, matrices=("ldmatrix",)),
    ),
    Architecture(
        "9.0", ("9.0",), _since_5(narrow=_H200, loads=_H200, others=_H200, others_merge=False)
    ),
    Architecture("10.x–11.0", ("10.x", "10.0", "10.1", "10.3", "11.0"), _LIKE_9),
    Architecture("12.x", ("12.x", "12.0", "12.1"), _LIKE_9),
)
"""3.x has two bank modes; that of 4 bytes is the default (cudaSharedMemBankSizeDefault)."""


@cache
def architecture(name: str) -> Architecture:
    """Look up a row by name (`3.x-8byte`) or compute capability (`8.9`, also written `sm_89`).

    Raises:
        InvalidAccess: there is no such row.
    """
    bare = name.removeprefix("sm_").replace("–", "-")
    if bare.isascii() and bare.isdigit() and len(bare) > 1:
        bare = f"{bare[:-1]}.{bare[-1]}"
    for row in ARCHITECTURES:
        if bare == row.name.replace("–", "-") or bare in row.devices:
            return row
    names = tuple(row.name for row in ARCHITECTURES)
    raise InvalidAccess(fact("bank.unknown-architecture", name=name, names=names))
