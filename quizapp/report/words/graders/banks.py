"""Words of the bank map, of the sentences below it, and of accesses that cannot exist."""

WORDS: dict[str, tuple[str, str]] = {
    # the map
    "banks.bank": ("bank", "bank"),
    "banks.wave": ("wave {number}", "wave {number}"),
    "banks.wavefront": ("wavefront {number}", "wavefront {number}"),
    "banks.pass": ("pass {number}", "pass {number}"),
    "banks.words": ("words", "字数"),
    "banks.lanes": ("lanes", "lane 数"),
    "banks.group": ("lanes {lanes}", "lane 组 {lanes}"),
    "banks.further": ("… and {n} more wavefronts", "……另有 {n} 个 wavefront"),
    "banks.further.one": ("… and 1 more wavefront", "……另有 1 个 wavefront"),
    "banks.further-passes": ("… and {n} more passes", "……另有 {n} 个 pass"),
    "banks.further-passes.one": ("… and 1 more pass", "……另有 1 个 pass"),
    "banks.idle": ("banks {first}–{last}: no lane", "bank {first}–{last}：没有 lane"),
    "banks.tens": ("A raised ¹, ² or ³ is 10, 20 or 30: ²7 is 27.", "上标 ¹²³ 是十位：²7 即 27。"),
    "banks.together": (
        "A cell shows the lowest of up to {count} lanes that are served together.",
        "一格最多有 {count} 个一起处理的 lane，只显示编号最小的。",
    ),
    "banks.pass-takes": (
        "Each pass takes {count} wavefronts.",
        "每个 pass 用 {count} 个 wavefront。",
    ),
    "banks.at-least": (
        "At least these: a CAS loop may take more; how many is not known.",
        "至少这些：CAS 循环可能用得更多，具体多少未知。",
    ),
    # where there is none
    "banks.no-lane": ("No lane is active: nothing is accessed.", "没有活跃的 lane：不发生访问。"),
    "banks.narrow": (
        "The bank map needs {needed} columns; this terminal has {columns}.",
        "bank 图需要 {needed} 列，而终端只有 {columns} 列。",
    ),
    "banks.open-word": (
        "No map: which word a step broadcasts is not specified.",
        "没有图：每一步广播哪个字没有规定。",
    ),
    "banks.open-store": (
        "No map: whether stores to one word combine is not published.",
        "没有图：对同一个字的写入是否并成一次没有公开。",
    ),
    "banks.open-degree": (
        "No map: how many passes a conflict takes is not published.",
        "没有图：一次冲突需要几个 pass 没有公开。",
    ),
    # accesses that cannot exist
    "bank.no-element": (
        "there is no element {index} of {width} bytes; widths: {widths}",
        "没有宽 {width} 字节的元素 {index}；可用宽度：{widths}",
    ),
    "bank.unknown-kind": (
        "there is no access kind '{kind}'; known: {kinds}",
        "没有访问种类 '{kind}'；可用：{kinds}",
    ),
    "bank.unknown-width": (
        "no access is {width} bytes wide; possible: {widths}",
        "没有宽 {width} 字节的访问；可以是：{widths}",
    ),
    "bank.negative-address": (
        "lane {lane}: address {address} is negative",
        "lane {lane}：地址 {address} 为负数",
    ),
    "bank.address-too-large": (
        "lane {lane}: address {address} is beyond any memory",
        "lane {lane}：地址 {address} 超出任何内存",
    ),
    "bank.misaligned": (
        "lane {lane}: address {address} is not aligned to {width} bytes",
        "lane {lane}：地址 {address} 没有按 {width} 字节对齐",
    ),
    "bank.no-such-kind": ("{row} has no {kind}", "{row} 没有 {kind}"),
    "bank.no-such-width": (
        "{row} has no {kind} of {width} bytes per lane; possible: {widths}",
        "{row} 没有每 lane {width} 字节的 {kind}；可以是：{widths}",
    ),
    "bank.unknown-architecture": (
        "there is no architecture '{name}'",
        "没有架构 '{name}'",
    ),
    "bank.unknown-architecture.hint": (
        "known: {names}, and each of their compute capabilities: 8.6 or sm_86",
        "可用：{names}，以及它们的计算能力：8.6 或 sm_86",
    ),
    "bank.not-a-warp": (
        "a warp access has {lanes} addresses and {lanes} active flags",
        "一次 warp 访问有 {lanes} 个地址和 {lanes} 个活跃标志",
    ),
    "bank.addresses-shape": (
        "addresses must be integers, one row of 32 for each access",
        "地址必须是整数，每次访问一行 32 个",
    ),
    "bank.active-shape": (
        "active lanes must be booleans, one for each address",
        "活跃 lane 必须是布尔值，每个地址一个",
    ),
    "bank.in-access": ("access {number}, {reason}", "第 {number} 次访问，{reason}"),
    # figures
    "banks.wavefronts": ("wavefronts {count}", "wavefront 数 {count}"),
    "banks.ideal": ("ideal {count}", "理想值 {count}"),
    "banks.conflicts": ("conflicts {count}", "冲突数 {count}"),
    "banks.between": ("at least {least}, at most {most}", "至少 {least}、最多 {most}"),
    "banks.from": ("at least {least}", "至少 {least}"),
    "banks.ways": ("{count}-way", "{count} 路冲突"),
    "banks.ways-at-most": ("at most {count}-way", "最多 {count} 路冲突"),
    "banks.ways-at-least": ("at least {count}-way", "至少 {count} 路冲突"),
    "banks.free": ("conflict-free", "无冲突"),
    # who meets whom
    "banks.meet": (
        "lanes {lanes} conflict in bank {bank}, on words {words}",
        "lane {lanes} 在 bank {bank} 冲突，访问字 {words}",
    ),
    "banks.meet-word": (
        "lanes {lanes} conflict in bank {bank}, on word {words}",
        "lane {lanes} 在 bank {bank} 冲突，都访问字 {words}",
    ),
    "banks.free-words": (
        "no two lanes need different words of one bank",
        "没有两个 lane 需要同一 bank 的不同字",
    ),
    "banks.free-words-group": (
        "no two lanes served together need different words of one bank",
        "同一 lane 组中没有两个 lane 需要同一 bank 的不同字",
    ),
    "banks.free-rows": (
        "no bank must serve more than it can at once",
        "没有 bank 要处理的超过一次能处理的",
    ),
    "banks.free-lanes": (
        "no two lanes access one bank",
        "没有两个 lane 访问同一个 bank",
    ),
    "banks.free-lanes-group": (
        "no two lanes served together access one bank",
        "同一 lane 组中没有两个 lane 访问同一个 bank",
    ),
    "banks.free-word": (
        "no two lanes served together access one word",
        "同一 lane 组中没有两个 lane 访问同一个字",
    ),
    # how it is known; the sources as `grader.banks.SOURCES` has them
    "banks.measured": ("measured for {row}", "{row} 为实测"),
    "banks.published": ("published for {row}", "{row} 有公开资料"),
    "banks.inferred": ("inferred for {row}", "{row} 为推断"),
    "banks.known-from": ("{evidence}: {source}", "{evidence}：{source}"),
    "banks.source-h200": (
        (
            "the model matches every one of 2,484 warp instructions counted on one H200 with "
            "Nsight Compute 2025.3, all recorded with the source code"
        ),
        (
            "用 Nsight Compute 2025.3 在一块 H200 上统计了 2,484 条 warp 指令，"
            "模型与每个计数都相符；全部记录随源码提供"
        ),
    ),
    "banks.source-guide-4": (
        (
            "CUDA C Programming Guide 4.2, appendix F: Shared Memory of compute capability "
            "1.x (F.3.3), 2.x (F.4.3) and 3.0 (F.5.3)"
        ),
        (
            "《CUDA C Programming Guide》4.2，附录 F：计算能力 1.x（F.3.3）、2.x（F.4.3）"
            "和 3.0（F.5.3）的 Shared Memory 各节"
        ),
    ),
    "banks.source-guide-12": (
        (
            "CUDA C++ Programming Guide 12, Compute Capabilities: Shared Memory of 5.x, on "
            "which those of 6.x to 9.0 build"
        ),
        (
            "《CUDA C++ Programming Guide》12，Compute Capabilities：5.x 的 Shared Memory，"
            "6.x 到 9.0 以它为基础"
        ),
    ),
    "banks.source-forum": (
        "forums.developer.nvidia.com/t/77228, answer by NVIDIA: loads of 7.0 to 7.5",
        "forums.developer.nvidia.com/t/77228，NVIDIA 的回答：7.0 到 7.5 的读取",
    ),
    "banks.source-others": (
        "measurements that others published for 8.0, the same as on 7.0 and 7.5",
        "他人公布的 8.0 测量结果，与 7.0 和 7.5 相同",
    ),
    "banks.source-neighbors": (
        "taken from the architectures around it; not measured, not published",
        "取自相邻的架构；既没有实测，也没有公开资料",
    ),
    "banks.source-loop": (
        (
            "float atomics, 64-bit additions and the like, and compare-and-swap of 2 and 16 bytes "
            "compile to CAS loops that retry until every lane has succeeded: at least one pass per "
            "lane on a word. Up to 3.x every atomic is a lock loop"
        ),
        (
            "浮点原子操作、64 位原子加法之类、2 和 16 字节的 compare-and-swap 编译成 CAS 循环，"
            "重试到每个 lane 都成功为止：同一个字上的每个 lane 至少一个 pass。"
            "3.x 及以前所有原子操作都是加锁循环"
        ),
    ),
}
