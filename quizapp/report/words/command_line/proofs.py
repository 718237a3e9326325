"""Words of `quiz lint`: its summary, and what was graded to prove kernels."""

WORDS: dict[str, tuple[str, str]] = {
    "lint.progress": ("{done:,} of {total:,}: {name}", "{total:,} 之 {done:,}：{name}"),
    "lint.clean": ("No problems. {read}.", "没有问题。{read}。"),
    "lint.found": ("{problems} in {files}. {read}.", "{problems}，涉及 {files}。{read}。"),
    "lint.read": ("{questions} in {files}", "{files}，{questions}"),
    "lint.read-gpu": (
        "{questions} in {files}, {kernels} on {device}",
        "{files}，{questions}，在 {device} 上运行 {kernels}",
    ),
    "lint.held-back": (
        "Not proven: {n:,} kernels of pack {pack}; run `quiz trust {pack}`.",
        "未验证：题包 {pack} 的 {n:,} 个 kernel；请运行 `quiz trust {pack}`。",
    ),
    "lint.held-back.one": (
        "Not proven: 1 kernel of pack {pack}; run `quiz trust {pack}`.",
        "未验证：题包 {pack} 的 1 个 kernel；请运行 `quiz trust {pack}`。",
    ),
    "proof.not-derived": (
        (
            "–: cannot be derived. Threads that exchange values cannot run one after the other, a "
            "copy needs an input, and cheats that do not share the work need a limit on "
            "busiest_…_percent."
        ),
        (
            "–：无法导出。线程之间交换数据时不能逐个运行；复制需要有输入；"
            "不分担工作的作弊代码需要有对 busiest_…_percent 的限制。"
        ),
    ),
    "proof.column.question": ("question", "题目"),
    "proof.column.starter": ("starter", "初始代码"),
    "proof.column.solution": ("solution", "参考解"),
    "proof.column.mistakes": ("known mistakes", "已知错误"),
    "proof.column.verdict": ("verdict", "结论"),
    "proof.column.speedup": ("speedup", "加速比"),
    "proof.column.gate": ("required", "要求"),
    "proof.column.time": ("µs", "微秒"),
    "proof.column.cheats": ("cheats that failed", "未通过的作弊代码"),
    "proof.column.mutants": ("mutants", "变异体"),
    "proof.column.killed": ("killed", "已识破"),
    "proof.column.excused": ("excused", "已说明"),
    "proof.column.survived": ("survived", "存活"),
    "proof.column.crashed": ("no verdict", "无结论"),
    "proof.passed": ("passed", "通过"),
    "proof.failed": ("failed", "失败"),
    "proof.failed-at": ("failed: {gate}", "失败：{gate}"),
    "proof.not-judged": ("right, speed not judged", "结果正确，不评判速度"),
    "proof.not-decided": ("inconclusive", "无法判定"),
    "proof.not-measured": ("right, not measured", "结果正确，未测速度"),
    "proof.not-run": ("not run: the emulator fails it", "未运行：未通过模拟器"),
    "proof.no-verdict": ("no verdict", "没有结论"),
    "proof.of": ("{count} of {total}", "{total} 个中 {count} 个"),
}
