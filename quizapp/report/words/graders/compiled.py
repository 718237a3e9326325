"""Words of what the compiler says of a kernel, without a GPU."""

WORDS: dict[str, tuple[str, str]] = {
    "kernel.view.compiled": ("compiled", "编译结果"),
    "compile.missing": (
        "the compiler is not installed",
        "没有安装编译器",
    ),
    "compile.missing.hint": (
        "install gpu-quiz[compile] to see registers, spills, and instructions without a GPU",
        "安装 gpu-quiz[compile] 后，没有 GPU 也能查看寄存器、溢出和指令",
    ),
    "compile.name": (
        "{name} is not a number, a type, or a device function of the kernel's file",
        "{name} 不是数字、类型或 kernel 所在文件中的 device 函数",
    ),
    "compile.argument": (
        "argument {name} is neither a number nor an array of numbers",
        "参数 {name} 既不是数字，也不是数字数组",
    ),
    "compile.function": (
        "{name} is a lambda, from another file, or not in lines of its own",
        "{name} 是 lambda、来自其他文件，或没有独占的行",
    ),
    "profile.compiled": ("compiled: {kernel}, line {line}", "编译结果：{kernel}，第 {line} 行"),
    "profile.not-compiled": ("· not compiled: {why}", "· 未编译：{why}"),
    "compile.refused": ("the compiler rejected it: {why}", "编译器拒绝：{why}"),
    "compile.internal": (
        "numba-cuda failed with an internal error ({name}): it does not support something here",
        "numba-cuda 内部出错（{name}）：这里有它不支持的写法",
    ),
    "compile.ended": ("the process that compiles {how}", "编译进程{how}"),
    "compile.ended-saying": (
        "the process that compiles {how}: {said}",
        "编译进程{how}：{said}",
    ),
    "compile.ended.hint": (
        "try again with more free memory",
        "请腾出内存后重试",
    ),
    "compile.head": (
        "{threads} threads per block; {compiler}",
        "每个线程块 {threads} 个线程；{compiler}",
    ),
    "compile.column.architecture": ("sm", "sm"),
    "compile.column.registers": ("registers", "寄存器"),
    "compile.column.spills": ("spilled bytes", "溢出字节"),
    "compile.column.shared": ("shared bytes", "共享内存字节"),
    "compile.column.local": ("local bytes", "局部内存字节"),
    "compile.column.occupancy": ("occupancy", "占用率"),
    "compile.column.limiter": ("limited by", "受限于"),
    "compile.memory.spills": (
        "{bytes} bytes of registers per thread are spilled to local memory{where}",
        "每个线程有 {bytes} 字节的寄存器溢出到局部内存{where}",
    ),
    "compile.memory.local": (
        (
            "{bytes} bytes per thread are in local memory{where}: an array with an index that is "
            "not known at compile time, or the stack of a function that calls itself"
        ),
        "每个线程有 {bytes} 字节在局部内存中{where}：数组下标在编译时未知，或是递归函数的栈",
    ),
    "compile.fp64": (
        (
            "{n} double-precision instructions{where}: of float64 values, or of sin, cos, and tan"
            " for large float32 arguments"
        ),
        "{n} 条双精度指令{where}：来自 float64 值，或来自参数很大的 float32 sin、cos、tan",
    ),
    "compile.where": (", most in line {line}", "，第 {line} 行最多"),
    "compile.busiest": (
        "line {line} is executed most; in the machine code, its loop has these instructions: {mix}",
        "第 {line} 行执行次数最多；机器码的循环中有 {mix}",
    ),
    "compile.busiest-solution": (
        "in the solution, line {line} is executed most; its loop has these instructions: {mix}",
        "参考解第 {line} 行执行次数最多；循环中有 {mix}",
    ),
    "compile.recomputed": (
        "most of them are integer: indices or divisions are recomputed in every iteration",
        "其中大部分是整数指令：每轮都在重新计算下标或除法",
    ),
    "compile.mix.integer": ("{n} integer", "{n} 条整数指令"),
    "compile.mix.shared": ("{n} shared memory", "{n} 条共享内存指令"),
    "compile.mix.global": ("{n} global memory", "{n} 条全局内存指令"),
    "compile.mix.fp32": ("{n} FP32", "{n} 条 FP32 指令"),
    "compile.mix.fp64": ("{n} float64", "{n} 条 float64 指令"),
    "compile.mix.conversion": ("{n} conversion", "{n} 条类型转换指令"),
}
