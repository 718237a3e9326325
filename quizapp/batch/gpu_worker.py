"""The process that grades on one GPU: see `gpu_pool`. The emulator first, then the device.

Started with the device in CUDA_VISIBLE_DEVICES, or with another host as its argument.
"""

from __future__ import annotations

import sys

from grader.facts import Fact
from grader.request_loop import serve
from grader.wire import Reply, Request
from quizapp.batch.grading import Grader
from quizapp.batch.worker import JobRequest, ResultReply
from quizapp.system.config import GpuSettings


class OpenRequest(Request, frozen=True, kw_only=True, tag="open"):
    """Open the device; `OpenReply`."""


class OpenReply(Reply, frozen=True, kw_only=True):
    """Why it cannot be opened; None if it is open."""

    fault: Fact | None = None


def main() -> None:
    """Grade until the application exits. No limits: CUDA reserves terabytes and writes files."""
    host = sys.argv[1] if len(sys.argv) > 1 else ""
    with Grader(GpuSettings(use=True, host=host)) as grader:

        def answer(request: JobRequest | OpenRequest) -> Reply:
            if isinstance(request, OpenRequest):
                return OpenReply(fault=grader.open_gpu())
            return ResultReply(result=grader.grade(request.job))

        serve(answer, JobRequest, OpenRequest)
