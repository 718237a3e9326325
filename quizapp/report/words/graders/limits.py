"""Words of the limits on counters: what one means; what helps is said only if it was tried.

`limit.over` is said where there is too much, `limit.under` where there is too little.
"""

WORDS: dict[str, tuple[str, str]] = {
    "limit.over.shared_conflicts": (
        (
            "Each conflict is one more wavefront for a warp's access: lanes want different "
            "words of one bank."
        ),
        ("每次冲突都让一个 warp 的访问多用一个 wavefront：多个 lane 要访问同一 bank 的不同字。"),
    ),
    "limit.over.shared_load_conflicts": (
        "Lanes of a load want different words of one bank.",
        "读取时多个 lane 要访问同一 bank 的不同字。",
    ),
    "limit.over.shared_store_conflicts": (
        "Lanes of a store want different words of one bank.",
        "写入时多个 lane 要访问同一 bank 的不同字。",
    ),
    "limit.over.shared_requests": (
        "A request is one access of one warp; reading a value again is one more.",
        "一个 warp 的一次访问算一次请求；同一个值再读一次，就多一次请求。",
    ),
    "limit.over.shared_load_requests": (
        "A request is one load of one warp; loading a value again is one more.",
        "一个 warp 的一次读取算一次请求；同一个值再读一次，就多一次请求。",
    ),
    "limit.over.shared_store_requests": (
        "A request is one store of one warp; storing an intermediate value is one, too.",
        "一个 warp 的一次写入算一次请求；写入中间值也算一次。",
    ),
    "limit.over.shared_atomic_requests": (
        "Atomics on one word run one after the other, in no fixed order.",
        "对同一个字的原子操作依次执行，而且没有固定顺序。",
    ),
    "limit.over.shared_wavefronts": (
        (
            "A wavefront is one pass through the LSU data pipe: bank conflicts and "
            "repeated accesses take more of them."
        ),
        "wavefront 是 LSU 数据通路的一次处理：bank 冲突和重复访问都会增加 wavefront。",
    ),
    "limit.over.global_requests": (
        "A request is one access of one warp; reading an element again is one more.",
        "一个 warp 的一次访问算一次请求；同一个元素再读一次，就多一次请求。",
    ),
    "limit.over.global_load_requests": (
        "A request is one load of one warp; loading an element again is one more.",
        "一个 warp 的一次读取算一次请求；同一个元素再读一次，就多一次请求。",
    ),
    "limit.over.global_store_requests": (
        "A request is one store of one warp; storing an element again is one more.",
        "一个 warp 的一次写入算一次请求；同一个元素再写一次，就多一次请求。",
    ),
    "limit.over.global_atomic_requests": (
        "Atomics of all blocks on one address run one after the other.",
        "所有线程块对同一地址的原子操作依次执行。",
    ),
    "limit.over.global_atomic_lanes": (
        "Every thread that takes part in an atomic counts.",
        "参与原子操作的每个线程都计数。",
    ),
    "limit.over.global_sectors": (
        (
            "Memory moves in sectors of 32 bytes. Too many means that lanes of a warp "
            "touch scattered addresses or that elements are moved twice."
        ),
        ("内存以 32 字节的 sector 为单位传输。过多说明一个 warp 的地址太分散，或元素被重复传输。"),
    ),
    "limit.over.global_load_sectors": (
        (
            "Memory is read in sectors of 32 bytes. Too many means scattered lanes or "
            "repeated loads."
        ),
        "内存以 32 字节的 sector 为单位读取。过多说明 lane 的地址分散或重复读取。",
    ),
    "limit.over.global_store_sectors": (
        (
            "Memory is written in sectors of 32 bytes. Too many means scattered lanes or "
            "repeated stores."
        ),
        "内存以 32 字节的 sector 为单位写入。过多说明 lane 的地址分散或重复写入。",
    ),
    "limit.over.global_load_lanes": (
        ("Every thread's load of an element counts; loading it again, in any thread, is one more."),
        "每个线程读取一个元素都计数；任何线程再读一次，就多计一次。",
    ),
    "limit.over.shared_store_lanes": (
        "Every thread's store of an element counts.",
        "每个线程写入一个元素都计数。",
    ),
    "limit.over.shared_bytes": (
        "What a block declares limits how many blocks an SM holds.",
        "线程块声明的共享内存决定一个 SM 能容纳多少线程块。",
    ),
    "limit.over.barriers": (
        (
            "Each warp that reaches a barrier counts. A barrier is only needed between a "
            "write of one warp and an access of another."
        ),
        (
            "每个 warp 每到达一次屏障计一次。只有一个 warp 写入、另一个 warp 访问时，中间才"
            "需要屏障。"
        ),
    ),
    "limit.over.branches": (
        "Every branch that a warp takes counts.",
        "warp 每执行一次分支都计数。",
    ),
    "limit.over.divergent_branches": (
        "In a divergent branch a warp runs both sides.",
        "发散分支中，warp 要先后执行两边。",
    ),
    "limit.over.local_requests": (
        (
            "Local memory is in device memory, like global memory. A small array with indices "
            "known at compile time can stay in registers."
        ),
        "局部内存和全局内存一样位于设备内存。下标在编译时已知的小数组可以留在寄存器中。",
    ),
    "limit.under.barriers": (
        (
            "Fewer barriers than there are steps: some step does not go through shared memory, or "
            "a warp reads before others have written. Do every step as the question describes it."
        ),
        (
            "屏障次数少于步数：有的步骤没有经过共享内存，或有 warp 在别的 warp 写完之前就读取。"
            "请按题目要求完成每一步。"
        ),
    ),
    "limit.under.global_load_sectors": (
        (
            "Fewer sectors were read than the inputs fill: some inputs were never read. Load "
            "every element."
        ),
        "读取的 sector 比输入所占的还少：有的输入从未被读取。请读取每个元素。",
    ),
    "limit.under.global_atomic_requests": (
        (
            "Fewer atomics than the question asks for: a flag that another block sets must be read "
            "by an atomic until it is set, and a block must announce each of its results."
        ),
        "原子操作少于题目要求：别的线程块设置的标志要用原子操作反复读取，直到被置位；线程块的每个结果也都要公布。",
    ),
    "limit.under.global_atomic_lanes": (
        (
            "Fewer threads take part in atomics than the question asks for: every block has to "
            "count itself, or the last one to finish cannot know that it is the last."
        ),
        "参与原子操作的线程少于题目要求：每个线程块都要计数一次，否则无法判断哪个线程块最后完成。",
    ),
    "limit.under.shared_requests": (
        (
            "The question asks for shared memory, and too little goes through it. Store to shared "
            "memory what threads of the block exchange, and read it back from there."
        ),
        "题目要求使用共享内存，而经过它的访问太少。线程之间要交换的数据应写入共享内存，再从中读取。",
    ),
    "limit.under.shared_load_requests": (
        (
            "The question asks for work in shared memory, and too little is read from it. Take "
            "the operands of each step from shared memory."
        ),
        "题目要求在共享内存中完成，而从中读取得太少。每一步的操作数都从共享内存读取。",
    ),
    "limit.under.shared_store_requests": (
        (
            "The question asks for work in shared memory, and too little is written to it. Store "
            "the result of each step there."
        ),
        "题目要求在共享内存中完成，而写入得太少。把每一步的结果写入共享内存。",
    ),
    "limit.under.shared_atomic_requests": (
        (
            "The question asks for atomics in shared memory. Count each element there, and only "
            "then go to global memory."
        ),
        "题目要求在共享内存中做原子操作。先在共享内存中统计每个元素，再访问全局内存。",
    ),
    "limit.under.shared_store_lanes": (
        (
            "The question asks every thread to store its element to shared memory. Let no thread "
            "skip the store."
        ),
        "题目要求每个线程都把自己的元素写入共享内存。不要让任何线程跳过写入。",
    ),
    "limit.over.instructions": (
        "A statement counts once for each warp that executes it.",
        "一个 warp 每执行一次某条语句，计一次。",
    ),
    "limit.over.busiest_thread_percent": (
        (
            "Each execution of a statement, and each iteration of a loop, counts once for "
            "each active thread. One thread, lane or warp does what others could do at the "
            "same time. Threads with nothing to do lower the mean; the limit is higher by as much."
        ),
        (
            "语句每执行一次、循环每迭代一次，每个活跃线程都计一次。某个线程、lane 或 warp "
            "在做其他线程本可同时做的工作。无事可做的线程会拉低平均值，上限已按比例放宽。"
        ),
    ),
    "limit.over.busiest_block_percent": (
        (
            "Each execution of a statement, and each iteration of a loop, counts once for "
            "each active thread. One block does what others could do on other SMs. Threads with "
            "nothing to do lower the mean; the limit is higher by as much."
        ),
        (
            "语句每执行一次、循环每迭代一次，每个活跃线程都计一次。某个线程块在做其他线程块"
            "本可在其他 SM 上做的工作。无事可做的线程会拉低平均值，上限已按比例放宽。"
        ),
    ),
}
