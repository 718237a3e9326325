"""What a question is: the typed form of one YAML mapping in `content/`.

These definitions are the only ones: validation, the JSON Schema (`quiz schema`) and the compiled
deck all derive from them. They know no YAML, no file and no screen.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Annotated, Literal

from msgspec import Meta, Struct, ValidationError, convert

from quizapp.domain.exercise import (
    Amount,
    Ask,
    Cases,
    LayoutAccess,
    Line,
    Name,
    TileShape,
    WarpAccess,
    Whole,
)
from quizapp.domain.kernel import (
    COSTS,
    FAULTS,
    Confirm,
    CountGate,
    Excuse,
    Figure,
    Identifier,
    KernelArgument,
    KernelLaunch,
    OfferedInput,
    Shape,
    Size,
    TypedInput,
)

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
CodeLanguage = Literal["python", "cuda"]
"""Of kernels: Python for Numba, or CUDA C++."""
CODE_LANGUAGES: tuple[CodeLanguage, ...] = ("python", "cuda")
Dialect = CodeLanguage | Literal["triton"]
"""What Python is for may differ: for Numba, or for Triton in questions of its own."""

Slug = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$",
        max_length=60,
        description="lower-case words joined by hyphens",
    ),
]
QuestionId = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)?$",
        description="`id` within the same pack, or `pack/id`",
    ),
]
Share = Annotated[
    str, Meta(pattern=r"^[0-9]+(\.[0-9]+)? ?%$", description='a number, or a share such as "2%"')
]


class Translated(Struct, frozen=True, forbid_unknown_fields=True):
    """Prose in English and, where translated, in Chinese. Markdown."""

    en: Line
    zh: Line | None = None


Prose = Line | Translated
"""Markdown: a string, or a map `{en: …, zh: …}`."""


def prose(value: Prose, language: Language) -> str:
    """Return the text in `language`; English where there is no translation."""
    if isinstance(value, str):
        return value
    return value.zh if language == "zh" and value.zh is not None else value.en


_COUNTS = {"two": 2, "three": 3, "four": 4, "两": 2, "三": 3, "四": 4}
_WHICH = re.compile("(?:[Ww]hich |哪)(" + "|".join(_COUNTS) + ")")
_DEFINES = re.compile(r"^[\s\d]*def ", re.MULTILINE)
"""Begins a function in Python; lines may have their numbers before them."""


def is_slug(text: str) -> bool:
    """Return True if it can name a pack, or questions made from a program."""
    try:
        convert(text, Slug)
    except ValidationError:
        return False
    return True


def code_language(source: str) -> CodeLanguage:
    """Return the language of code: what defines a function by `def` is Python, all else is C."""
    return "python" if _DEFINES.search(source) else "cuda"


def code_block(source: str) -> str:
    """Write code as Markdown, in its language."""
    return f"```{code_language(source)}\n{source.rstrip().lstrip(chr(10))}\n```"


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """One option of a `choice` question. A wrong one says why it is wrong."""

    text: Prose
    correct: bool = False
    why: Prose | None = None


class RubricPoint(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing a good interview answer mentions; `weight` is relative to the other points."""

    point: Prose
    weight: Annotated[int, Meta(ge=1, le=10)] = 1


class Reveal(Struct, frozen=True, forbid_unknown_fields=True):
    """A later question whose answer a text prints all the same, and why that gives nothing away."""

    question: QuestionId
    reason: Line


class FollowUp(Struct, frozen=True, forbid_unknown_fields=True):
    """What an interviewer may ask next, and what to answer."""

    prompt: Prose
    answer: Prose | None = None


class Question(Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True):
    """What every kind of question has.

    `id` never changes, since progress hangs on it; the canonical id is `pack/id`. `concept` is
    shared by siblings that ask the same thing differently. `rev` is raised when a change of
    meaning should ask the learner again; `was` lists former ids. `claims` names rows of the
    checked claims (`docs/claims.md`); `basis` says whether counts are of the code as written or
    as compiled. `may_reveal` excuses an answer that it prints, though that question comes later.
    """

    id: Slug
    topic: Slug
    concept: Slug
    difficulty: Annotated[int, Meta(ge=1, le=5)]
    prompt: Prose
    explanation: Prose
    sources: Annotated[tuple[Line, ...], Meta(min_length=1)]
    hints: tuple[Prose, ...] = ()
    tags: tuple[Slug, ...] = ()
    claims: tuple[Annotated[int, Meta(ge=1)], ...] = ()
    follow_ups: tuple[FollowUp | QuestionId, ...] = ()
    requires: tuple[QuestionId, ...] = ()
    basis: Literal["as-written", "as-compiled"] | None = None
    rev: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    was: tuple[QuestionId, ...] = ()
    may_reveal: tuple[Reveal, ...] = ()


class Recall(Question, frozen=True, kw_only=True, tag="recall"):
    """An interview answer: said or written, then compared with `answer`, point by point."""

    answer: Prose
    rubric: Annotated[tuple[RubricPoint, ...], Meta(min_length=2, max_length=9)]


class Choice(Question, frozen=True, kw_only=True, tag="choice"):
    """One or several right options. `several` tells the person that more than one may be right."""

    options: Annotated[tuple[Option, ...], Meta(min_length=2, max_length=9)]
    several: bool = False
    shuffle: bool = True

    @property
    def stated_count(self) -> int:
        """How many options the prompt asks for, as in "Which three …?"; 0 if it does not say."""
        right = sum(option.correct for option in self.options)
        stated = (_WHICH.findall(prose(self.prompt, language)) for language in LANGUAGES)
        counts = {_COUNTS[word] for word in chain.from_iterable(stated)}
        return right if self.several and right in counts else 0


class InputChoice(Choice, frozen=True, kw_only=True):
    """Which inputs find the most of a kernel's known mistakes: made of a stage of an interview.

    `kernel`: in the language that its mistakes are run in. Its options are `offered`, of which
    `pick` are to be chosen; which are right is known once all have been run. A person may add to
    them.
    """

    kernel: Kernel
    offered: tuple[OfferedInput, ...]
    pick: int

    @property
    def stated_count(self) -> int:
        """How many are to be chosen."""
        return self.pick

    @property
    def typed(self) -> tuple[str, ...]:
        """The inputs that the person typed, as they did."""
        return tuple(each.text for each in self.offered if isinstance(each, TypedInput))

    @property
    def mistakes(self) -> tuple[WrongKernel, ...]:
        """Those that an input can find: what only costs too much is right on all of them."""
        every = (each for each in self.kernel.wrong if each.source)
        return tuple(each for each in every if not each.fails.startswith("counts"))


class AskedFact(Struct, frozen=True, forbid_unknown_fields=True):
    """A fact that is told when it is asked for.

    `asked`: the question, `told`: the answer. `matters`: what follows depends on it. `why`: what
    depends on it, or why nothing does.
    """

    asked: Prose
    told: Prose
    why: Prose
    matters: bool = False


class FactChoice(Choice, frozen=True, kw_only=True):
    """What one asks before one begins: made of a stage of an interview.

    Its options are `facts`, each told as soon as it is picked.
    """

    facts: tuple[AskedFact, ...]

    @property
    def stated_count(self) -> int:
        """No number: fewer may do."""
        return 0


class Number(Question, frozen=True, kw_only=True, tag="number"):
    """A number with a unit.

    Either `answer` or `compute` (an expression over grader calls, see `grader.compute`) gives the
    expected value; `tolerance` (absolute, or relative as `"2%"`) widens it. `range` accepts all
    values between two bounds instead. `units` lists further units and what one of each is worth in
    `unit`.
    """

    answer: float | None = None
    compute: Line | None = None
    tolerance: Annotated[float, Meta(ge=0)] | Share = 0.0
    range: tuple[float, float] | None = None
    unit: Line | None = None
    units: dict[str, Annotated[float, Meta(gt=0)]] = {}


class Trace(Question, frozen=True, kw_only=True, tag="trace"):
    """What an access shown in code costs, with parameters drawn anew at each review.

    `draw` holds what may be drawn: a list of values for each name, any of them with any other, or
    a list of whole cases. `let` names further numbers computed from the drawn ones, in order.
    Prose, and the C of the access, may use both: prose as `{{pitch % 32}}`. `compiled` is the
    access that the compiler makes of it, where that differs; `lane` is the one `ask: bank` means.
    """

    ask: Ask
    draw: Cases
    access: WarpAccess
    let: dict[Name, Amount] = {}
    compiled: WarpAccess | None = None
    lane: Amount | None = None


class WrongSolution(Struct, frozen=True, forbid_unknown_fields=True):
    """A mistake that people make: the gate it fails at (`wavefronts: column load`), and why."""

    source: Line
    fails: Line
    why: Prose


class Index(Question, frozen=True, kw_only=True, tag="index"):
    """An index or swizzle function to be written: where each element of `tile` goes.

    Graded by `grader.layouts`. `starter` stands in the editor at first and fails at a gate;
    `solution` passes; each of `wrong` fails where it says. `equals`, in C++ or Python like a
    submission, is given where one placement alone is right: that of a hardware swizzle, say.
    """

    tile: TileShape
    accesses: Annotated[tuple[LayoutAccess, ...], Meta(min_length=1, max_length=8)]
    starter: Line
    solution: Line
    wrong: Annotated[tuple[WrongSolution, ...], Meta(min_length=1, max_length=9)]
    constants: dict[Name, Whole] = {}
    arch: Line = "9.0"
    equals: Line | None = None


class CudaMistake(Struct, frozen=True, forbid_unknown_fields=True):
    """What is different about a mistake in CUDA C++; it stands in `wrong/<file>.cu`."""

    fails: Line | None = None
    why: Prose | None = None
    source: Line | None = None


class WrongKernel(Struct, frozen=True, forbid_unknown_fields=True):
    """A mistake that people make: the gate it fails at (`findings: race`), and why.

    The kernel stands beside the question in `wrong/<file>.py`, `wrong/<file>.cu`, or both.
    `one_language`: why it is in one of them alone though the question is in both languages.
    """

    file: Slug
    fails: Line
    why: Prose
    source: Line | None = None
    cuda: CudaMistake | None = None
    one_language: Line | None = None


class GpuPart(Struct, frozen=True, forbid_unknown_fields=True):
    """What a GPU adds: the shape that is timed, and how much faster than the `baseline` it must be.

    `baseline` is a kernel of the same signature (`baseline.py` beside the question), and `against`
    says what it does. `speedup` is by device name, as the driver has it: `NVIDIA H200`. `flops`:
    floating-point operations of one run, over the names of the shape, where arithmetic tells more
    than bytes. `terms` and `launch` are the question's.
    """

    shape: Shape
    against: Prose | None = None
    speedup: dict[Line, Annotated[float, Meta(gt=0)]] = {}
    baseline: Line | None = None
    flops: Figure | None = None


class CudaKernel(Struct, frozen=True, forbid_unknown_fields=True):
    """A kernel question in CUDA C++: `starter.cu`, `solution.cu`, `baseline.cu`, and what differs.

    The kernel takes the arguments in their order, arrays as pointers, then the sizes of the first
    shape as `int`; `parameters` lists them by name where that is not so. `counts` replaces limits
    on the same counters; `hints` those of the question; `speedup` is against its own baseline.
    """

    starter: Line | None = None
    solution: Line | None = None
    baseline: Line | None = None
    hints: tuple[Prose, ...] = ()
    parameters: tuple[Identifier, ...] = ()
    counts: Annotated[tuple[CountGate, ...], Meta(max_length=8)] = ()
    speedup: dict[Line, Annotated[float, Meta(gt=0)]] = {}


class TritonKernel(Struct, frozen=True, forbid_unknown_fields=True):
    """Says that the question's Python is for Triton, and what its kernel takes.

    It takes the arguments in their order, arrays as pointers, then the sizes of the first shape;
    `parameters` lists them by name where that is not so. Then come `constants`, as `tl.constexpr`.
    """

    parameters: tuple[Identifier, ...] = ()
    constants: dict[Identifier, Size] = {}


class KernelTwin(Struct, frozen=True, forbid_unknown_fields=True):
    """The solution in the other language, and what a GPU compares it with, if there is that."""

    language: CodeLanguage
    solution: Line
    baseline: Line | None = None


class CudaSpot(Struct, frozen=True, forbid_unknown_fields=True):
    """A spot question in CUDA C++: its code, the lines it comes from, and what is said of it.

    The kernel takes the question's arguments, arrays as pointers. Where it takes sizes too, as
    `int`, `parameters` lists all that it takes, by name and in order.
    """

    code: Line
    cause: Annotated[tuple[Line, ...], Meta(max_length=4)] = ()
    parameters: tuple[Identifier, ...] = ()
    prompt: Prose | None = None
    hints: tuple[Prose, ...] = ()
    explanation: Prose | None = None


class Kernel(Question, frozen=True, kw_only=True, tag="kernel"):
    """A kernel to be written, in a folder with `question.yaml` and code: Numba, CUDA C++, Triton.

    `starter.py` stands in the editor at first and fails, `solution.py` passes, each of `wrong`
    fails where it says; `reference.py` defines `reference(…)`, which takes the inputs by name,
    floats as float64, and returns the outputs. It is tried at every shape; the first is counted.
    `terms`: of the longest sum of floats, which gives the tolerance; 0 asks for equal values.
    `confirm`: least and largest size, by name, of the run that confirms a pass, or of several.
    `bounded`: the largest size that the prompt allows. `deterministic`: every order of the blocks
    must give the same bits. `excused`: mutants of the solution that may pass. `cuda` is the same in
    CUDA C++, and with `triton` its Python is for Triton. `language` and `twin` are set when it is
    put: see `quizapp.domain.languages`.
    """

    kernel: Identifier
    arguments: Annotated[tuple[KernelArgument, ...], Meta(min_length=1, max_length=12)]
    shapes: Annotated[tuple[Shape, ...], Meta(min_length=1, max_length=8)]
    launch: KernelLaunch
    counts: Annotated[tuple[CountGate, ...], Meta(max_length=8)] = ()
    terms: Amount = 0
    confirm: Confirm | Annotated[tuple[Confirm, ...], Meta(min_length=1, max_length=4)] = {}
    bounded: Shape = {}
    deterministic: bool = False
    excused: Annotated[tuple[Excuse, ...], Meta(max_length=24)] = ()
    wrong: Annotated[tuple[WrongKernel, ...], Meta(min_length=1, max_length=9)]
    gpu: GpuPart | None = None
    starter: Line | None = None
    solution: Line | None = None
    reference: Line | None = None
    cuda: CudaKernel | None = None
    triton: TritonKernel | None = None
    language: CodeLanguage = "python"
    twin: KernelTwin | None = None


class Spot(Question, frozen=True, kw_only=True, tag="spot"):
    """A kernel with a bug: the person gives its line and its kind, as the emulator reports them.

    Either end of a race is right. `cause` quotes the code of lines that the bug comes from, where
    it shows in another line; naming these is right, too. `asks: cost` wants the line that costs
    most instead.
    `draw` holds what may vary between reviews, numbers and names, as of a `trace`; `code`, prose,
    and sizes may use them. `cuda` is the same in CUDA C++, or all the code there is if `code` is
    omitted, and `language` what it is put in.
    """

    code: str = ""
    asks: Literal["fault", "cost"] = "fault"
    cause: Annotated[tuple[Line, ...], Meta(max_length=4)] = ()
    arguments: Annotated[tuple[KernelArgument, ...], Meta(min_length=1, max_length=12)]
    launch: KernelLaunch
    shape: Shape = {}
    draw: Cases = {}
    let: dict[Name, Amount] = {}
    cuda: CudaSpot | None = None
    language: CodeLanguage = "python"

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that are offered, in order."""
        return COSTS if self.asks == "cost" else FAULTS

    @property
    def parameters(self) -> tuple[str, ...]:
        """What the kernel takes, in order: names of arguments, and of sizes in CUDA C++."""
        own = self.cuda.parameters if self.cuda is not None and self.language == "cuda" else ()
        return own or tuple(argument.name for argument in self.arguments)


SET_WHEN_PUT = ("language", "twin")
"""Fields that no author writes."""

AnyQuestion = Recall | Choice | Number | Trace | Index | Kernel | Spot
"""A question as it stands in the deck."""

PutQuestion = Recall | Choice | Number | Index | Kernel | Spot
"""A question as it is put to a person: a `Trace` has become a `Number` once drawn."""

KINDS: dict[
    str,
    type[Recall]
    | type[Choice]
    | type[Number]
    | type[Trace]
    | type[Index]
    | type[Kernel]
    | type[Spot],
] = {
    "recall": Recall,
    "choice": Choice,
    "number": Number,
    "trace": Trace,
    "index": Index,
    "kernel": Kernel,
    "spot": Spot,
}
