"""Launches of CUDA C++ kernels from outside: which kernel, with which arguments."""

WORDS: dict[str, tuple[str, str]] = {
    # which kernel
    "cpp.not-profiled": (
        "`load` launches kernels in scripts that `quiz profile` runs",
        "只有由 `quiz profile` 运行的脚本才能用 `load` 启动 kernel",
    ),
    "cpp.not-profiled.hint": ("run it with: {run}", "请用 {run} 运行"),
    "cpp.kernel-name": (
        "`{text}` does not name a kernel: {why}",
        "`{text}` 不是 kernel 的名字：{why}",
    ),
    "cpp.not-a-template": ("`{kernel}` is not a template", "`{kernel}` 不是模板"),
    "cpp.not-a-template.hint": ("remove <…>", "请去掉 <…>"),
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
    "cpp.not-a-kernel": (
        "`{name}` is a function of the host, not a kernel",
        "`{name}` 是主机函数，不是 kernel",
    ),
    "cpp.not-a-kernel.hint": ("write `__global__` before it", "请在前面写上 `__global__`"),
    "cpp.no-kernels": ("the source has no kernel", "源码中没有 kernel"),
    "cpp.no-kernels.hint": ("a kernel is a `__global__` function", "kernel 是 `__global__` 函数"),
    "cpp.overload-none": (
        "none of the kernels `{name}` takes these arguments: {signatures}",
        "没有一个 kernel `{name}` 接受这些参数：{signatures}",
    ),
    "cpp.overload-several": (
        "several kernels `{name}` take these arguments: {signatures}",
        "有多个 kernel `{name}` 接受这些参数：{signatures}",
    ),
    "cpp.overload-several.hint": (
        "name its namespace, or rename one",
        "请写出命名空间，或给其中一个改名",
    ),
    "cpp.several-kernels": ("the source has several kernels", "源码中有多个 kernel"),
    "cpp.name-kernel": (
        "name one with --kernel: {signatures}",
        "请用 --kernel 指定一个：{signatures}",
    ),
    "cpp.launch-missing": (
        "`{kernel}` cannot be launched without {options}",
        "启动 `{kernel}` 还需要 {options}",
    ),
    "cpp.launch-not-main": (
        "to launch `{kernel}` without the program's `main`, give {options}, too",
        "要绕过程序的 `main` 直接启动 `{kernel}`，还需给出 {options}",
    ),
    "cpp.launch-example": ("for example: {example}", "例如：{example}"),
    # arguments as a person writes them
    "cpp.written-form": (
        "{name}: `{text}` is neither an array nor a number nor a struct",
        "{name}：`{text}` 既不是数组或数，也不是 struct",
    ),
    "cpp.written-form.hint": (
        "write f32[256,256]:random, or 256, or {{n=256, scale=0.5}}, for example",
        "例如写 f32[256,256]:random、256 或 {{n=256, scale=0.5}}",
    ),
    "cpp.written-type": (
        "{name}: `{type}` is not a type of elements",
        "{name}：`{type}` 不是数组元素的类型",
    ),
    "cpp.written-size": (
        "{name}: the size `{size}` in `{text}` is not an integer from 1",
        "{name}：`{text}` 中的大小 `{size}` 不是不小于 1 的整数",
    ),
    "cpp.written-size.hint": ("write f32[256,256], for example", "例如写 f32[256,256]"),
    "cpp.written-large": (
        "{name}: with `{text}` all arrays have more than {most:,} bytes",
        "{name}：加上 `{text}`，所有数组超过 {most:,} 字节",
    ),
    "cpp.written-large.hint": (
        "a smaller launch shows the same faults",
        "较小的启动能暴露同样的错误",
    ),
    "cpp.written-fill": (
        "{name}: an array cannot be filled with `{fill}`",
        "{name}：不能用 `{fill}` 给数组赋初值",
    ),
    "cpp.written-file": (
        "{name}: {file} cannot be loaded: {why}",
        "{name}：无法加载 {file}：{why}",
    ),
    "cpp.written-other": (
        "{name}: {file} holds {holds}",
        "{name}：{file} 的内容是 {holds}",
    ),
    "cpp.written-other.hint": (
        "write that type and shape in front of the file",
        "请在文件名前写这个类型和形状",
    ),
    "cpp.written-twice": ("{name} is given twice", "{name} 给了两次"),
    "cpp.written-unknown": (
        "`{kernel}` has no parameter {name}",
        "`{kernel}` 没有参数 {name}",
    ),
    "cpp.written-order": (
        "`{text}` has no name, but arguments before it have one",
        "`{text}` 没有写名字，而它前面的参数写了",
    ),
    "cpp.written-order.hint": (
        "name it, or move it to the front",
        "请写出名字，或移到前面",
    ),
    "cpp.written-missing": (
        "missing in the arguments of `{kernel}`: {names}",
        "`{kernel}` 的参数中缺少 {names}",
    ),
    "cpp.written-missing.hint": (
        "write f32[256,256]:random for a pointer, 256 for a number",
        "指针写 f32[256,256]:random，数写 256",
    ),
    # what its parameters take
    "cpp.argument-no-array": (
        "{name} has the type `{type}` and takes an array, not {given}",
        "{name} 的类型是 `{type}`，需要数组，而不是 {given}",
    ),
    "cpp.argument-no-number": (
        "{name} has the type `{type}` and takes a number",
        "{name} 的类型是 `{type}`，需要一个数",
    ),
    "cpp.argument-struct": (
        "{name} has the type `{type}` and takes {members}",
        "{name} 的类型是 `{type}`，需要 {members}",
    ),
    "cpp.argument-kind": (
        "the host cannot pass {name}: `{type}` parameters are not emulated",
        "主机无法传入 {name}：没有模拟 `{type}` 类型的 kernel 参数",
    ),
    "cpp.argument-pointers": (
        "{name} has the type `{type}`: a launch from outside has no pointers in memory to pass",
        "{name} 的类型是 `{type}`：从外部启动时没有存放在内存中的指针可传",
    ),
    "cpp.argument-pointers.hint": (
        "write a `main` that copies the pointers to the device, and run the program",
        "请写一个把这些指针拷贝到设备的 `main`，再运行整个程序",
    ),
    "cpp.argument-dtype": (
        "{name} has the type `{type}`, but the elements of its array are {dtype}",
        "{name} 的类型是 `{type}`，而数组元素是 {dtype}",
    ),
    "cpp.argument-dtype.hint": (
        "give an array of the type that the pointer points to",
        "请给出元素类型与指针一致的数组",
    ),
    "cpp.argument-fraction": (
        "{name} has the type `{type}`: {value} is not an integer",
        "{name} 的类型是 `{type}`，而 {value} 不是整数",
    ),
    "cpp.argument-range": (
        "{name} has the type `{type}`, which cannot hold {value}",
        "{name} 的类型是 `{type}`，放不下 {value}",
    ),
}
