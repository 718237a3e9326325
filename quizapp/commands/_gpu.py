"""How a command comes to a GPU: the one of the settings, or of `--gpu-host`, which goes before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import click

from quizapp.commands._output import said_while_waiting
from quizapp.config import GpuSettings, parse
from quizapp.errors import EnvironmentProblem
from quizapp.gpu import NotMeasured, gpu_of

if TYPE_CHECKING:
    from grader.gpu import DeviceFacts, Gpu

gpu_host_option = click.option(
    "--gpu-host", metavar="USER@HOST", help="Where the GPU is, through ssh; goes before gpu.host."
)


class There(NamedTuple):
    """A GPU that has answered, and what it is."""

    gpu: Gpu
    facts: DeviceFacts


def whose(settings: GpuSettings, host: str | None) -> GpuSettings:
    """The settings, unless the command line names a host; empty for this machine.

    Raises:
        BadSetting: no host can be called that.
    """
    if host is None:
        return settings
    return GpuSettings(use=True, host=parse("gpu.host", host, where="--gpu-host"))


@contextmanager
def gpu_there(settings: GpuSettings) -> Iterator[There]:
    """A GPU that has answered; its worker ends on leaving.

    Raises:
        EnvironmentProblem: there is none, also when it is lost on the way; says why.
    """
    found = gpu_of(settings)
    if isinstance(found, NotMeasured):
        raise EnvironmentProblem(found.what, found.todo)
    from grader.gpu import GpuFailed  # noqa: PLC0415 - NumPy, 80 ms

    try:
        with found:
            with said_while_waiting(f"asking for the GPU on {found.host or 'this machine'}"):
                facts = found.describe()
            yield There(found, facts)
    except GpuFailed as error:
        raise EnvironmentProblem(error.what, error.todo) from None
