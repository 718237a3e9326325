"""What a terminal shows: verbatim code, Chinese, no colours, sizes, the mouse, the clipboard."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from tests.terminal.program import HOME, NEXT, PROMPTS, SURE, TOPIC, Start, StartPty
from tests.terminal.screen import program
from tests.terminal.steps import answer_verbatim, row_of
from tests.waiting import until

COLOUR = re.compile(rb"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")
"""Any escape sequence that sets a colour; 39 and 49 set it back."""

REVERSED = re.compile(r"\x1b\[(?:[0-9;]*;)?7m")


@pytest.mark.long
def test_code_and_brackets_stand_as_they_are_written(start: Start):
    screen = start.at_home(*TOPIC)
    screen.keys("Enter")
    screen.wait_for(
        "What does a[tid] do beside [/x], [bold] and b[i] += 1?",
        "__shared__ float a[32][33];",
        r"b[i] += a[tid]; // [/x] [bold]red[/bold] \[no]",
        "It is c[j] [/y] [red].",
        "It is d[k] [/z] [link=x].",
    )
    screen.keys("h")
    screen.wait_for("Look at h[0] [/h].")
    screen.keys(row_of(screen, "d[k]"), "Enter")
    screen.wait_for(SURE)
    screen.keys("1")
    screen.wait_for("✗ wrong", "No: e[m] -= [/w] [dim].", "Because f[n] [/v] [u].")
    screen.keys("d")
    screen.wait_for("own book [/s], page 7")


def test_chinese(start: Start, home: Path):
    (home / "config.toml").write_text('welcomed = true\nlanguage = "zh"\n', "utf-8")
    screen = start(*TOPIC)
    shown = screen.wait_for("新题", "q 退出")
    assert all("  study" not in line for line in shown.splitlines())
    screen.keys("Enter")
    screen.wait_for("下面的 a[tid] 与 [/x] 是什么？", "b[i] += a[tid]; // [/x] [bold]", "h 提示")
    screen.keys(row_of(screen, "c[j]"), "Enter")
    screen.wait_for("有多大把握？")
    screen.keys("2")
    screen.wait_for("✓ 正确", "因为 f[n] [/v]", "enter 下一题")


def test_chinese_can_be_typed(start: Start):
    screen = start.at_home(*TOPIC, "--kind", "recall")
    screen.keys("Enter")
    screen.wait_for(PROMPTS[2], "enter answer")
    screen.keys("i")
    screen.wait_for("esc other keys")
    screen.type("同一个 bank 的不同字")
    screen.wait_for("同一个 bank 的不同字")


def test_no_color_writes_no_colour_and_signs_still_tell(start_pty: StartPty):
    pty = start_pty.at_home(*TOPIC, NO_COLOR="1")
    pty.type("\r")
    pty.wait_for("hint")
    pty.type("1\r")
    pty.wait_for("sure")
    pty.type("2")
    pty.wait_for("✓", "next")
    pty.type("\r")
    pty.wait_for("lanes")
    pty.type("31\r")
    pty.wait_for("sure")
    pty.type("2")
    pty.wait_for("✗", "next")
    pty.type("\x03")
    assert pty.exit_status() == 130
    assert not COLOUR.findall(pty.written)


def test_without_colours_the_cursor_of_a_field_is_seen(start: Start):
    screen = start.at_home("--topic", "terminal", "--kind", "number", NO_COLOR="1")
    screen.keys("Enter")
    screen.wait_for(PROMPTS[1], "esc other keys")
    until(lambda: REVERSED.search(screen.coloured()), screen.coloured)


@pytest.mark.parametrize(
    "size",
    [(80, 24), pytest.param((120, 40), marks=pytest.mark.long)],
    ids=lambda size: f"{size[0]}x{size[1]}",
)
def test_every_line_fits_and_the_last_says_what_can_be_done(start: Start, size: tuple[int, int]):
    screen = start.at_home(*TOPIC, size=size)
    shown = screen.text().splitlines()
    assert len(shown) == size[1]
    assert "enter study" in shown[-1]
    screen.keys("Enter")
    answer_verbatim(screen, right=False)
    shown = screen.text().splitlines()
    assert "✗ wrong" in shown[0]
    assert "enter next" in shown[-1]
    assert "1 again this session" in screen.text()
    assert "4 easy" in screen.text()
    asked, _ = screen.find(PROMPTS[0])
    reason, _ = screen.find("Because f[n] [/v] [u].")
    assert asked < reason, "what was read stays where it was, the reason comes below"


def test_too_small_says_so_and_recovers_with_the_same_question(start: Start):
    screen = start.at_home(*TOPIC)
    screen.keys("Enter")
    screen.wait_for(PROMPTS[0], "h hint")
    screen.keys(row_of(screen, "c[j]"))
    screen.wait_for("● It is c[j]")
    screen.resize(50, 12)
    screen.wait_for("too small: 50×12", "60×16")
    screen.resize(40, 10)
    screen.wait_for("too small: 40×10")
    screen.keys("Enter", "q", "g")
    screen.resize(100, 30)
    shown = screen.wait_for(PROMPTS[0], "h hint", gone="too small")
    assert "● It is c[j]" in shown
    screen.keys("Enter")
    screen.wait_for(SURE)


def test_too_small_at_the_start_and_quitting_there(start: Start):
    screen = start(*TOPIC, size=(50, 12))
    screen.wait_for("too small: 50×12")
    screen.resize(80, 24)
    screen.wait_for(HOME, gone="too small")
    screen.resize(50, 12)
    screen.wait_for("too small: 50×12")
    screen.keys("C-c")
    assert screen.exit_status() == 130


@pytest.mark.long
def test_the_mouse_picks_and_presses_footer_keys(start: Start):
    screen = start.at_home(*TOPIC)
    assert screen.wants_mouse()
    screen.click("enter study")
    screen.wait_for(PROMPTS[0], "h hint")
    screen.click("c[j]")
    screen.wait_for("● It is c[j]")
    screen.click("enter answer", inside=7)
    screen.wait_for(SURE)
    screen.keys("2")
    screen.wait_for("✓ right", NEXT)
    screen.click(NEXT)
    screen.wait_for(PROMPTS[1])


def test_ctrl_c_copies_what_the_mouse_selected(start: Start, start_pty: StartPty):
    # Where it stands is seen in a pane; the same start on a bare pty shows the bytes.
    screen = start.at_home(*TOPIC)
    screen.keys("Enter")
    screen.wait_for(PROMPTS[0], "h hint")
    row, column = screen.find("__shared__ float")
    pty = start_pty.at_home(*TOPIC)
    pty.type("\r")
    pty.wait_for("hint")
    for code, at, end in [(0, 0, "M"), (32, 5, "M"), (32, 9, "M"), (0, 9, "m")]:
        pty.type(f"\x1b[<{code};{column + 1 + at};{row + 1}{end}")
    pty.type("\x03")
    copied = base64.b64encode(b"__shared__").decode()
    pty.wait_for(f"\x1b]52;c;{copied}", "copied")
    pty.type("\x1b")
    pty.type("q")


def test_y_copies_the_code_through_the_terminal(start_pty: StartPty):
    pty = start_pty.at_home(*TOPIC)
    pty.type("\r")
    pty.wait_for("hint")
    assert COLOUR.findall(pty.written)
    pty.type("y")
    came = pty.wait_for("\x1b]52;c;", "copied")
    found = re.search(rb"\x1b\]52;c;([A-Za-z0-9+/=]+)(?:\x07|\x1b\\)", came)
    assert found is not None
    code = base64.b64decode(found.group(1)).decode()
    assert code.rstrip("\n") == (
        "__shared__ float a[32][33];\nb[i] += a[tid]; // [/x] [bold]red[/bold] \\[no]"
    )


def test_standard_error_may_go_elsewhere(start: Start, tmp_path: Path):
    log = tmp_path / "errors"
    script = f'"$@" 2>{log}'
    screen = start(command=["sh", "-c", script, "sh", *program(), "start"])
    screen.wait_for(HOME)
    screen.keys("q")
    assert screen.exit_status() == 0
    assert log.read_bytes() == b""


def test_a_terminal_that_is_said_to_lack_characters(start_pty: StartPty):
    pty = start_pty.at_home(*TOPIC, LC_ALL="C", PYTHONIOENCODING="ascii")
    pty.type("\r")
    pty.wait_for("hint")
    pty.type("g")
    pty.wait_for("next")
    pty.type("\x03")
    assert pty.exit_status() == 130
    assert pty.written.isascii()
    assert b"\\u" not in pty.written
    assert b"x given up" in pty.written


def test_exported_columns_and_lines_do_not_freeze_the_size(start: Start):
    screen = start.at_home(size=(100, 30), COLUMNS="80", LINES="24")
    until(lambda: "q quit" in screen.text().splitlines()[-1], screen.text)
    screen.resize(50, 12)
    screen.wait_for("too small: 50×12")


def test_a_paste_is_text_in_a_field_and_nothing_outside(start: Start):
    screen = start.at_home("--topic", "terminal", "--kind", "recall")
    screen.keys("Enter")
    screen.wait_for(PROMPTS[2], "enter answer")
    screen.type("\x1b[200~q@-1\rg\x1b[201~")
    screen.keys("i")
    screen.wait_for("esc other keys", PROMPTS[2])
    screen.type("\x1b[200~float a[i];\rb[/x] 冲突\x1b[201~")
    screen.wait_for("float a[i];", "b[/x] 冲突", gone="q@-1")


@pytest.mark.long
def test_a_key_can_be_another_and_a_theme_may_not_exist(start: Start, home: Path):
    settings = 'welcomed = true\ntheme = "nonesuch"\n[keys]\nhint = "x"\n'
    (home / "config.toml").write_text(settings, "utf-8")
    screen = start.at_home(*TOPIC)
    screen.wait_for("nonesuch")
    screen.keys("Enter")
    screen.wait_for(PROMPTS[0], "x hint")
    screen.keys("h", "x")
    screen.wait_for("Look at h[0] [/h].", gone="no further hint")


@pytest.mark.long
def test_the_first_start_is_skipped_with_escape(start: Start, home: Path):
    (home / "config.toml").unlink()
    screen = start()
    screen.wait_for("992 of them bank conflicts", gone="enter study")
    screen.keys("Escape")
    screen.wait_for("中文", gone="enter study")
    screen.keys("Escape")
    screen.wait_for(HOME)
    screen.keys("q")
    assert screen.exit_status() == 0
    again = start.at_home()
    again.keys("q")
    assert again.exit_status() == 0
