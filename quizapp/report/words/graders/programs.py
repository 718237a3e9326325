"""What is wrong with a whole program in CUDA C++: its compiler, its headers, its host code."""

WORDS: dict[str, tuple[str, str]] = {
    "program.no-compiler": (
        "no C++ compiler is found for the host part of the program ({names})",
        "没有找到编译程序主机部分的 C++ 编译器（{names}）",
    ),
    "program.no-compiler.hint": (
        (
            "install one, or launch a kernel with --kernel, --grid, --block, and --args,"
            " or from a Python script with `load`"
        ),
        (
            "请安装一个；或用 --kernel、--grid、--block、--args 启动一个 kernel，"
            "或在 Python 脚本里用 `load` 启动"
        ),
    ),
    "program.no-such-compiler": (
        "CXX names `{name}`, which is not a program",
        "CXX 指定的 `{name}` 不是可执行的程序",
    ),
    "program.no-such-compiler.hint": (
        "set CXX to a C++ compiler, or unset it",
        "请把 CXX 设为 C++ 编译器，或取消设置",
    ),
    "program.compiler-failed": ("{compiler} cannot be run: {why}", "无法运行 {compiler}：{why}"),
    "program.compile-slow": (
        "{compiler} did not finish within {n} s",
        "{compiler} 在 {n} 秒内没有完成",
    ),
    "program.does-not-compile": ("{compiler}: {why}", "{compiler}：{why}"),
    "program.missing-header": ("the header {header} is not found", "找不到头文件 {header}"),
    "program.missing-header.hint": (
        "name its folder with --include, or remove what needs it",
        "请用 --include 指定它所在的文件夹，或去掉用到它的代码",
    ),
    "program.missing-library": (
        "the header {header} is of {library}, which the emulator does not have",
        "头文件 {header} 属于 {library}，模拟器没有它",
    ),
    "program.missing-library.hint": (
        (
            "remove what needs it, or launch a kernel of the program with"
            " --kernel, --grid, --block, and --args"
        ),
        "请去掉用到它的代码，或用 --kernel、--grid、--block、--args 启动其中的一个 kernel",
    ),
    "program.no-runtime": (
        "the emulator's CUDA runtime has no `{name}`",
        "模拟器的 CUDA 运行时没有 `{name}`",
    ),
    "program.no-runtime.hint": (
        (
            "remove what needs it, or launch a kernel of the program with"
            " --kernel, --grid, --block, and --args"
        ),
        "请去掉用到它的代码，或用 --kernel、--grid、--block、--args 启动其中的一个 kernel",
    ),
    "progress.compiling": ("compiling {file}", "正在编译 {file}"),
    "progress.host": (
        "the host part of the program runs; nothing has been launched yet",
        "程序的主机部分正在运行，还没有启动任何 kernel",
    ),
    "progress.script": (
        "the script runs; no kernel has been launched yet",
        "脚本正在运行，还没有启动任何 kernel",
    ),
    "progress.blocks": (
        "{kernel}: {done:,} of {blocks:,} blocks, {seconds} s",
        "{kernel}：已完成 {done:,}/{blocks:,} 个线程块，{seconds} 秒",
    ),
    "progress.loop": (
        "{said}, line {line}, iteration {rounds:,}",
        "{said}，第 {line} 行，第 {rounds:,} 次迭代",
    ),
    "progress.long": (
        "{said}; at this rate {n:,} minutes more, or longer: try a smaller size",
        "{said}；照此速度至少还要 {n:,} 分钟：请用更小的规模",
    ),
    "progress.long.one": (
        "{said}; at this rate a minute more, or longer: try a smaller size",
        "{said}；照此速度至少还要 1 分钟：请用更小的规模",
    ),
    "program.no-openmp": (
        "`{name}` is of OpenMP, for which the host part is not compiled",
        "`{name}` 属于 OpenMP，而主机部分编译时没有启用它",
    ),
    "program.no-openmp.hint": (
        'name it in the compiler\'s command: CXX="{compiler} -fopenmp" quiz profile …',
        '在编译器命令中启用它：CXX="{compiler} -fopenmp" quiz profile …',
    ),
    "program.undefined": (
        "`{name}` is used and not defined in the files that are compiled",
        "用到了 `{name}`，但编译的文件中没有它的定义",
    ),
    "program.undefined.hint": (
        "name the file that defines it: --with FILE",
        "请指定定义它的文件：--with 文件",
    ),
    "program.argument-size": (
        "{name} is {given} bytes on the host, but {n} in `{kernel}`",
        "{name} 在主机上有 {given} 字节，在 `{kernel}` 中有 {n} 字节",
    ),
    "program.symbol-size": (
        "{name} is {given} bytes on the host, but {n} in a kernel",
        "{name} 在主机上有 {given} 字节，在 kernel 中有 {n} 字节",
    ),
    "program.broken": (
        "the program wrote into the pipe to the emulator",
        "程序写入了通向模拟器的管道",
    ),
    "program.broken.hint": (
        "write only into files that the program has opened",
        "只写入程序自己打开的文件",
    ),
    "program.device-pointer": (
        "the host read or wrote through a pointer to device memory, or one that is not valid",
        "主机通过指向设备内存的指针（或无效指针）进行了读写",
    ),
    "program.device-pointer.hint": (
        "copy with cudaMemcpy, or allocate with cudaMallocManaged",
        "请用 cudaMemcpy 拷贝，或用 cudaMallocManaged 分配",
    ),
}
