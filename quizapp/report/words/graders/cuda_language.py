"""What is wrong with a CUDA C++ source, and what of the language is not emulated."""

_GUIDE = ("see “{0}” in the CUDA C++ Programming Guide", "参见 CUDA C++ Programming Guide 的 “{0}”")


def _read(section: str) -> tuple[str, str]:
    return (_GUIDE[0].format(section), _GUIDE[1].format(section))


WORDS: dict[str, tuple[str, str]] = {
    # what is not C++
    "cpp.not-text": ("this is not text in UTF-8", "这不是 UTF-8 文本"),
    "cpp.not-text.hint": (
        "save the source as UTF-8, without NUL characters",
        "请将源码存为 UTF-8，且不含 NUL 字符",
    ),
    "cpp.comment-without-end": ("a comment is not closed", "注释没有结束"),
    "cpp.string-without-end": ("a raw string is not closed", "原始字符串没有结束"),
    "cpp.comment-without-end.hint": ("close it with `*/`", "用 `*/` 结束注释"),
    "cpp.bad-number": ("`{text}` is not a number in C++", "`{text}` 不是 C++ 的数字"),
    "cpp.beyond-64-bits": ("`{text}` does not fit into 64 bits", "`{text}` 超出 64 位"),
    "cpp.long-character": (
        "`{text}` is more than one character",
        "`{text}` 不止一个字符",
    ),
    "cpp.long-character.hint": ("write a string in double quotes", "字符串要用双引号"),
    "cpp.bad-escape": ("`{text}` is not an escape sequence", "`{text}` 不是转义序列"),
    "cpp.expected": ("expected `{expected}` before `{text}`", "`{text}` 之前应有 `{expected}`"),
    "cpp.expected-name": ("expected a name before `{text}`", "`{text}` 之前应有名字"),
    "cpp.keyword-as-name": (
        "`{text}` is a keyword and cannot be a name",
        "`{text}` 是关键字，不能用作名字",
    ),
    "cpp.missing": ("missing `{text}`", "缺少 `{text}`"),
    "cpp.no-declaration": (
        "outside of functions, only declarations can appear here",
        "函数之外只能写声明",
    ),
    "cpp.unexpected": ("`{text}` cannot be here", "这里不能有 `{text}`"),
    "cpp.quote-without-end": (
        "`{quote}` opens a literal that is not closed in its line",
        "`{quote}` 开始的字面量在本行没有结束",
    ),
    "cpp.quote-without-end.hint": ("close it with `{quote}`", "用 `{quote}` 结束"),
    "cpp.foreign": (
        "`{text}` ({number}) is not a character of C++",
        "`{text}`（{number}）不是 C++ 的字符",
    ),
    "cpp.foreign.hint": ("delete it", "请删去"),
    "cpp.foreign-blank": (
        "{number} is a blank that C++ does not know",
        "{number} 是 C++ 不认识的空白字符",
    ),
    "cpp.foreign-blank.hint": ("type an ordinary blank", "请改成普通空格"),
    "cpp.foreign-sign": (
        "`{text}` ({number}) is not `{meant}`",
        "`{text}`（{number}）不是 `{meant}`",
    ),
    "cpp.foreign-sign.hint": ("type `{meant}`", "请在英文输入状态下键入 `{meant}`"),
    "cpp.ends-too-early": (
        "the source ends within a declaration",
        "源码在声明中途就结束了",
    ),
    "cpp.no-such-type": ("`{name}` is not a type in C++", "`{name}` 不是 C++ 的类型"),
    "cpp.unknown-type": ("unknown type `{name}`", "未知的类型 `{name}`"),
    "cpp.unknown-type.hint": (
        "declare it in this file, or in a file that it includes in quotes",
        "在本文件中声明，或在用引号 include 的文件中声明",
    ),
    # the preprocessor
    "cpp.bad-condition": (
        "the condition is not a constant expression of integers",
        "条件不是整数常量表达式",
    ),
    "cpp.if-without-end": ("`#if` has no `#endif`", "`#if` 没有对应的 `#endif`"),
    "cpp.without-if": ("`#{name}` has no `#if`", "`#{name}` 没有对应的 `#if`"),
    "cpp.after-else": ("`#{name}` after `#else`", "`#else` 之后不能有 `#{name}`"),
    "cpp.unknown-directive": (
        "the preprocessor has no directive `#{name}`",
        "预处理器没有 `#{name}` 指令",
    ),
    "cpp.error": ("`#error` {text}", "`#error` {text}"),
    "cpp.macro-without-name": ("`#define` needs a name", "`#define` 缺少名字"),
    "cpp.macro-parameters": (
        "the parameters of the macro `{name}` are not a list of names",
        "宏 `{name}` 的参数不是名字列表",
    ),
    "cpp.macro-arguments": (
        "the macro `{name}` takes {n} arguments, not {given}",
        "宏 `{name}` 需要 {n} 个参数，这里有 {given} 个",
    ),
    "cpp.macro-arguments.one": (
        "the macro `{name}` takes one argument, not {given}",
        "宏 `{name}` 需要一个参数，这里有 {given} 个",
    ),
    "cpp.macro-call-without-end": (
        "the call of the macro `{name}` is not closed",
        "宏 `{name}` 的调用没有闭合",
    ),
    "cpp.bad-paste": (
        "`##` cannot join `{left}` and `{right}`",
        "`##` 无法连接 `{left}` 和 `{right}`",
    ),
    "cpp.bad-include": (
        "`#include` needs a name in quotes or in angle brackets",
        "`#include` 后应有引号或尖括号中的文件名",
    ),
    "cpp.unknown-include": ("unknown header <{name}>", "未知的头文件 <{name}>"),
    "cpp.unknown-include.hint": (
        "put what the kernel needs of it into this file",
        "把 kernel 需要的部分写进本文件",
    ),
    "cpp.include-not-found": ('"{name}" was not found', "找不到 “{name}”"),
    "cpp.include-not-found.hint": (
        "put its text into this file",
        "把它的内容写进本文件",
    ),
    # limits
    "cpp.source-too-long": (
        "the source is longer than {lines:,} lines or {characters:,} characters",
        "源码超过 {lines:,} 行或 {characters:,} 个字符",
    ),
    "cpp.too-many-tokens": (
        "the source and its macros have more than {limit:,} tokens",
        "源码加上宏展开超过 {limit:,} 个记号",
    ),
    "cpp.too-many-includes": (
        "more than {limit} files are included, or in a circle",
        "include 的文件超过 {limit} 个，或互相 include",
    ),
    "cpp.macro-too-long": (
        "a macro makes a name or a string of more than {most:,} characters",
        "宏生成的名字或字符串超过 {most:,} 个字符",
    ),
    "cpp.macro-predefined": (
        "`{name}` belongs to the preprocessor and cannot be redefined",
        "`{name}` 属于预处理器，不能重新定义",
    ),
    "cpp.macro-too-deep": (
        "macro calls are nested too deeply",
        "宏调用嵌套太深",
    ),
    # what no kernel can use
    "cpp.unavailable": (
        "a kernel cannot use `{name}`: {why}",
        "kernel 不能使用 `{name}`：{why}",
    ),
    # the language
    "cpp.no-lambdas": ("lambdas are not emulated", "模拟器不支持 lambda"),
    "cpp.no-lambdas.hint": (
        "write a `__device__` function, or a struct with `operator()`",
        "改写成 `__device__` 函数，或带 `operator()` 的 struct",
    ),
    "cpp.no-goto": ("`goto` and labels are not emulated", "模拟器不支持 `goto` 和标签"),
    "cpp.no-goto.hint": ("use a loop with `break`", "改用带 `break` 的循环"),
    "cpp.no-exceptions": (
        "device code has no exceptions",
        "设备代码没有异常",
    ),
    "cpp.no-exceptions.hint": ("return a status, or use `assert`", "返回状态值，或用 `assert`"),
    "cpp.no-virtual": (
        "virtual functions are not emulated",
        "模拟器不支持虚函数",
    ),
    "cpp.no-virtual.hint": ("use a template parameter", "改用模板参数"),
    "cpp.no-inheritance": ("base classes are not emulated", "模拟器不支持基类"),
    "cpp.no-inheritance.hint": ("make the base a member", "把基类改成成员"),
    "cpp.no-new": (
        "memory that a kernel allocates (`new`, `malloc`) is not emulated",
        "模拟器不支持在 kernel 中分配内存（`new`、`malloc`）",
    ),
    "cpp.no-new.hint": (
        "use a local array, or memory that the host allocates",
        "改用局部数组，或由主机分配的内存",
    ),
    "cpp.no-run-time-types": (
        "`typeid` and `dynamic_cast` are not available in device code",
        "设备代码不能用 `typeid` 和 `dynamic_cast`",
    ),
    "cpp.no-concepts": ("concepts are C++20; this is C++17", "concept 属于 C++20，这里是 C++17"),
    "cpp.no-concepts.hint": ("use `static_assert`", "改用 `static_assert`"),
    "cpp.no-coroutines": (
        "device code has no coroutines",
        "设备代码没有协程",
    ),
    "cpp.no-thread-local": (
        "`thread_local` is not available in device code",
        "设备代码不能用 `thread_local`",
    ),
    "cpp.no-thread-local.hint": (
        "a local variable is per thread already",
        "局部变量本来就是每个线程一份",
    ),
    "cpp.no-packs": (
        "parameter packs are not emulated",
        "模拟器不支持参数包",
    ),
    "cpp.no-packs.hint": ("write one overload per count", "按参数个数分别写重载"),
    "cpp.no-template-templates": (
        "a template as a template's parameter is not emulated",
        "模拟器不支持以模板作模板参数",
    ),
    "cpp.no-template-templates.hint": ("pass a type", "改为传类型"),
    "cpp.no-variable-templates": (
        "specializations of a template of a variable are not emulated",
        "模拟器不支持变量模板的特化",
    ),
    "cpp.no-variable-templates.hint": (
        "make it a static constexpr member of a struct template",
        "改成 struct 模板的 static constexpr 成员",
    ),
    "cpp.no-variable-arguments": (
        "functions with `...` are not emulated",
        "模拟器不支持带 `...` 的函数",
    ),
    "cpp.no-function-pointers": (
        "pointers to functions are not emulated",
        "模拟器不支持函数指针",
    ),
    "cpp.no-function-pointers.hint": (
        "pass a struct with `operator()`, or a template parameter",
        "传入带 `operator()` 的 struct，或用模板参数",
    ),
    "cpp.no-member-pointers": (
        "pointers to members are not emulated",
        "模拟器不支持成员指针",
    ),
    "cpp.no-local-functions": (
        "this declares a function within a function",
        "这里在函数内声明了函数",
    ),
    "cpp.no-local-functions.hint": (
        "for a variable, write `T x;` instead of `T x();`",
        "声明变量要写 `T x;`，而不是 `T x();`",
    ),
    "cpp.no-range-for": (
        "`for` over a range is not emulated",
        "模拟器不支持范围 `for`",
    ),
    "cpp.no-range-for.hint": ("loop over an index", "改用下标循环"),
    "cpp.no-structured-bindings": (
        "structured bindings are not emulated",
        "模拟器不支持结构化绑定",
    ),
    "cpp.no-structured-bindings.hint": ("name the members", "写出各个成员"),
    "cpp.no-designators": (
        "designated initializers are C++20; this is C++17",
        "指定初始化属于 C++20，这里是 C++17",
    ),
    "cpp.no-designators.hint": ("give the values in order", "按顺序给出各个值"),
    "cpp.no-statement-expressions": (
        "a statement in parentheses is GNU C and is not emulated",
        "括号中的语句是 GNU C 扩展，模拟器不支持",
    ),
    "cpp.no-statement-expressions.hint": ("write a function", "改写成函数"),
    "cpp.no-statement-before-case": (
        "a statement appears before the first `case`",
        "第一个 `case` 之前有语句",
    ),
    "cpp.no-nested-case": (
        "a `case` within another statement is not emulated",
        "模拟器不支持嵌在其他语句里的 `case`",
    ),
    "cpp.no-nested-case.hint": (
        "put the label directly into the body of the `switch`",
        "把标签直接写在 `switch` 的花括号内",
    ),
    "cpp.no-destructors": ("destructors are not emulated", "模拟器不支持析构函数"),
    "cpp.no-destructor-calls": (
        "calls of destructors are not emulated",
        "模拟器不支持调用析构函数",
    ),
    "cpp.no-bit-fields": ("bit-fields are not emulated", "模拟器不支持位域"),
    "cpp.no-bit-fields.hint": ("use shifts and masks", "改用移位和掩码"),
    "cpp.no-anonymous-members": (
        "anonymous structs and unions within a struct are not emulated",
        "模拟器不支持 struct 内的匿名 struct 和 union",
    ),
    "cpp.no-anonymous-members.hint": ("give the member a name", "给成员起名"),
    "cpp.no-decltype-names": (
        "a name within `decltype(…)` is not emulated",
        "模拟器不支持 `decltype(…)::` 后的名字",
    ),
    "cpp.no-offsetof": ("`offsetof` is not emulated", "模拟器不支持 `offsetof`"),
    "cpp.no-int128": ("128-bit integers are not emulated", "模拟器不支持 128 位整数"),
    "cpp.no-int128.hint": ("use `__umul64hi` for the upper half", "高半部分用 `__umul64hi`"),
    "cpp.wide-text": (
        "`{text}` is not a literal of `char`, the only one that is emulated",
        "`{text}` 不是 `char` 字面量，模拟器只支持后者",
    ),
    # CUDA
    "cpp.no-narrow-function": (
        "`{name}`, a function of 16-bit floats, is not emulated",
        "模拟器不支持 16 位浮点函数 `{name}`",
    ),
    "cpp.no-narrow-function.hint": (
        "write it with other functions, or compute in `float`; CUDA Math API, “Half2 Arithmetic”",
        "用其他函数来写，或用 `float` 计算；参见 CUDA Math API 的 “Half2 Arithmetic”",
    ),
    "cpp.fp8-mode": (
        "the saturation and the kind of a conversion to or from FP8 must be constants",
        "FP8 转换的饱和方式和格式必须是常量",
    ),
    "cpp.fp8-mode.hint": (
        "write `__NV_SATFINITE` or `__NV_NOSAT`, and `__NV_E4M3` or `__NV_E5M2`, in the call",
        "在调用中直接写 `__NV_SATFINITE` 或 `__NV_NOSAT`，以及 `__NV_E4M3` 或 `__NV_E5M2`",
    ),
    "cpp.no-fp4": (
        "6-bit and 4-bit floats, and e8m0, are not emulated",
        "模拟器不支持 6 位、4 位浮点数和 e8m0",
    ),
    "cpp.no-fp4.hint": (
        "use `__nv_fp8_e4m3` or `float`; CUDA Math API, “FP8 Intrinsics”",
        "改用 `__nv_fp8_e4m3` 或 `float`；参见 CUDA Math API 的 “FP8 Intrinsics”",
    ),
    "cpp.no-cooperative-group": (
        "`{name}` of cooperative groups is not emulated",
        "模拟器不支持 cooperative groups 的 `{name}`",
    ),
    "cpp.no-cooperative-group.hint": (
        "use a block, tiles of a warp, `coalesced_threads`, or the grid",
        "改用线程块、warp 内的 tile、`coalesced_threads` 或 grid",
    ),
    "cpp.no-group-function": (
        "groups of this type have no `{name}` in the emulator",
        "模拟器中，这种组没有 `{name}`",
    ),
    "cpp.no-group-function.hint": (
        "use shuffles, votes, `cg::reduce`, or a mask and warp primitives",
        "改用 shuffle、vote、`cg::reduce`，或掩码和 warp 原语",
    ),
    "cpp.no-tile": (
        "a tile of {size} threads of a {group} is not emulated",
        "模拟器不支持 {group} 的 {size} 线程 tile",
    ),
    "cpp.no-tile.hint": (
        "tiles have 1, 2, 4, 8, 16 or 32 threads, of a block or of a larger tile",
        "tile 可以有 1、2、4、8、16 或 32 个线程，取自线程块或更大的 tile",
    ),
    "cpp.no-tile-function": (
        "`{name}` takes a tile or a coalesced group, not a {group}",
        "`{name}` 接受 tile 或 coalesced group，而不是 {group}",
    ),
    "cpp.no-tile-function.hint": (
        "reduce each tile of 32 threads, then their results through shared memory",
        "先在每个 32 线程的 tile 内归约，再通过共享内存归约各自的结果",
    ),
    "cpp.not-a-group": (
        "{type} is not a group of threads",
        "{type} 不是线程组",
    ),
    "cpp.no-pipelines": (
        "asynchronous copies are not emulated",
        "模拟器不支持异步拷贝",
    ),
    "cpp.no-pipelines.hint": _read("Asynchronous Data Copies"),
    "cpp.no-libcu": (
        "the library of `cuda::` (libcu++) is not emulated",
        "模拟器不支持 `cuda::` 库（libcu++）",
    ),
    "cpp.no-libcu.hint": (
        "use CUDA's own functions, as `atomicAdd`; the documentation of libcu++ has the rest",
        "改用 CUDA 自带的函数，如 `atomicAdd`；其余参见 libcu++ 文档",
    ),
    "cpp.no-wmma": ("WMMA is not emulated", "模拟器不支持 WMMA"),
    "cpp.no-wmma.hint": _read("Warp Matrix Functions"),
    "cpp.no-tensor-maps": ("TMA is not emulated", "模拟器不支持 TMA"),
    "cpp.no-tensor-maps.hint": _read("Tensor Memory Accelerator"),
    "cpp.no-clusters": ("clusters are not emulated", "模拟器不支持线程块集群"),
    "cpp.no-clusters.hint": _read("Thread Block Clusters"),
    "cpp.no-textures": (
        "textures and surfaces are not emulated",
        "模拟器不支持 texture 和 surface",
    ),
    "cpp.no-textures.hint": (
        "use `__ldg`; CUDA C++ Programming Guide, “Texture and Surface Memory”",
        "改用 `__ldg`；参见 CUDA C++ Programming Guide 的 “Texture and Surface Memory”",
    ),
    "cpp.no-inline-ptx": ("inline PTX is not emulated", "模拟器不支持内联 PTX"),
    "cpp.no-inline-ptx.hint": (
        "use an intrinsic; “Inline PTX Assembly in CUDA” lists what there is",
        "改用内建函数；参见 “Inline PTX Assembly in CUDA”",
    ),
    "cpp.no-launches": (
        "a kernel that launches kernels is not emulated",
        "模拟器不支持在 kernel 内启动 kernel",
    ),
    "cpp.no-launches.hint": _read("CUDA Dynamic Parallelism"),
    "cpp.no-curand": ("cuRAND is not emulated", "模拟器不支持 cuRAND"),
    "cpp.no-curand.hint": (
        "pass random numbers as an argument, or write a generator of integers",
        "把随机数作为参数传入，或自己写整数随机数发生器",
    ),
    "cpp.no-complex": (
        "CUDA's complex numbers are not emulated",
        "模拟器不支持 CUDA 的复数类型",
    ),
    "cpp.no-complex.hint": ("use `float2`", "改用 `float2`"),
    "cpp.no-library": (
        "the library {name} is not emulated in a kernel",
        "模拟器不支持在 kernel 中使用 {name} 库",
    ),
    "cpp.no-library.hint": (
        "write the step in the kernel itself",
        "在 kernel 中自己实现这一步",
    ),
    "cpp.no-std": (
        "`std::{name}` is not available in device code",
        "设备代码不能用 `std::{name}`",
    ),
    "cpp.no-std.hint": (
        "use arrays, structs and CUDA's own functions",
        "改用数组、struct 和 CUDA 自带的函数",
    ),
}
