"""What is wrong with the meaning of a CUDA C++ source: names, types, calls."""

WORDS: dict[str, tuple[str, str]] = {
    "cpp.declared-twice": (
        "`{name}` is already declared here",
        "`{name}` 在这里已经声明过",
    ),
    "cpp.incomplete": (
        "a member cannot be of type `{type}`, whose size is not known here",
        "成员不能是 `{type}` 类型：这里还不知道它的大小",
    ),
    "cpp.array-of-nothing": (
        "`{name}` cannot be an array of `void` or of references, or a pointer to a reference",
        "`{name}` 不能是 `void` 或引用的数组，也不能是指向引用的指针",
    ),
    "cpp.kernel-elsewhere": (
        "the kernel `{name}` is `__global__` and cannot also be `__device__` or `__host__`",
        "kernel `{name}` 是 `__global__`，不能同时是 `__device__` 或 `__host__`",
    ),
    "cpp.kernel-result": (
        "the kernel `{name}` has to return `void`",
        "kernel `{name}` 必须返回 `void`",
    ),
    "cpp.include-missing": (
        "`{name}` is declared in <{header}>, which is not included",
        "`{name}` 在 <{header}> 中声明，而它没有被 include",
    ),
    "cpp.include-missing.hint": ("add `#include <{header}>`", "请加上 `#include <{header}>`"),
    "cpp.choice-as-place": (
        "a choice `?:` on the left of an assignment is emulated only where it is a statement",
        "赋值左边的 `?:` 只有单独成句时才被模拟",
    ),
    "cpp.choice-as-place.hint": ("write an `if`", "请改用 `if`"),
    "cpp.kernel-member": (
        "the kernel `{name}` cannot be a member of a struct",
        "kernel `{name}` 不能是 struct 的成员",
    ),
    "cpp.kernel-member.hint": ("define it outside of the struct", "请定义在 struct 之外"),
    "cpp.kernel-reference": (
        "the parameter `{name}` of a kernel is a reference, to a variable in the host's memory",
        "kernel 的参数 `{name}` 是引用，指向主机内存中的变量",
    ),
    "cpp.kernel-reference.hint": (
        "take it by value, or take a pointer to device memory",
        "请改为传值，或传设备内存的指针",
    ),
    "cpp.built-in": ("`{name}` is a name of CUDA's own", "`{name}` 是 CUDA 自带的名字"),
    "cpp.built-in.hint": ("give it a name of your own", "请另取一个名字"),
    "cpp.array-size": (
        "an array has at least one element, not {n}",
        "数组至少要有一个元素，不能是 {n}",
    ),
    "cpp.constant-memory": (
        "{bytes:,} bytes of `__constant__` memory; the limit is {most:,}",
        "`__constant__` 内存共 {bytes:,} 字节；上限是 {most:,}",
    ),
    "cpp.constant-memory.hint": (
        "pass a pointer to global memory",
        "请改为传全局内存的指针",
    ),
    "cpp.large-struct": (
        "the struct `{name}` has more than {most:,} members, with those of its members",
        "struct `{name}` 连同成员的成员超过 {most:,} 个",
    ),
    "cpp.large-struct.hint": ("use an array", "请改用数组"),
    "cpp.no-result": (
        "the function `{name}` has no type of its result",
        "函数 `{name}` 没有写返回类型",
    ),
    "cpp.no-result.hint": (
        "write `void` before its name, or the type",
        "请在名字前写上 `void` 或返回类型",
    ),
    "cpp.default-missing": (
        "the parameter `{name}` needs a default value, as the one before it has one",
        "形参 `{name}` 需要默认值，因为它前面的形参有默认值",
    ),
    "cpp.leaves-nothing": (
        "there is no loop here that `{word}` could apply to",
        "这里的 `{word}` 没有对应的循环",
    ),
    "cpp.label-twice": (
        "the `switch` already has this label",
        "这个 `switch` 中已有这个标号",
    ),
    "cpp.global-space": (
        "`{name}` has to be declared outside of functions",
        "`{name}` 必须在函数之外声明",
    ),
    "cpp.extern-local": (
        "`{name}` cannot be `extern`: in a kernel only `__shared__` arrays can",
        "`{name}` 不能是 `extern`：kernel 里只有 `__shared__` 数组可以",
    ),
    "cpp.parameter-space": (
        "a parameter cannot be in a memory space of its own",
        "形参不能指定内存空间",
    ),
    "cpp.const-without-value": (
        "`{name}` is `const` and has no value",
        "`{name}` 是 `const`，却没有值",
    ),
    "cpp.reference-to-value": (
        "a reference that is not `const` needs a variable, not a value",
        "非 `const` 的引用需要变量，不能用值",
    ),
    "cpp.returned-reference": (
        "changing what a function returns a reference to is not emulated",
        "没有模拟：修改函数返回的引用所指的变量",
    ),
    "cpp.returned-reference.hint": (
        "let the function return a pointer, and write `*f(…)`",
        "让函数返回指针，再写 `*f(…)`",
    ),
    "cpp.no-cast": (
        "`{style}` cannot convert this to `{wanted}`",
        "`{style}` 不能把它转换为 `{wanted}`",
    ),
    "cpp.unknown-name": (
        "the name `{name}` is not declared here",
        "名字 `{name}` 在这里没有声明",
    ),
    "cpp.unknown-name.hint": (
        "declare it before its use; if it is one of CUDA's own, it is not emulated",
        "请先声明再使用；如果是 CUDA 自带的，则没有模拟",
    ),
    "cpp.host-function": (
        "`{name}` is a function of the host, which device code cannot call",
        "`{name}` 是主机函数，设备代码不能调用",
    ),
    "cpp.host-function.hint": (
        "write `__device__` before it",
        "请在前面写上 `__device__`",
    ),
    "cpp.host-api": (
        "`{name}` is for the host: no kernel calls CUDA's runtime here",
        "`{name}` 是主机用的：这里的 kernel 不能调用 CUDA runtime",
    ),
    "cpp.host-api.hint": (
        "call it before or after the launch",
        "请在启动之前或之后由主机调用",
    ),
    "cpp.not-a-value": ("`{name}` is not a value", "`{name}` 不是值"),
    "cpp.no-type": ("the type `{name}` is not emulated", "没有模拟类型 `{name}`"),
    "cpp.no-class-template": (
        "the class template `{name}` is not emulated",
        "没有模拟类模板 `{name}`",
    ),
    "cpp.no-class-template.hint": (
        "write a struct for each type that is used",
        "请为用到的每个类型各写一个 struct",
    ),
    "cpp.no-this": (
        "`this` is only there in a member function",
        "只有成员函数里才有 `this`",
    ),
    "cpp.no-this-pointer": (
        "this struct lives in registers: `this` has no address here",
        "这个 struct 在寄存器中：`this` 在这里没有地址",
    ),
    "cpp.not-a-function": ("this cannot be called", "这里的表达式不能调用"),
    "cpp.template-arguments": (
        "the arguments of the template `{name}` do not fit its parameters",
        "模板 `{name}` 的实参与形参不符",
    ),
    "cpp.no-union": ("unions are not emulated", "没有模拟 union"),
    "cpp.no-union.hint": (
        "convert bits with a function such as `__float_as_int`",
        "请用 `__float_as_int` 这类函数转换位",
    ),
    "cpp.no-global": (
        "`{name}` is a variable of the host, which device code cannot use",
        "`{name}` 是主机变量，设备代码不能使用",
    ),
    "cpp.no-global.hint": (
        "write `__constant__` or `__device__` before it, or pass it as an argument",
        "请在前面写上 `__constant__` 或 `__device__`，或作为参数传入",
    ),
    "cpp.private": (
        "`{name}` is a private member of `{type}`",
        "`{name}` 是 `{type}` 的私有成员",
    ),
    "cpp.private.hint": (
        "make it public, or use it in a member function",
        "请改为 public，或在成员函数中使用",
    ),
    "cpp.two-spaces": (
        "`{name}` is both `__shared__` and `__constant__`",
        "`{name}` 同时是 `__shared__` 和 `__constant__`",
    ),
    "cpp.two-spaces.hint": ("leave one of them out", "请去掉其中一个"),
    "cpp.large-copy": (
        "`{type}` has an array and more than {most} bytes, too many to copy it",
        "`{type}` 含数组且超过 {most} 字节，太大，不能复制",
    ),
    "cpp.large-copy.hint": ("pass a pointer to it", "请传指针"),
    "cpp.large-list": (
        "a list begins an array of more than {most} elements",
        "列表初始化的数组超过 {most} 个元素",
    ),
    "cpp.large-list.hint": ("set them in a loop", "请在循环中赋值"),
    "cpp.too-many-instances": (
        "the kernel calls more than {most} functions, each counted once for its arguments' types",
        "kernel 调用了 {most} 个以上的函数（每种参数类型计一次）",
    ),
    "cpp.too-many-instances.hint": (
        "use fewer template arguments",
        "请减少不同的模板实参",
    ),
    "cpp.template-depth": (
        "types or templates that `{name}` uses need each other too deeply",
        "`{name}` 使用的类型或模板相互依赖过深",
    ),
    "cpp.template-depth.hint": (
        "end the recursion by a specialization",
        "请用特化终止递归",
    ),
    "cpp.recursion-memory": (
        (
            "`{name}` calls itself and has arrays, or variables whose address is taken, which is "
            "not emulated"
        ),
        "`{name}` 递归调用自身，并有数组或被取地址的变量，没有模拟",
    ),
    "cpp.recursion-memory.hint": (
        "write a loop, or declare them in the caller",
        "请写成循环，或在调用者中声明",
    ),
    "cpp.auto-recursion": (
        "`{name}` calls itself before its `auto` result is known",
        "`{name}` 在 `auto` 返回类型确定之前调用自身",
    ),
    "cpp.auto-recursion.hint": ("write the type of the result", "请写出返回类型"),
    "cpp.no-launch": (
        "a kernel cannot be called from device code: dynamic parallelism is not emulated",
        "设备代码不能调用 kernel：没有模拟动态并行",
    ),
    "cpp.no-body": ("`{name}` is declared and has no body", "`{name}` 只有声明，没有函数体"),
    "cpp.no-kernel": (
        "there is no kernel `{name}`; the source has {known}",
        "没有 kernel `{name}`；源码中有 {known}",
    ),
    "cpp.no-room": (
        "`{name}` takes {bytes:,} bytes, for which there is no memory here",
        "`{name}` 占 {bytes:,} 字节，这里没有这么多内存",
    ),
    "cpp.jump-over": (
        (
            "a later `case` jumps over the value that {name} begins with: put braces around the "
            "statements of this `case`"
        ),
        "后面的 `case` 会跳过 {name} 的初始化：请给这个 `case` 的语句加上花括号",
    ),
    "cpp.const-object": (
        (
            "{type} is const here, and {name} is not a const function: write `const` behind its "
            "parameters, if it changes no member"
        ),
        "这里的 {type} 是 const，而 {name} 不是 const 函数：若它不修改成员，请在参数表后写 `const`",
    ),
    "cpp.extern-shared-types": (
        (
            "{name} is the same dynamic shared array wherever it is declared: it is of {second} "
            "here and of {first} elsewhere; give it another name"
        ),
        (
            "{name} 在各处声明的都是同一个动态共享数组：这里的元素是 {second}，别处是 {first}；"
            "请换一个名字"
        ),
    ),
    "cpp.condition-division": (
        "division by zero in a condition of the preprocessor",
        "预处理条件中除以零",
    ),
    "cpp.narrowing": (
        "a list must not lose digits: {type} does not hold {value}; convert it by a cast",
        "列表中的值不能丢失精度：{type} 装不下 {value}；请用强制转换",
    ),
    "cpp.auto-list": (
        "a list of values has no type: write the type in place of `auto`",
        "值的列表没有类型：请把 `auto` 换成具体的类型",
    ),
    "cpp.no-list-here": ("a list of values cannot be here", "这里不能写值的列表"),
    "cpp.no-string-here": ("a string cannot be here", "这里不能写字符串"),
    "cpp.no-overload": (
        "no function `{name}` takes ({types})",
        "没有接受 ({types}) 的函数 `{name}`",
    ),
    "cpp.argument-count": (
        "`{function}` takes {n} arguments and gets {given}",
        "`{function}` 需要 {n} 个参数，这里给了 {given} 个",
    ),
    "cpp.argument-count.one": (
        "`{function}` takes {n} argument and gets {given}",
        "`{function}` 需要 {n} 个参数，这里给了 {given} 个",
    ),
    "cpp.no-operator": (
        "there is no such operator for {types}",
        "没有用于 {types} 的这种运算符",
    ),
    "cpp.no-conversion": (
        "`{type}` does not convert to `{wanted}`",
        "`{type}` 不能转换为 `{wanted}`",
    ),
    "cpp.no-conversion.hint": ("write a cast if it is meant", "若确实需要，请写强制转换"),
    "cpp.no-member": (
        "the struct `{type}` has no member `{name}`",
        "struct `{type}` 没有成员 `{name}`",
    ),
    "cpp.not-a-struct": (
        "`{type}` is not a struct and has no member `{name}`",
        "`{type}` 不是 struct，没有成员 `{name}`",
    ),
    "cpp.no-address": (
        "this has no address",
        "这里的表达式没有地址",
    ),
    "cpp.ambiguous": (
        "several functions `{name}` take ({types}), and none of them fits best",
        "有多个 `{name}` 接受 ({types})，没有一个最匹配",
    ),
    "cpp.ambiguous.hint": (
        "cast the arguments to one type",
        "请把参数转换成同一类型",
    ),
    "cpp.shuffle-width": (
        "the width of a shuffle is a power of two up to 32, not {width}",
        "shuffle 的宽度必须是不超过 32 的 2 的幂，不能是 {width}",
    ),
    "cpp.printf-format": (
        "`printf` is emulated only with a string literal as its format",
        "只有格式是字符串字面量时才模拟 `printf`",
    ),
    "cpp.printf-specifier": (
        "the format specifier `{specifier}` is not emulated",
        "没有模拟格式说明符 `{specifier}`",
    ),
    "cpp.printf-argument": (
        "`{specifier}` does not print a value of type `{type}`",
        "`{specifier}` 不能打印类型为 `{type}` 的值",
    ),
    "cpp.printf-count": (
        "the format of `printf` uses more arguments than the {given} given",
        "`printf` 的格式需要的参数多于给出的 {given} 个",
    ),
    "cpp.no-clock": (
        "`{name}` is not emulated: the emulator counts work and measures no time",
        "没有模拟 `{name}`：模拟器统计工作量，不测量时间",
    ),
    "cpp.no-clock.hint": (
        "measure on a GPU; CUDA C++ Programming Guide, “Time Function”",
        "请在 GPU 上测量；参见 CUDA C++ Programming Guide 的 “Time Function”",
    ),
    "cpp.no-address-spaces": (
        "`{name}` is not emulated",
        "没有模拟 `{name}`",
    ),
    "cpp.no-address-spaces.hint": (
        "use the pointer as it is; CUDA C++ Programming Guide, “Address Space Predicate Functions”",
        "请直接使用该指针；参见 CUDA C++ Programming Guide 的 “Address Space Predicate Functions”",
    ),
    "cpp.no-byte-copies": (
        "`{name}` in device code is not emulated",
        "没有模拟设备代码中的 `{name}`",
    ),
    "cpp.no-byte-copies.hint": (
        "write a loop over the elements",
        "用循环逐个元素赋值",
    ),
    "cpp.removed-primitive": (
        "CUDA has no `{name}` any more: warp primitives take a mask",
        "CUDA 已经没有 `{name}`：warp 原语需要掩码参数",
    ),
    "cpp.removed-primitive.hint": (
        "call `{name}_sync` with the mask of the lanes as its first argument",
        "请调用 `{name}_sync`，第一个参数是参与 lane 的掩码",
    ),
    "cpp.no-video": (
        "the SIMD video function `{name}` is not emulated",
        "没有模拟 SIMD 视频函数 `{name}`",
    ),
    "cpp.no-video.hint": (
        "unpack the bytes with shifts; CUDA Math API, “SIMD Intrinsics”",
        "请用移位拆出各字节；参见 CUDA Math API 的 “SIMD Intrinsics”",
    ),
    "cpp.not-a-number": ("`{type}` is not a number", "`{type}` 不是数"),
    "cpp.not-an-integer": ("`{type}` is not an integer", "`{type}` 不是整数"),
    "cpp.not-a-pointer": (
        "`{type}` is not a pointer to something that can be accessed",
        "`{type}` 不是可以访问的指针",
    ),
    "cpp.not-a-place": ("the left side is a value, not a variable", "左边是值，不是变量"),
    "cpp.not-constant": (
        "this is not known at compile time",
        "这在编译时还不知道",
    ),
    "cpp.not-constant.hint": (
        "make it a `constexpr`, a template argument, or a `#define`",
        "请改成 `constexpr`、模板参数或 `#define`",
    ),
    "cpp.const": ("this is `const` and cannot be changed", "这是 `const`，不能修改"),
    "cpp.assertion": ("the `static_assert` does not hold", "`static_assert` 不成立"),
    "cpp.auto": (
        "`auto {name}` needs one value to begin with",
        "`auto {name}` 需要一个初始值",
    ),
    "cpp.auto-results": (
        "an `auto` function returns {first} and {second}",
        "`auto` 函数既返回 {first} 又返回 {second}",
    ),
    "cpp.auto-results.hint": (
        "write the type of the result, or return one type on every path",
        "请写出返回类型，或在每条路径上返回同一类型",
    ),
    "cpp.extern-shared": (
        "`extern __shared__ {name}` is not an array",
        "`extern __shared__ {name}` 不是数组",
    ),
    "cpp.extern-shared.hint": (
        "write `extern __shared__ float {name}[];`",
        "请写 `extern __shared__ float {name}[];`",
    ),
    "cpp.no-size": ("the array `{name}` has no size", "数组 `{name}` 没有大小"),
    "cpp.reference-unbound": (
        "the reference `{name}` refers to nothing",
        "引用 `{name}` 没有绑定对象",
    ),
    "cpp.returns-value": (
        "a function of type `void` cannot return a value",
        "类型为 `void` 的函数不能返回值",
    ),
    "cpp.shared-initializer": (
        "the shared variable `{name}` cannot have an initializer",
        "共享变量 `{name}` 不能有初始值",
    ),
    "cpp.shared-initializer.hint": (
        "let threads write it, then call `__syncthreads()`",
        "请由线程写入，再调用 `__syncthreads()`",
    ),
    "cpp.too-many-values": ("there are too many values", "值太多"),
    "cpp.void-variable": ("the variable `{name}` cannot be `void`", "变量 `{name}` 不能是 `void`"),
}
