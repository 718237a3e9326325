"""Kernels at random, whose variables change type in branches and loops.

A probe is a variable that is assigned once: its type is that of what it copies, at that place. It
is stored in an array, since Numba drops what is not used. There is no `v /= …`, of which numba-cuda
0.30 makes invalid code where `v` is an integer.
"""

from __future__ import annotations

from random import Random

from tests.grader.simt.forms.asking import kernel

_WHOLE = ("t", "u", "n", "1", "np.int8(t)", "np.uint8(u)", "np.uint64(u)", "np.int16(t)", "c[t]")
_REAL = (*_WHOLE, "x", "d", "2.5", "a[t]", "t > 1")
_ARITHMETIC = ("+", "-", "*", "//", "%")
_BITS = ("&", "|", "^", "<<", ">>")
_DEEPEST = 3
_NAMES = ("v0", "v1", "v2")


class _Writer:
    """Writes one kernel."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.probes = 0
        whole = random.random() < 0.6
        self.leaves = _WHOLE if whole else _REAL
        self.in_place = (*_ARITHMETIC, *_BITS) if whole else _ARITHMETIC
        self.operators = self.in_place if whole else (*_ARITHMETIC, "/")

    def expression(self, depth: int = 0) -> str:
        random = self.random
        kind = random.random()
        if depth == 2 or kind < 0.35:
            return random.choice((*_NAMES, random.choice(self.leaves)))
        left, right = self.expression(depth + 1), self.expression(depth + 1)
        if kind < 0.8:
            return f"({left} {random.choice(self.operators)} {right})"
        if kind < 0.88:
            return f"({left} if {right} > 1 else {self.expression(depth + 1)})"
        if kind < 0.93:
            return f"{random.choice(('-', '+', 'abs'))}({left})"
        if kind < 0.97:
            return f"{random.choice(('min', 'max'))}({left}, {right})"
        return f"f({left}, {right})"

    def write(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def probe(self, indent: int, name: str) -> None:
        self.write(indent, f"p{self.probes} = {name}")
        self.write(indent, f"a[{self.probes}] = p{self.probes}")
        self.probes += 1

    def statements(self, indent: int, loops: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(indent, loops)

    def statement(self, indent: int, loops: int) -> None:
        random, name = self.random, self.random.choice(_NAMES)
        kind = random.random() if indent < _DEEPEST else 0.0
        if kind < 0.35:
            self.write(indent, f"{name} = {self.expression()}")
        elif kind < 0.5:
            self.write(indent, f"{name} {random.choice(self.in_place)}= {self.expression(1)}")
        elif kind < 0.6:
            self.probe(indent, name)
        elif kind < 0.75:
            self.write(indent, f"if {self.expression(1)} > 1:")
            self.statements(indent + 1, loops)
            if random.random() < 0.5:
                self.write(indent, "else:")
                self.statements(indent + 1, loops)
        else:
            over = random.choice(
                (f"range({random.choice(('3', 't', 'n', 'u'))})", "range(t, 5)", "a")
            )
            self.write(indent, f"for i{indent} in {over}:")
            self.statements(indent + 1, loops + 1)
            if random.random() < 0.3:
                self.write(indent + 1, f"if {name} > 2:")
                self.write(indent + 2, random.choice(("break", "continue")))
                self.write(indent + 1, f"{name} = {self.expression()}")


def write_kernel(seed: int) -> str:
    """Return the text of a kernel."""
    random = Random(seed)
    writer = _Writer(random)
    writer.write(0, "f = lambda p, q: p + q if p > q else q")
    for name in _NAMES:
        writer.write(0, f"{name} = {random.choice(writer.leaves)}")
    for _ in range(4):
        writer.statement(0, 0)
    for name in _NAMES:
        writer.probe(0, name)
    return kernel(writer.lines)
