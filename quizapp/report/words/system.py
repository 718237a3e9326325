"""Sentences of the surroundings: settings, files, the editor, consent."""

WORDS: dict[str, tuple[str, str]] = {
    # what each setting means
    "config.about.language": ("language of screens and questions", "界面和题目的语言"),
    "config.about.new_per_day": ("new questions per day", "每日新题数"),
    "config.about.day_minutes": (
        (
            "minutes that you have per day: new questions wait while reviews of more are overdue; "
            "0: they never wait"
        ),
        "每天可用的分钟数：逾期的复习超过它时，新题暂停；0 表示从不暂停",
    ),
    "config.about.easy_days": (
        "days with few reviews: weekdays and dates, such as `sat sun 2026-12-24`",
        "少安排复习的日子：星期和日期，例如 `sat sun 2026-12-24`",
    ),
    "config.about.reviews_per_day": ("reviews per day", "每日复习数"),
    "config.about.interview_date": (
        "day of the interview, YYYY-MM-DD; empty for none",
        "面试日期，YYYY-MM-DD；留空表示没有",
    ),
    "config.about.confidence": (
        "ask how sure you are before grading",
        "评分前询问有多大把握",
    ),
    "config.about.code_language": (
        "language of kernels: `python` (Numba) or `cuda` (C++)",
        "kernel 的语言：`python`（Numba）或 `cuda`（C++）",
    ),
    "config.about.job": (
        (
            "what you interview for, which decides what is asked first: `any`, `kernel` engineer, "
            "LLM `inference`, `training` infrastructure, or `hpc`"
        ),
        (
            "面试的岗位，决定先问什么：`any`（不限）、`kernel`（算子开发）、"
            "`inference`（大模型推理）、`training`（训练基础设施）或 `hpc`（高性能计算）"
        ),
    ),
    "config.about.retention": (
        (
            "share of questions you want to still know when they return; "
            "empty for 0.9, or what the plan chooses"
        ),
        "题目再次出现时希望记得的比例；留空则为 0.9，有计划时由计划选定",
    ),
    "config.about.theme": ("color theme of the screens", "界面的配色"),
    "config.about.editor": (
        "editor for `e`; empty for $VISUAL or $EDITOR",
        "按 `e` 时使用的编辑器；留空则用 $VISUAL 或 $EDITOR",
    ),
    "config.about.content": (
        "more folders of packs or questions, or files",
        "其他题包或题目的文件夹，或文件",
    ),
    "config.about.packs": (
        "packs that are switched on or off: packs.NAME",
        "打开或关闭的题包：packs.名称",
    ),
    "config.about.new_per_pack": (
        "most new questions per day of a pack: new_per_pack.NAME",
        "单个题包每天最多的新题数：new_per_pack.名称",
    ),
    "config.about.keys": (
        "binding id = key; see `quiz config keys`",
        "绑定 id = 按键，见 `quiz config keys`",
    ),
    "config.about.gpu.use": (
        "run kernels on the GPU too, where there is one",
        "有 GPU 时也在 GPU 上运行 kernel",
    ),
    "config.about.gpu.host": (
        "user@host that has the GPU, through ssh; empty for this machine",
        "通过 ssh 使用的 GPU 主机 user@host；留空表示本机",
    ),
    "config.about.welcomed": ("the first-start screen was seen", "已看过首次启动界面"),
    # what a setting can be
    "config.expects.language": ("en or zh", "en 或 zh"),
    "config.expects.code-language": ("python or cuda", "python 或 cuda"),
    "config.expects.job": (
        "any, kernel, inference, training, or hpc",
        "any、kernel、inference、training 或 hpc",
    ),
    "config.expects.whole": (
        "an integer from {least} to {most}",
        "{least} 到 {most} 的整数",
    ),
    "config.expects.easy-days": (
        "weekdays (mon, tue, wed, thu, fri, sat, sun) and dates such as 2026-12-24",
        "星期（mon、tue、wed、thu、fri、sat、sun）和形如 2026-12-24 的日期",
    ),
    "config.expects.date": ("a date such as 2026-12-24", "形如 2026-12-24 的日期"),
    "config.expects.number": ("a number from {least} to {most}", "{least} 到 {most} 的数"),
    "config.expects.theme": ("the name of a theme", "主题名"),
    "config.expects.command": ("a command", "命令"),
    "config.expects.folders": ("a list of folders", "文件夹列表"),
    "config.expects.packs": (
        "a table of packs, each true or false",
        "题包表，每项为 true 或 false",
    ),
    "config.expects.new-per-pack": (
        "a table of packs, each with an integer from {least} to {most}",
        "题包表，每项为 {least} 到 {most} 的整数",
    ),
    "config.expects.bindings": (
        "a table of binding ids and keys",
        "绑定 id 与按键的表",
    ),
    "config.expects.host": (
        "user@host, or a name that ssh knows",
        "user@host 或 ssh 认识的名称",
    ),
    # what is wrong with a setting
    "config.in-file": ("{file}:{line}: {what}", "{file}:{line}：{what}"),
    "config.in-variable": ("{variable}: {what}", "{variable}：{what}"),
    "config.no-key": ("there is no setting '{key}'", "没有设置项 '{key}'"),
    "config.known": ("settings: {keys}", "设置项：{keys}"),
    "config.bad-value": (
        "{key}: {value} is not {expected}",
        "{key}：{value} 不符合要求，应为：{expected}",
    ),
    "config.bad-value.hint": ("it means: {meaning}", "含义：{meaning}"),
    "config.huge-number": ("a number with thousands of digits", "一个几千位的数"),
    "config.deep-value": ("a value nested thousands deep", "一个嵌套几千层的值"),
    "config.one-by-one": ("keys are set one by one", "按键要逐个设置"),
    "config.one-by-one.hint": (
        "for example `quiz config keys.hint t`",
        "例如 `quiz config keys.hint t`",
    ),
    "config.bad-key": ("{value} is not a key", "{value} 不是按键"),
    "config.bad-key.hint": (
        "write one such as t, f2 or ctrl+b; several with commas between them",
        "请写成 t、f2 或 ctrl+b 这样的形式；多个按键用逗号分隔",
    ),
    "config.key-taken": (
        "{name} cannot have the key {key}: {holder} ({meaning}) has it",
        "{name} 不能使用按键 {key}：它已用于 {holder}（{meaning}）",
    ),
    "config.key-taken.hint": (
        "choose another key, or give {holder} another one first: `quiz config keys.{holder} KEY`",
        "请换一个按键，或先给 {holder} 换：`quiz config keys.{holder} KEY`",
    ),
    "config.key-reserved": (
        "{name} cannot have the key {key}: it leaves quiz on every screen",
        "{name} 不能使用按键 {key}：它在所有界面上都用于退出 quiz",
    ),
    "config.key-reserved.hint": ("choose another key", "请换一个按键"),
    "config.no-theme": ("there is no theme '{name}'", "没有配色主题 '{name}'"),
    "config.not-utf8": ("this line is not UTF-8", "这一行不是 UTF-8"),
    "config.not-utf8.hint": (
        "save the file as UTF-8, or move it aside",
        "请将文件存为 UTF-8，或把它移开",
    ),
    "config.not-toml": (
        "this is not TOML, from column {column} on",
        "从第 {column} 列起不是有效的 TOML",
    ),
    "config.not-toml.hint": (
        "correct the line, or move the file aside",
        "请改正这一行，或把文件移开",
    ),
    "config.toml-twice": (
        "column {column} sets a key that is already set above",
        "第 {column} 列设置的内容在前面已经设置过",
    ),
    "config.toml-twice.hint": ("delete one of the two", "请删除其中之一"),
    "config.toml-ends": (
        "the file ends within a value",
        "文件在一个值的中间结束",
    ),
    "config.toml-ends.hint": (
        "finish the value, or move the file aside",
        "请补全这个值，或把文件移开",
    ),
    "config.too-deep": ("this line is nested too deeply", "这一行嵌套过深"),
    "config.too-deep.hint": (
        "write a list of text, without lists in it",
        "请写成文本列表，其中不再含列表",
    ),
    "config.too-many-digits": (
        "a number has {digits:,} digits",
        "有一个数长达 {digits:,} 位",
    ),
    "config.too-many-digits.hint": (
        "write a number with only a few digits",
        "请写一个几位数",
    ),
    # files
    "file.not-written": ("{path} cannot be written: {reason}", "{path} 无法写入：{reason}"),
    "file.not-written.hint": (
        "check that the folder is yours and that the disk has room",
        "请确认文件夹属于你，且磁盘还有空间",
    ),
    "file.not-plain": (
        "{path} is a link or not a plain file, so quiz does not write to it",
        "{path} 是链接或不是普通文件，quiz 不会写入",
    ),
    "file.not-plain.hint": (
        "remove it if you did not make it: somebody may want quiz to write to another file",
        "如果不是你建的，请删除它：可能有人想让 quiz 写到别的文件里",
    ),
    "file.ending": (
        "{file} must end in one of: {endings}",
        "{file} 的扩展名必须是：{endings}",
    ),
    "file.no-folder": (
        "{file} cannot be written: there is no folder {folder}",
        "{file} 无法写入：没有文件夹 {folder}",
    ),
    "file.no-folder.hint": (
        "make the folder first, or correct its name",
        "请先创建该文件夹，或改正其名称",
    ),
    "file.write-here": (
        "make room there, or write it here",
        "请在那里腾出空间，或在这里编写",
    ),
    "file.unreadable": ("{path}: {reason}", "{path}：{reason}"),
    "file.unreadable.hint": ("make the file readable", "请让该文件可读"),
    # the editor
    "editor.setting": ("the setting 'editor'", "设置项 editor"),
    "editor.open-quote": (
        "{name} is not a command: {command} (a quotation mark is not closed)",
        "{name} 不是命令：{command}（引号没有配对）",
    ),
    "editor.open-quote.hint": ("close the quotation mark", "请补上引号"),
    "editor.open-escape": (
        "{name} is not a command: {command} (nothing follows the last backslash)",
        "{name} 不是命令：{command}（末尾的反斜杠后面没有字符）",
    ),
    "editor.open-escape.hint": ("remove the backslash", "请删除这个反斜杠"),
    "editor.cannot-run": (
        "the editor '{program}' cannot be run: {reason}",
        "编辑器 '{program}' 无法运行：{reason}",
    ),
    "editor.cannot-run.hint": (
        "choose another: `quiz config editor {instead}`, or set EDITOR",
        "请换一个：`quiz config editor {instead}`，或设置 EDITOR",
    ),
    "editor.failed": (
        "the editor '{program}' ended with status {status}",
        "编辑器 '{program}' 以状态 {status} 结束",
    ),
    "editor.failed.hint": (
        "the file is {path}; or choose another: `quiz config editor {instead}`, or set EDITOR",
        "文件是 {path}；或换一个编辑器：`quiz config editor {instead}`，或设置 EDITOR",
    ),
    # changed copies of questions
    "overlay.no-copy": ("there is no copy of {question}", "没有 {question} 的副本"),
    "overlay.no-copy.hint": (
        "{file} is in use",
        "目前使用 {file}",
    ),
    "overlay.source-overridden": (
        "your copy overrides {question}: {file}",
        "{question} 已被你的副本覆盖：{file}",
    ),
    "overlay.source-overridden.hint": (
        "`quiz edit --revert {question}` first, or edit the copy without --source",
        "请先运行 `quiz edit --revert {question}`，或不带 --source 编辑副本",
    ),
    "overlay.source-installed": (
        "{file} was installed with the program: the next upgrade replaces it",
        "{file} 随程序安装，升级时会被替换",
    ),
    "overlay.source-installed.hint": (
        "without --source a copy of your own is edited",
        "不带 --source 即编辑你自己的副本",
    ),
    "overlay.own-question": (
        "{file} is your own question, not a copy: there is nothing to go back to",
        "{file} 是你自己的题目，不是副本，没有可恢复的原题",
    ),
    "overlay.own-question.hint": (
        "delete the file to remove the question",
        "删除该文件即可移除题目",
    ),
    "overlay.holds-more": ("{place} also holds {others}", "{place} 中还有 {others}"),
    "overlay.holds-more.hint": (
        "remove the question '{question}' from it by hand",
        "请手动从中删除题目 '{question}'",
    ),
    "overlay.taken": (
        "{place} is where your copy of {question} belongs, but holds {names}",
        "{place} 应存放 {question} 的副本，其中却是 {names}",
    ),
    "overlay.rename-folder": ("give that folder another name", "请给该文件夹改名"),
    "overlay.rename-file": ("give that file another name", "请给该文件改名"),
    "overlay.irregular": (
        "a Python file of {question} {reason}",
        "{question} 的一个 Python 文件{reason}",
    ),
    "overlay.irregular.hint": ("see what is in {folder}", "请查看 {folder} 中的内容"),
    "overlay.part-gone": (
        "{file}, a part of {question}, is gone",
        "{question} 的一部分 {file} 已经不在",
    ),
    "overlay.gone": (
        "{question} is no longer in {file}",
        "{file} 中已经没有 {question}",
    ),
    "overlay.try-again": (
        "the file was changed just now: try again",
        "文件刚刚被修改，请重试",
    ),
    # consent
    "trust.not-yours": (
        "{question} runs Python from a pack that is not yours",
        "{question} 会运行他人题包中的 Python",
    ),
    "trust.not-written-here": (
        "{path} is not what `quiz trust` wrote",
        "{path} 不是 `quiz trust` 写入的内容",
    ),
    "trust.not-written-here.hint": (
        "move the file aside: what you agreed to is then asked again",
        "请把该文件移开：之后会重新征求你的同意",
    ),
}
