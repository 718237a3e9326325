"""Words of `--help`: the commands on the model and on questions, and `quiz doctor`."""

WORDS: dict[str, tuple[str, str]] = {
    "help.banks.more": (
        (
            "EXPRESSION is the element that a thread accesses, in C++: an index, or `tile[i][j]` "
            "with --tile. It may use threadIdx, blockDim, lane, warp, row (threadIdx.y) and "
            "col (threadIdx.x). A Python `def index(row, col)` works too. It is interpreted, "
            "never executed.\n\n"
            "The map has a row per wavefront, or per pass for atom_cas, with the lane that "
            "each bank serves. `!` marks the conflicts: all but the first row of their lane "
            "group. Ideal is the cost of the best placement of the same words; an atomic takes "
            "one pass per lane on the fullest word.\n\n"
            "atom is an integer atomic whose result is used, atom_inc a +1 whose result is not "
            "used. atom_cas compares and swaps, with two wavefronts per pass. atom_float is a "
            "CAS loop, as are atom of 8 bytes and atom_cas of 2 and 16.\n\n"
            "FILE is CSV with the columns op, width, mask and offsets (32 byte offsets "
            "separated by spaces). A line that holds no access is reported on standard error "
            "and makes the status 1."
        ),
        (
            "表达式是一个线程访问的元素，用 C++ 书写：一个下标，或与 --tile 一起用 `tile[i][j]`。"
            "可以使用 threadIdx、blockDim、lane、warp、row（threadIdx.y）和 col（"
            "threadIdx.x），也可以写 Python 的 `def index(row, col)`。它只被解释，从不执行。"
            "\n\n"
            "图中每个 wavefront 一行（atom_cas 每个 pass 一行），标出每个 bank 处理的 lane。`!` "
            "标记"
            "冲突：同一 lane 组中第一行之后的各行。理想值是同样这些字在最佳摆放下的开销；原子操"
            "作对访问最多的字，每个 lane 用一个 pass。\n\n"
            "atom 是使用返回值的整数原子操作，atom_inc 是不使用返回值的 +1。atom_cas 比较并交"
            "换，每个 pass 两个 wavefront。atom_float 是 CAS 循环，8 字节的 atom 以及 2 和 16 "
            "字节的 "
            "atom_cas 也是。\n\n"
            "文件是 CSV，列为 op、width、mask 和 offsets（以空格分隔的 32 个字节偏移）。不含访"
            "问的行会在标准错误输出中列出，并使退出状态为 1。"
        ),
    ),
    "help.banks.elem": (
        "Size of an element; {element} if not given.",
        "一个元素的大小；默认 {element}。",
    ),
    "help.banks.width": (
        "Bytes per lane; if not given, --elem.",
        "每个 lane 的字节数；默认同 --elem。",
    ),
    "help.banks.op": ("Kind of access; load if not given.", "访问的种类；默认 load。"),
    "help.banks.block": ("Threads of the block; 32 if not given.", "线程块的线程数；默认 32。"),
    "help.banks.tile": (
        "Rows and columns of the array, which bound it.",
        "数组的行数和列数，也是访问的边界。",
    ),
    "help.banks.mask": (
        (
            "Active lanes of every warp: 0xffff; all if not given. For ldmatrix and stmatrix, "
            "0xff is .x1, 0xffff is .x2."
        ),
        (
            "每个 warp 的活跃 lane：0xffff；默认全部。ldmatrix 和 stmatrix 中 0xff 是 .x1，"
            "0xffff 是 .x2。"
        ),
    ),
    "help.banks.arch": (
        "Compute capability: 1.x to 12.x, 8.6, sm_86; {arch} if not given.",
        "计算能力：1.x 到 12.x、8.6、sm_86；默认 {arch}。",
    ),
    "help.banks.search": (
        "Also search for a better layout of the tile.",
        "同时为 tile 搜索更好的布局。",
    ),
    "help.banks.why": (
        "Also name the source of the rule that counted.",
        "同时列出计数规则的来源。",
    ),
    "help.banks.trace": (
        "Analyze recorded accesses instead; - is standard input.",
        "改为分析记录的访问；- 表示标准输入。",
    ),
    "help.profile.more": (
        (
            "SCRIPT runs as `python SCRIPT ARGS` would, unmodified, with numba.cuda from the "
            "emulator. Of a CUDA C++ source (.cu), --kernel is launched with --grid, --block and "
            "--args.\n\n"
            "Each launch is shown with its source lines: shared memory requests, the "
            "wavefronts they take and would ideally take, global sectors, active threads; then "
            "races, uninitialized reads, divergent barriers, accesses out of bounds and "
            "whatever else is wrong.\n\n"
            "Status 1 if a launch has a finding other than a warning, 5 if the script failed."
        ),
        (
            "脚本照 `python 脚本 参数` 的方式原样运行，numba.cuda 由模拟器提供。"
            "若是 CUDA C++ 源文件（.cu），则按 --grid、--block 和 --args 启动 --kernel。\n\n"
            "每次启动都按源码行显示：共享内存请求、实际和理想的 wavefront 数、全局内存 sector、"
            "活跃线程；然后是数据竞争、读取未初始化的数据、发散的屏障、越界访问以及其他问题。"
            "\n\n"
            "若有警告以外的问题，退出状态为 1；脚本失败时为 5。"
        ),
    ),
    "help.profile.budget": (
        "Operations per launch before it is stopped; no limit if not given.",
        "一次启动最多执行的运算次数，超过即终止；默认不限。",
    ),
    "help.profile.allow-race": (
        "Allow races at this line; repeat it for more. In the source: `# quiz: allow race`.",
        "允许这一行的数据竞争；可重复给出。写在源码里则是 `# quiz: allow race`。",
    ),
    "help.profile.against": (
        "Compare with an older script, which runs too, or with its saved --json.",
        "与旧脚本（也会运行）或其保存的 --json 报告比较。",
    ),
    "help.any.html": (
        "Also write the report into this file, as one page of HTML.",
        "同时把报告写入此文件，为单个 HTML 页面。",
    ),
    "help.profile.sarif": (
        "Also write the findings into this file, as SARIF 2.1.0 for code scanning.",
        "同时把发现的问题写入此文件，格式为用于代码扫描的 SARIF 2.1.0。",
    ),
    "help.profile.github": (
        "Also print the findings as annotations of GitHub Actions.",
        "同时以 GitHub Actions 注解的形式输出发现的问题。",
    ),
    "help.profile.compile": (
        "Also compile each kernel: registers, spills, occupancy; needs gpu-quiz[compile].",
        "同时编译各 kernel：寄存器、溢出、占用率；需要 gpu-quiz[compile]。",
    ),
    "help.profile.show-program": (
        "Also show the typed program of each kernel: operations, types, conversions.",
        "同时显示各 kernel 的类型化程序：运算、类型、类型转换。",
    ),
    "help.profile.kernel": (
        "Show only launches of this kernel; of a CUDA C++ source, launch it.",
        "只显示这个 kernel 的启动；若是 CUDA C++ 源文件，则启动它。",
    ),
    "help.profile.grid": (
        "Blocks of the grid, for a CUDA C++ source.",
        "grid 的线程块数，用于 CUDA C++ 源文件。",
    ),
    "help.profile.block": (
        "Threads of a block, for a CUDA C++ source.",
        "线程块的线程数，用于 CUDA C++ 源文件。",
    ),
    "help.profile.shared": (
        "Dynamic shared memory of a block, for a CUDA C++ source; 0 if not given.",
        "线程块的动态共享内存字节数，用于 CUDA C++ 源文件；默认 0。",
    ),
    "help.profile.args": (
        "Arguments of the kernel, for a CUDA C++ source: 'in=f32[64,64]:random, n=64'.",
        "kernel 的参数，用于 CUDA C++ 源文件：'in=f32[64,64]:random, n=64'。",
    ),
    "help.profile.launch": ("Show only this launch, from 1.", "只显示第几次启动，从 1 数起。"),
    "help.profile.with": (
        "Of a whole program: another source file of it.",
        "完整程序的另一个源文件。",
    ),
    "help.profile.define": (
        "Of a CUDA C++ source: a macro, as compilers take it.",
        "CUDA C++ 源文件的宏定义，写法与编译器相同。",
    ),
    "help.profile.include": (
        "A folder with headers.",
        "头文件所在的文件夹。",
    ),
    "help.profile.line": (
        "Show only this source line, with its bank map.",
        "只显示这一行源码及其 bank 图。",
    ),
    "help.profile.width": (
        "Columns to draw in; those of the terminal if not given.",
        "绘制的列数；默认为终端的列数。",
    ),
    "help.profile.json-lines": (
        "Print one JSON document per launch, each on a line of its own, then the rest.",
        "每次启动输出一行 JSON，最后一行是其余内容。",
    ),
    "help.calibrate.more": (
        (
            "Warp accesses to shared memory are timed: loads and stores, atomics, matrix "
            "forms.\n\n"
            "Model and clock count wavefronts. An access is open if the clock cannot tell, or "
            "if the model gives no exact count.\n\n"
            "The status is 1 if they differ. The file that is written can be sent in."
        ),
        (
            "对 warp 的共享内存访问计时：读取和写入、原子操作、矩阵指令。\n\n"
            "模型和时钟都以 wavefront 计。时钟分辨不出，或模型没有确切计数的访问为未定。\n\n"
            "两者不一致时退出状态为 1。写出的文件可以提交给项目。"
        ),
    ),
    "help.any.gpu-host": (
        "Host of the GPU, through ssh; overrides gpu.host.",
        "GPU 所在的主机，通过 ssh 访问；优先于 gpu.host。",
    ),
    "help.calibrate.output": (
        "Write the file here; quiz-calibration-DEVICE.json if not given.",
        "将文件写到此处；默认 quiz-calibration-DEVICE.json。",
    ),
    "help.calibrate.all": ("Also show accesses that agree.", "同时列出一致的访问。"),
    "help.lint.more": (
        (
            "Checks the files and folders given, or all content.\n\n"
            "Prints a line per problem, `file:line:column: what; what to do`; the status is 1 "
            "if there are any. For each kernel the starter, the solution, known mistakes and "
            "cheats are graded; --proofs lists them. With --gpu or --gpu-host the solution, "
            "mistakes that give wrong values, and more cheats run on a GPU.\n\n"
            "Kernels of packs that are not yours are not proven before `quiz trust`, which "
            "makes the status 3. Files and folders that you name count as yours: their "
            "reference runs confined."
        ),
        (
            "检查给出的文件和文件夹；不给时检查全部内容。\n\n"
            "每个问题一行：`文件:行:列: 问题；怎么办`；有问题时退出状态为 1。每道 kernel 题都会"
            "评判初始代码、参考解、已知错误和作弊代码，--proofs 列出结果。用 --gpu 或 --gpu-host "
            "时，参考解、会得出错误数值的已知错误和更多作弊代码在 GPU 上运行。\n\n"
            "别人题包的 kernel 在 `quiz trust` 之前不验证，此时退出状态为 3。你指明的文件和文件"
            "夹视为你自己的：其参考实现在隔离中运行。"
        ),
    ),
    "help.lint.proofs": (
        "For each kernel, list the check at which each submission failed.",
        "对每道 kernel 题列出各份提交未通过的检查。",
    ),
    "help.lint.mutants": (
        "Also run mutants of each solution; list those that pass. Slow at first, then cached.",
        "同时运行每个参考解的变异体，列出通过的。首次较慢，之后使用缓存。",
    ),
    "help.lint.gpu": ("Prove kernels on the GPU, too.", "同时在 GPU 上验证 kernel。"),
    "help.lint.trust": ("Run the Python of any pack, this once.", "这一次运行任何题包的 Python。"),
    "help.new.more": (
        (
            "Prints the file's path. KIND is recall, choice, number, trace, index, kernel or "
            "spot; or mock, for a theme of mock interviews.\n\n"
            "A kernel is a folder: question.yaml, and the starter, the solution and the rest "
            "beside it. With --to the pack is the nearest folder above that holds a pack.yaml, "
            "or FOLDER itself."
        ),
        (
            "输出文件的路径。题型是问答、选择、数值、推算、布局、kernel 或找错；"
            "或者 mock，即模拟面试的主题。\n\n"
            "kernel 题是一个文件夹：question.yaml 以及初始代码、参考解等。用 --to 时，题包是上层"
            "最近的含 pack.yaml 的文件夹，或该文件夹本身。"
        ),
    ),
    "help.new.pack": ("A pack of your own, '{own}' if not given.", "你自己的题包；默认 '{own}'。"),
    "help.new.id": (
        "Its id: lower-case words joined by hyphens.",
        "编号：用连字符连接的小写单词。",
    ),
    "help.new.to": (
        "Write it here, instead of into your own content.",
        "写到此处，而不是你自己的内容文件夹。",
    ),
    "help.grade.more": (
        (
            "FILE holds an index function in Python or C++, or a kernel: FILE.py for Numba, "
            "FILE.cu in CUDA C++; - reads standard input. To see a kernel's exercise in CUDA C++: "
            "--language cuda.\n\n"
            "It is interpreted, never executed; a kernel that passes then runs on a GPU, if "
            "there is one. Nothing is stored. Status 1 if a check fails, 4 if --gpu or "
            "--gpu-host found no GPU.\n\n"
            "Without QUESTION the exercises are listed; without FILE the exercise is shown. A "
            "bug to find takes --line and --fault instead of FILE.\n\n"
            "--all grades every submission in FOLDER: a folder per student with files "
            "QUESTION.py or QUESTION.cu, or a CSV with the columns student, question, file. "
            "All are graded with the same hidden inputs. Status 1 if one was refused or not "
            "graded."
        ),
        (
            "文件含有 Python 或 C++ 的下标函数，或一个 kernel："
            "Numba 用 .py 文件，CUDA C++ 用 .cu 文件；- 读取标准输入。"
            "用 --language cuda 查看 kernel 题的 CUDA C++ 版本。\n\n"
            "它只被解释，从不执行；通过的 kernel 随后在 GPU 上运行（如果有）。不保存任何内容。"
            "有检查未通过时退出状态为 1；--gpu 或 --gpu-host 找不到 GPU 时为 4。\n\n"
            "不给题目时列出所有练习；不给文件时显示该题。找错题用 --line 和 --fault 代替文件。\n\n"
            "--all 评判文件夹中的所有提交：每个学生一个文件夹，文件名为 题目.py 或 题目.cu；"
            "也可以是含有 student、question、file 三列的 CSV。所有提交用同样的隐藏输入评判。"
            "有提交被拒收或未能评判时退出状态为 1。"
        ),
    ),
    "help.grade.all": (
        "Grade all submissions in a folder, or of a CSV.",
        "评判文件夹或 CSV 中的所有提交。",
    ),
    "help.grade.serve": (
        "Grade what programs send over this Unix socket, until Ctrl-C; see quiz docs serve.",
        "评判程序通过此 Unix socket 发来的提交，直到 Ctrl-C；见 quiz docs serve。",
    ),
    "help.grade.gradescope": (
        "Make Gradescope's autograder for these questions: a .zip, or a folder.",
        "为这些题目生成 Gradescope 自动评分器：.zip 文件或文件夹。",
    ),
    "help.grade.wheel": (
        "With --gradescope: install this wheel of quiz instead of the published package.",
        "用于 --gradescope：安装此 quiz wheel 文件，而不是已发布的包。",
    ),
    "help.grade.jobs": (
        "With --all or --serve: how many to grade at the same time; one per CPU.",
        "用于 --all 或 --serve：同时评判几份；默认每个 CPU 一份。",
    ),
    "help.grade.dask": (
        "With --all: grade on the Dask cluster of this scheduler.",
        "用于 --all：在此 scheduler 的 Dask 集群上评判。",
    ),
    "help.grade.out": (
        "With --all: write the results into this file, .csv or .jsonl; with --gradescope: a .zip.",
        "用于 --all：把结果写入此文件，.csv 或 .jsonl；用于 --gradescope：.zip。",
    ),
    "help.grade.resume": (
        "With --all: continue an incomplete run, by its --out.",
        "用于 --all：按 --out 继续未完成的评判。",
    ),
    "help.grade.seed": (
        "With --all, --serve, or --gradescope: the seed of the hidden inputs; drawn if not given.",
        "用于 --all、--serve 或 --gradescope：隐藏输入的种子；默认随机。",
    ),
    "help.grade.watch": ("Grade again whenever the file is saved.", "每次保存文件后重新评判。"),
    "help.grade.search": ("For a layout: also try the common ones.", "布局题：同时尝试常用布局。"),
    "help.grade.language": (
        "The language of a kernel: by the file's ending, or by the setting, if not given.",
        "kernel 的语言；不给时由文件扩展名或设置决定。",
    ),
    "help.grade.line": ("For a bug to find: its line.", "找错题：错误所在的行。"),
    "help.grade.fault": (
        (
            "For a bug to find: race, global-race, uninitialised-read, barrier-divergence, "
            "warp-mask, out-of-bounds, zero-division, never-written, overflow, misaligned, "
            "bank-conflict, uncoalesced, or warning (double precision on single-precision data)."
        ),
        (
            "找错题：race、global-race、uninitialised-read、barrier-divergence、warp-mask、"
            "out-of-bounds、zero-division、never-written、overflow、misaligned、bank-conflict、"
            "uncoalesced 或 warning（单精度数据用了双精度运算）。"
        ),
    ),
    "help.grade.review": ("Which variant of the question; 0.", "题目的第几种取值；默认 0。"),
    "help.grade.gpu": (
        (
            "For a kernel: also run it on a GPU, or not. Without either, the settings gpu.use "
            "and gpu.host decide, and a missing GPU is not an error. With --all: also on all "
            "GPUs; not if not given."
        ),
        (
            "kernel 题：是否也在 GPU 上运行。都不给时由设置 gpu.use 和 gpu.host 决定，没有 GPU "
            "不算错误。与 --all 同用：是否也在所有 GPU 上运行；默认否。"
        ),
    ),
    "help.preview.more": (
        (
            "Errors are shown next to the question.\n\n"
            "Without a terminal the questions are printed as text with their answers, and "
            "errors make the status 1."
        ),
        "错误显示在题目旁边。\n\n没有终端时，以文本输出题目和答案；有错误时退出状态为 1。",
    ),
    "help.preview.watch": ("Draw it again whenever the file is saved.", "每次保存文件后重新显示。"),
    "help.doctor.more": (
        (
            "Versions, folders, settings, database, questions, terminal, confinement, GPU.\n\n"
            "The GPU that the settings name runs a test kernel, which takes seconds. A note "
            "needs no action; a problem says what to do, and makes the status 1."
        ),
        (
            "版本、文件夹、设置、数据库、题目、终端、隔离、GPU。\n\n"
            "设置指定的 GPU 会运行一个测试 kernel，需要几秒。提示无需处理；问题会说明怎么办，并"
            "使退出状态为 1。"
        ),
    ),
    "help.schema.more": (
        (
            "It is made from the types that validate questions.\n\n"
            "`quiz new` writes it beside the file, and a first line that tells the editor "
            "where it is."
        ),
        "由校验题目的类型生成。\n\n`quiz new` 会把它写在文件旁边，并在首行告诉编辑器它的位置。",
    ),
}
