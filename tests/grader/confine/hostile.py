"""What a hostile `reference.py` tries: each attempt says "done", or how it was refused.

Loaded as a module by tests, and pasted as text in front of a question's reference.
"""

import ctypes
import os
import signal
import socket
import struct
import tempfile
from pathlib import Path

_CLIB = ctypes.CDLL(None, use_errno=True)


def attempts(secret, folder, tcp_port, unix_path):
    """Try everything; what came of each."""
    parent = os.getppid()
    tries = {
        "read a file": lambda: Path(secret).read_text(),
        "read /etc/passwd": lambda: Path("/etc/passwd").read_text(),
        "read ~/.ssh": lambda: list(Path(folder, ".ssh").iterdir()),
        "read the parent's environ": lambda: Path(f"/proc/{parent}/environ").read_bytes(),
        "read the parent's memory": lambda: os.close(os.open(f"/proc/{parent}/mem", os.O_RDONLY)),
        "write in a home": lambda: Path(folder, "written").write_text("x"),
        "write in /tmp": lambda: os.close(tempfile.mkstemp(dir="/tmp")[0]),
        "append to a file": lambda: os.open(secret, os.O_RDWR | os.O_APPEND),
        "delete a file": lambda: Path(folder, "deleted").unlink(),
        "make a folder": lambda: Path(folder, "made").mkdir(),
        "make a FIFO": lambda: os.mkfifo(Path(folder, "fifo")),
        "change a mode": lambda: Path(secret).chmod(0o777),
        "truncate a file": lambda: os.truncate(secret, 1),
        "connect by TCP": lambda: socket.create_connection(("127.0.0.1", tcp_port), 1).close(),
        "bind TCP": lambda: socket.socket().bind(("127.0.0.1", 0)),
        "send UDP": lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9)),
        "connect to a Unix socket": lambda: socket.socket(socket.AF_UNIX).connect(unix_path),
        "make a socket pair": socket.socketpair,
        "fork a survivor": lambda: _survivor(folder),
        "run a program": lambda: os.posix_spawn("/bin/true", ["true"], {}),
        "signal the parent": lambda: os.kill(parent, signal.SIGURG),
        "ptrace the parent": lambda: _called(_CLIB.ptrace, 0x4206, parent, 0, 0),
        "read memory with process_vm_readv": lambda: _called(
            _CLIB.process_vm_readv, parent, _vector(), 1, _vector(), 1, 0
        ),
        "outlive the parent": lambda: _called(_CLIB.prctl, 1, 0, 0, 0, 0),
        "raise a limit": lambda: _called(_CLIB.prlimit, 0, 4, struct.pack("QQ", 9, 9), None),
        "make an io_uring": lambda: _called(_CLIB.syscall, 425, 8, bytes(120)),
        "make a file in memory": lambda: os.memfd_create("x"),
        "leave by unshare": lambda: _called(_CLIB.unshare, 0x10000000),
    }
    return {name: _tried(one) for name, one in tries.items()}


def _tried(one):
    try:
        one()
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return "done"


def _called(function, *arguments):
    if function(*arguments) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _vector():
    kept = ctypes.create_string_buffer(8)
    return struct.pack("PN", ctypes.addressof(kept), 0)


def _survivor(folder):
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 3)
        Path(folder, "survivor").write_text(str(os.getpid()))
        signal.pause()
