"""Words of the bank map and of what is said below it."""

WORDS: dict[str, tuple[str, str]] = {
    # the map
    "banks.bank": ("bank", "bank"),
    "banks.wave": ("wave {number}", "第{number}趟"),
    "banks.pass": ("pass {number}", "第{number}趟"),
    "banks.words": ("words", "字数"),
    "banks.lanes": ("lanes", "lane 数"),
    "banks.group": ("lanes {lanes}", "lane 组 {lanes}"),
    "banks.further": ("… and {count} more", "……另有 {count} 趟"),
    "banks.together": (
        "A cell shows the lowest of up to {count} lanes that are served at once.",
        "一格最多有 {count} 个 lane 同时得到服务，只显示编号最小的。",
    ),
    "banks.pass-takes": (
        "Each pass takes {count} wavefronts.",
        "每趟用 {count} 个 wavefront。",
    ),
    "banks.at-least": (
        "At least these: a retry loop may take more, how many is not known.",
        "至少这些：重试循环可能用得更多，具体多少未知。",
    ),
    # where there is none
    "banks.nobody": ("No lane is active: nothing is accessed.", "没有活动的 lane：不发生访问。"),
    "banks.narrow": (
        "The bank map needs {needed} columns; here are {columns}.",
        "bank 图需要 {needed} 列，这里只有 {columns} 列。",
    ),
    "banks.open-word": (
        "No map: which word a step broadcasts is not specified.",
        "没有图：每一步广播哪个字没有规定。",
    ),
    "banks.open-store": (
        "No map: nobody says whether stores to one word combine.",
        "没有图：对同一个字的写入是否合并没有说明。",
    ),
    "banks.open-degree": (
        "No map: how many passes a conflict takes is not said.",
        "没有图：一次冲突要用几趟没有说明。",
    ),
    # figures
    "banks.wavefronts": ("wavefronts {count}", "wavefront 数 {count}"),
    "banks.ideal": ("ideal {count}", "理想值 {count}"),
    "banks.conflicts": ("conflicts {count}", "冲突数 {count}"),
    "banks.between": ("at least {least}, at most {most}", "至少 {least}、至多 {most}"),
    "banks.from": ("at least {least}", "至少 {least}"),
    "banks.ways": ("{count}-way", "{count} 路冲突"),
    "banks.ways-at-most": ("at most {count}-way", "至多 {count} 路冲突"),
    "banks.ways-at-least": ("at least {count}-way", "至少 {count} 路冲突"),
    "banks.free": ("conflict-free", "无冲突"),
    # who meets whom
    "banks.meet": (
        "lanes {lanes} meet on bank {bank}, in words {words}",
        "lane {lanes} 在 bank {bank} 相遇，访问字 {words}",
    ),
    "banks.meet-word": (
        "lanes {lanes} meet on bank {bank}, in word {words}",
        "lane {lanes} 在 bank {bank} 相遇，都访问字 {words}",
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
        "no bank has to hand over more than it can at once",
        "没有哪个 bank 要提供的多于它一次能提供的",
    ),
    "banks.free-lanes": (
        "no two lanes come to one bank",
        "没有两个 lane 访问同一个 bank",
    ),
    "banks.free-lanes-group": (
        "no two lanes served together come to one bank",
        "同一 lane 组中没有两个 lane 访问同一个 bank",
    ),
    "banks.free-word": (
        "no two lanes served together come to one word",
        "同一 lane 组中没有两个 lane 访问同一个字",
    ),
    # how it is known; the sources as `grader.banks.SOURCES` has them
    "banks.measured": ("measured for {row}: {source}", "{row} 为实测：{source}"),
    "banks.published": ("published for {row}: {source}", "{row} 有公开资料：{source}"),
    "banks.inferred": ("inferred for {row}: {source}", "{row} 为推断：{source}"),
    "banks.source-h200": (
        (
            "900 warp instructions counted on one H200 with Nsight Compute 2025.3 "
            "(tests/data/h200_wavefronts.csv), 284 that `quiz calibrate` times "
            "(tests/data/h200_probes.csv), and another recording of 1,300; every count is met"
        ),
        (
            "在一块 H200 上用 Nsight Compute 2025.3 对 900 条 warp 指令计数"
            "（tests/data/h200_wavefronts.csv），对 `quiz calibrate` 计时的 284 条计数"
            "（tests/data/h200_probes.csv），另有一份 1,300 条的记录；每个计数都相符"
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
        "published measurements of others on 8.0, the same as on 7.0 and 7.5",
        "他人公布的 8.0 测量结果，与 7.0 和 7.5 相同",
    ),
    "banks.source-neighbours": (
        "taken from the architectures around it; not measured, not published",
        "取自相邻的架构；既没有实测，也没有公开资料",
    ),
    "banks.source-loop": (
        (
            "float atomics, 64-bit additions and the like, and compare-and-swap of 2 and 16 bytes "
            "compile to loops that retry until each lane has succeeded: at least one pass for "
            "every lane on a word. Up to 3.x all atomics lock and retry"
        ),
        (
            "浮点原子操作、64 位原子加法之类、2 和 16 字节的 compare-and-swap 编译成循环，"
            "重试到每个 lane 都成功为止：同一个字上的每个 lane 至少一趟。"
            "3.x 及以前所有原子操作都先加锁再重试"
        ),
    ),
}
