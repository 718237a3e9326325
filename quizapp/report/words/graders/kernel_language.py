"""What a kernel cannot use of Python, and launches that are impossible."""

WORDS: dict[str, tuple[str, str]] = {
    # forms of Python that a kernel does not have
    "python.no-imports": ("a kernel cannot import", "kernel 里不能 import"),
    "python.no-imports.hint": ("import at the top of the file", "在文件开头 import"),
    "python.no-lists": ("lists are not available in a kernel", "kernel 里不能用列表"),
    "python.no-lists.hint": (
        "use cuda.local.array, or a tuple",
        "改用 cuda.local.array 或元组",
    ),
    "python.no-generators": (
        "generators are not available in a kernel",
        "kernel 里不能用生成器",
    ),
    "python.no-generators.hint": ("write a loop instead", "改写成循环"),
    "python.no-dictionaries": (
        "dictionaries are not available in a kernel",
        "kernel 里不能用字典",
    ),
    "python.no-dictionaries.hint": (
        "use an array instead of the dictionary",
        "用数组代替字典",
    ),
    "python.no-sets": ("sets are not available in a kernel", "kernel 里不能用集合"),
    "python.no-sets.hint": ("use an array instead of the set", "用数组代替集合"),
    "python.no-async": ("async is not available in a kernel", "kernel 里不能用 async"),
    "python.no-async.hint": ("write a plain def", "改写成普通的 def"),
    "python.inner-decorator": (
        "a function inside a kernel cannot have a decorator",
        "kernel 内部定义的函数不能加装饰器",
    ),
    "python.inner-decorator.hint": ("remove the decorator", "去掉装饰器"),
    "python.inner-keywords": (
        "{function} is defined inside the kernel, so it takes no keyword arguments",
        "{function} 在 kernel 内部定义，不能用关键字参数调用",
    ),
    "python.inner-keywords.hint": ("pass them by position", "按位置传参"),
    "python.closure-escapes": (
        "{function} uses {names} of the function around it, so only that function can call it",
        "{function} 用到定义它的函数的变量 {names}，只能在那个函数里调用",
    ),
    "python.closure-escapes.hint": ("pass the variables as arguments", "把这些变量作为参数传入"),
    "python.no-classes": ("classes are not available in a kernel", "kernel 里不能定义类"),
    "python.no-classes.hint": ("use arrays and functions", "改用数组和函数"),
    "python.no-nonlocal": ("nonlocal is not available in a kernel", "kernel 里不能用 nonlocal"),
    "python.no-global": (
        "a kernel cannot assign the global {name}",
        "kernel 不能给全局变量 {name} 赋值",
    ),
    "python.no-global.hint": ("write to an array argument", "写入作为参数的数组"),
    "python.optional": (
        "a value that is None on one path and something else on another is not emulated",
        "模拟器不支持在一条路径上是 None、在另一条上不是的值",
    ),
    "python.optional.hint": (
        "start with a number, and keep a flag that says if it counts",
        "先赋一个数，另用一个标志记录它是否有效",
    ),
    "python.text-choice": (
        "a string that depends on the path is not emulated",
        "模拟器不支持随路径而变的字符串",
    ),
    "python.text-choice.hint": ("use a number instead of the string", "用数代替字符串"),
    "python.returns-array": (
        "{function} returns an array that is not one of its parameters",
        "{function} 返回的数组不是它的参数",
    ),
    "python.returns-array.hint": (
        "pass the array in, and write to it",
        "把数组作为参数传入，在函数里写入",
    ),
    "python.plain-function": (
        "{name} is a plain Python function, which a kernel cannot call",
        "{name} 是普通的 Python 函数，kernel 不能调用",
    ),
    "python.plain-function.hint": (
        "decorate it with @cuda.jit(device=True)",
        "给它加上 @cuda.jit(device=True)",
    ),
    "python.method-arguments": (
        "{code} does not take these arguments in a kernel",
        "kernel 里 {code} 不接受这些参数",
    ),
    "python.view-type": ("{type} is not a type of elements", "{type} 不是元素类型"),
    "python.view-type.hint": ("write np.int32, for example", "写成 np.int32 之类"),
    "python.view-size": (
        "elements of {dtype} have another size: such a view needs a 1D shared array",
        "{dtype} 的元素大小不同，这样的 view 只能用于一维共享数组",
    ),
    "python.view-size.hint": (
        "pass the array as a.view(…) on the host",
        "在主机端传入 a.view(…)",
    ),
    "python.text-operation": (
        "a string needs a constant index within it",
        "字符串的下标必须是范围之内的常量",
    ),
    "python.tuple-slice": (
        "the slice of a tuple needs constant bounds",
        "元组切片的边界必须是常量",
    ),
    "python.no-nonlocal.hint": (
        "write to an array that is an argument",
        "改为写入作为参数传入的数组",
    ),
    "python.no-walrus": (":= is not available in a kernel", "kernel 里不能用 :="),
    "python.no-walrus.hint": ("assign on its own line", "单独写一行赋值"),
    "python.no-text": ("f-strings are not available in a kernel", "kernel 里不能用 f-string"),
    "python.no-text.hint": ("write numbers to an array", "把数值写入数组"),
    "python.no-try": ("try is not available in a kernel", "kernel 里不能用 try"),
    "python.no-try.hint": ("test for the case with if", "用 if 判断这种情况"),
    "python.no-with": ("with is not available in a kernel", "kernel 里不能用 with"),
    "python.no-with.hint": ("write the steps out", "把各步直接写出来"),
    "python.no-del": ("del is not available in a kernel", "kernel 里不能用 del"),
    "python.no-del.hint": ("remove the del statement", "删掉这条 del"),
    "python.no-match": ("match is not available in a kernel", "kernel 里不能用 match"),
    "python.no-match.hint": ("write if and elif", "改用 if 和 elif"),
    "python.no-matmul": ("@ is not available in a kernel", "kernel 里不能用 @"),
    "python.no-matmul.hint": ("write the sum of products out", "把乘积之和写出来"),
    "python.no-yield": ("yield is not available in a kernel", "kernel 里不能用 yield"),
    "python.no-yield.hint": ("write the values to an array", "把各个值写入数组"),
    "python.no-star": ("* is not available here", "这里不能用 *"),
    "python.no-star.hint": ("write each value out", "把每个值写出来"),
    "python.no-in": (
        "`in` and `not in` search only tuples, strings, and lists of the source",
        "in 和 not in 只能在元组、字符串和源码写出的列表中查找",
    ),
    "python.no-in.hint": (
        "compare with ==; search an array in a loop",
        "用 == 比较；在数组中查找请写循环",
    ),
    "python.no-is": (
        "`is` and `is not` compare objects, not values",
        "is 和 is not 比较的是对象，不是值",
    ),
    "python.no-is.hint": ("write == or !=", "改写成 == 或 !="),
    "python.no-slice": (
        "a slice can appear only between brackets",
        "切片只能写在方括号里",
    ),
    "python.no-form": ("{form} is not available in a kernel", "kernel 里不能用 {form}"),
    "python.too-deep": (
        "an expression or a block in {function} is nested too deeply",
        "{function} 中有表达式或语句块嵌套过深",
    ),
    "python.too-deep.hint": ("store parts of it in variables", "给其中的部分取名"),
    "python.literal": ("a kernel cannot use this literal", "kernel 里不能用这个字面量"),
    # names
    "python.unknown-name": ("the name {name} is not defined", "未定义的名字 {name}"),
    "python.unknown-name.hint": (
        "assign it, or pass it as an argument",
        "先赋值，或作为参数传入",
    ),
    "python.unassigned": ("{name} has no value yet", "{name} 还没有值"),
    "python.unassigned.hint": ("assign it before this line", "在这一行之前给它赋值"),
    "python.global-type": (
        "{name} is a {type}, which a kernel cannot use",
        "{name} 的类型是 {type}，kernel 不能用",
    ),
    "python.global-type.hint": (
        "a global can be a number, a tuple or an array",
        "全局名字可以是数、元组或数组",
    ),
    "python.global-array": ("{name}: {reason}", "{name}：{reason}"),
    "python.no-elements": ("arrays of {type} are not emulated", "模拟器不支持 {type} 数组"),
    "simt.no-c-library": (
        "{name} is not emulated here: this machine's C library has no Bessel functions",
        "这里不支持 {name}：本机的 C 库没有贝塞尔函数",
    ),
    "simt.not-a-test": ("{type} cannot be a condition", "{type} 不能用作条件"),
    "simt.not-states": (
        "{type} where an array of generators (xoroshiro128p_dtype) is needed",
        "这里需要一个随机数生成器数组（xoroshiro128p_dtype），而这是 {type}",
    ),
    # records
    "record.index": (
        "a record takes the name of a field, or its number as a constant",
        "记录的下标只能是字段名，或常量的字段序号",
    ),
    "record.no-field": ("the record has no field {name}", "记录没有字段 {name}"),
    "advice.fields": ("its fields: {names}", "它的字段：{names}"),
    "record.unaligned": (
        "the {dtype} field {name} starts at byte {offset}, which is not aligned",
        "{dtype} 字段 {name} 从第 {offset} 字节开始，没有对齐",
    ),
    "advice.align": (
        "define the dtype as np.dtype([…], align=True)",
        "用 np.dtype([…], align=True) 定义 dtype",
    ),
    "record.array-field": (
        "this field takes {type}, with elements of its own dtype",
        "这个字段只能接收 {type}，元素类型必须相同",
    ),
    "python.memory-choice": (
        "a variable cannot be in one memory space on one path and in another on the other",
        "同一个变量在不同路径上不能位于不同的内存空间",
    ),
    "python.memory-choice.hint": (
        "use two variables, and an if around the access",
        "用两个变量，在访问处用 if 区分",
    ),
    "record.not-same": (
        "only a record with the same fields can be assigned here",
        "这里只能赋一个字段相同的记录",
    ),
    "python.no-member": ("{holder} has no member {name}", "{holder} 没有成员 {name}"),
    "python.enum-values": (
        "the values of {name} are not all numbers",
        "{name} 的值不全是数",
    ),
    "python.no-such-name": ("{name} does not exist", "{name} 不存在"),
    "python.not-emulated": ("{name} is not emulated", "模拟器不支持 {name}"),
    "python.no-attribute": (
        "{type} has no attribute {name} in a kernel",
        "kernel 里 {type} 没有属性 {name}",
    ),
    "python.array-attribute": (
        "arrays have no attribute {name} in a kernel",
        "kernel 里数组没有属性 {name}",
    ),
    "python.array-attribute.hint": ("available: {known}", "可用：{known}"),
    # types
    "python.not-a-number": (
        "{type} where a number is needed",
        "这里需要一个数，而这是 {type}",
    ),
    "python.two-types": (
        "{first} or {second} in one expression",
        "同一个表达式里可能是 {first}，也可能是 {second}",
    ),
    "python.two-types.hint": ("write if and else as statements", "改写成 if 和 else 语句"),
    "python.variable-types": (
        "{name} is {first} on one path and {second} on another",
        "{name} 在一条路径上是 {first}，在另一条上是 {second}",
    ),
    "python.variable-types.hint": (
        "use a different name for each",
        "各用一个名字",
    ),
    "python.mixed-tuple": ("the tuple has items of several types", "元组各项类型不同"),
    "python.mixed-tuple.hint": ("write the loop out", "把循环展开写"),
    "python.loop-over": ("a loop cannot go over {type}", "不能对 {type} 循环"),
    "python.loop-over.hint": ("write for i in range(n):", "写成 for i in range(n):"),
    # indexing and assignment
    "python.cannot-index": ("{type} cannot be indexed", "{type} 不能用下标"),
    "python.index-type": ("{type} cannot be an index", "{type} 不能作下标"),
    "python.index-type.hint": ("an index must be an integer", "下标必须是整数"),
    "python.slice-step": ("the step of a slice cannot be 0", "切片的步长不能是 0"),
    "python.tuple-index": ("the tuple has {n} items", "元组有 {n} 项"),
    "python.tuple-index.one": ("the tuple has 1 item", "元组只有 1 项"),
    "python.mixed-tuple-index": (
        "a tuple of several types needs a constant index",
        "各项类型不同的元组只能用常量下标",
    ),
    "python.cannot-write": ("{type} cannot be written to", "{type} 不能写入"),
    "python.constant-array": ("this array is constant", "这个数组是常量"),
    "python.constant-array.hint": ("pass the array as an argument", "把数组作为参数传入"),
    "python.partial-write": (
        "a part of an array cannot be updated in place",
        "不能原地更新数组的一部分",
    ),
    "python.partial-write.hint": ("update the elements in a loop", "用循环逐个更新"),
    "python.cannot-assign": ("this cannot be the target of an assignment", "不能给它赋值"),
    "python.cannot-assign.hint": ("assign to a name or to a[i]", "赋值给名字或 a[i]"),
    "python.fill": (
        "{type} cannot be assigned to a part of an array",
        "不能把 {type} 赋值给数组的一部分",
    ),
    "python.fill.hint": ("write a loop over the elements", "用循环逐个元素赋值"),
    "python.unpack": (
        "{type} cannot be unpacked into {n} names",
        "{type} 不能拆成 {n} 个名字",
    ),
    "python.not-a-variable": (
        "{type} cannot be kept in a variable",
        "变量不能保存 {type}",
    ),
    # functions and calls
    "python.no-function": ("there is no function {name}", "没有函数 {name}"),
    "python.no-function.hint": ("write def {name}(…):", "写出 def {name}(…):"),
    "python.no-kernel": ("there is no function in the source", "源码里没有函数"),
    "python.no-kernel.hint": ("write def kernel(…):", "写出 def kernel(…):"),
    "python.star-parameters": (
        "* and ** are not available in parameters of a kernel",
        "kernel 的参数里不能用 * 和 **",
    ),
    "python.star-parameters.hint": ("name each parameter", "逐个写出参数名"),
    "python.argument-count": (
        "{function} takes {n} arguments, not {given}",
        "{function} 要 {n} 个参数，而给了 {given} 个",
    ),
    "python.argument-count.one": (
        "{function} takes 1 argument, not {given}",
        "{function} 要 1 个参数，而给了 {given} 个",
    ),
    "python.missing-argument": (
        "{function} needs the argument {name}",
        "{function} 缺少参数 {name}",
    ),
    "python.star-call": ("* needs a tuple, not {type}", "* 后面要写元组，而这是 {type}"),
    "python.conversion": ("{type}(…) takes one number", "{type}(…) 只接受一个数"),
    "python.cannot-call": ("{type} is not a function", "{type} 不是函数"),
    "python.no-signature": (
        "no signature of {function} takes {types}",
        "{function} 没有接受 {types} 的签名",
    ),
    "python.recursion": (
        "{function} calls itself with other argument types, or through another function",
        "{function} 以不同的参数类型调用自己，或经由另一个函数调用自己",
    ),
    "python.recursion.hint": (
        "cast the arguments to the types of the parameters, or write a loop",
        "把实参转换成形参的类型，或改写成循环",
    ),
    "python.recursion-result": (
        "{function} calls itself on every path, so its result has no type",
        "{function} 在每条路径上都调用自己，结果的类型无法确定",
    ),
    "python.recursion-result.hint": (
        "return a value on a path without the call",
        "在没有递归调用的路径上返回一个值",
    ),
    "python.call-depth": (
        "more than {most} functions call each other",
        "相互调用的函数超过 {most} 个",
    ),
    "python.call-depth.hint": ("inline some of them", "把其中一些直接写进来"),
    "python.kernel-returns": (
        "a kernel must return nothing; this one returns {type}",
        "kernel 不能有返回值，而这个返回 {type}",
    ),
    "python.kernel-returns.hint": ("write the result to an array", "把结果写入数组"),
    "python.return-types": (
        "{function} returns {type} on one path and something else on another",
        "{function} 在一条路径上返回 {type}，在另一条上不同",
    ),
    # what to write instead, where it depends on the case
    "advice.no-builtin": (
        "write it out with loops and tests",
        "用循环和判断把它写出来",
    ),
    "advice.import-numba": ("write from numba import {name}", "写 from numba import {name}"),
    "advice.vector-type": ("use an array, or a tuple", "改用数组或元组"),
    "advice.ptx": (
        "write it in Python: the emulator does not read PTX",
        "用 Python 写：模拟器不读取 PTX",
    ),
    "advice.mbarrier": (
        "use cuda.syncthreads(); read Asynchronous Barriers in the CUDA C++ Programming Guide",
        "改用 cuda.syncthreads()；参见 CUDA C++ Programming Guide 的 Asynchronous Barriers",
    ),
    "advice.bulk-copy": (
        "copy with plain loads; read Asynchronous Data Copies in the CUDA C++ Programming Guide",
        "用普通读取和写入来拷贝；参见 CUDA C++ Programming Guide 的 Asynchronous Data Copies",
    ),
    "advice.tensor-map": (
        "index the tile in the kernel; read Tensor Memory Access in the CUDA C++ Programming Guide",
        "在 kernel 里计算 tile 的下标；参见 CUDA C++ Programming Guide 的 Tensor Memory Access",
    ),
    "advice.tcgen05": (
        "write the multiplication as loops; read TensorCore 5th Generation in the PTX ISA",
        "把矩阵乘写成循环；参见 PTX ISA 的 TensorCore 5th Generation",
    ),
    "advice.cluster": (
        "use one block; read Thread Block Clusters in the CUDA C++ Programming Guide",
        "只用一个线程块；参见 CUDA C++ Programming Guide 的 Thread Block Clusters",
    ),
    "advice.structs": ("use one array per field", "每个字段用一个数组"),
    "advice.experimental": (
        "write it with cuda.jit and plain Python; what works is listed by `quiz docs emulator`",
        "用 cuda.jit 和普通 Python 写；支持的功能见 `quiz docs emulator`",
    ),
    "advice.half": (
        "convert to float32, and use the functions of math",
        "转成 float32，用 math 的函数",
    ),
    "advice.linked-code": (
        "write the function in Python, with device=True",
        "用 Python 写该函数，加 device=True",
    ),
    "advice.memory-manager": (
        "leave the memory manager out: emulated arrays need none",
        "去掉内存管理器：模拟的数组不需要它",
    ),
    "advice.ipc": (
        "copy the array to the host, and pass it to the other process",
        "把数组拷回主机，再传给另一个进程",
    ),
    "advice.signature-type": (
        "leave the signature out: each launch is typed by its arguments",
        "去掉签名：每次 launch 按实参确定类型",
    ),
    "advice.complex32": ("use complex64", "改用 complex64"),
    "advice.pointers": ("pass the array itself", "直接传入数组"),
    "advice.compile": ("write a kernel with cuda.jit", "用 cuda.jit 写 kernel"),
    "advice.internal-name": (
        "it is part of Numba's compiler: a script needs cuda.jit only",
        "它属于 Numba 的编译器：脚本只需要 cuda.jit",
    ),
    "advice.character-codes": (
        "pass the codes of the characters",
        "传入字符的编码",
    ),
    "advice.bytes": ("pass the bytes, as uint8", "传入字节，类型为 uint8"),
    "advice.times": ("pass the times as int64", "时间用 int64 传入"),
    # launches
    "launch.argument-type": (
        "a kernel cannot take an argument of type {type}",
        "kernel 不接受 {type} 类型的参数",
    ),
    "launch.argument-type.hint": ("pass arrays and numbers", "传入数组和数"),
    "launch.grid-sizes": (
        "the grid needs one to three sizes of at least 1, not {sizes}",
        "grid 要 1 到 3 个不小于 1 的大小，而不是 {sizes}",
    ),
    "launch.block-sizes": (
        "the block needs one to three sizes of at least 1, not {sizes}",
        "线程块要 1 到 3 个不小于 1 的大小，而不是 {sizes}",
    ),
    "launch.grid-sync": (
        "the grid synchronizes at {place}, and {blocks} blocks of {threads} threads do not fit",
        "整个 grid 在 {place} 同步，而 {blocks} 个线程块（各 {threads} 个线程）放不下",
    ),
    "launch.grid-sync.hint": (
        "launch as many blocks as a device holds at once",
        "线程块数不超过设备能同时容纳的数量",
    ),
}
