"""What is known of a function while what runs it is built."""

from __future__ import annotations

from collections.abc import Mapping

from grader.frozen import frozen
from grader.simt.program import nodes
from grader.simt.program.gathering import find_gathered
from grader.simt.program.invariants import find_invariants
from grader.simt.program.liveness import Liveness, find_pausing, is_straight
from grader.simt.program.types import Dynamic
from grader.simt.program.waiting import Wait, find_waits
from grader.simt.program.walking import Names, walk_expression
from grader.simt.program.wraps import Wraps, find_wraps

_NO_WRAPS = Wraps()
_NO_LIVENESS = Liveness(())


@frozen(eq=False)
class Scope:
    """What is known of the function that a node is in.

    Attributes:
        gathered: loops (by id) whose warps may be gathered: the variables that they name, and those
            that are needed once threads have left them.
        invariants: arithmetic (by id) that is the same as long as these variables are.
        pausing: statements (by id) in which threads may wait while others go on after them.
        checked: operations (by id) whose overflow is looked for.
        waits: loops (by id) that only wait for other threads.
        wraps: the indices that unsigned results which wrap may get into.
    """

    function: nodes.Function
    liveness: Liveness
    gathered: Mapping[int, tuple[Names, Names]]
    invariants: Mapping[int, tuple[str, ...]]
    pausing: frozenset[int]
    checked: frozenset[int]
    waits: Mapping[int, Wait]
    wraps: Wraps

    def checks(self, node: nodes.Expression) -> bool:
        """Return True if an operation is looked at in an expression."""
        return bool(self.checked) and any(
            id(part) in self.checked for part in walk_expression(node)
        )


def scope_of(function: nodes.Function, checked: frozenset[int]) -> Scope:
    """Find what the machine needs to know of a function; nothing where its front end merges.

    Nor of a body without branches: all threads are at the same place.
    """
    body = function.body
    wraps = find_wraps(body, checked) if checked else _NO_WRAPS
    if isinstance(function.result, Dynamic) or is_straight(body):
        return Scope(function, _NO_LIVENESS, {}, {}, frozenset(), checked, {}, wraps)
    waits = find_waits(body)
    liveness = Liveness(body, waits)
    # Gathered warps have the variables of the source alone.
    gathered = {} if wraps.variables else find_gathered(function, liveness.left)
    invariants = find_invariants(body, checked)
    pausing = find_pausing(body, waits)
    return Scope(function, liveness, gathered, invariants, pausing, checked, waits, wraps)
