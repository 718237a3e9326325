"""Bases, packs, conversions, lambdas that are stored: a C++ compiler says the same."""

from __future__ import annotations

import pytest

from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import Refused
from tests.grader.simt.cuda.host_compiler import emulate, evaluate, in_kernel, read_cases

_PACKS = """
template <typename T> __device__ T sum(T a) { return a; }
template <typename T, typename... R> __device__ T sum(T a, R... r) { return a + sum(r...); }
template <typename... T> __device__ auto fold(T... x) { return (x + ...); }
template <typename... T> __device__ auto lfold(T... x) { return (... - x); }
template <typename... T> __device__ auto rfold(T... x) { return (x - ...); }
template <typename... T> __device__ auto ifold(T... x) { return (100 - ... - x); }
template <typename... T> __device__ bool all(T... x) { return (... && x); }
template <typename... T> __device__ int count(T...) { return sizeof...(T); }
template <int... N> struct Seq { static constexpr int size = sizeof...(N); __device__ static int
at(int i) { int v[] = {N...}; return v[i]; } };
template <typename F, typename... A> __device__ auto call(F f, A... a) { return f(a...); }
template <typename... A> __device__ void inc(int by, A&... a) { ((a += by), ...); }
template <typename... T> struct Tup;
template <> struct Tup<> { static constexpr int n = 0; };
template <typename H, typename... T> struct Tup<H, T...> { H head; Tup<T...> tail; static
constexpr int n = 1 + Tup<T...>::n; };
template <typename... T> __device__ double first(const Tup<T...>& t) { return t.head +
sizeof...(T); }
template <typename... T> __device__ int sizes() { return (sizeof(T) + ... + 0); }
template <typename T> using Id = T;
template <typename... T> using TT = Tup<T..., int>;
template <typename T, typename... R> __device__ int rec(T a, R... r) { if constexpr
(sizeof...(r) > 0) return a * 10 + rec(r...); else return a; }
"""
_OF_PACKS = read_cases("""
int a = 1;
=> sum(1,2,3) sum(1.5,2) fold(1,2,3) fold(1.5f,2) lfold(1,2,3) rfold(1,2,3) ifold(1,2,3) all()
all(true,false)

int a = 1;
=> count() count(1,2.0,'a') Seq<3,4,5>::size Seq<3,4,5>::at(1) sizes<int,char,double>()
sizes<>() rec(1,2,3)

auto f = [](int x, float y) { return x * y; };
=> call(f,2,1.5f) call([](auto...v){return(v+...);},1,2,3.5)

int x = 1, y = 2; inc(5, x, y);
=> x y

int x = 1; inc(5, x, x);
=> x

Tup<int,float,char> t; t.head = 3; t.tail.head = 2.5f; t.tail.tail.head = 'a';
=> t.head t.tail.head t.tail.tail.head t.n first(t) sizeof(t)

Id<float> v = 2.5f; TT<char> u; u.head = 4; u.tail.head = 7;
=> v u.head+u.tail.head (TT<char,float>::n)
""")
_BASES = """
__device__ double rows(const double m[][2], int n) { return m[n][0] * 10 + m[n][1]; }
struct A { int a = 3; float f; __device__ A() : f(1.5f) {} __device__ A(int a, float f) : a(a),
f(f) {} __device__ int get() const { return a; } __device__ void set(int v) { a = v; } };
struct B : A { int b; __device__ B(int x) : A(x, 2.5f), b(x * 2) {} __device__ int both() const
{ return get() * 100 + b; } };
struct C : public B { using B::B; int c = 9; };
struct E {};
struct F : E { int f = 4; };
struct P { int x, y; };
struct Q : P { int z; };
struct M : P, A { int m; __device__ M() : P{7, 8}, m(1) {} };
template <typename D> struct Shape { __device__ float twice() { return
static_cast<D*>(this)->area() * 2; } __device__ float again() const { return static_cast<const
D&>(*this).area(); } __device__ void grow() { static_cast<D&>(*this).s += 1; } };
struct Sq : Shape<Sq> { float s; __device__ Sq(float s) : s(s) {} __device__ float area() const
{ return s * s; } };
__device__ int take(const A& a) { return a.a; } __device__ void change(A& a) { a.a += 10; }
__device__ int val(A a) { a.a++; return a.a; }
__device__ int ptr(A* a) { return a->a; } __device__ int pick(const P&) { return 1; } __device__
int pick(const Q&) { return 2; }
template <typename T> struct Base { T v; using type = T; __device__ T get() const { return v; }
static constexpr int k = 5; };
template <typename T> struct Der : Base<T> { using Base<T>::v; __device__ T f() { return v +
this->get() + Base<T>::k; } __device__ T g() { return Base<T>::get() * 2; } };
template <typename... M> struct Mix : M... { __device__ Mix(M... m) : M(m)... {} };
template <typename D> __device__ float area2(const Shape<D>& s) { return s.again(); }
"""
_OF_BASES = read_cases("""
double m[2][2] = {{1, 2}, {3, 4}}; const double c[1][2] = {{5, 6}};
=> rows(m,1) rows(c,0)

B b(3);
=> b.a b.f b.b b.get() b.both() take(b) val(b) b.a

B b(3); b.set(5); change(b);
=> b.a b.get() sizeof(B)

C c(4);
=> c.a c.b c.c c.both() sizeof(C)

F f;
=> f.f sizeof(F)

Q q{{1,2},3}; Q r{1,2,3}; P p = q;
=> q.x q.y q.z r.z p.y pick(q) pick(p)

M m;
=> m.x m.y m.a m.f m.m sizeof(M)

M m; A* a = &m; P* p = &m; a->set(77); p->y = 5;
=> m.a m.y ptr(&m) static_cast<M*>(a)->m static_cast<M*>(p)->a

Sq s(3); float t = s.twice(); s.grow();
=> t s.s s.again() s.twice() area2(s)

Sq s(3); Sq* q = &s; q->grow();
=> s.s q->twice() q->again() Sq(5).twice()

Der<float> d; d.v = 2;
=> d.f() d.g() d.get() d.Base<float>::v Der<float>::k

Mix<P,E> m(P{3,4},E{});
=> m.x m.y sizeof(m)

B b(3); b.A::set(8);
=> b.a b.A::get() b.A::a

B b(1), d(2); b = d; A x = b; x = d; static_cast<A&>(b) = A(9, 1.0f);
=> b.a b.b x.a
""")
_REST = """
template <typename F> struct Holder { F f; int k; __device__ int run(int x) const { return f(x)
* k; } };
template <typename F> __device__ Holder<F> hold(F f, int k) { return Holder<F>{f, k}; }
__device__ auto adder(int n) { return [n](int x) { return x + n; }; }
template <typename F, typename G> __device__ auto compose(F f, G g) { return [f, g](int x) {
return f(g(x)); }; }
template <typename F> struct Op { F f; __device__ Op(F f) : f(f) {} __device__ float
operator()(float a) { return f(a); } };
template <typename F> __device__ void repeat(int n, F&& f) { for (int i = 0; i < n; i++) f(i); }
__device__ int twice(int x) { return x * 2; } __device__ int thrice(int x) { return x * 3; }
struct Opt { int v; bool has; __device__ explicit operator bool() const { return has; } };
__device__ Opt below(int i) { return {i * 2, i < 3}; }
typedef int (*Fn)(int);
struct V { float x, y; __device__ V(float x, float y) : x(x), y(y) {} __device__ V(float a) :
V(a, a + 1) {} __device__ V operator+(const V& o) const { return V(x + o.x, y + o.y); }
__device__ V operator*(float s) const { return {x * s, y * s}; } };
__device__ V operator*(float s, const V& v) { return v * s; }
__device__ float norm(V v) { return v.x * v.x + v.y * v.y; }
struct W { __device__ operator float() const { return 2.5f; } int i = 3; };
__device__ float half_of(float x) { return x / 2; }
template <typename T> __device__ int kind(T) { return 1; }
template <typename T> __device__ int kind(T*) { return 2; }
template <typename T> __device__ int kind(const T*) { return 3; }
struct Arr { int a[3]; Arr() = default; __device__ Arr(int x) : a{x, x + 1, x + 2} {} };
struct D { int x = 1, y = 2; D() = default; };
union U { float f; unsigned u; };
struct Deleg { int a, b; __device__ Deleg(int a, int b) : a(a), b(b) {} __device__ Deleg() :
Deleg(3, 4) {} };
enum class Color : int { red = 1, green = 5 };
template <int N> struct Fact { static constexpr int v = N * Fact<N - 1>::v; }; template <>
struct Fact<0> { static constexpr int v = 1; };
__device__ constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
template <typename A, typename B = int> struct Pr { A a; B b; };
"""
_OF_REST = read_cases("""
int v[2][2] = {{1, 2}, {3, 4}}; auto f = [=](int i) { return v[i][0] + v[i][1]; }; v[1][0] = 9;
auto* p = &v[1][1]; const auto* q = p;
=> f(0) f(1) *q

auto f = adder(5);
=> f(3) adder(2)(1)

auto h = hold([](int x) { return x + 1; }, 3); int k = 4; auto g = hold([k](int x) { return x *
k; }, 2);
=> h.run(2) g.run(5) g.f(1)

int k = 4; auto g = hold([&](int x) { return x * k; }, 2); k = 10;
=> g.run(5)

auto c = compose([](int x) { return x + 1; }, adder(10));
=> c(1)

float b = 2; auto l = [b](float a) { return a * b; }; Op<decltype(l)> o(l);
=> o(3)

int s = 0; auto add = [&](int v) { s += v; }; auto same = add; same(3); repeat(4, add);
repeat(2, same);
=> s

V v = V(1, 2) + V(3); V w = v * 2; V u = 2 * v; V z{1, 2}; V q = 5;
=> v.x v.y w.x u.y norm(v) norm({1,2}) norm(3) z.y q.y

W w; float x = w;
=> x half_of(w) w+1 w.i

int i = 0; int* p = &i; const int* q = p;
=> kind(i) kind(p) kind(q)

Arr a(5); Arr b = a; a.a[0] = 9;
=> a.a[0] b.a[0] b.a[2]

D d; Deleg e; D f{};
=> d.x d.y e.a e.b f.y

U u; u.f = 1.0f; U v = {2.0f}; U w{.u = 5};
=> u.u v.u w.u

Color c = Color::green;
=> static_cast<int>(c) (c==Color::green) Fact<5>::v fib(10)

constexpr int n = fib(7); int a[n]; a[0] = 4; static_assert(n == 13, "x");
=> n a[0] sizeof(a)

auto [x, y] = Deleg(7, 8); int arr[2] = {4, 5}; auto [p, q] = arr; auto& [r, s] = arr; r = 9;
=> x y p q arr[0] s

Pr<float> p{1.5f, 2}; Pr<int, int> q = {.a = 3, .b = 4}; auto f = [](Pr<int> z) { return z.a +
z.b; };
=> p.a p.b q.a+q.b f({5,6})

int x = 5; if (int y = x * 2; y > 5) x = y; switch (int z = x; z) { case 10: x = 1; break;
default: x = 2; }
=> x

int i = 0, r = 0; while (auto f = below(i)) { r += f.v + 1; i++; } if (int j = i; Opt f = below(j -
1)) r += 100 * f.v; else r = -f.v; for (; auto f = below(i - 2); i++) r += 1000; if (const Opt f =
below(7)) r = 0; else r += f.v * 100000; if (int* p = &i) *p += 1;
=> r i

auto gen = [i = 0]() mutable { return i++; }; gen(); auto copy = gen; copy();
=> gen() copy()

int a[2][3] = {{1, 2, 3}, {4}}; int b[4] = {1, 2}; int c[] = {5, 6, 7};
=> a[1][0] a[1][2] b[3] sizeof(c) a[0][2]

int x = 3; int& r = x; const int& cr = x * 2; r += 4; int&& rr = x + 1; rr++;
=> x cr rr

float f = 3.7f; int i = static_cast<int>(f); float& g = static_cast<float&>(f); g = 1;
=> f i
""")


_NAMES = """
#include <initializer_list>
#include <utility>
template <typename T, T... I> struct Seq { static constexpr int n = sizeof...(I); };
template <typename T, unsigned long N, T... I> struct Make : Make<T, N - 1, T(N - 1), I...> {};
template <typename T, T... I> struct Make<T, 0, I...> { using type = Seq<T, I...>; };
template <int... I> using Ints = Seq<int, I...>;
template <typename A, typename B = int> struct Two { A a; B b; };
template <typename T> using Same = Two<T, const T*>;
template <int... I> __device__ int digits(Ints<I...>) { int n = 0; ((n = n * 10 + I), ...);
return n; }
template <typename T> __device__ int kind(Same<T>) { return 1; }
template <typename A> __device__ int kind(Two<A>) { return 2; }
template <typename... T> struct Bag { int v = 5; };
template <typename T> struct Of;
template <typename... T> struct Of<Bag<T...>> { using base = Bag<T...>; };
template <typename... T> __device__ int inner(Bag<T...>& b) { return static_cast<typename
Of<Bag<T...>>::base&>(b).v; }
template <typename T, T v> __device__ T just() { return v; }
template <typename T, T v = T(3)> __device__ T plus(T w) { return v + w; }
namespace one { template <typename T> struct Box { T v; }; template <typename T> using Alias =
Box<T>; template <typename T> struct Size; template <typename T> struct Size<Box<T>> { static
constexpr int n = 1; }; template <typename T> __device__ int get(const Box<T>&) { return 10; } }
namespace two { template <typename T> struct Box { T v, w; }; template <typename T> using Alias =
Box<T>; template <typename T> struct Size; template <typename T> struct Size<Box<T>> { static
constexpr int n = 2; }; template <typename T> Box(T, T) -> Box<T>; template <typename T>
__device__ int get(const Box<T>&) { return 20; } }
__device__ int take(const float*) { return 1; }
__device__ int take(int) { return 2; }
__device__ int range(const int* a, int n) { return 3; }
__device__ int range(const int* a, const int* b) { return b - a; }
template <typename T> struct View { T* p; int n; template <int N> __device__ View(T (&a)[N]) :
p(a), n(N) {} };
__device__ int total(View<const int> v) { int s = 0; for (int i = 0; i < v.n; ++i) s += v.p[i];
return s; }
template <typename T, int N> __device__ constexpr int length(const T (&)[N]) { return N; }
struct Pair { int first, second; template <int N> __device__ int third() const { return N; } };
struct Other { template <int N> __device__ int first() const { return N; } };
struct Key { int x, y; __device__ Key(int x, int y) : x(x), y(y) {} };
struct Held { Key k; int n = 4; };
template <typename T> __device__ auto twice(T&& a) -> decltype(std::forward<T>(a) + a) { return a +
a; }
__device__ auto half(float a) -> decltype(a / 2) { return a / 2; }
__device__ int limited(int n) { return n + 1; }
namespace spaced { __device__ int limited(int n) { return n + 2; } struct Own { __device__ int
limited(int n) { return n + 3; } __device__ int all() { return ::limited(1) * 100 +
spaced::limited(1) * 10 + limited(1); } }; __device__ int call() { return ::limited(1) * 10 +
limited(1); } }
__device__ const auto& front(const Pair& p) { return p.first; }
__device__ int spell(const char* s) { int n = 0; while (*s) n = n * 3 + *s++ - 96; return n; }
"""
_OF_NAMES = read_cases("""
Make<int, 4>::type s; Seq<int, 7, 1> t;
=> digits(s) digits(t) (Make<long,6>::type::n)

auto i = std::integral_constant<int, 3>{}; int room[decltype(i)::value]; constexpr int least =
decltype(i)::value - 1; Seq<int, 4> sq; constexpr int count = decltype(sq)::n;
=> sizeof(room) least count decltype(i)::value

Two<float, const float*> a{1, nullptr}; Two<float> b{2, 3}; Bag<int, char> c;
=> kind(a) kind(b) inner(c) (just<short,3>()) plus(2) (plus<int,7>(1))

two::Box d{1, 2}; one::Alias<int> e{3}; two::Alias<int> f{4, 5};
=> d.w f.w one::Size<one::Alias<int>>::n two::Size<two::Alias<int>>::n sizeof(e) get(e) get(d)

int a[3] = {1, 2, 3}; static_assert(length(a) == 3, ""); constexpr int n = length(a);
=> take(nullptr) take(0) range(a,2) range(a,a+2) total(a) n sizeof(int[length(a)])

const int a[2] = {4, 5}; auto p = a; auto& x = a[1]; const int b = 6; auto& y = b; int s = 0;
for (auto& v : a) s += v; for (int v : {7, 8, b}) s += 10 * v;
=> p[1] x y s

Pair p{1, 2}, q{1, 3}; Other o; bool less = p.first < q.first || (p.second < q.second);
=> less p.third<4>() o.first<5>() front(p)

Held h{{1, 2}}, g = {{3, 4}, 5}; Held all[2]{{{1, 2}, 3}, {{4, 5}}};
=> h.k.y h.n g.k.x+g.n all[1].k.y all[1].n

spaced::Own o; int limit = 5;
=> o.all() spaced::call() ::limited(limit) twice(3) twice(1.5f) half(3)

const char* s = "abc"; auto t = "b"; const char* words[2] = {"a", "ba"}; const char own[] = "cc";
=> spell(s) spell(t) spell(words[1]) s[1] spell(own) sizeof("abc") spell(s[0]=='a'?"ab":"b")
""")


@pytest.mark.parametrize(
    ("before", "cases"),
    [(_PACKS, _OF_PACKS), (_BASES, _OF_BASES), (_REST, _OF_REST), (_NAMES, _OF_NAMES)],
    ids=["packs", "bases", "rest", "names"],
)
def test_a_compiler_says_the_same(before, cases, tmp_path, needs_program):
    wanted = evaluate(needs_program("g++"), before, cases, tmp_path)
    for (text, shown), values in zip(cases.items(), wanted, strict=True):
        assert emulate(in_kernel(before, text, shown), shown) == values, text


_REFUSED = {
    'constexpr int operator""_K(unsigned long long v) { return v; } __global__ void k(int* o) { '
    "o[0] = 2_K; }": "cpp.no-literal-operators",
    "struct A { __device__ virtual int f() { return 1; } }; struct B : A { __device__ int f() "
    "override { return 2; } }; __global__ void k(int* o) { B b; A& a = b; o[0] = a.f(); }":
        "cpp.no-virtual",
    "struct A { __device__ virtual int f() = 0; __device__ int g() { return f(); } }; __global__ "
    "void k(A** o) { o[0]->f(); o[0]->g(); }": "cpp.no-virtual",
    "typedef int (*F)(int); __device__ F f; __global__ void k(int* o) { o[0] = (*f)(1); }":
        "cpp.no-function-pointers",
    "struct A { int a; }; struct B { virtual ~B(); }; struct C : A, B {}; __global__ void "
    "k(int* o) { C c; o[0] = c.a; }": "cpp.no-virtual",
    "struct A { int a; }; struct B : virtual A {}; __global__ void k(int* o) { B b; o[0] = b.a; }":
        "cpp.unavailable",
    "union U { int a; }; struct B : U {}; __global__ void k(int* o) { B b; o[0] = b.a; }":
        "cpp.no-inheritance",
    "struct E {}; struct F : E {}; struct G : E {}; struct H : F, G {}; __global__ void k(int* o) "
    "{ H h; o[0] = sizeof(h); }": "cpp.no-inheritance",
    "template <typename... T> __device__ int f(T... x) { return (... + x); } __global__ void "
    "k(int* o) { o[0] = f(); }": "cpp.empty-fold",
    "template <typename... T> struct P { template <typename... U> __device__ int f(U... u) { "
    "return (sizeof(T) + ... + 0) + g(T(u)...); } __device__ int g(int a) { return a; } }; "
    "__global__ void k(int* o) { o[0] = P<int, float>().f(1); }": "cpp.no-mixed-packs",
    "template <typename... T> __device__ int g(T... x) { return 0; } template <typename... T> "
    "struct P { template <int... N> __device__ int f() { return 0; } }; template <typename A, "
    "typename B> struct Q; template <typename... A, typename... B> struct Q<P<A...>, P<B...>> { "
    "__device__ int f() { return g(sizeof(A) + sizeof(B)...); } }; __global__ void k(int* o) { "
    "o[0] = Q<P<int>, P<int, int>>().f(); }": "cpp.pack-lengths",
    "template <typename T> struct S { T a; }; __global__ void k(int* o) { S s{1}; o[0] = s.a; }":
        "cpp.no-deduced-class",
    "template <typename D> struct B { __device__ int f() { return static_cast<D&>(*this).a; } }; "
    "struct A : B<A> { int a; }; __global__ void k(int* o) { B<A> b; o[0] = b.f(); }":
        "cpp.no-derived",
}  # fmt: skip


@pytest.mark.parametrize("text", _REFUSED)
def test_refused_by_name(text):
    with pytest.raises(Refused) as found:
        lower_kernel(read_cuda(text), "k")
    assert found.value.what.code == _REFUSED[text]
