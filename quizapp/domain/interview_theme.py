"""What a theme of a mock interview is: the typed form of one YAML file in a pack's folder `mock`.

A theme has stages, asked one after the other; later ones may quote the answers to earlier ones.
Knows no YAML and no file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from quizapp.domain.exercise import Line
from quizapp.domain.kernel import OfferedInput
from quizapp.domain.question import AnyQuestion, AskedFact, Prose, QuestionId, Slug

_QUOTE = re.compile(r"\[\[(?:(answer|correct)|(wrong)):([^\[\]|]*)(?(2)\|([^\[\]]*))\]\]")
FROM_THEME = ("id", "topic", "concept", "difficulty", "sources")
"""What a question that a theme holds may omit."""
WRITTEN_KINDS = ("index", "kernel")
"""Kinds whose answer is code, which a phone screen leaves out."""

INPUTS_KIND = "choice"
"""What a stage with `inputs` is answered as."""

InterviewStyle = Literal["screen", "onsite"]
"""On the phone nothing is programmed; on site everything may be."""
INTERVIEW_STYLES: tuple[InterviewStyle, ...] = ("screen", "onsite")


Skill = Literal["problem-solving", "correctness", "performance", "communication"]
"""What kernel teams judge candidates by."""
SKILLS: tuple[Skill, ...] = ("problem-solving", "correctness", "performance", "communication")
_SKILLS: Mapping[str, Skill] = {
    "number": "performance", "trace": "performance", "index": "correctness",
    "kernel": "correctness", "spot": "correctness", "recall": "communication",
}  # fmt: skip
"""By kind, where a stage does not say; of other kinds it is problem solving."""


def skill_of(kind: str, said: Skill | None) -> Skill:
    """Return what a stage shows: as its theme says, else by the kind of its question."""
    return said or _SKILLS.get(kind, "problem-solving")


class InputsFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stage that asks which inputs one would test a kernel with.

    `question`: the kernel of the deck whose known mistakes are to be found. `pick`: how many of
    `offered` are chosen. What each of them finds is not written here: it is run.
    """

    question: QuestionId
    prompt: Prose
    explanation: Prose
    offered: Annotated[tuple[OfferedInput, ...], Meta(min_length=3, max_length=9)]
    pick: Annotated[int, Meta(ge=1, le=4)]


class FactsFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stage that holds facts which are told only when they are asked for."""

    prompt: Prose
    explanation: Prose
    facts: Annotated[tuple[AskedFact, ...], Meta(min_length=3, max_length=9)]


class StageFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One question of an interview: a `question` of the deck, or one of `ask`, `inputs`, `facts`.

    `minutes`: what an interviewer would give it. `lead`: said before the question. `study`: the
    questions of the deck to study if it goes wrong. `ask` is a question of any kind but `kernel`;
    what it omits of `id`, `topic`, `concept`, `difficulty`, and `sources` is the theme's.
    `if_wrong`, `if_right`: the earlier stage that has to go so for this one to be asked. `skill`:
    what it shows of a candidate; by the kind of its question if it does not say.
    """

    name: Slug
    minutes: Annotated[float, Meta(gt=0, le=30)]
    lead: Prose | None = None
    question: QuestionId | None = None
    ask: dict[str, Any] | None = None
    inputs: InputsFields | None = None
    facts: FactsFields | None = None
    study: tuple[QuestionId, ...] = ()
    if_wrong: Slug | None = None
    if_right: Slug | None = None
    skill: Skill | None = None


class ThemeFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A theme of mock interviews, as its file holds it.

    Stages may quote earlier ones, in every text: `[[answer:NAME]]` is what the person answered
    there, or what is right if there is no answer; `[[correct:NAME]]` is what is right.
    `[[wrong:NAME|TEXT]]` is the text if the answer was wrong, with what was answered in place of
    `{answer}`; else it is nothing.
    """

    id: Slug
    title: Prose
    about: Prose
    topic: Slug
    difficulty: Annotated[int, Meta(ge=1, le=5)]
    sources: Annotated[tuple[Line, ...], Meta(min_length=1)]
    opening: Prose
    stages: Annotated[tuple[StageFields, ...], Meta(min_length=3, max_length=12)]


@dataclass(frozen=True, slots=True)
class ThemeStage:
    """A stage whose names are resolved.

    `id`: `pack/theme/stage`. `question`: the canonical id of a question of the deck, and `ask` is
    None; or "", and `ask` is what is asked. With `inputs`, it is the kernel that these are for.
    `content_hash` is of `ask` or `inputs`. `if_wrong`, `if_right`: the
    id of the stage on which it depends.
    """

    id: str
    minutes: float
    lead: Prose
    question: str
    ask: AnyQuestion | None
    content_hash: str
    study: tuple[str, ...]
    line: int
    if_wrong: str | None = None
    if_right: str | None = None
    skill: Skill | None = None
    inputs: InputsFields | None = None

    @property
    def name(self) -> str:
        """Its name within the theme."""
        return self.id.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class InterviewTheme:
    """A theme whose names are resolved; `id` is `pack/theme`."""

    id: str
    title: Prose
    about: Prose
    opening: Prose
    topic: str
    difficulty: int
    stages: tuple[ThemeStage, ...]
    file: str

    @property
    def pack(self) -> str:
        """The id of its pack."""
        return self.id.partition("/")[0]

    @property
    def minutes(self) -> float:
        """The time that its stages take at most."""
        return minutes_of(self.stages)


def minutes_of(stages: Sequence[ThemeStage]) -> float:
    """Sum the time of stages; of those that depend on an answer, what the longer way takes."""
    wrong = sum(stage.minutes for stage in stages if stage.if_wrong)
    right = sum(stage.minutes for stage in stages if stage.if_right)
    return sum(stage.minutes for stage in stages) - min(wrong, right)


def asked_stages(
    theme: InterviewTheme, style: InterviewStyle, kind_of: Callable[[ThemeStage], str | None]
) -> tuple[ThemeStage, ...]:
    """Return the stages of a theme that an interview of this style asks.

    `kind_of`: the kind of a stage's question; None for one that cannot be asked.
    """
    left_out = WRITTEN_KINDS if style == "screen" else ()
    kinds = ((stage, kind_of(stage)) for stage in theme.stages)
    return tuple(stage for stage, kind in kinds if kind is not None and kind not in left_out)


def choose_themes(
    themes: Sequence[tuple[str, float]], taken: Sequence[str], minutes: float
) -> tuple[str, ...]:
    """Choose what fills an interview: what was asked longest ago or never, while it fits.

    `themes`: each theme's id and the minutes that its stages take; the order decides among equals.
    `taken`: the themes of earlier interviews, the latest last; repeats count by the latest. The
    first theme is chosen whether or not it fits.
    """
    last = {name: position for position, name in enumerate(taken)}
    chosen: list[str] = []
    left = minutes
    for name, needed in sorted(themes, key=lambda theme: last.get(theme[0], -1)):
        if not chosen or needed <= left:
            chosen.append(name)
            left -= needed
    return tuple(chosen)


def quotes_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a text quotes, `answer`, `correct`, or `wrong`, each with the stage's name."""
    return ((found[1] or found[2], found[3]) for found in _QUOTE.finditer(text))


def fill_quotes(text: str, quote: Callable[[str, str], str]) -> str:
    """Replace what a text quotes.

    `quote`: gets `answer`, `correct`, or `wrong`, and the stage's name. Of `wrong` it returns the
    answer, or "" if it was not wrong.
    """

    def fill(found: re.Match[str]) -> str:
        quoted = quote(found[1] or found[2], found[3])
        if found[2]:
            return found[4].replace("{answer}", quoted) if quoted else ""
        return quoted

    return _QUOTE.sub(fill, text)
