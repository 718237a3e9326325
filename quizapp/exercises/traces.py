"""A `trace` question with its parameters drawn: a number to answer, and the access it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grader.banks import SHARED_BYTES, Access, AccessCost, InvalidAccess, architecture, cost
from grader.facts import fact
from grader.layouts import Block, BlockAccess, InvalidExercise, LayoutError, block_access
from quizapp.domain.exercise import Case, WarpAccess
from quizapp.domain.question import Number, Question, Trace
from quizapp.exercises.drawing import compute_values, draw_case, every_case
from quizapp.exercises.faults import BadExercise, FieldPath
from quizapp.exercises.formulas import Values, amount, fill, fill_follow_up, fill_prose

UNITS = {
    "wavefronts": "wavefronts",
    "ideal": "wavefronts",
    "conflicts": "conflicts",
    "ways": "ways",
    "bank": "bank",
}
"""What an answer is counted in, by what is asked."""

FACTS = ("wavefronts", "conflicts", "groups", "ideal", "ways")
"""What an explanation knows of the access, beside `answer` and `compiled`."""

_RESERVED = frozenset({*FACTS, "answer", "compiled", "lane"})
_SIZES = 3


@dataclass(frozen=True, eq=False)
class TracedAccess:
    """A warp instruction with what it costs."""

    access: Access
    cost: AccessCost
    arch: str


@dataclass(frozen=True, eq=False)
class DrawnTrace:
    """A `trace` question as it is asked.

    Attributes:
        question: with everything filled in, as a `number`.
        parameters: what was drawn.
        traced: the access as written, `compiled` as the compiler makes it, where that differs.
    """

    question: Number
    parameters: Mapping[str, int | str]
    traced: TracedAccess
    compiled: TracedAccess | None


def draw_trace(trace: Trace, name: str, review: int) -> DrawnTrace:
    """Draw the question of a review: other parameters each time, until all were drawn.

    `name`: its canonical id, which decides the order. `review`: how often it was answered before.

    Raises BadExercise: its access cannot be computed.
    """
    return build_trace(trace, draw_case(cases(trace), name, review))


def cases(trace: Trace) -> list[Case]:
    """List all that may be drawn. Raises BadExercise: there are more than can be looked at."""
    return every_case(trace.draw)


def build_trace(trace: Trace, case: Case) -> DrawnTrace:
    """Build the question with these parameters.

    Raises BadExercise: something of it cannot be computed.
    """
    values = compute_values(case, trace.let, _RESERVED)
    traced = _find_access(trace.access, values, ("access",))
    compiled = (
        None if trace.compiled is None else _find_access(trace.compiled, values, ("compiled",))
    )
    answer = _answer(trace, traced, values, ("access",))
    facts = {name: int(getattr(traced.cost, name)) for name in FACTS if _exact(traced)}
    facts |= {"answer": answer}
    if compiled is not None:
        facts |= {"compiled": _answer(trace, compiled, values, ("compiled",))}
    known = values.with_numbers(facts)
    follow_ups = enumerate(trace.follow_ups)
    shared = {name: getattr(trace, name) for name in Question.__struct_fields__}
    shared |= {
        "prompt": fill_prose(trace.prompt, values, ("prompt",)),
        "explanation": fill_prose(trace.explanation, known, ("explanation",)),
        "hints": tuple(fill_prose(h, values, ("hints", i)) for i, h in enumerate(trace.hints)),
        "follow_ups": tuple(fill_follow_up(f, values, ("follow_ups", i)) for i, f in follow_ups),
    }
    question = Number(**shared, answer=answer, unit=UNITS[trace.ask])
    return DrawnTrace(question, case, traced, compiled)


def _find_access(given: WarpAccess, values: Values, path: FieldPath) -> TracedAccess:
    """Evaluate the access of the warp that is meant."""
    sizes = [amount(size, values, (*path, "block", i)) for i, size in enumerate(given.block)]
    element = amount(given.element, values, (*path, "element"))
    width = element if given.width is None else amount(given.width, values, (*path, "width"))
    pitch = None if given.pitch is None else amount(given.pitch, values, (*path, "pitch"))
    warp = amount(given.warp, values, (*path, "warp"))
    arch = fill(given.arch, values, (*path, "arch"))
    index = fill(given.index, values, (*path, "index"))
    where = None if given.where is None else fill(given.where, values, (*path, "where"))
    if element == 0:
        raise BadExercise((*path, "element"), fact("trace.no-element-size"))

    def evaluate_access(part: str, source: str, taking_part: str) -> BlockAccess:
        try:
            return block_access(
                index, Block(*sizes, *[1] * (_SIZES - len(sizes))), element_bytes=element,
                pitch=pitch, where=taking_part, constants=values.numbers,
            )  # fmt: skip
        except InvalidExercise as error:
            what = fact("trace.bad-block", reason=error.what)
            raise BadExercise((*path, "block"), what) from None
        except LayoutError as error:
            what = fact(
                "trace.bad-expression",
                formula=source,
                line=error.line,
                column=error.column,
                reason=error.what,
            )
            raise BadExercise((*path, part), what) from None

    found = evaluate_access("index", index, "1")
    if where is not None:
        found = evaluate_access("where", where, where)
    if warp >= len(found.addresses):
        what = fact("trace.no-warp", warp=warp, last=len(found.addresses) - 1)
        raise BadExercise((*path, "warp"), what)
    access = Access(given.op, width, found.addresses[warp], found.active[warp])
    if (access.addresses[access.active] >= SHARED_BYTES).any():
        raise BadExercise(path, fact("trace.beyond-shared-memory", formula=index))
    try:
        return TracedAccess(access, cost(access, arch), arch)
    except InvalidAccess as error:
        what = fact("trace.impossible-access", formula=index, reason=error.what)
        raise BadExercise(path, what) from None


def _exact(traced: TracedAccess) -> bool:
    """Return True if its cost is known exactly, not only by bounds."""
    return traced.cost.wavefronts_at_most == traced.cost.wavefronts


def _answer(trace: Trace, traced: TracedAccess, values: Values, path: FieldPath) -> int:
    """Return what is asked of the access. Raises BadExercise: it has no exact answer."""
    if trace.ask == "bank":
        lane = amount(0 if trace.lane is None else trace.lane, values, ("lane",))
        if lane >= len(traced.access.addresses):
            raise BadExercise(("lane",), fact("trace.no-lane", lane=lane))
        if not traced.access.active[lane]:
            raise BadExercise(("lane",), fact("trace.inactive-lane", lane=lane))
        row = architecture(traced.arch)
        return int(traced.access.addresses[lane]) // row.bank_bytes % row.banks
    if not _exact(traced):
        raise BadExercise(path, fact("trace.only-bounds"))
    return int(getattr(traced.cost, trace.ask))
