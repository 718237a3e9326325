"""The `quiz` command: finds the subcommand, and turns whatever went wrong into words and a status.

Owns exit statuses and what is said on standard error. Imports click, the errors and the gate before
the terminal, nothing else of ours: `quiz --help` may take six times a bare interpreter, and click
alone takes three. So a subcommand's module is loaded when it is called, and its line of help stands
here.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING

import click

from grader import did_you_mean, facts
from quizapp import __version__
from quizapp.commands.common import parameters, usage
from quizapp.commands.common.help import Command
from quizapp.domain.errors import DATA, ENVIRONMENT, INTERRUPTED, OK, USAGE, QuizError, UsageError
from quizapp.report import commands_as_typed, words
from quizapp.system import language, logs, os_errors, paths
from quizapp.system.streams import guard_streams

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

PROGRAM = "quiz"
_COMPLETE = f"_{PROGRAM.upper()}_COMPLETE"
OUTPUT_CLOSED = 141
"""What a shell calls a program that SIGPIPE ended, as `quiz stats | head -1` would end others."""

MOST_GARBAGE = 50_000
"""Objects after which the garbage collector looks for some. An answer makes 7,000. At Python's own
700 it looks 173 times during a `quiz due`, 1.7 of the 14 ms that a deck takes to be read."""

SECTIONS: dict[str, tuple[str, ...]] = {
    "study": ("start", "place", "mock", "due", "plan", "stats", "card"),
    "model": ("banks", "profile", "calibrate"),
    "questions": ("new", "ask", "preview", "edit", "lint", "grade", "pack", "trust", "schema"),
    "progress": (
        "export", "import", "sync", "backup", "restore", "salvage", "reset", "erase", "rebuild",
    ),
    "setup": ("optimize", "config", "doctor", "docs", "paths", "completion"),
}  # fmt: skip
"""Every subcommand by section, the folder of its module; that of `import` is called `import_`."""

COMMANDS = tuple(name for section in SECTIONS.values() for name in section)


class LazyGroup(Command, click.Group):
    """Group the subcommands, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List all names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the subcommand called `cmd_name`."""
        if cmd_name not in COMMANDS:
            return None
        section = next(name for name, commands in SECTIONS.items() if cmd_name in commands)
        module = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command = import_module(f"quizapp.commands.{section}.{module}").command
        assert isinstance(command, Command)
        command.localize(cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand that `args` begin with.

        Raises UsageError: there is none, with the nearest.
        """
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            hint = did_you_mean.suggest(args[0], COMMANDS, facts.fact("usage.see-commands"), most=2)
            raise UsageError(facts.fact("usage.no-command", name=args[0]), hint)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the list of commands from the table above."""
        super().format_options(ctx, formatter)
        say = words.Words(language.person_language())
        for section, commands in SECTIONS.items():
            with formatter.section(say(f"help.section.{section}")):
                formatter.write_dl([(name, say(f"help.{name}")) for name in commands])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a name, from the table above."""
        say = words.Words(language.person_language())
        names = [name for name in COMMANDS if name.startswith(incomplete)]
        found = parameters.completions((name, say(f"help.{name}")) for name in names)
        return found + click.Command.shell_complete(self, ctx, incomplete)


@click.group(
    cls=LazyGroup,
    name=PROGRAM,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Print the help if there is no subcommand."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


cli.examples = (
    f"{PROGRAM} start",
    f"{PROGRAM} start --topic banks --limit 10",
    f"{PROGRAM} banks --help",
)


def main() -> int:
    """Run the command line of this process and return its exit status."""
    gc.set_threshold(MOST_GARBAGE)
    commands_as_typed.called(sys.argv[0], COMMANDS)
    return run(sys.argv[1:])


def run(arguments: Sequence[str]) -> int:
    """Run `quiz` with `arguments`; the one place where errors become words and a status."""
    # What completes a line goes to the shell, in bytes: names that a deck has checked.
    with nullcontext() if _COMPLETE in os.environ else guard_streams():
        try:
            status = _invoke(list(arguments))
            if sys.stdout is not None:  # as after `>&-`
                sys.stdout.flush()
        except (KeyboardInterrupt, Exception) as error:
            return _explain(error, arguments)
    return status


def _invoke(arguments: list[str]) -> int:
    """Parse and call the command; None from a subcommand means success."""
    cli.localize(PROGRAM)
    if _COMPLETE in os.environ:
        cli.main(arguments, PROGRAM)
    try:
        with cli.make_context(PROGRAM, arguments) as context:
            status = cli.invoke(context)
    except click.exceptions.Exit as left:
        return left.exit_code
    return status if isinstance(status, int) else OK


def _explain(error: BaseException, arguments: Sequence[str]) -> int:
    """Say in a sentence what went wrong, and return the exit status it means."""
    if isinstance(error, BrokenPipeError):
        # Python would flush once more on its way out, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return OUTPUT_CLOSED
    if os.environ.get("QUIZ_DEBUG"):
        os_errors.print_traceback(error)
    match error:
        case KeyboardInterrupt() | click.Abort():
            return INTERRUPTED
        case QuizError():
            return _say(error.what, error.hint, error.exit_status)
        case click.ClickException():
            return _say(*usage.describe(error, _command_path(arguments)), USAGE)
        case OSError() if error.strerror:
            _log(error)
            return _say(os_errors.system_error(error), facts.fact("error.system.hint"), ENVIRONMENT)
        case _:
            log = _log(error)
            kind = type(error).__name__
            return _say(facts.fact("error.internal", kind=kind, log=log), None, DATA)


def _log(error: BaseException) -> str:
    """Write where the error came from into the log, and return the log's path."""
    return logs.failure_in(paths.find_paths().log, error)


def _command_path(arguments: Sequence[str]) -> str:
    """Return the program and the subcommand that was called, if there is one."""
    return " ".join([PROGRAM, *[word for word in arguments if word in COMMANDS][:1]])


def _say(what: facts.Fact, hint: facts.Fact | None, status: int) -> int:
    """Print `quiz: what`, and below it, indented, what to do."""
    say = words.Words(language.person_language())
    print(f"{PROGRAM}: {say.fact(what)}", file=sys.stderr)
    for line in say.hint(what, hint).splitlines():
        print(f"  {line}", file=sys.stderr)
    return status
