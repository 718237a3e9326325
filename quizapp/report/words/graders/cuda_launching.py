"""Launches of CUDA C++ kernels from outside: which kernel, with which arguments."""

WORDS: dict[str, tuple[str, str]] = {
    # which kernel
    "cpp.not-profiled": (
        "`load` launches kernels in scripts that `quiz profile` runs",
        "只有由 `quiz profile` 运行的脚本才能用 `load` 启动 kernel",
    ),
    "cpp.not-profiled.hint": ("run it with: quiz profile SCRIPT", "请用 quiz profile 脚本 运行"),
    "cpp.kernel-name": (
        "`{text}` does not name a kernel: {why}",
        "`{text}` 不是 kernel 的名字：{why}",
    ),
    "cpp.template-count": (
        "`{kernel}` takes {n} template arguments and gets {given}",
        "`{kernel}` 需要 {n} 个模板参数，这里给了 {given} 个",
    ),
    "cpp.template-count.one": (
        "`{kernel}` takes one template argument and gets {given}",
        "`{kernel}` 需要一个模板参数，这里给了 {given} 个",
    ),
    "cpp.template-type": (
        "the template parameter {parameter} of `{kernel}` is a type",
        "`{kernel}` 的模板参数 {parameter} 是类型",
    ),
    "cpp.template-type.hint": ("give a type, such as float", "请给出类型，例如 float"),
    "cpp.template-number": (
        "the template parameter {parameter} of `{kernel}` is a number",
        "`{kernel}` 的模板参数 {parameter} 是数",
    ),
    "cpp.template-number.hint": ("give a number, such as 32", "请给出数，例如 32"),
    "cpp.template-open": (
        "the template arguments of `{kernel}` do not follow from those of the launch",
        "`{kernel}` 的模板参数不能由启动时的参数推出",
    ),
    "cpp.template-open.hint": (
        "name them: {name}<…>",
        "请写明：{name}<…>",
    ),
    # what its parameters take
    "cpp.argument-no-array": (
        "{name} is a `{type}` and takes an array, not {given}",
        "{name} 的类型是 `{type}`，需要数组，而不是 {given}",
    ),
    "cpp.argument-no-number": (
        "{name} is a `{type}` and takes a number",
        "{name} 的类型是 `{type}`，需要一个数",
    ),
    "cpp.argument-struct": (
        "{name} is a `{type}` and takes a tuple of {n} numbers",
        "{name} 的类型是 `{type}`，需要 {n} 个数组成的元组",
    ),
    "cpp.argument-kind": (
        "the host cannot pass {name}: `{type}` parameters are not emulated",
        "主机无法传入 {name}：没有模拟 `{type}` 类型的 kernel 参数",
    ),
    "cpp.argument-dtype": (
        "{name} is a `{type}`, but the elements of its array are {dtype}",
        "{name} 的类型是 `{type}`，而数组元素是 {dtype}",
    ),
    "cpp.argument-dtype.hint": (
        "give an array of the type that the pointer points to",
        "请给出元素类型与指针一致的数组",
    ),
    "cpp.argument-fraction": (
        "{name} is a `{type}`: {value} is not an integer",
        "{name} 的类型是 `{type}`，而 {value} 不是整数",
    ),
    "cpp.argument-range": (
        "{name} is a `{type}`, which cannot hold {value}",
        "{name} 的类型是 `{type}`，放不下 {value}",
    ),
}
