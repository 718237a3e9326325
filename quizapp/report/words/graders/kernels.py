"""Words of the verdict on a kernel, and of what is wrong with one."""

WORDS: dict[str, tuple[str, str]] = {
    "check.runs": ("stops while running", "运行中止"),
    "check.findings": ("race or memory error", "数据竞争或内存错误"),
    "check.counts": ("limit missed", "计数不达标"),
    "check.wavefronts": ("too many wavefronts", "wavefront 过多"),
    "check.gpu-compiles": ("rejected by the GPU's compiler", "GPU 编译器拒绝"),
    "check.gpu-runs": ("fails on the GPU", "在 GPU 上运行失败"),
    "check.gpu-result": ("wrong values on the GPU", "在 GPU 上结果不对"),
    "check.gpu-speedup": ("too slow on the GPU", "在 GPU 上不够快"),
    "kernel.gate.source": ("not accepted", "未被接受"),
    "kernel.gate.runs": ("{subject}", "{subject}"),
    "kernel.gate.result": ("wrong values", "结果不对"),
    "kernel.gate.findings": ("{subject}", "{subject}"),
    "kernel.gate.counts": ("{subject}", "{subject}"),
    "launch.trapped": ("`__trap()` aborted the launch", "`__trap()` 终止了这次启动"),
    "launch.trapped.hint": (
        "a launch that a thread aborts has no result: remove the trap, or keep threads from it",
        "被线程终止的启动没有结果：去掉 trap，或不要执行到它",
    ),
    "launch.asserted": (
        "the assertion `{condition}` failed and aborted the launch",
        "断言 `{condition}` 不成立，终止了这次启动",
    ),
    "launch.asserted.hint": (
        "a launch that a thread aborts has no result: find out why the condition is false",
        "被线程终止的启动没有结果：查明条件为什么不成立",
    ),
    "launch.raised": (
        "a thread raised {name} and aborted the launch",
        "有线程抛出 {name}，终止了这次启动",
    ),
    "launch.raised.hint": (
        "a launch that a thread aborts has no result: find out why it raises",
        "被线程终止的启动没有结果：查明为什么抛出异常",
    ),
    "kernel.unproven": (
        "for {shape}, the kernel wrote nothing to {array}",
        "{shape} 时，kernel 没有向 {array} 写入任何元素",
    ),
    "kernel.unproven.hint": (
        "write every element of the output",
        "输出的每个元素都要写入",
    ),
    "finding.kind.stopped": ("launch aborted", "启动被终止"),
    "kernel.at": (" · line {line}", " · 第 {line} 行"),
    "kernel.passed": (
        "right at {n} shapes ({elements} elements), no bug found",
        "{n} 种形状（{elements} 个元素）全部正确，没有发现错误",
    ),
    "kernel.passed.one": (
        "right at one shape ({elements} elements), no bug found",
        "1 种形状（{elements} 个元素）全部正确，没有发现错误",
    ),
    "kernel.practised": (
        "Only test-run, not submitted. {key} submits it.",
        "只是试运行，没有提交。按 {key} 提交。",
    ),
    "kernel.running": ("Grading … {key} cancels.", "正在评判…… {key} 可取消。"),
    "kernel.cancelled": ("Canceled; nothing was submitted.", "已取消，没有提交。"),
    "kernel.count": ("{name}: {count}; required: {limit}", "{name}：{count}，要求{limit}"),
    "kernel.count.most": ("{name}: {count}; the limit is {most}", "{name}：{count}，上限是 {most}"),
    "kernel.above-limit": (
        "for {shape}: {count:,}, above the limit of {most:,}",
        "{shape} 时为 {count:,}，超过上限 {most:,}",
    ),
    "kernel.below-limit": (
        "for {shape}: {count:,}, below the limit of {least:,}",
        "{shape} 时为 {count:,}，低于下限 {least:,}",
    ),
    "kernel.stopped-thread": (
        (
            "the launch was stopped here: one thread had executed {count:,}× the mean number "
            "of statements, and the limit is {most:,}×"
        ),
        "启动执行到这里被停止：最忙的线程执行的语句数已达平均值的 {count:,} 倍，上限 {most:,} 倍",
    ),
    "kernel.stopped-thread.hint": (
        "divide this loop among all threads, and see that every thread leaves it",
        "把这个循环分给所有线程，并确认每个线程都能退出它",
    ),
    "kernel.stopped-block": (
        (
            "the launch was stopped here: one block had executed {count:,}× the mean number "
            "of statements, and the limit is {most:,}×"
        ),
        "启动执行到这里被停止：最忙的线程块执行的语句数已达平均值的 {count:,} 倍，上限 {most:,} 倍",
    ),
    "kernel.stopped-block.hint": (
        "divide this loop among all blocks, and see that every thread leaves it",
        "把这个循环分给所有线程块，并确认每个线程都能退出它",
    ),
    "kernel.count.passed": ("{name}: {count} ({limit})", "{name}：{count}（{limit}）"),
    "kernel.atomics": (
        "{count}, of which {atomics} by atomics",
        "{count}（其中原子操作 {atomics}）",
    ),
    "kernel.result": (
        "for {shape}, {element} is {got}, not {expected}: {writer}",
        "{shape} 时 {element} 是 {got}，应为 {expected}：{writer}",
    ),
    "kernel.input-written": (
        (
            "for {shape}, the kernel writes to its input {array}, which must stay as it is: "
            "{element} by {writer}"
        ),
        "{shape} 时 kernel 写入了输入 {array}，而输入必须保持不变：{element}，由 {writer} 写入",
    ),
    "kernel.order": (
        (
            "for {shape}, {element} is {got}, and {expected} when the blocks run in another "
            "order: every order must give the same bits; {writer}"
        ),
        (
            "{shape} 时 {element} 是 {got}，而线程块以另一种顺序运行时是 {expected}："
            "无论何种顺序，结果都必须逐位相同；{writer}"
        ),
    ),
    "kernel.size": ("{name} = {size}", "{name} = {size}"),
    "kernel.no-memory": (
        "the run needs more memory than there is; is an array of the kernel too large?",
        "运行所需内存不足；kernel 中是否有数组太大？",
    ),
    "kernel.for-shape": ("{text} ({shape})", "{text}（{shape}）"),
    "kernel.also": ("Possible causes:", "可能的原因："),
    "kernel.never": ("never written", "从未写入"),
    "kernel.written": (
        "thread {thread}, block {block}, line {line}",
        "线程块 {block} 线程 {thread}，行 {line}",
    ),
    "kernel.wrong-of": (
        "{wrong} of {elements} elements are wrong for {shape}",
        "{shape} 时 {elements} 个元素中有 {wrong} 个不对",
    ),
    "kernel.wrong-of.one": (
        "1 of {elements} elements is wrong for {shape}",
        "{shape} 时 {elements} 个元素中有 1 个不对",
    ),
    "kernel.element": ("element", "元素"),
    "kernel.expected": ("expected", "应为"),
    "kernel.got": ("got", "实际"),
    "kernel.writer": ("written last by", "最后写入者"),
    "kernel.line": ("line", "行"),
    "kernel.launched": (
        "{shape}: grid {grid}, block {block}",
        "{shape}：grid {grid}，线程块 {block}",
    ),
    "kernel.as-written": (
        "source-level counts; the compiler may merge or move accesses",
        "按源码计数；编译器可能合并或移动访问",
    ),
    "kernel.worst": ("worst {kind}, line {line}:", "最差的{kind}，第 {line} 行："),
    "kernel.load": ("shared load", "共享内存读取"),
    "kernel.store": ("shared store", "共享内存写入"),
    "kernel.atom": ("shared atomic", "共享内存原子操作"),
    "kernel.pending": (
        (
            "This passed in the emulator; the program ended before the GPU answered. "
            "{check} submits it again, {key} takes the emulator's verdict."
        ),
        (
            "这份提交已通过模拟器，但程序在 GPU 应答之前结束了。"
            "按 {check} 重新提交，按 {key} 采用模拟器的评判。"
        ),
    ),
    "kernel.no-difference": ("no difference", "没有差别"),
    "kernel.limit.least": ("at least {least}", "至少 {least}"),
    "kernel.limit.most": ("at most {most}", "最多 {most}"),
    "kernel.limit.exactly": ("exactly {count}", "恰好 {count}"),
    "kernel.limit.both": ("at least {least} and at most {most}", "至少 {least}，最多 {most}"),
    "kernel.view.source": ("counts", "计数"),
    "kernel.view.findings": ("findings", "问题"),
    "kernel.view.values": ("values", "数值"),
    "kernel.view.map": ("bank map", "bank 图"),
    "kernel.view.attempt": ("vs. last attempt", "与上次相比"),
    "kernel.view.solution": ("vs. solution", "与参考解相比"),
    "kernel.view.twin": ("{language} solution", "{language} 解答"),
    "spot.kind.overflow": ("integer overflow", "整数溢出"),
    "spot.kind.bank-conflict": ("bank conflict", "bank 冲突"),
    "spot.kind.uncoalesced": ("uncoalesced access", "访问没有合并"),
    "spot.comes-from": (
        "It comes from line {line} and shows in line {lines}.",
        "原因在第 {line} 行，错误在第 {lines} 行暴露出来。",
    ),
    "spot.cost.bank-conflict": (
        "line {line}: {spent} shared wavefronts; the ideal is {ideal}",
        "第 {line} 行：{spent} 个共享内存 wavefront，最少只需 {ideal} 个",
    ),
    "spot.cost.uncoalesced": (
        "line {line}: {spent} global sectors; the ideal is {ideal}",
        "第 {line} 行：{spent} 个全局内存 sector，最少只需 {ideal} 个",
    ),
    "spot.launch": (
        "Launch: grid ({grid}), block ({block}). Arguments: {arguments}.",
        "启动：grid ({grid})，block ({block})。参数：{arguments}。",
    ),
    "spot.kind.warning": ("unintended float64", "误用 float64"),
    "spot.kind.zero-division": ("zero division", "除数为零"),
    # counters in limits
    "counter.shared_conflicts": ("bank conflicts", "bank 冲突"),
    "counter.shared_load_conflicts": ("load bank conflicts", "读取的 bank 冲突"),
    "counter.shared_store_conflicts": ("store bank conflicts", "写入的 bank 冲突"),
    "counter.shared_requests": ("shared memory requests", "共享内存请求"),
    "counter.shared_load_requests": ("shared load requests", "共享内存读取请求"),
    "counter.shared_store_requests": ("shared store requests", "共享内存写入请求"),
    "counter.shared_atomic_requests": ("shared atomic requests", "共享内存原子操作请求"),
    "counter.shared_wavefronts": ("shared wavefronts", "共享内存 wavefront"),
    "counter.global_requests": ("global memory requests", "全局内存请求"),
    "counter.global_load_requests": ("global load requests", "全局内存读取请求"),
    "counter.global_store_requests": ("global store requests", "全局内存写入请求"),
    "counter.global_atomic_requests": ("global atomic requests", "全局内存原子操作请求"),
    "counter.global_sectors": ("global sectors", "全局内存 sector"),
    "counter.global_load_sectors": ("global load sectors", "全局内存读取的 sector"),
    "counter.global_store_sectors": ("global store sectors", "全局内存写入的 sector"),
    "counter.shared_bytes": ("bytes of shared memory per block", "每个线程块的共享内存字节"),
    "counter.busiest_thread_percent": (
        "statements of the busiest thread, as a multiple of the mean",
        "最忙的线程执行的语句数，与平均值之比",
    ),
    "counter.busiest_block_percent": (
        "statements of the busiest block, as a multiple of the mean",
        "最忙的线程块执行的语句数，与平均值之比",
    ),
    "counter.global_atomic_lanes": (
        "global atomics, counted per thread",
        "全局内存原子操作，按线程计",
    ),
    "counter.shared_store_lanes": ("shared stores, counted per thread", "共享内存写入，按线程计"),
    "counter.global_load_lanes": ("global loads, counted per thread", "全局内存读取，按线程计"),
    "counter.barriers": ("barriers, counted per warp", "屏障，按 warp 计"),
    "counter.branches": ("branches, counted per warp", "分支，按 warp 计"),
    "counter.divergent_branches": ("divergent branches", "发散的分支"),
    "counter.local_requests": ("local memory requests", "局部内存请求"),
    "counter.instructions": ("statements executed by warps", "warp 执行的语句"),
}
