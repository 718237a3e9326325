"""Words of the commands on study, progress and settings: tables, results, questions."""

WORDS: dict[str, tuple[str, str]] = {
    "count.events": ("{n:,} events", "{n:,} 个事件"),
    "count.events.one": ("1 event", "1 个事件"),
    "count.reviews": ("{n:,} reviews", "{n:,} 次复习"),
    "count.reviews.one": ("1 review", "1 次复习"),
    # quiz due
    "due.due": ("due", "到期"),
    "due.new": ("new", "新题"),
    "due.unseen": ("of {n:,}", "共 {n:,} 道"),
    "due.planned": (
        "of {n:,} that fit into the plan; {unseen:,} unseen",
        "计划内共 {n:,} 道；没做过的 {unseen:,} 道",
    ),
    "due.time": ("time", "用时"),
    "due.minutes": ("min, about", "分钟左右"),
    "due.next": ("next", "下次"),
    "due.on": ("on {date}", "{date}"),
    "due.drafts": ("drafts", "草稿"),
    "due.half-written": (
        "half-written; quiz reset --all --half-written lists and drops them",
        "未写完；quiz reset --all --half-written 列出并丢弃",
    ),
    "due.left-out": ("skipped", "跳过"),
    "due.with-errors": ("with errors: see `quiz lint`", "有错误：见 `quiz lint`"),
    "due.held-back": ("held back", "暂缓"),
    "due.runs-python": (
        "run Python: see `quiz trust {pack}`",
        "会运行 Python：见 `quiz trust {pack}`",
    ),
    "due.forecast": (
        "{interview}: recall {percent} of the {n} questions learned, without further reviews",
        "{interview}；如果不再复习，到时还记得已学 {n} 道题的 {percent}",
    ),
    "due.known": ("known", "掌握"),
    "due.topic": ("topic", "主题"),
    "due.no-questions": (
        "There are no questions yet: `quiz new choice` writes one.",
        "还没有题目：`quiz new choice` 会生成一道。",
    ),
    # quiz stats
    "stats.answers": ("answers", "作答"),
    "stats.in-minutes": ("in {n:,} min", "用时 {n:,} 分钟"),
    "stats.streak": ("streak", "连续学习"),
    "stats.days": ("days", "天"),
    "stats.days.one": ("day", "天"),
    "stats.retention": ("retention", "实际保留率"),
    "stats.retention-of": ("{of}, {reviews}", "{of}，{reviews}"),
    "stats.retention-likely": (
        "{of}, {reviews}, likely {low} to {high}",
        "{of}，{reviews}，95% 置信区间 {low} 到 {high}",
    ),
    "stats.by-day": ("answers by day", "每日作答"),
    "stats.reviews-due": ("reviews due", "到期复习"),
    "stats.none": ("none", "无"),
    "stats.forgotten": ("forgotten most often", "最常忘记的题目"),
    # quiz config
    "config.key": ("key", "设置项"),
    "config.value": ("value", "值"),
    "config.from": ("from", "来自"),
    "config.meaning": ("meaning", "含义"),
    "config.source.default": ("default", "默认"),
    "config.source.file": ("file", "文件"),
    "config.source.environment": ("environment", "环境变量"),
    "config.source.plan": ("plan", "计划"),
    "config.plan-has-date": (
        "while there is a plan, its day is the day of the interview: {day}",
        "有计划时，面试日期就是计划的目标日：{day}",
    ),
    "config.move-plan": (
        "`quiz plan --date {day}` moves the plan, `quiz plan --drop` drops it",
        "`quiz plan --date {day}` 修改目标日，`quiz plan --drop` 取消计划",
    ),
    "config.id": ("id", "名称（id）"),
    "config.binding": ("key", "按键"),
    "config.overridden": (
        "Written, but {variable} is set and overrides the file.",
        "已写入，但环境变量 {variable} 已设置，优先于文件。",
    ),
    "config.path-takes-no-key": ("--path takes no key", "--path 不带设置项"),
    "config.path-takes-no-key.hint": (
        "`quiz config --path` or `quiz config KEY`",
        "`quiz config --path` 或 `quiz config 设置项`",
    ),
    "config.no-binding": ("there is no key '{name}'", "没有按键绑定 '{name}'"),
    "config.bindings-listed": (
        "`quiz config keys` lists them",
        "`quiz config keys` 会列出所有绑定",
    ),
    "config.name-content": ("name a folder, or a YAML file", "请给出文件夹或 YAML 文件"),
    "config.not-content": (
        "{path} is neither a folder nor a YAML file",
        "{path} 既不是文件夹，也不是 YAML 文件",
    ),
    "config.too-wide": (
        "{folder} holds much besides questions: every start would read through all of it",
        "{folder} 里不只有题目：每次启动都要读遍其中的一切",
    ),
    "config.not-content.hint": ("name one of these", "请给出其中之一"),
    # quiz docs
    "docs.title.api": ("The grader as a library", "把评判器当作库使用"),
    "docs.title.architecture": ("Architecture", "架构"),
    "docs.title.authoring": ("Writing questions", "编写题目"),
    "docs.title.bank-model": ("How bank conflicts are counted", "如何统计 bank 冲突"),
    "docs.title.claims": ("Checked claims", "核对过的说法"),
    "docs.title.cluster": ("Grading on a cluster", "在集群上评判"),
    "docs.title.witnesses": (
        "Four witnesses of each kernel question",
        "每道 kernel 题的四个证据来源",
    ),
    "docs.title.ptx": (
        "PTX: what a compiler made of a kernel, in the emulator",
        "PTX：在模拟器中运行编译后的 kernel",
    ),
    "docs.title.compiled": (
        "What the compiler says, without a GPU",
        "没有 GPU 时编译器的报告",
    ),
    "docs.title.coverage": ("What of the sources is asked", "各来源与对应的题目"),
    "docs.title.cli": ("The command line", "命令行"),
    "docs.title.emulator": (
        "The emulator: a kernel, run and explained without a GPU",
        "模拟器：没有 GPU 也能运行并讲解 kernel",
    ),
    "docs.title.exchange": ("Progress as files", "学习进度文件"),
    "docs.title.glossary": ("Glossary", "术语表"),
    "docs.title.gpu": ("How a kernel is judged on a GPU", "如何在 GPU 上评判 kernel"),
    "docs.title.kernels": ("How a kernel is graded", "如何评判 kernel"),
    "docs.title.layouts": ("How a layout is graded", "如何评判布局"),
    "docs.title.classes": ("Classes", "班级"),
    "docs.title.serve": ("Grading for other programs", "为其他程序评判"),
    "docs.title.interviews": ("What interviews ask", "面试问什么"),
    "docs.title.measured": (
        "What was measured, and how to measure it again",
        "实测了什么，如何重新测量",
    ),
    "docs.no-page": ("there is no document '{name}'", "没有文档 '{name}'"),
    "docs.pages": ("documents: {names}", "文档：{names}"),
    # quiz paths
    "paths.data": ("data", "数据"),
    "paths.database": ("database", "数据库"),
    "paths.backups": ("backups", "备份"),
    "paths.content": ("content", "你的题目"),
    "paths.packs": ("installed packs", "已安装的题包"),
    "paths.removed_packs": ("removed packs", "已移除的题包"),
    "paths.shipped_content": ("shipped content", "自带题目"),
    "paths.config": ("settings", "设置"),
    "paths.cache": ("cache", "缓存"),
    "paths.log": ("log", "日志"),
    # what several of them say about a file
    "progress.file-missing.hint": (
        "`quiz restore` lists the backups",
        "`quiz restore` 列出所有备份",
    ),
    "progress.kept-sound": (
        "`quiz restore {path}` brings back what was there before. It is kept in:",
        "`quiz restore {path}` 可恢复之前的内容。它保存在：",
    ),
    "progress.kept-damaged": (
        "`quiz salvage {path}` reads what was there before. It is kept in:",
        "`quiz salvage {path}` 可从之前的内容中抢救。它保存在：",
    ),
    # quiz backup
    "file.exists": ("{file} exists already", "{file} 已存在"),
    "file.exists.hint": (
        "name another file, or add --overwrite to replace it",
        "请换一个文件名；要替换它，请加上 --overwrite",
    ),
    "backup.exists": ("{file} exists already", "{file} 已存在"),
    "backup.exists.hint": ("name a file that does not", "请给出一个还不存在的文件"),
    "backup.made": ("{events}, {size:.1f} MB:", "{events}，{size:.1f} MB："),
    # quiz restore
    "restore.either": (
        "a backup or an empty database, not both",
        "备份和空数据库只能选一个",
    ),
    "restore.either.hint": ("see `quiz restore --help`", "见 `quiz restore --help`"),
    "restore.empty-database": ("an empty database", "空数据库"),
    "restore.question": (
        "Replace your progress with {what}? The current database is kept. [y/N]",
        "用 {what} 替换你的进度？现有的数据库会保留。[y/N]",
    ),
    "restore.holds": ("{path} holds {events} now.", "{path} 现有 {events}。"),
    "restore.made": ("made (UTC)", "创建时间（UTC）"),
    "restore.events": ("events", "事件"),
    "restore.damaged": ("damaged", "已损坏"),
    "restore.salvage-instead": (
        "A damaged backup cannot be restored; what can be read from it can be rescued:",
        "损坏的备份无法恢复；其中还能读出的内容可以抢救：",
    ),
    "restore.none": (
        "There is no backup yet: `quiz backup` makes one.",
        "还没有备份：`quiz backup` 会创建一个。",
    ),
    # quiz salvage
    "salvage.question": (
        (
            "{events} can be read from {source}. Replace {database} by a database of these? "
            "The current database is kept. [y/N]"
        ),
        "从 {source} 能读出 {events}。用由此重建的数据库替换 {database}？现有的数据库会保留。[y/N]",
    ),
    "salvage.healthy": (
        "Nothing is wrong with {database}: there is nothing to rescue, nothing was changed.",
        "{database} 没有损坏：没有需要抢救的内容，什么也没改。",
    ),
    "salvage.rescued": ("{events} rescued.", "抢救出 {events}。"),
    "salvage.unreadable": ("{events} could not be read.", "{events}无法读出。"),
    "salvage.rescheduled": (
        "{n:,} answers count under the default parameters.",
        "{n:,} 次作答按默认参数计入。",
    ),
    "salvage.rescheduled.one": (
        "1 answer counts under the default parameters.",
        "1 次作答按默认参数计入。",
    ),
    "salvage.kept": ("The damaged database is kept in:", "损坏的数据库保存在："),
    # quiz reset
    "reset.which": (
        "name what to reset: one question, one topic, or all",
        "请指明要重置什么：一道题、一个主题，或全部",
    ),
    "reset.which.hint": (
        "quiz reset QUESTION, quiz reset --topic T, or quiz reset --all",
        "quiz reset 题目、quiz reset --topic 主题，或 quiz reset --all",
    ),
    "reset.nothing": (
        "Nothing to reset: no answer to any of these counts.",
        "没有需要重置的：这些题目都没有计入的作答。",
    ),
    "reset.nothing-written": ("No half-written answers here.", "这里没有未写完的答案。"),
    "reset.drop.question": (
        "Drop what you wrote for {what}? [y/N]",
        "丢弃为 {what} 写下的内容？[y/N]",
    ),
    "reset.dropped": (
        "Dropped the half-written answers to {questions}. What was before is kept in:",
        "已丢弃{questions}的未写完的答案。之前的内容保存在：",
    ),
    "reset.question": ("Make {what} new again? [y/N]", "把 {what} 恢复成没做过的？[y/N]"),
    "reset.done": (
        "{questions} will be asked as new. What was before is kept in:",
        "{questions}将作为新题出现。之前的内容保存在：",
    ),
    # quiz erase
    "erase.nothing": ("Nothing to erase: there is no {path}.", "没有可清除的：{path} 不存在。"),
    "erase.question": (
        "Forget all progress ({events} in the log)? Type erase:",
        "清除全部进度（日志里有 {events}）？请输入 erase：",
    ),
    "erase.done": (
        "All progress is forgotten. What was before is kept in:",
        "全部进度已清除。之前的内容保存在：",
    ),
    # quiz rebuild
    "rebuild.progress": ("{done:,} of {events}", "{events}中的 {done:,} 个"),
    "rebuild.done": ("{questions} derived from {events}.", "由 {events}重建了 {questions}。"),
    # quiz edit
    "edit.revert-or-source": (
        "--revert and --source cannot be combined",
        "--revert 与 --source 不能同时使用",
    ),
    "edit.here": ("`quiz edit`", "`quiz edit` "),
    "edit.elsewhere": (
        "edit {file}, line {line}, and lint it",
        "请自行编辑 {file} 第 {line} 行，再用 quiz lint 检查",
    ),
    "edit.reverted": (
        "The original {question} is used again. Your version is kept in:",
        "已恢复使用原题 {question}。你的版本保存在：",
    ),
    "edit.unchanged": ("{question} is unchanged.", "{question} 没有改动。"),
    "edit.copy": (
        "This is your copy; `quiz edit --revert {question}` goes back to the original.",
        "这是你的副本；`quiz edit --revert {question}` 可恢复原题。",
    ),
    # quiz trust
    "trust.agreed-before": (
        "You agreed to this. `quiz trust {pack} --withdraw` takes it back.",
        "你已同意。`quiz trust {pack} --withdraw` 可撤回。",
    ),
    "trust.question": (
        "Let this code run from now on? yes or no:",
        "从现在起允许运行这些代码？yes 或 no：",
    ),
    "trust.may-run": (
        "The code of {questions} of {pack} may run now. If it changes, you are asked again.",
        "题包 {pack} 中 {questions}的代码现在可以运行。代码改动后会再次询问。",
    ),
    "trust.all-yours": (
        "Every question that runs Python is shipped, or in your own content folder.",
        "会运行 Python 的题目都是自带的，或在你自己的内容文件夹里。",
    ),
    "trust.skipped": ("{questions} skipped until you agree", "{questions}在你同意之前跳过"),
    "trust.agreed": ("agreed", "已同意"),
    "trust.nothing": (
        "the pack {pack} runs no Python that is not yours",
        "题包 {pack} 不运行他人的 Python",
    ),
    "trust.nothing.hint": ("nothing to agree to", "没有需要同意的内容"),
    "trust.packs": ("packs: {names}", "题包：{names}"),
    "trust.withdrawn": ("{pack} no longer runs.", "{pack} 不再运行。"),
    "trust.not-agreed": ("You had not agreed to {pack}.", "你没有同意过 {pack}。"),
    "trust.column.question": ("question", "题目"),
    "trust.column.file": ("file", "文件"),
    "trust.column.lines": ("lines", "行数"),
    "trust.column.bytes": ("bytes", "字节"),
    "trust.runs": ("The pack {pack} runs this Python:", "题包 {pack} 会运行以下 Python："),
    "trust.trying": ("Trying what confines it …", "正在检查限制措施……"),
    "trust.reference": (
        (
            "reference.py runs when a question is shown, graded, or checked, in the process that "
            "grades. It can decide the verdict on every question of its own pack; questions of "
            "other packs are graded in another process. It can see which files exist, with their "
            "sizes and times, but reads only what Python itself needs."
        ),
        (
            "reference.py 在显示题目、评分或检查时运行，与评分在同一个进程里。"
            "它能左右本题包每道题的评判；其他题包的题在另一个进程里评分。"
            "它能看到有哪些文件及其大小和时间，但只能读取 Python 自身需要的文件。"
        ),
    ),
    "trust.on-gpu": (
        "Where a GPU is used, it runs there too, with the other files, and is not confined.",
        "使用 GPU 时，它和其他文件也在那里运行，并且不受限制。",
    ),
    "trust.see-code": (
        "`quiz trust {pack} --code` prints the code. It is in:",
        "`quiz trust {pack} --code` 会输出代码。代码位于：",
    ),
    # what the shell shows beside a name that it completes
    "completion.binding": ("key of '{name}'", "'{name}' 的按键"),
}
