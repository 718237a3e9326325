"""The reader against the YAML 1.2 table, PyYAML's own dumper, and exact positions."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from quizapp.deck.yaml_reader import InvalidYaml, read
from tests.deck.tools import MARK, ROOT, split_mark
from tests.sentences import english
from tests.tables import each

# Scalars

TABLE = {
    # text in 1.2, something else to PyYAML's 1.1
    "no": "no",
    "No": "No",
    "yes": "yes",
    "on": "on",
    "off": "off",
    "y": "y",
    "n": "n",
    "3:2": "3:2",
    "12:30:45": "12:30:45",
    "1_000": "1_000",
    "0b11": "0b11",
    "2026-05-04": "2026-05-04",
    "2026-05-04T10:00:00Z": "2026-05-04T10:00:00Z",
    "=": "=",
    "<<": "<<",
    "+.5": 0.5,
    # whole numbers
    "0": 0,
    "12": 12,
    "+1": 1,
    "-1": -1,
    "010": 10,
    "-007": -7,
    "0o17": 15,
    "0x1f": 31,
    "0x1F": 31,
    "123456789012345678901234567890": 123456789012345678901234567890,
    # not numbers after all
    "0o18": "0o18",
    "0xg": "0xg",
    "-0x1f": "-0x1f",
    "-0o7": "-0o7",
    "1e": "1e",
    "1e3.5": "1e3.5",
    "1.2.3": "1.2.3",
    "1,000": "1,000",
    "--1": "--1",
    "+": "+",
    ".": ".",
    "..": "..",
    "1 2": "1 2",
    "٣": "٣",
    # fractions
    "1.5": 1.5,
    "-1.5": -1.5,
    ".5": 0.5,
    "5.": 5.0,
    "1e3": 1000.0,
    "1E3": 1000.0,
    "1e+3": 1000.0,
    "1.5e-3": 0.0015,
    "-.5e1": -5.0,
    ".inf": math.inf,
    "-.INF": -math.inf,
    "+.Inf": math.inf,
    "inf": "inf",
    "nan": "nan",
    # true, false, nothing
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    "tRUE": "tRUE",
    "null": None,
    "Null": None,
    "NULL": None,
    "~": None,
    "": None,
    "nULL": "nULL",
    "none": "none",
    "None": "None",
    # quoted is text
    "'12'": "12",
    '"true"': "true",
    "''": "",
    '"~"': "~",
    '"\\u4e2d\\n"': "中\n",
    # plain text with what programmers write
    "a[tid]": "a[tid]",
    "x ^ y": "x ^ y",
    "tile[32][33]": "tile[32][33]",
    "a#b": "a#b",
    "a # b": "a",
    "http://x": "http://x",
}


@each(("text", "value"), TABLE.items(), ids=[repr(text) for text in TABLE])
@each("shape", ["{}", "- {}", "key: {}", "- - {}"])
def test_a_scalar_is_what_yaml_1_2_says(text, value, shape):
    data = read(shape.format(text).encode()).data
    while isinstance(data, list | dict):
        data = next(iter(data.values() if isinstance(data, dict) else data))
    assert data == value
    assert type(data) is type(value)


def test_not_a_number_is_one():
    assert all(math.isnan(read(f"[{text}]".encode()).data[0]) for text in (".nan", ".NaN", ".NAN"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: |\n  x\n   y\n\n  z\n", "x\n y\n\nz\n"),
        ("a: |-\n  12\n", "12"),
        ("a: >\n  x\n  y\n", "x y\n"),
        ("a: >-\n  true\n", "true"),
        ("a: x\n  y\n", "x y"),
    ],
)
def test_text_of_several_lines_is_text(text, value):
    assert read(text.encode()).data == {"a": value}


def test_every_key_is_text_as_it_was_written():
    keys = "{no: 1, 010: 2, 1.50: 3, ~: 4, true: 5, 'x y': 6, 0x1f: 7}"
    assert list(read(keys.encode()).data) == ["no", "010", "1.50", "~", "true", "x y", "0x1f"]


# Against PyYAML's dumper and JSON

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12) | st.sampled_from(
    [*TABLE, "a: b", "- a", "{a}", "# a", "a\nb", " a", "a ", "@a", "%a", "!a", "*a", "&a"]
)
_READ_ANOTHER_WAY = re.compile(r"[-+]?(0[ox])?[0-9a-fA-F.+-]+")
"""Texts that 1.1 leaves plain and 1.2 reads as numbers, `1e3` for one."""
texts = texts.filter(lambda text: not _READ_ANOTHER_WAY.fullmatch(text))
scalars = (
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | texts
)
documents = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


class _NoAliases(yaml.SafeDumper):
    def ignore_aliases(self, _data: object) -> bool:
        return True


@given(documents, st.booleans())
def test_what_pyyaml_writes_is_read_as_it_was_meant(data, flow):
    """Its dumper quotes whatever 1.1 would misread, so both versions agree on what it writes."""
    text = yaml.dump(data, Dumper=_NoAliases, default_flow_style=flow, allow_unicode=True)
    assert read(text.encode()).data == data


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**20), 10**20)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3)
        ),
        max_leaves=9,
    )
)
def test_json_is_yaml(data):
    assert read(json.dumps(data).encode()).data == data


@given(documents)
def test_every_value_is_found_where_pyyaml_s_pure_python_scanner_saw_it(data):
    text = yaml.dump(data, Dumper=_NoAliases, allow_unicode=True)
    document = read(text.encode())

    def walk(node: yaml.Node, path: tuple[str | int, ...]) -> None:
        mark = node.start_mark
        assert document.locate(path) == (mark.line + 1, mark.column + 1)
        if isinstance(node, yaml.SequenceNode):
            for i, item in enumerate(node.value):
                walk(item, (*path, i))
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                at = key.start_mark
                found = document.locate((*path, key.value), key=True)
                assert found == (at.line + 1, at.column + 1)
                walk(value, (*path, key.value))

    walk(yaml.compose(text, Loader=yaml.SafeLoader), ())


# Positions


@pytest.mark.parametrize(
    ("text", "path", "key"),
    [
        ("¦a: 1", (), False),
        ("a: ¦1", ("a",), False),
        ("¦a: 1", ("a",), True),
        ("中文: {en: 银行, zh: ¦中}", ("中文", "zh"), False),
        ("- a\n- b:\n    - c\n    - ¦d", (1, "b", 1), False),
        ("a:\n  ¦b: 1\n", ("a",), False),
        ("a: ¦|\n  x\n  y\n", ("a",), False),
        ("a: ¦{b: 1}", ("a", "missing"), False),
        ("a: ¦[1, 2]", ("a", 7), False),
        ("a: ¦[1, 2]", ("a", "x"), False),
        ("# note\n\n---\n¦a: 1", (), False),
        ("010: ¦x", ("010",), False),
        ("\ufeffa: 1\nb: ¦2", ("b",), False),
        ("a: 1\r\nb: ¦2\r\n", ("b",), False),
    ],
)
def test_a_path_leads_to_its_line_and_column(text, path, key):
    clean, place = split_mark(text)
    assert read(clean.encode()).locate(path, key=key) == place


def test_an_empty_file_is_nothing_at_its_beginning():
    for text in (b"", b"\n\n", b"# only a note\n"):
        document = read(text)
        assert (document.data, document.faults) == (None, ())
        assert document.locate(("a",)) == (1, 1)


# Refused, with the place

REFUSED = {
    "a key twice": ("a: 1\n¦a: 2\n", "'a'"),
    "a key twice in a flow map": ("- {a: 1, b: 2, ¦a: 3}", "'a'"),
    "a key twice, once quoted": ('a: 1\n¦"a": 2\n', "'a'"),
    "a key twice, of numbers": ("1: a\n¦1: b\n", "'1'"),
    "a key twice deep inside": ("x:\n  - y:\n      a: 1\n      b: 2\n      ¦a: 3\n", "'a'"),
    "an alias": ("a: &x 1\nb: ¦*x\n", "alias"),
    "an alias in a list": ("- &x [1]\n- 2\n- ¦*x\n", "alias"),
    "an alias of itself": ("a: &x\n  - ¦*x\n", "alias"),
    "an alias as a key": ("- &x a\n- {¦*x : 2}\n", "alias"),
    "a merge": ("a: &x {b: 1}\nc:\n  <<: ¦*x\n", "alias"),
    "a tag": ("a: ¦!!str 5", "tag"),
    "a tag on a map": ("¦!!map {a: 1}", "tag"),
    "a tag on a key": ("¦!k a: 1", "tag"),
    "a private tag": ("a: ¦!python/object:os.system x", "tag"),
    "a verbatim tag": ("a: ¦!<tag:x> 5", "tag"),
}


@each(("text", "says"), REFUSED.values(), ids=REFUSED.keys())
def test_what_changes_meaning_silently_is_refused_at_its_place(text, says):
    clean, place = split_mark(text)
    (fault,) = read(clean.encode()).faults
    assert says in english(fault)
    assert english(fault)
    assert (fault.line, fault.column) == place


def test_an_anchor_that_nobody_refers_to_is_harmless():
    document = read(b"a: &x 1")
    assert (document.data, document.faults) == ({"a": 1}, ())


def test_equal_values_are_no_aliases():
    assert read(b"a: [1]\nb: [1]").faults == ()


def test_all_such_faults_of_a_file_are_named():
    faults = read(b"a: &x 1\na: 2\nb: *x\nc: !t 3\nc: 4\n").faults
    assert [fault.line for fault in faults] == [2, 3, 4, 5]


UNREADABLE = {
    "an open quote": "a: 'x\n¦",
    "a bracket that does not close": "a: [1, 2\n¦",
    "a colon in plain text": "a: b¦: c",
    "a sign that begins nothing": "a: ¦@x",
    "a backquote": "a: ¦`x`",
    "a percent sign": "a: ¦%x",
    "wrong indentation": "a: 1\n ¦b: 2\n",
    "a tab as indentation": "a:\n¦\tb: 1",
    "an undefined alias": "a: ¦*nobody",
    "a second document": "a: 1\n¦---\nb: 2\n",
    "a bad escape": 'a: "x ¦\\q"',
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_is_no_yaml_is_refused_at_its_place(text):
    clean, place = split_mark(text)
    with pytest.raises(InvalidYaml) as refused:
        read(clean.encode())
    fault = refused.value.fault
    assert english(fault)
    assert english(fault)
    # libyaml points at the sign or right before or behind it; the line is what one goes to.
    assert fault.line == place[0]
    assert abs(fault.column - place[1]) <= 1


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"\xff", (1, 1)),
        (b"a: 1\nb: \xe9t\xe9\n", (2, 4)),
        ("a: 1\nb: 中文".encode() + b"\xff", (2, 6)),
        ("a: 中".encode()[:-1], (1, 4)),
        ("a: é".encode("latin-1"), (1, 4)),
        ("a: 1".encode("utf-16"), (1, 1)),
    ],
)
def test_what_is_not_utf_8_is_refused_at_its_character(data, place):
    with pytest.raises(InvalidYaml) as refused:
        read(data)
    fault = refused.value.fault
    assert "UTF-8" in english(fault)
    assert (fault.line, fault.column) == place


def test_a_control_character_is_refused():
    with pytest.raises(InvalidYaml) as refused:
        read(b"a: \x01")
    assert "control character" in english(refused.value.fault)


def test_a_number_of_thousands_of_digits_is_read_or_refused_and_not_a_crash():
    try:
        data = read(b"a: " + b"9" * 5000).data
    except InvalidYaml:
        return
    assert isinstance(data["a"], int | float | str | None)


@pytest.mark.parametrize("depth", [300, 600, 1500])
def test_deep_nesting_is_read_or_refused_and_not_a_crash(depth):
    try:
        data = read(b"[" * depth + b"]" * depth).data
    except InvalidYaml:
        return
    assert isinstance(data, list)


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "], ids=["list", "map", "block", "key"])
def test_nesting_without_end_is_refused_and_does_not_kill_the_program(opening):
    """In a process of its own: a stack that runs over in C takes the interpreter with it."""
    code = (
        "import sys\n"
        "from quizapp.deck.yaml_reader import InvalidYaml, read\n"
        "try: read(sys.argv[1].encode() * 60_000 + b'1')\n"
        "except InvalidYaml: print('refused')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, opening], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "refused"), done.stderr[-300:]


@given(
    st.binary(max_size=60)
    | st.text("ab:-[]{}&*!|>'\"#%@`,? \n\t0123~", max_size=60).map(str.encode)
)
def test_any_bytes_are_read_or_refused_with_a_place(data):
    try:
        faults = read(data).faults
    except InvalidYaml as refused:
        faults = (refused.fault,)
    lines = data.count(b"\n") + data.count(b"\r") + 2
    for fault in faults:
        assert 1 <= fault.line <= lines + data.count(b"\xc2\x85") + data.count(b"\xe2\x80")
        assert fault.column >= 1


def test_the_mark_of_these_tests_is_no_yaml_sign():
    assert read(f"a: {MARK}".encode()).data == {"a": MARK}
