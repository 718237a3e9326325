"""Tries in a process of its own which layers of confinement this machine has."""

from __future__ import annotations

from grader.confine.layers import Confinement, confine
from grader.process import Process, ProcessEnded, python
from grader.request_loop import serve
from grader.wire import Reply, Request

_SECONDS = 10.0


class _ProbeRequest(Request, frozen=True, kw_only=True, tag="probe"):
    pass


class _ProbeReply(Reply, frozen=True, kw_only=True):
    confinement: Confinement


def probe() -> Confinement:
    """Find the layers that hold a process here; none if it could not even answer."""
    process = Process(python("grader.confine.probe"))
    try:
        return process.ask(_ProbeRequest(), _SECONDS, _ProbeReply).confinement
    except ProcessEnded as error:
        return Confinement(missing=(("process", error.last_line or str(error.what)),))
    finally:
        process.close()


def main() -> None:
    """Confine this process, reading nothing, and say how far that went."""
    reply = _ProbeReply(confinement=confine(()))
    serve(lambda _: reply, _ProbeRequest)
