"""Words of the verdict of a GPU on a kernel."""

WORDS: dict[str, tuple[str, str]] = {
    "gpu.goal": (
        "A GPU then times it against a baseline: {what}.",
        "随后在 GPU 上与基准比较速度：{what}。",
    ),
    "gpu.goal-unnamed": (
        "A GPU then times it against a baseline.",
        "随后在 GPU 上与基准比较速度。",
    ),
    "gpu.goal-gate": ("{ratio:g}× ({device})", "{ratio:g} 倍（{device}）"),
    "gpu.goal-gates": (" Required: at least {gates}.", "至少要求：{gates}。"),
    "gpu.running": (
        "Passed in the emulator. On the GPU for {seconds} s … {key} continues without it.",
        "模拟器已通过，已在 GPU 上运行 {seconds} 秒…… 按 {key} 跳过。",
    ),
    "plain.on-gpu": (
        "Passed in the emulator. Now on the GPU … Ctrl-C continues without it.",
        "模拟器已通过，正在 GPU 上运行…… 按 Ctrl-C 跳过。",
    ),
    "gpu.right": (
        "right on {device} · largest error {error}, {allowed} allowed",
        "在 {device} 上结果正确 · 最大误差 {error}，允许 {allowed}",
    ),
    "gpu.right-exactly": ("right on {device}, to the last bit", "在 {device} 上结果逐位正确"),
    "gpu.speedup": (
        "{median}× speedup over the baseline (95%: {low}–{high})",
        "速度是基准的 {median} 倍（95% 区间：{low}–{high}）",
    ),
    "gpu.against": ("the baseline: {what}", "基准：{what}"),
    "gpu.asked": (" · at least {gate} required", " · 至少要求 {gate} 倍"),
    "gpu.not-judged": (
        "speed not judged: the question sets no speedup for {device}",
        "不评判速度：本题对 {device} 没有要求",
    ),
    "gpu.not-decided": (
        (
            "inconclusive: the interval is too wide around the required speedup; is "
            "something else using the GPU?"
        ),
        "无法判定：区间跨过要求值且太宽；GPU 上是否还有别的程序？",
    ),
    "gpu.refused": ("speed not measured: {why}", "未测得速度：{why}"),
    "gpu.not-measured": ("speedup not measured: {why}", "未测加速比：{why}"),
    # gates
    "gpu.gate.compiles": ("the compiler for the GPU rejects it", "GPU 编译器不接受它"),
    "gpu.gate.runs": ("it failed on {device}", "在 {device} 上运行失败"),
    "gpu.gate.result": ("wrong values on {device}", "在 {device} 上结果不对"),
    "gpu.gate.speedup": ("too slow on {device}", "在 {device} 上不够快"),
    "gpu.costs": (
        "Extra work compared with the solution, source-level (the compiler may change it):",
        "与参考解相比，按源码多做的事（编译器可能会改变）：",
    ),
    "gpu.costs-none": (
        (
            "At source level it does no more work than the solution: compare the registers, the "
            "occupancy, and the bandwidth in the table below."
        ),
        "按源码，它做的事不比参考解多：请看下表中的寄存器、占用率和带宽。",
    ),
    "gpu.cost.float64": (
        (
            "Line {line}: double precision, {count} times (counted per warp). Write the "
            "constant in single precision, such as {single}."
        ),
        "第 {line} 行：双精度运算，共 {count} 次（按 warp）。把常数写成单精度，例如 {single}。",
    ),
    "gpu.cost.sectors": (
        "Global memory: {count} sectors, {other} in the solution; most in line {line}.",
        "全局内存：{count} 个 sector，参考解 {other} 个；第 {line} 行最多。",
    ),
    "gpu.cost.shared": (
        ("Shared memory: {count} wavefronts, {other} in the solution; most in line {line}."),
        "共享内存：{count} 个 wavefront，参考解 {other} 个；第 {line} 行最多。",
    ),
    "gpu.cost.barriers": (
        "Barriers: {count} (counted per warp), {other} in the solution; most in line {line}.",
        "屏障：{count} 次（按 warp），参考解 {other} 次；第 {line} 行最多。",
    ),
    "gpu.cost.division": (
        (
            "Line {line}: {each} of % and {divide} per execution, {count} in total (counted per "
            "warp), {other} in the "
            "solution. On signed integers each takes several instructions, even for a power "
            "of two; & and >> take one."
        ),
        (
            "第 {line} 行：每次执行 {each} 个 % 或 {divide}，共 {count} 次（按 warp），"
            "参考解 {other} 次。"
            "有符号整数的 % 和 {divide} 即使除数是 2 的幂也要好几条指令；& 和 >> 只要一条。"
        ),
    ),
    "gpu.cost.arithmetic": (
        (
            "Line {line}: {each} operations per execution; {count} in total (counted per warp), "
            "{other} in the solution. An index such as `i ^ t` in an inner loop is recomputed "
            "in every iteration; `i` alone becomes part of the address."
        ),
        (
            "第 {line} 行：每次执行 {each} 个运算；共 {count} 个（按 warp），参考解 {other} 个。"
            "内层循环中 `i ^ t` 这样的下标每轮都要重新计算，而单独的 `i` 可以并入地址。"
        ),
    ),
    "gpu.slow": (
        (
            "{median:.2f}× speedup over the baseline (95%: {low:.2f}–{high:.2f}); at least "
            "{gate:g}× is required"
        ),
        "速度是基准的 {median:.2f} 倍（95% 区间：{low:.2f}–{high:.2f}），至少要求 {gate:g} 倍",
    ),
    "gpu.seed": (
        "inputs generated from seed {seed}, which the kernel cannot know",
        "输入由种子 {seed} 生成，kernel 无法预知",
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
    "gpu.of-thread": ("per thread", "个/线程"),
    "gpu.of-block": ("bytes per block", "字节/线程块"),
    "gpu.bytes-thread": (
        "bytes per thread: spilled registers or local arrays",
        "字节/线程：寄存器溢出或局部数组",
    ),
    "gpu.limited": (
        "{blocks} blocks per SM, limited by {limiter}",
        "每个 SM {blocks} 个线程块，受限于{limiter}",
    ),
    "gpu.limit.registers": ("registers", "寄存器"),
    "gpu.limit.shared memory": ("shared memory", "共享内存"),
    "gpu.limit.threads": ("threads", "线程数"),
    "gpu.limit.blocks": ("the number of blocks", "线程块数"),
    "gpu.emulated": (
        "{waves} shared wavefronts (ideal {ideal}), {sectors} sectors, for {shape}",
        "{shape}：{waves} 个共享内存 wavefront（理想 {ideal}），{sectors} 个 sector",
    ),
    # why no GPU said anything
    "gpu.off": ("the GPU is switched off", "设置中已关闭 GPU"),
    "gpu.off.hint": (
        "`quiz config gpu.use true` switches it on",
        "`quiz config gpu.use true` 会打开它",
    ),
    "gpu.no-node": ("no GPU on this machine", "本机没有 GPU"),
    "gpu.no-node.hint": (
        "`quiz config gpu.host user@host` names another machine that ssh reaches",
        "`quiz config gpu.host user@host` 可指定 ssh 能连上的另一台机器",
    ),
    "gpu.no-numba": (
        "neither numba-cuda nor numba-cuda-mlir is installed",
        "numba-cuda 和 numba-cuda-mlir 都没有安装",
    ),
    "gpu.no-numba.hint": (
        "install gpu-quiz[gpu-cu13], or [gpu-cu12] for an older driver",
        "请安装 gpu-quiz[gpu-cu13]，驱动较旧则安装 [gpu-cu12]",
    ),
    "gpu.skipped": ("it was skipped", "已跳过"),
    "gpu.cancelled": ("the GPU run was canceled", "已取消 GPU 运行"),
    "gpu.here": ("on this machine", "本机"),
    "gpu.there": ("on {host}", "{host} "),
    "gpu.silent": ("it printed nothing", "没有输出"),
    "gpu.garbled-here": ("the GPU worker {how}", "GPU 工作进程{how}"),
    "gpu.garbled-here.hint": (
        "install gpu-quiz again; `quiz doctor` runs a test kernel",
        "请重新安装 gpu-quiz；`quiz doctor` 会运行一个测试 kernel",
    ),
    "gpu.garbled-by-shell": (
        "the GPU worker on {host} answered `{said}`",
        "{host} 上的 GPU 工作进程应答了 `{said}`",
    ),
    "gpu.garbled-by-shell.hint": (
        "`ssh {host} true` must print nothing: check the login scripts there",
        "`ssh {host} true` 不得有任何输出：请检查那里的登录脚本",
    ),
    "gpu.garbled-there": ("the GPU worker on {host} {how}", "{host} 上的 GPU 工作进程{how}"),
    "gpu.garbled-there.hint": (
        "install the same version on {host}, and make sure that you trust that machine",
        "请在 {host} 上安装相同版本，并确认那台机器可信",
    ),
    "gpu.version": ("{package} (protocol {protocol})", "{package}（协议 {protocol}）"),
    "gpu.version-checkout": ("a checkout (protocol {protocol})", "源码检出（协议 {protocol}）"),
    "gpu.other-version": (
        "the program {where} is a different version, {there}; this one is {here}",
        "{where}的程序版本不同，是 {there}；这里是 {here}",
    ),
    "gpu.other-version.hint": ("install the same version at both ends", "两端请安装相同版本"),
    "gpu.connection-lost": (
        "the connection to {host} was lost: {said}",
        "与 {host} 的连接中断：{said}",
    ),
    "gpu.connection-lost.hint": ("try again", "请重试"),
    "gpu.no-connection": ("no connection to {host}: {said}", "无法连接 {host}：{said}"),
    "gpu.no-connection.hint": (
        "make sure that `ssh {host}` works without asking for a password",
        "请确认 `ssh {host}` 不询问密码即可登录",
    ),
    "gpu.no-ssh": (
        "no connection to {host}: there is no `{program}` here",
        "无法连接 {host}：本机没有 `{program}`",
    ),
    "gpu.no-ssh.hint": ("install the OpenSSH client", "请安装 OpenSSH 客户端"),
    "gpu.worker-ended": (
        "the GPU worker {where} {how}: {said}",
        "{where}的 GPU 工作进程{how}：{said}",
    ),
    "gpu.worker-ended.hint": (
        "try again; `quiz doctor` checks the device",
        "请重试；`quiz doctor` 会检查设备",
    ),
    "gpu.not-installed": (
        "the program is not installed on {host}: {said}",
        "{host} 上没有安装本程序：{said}",
    ),
    "gpu.not-installed.hint": (
        "install gpu-quiz[gpu-cu13] or [gpu-cu12] for the python3 of `ssh {host}`",
        "请为 `ssh {host}` 的 python3 安装 gpu-quiz[gpu-cu13] 或 [gpu-cu12]",
    ),
    "gpu.not-started": (
        "the GPU worker {where} could not be started: {why}",
        "无法启动{where}的 GPU 工作进程：{why}",
    ),
    "gpu.not-started.hint": ("free up disk space and processes", "请腾出磁盘空间和进程数"),
    "gpu.no-package": (
        "Numba's CUDA target is missing {where}: {why}",
        "{where}缺少 Numba 的 CUDA 支持：{why}",
    ),
    "gpu.no-package.hint": (
        "install gpu-quiz[gpu-cu12] or [gpu-cu13], whichever CUDA the driver has",
        "请按驱动的 CUDA 版本安装 gpu-quiz[gpu-cu12] 或 [gpu-cu13]",
    ),
    "gpu.no-device": ("no GPU {where}: {why}", "{where}没有可用的 GPU：{why}"),
    "gpu.no-device.hint": ("`nvidia-smi` must list a GPU", "`nvidia-smi` 须能列出 GPU"),
    "gpu.device-failed": ("the GPU {where} failed: {why}", "{where}的 GPU 出错：{why}"),
    "gpu.device-failed.hint": ("run it once more", "请再运行一次"),
    "gpu.none-listed": ("the driver lists no device", "驱动没有列出设备"),
    "gpu.of-instruction": ("{instruction}: {what}", "{instruction}：{what}"),
    "gpu.needs-capability": ("needs compute capability {capability}", "需要计算能力 {capability}"),
    "gpu.timing": (
        "timing {instruction}, {number} of {count}",
        "正在计时 {instruction}，{number}/{count}",
    ),
    "gpu.test-kernel-failed": ("the test kernel failed on the device", "测试 kernel 在设备上出错"),
    # what a device says of a submission
    "gpu.refused-source": (
        "line {line}, column {column}: {what}",
        "第 {line} 行第 {column} 列：{what}",
    ),
    "gpu.types-from-arguments": (
        "Numba compiles less than Python: types must follow from the arguments",
        "Numba 支持的比 Python 少：类型必须能由参数推出",
    ),
    "gpu.device-says": ("{what} ({said})", "{what}（{said}）"),
    "gpu.at-shape": ("{what}, at {shape}", "{shape} 时：{what}"),
    "gpu.illegal-access": (
        "illegal access: a thread read or wrote an address outside of all arrays",
        "非法访问：有线程读写了所有数组之外的地址",
    ),
    "gpu.misaligned": (
        "misaligned address: the address of an access is not a multiple of its width",
        "地址未对齐：访问的地址不是其宽度的倍数",
    ),
    "gpu.registers": (
        "out of resources: the threads of a block need more registers than an SM has",
        "资源不足：线程块所需寄存器超过 SM 所有",
    ),
    "gpu.threads": (
        "out of resources: the block has more threads than the kernel or the device allows",
        "资源不足：线程块的线程数超过 kernel 或设备允许的上限",
    ),
    "gpu.shared-memory": (
        "out of resources: the block uses more shared memory than the limit allows",
        "资源不足：线程块使用的共享内存超过上限",
    ),
    "gpu.resources": (
        "out of resources: a block has too many registers, threads or bytes of shared memory",
        "资源不足：线程块的寄存器、线程或共享内存过多",
    ),
    "gpu.out-of-memory": (
        "out of memory: the device has no room for the arrays",
        "显存不足：设备放不下这些数组",
    ),
    "gpu.launch-failed": ("the launch failed on the device", "在设备上启动失败"),
    "gpu.timed-out": ("timed out: a kernel is still running", "超时：kernel 仍在运行"),
    "gpu.still-running": ("after {seconds:g} s", "已过 {seconds:g} 秒"),
    "gpu.not-compiled": ("the compiler refused it", "编译器拒绝"),
    "gpu.lost": ("the device is gone", "设备已不可用"),
    "gpu.too-many-threads": (
        "{threads:,} threads of {registers} registers; at most {most:,} threads",
        "{threads:,} 个线程，每个 {registers} 个寄存器；最多 {most:,} 个线程",
    ),
    "gpu.no-verdict": (
        "timed out: no verdict within {seconds:g} s; a kernel or its compiler is still running",
        "超时：{seconds:g} 秒内没有结论；kernel 或其编译仍在进行",
    ),
    "gpu.crashed": ("the process with the GPU {how}: {said}", "使用 GPU 的进程{how}：{said}"),
    "gpu.check-indices": (
        "check every index against the array's shape, also at the edges of the grid",
        "对照数组形状检查每个下标，包括 grid 边缘",
    ),
    "gpu.align": (
        "the address of a wide load must be a multiple of its width",
        "宽读取的地址必须是其宽度的倍数",
    ),
    "gpu.fewer-registers": (
        "use smaller blocks, fewer values at a time, or max_registers= of cuda.jit",
        "减小线程块，减少同时使用的值，或用 cuda.jit 的 max_registers=",
    ),
    "gpu.smaller-blocks": ("use smaller blocks or tiles", "减小线程块或 tile"),
    "gpu.smaller-tile": ("use a smaller tile", "减小 tile"),
    "gpu.endless": (
        "is there a loop that never ends, or do threads wait for each other?",
        "是否有不会结束的循环，或线程互相等待？",
    ),
    "gpu.wrong-values": (
        (
            "{wrong:,} of {elements:,} elements of {array} are wrong for {shape}: "
            "{array}[{index}] is {got}, not {expected}"
        ),
        (
            "{shape} 时 {array} 的 {elements:,} 个元素中有 {wrong:,} 个不对："
            "{array}[{index}] 是 {got}，应为 {expected}"
        ),
    ),
    "gpu.input-changed": (
        (
            "{wrong:,} of {elements:,} elements of {array} were changed for {shape}: "
            "{array}[{index}] is {got}, not {expected}"
        ),
        (
            "{shape} 时 {array} 的 {elements:,} 个元素中有 {wrong:,} 个被改动："
            "{array}[{index}] 是 {got}，应为 {expected}"
        ),
    ),
    "gpu.computed-default": ("a default is not a constant", "默认值不是常量"),
    "gpu.computed-default.hint": ("write a number as the default", "默认值请直接写数字"),
    "gpu.input-changed.hint": ("inputs must stay as they are", "输入不得改动"),
    "gpu.beyond": (
        "something was written before or after {array} for {shape}",
        "{shape} 时有写入落在 {array} 之前或之后",
    ),
    "gpu.beyond.hint": ("check every index against the array's shape", "对照数组形状检查每个下标"),
    "gpu.no-time": (
        "a kernel cannot take zero time: measurement error",
        "kernel 不可能不花时间：测量有误",
    ),
    "gpu.impossible-time": (
        (
            "{time:,.1f} µs, but the device's memory needs {least:,.1f} µs for the bytes that "
            "must be moved: measurement error, or the kernel does not do its work"
        ),
        (
            "耗时 {time:,.1f} µs，而设备内存传输必需的字节要 {least:,.1f} µs：测量有误，"
            "或 kernel 没有做完它的工作"
        ),
    ),
}
