"""Kernels of the language: lambdas, bases, packs, unions, pointers to functions, `constexpr`."""

from __future__ import annotations

from bench.gpu.cuda_features.drawing import Writer, read_forms

PLAIN = read_forms("""
unsigned: ($unsigned {+|-|*|^|&} $unsigned)
unsigned: ($unsigned {>>|<<} ($small))
unsigned: ($int {<|>|==} $int ? $unsigned : $unsigned)
unsigned: (unsigned)$int
unsigned: bits($float)
unsigned: {min|max}($unsigned, $unsigned)
int: (int)($unsigned {^|+} $word)
int: ($int {&|^} $int)
int: ($float {<|>} $float)
float: ($float {+|-|*} $float)
float: f{min|max|abs}f($float, $float)
float: (float)($unsigned & 0xffffu)
float: ($int > 0 ? $float : $float)
""")
PLAIN["float"][1:2] = ["f{min|max}f($float, $float)", "fabsf($float)"]


def lambdas(writer: Writer) -> None:
    """Write lambdas: captured by value and by reference, generic, passed, stored, returned."""
    writer.forms = PLAIN
    writer.declare_some(("unsigned", "int", "float"), 4)
    writer.before.append("""
template <class F> __device__ unsigned applied(F f, unsigned v) { return f(v) ^ 0x55u; }
template <class F> struct Held { F f; unsigned by; __device__ unsigned operator()(unsigned v) const { return f(v) * by; } };
template <class F> __device__ Held<F> hold(F f, unsigned by) { return Held<F>{f, by}; }
__device__ auto adder(unsigned by) { return [by](unsigned v) { return v + by; }; }
template <class F, class G> __device__ auto after(F f, G g) { return [=](auto v) { return g(f(v)); }; }""")
    u, f = writer.value("unsigned", 2), writer.value("float", 2)
    writer.write(f"""
unsigned count = {u};
float mean = {f};
auto mix = [&count, &mean, i](auto v) {{ count += (unsigned)v ^ i; mean = mean * 0.5f + v; return v + v; }};
auto turn = [=](unsigned v) {{ return v << {writer.random.randrange(1, 9)} | v >> {writer.random.randrange(9, 30)}; }};
auto table = [&](int at) -> unsigned {{ switch (at & 3) {{ case 0: return count; case 1: return {writer.value("unsigned", 2)}; default: return at * 7u; }} }};""")
    calls = (
        "mix($unsigned)", "mix($int & 0xff)", "(unsigned)(int)mix(fminf(fmaxf($float, -90.f), 90.f))",
        "applied(turn, $unsigned)", "hold(turn, $byte)($unsigned)", "adder($byte)($unsigned)",
        "after(turn, adder($byte))($unsigned)", "table($int & 7)", "applied([&](unsigned v) { return v ^ count; }, $unsigned)",
        "applied([u = $unsigned, k = i](unsigned v) mutable { u += v; return u * k; }, $unsigned)",
        "[](unsigned one, int two) { return one > 9 ? one : (unsigned)two; }($unsigned, $int)",
    )  # fmt: skip
    for _ in range(writer.random.randint(5, 8)):
        text = writer.fill_with_values(writer.pick(*calls))
        writer.declare("unsigned", text)
    writer.variables["unsigned"].append("count")
    writer.variables["float"].append("mean")


def structs(writer: Writer) -> None:
    """Write structs with bases: members, hidden functions, constructors, operators, arrays."""
    writer.forms = PLAIN
    writer.declare_some(("unsigned", "int", "float"), 4)
    seeds = [writer.random.randrange(3, 99, 2) for _ in range(4)]
    writer.before.append(f"""
struct Base {{ unsigned key = {seeds[0]}; float weight;
    __device__ unsigned hash() const {{ return key * {seeds[1]}u ^ bits(weight); }}
    __device__ void raise(unsigned by) {{ key += by; }} }};
struct Other {{ int tags[3]; __device__ Other() = default; __device__ int sum() const {{ int s = 0; for (int t : tags) s ^= t; return s; }} }};
template <class T, int N> struct Ring {{ T items[N]; int head = 0;
    __device__ void push(T item) {{ items[head] = item; head = (head + 1) % N; }}
    __device__ T operator[](int at) const {{ return items[(head + at) % N]; }} }};
struct Derived : Base, Other {{ unsigned extra;
    __device__ Derived(unsigned k, float w, int t) : extra(k ^ {seeds[2]}) {{ key = k; weight = w; for (int j = 0; j < 3; ++j) tags[j] = t + j; }}
    __device__ unsigned hash() const {{ return Base::hash() + extra * {seeds[3]}u + sum(); }}
    __device__ Derived& operator+=(const Derived& o) {{ key += o.key; weight += o.weight; tags[o.key % 3] ^= o.extra; return *this; }}
    __device__ friend bool operator<(const Derived& l, const Derived& r) {{ return l.key < r.key; }} }};
__device__ unsigned through(const Base& b) {{ return b.hash(); }}""")
    writer.write(
        writer.fill_with_values("""
Derived one($unsigned, $float, $int), two{$unsigned, $float, $int};
Base plain{$unsigned, $float};
Ring<unsigned, 4> ring{};
Ring<float, 2> floats{{$float, $float}, {0|1}};""")
    )
    statements = (
        "one += two;", "two.raise($unsigned);", "if (two < one) one = two;", "plain = one;",
        "static_cast<Base&>(two).key ^= $unsigned;", "ring.push(one.hash());", "ring.push($unsigned);",
        "floats.push($float);", "two.tags[$unsigned % 3] += $int & 15;", "one.extra = ring[$int & 3];",
        "{ auto& [key, weight] = plain; key ^= $unsigned; weight = $float; }", "plain.raise(through(one));",
        "{ Derived copy = one; copy.raise(3); two.key ^= copy.hash(); }", "{ Base* p = &one; p->raise($unsigned); }",
    )  # fmt: skip
    for _ in range(writer.random.randint(6, 10)):
        writer.write(writer.fill_with_values(writer.pick(*statements)))
    for shown in (
        "one.hash()",
        "through(two)",
        "plain.key",
        "ring[1] ^ ring[3]",
        "bits(floats[0])",
    ):
        writer.declare("unsigned", shown)


def packs(writer: Writer) -> None:
    """Write parameter packs and folds."""
    writer.forms = PLAIN
    writer.declare_some(("unsigned", "int", "float"), 4)
    writer.before.append("""
template <class... T> __device__ unsigned xored(T... v) { return (0u ^ ... ^ (unsigned)v); }
template <class... T> __device__ auto added(T... v) { return (... + v); }
template <class... T> __device__ bool each(T... v) { return (... && (v > 3)); }
template <class F, class... T> __device__ void visit(F f, T... v) { (f(v), ...); }
template <unsigned... N> __device__ unsigned powers(unsigned v) { unsigned r = 0; ((r = r * v + N), ...); return r; }
__device__ unsigned listed() { return 1; }
template <class T, class... R> __device__ unsigned listed(T first, R... rest) { return (unsigned)first * 31u + listed(rest...) * sizeof...(R); }
template <class... T> __device__ unsigned stored(T... v) { unsigned all[] = {(unsigned)v...}; unsigned r = 7; for (unsigned one : all) r = r * 33 ^ one; return r; }
template <class T, class... R> __device__ T most(T first, R... rest) { if constexpr (sizeof...(rest) == 0) return first; else { T other = most(rest...); return other > first ? other : first; } }""")
    writer.write(f"unsigned seen = {writer.value('unsigned', 1)};")
    for _ in range(writer.random.randint(6, 9)):
        many = ", ".join("${unsigned|int}" for _ in range(writer.random.randint(1, 4)))
        same = ", ".join("$unsigned" for _ in range(writer.random.randint(1, 4)))
        numbers = ", ".join(
            str(writer.random.randrange(99)) for _ in range(writer.random.randint(1, 4))
        )
        form = writer.pick(
            f"xored({many})", f"added({same})", f"(unsigned)each({many}) * 7", f"powers<{numbers}>($unsigned)",
            f"listed({many})", f"stored({many})", f"most({same})", "bits(added($float, $float, 2.5f))", "bits(most($float, $float))",
        )  # fmt: skip
        writer.declare("unsigned", writer.fill_with_values(form))
        if writer.random.random() < 0.4:
            visited = f"visit([&](auto v) {{ seen = seen * 5 + (unsigned)v; }}, {many});"
            writer.write(writer.fill_with_values(visited))
    writer.variables["unsigned"].append("seen")


def unions(writer: Writer) -> None:
    """Write unions of numbers, of arrays and of structs, and vectors."""
    writer.forms = PLAIN
    writer.declare_some(("unsigned", "float"), 3)
    writer.before.append("""
struct Pair { unsigned short low, high; };
union Bits { float f; unsigned u; unsigned char b[4]; Pair p; };
union Wide { unsigned long long whole; unsigned half[2]; float f[2]; short s[4]; };
struct Tagged { int tag; union { float f; int i; unsigned u; }; };""")
    writer.write(
        writer.fill_with_values("""
Bits one, two; one.f = $float; two.u = $unsigned;
Wide wide; wide.half[0] = $unsigned; wide.half[1] = $unsigned;
Tagged tagged; tagged.tag = $int & 3; tagged.f = $float;
uint4 v = reinterpret_cast<const uint4*>(a)[i];
float2 w = make_float2($float, $float);""")
    )
    statements = (
        "one.b[$unsigned & 3] = $byte;", "two.p.high = one.p.low;", "one.u ^= two.u & 0x00ffffffu;", "wide.whole = wide.whole * 3 + $unsigned;",
        "wide.s[$unsigned & 3] ^= 5;", "two.f = two.b[1] * 0.5f + w.x;", "tagged.u ^= $byte;", "v.{x|y|z|w} ^= one.u;",
        "{ Bits copy = two; copy.p.low ^= 0x1234; one = copy; }", "w.{x|y} = tagged.tag > 1 ? w.y : w.x + 1.f;", "if (tagged.tag & 1) tagged.i = one.b[2];",
        "{ auto [p, q, r, s] = v; v = make_uint4(q, p, s, r + $byte); }",
    )  # fmt: skip
    for _ in range(writer.random.randint(7, 11)):
        writer.write(writer.fill_with_values(writer.pick(*statements)))
    for shown in (
        "one.u",
        "two.u",
        "wide.half[0]",
        "wide.half[1]",
        "tagged.u",
        "v.x ^ v.y * 3",
        "v.z + v.w",
        "bits(w.x)",
        "bits(w.y)",
    ):
        writer.declare("unsigned", shown)


def functions(writer: Writer) -> None:
    """Write pointers to known functions, and `constexpr` functions, tables and branches."""
    writer.forms = PLAIN
    writer.declare_some(("unsigned", "float"), 3)
    one, two, three = (writer.random.randrange(3, 250) for _ in range(3))
    writer.before.append(f"""
__device__ unsigned first(unsigned v) {{ return v * {one}u + 1; }}
__device__ unsigned second(unsigned v) {{ return v ^ v >> {two % 31 + 1}; }}
__device__ unsigned both(unsigned (*f)(unsigned), unsigned (*g)(unsigned), unsigned v) {{ return f(g(v)) + g(f(v)); }}
template <unsigned (*F)(unsigned), int N> __device__ unsigned often(unsigned v) {{ for (int j = 0; j < N; ++j) v = F(v); return v; }}
constexpr __host__ __device__ unsigned power(unsigned b, int e) {{ return e == 0 ? 1 : b * power(b, e - 1); }}
constexpr __host__ __device__ int digits(unsigned v) {{ int d = 0; while (v) {{ v /= 10; ++d; }} return d; }}
struct Table {{ unsigned at[8]; }};
constexpr __host__ __device__ Table filled(unsigned by) {{ Table t{{}}; for (int j = 0; j < 8; ++j) t.at[j] = j * j + by; return t; }}
__constant__ unsigned primes[] = {{2, 3, 5, 7, 11, 13, {one}}};
enum class Mode : int {{ add, shift = 4, mix }};
template <Mode M, class T> __device__ T moded(T v, int by) {{
    if constexpr (M == Mode::add) return v + by;
    else if constexpr (M == Mode::shift) return v * static_cast<int>(M);
    else return v - by * 2; }}""")
    writer.write(f"""
unsigned (*const chosen)(unsigned) = {writer.pick("first", "second", "&first")};
constexpr unsigned big = power({one}, {three % 5 + 1});
constexpr int count = digits({one * two * three}u);
constexpr Table table = filled({two});
unsigned local[count] = {{}};
static_assert(count > 0, "digits");""")
    for _ in range(writer.random.randint(7, 10)):
        form = writer.pick(
            "chosen($unsigned)", "both(first, second, $unsigned)", "both(chosen, &second, $unsigned)",
            "often<{first|second}, {2|3|5}>($unsigned)", "$unsigned % big", "table.at[$unsigned & 7] ^ $unsigned",
            "primes[$unsigned % 7u] * $unsigned", "moded<Mode::{add|shift|mix}>($unsigned, 5)", "bits(moded<Mode::{add|shift|mix}>($float, 2))",
            "(local[$unsigned % count] += $byte)", "power($unsigned & 15, {2|3})", "(unsigned)digits($unsigned)",
            "(unsigned)alignof(double) * sizeof(local) + $unsigned",
        )  # fmt: skip
        writer.declare("unsigned", writer.fill_with_values(form))


def libraries(writer: Writer) -> None:
    """Write primitives of CUB on numbers whose sums have no order."""
    writer.forms = PLAIN
    writer.declare_some(("unsigned", "int"), 3)
    u, s = writer.variables["unsigned"][0], writer.variables["int"][0]
    operator = writer.pick(
        "[](unsigned p, unsigned q) { return p > q ? p : q; }",
        "[](unsigned p, unsigned q) { return p ^ q; }",
    )
    scan = writer.pick("InclusiveSum", "ExclusiveSum")
    sort = writer.pick("Sort", "SortDescending")
    writer.write(f"""
using Reduce = cub::BlockReduce<unsigned, THREADS>;
using Scan = cub::BlockScan<int, THREADS>;
using Warp = cub::WarpReduce<int>;
using Order = cub::BlockRadixSort<unsigned, THREADS, 2>;
__shared__ union {{ Reduce::TempStorage reduce; Scan::TempStorage scan; Order::TempStorage order; Warp::TempStorage warp[THREADS / 32]; }} temp;
unsigned sum = Reduce(temp.reduce).{writer.pick(f"Sum({u})", f"Reduce({u}, {operator})")};
__syncthreads();
int part; Scan(temp.scan).{scan}({s} & 0xffff, part);
__syncthreads();
int whole = Warp(temp.warp[threadIdx.x / 32]).Sum({s} >> 8);
__syncthreads();
unsigned keys[2] = {{{u}, {u} * 2654435761u}};
Order(temp.order).{sort}(keys);
if (threadIdx.x != 0) sum = 0;
if (threadIdx.x % 32 != 0) whole = 0;""")
    writer.variables["unsigned"] += ["sum", "keys[0]", "keys[1]"]
    writer.variables["int"] += ["part", "whole"]
