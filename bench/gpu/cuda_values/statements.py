"""Draws statements: the bodies of functions and of kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random

from bench.gpu.cuda_values.expressions import Array, Expressions
from bench.gpu.cuda_values.kinds import BOOL, INT, KINDS, UNARY, Kind, Locks, Variable

STRUCT = "Point"
MEMBERS = (("x", "int"), ("y", "float"), ("tag", "unsigned char"), ("far", "long long"))
"""Of the struct that every program declares."""
_SIZES = (2, 4, 8)
_DEPTH = 3


@dataclass(eq=False)
class Body:
    """Draws the statements of one function.

    Attributes:
        lines: what was written.
        result: of a function that may return early.
    """

    random: Random
    expressions: Expressions
    lines: list[str] = field(default_factory=list)
    result: Kind | None = None
    _indent: int = 1
    _names: int = 0
    _loops: int = 0
    _leaves: list[str] = field(default_factory=list)

    def write(self, line: str) -> None:
        """Write a line."""
        self.lines.append("    " * self._indent + line)

    def name(self, prefix: str = "v") -> str:
        """Return a name that the function does not have."""
        self._names += 1
        return f"{prefix}{self._names}"

    def block(self, count: int, depth: int) -> None:
        """Write statements with a scope of their own."""
        with self._scope():
            for _ in range(count):
                self.statement(depth)

    @contextmanager
    def _scope(self) -> Iterator[None]:
        scope = self.expressions
        before = list(scope.variables), list(scope.arrays)
        self._indent += 1
        yield
        self._indent -= 1
        scope.variables[:], scope.arrays[:] = before

    def statement(self, depth: int) -> None:
        """Write any statement."""
        forms: list[Callable[[int], None]] = [
            *(self._assign,) * 6,
            *(self._store,) * 2,
            *(self.declare,) * 2,
            self._drop,
        ]
        forms += [self._call, self._walk, self._refer, self._shadow]
        if depth > 0:
            forms += [
                *(self._if,) * 4,
                *(self._for,) * 2,
                self._while,
                self._do,
                *(self._switch,) * 2,
            ]
        if self._leaves:
            forms += [self._leave]
        if self.result is not None and self._indent > 1:
            forms += [self._return]
        form = self.random.choice(forms)
        form(depth - 1)

    # Declarations

    def declare(self, _depth: int = 0) -> None:
        """Declare a variable, several, an array or a struct."""
        random = self.random
        match random.randrange(8):
            case 0 | 1:
                self.declare_array()
            case 2:
                self.declare_struct()
            case 3:
                self._declare_auto()
            case _:
                self.declare_number(random.choice(KINDS))

    def declare_number(self, kind: Kind) -> None:
        """Declare a number, or two in one declaration."""
        scope, random = self.expressions, self.random
        const = random.random() < 0.1
        found: list[str] = []
        for _ in range(1 if const or random.random() < 0.8 else 2):
            name = self.name()
            value = scope.to(kind, scope.draw(_DEPTH))
            text = value.within(2)
            form = random.randrange(3) if const or not found else 0
            direct = text if value.level < UNARY else f"({text})"  # else it may declare a function
            found.append(f"{name}({direct})" if form == 1 else f"{name} = {text}")
            # The next initializer follows in the same declaration, and may use it.
            scope.variables.append(Variable(name, kind, name, const))
        self.write(f"{'const ' if const else ''}{kind.name} {', '.join(found)};")

    def _declare_auto(self) -> None:
        value = self.expressions.draw(_DEPTH)
        name = self.name()
        self.write(f"auto {name} = {value.within(2)};")
        self.expressions.variables.append(Variable(name, value.kind, name))

    def declare_array(self) -> None:
        """Declare an array; what its list leaves out is zero."""
        kind, length = self.random.choice(KINDS), self.random.choice(_SIZES)
        scope, name = self.expressions, self.name("t")
        values = [
            scope.cast_to(kind, scope.draw(2)) for _ in range(self.random.randrange(length + 1))
        ]
        begins = ", ".join(each.within(2) for each in values)
        self.write(f"{kind.name} {name}[{length}] = {{{begins}}};")
        scope.arrays.append(Array(name, kind, name, length))

    def declare_struct(self) -> None:
        """Declare a struct: of values, or as a copy."""
        scope, name = self.expressions, self.name("p")
        kinds = {each.name: each for each in KINDS}
        given = [(scope.cast_to(kinds[kind], scope.draw(2))).within(2) for _, kind in MEMBERS]
        by = scope.to(INT, scope.literal())
        form = self.random.randrange(4)
        if form == 0:
            self.write(f"{STRUCT} {name} = {{{', '.join(given)}}};")
        elif form == 1:
            self.write(f"{STRUCT} {name};")
            for (member, _), value in zip(MEMBERS, given, strict=True):
                self.write(f"{name}.{member} = {value};")
        elif form == 2:
            self.write(f"{STRUCT} {name} = moved({STRUCT}{{{', '.join(given)}}}, {by.text});")
        else:
            other = self.name("p")
            self.write(f"{STRUCT} {other} = {{{', '.join(given[:2])}}};")
            self._add_members(other, ".")
            self.write(f"{STRUCT} {name} = {other};")
        self._add_members(name, ".")
        if self.random.random() < 0.3:
            pointer = self.name("q")
            self.write(f"{STRUCT} *{pointer} = &{name};")
            self._add_members(pointer, "->", root=name)

    def _add_members(self, name: str, access: str, root: str | None = None) -> None:
        kinds = {each.name: each for each in KINDS}
        self.expressions.variables += [
            Variable(f"{name}{access}{member}", kinds[kind], root or name)
            for member, kind in MEMBERS
        ]

    def _refer(self, _depth: int) -> None:
        """Declare a reference or a pointer to what is there."""
        scope, random = self.expressions, self.random
        whole = [each for each in scope.variables if not each.const and each.low is None]
        form = random.randrange(3)
        if form == 0 and whole:
            place, name = random.choice(whole), self.name("r")
            self.write(f"{place.kind.name} &{name} = {place.text};")
            scope.variables.append(replace(place, text=name))
        elif form == 1 and whole:
            place, name = random.choice(whole), self.name("q")
            self.write(f"{place.kind.name} *{name} = &{place.text};")
            scope.variables.append(replace(place, text=f"(*{name})"))
        else:
            self._point_into(random)

    def _point_into(self, random: Random) -> None:
        scope = self.expressions
        long_enough = [each for each in scope.arrays if each.length >= 4 and not each.const]
        if not long_enough:
            return
        array, name = random.choice(long_enough), self.name("q")
        half = array.length // 2
        begins = random.choice(
            (f"{array.text} + {half}", f"&{array.text}[{half}]", f"{array.text}")
        )
        const = random.random() < 0.3
        self.write(f"{'const ' if const else ''}{array.kind.name} *{name} = {begins};")
        scope.arrays.append(Array(name, array.kind, array.root, half, const))

    def _shadow(self, depth: int) -> None:
        """Open a block in which a name means something else."""
        scope = self.expressions
        named = [each for each in scope.variables if each.text == each.root and each.text[0] == "v"]
        if not named or depth <= 0:
            return
        outer, kind = self.random.choice(named), self.random.choice(KINDS)
        self.write("{")
        with self._scope():
            name = outer.text
            value = scope.to(kind, scope.draw(1))
            if name in value.reads:  # it would be read before it has a value
                value = scope.to(kind, scope.literal())
            self.write(f"{kind.name} {name} = {value.within(2)};")
            hidden = [each for each in scope.variables if each.text != name]
            scope.variables[:] = [*hidden, Variable(name, kind, f"{name}'{self._indent}")]
            for _ in range(2):
                self.statement(depth)
        self.write("}")

    # What changes something

    def _assign(self, _depth: int) -> None:
        scope = self.expressions
        fit = [each for each in scope.variables if not each.const]
        if fit:
            place = self.random.choice(fit)
            self.write(f"{scope.assignment(place, scope.draw(_DEPTH)).text};")

    def _store(self, _depth: int) -> None:
        scope = self.expressions
        fit = [each for each in scope.arrays if not each.const]
        if not fit:
            return
        value = scope.draw(_DEPTH)
        array = self.random.choice(fit)
        place, index = scope.element(array, 2, Locks().beside(value))
        if array.root in index.writes | value.writes:
            return
        self.write(f"{scope.assignment(place, value).text};")

    def _drop(self, _depth: int) -> None:
        """Write an expression for its effects alone."""
        value = self.expressions.draw(_DEPTH)
        if value.writes:  # `float(x = 1);` begins like a declaration, and NVRTC takes it for one
            cast = "(void)" if value.text.startswith(tuple(each.name for each in KINDS)) else ""
            self.write(f"{cast}{value.within(UNARY) if cast else value.text};")

    def _call(self, _depth: int) -> None:
        scope = self.expressions
        if scope.callees:
            value = scope.call(self.random.choice(scope.callees), 2, Locks())
            if value is not None:
                self.write(f"{value.text};")

    def _walk(self, _depth: int) -> None:
        """Walk an array by a pointer."""
        scope, random = self.expressions, self.random
        fit = [each for each in scope.arrays if not each.const]
        if not fit:
            return
        array, name = random.choice(fit), self.name("q")
        ends = f"{array.text} + {array.length}"
        value = scope.to(array.kind, scope.draw(2))
        if array.root in value.writes:
            return
        kind = array.kind.name
        text = value.within(2)
        match random.randrange(4):
            case 0:
                self.write(f"for ({kind} *{name} = {array.text}; {name} != {ends}; ++{name})")
                self.write(f"    *{name} = {text};")
            case 1:
                self.write(f"for ({kind} *{name} = {array.text}; {name} < {ends}; {name} += 2) {{")
                self.write(f"    {name}[1] = {name}[0];")
                self.write(f"    *{name} = {text};")
                self.write("}")
            case 2:
                self.write(f"{kind} *{name} = {array.text};")
                self.write(f"*{name}++ = {text};")
                distance = self.name()
                self.write(f"long {distance} = {name} - {array.text};")
                scope.variables.append(
                    Variable(distance, INT._replace(name="long", bits=64, rank=4), distance)
                )
            case _:
                self.write(f"{kind} *{name} = {ends};")
                self.write(f"*--{name} = {text};")
                if array.kind != BOOL:
                    change = f"{name}[-1]{random.choice(('++', '--'))}"
                    safe = array.kind.real or not array.kind.signed or array.kind.bits < 32
                    self.write(f"{change};" if safe else f"{name}[-1] ^= 5;")

    # What branches

    def _if(self, depth: int) -> None:
        self.write(f"if ({self.expressions.test(_DEPTH).text}) {{")
        self.block(self.random.randint(1, 3), depth)
        chain = self.random.random()
        if chain < 0.2:
            self.write(f"}} else if ({self.expressions.test(2).text}) {{")
            self.block(1, depth)
        if chain < 0.5:
            self.write("} else {")
            self.block(self.random.randint(1, 2), depth)
        self.write("}")

    @contextmanager
    def _inside(self, *leaves: str) -> Iterator[None]:
        before, self._leaves = self._leaves, list(leaves)
        self._loops += 1
        yield
        self._loops -= 1
        self._leaves = before

    def _for(self, depth: int) -> None:
        if self._loops >= 2:
            return
        scope, counter = self.expressions, self.name("i")
        count = self.random.randint(1, 5)
        kind = self.random.choice([each for each in KINDS if not each.real and each != BOOL])
        form = self.random.randrange(3)
        if form == 0:
            self.write(f"for ({kind.name} {counter} = 0; {counter} < {count}; {counter}++) {{")
        elif form == 1:
            self.write(f"for ({kind.name} {counter} = {count}; {counter} > 0; --{counter}) {{")
        else:
            other = self.name("i")
            self.write(f"for (int {counter} = 0, {other} = {count}; {counter} < {other};"
                       f" {counter} += 1, {other}--) {{")  # fmt: skip
            kind = INT
        with self._inside("break", "continue"), self._scope():
            scope.variables.append(Variable(counter, kind, counter, const=True, low=0, high=count))
            self._indent -= 1
            self.block(self.random.randint(1, 3), depth)
            self._indent += 1
        self.write("}")

    def _while(self, depth: int) -> None:
        if self._loops >= 2:
            return
        counter, count = self.name("n"), self.random.randint(1, 4)
        self.write(f"int {counter} = 0;")
        self.write(f"while ({counter}++ < {count} && {self.expressions.test(2).within(4)}) {{")
        with self._inside("break", "continue"):
            self.block(self.random.randint(1, 3), depth)
        self.write("}")

    def _do(self, depth: int) -> None:
        if self._loops >= 2:
            return
        counter, count = self.name("n"), self.random.randint(1, 4)
        self.write(f"int {counter} = 0;")
        self.write("do {")
        with self._inside("break", "continue"):
            self.block(self.random.randint(1, 3), depth)
        self.write(f"}} while (++{counter} < {count} && {self.expressions.test(2).within(4)});")

    def _switch(self, depth: int) -> None:
        scope, random = self.expressions, self.random
        count = random.randint(2, 4)
        value = scope.small(scope.number(2), 7)
        self.write(f"switch ({value.text}) {{")
        labels = random.sample(range(8), count)
        default = random.randrange(count + 1)
        around = [each for each in self._leaves if each == "continue"]
        for place, label in enumerate(labels):
            if place == default:
                self.write("default:")
            self.write(f"case {label}:{' {' if (braces := random.random() < 0.5) else ''}")
            before, self._leaves = self._leaves, ["break", *around]
            if braces:
                self.block(random.randint(1, 2), depth)
                self.write("}")
            else:
                self._indent += 1
                self._assign(0)
                self._indent -= 1
            self._leaves = before
            if random.random() < 0.6:
                self.write("    break;")
        self.write("}")

    def _leave(self, _depth: int) -> None:
        self.write(f"if ({self.expressions.test(2).text}) {self.random.choice(self._leaves)};")

    def _return(self, _depth: int) -> None:
        assert self.result is not None  # the caller has looked
        scope = self.expressions
        value = scope.to(self.result, scope.draw(2))
        self.write(f"if ({scope.test(2).text})")
        self.write(f"    return {value.text};")
