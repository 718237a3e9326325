"""Declarations of random programs in C++: structs, templates, functions, and what reads them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

NUMBERS = ("int", "unsigned", "float", "double", "long", "short", "signed char", "bool")


@dataclass
class Made:
    """A struct that is there.

    Attributes:
        made: returns an expression that makes one.
        read: expressions of numbers, with `{}` for an object that may be const.
        change: statements that change an object.
    """

    name: str
    made: Callable[[], str]
    read: list[str]
    change: list[str] = field(default_factory=list)
    base: bool = True


def fill(text: str, name: str) -> str:
    """Put a name into a form, whose own braces are doubled."""
    text = text.replace("{0}", name).replace("{}", name)
    return text.replace("{{", "{").replace("}}", "}")


class Declarations:
    """Generates declarations, and expressions of what is declared."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.declared: list[str] = []
        self.body: list[str] = []
        self.structs: list[Made] = []
        self.calls: list[Callable[[int], str]] = []
        self.numbers: dict[str, str] = {}
        self.objects: dict[str, Made] = {}
        self._names = 0

    def say(self, text: str) -> None:
        """Add a statement."""
        self.body.append(f"  {text}")

    # Names and expressions

    def name(self, prefix: str) -> str:
        """Return a new name."""
        self._names += 1
        return f"{prefix}{self._names}"

    def pick(self, *choices: Any) -> Any:
        """Return one of several."""
        return self.random.choice(choices)

    def literal(self, kind: str) -> str:
        """Return a literal that converts to a type without loss."""
        value = self.random.randint(0, 9)
        if kind == "bool":
            return self.pick("true", "false")
        if kind == "float":
            return f"{value}.{self.pick('0', '5', '25')}f"
        if kind == "double":
            return f"{value}.{self.pick('0', '5', '25')}"
        return f"{value}u" if kind == "unsigned" else f"{value}"

    def value(self, kind: str, depth: int = 2) -> str:
        """Return an expression that is cast to a type of a number."""
        made = self.expression(depth)
        if kind in ("float", "double"):
            return self.pick(f"{kind}({made})", f"static_cast<{kind}>({made})")
        if kind == "bool":
            return f"({made} > {self.random.randint(-3, 9)})"
        word = kind if " " not in kind else f"({kind})"
        above = " + 200" if kind == "unsigned" else ""
        return f"{word}(static_cast<long>({made}) % 97{above})"

    def expression(self, depth: int = 2) -> str:
        """Return an expression of a number, without side effects."""
        leaves: list[Callable[[], str]] = [
            lambda: self.literal(self.pick("int", "float", "double"))
        ]
        if self.numbers:
            leaves += [lambda: self.random.choice(list(self.numbers))] * 3
        if self.objects:
            leaves += [self._read] * 2
        if depth > 0 and self.calls:
            leaves += [lambda: self.random.choice(self.calls)(depth - 1)] * 3
        if depth <= 0 or self.random.random() < 0.4:
            return self.random.choice(leaves)()
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        form = self.random.randint(0, 7)
        if form < 4:
            return f"({left} {self.pick('+', '-')} {right})"
        if form == 4:
            return f"({left} * {self.literal('int')})"
        if form == 5:
            return f"({left} {self.pick('<', '>', '<=', '==', '!=')} {right})"
        if form == 6:
            return f"({left} < {right} ? {left} : {self.literal('float')})"
        return f"(-{left})" if self.random.random() < 0.5 else f"({left}, {right})"

    def _read(self) -> str:
        name = self.random.choice(list(self.objects))
        return fill(self.random.choice(self.objects[name].read), name)

    # Declarations

    def declare(self, text: str) -> None:
        """Add a declaration of the file."""
        self.declared.append(text)

    def _small(self, text: str) -> str:
        return f"(static_cast<int>({text}) % 97)"

    def _struct(self, bases: tuple[Made, ...] = ()) -> None:
        """Declare a struct: an aggregate, or one with constructors."""
        name, lines, read, change = self.name("S"), list[str](), list[str](), list[str]()
        kinds = [self.pick(*NUMBERS) for _ in range(self.random.randint(1, 3))]
        members = [self.name("m") for _ in kinds]
        constructs = bool(bases) or self.random.random() < 0.6
        for kind, member in zip(kinds, members, strict=True):
            lines.append(f"{kind} {member}{self.pick('', f' = {self.literal(kind)}', '{}')};")
            read.append(f"{{}}.{member}")
            change.append(f"{{}}.{member} = {self.literal(kind)};")
        has_array = self.random.random() < 0.3
        if has_array:
            array, size = self.name("a"), self.random.randint(2, 4)
            listed = ", ".join(self.literal("int") for _ in range(size))
            lines.append(f"int {array}[{size}] = {{{listed}}};")
            read.append(f"{{}}.{array}[{self.random.randrange(size)}]")
            change.append(f"{{}}.{array}[{self.random.randrange(size)}] = {self.literal('int')};")
        taken = [self.name("p") for _ in kinds]
        if constructs:
            given = ", ".join(f"{kind} {each}" for kind, each in zip(kinds, taken, strict=True))
            starts = [f"{base.name}({base.made()})" for base in bases if self.random.random() < 0.7]
            starts += [
                f"{member}{self.pick(f'({each})', f'{{{each}}}')}"
                for member, each in zip(members, taken, strict=True)
            ]
            explicit = self.pick("", "explicit ") if len(kinds) == 1 else ""
            lines.append(f"__device__ {explicit}{name}({given}) : {', '.join(starts)} {{}}")
            literals = ", ".join(map(self.literal, kinds))
            lines.append(
                self.pick(f"__device__ {name}() : {name}({literals}) {{}}",
                          f"__device__ {name}() : {members[0]}{{{self.literal(kinds[0])}}} "
                          f"{{ {' '.join(f'{m} = {self.literal(k)};' for m, k in zip(members, kinds, strict=True))} }}")
            )  # fmt: skip
        lines += self._methods(name, members, read, change)
        for base in bases:
            read += base.read
            change += base.change
        heads = [f"{self.pick('', 'public ')}{base.name}" for base in bases]
        head = f" : {', '.join(heads)}" if heads else ""
        self.declare(f"struct {name}{head} {{\n  " + "\n  ".join(lines) + "\n};")

        def made() -> str:
            literals = ", ".join(map(self.literal, kinds))
            if constructs:
                return self.pick(f"{name}({literals})", f"{name}{{{literals}}}", f"{name}()")
            return self.pick(
                f"{name}{{{literals}}}", f"{name}{{}}", f"{name}{{{self.literal(kinds[0])}}}"
            )

        self.structs.append(Made(name, made, read, change))

    def _methods(
        self, name: str, members: list[str], read: list[str], change: list[str]
    ) -> Iterator[str]:
        first = members[0]
        for form in self.random.sample(range(8), self.random.randint(1, 4)):
            method = self.name("f")
            if form == 0:
                yield f"__device__ auto {method}() const {{ return {first} + 1; }}"
                read.append(f"{{}}.{method}()")
            elif form == 1:
                yield f"__device__ void {method}(int v) {{ this->{first} = v % 2; }}"
                change.append(f"{{}}.{method}({self.literal('int')});")
            elif form == 2:
                yield f"template <typename T> __device__ T {method}(T v) const {{ return v + T({first}); }}"
                read += [
                    f"{{}}.{method}({self.literal('float')})",
                    f"{{}}.template {method}<int>(2)",
                ]
            elif form == 3:
                yield f"__device__ bool operator<(const {name}& o) const {{ return {first} < o.{first}; }}"
                read.append("({0} < {0})")
            elif form == 4:
                yield f"static constexpr int {method} = {self.random.randint(1, 9)};"
                read += [f"{name}::{method}", f"{{}}.{method}"]
            elif form == 5:
                yield f"__device__ static int {method}(int a, int b = 3) {{ return a * 2 - b; }}"
                read += [f"{name}::{method}(4)", f"{{}}.{method}(1, 2)"]
            elif form == 6:
                yield f"__device__ float operator()(float v, int w = 1) const {{ return v + w * float({first}); }}"
                read.append(f"{{}}({self.literal('float')})")
            else:
                yield f"__device__ {name}& operator+=(const {name}& o) {{ {first} = o.{first}; return *this; }}"
                change.append("{0} += {0};")

    def _derived(self) -> None:
        """Declare a struct with one base or two."""
        bases = [each for each in self.structs if each.base]
        if bases:
            self.random.shuffle(bases)
            chosen = bases[: self.random.randint(1, 2)]
            self._struct(tuple(chosen))
            for each in chosen:  # so that none is a base twice
                each.base = False
            self.structs[-1].base = False

    def _crtp(self) -> None:
        base, name, member = self.name("C"), self.name("D"), self.name("m")
        style = self.pick(
            "static_cast<const T*>(this)->", "static_cast<const T&>(*this).", "self()."
        )
        self.declare(
            f"template <typename T> struct {base} {{\n"
            f"  __device__ const T& self() const {{ return static_cast<const T&>(*this); }}\n"
            f"  __device__ float twice() const {{ return {style}area() * 2; }}\n"
            f"  __device__ void grow(float v) {{ static_cast<T*>(this)->{member} += v; }}\n}};\n"
            f"struct {name} : {base}<{name}> {{\n  float {member};\n"
            f"  __device__ {name}(float v = 1.5f) : {member}(v) {{}}\n"
            f"  __device__ float area() const {{ return {member} + 1; }}\n}};\n"
            f"template <typename T> __device__ float whole{base}(const {base}<T>& v) "
            "{ return v.self().area() + v.twice(); }"
        )
        read = [f"{{}}.{member}", "{}.twice()", "{}.area()", f"whole{base}({{}})"]
        made = lambda: f"{name}({self.literal('float')})"
        self.structs.append(Made(name, made, read, [f"{{}}.grow({self.literal('float')});"]))

    def _template(self) -> None:
        name, size = self.name("T"), self.random.randint(1, 4)
        inner = self.pick(*NUMBERS[:4])
        special = self.pick("", f"template <> struct {name}<short, 1> {{ short v[1] = {{3}}; }};")
        partial = self.pick(
            "",
            f"template <typename U> struct {name}<U*, 2> {{ static constexpr int n = 77; U v[2]; }};",
        )
        self.declare(
            f"template <typename U, int N = {size}> struct {name} {{\n  U v[N];\n"
            f"  static constexpr int n = N * 2;\n  using type = U;\n"
            "  __device__ U& operator[](int i) { return v[i]; }\n"
            "  __device__ const U& operator[](int i) const { return v[i]; }\n"
            "  __device__ U total() const { U s = 0; for (int i = 0; i < N; ++i) s = s + v[i]; "
            "return s; }\n"
            "  template <typename V> __device__ auto plus(V w) const { return total() + w; }\n"
            f"}};\n{special}\n{partial}"
        )
        kind = f"{name}<{inner}>"
        read = [
            "{}.v[0]", "{}[0]", "{}.total()", "{}.plus(1.5f)", f"{kind}::n",
            f"sizeof(typename {kind}::type)",
        ]  # fmt: skip
        if partial:
            read.append(f"{name}<int*, 2>::n")
        made = lambda: f"{kind}{{{{{self.literal(inner)}}}}}"
        change = [f"{{}}[0] = {self.literal(inner)};", f"{{}}.v[0] += {self.literal(inner)};"]
        self.structs.append(Made(kind, made, read, change, base=False))

    def _function(self) -> None:
        name = self.name("f")
        kinds = [self.pick(*NUMBERS) for _ in range(self.random.randint(1, 3))]
        taken = [self.name("p") for _ in kinds]
        own = Declarations(self.random.randrange(1 << 30))
        own.numbers = dict(zip(taken, kinds, strict=True))
        own.calls = list(self.calls[:2])
        own._names = self._names + 1000
        result = self.pick(*NUMBERS, "auto")
        value = own.value("int" if result == "auto" else result, 1)
        default = f" = {self.literal(kinds[-1])}"
        parts = [f"{self.pick('', 'const ')}{k} {n}" for k, n in zip(kinds, taken, strict=True)]
        inner = self.pick(
            f"return {value};", f"if ({taken[0]} > 2) return {value}; return {value};"
        )
        self.declare(f"__device__ {result} {name}({', '.join(parts)}{default}) {{ {inner} }}")

        def call(depth: int) -> str:
            given = [self.value(kind, depth) for kind in kinds]
            return f"{name}({', '.join(given[: self.pick(len(given), max(len(given) - 1, 0))])})"

        self.calls.append(call)

    def _overloads(self) -> None:
        name = self.name("o")
        kinds = self.random.sample(NUMBERS[:5], 3)
        for at, kind in enumerate(kinds):
            reference = self.pick(kind, f"const {kind}&")
            self.declare(
                f"__device__ int {name}({reference} v) {{ return {at} + int(v) % 7 * 10; }}"
            )
        if self.structs and self.random.random() < 0.6:
            kind = self.random.choice(self.structs)
            self.declare(f"__device__ int {name}(const {kind.name}& v) {{ return 5; }}")
            self.calls.append(lambda _: f"{name}({kind.made()})")
        self.calls.append(lambda depth: f"{name}({self.value(self.random.choice(kinds), depth)})")

    def _variadic(self) -> None:
        name = self.name("v")
        operator = self.pick("+", "-", "&&", "||", "<", ",")
        first = self.pick(True, False)
        body = {
            0: f"return (x {operator} ...);",
            1: f"return (... {operator} x);",
            2: "return (3 + ... + x);",
            3: "return (x + ... + 4) + sizeof...(x);",
            4: "int n = 0; ((n = n * 2 + int(x) % 5), ...); return n;",
            5: "int v[] = {int(x)...}; return v[0] + v[sizeof...(T) - 1];",
            6: f"return {name}_one(x...) + {name}_one((x + 1)...);",
            7: "return (sizeof(T) + ...) + (static_cast<T>(2) + ...);",
            8: "return [&](auto... y) { return (x + ...) + (y + ...); }(x...);",
            9: "return [=] { return (x + ...); }();",
        }[self.random.randrange(10)]
        by = self.pick("T", "const T&", "T&&")
        self.declare(
            f"__device__ int {name}_one() {{ return 1; }}\n"
            f"template <typename H, typename... T> __device__ int {name}_one(H h, T... t) "
            f"{{ return int(h) % 9 + 2 * {name}_one(t...); }}\n"
            f"template <typename... T> __device__ auto {name}({by}... x) {{ {body} }}\n"
            f"template <typename H, typename... T> __device__ int {name}_rec(H h, T... t) "
            "{ if constexpr (sizeof...(t) > 0) "
            f"return int(h) % 7 + 3 * {name}_rec(t...); else return int(h); }}"
        )
        last = self.pick(name, f"{name}_one", f"{name}_rec") if first else name

        def call(depth: int) -> str:
            kinds = [self.pick("int", "float", "double") for _ in range(self.random.randint(1, 4))]
            return f"{last}({', '.join(self.value(each, depth) for each in kinds)})"

        self.calls.append(call)

    def _tuple(self) -> None:
        name = self.name("P")
        self.declare(
            f"template <typename... T> struct {name};\n"
            f"template <> struct {name}<> {{ static constexpr int n = 0; "
            "__device__ double total() const { return 0; } };\n"
            f"template <typename H, typename... T> struct {name}<H, T...> : {name}<T...> {{\n"
            f"  H head; static constexpr int n = 1 + {name}<T...>::n;\n"
            f"  __device__ {name}(H h, T... t) : {name}<T...>{{t...}}, head(h) {{}}\n"
            f"  __device__ double total() const {{ return head + {name}<T...>::total(); }}\n}};\n"
            f"template <typename... T> __device__ int count{name}(const {name}<T...>& v) "
            "{ return sizeof...(T) * 10 + v.n; }"
        )
        kinds = [self.pick(*NUMBERS[:4]) for _ in range(self.random.randint(1, 3))]
        kind = f"{name}<{', '.join(kinds)}>"
        made = lambda: f"{kind}({', '.join(map(self.literal, kinds))})"
        read = ["{}.head", "{}.total()", f"{kind}::n", f"count{name}({{}})"]
        self.structs.append(
            Made(kind, made, read, [f"{{}}.head = {self.literal(kinds[0])};"], base=False)
        )

    def _mixin(self) -> None:
        name, first, second = self.name("M"), self.name("A"), self.name("B")
        self.declare(
            f"struct {first} {{ int a = {self.literal('int')}; "
            "__device__ int get(int v) const { return v + a; } };\n"
            f"struct {second} {{ float b = {self.literal('float')}; "
            "__device__ float get(float v) const { return v - b; } };\n"
            f"template <typename... T> struct {name} : T... {{ using T::get...; "
            f"__device__ {name}(T... t) : T(t)... {{}} }};"
        )
        kind = f"{name}<{first}, {second}>"
        made = lambda: f"{kind}({first}{{}}, {second}{{}})"
        read = ["{}.a", "{}.b", "{}.get(2)", "{}.get(2.5f)", "sizeof({})"]
        self.structs.append(Made(kind, made, read, ["{}.a = 4;"], base=False))

    def _constexpr(self) -> None:
        name = self.name("k")
        body = self.pick(
            "return n < 2 ? n : {0}(n - 1) + {0}(n - 2);",
            "int s = 0; for (int i = 0; i <= n; ++i) s += i * i; return s;",
            "if (n % 2) return n * 3 + 1; return n / 2;",
        ).format(name)
        value, size = self.random.randint(1, 8), self.name("n")
        self.declare(
            f"__host__ __device__ constexpr int {name}(int n) {{ {body} }}\n"
            f"template <int N> struct H{name} {{ static constexpr int value = N + {name}(N % 5); }};\n"
            f'constexpr int {size} = {name}({value});\nstatic_assert({size} == {name}({value}), "");'
        )
        self.calls.append(
            lambda _: self.pick(size, f"{name}({self.random.randint(0, 6)})", f"H{name}<{size} % 9>::value",
                                f"sizeof(int[{name}(3) + 1])")
        )  # fmt: skip

    def _higher(self) -> None:
        name = self.name("h")
        self.declare(
            f"template <typename F> __device__ auto {name}(F f, int n) "
            "{ float s = 0; for (int i = 0; i < n; ++i) s += f(i); return s; }\n"
            f"template <typename F> struct W{name} {{ F f; int k; "
            "__device__ float run(float v) const { return f(v) + k; } };\n"
            f"template <typename F> __device__ W{name}<F> wrap{name}(F f, int k) "
            f"{{ return W{name}<F>{{f, k}}; }}\n"
            f"__device__ auto adder{name}(float n) {{ return [n](float v) {{ return v + n; }}; }}\n"
            f"template <typename F, typename G> __device__ auto both{name}(F f, G g) "
            "{ return [=](auto v) { return f(g(v)); }; }"
        )
        lambdas = lambda: self.pick(
            "[](float v) { return v * 2; }", f"adder{name}({self.literal('float')})",
            "[k = 3](auto v) { return v + k; }",
        )  # fmt: skip
        self.calls += [
            lambda _: f"{name}({lambdas()}, {self.random.randint(1, 4)})",
            lambda _: (
                f"wrap{name}({lambdas()}, {self.literal('int')}).run({self.literal('float')})"
            ),
            lambda _: f"both{name}({lambdas()}, {lambdas()})({self.literal('float')})",
            lambda _: f"adder{name}({self.literal('float')})({self.literal('float')})",
        ]

    def _ordered(self) -> None:
        """Declare templates of which one is more special."""
        name = self.name("q")
        self.declare(
            f"template <typename T> struct B{name} {{ T v; }};\n"
            f"template <typename T> __device__ int {name}(T) {{ return 1; }}\n"
            f"template <typename T> __device__ int {name}(T*) {{ return 2; }}\n"
            f"template <typename T> __device__ int {name}(B{name}<T>) {{ return 3; }}\n"
            f"template <typename T> __device__ int {name}(B{name}<T*>) {{ return 4; }}\n"
            f"template <> __device__ int {name}(short) {{ return 5; }}\n"
            f"__device__ int {name}(double) {{ return 6; }}"
        )
        self.calls.append(
            lambda _: f"{name}(" + self.pick("1", "1.5", "2.5f", "short(3)", "(int*)nullptr", f"B{name}<int>{{1}}",
                                             f"B{name}<int*>{{nullptr}}", "'a'") + ")"
        )  # fmt: skip

    def _traits(self) -> None:
        name = self.name("t")
        self.declare(
            f"template <typename T> struct {name} {{ static constexpr bool value = false; "
            "static constexpr int size = sizeof(T); };\n"
            f"template <> struct {name}<float> {{ static constexpr bool value = true; "
            "static constexpr int size = 40; };\n"
            f"template <typename T> struct {name}<T*> : {name}<T> {{}};\n"
            f"template <typename T> __device__ int use{name}(T v) {{ if constexpr ({name}<T>::value) "
            f"return int(v) % 5; else return {name}<T>::size; }}"
        )
        self.calls += [
            lambda depth: f"use{name}({self.value(self.pick('int', 'float', 'double'), depth)})",
            lambda _: f"{name}<{self.pick('float*', 'int*', 'double', 'float**')}>::size",
        ]

    def _converting(self) -> None:
        name, other = self.name("V"), self.name("U")
        self.declare(
            f"struct {name} {{ float x, y; __device__ {name}(float x = 0, float y = 1) : x(x), y(y) {{}}\n"
            f"  __device__ {name} operator+(const {name}& o) const {{ return {{x + o.x, y + o.y}}; }}\n"
            f"  __device__ {name} operator-() const {{ return {name}(-x, -y); }}\n"
            f"  __device__ float operator[](int i) const {{ return i ? y : x; }}\n"
            f"  __device__ bool operator==(const {name}& o) const {{ return x == o.x && y == o.y; }} }};\n"
            f"__device__ {name} operator*(float s, {name} v) {{ return {{s * v.x, s * v.y}}; }}\n"
            f"__device__ float dot{name}(const {name}& a, {name} b) {{ return a.x * b.x + a.y * b.y; }}\n"
            f"struct {other} {{ int n = 3; __device__ operator float() const {{ return n + 0.5f; }} }};\n"
            f"__device__ {name} back{name}(int w) {{ if (w > 3) return 2; return {{1.5f, 2}}; }}"
        )
        made = lambda: self.pick(
            f"{name}({self.literal('float')})", f"{name}{{{self.literal('float')}, 2}}", f"{name}()",
            f"({name}(1) + {name}(2, 3))", f"(2 * {name}(1))", f"-{name}(2)", f"back{name}(4)",
        )  # fmt: skip
        read = ["{}.x", "{}[1]", f"dot{name}({{}}, 2)", f"dot{name}({{0}}, {{0}})", f"({{}} == {name}(1))",
                "({} + 1.5f).x", f"dot{name}({{{{1, 2}}}}, {{}})"]  # fmt: skip
        self.structs.append(Made(name, made, read, [f"{{}} = {made()};", "{} = {{1, 2}};"]))
        read = ["{}.n", "({} + 1)", "float({})", f"dot{name}(float({{}}), 1)"]
        self.structs.append(Made(other, lambda: f"{other}{{}}", read, ["{}.n = 5;"]))

    def _friends(self) -> None:
        """Declare structs whose operators are friends, one of them a template in a namespace."""
        name, space = self.name("R"), self.name("ns")
        self.declare(
            f"namespace {space} {{\ntemplate <typename T> struct {name} {{ T v;\n"
            f"  friend __device__ {name} operator+({name} a, const {name}& b) "
            "{ return {a.v + b.v}; }\n"
            f"  friend __device__ {name} operator*({name} a, T s) {{ a.v *= s; return a; }}\n"
            f"  friend __device__ bool operator==(const {name}& a, const {name}& b) "
            "{ return a.v == b.v; }\n"
            f"  friend __device__ T value(const {name}& a) {{ return a.v + 1; }} }};\n"
            f"template <typename T> __device__ {name}<T> operator-({name}<T> a) {{ return {{-a.v}}; }}"
            f"\n__device__ inline float apart({name}<float> a, {name}<float> b) "
            "{ return a.v - b.v; }\n}"
        )
        inner = self.pick("int", "float", "double")
        kind = f"{space}::{name}<{inner}>"
        made = lambda: f"{kind}{{{self.literal(inner)}}}"
        read = ["{}.v", "({0} + {0}).v", "value({})", "({0} == {0})", "({} * 2).v", "(-{}).v"]
        if inner == "float":
            read.append(f"apart({{}}, {kind}{{2}})")
        change = [f"{{0}} = {{0}} + {made()};", "{0} = {0} * 2;"]
        self.structs.append(Made(kind, made, read, change, base=False))

    def _containers(self) -> None:
        """Declare a view of memory, and functions of pointers that may be const."""
        name = self.name("W")
        self.declare(
            f"template <typename T> struct {name} {{ T* p; int n;\n"
            f"  __device__ {name}(T* p, int n) : p(p), n(n) {{}}\n"
            "  __device__ T& operator[](int i) const { return p[i]; }\n"
            "  __device__ T* begin() const { return p; } __device__ T* end() const { return p + n; } };\n"
            f"template <typename T> __device__ T sum{name}(const T* p, int n) {{ T s = 0; "
            "for (const T* q = p; q != p + n; ++q) s = s + *q; return s; }\n"
            f"template <typename T> __device__ double any{name}(T* p, int n) {{ double s = 0; "
            "for (int i = 0; i < n; ++i) s += p[i]; return s; }\n"
            f"template <typename T, int N> __device__ T last{name}(const T (&a)[N]) {{ return a[N - 1]; }}\n"
            f"template <typename T> __device__ int kind{name}(T&) {{ return 1; }}\n"
            f"template <typename T> __device__ int kind{name}(const T&) {{ return 2; }}\n"
            f"template <typename T> __device__ int right{name}(T&&) {{ return sizeof(T); }}\n"
            f"__device__ double plain{name}(const double v[], int n) {{ return v[n]; }}"
        )
        inner, array, result = self.pick("int", "float", "double"), self.name("r"), self.name("x")
        const = self.pick("", "const ")
        values = ", ".join(self.literal(inner) for _ in range(3))
        self.say(f"{const}{inner} {array}[3] = {{{values}}};")
        self.say(
            f"double {result} = sum{name}({array}, 3) + any{name}({array}, 2) + last{name}({array})"
            f" + {name}<{const}{inner}>({array}, 3)[1] + kind{name}({array}[0]) * 100"
            f" + kind{name}(3) * 1000 + right{name}(2.5) * 10000;"
        )
        self.numbers[result] = "double"
        if inner == "double":
            self.calls.append(lambda _: f"plain{name}({array}, 1)")

    def _enum(self) -> None:
        name, scoped = self.name("E"), self.pick("", "class ")
        self.declare(
            f"enum {scoped}{name} : {self.pick('int', 'unsigned')} {{ a{name} = 2, b{name}, c{name} = 7 }};"
        )
        value = lambda: f"{name}::{self.pick('a', 'b', 'c')}{name}"
        self.calls.append(lambda _: f"static_cast<int>({value()})")
        self.calls.append(lambda _: f"({value()} == {value()} ? 1 : 2)")

    def _aliases(self) -> None:
        name = self.name("L")
        self.declare(
            f"template <typename T> using {name} = T*;\nusing I{name} = int;\n"
            f"typedef float F{name}[2];\n"
            f"template <typename T, typename... R> struct N{name} {{ using first = T; "
            "static constexpr int more = sizeof...(R); };\n"
            f"template <typename... T> using G{name} = N{name}<T..., char>;"
        )
        self.calls += [
            lambda _: f"I{name}({self.literal('float')})",
            lambda _: f"G{name}<int, float>::more",
            lambda _: f"sizeof(typename G{name}<{self.pick('int', 'double')}>::first)",
            lambda _: f"sizeof({name}<char>)",
            lambda _: f"sizeof(F{name})",
        ]
