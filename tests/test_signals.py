"""The tests are the same started in the background, where a shell has ctrl-c ignored."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import signal, subprocess, sys
numbers = signal.SIGHUP, signal.SIGINT, signal.SIGQUIT
if sys.argv[1:]:
    print(*[number.name for number in numbers if signal.getsignal(number) is signal.SIG_IGN])
else:
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)
    import tests.conftest
    sys.exit(subprocess.run([*sys.orig_argv, "asked"]).returncode)
"""


def test_a_program_that_a_test_starts_ignores_no_signal():
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == []
