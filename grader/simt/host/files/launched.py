"""A kernel alone, launched with arguments as a person writes them, once or over drawn shapes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.errors import InvalidLaunch
from grader.simt.host.files.checking import outputs_of_launch
from grader.simt.host.files.drawing import DrawnParameter, DrawnShape
from grader.simt.host.files.judging import SubjectRun
from grader.simt.host.files.written_arguments import WrittenArgument
from grader.simt.host.session import Config, ScriptSession
from grader.simt.host.touched import TouchedMemory
from grader.simt.launches.reports import Launch
from grader.simt.program.kernel import CompiledKernel

_MOST_THREADS = 1 << 18
"""Of a launch whose arrays only show how long they are."""
Fitted = tuple[Sequence[WrittenArgument], CompiledKernel, Sequence[Any]]
"""The arguments as written, the kernel for them, and what it gets."""


@dataclass
class LaunchSubject:
    """A kernel that is launched alone; see `judging.Subject`.

    Attributes:
        asked: `grid`, `block`, `shared` and `cluster`; see `sources.launch_kernel`.
        fit: fits it to a text of arguments.
        flat: True if its threads are numbered by `blockDim`, so that a grid may be chosen.
        axes: along which blocks and threads are numbered.
    """

    signature: str
    parameters: tuple[DrawnParameter, ...]
    session: ScriptSession
    asked: Mapping[str, Any]
    fit: Callable[[str], Fitted]
    flat: bool = False
    axes: int = 1

    def probe(self, shape: DrawnShape) -> Mapping[str, TouchedMemory]:
        """See `judging.Subject`."""
        self.session.touched = {}
        try:
            written, ready, fitting = self.fit(shape.text)
            done, _ = self._launch(written, ready, fitting, shape.numbers)
        finally:
            self.session.touched = None
        return {
            name: TouchedMemory().add(done.accessed_elements(name), value.itemsize)
            for name, value in zip(ready.function.parameters, fitting, strict=True)
            if isinstance(value, np.ndarray)
        }

    def run(self, shape: DrawnShape) -> SubjectRun:
        """See `judging.Subject`."""
        written, ready, fitting = self.fit(shape.text)
        names = ready.function.parameters
        given = dict(zip(names, copy.deepcopy(fitting), strict=True))
        done, unfilled = self._launch(written, ready, fitting)
        outputs = outputs_of_launch(ready, given, dict(zip(names, fitting, strict=True)), done)
        if ready.program.stores_anywhere:  # where is only known from what has changed
            changed = {
                name: value
                for name, value in outputs.stored.items()
                if id(value) in unfilled or value.tobytes() != given[name].tobytes()
            }
            outputs = replace(outputs, stored=changed or outputs.stored)
        kinds = {each.name: each.dtype for each in self.parameters}
        return SubjectRun(0, outputs.as_numbers(kinds))

    def options(self, shape: DrawnShape) -> str:
        """Return the options of a launch with these arguments, but for the arguments."""
        written, _, _ = self.fit(shape.text)
        sizes = {"grid": self._grid(written), "block": self.asked["block"]}
        return " ".join(f"--{name} {','.join(map(str, each))}" for name, each in sizes.items())

    def _launch(
        self,
        written: Sequence[WrittenArgument],
        ready: CompiledKernel,
        fitting: Sequence[Any],
        numbers: Mapping[str, int] | None = None,
    ) -> tuple[Launch, set[int]]:
        """Launch it; return what it did, and the arrays without a fill.

        Args:
            numbers: sizes that the grid follows from; None: it follows from the arrays.
        """
        unfilled = {id(array) for argument in written for array in argument.unfilled}
        outputs = tuple(
            name
            for name, value in zip(ready.function.parameters, fitting, strict=True)
            if id(value) in unfilled and name in ready.compiled.stored
        )
        asked = self.asked
        cluster = asked["cluster"] and tuple((*asked["cluster"], 1, 1)[:3])
        grid, block = self._grid(written, numbers), asked["block"]
        config = Config(grid, block, asked["shared"], outputs=outputs, cluster=cluster)
        return self.session.run(ready, config, fitting), unfilled

    def _grid(
        self, written: Sequence[WrittenArgument], numbers: Mapping[str, int] | None = None
    ) -> tuple[int, ...]:
        """Return the grid that was asked for, or one with a thread for each element.

        Raises:
            InvalidLaunch: no grid follows from the source.
        """
        if self.asked["grid"] is not None:
            return tuple(self.asked["grid"])
        if not self.flat:
            raise InvalidLaunch(fact("cpp.grid-unknown", kernel=self.signature))
        block: tuple[int, ...] = (*self.asked["block"], 1, 1)[:3]
        shapes = [array.shape for argument in written for array in argument.arrays]
        if numbers is not None:
            flat = prod(block[1:]) == 1
            most = max(numbers.values(), default=1)
            shapes = [
                (min(prod(numbers.values()), _MOST_THREADS),) if flat else (most,) * self.axes
            ]
            written = ()
        stored = [array.shape for argument in written for array in argument.unfilled]
        if prod(block[1:]) == 1:
            needed: list[int] = [max(map(prod, shapes), default=1)]
        else:
            chosen = [each for each in stored if len(each) > 1] or shapes
            padded = [(1, 1, 1, *each)[-3:] for each in chosen]
            needed = [max(each) for each in zip(*padded, strict=True)][::-1]
        return tuple(-(-each // threads) for each, threads in zip(needed, block, strict=False))
