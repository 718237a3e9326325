"""The subcommands of `quiz`, one module each: parse, call study or deck, print.

A module is named as its command and offers it as `command`. What they share begins with an
underscore. They return an exit status, or None when all is fine, and let errors pass: only
`quizapp.cli` turns those into words.
"""
