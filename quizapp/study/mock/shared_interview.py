"""An interview as a file for another person, who then gets the same stages in the same variants.

What comes in such a file passes the gate that events of an import pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from grader.facts import fact
from quizapp.domain.errors import UsageError
from quizapp.domain.log.event_bounds import find_implausible
from quizapp.domain.log.events import MockBegun
from quizapp.domain.log.interview import InterviewRecord
from quizapp.study.mock.interview import Themes
from quizapp.study.mock.interview_report import ToldState, worth_of_probes

_Worth = Annotated[float, Meta(ge=-1, le=1)]
_FORMAT = 1
_MOST_BYTES = 1 << 20


class OtherStage(Struct, frozen=True):
    """How a stage went for the other person; `score` is None while their interview goes on."""

    theme: str
    stage: str
    state: ToldState
    kind: str | None
    score: Annotated[float, Meta(ge=0, le=1)] | None
    elapsed_ms: Annotated[int, Meta(ge=0)]
    credit: _Worth | None = None
    counted: tuple[tuple[_Worth, Annotated[float, Meta(ge=0, lt=1)]], ...] = ()

    @property
    def worth(self) -> float | None:
        """What it counts, -1 to 1; None while that is not told."""
        return self.score if self.credit is None else self.credit

    @property
    def probes_worth(self) -> float | None:
        """What the questions about its kernel count together; None if there were none."""
        return worth_of_probes(self.counted[self.kind != "recall" :])


class OtherReport(Struct, frozen=True):
    """What the other person's interview came to, as far as it is shown."""

    score: Annotated[float, Meta(ge=0, le=1)] | None
    stages: tuple[OtherStage, ...]


class SharedInterview(Struct, frozen=True):
    """The file: how the interview began, and its report as `quiz mock --json` prints it."""

    format: Literal[1]
    begun: MockBegun
    interview: OtherReport


def encode(record: InterviewRecord, report: Mapping[str, Any]) -> bytes:
    """Write an interview as a file; `report` as `quiz mock --json` prints it."""
    begun = msgspec.structs.replace(record.begun, seed=record.seed)
    shared = {"format": _FORMAT, "begun": begun, "interview": report}
    return msgspec.json.format(msgspec.json.encode(shared), indent=2) + b"\n"


def read(path: Path) -> SharedInterview:
    """Read such a file.

    Raises:
        UsageError: it is no such file, or holds what cannot be.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(_MOST_BYTES)
    try:
        shared = msgspec.json.decode(content, type=SharedInterview)
    except msgspec.DecodeError as error:
        what = fact("mock.not-shared", path=str(path), reason=str(error))
        raise UsageError(what) from error
    wrong = find_implausible(shared.begun)
    if wrong is not None:
        raise UsageError(fact("mock.not-shared", path=str(path), reason=wrong.field))
    return shared


def find_same(
    shared: SharedInterview, records: Sequence[InterviewRecord]
) -> InterviewRecord | None:
    """Return the latest interview with the other person's stages and variants; None without one."""
    wanted = shared.begun.stages, shared.begun.seed
    same = (each for each in reversed(records) if (each.begun.stages, each.seed) == wanted)
    return next((each for each in same if each.answers), None)


def check_known(shared: SharedInterview, themes: Themes) -> None:
    """Check that this deck has every stage of it. Raises UsageError: it lacks one."""
    known = {stage.id for theme in themes.values() for stage in theme.stages}
    missing = next((stage for stage in shared.begun.stages if stage not in known), None)
    if missing is not None:
        raise UsageError(fact("mock.stage-gone", stage=missing))
