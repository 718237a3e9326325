"""`quiz grade --serve`: what its options mean, and what it says as it begins and ends."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

from quizapp import __version__
from quizapp.batch import exercises as catalogue
from quizapp.batch import pool
from quizapp.batch.serving import listening, server
from quizapp.commands.common import graders
from quizapp.commands.common.grade_all import draw_seed
from quizapp.commands.common.output import note
from quizapp.commands.common.surroundings import read_deck, surroundings
from quizapp.domain.errors import OK
from quizapp.report.words import Words
from quizapp.system import logs
from quizapp.system.config import GpuSettings


def serve(path: Path, jobs: int | None, gpu: GpuSettings | None, seed: int | None) -> int:
    """Grade what comes over a socket, until SIGTERM or Ctrl-C.

    `jobs`: processes that grade; None: one per CPU. `gpu`: judges what the emulator passes; None:
    no GPU does. `seed`: of the inputs that no submission knows; None: drawn.

    Raises UsageError, EnvironmentProblem: there can be no socket, or a GPU cannot grade.
    """
    where = surroundings()
    say = Words(where.settings.language)
    logs.set_up(where.paths.log)
    logs.record("serve", version=__version__)
    exercises = catalogue.Exercises(read_deck(where), where.paths)
    workers = [pool.Worker() for _ in range(jobs or os.cpu_count() or 1)]
    chosen = draw_seed() if seed is None else seed
    with ExitStack() as held:
        for worker in workers:
            held.callback(worker.close)
        socket = held.enter_context(listening.listen(path))
        gpus = () if gpu is None else held.enter_context(graders.open_gpus(gpu)).workers
        grading = server.Server(exercises, workers, gpus, chosen, say.language)
        note(say("serve.starts", path=path, n=len(workers), seed=chosen))
        server.serve_until_stopped(grading, socket)
    note(say("serve.ended", n=grading.served))
    return OK
