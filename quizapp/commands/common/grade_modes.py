"""Which options of `quiz grade` belong together: it grades one submission, or many in some way."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import click
from click.core import ParameterSource

from grader.facts import fact
from quizapp.domain.errors import UsageError

SEED_BITS = 48
"""Of the seed that all submissions of a run have in common."""
_MODES: dict[str, frozenset[str]] = {
    "gradescope": frozenset(
        {"question", "file", "others", "folder", "out", "wheel", "seed", "overwrite"}
    ),
    "folder": frozenset(
        {"jobs", "dask", "gpu", "gpu_host", "out", "resume", "seed", "html", "overwrite", "as_json"}
    ),
    "socket": frozenset({"jobs", "gpu", "gpu_host", "seed"}),
}
"""The parameters that grade more than one submission, and those that each may have besides; the
first that is given decides."""
_SHARED = frozenset({"gpu", "gpu_host", "question", "file", "html", "overwrite", "as_json"})
"""Of those, what one submission may have, too."""


def check_options(context: click.Context) -> None:
    """Check that nothing is given that belongs to another use of `quiz grade`.

    Raises UsageError: something is.
    """
    given = {
        each.name: each
        for each in context.command.params
        if each.name and context.get_parameter_source(each.name) is ParameterSource.COMMANDLINE
    }
    mode = next((name for name in _MODES if name in given), None)
    if mode is not None:
        if wrong := given.keys() - _MODES[mode] - {mode}:
            chosen = _shown(given, [mode])[0]
            raise UsageError(fact("grade.excludes", mode=chosen, options=_shown(given, wrong)))
        return
    if others := context.params["others"]:
        see = fact("usage.see-help", command=context.command_path)
        raise UsageError(fact("usage.extra-arguments", text=" ".join(others)), see)
    known = {each.name or "": each for each in context.command.params}
    for name in sorted(given):
        modes = [mode for mode, parameters in _MODES.items() if name in parameters - _SHARED]
        if modes:
            option = _shown(given, [name])[0]
            raise UsageError(fact("grade.only-with", option=option, modes=_shown(known, modes)))


def _shown(parameters: Mapping[str, click.Parameter], names: Collection[str]) -> tuple[str, ...]:
    """Return parameters as they are written, in the order of the command's help."""
    named = (each for name, each in parameters.items() if name in names)
    return tuple(
        each.opts[-1] if isinstance(each, click.Option) else (each.name or "").upper()
        for each in named
    )
