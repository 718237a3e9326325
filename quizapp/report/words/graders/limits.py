"""Words of the limits on counters: what one means, and what to try where it is missed.

`limit.over` is said where there is too much, `limit.under` where there is too little.
"""

WORDS: dict[str, tuple[str, str]] = {
    "limit.over.shared_conflicts": (
        (
            "Each conflict is one more wavefront for a warp's access: lanes want different words "
            "of one bank. Look at the bank map; pad the rows, swizzle the column, or let "
            "adjacent lanes take adjacent words."
        ),
        (
            "每次冲突都让一个 warp 的访问多用一个 wavefront：多个 lane 要访问同一 bank 的不同"
            "字。看 bank 图；可以给 pitch 加 padding，对列做 swizzle，或让相邻 lane 访问相邻"
            "的字。"
        ),
    ),
    "limit.over.shared_load_conflicts": (
        (
            "Lanes of a load want different words of one bank. Change the pitch or the swizzle, "
            "or which lane reads which element."
        ),
        (
            "读取时多个 lane 要访问同一 bank 的不同字。改变 pitch 或 swizzle，或改变 lane 与"
            "元素的对应关系。"
        ),
    ),
    "limit.over.shared_store_conflicts": (
        (
            "Lanes of a store want different words of one bank. Change the pitch or the swizzle, "
            "or which lane writes which element."
        ),
        (
            "写入时多个 lane 要访问同一 bank 的不同字。改变 pitch 或 swizzle，或改变 lane 与"
            "元素的对应关系。"
        ),
    ),
    "limit.over.shared_requests": (
        (
            "A request is one access of one warp. Keep a value that one thread reuses in a "
            "register, exchange values within a warp by shuffles, and let whole warps drop out of "
            "a reduction."
        ),
        (
            "一个 warp 的一次访问算一次请求。单个线程反复使用的值应放在寄存器中；"
            "warp 内部用 shuffle 交换；归约时让整个 warp 一起退出。"
        ),
    ),
    "limit.over.shared_load_requests": (
        (
            "A request is one load of one warp. Load a value once and keep it in a register; let "
            "one thread compute several results from what it has loaded."
        ),
        (
            "一个 warp 的一次读取算一次请求。每个值只读取一次并放在寄存器中；让一个线程用读到"
            "的值算出多个结果。"
        ),
    ),
    "limit.over.shared_store_requests": (
        (
            "A request is one store of one warp. Accumulate in a register, and store the final "
            "value once."
        ),
        "一个 warp 的一次写入算一次请求。在寄存器中累加，最后只写入一次。",
    ),
    "limit.over.shared_atomic_requests": (
        (
            "Atomics on one word run one after the other, in no fixed order. Use shuffles, "
            "ballots, "
            "or a scan to add up, or to find where each thread writes."
        ),
        (
            "对同一个字的原子操作依次执行，而且没有固定顺序。求和或确定每个线程的写入位置，改用 "
            "shuffle、ballot 或前缀和。"
        ),
    ),
    "limit.over.shared_wavefronts": (
        (
            "A wavefront is one pass through the LSU data pipe. Remove bank conflicts first, then "
            "repeated accesses."
        ),
        "wavefront 是 LSU 数据通路的一次处理。先消除 bank 冲突，再减少重复访问。",
    ),
    "limit.over.global_requests": (
        (
            "A request is one access of one warp. Read each element once, and keep it in a "
            "register or in shared memory."
        ),
        "一个 warp 的一次访问算一次请求。每个元素只读取一次，之后放在寄存器或共享内存中。",
    ),
    "limit.over.global_load_requests": (
        ("A request is one load of one warp. Load each element once; keep what is needed again."),
        "一个 warp 的一次读取算一次请求。每个元素只读取一次，还要用的就保留下来。",
    ),
    "limit.over.global_store_requests": (
        ("A request is one store of one warp. Store each element once, when its value is final."),
        "一个 warp 的一次写入算一次请求。值最终确定之后再写入，每个元素只写一次。",
    ),
    "limit.over.global_atomic_requests": (
        (
            "Atomics of all blocks on one address run one after the other. Combine within the "
            "warp and the block first, and issue one atomic per result of the block; where the "
            "limit is 0, store the results instead."
        ),
        (
            "所有线程块对同一地址的原子操作依次执行。先在 warp 和线程块内汇总，线程块的每个结果"
            "只做一次原子操作；上限为 0 时，改为直接写出结果。"
        ),
    ),
    "limit.over.global_atomic_lanes": (
        (
            "Every thread that takes part in an atomic counts. Reduce within the block, and let "
            "one thread add the sum."
        ),
        "参与原子操作的每个线程都计数。先在线程块内归约，再由一个线程加上结果。",
    ),
    "limit.over.global_sectors": (
        (
            "Memory moves in sectors of 32 bytes. Too many means that lanes of a warp touch "
            "scattered addresses or that elements are moved twice: let adjacent lanes access "
            "adjacent elements, and move each one once."
        ),
        (
            "内存以 32 字节的 sector 为单位传输。过多说明一个 warp 的地址太分散，或元素被重复"
            "传输：让相邻 lane 访问相邻元素，每个元素只传输一次。"
        ),
    ),
    "limit.over.global_load_sectors": (
        (
            "Memory is read in sectors of 32 bytes. Too many means scattered lanes or repeated "
            "loads: let adjacent lanes load adjacent elements, and keep what is needed again in "
            "shared memory or registers."
        ),
        (
            "内存以 32 字节的 sector 为单位读取。过多说明 lane 的地址分散或重复读取：让相邻 lane 读"
            "取相邻元素，还要用的放在共享内存或寄存器中。"
        ),
    ),
    "limit.over.global_store_sectors": (
        (
            "Memory is written in sectors of 32 bytes. Too many means scattered lanes or repeated "
            "stores: let adjacent lanes store adjacent elements, each once."
        ),
        (
            "内存以 32 字节的 sector 为单位写入。过多说明 lane 的地址分散或重复写入：让相邻 lane 写"
            "入相邻元素，每个元素只写一次。"
        ),
    ),
    "limit.over.global_load_lanes": (
        (
            "Every thread's load of an element counts. Load each element in one thread, and share "
            "it."
        ),
        "每个线程读取一个元素都计数。每个元素由一个线程读取，再与其他线程共享。",
    ),
    "limit.over.shared_store_lanes": (
        "Every thread's store of an element counts. Store each element once.",
        "每个线程写入一个元素都计数。每个元素只写一次。",
    ),
    "limit.over.shared_bytes": (
        (
            "What a block declares limits how many blocks an SM holds. Reuse a buffer, or make "
            "the tile smaller."
        ),
        "线程块声明的共享内存决定一个 SM 能容纳多少线程块。复用缓冲区，或减小 tile。",
    ),
    "limit.over.barriers": (
        (
            "Each warp that reaches a barrier counts. A barrier is only needed between a write of "
            "one warp and an access of another: use a second buffer, or let a single warp finish "
            "with shuffles."
        ),
        (
            "每个 warp 每到达一次屏障计一次。只有一个 warp 写入、另一个 warp 访问时，中间才需"
            "要屏障：改用双缓冲，或让最后一个 warp 用 shuffle 完成。"
        ),
    ),
    "limit.over.branches": (
        (
            "Every branch that a warp takes counts. Unroll a short loop, or replace a condition "
            "by arithmetic."
        ),
        "warp 每执行一次分支都计数。展开短循环，或用算术运算代替条件。",
    ),
    "limit.over.divergent_branches": (
        (
            "In a divergent branch a warp runs both sides. Let the condition depend on the warp, "
            "not on the lane."
        ),
        "发散分支中，warp 要先后执行两边。让条件取决于 warp 而不是 lane。",
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
        (
            "A statement counts once for each warp that executes it. Move what does not change "
            "out of the loop, and let one thread compute several results."
        ),
        ("每条语句每由一个 warp 执行一次计一次。把不变的计算移出循环，并让一个线程算出多个结果。"),
    ),
    "limit.over.busiest_thread_percent": (
        (
            "Each execution of a statement, and each iteration of a loop, counts once for each "
            "active thread. One thread, lane or warp does what others could do at the same time: "
            "divide the loop that takes longest among all threads of the block."
        ),
        (
            "语句每执行一次、循环每迭代一次，每个活动线程都计一次。某个线程、lane 或 warp 在做其他"
            "线程本可同时做的工作：把最费时的循环分给线程块的所有线程。"
        ),
    ),
    "limit.over.busiest_block_percent": (
        (
            "Each execution of a statement, and each iteration of a loop, counts once for each "
            "active thread. One block does what others could do on other SMs: let each block "
            "find its own part of the data by its index."
        ),
        (
            "语句每执行一次、循环每迭代一次，每个活动线程都计一次。某个线程块在做其他线程块本可在其他"
            " SM 上做的工作：让每个线程块按自己的编号找到自己那部分数据。"
        ),
    ),
}
