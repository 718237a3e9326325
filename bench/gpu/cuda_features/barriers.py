"""Kernels that wait: `cuda::barrier`, `cuda::latch`, `cuda::pipeline`, asynchronous copies."""

from __future__ import annotations

from bench.gpu.cuda_features.drawing import Writer


def barriers(writer: Writer) -> None:
    """Write one of the ways to use a barrier."""
    writer.write("""
using barrier = cuda::barrier<cuda::thread_scope_block>;
auto block = cg::this_thread_block();""")
    writer.random.choice((_split, _copied, _roles, _dropped))(writer)


def _init(writer: Writer, name: str, count: str) -> None:
    text = f"if (threadIdx.x == 0) init(&{name}, {count});"
    writer.write(f"__shared__ barrier {name};\n{text}\nblock.sync();")
    writer.wrong_if(text, text.replace(count, f"{count} + 1"))


def _split(writer: Writer) -> None:
    _init(writer, "ready", writer.pick("block.size()", "blockDim.x", "THREADS"))
    value = writer.declare("unsigned")
    step = writer.random.randrange(1, 30)
    waits = writer.pick(
        "ready.wait(std::move(token));", "ready.wait_parity(round & 1);",
    )  # fmt: skip
    twice = "parity" not in waits
    writer.write(f"""
__shared__ unsigned part[2][THREADS];
for (int round = 0; round < {writer.random.randint(2, 4)}; ++round) {{
    part[round & 1][threadIdx.x] = {value};
    {"barrier::arrival_token token =" if twice else "(void)"} ready.arrive();
    {value} = {value} * {writer.random.randrange(3, 99, 2)} + round;
    {waits}
    {value} ^= part[round & 1][(threadIdx.x + {step}) % THREADS];
}}""")
    writer.wrong_if(waits)


def _copied(writer: Writer) -> None:
    words = writer.random.choice((64, 128, 256))
    _init(writer, "ready", "block.size()")
    writer.declare("unsigned", "0u")
    size = writer.pick(f"{words * 4}", f"cuda::aligned_size_t<16>({words * 4})")
    waits = writer.pick("ready.arrive_and_wait();", "ready.wait(ready.arrive());")
    name = writer.variables["unsigned"][0]
    writer.write(f"""
__shared__ alignas(16) unsigned tile[{words}];
cuda::memcpy_async(block, tile, a + blockIdx.x * {words}, {size}, ready);
{waits}  // filled
for (int j = threadIdx.x; j < {words}; j += THREADS) {name} = {name} * 33 + tile[{words - 1} - j];
for (int j = 0; j < 4; ++j) {name} ^= tile[(threadIdx.x * {writer.random.randrange(1, 9)} + j) % {words}] >> j;""")
    writer.wrong_if(f"{waits}  // filled", "block.sync();")
    writer.wrong_if(f"{waits}  // filled", "(void)ready.arrive();")


def _roles(writer: Writer) -> None:
    """One warp fills a slot, the others read it."""
    rounds = writer.random.randint(3, 6)
    writer.write("""
__shared__ barrier full, empty;
if (threadIdx.x == 0) { init(&full, THREADS); init(&empty, THREADS); }
block.sync();""")
    name = writer.declare("unsigned")
    fills, frees = "(void)full.arrive();", "(void)empty.arrive();"
    writer.write(f"""
__shared__ unsigned slot[32];
if (threadIdx.x < 32) {{
    for (int t = 0; t < {rounds}; ++t) {{
        empty.arrive_and_wait();  // producer
        slot[threadIdx.x] = {name} + t * a[threadIdx.x];
        {fills}
    }}
}} else {{
    {frees}
    for (int t = 0; t < {rounds}; ++t) {{
        full.arrive_and_wait();  // consumer
        {name} = {name} * 7 + slot[(threadIdx.x + t) & 31];
        {frees}  // behind
    }}
}}""")
    writer.wrong_if("empty.arrive_and_wait();  // producer", "(void)empty.arrive();")
    writer.wrong_if("full.arrive_and_wait();  // consumer", "(void)full.arrive();")
    writer.wrong_if(fills)


def _dropped(writer: Writer) -> None:
    """Some threads leave, and the others go on."""
    _init(writer, "ready", "block.size()")
    name = writer.declare("unsigned")
    left = writer.random.choice((8, 16, 32))
    drop = "ready.arrive_and_drop();"
    writer.write(f"""
__shared__ unsigned part[THREADS];
part[threadIdx.x] = {name};
if (threadIdx.x < {left}) {{
    {drop}
}} else {{
    ready.arrive_and_wait();  // first
    {name} += part[THREADS - 1 - threadIdx.x];
    ready.arrive_and_wait();  // second
    part[threadIdx.x] = {name};
    ready.arrive_and_wait();  // third
    {name} ^= part[{left} + (threadIdx.x + 3) % (THREADS - {left})];
}}""")
    writer.wrong_if(drop)
    writer.wrong_if(drop, "(void)ready.arrive();")
    writer.wrong_if("ready.arrive_and_wait();  // first", "(void)ready.arrive();")


def pipelines(writer: Writer) -> None:
    """Write a pipeline of a block, of a thread, or with roles."""
    writer.random.choice((_of_block, _of_thread, _with_roles))(writer)


def _of_block(writer: Writer) -> None:
    stages, words, tiles = (
        writer.random.randint(2, 4), writer.random.choice((64, 128)), writer.random.randint(4, 7)
    )  # fmt: skip
    writer.write(f"""
__shared__ alignas(16) unsigned tile[{stages}][{words}];
__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, {stages}> state;
auto block = cg::this_thread_block();
auto pipe = cuda::make_pipeline(block, &state);
unsigned total = 0;
for (int now = 0, fetch = 0; now < {tiles}; ++now) {{
    for (; fetch < {tiles} && fetch < now + {stages}; ++fetch) {{
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile[fetch % {stages}], a + fetch * {words}, {writer.pick(f"sizeof(unsigned) * {words}", f"cuda::aligned_size_t<16>({4 * words})")}, pipe);
        pipe.producer_commit();
    }}
    pipe.consumer_wait();
    for (int j = threadIdx.x; j < {words} + THREADS; j += THREADS) total = total * 31 + tile[now % {stages}][({words} - 1 + j) % {words}];
    pipe.consumer_release();
}}""")
    writer.variables["unsigned"] = ["total"]
    writer.wrong_if("pipe.consumer_wait();")
    writer.wrong_if("pipe.producer_acquire();")
    writer.wrong_if("pipe.consumer_release();")


def _of_thread(writer: Writer) -> None:
    ahead, rounds = writer.random.randint(1, 3), writer.random.randint(4, 6)
    stages = ahead + 1
    step = writer.random.randrange(1, 30)
    writer.write(
        f"""
__shared__ unsigned tile[{stages}][THREADS];
auto pipe = cuda::make_pipeline();
unsigned total = 0;
for (int k = 0; k < {rounds + ahead}; ++k) {{
    pipe.producer_acquire();
    if (k < {rounds}) cuda::memcpy_async(&tile[k % {stages}][threadIdx.x], a + (k * THREADS + threadIdx.x) % {{words}}, sizeof(unsigned), pipe);
    pipe.producer_commit();
    if (k < {ahead}) continue;
    cuda::pipeline_consumer_wait_prior<{ahead}>(pipe);
    __syncthreads();  // filled
    total = total * 7 + tile[(k - {ahead}) % {stages}][(threadIdx.x + {step}) % THREADS];
    pipe.consumer_release();
    __syncthreads();  // read
}}""".replace("{words}", "512")
    )
    writer.variables["unsigned"] = ["total"]
    writer.wrong_if(f"wait_prior<{ahead}>", f"wait_prior<{ahead + 1}>")
    writer.wrong_if("__syncthreads();  // filled")
    if rounds > ahead + 1:  # else no copy comes behind a read
        writer.wrong_if("__syncthreads();  // read")


def _with_roles(writer: Writer) -> None:
    stages, rounds = writer.random.randint(2, 3), writer.random.randint(6, 9)
    writer.write(f"""
__shared__ unsigned tile[{stages}][64];
__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, {stages}> state;
auto block = cg::this_thread_block();
auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
auto pipe = cuda::make_pipeline(block, &state, role);
unsigned total = 0;
if (role == cuda::pipeline_role::producer) {{
    for (int k = 0; k < {rounds}; ++k) {{
        pipe.producer_acquire();
        for (int j = threadIdx.x; j < 64; j += 32)
            cuda::memcpy_async(&tile[k % {stages}][j], a + k * 32 + j, cuda::aligned_size_t<4>(4), pipe);
        pipe.producer_commit();
    }}
}} else {{
    for (int k = 0; k < {rounds}; ++k) {{
        pipe.consumer_wait();
        total = total * 5 + tile[k % {stages}][(threadIdx.x * {writer.random.randrange(1, 8)}) % 64];
        pipe.consumer_release();
    }}
}}""")
    writer.variables["unsigned"] = ["total"]
    writer.wrong_if("pipe.producer_acquire();")
    writer.wrong_if("pipe.consumer_wait();")
    writer.wrong_if("pipe.consumer_release();")


_COPIES = {
    "primitives": (
        "__pipeline_memcpy_async({to}, {at}, {size});",
        "__pipeline_commit();", "__pipeline_wait_prior({count});",
    ),
    "ptx": (
        'asm volatile("cp.async.{mode}.shared.global [%0], [%1], {size};" :: "r"((unsigned)__cvta_generic_to_shared({to})), "l"({at}));',
        'asm volatile("cp.async.commit_group;");', 'asm volatile("cp.async.wait_group {count};");',
    ),
}  # fmt: skip


def copies(writer: Writer) -> None:
    """Write asynchronous copies by the primitives or by inline PTX, some groups ahead."""
    copy, commit, wait = _COPIES[writer.pick(*_COPIES)]
    each = writer.random.choice((1, 2, 4))
    ahead, rounds = writer.random.randint(1, 2), writer.random.randint(3, 5)
    stages, step = ahead + 1, writer.random.randrange(1, 30)
    mode = writer.pick("ca", "cg") if each == 4 else "ca"
    copied = copy.format(
        to=f"&tile[k % {stages}][threadIdx.x * {each}]", size=4 * each, mode=mode,
        at=f"a + (k * THREADS + threadIdx.x) % 128 * {each}",
    )  # fmt: skip
    waits = wait.format(count=ahead)
    writer.write(f"""
__shared__ alignas(16) unsigned tile[{stages}][THREADS * {each}];
unsigned total = 0;
for (int k = 0; k < {rounds + ahead}; ++k) {{
    if (k < {rounds}) {{
        {copied}
    }}
    {commit}
    if (k < {ahead}) continue;
    {waits}
    __syncthreads();  // filled
    total = total * 7 + tile[(k - {ahead}) % {stages}][(threadIdx.x * {each} + {step}) % (THREADS * {each})];
    __syncthreads();  // read
}}""")
    writer.variables["unsigned"] = ["total"]
    writer.wrong_if(waits, wait.format(count=ahead + 1))
    writer.wrong_if(waits)
    writer.wrong_if("__syncthreads();  // filled")
    if rounds > ahead + 1:  # else no copy comes behind a read
        writer.wrong_if("__syncthreads();  // read")
