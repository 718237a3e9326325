"""What counts as unsafe, held against Unicode's own tables; and the gate before a terminal."""

from __future__ import annotations

import io
import re
import sys
import unicodedata
from pathlib import Path

import click
import pytest

from quizapp.system import streams
from quizapp.system.safe_text import (
    as_cell,
    escape_character,
    hide_password,
    is_safe,
    one_line,
    one_to_one,
    safe,
)
from tests.sentences import catalogue

EVERY = [chr(number) for number in range(sys.maxunicode + 1)]
LAYOUT = ("\n", "\t")
BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
MARKS = ("\u061c", "\u200e", "\u200f")
CONTENT = Path(__file__).parents[1] / "content"


def test_every_control_separator_half_pair_and_direction_is_made_visible():
    for one in EVERY:
        control = unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp")
        if one in MARKS or unicodedata.bidirectional(one) in BIDI or control:
            assert safe(f"a{one}b") == (
                f"a{one}b" if one in LAYOUT else f"a{escape_character(one)}b"
            )


def test_what_can_be_seen_stays_as_it_is():
    shown = "".join(one for one in EVERY if one.isprintable()) + "".join(LAYOUT) + "\r\n"
    assert safe(shown) == shown


def test_safe_text_is_safe_and_is_safe_agrees():
    for one in EVERY:
        assert is_safe(one) == (safe(one) == one)
    assert is_safe(safe("".join(EVERY)))


def test_an_escape_is_what_python_reads_back():
    unsafe = [one for one in EVERY if not is_safe(one)]
    for one in (*unsafe, "\xff", "\u0100", "\uffff", "\U00010000"):  # a stream may lack any
        assert ast_read(escape_character(one)) == one


def ast_read(text: str) -> str:
    import ast  # noqa: PLC0415

    value = ast.literal_eval(f'"{text}"')
    assert isinstance(value, str)
    return value


def test_a_carriage_return_ends_a_line_and_does_nothing_else():
    assert safe("a\r\nb\rc") == "a\r\nb\\x0dc"


@pytest.mark.parametrize("sign", "=+-@\uff1d\uff0b\uff0d\uff20\ufe62")
def test_a_cell_is_never_computed_and_a_number_stays_one(sign):
    for text in (f"{sign}1+1", f" {sign}cmd|x", f"\t{sign}A1"):
        assert as_cell(text) == f"'{text}"
    for text in ("-3", "+2.5e-3", "a=b", "", "\u4e2d"):
        assert as_cell(text) == text


def test_a_name_takes_one_line():
    assert one_line("a\nb\r\tc\x1b[2J\u2028") == r"a\nb\x0d\tc\x1b[2J\u2028"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://me:secret@example.org/x.git", "https://***@example.org/x.git"),
        ("https://TOKEN@example.org/x", "https://***@example.org/x"),
        ("HTTPS://TOKEN:x@h/x", "HTTPS://***@h/x"),
        ("https:/me:secret@h/x", "https:/***@h/x"),
        ("//me:secret@h/x", "//me:***@h/x"),
        ("me:secret@h:x", "me:***@h:x"),
        ("fatal: 'git@example.org:a/b.git'", "fatal: 'git@example.org:a/b.git'"),
        ("https://h/x?token=a1&b=c#d", "https://h/x?token=***&b=***#d"),
        (
            "fatal: 'ssh://a:b:c@d@h:22/x' of https://u:p@h/",
            "fatal: 'ssh://a:***@h:22/x' of https://***@h/",
        ),
        ("https://example.org:8080/@x", "https://example.org:8080/@x"),
        ("ssh://me@example.org/x", "ssh://me@example.org/x"),
    ],
)
def test_a_secret_in_a_url_is_hidden(text, shown):
    assert hide_password(text) == shown


def test_one_to_one_keeps_every_place():
    text = "".join(EVERY)
    shown = one_to_one(text)
    assert len(shown) == len(text)
    assert is_safe(shown)


@pytest.mark.parametrize("write", [print, click.echo])
def test_whatever_is_written_passes_the_gate(write, monkeypatch):
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", out)
    with streams.guard_streams():
        write("\x1b]52;c;QUIZ\x07\x9b2J\u202e")
        print(streams.paint("right", "green"), end="")
        streams.control(sys.stdout, "\r")
    assert sys.stdout is out
    out.flush()
    said = out.buffer.getvalue().decode()
    assert said == "\\x1b]52;c;QUIZ\\x07\\x9b2J\\u202e\n\x1b[32mright\x1b[0m\r"


def test_click_finds_no_way_around_the_gate_where_the_output_is_ascii(monkeypatch):
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    with streams.guard_streams():
        click.echo("\x9b2J ✓ \u202e")
    out.flush()
    assert out.buffer.getvalue() == b"\\x9b2J + \\u202e\n"


def find_lacking(text: str) -> list[str]:
    """What stays a number when an output has only ASCII, Chinese aside."""
    shown = text.encode("ascii", streams.TEXT_ERRORS).decode()
    numbers = re.findall(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4})", shown)
    chinese = re.compile(r"\\u(?:[3-9]|ff)")
    return [one for one in numbers if one not in text and not chinese.match(one)]


def test_every_sign_of_the_screens_has_a_stand_in():
    assert {key: find_lacking(en) for key, (en, _) in catalogue().items() if find_lacking(en)} == {}


def test_every_sign_of_the_questions_has_a_stand_in():
    files = {path: path.read_text("utf-8") for path in CONTENT.rglob("*.yaml")}
    assert {path: find_lacking(text) for path, text in files.items() if find_lacking(text)} == {}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("✓ right · ✗ wrong", "+ right . x wrong"),
        ("32×33, lanes 0–7 …", "32x33, lanes 0-7 ..."),
        ("2¹⁰ words, n² pairs, 10⁻⁶ s", "2^10 words, n^2 pairs, 10^-6 s"),
        (" 8 9¹0¹1", " 8 91011"),
        ("┌─┬─┐│█░│", "+-+-+|#.|"),
        ("a ≤ b ≠ c → d", "a <= b != c -> d"),
        ("log₂ αABᵀ, xᵢ′", "log2 alphaAB^T, x_i'"),
    ],
)
def test_stand_ins_read_the_same(text, shown):
    assert text.encode("ascii", streams.TEXT_ERRORS) == shown.encode()


def test_on_a_screen_stand_ins_take_the_same_columns():
    text = "┌ 32×33 … → 冲突 ✓ ○● n²"
    assert text.encode("ascii", streams.SCREEN_ERRORS) == b"+ 32x33 . - ???? + o* n2"
    boxes = "☐☑".encode("ascii", streams.SCREEN_ERRORS)
    assert boxes == b" x"
