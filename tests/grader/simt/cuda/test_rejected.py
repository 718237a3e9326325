"""What C++ compilers reject, and what is close to it and right: g++ says the same of each."""

from __future__ import annotations

import subprocess

import pytest

from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.cuda.lowering.model.types import FLOAT, INT, PointerTo
from grader.simt.cuda.places import IllFormed

_TYPES = """
#define ZERO 0
struct Trivial { int a; };
struct Begun { int a = 1; };
struct Made { int a; __device__ Made() : a(2) {} };
struct Methods {
  int n;
  __device__ int change() { return n++; }
  __device__ int look() const { return n; }
  __device__ int both() { return 1; }
  __device__ int both() const { return 2; }
  __device__ int& operator[](int) { return n; }
  __device__ int operator[](int i) const { return i; }
  __device__ int operator()(int) { return n; }
};
struct Box { Methods m; };
"""
_SWITCH = "switch (*o) {{ case 0: {} o[1] = 1; break; case 1: o[1] = 2; }}"
REJECTED = {
    **{
        f"a label behind {begun}": (_SWITCH.format(begun), "cpp.jump-over")
        for begun in (
            "int a = 1;", "const int a = 1;", "constexpr int a = 1;", "int a{};", "int& a = *o;",
            "Made a;", "Begun a;", "Made a[2];", "int b, a = 2;",
        )
    },
    "default behind a value": (
        "switch (*o) { case 0: int a = 1; o[1] = a; break; default: o[1] = 2; }", "cpp.jump-over",
    ),
    "a const struct": ("const Methods m{1}; o[0] = m.change();", "cpp.const-object"),
    "a reference to const": (
        "Methods m{1}; const Methods& r = m; o[0] = r.change();", "cpp.const-object",
    ),
    "a pointer to const": (
        "Methods m{1}; const Methods* p = &m; o[0] = p->change();", "cpp.const-object",
    ),
    "a member of a const": ("const Box b{{1}}; o[0] = b.m.change();", "cpp.const-object"),
    "an element of a const": (
        "const Methods m[2] = {{1}, {2}}; o[0] = m[*o].change();", "cpp.const-object",
    ),
    "an operator": ("const Methods m{1}; o[0] = m(0);", "cpp.const-object"),
    **{
        f"#if {test}": (f"\n#if {test}\n#endif\n", "cpp.condition-division")
        for test in ("1/0", "1 % 0", "1 / ZERO", "1 && 2 / (1 - 1)", "0 || 1/0", "1 ? 1/0 : 2")
    },
    "#elif": ("\n#if 0\n#elif 1/0\n#endif\n", "cpp.condition-division"),
}  # fmt: skip
ACCEPTED = (
    *(
        _SWITCH.format(begun)
        for begun in ("int a;", "Trivial a;", "static int a;", "{ int a = 1; o[2] = a; }",
                      "for (int a = 0; a < 2; a++) o[a] = 3;", "if (int a = *o) o[1] = a;")
    ),
    "switch (*o) { case 0: o[1] = 2; break; case 1: int a = 1; o[1] = a; }",
    "switch (*o) { case 0: case 1: int a = 1; o[1] = a; }",
    "const Methods m{1}; o[0] = m.look() + m.both() + m[0];",
    "Methods m{1}; o[0] = m.change() + m.look() + m.both();",
    "o[0] = Methods{1}.change();",
    *(
        f"\n#if {test}\n#endif\n"
        for test in ("0 && 1/0", "1 || 1/0", "0 ? 1/0 : 1", "1 ? 1 : 1/0", "(0 && 1/0) || 1")
    ),
    "\n#if 1\n#elif 1/0\n#endif\n",
    "\n#if 0\n#if 1/0\n#endif\n#endif\n",
)  # fmt: skip


def _source(body: str) -> str:
    return f"{_TYPES}__global__ void k(int* o) {{ {body} }}\n"


def _compiles(compiler: str, body: str) -> bool:
    given = f"#define __device__\n#define __global__\n{_source(body)}"
    done = subprocess.run(
        [compiler, "-std=c++17", "-w", "-fsyntax-only", "-x", "c++", "-"],
        input=given, text=True, capture_output=True, check=False,
    )  # fmt: skip
    return done.returncode == 0


@pytest.mark.parametrize(("body", "code"), REJECTED.values(), ids=REJECTED)
def test_what_compilers_reject_is_rejected(body, code, needs_program):
    assert not _compiles(needs_program("g++"), body)
    with pytest.raises(IllFormed) as error:
        lower_kernel(read_cuda(_source(body)), "k")
    assert error.value.what.code == code


@pytest.mark.parametrize("body", ACCEPTED)
def test_what_compilers_accept_is_accepted(body, needs_program):
    assert _compiles(needs_program("g++"), body)
    lower_kernel(read_cuda(_source(body)), "k")


_A, _B = "__global__ void a(float* o) {{ {} o[0] = s[0]; }}", "__global__ void b(int* o) {{ {} }}"
_FLOATS, _INTS = "extern __shared__ float s[];", "extern __shared__ int s[];"


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        (_A.format(_FLOATS) + _B.format(_INTS), False),
        (_FLOATS + _B.format(_INTS), False),
        (_B.format(_INTS + "{ " + _FLOATS + " }"), False),
        (f"__device__ void f() {{ {_FLOATS} }}" + _B.format(_INTS), False),
        (_A.format(_FLOATS) + _B.format(_INTS.replace("int", "const float")), False),
        (_A.format(_FLOATS) + _B.format("extern __shared__ float s[][16];"), False),
        (_A.format(_FLOATS) + _B.format(_FLOATS), True),
        (_A.format(_FLOATS) + _B.format("extern __shared__ __align__(16) float s[];"), True),
        ("using F = float; " + _A.format(_FLOATS.replace("float", "F")) + _B.format(_FLOATS), True),
        (_B.format(_INTS + _FLOATS.replace("s[", "t[")), True),
        (f"namespace x {{ {_A.format(_FLOATS)} }} namespace y {{ {_B.format(_INTS)} }}", True),
    ],
)
def test_dynamic_shared_arrays_of_one_name_have_one_type(text, agrees):
    """NVRTC 12.9 rejects the same: they are one variable of the namespace."""
    source = read_cuda(text)
    if agrees:
        lower_kernel(source, "b")
        return
    with pytest.raises(IllFormed) as error:
        lower_kernel(source, "b")
    assert error.value.what.code == "cpp.extern-shared-types"


def test_a_template_for_two_types_has_two_dynamic_arrays_of_one_name():
    source = read_cuda(
        "template <typename T> __global__ void k(T* o) { extern __shared__ T s[]; o[0] = s[0]; }"
    )
    lower_kernel(source, "k", given=[PointerTo(FLOAT)])
    with pytest.raises(IllFormed):
        lower_kernel(source, "k", given=[PointerTo(INT)])
