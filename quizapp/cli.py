"""The `quiz` command: finds the subcommand, and turns whatever went wrong into words and a status.

Owns exit statuses and what is said on standard error. Imports click and the errors, nothing else of
ours: `quiz --help` may take six times a bare interpreter, and click alone takes three. So a
subcommand's module is loaded when it is called, and its line of help stands here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click

from quizapp import __version__
from quizapp.errors import DATA, ENVIRONMENT, INTERRUPTED, OK, USAGE, QuizError, UsageError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

PROGRAM = "quiz"
OUTPUT_CLOSED = 141
"""What a shell calls a program that SIGPIPE ended, as `quiz stats | head -1` would end others."""

SECTIONS: dict[str, dict[str, str]] = {
    "Study": {
        "start": "Study what is due.",
        "due": "Say what is due, and when the next is.",
        "stats": "Show answers by day, forecast, retention, strength by topic.",
    },
    "Model": {
        "banks": "Count the bank conflicts of an access, and draw its bank map.",
        "profile": "Explain a Numba CUDA script's kernels by line, without a GPU.",
        "calibrate": "Compare the bank model with the clock of the GPU that is there.",
    },
    "Questions": {
        "new": "Write a question file that already lints.",
        "preview": "Show the questions of a file as the program shows them.",
        "edit": "Open a question in your editor.",
        "lint": "Check questions, with position and remedy.",
        "grade": "Grade a submission of an exercise, again on each save if you like.",
        "schema": "Print the JSON Schema of a question file.",
    },
    "Progress": {
        "reset": "Make questions new again; a backup is made.",
        "erase": "Forget everything you ever answered; a backup is made.",
        "rebuild": "Derive every table from the log of answers again.",
    },
    "Set-up": {
        "config": "Read and change settings.",
        "doctor": "Look for what could keep quiz from working.",
        "paths": "Say where settings, progress and the log are kept.",
        "completion": "Print the completion script for a shell.",
    },
}
"""Every subcommand by section, with its line of help; a name is also that of its module."""

COMMANDS = {name: line for section in SECTIONS.values() for name, line in section.items()}


class LazyGroup(click.Group):
    """The subcommands, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The subcommand called `cmd_name`."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"quizapp.commands.{cmd_name}").command
        assert isinstance(command, click.Command)  # noqa: S101 - what the import cannot say
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand that `args` begin with.

        Raises:
            UsageError: there is none, with the nearest.
        """
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            hint = f"see `{PROGRAM} --help` for all commands"
            raise UsageError(f"there is no command '{args[0]}'", _nearest(args[0], COMMANDS, hint))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The help's list, from the table above."""
        for section, commands in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl(list(commands.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names to complete, from the table above."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only the shell asks

        found = [CompletionItem(n, help=h) for n, h in COMMANDS.items() if n.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)


@click.group(
    cls=LazyGroup,
    name=PROGRAM,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"\b\nExamples:\n  {PROGRAM} start\n  {PROGRAM} start --topic banks --limit 10\n"
    f"  {PROGRAM} COMMAND --help",
)
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Practise for GPU interviews: questions spaced by what you remember."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> int:
    """Run the command line of this process; its exit status."""
    return run(sys.argv[1:])


def run(arguments: Sequence[str]) -> int:
    """Run `quiz` with `arguments`; the one place where errors become words and a status."""
    _print_anything()
    try:
        status = _invoke(list(arguments))
        if sys.stdout is not None:  # as after `>&-`
            sys.stdout.flush()
    except (KeyboardInterrupt, Exception) as error:
        return _explained(error, _see_help(arguments))
    return status


def _print_anything() -> None:
    """Let a terminal that lacks a character show its number instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _invoke(arguments: list[str]) -> int:
    """Parse and call; a subcommand returns its status, or None when all is fine."""
    if f"_{PROGRAM.upper()}_COMPLETE" in os.environ:
        cli.main(arguments, PROGRAM)
    try:
        with cli.make_context(PROGRAM, arguments) as context:
            status = cli.invoke(context)
    except click.exceptions.Exit as left:
        return left.exit_code
    return status if isinstance(status, int) else OK


def _explained(error: BaseException, see_help: str) -> int:
    """Say what went wrong, in a sentence; the exit status it means."""
    if isinstance(error, BrokenPipeError):
        # Python would flush once more on its way out, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return OUTPUT_CLOSED
    if os.environ.get("QUIZ_DEBUG"):
        import traceback  # noqa: PLC0415 - only here

        traceback.print_exception(error)
    match error:
        case KeyboardInterrupt() | click.Abort():
            return INTERRUPTED
        case QuizError():
            return _say(error.what, error.hint, error.exit_status)
        case click.NoSuchOption():
            return _no_such_option(error, see_help)
        case click.ClickException():
            return _say(error.format_message(), see_help, USAGE)
        case OSError() if error.strerror:
            _log(error)
            hint = "see that it exists, can be read and written, and that the disk has room"
            place = f"{error.filename}: " if error.filename else ""
            return _say(f"{place}{error.strerror}", hint, ENVIRONMENT)
        case _:
            return _unexpected(error)


def _unexpected(error: BaseException) -> int:
    """An error of ours: the person gets one sentence, the log gets the rest."""
    log = _log(error)
    what = f"this is an error in {PROGRAM} itself ({type(error).__name__}); nothing stored is lost"
    hint = f"the log says where: {log}\nQUIZ_DEBUG=1 {PROGRAM} … shows it here"
    return _say(what, hint, DATA)


def _log(error: BaseException) -> str:
    """Write where the error came from into the log; the log's path."""
    from quizapp import logs  # noqa: PLC0415 - logging costs 12 ms
    from quizapp.paths import find_paths  # noqa: PLC0415

    path = find_paths().log
    logs.set_up(path)
    logs.failure(error)
    return str(path)


def _no_such_option(error: click.NoSuchOption, see_help: str) -> int:
    known = [name for p in error.ctx.command.params for name in p.opts] if error.ctx else []
    hint = _nearest(error.option_name, known, see_help)
    return _say(f"there is no option '{error.option_name}'", hint, USAGE)


def _see_help(arguments: Sequence[str]) -> str:
    words = [PROGRAM, *[word for word in arguments if word in COMMANDS][:1]]
    return f"see `{' '.join(words)} --help`"


def _nearest(word: str, words: Sequence[str] | dict[str, str], otherwise: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only for this message

    close = [f"'{name}'" for name in get_close_matches(word, words, n=2)]
    return f"did you mean {' or '.join(close)}?" if close else otherwise


def _say(what: str, hint: str, status: int) -> int:
    """`quiz: what`, and below it, indented, what to do."""
    print(f"{PROGRAM}: {what}", file=sys.stderr)
    for line in hint.splitlines():
        print(f"  {line}", file=sys.stderr)
    return status
