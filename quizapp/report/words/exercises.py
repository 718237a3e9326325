"""Sentences of what is wrong with an exercise: its draws, its accesses, what it promises."""

WORDS: dict[str, tuple[str, str]] = {
    "exercise.at": ("{at}: {what}", "{at}：{what}"),
    "draw.too-many": (
        "{count:,} variants are too many: at most {most:,} are possible",
        "{count:,} 种取值太多：最多 {most:,} 种",
    ),
    "draw.too-many.hint": (
        "use fewer values, or list whole cases",
        "减少取值，或直接列出各种情形",
    ),
    "draw.name-taken": ("the name {name} means something else here", "名称 {name} 在这里另有含义"),
    "draw.name-taken.hint": ("choose another name", "请换一个名称"),
    "draw.too-few": (
        "there are {n} different variants, but {least} are needed",
        "只有 {n} 种不同的取值，至少需要 {least} 种",
    ),
    "draw.too-few.one": (
        "there is {n} different variant, but {least} are needed",
        "只有 {n} 种不同的取值，至少需要 {least} 种",
    ),
    "draw.too-few.hint": ("add values", "请增加取值"),
    "draw.too-few-answers": (
        "the variants have {n} different answers, but {least} are needed",
        "各种取值只有 {n} 个不同的答案，至少需要 {least} 个",
    ),
    "draw.too-few-answers.one": (
        "the variants have {n} different answer, but {least} are needed",
        "各种取值只有 {n} 个不同的答案，至少需要 {least} 个",
    ),
    "draw.too-few-answers.hint": (
        "add values that change the answer",
        "请增加会改变答案的取值",
    ),
    "formula.not-an-amount": ("{formula} is {value}", "{formula} 的值是 {value}"),
    "formula.not-an-amount.hint": (
        "it must be an integer, 0 or more",
        "必须是不小于 0 的整数",
    ),
    "formula.uncomputable": (
        "cannot be computed: {reason} (character {column} of `{formula}`)",
        "无法计算：{reason}（`{formula}` 的第 {column} 个字符）",
    ),
    "formula.uncomputable.hint": (
        "`quiz docs authoring` lists what an expression may hold",
        "表达式可以写什么，见 `quiz docs authoring`",
    ),
    "trace.with-values": ("with {values}: {what}", "当 {values} 时：{what}"),
    "trace.with-values.hint": (
        "exclude these values, or change the access",
        "请去掉这些取值，或修改访问",
    ),
    "trace.no-element-size": ("an element has 0 bytes", "元素的大小是 0 字节"),
    "trace.no-element-size.hint": ("write its size in bytes", "请写元素的字节数"),
    "trace.bad-block": ("the block is not possible: {reason}", "线程块的形状不成立：{reason}"),
    "trace.bad-block.hint": ("change the block", "请修改线程块的形状"),
    "trace.bad-expression": (
        "`{formula}`, line {line}, column {column}: {reason}",
        "`{formula}`，第 {line} 行第 {column} 列：{reason}",
    ),
    "trace.bad-expression.hint": (
        "write C++ with threadIdx, lane and the names of drawn values; two indices need `pitch:`",
        "用 C++ 写，可用 threadIdx、lane 和取值的名称；两个下标需要 `pitch:`",
    ),
    "trace.no-warp": ("there is no warp {warp}", "没有 warp {warp}"),
    "trace.no-warp.hint": ("the block has warps 0 to {last}", "线程块有 warp 0 到 {last}"),
    "trace.beyond-shared-memory": (
        "`{formula}` gives an address beyond shared memory",
        "`{formula}` 的地址超出共享内存",
    ),
    "trace.beyond-shared-memory.hint": (
        "an unsigned threadIdx wraps below 0: write (int)threadIdx.x - 1",
        "threadIdx 是无符号数，小于 0 会回绕：写成 (int)threadIdx.x - 1",
    ),
    "trace.impossible-access": ("`{formula}`: {reason}", "`{formula}`：{reason}"),
    "trace.impossible-access.hint": (
        "no hardware would do it; change index, width or arch",
        "硬件做不到；请修改 index、width 或 arch",
    ),
    "trace.no-lane": ("there is no lane {lane}", "没有 lane {lane}"),
    "trace.no-lane.hint": ("lanes are numbered 0 to 31", "lane 的编号是 0 到 31"),
    "trace.inactive-lane": ("lane {lane} is not active", "lane {lane} 不活跃"),
    "trace.inactive-lane.hint": ("name an active lane", "请给出活跃的 lane"),
    "trace.only-bounds": (
        "only bounds of the access's cost are known",
        "这次访问的开销只知道上下界",
    ),
    "trace.only-bounds.hint": (
        "ask for something that is exact, or about another architecture",
        "请问有准确值的量，或换一种架构",
    ),
    "layout-question.tile": ("the tile is not possible: {reason}", "tile 不成立：{reason}"),
    "layout-question.tile.hint": ("change the tile", "请修改 tile"),
    "layout-question.arch": ("the architecture is not known: {reason}", "未知的架构：{reason}"),
    "layout-question.arch.hint": ("name one of the architectures", "请给出其中一种架构"),
    "layout-question.no-thread": ("no thread takes part in the access", "没有线程参与这次访问"),
    "layout-question.no-thread.hint": ("change `where:`", "请修改 `where:`"),
    "layout-question.access": ("the access is not possible: {reason}", "访问不成立：{reason}"),
    "layout-question.access.hint": ("change the access", "请修改访问"),
    "layout-question.equals": (
        "`equals` does not place every element: {reason}",
        "`equals` 没有放置所有元素：{reason}",
    ),
    "layout-question.equals.hint": (
        "give every element a slot of its own",
        "每个元素都要有自己的位置",
    ),
    "layout-question.which-elements": (
        "the access does not say which elements it covers",
        "访问没有说明涉及哪些元素",
    ),
    "layout-question.which-elements.hint": (
        "give `along:`, or all of `block:`, `row:` and `column:`",
        "写 `along:`，或者 `block:`、`row:`、`column:` 全都写",
    ),
    "layout-question.needs-block": (
        "`where:` and `steps:` belong to a `block:`",
        "`where:` 和 `steps:` 必须与 `block:` 一起使用",
    ),
    "layout-question.needs-block.hint": ("remove them", "请删掉"),
    "layout-question.matrix-width": (
        "matrix rows have a width of their own",
        "矩阵行有自己的宽度",
    ),
    "layout-question.matrix-width.hint": ("remove `elements:`", "请删掉 `elements:`"),
    "layout-question.row": (
        "a row of {columns} cannot be divided into parts of {elements}",
        "一行 {columns} 个元素不能按 {elements} 个一组划分",
    ),
    "layout-question.row.hint": (
        "change `elements:`, or the tile",
        "请修改 `elements:` 或 tile",
    ),
    "spot.no-code": ("the question has no code", "这道题没有代码"),
    "spot.no-code.hint": (
        "write the kernel as `code` for Numba, or as `cuda: {{code: …}}`",
        "请把 kernel 写在 `code`（Numba）或 `cuda: {{code: …}}` 里",
    ),
    "spot.refused": (
        "line {line}, column {column}: {reason}",
        "第 {line} 行第 {column} 列：{reason}",
    ),
    "spot.refused.hint": ("write what the emulator runs", "请写模拟器能运行的代码"),
    "spot.nothing-found": (
        "the emulator finds nothing that can be asked for; it reports: {others}",
        "模拟器没有发现可以提问的错误；它报告了：{others}",
    ),
    "spot.nothing-found.hint": ("what can be asked for: {kinds}", "可以提问的有：{kinds}"),
    "spot.no-finding": (
        "the emulator finds nothing wrong with the kernel",
        "模拟器没有发现 kernel 有任何错误",
    ),
    "spot.no-finding.hint": (
        "put a bug of these kinds into it: {kinds}",
        "请放入这些种类的错误：{kinds}",
    ),
    "spot.cause": (
        "`{text}` is in {n} lines of the code",
        "`{text}` 在代码的 {n} 行里出现",
    ),
    "spot.cause.hint": (
        "quote a part of exactly one line",
        "请引用恰好一行中的一部分",
    ),
    # what the submissions of an exercise must do
    "proof.passes": ("passes", "通过了"),
    "proof.no-reason": ("no reason given", "没有说明原因"),
    "proof.fails": ("fails at `{gate}`: {reason}", "未通过 `{gate}`：{reason}"),
    "proof.reference": (
        "the reference has no answer: {reason}",
        "reference 没有给出答案：{reason}",
    ),
    "proof.reference.hint": ("fix the reference", "请修正 reference"),
    "proof.not-graded": ("no verdict: {reason}", "没有评判结果：{reason}"),
    "proof.not-graded.hint": (
        "simplify the question, or give smaller shapes",
        "请简化题目，或用更小的形状",
    ),
    "proof.starter-passes": ("the starter passes already", "初始代码已经通过"),
    "proof.starter-passes.hint": ("leave something to implement", "请留下要完成的部分"),
    "proof.starter-refused": (
        "the starter is not understood: {reason}",
        "初始代码无法理解：{reason}",
    ),
    "proof.starter-refused.hint": (
        "it must be accepted, and fail at a later check",
        "它必须能被接受，并在之后的检查中失败",
    ),
    "proof.solution": ("the solution {failure}", "参考解{failure}"),
    "proof.solution.hint": ("fix the solution, or the check", "请修正参考解，或修改检查项"),
    "proof.baseline": ("the baseline {failure}", "基准{failure}"),
    "proof.baseline.hint": (
        "fix it: submissions are measured against it",
        "请修正：提交会与它比较速度",
    ),
    "proof.no-size": ("no size is given for {names}", "没有给出 {names} 的大小"),
    "proof.no-size.hint": ("add the sizes, as in `shapes`", "请像 `shapes` 里那样补上大小"),
    "proof.no-operations": ("the number of operations is not positive", "运算次数不是正数"),
    "proof.no-operations.hint": (
        "count the operations of one run, or remove it",
        "请写一次运行的运算次数，或删掉",
    ),
    "proof.no-gate": ("there is no check `{gate}`", "没有检查项 `{gate}`"),
    "proof.no-gate.hint": ("the checks are: {gates}", "检查项有：{gates}"),
    "proof.wrong-layout": (
        "the wrong solution {failure}",
        "错误解{failure}",
    ),
    "proof.wrong-layout.hint": (
        "change it so that it fails at {gate}",
        "请修改，使它在 {gate} 失败",
    ),
    "proof.wrong-kernel": ("{at}: {failure}", "{at}：{failure}"),
    "proof.wrong-kernel.hint": (
        "it must fail at {gate} (checks: {gates})",
        "它必须在 {gate} 失败（检查项：{gates}）",
    ),
    "proof.cheat-passes": ("the cheat `{cheat}` passes", "作弊代码 `{cheat}` 通过了"),
    "proof.cheat-passes.hint": (
        "compare more, use more blocks, or other inputs",
        "请多比较一些结果，用更多线程块，或换输入",
    ),
    "proof.mutant-passes": (
        "a mutant of the solution passes ({rule}): {diff}",
        "参考解的一个变异体通过了（{rule}）：{diff}",
    ),
    "proof.mutant-passes.hint": (
        (
            "add a shape or other values that tell it from the solution, or widen `confirm`; if it "
            "is not wrong, say why under `excused`"
        ),
        (
            "请增加能区分它与参考解的形状或数值，或放宽 `confirm`；"
            "如果它并不错，请在 `excused` 中说明原因"
        ),
    ),
    "proof.mutant-crashes": (
        "a mutant of the solution has no verdict ({rule}): {diff}: {why}",
        "参考解的一个变异体没有评判结果（{rule}）：{diff}：{why}",
    ),
    "proof.excuse-unused": (
        "no mutant of rule {rule} that passes changes the line `{line}`",
        "没有规则为 {rule}、修改这一行 `{line}` 而又通过的变异体",
    ),
    "proof.excuse-unused.hint": (
        "remove the excuse, or quote the line",
        "请删除这条说明，或引用正确的行",
    ),
    "proof.many-excused": (
        "{count} of {total} mutants are excused: at most 5%",
        "{total} 个变异体中有 {count} 个只靠说明：最多 5%",
    ),
    "proof.many-excused.hint": (
        "find inputs that tell some of them from the solution",
        "请找出能区分其中一些与参考解的输入",
    ),
    "proof.gpu-no-verdict": (
        "the GPU gives no verdict: {reason}",
        "GPU 没有给出评判结果：{reason}",
    ),
    "proof.gpu-solution": (
        "on {device}: the solution {failure}",
        "在 {device} 上，参考解{failure}",
    ),
    "proof.gpu-solution.hint": (
        "fix the solution; the emulator does not see this",
        "请修正参考解；模拟器发现不了这个问题",
    ),
    "proof.gpu-slow": (
        (
            "on {device}: solution.py is {ratio} times as fast as baseline.py,"
            " but {required} is required"
        ),
        "在 {device} 上，solution.py 的速度是 baseline.py 的 {ratio} 倍，要求 {required} 倍",
    ),
    "proof.gpu-slow.hint": (
        "make the solution faster, or require less",
        "请让参考解更快，或降低要求",
    ),
    "proof.gpu-wrong-passes": ("on {device}: {file} passes", "在 {device} 上，{file} 通过了"),
    "proof.gpu-wrong-passes.hint": (
        "it must fail at result, whatever the inputs are",
        "无论输入是什么，它都必须在 result 失败",
    ),
    "proof.gpu-cheat-passes": (
        "on {device}: the cheat `{cheat}` passes",
        "在 {device} 上，作弊代码 `{cheat}` 通过了",
    ),
    "proof.gpu-cheat-passes.hint": (
        "compare more results, or use other inputs",
        "请多比较一些结果，或换输入",
    ),
    "proof.gpu-cheat-gate": (
        "on {device}: the cheat `{cheat}` fails at `{gate}`, not at `result`",
        "在 {device} 上，作弊代码 `{cheat}` 在 `{gate}` 失败，而不是 `result`",
    ),
    "proof.gpu-cheat-gate.hint": (
        "compare more of the result, or change the inputs",
        "请多比较结果的内容，或改变输入",
    ),
}
