"""Words of `quiz grade`, and of `quiz preview` without a screen."""

WORDS: dict[str, tuple[str, str]] = {
    "grade.right": ("✓ right", "✓ 正确"),
    "grade.not-this": ("✗ not this one", "✗ 不是这个"),
    "grade.on-gpu": ("passed in the emulator; now on the GPU", "模拟器已通过；正在 GPU 上运行"),
    "grade.declined": ("--no-gpu was given", "使用了 --no-gpu"),
    "grade.watching": ("Watching {file}; Ctrl-C ends.", "正在监视 {file}；按 Ctrl-C 结束。"),
    "grade.write": (
        "Write it into a file, then: quiz grade {id} {file} --watch",
        "写入文件后运行：quiz grade {id} {file} --watch",
    ),
    "grade.other-language": (
        (
            "In {name}: a file that ends in {ending}; quiz grade {id} --language {language} shows "
            "the exercise."
        ),
        "也可以用 {name}：文件以 {ending} 结尾；quiz grade {id} --language {language} 显示该题。",
    ),
    "grade.name-fault": (
        "then: `quiz grade {id} --line N --fault FAULT` ({kinds})",
        "然后运行：`quiz grade {id} --line N --fault 错误`（{kinds}）",
    ),
    "grade.ending": (
        "{file} is not a code file: its name must end in one of {known}",
        "{file} 不是代码文件：文件名应以 {known} 结尾",
    ),
    "grade.ending.hint": (
        "rename it, or say what it is written in: --language python or --language cuda",
        "请重命名，或说明用什么语言写：--language python 或 --language cuda",
    ),
    "grade.gpu-and-no-gpu": (
        "--no-gpu and --gpu-host cannot be combined",
        "--no-gpu 与 --gpu-host 不能同时使用",
    ),
    "grade.gpu-and-no-gpu.hint": ("leave one of the two out", "请去掉其中一个"),
    "grade.spot-file": ("{id} asks for a bug and takes no file", "{id} 是找错题，不需要文件"),
    "grade.spot-file.hint": ("write --line N --fault FAULT", "请写 --line N --fault 错误"),
    "grade.spot-gpu": ("--gpu is for kernels that are written", "--gpu 只用于编写 kernel 的题"),
    "grade.spot-gpu.hint": ("leave it out: {id} asks for a bug", "请去掉它：{id} 是找错题"),
    "grade.spot-html": (
        "--html is for code that is submitted; {id} asks for a bug",
        "--html 用于提交的代码；{id} 是找错题",
    ),
    "grade.html-of-submission": (
        "--html is the page of a verdict; name a submission of {id}, too",
        "--html 是评判结果的页面；还请给出 {id} 的提交文件",
    ),
    "grade.page-passed": ("{id}: passed", "{id}：通过"),
    "grade.page-failed": ("{id}: not passed", "{id}：未通过"),
    "grade.line-of-code": (
        "--line and --fault are for bugs to find; {id} asks for code",
        "--line 和 --fault 用于找错题；{id} 要求写代码",
    ),
    "grade.line-of-code.hint": ("run `quiz grade {id} FILE`", "请运行 `quiz grade {id} 文件`"),
    "grade.watch-input": ("--watch needs a file", "--watch 需要文件"),
    "grade.watch-input.hint": (
        "name a file; standard input is read only once",
        "请给出文件；标准输入只读一次",
    ),
    "grade.no-exercise": (
        "{id} is of the kind '{kind}', and has no submissions",
        "{id} 的题型是 '{kind}'，没有提交",
    ),
    "grade.no-exercise.hint": (
        "name one of the kinds {kinds}; `quiz start` asks the others",
        "请选择题型 {kinds} 之一；其他题型由 `quiz start` 提问",
    ),
    "grade.layout-gpu": ("--gpu is for kernels", "--gpu 只用于 kernel"),
    "grade.layout-gpu.hint": ("leave it out: {id} asks for a layout", "请去掉它：{id} 要求写布局"),
    "grade.kernel-search": ("--search is for layouts", "--search 只用于布局"),
    "grade.kernel-search.hint": (
        "leave it out: {id} asks for a kernel",
        "请去掉它：{id} 要求写 kernel",
    ),
    "grade.no-gpu-part": (
        "{id} has no part `gpu`, so a GPU has nothing to do",
        "{id} 没有 `gpu` 部分，不需要 GPU",
    ),
    "grade.no-gpu-part.hint": ("leave --gpu and --gpu-host out", "请去掉 --gpu 和 --gpu-host"),
    "grade.name-file": ("name the file that holds your function", "请给出含有你的函数的文件"),
    "grade.not-a-file": ("{file} {what}", "{file} {what}"),
    "grade.not-a-file.hint": (
        "submit a file with a function; - reads a pipe",
        "请提交含有函数的文件；- 读取管道",
    ),
    "grade.too-large": (
        "the submission is larger than {most:,} bytes",
        "提交超过 {most:,} 字节",
    ),
    "grade.too-large.hint": ("submit only the function", "请只提交函数"),
    "grade.line-and-fault": ("a bug has a line and a kind", "错误要给出行号和种类"),
    "grade.line-and-fault.hint": ("give both --line and --fault", "请同时给出 --line 和 --fault"),
    "grade.no-language": (
        "{id} has no version in {language}",
        "{id} 没有 {language} 版本",
    ),
    "grade.no-language.hint": ("it has {known}", "它有 {known} 版本"),
    "grade.no-line": ("there is no line {line}", "没有第 {line} 行"),
    "grade.no-line.hint": ("the code has lines 1 to {last}", "代码共有第 1 到 {last} 行"),
    "grade.no-fault": ("there is no kind of bug '{fault}'", "没有错误种类 '{fault}'"),
    "grade.no-fault.hint": ("kinds: {kinds}", "种类：{kinds}"),
    "preview.heading": (
        "{id} · {kind} · {topic} · difficulty {difficulty}",
        "{id} · {kind} · {topic} · 难度 {difficulty}",
    ),
    "preview.source": ("source: {source}", "来源：{source}"),
    "preview.answer": ("answer: {value}", "答案：{value}"),
    "preview.right-option": ("{number}. right: {text}", "{number}. 正确：{text}"),
    "preview.wrong-option": ("{number}. wrong: {text}", "{number}. 错误：{text}"),
    "preview.wrong": ("wrong: {mistake}", "错误：{mistake}"),
    "preview.fails": ("   fails at {gate}: {why}", "   未通过 {gate}：{why}"),
    "preview.starter-file": ("starter:", "初始代码："),
    "preview.solution-file": ("solution:", "参考解："),
    "preview.right-place": ("right: line {line}, {kind}", "正确：第 {line} 行，{kind}"),
    "preview.not-a-file": ("{file} is not a file", "{file} 不是文件"),
    "preview.not-a-file.hint": ("name one YAML file", "请给出一个 YAML 文件"),
    "preview.name-file": (
        "name a YAML file; `quiz new` writes one",
        "请给出 YAML 文件；`quiz new` 可新建",
    ),
    "preview.watch": ("`quiz preview --watch`", "`quiz preview --watch` "),
    "preview.as-text": (
        "`quiz preview FILE` prints the questions as text",
        "`quiz preview 文件` 以文本输出题目",
    ),
}
