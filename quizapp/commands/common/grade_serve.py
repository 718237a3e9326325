"""`quiz grade --serve`: what its options mean, and what it says as it begins and ends."""

from __future__ import annotations

import os
from pathlib import Path

from quizapp import __version__
from quizapp.batch import exercises as catalogue
from quizapp.batch import pool
from quizapp.batch.serving import listening, server
from quizapp.commands.common.grade_all import draw_seed
from quizapp.commands.common.output import note
from quizapp.commands.common.surroundings import read_deck, surroundings
from quizapp.domain.errors import OK
from quizapp.report.words import Words
from quizapp.system import logs


def serve(path: Path, jobs: int | None, seed: int | None) -> int:
    """Grade what comes over a socket, until SIGTERM or Ctrl-C.

    Args:
        path: of the socket.
        jobs: processes that grade; None: one per CPU.
        seed: of the inputs that no submission knows; None: drawn.

    Raises:
        UsageError, EnvironmentProblem: there can be no socket.
    """
    where = surroundings()
    say = Words(where.settings.language)
    logs.set_up(where.paths.log)
    logs.record("serve", version=__version__)
    exercises = catalogue.Exercises(read_deck(where), where.paths)
    workers = [pool.Worker() for _ in range(jobs or os.cpu_count() or 1)]
    chosen = draw_seed() if seed is None else seed
    try:
        with listening.listen(path) as socket:
            grading = server.Server(exercises, workers, chosen, say.language)
            note(say("serve.starts", path=path, n=len(workers), seed=chosen))
            server.serve_until_stopped(grading, socket)
    finally:
        for worker in workers:
            worker.close()
    note(say("serve.ended", n=grading.served))
    return OK
