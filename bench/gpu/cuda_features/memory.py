"""Kernels whose accesses are one instruction each: strides, widths, swizzles, narrow elements."""

from __future__ import annotations

from bench.gpu.cuda_features.drawing import Writer

_WIDTHS = {"unsigned": 1, "uint2": 2, "uint4": 4}


def shared(writer: Writer) -> None:
    """Write a tile that is stored by one order and read by another."""
    kind = writer.pick(*_WIDTHS)
    wide = _WIDTHS[kind]
    writer.write(f"__shared__ {kind} tile[THREADS * 8 / {wide}];\nunsigned total = 0;")
    size = f"(THREADS * 8 / {wide})"
    writer.write(f"""
for (int j = 0; j < {8 // wide}; ++j) tile[threadIdx.x + j * THREADS] = {kind}{{}};
__syncthreads();""")
    for turn in range(writer.random.randint(2, 4)):
        stored, read = (_order(writer, size) for _ in range(2))
        value = f"a[i + {turn} * n]"
        whole = {1: value, 2: f"make_uint2({value}, i)", 4: f"make_uint4({value}, i, n, total)"}[
            wide
        ]
        member = "" if wide == 1 else f".{writer.pick(*'xy' if wide == 2 else 'xyzw')}"
        writer.write(f"""
tile[{stored}] = {whole};
__syncthreads();
total = total * 31 + tile[{read}]{member};
__syncthreads();""")
    writer.variables["unsigned"] = ["total"]


def _order(writer: Writer, size: str) -> str:
    odd = writer.random.choice(
        (1, 5, 7, 11, 13, 17, 19, 23, 25, 29, 31)
    )  # none has a factor of THREADS
    return writer.pick(
        "threadIdx.x", "THREADS - 1 - threadIdx.x", f"threadIdx.x * {odd} % THREADS",
        "threadIdx.x ^ (threadIdx.x >> 3 & 3)", f"threadIdx.x * 2 % {size}",
        f"(threadIdx.x + {odd}) % THREADS", "(threadIdx.x & 3) * (THREADS / 4) + (threadIdx.x >> 2)",
    )  # fmt: skip


def plain(writer: Writer) -> None:
    """Write loads and stores of global memory by strides, offsets and widths."""
    writer.write("unsigned total = 0;")
    for _ in range(writer.random.randint(3, 6)):
        kind = writer.pick(*_WIDTHS)
        wide = _WIDTHS[kind]
        limit = 2048 // wide
        stride, shift = writer.random.choice((1, 1, 2, 3, 4, 9)), writer.random.randrange(16)
        pointer = f"(const {kind}*)a" if wide > 1 else "a"
        member = "" if wide == 1 else f".{writer.pick(*'xy' if wide == 2 else 'xyzw')}"
        load = f"({pointer})[(i * {stride} + {shift}) % {limit}]"
        if wide > 1:
            name = writer.name()
            members = " ^ ".join(f"{name}.{each}" for each in "xyzw"[:wide])
            writer.write(f"{kind} {name} = {load};\ntotal = total * 31 + ({members});")
        else:
            writer.write(f"total = total * 31 + {load}{member};")
        if writer.random.random() < 0.4:
            writer.write(
                f"if ((threadIdx.x & {writer.random.choice((1, 3, 16))}) == 0) total ^= bits(x[i * {stride} % 2048]);"
            )
    writer.variables["unsigned"] = ["total"]


def narrow(writer: Writer) -> None:
    """Write arrays of narrow elements in shared memory: halves, bytes, and vectors of them."""
    kind, made, shown = writer.random.choice((
        ("half", "__float2half({})", "bits(__half2float({}))"),
        ("half2", "__floats2half2_rn({}, 1.5f)", "bits(__low2float({}))"),
        ("bfloat", "__float2bfloat16({})", "bits(__bfloat162float({}))"),
        ("bfloat2", "__floats2bfloat162_rn(2.f, {})", "bits(__high2float({}))"),
        ("e4m3", "e4m3({})", "(unsigned){}.__x"), ("uchar", "(uchar)a[i]", "{}"),
        ("short", "(short)a[i]", "(unsigned){}"), ("double", "(double){} * 3", "bits((float){})"),
        ("char4", "make_char4(a[i], 2, 3, a[i] >> 8)", "(unsigned)({0}.x ^ {0}.w)"),
    ))  # fmt: skip
    writer.before.append("using uchar = unsigned char;")
    writer.write(f"""
__shared__ {kind} tile[THREADS * 2];
unsigned total = 0;
for (int j = 0; j < 2; ++j) tile[threadIdx.x + j * THREADS] = {kind}{{}};
__syncthreads();""")
    for turn in range(writer.random.randint(2, 4)):
        stored, read = _order(writer, "(THREADS * 2)"), _order(writer, "(THREADS * 2)")
        writer.write(f"""
tile[{stored}] = {made.format(f"x[i + {turn} * n]")};
__syncthreads();
total = total * 31 + {shown.format(f"tile[{read}]")};
__syncthreads();""")
    writer.variables["unsigned"] = ["total"]
