"""The error of CUDA with which a launch ends on a device, by what the emulator found in it.

Most indices out of bounds end without one: they fall into memory that another array has, or into
the rest of a page (`faulty` in docs/measured.md), and only a checker finds them.
"""

from __future__ import annotations

from collections.abc import Mapping

from grader.simt.checks.findings import Finding
from grader.simt.launches.reports import Launch

_MISALIGNED, _TIMEOUT = 716, 702
_PAGE = 2 << 20
"""Bytes that a device maps at once: an access that is farther from its array is in none of it."""
_ILLEGAL_ADDRESS, _INVALID_PC = 700, 718
_BY_TOPIC = {
    "finding.null-pointer": _ILLEGAL_ADDRESS,
    "finding.host-pointer": _ILLEGAL_ADDRESS,
    "finding.wild-pointer": _ILLEGAL_ADDRESS,
    "finding.freed-pointer": _ILLEGAL_ADDRESS,
    "call": _INVALID_PC,
}


def find_launch_error(done: Launch, sizes: Mapping[str, int]) -> int:
    """Return the number of the error, which is sticky; 0 for a launch that a device completes.

    Args:
        done: the launch.
        sizes: by name, the bytes of the arrays in global memory that it was given.
    """
    if not done.finished:  # a device without a limit on time would never return
        return _TIMEOUT
    errors = (_error_of(finding, sizes) for finding in done.faults)
    return next((error for error in errors if error), 0)


def _error_of(finding: Finding, sizes: Mapping[str, int]) -> int:
    if finding.kind == "misaligned":
        return _MISALIGNED
    if finding.kind != "out-of-bounds":
        return 0
    size, address = sizes.get(finding.array), finding.address
    if finding.space == "global" and size is not None and address is not None:
        return 0 if -_PAGE <= address < size + _PAGE else _ILLEGAL_ADDRESS
    return _BY_TOPIC.get(finding.topic, 0)
