"""What the emulator refuses of arguments, types and launches; the names of types and spaces."""

WORDS: dict[str, tuple[str, str]] = {
    # what to write instead
    "advice.write": ("write {code}", "写成 {code}"),
    "advice.types": ("supported types: {types}", "支持的类型：{types}"),
    "advice.word-size": ("use a 32-bit or 64-bit type", "用 32 位或 64 位的类型"),
    "advice.integers": ("use integers", "用整数"),
    # reading a source
    "simt.not-a-function": ("this is not a def", "这不是 def"),
    "simt.lambda-not-found.hint": ("write a def", "写成 def"),
    "simt.lambda-not-found": ("this lambda was not found", "找不到这个 lambda"),
    "simt.no-source": ("the source of {name} is not available", "拿不到 {name} 的源码"),
    "simt.no-source.hint": ("write it in a file", "把它写在文件里"),
    "simt.top-level.hint": ("remove this statement", "删去这条语句"),
    "simt.top-level": (
        "only functions, imports and constants are read at the top level",
        "顶层只读取函数、import 和常量",
    ),
    "simt.top-level-assignment": (
        "at the top level, only names are assigned to; a line of the kernel must be indented",
        "顶层只能给名字赋值；kernel 里的语句要缩进",
    ),
    "simt.no-module": ("{module} cannot be imported here", "这里不能 import {module}"),
    "simt.no-module.hint": (
        "numba, numpy and math can be imported",
        "可以 import numba、numpy 和 math",
    ),
    "simt.not-constant": ("this is not a constant", "这不是常量"),
    "simt.not-constant.hint": (
        "write numbers, and arithmetic on them; indent a line of the kernel",
        "写数，以及数的算术运算；kernel 里的语句要缩进",
    ),
    "simt.too-deep": ("this is nested too deeply", "嵌套过深"),
    "simt.too-deep.hint": ("assign parts of it to names", "把其中的部分赋给名字"),
    "simt.beyond-64-bits": ("the number exceeds 64 bits", "这个数超过 64 位"),
    "simt.not-a-number": ("this is not a number", "这不是数"),
    "simt.not-real": ("this is not a real number", "这不是实数"),
    "simt.no-value": ("this has no value", "这没有值"),
    "simt.no-element": ("the tuple has no such element", "元组没有这个元素"),
    "simt.no-limits": ("{name} does not know this type", "{name} 不认识这个类型"),
    "simt.not-of-type": ("{value} is not a valid {dtype}", "{value} 不是有效的 {dtype}"),
    # calls
    "simt.argument-count": ("{name} takes {n} arguments", "{name} 需要 {n} 个参数"),
    "simt.argument-count.one": ("{name} takes one argument", "{name} 需要 1 个参数"),
    "simt.argument-range": (
        "{name} takes {least} to {most} arguments",
        "{name} 需要 {least} 到 {most} 个参数",
    ),
    "simt.arguments-two": (
        "{name} takes two or more numbers",
        "{name} 需要两个或更多的数",
    ),
    "simt.no-overload": ("{name} does not take {types}", "{name} 不接受 {types}"),
    "simt.axis-count": ("{name} takes 1, 2 or 3", "{name} 只接受 1、2 或 3"),
    "simt.axis-count.hint": ("write {name}(1)", "写成 {name}(1)"),
    "simt.axes-not-constant": (
        "the number of axes must be a constant",
        "维数必须是常量",
    ),
    "simt.axes-not-constant.hint": (
        "write a number or a global name",
        "写一个数或全局名字",
    ),
    "simt.shape-not-constant": (
        "the shape must be constant, but this is {type}",
        "shape 必须是常量；现在是：{type}",
    ),
    "simt.shape-not-constant.hint": (
        "compute it outside of the kernel, into a global name",
        "在 kernel 之外算好，存为全局名字",
    ),
    "simt.shape-negative": ("the shape has a negative size, {size}", "shape 含有负数 {size}"),
    "simt.not-a-dtype": ("this is not a number type", "这不是数的类型"),
    "simt.not-global-array": ("this is not a global array", "这不是全局数组"),
    "simt.not-global-array.hint": (
        "name an array that is defined outside of the kernel",
        "写一个在 kernel 之外定义的数组",
    ),
    "simt.index-count": ("{count} indices for {type}", "用了 {count} 个下标：{type}"),
    "simt.not-an-array": ("{name} takes an array, not {type}", "{name} 需要数组；现在是：{type}"),
    "simt.atomic-space": (
        "{name} works on writable global and shared memory only",
        "{name} 只能用于可写的全局内存和共享内存",
    ),
    "simt.cache-hint-space": (
        "{name} works on global memory only",
        "{name} 只能用于全局内存",
    ),
    "simt.cache-hint-space.hint": ("index the array with brackets", "用方括号访问数组"),
    "simt.not-a-tuple": (
        "literal_unroll takes a tuple, not {type}",
        "literal_unroll 只接受元组，不接受 {type}",
    ),
    "simt.not-writable": (
        "{type} cannot be written to; an array is needed here",
        "这里需要可写的数组；现在是：{type}",
    ),
    "simt.makes-array.hint": ("write {name}(…, out)", "写成 {name}(…, out)"),
    "simt.makes-array": (
        "{name} would create an array, which a kernel cannot",
        "{name} 会产生新数组，kernel 内做不到",
    ),
    "simt.no-conversion": (
        "{dtype} cannot be converted to {wanted}",
        "{dtype} 不能转换为 {wanted}",
    ),
    "simt.complex-as-real": (
        "a {dtype} is not a real number",
        "{dtype} 不是实数",
    ),
    "simt.complex-as-real.hint": ("take the real part: .real", "取实部：.real"),
    "simt.select-types": (
        "cuda.selp chooses between two values of one type, not {one} and {other}",
        "cuda.selp 只在同类型的两个值之间选择，而不是 {one} 和 {other}",
    ),
    "simt.no-length": ("{type} has no length", "没有长度：{type}"),
    "simt.zip": (
        "zip takes one or more arrays, tuples or ranges",
        "zip 需要一个或多个数组、元组或 range",
    ),
    "simt.print-keywords": (
        "print takes no sep, end or file in a kernel",
        "kernel 内 print 不接受 sep、end 和 file",
    ),
    "simt.print-count": (
        "print takes at most {most} values in a kernel",
        "kernel 内 print 最多接受 {most} 个值",
    ),
    "simt.print-count.hint": ("call print twice", "分两次 print"),
    "simt.tuple-needed": ("{type} where a tuple is needed", "这里需要一个元组，而这是 {type}"),
    "simt.isinstance": (
        "isinstance knows only int, float, bool, complex and tuple here",
        "这里 isinstance 只认识 int、float、bool、complex 和 tuple",
    ),
    "simt.print-type": ("print does not take {type}", "print 不能打印：{type}"),
    "simt.print-type.hint": (
        "print numbers, and strings between quotes",
        "只打印数和引号里的字符串",
    ),
    "simt.raise-form": (
        "raise takes an error by its name, with constants as arguments",
        "raise 只接受错误的名字，参数为常量",
    ),
    "simt.not-an-error": ("{name} is not an error", "{name} 不是错误类"),
    # arguments and launches
    "simt.block-too-large": (
        "a block cannot have {threads:,} threads; the limit is {most:,}",
        "线程块不能有 {threads:,} 个线程，上限是 {most:,}",
    ),
    "simt.block-memory": (
        "a block's shared and local arrays take {bytes:,} bytes",
        "一个线程块的共享数组和局部数组共占 {bytes:,} 字节",
    ),
    # types, as parts of a sentence
    "type.number": ("the number {value}", "数 {value}"),
    "type.array": (
        "a {ndim}-dimensional {dtype} array in {space} memory",
        "{space}内存中的 {ndim} 维 {dtype} 数组",
    ),
    "type.record": ("a record with the fields {fields}", "字段为 {fields} 的记录"),
    "type.pointer": ("a pointer to {target}", "指向 {target} 的指针"),
    "type.tuple": ("a tuple of {n}", "{n} 个元素的元组"),
    "type.member": ("a {name}", "枚举 {name} 的成员"),
    "type.dtype": ("the type {dtype}", "类型 {dtype}"),
    "type.either": ("{first} or {second}", "{first} 或 {second}"),
    "type.string": ("a string", "字符串"),
    "type.slice": ("a slice", "切片"),
    "type.range": ("a range", "range 对象"),
    "type.series": ("an enumerate or a zip", "enumerate 或 zip 对象"),
    "type.function": ("a function", "函数"),
    "type.grid": ("a cooperative grid", "cooperative grid 对象"),
    "space.global": ("global", "全局"),
    "space.shared": ("shared", "共享"),
    "space.local": ("local", "局部"),
    "space.constant": ("constant", "常量"),
}
