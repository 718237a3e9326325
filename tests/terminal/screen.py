"""The real program in a real terminal: a tmux pane where the screen matters, a bare pty for bytes.

Nothing here sleeps for a fixed time; everything polls until it is so, or says what stood there.
"""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pexpect

from tests.waiting import PATIENCE_S, until

_POLL_S = 0.05
_ANOTHER_S = 4.0
"""How long a person waits until they press a key again."""
_STILL_WITHIN_S = 1.0
"""A clock or a spinner never holds still; what is waited for is then judged while it moves."""

_OURS = re.compile(
    r"QUIZ_|TEXTUAL|(NO_COLOR|COLORTERM|COLUMNS|LINES|VISUAL|EDITOR|PYTHONUNBUFFERED)$"
)
Size = tuple[int, int]
SIZE: Size = (80, 24)


def program() -> list[str]:
    """The console script beside the running interpreter, or the same thing as a module."""
    script = Path(sys.executable).with_name("quiz")
    return [str(script)] if script.exists() else [sys.executable, "-m", "quizapp"]


def environment(home: Path, **more: str) -> dict[str, str]:
    """What the program is to see: ours without settings that would change its looks."""
    kept = {name: value for name, value in os.environ.items() if not _OURS.match(name)}
    # An editor that does nothing: shipped content of a checkout is edited where it stands.
    fixed = {"QUIZ_HOME": str(home), "LC_ALL": "C.UTF-8", "EDITOR": "true"}
    fixed["PYTHONFAULTHANDLER"] = "1"  # see `abort`
    return kept | fixed | more


def abort(pid: int) -> None:
    """End a program that does not end: it prints the traceback of each of its threads."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGABRT)


# A shell around the program keeps its status, since tmux now and then does not reap a child.
# `cat` then shows whether the terminal is as it was: what is typed is echoed, and repeated by line.
_AROUND = """
folder=$1; shift
trap : INT
sh -c 'echo $$ >"$0/pid.new"; mv "$0/pid.new" "$0/pid"; exec "$@"' "$folder" "$@"
echo $? >"$folder/status.new"; mv "$folder/status.new" "$folder/status"
exec cat
"""


def around(folder: Path, command: Sequence[str]) -> list[str]:
    """A command line with a shell around it, which tells `folder` of the program."""
    return ["sh", "-c", _AROUND, "sh", str(folder), *command]


class Tmux:
    """A tmux server of our own, which stays until it is closed.

    One client in control mode sends all commands: a client for each took 5 ms of processor time,
    and a test that waits for something looks dozens of times.
    """

    def __init__(self, tmux: str) -> None:
        name = f"quiz-test-{os.getpid()}"
        self._client = subprocess.Popen(
            [tmux, "-u", "-L", name, "-f", os.devnull, "-C", "new-session", "-s", "base", "cat"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
        )  # fmt: skip
        self._unread = b""
        self._panes = 0
        self._reply()
        self("set-option", "-g", "status", "off")

    def __call__(self, *arguments: str) -> str:
        """One tmux command's output."""
        assert self._client.stdin is not None
        self._client.stdin.write(" ".join(map(_quote, arguments)).encode() + b"\n")
        done, said = self._reply()
        assert done, f"{arguments}: {said}"
        return said

    def name(self) -> str:
        """The name of another session."""
        self._panes += 1
        return f"pane-{self._panes}"

    def close(self) -> None:
        """End the server and what runs in it."""
        with suppress(AssertionError, OSError):
            self("kill-server")
        self._client.communicate()

    def _reply(self) -> tuple[bool, str]:
        """Read the reply to a command, past notifications; whether it was done, and its output."""
        while not self._line().startswith(b"%begin "):
            pass
        lines: list[bytes] = []
        while not (line := self._line()).startswith((b"%end ", b"%error ")):
            lines.append(line)
        return line.startswith(b"%end "), b"".join(line + b"\n" for line in lines).decode()

    def _line(self) -> bytes:
        assert self._client.stdout is not None
        while b"\n" not in self._unread:
            ready, _, _ = select.select([self._client.stdout], [], [], PATIENCE_S)
            assert ready, "tmux does not answer"
            came = self._client.stdout.read(1 << 16)
            assert came, "tmux has ended"
            self._unread += came
        line, _, self._unread = self._unread.partition(b"\n")
        return line


def _quote(argument: str) -> str:
    """An argument as tmux reads it from one line."""
    special = re.compile(r'["\\$\x00-\x1f]')
    return '"' + special.sub(lambda found: f"\\{ord(found[0]):03o}", argument) + '"'


class Screen:
    """One program in one tmux pane; when it has ended, `cat` runs there."""

    def __init__(self, tmux: Tmux, folder: Path) -> None:
        self._tmux = tmux
        self._pane = tmux.name()
        self._status = folder / self._pane / "status"
        self._pid = folder / self._pane / "pid"
        self.folder = self._pid.parent
        self.folder.mkdir()

    def start(
        self, command: Sequence[str], env: Mapping[str, str], size: Size = SIZE, term: str = ""
    ) -> None:
        """Run `command`, which is one of `around`, or forked so that the terminal is kept.

        TERM is as tmux sets it unless `term` says otherwise.
        """
        columns, rows = map(str, size)
        # tmux hands on its server's environment, so `env` starts from nothing.
        settings = [f"{name}={value}" for name, value in env.items() if name != "TERM"]
        settings.append(f"TERM={term or 'screen-256color'}")
        self._tmux(
            *("new-session", "-d", "-s", self._pane, "-x", columns, "-y", rows),
            "exec env -i " + shlex.join([*settings, *command]),
        )
        self._tmux("set-option", "-t", self._pane, "window-size", "manual")
        until(self._pid.exists, lambda: f"did not start:\n{self.text()}", PATIENCE_S)

    @property
    def pid(self) -> int:
        return int(self._pid.read_text())

    def keys(self, *names: str) -> None:
        """Press keys, by tmux's names."""
        self._tmux("send-keys", "-t", self._pane, *names)

    def type(self, text: str) -> None:
        """Type text as it is; also what a terminal sends for a mouse."""
        self._tmux("send-keys", "-t", self._pane, "-l", "--", text)

    def click(self, text: str, *, inside: int = 0) -> None:
        """Press and release the left button on the first place where `text` stands."""
        row, column = self.find(text)
        place = f"{column + inside + 1};{row + 1}"
        self.type(f"\x1b[<0;{place}M\x1b[<0;{place}m")

    def drag(self, text: str) -> None:
        """Select `text` with the mouse."""
        row, column = self.find(text)
        first, last = column + 1, column + len(text) + 1
        self.type(f"\x1b[<0;{first};{row + 1}M")
        for at in range(first + 1, last + 1):
            self.type(f"\x1b[<32;{at};{row + 1}M")
        self.type(f"\x1b[<0;{last};{row + 1}m")

    def find(self, text: str) -> tuple[int, int]:
        """Wait for `text`; its first row and column, from 0, if characters are single-width."""
        lines = self.wait_for(text).splitlines()
        row = next(row for row, line in enumerate(lines) if text in line)
        return row, lines[row].index(text)

    def resize(self, columns: int, rows: int) -> None:
        """Make the terminal larger or smaller."""
        self._tmux("resize-window", "-t", self._pane, "-x", str(columns), "-y", str(rows))

    def text(self) -> str:
        """What stands on the screen."""
        return self._tmux("capture-pane", "-p", "-t", self._pane)

    def coloured(self) -> str:
        """What stands on the screen, with its escape sequences."""
        return self._tmux("capture-pane", "-p", "-e", "-t", self._pane)

    def wait_for(self, *texts: str, gone: str = "", within_s: float = PATIENCE_S) -> str:
        """Wait until the screen shows all of `texts`, not `gone`, and is still; return it."""
        shown = ""

        def there() -> bool:
            nonlocal shown
            shown = self._still()
            return all(text in shown for text in texts) and not (gone and gone in shown)

        until(there, lambda: f"no {texts}, or still {gone!r}, on:\n{shown}", within_s)
        return shown

    def exit_status(self, within_s: float = PATIENCE_S) -> int:
        """Wait until the program has exited and its output is on the screen; its status."""
        until(self._status.exists, self._why_it_runs_on, within_s)
        self._still()
        return int(self._status.read_text())

    def alternate(self) -> bool:
        """Whether the program has the alternate screen."""
        return self._said("alternate_on") == "1"

    def wants_mouse(self) -> bool:
        """Whether the program asked for the mouse."""
        return self._said("mouse_any_flag") == "1"

    def signal(self, number: int) -> None:
        """Send a signal to the program."""
        os.kill(self.pid, number)

    def close_pane(self) -> None:
        """Close the terminal: the kernel sends SIGHUP."""
        self._tmux("kill-session", "-t", self._pane)

    def close(self) -> None:
        """Kill what still runs, and close the terminal."""
        if self._pid.exists() and not self._status.exists():
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        with suppress(AssertionError):
            self.close_pane()

    def _still(self) -> str:
        """Wait until two captures in a row agree, at most a second: a drawing comes in pieces."""
        end = time.monotonic() + _STILL_WITHIN_S
        shown = self.text()
        while time.monotonic() < end:
            time.sleep(_POLL_S)
            before, shown = shown, self.text()
            if shown == before:
                break
        return shown

    def _why_it_runs_on(self) -> str:
        shown = self.text()
        abort(self.pid)
        until(self._status.exists, lambda: f"cannot be aborted:\n{shown}", PATIENCE_S)
        traceback = self._tmux("capture-pane", "-p", "-S", "-", "-t", self._pane)
        return f"it runs on:\n{shown}\n{traceback}"

    def _said(self, variable: str) -> str:
        return self._tmux("display-message", "-p", "-t", self._pane, f"#{{{variable}}}").strip()


class Pty:
    """One program on a bare pty: what it writes, byte by byte, and no emulation."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], size: Size = SIZE, *, told: str = ""
    ) -> None:
        """Run `command`; `told`: the file in which the number of what that forks will be."""
        self.written = b""
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            command[0],
            list(command[1:]),
            env=dict({"TERM": "xterm-256color"} | dict(env)),
            dimensions=(size[1], size[0]),
            timeout=PATIENCE_S,
        )
        self.child.delaybeforesend = None
        self.pid = self.child.pid
        if told:
            until(Path(told).exists, lambda: "was not forked", PATIENCE_S)
            self.pid = int(Path(told).read_text())

    def type(self, text: str) -> None:
        """Send bytes as a terminal would."""
        self.child.send(text)

    def wait_for(self, *texts: str, within_s: float = PATIENCE_S) -> bytes:
        """Read until all of `texts` came since the last call; what came.

        What the screen already showed is not written again, and a text may be cut by a style:
        look for single words.
        """
        came = b""
        wanted = [text.encode() for text in texts]
        end = time.monotonic() + within_s
        while not all(text in came for text in wanted):
            if time.monotonic() > end:
                raise AssertionError(f"{texts} did not come, but {came!r}")
            came += self._read(0.05)
        return came

    def come(self, within_s: float) -> bytes:
        """What comes within this time; nothing when it ends."""
        return b"" if self.child.flag_eof else self._read(within_s)

    def rest(self, within_s: float = PATIENCE_S) -> bytes:
        """Read to the end of the program; what came."""
        came = b""
        end = time.monotonic() + within_s
        while not self.child.flag_eof:
            if time.monotonic() > end:
                abort(self.pid)
                why = self._read(1.0).decode(errors="replace")
                raise AssertionError(f"still running, and wrote {came!r}\n{why}")
            came += self._read(0.05)
        return came

    def press_until_exit(self, key: str) -> int:
        """Press a key until the program ends, as a person would; its status.

        Read together with the key before, an escape, it means another one.
        """
        for _ in range(5):
            self.type(key)
            end = time.monotonic() + _ANOTHER_S
            while not self.child.flag_eof and time.monotonic() < end:
                self._read(0.05)
            if self.child.flag_eof:
                break
        return self.exit_status()

    def exit_status(self, within_s: float = PATIENCE_S) -> int:
        """Wait until the program ended; as a shell would say it."""
        if not self.child.closed:
            self.rest(within_s)
        until(lambda: not self.child.isalive(), lambda: "it runs on", within_s)
        killed_by = self.child.signalstatus
        return 128 + killed_by if killed_by else int(self.child.exitstatus or 0)

    def hang_up(self) -> None:
        """Close the terminal: the kernel sends SIGHUP."""
        os.close(self.child.child_fd)
        self.child.closed = True

    def close(self) -> None:
        """Kill what still runs."""
        if self.child.isalive():
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self.child.wait()
        if not self.child.closed:
            self.child.close()

    def _read(self, timeout: float) -> bytes:
        try:
            came = self.child.read_nonblocking(65536, timeout)
        except pexpect.TIMEOUT:
            return b""
        except pexpect.EOF:
            self.child.flag_eof = True
            return b""
        self.written += came
        return bytes(came)
