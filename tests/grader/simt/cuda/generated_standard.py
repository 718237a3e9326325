"""Forms of random programs: tuples, packs of indices, views, texts, and what else `std` has."""

from __future__ import annotations

from tests.grader.simt.cuda.generated_declarations import NUMBERS, Made
from tests.grader.simt.cuda.generated_forms import Forms

HEADERS = ("array", "initializer_list", "iterator", "optional", "tuple", "type_traits", "utility")
"""Those that each program includes."""


class Standard(Forms):
    """Generates declarations of values of the standard library, and statements with them."""

    def tuples(self) -> None:
        """Declare a function that returns a tuple; tuples become objects of the program."""
        kinds = [self.pick(*NUMBERS) for _ in range(self.random.randint(1, 4))]
        kind, name = f"std::tuple<{', '.join(kinds)}>", self.name("tu")
        listed = ", ".join(map(self.literal, kinds))
        self.declare(
            f"__device__ {kind} {name}(int v) {{ {kind} t{{{listed}}}; std::get<0>(t) = v; return t; }}\n"
            f"template <typename... T> __device__ double all{name}(const std::tuple<T...>& t) "
            "{ return std::apply([](const auto&... v) { return (double(v) + ... + sizeof...(v)); }, t); }"
        )
        at = self.random.randrange(len(kinds))
        made = lambda: self.pick(f"{kind}({listed})", f"{name}({self.literal('int')})")
        read = [f"std::get<{at}>({{}})", "std::get<0>({})", f"all{name}({{}})", f"sizeof({kind})",
                f"({{}} < {name}(3))", "({0} == {0})"]  # fmt: skip
        change = [f"std::get<{at}>({{}}) = {self.literal(kinds[at])};", f"{{}} = {name}(2);"]
        if kinds.count(kinds[at]) == 1:
            read.append(f"std::get<{kinds[at]}>({{}})")
        self.structs.append(Made(kind, made, read, change, base=False))

    def pairs(self) -> None:
        """Make pairs, arrays, and optional values objects of the program."""
        first, second = self.pick(*NUMBERS), self.pick(*NUMBERS)
        kind = f"std::pair<{first}, {second}>"
        made = lambda: f"{kind}({self.literal(first)}, {self.literal(second)})"
        read = ["{}.first", "{}.second", "std::get<1>({})", f"({{}} < {made()})"]
        self.structs.append(
            Made(kind, made, read, ["{}.second = 3;", "std::get<0>({}) = 1;"], base=False)
        )
        array = f"std::array<{first}, 3>"
        made = lambda: f"{array}{{{{{self.literal(first)}, 1, {self.literal(first)}}}}}"
        read = ["{}[2]", "{}.size()", "std::get<1>({})", "{}.back()", "*({}.begin() + 1)"]
        self.structs.append(Made(array, made, read, ["{}[0] = 1;", "{}.fill(0);"], base=False))
        maybe = f"std::optional<{second}>"
        made = lambda: self.pick(f"{maybe}()", f"{maybe}({self.literal(second)})")
        read = ["{}.has_value()", f"{{}}.value_or({self.literal(second)})", "({} ? 1 : 2)"]
        self.structs.append(
            Made(maybe, made, read, [f"{{}} = {self.literal(second)};"], base=False)
        )

    def sequences(self) -> None:
        """Declare functions that are written out for packs of indices."""
        name = self.name("iq")
        body = self.pick(
            "return ((double(v) * (I + 1)) + ... + 0);",
            "double s = 1; ((s = s * 2 + double(v) - I), ...); return s;",
            "double s[] = {double(v)..., 0}; return (s[I] + ... + sizeof...(T));",
        )
        whole = self.pick(
            "return (I + ... + 0);", "int n = 1; ((n = n * 3 + I), ...); return n;",
            "int a[] = {I..., 5}; return a[0] + a[sizeof...(I)];", "return (... - I);",
        )  # fmt: skip
        self.declare(
            f"template <typename... T, std::size_t... I> __device__ double of{name}"
            f"(std::index_sequence<I...>, const T&... v) {{ {body} }}\n"
            f"template <typename... T> __device__ double {name}(const T&... v) "
            f"{{ return of{name}(std::index_sequence_for<T...>{{}}, v...); }}\n"
            f"template <int... I> __device__ int w{name}(std::integer_sequence<int, I...>) {{ {whole} }}\n"
            f"template <typename T, std::size_t N, std::size_t... I> __device__ T s{name}"
            "(const T (&a)[N], std::index_sequence<I...>) { return (a[N - 1 - I] + ...); }\n"
            f"template <typename T, std::size_t N> __device__ T s{name}(const T (&a)[N]) "
            f"{{ return s{name}(a, std::make_index_sequence<N>{{}}); }}\n"
            f"template <typename F, std::size_t... I> __device__ void e{name}"
            "(F f, std::index_sequence<I...>) { (f(std::integral_constant<std::size_t, I>{}), ...); }"
        )
        kinds = lambda: [
            self.pick("int", "float", "double") for _ in range(self.random.randint(1, 4))
        ]
        count = self.random.randint(1, 6)
        self.calls += [
            lambda depth: f"{name}({', '.join(self.value(each, depth) for each in kinds())})",
            lambda _: f"w{name}(std::make_integer_sequence<int, {count}>{{}})",
            lambda _: f"w{name}(std::integer_sequence<int, 4, {count}>{{}})",
            lambda _: f"std::make_index_sequence<{count}>::size()",
        ]
        array, result, kind = self.name("r"), self.name("x"), self.pick(*NUMBERS[:4])
        self.say(f"{kind} {array}[3] = {{{self.literal(kind)}, 2, {self.literal(kind)}}};")
        self.say(
            f"double {result} = s{name}({array}); e{name}([&](auto i) {{ {result} = {result} * 2 + i; "
            f"if constexpr (i.value > 1) {array}[i % 3] = i; }}, std::make_index_sequence<{count}>{{}});"
        )
        self.numbers |= {result: "double", f"{array}[2]": kind}

    def tied(self) -> None:
        """Take tuples and pairs apart: by `tie`, by bindings, by functions."""
        names = [self.name("x") for _ in range(self.random.randint(2, 3))]
        kinds = [self.pick(*NUMBERS) for _ in names]
        values = ", ".join(self.value(each, 1) for each in kinds)
        make = "pair" if len(names) == 2 and self.random.random() < 0.4 else "tuple"
        if self.random.random() < 0.5:
            for each, kind in zip(names, kinds, strict=True):
                self.say(f"{kind} {each} = {self.literal(kind)};")
            self.say(f"std::tie({', '.join(names)}) = std::make_{make}({values});")
            if kinds[0] == kinds[1] and self.random.random() < 0.5:
                self.say(
                    f"std::tie({names[1]}, {names[0]}) = std::make_pair({names[0]}, {names[1]});"
                )
            self.numbers |= dict(zip(names, kinds, strict=True))
            return
        whole, by = self.name("t"), self.pick("auto", "auto&", "const auto&")
        const = self.pick("", "const ")
        self.say(
            f"{const}auto {whole} = std::make_{make}({values}); {by} [{', '.join(names)}] = {whole};"
        )
        if not const and "const" not in by:
            self.say(f"{names[0]} = {self.value(kinds[0], 1)};")
        self.numbers |= dict.fromkeys([*names, f"std::get<1>({whole})"], "const auto")

    def texts(self) -> None:
        """Texts as values, in arrays, and chosen."""
        name, result, text = self.name("w"), self.name("x"), self.pick("", "a", "bcd", "hello")
        self.declare(
            f"__device__ int {name}(const char* s) {{ int n = 0; for (; *s; ++s) n = n * 2 + *s - 90; "
            f"return n; }}\ntemplate <int N> __device__ int l{name}(const char (&s)[N]) {{ return N; }}"
        )
        self.say(
            self.pick(
                f'const char* t{name} = "{text}"; int {result} = {name}(t{name});',
                f'auto t{name} = {self.literal("int")} > 4 ? "{text}" : "xy"; int {result} = {name}(t{name});',
                f'const char t{name}[] = "{text}"; int {result} = {name}(t{name}) + sizeof(t{name});',
                f'const char* t{name}[] = {{"{text}", "q"}}; int {result} = {name}(t{name}[1]) + t{name}[0][0];',
                f'int {result} = l{name}("{text}") + {name}("{text}") + sizeof("{text}");',
                f'int {result} = 0; for (auto s : {{"{text}", "z"}}) {result} += {name}(s);',
            )
        )
        self.numbers[result] = "int"

    def ranges(self) -> None:
        """Loops over lists, and arrays as ranges."""
        kind, array, result = self.pick(*NUMBERS[:6]), self.name("r"), self.name("x")
        const = self.pick("", "const ")
        self.say(f"{const}{kind} {array}[4] = {{{self.literal(kind)}, 1, {self.literal(kind)}}};")
        values = ", ".join(self.literal(kind) for _ in range(self.random.randint(1, 4)))
        self.say(
            f"double {result} = std::size({array}); "
            + self.pick(
                f"for (auto v : {{{values}}}) {result} += v;",
                f"for (auto& v : {array}) {result} += v;",
                f"for (auto p = std::begin({array}); p != std::end({array}); ++p) {result} += *p;",
                f"auto p = {array}; const auto* q = p + 1; {result} += *q + p[2];",
                f"auto& v = {array}[0]; auto f = [&](const auto& w) {{ return w + v; }}; {result} += f(2);",
                f'static_assert(std::size({array}) == 4, ""); {result} += *(std::end({array}) - 2);',
            )
        )
        self.numbers[result] = "double"
