"""The process that grades submissions for this machine's pool: see `pool`. One job, one result."""

from __future__ import annotations

from grader.request_loop import limit, serve
from grader.wire import Reply, Request
from quizapp.batch.grading import Grader
from quizapp.batch.values import Job, Result

MEMORY = 4 << 30
"""Bytes of address space: for layouts, which are graded here, and for what a verdict takes."""


class JobRequest(Request, frozen=True, kw_only=True, tag="grade"):
    """Grade a submission; `ResultReply`."""

    job: Job


class ResultReply(Reply, frozen=True, kw_only=True):
    """What came of it."""

    result: Result


def main() -> None:
    """Grade until the application exits."""
    limit(MEMORY)
    with Grader() as grader:

        def answer(request: JobRequest) -> ResultReply:
            return ResultReply(result=grader.grade(request.job))

        serve(answer, JobRequest)
