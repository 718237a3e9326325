"""Words of the right side of the workbench: a line's counts, a place on the bank map, steps."""

WORDS: dict[str, tuple[str, str]] = {
    "inspect.sizes": ("A submission runs at these sizes:", "提交后在以下尺寸运行："),
    "inspect.limits": ("It has limits on:", "以下计数有上限或下限："),
    "inspect.nothing": (
        "Nothing has been counted yet; {key} submits.",
        "还没有统计结果；按 {key} 提交。",
    ),
    "inspect.all-lines": ("all lines · {launch}", "所有行 · {launch}"),
    "inspect.active": ("active lanes {share}", "活跃 lane {share}"),
    "inspect.place": ("line {line}: {what}", "第 {line} 行：{what}"),
    "inspect.most-wavefronts": (
        "most excessive shared wavefronts",
        "超出理想值的共享内存 wavefront 最多",
    ),
    "inspect.most-sectors": (
        "most excessive global sectors",
        "超出理想值的全局内存 sector 最多",
    ),
    "key.inspect-map": ("bank map", "bank 图"),
    "key.inspect-next-map": ("next map", "下一张图"),
    "key.inspect-next": ("next step", "下一步"),
    "key.inspect-back": ("previous step", "上一步"),
    "key.inspect-walk": ("steps", "分步查看"),
    "key.inspect-go": ("worst line", "最差的行"),
    "key.inspect-leave": ("to the line", "回到该行"),
    "key.inspect-left": ("bank or thread to the left", "左边的 bank 或线程"),
    "key.inspect-right": ("next bank", "下一个 bank"),
    "key.inspect-up": ("wavefront above", "上一个 wavefront"),
    "key.inspect-down": ("next wavefront", "下一个 wavefront"),
    "key.inspect-values": ("values", "变量"),
    "key.inspect-block": ("next block", "下一个线程块"),
    "key.inspect-thread": ("next thread", "下一个线程"),
    "key.inspect-time": ("next execution", "下一次执行"),
    # what a thread's variables and arrays hold
    "inspect.looking": ("Running it once more …", "正在重新运行……"),
    "inspect.time": ("execution {time} of {n} of this line", "第 {time} 次执行该行，共 {n} 次"),
    "inspect.never-there": (
        "This thread never executes line {line}.",
        "该线程从不执行第 {line} 行。",
    ),
    "inspect.no-run": ("There are no values: it cannot be run.", "没有数值：无法运行。"),
    "inspect.array": ("{name}  {shape}  {dtype}", "{name}  {shape}  {dtype}"),
    "inspect.columns": ("columns {first}–{last} of {n}", "第 {first}–{last} 列，共 {n} 列"),
    "inspect.here": ("{sign} written last by this line", "{sign} 最后由这一行写入"),
    "inspect.unwritten": ("{sign} not written yet", "{sign} 尚未写入"),
    # a place on the bank map
    "inspect.access": (
        "worst {kind} of a warp: {n} bytes per lane, {lanes} lanes active",
        "一个 warp 最差的{kind}：每 lane {n} 字节，{lanes} 个 lane 活跃",
    ),
    "inspect.access.one": (
        "worst {kind} of a warp: 1 byte per lane, {lanes} lanes active",
        "一个 warp 最差的{kind}：每 lane 1 字节，{lanes} 个 lane 活跃",
    ),
    "inspect.spot": ("wavefront {wave}, bank {bank}", "wavefront {wave}，bank {bank}"),
    "inspect.spot-pass": ("pass {wave}, bank {bank}", "pass {wave}，bank {bank}"),
    "inspect.idle": ("this bank serves no lane here", "这里该 bank 不处理任何 lane"),
    "inspect.word": (
        "lanes {lanes} · word {word}, byte {byte}",
        "lane {lanes} · 字 {word}，第 {byte} 字节",
    ),
    "inspect.word.one": (
        "lane {lanes} · word {word}, byte {byte}",
        "lane {lanes} · 字 {word}，第 {byte} 字节",
    ),
    "inspect.bank-load": (
        "this bank needs {n} passes: lanes {lanes}",
        "该 bank 要处理 {n} 次：lane {lanes}",
    ),
    # the steps of a finding
    "inspect.step": ("step {step} of {n}", "第 {step} 步，共 {n} 步"),
    "inspect.writes": (
        "thread {thread} of block {block} writes {element} (byte {byte})",
        "线程块 {block} 的线程 {thread} 写入 {element}（第 {byte} 字节）",
    ),
    "inspect.reads": (
        "thread {thread} of block {block} reads {element} (byte {byte})",
        "线程块 {block} 的线程 {thread} 读取 {element}（第 {byte} 字节）",
    ),
    "inspect.updates": (
        ("thread {thread} of block {block} updates {element} atomically (byte {byte})"),
        "线程块 {block} 的线程 {thread} 原子更新 {element}（第 {byte} 字节）",
    ),
    "inspect.touches": (
        "thread {thread} of block {block} accesses {element} (byte {byte})",
        "线程块 {block} 的线程 {thread} 访问 {element}（第 {byte} 字节）",
    ),
    "inspect.missing": ("Missing between the two:", "两者之间缺少："),
    "inspect.missing-warp": (
        "`cuda.syncwarp()`: both threads are in one warp, which need not run in lockstep",
        "`cuda.syncwarp()`：两个线程在同一 warp，但 warp 内并不保证同步执行",
    ),
    "inspect.missing-block": (
        "`cuda.syncthreads()`: the threads are in different warps of one block",
        "`cuda.syncthreads()`：两个线程在同一线程块的不同 warp",
    ),
    "inspect.missing-grid": (
        "within a launch, only atomics with a fence order different blocks; use a second launch",
        "同一次启动内，不同线程块之间只能靠原子操作加内存栅栏排序；可改为再启动一次 kernel",
    ),
    "inspect.not-atomic": (
        "or an atomic on both sides: now only one of them is atomic",
        "或者两边都用原子操作：现在只有一边是原子的",
    ),
    "inspect.same-line": (
        "both are in one line: in different iterations, or as a read and a write to be split",
        "两者在同一行：也可能发生在前后两轮之间，或需要把读取和写入分开",
    ),
}
