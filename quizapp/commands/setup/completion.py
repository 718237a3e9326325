"""`quiz completion`: prints what a shell loads to complete commands, topics, ids and keys."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from quizapp.commands.common.help import subcommand
from quizapp.commands.common.parameters import OneOf

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_QUIZ_COMPLETE"

_PLACES = (
    ("bash", "~/.local/share/bash-completion/completions", "quiz"),
    ("zsh", "~/.zfunc", "_quiz"),
    ("fish", "~/.config/fish/completions", "quiz.fish"),
)
"""Where each shell looks for the script of a program: the folder, and the file."""


@subcommand(
    *(
        f"mkdir -p {folder}; quiz completion {shell} > {folder}/{name}"
        for shell, folder, name in _PLACES
    )
)
@click.argument("shell", type=OneOf(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script."""
    shell_class = get_completion_class(shell)
    assert shell_class is not None
    root = context.find_root()
    print(shell_class(root.command, {}, "quiz", VARIABLE).source())
