"""The error of CUDA with which a launch ends on a device, by what the emulator found in it.

Most indices out of bounds end without one: they fall into memory that another array has, or into
the rest of a page (`faulty` in docs/measured.md), and only a checker finds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from grader.simt.checks.findings import Finding
from grader.simt.launches.reports import Launch

_MISALIGNED, _TIMEOUT = 716, 702
_PAGE = 2 << 20
"""Bytes that a device maps at once: an access that is farther from its array is in none of it."""
_ILLEGAL_ADDRESS, _INVALID_PC = 700, 718
_ENDLESS = ("budget", "no-progress")
"""Kinds of the findings of a launch that was ended."""
_BY_TOPIC = {
    "finding.null-pointer": _ILLEGAL_ADDRESS,
    "finding.host-pointer": _ILLEGAL_ADDRESS,
    "finding.wild-pointer": _ILLEGAL_ADDRESS,
    "finding.freed-pointer": _ILLEGAL_ADDRESS,
    "call": _INVALID_PC,
}


class LaunchError(NamedTuple):
    """The number of an error, which is sticky, and the finding that brings it."""

    number: int
    finding: Finding


def find_launch_error(done: Launch, sizes: Mapping[str, int]) -> LaunchError | None:
    """Return the error that a launch ends with; None for one that a device completes.

    Args:
        sizes: by name, the bytes of the arrays in global memory that it was given.
    """
    if not done.finished:  # a device without a limit on time would never return
        ended = [finding for finding in done.faults if finding.kind in _ENDLESS]
        return LaunchError(_TIMEOUT, (ended or done.findings)[0])
    errors = (LaunchError(_error_of(finding, sizes), finding) for finding in done.faults)
    return next((error for error in errors if error.number), None)


def _error_of(finding: Finding, sizes: Mapping[str, int]) -> int:
    if finding.kind == "misaligned":
        return _MISALIGNED
    if finding.kind != "out-of-bounds":
        return 0
    size, address = sizes.get(finding.array), finding.address
    if finding.space == "global" and size is not None and address is not None:
        return 0 if -_PAGE <= address < size + _PAGE else _ILLEGAL_ADDRESS
    return _BY_TOPIC.get(finding.topic, 0)
