"""Opens a GPU for a command: that of the settings, or of `--gpu-host`, which overrides them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import click

from grader import gpu
from quizapp.commands.common.output import announce_wait
from quizapp.domain.errors import EnvironmentProblem
from quizapp.study import gpu_health
from quizapp.system.config import GpuSettings, parse
from quizapp.system.gpu import NotMeasured, gpu_of

if TYPE_CHECKING:
    from grader.gpu import DeviceFacts, Gpu
    from quizapp.report.words import Words

gpu_host_option = click.option("--gpu-host", metavar="USER@HOST")


class OpenGpu(NamedTuple):
    """A GPU that has answered, and its description."""

    gpu: Gpu
    facts: DeviceFacts


def choose_gpu(settings: GpuSettings, host: str | None) -> GpuSettings:
    """Return the settings, with the host of the command line if it names one; "" for this machine.

    Raises BadSetting: no host can be called that.
    """
    if host is None:
        return settings
    return GpuSettings(use=True, host=parse("gpu.host", host, where="--gpu-host"))


@contextmanager
def open_gpu(settings: GpuSettings, say: Words) -> Iterator[OpenGpu]:
    """Open a GPU that has answered; its worker ends on leaving.

    Raises EnvironmentProblem: there is none, or it fails on the way.
    """
    found = gpu_of(settings)
    if isinstance(found, NotMeasured):
        raise EnvironmentProblem(found.what, found.todo)
    try:
        with found:
            with announce_wait(say.fact(gpu_health.describe_connection(found.host))):
                facts = found.describe()
            yield OpenGpu(found, facts)
    except gpu.GpuFailed as error:
        raise EnvironmentProblem(error.what, error.todo) from None
