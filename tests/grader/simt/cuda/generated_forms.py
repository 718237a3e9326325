"""Forms of random programs: destructors, members that refer, deduced classes, template templates."""

from __future__ import annotations

from tests.grader.simt.cuda.generated_declarations import NUMBERS, Declarations


class Forms(Declarations):
    """Generates declarations with what uses them at once."""

    def guards(self) -> None:
        """Objects whose destructors count, left by all ways out of their scopes."""
        name, inner, count, result = (self.name(each) for each in ("G", "G", "x", "x"))
        refers = self.random.random() < 0.5
        held, at = ("int& n", "n") if refers else ("int* n", "*n")
        taken = "int& c" if refers else "int* c"
        passed = "c" if refers else "&c"
        self.declare(
            f"struct {name} {{ {held}; int by; __device__ {name}({taken}, int d) : n(c), by(d) "
            f"{{ {at} += by; }} __device__ ~{name}() {{ {at} = {at} * 2 - by; }} }};\n"
            f"struct {inner}{self.pick('', f' : {name}')} {{ {name} a, b; "
        )
        self.declared[-1] += (
            f"__device__ {inner}({taken}) : {name}(c, 5), a(c, 1), b(c, 2) {{}} }};"
            if f": {name}" in self.declared[-1].rpartition("\n")[2]
            else f"__device__ {inner}({taken}) : a(c, 1), b(c, 2) {{ {self.pick('', 'a.by = 4;')} }} "
            f"{self.pick('', f'__device__ ~{inner}() {{ b.by = 7; }}')} }};"
        )
        leaves = self.pick(
            f"for (int i = 0; i < 4; ++i) {{ {name} g({passed}, i); if (i == 1) continue; if (c > 60) "
            f"break; {name} h({passed}, 3); }} return c;",
            f"{name} g({passed}, 1); if (v > 3) return c; {{ {inner} h({passed}); if (v > 1) return "
            f"c + 1; }} return c * 2;",
            f"{inner} g({passed}); const {name} h({passed}, v); switch (v) {{ case 2: {{ {name} j({passed}"
            f", 9); break; }} case 1: return c; default: c += 3; }} return c;",
            f"do {{ {name} g{{{passed}, 2}}; if (v == 5) break; {inner} h({passed}); }} while (c < 20); "
            "return c;",
            f"auto f = [&](int d) {{ {name} g({passed}, d); return c; }}; return f(2) + f(v);",
            f"{name} g[2] = {{{{{passed}, 1}}, {{{passed}, 2}}}}; return c;"
            if not refers
            else f"if (v) {{ {name} g({passed}, 3); {name} h = g; c += h.by; }} return c;",
        )
        self.declare(f"__device__ int run{name}(int& c, int v) {{ {leaves} }}")
        given = self.random.randint(0, 5)
        self.say(f"int {count} = 0; int {result} = run{name}({count}, {given});")
        self.numbers |= {count: "int", result: "int"}

    def referring(self) -> None:
        """Structs with members that are references to variables, members, and elements."""
        name, kind, first = self.name("R"), self.pick(*NUMBERS[:4]), self.name("x")
        made = self.random.random() < 0.5
        constructor = f"__device__ {name}({kind}& a, const int& b) : to(a), from(b) {{}}"
        self.declare(
            f"struct {name} {{ {kind}& to; const int& from; {constructor if made else ''} "
            f"__device__ void put({kind} v) const {{ to = v; }} "
            f"__device__ {kind} sum() const {{ return to + from; }} }};\n"
            f"__device__ void by{name}({name} r) {{ r.to += 2; }}"
        )
        self.say(f"{kind} {first} = {self.literal(kind)}; int i{first} = {self.literal('int')};")
        target = self.pick(first, f"a{first}[1]", f"s{first}.v")
        self.say(f"{kind} a{first}[2] = {{1, 2}}; struct {{ {kind} v; }} s{first}{{3}};")
        self.say(f"{name} r{first}{{{target}, i{first}}};")
        for _ in range(self.random.randint(1, 4)):
            self.say(
                self.pick(
                    f"r{first}.put({self.literal(kind)});", f"r{first}.to += 1;",
                    f"i{first} += 3;", f"by{name}(r{first});", f"{target} = r{first}.sum();",
                    f"{{ {name} c{first} = r{first}; c{first}.to = c{first}.from; }}",
                    f"[&] {{ r{first}.to += 1; }}();", f"{name}{{{target}, i{first}}}.put(4);",
                )
            )  # fmt: skip
        self.numbers |= {first: kind, f"r{first}.sum()": "const auto", f"a{first}[1]": kind}

    def deduced(self) -> None:
        """Class templates whose arguments follow from what begins an object."""
        name, first, second = self.name("D"), self.name("x"), self.name("x")
        kinds = self.pick(*NUMBERS[:6]), self.pick(*NUMBERS[:6])
        values = [f"{kind}({self.literal(kind)})" for kind in kinds if " " not in kind]
        values = [*values, "2", "3.5"][:2]
        guided = self.random.random() < 0.5
        constructor = f"__device__ {name}(T x, U y) : a(x), b(y) {{}}"
        self.declare(
            f"template <typename T, typename U = int> struct {name} {{ T a; U b; "
            f"{'' if guided else constructor} __device__ auto both() const {{ return a + b; }} }};"
        )
        if guided:
            self.declare(
                f"template <typename T, typename U> {self.pick('', '__device__ ')}"
                f"{name}(T, U) -> {name}<T, {self.pick('U', 'double')}>;\n{name}(int, bool) -> {name}<float>;"
            )
        listed = "{{{}, {}}}" if guided else self.pick("{{{}, {}}}", "({}, {})")
        both = listed.format(*values)
        self.say(
            self.pick(
                f"{name} {first}{both};", f"auto {first} = {name}{both};",
                f"const {name} {first}{both};", f"{name} {first} = {name}{both};",
            )
        )  # fmt: skip
        self.say(f"auto {second} = {first}.both() + sizeof({first});")
        self.numbers[second] = "const auto"

    def template_templates(self) -> None:
        """Templates that take templates."""
        first, second, taken = self.name("T"), self.name("T"), self.name("T")
        result, factor = self.name("x"), self.random.randint(2, 5)
        for name, by in ((first, 1), (second, factor)):
            self.declare(
                f"template <typename T> struct {name} {{ T v; static constexpr int by = {by}; "
                f"__device__ T up() const {{ return v * {by} + 1; }} }};"
            )
        default = self.pick("", f" = {first}")
        self.declare(
            f"template <template <typename> class C{default}, typename T = {self.pick('int', 'float')}> "
            f"struct {taken} {{ C<T> c; C<C<T>> d; __device__ T sum() const {{ return c.up() + d.v.up() "
            "+ C<int>::by; } };\n"
            f"template <template <typename{self.pick('', '...')}> {self.pick('class', 'typename')} C, "
            f"typename... T> __device__ int all{taken}() {{ return (C<T>::by + ... + 0); }}\n"
            f"template <template <typename> class C, typename T> __device__ T of{taken}(const C<T>& c) "
            "{ C<int> other{3}; return c.up() + other.up(); }"
        )
        some = self.pick(first, second)
        self.say(
            f"{taken}<{some}> t{result}{{{{2}}, {{{{3}}}}}}; auto {result} = t{result}.sum() + "
            f"all{taken}<{self.pick(first, second)}, int, float>() + of{taken}({some}<float>{{2}});"
        )
        self.numbers[result] = "const auto"
