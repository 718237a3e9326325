"""Expressions: what other parsers get wrong without an error, and precedence."""

from __future__ import annotations

import pytest

from tests.grader.simt.cuda.tools import body_of, refusal_of, shown

TEMPLATES = """
template <int n> __device__ int f(int x) { return x * n; }
template <typename T> struct vec { T x; static const int size = 4; };
typedef float T;
struct S { int v; template <int k> __device__ int get(int x) { return k + x; } };
"""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("i < n && j > (m);", "((i < n) && (j > m));"),
        ("x = i < n >> 1;", "(x = (i < (n >> 1)));"),
        ("dim3 c(y, z);", "dim3 c(y, z);"),
        ("x = (T)(y);", "(x = ((T)y));"),
        ("x = (n)(y);", "(x = n(y));"),
        ("a * b;", "(a * b);"),
        ("T * b;", "T *b;"),
        ("T * q = p;", "T *q = p;"),
        ("typename T(y);", "T(y);"),
        ("typename T v = y;", "T v = y;"),
        ("x = f<32>(x);", "(x = f<32>(x));"),
        ("x = i < 32 > (y);", "(x = ((i < 32) > y));"),
        ("x < y > (z);", "((x < y) > z);"),
        ("vec<vec<int>> v;", "vec<vec<int>> v;"),
        ("x = vec<vec<int>>::size >> 1;", "(x = (vec<vec<int>>::size >> 1));"),
        ("x = f<(3 > 2)>(1);", "(x = f<(3 > 2)>(1));"),
        ("x = f<sizeof(vec<int>)>(1);", "(x = f<sizeof(vec<int>)>(1));"),
        ("x = f<4 * vec<int>::size>(y) >> 1;", "(x = (f<(4 * vec<int>::size)>(y) >> 1));"),
        ("x = sizeof(T) * 4;", "(x = (sizeof(T) * 4));"),
        ("x = sizeof(x) * 4;", "(x = (sizeof(x) * 4));"),
        ("x = (int)-y;", "(x = ((int)(- y)));"),
        ("x = (int)*p;", "(x = ((int)(* p)));"),
        ("x = (y) - z;", "(x = (y - z));"),
        ("x = (y) * z;", "(x = (y * z));"),
        ("x = (T) * p;", "(x = ((T)(* p)));"),
        ("x = (y) & z;", "(x = (y & z));"),
        ("x = -y * z;", "(x = ((- y) * z));"),
        ("x = - -y;", "(x = (- (- y)));"),
        ("x = i++ + ++j;", "(x = ((i++) + (++ j)));"),
        ("*p++ = 1;", "((* (p++)) = 1);"),
        ("x = y = z;", "(x = (y = z));"),
        ("x = i ? y : j ? z : m;", "(x = (i ? y : (j ? z : m)));"),
        ("i ? x = y : x = z;", "(i ? (x = y) : (x = z));"),
        ("x = y, z = x;", "((x = y), (z = x));"),
        ("x = y << 1 + z;", "(x = (y << (1 + z)));"),
        ("x = y & 1 == z;", "(x = (y & (1 == z)));"),
        ("x = y | z ^ i & j;", "(x = (y | (z ^ (i & j))));"),
        ("x = i - j - n;", "(x = ((i - j) - n));"),
        ("x = i % j * n;", "(x = ((i % j) * n));"),
        ("float4 v = {a, b, a, b};", "float4 v = {a, b, a, b};"),
        ("p[i] = make_float4(a, b, a, b).x;", "(p[i] = make_float4(a, b, a, b).x);"),
        ("a = float4{a, b, a, b}.x;", "(a = float4{a, b, a, b}.x);"),
        ("a = float(x) / unsigned(y);", "(a = (float(x) / unsigned(y)));"),
        ("a = reinterpret_cast<float4*>(p)[i].x;", "(a = reinterpret_cast<float4 *>(p)[i].x);"),
        ("a = *(const float4*)&p[i];", "(a = (* ((const float4 *)(& p[i]))));"),
        ("a = ((float4*)p)[i].w;", "(a = ((float4 *)p)[i].w);"),
        ("a = (*(float (*)[4])p)[2];", "(a = (* ((float (*)[4])p))[2]);"),
        ("x = static_cast<int>(a) < 3 > x;", "(x = ((static_cast<int>(a) < 3) > x));"),
        ("S s; x = s.get<3>(y);", "S s; (x = s.get<3>(y));"),
        ("x = threadIdx.x < blockDim.x > 0;", "(x = ((threadIdx.x < blockDim.x) > 0));"),
        ("x = not i and j or n bitand m;", "(x = (((! i) && j) || (n & m)));"),
        ("x = true ? 'a' : '\\n';", "(x = (true ? '\\141' : '\\012'));"),
        ('printf("a" "b\\n", x);', 'printf("ab\\n", x);'),
        ("x = 0x1Fu + 010 + 0b11 + 1'000ll;", "(x = (((31u + 8) + 3) + 1000ll));"),
        ("a = 1.f + .5 + 1e-3f + 0x1p-2;", "(a = (((1.f + .5) + 1e-3f) + 0x1p-2));"),
        ("x = 4294967295 + 0xFFFFFFFF;", "(x = (4294967295l + 4294967295u));"),
        ("x = decltype(x)(a);", "(x = decltype(x)(a));"),
        ("x = alignof(float4);", "(x = alignof(float4));"),
    ],
)
def test_an_expression_is_read_as_cpp_reads_it(text, meant):
    assert shown(text, TEMPLATES) == meant


def test_what_is_printed_is_read_as_the_same():
    text = "x = i < n && (T)(y) * -z >> 2 ? f<3>(x), y : p[i, j] = 2;"
    once = shown(text, TEMPLATES)
    assert shown(once, TEMPLATES) == once


def test_a_variable_hides_a_type_and_a_template():
    assert shown("int T = 1; x = (T) * y;", TEMPLATES).endswith("(x = (T * y));")
    assert shown("int f = 1; x = f < 3 > (y);", TEMPLATES).endswith("(x = ((f < 3) > y));")
    assert shown("{ int T = 1; } x = (T)*p;", TEMPLATES).endswith("(x = ((T)(* p)));")


def test_places_are_those_of_operators_and_names():
    (statement,) = body_of("  x = y +\n   p[i];")
    assignment = statement.expression
    assert assignment.place[:2] == (3, 5)
    assert assignment.value.place[:2] == (3, 9)
    assert assignment.value.right.place[:2] == (4, 5)
    assert assignment.value.right.object.place[:2] == (4, 4)


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("f<<<1, 2>>>(x);", "cpp.no-launches", 2),
        ("int* q = new int[4];", "cpp.no-new", 10),
        ("throw x;", "cpp.no-exceptions", 1),
        ("int (dim3::*q)();", "cpp.no-member-pointers", 10),
        ("try { } catch (int) { }", "cpp.no-exceptions", 1),
        ("goto end;", "cpp.no-goto", 1),
        ("end: x = 1;", "cpp.no-goto", 1),
        ("__nv_fp4_e2m1 h;", "cpp.no-fp4", 1),
        ("cooperative_groups::multi_grid_group g;", "cpp.no-cooperative-group", 1),
        ("x = tex2Dgather<float4>(y, 1).x;", "cpp.no-textures", 5),
        ("std::vector<int> v;", "cpp.no-std", 1),
        ("Matrix v;", "cpp.unknown-type", 1),
        ("int g(int k);", "cpp.no-local-functions", 5),
        ("int g();", "cpp.no-local-functions", 5),
        ("switch (x) { case 1: if (y) { case 2: y = 1; } }", "cpp.no-nested-case", 31),
        ("__pipeline_arrive_on(p);", "cpp.no-pipelines", 1),
    ],
)
def test_what_is_not_emulated_is_refused_by_name(text, code, column):
    error = refusal_of(f"__global__ void f(int x, int y, int* p) {{\n{text}\n}}")
    assert (error.what.code, error.line, error.column) == (code, 2, column)


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("x = 1", "cpp.missing", 6),
        ("x = y y;", "cpp.missing", 6),
        ("x = (y;", "cpp.expected", 7),
        ("x = p[y;", "cpp.expected", 8),
        ("x = 1 + ;", "cpp.unexpected", 9),
        ("x = unsigned int(y);", "cpp.expected", 14),
        ("x = 08;", "cpp.bad-number", 5),
        ("x = 1.2.3;", "cpp.bad-number", 5),
        ("x = 1.5_K;", "cpp.no-literal-operators", 5),
        ("x = 99999999999999999999;", "cpp.beyond-64-bits", 5),
        ("x = 'ab';", "cpp.long-character", 5),
        ("x = @;", "cpp.unexpected", 5),
        ("if x = 1;", "cpp.expected", 4),
        ("int = 3;", "cpp.expected-name", 5),
        ("int int = 3;", "cpp.no-such-type", 1),
        ("long float v;", "cpp.no-such-type", 1),
        ("int while = 3;", "cpp.keyword-as-name", 5),
        ("else x = 1;", "cpp.unexpected", 1),
    ],
)
def test_what_is_ill_formed_is_refused_where_it_is(text, code, column):
    error = refusal_of(f"__global__ void f(int x, int y, int* p) {{\n{text}\n}}")
    assert (error.what.code, error.line, error.column) == (code, 2, column)
