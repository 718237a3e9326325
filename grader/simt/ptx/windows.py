"""Addresses of 32 bits: what compiled code has in shared memory, and Triton's in local memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from grader.simt.checks.counters import Site
from grader.simt.memory.allocations import (
    from_cluster_window,
    from_shared_window,
    to_cluster_window,
    to_shared_window,
)
from grader.simt.memory.layout import from_layout_window, to_layout_window
from grader.simt.program.nodes import Expression, Perform
from grader.simt.program.types import INT64
from grader.simt.ptx import syntax
from grader.simt.ptx.reading import SIZES
from grader.simt.ptx.syntax import Address
from grader.simt.ptx.values import apply


@dataclass
class Windows:
    """How a function of a module writes addresses within a space.

    Attributes:
        names_blocks: True if addresses in shared memory may name the rank of a block.
    """

    module: syntax.Module
    function: syntax.Function
    names_blocks: bool

    def enter(self, pointer: Expression, space: str, site: Site) -> Expression:
        """Return the address in a space that a generic one stands for."""
        if space == "local" and self._has_short_local:
            return apply(INT64, "local", to_shared_window, pointer)
        if space != "shared":
            return pointer
        if self.has_layout:
            return Perform(INT64, "shared", to_layout_window, (pointer,), site, alone=True)
        function = to_cluster_window if self.names_blocks else to_shared_window
        return apply(INT64, "shared", function, pointer)

    def leave(self, address: Expression, space: str, site: Site) -> Expression:
        """Return the generic address of one in a space."""
        if space == "local" and self._has_short_local:
            return apply(INT64, "generic", from_shared_window, address)
        if space != "shared":
            return address
        if self.has_layout:
            return Perform(INT64, "generic", from_layout_window, (address,), site, alone=True)
        function = from_cluster_window if self.names_blocks else from_shared_window
        return apply(INT64, "generic", function, address)

    @cached_property
    def has_layout(self) -> bool:
        """True if addresses in the whole of shared memory matter: for descriptors and swizzles."""
        return any(
            each.opcode == "wgmma" or "tensor" in each.modifiers
            for each in self.module.instructions()
        )

    @cached_property
    def _has_short_local(self) -> bool:
        """True if addresses in local memory are of 32 bits, as Triton's compiler has them."""
        registers = self.function.registers
        return any(SIZES[registers[each]] == 4 for each in self._local_bases() if each in registers)

    def _local_bases(self) -> Iterator[str]:
        for each in self.function.instructions:
            if "local" in each.modifiers and each.opcode in ("ld", "st"):
                yield from (held.base for held in each.operands if isinstance(held, Address))
