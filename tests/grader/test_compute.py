"""`compute:` gives values known elsewhere, and refuses all that is not its language."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.compute import NotComputable, compute
from grader.facts import fact
from tests.sentences import chinese, english

# Values


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        # from the authoring guide
        ('wavefronts("load", 4, 33 * lane + 5)', 1),
        ('conflicts("store", 8, 2 * lane)', 2),  # 2·gcd(2, 16) wavefronts in 2 groups
        ('wavefronts("load", 4, 32 * lane, lane < 16)', 16),
        ("bank(4, 33 * 7 + 5)", 12),
        ("32 * 4 * 1.53", 195.84),
        # the calls
        ('groups("load", 16, lane)', 4),
        ('groups("load", 16, lane, lane < 8)', 1),
        ('wavefronts("load", 16, 0)', 2),
        ('wavefronts("atom", 4, 0)', 32),
        ('wavefronts("atom_inc", 4, 0)', 1),
        ('wavefronts("ldmatrix", 16, 8 * lane)', 32),
        ('conflicts("load", 4, lane ^ (lane >> 2), lane >= 8)', None),
        ("gcd(48, 32)", 16),
        ("min(3, 2.5)", 2.5),
        ("max(3, 7, 5)", 7),
        ("floor(7.9)", 7),
        ("ceil(7.1)", 8),
        # of LLMs, against published figures and queues walked through by hand
        ("kv_bytes(32, 8, 128, 2)", 131_072),
        ("kv_bytes(80, 8, 128, 2) * 1000", 327_680_000),
        ("ridge_batch(989, 3.35, 2)", 989 / 3.35),
        ("zero_bytes(0, 64)", 16),
        ("zero_bytes(1, 64) * 7.5", 31.40625),  # 31.4 GB, the ZeRO paper's figure 1
        ("zero_bytes(2, 64) * 7.5", 16.640625),  # 16.6 GB
        ("zero_bytes(3, 64) * 7.5", 1.875),  # 1.9 GB
        ("bubble_share(8, 32)", 7 / 39),
        ("bubble_share(8, 16, 4)", 7 / 71),
        ("mean_ttft(1, 0, 1000, 2, 1000, 10, 0.05)", 60),
        ("mean_tpot(1, 0, 1000, 2, 1000, 10, 0.05)", 10.05),
        ("mean_ttft(3, 0, 100, 1, 100, 20, 0)", 40),  # one prompt per step: 20, 40, 60
        ("mean_ttft(2, 0, 100, 4, 100, 20, 0)", 40),  # 99 tokens beside a decode: 20, 60
        ("mean_tpot(2, 0, 100, 4, 100, 20, 0)", 20),
        ("mean_ttft(2, 50, 100, 1, 100, 20, 0)", 20),  # the second comes when the first is gone
        ("mean_ttft(2, 30, 200, 1, 100, 20, 0)", 45),  # a step of 20 has begun when it comes
        # the operators
        ("2 + 3 - 4 * 5", -15),
        ("7 / 2", 3.5),
        ("7 // 2", 3),
        ("-7 % 32", 25),
        ("2 ** 10", 1024),
        ("6 & 3 | 8 ^ 1", 11),  # the precedence of Python, as the guide's operators are Python's
        ("1 << 10 >> 2", 256),
        ("+5", 5),
        ("-5", -5),
        ("3 < 4", 1),
        ("3 == 4", 0),
        ("2 ** -1", 0.5),
        ("  42  ", 42),
    ],
)
def test_an_expression_has_its_value(expression, value):
    if value is None:
        assert compute(expression) == 0  # a permutation of lanes never conflicts
    else:
        assert compute(expression) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("stride", range(1, 66))
def test_an_index_counts_elements_of_the_width(stride):
    for width, groups in ((4, 1), (8, 2), (16, 4)):
        expected = groups * math.gcd(stride, 32 // groups)
        assert compute(f'wavefronts("load", {width}, {stride} * lane)') == expected


@given(
    st.recursive(
        st.integers(0, 99).map(str),
        lambda inner: st.builds(
            "({} {} {})".format,
            inner,
            st.sampled_from(["+", "-", "*", "//", "%", "&", "|", "^"]),
            inner,
        ),
        max_leaves=7,  # 99**7 still is within 48 bits,
    )
)
def test_whole_number_arithmetic_is_python_s(expression):
    """Against the interpreter itself, on text that we made."""
    try:
        expected = eval(expression, {"__builtins__": {}})
    except ZeroDivisionError:
        with pytest.raises(NotComputable) as refused:
            compute(expression)
        assert refused.value.what == fact("source.division-by-zero")
        return
    assert compute(expression) == expected


# What is refused, and where

HOSTILE = {
    "a power tower": "9**9**9",
    "a power tower with brackets": "(9**9)**9**9",
    "a huge shift": "1<<10**9",
    "a shift by a huge literal": "1 << 99999999999999",
    "a huge power of an array": "lane ** 10 ** 9",
    "a huge shift of an array": "lane << 10**9",
    "a huge literal": "9" * 1900,
    "infinity": "1e999",
    "infinity by product": "1e14 * 1e14 * 1e300",
    "not a number": "1e999 - 1e999",
    "not a number from a call": "min(1e999, 1e999 * 0)",
    "an imaginary number": "1j",
    "a root of a negative number": "(0 - 8) ** 0.5",
    "a root of negative lanes": 'wavefronts("load", 4, (lane - 5) ** 0.5)',
    "deep brackets": "(" * 900 + "1" + ")" * 900,
    "deep signs": "-" * 1900 + "1",
    "a deep sum": "1" + "+1" * 900,
    "a long one": "1 +" + " " * 2_000 + "1",
    "ten megabytes": "1+" * 5_000_000 + "1",
    "an attribute": "(1).__class__",
    "an attribute of a call": "gcd.__self__",
    "a subscript": "lane[0]",
    "an import": "__import__('os').system('true')",
    "a name": "foo",
    "a builtin": "open('/etc/passwd')",
    "a function without a call": "gcd",
    "text": "'abc'",
    "a kind alone": "'load'",
    "a kind in arithmetic": "'load' * 2",
    "bytes": "b'x'",
    "an f-string": "f'{1}'",
    "a lambda": "(lambda: 1)()",
    "a list comprehension": "[x for x in (1, 2)]",
    "a generator": "max(x for x in (1, 2))",
    "a list": "[1]",
    "a tuple": "(1, 2)",
    "a map": "{1: 2}",
    "a walrus": "(x := 1)",
    "a conditional": "1 if 2 else 3",
    "and, or": "1 and 2",
    "not": "not 1",
    "true": "True",
    "nothing": "None",
    "an ellipsis": "...",
    "a chain of comparisons": "1 < 2 < 3",
    "a named argument": 'wavefronts(kind="load", width=4, index=lane)',
    "a starred argument": "max(*lane)",
    "two statements": "1; 2",
    "an assignment": "x = 1",
    "no text": "",
    "spaces": "   ",
    "a NUL": "1 + \0",
    "half a surrogate pair": "\ud800",
    "no layers": "kv_bytes(0, 8, 128, 2)",
    "a stage that ZeRO does not have": "zero_bytes(4, 8)",
    "no bandwidth": "ridge_batch(989, 0, 2)",
    "half a micro-batch per lane": "bubble_share(4, lane)",
    "half a request": "mean_ttft(1.5, 0, 10, 1, 10, 1, 0)",
    "a queue too long to simulate": "mean_ttft(64, 0, 90000, 1, 64, 1, 0)",
    "a second token that never comes": "mean_tpot(1, 0, 10, 1, 10, 1, 0)",
    "a step without a token for each request": "mean_ttft(9, 0, 10, 1, 8, 1, 0)",
    "rubbish": "2 +* 3",
    "await": "await 1",
    "yield": "(yield)",
    "matrix product": "lane @ lane",
    "division by zero": "1 // 0",
    "remainder by zero": "1 % 0",
    "true division by zero": "1 / 0",
    "a power of zero": "0 ** -1",
    "lanes divided by zero": 'wavefronts("load", 4, lane // 0)',
    "one value a lane": "lane",
    "one comparison a lane": "lane < 16",
    "a half index": 'wavefronts("load", 4, lane / 2)',
    "a negative index": 'wavefronts("load", 4, lane - 1)',
    "an unknown kind": 'wavefronts("read", 4, lane)',
    "a wrong width": 'wavefronts("load", 3, lane)',
    "a width for each lane": 'wavefronts("load", lane, lane)',
    "too few arguments": 'wavefronts("load", 4)',
    "too many arguments": 'wavefronts("load", 4, lane, lane < 16, 1)',
    "a bank for each lane": "bank(4, lane)",
    "a divisor for each lane": "gcd(2, lane)",
    "a divisor of halves": "gcd(1.5, 2)",
    "the least lane": "min(lane, 3)",
    "the floor of lanes": "floor(lane)",
    "no argument": "max()",
}


@pytest.mark.parametrize("expression", HOSTILE.values(), ids=HOSTILE.keys())
def test_it_is_refused_with_a_column(expression):
    with pytest.raises(NotComputable) as refused:
        compute(expression)
    assert 1 <= refused.value.column <= max(1, len(expression))
    assert english(refused.value)
    assert chinese(refused.value)


@pytest.mark.parametrize(
    ("expression", "column"),
    [
        ("foo", 1),
        ("1 + foo", 5),
        ("gcd(2, foo(3))", 8),
        ("2 * (3 + lane.T)", 10),
        ("1 + 'abc'", 5),
        ("1 + 'load'", 5),
        ("2 * 9 ** 99", 5),
        ("5 + 1 / 0", 5),
        ("1 + min(lane, 2)", 5),
        ("1 + 10 ** 15", 5),
        ("2 +* 3", 4),
    ],
)
def test_the_column_is_that_of_the_part_refused(expression, column):
    with pytest.raises(NotComputable) as refused:
        compute(expression)
    assert refused.value.column == column


@pytest.mark.parametrize(
    "expression",
    [
        "-(lane < 16)",
        "+(lane < 16)",
        'wavefronts("load", 4, -(lane < 16))',
        'wavefronts("load", 4, lane, -(lane < 16))',
    ],
)
def test_a_sign_before_a_comparison_of_lanes_is_refused_and_not_a_crash(expression):
    with pytest.raises(NotComputable):
        compute(expression)


@pytest.mark.parametrize(
    "index",
    [
        "(lane * 0 + 2**40) * (2**40)",
        "(lane + 2**40) * 2**30 * 2**30",
        "(lane * 0 + 2**20) << 48",
        "(lane * 0 + 2**24) ** 4",
        "lane << (0 - 1)",
        "lane >> (0 - 1)",
        "1 << (0 - lane)",
    ],
)
def test_arithmetic_of_lanes_never_wraps_around_to_a_wrong_value(index):
    """In whole numbers these leave 48 bits, or have no value: 64-bit lanes must not hide it."""
    with pytest.raises(NotComputable):
        compute(f'wavefronts("load", 4, {index})')


@pytest.mark.parametrize(
    "expression",
    [
        "bank(4, 1.5)",
        "bank(3, 5)",
        "bank(0, 1)",
        "bank(4, 0 - 1)",
        'wavefronts("load", 4, lane, 0.5)',
        'wavefronts("load", 4, lane, "load")',
    ],
)
def test_a_call_with_arguments_that_mean_nothing_is_refused(expression):
    with pytest.raises(NotComputable):
        compute(expression)


def test_a_wrong_call_is_explained_without_names_of_our_own():
    with pytest.raises(NotComputable) as refused:
        compute('wavefronts("load", 4)')
    assert "wavefronts(kind, width, index[, active])" in english(refused.value)


@pytest.mark.parametrize(
    "shape", ["{}", "[{} for x in (1,)]", "(lambda: {})()", "max({}, 1)", "f'{{{}}}'", "lane[{}]"]
)
def test_nothing_of_it_is_executed(shape, tmp_path):
    trace = tmp_path / "trace"
    with pytest.raises(NotComputable):
        compute(shape.format(f"__import__('pathlib').Path({str(trace)!r}).touch()"))
    assert not trace.exists()


@given(st.text(max_size=40) | st.text("lane()+-*/%<>=&|^0123456789., \"'gcdminload", max_size=60))
def test_any_text_has_a_value_or_is_refused(text):
    try:
        value = compute(text)
    except NotComputable:
        return
    assert math.isfinite(value)


@given(st.text(max_size=200))
@pytest.mark.long
def test_any_longer_text_has_a_value_or_is_refused(text):
    try:
        assert math.isfinite(compute(text))
    except NotComputable:
        return
