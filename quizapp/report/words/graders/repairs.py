"""Changes of a kernel that were tried: what they do, and what they changed."""

WORDS: dict[str, tuple[str, str]] = {
    "repair.proven": (
        "advice, run again in the emulator: {what}; {effects}",
        "建议（已在模拟器中重新运行）：{what}；{effects}",
    ),
    "repair.removes": ("this removes all {n:,} cases", "{n:,} 例全部消失"),
    "repair.removes.one": ("this removes the only case", "唯一的一例消失"),
    "repair.removes-too": (
        "and the {kind} ({array}, line {line})",
        "第 {line} 行 {array} 的{kind}也一并消失",
    ),
    "repair.removes-place": (
        "and the {kind} (line {line})",
        "第 {line} 行的{kind}也一并消失",
    ),
    "repair.separator": (", ", "，"),
    "repair.counts": ("{name}: {before} → {after}", "{name}：{before} → {after}"),
    "repair.counted.shared_wavefronts": ("wavefronts of shared memory", "共享内存 wavefront 数"),
    "repair.counted.atomic_lanes": ("lanes with an atomic update", "执行原子操作的 lane 数"),
    "repair.counted.requests": ("accesses of warps", "warp 的访问次数"),
    "repair.pitch": (
        "rows of {pitch} elements for {array}, declared in line {line}",
        "把第 {line} 行声明的 {array} 每行加到 {pitch} 个元素",
    ),
    "repair.pitch-flat": (
        "rows of {longer} elements instead of {row} for {array}",
        "{array} 每行 {longer} 个元素，而不是 {row} 个",
    ),
    "repair.register": (
        (
            "each thread adds up in a register, and adds to {array} once, after the loop around "
            "line {line}"
        ),
        "每个线程先在寄存器中累加，循环（第 {line} 行所在）之后再加到 {array} 一次",
    ),
    "repair.warp-sum": (
        "each warp adds up first, and one of its lanes adds to {array} in line {line}",
        "每个 warp 先求和，再由一个 lane 在第 {line} 行加到 {array}",
    ),
    "repair.barrier": ("{barrier} before line {line}", "在第 {line} 行之前加 {barrier}"),
    "repair.barrier-loop": (
        (
            "{barrier} at the end of the body of the loop in line {loop}, since threads begin its "
            "next iteration while others are still in this one"
        ),
        "在第 {loop} 行循环体的末尾加 {barrier}，因为有的线程已开始下一次迭代，有的还在这一次",
    ),
    "repair.barriers": (
        (
            "{barrier} before line {line}, and at the end of the body of the loop in line {loop}, "
            "since threads begin its next iteration while others are still in this one"
        ),
        (
            "在第 {line} 行之前加 {barrier}，在第 {loop} 行循环体的末尾也加，"
            "因为有的线程已开始下一次迭代，有的还在这一次"
        ),
    ),
    "repair.move": (
        "the barrier of line {line} after the branch that begins in line {branch}",
        "把第 {line} 行的屏障移到第 {branch} 行开始的分支之后",
    ),
    "repair.atomic": (
        "an atomic update in line {line}, where threads update one element",
        "第 {line} 行改用原子操作，因为多个线程更新同一元素",
    ),
    "repair.comparison": (
        "{new} instead of {old} in line {line}, which admits one index too many",
        "第 {line} 行的 {old} 多放过一个下标，改为 {new}",
    ),
    "repair.replace": (
        "{new} instead of {old} in line {line}",
        "第 {line} 行的 {old} 改为 {new}",
    ),
    "repair.wider": (
        "the operation in line {line} in {type}",
        "第 {line} 行改用 {type} 运算",
    ),
    "repair.mask": ("the mask {mask} in line {line}", "第 {line} 行的掩码改为 {mask}"),
    "repair.removes-warning": ("this removes the warning", "警告消失"),
    "repair.guard": (
        "line {line} only where {condition}",
        "只在 {condition} 时执行第 {line} 行的访问",
    ),
}
