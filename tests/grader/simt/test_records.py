"""Records: values against Numba's `njit`, bytes against what its CUDA compiler emits, findings."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import Refused, launch, read
from tests.grader.simt.tools import kernel, kinds, module, places, python_function, run
from tests.sampling import every
from tests.sentences import english

POINT = np.dtype(
    [("x", "f4"), ("y", "f8"), ("n", "i4"), ("c", "c8"), ("b", "?"), ("h", "u2")], align=True
)
PACKED = np.dtype([("x", "f4"), ("n", "i4")])
NESTED = np.dtype(
    [("p", POINT), ("j", "f4", (3,)), ("m", "i2", (2, 2)), ("q", PACKED, (2,))], align=True
)
PAIR = np.dtype([("x", "f4"), ("y", "f4")], align=True)

FORMS = {
    "attribute": ["a[i].x = i", "a[i].y = a[i].x / 3"],
    "brackets": ["a[i]['n'] = 2 * i", "a[i]['x'] = a[i]['n']"],
    "number": ["a[i][2] = 3 * i", "k = 0", "a[i][k] = a[i][-4]"],
    "field of all": ["a.x[i] = i", "a['n'][i] += i", "o[i] = a.y.size + len(a['x'])"],
    "a variable is a reference": ["r = a[i]", "r.x = 7", "r.n += i", "o[i] = a[i].x"],
    "one of two": ["r = a[i] if i % 3 else a[15 - i]", "o[i] = r.n", "r.h = i"],
    "set on two paths": ["if i % 2:", "    r = a[i]", "else:", "    r = a[15]", "o[i] = r.y"],
    "in a loop": ["r = a[0]", "for k in range(i):", "    r = a[k]", "o[i] = r.n"],
    "conversion at the store": ["a[i].n = 2.75 * i", "a[i].h = -i", "a[i].b = i", "a[i].x = i / 3"],
    "complex": ["a[i].c = i + 2j", "o[i] = a[i].c.imag"],
    "copy": ["a[i] = a[15 - i] if i < 2 else a[i]", "n[i].p = a[i]"],
    "nested record": ["n[i].p.x = i", "n[i]['p']['n'] += 2", "r = n[i].p", "o[i] = r.x + r.n"],
    "nested field of all": ["n.p.x[i] = i", "n['p'][i].y = 3", "o[i] = n.p['n'][i]"],
    "nested array": ["n[i].j[i % 3] = i", "n[i].m[1, i % 2] += 3", "o[i] = n[i].j[1]"],
    "nested array of all": ["n.j[i, 1] = i", "o[i] = n['m'][i, 1, 0] + n.j.ndim"],
    "nested array at once": ["n[i].j = n[i + 8].j", "n[i].m = n[15].m"],
    "nested array of records": ["n[i].q[1].x = i", "r = n[i].q[i % 2]", "r.n = 5"],
    "sizes": ["o[i] = len(n[i].j) + n[i].m.shape[1] + n.m.size + a.itemsize"],
    "iteration": ["for r in a:", "    o[i] += r.n", "for v in n[i].j:", "    o[i] -= v"],
    "slices": ["o[i] = a[2:][i % 4].n + a[::2].x[1] + n[i].j[1:].size", "a[:8].h[i] = 3"],
    "two at once": ["a[i].x, a[i].y = a[i].y, a[i].x"],
    "tuple": ["t = (a[i], a[i])", "t[0].x = 4", "o[i] = t[1].x"],
}


def given() -> list[np.ndarray]:
    random = np.random.default_rng(3)
    a, n = np.zeros(16, POINT), np.zeros(16, NESTED)
    for array in (a, n["p"]):
        for name in "xyn":
            array[name] = random.integers(-50, 50, 16)
    n["j"], n["m"] = random.random((16, 3)), random.integers(-9, 9, (16, 2, 2))
    n["q"]["x"] = random.random((16, 2))
    return [a, n, np.zeros(16)]


@pytest.mark.parametrize("form", every(3, FORMS, str))
def test_values_are_those_of_njit(form):
    ours, numbas = given(), given()
    launch(kernel("i = cuda.grid(1)", *FORMS[form], takes="a, n, o"), 1, 8, ours)
    lines = [f"    {line}" for line in FORMS[form]]
    text = kernel("for i in range(8):", *lines, takes="a, n, o")
    module("numba").njit(python_function(text))(*numbas)
    for mine, theirs in zip(ours, numbas, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_a_record_in_shared_and_local_memory_and_one_that_is_a_constant():
    table = np.array([(2, 3), (4, 5)], PAIR)
    text = kernel(
        "i = cuda.grid(1)",
        "s, p = cuda.shared.array(32, PAIR), cuda.local.array((2, 2), PAIR)",
        "s[i].x = i",
        "s[i].y = 1",
        "cuda.syncthreads()",
        "p[1, 0] = s[31 - i]",
        "p[1, 0].y += TABLE[1].x",
        "o[i] = p[1, 0].x + p[1, 0].y + cuda.const.array_like(TABLE)[i % 2].y",
    )
    out = np.zeros(32)
    done = launch(
        read(text.replace("(a)", "(o)"), names={"PAIR": PAIR, "TABLE": table}), 1, 32, [out]
    )
    i = np.arange(32)
    np.testing.assert_array_equal(out, (31 - i) + 5 + np.where(i % 2, 5, 3))
    assert not done.findings


def test_a_record_fills_a_part_of_an_array():
    a = np.zeros(6, PAIR)
    a[0] = (1, 2)
    done = run(kernel("a[1::2] = a[0]"), [a], block=1)
    assert a["y"].tolist() == [2, 2, 0, 2, 0, 2]
    assert done.line(2)["global_store_requests"] == 3 * PAIR.itemsize


def test_an_argument_that_is_a_record_is_changed():
    record = np.zeros((), PAIR)[()]
    text = kernel("r.x = 3", "r['y'] += f(r)", takes="r")
    launch("def f(r):\n    return r.x + 1\n" + text, 1, 1, [record])
    assert record.item() == (3, 4)


class TestCounts:
    """The bytes: a lane's field is 8 bytes from the next lane's."""

    def test_a_field_of_aligned_records_is_a_strided_access(self):
        done = run(kernel("i = cuda.grid(1)", "o[i] = a[i].x", takes="a, o"), arrays(PAIR))
        assert totals(done, 3, "global_load") == {
            "requests": 1, "sectors": 8, "ideal_sectors": 4, "lanes": 32,
        }  # fmt: skip

    def test_without_align_each_byte_is_an_access(self):
        """As PTX has it: four `ld.global.u8` for a float32."""
        done = run(kernel("i = cuda.grid(1)", "o[i] = a[i].x", takes="a, o"), arrays(PACKED))
        assert totals(done, 3, "global_load") == {
            "requests": 4, "sectors": 32, "ideal_sectors": 4, "lanes": 128,
        }  # fmt: skip
        assert [(one.kind, one.topic, one.line) for one in done.findings] == [
            ("warning", "packed record", 3)
        ]
        assert "align=True" in english(done.findings[0].hint)

    def test_so_it_is_in_the_array_of_a_field_but_not_for_atomics(self):
        """As PTX has it: four `ld.u8` for `a.x[i]`, one `atom.add.u32` on `a.n`."""
        lines = ["i = cuda.grid(1)", "o[i] = a.x[i]", "cuda.atomic.add(a.n, i, 1)"]
        done = run(kernel(*lines, takes="a, o"), arrays(PACKED))
        assert totals(done, 3, "global_load")["requests"] == 4
        assert totals(done, 4, "global_atomic")["requests"] == 1
        assert [one.topic for one in done.findings] == ["packed record"]

    def test_an_array_within_a_record_counts_as_aligned(self):
        """As PTX has it: one `ld.global.f32` for `a[i].j[1]`."""
        nested = np.dtype([("k", "i4"), ("j", "f4", (3,))])
        done = run(kernel("i = cuda.grid(1)", "o[i] = a[i].j[1]", takes="a, o"), arrays(nested))
        assert totals(done, 3, "global_load")["requests"] == 1
        assert not done.findings

    @pytest.mark.parametrize(("dtype", "size"), [(PAIR, 8), (POINT, 32)])
    def test_a_copy_is_made_byte_by_byte_with_the_padding(self, dtype, size):
        """As PTX has it: 8 or 32 `ld.global.u8` and as many `st.global.u8`."""
        a = np.zeros(64, dtype)
        done = run(kernel("i = cuda.grid(1)", "a[i] = a[i + 32]"), [a])
        for kind in ("global_load", "global_store"):
            assert totals(done, 3, kind)["requests"] == size

    def test_banks_of_a_field_in_shared_memory(self):
        wide = np.dtype([("x", "f4"), ("rest", "f4", (31,))], align=True)
        text = kernel("i = cuda.grid(1)", "s = cuda.shared.array(32, RECORD)", "s[i].x = i")
        for record, wavefronts in ((wide, 32), (PAIR, 2)):
            done = launch(read(text, names={"RECORD": record}), 1, 32, [np.zeros(1)])
            assert done.line(4)["shared_store_wavefronts"] == wavefronts

    def test_a_record_that_crosses_sectors(self):
        odd = np.dtype([("b", "u1", (5,))])
        done = run(kernel("i = cuda.grid(1)", "o[i] = a.b[i, 4]", takes="a, o"), arrays(odd))
        assert totals(done, 3, "global_load")["sectors"] == 5


def arrays(dtype: np.dtype) -> list[np.ndarray]:
    return [np.zeros(32, dtype), np.zeros(32, np.float32)]


def totals(done, line: int, prefix: str) -> dict[str, int]:
    start = f"{prefix}_"
    return {
        name.removeprefix(start): count
        for name, count in done.line(line).items()
        if name.startswith(start)
    }


class TestFindings:
    def test_two_threads_on_two_fields_do_not_race(self):
        text = kernel(
            "i = cuda.grid(1)", "if i == 0:", "    a[0].x = 1", "if i == 1:", "    a[0].y = 2"
        )
        assert not run(text, [np.zeros(1, PAIR)]).findings

    @pytest.mark.parametrize("dtype", [PAIR, np.dtype([("x", "f4"), ("y", "f8")], align=True)])
    def test_two_threads_on_one_field_race(self, dtype):
        text = kernel("i = cuda.grid(1)", "a[i // 2 + 3].y = i")
        done = run(text, [np.zeros(32, dtype)])
        assert places(done) == [("global-race", 3)]
        assert "a[3].y" in english(done.findings[0].what)

    def test_a_race_in_shared_memory_names_the_field(self):
        inner = np.dtype([("u", "i2"), ("v", "i2", (2,))], align=True)
        record = np.dtype([("k", "i4"), ("p", inner, (2,))], align=True)
        text = kernel(
            "i = cuda.threadIdx.x",
            "s = cuda.shared.array(4, RECORD)",
            "s[2].p[1].v[1] = i",
            "a[0] = s[2].p[1].v[1]",
        )
        done = launch(read(text, names={"RECORD": record}), 1, 64, [np.zeros(1)])
        races = [one for one in done.findings if one.kind == "race"]
        assert "s[2].p[1].v[1]" in english(races[0].what)
        assert races[0].index == (2,)

    def test_a_field_that_nobody_has_written(self):
        text = kernel(
            "s = cuda.shared.array(32, PAIR)", "i = cuda.threadIdx.x", "s[i].x = 1",
            "cuda.syncthreads()", "a[i] = s[i].x + s[i].y",
        )  # fmt: skip
        done = launch(read(text, names={"PAIR": PAIR}), 1, 32, [np.zeros(32)])
        assert places(done) == [("uninitialised-read", 6)]
        assert "s[0].y" in english(done.findings[0].what)

    def test_beyond_the_end_once_and_nothing_is_written(self):
        a = np.zeros(30, PAIR)
        done = run(kernel("i = cuda.grid(1)", "r = a[i]", "r.x = 1", "a[i].y = 2"), [a])
        assert places(done) == [("out-of-bounds", 3), ("out-of-bounds", 5)]
        assert a["x"].tolist() == [1] * 30

    def test_who_wrote_a_record_and_which_nobody_has(self):
        a = np.zeros((4, 16), POINT)
        text = kernel("i = cuda.grid(1)", "if i < 8:", "    a[i % 4, i // 4 + 3].n = i")
        done = run(text, [a[:, ::2]], outputs=["a"])
        assert done.origin("a", (2, 4)).thread == (6, 0, 0)
        assert done.origin("a", (2, 5)) is None
        assert int(done.written_elements("a").sum()) == 8
        assert "24 of 32" in english(done.findings[0].what)

    def test_atomics_on_a_field_do_not_race(self):
        a = np.zeros(2, POINT)
        text = kernel("cuda.atomic.add(a.n, 1, 2)", "cuda.atomic.max(a['y'], 0, 3.5)")
        assert not run(text, [a]).faults
        assert (a[1]["n"], a[0]["y"]) == (64, 3.5)


EACH_A_FIELD = ["if i == 0:", "    a[0].x = 1", "if i == 1:", "    a[0].y = 2"]
REFUSED = {
    "a[0].z": "the record has no field z",
    "a[0].zz": "its fields: x, y, n, c, b, h",
    "a[0][i]": "a record takes the name of a field",
    "a[0][6]": "a record takes the name of a field",
    "a[0][1:]": "a record takes the name of a field",
    "a[0] + 1": "a record with the fields",
    "a[0] == a[1]": "a record with the fields",
    "u[0].f": "align=True",
    "t[0].s": "arrays of |S3 are not emulated",
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_numba_refuses_is_refused(code):
    unaligned = np.zeros(2, [("b", "u1"), ("f", "f4")])
    text = kernel("i = cuda.grid(1)", f"o[0] = {code}", takes="a, u, t, o")
    with pytest.raises(Refused) as caught:
        run(text, [np.zeros(2, POINT), unaligned, np.zeros(2, [("s", "S3")]), np.zeros(1)])
    assert REFUSED[code] in english(caught.value)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("a[0] = (1, 2, 3, 4, 5, 6)", "only a record with the same fields"),
        ("a[0] = p[0]", "only a record with the same fields"),
        ("n[0].j = n[1].m", "with elements of its own dtype"),
        ("n[0].j = 2", "with elements of its own dtype"),
        ("a[1:] = p[0]", "only a record with the same fields"),
        ("a[0] += 1", "a record with the fields"),
    ],
)
def test_what_cannot_be_assigned(line, what):
    with pytest.raises(Refused) as caught:
        run(
            kernel(line, takes="a, p, n"),
            [np.zeros(2, POINT), np.zeros(2, PAIR), np.zeros(2, NESTED)],
        )
    assert what in english(caught.value)


def test_dtypes_that_differ_in_align_alone_are_compiled_apart():
    code = read(kernel("i = cuda.grid(1)", "a[i].x = 1"))
    for dtype, requests in ((PAIR, 1), (np.dtype([("x", "f4"), ("y", "f4")]), 4)):
        done = launch(code, 1, 32, [np.zeros(32, dtype)])
        assert done.line(3)["global_store_requests"] == requests
        assert kinds(done) == ["warning"] * (requests > 1)
