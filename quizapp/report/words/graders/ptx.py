"""PTX: what cannot be read, what is not emulated, and what a compiler says."""

WORDS: dict[str, tuple[str, str]] = {
    "ptx.character": ("`{character}` is not a PTX character", "`{character}` 不是 PTX 的字符"),
    "ptx.no-version": (
        "PTX begins with `.version`, and this does not",
        "PTX 以 `.version` 开头，这个文件不是",
    ),
    "ptx.no-version.hint": (
        "give a file that `nvcc -ptx` or NVRTC wrote",
        "请给出由 `nvcc -ptx` 或 NVRTC 生成的文件",
    ),
    "ptx.version": (
        "PTX version {version} is newer than what is read here (up to {newest}.x)",
        "PTX 版本 {version} 比这里能读的更新（最高 {newest}.x）",
    ),
    "ptx.version.hint": (
        "compile with an older toolkit",
        "请用较旧的工具包编译",
    ),
    "ptx.truncated": ("the PTX ends in the middle of a statement", "PTX 在语句中间结束"),
    "ptx.truncated.hint": ("is the file complete?", "文件完整吗？"),
    "ptx.expected": ("expected `{wanted}`, found `{found}`", "应为 `{wanted}`，实际是 `{found}`"),
    "ptx.expected-name": ("expected a name, found `{found}`", "应为名字，实际是 `{found}`"),
    "ptx.expected-number": ("expected a number, found `{found}`", "应为数字，实际是 `{found}`"),
    "ptx.expected-type": ("expected a type, found `{found}`", "应为类型，实际是 `{found}`"),
    "ptx.operand": ("`{found}` cannot be an operand", "`{found}` 不能作操作数"),
    "ptx.address": (
        "addresses with coordinates are not emulated yet",
        "尚不支持带坐标的地址",
    ),
    "ptx.directive": ("the directive `{name}` is not emulated", "不支持指示语句 `{name}`"),
    "ptx.no-label": ("there is no label `{name}`", "没有标签 `{name}`"),
    "ptx.initial": (
        "the initial value `{value}` of `{name}` is not emulated",
        "不支持 `{name}` 的初始值 `{value}`",
    ),
    "ptx.instruction": (
        "the PTX instruction `{name}` is not emulated (line {line} of the PTX)",
        "不支持 PTX 指令 `{name}`（PTX 第 {line} 行）",
    ),
    "ptx.operand-of": (
        "the PTX instruction `{name}` is not emulated with `{why}` (line {line} of the PTX)",
        "不支持带 `{why}` 的 PTX 指令 `{name}`（PTX 第 {line} 行）",
    ),
    "ptx.no-kernels": ("the PTX has no kernel", "PTX 中没有 kernel"),
    "ptx.no-kernels.hint": ("a kernel is an `.entry`", "kernel 是一个 `.entry`"),
    "ptx.several-kernels": (
        "several kernels are called `{name}`",
        "有多个 kernel 名为 `{name}`",
    ),
    "ptx.several-kernels.hint": (
        "name one as the PTX does: {known}",
        "请用 PTX 中的名字：{known}",
    ),
    "ptx.assertion": ("an assertion failed", "断言失败"),
    "ptx.machine-code": (
        "this is machine code, not PTX",
        "这是机器码，不是 PTX",
    ),
    "ptx.machine-code.hint": (
        "compile with `-ptx` instead of `-cubin`",
        "请用 `-ptx` 而不是 `-cubin` 编译",
    ),
    "ptx.no-compiler": (
        "to run it as compiled: pip install 'gpu-quiz[compile]' (Linux, Windows)",
        "要按编译后的代码运行：pip install 'gpu-quiz[compile]'（Linux、Windows）",
    ),
    "ptx.compiler-refuses": (
        "NVRTC does not compile it either: {log}",
        "NVRTC 也无法编译它：{log}",
    ),
    "profile.as-compiled": (
        "compiled by {compiler}: counts are those of the PTX, by source line",
        "由 {compiler} 编译：计数来自 PTX，按源码行列出",
    ),
    "triton.memory": (
        "a Triton kernel cannot take this {type} here: {why}",
        "Triton kernel 在这里不能接收这个 {type}：{why}",
    ),
    "triton.memory.hint": (
        "give NumPy arrays, or tensors on the CPU",
        "请传 NumPy 数组，或 CPU 上的张量",
    ),
    "profile.as-ptx": (
        "counts are those of the PTX, by its own lines",
        "计数来自 PTX，按 PTX 的行列出",
    ),
}
