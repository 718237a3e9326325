"""Sentences of what a script cannot do on the emulator: parts of Numba, wrong calls of its API."""

WORDS: dict[str, tuple[str, str]] = {
    "script.times": (
        "the times between events are the emulator's; they say nothing about a GPU",
        "事件之间的时间是模拟器自身的耗时，不反映 GPU 上的时间",
    ),
    "script.relative-import": (
        "a script does not belong to a package: import the module by its name, without a dot",
        "脚本不属于任何包：请直接用模块名 import，不要加点",
    ),
    "script.vectorized-result": (
        "{name} must return a number",
        "{name} 必须返回一个数",
    ),
    "script.missing-module": (
        "install the package that has {name} where quiz is: {python} -m pip install PACKAGE",
        "请在 quiz 的环境里安装提供 {name} 的包：{python} -m pip install 包名",
    ),
    "script.triton": (
        "install Triton where quiz is, on Linux: {python} -m pip install 'gpu-quiz[triton]'",
        "请在 quiz 的环境里安装 Triton（仅 Linux）：{python} -m pip install 'gpu-quiz[triton]'",
    ),
    "script.needs-gpu": (
        "{name} needs a GPU; give the kernels NumPy arrays, or those of cuda.to_device",
        "{name} 需要 GPU；请给 kernel 传 NumPy 数组，或 cuda.to_device 的数组",
    ),
    "script.not-in-emulator": (
        "the emulator's {name} has no such name; `quiz docs emulator` lists what works",
        "模拟器的 {name} 没有这个名称；支持的功能见 `quiz docs emulator`",
    ),
    "script.other-numpy": (
        (
            "this package was built for another version than NumPy {version}; install one that was"
            " built for it: {python} -m pip install --upgrade PACKAGE"
        ),
        (
            "这个包不是为 NumPy {version} 编译的；请安装匹配的版本："
            "{python} -m pip install --upgrade 包名"
        ),
    ),
    "script.no-input": (
        "the script reads input, and there is none: quiz profile SCRIPT < FILE",
        "脚本要读取输入，而没有输入：quiz profile 脚本 < 文件",
    ),
    "script.kernel-only": ("{name} can be used in a kernel only", "{name} 只能在 kernel 里使用"),
    "script.no-device": ("there is no device {device}", "没有设备 {device}"),
    "script.no-device.hint": ("one is emulated: 0", "只模拟一个设备：0"),
    "script.not-contiguous": (
        "the elements of the array are not contiguous",
        "数组的元素不是连续存放的",
    ),
    "script.not-contiguous.hint": (
        "copy it with np.ascontiguousarray(…)",
        "用 np.ascontiguousarray(…) 拷贝一份",
    ),
    "not-emulated.machine-code": (
        "{name} of a kernel is not emulated: there is no machine code",
        "模拟器不支持 kernel 的 {name}：没有机器码",
    ),
    "not-emulated.machine-code.hint": (
        "`quiz profile` shows what each line does",
        "`quiz profile` 会显示每一行做了什么",
    ),
    "not-emulated.of-kernel": (
        "{name} of a kernel is not emulated",
        "模拟器不支持 kernel 的 {name}",
    ),
    "not-emulated.of-compiled-kernel": (
        "{name} of a compiled kernel is not emulated",
        "模拟器不支持编译后 kernel 的 {name}",
    ),
    "not-emulated.of-device-array": (
        "{name} of a device array is not emulated",
        "模拟器不支持 device 数组的 {name}",
    ),
    "not-emulated.of-mapped-array": (
        "{name} of a mapped array is not emulated",
        "模拟器不支持 mapped 数组的 {name}",
    ),
    "not-emulated.of-device": (
        "{name} of a device is not emulated",
        "模拟器不支持设备的 {name}",
    ),
    "not-emulated.pickle": (
        "pickling a kernel that is not at the top of a module needs Numba, which is not installed",
        "pickle 不在模块顶层的 kernel 需要 Numba，而 Numba 没有安装",
    ),
    "not-emulated.pickle.hint": (
        "define the kernel at the top of a module, or install Numba: pip install numba",
        "把 kernel 定义在模块顶层，或安装 Numba：pip install numba",
    ),
    "not-emulated.captured-array": (
        "{name} is a device array that the kernel does not get as an argument",
        "{name} 是 device 数组，但没有作为参数传给 kernel",
    ),
    "not-emulated.captured-array.hint": (
        "pass it as an argument, also to the device functions that use it",
        "把它作为参数传入，用到它的 device 函数也一样",
    ),
    "not-emulated.link": ("cuda.jit(link=…) is not emulated", "模拟器不支持 cuda.jit(link=…)"),
    "not-emulated.link.hint": (
        "write the function in Python, with device=True",
        "用 Python 写该函数，加 device=True",
    ),
    "not-emulated.foreign-array": (
        "the array is in memory that is not the emulated device's",
        "这个数组不在模拟设备的内存里",
    ),
    "not-emulated.foreign-array.hint": (
        "copy it to the host, and pass it to cuda.to_device",
        "先拷回主机，再交给 cuda.to_device",
    ),
    "script.numba-absent": (
        "{name} needs Numba, which is not installed",
        "{name} 需要 Numba，而 Numba 没有安装",
    ),
    "script.numba-absent.hint": (
        "install it in the environment of quiz: pip install numba",
        "请在 quiz 的环境里安装：pip install numba",
    ),
    "script.numba-broken": (
        "{name} needs Numba, which cannot be imported: {reason}",
        "{name} 需要 Numba，而 Numba 无法 import：{reason}",
    ),
    "script.numba-broken.hint": (
        "install a Numba that supports this NumPy: pip install --upgrade numba",
        "请安装支持当前 NumPy 的 Numba：pip install --upgrade numba",
    ),
    "not-emulated.strides": (
        "arrays with strides of their own are not emulated",
        "模拟器不支持自定 strides 的数组",
    ),
    "not-emulated.strides.hint": ("give order= instead", "改为给出 order="),
}
