"""Hands its terminal to a program that is forked, and ends as that does.

Run by its path, with `-I -S`: it is what a terminal starts, and shall start in 20 ms.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import sys
import termios

MOST_BYTES = 1 << 17


def main(server: str, *told: str) -> None:
    """Ask `server` for the program, and wait for its end.

    A terminal belongs to one session; what gives it up, and what is in its foreground, is told so
    by a signal.
    """
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    fcntl.ioctl(0, termios.TIOCNOTTY)
    folder = os.getcwd()  # noqa: PTH109 - pathlib would double the time
    request = {"told": told, "folder": folder, "environment": dict(os.environ)}
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
        asked.connect(server)
        socket.send_fds(asked, [json.dumps(request).encode()], [0])
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(nowhere, number)  # it is the program's alone, whose end closes it
        status = int(asked.recv(MOST_BYTES) or b"1")
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
