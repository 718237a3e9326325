"""Findings of the emulator, by code: what is wrong with a launch, and what to do about it."""

WORDS: dict[str, tuple[str, str]] = {
    # kinds of findings, as a person names them
    "finding.kind.race": ("race in shared memory", "共享内存数据竞争"),
    "finding.kind.global-race": ("race in global memory", "全局内存数据竞争"),
    "finding.kind.uninitialised-read": ("uninitialized read", "读取未初始化的数据"),
    "finding.kind.barrier-divergence": ("divergent barrier", "并非所有线程都到达屏障"),
    "finding.kind.warp-mask": ("wrong warp mask", "warp 掩码错误"),
    "finding.kind.out-of-bounds": ("out of bounds", "越界"),
    "finding.kind.misaligned": ("misaligned access", "访问未对齐"),
    "finding.kind.zero-division": ("integer division by zero", "整数除以零"),
    "finding.kind.overflow": ("signed overflow", "有符号整数溢出"),
    "finding.kind.unsequenced": ("unsequenced change", "修改顺序不确定"),
    "finding.kind.never-written": ("never written", "从未写入"),
    "finding.kind.stream-race": ("race between streams", "stream 之间的数据竞争"),
    "finding.kind.budget": ("operation budget exceeded", "超出运算次数上限"),
    "finding.kind.no-progress": ("no progress", "无法继续执行"),
    "finding.kind.resources": ("exceeds device limits", "超出设备资源"),
    "finding.kind.absent-lanes": (
        "non-participating lanes",
        "未参与的 lane",
    ),
    "finding.kind.warning": ("warning", "警告"),
    # a finding of a script, in one line
    "finding.placed": ("{kind} · {place}: {text}", "{kind} · {place}：{text}"),
    "finding.block-of": ("block {block}", "线程块 {block}"),
    "finding.byte": ("byte {address} of {array}", "{array}：第 {address} 字节"),
    "finding.shared-array": ("shared memory", "共享内存"),
    "finding.cases": ("{count} cases", "共 {count} 例"),
    # places and threads, as parts of a sentence
    "place.line": ("line {line}", "第 {line} 行"),
    "place.line-of-file": ("line {line} of {file}", "{file} 第 {line} 行"),
    "place.two-lines": ("lines {first} and {second}", "第 {first}、{second} 行"),
    "place.two-lines-of-file": (
        "lines {first} and {second} of {file}",
        "{file} 第 {first}、{second} 行",
    ),
    "place.both": ("{first} and {second}", "{first}与{second}"),
    "place.line-of-kernel": (
        "line {line} of the kernel's file",
        "kernel 所在文件第 {line} 行",
    ),
    "place.this-line": ("in this line", "同一行"),
    "place.this-instruction": ("in the same instruction", "同一条指令"),
    "thread.in-block": ("thread {thread}", "线程 {thread}"),
    "thread.in-warp": ("thread {thread} of the same warp", "同一 warp 的线程 {thread}"),
    "thread.of-block": (
        "thread {thread} of block {block}",
        "线程块 {block} 的线程 {thread}",
    ),
    "thread.elsewhere": ("thread {thread} of another block", "另一线程块的线程 {thread}"),
    "access.load": ("read", "读取"),
    "access.store": ("write", "写入"),
    "access.atomic": ("atomic update", "原子更新"),
    # races
    "finding.race": (
        (
            "no synchronization between the {access} of {element} by thread {thread} "
            "and its {earlier} by {rival} ({place})"
        ),
        "线程 {thread} 对 {element} 的{access}与{rival} 的{earlier}（{place}）之间缺少同步",
    ),
    "advice.lockstep": (
        "lanes of a warp do not run in lockstep from compute capability 7.0 on",
        "从计算能力 7.0 起，同一 warp 的 lane 不再同步推进",
    ),
    "advice.lockstep.cuda": (
        (
            "lanes of a warp do not run in lockstep from compute capability 7.0 on, and "
            "volatile does not order them"
        ),
        "从计算能力 7.0 起，同一 warp 的 lane 不再同步推进，volatile 也不保证先后",
    ),
    "finding.stream-race": (
        (
            "no synchronization between the {operation} in stream {stream} and the {earlier} in "
            "stream {other} (line {line}), which touch {n:,} elements of {array}; one of them "
            "writes"
        ),
        (
            "stream {stream} 的{operation}与 stream {other} 的{earlier}（第 {line} 行）之间"
            "缺少同步：两者访问 {array} 的同样 {n:,} 个元素，且至少一方写入"
        ),
    ),
    "finding.stream-race.one": (
        (
            "no synchronization between the {operation} in stream {stream} and the {earlier} in "
            "stream {other} (line {line}), which touch one element of {array}; one of them writes"
        ),
        (
            "stream {stream} 的{operation}与 stream {other} 的{earlier}（第 {line} 行）之间"
            "缺少同步：两者访问 {array} 的同一个元素，且至少一方写入"
        ),
    ),
    "finding.stream-race.hint": (
        (
            "operations of two streams run in any order unless an event or a synchronization "
            "orders them"
        ),
        "除非由 event 或同步规定先后，两个 stream 的操作顺序不定",
    ),
    "finding.host-race": (
        (
            "the host touches {n:,} elements of {array} without waiting for the {earlier} in "
            "stream {other} (line {line}), which touches them too"
        ),
        (
            "主机访问 {array} 的 {n:,} 个元素，却没有等待 stream {other} 中访问这些元素的"
            "{earlier}（第 {line} 行）"
        ),
    ),
    "finding.host-race.one": (
        (
            "the host touches an element of {array} without waiting for the {earlier} in "
            "stream {other} (line {line}), which touches it too"
        ),
        (
            "主机访问 {array} 的 1 个元素，却没有等待 stream {other} 中访问该元素的"
            "{earlier}（第 {line} 行）"
        ),
    ),
    "finding.host-race.hint": (
        "the host does not wait for a stream unless it synchronizes with it",
        "主机不会等待 stream，除非与它同步",
    ),
    "finding.host-early": (
        "the host touches what the kernel of line {line} writes to {array}, without waiting for it",
        "主机访问第 {line} 行的 kernel 写入 {array} 的数据，却没有等待它",
    ),
    "finding.host-early.hint": (
        "call cudaDeviceSynchronize() before the host touches it",
        "在主机访问它之前调用 cudaDeviceSynchronize()",
    ),
    "finding.failed-call": (
        "{call} failed, and the program ignores its result: {error}, {text}",
        "{call} 失败了，却没有检查其返回值：{error}，{text}",
    ),
    "finding.failed-call.hint": (
        "check the result of every CUDA call, and cudaGetLastError() after each launch",
        "检查每个 CUDA 调用的返回值，并在每次启动后检查 cudaGetLastError()",
    ),
    "operation.kernel": ("kernel", "kernel"),
    "operation.copy": ("copy", "拷贝"),
    # what was read or written
    "finding.uninitialised-read.shared": (
        "{element} is read, but no thread of the block has written it",
        "读取了 {element}，但线程块内没有线程写过它",
    ),
    "finding.uninitialised-read.local": (
        "{element} is read, but the thread has not written it",
        "读取了 {element}，但本线程没有写过它",
    ),
    "finding.uninitialised-read.global": (
        "{element} is read, but nothing has written it",
        "读取了 {element}，但从未有任何代码写过它",
    ),
    "advice.never-cleared": (
        "allocating memory does not clear it: write it before this launch",
        "分配显存不会清零：请在这次启动之前写入它",
    ),
    "advice.never-cleared.cuda": (
        "cudaMalloc does not clear memory: call cudaMemset, or copy to it, before this launch",
        "cudaMalloc 不会清零：请在这次启动之前调用 cudaMemset，或把数据复制进去",
    ),
    "advice.copied-part": (
        (
            "its first {written} of {size} bytes are written: does a copy give a number of "
            "elements where it takes bytes?"
        ),
        "它的 {size} 字节中只写了前 {written} 字节：复制时是否把元素个数当成了字节数？",
    ),
    "finding.uninitialised-read.variable": (
        "{name} is read, but the thread has not given it a value",
        "读取了 {name}，但本线程没有给它赋过值",
    ),
    "finding.allowed-race": ("allowed here: {race}", "这里已允许：{race}"),
    "finding.harmless-race": (
        "{race}; no order of the threads changes a value that is read or left",
        "{race}；无论线程按什么顺序执行，读到的值和最后的值都不变",
    ),
    "finding.discarded-read": ("{read}; the value is discarded", "{read}；读到的值没有被使用"),
    "finding.out-of-bounds": (
        "index {index} is out of bounds: the shape of {array} is {shape}",
        "下标 {index} 越界：{array} 的形状是 {shape}",
    ),
    "finding.beyond-axis": (
        "index {index} is beyond its axis, which has {size} elements: another row of {array}",
        "下标 {index} 超出所在的轴（{size} 个元素）：落在 {array} 的另一行",
    ),
    "finding.out-of-bounds.cuda": (
        "index {index} is out of bounds: the size of {array} is {shape}",
        "下标 {index} 越界：{array} 的大小是 {shape}",
    ),
    "finding.out-of-bounds.dynamic": (
        (
            "index {index} is out of bounds: the shape of {array} is {shape}; "
            "the launch gives {given:,} bytes, and {needed:,} are needed here"
        ),
        (
            "下标 {index} 越界：{array} 的形状是 {shape}；"
            "启动时给了 {given:,} 字节，这里需要 {needed:,} 字节"
        ),
    ),
    "finding.out-of-bounds.dynamic.cuda": (
        (
            "index {index} is out of bounds: the launch gives {given:,} bytes of dynamic shared "
            "memory, and {needed:,} are needed here"
        ),
        "下标 {index} 越界：启动时给了 {given:,} 字节动态共享内存，这里需要 {needed:,} 字节",
    ),
    "finding.out-of-bounds.dynamic.hint.cuda": (
        (
            "the launch sets it: <<<blocks, threads, bytes>>>, here {needed} or more; "
            "for quiz profile, --shared"
        ),
        (
            "大小由启动配置给出：<<<blocks, threads, bytes>>>，这里至少 {needed}；"
            "quiz profile 用 --shared"
        ),
    ),
    "finding.out-of-bounds.dynamic.hint": (
        "the launch sets it: kernel[blocks, threads, stream, bytes], here {needed} or more",
        "大小由启动配置给出：kernel[blocks, threads, stream, bytes]，这里至少 {needed}",
    ),
    "finding.misaligned": (
        "the access starts at byte {byte} of {array}, which is not a multiple of its {size} bytes",
        "访问从 {array} 的第 {byte} 字节开始，不是访问宽度 {size} 字节的倍数",
    ),
    "finding.constant-write": (
        "{element} is in constant memory, which a kernel cannot write to",
        "{element} 在常量内存中，kernel 不能写入",
    ),
    "finding.null-pointer": ("a null pointer is dereferenced", "解引用了空指针"),
    "finding.host-pointer": (
        "a host pointer is dereferenced on the device",
        "在设备上解引用了主机指针",
    ),
    "finding.host-pointer.hint": (
        "a kernel can use pointers to device memory only",
        "kernel 只能使用指向设备内存的指针",
    ),
    "finding.wild-pointer": (
        "the pointer does not point to any allocation",
        "指针不指向任何已分配的内存",
    ),
    "finding.foreign-shared": (
        "the pointer is to the shared memory of another block, or of an earlier launch",
        "指针指向另一线程块的共享内存，或之前某次启动的共享内存",
    ),
    "finding.foreign-shared.hint": (
        "each block has shared memory of its own, for one launch",
        "每个线程块各有自己的共享内存，且只在一次启动内有效",
    ),
    "finding.foreign-local": (
        "the pointer is to the local memory of another thread",
        "指针指向另一线程的局部内存",
    ),
    "finding.foreign-local.hint": (
        "each thread has local memory of its own",
        "每个线程各有自己的局部内存",
    ),
    "advice.guard": (
        "more threads than elements on the {axis} axis get here: there are {size} elements",
        "{axis} 方向上到达这里的线程多于元素：元素只有 {size} 个",
    ),
    "advice.guard-off-by-one": (
        "the condition admits index {index}, one past the end",
        "边界判断放过了下标 {index}，恰好越界一个",
    ),
    "advice.several-sizes": (
        "the size is {size}, the value of several arguments: {names}",
        "大小是 {size}，有多个参数等于这个值：{names}",
    ),
    "advice.both": ("{first}; {second}", "{first}；{second}"),
    "finding.never-written": (
        "{missing:,} of {elements:,} elements of {array} were never written, first {index}",
        "{array} 的 {elements:,} 个元素中有 {missing:,} 个从未写入，首个下标是 {index}",
    ),
    "finding.unread-elements": (
        "{missing}; the host has copied them back, but not read them",
        "{missing}；主机取回了它们，但没有读取",
    ),
    # barriers and warps
    "finding.barrier-divergence": (
        (
            "thread {thread} waits at this barrier, but {absent} never reaches it: {reason}; "
            "{missing} of {threads} threads are missing"
        ),
        (
            "线程 {thread} 在这个屏障等待，但{absent} 不会到达："
            "{reason}；{threads} 个线程中缺 {missing} 个"
        ),
    ),
    "absence.returned": ("it returned in {place}", "它已返回（{place}）"),
    "absence.branched": ("it took another branch in {place}", "它走了另一分支（{place}）"),
    "absence.elsewhere": ("it took another branch", "它走了另一分支"),
    "finding.exited-thread": (
        (
            "thread {thread} returned in {place}, but others of its block reach this barrier: "
            "from compute capability 7.0 on it waits only for threads that have not exited; "
            "older devices do not promise that"
        ),
        (
            "线程 {thread} 已返回（{place}），而同一线程块的其他线程到达这个屏障："
            "从计算能力 7.0 起，屏障只等未退出的线程，更早的设备没有这个保证"
        ),
    ),
    "finding.warp-mask.own-lane": (
        (
            "lane {lane} calls {name} with the mask {mask}, which does not name that lane; "
            "the result is undefined"
        ),
        "lane {lane} 调用 {name} 时给出的掩码 {mask} 不含自己，结果未定义",
    ),
    "finding.warp-mask.own-lane.hint": (
        "0xFFFFFFFF names a whole warp",
        "0xFFFFFFFF 表示整个 warp",
    ),
    "finding.warp-mask.different-masks": (
        (
            "lane {lane} calls {name} with the mask {mask}, which names lane {other}, "
            "but that lane gives {other_mask}; the result is undefined"
        ),
        (
            "lane {lane} 调用 {name} 时给出的掩码 {mask} 包含 lane {other}，"
            "而 lane {other} 给出 {other_mask}，结果未定义"
        ),
    ),
    "finding.absent-lanes": (
        (
            "lane {lane} calls {name} with the mask {mask}, which names lanes that never reach "
            "it: {absent}; undefined, and a device may wait forever"
        ),
        (
            "lane {lane} 以掩码 {mask} 调用 {name}，掩码中有未到达的 lane：{absent}；行为未定义，"
            "设备可能一直等待"
        ),
    ),
    "finding.absent-lanes.exited": (
        "{name} reads from lanes that have returned; what it reads is undefined",
        "{name} 读取已返回的 lane，读到的值未定义",
    ),
    "finding.absent-lanes.elsewhere": (
        (
            "{name} names lanes that are at another call of it: a device exchanges values between "
            "the two calls, the emulator does not"
        ),
        "{name} 的掩码包含在另一处调用它的 lane：设备会在两处调用之间交换数据，模拟器不会",
    ),
    "finding.undefined-lane.unnamed": (
        (
            "lane {lane} reads from lane {source} through {name}, but its mask {mask} does not "
            "name lane {source}; the value is undefined, and the result depends on it"
        ),
        (
            "lane {lane} 通过 {name} 读取 lane {source}，但给出的掩码 {mask} 不含 lane {source}；"
            "读到的值未定义，而结果依赖这个值"
        ),
    ),
    "finding.undefined-lane.exited": (
        (
            "lane {lane} reads from lane {source} through {name}, but lane {source} has returned; "
            "the value is undefined, and the result depends on it"
        ),
        (
            "lane {lane} 通过 {name} 读取 lane {source}，但 lane {source} 已返回；"
            "读到的值未定义，而结果依赖这个值"
        ),
    ),
    "finding.undefined-lane.missing": (
        (
            "lane {lane} reads from lane {source} through {name}, but the last warp of the block "
            "has no lane {source}; the value is undefined, and the result depends on it"
        ),
        (
            "lane {lane} 通过 {name} 读取 lane {source}，但线程块的最后一个 warp "
            "没有 lane {source}；读到的值未定义，而结果依赖这个值"
        ),
    ),
    "advice.whole-warp": (
        "lanes that reach it read from absent ones",
        "到达的 lane 要读取未到达的 lane",
    ),
    "advice.name-lanes": (
        "the lanes that reach it are {mask}",
        "到达的 lane 是 {mask}",
    ),
    "advice.name-own-lanes": (
        "the mask names lanes that do not reach it",
        "掩码包含未到达的 lane",
    ),
    # numbers
    "finding.zero-division": (
        (
            "an integer is divided by zero: Numba gives 0, or raises ZeroDivisionError with "
            "debug=True; in CUDA C++ this is undefined"
        ),
        ("整数除以零：Numba 得 0，debug=True 时抛出 ZeroDivisionError；CUDA C++ 中未定义"),
    ),
    "finding.zero-division.cuda": (
        "an integer is divided by zero; the result is undefined",
        "整数除以零，结果未定义",
    ),
    "finding.zero-division.hint": ("test the divisor first", "先判断除数是否为零"),
    "finding.overflow": (
        "{value} does not fit {dtype} and wraps to {wrapped}",
        "{value} 超出 {dtype} 的范围，回绕为 {wrapped}",
    ),
    "finding.unsigned-wrap": (
        "the index should be {value}, but unsigned 32-bit arithmetic wraps here: {index} is used",
        "下标本应是 {value}，但这里的 32 位无符号运算回绕，实际使用 {index}",
    ),
    "finding.signed-overflow": (
        (
            "{left} {operator} {right} does not fit {dtype}: signed overflow is undefined, "
            "and usually wraps, here to {wrapped}"
        ),
        (
            "{left} {operator} {right} 超出 {dtype} 的范围：有符号溢出未定义，通常会回绕，"
            "这里得到 {wrapped}"
        ),
    ),
    "finding.signed-overflow.negation": (
        "-({value}) does not fit {dtype}; signed overflow is undefined",
        "-({value}) 超出 {dtype} 的范围；有符号溢出未定义",
    ),
    "finding.print-buffer": (
        "the threads print more than {most:,} characters; the rest is not shown",
        "线程打印的内容超过 {most:,} 个字符；其余不再显示",
    ),
    "finding.print-buffer.hint": (
        "print from one thread; a device's buffer would overwrite the oldest lines",
        "请只由一个线程打印；设备的缓冲区会覆盖最早的内容",
    ),
    "finding.unsequenced": (
        "{name} is changed here and used elsewhere in the expression; C++17 does not order the two",
        "{name} 在这里被修改，表达式的另一处又用到它；C++17 不规定两者的先后",
    ),
    "finding.unsequenced.hint": (
        "write two statements",
        "拆成两条语句",
    ),
    "finding.shift-count": (
        "a shift of {dtype} by {count} is undefined: the count must be less than the type's width",
        "{dtype} 移位 {count} 位未定义：位数必须小于类型宽度",
    ),
    "finding.negative-index": (
        (
            "a negative index ({index}) counts from the end of {array} in Numba; "
            "CUDA C++ would read before the array"
        ),
        "负下标（{index}）在 Numba 中从 {array} 末尾数起；CUDA C++ 会读到数组之前",
    ),
    "finding.packed-record": (
        (
            "Numba reads and writes a {dtype} field of this record as {size} single bytes: "
            "its dtype has no align=True"
        ),
        "这种记录的 dtype 没有 align=True，Numba 把 {dtype} 字段按 {size} 个单字节读写",
    ),
    "finding.float64": (
        "float32 {operator} {dtype} is computed in float64",
        "float32 {operator} {dtype} 用 float64 计算",
    ),
    "finding.float64.call": (
        "{function} of float32 and {dtype} is computed in float64",
        "float32 与 {dtype} 的 {function} 用 float64 计算",
    ),
    "finding.float64.also": (
        "{cause}, and so are operations in {lines}",
        "{cause}，{lines}也因此如此",
    ),
    "finding.double-constant": (
        "the constant {value} is a double, so this float {operator} is computed in double",
        "常量 {value} 是 double，这里 float 的 {operator} 因此用双精度计算",
    ),
    "finding.double-constant.call": (
        "the constant {value} is a double, so {function} of a float is computed in double",
        "常量 {value} 是 double，这里 float 的 {function} 因此用双精度计算",
    ),
    "finding.float64.variable": (
        "{name} starts as {kind} here, so float32 data is computed in float64 in {lines}",
        "{name} 在这里的初值是{kind}，{lines}的 float32 数据因此用 float64 计算",
    ),
    "float64.float": ("a float64", " float64 数"),
    "float64.integer": ("an integer", "整数"),
    "float64.this-line": ("this line", "本行"),
    "float64.lines": ("lines {lines}", "第 {lines} 行"),
    "float64.lines.one": ("line {lines}", "第 {lines} 行"),
    # the launch as a whole
    "finding.budget": (
        "the launch was stopped here; does every thread leave every loop?",
        "启动执行到这里被停止：所有线程都能退出每个循环吗？",
    ),
    "finding.no-progress": (
        "threads wait here for memory that no thread can change any more",
        "线程在这里等待，但已没有线程能改变它们等待的内存",
    ),
    "finding.no-progress.warp": (
        (
            "threads spin here; thread {thread} of the same warp continues in line {line} only "
            "when they leave the loop, and no other thread changes what they wait for"
        ),
        (
            "线程在这里自旋；同一 warp 的线程 {thread} 要等它们离开循环才会执行第 {line} 行，"
            "而没有其他线程会改变它们等待的内存"
        ),
    ),
    "finding.no-progress.warp.hint": (
        (
            "let one thread per warp take the lock, or do the locked work inside the loop: before "
            "compute capability 7.0 this never ends; from 7.0 on lanes are scheduled "
            "independently, and it may end"
        ),
        (
            "让每个 warp 只有一个线程取锁，或把临界区放进循环内：计算能力 7.0 之前"
            "这里永远不会结束；7.0 起各 lane 独立调度，可能会结束"
        ),
    ),
    "finding.no-progress.block": (
        (
            "threads spin here; thread {thread} of the block continues in line {line} only when "
            "they leave the loop: here all warps of a block run together"
        ),
        (
            "线程在这里自旋；同一线程块的线程 {thread} 要等它们离开循环才会执行第 {line} 行："
            "模拟器中同一线程块的所有 warp 一起执行"
        ),
    ),
    "finding.no-progress.block.hint": (
        "on a GPU another warp makes progress on its own: the emulator cannot finish this",
        "在 GPU 上其他 warp 会自行继续执行：模拟器无法把它运行到底",
    ),
    "finding.no-progress.grid": (
        (
            "threads here wait for another block, but thread {thread} of block {block} reaches "
            "line {line} only after they leave the loop: the emulator takes all blocks through a "
            "function or an outer loop together"
        ),
        (
            "线程在这里等待另一个线程块，但线程块 {block} 的线程 {thread} 要等它们离开循环才会执行"
            "第 {line} 行：模拟器让所有线程块一起走完函数或外层循环"
        ),
    ),
    "finding.no-progress.grid.hint": (
        "on a GPU the other block makes progress on its own: the emulator cannot finish this",
        "在 GPU 上另一个线程块会自行继续执行：模拟器无法把它运行到底",
    ),
    "finding.recursion": (
        "{function} calls itself more than {most} levels deep; a stack of 1,024 bytes is full",
        "{function} 的递归深度超过 {most} 层，1,024 字节的栈已满",
    ),
    "finding.recursion.hint": (
        "write a loop, or keep a stack in a local array",
        "改写成循环，或用局部数组作栈",
    ),
    "finding.threads": (
        "a block of {threads} threads; the limit is {most}",
        "线程块有 {threads} 个线程，上限是 {most}",
    ),
    "finding.launch-bounds": (
        "a block of {threads} threads; the kernel's `__launch_bounds__` allows {most}",
        "线程块有 {threads} 个线程，而 kernel 的 `__launch_bounds__` 只允许 {most} 个",
    ),
    "finding.grid": (
        "the grid has {size} blocks along {axis}; the limit is {most}",
        "grid 在 {axis} 方向有 {size} 个线程块，上限是 {most}",
    ),
    "finding.block": (
        "the block has {size} threads along {axis}; the limit is {most}",
        "线程块在 {axis} 方向有 {size} 个线程，上限是 {most}",
    ),
    "finding.local-memory": (
        "{bytes:,} bytes of local arrays per thread; the limit is {most:,}",
        "每个线程的局部数组共 {bytes:,} 字节，上限是 {most:,}",
    ),
    "finding.static-memory": (
        "{bytes:,} bytes of static shared memory; the limit is {most:,}",
        "静态共享内存共 {bytes:,} 字节，上限是 {most:,}",
    ),
    "finding.static-memory.hint": (
        "use dynamic shared memory: shape 0",
        "改用动态共享内存：shape 为 0",
    ),
    "finding.static-memory.hint.cuda": (
        "use dynamic shared memory: `extern __shared__`",
        "改用动态共享内存：`extern __shared__`",
    ),
    "finding.shared-memory": (
        "{bytes:,} bytes of shared memory per block; the limit is {most:,} on {arch}",
        "每个线程块的共享内存共 {bytes:,} 字节，{arch} 上的上限是 {most:,}",
    ),
}
