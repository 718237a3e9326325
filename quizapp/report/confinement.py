"""What confines a pack's Python on this machine, in sentences. Tries nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from grader.facts import Fact, fact
from quizapp.study.health import ABILITIES

if TYPE_CHECKING:
    from grader.confine import Confinement
    from quizapp.report.words import Words


def sentences(confinement: Confinement, say: Words) -> Iterator[str]:
    """Say what the Python cannot do here, what nothing prevents, and which layers are missing."""
    unguarded = confinement.open_guards
    held = [ability for guard, ability in ABILITIES.items() if guard not in unguarded]
    if held:
        yield say("confinement.held", abilities=_join(held))
    if unguarded:
        yield say("confinement.loose", abilities=_join([ABILITIES[guard] for guard in unguarded]))
    for layer, reason in confinement.missing:
        yield say("confinement.lacking", layer=layer, reason=reason)


def _join(abilities: Sequence[Fact]) -> Fact | tuple[Fact, ...]:
    """Join abilities as parts of a sentence: a, b or c."""
    *most, last = abilities
    return fact("confinement.or", first=tuple(most), last=last) if most else last
