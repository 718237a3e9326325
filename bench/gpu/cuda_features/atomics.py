"""Kernels of `cuda::atomic_ref`: orders, scopes, messages and locks; none depends on chance."""

from __future__ import annotations

from bench.gpu.cuda_features.drawing import Writer

_ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")


def references(writer: Writer) -> None:
    """Write one of the ways to use an atomic."""
    writer.random.choice((_totals, _message, _last_block, _locked))(writer)


def _ref(kind: str, scope: str, name: str, place: str) -> str:
    return f"cuda::atomic_ref<{kind}, cuda::thread_scope_{scope}> {name}({place});"


def _totals(writer: Writer) -> None:
    """All threads update words of their block; the order leaves no trace."""
    name = writer.declare("unsigned")
    updates = {
        "fetch_add": "0u", "fetch_sub": "0u", "fetch_min": "~0u", "fetch_max": "0u",
        "fetch_and": "~0u", "fetch_or": "0u", "fetch_xor": "0u",
    }  # fmt: skip
    chosen = writer.random.sample(sorted(updates), 4)
    writer.write("__shared__ unsigned sums[5];")
    begin = " ".join(f"sums[{at}] = {updates[each]};" for at, each in enumerate(chosen))
    ready, done = "__syncthreads();  // begun", "__syncthreads();  // done"
    writer.write(f"if (threadIdx.x == 0) {{ {begin} sums[4] = 0; }}\n{ready}")
    lines: list[str] = []
    for at, each in enumerate(chosen):
        scope = writer.pick("block", "device", "system")
        order = f"cuda::{writer.pick('', 'std::')}memory_order_{writer.pick(*_ORDERS)}"
        writer.write(_ref("unsigned", scope, f"r{at}", f"sums[{at}]"))
        lines.append(f"r{at}.{each}({name} >> {at}{writer.pick('', f', {order}')});")
        writer.write(lines[-1])
    writer.write(f"""
{_ref("unsigned", "block", "chain", "sums[4]")}
unsigned seen = chain.load(cuda::memory_order_relaxed);
while (!chain.compare_exchange_weak(seen, seen + ({name} & 15), cuda::memory_order_{writer.pick("relaxed", "acq_rel")}, cuda::memory_order_relaxed)) {{}}
{done}
for (int j = 0; j < 5; ++j) {name} = {name} * 31 + sums[j];""")
    writer.wrong_if(ready)
    writer.wrong_if(done)
    writer.wrong_if(lines[0], f"sums[0] += {name};")


def _message(writer: Writer) -> None:
    """One block writes, and the others wait for its flag."""
    name = writer.declare("unsigned")
    stored = writer.pick("release", "seq_cst")
    store = f"flag.store(1, cuda::memory_order_{stored});"
    if writer.random.random() < 0.4:
        store = f"flag.fetch_add(1, cuda::memory_order_{stored});"
    load = f"flag.load(cuda::memory_order_{writer.pick('acquire', 'seq_cst')})"
    writer.before.append("__device__ unsigned raised, message[THREADS];")
    writer.write(f"""
{_ref("unsigned", "device", "flag", "raised")}
if (blockIdx.x == 0) {{
    message[threadIdx.x] = {name} * 3;
    __syncthreads();  // written
    if (threadIdx.x == 0) {store}
}} else {{
    if (threadIdx.x == 0)
        while ({load} == 0) {{}}
    __syncthreads();  // seen
    {name} ^= message[THREADS - 1 - threadIdx.x];
}}""")
    relaxed = "cuda::memory_order_relaxed"
    writer.wrong_if(store, f"flag.store(1, {relaxed});")
    writer.wrong_if(load, f"flag.load({relaxed})")
    writer.wrong_if("thread_scope_device> flag", "thread_scope_block> flag")
    writer.wrong_if("__syncthreads();  // written")
    writer.wrong_if("__syncthreads();  // seen")


def _last_block(writer: Writer) -> None:
    """The block that ends last reads what the others wrote."""
    name = writer.declare("unsigned")
    writer.before.append("__device__ unsigned taken_tickets, sums_of_blocks[8];")
    ticket = f"tickets.fetch_add(1, cuda::memory_order_{writer.pick('acq_rel', 'seq_cst')})"
    writer.write(f"""
{_ref("unsigned", "device", "tickets", "taken_tickets")}
__shared__ unsigned sum;
__shared__ bool last;
if (threadIdx.x == 0) sum = 0;
__syncthreads();
{_ref("unsigned", "block", "own", "sum")}
own += {name};
__syncthreads();  // summed
if (threadIdx.x == 0) {{
    sums_of_blocks[blockIdx.x] = own.load();
    last = {ticket} == gridDim.x - 1;
    if (last) {{
        unsigned whole = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) whole = whole * 17 + sums_of_blocks[b];
        out[OUTS * n] = whole;
    }}
}}""")
    writer.wrong_if(ticket, "tickets.fetch_add(1, cuda::memory_order_relaxed)")
    writer.wrong_if("thread_scope_device> tickets", "thread_scope_block> tickets")
    writer.wrong_if("own += ", "sum += ")


def _locked(writer: Writer) -> None:
    """One thread of each block changes two words in turn."""
    name = writer.declare("unsigned")
    writer.before.append("__device__ int lock_word; __device__ unsigned pair[2];")
    taken = f"lock.exchange(1, cuda::memory_order_{writer.pick('acquire', 'acq_rel')})"
    if writer.random.random() < 0.5:
        left = "lock.store(0, cuda::memory_order_release);"
    else:
        left = "lock = 0;"
    writer.write(f"""
{_ref("int", "device", "lock", "lock_word")}
if (threadIdx.x == {writer.random.choice((0, 32))}) {{
    while ({taken} != 0) {{}}
    pair[0] += {name};
    pair[1] ^= {name} * 5;
    {left}
    {_ref("unsigned", "device", "done", "out[OUTS * n]")}
    done.fetch_add({name} >> 2, cuda::memory_order_relaxed);
}}""")
    relaxed = "cuda::memory_order_relaxed"
    writer.wrong_if(taken, f"lock.exchange(1, {relaxed})")
    writer.wrong_if(left, f"lock.store(0, {relaxed});")
    writer.wrong_if("thread_scope_device> lock", "thread_scope_block> lock")
