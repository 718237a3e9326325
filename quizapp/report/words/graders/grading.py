"""Sentences about what keeps a kernel from its verdict: its text, its problem, the process."""

WORDS: dict[str, tuple[str, str]] = {
    "quoted": ("{text}", "{text}"),
    # A change of a source
    "change.absent": ("the source no longer has `{text}`", "源代码中已没有 `{text}`"),
    "change.absent.hint": (
        "write the change against the source as it is now",
        "按现在的源代码重写这处改动",
    ),
    "change.ambiguous": (
        "the source has `{text}` more than once: lines {lines}",
        "源代码中有多处 `{text}`：第 {lines} 行",
    ),
    "change.ambiguous.hint": (
        "quote more of the source, so that it occurs once",
        "多引用一些代码，使这段文字只出现一次",
    ),
    "change.overlap": (
        "two changes replace the same text",
        "两处改动替换了同一段文字",
    ),
    "change.overlap.hint": ("make them one change", "合并成一处改动"),
    # A submission that is not one kernel of the signature asked for
    "submission.too-long": (
        "{count:,} characters; the limit is {most:,}",
        "共 {count:,} 个字符，上限 {most:,}",
    ),
    "submission.too-long.hint": ("submit the kernel alone", "只提交 kernel"),
    "submission.nul": ("the text contains a NUL byte", "文本中有 NUL 字节"),
    "submission.nul.hint": ("save it as plain text", "请存成纯文本"),
    "submission.plain-arguments": (
        "{name} takes more than plain arguments",
        "{name} 的参数不全是普通参数",
    ),
    "submission.arguments": (
        "{name} takes {n} arguments, not {asked}",
        "{name} 有 {n} 个参数，应有 {asked} 个",
    ),
    "submission.arguments.one": (
        "{name} takes 1 argument, not {asked}",
        "{name} 有 1 个参数，应有 {asked} 个",
    ),
    "submission.is-cuda": (
        "this is CUDA C++, and a kernel for Numba is asked for",
        "这是 CUDA C++，而这里要的是 Numba kernel",
    ),
    "submission.is-cuda.hint": (
        "press F5 in the quiz to write C++, or name the file .cu",
        "在 quiz 中按 F5 改用 C++，或把文件命名为 .cu",
    ),
    "submission.is-python": (
        "this is Python, and a kernel in CUDA C++ is asked for",
        "这是 Python，而这里要的是 CUDA C++ kernel",
    ),
    "submission.is-python.hint": (
        "press F5 in the quiz to write Python, or name the file .py",
        "在 quiz 中按 F5 改用 Python，或把文件命名为 .py",
    ),
    "submission.no-function": ("there is no function in the text", "文本中没有函数"),
    "submission.twice": (
        "{name} is defined twice, in lines {line} and {other}",
        "{name} 定义了两次：第 {line} 行和第 {other} 行",
    ),
    "submission.twice.hint": ("keep one of them", "只留一个"),
    "submission.two-kernels": (
        "there are two kernels, {name} in line {line} and {other}",
        "有两个 kernel：第 {line} 行的 {name} 和 {other}",
    ),
    "submission.two-kernels.hint": (
        "keep one; mark a function that it calls with @cuda.jit(device=True)",
        "只留一个；它调用的函数用 @cuda.jit(device=True) 标记",
    ),
    "submission.one-kernel": (
        "keep the kernel {name}; what it calls is a __device__ function",
        "只保留 kernel {name}；它调用的函数写成 __device__ 函数",
    ),
    "submission.no-kernel": ("there is no kernel {name}", "没有名为 {name} 的 kernel"),
    "submission.missing-kernel": (
        "the kernel `{name}` is missing; the text has {there}",
        "缺少名为 `{name}` 的 kernel；文本中有 {there}",
    ),
    "submission.write-signature": ("write {code}", "写成 {code}"),
    # A problem that is at fault itself
    "problem.not-computable": (
        "`{amount}` cannot be computed: {why} (character {column})",
        "无法计算 `{amount}`：{why}（第 {column} 个字符）",
    ),
    "problem.not-computable.hint": ("the shape has these names: {names}", "形状中的名字：{names}"),
    "problem.not-integer": ("{amount} is {value:g}", "{amount} 等于 {value:g}"),
    "problem.not-integer.hint": (
        "it must be an integer, at least {least}",
        "必须是不小于 {least} 的整数",
    ),
    "problem.no-shape": ("there is no shape", "没有形状"),
    "problem.no-shape.hint": ("list several", "列出几种"),
    "problem.twice": ("two arguments are named {name}", "有两个参数都叫 {name}"),
    "problem.twice.hint": ("rename one of them", "给其中一个改名"),
    "problem.no-parameter": (
        "{name} is neither an argument nor a size",
        "{name} 既不是参数，也不是尺寸",
    ),
    "problem.no-parameter.hint": ("write one of {names}", "写 {names} 之一"),
    "problem.no-output": ("there is no output", "没有输出"),
    "problem.no-output.hint": (
        "add `role: output` to the array that the kernel writes",
        "给 kernel 写入的数组加上 `role: output`",
    ),
    "problem.no-size": ("there is no size {name}", "没有名为 {name} 的大小"),
    "problem.no-size.hint": (
        "the first shape has these names: {names}",
        "第一种形状中的名字：{names}",
    ),
    "problem.sizes-swapped": (
        "the smallest size, {least:,}, is above the largest, {most:,}",
        "最小值 {least:,} 大于最大值 {most:,}",
    ),
    "problem.sizes-swapped.hint": ("give the smaller size first", "先写较小的"),
    "problem.bound-not-reached": (
        "{name} is bounded by {most:,}; the largest one of `shapes` and `confirm` is {size:,}",
        "{name} 的上限是 {most:,}，而 `shapes` 和 `confirm` 中最大的是 {size:,}",
    ),
    "problem.bound-not-reached.hint": (
        "reach the bound that the prompt states, and do not exceed it",
        "应达到题目所说的上限，且不超过它",
    ),
    "problem.no-counter": ("there is no counter {counter}", "没有名为 {counter} 的计数器"),
    "problem.no-counter.hint": ("use one of: {names}", "可用的有：{names}"),
    "problem.no-limit": ("it limits nothing", "没有限制任何东西"),
    "problem.no-limit.hint": ("add `most:` or `least:`", "加上 `most:` 或 `least:`"),
    "problem.list-length": (
        "{count} values for {shapes} shapes",
        "{shapes} 种形状却有 {count} 个值",
    ),
    "problem.list-length.hint": (
        "give one value for all shapes, or one per shape",
        "所有形状共用一个值，或每种形状一个值",
    ),
    "problem.axes": ("{count} sizes", "有 {count} 个大小"),
    "problem.axes.hint": ("give one to three: x, y, z", "写一到三个：x、y、z"),
    "problem.threads": ("{threads:,} threads", "共 {threads:,} 个线程"),
    "problem.threads.hint": (
        "at most {most:,}, so that grading is fast",
        "最多 {most:,} 个，以便快速评判",
    ),
    "problem.neither-shape-nor-value": (
        "there is neither a shape nor a value",
        "既没有形状也没有值",
    ),
    "problem.neither-shape-nor-value.hint": (
        "add `shape:` or `value:`",
        "加上 `shape:` 或 `value:`",
    ),
    "problem.elements": ("an array of {elements:,} elements", "数组有 {elements:,} 个元素"),
    "problem.elements.hint": ("at most {most:,} elements", "最多 {most:,} 个元素"),
    "problem.no-type": ("there is no type {name}", "没有类型 {name}"),
    "problem.no-type.hint": (
        "types: float16, float32, float64, int8 … int64, uint8 … uint64, bool",
        "类型：float16、float32、float64、int8 … int64、uint8 … uint64、bool",
    ),
    "problem.baseline": (
        "the baseline fails at `{gate}`: {reason}",
        "基准没有通过 `{gate}`：{reason}",
    ),
    "problem.baseline.hint": (
        "fix it: submissions are measured against it",
        "请修正：提交会与它比较速度",
    ),
    # A reference without an answer
    "reference.arrays": (
        "the reference returned {returned} arrays, but there are {outputs} outputs",
        "参考实现返回了 {returned} 个数组，而输出有 {outputs} 个",
    ),
    "reference.shape": (
        "the reference returned the shape {returned} instead of {shape}",
        "参考实现返回的形状是 {returned}，应为 {shape}",
    ),
    "reference.not-python": ("the reference is not Python: {why}", "参考实现不是 Python：{why}"),
    "reference.no-function": (
        "there is no function `reference`",
        "没有函数 `reference`",
    ),
    "reference.raised": ("{error}: {text}", "{error}：{text}"),
    "reference.dtype": (
        "the reference returned an array of {dtype}, which no kernel writes",
        "参考实现返回了 {dtype} 数组，kernel 不会写入这种类型",
    ),
    # How a process ended, after its name; and what it answered
    "process.signal": ("was ended by {signal}", "被 {signal} 终止"),
    "process.status": ("ended with status {status}", "以状态 {status} 退出"),
    "process.slow": ("gave no answer within {seconds:g} s", "{seconds:g} 秒内没有应答"),
    "answer.not-typed": (
        "answered something other than `{kind}`: {why}",
        "的应答不是 `{kind}`：{why}",
    ),
    "answer.too-deep": ("answered something nested too deeply", "的应答嵌套太深"),
    "answer.not-asked": ("answered a question that was not asked", "的应答不是对所提请求的应答"),
    "answer.too-long": ("answered with more than {most:,} bytes", "的应答超过 {most:,} 字节"),
    "answer.no-end": ("answered with a line that does not end", "的应答没有行尾"),
    "answer.impossible": (
        "answered something that cannot be true (`{part}`)",
        "的应答不可能成立（`{part}`）",
    ),
    "referee.ended": ("the grading process {how}", "评判进程{how}"),
    "referee.ended-saying": ("the grading process {how}: {said}", "评判进程{how}：{said}"),
    "referee.slow": (
        "grading took longer than {seconds:g} s and was ended",
        "评判超过 {seconds:g} 秒，已终止",
    ),
}
