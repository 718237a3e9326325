"""Words of the verdict of a GPU on a kernel."""

WORDS: dict[str, tuple[str, str]] = {
    "gpu.goal": (
        "A GPU then times it beside a baseline: {what}.",
        "随后在 GPU 上与基准比较速度：{what}。",
    ),
    "gpu.goal-unnamed": (
        "A GPU then times it beside a baseline.",
        "随后在 GPU 上与基准比较速度。",
    ),
    "gpu.goal-gates": (" Required: at least {gates}.", "至少要求：{gates}。"),
    "gpu.running": (
        "Passed in the emulator. On the GPU for {seconds} s … {key} goes on without.",
        "模拟器已通过，已在 GPU 上运行 {seconds} 秒…… 按 {key} 跳过。",
    ),
    "plain.on-gpu": (
        "Passed in the emulator. Now on the GPU … Ctrl-C goes on without.",
        "模拟器已通过，正在 GPU 上运行…… 按 Ctrl-C 跳过。",
    ),
    "gpu.right": (
        "right on {device} · largest error {error}, {allowed} allowed",
        "在 {device} 上结果正确 · 最大误差 {error}，允许 {allowed}",
    ),
    "gpu.right-exactly": ("right on {device}, to the last bit", "在 {device} 上结果逐位正确"),
    "gpu.speedup": (
        "{median} times the baseline (95 %: {low}–{high})",
        "是基准的 {median} 倍（95 % 区间：{low}–{high}）",
    ),
    "gpu.against": ("the baseline: {what}", "基准：{what}"),
    "gpu.asked": (" · at least {gate} required", " · 至少要求 {gate} 倍"),
    "gpu.not-judged": (
        "speed not judged: the question requires none of {device}",
        "不评判速度：本题对 {device} 没有要求",
    ),
    "gpu.not-decided": (
        "not decided: the interval is too wide around that; is something else on the GPU?",
        "无法判定：区间跨过要求值且太宽；GPU 上是否还有别的程序？",
    ),
    "gpu.refused": ("speed not measured: {why}", "未测得速度：{why}"),
    "gpu.not-measured": ("speedup not measured: {why}", "未测加速比：{why}"),
    "gpu.why.off": ("the GPU is switched off", "设置中已关闭 GPU"),
    "gpu.why.no-device": ("{what}", "没有可用的 GPU（{what}）"),
    "gpu.why.no-package": ("{what}", "缺少 numba-cuda（{what}）"),
    "gpu.why.host": ("{what}", "无法使用 GPU 主机（{what}）"),
    "gpu.why.slow": ("{what}", "GPU 没有及时应答（{what}）"),
    "gpu.why.crashed": ("{what}", "GPU 进程意外结束（{what}）"),
    "gpu.why.version": ("{what}", "两端的程序版本不同（{what}）"),
    "gpu.why.garbled": ("{what}", "GPU 进程的应答无法识别（{what}）"),
    "gpu.why.problem": ("{what}", "题目本身有误（{what}）"),
    "gpu.why.cancelled": ("it was skipped", "已跳过"),
    # gates
    "gpu.gate.compiles": ("Numba does not compile it", "Numba 无法编译"),
    "gpu.gate.runs": ("it failed on {device}", "在 {device} 上运行失败"),
    "gpu.gate.result": ("wrong values on {device}", "在 {device} 上结果不对"),
    "gpu.gate.speedup": ("too slow on {device}", "在 {device} 上不够快"),
    "gpu.slow": (
        "{median} times the baseline (95 %: {low}–{high}); at least {gate} is required",
        "是基准的 {median} 倍（95 % 区间：{low}–{high}），至少要求 {gate} 倍",
    ),
    "gpu.seed": (
        "inputs of seed {seed}, which the kernel cannot know",
        "输入由种子 {seed} 生成，核函数无法预知",
    ),
    # the table
    "kernel.view.gpu": ("GPU", "GPU"),
    "gpu.row.time": ("time", "时间"),
    "gpu.row.memory": ("memory", "显存带宽"),
    "gpu.row.arithmetic": ("arithmetic", "算术"),
    "gpu.row.registers": ("registers", "寄存器"),
    "gpu.row.shared": ("shared", "共享内存"),
    "gpu.row.local": ("local", "局部内存"),
    "gpu.row.occupancy": ("occupancy", "占用率"),
    "gpu.row.emulated": ("emulated", "模拟计数"),
    "gpu.baseline": ("baseline {time}, {n} runs of each", "基准 {time}，各 {n} 次"),
    "gpu.of-copy": (
        "{share} of what a large copy reaches ({copy} GB/s)",
        "大块拷贝（{copy} GB/s）的 {share}",
    ),
    "gpu.of-thread": ("a thread", "个/线程"),
    "gpu.of-block": ("bytes a block", "字节/块"),
    "gpu.bytes-thread": (
        "bytes a thread: registers spilled, or arrays",
        "字节每线程：寄存器溢出或数组",
    ),
    "gpu.limited": (
        "{blocks} blocks a multiprocessor, limited by {limiter}",
        "每个 SM {blocks} 个块，受限于{limiter}",
    ),
    "gpu.limit.registers": ("registers", "寄存器"),
    "gpu.limit.shared memory": ("shared memory", "共享内存"),
    "gpu.limit.threads": ("threads", "线程数"),
    "gpu.limit.blocks": ("the number of blocks", "块数"),
    "gpu.emulated": (
        "{waves} shared wavefronts (ideal {ideal}), {sectors} sectors, for {shape}",
        "{shape}：{waves} 个共享内存 wavefront（理想 {ideal}），{sectors} 个扇区",
    ),
}
