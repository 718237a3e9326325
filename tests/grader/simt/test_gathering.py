"""A loop whose warps are gathered does, counts and finds what it does where they stay."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt.lockstep import gathering
from grader.simt.lockstep.gathering import GatheredChunk
from tests.grader.simt import corpus
from tests.grader.simt.tools import run

THREADS, BLOCK = 320, 64
HELPERS = """
def escape(x, y, most):
    for k in range(most):
        if x * x + y * y > 4.0:
            return k
        x, y = x * x - y * y - 0.4, 2.0 * x * y + 0.6
    return most

def halves(n):
    count = 0
    while n > 1:
        n = n // 2
        count += 1
    return n, count
"""
BODIES = {
    "return in a function": "b[i] = escape(i / 160.0 - 1.0, i % 7 / 7.0, 40)",
    "a tuple is returned": "b[i], b[i + 320] = halves(a[i] * a[i])",
    "complex numbers": """
        z = complex(i / 160.0 - 1.0, 0.3)
        k = 0
        while k < 30 and abs(z) < 2.0:
            z = z * z + 0.3
            k += 1
        b[i] = k
    """,
    "break, continue and else": """
        x = 0
        for k in range(a[i]):
            if k % 3 == 1:
                continue
            x += k * i
            if x > 900:
                break
        else:
            x = -x
        b[i] = x
        b[i + 320] = k
    """,
    "what threads that left keep": """
        x, last, pair = 1, -1, (0, 0.5)
        while x < 5000:
            x = x * 2 + a[i]
            pair = (x, pair[1] * 2)
            if x % 5 == 0:
                break
            last = x
        b[i] = x + last * 3 + pair[0]
        b[i + 320] = pair[1] * 8
    """,
    "loops within loops": """
        x = 0
        for k in range(i % 9):
            m = k
            while m < a[i]:
                m += 1 + k
                x += m
            y = x + m
        b[i] = x
    """,
    "a thread returns": """
        for k in range(100):
            if k * 3 > i:
                return
            b[i] = k
        b[i] = -1
    """,
    "rows and their slices": """
        row = m[i]
        x = 0
        for k in range(i // 40):
            x += row[k] + m[i, 1:][k % 7]
        b[i] = x
    """,
    "what a thread finds out of its array": """
        for k in range(i):
            b[i + k * 40] = k
    """,
    "a guard that is off by one": """
        for k in range(1, 1 + (i > 100)):
            x = 0
            while x < i:
                if i <= b.size // 2:
                    b[i * 2] = x
                x += 50
    """,
    "races": """
        for k in range(i // 3):
            b[k] += i
    """,
    "races after a barrier": """
        cuda.syncthreads()
        for k in range(i // 3):
            b[k] = i
        cuda.syncthreads()
        b[i] = b[i + 1]
    """,
    "a division by zero": """
        for k in range(i):
            b[i] = 100 // (k - 200)
    """,
    "an integer that does not fit": """
        for k in range(i):
            c[i] = k * k
    """,
    "a negative index": """
        for k in range(i // 2):
            b[-k] = 1
    """,
    "position and lane": """
        x = 0
        while x * x < i * 3:
            x += 1 + cuda.laneid % 2 + cuda.threadIdx.x % 3 + cuda.blockIdx.x % 2
            x += cuda.grid(1) & 1
        b[i] = x
    """,
    "a choice of arrays": """
        r = a if i % 2 else b
        for k in range(i // 9):
            r[i] += k
    """,
    "a variable that a function captures": """
        x = 0
        plus = lambda y: x + y
        while x < a[i] * 7:
            x += 3
        b[i] = plus(1)
    """,
    "numbers whose type widens": """
        x = 1
        for k in range(i // 16):
            x = x * 0.5
            if k > 9:
                x = 3
        b[i] = x * 1000
    """,
}
NOT_GATHERED = {
    "a barrier": """
        for k in range(i // 32):
            cuda.syncthreads()
            b[i] = k
    """,
    "a vote": """
        for k in range(i // 32):
            b[i] = cuda.ballot_sync(0xffffffff, i % 3)
    """,
    "shared memory": """
        s = cuda.shared.array(64, numba.int64)
        for k in range(i // 32):
            s[i % 64] = k
        b[i] = s[i % 64]
    """,
    "local memory of a function": """
        for k in range(i // 32):
            l = cuda.local.array(2, numba.int64)
            l[k % 2] += k
            b[i] = l[0]
    """,
    "shared memory that a function captures": """
        s = cuda.shared.array(64, numba.int64)
        put = lambda k: s[k % 64] + 1
        for k in range(i // 32):
            b[i] = put(i)
    """,
    "an array that is set": """
        for k in range(i // 32):
            r = a if i % 2 else b
            r[i] = k
    """,
}


def text(body: str) -> str:
    lines = [line.removeprefix("    ") for line in body.strip("\n").splitlines()]
    if len(lines) == 1:
        lines = ["    " + lines[0].strip()]
    return f"{HELPERS}\ndef kernel(a, b, c, m):\n    i = cuda.grid(1)\n" + "\n".join(lines)


@pytest.fixture
def gathered(monkeypatch) -> list[int]:
    """How many warps were gathered, each time."""
    found: list[int] = []
    begin = GatheredChunk.__init__

    def note(self, source, mask):
        begin(self, source, mask)
        found.append(self.blocks)

    monkeypatch.setattr(GatheredChunk, "__init__", note)
    return found


def outcome(source: str, monkeypatch, *, always: bool) -> list:
    monkeypatch.setattr(gathering, "FEWEST", 0 if always else 1 << 60)
    monkeypatch.setattr(gathering, "DENSE", 1.0)
    arguments = [
        np.arange(THREADS) % 50,
        np.zeros(2 * THREADS, np.int64),
        np.zeros(THREADS, np.int8),
        np.arange(THREADS * 8).reshape(THREADS, 8),
    ]
    done = run(source, arguments, grid=THREADS // BLOCK, block=BLOCK, everywhere=True)
    places = [done.origin("b", at) for at in range(2 * THREADS)]
    return [*(array.tolist() for array in arguments), done.files, done.findings, places]


@pytest.mark.parametrize("name", BODIES)
def test_gathered_warps_do_the_same(name, gathered, monkeypatch):
    source = text(BODIES[name])
    expected = outcome(source, monkeypatch, always=False)
    assert not gathered
    assert outcome(source, monkeypatch, always=True) == expected
    assert gathered
    assert min(gathered) < THREADS // 32


@pytest.mark.parametrize("name", NOT_GATHERED)
def test_warps_stay_where_a_loop_looks_at_other_threads(name, gathered, monkeypatch):
    outcome(text(NOT_GATHERED[name]), monkeypatch, always=True)
    assert not gathered


def test_operations_are_those_of_all_warps(gathered, monkeypatch):
    source = text(BODIES["loops within loops"])
    spent = []
    for fewest in (0, 1 << 60):
        monkeypatch.setattr(gathering, "FEWEST", fewest)
        arguments = [np.arange(THREADS) % 50, *np.zeros((3, THREADS, 2), np.int64)]
        arguments[1:3] = np.zeros((2, THREADS), np.int64)
        spent.append(run(source, arguments, grid=5, block=BLOCK).operations)
    assert gathered
    assert spent[0] == spent[1]


@pytest.mark.parametrize("name", ["mandelbrot", "csr_rows", "lower_bound", "bfs_level", "sieve"])
def test_faulty_kernels_show_the_same(name, monkeypatch):
    texts = [corpus.text_of(name), *(fault.text for fault in corpus.faults(name))]
    found = []
    for fewest in (0, 1 << 60):
        monkeypatch.setattr(gathering, "FEWEST", fewest)
        monkeypatch.setattr(gathering, "DENSE", 1.0)
        found.append([corpus.outcome(name, one) for one in texts])
    assert found[0] == found[1]
