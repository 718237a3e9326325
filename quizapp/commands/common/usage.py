"""What click finds wrong with a call, as facts: its own sentences are English."""

from __future__ import annotations

import click

from grader.did_you_mean import suggest
from grader.facts import Fact, fact
from quizapp.commands.common.help import localize_words


def describe(error: click.ClickException, called: str) -> tuple[Fact, Fact]:
    """Return what is wrong, and what to do; `called` is the program with its subcommand."""
    see = fact("usage.see-help", command=called)
    match error:
        case click.NoSuchOption():
            known = [n for p in error.ctx.command.params for n in p.opts] if error.ctx else []
            name = error.option_name
            return fact("usage.no-option", name=name), suggest(name, known, see, most=2)
        case click.MissingParameter():
            return _describe_missing(error.param), see
        case click.BadOptionUsage():
            return _wrong_use(error), see
        case click.BadParameter():
            return fact("usage.bad-value", name=_name(error.param)), see
        case _:
            return fact("usage.not-understood"), see


def _describe_missing(parameter: click.Parameter | None) -> Fact:
    if isinstance(parameter, click.Argument):
        return fact("usage.missing-argument", name=_name(parameter))
    return fact("usage.missing-option", name=_name(parameter))


def _wrong_use(error: click.BadOptionUsage) -> Fact:
    """Say whether a value is missing or too much; click says it in its sentence alone."""
    flags = [
        name
        for each in (error.ctx.command.params if error.ctx else ())
        if isinstance(each, click.Option) and each.is_flag
        for name in (*each.opts, *each.secondary_opts)
    ]
    name = error.option_name
    if name in (*flags, "--help", "-h"):
        return fact("usage.option-takes-no-value", name=name)
    return fact("usage.option-needs-value", name=name)


def _name(parameter: click.Parameter | None) -> str:
    if parameter is None:
        return ""
    if isinstance(parameter, click.Option):
        return parameter.opts[-1]
    return localize_words((parameter.name or "").upper())
