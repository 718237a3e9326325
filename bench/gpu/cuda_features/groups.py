"""Kernels of cooperative groups: tiles, coalesced threads, blocks; collectives and exchanges."""

from __future__ import annotations

from bench.gpu.cuda_features.drawing import Writer

_OPERATORS = {
    "unsigned": ("plus", "less", "greater", "bit_and", "bit_or", "bit_xor"),
    "int": ("plus", "less", "greater", "bit_xor"),
    "float": ("plus", "less", "greater"),
}
_COMBINED = {
    "unsigned": ("{0} * 31u + {1}", "{0} ^ {1} >> 3", "max({0}, {1}) + 1"),
    "int": ("{0} ^ {1}", "min({0}, {1})", "{0} > {1} ? {1} : {0}"),
    "float": ("{0} - {1}", "fmaxf({0}, {1})", "{0} * 0.5f + {1}"),
}


def tiles(writer: Writer) -> None:
    """Write collectives of a tile, and exchanges through shared memory between its `sync`s."""
    size = writer.random.choice((4, 8, 16, 32))
    writer.write(f"""
cg::thread_block block = cg::this_thread_block();
auto tile = cg::tiled_partition<{size}>(block);""")
    kinds = ("unsigned", writer.pick("int", "float"), "float")
    for kind in kinds:
        writer.declare(kind)
    for _ in range(writer.random.randint(4, 7)):
        _collect(writer, writer.pick(*kinds), "tile", size)
    _exchange(
        writer, "tile", f"threadIdx.x - tile.thread_rank() + (tile.thread_rank() + {{}}) % {size}"
    )
    writer.declare("unsigned", "tile.meta_group_rank() * 1000 + tile.thread_rank()")


def coalesced(writer: Writer) -> None:
    """Write what threads do that met in a branch."""
    result = writer.declare("unsigned")
    other = writer.declare("float")
    for _ in range(writer.random.randint(2, 3)):
        mask = writer.random.choice((1, 2, 3, 6, 7, 12))
        low = writer.random.randrange(4)
        writer.write(f"""
if ((a[i + {low} * n] & {mask}) {writer.pick("!= 0", f"== {mask}", "== 0")}) {{
    cg::coalesced_group active = cg::coalesced_threads();
    {result} = active.shfl({result}, {writer.random.randrange(32)} % active.size()) + active.thread_rank();
    {result} ^= cg::reduce(active, {result}, cg::{writer.pick(*_OPERATORS["unsigned"])}<unsigned>());
    {result} += active.ballot({result} & 4) + active.size() * {writer.pick("any", "all").join(("active.", f"({result} & 1)"))};
    {other} {writer.pick("=", "+=")} cg::reduce(active, {other}, cg::{writer.pick(*_OPERATORS["float"])}<float>());
    {other} += active.shfl_{writer.pick("up", "down")}({other}, {writer.random.randint(1, 3)});
}}""")


def _collect(writer: Writer, kind: str, group: str, size: int) -> None:
    name = writer.pick(*writer.variables[kind])
    combined = writer.pick(*_COMBINED[kind])
    lane, step = writer.random.randrange(size), writer.random.randrange(1, size)
    operator = f"cg::{writer.pick(*_OPERATORS[kind])}<{kind}>()"
    scanned = operator if kind != "float" else "cg::plus<float>()"
    found = writer.pick(
        f"{group}.shfl({name}, {lane})", f"{group}.shfl_xor({name}, {1 << (step.bit_length() - 1)})",
        f"{group}.shfl_up({name}, {step})", f"{group}.shfl_down({name}, {step})",
        f"cg::reduce({group}, {name}, {operator})",
        f"cg::{writer.pick('inclusive', 'exclusive')}_scan({group}, {name}, {scanned})",
        f"({kind}){group}.{writer.pick('any', 'all', 'ballot')}({name} > 5)",
        f"({kind}){group}.match_any((int){name} & 3)",
    )  # fmt: skip
    if "ballot" in found or "match" in found:
        found = f"({kind})(({found.removeprefix(f'({kind})')}) >> 1)"
    together = writer.declare(kind, found)
    writer.declare(kind, combined.format(name, together))


def _exchange(writer: Writer, group: str, partner: str) -> None:
    """Write rounds in which threads read what others of their group wrote before."""
    name = writer.pick(*writer.variables["unsigned"])
    writer.write("__shared__ unsigned part[THREADS];")
    for turn in range(writer.random.randint(1, 3)):
        step = writer.random.randint(1, 3)
        write, read = f"{group}.sync();  // {turn}: written", f"{group}.sync();  // {turn}: read"
        writer.write(f"""
part[threadIdx.x] = {name};
{write}
{name} = {name} * 5 + part[{partner.format(step)}];
{read}""")
        writer.wrong_if(write)
        if turn:
            writer.wrong_if(f"{group}.sync();  // {turn - 1}: read")


def blocks(writer: Writer) -> None:
    """Write exchanges of a block, and a sum of all its tiles."""
    writer.write("""
cg::thread_block block = cg::this_thread_block();
cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);""")
    writer.declare("unsigned")
    kind = writer.pick("unsigned", "int", "float")
    value = writer.declare(kind)
    if writer.random.random() < 0.6:
        _exchange(writer, "block", "(threadIdx.x + {} * 7) % THREADS")
    operator = writer.pick(*_OPERATORS[kind])
    synced = writer.pick("block.sync();", "cg::sync(block);", "__syncthreads();")
    writer.write(f"""
__shared__ {kind} parts[THREADS / 32];
{kind} whole = cg::reduce(warp, {value}, cg::{operator}<{kind}>());
if (warp.thread_rank() == 0) parts[warp.meta_group_rank()] = whole;
{synced}  // parts
for (unsigned w = 0; w < warp.meta_group_size(); ++w) whole = {_fold(operator, "whole", "parts[w]")};""")
    writer.wrong_if(f"{synced}  // parts")
    writer.variables[kind].append("whole")
    writer.declare("unsigned", "block.thread_rank() + block.group_index().x * block.size()")


def _fold(operator: str, one: str, other: str) -> str:
    signs = {"plus": "+", "bit_and": "&", "bit_or": "|", "bit_xor": "^"}
    if operator in signs:
        return f"{one} {signs[operator]} {other}"
    return f"{one} {'<' if operator == 'less' else '>'} {other} ? {one} : {other}"


def warps(writer: Writer) -> None:
    """Write warp primitives with masks and widths, of all types that they take."""
    for kind in ("unsigned", "int", "float"):
        writer.declare(kind)
    writer.write("const unsigned all = 0xffffffffu;")
    for _ in range(writer.random.randint(7, 11)):
        kind = writer.pick("unsigned", "int", "float")
        name = writer.pick(*writer.variables[kind])
        width = writer.random.choice((4, 8, 16, 32))
        step = writer.random.randrange(1, width)
        found = writer.pick(
            f"__shfl_sync(all, {name}, {step} + threadIdx.x, {width})",
            f"__shfl_up_sync(all, {name}, {step}, {width})",
            f"__shfl_down_sync(all, {name}, {step}, {width})",
            f"__shfl_xor_sync(all, {name}, {step}, {width})",
            f"({kind})__shfl_xor_sync(all, (double){name} * 0.5, {step})",
            f"({kind})(__shfl_down_sync(all, (long long){name} << 20, {step}) >> 19)",
            f"({kind})(__ballot_sync(all, {name} > 9) >> 1)",
            f"({kind})(__match_any_sync(all, (int){name} & 7) >> 2)",
            f"({kind})__{writer.pick('any', 'all')}_sync(all, {name} > 0)",
            f"({kind})(__reduce_{writer.pick('add', 'min', 'max', 'xor', 'or', 'and')}_sync(all, (unsigned){name} & 0xffff) >> 1)",
        )  # fmt: skip
        together = writer.declare(kind, found)
        writer.declare(kind, writer.pick(*_COMBINED[kind]).format(name, together))


def clusters(writer: Writer) -> None:
    """Write accesses to shared memory of other blocks of a cluster."""
    writer.cluster = writer.random.choice((2, 4))
    name = writer.declare("unsigned")
    writer.write("""
cg::cluster_group cluster = cg::this_cluster();
__shared__ unsigned part[THREADS], sum;
if (threadIdx.x == 0) sum = 0;""")
    for turn in range(writer.random.randint(1, 3)):
        write, read = f"cluster.sync();  // {turn}: written", f"cluster.sync();  // {turn}: read"
        step, other = writer.random.randrange(1, 60), writer.random.randrange(1, writer.cluster)
        writer.write(f"""
part[threadIdx.x] = {name};
{write}
unsigned* from{turn} = cluster.map_shared_rank(part, (cluster.block_rank() + {other}) % cluster.num_blocks());
{name} = {name} * 5 + from{turn}[(threadIdx.x + {step}) % THREADS];
{writer.pick("atomicOr(&sum, 5);", f"atomicAdd(cluster.map_shared_rank(&sum, {writer.random.randrange(writer.cluster)}), {name} & 255);")}
{read}""")
        writer.wrong_if(write)
        if turn:
            writer.wrong_if(f"cluster.sync();  // {turn - 1}: read")
    writer.variables["unsigned"].append("sum")
