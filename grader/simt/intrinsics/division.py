"""What integer division checks: a divisor of zero."""

from __future__ import annotations

from grader.facts import fact
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value


def check_divisor(here: ExecutionPoint, found: Value) -> Value:
    """Check the divisor of an integer division: a thread that divides by zero is a finding."""
    if found.all():
        return found
    bad, _ = here.mask.split(found == 0)
    if bad is not None:
        here._replace(mask=bad).report("zero-division", bad.full, fact("finding.zero-division"))
    return found
