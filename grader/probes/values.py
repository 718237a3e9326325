"""What a probe is: a question about a kernel that runs, made by changing it and running it again.

Frozen and plain, so that it crosses processes. Knows no sentence and no way to make one.
"""

from __future__ import annotations

from typing import Literal

from grader.changes import Change
from grader.facts import Fact
from grader.frozen import frozen
from grader.wire import Amount, Count, Text, Whole

Form = Literal["number", "line", "choice"]
"""How it is answered: by a number, or by one of some lines or options."""
FAULT_RULES = ("fault", "mend", "fault-kind", "fault-count")
"""Of a kernel that has faults already."""
RULES = (
    *FAULT_RULES, "predict", "guard", "guard-threads", "longer", "barrier", "barrier-free",
    "change", "planted", "costly", "cost", "requests", "pitch", "element", "resident",
    "other-block", "alias", "order", "fill", "tile", "warps",
)  # fmt: skip
"""Of a kernel that has faults already, `fault`: which line the emulator reports; `mend`: which
change removes one; `fault-kind`: what is wrong; `fault-count`: how many accesses. `predict`:
what the access that costs most comes to in the whole launch. `guard`: no condition, and a length
that is no multiple of the block: which line faults; `guard-threads`: how many accesses do.
`longer`: elements that stay unwritten where the length grows and the grid does not. `barrier`:
without one, which line races; `barrier-free`: which one can go. `change`: what a small change comes
to. `planted`: which line was changed. `costly`: which line costs most; `cost`: what one costs;
`requests`: how many it makes.
`pitch`, `element`: the same with rows of another length, with another type.
`resident`: blocks that an SM holds, and `other-block`: what a line costs with a block of another
shape. `alias`, `order`, `fill`: two arguments are one array, blocks run backward, inputs are huge.
`tile`, `warps`: a kernel in Triton, compiled with a tile of another size, or for other warps.
"""


@frozen
class LaunchChange:
    """How a launch differs from the one that the probe is about; empty parts do not.

    Attributes:
        grid, block: other sizes; a block of a kernel in Triton is its `num_warps`.
        numbers: scalar arguments and their values.
        lengths: arrays and how many elements they have: the first of them, or zeros behind them.
        dtypes: arrays and the NumPy names of their elements' type.
        same: the second of these arguments is the first one's array.
        fills: arrays and the value of all their elements.
        order: seed of the order of the blocks, as of `grader.simt.launch`; 0 for by number.
        constants: `constexpr` of a kernel in Triton, and their values.
    """

    grid: tuple[Count, ...] = ()
    block: tuple[Count, ...] = ()
    numbers: tuple[tuple[Text, Whole], ...] = ()
    lengths: tuple[tuple[Text, Count], ...] = ()
    dtypes: tuple[tuple[Text, Text], ...] = ()
    same: tuple[Text, ...] = ()
    fills: tuple[tuple[Text, float], ...] = ()
    order: Whole = 0
    constants: tuple[tuple[Text, Whole], ...] = ()


AS_IT_WAS = LaunchChange()
"""Nothing is different."""


@frozen
class KernelProbe:
    """A question about a kernel, with its answer and the run that gave it.

    Attributes:
        rule: one of `RULES`.
        line: of the kernel that it is about; 0 for the kernel as a whole.
        options: of a choice, the right one first; of `line`, empty.
        lines: of `line`, those to choose from, the right one first.
        reasons: why each of the others is wrong, in their order.
        answer: the number, where one is asked for.
        right: every line that would be right.
        launch: what is different about the launch.
        seen: what the run came to.
        shows: True if the question shows the changed source, not the person's own.
        pattern: the same for what asks the same of lines that are alike.
    """

    rule: Text
    asked: Fact
    form: Form
    line: Count = 0
    options: tuple[Fact, ...] = ()
    lines: tuple[Count, ...] = ()
    reasons: tuple[Fact, ...] = ()
    answer: Count = 0
    right: tuple[Count, ...] = ()
    changes: tuple[Change, ...] = ()
    launch: LaunchChange = AS_IT_WAS
    seen: tuple[Fact, ...] = ()
    shows: bool = False
    pattern: Text = ""

    @property
    def chance(self) -> float:
        """The share that a blind guess gets right; 0 for a number, which nothing lists."""
        offered = len(self.options) or len(self.lines)
        return 1 / offered if offered else 0.0


@frozen
class KernelProbes:
    """The probes of one launch.

    Attributes:
        source: the text of the kernel's file.
        first, last: the lines of that text that the kernel takes.
        arguments: of the launch: `a: float32[64, 64]`, `n = 64`.
        varied: arrays that were given random numbers, since all of theirs were equal.
        probes: those that may be asked, in a fixed order.
        trivial: how many were left out, since they ask for nothing.
        seconds: that the runs took.
        compiled_by: what compiled the kernel, whose instructions are counted; "" as it is written.
        refused: why there are none: the launch cannot be run again; "" if it was.
    """

    kernel: Text
    file: Text
    line: Count
    grid: tuple[Count, ...]
    block: tuple[Count, ...]
    shared_bytes: Count
    source: str
    first: Count
    last: Count
    arguments: tuple[Text, ...] = ()
    varied: tuple[Text, ...] = ()
    probes: tuple[KernelProbe, ...] = ()
    trivial: Count = 0
    seconds: Amount = 0.0
    refused: Text = ""
    compiled_by: Text = ""

    @property
    def is_faulty(self) -> bool:
        """True if the launch has faults already, which the probes ask about."""
        return any(probe.rule in FAULT_RULES for probe in self.probes)
