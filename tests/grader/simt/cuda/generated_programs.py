"""Random legal programs of C++17: declarations, and a function that uses them."""

from __future__ import annotations

from typing import NamedTuple

from tests.grader.simt.cuda.generated_declarations import NUMBERS, Made, fill
from tests.grader.simt.cuda.generated_standard import HEADERS, Standard

_INTEGERS = ("int", "unsigned", "long", "short", "signed char")


class Program(NamedTuple):
    """A program: its declarations, the statements of a function, and what it shows."""

    before: str
    body: str
    shown: tuple[str, ...]

    def kernel(self) -> str:
        """It as a kernel."""
        stores = " ".join(f"out[{at}] = {each};" for at, each in enumerate(self.shown))
        included = "".join(f"#include <{each}>\n" for each in HEADERS)
        return f"{included}{self.before}\n__global__ void k(double* out) {{\n{self.body}\n{stores}\n}}\n"


class Generator(Standard):
    """Generates one program."""

    def program(self) -> Program:
        """Generate it."""
        kinds = (
            self._struct, self._struct, self._derived, self._crtp, self._template, self._function,
            self._overloads, self._variadic, self._tuple, self._mixin, self._constexpr,
            self._higher, self._ordered, self._traits, self._converting, self._enum, self._aliases,
            self._friends, self._containers, self._operators, self._nested, self._outputs,
            self._outside, self._namesakes, self._standard_traits, self.tuples, self.pairs,
            self.sequences,
        )  # fmt: skip
        for make in self.random.choices(kinds, k=self.random.randint(3, 7)):
            make()
        statements = (
            self._number, self._object, self._array, self._lambda, self._bindings, self._loop,
            self._choice, self._change, self._reference, self._pointer, self._closures, self._call,
            self._listed, self._copies, self.guards, self.referring, self.deduced,
            self.template_templates, self.tied, self.texts, self.ranges,
        )  # fmt: skip
        self._number()
        for make in self.random.choices(statements, k=self.random.randint(4, 10)):
            make()
        shown = [f"double({name})" for name in self.numbers]
        for name, kind in self.objects.items():
            shown += [f"double({fill(each, name)})" for each in kind.read[:4]]
        return Program("\n".join(self.declared), "\n".join(self.body), tuple(shown[:40]))

    # More declarations

    def _operators(self) -> None:
        """Declare a struct with most operators."""
        name = self.name("Q")
        self.declare(
            f"struct {name} {{ int v = 2;\n"
            f"  __device__ {name}& operator++() {{ ++v; return *this; }}\n"
            f"  __device__ {name} operator++(int) {{ {name} old = *this; v += 1; return old; }}\n"
            f"  __device__ {name}& operator-=(int d) {{ v -= d; return *this; }}\n"
            f"  __device__ {name}* operator->() {{ return this; }}\n"
            "  __device__ int operator*() const { return v * 3; }\n"
            "  __device__ bool operator!() const { return v == 0; }\n"
            "  __device__ explicit operator bool() const { return v > 1; }\n"
            f"  __device__ {name} operator~() const {{ return {{-v}}; }}\n"
            f"  __device__ {name} operator<<(int n) const {{ return {{v << n}}; }}\n"
            f"  __device__ {name} operator,(int n) const {{ return {{v + n}}; }} }};"
        )
        made = lambda: self.pick(f"{name}{{}}", f"{name}{{{self.literal('int')}}}")
        read = ["{}.v", "(*{})", "(!{})", "({} ? 1 : 2)", "(~{}).v", "({} << 2).v", "bool({})"]
        change = ["++{};", "{}++;", "{} -= 2;", "({} -= 1) -= 2;"]
        self.structs.append(Made(name, made, read, change))

    def _outside(self) -> None:
        """Declare structs whose member functions are defined outside of them."""
        name, template = self.name("O"), self.name("O")
        kind, start = self.pick("int", "float", "short"), self.literal("int")
        self.declare(
            f"struct {name} {{ int v; __device__ {name}(int v); __device__ int twice() const;\n"
            f"  __device__ {name}& add(int d = 2); __device__ static int least(); }};\n"
            f"__device__ {name}::{name}(int v) : v(v + 1) {{}}\n"
            f"__device__ int {name}::twice() const {{ return 2 * v; }}\n"
            f"__device__ {name}& {name}::add(int d) {{ v += d; return *this; }}\n"
            f"__device__ int {name}::least() {{ return {start}; }}\n"
            f"template <typename T, int N = 3> struct {template} {{ T a[N];\n"
            "  __device__ T sum() const; template <typename U> __device__ U as(int at) const; };\n"
            f"template <typename T, int N> __device__ T {template}<T, N>::sum() const "
            "{ T s = 0; for (int i = 0; i < N; ++i) s += a[i]; return s; }\n"
            f"template <typename T, int N> template <typename U> __device__ "
            f"U {template}<T, N>::as(int at) const {{ return U(a[at]) / 2; }}"
        )
        read = ["{}.v", "{}.twice()", f"{name}::least()"]
        change = ["{}.add();", "{}.add(3).add(-1);"]
        self.structs.append(Made(name, lambda: f"{name}({self.literal('int')})", read, change))
        full = f"{template}<{kind}, {self.pick(2, 3)}>"
        read = ["{}.sum()", "{}.as<double>(1)", "{}.as<int>(0)"]
        self.structs.append(Made(full, lambda: f"{full}{{{{1, 2}}}}", read))

    def _namesakes(self) -> None:
        """Declare structs of one name in two namespaces, with functions that arguments find."""
        name = self.name("S")
        spaces = [self.name("ns"), self.name("ns")]
        for at, space in enumerate(spaces):
            kind = self.pick("int", "float", "unsigned char")
            self.declare(
                f"namespace {space} {{ struct {name} {{ {kind} x = 1; int y = {at}; }};\n"
                f"  struct Holds{name} {{ {name} a, b[2]; }};\n"
                f"  enum Mode{name} {{ first{name} = {5 + at} }};\n"
                f"  __device__ bool operator<(const {name}& l, const {name}& r) "
                f"{{ return {'l.x < r.x' if at else 'r.x < l.x'}; }}\n"
                f"  __device__ int weigh({name} v, int by = first{name}) {{ return v.x * by + v.y; }}\n"
                f"  __device__ {name} made({kind} x) {{ return {{x, {at + 7}}}; }} }}"
            )
            read = ["{}.a.x", "{}.b[1].y", "weigh({}.a)", "weigh({}.b[0], 2)", "({}.a < {}.b[0])",
                    f"{space}::made(3).y", f"sizeof({space}::{name})"]  # fmt: skip
            full = f"{space}::Holds{name}"
            self.structs.append(
                Made(full, lambda f=full: f"{f}{{{{4}}, {{{{6}}, {{2, 3}}}}}}", read)
            )  # type: ignore[misc]

    def _standard_traits(self) -> None:
        """Declare functions that traits of the standard library choose."""
        name = self.name("tr")
        self.declare(
            f"template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0> "
            f"__device__ int {name}(T v) {{ return int(v) % 7 + 100; }}\n"
            f"template <typename T, std::enable_if_t<!std::is_integral_v<T>, int> = 0> "
            f"__device__ double {name}(T v) {{ return v / 2; }}\n"
            f"template <typename T> struct wide{name} {{ using type = "
            "std::conditional_t<sizeof(T) == 4, double, std::make_unsigned_t<short>>; };"
        )
        self.calls += [
            lambda depth: f"{name}({self.value(self.pick('int', 'float', 'double'), depth)})",
            lambda _: f"sizeof(wide{name}<{self.pick('int', 'float', 'char', 'double')}>::type)",
            lambda _: f"int(std::is_same_v<wide{name}<{self.pick('int', 'char')}>::type, double>)",
        ]

    def _nested(self) -> None:
        """Declare structs in structs, a union, and arrays of them."""
        name = self.name("N")
        self.declare(
            f"struct {name} {{ enum Mode {{ off, on = 4 }}; struct In {{ int k = 4; float w; "
            "__device__ int twice() const { return k * 2; } };\n"
            "  union Bits { float f; unsigned u; };\n"
            "  using Pair = In[2];\n"
            f"  In in{{3, 1.5f}}; Pair both; Bits bits{{1.0f}}; Mode mode = on; static constexpr int most = 6; }};"
        )
        made = lambda: f"{name}{{}}"
        read = ["{}.in.twice()", "{}.in.w", "{}.both[1].k", "{}.bits.u", "{}.mode", f"{name}::on",
                f"{name}::In{{{{7, 2}}}}.twice()", f"sizeof({name}::Pair)", f"{name}::most"]  # fmt: skip
        self.structs.append(Made(name, made, read, ["{}.both[0].k = 9;", "{}.bits.u = 3;"]))

    def _outputs(self) -> None:
        """Declare functions that change what they are given."""
        name, first, second = self.name("z"), self.name("x"), self.name("x")
        kinds = self.pick("int", "float"), self.pick("double", "unsigned")
        self.declare(
            f"__device__ void {name}({kinds[0]}& a, {kinds[1]}* b, int by = 2) {{ a += by; *b = a; }}\n"
            f"__device__ {kinds[0]}& pick{name}({kinds[0]}& a, {kinds[0]}& b, bool c) "
            "{ return c ? a : b; }\n"
            f"template <typename T> __device__ void swap{name}(T& a, T& b) {{ T t = a; a = b; b = t; }}"
        )
        self.say(
            f"{kinds[0]} {first} = {self.literal(kinds[0])}, o{first} = 1; {kinds[1]} {second} = 0;"
        )
        self.say(
            f"{name}({first}, &{second}{self.pick('', ', 3')}); swap{name}({first}, o{first});"
        )
        if self.random.random() < 0.5:
            self.say(f"pick{name}({first}, o{first}, {self.literal('bool')}) = 7;")
        self.numbers |= {first: kinds[0], f"o{first}": kinds[0], second: kinds[1]}

    def _listed(self) -> None:
        """Lists wherever they may stand."""
        name, result = self.name("Y"), self.name("x")
        kinds = self.pick(*NUMBERS[:4]), self.pick(*NUMBERS[:4])
        first, second = map(self.literal, kinds)
        self.say(
            f"struct {name} {{ {kinds[0]} a[2]; struct {{ {kinds[1]} b, c; }} in; int d = 8; }};"
        )
        self.say(
            f"{name} y{name} = "
            + self.pick(
                f"{{{{{first}, 1}}, {{{second}, 2}}, 3}}",
                f"{{{first}, 1, {second}, 2, 3}}",
                "{}",
                f"{{{{{first}}}, {{}}}}",
                f"{{.a = {{{first}}}, .in = {{{second}}}}}",
            )
            + ";"
        )
        self.say(f"{name} l{name}[2] = {{y{name}, {{{{2}}, {{3, 4}}}}}};")
        self.say(f"auto f{name} = [](const {name}& v) {{ return v.a[0] + v.in.c + v.d; }};")
        self.say(
            f"double {result} = f{name}(y{name}) + f{name}({{{{1, 2}}, {{3}}}}) + l{name}[1].in.b + l{name}[0].d;"
        )
        self.numbers[result] = "double"

    def _copies(self) -> None:
        """Copy objects, by value and through functions, lambdas, and bindings."""
        if not self.objects:
            return
        name = self.random.choice(list(self.objects))
        kind, copy, kept = self.objects[name], self.name("s"), self.name("s")
        self.say(
            self.pick(
                f"auto {copy} = {name};",
                f"{kind.name} {copy}{{{name}}};",
                f"const auto& {copy} = {name};",
                f"auto {copy} = [=] {{ return {name}; }}();",
                f"auto {copy} = [](auto v) {{ return v; }}({name});",
                f"{kind.name} {kept}[2] = {{{name}, {kind.made()}}}; auto {copy} = {kept}[1];",
                f"{kind.name}* {kept} = &{name}; auto {copy} = *{kept};",
                f"auto {copy} = true ? {name} : {kind.made()};",
            )
        )
        self.objects[copy] = Made(kind.name, kind.made, kind.read, [], base=False)

    # Statements

    def _number(self) -> None:
        kind, name = self.pick(*NUMBERS), self.name("x")
        value = self.value(kind)
        spelled = (
            self.pick("", "const ", "constexpr ") if value == "never" else self.pick("", "const ")
        )
        text = self.pick(f"{spelled}{kind} {name} = {value};", f"{spelled}{kind} {name}({value});",
                         f"{spelled}auto {name} = {value};", f"{kind} {name}{{{value}}};")  # fmt: skip
        self.say(text)
        self.numbers[name] = f"const {kind}" if "const " in text else kind

    def _object(self) -> None:
        if not self.structs:
            return self._number()
        kind, name = self.random.choice(self.structs), self.name("s")
        self.say(self.pick(f"{kind.name} {name} = {kind.made()};", f"auto {name} = {kind.made()};",
                           f"{kind.name} {name}({kind.made()});", f"{kind.name} {name}{{{kind.made()}}};"))  # fmt: skip
        self.objects[name] = kind
        return None

    def _array(self) -> None:
        kind, name, size = self.pick(*NUMBERS), self.name("r"), self.random.randint(2, 4)
        values = ", ".join(self.value(kind, 1) for _ in range(self.random.randint(1, size)))
        self.say(f"{kind} {name}[{size}] = {{{values}}};")
        for at in range(size):
            self.numbers[f"{name}[{at}]"] = kind
        if self.random.random() < 0.5:
            total = self.name("x")
            auto = self.pick("auto", "const auto&", kind)
            self.say(f"double {total} = 0; for ({auto} e : {name}) {total} += e;")
            self.numbers[total] = "double"

    def _lambda(self) -> None:
        name, result = self.name("g"), self.name("x")
        captured = self.pick("=", "&", "=", "&")
        inner = self.value(self.pick("int", "float"), 1)
        taken = self.pick("int v", "auto v", "float v = 2")
        if captured == "&" and (changed := self._changeable()):
            inner = f"{changed} = {self.value(self.numbers[changed], 1)}; return {inner}"
        else:
            inner = f"return {inner}"
        self.say(f"auto {name} = [{captured}]({taken}) {{ {inner} + v; }};")
        self.say(f"auto {result} = {name}({self.random.randint(1, 5)});")
        self.numbers[result] = "const auto"

    def _changeable(self) -> str | None:
        names = [each for each, kind in self.numbers.items() if "const" not in kind]
        return self.random.choice(names) if names else None

    def _bindings(self) -> None:
        first, second, name = self.name("x"), self.name("x"), self.name("Z")
        kinds = self.pick(*NUMBERS), self.pick(*NUMBERS)
        values = ", ".join(self.value(each, 1) for each in kinds)
        declared = self.pick(f"struct {name} {{ {kinds[0]} a; {kinds[1]} b; }} z{name}{{{values}}};",
                             f"{kinds[0]} z{name}[2] = {{{self.value(kinds[0], 1)}}};")  # fmt: skip
        self.say(declared)
        by = self.pick("auto", "auto&", "const auto&", "auto&&")
        self.say(f"{by} [{first}, {second}] = z{name};")
        if "const" not in by:
            self.say(f"{first} = {self.value(kinds[0], 1)};")
        self.numbers[first] = self.numbers[second] = "const auto"

    def _loop(self) -> None:
        name, at = self.name("x"), self.name("i")
        head = self.pick(f"for (int {at} = 0; {at} < 3; ++{at})",
                         f"for (unsigned {at} = 4; {at}-- > 1;)",
                         f"for (int {at} = 0, e = 2; {at} < e; {at}++)")  # fmt: skip
        self.say(
            f"double {name} = 0; {head} {{ if ({at} == 9) break; {name} += {at} + {self.expression(1)}; }}"
        )
        self.numbers[name] = "double"

    def _choice(self) -> None:
        name, test = self.name("x"), self.value("int", 1)
        yes, no = self.value("int", 1), self.value("int", 1)
        self.say(
            self.pick(
                f"int {name} = 0; if (int t = {test}; t > 3) {name} = {yes} + t; else {name} = {no};",
                f"int {name}; switch ({test}) {{ case 1: {{ {name} = {yes}; break; }} case 2: case 3: "
                f"{name} = {no}; break; default: {name} = 4; }}",
                f"int {name} = {test} > 2 ? {yes} : {no};",
                f"int {name} = 0; while ({name} < 5) {{ if ({name} == 3) {{ {name} += 9; continue; }} ++{name}; }}",
                f"int {name} = 0; do {{ {name} += 2; }} while ({name} < 7);",
            )
        )
        self.numbers[name] = "int"

    def _change(self) -> None:
        if self.objects and self.random.random() < 0.6:
            name = self.random.choice(list(self.objects))
            changes = self.objects[name].change
            if changes:
                self.say(fill(self.random.choice(changes), name))
                return
        name = self._changeable()
        if name:
            kind = self.numbers[name]
            forms = [f"{name} = {self.value(kind)};"]
            if kind in _INTEGERS:
                forms += [f"++{name};", f"{name}--;", f"{name} += {self.literal('int')};"]
            if kind in ("float", "double"):
                forms += [f"{name} *= 0.5f;", f"{name} -= {self.expression(1)};"]
            self.say(self.random.choice(forms))

    def _reference(self) -> None:
        changed = self._changeable()
        if changed is None:
            return
        name, kind = self.name("x"), self.numbers[changed]
        self.say(f"{self.pick(kind, 'auto')}& {name} = {changed}; {name} = {self.value(kind, 1)};")
        self.numbers[name] = kind

    def _pointer(self) -> None:
        changed = self._changeable()
        if changed is None:
            return
        name, kind = self.name("q"), self.numbers[changed]
        self.say(
            f"{self.pick(kind, 'auto')}* {name} = &{changed}; *{name} = {self.value(kind, 1)};"
        )
        self.numbers[f"(*{name})"] = kind
        if self.objects:
            whole = self.random.choice(list(self.objects))
            own = self.name("q")
            self.say(f"auto* {own} = &{whole};")
            self.numbers[fill(self.random.choice(self.objects[whole].read), f"(*{own})")] = (
                "const auto"
            )

    def _closures(self) -> None:
        """Closures that are mutable, copied, or refer to each other."""
        name, other, result = self.name("g"), self.name("g"), self.name("x")
        self.say(
            self.pick(
                f"auto {name} = [n = {self.literal('int')}]() mutable {{ return ++n; }}; {name}(); auto {other} = "
                f"{name}; {other}(); int {result} = {name}() * 10; {result} += {other}();",
                f"int {result} = 1; auto {name} = [&](int v) {{ {result} += v; }}; auto {other} = [&](int v) "
                f"{{ {name}(v); {name}(v + 1); }}; {other}(2);",
                f"auto {name} = [](auto f, auto... v) {{ return f(v...); }}; int {result} = {name}([](int a, int b) "
                "{ return a * 10 + b; }, 3, 4);",
                f"auto {name} = [](auto self, int n) -> int {{ return n < 2 ? 1 : n * self(self, n - 1); }}; "
                f"int {result} = {name}({name}, 4);",
            )
        )
        self.numbers[result] = "const int"

    def _call(self) -> None:
        if self.calls:
            name = self.name("x")
            self.say(f"auto {name} = {self.random.choice(self.calls)(1)};")
            self.numbers[name] = "const auto"
