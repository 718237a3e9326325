"""Kernels of tensor cores: `nvcuda::wmma`, and `mma.sync` with `ldmatrix` as inline PTX."""

from __future__ import annotations

from typing import NamedTuple

from bench.gpu.cuda_features.drawing import Writer


class _Kind(NamedTuple):
    """Types of operands: in memory, in fragments, of sums; how a float becomes one; shapes."""

    stored: str
    fragment: str
    sums: tuple[str, ...]
    made: str
    shapes: tuple[tuple[int, int, int], ...]


_SHAPES = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
_KINDS = (
    _Kind("half", "half", ("float", "half"), "__float2half({})", _SHAPES),
    _Kind("__nv_bfloat16", "__nv_bfloat16", ("float",), "__float2bfloat16({})", _SHAPES[:1]),
    _Kind(
        "float", "wmma::precision::tf32", ("float",), "wmma::__float_to_tf32({})", ((16, 16, 8),)
    ),
    _Kind("signed char", "signed char", ("int",), "(signed char)(int){}", _SHAPES[:1]),
    _Kind("unsigned char", "unsigned char", ("int",), "(unsigned char)(int)fabsf({})", _SHAPES[:1]),
    _Kind("double", "double", ("double",), "(double){} * 0.3", ((8, 8, 4),)),
)
_VALUES = (
    "((float)(int)(a[({}) & 511] & 255u) - 128.f)", "((float)(int)(a[({}) & 511] % 1000u) * 0.037f - 18.f)",
    "fminf(fmaxf(x[({}) & 511], -60.f), 60.f)",
)  # fmt: skip


def fragments(writer: Writer) -> None:
    """Write a product of fragments, in a few steps along K."""
    kind = writer.random.choice(_KINDS)
    m, n, k = writer.random.choice(kind.shapes)
    total = writer.pick(*kind.sums)
    rows, columns = writer.pick("row", "col"), writer.pick("row", "col")
    steps = writer.random.randint(1, 3)
    values = writer.pick(*_VALUES[: 2 if "char" in kind.stored else 3])
    depth = k * steps
    lda, ldb = (depth if rows == "row" else m), (n if columns == "row" else depth)
    step_a = f"s * {k}" if rows == "row" else f"s * {k} * {m}"
    step_b = f"s * {k} * {n}" if columns == "row" else f"s * {k}"
    shape = f"{m}, {n}, {k}"
    begin = {"half": "__float2half(0.25f)", "int": "3", "float": "0.5f", "double": "0.125"}[total]
    order = writer.pick("row", "col")
    ldc = n if order == "row" else m
    word = {
        "half": "bits(__half2float(tc[j]))", "int": "(unsigned)tc[j]", "float": "bits(tc[j])",
        "double": "bits((float)tc[j])",
    }[total]  # fmt: skip
    scaled = {"half": "__hmul(fc.x[e], __float2half(0.5f))", "int": "fc.x[e] * 3",
              "float": "fc.x[e] * 0.75f", "double": "fc.x[e] * 0.75"}[total]  # fmt: skip
    writer.write(f"""
__shared__ alignas(32) {kind.stored} ta[{m * depth}], tb[{depth * n}];
__shared__ alignas(32) {total} tc[{m * n}];
for (int j = threadIdx.x; j < {m * depth}; j += THREADS) ta[j] = {kind.made.format(values.format("j + blockIdx.x"))};
for (int j = threadIdx.x; j < {depth * n}; j += THREADS) tb[j] = {kind.made.format(values.format("j * 3 + 7"))};
__syncthreads();
if (threadIdx.x < 32) {{
    wmma::fragment<wmma::matrix_a, {shape}, {kind.fragment}, wmma::{rows}_major> fa;
    wmma::fragment<wmma::matrix_b, {shape}, {kind.fragment}, wmma::{columns}_major> fb;
    wmma::fragment<wmma::accumulator, {shape}, {total}> fc;
    wmma::fill_fragment(fc, {begin});
    for (int s = 0; s < {steps}; ++s) {{
        wmma::load_matrix_sync(fa, ta + {step_a}, {lda});
        wmma::load_matrix_sync(fb, tb + {step_b}, {ldb});
        wmma::mma_sync(fc, fa, fb, fc);
    }}
    for (int e = 0; e < fc.num_elements; ++e) fc.x[e] = {scaled};
    wmma::store_matrix_sync(tc, fc, {ldc}, wmma::mem_{order}_major);
}}
__syncthreads();
unsigned total = 0;
for (int j = threadIdx.x; j < {m * n}; j += THREADS) total = total * 31 + {word};""")
    writer.variables["unsigned"] = ["total"]


class _Mma(NamedTuple):
    """A form of `mma.sync`: registers of each operand, and whether `ldmatrix` loads A and B."""

    name: str
    a: int
    b: int
    c: int
    sums: str
    element: str


_FORMS = (
    _Mma("m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, "float", "__float2half({})"),
    _Mma("m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, "unsigned", "__float2half({})"),
    _Mma("m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4, "float", "__float2half({})"),
    _Mma("m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, "float", "__float2bfloat16({})"),
    _Mma("m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, "float", ""),
    _Mma("m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 4, "int", ""),
    _Mma("m16n8k32.row.col.s32.u8.s8.s32", 4, 2, 4, "int", ""),
    _Mma("m16n8k16.row.col.s32.s8.s8.s32", 2, 1, 4, "int", ""),
    _Mma("m8n8k4.row.col.f64.f64.f64.f64", 1, 1, 2, "double", ""),
)
_LETTER = {"float": "f", "int": "r", "unsigned": "r", "double": "d"}


def products(writer: Writer) -> None:
    """Write `mma.sync`, with operands from `ldmatrix` or from registers."""
    form = writer.random.choice(_FORMS)
    operand = "double" if "f64" in form.name else "unsigned"
    writer.write(f"""
const int lane = threadIdx.x & 31;
{operand} ra[{form.a}], rb[{form.b}];
{form.sums} rc[{form.c}] = {{}};""")
    if form.element:
        _load_matrices(writer, form)
    else:
        made = {"tf32": "__float_as_uint({})", "f64": "(double)({}) * 0.3"}.get(
            form.name.split(".")[4], "a[({}) & 511]"
        )
        value = writer.pick(*_VALUES)
        for array, count in (("ra", form.a), ("rb", form.b)):
            at = f"i * {count} + e + {writer.random.randrange(99)}"
            filled = made.format(at if made.startswith("a[") else value.format(at))
            if "tf32" in form.name:
                filled = f"{filled} & 0xffffe000u"
            writer.write(f"for (int e = 0; e < {count}; ++e) {array}[e] = {filled};")
    _multiply(writer, form, _LETTER[operand])
    shown = {"float": "bits(rc[e])", "double": "bits((float)rc[e])", "int": "(unsigned)rc[e]",
             "unsigned": "bits(__half2float(__ushort_as_half(rc[e] & 0xffff))) ^ rc[e] >> 16"}[form.sums]  # fmt: skip
    writer.write(f"""
unsigned total = 0;
for (int e = 0; e < {form.c}; ++e) total = total * 31 + ({shown});""")
    writer.variables["unsigned"] = ["total"]


def _multiply(writer: Writer, form: _Mma, letter: str) -> None:
    counts = (form.c, form.a, form.b)
    names, at = [], 0
    for count in counts:
        names.append("{" + ", ".join(f"%{at + e}" for e in range(count)) + "}")
        at += count
    outputs = ", ".join(f'"+{_LETTER[form.sums]}"(rc[{e}])' for e in range(form.c))
    inputs = ", ".join(
        f'"{letter}"({array}[{e}])'
        for array, count in (("ra", form.a), ("rb", form.b)) for e in range(count)
    )  # fmt: skip
    text = f"mma.sync.aligned.{form.name} {names[0]}, {names[1]}, {names[2]}, {names[0]};"
    writer.write(f"for (int s = 0; s < {writer.random.randint(1, 3)}; ++s)")
    writer.write(f'    asm volatile("{text}" : {outputs} : {inputs});')


def _load_matrices(writer: Writer, form: _Mma) -> None:
    depth = 8 * form.b
    padded = depth + writer.random.choice((0, 8))
    turned = writer.random.random() < 0.5
    kind = "__nv_bfloat16" if "bf16" in form.name else "half"
    wide = 8 + writer.random.choice((0, 8)) if turned else padded
    rows_b = depth if turned else 8
    value = writer.pick(*_VALUES)
    row_a = f"(lane % 16) * {padded} + lane / 16 % 2 * 8"
    row_b = (
        f"(lane % {depth}) * {wide}" if turned else f"(lane % 8) * {wide} + lane / 8 % {form.b} * 8"
    )
    writer.write(f"""
__shared__ alignas(16) {kind} ta[16 * {padded}], tb[{rows_b} * {wide}];
for (int j = threadIdx.x; j < 16 * {padded}; j += THREADS) ta[j] = {form.element.format(value.format("j + blockIdx.x"))};
for (int j = threadIdx.x; j < {rows_b} * {wide}; j += THREADS) tb[j] = {form.element.format(value.format("j * 5 + 3"))};
__syncthreads();
const unsigned pa = (unsigned)__cvta_generic_to_shared(ta + {row_a});
const unsigned pb = (unsigned)__cvta_generic_to_shared(tb + {row_b});""")
    for array, count, pointer, suffix in (
        ("ra", form.a, "pa", ""), ("rb", form.b, "pb", ".trans" if turned else ""),
    ):  # fmt: skip
        names = ", ".join(f"%{e}" for e in range(count))
        outputs = ", ".join(f'"=r"({array}[{e}])' for e in range(count))
        writer.write(
            f'asm volatile("ldmatrix.sync.aligned.m8n8.x{count}{suffix}.shared.b16 '
            f'{{{names}}}, [%{count}];" : {outputs} : "r"({pointer}));'
        )
