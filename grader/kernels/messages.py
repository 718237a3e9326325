"""Messages to and from the process that grades: types and sizes.

That process runs a question's `reference`, whose author may make it send anything; `plausible` says
what must fit together.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.kernels.outcome import KernelGrade
from grader.kernels.problem import InvalidProblem, Problem
from grader.kernels.recording import Snapshot
from grader.kernels.reference import ReferenceFailed
from grader.probes import KernelProbes
from grader.simt import Moment
from grader.wire import Count, Reply, Request, Text

_MOST_STEPS = 20

Dtype = Literal[
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64",
]  # fmt: skip
_DTYPES: tuple[Dtype, ...] = get_args(Dtype)


class ExpectRequest(Request, frozen=True, kw_only=True, tag="expect"):
    """Work out what is right for all shapes, so that grading is quick; `ProblemReply`."""

    problem: Problem


class OutputsRequest(Request, frozen=True, kw_only=True, tag="outputs"):
    """Send the right outputs of the first shape; `OutputsReply`."""

    problem: Problem


class GradeRequest(Request, frozen=True, kw_only=True, tag="grade"):
    """Grade a submission; `GradeReply`. `advise`: also try changes that may help it to pass."""

    problem: Problem
    source: str
    advise: bool = False


class FailureRequest(Request, frozen=True, kw_only=True, tag="failure"):
    """Find a gate that a submission fails; `FailureReply`."""

    problem: Problem
    source: str


class ObserveRequest(Request, frozen=True, kw_only=True, tag="observe"):
    """Run a submission at the first shape; `GradeReply`."""

    problem: Problem
    source: str


class RecordRequest(Request, frozen=True, kw_only=True, tag="record"):
    """Look at one thread of a submission in one line, at one of the shapes; `RecordReply`."""

    problem: Problem
    source: str
    moment: Moment
    run: int


class ProbeRequest(Request, frozen=True, kw_only=True, tag="probe-kernel"):
    """Make questions from a submission; `ProbeReply`."""

    problem: Problem
    source: str


AnyRequest = (
    ProbeRequest
    | ExpectRequest
    | OutputsRequest
    | GradeRequest
    | FailureRequest
    | ObserveRequest
    | RecordRequest
)


class ProblemFault(Struct, frozen=True):
    """The fields of an `InvalidProblem`."""

    path: Annotated[tuple[Text | int, ...], Meta(max_length=_MOST_STEPS)]
    what: Fact


class ReferenceFault(Struct, frozen=True):
    """The fields of a `ReferenceFailed`."""

    what: Fact
    line: Count


class ProblemReply(Reply, frozen=True, kw_only=True):
    """An answer about a problem, which may be at fault itself."""

    problem: ProblemFault | None = None
    reference: ReferenceFault | None = None

    def raise_faults(self) -> None:
        """Raise what is wrong with the problem.

        Raises:
            InvalidProblem, ReferenceFailed: it is at fault.
        """
        if self.problem is not None:
            raise InvalidProblem(self.problem.path, self.problem.what)
        if self.reference is not None:
            raise ReferenceFailed(self.reference.what, self.reference.line)


class EncodedArray(Struct, frozen=True):
    """An array, byte for byte."""

    dtype: Dtype
    shape: tuple[Count, ...]
    data: bytes


class OutputsReply(ProblemReply, frozen=True, kw_only=True):
    """The outputs."""

    outputs: tuple[EncodedArray, ...] = ()


class GradeReply(ProblemReply, frozen=True, kw_only=True):
    """The verdict; its source is left out, since the client has it."""

    graded: KernelGrade | None = None


class FailureReply(ProblemReply, frozen=True, kw_only=True):
    """The key of the gate; "" for a pass."""

    gate: Text = ""


class RecordReply(ProblemReply, frozen=True, kw_only=True):
    """What was seen; None if the submission cannot be run."""

    snapshot: Snapshot | None = None


class ProbeReply(ProblemReply, frozen=True, kw_only=True):
    """The probes without the source, which the client has; None if it cannot be run again."""

    probes: KernelProbes | None = None


def fault_reply(error: InvalidProblem | ReferenceFailed) -> ProblemReply:
    """Answer that the problem itself is at fault."""
    if isinstance(error, InvalidProblem):
        return ProblemReply(problem=ProblemFault(error.path, error.what))
    return ProblemReply(reference=ReferenceFault(error.what, error.line))


def encode_array(array: NDArray[Any]) -> EncodedArray:
    """Encode an array of the types that kernels have.

    Raises:
        ReferenceFailed: its elements are of another type.
    """
    name = next((dtype for dtype in _DTYPES if dtype == array.dtype.name), None)
    if name is None:
        raise ReferenceFailed(fact("reference.dtype", dtype=array.dtype.name))
    # In the machine's byte order: both ends run on one machine.
    return EncodedArray(name, array.shape, array.astype(name).tobytes())
