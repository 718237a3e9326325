"""A launch that can be run again: with changes of its kernel, and of what it was given.

Each run has copies of the arrays as they were before the launch. A device function of another file
and a variable of the source keep what they have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import filterfalse
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.changes import Change, ChangeRefused, apply_changes
from grader.gpu.occupancy import WARP
from grader.mistakes import Mistake
from grader.probes.values import AS_IT_WAS, LaunchChange
from grader.simt.checks.findings import Finding
from grader.simt.errors import DeviceRefusal, InvalidLaunch
from grader.simt.launches.launching import launch
from grader.simt.launches.reports import Launch
from grader.simt.memory.allocations import HeapPointer
from grader.simt.numba.reading.source import Function
from grader.simt.program.kernel import CompiledKernel
from grader.simt.ptx.shown import PtxFunction
from grader.simt.repairs.editing import edit_kernel, source_of
from grader.simt.repairs.relaunching import make_scene

if TYPE_CHECKING:
    from grader.triton.kernels import TritonRecipe

MOST_BYTES = 64 << 20
"""Of all arrays of a launch: each run copies them."""
MOST_OPERATIONS = 150_000_000
"""Of a launch: 0.2 s, and there are some dozens of runs."""
_MORE = 4
"""How many times the operations of the launch a changed one may take."""
_ROUNDING = 1e-3
"""Relative difference of sums in another order."""
_FAILED = (ChangeRefused, Mistake, InvalidLaunch, DeviceRefusal, MemoryError, RecursionError)
Arrays = Mapping[str, NDArray[Any]]


class CannotReplay(Exception):
    """A launch that cannot be run again; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Run(NamedTuple):
    """A launch that ran again, and its arrays after it, by name."""

    done: Launch
    arrays: Arrays


@dataclass(frozen=True, eq=False)
class Replay:
    """A launch that can be run again.

    Attributes:
        arguments: as they were before it.
        written: the arrays that a run wrote to, where the kernel itself does not say.
        compiles: whether a kernel in Triton may be compiled again.
    """

    kernel: CompiledKernel
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared_bytes: int
    arguments: tuple[Any, ...]
    budget: int = MOST_OPERATIONS
    written: frozenset[str] | None = None
    compiles: bool = True
    scene: Any = field(init=False)

    def __post_init__(self) -> None:
        """Read the source as text.

        Raises:
            CannotReplay: it cannot be read so.
        """
        scene = None if self.is_ptx else make_scene(self.kernel, self.arguments)
        if scene is None and not self.is_ptx:
            raise CannotReplay("no-source")
        object.__setattr__(self, "scene", scene)

    @property
    def text(self) -> str:
        """The text of the kernel's file."""
        return source_of(self.kernel)

    @property
    def is_cuda(self) -> bool:
        """True for CUDA C++."""
        return not isinstance(self.kernel.function, Function)

    @property
    def is_ptx(self) -> bool:
        """True for a kernel that runs as compiled."""
        return isinstance(self.kernel.function, PtxFunction)

    @property
    def compiled_by(self) -> str:
        """What compiled it from a source; "" for all others."""
        function = self.kernel.function
        fixed = isinstance(function, PtxFunction) and function.read_again is None
        return function.compiler if fixed else ""

    @property
    def is_fixed(self) -> bool:
        """True if its source cannot be changed here, since a compiler made what runs."""
        return bool(self.compiled_by) and self.recipe is None

    @property
    def recipe(self) -> TritonRecipe | None:
        """What it is compiled again with; None where its source cannot be changed here."""
        function = self.kernel.function
        if not self.compiles or not isinstance(function, PtxFunction):
            return None
        recipe: TritonRecipe | None = function.recipe
        return recipe

    @property
    def hides_shared(self) -> bool:
        """True if the source does not say what is in shared memory: Triton decides that."""
        return self.compiled_by.startswith("Triton")

    @property
    def given(self) -> dict[str, Any]:
        """The arguments by name, as they were before the launch."""
        return dict(zip(self.kernel.function.parameters, self.arguments, strict=True))

    @property
    def outputs(self) -> tuple[str, ...]:
        """The arrays that the kernel writes to."""
        stored = self.kernel.compiled.stored if self.written is None else self.written
        return tuple(n for n, v in self.given.items() if n in stored and isinstance(v, np.ndarray))

    def within(self, base: Run) -> Replay:
        """Return the launch with a budget for changes of it: some times what it takes itself."""
        return replace(self, budget=_MORE * base.done.operations + 10_000)

    def run(
        self,
        changes: Sequence[Change] = (),
        different: LaunchChange = AS_IT_WAS,
        *,
        by_model: bool = False,
    ) -> Run | None:
        """Run it again; None if it cannot be run like that.

        Args:
            changes: of the kernel's file.
            by_model: whether races are those of CUDA's memory model, to which it does not matter
                that threads store the same value, or that a race cannot be seen.
        """
        try:
            given = apply_launch(self.given, different)
            arguments = tuple(given.values())
            kernel, shared_bytes = self._make_kernel(changes, different, arguments)
            with np.errstate(all="ignore"):
                done = launch(
                    kernel,
                    different.grid or self.grid,
                    different.block or self.block,
                    arguments,
                    shared_bytes=shared_bytes,
                    budget=self.budget,
                    tell_harmless=not by_model,
                    same_races=by_model,
                    order=different.order or None,
                )
        except _FAILED:
            return None
        if self.hides_shared:
            done = replace(done, findings=tuple(filterfalse(_is_hidden, done.findings)))
        return Run(done, {n: v for n, v in given.items() if isinstance(v, np.ndarray)})

    def _make_kernel(
        self, changes: Sequence[Change], different: LaunchChange, arguments: Sequence[Any]
    ) -> tuple[CompiledKernel, int]:
        """Return the changed kernel, and its bytes of shared memory.

        Raises:
            ChangeRefused, Mistake: there is none.
        """
        if self.recipe is not None:
            text = apply_changes(self.text, changes)
            warps = prod(different.block or self.block) // WARP
            constants, dtypes = dict(different.constants), dict(different.dtypes)
            made, shared = self.recipe.change(text, constants, dtypes, warps).compile()
            return made.compiled, shared
        if changes or different.dtypes:
            made_again = edit_kernel(self.kernel, changes, arguments, keeps=True)
            return made_again, self.shared_bytes
        return self.kernel, self.shared_bytes


def _is_hidden(finding: Finding) -> bool:
    """Return True for a race that Triton makes: lanes of a warp that all store the sum they have.

    With contraction, the sums of two lanes may differ in the last bit: no text of a person says so.
    """
    return finding.kind == "race" and finding.space == "shared"


def hold_arguments(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Copy arguments before a launch.

    Raises:
        CannotReplay: they are large, or pointers to somewhere within an allocation.
    """
    held, size = list[Any](), 0
    for argument in arguments:
        value = argument
        if isinstance(argument, HeapPointer):
            if argument.address != argument.start:
                raise CannotReplay("pointer")
            value = argument.array
        if isinstance(value, tuple):
            raise CannotReplay("tuple")
        if isinstance(value, np.ndarray):
            size += value.nbytes
            if size > MOST_BYTES:
                raise CannotReplay("large")
            value = value.copy()
        held.append(value)
    return tuple(held)


def vary_inputs(replay: Replay) -> tuple[Replay, tuple[str, ...]]:
    """Return the launch with random numbers in inputs of equal elements, and their names.

    Of equal numbers, no wrong index is seen, and a race does no harm.
    """
    varied = dict[str, Any]()
    for name, value in replay.given.items():
        is_input = isinstance(value, np.ndarray) and name not in replay.outputs
        if (
            is_input
            and value.dtype.kind == "f"
            and value.size > 1
            and (value == value.flat[0]).all()
        ):
            drawn = np.random.default_rng(len(varied)).normal(size=value.shape)
            varied[name] = drawn.astype(value.dtype)
    if not varied:
        return replay, ()
    arguments = tuple((replay.given | varied).values())
    return replace(replay, arguments=arguments), tuple(varied)


def settle_recipe(replay: Replay) -> Replay:
    """Return a launch that is compiled again only where that gives what ran: the same results.

    Raises:
        CannotReplay: it does not run again.
    """
    if replay.recipe is None:
        return replay
    fixed = replace(replay, compiles=False)
    ran, again = fixed.run(), replay.run()
    if ran is None:
        raise CannotReplay("no-run")
    same = again is not None and not any(
        count_different(array, again.arrays[name]) for name, array in ran.arrays.items()
    )
    return replay if same else fixed


def find_written(replay: Replay) -> Replay:
    """Return a launch that knows which arrays it writes to: as compiled, that shows in a run.

    Raises:
        CannotReplay: it does not run again.
    """
    if not replay.is_ptx:
        return replay
    run = replay.run()
    if run is None:
        raise CannotReplay("no-run")
    written = (name for name in run.arrays if run.done.written_elements(name).any())
    return replace(replay, written=frozenset(written))


def apply_launch(given: Mapping[str, Any], different: LaunchChange) -> dict[str, Any]:
    """Return copies of arguments with what is different about a launch."""
    changed = {n: v.copy() if isinstance(v, np.ndarray) else v for n, v in given.items()}
    for name, number in different.numbers:
        changed[name] = type(changed[name])(number)
    for name, length in different.lengths:
        changed[name] = _resize(changed[name], length)
    for name, dtype in different.dtypes:
        changed[name] = changed[name].astype(dtype)
    for name, value in different.fills:
        changed[name][...] = value
    if different.same:
        first, second = different.same
        changed[second] = changed[first]
    return changed


def _resize(array: NDArray[Any], length: int) -> NDArray[Any]:
    """Return the array with so many rows: the first of them, or zeros behind all of them."""
    kept = array[:length]
    if len(kept) == length:
        return kept.copy()
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(kept)] = kept
    return longer


def count_different(one: NDArray[Any], other: NDArray[Any]) -> int:
    """Count the elements that differ, bit by bit."""
    if one.shape != other.shape:
        return max(one.size, other.size)
    return int(np.count_nonzero(_bits(one) != _bits(other)))


def is_rounding(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Return True if real numbers differ by no more than sums in another order do."""
    real = one.dtype.kind == "f" and one.shape == other.shape
    return real and bool(np.allclose(one, other, _ROUNDING, equal_nan=True))


def _bits(array: NDArray[Any]) -> NDArray[Any]:
    return (
        np.ascontiguousarray(array)
        .view(f"V{array.itemsize}")
        .view({1: "u1", 2: "u2", 4: "u4", 8: "u8"}.get(array.itemsize, array.dtype))
    )
