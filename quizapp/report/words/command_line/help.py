"""Words of `--help`: the program, each command's line, and the commands on study and progress."""

WORDS: dict[str, tuple[str, str]] = {
    "help.quiz": (
        "Practice for GPU interviews: questions spaced by what you remember.",
        "GPU 面试练习：按你的记忆情况安排复习。",
    ),
    # what every page of help has
    "help.usage": ("Usage: ", "用法："),
    "help.options": ("Options:", "选项："),
    "help.examples": ("Examples:", "示例："),
    "help.options-metavar": ("[OPTIONS]", "[选项]"),
    "help.metavar.args": ("ARGS", "参数"),
    "help.metavar.bits": ("BITS", "位"),
    "help.metavar.bytes": ("BYTES", "字节"),
    "help.metavar.command": ("COMMAND", "命令"),
    "help.metavar.expression": ("EXPRESSION", "表达式"),
    "help.metavar.date": ("DATE", "日期"),
    "help.metavar.fault": ("FAULT", "错误"),
    "help.metavar.file": ("FILE", "文件"),
    "help.metavar.folder": ("FOLDER", "文件夹"),
    "help.metavar.key": ("KEY", "设置项"),
    "help.metavar.kind": ("KIND", "题型"),
    "help.metavar.pack": ("PACK", "题包"),
    "help.metavar.page": ("PAGE", "文档"),
    "help.metavar.path": ("PATH", "路径"),
    "help.metavar.name": ("NAME", "名称"),
    "help.metavar.action": ("ACTION", "操作"),
    "help.metavar.source": ("SOURCE", "来源"),
    "help.metavar.question": ("QUESTION", "题目"),
    "help.metavar.script": ("SCRIPT", "脚本"),
    "help.metavar.theme": ("THEME", "主题"),
    "help.metavar.topic": ("TOPIC", "主题"),
    "help.metavar.topics": ("TOPICS", "主题列表"),
    "help.metavar.value": ("VALUE", "值"),
    "help.any.help": ("Show this help and exit.", "显示此帮助并退出。"),
    "help.any.json": ("Print JSON and nothing else.", "只输出 JSON。"),
    "help.any.overwrite": (
        "Replace a file that already exists.",
        "替换已存在的文件。",
    ),
    "help.any.version": ("Show the version and exit.", "显示版本并退出。"),
    "help.any.yes": ("Do not ask.", "不询问，直接执行。"),
    # the list of commands
    "help.section.study": ("Study:", "学习："),
    "help.section.model": ("Model:", "模型："),
    "help.section.questions": ("Questions:", "题目："),
    "help.section.progress": ("Progress:", "进度："),
    "help.section.setup": ("Setup:", "程序："),
    "help.start": ("Study what is due.", "学习到期的题目。"),
    "help.place": (
        "Show in 20 questions what you know, so that it is not asked as new.",
        "用 20 道题测出你已掌握的内容，不再作为新题出现。",
    ),
    "help.mock": (
        "Hold a mock interview: staged follow-ups against a clock, then a report.",
        "模拟面试：逐步追问、计时，最后给出报告。",
    ),
    "help.due": (
        "Show what is due, and when the next review is.",
        "查看到期的题目和下次复习的日期。",
    ),
    "help.plan": (
        "Plan toward a day: what to do per day, what to leave out, recall on the day.",
        "为某一天制定计划：每天学多少、哪些不学、到时预计记得多少。",
    ),
    "help.optimize": (
        "Fit the scheduler to your own answers, if that predicts them better.",
        "用自己的作答记录调整复习算法，预测更准才采用。",
    ),
    "help.stats": (
        "Show answers by day, forecast, retention, strength by topic.",
        "查看每日作答数、预测、保留率和各主题的掌握程度。",
    ),
    "help.banks": (
        "Count the bank conflicts of an access and draw its bank map.",
        "计算一次访问的 bank 冲突，并画出 bank 图。",
    ),
    "help.profile": (
        "Explain CUDA kernels, in Numba or C++, line by line, without a GPU.",
        "不用 GPU，逐行分析 Numba 或 C++ 写的 CUDA kernel。",
    ),
    "help.calibrate": (
        "Compare the bank model with the clock of this machine's GPU.",
        "用本机 GPU 的实测时钟检验 bank 模型。",
    ),
    "help.new": (
        "Write a question file that already passes `quiz lint`.",
        "生成一个能通过 `quiz lint` 的题目文件。",
    ),
    "help.preview": (
        "Show the questions of a file as the program shows them.",
        "按程序显示的样子预览文件里的题目。",
    ),
    "help.edit": ("Open a question in your editor.", "用编辑器打开一道题。"),
    "help.lint": (
        "Check questions: where each problem is, and how to fix it.",
        "检查题目，指出问题在哪里、怎样改。",
    ),
    "help.grade": (
        "Grade a submission of an exercise; with --watch, on every save.",
        "给练习的提交评分；加 --watch 则每次保存都评分。",
    ),
    "help.pack": (
        "List packs and their topics; add, remove, or export a pack.",
        "列出题包及其主题，添加、移除或导出题包。",
    ),
    "help.trust": (
        "Allow the Python of another author's pack to run, or withdraw that.",
        "允许运行他人题包里的 Python，或撤回许可。",
    ),
    "help.schema": ("Print the JSON Schema of a question file.", "输出题目文件的 JSON Schema。"),
    "help.export": (
        "Write your progress, or your answers, into a file for other programs.",
        "把学习进度或作答导出成其他程序能读的文件。",
    ),
    "help.import": (
        "Import progress from a file.",
        "从文件导入学习进度。",
    ),
    "help.sync": (
        "Exchange progress with your other machines through a shared folder.",
        "通过共享文件夹与其他机器同步学习进度。",
    ),
    "help.backup": ("Copy your progress into one file.", "把学习进度备份成一个文件。"),
    "help.restore": ("Restore a backup, or list the backups.", "恢复备份，或列出备份。"),
    "help.salvage": (
        "Rescue what can be read from a damaged database.",
        "从损坏的数据库中抢救还能读出的内容。",
    ),
    "help.reset": (
        "Make questions new again, after a backup.",
        "先备份，再把题目恢复成没做过的。",
    ),
    "help.erase": (
        "Erase everything you ever answered, after a backup.",
        "先备份，再清除全部作答。",
    ),
    "help.rebuild": (
        "Rebuild every table from the log of answers.",
        "根据作答日志重建所有表。",
    ),
    "help.config": ("Show and change settings.", "查看和修改设置。"),
    "help.doctor": (
        "Check for problems that could keep quiz from working.",
        "检查可能妨碍 quiz 运行的问题。",
    ),
    "help.docs": (
        "Read the documents that came with the program.",
        "阅读随程序提供的文档。",
    ),
    "help.paths": (
        "Show where settings, progress, and the log are kept.",
        "显示设置、进度和日志的位置。",
    ),
    "help.completion": ("Print the completion script for a shell.", "输出 shell 的补全脚本。"),
    # study
    "help.start.more": (
        (
            "Reviews come first, with new questions among them; what you answer wrong returns in "
            "the "
            "same session.\n\nEvery answer is stored before the next question is shown, so you can "
            "stop at any time."
        ),
        (
            "先复习，新题穿插其中；答错的题会在本次学习中再次出现。\n\n"
            "每次作答都先保存，再显示下一题，所以随时可以停下。"
        ),
    ),
    "help.start.pack": (
        "Only questions of this pack; of one that is off only with --practice.",
        "只出这个题包的题目；已关闭的题包只能配合 --practice。",
    ),
    "help.start.topic": (
        "Only questions on this topic; `quiz pack topics` lists them.",
        "只出这个主题的题目；`quiz pack topics` 列出所有主题。",
    ),
    "help.start.kind": (
        "Only questions of this kind: recall, choice, number, trace, index, kernel, spot.",
        "只出这种题型：问答、选择、数值、推算、布局、kernel、找错。",
    ),
    "help.start.limit": ("At most N questions.", "最多 N 道题。"),
    "help.start.new": (
        "N new questions instead of the daily limit.",
        "出 N 道新题，不按每日上限。",
    ),
    "help.start.practice": (
        "Ask all questions of the selection, due or not; schedule and daily limits stay the same.",
        "练习：所选题目不论是否到期都会出，不影响复习安排和每日上限。",
    ),
    "help.start.failed": (
        "Only questions rated Again today or the day before; those not due are asked as practice.",
        "只出今天和前一天评为“重来”的题目；没有到期的作为练习。",
    ),
    "help.start.guided": (
        "One question of each kind, and how that kind works; what is not new is asked as practice.",
        "每种题型一道题，并说明怎么答；已学过的题作为练习。",
    ),
    "help.any.plain": (
        "Line by line: for screen readers, pipes, and scripts.",
        "逐行问答：适合屏幕阅读器、管道和脚本。",
    ),
    "help.place.more": (
        (
            "Asks questions that you have not answered, in five minutes, harder after a right "
            "answer and easier after a wrong one. What you answer right, without a hint or a "
            "guess, counts as known: it comes back as a review. No statistics count it. One "
            "undo in `quiz start` takes it back."
        ),
        (
            "在五分钟内问你没答过的题，答对就变难，答错就变容易。不看提示、不靠猜测而答对的算作已掌握，"
            "之后作为复习出现。不计入统计；在 `quiz start` 里撤销一次即可撤回。"
        ),
    ),
    "help.mock.more": (
        (
            "THEME is one of `--themes`; without it the themes that you had longest ago, or never, "
            "are asked, as many as fit. Prose is compared with a rubric, which you tick yourself; "
            "code is graded. No schedule moves.\n\nAn interview that is stopped can be resumed. "
            "With --json, --list, --report, and --themes print JSON."
        ),
        (
            "THEME 是 `--themes` 列出的主题之一；不写时，选最久没问过或从未问过的主题，"
            "时间够几个就问几个。"
            "文字回答由你对照评分要点打勾，代码由程序评分。不影响复习安排。\n\n中断的面试可以继续。"
            "加 --json 时，--list、--report、--themes 输出 JSON。"
        ),
    ),
    "help.mock.minutes": ("How long it lasts; 45 if not given.", "时长；默认 45 分钟。"),
    "help.mock.style": (
        "By phone (screen), where nothing is programmed, or all of it (onsite), the default.",
        "电话面试（screen）不写代码；现场面试（onsite）问全部环节，默认。",
    ),
    "help.mock.resume": (
        "Go on with the interview that was stopped.",
        "继续上次中断的面试。",
    ),
    "help.mock.themes": ("List the themes.", "列出主题。"),
    "help.mock.list": ("List all interviews with their scores.", "列出所有面试及得分。"),
    "help.mock.report": ("Print the report on interview N.", "输出第 N 场面试的报告。"),
    "help.mock.export": (
        "Write the report to a .md or .html file; without --report, the latest one.",
        "把报告写入 .md 或 .html 文件；不加 --report 时是最近一场。",
    ),
    "help.due.more": (
        (
            "What `quiz start` would show now, within the daily limits, and how well you know each "
            "topic."
        ),
        "`quiz start` 现在会出哪些题（不超过每日上限），以及各主题的掌握程度。",
    ),
    "help.plan.more": (
        (
            "With --date it sets the plan, without options it shows it. Everything planned comes "
            "once more in the last fifth of the time; what does not fit is left "
            "out: --left-out lists it. --drop gives back the normal schedule."
        ),
        (
            "加上 --date 设定计划，不加选项则显示计划。"
            "计划内的题目在最后五分之一的时间里都会再出现一次；"
            "时间不够学的题目不学，--left-out 列出这些题。"
            "--drop 取消计划，恢复平常的复习安排。"
        ),
    ),
    "help.plan.date": (
        "The day to be ready on, as 2027-02-01; without it, the setting interview_date.",
        "目标日，写成 2027-02-01；不写则用设置 interview_date。",
    ),
    "help.plan.topics": (
        "Only these topics, separated by commas; empty for all.",
        "只学这些主题，用逗号分隔；留空表示全部。",
    ),
    "help.plan.minutes": ("Minutes per day, 1 to 600.", "每天的分钟数，1 到 600。"),
    "help.plan.left-out": (
        "List the questions that the plan has no time for.",
        "列出计划里时间不够学的题目。",
    ),
    "help.plan.drop": ("Drop the plan.", "取消计划。"),
    "help.optimize.more": (
        (
            "Weights of FSRS are fitted to your earlier reviews and compared with the present "
            "ones on those that followed; they are adopted only if they predict it better by "
            "more than chance explains. "
            "Questions keep the day they have until their next answer. Needs gpu-quiz[tune]."
        ),
        (
            "用较早的复习记录拟合 FSRS 参数，再在其后的记录上和现有参数比较，"
            "预测更准、且超出偶然误差才采用。"
            "题目在下次作答之前保持原来的日期。需要安装 gpu-quiz[tune]。"
        ),
    ),
    "help.optimize.dry-run": ("Show the comparison and adopt nothing.", "只比较，不采用。"),
    "help.optimize.undo": (
        "Undo the latest fit: the weights before it hold again.",
        "撤销最近一次拟合，恢复之前的参数。",
    ),
    "help.stats.more": (
        (
            "True retention is the share of reviews (not first exposures) that were not rated "
            "Again. A review is mature if its interval was 21 days or more, and young otherwise."
        ),
        (
            "实际保留率：复习（不算第一次做）中没有评为“重来”的比例。"
            "间隔不少于 21 天的复习为“已熟”，其余为“欠熟”。"
        ),
    ),
    # progress
    "help.export.more": (
        (
            "FILE must not exist yet. It gets every event of your log as one line of JSON, which "
            "`quiz import` reads without loss; `quiz docs exchange` describes it. A name that ends "
            "in .csv gets a table of answers instead; one that ends in .apkg all questions with "
            "reviews and due dates, for Anki.\n\nYour answers are in it in plain text."
        ),
        (
            "“文件”必须还不存在。日志里的每个事件写成一行 JSON，`quiz import` 可以无损读回；"
            "`quiz docs exchange` 说明了格式。以 .csv 结尾的文件则是作答表格；"
            "以 .apkg 结尾的是供 Anki 使用的全部题目、复习记录和到期日。\n\n"
            "文件里的作答是明文。"
        ),
    ),
    "help.export.csv": ("Write a table of answers, one per line.", "写成作答表格，每行一次作答。"),
    "help.import.more": (
        (
            "FILE is one that `quiz export` wrote, or an Anki package (.apkg, .colpkg): notes of "
            "ours bring their reviews, others become recall questions. Says first what is new in "
            "it, then asks. What your "
            "progress already holds is skipped, so importing twice is harmless. --undo takes "
            "back all that the latest import or sync brought, and says how many answers these "
            "are; --redo brings it back."
        ),
        (
            "“文件”由 `quiz export` 写出，或是 Anki 的 .apkg、.colpkg：我们的笔记带回复习记录，"
            "其他笔记变成问答题。先说明其中有哪些新内容，再询问。"
            "你的进度里已有的会跳过，因此重复导入没有影响。"
            "--undo 撤回最近一次导入或同步带来的全部内容，并说明有多少次作答；--redo 恢复它们。"
        ),
    ),
    "help.import.undo": (
        "Take back what the latest import or sync brought.",
        "撤回最近一次导入或同步带来的内容。",
    ),
    "help.import.redo": (
        "Bring back what was taken back last.",
        "恢复最后撤回的内容。",
    ),
    "help.sync.more": (
        (
            "FOLDER is any folder that your machines share: of Syncthing or Dropbox, a checkout, "
            "a mounted drive. Each machine appends to its own file and reads the files of the "
            "others, so nothing is ever overwritten. Run it on each machine, as often as you "
            "like.\n\nThe files hold your answers in plain text. "
            "`quiz import --undo` takes back what the latest sync brought."
        ),
        (
            "“文件夹”可以是各台机器共享的任何文件夹：Syncthing、Dropbox、git 工作区或挂载的磁盘。"
            "每台机器只往自己的文件里追加，并读取其他机器的文件，因此不会覆盖任何内容。"
            "在每台机器上运行，次数不限。\n\n"
            "文件里的作答是明文。`quiz import --undo` 撤回最近一次同步带来的内容。"
        ),
    ),
    "help.sync.revive": (
        "Take back what `quiz erase` erased, on this machine or another.",
        "撤销 `quiz erase` 的清除（本机或其他机器的）。",
    ),
    "help.backup.more": (
        (
            "Without FILE, the copy goes into the folder `backups` next to the database. FILE "
            "must not "
            "exist yet. Prints the copy's path.\n\nThe copy is checked, and it is consistent even "
            "while you study. `quiz start` makes one after a session, at most once a day."
        ),
        (
            "不给“文件”时，备份放在数据库旁边的 `backups` 文件夹里。“文件”必须还不存在。"
            "输出备份的路径。\n\n备份经过检查，学习当中备份也是一致的。"
            "`quiz start` 每次学习之后会自动备份，每天最多一次。"
        ),
    ),
    "help.restore.more": (
        (
            "Without FILE, lists the backups, newest first.\n\nThe current database is kept, "
            "whatever "
            "its state, and FILE stays where it is. Refused while another program has the database "
            "open."
        ),
        (
            "不给“文件”时，列出所有备份，最新的在前。\n\n"
            "现有的数据库不论状态如何都会保留，“文件”也留在原处。"
            "数据库正被其他程序打开时，不能恢复。"
        ),
    ),
    "help.restore.empty": ("Start over with an empty database.", "从空数据库重新开始。"),
    "help.salvage.more": (
        (
            "Reads answers and half-written answers page by page, and replays them into a new "
            "database.\n\nWith FILE, a damaged backup or a database that was replaced, what it "
            "finds "
            "there replaces your progress. Without FILE, it reads your own database, and changes "
            "nothing when nothing is wrong with it. What is replaced is kept. Refused while "
            "another "
            "program has your database open. `quiz restore` lists the backups, which may hold more."
        ),
        (
            "逐页读出作答和未写完的答案，重放到一个新数据库里。\n\n"
            "给出“文件”（损坏的备份，或被替换下来的数据库）时，用其中读出的内容替换你的进度。"
            "不给“文件”时读取你自己的数据库；没有损坏就什么也不改。被替换的数据库会保留。"
            "数据库正被其他程序打开时，不能抢救。`quiz restore` 列出备份，备份里的内容可能更多。"
        ),
    ),
    "help.reset.more": (
        "Past answers stay in the log but no longer count. Prints the backup's path.",
        "以前的作答留在日志里，但不再计入。输出备份的路径。",
    ),
    "help.reset.topic": ("All questions on this topic.", "这个主题的所有题目。"),
    "help.reset.all": ("All questions.", "所有题目。"),
    "help.reset.half-written": (
        "Drop only half-written answers, and list them first; progress stays.",
        "只丢弃未写完的答案，并先列出它们；进度保留。",
    ),
    "help.erase.more": (
        (
            "Erases answers, schedule, marks, and half-written answers. Settings and your own "
            "questions stay.\n\nPrints the backup's path: delete that file too, and nothing is "
            "left."
        ),
        (
            "清除作答、复习安排、标记和未写完的答案。设置和你自己写的题目保留。\n\n"
            "输出备份的路径：把备份也删掉，就什么都不剩了。"
            "如果使用 `quiz sync`，之后请在每台机器上运行它：各台机器会清除自己的那部分。"
        ),
    ),
    "help.rebuild.more": (
        "The log is the source of truth, so this loses nothing. Useful after a repair by hand.",
        "一切以日志为准，因此不会丢失任何内容。手工修复之后可以用它。",
    ),
    # setup
    "help.config.more": (
        (
            "Without arguments, lists all settings; with KEY, prints its value; with KEY and "
            "VALUE, "
            "writes it into the settings file.\n\nThe KEY `keys` lists every binding with its id; "
            "keys.ID is one of them, as in keys.hint. An empty VALUE clears a setting that may be "
            "empty. Flags override environment variables (QUIZ_ and the key in capitals, a dot "
            "as _), "
            "which override the settings file."
        ),
        (
            "不带参数时列出所有设置；只给“设置项”时输出它的值；再给“值”则写入设置文件。\n\n"
            "设置项 `keys` 列出所有按键绑定及其 id；keys.ID 是其中一个，例如 keys.hint。"
            "“值”为空表示清除可以留空的设置。命令行选项优先于环境变量"
            "（QUIZ_ 加大写的设置项，点写作 _），环境变量优先于设置文件。"
        ),
    ),
    "help.config.path": ("Print the path of the settings file.", "输出设置文件的路径。"),
    "help.docs.more": (
        "Without PAGE, lists the documents. On a terminal, a document opens in your pager.",
        "文档只有英文。不给“文档”时，列出所有文档。在终端里会用分页程序打开。",
    ),
    "help.docs.path": (
        "Print the file's path instead of its text.",
        "输出文件的路径，而不是内容。",
    ),
    "help.paths.more": (
        "`QUIZ_HOME=/another/folder` puts everything but the shipped questions there.",
        "`QUIZ_HOME=/another/folder` 会把自带题目以外的一切放到那里。",
    ),
    "help.completion.more": (
        "Completes commands, options, topics, kinds, question ids, and settings.",
        "可补全命令、选项、主题、题型、题目 id 和设置项。",
    ),
    "help.edit.more": (
        (
            "A question that came with the program is edited in a copy of your own, which "
            "overrides "
            "it and survives upgrades, in a checkout of the project too; its authors edit "
            "the question itself with --source.\n\n"
            "The editor is the setting `editor`, else $VISUAL, $EDITOR, or vi. Afterwards the "
            "file is "
            "checked as by `quiz lint`."
        ),
        (
            "随程序提供的题目会复制一份供你修改；你的副本优先于原题，升级后仍保留。"
            "在项目的代码仓库里也是如此；作者用 --source 直接修改题目本身。\n\n"
            "编辑器取设置 `editor`，其次 $VISUAL、$EDITOR、vi。保存后会像 `quiz lint` 一样检查文"
            "件。"
        ),
    ),
    "help.edit.source": (
        "Edit the question itself, not a copy: for its authors, in a checkout.",
        "直接修改题目本身而不是副本：供作者在代码仓库中使用。",
    ),
    "help.edit.revert": (
        "Go back to the original; your copy is moved aside.",
        "恢复使用原题；你的副本会移到一旁。",
    ),
    "help.pack.more": (
        (
            "ACTION is list, topics, add, remove, or export. topics lists what `--topic` takes, of "
            "one pack or all. add takes a folder, a zip file, or the URL of a git repository "
            "(https or ssh), checks it, and installs it whole or not at all; its Python runs only "
            "after `quiz trust`. remove puts an installed pack aside, from where "
            "add brings it back, and deletes no answer. export writes a pack into a zip file."
        ),
        (
            "“操作”是 list、topics、add、remove 或 export。topics 列出 `--topic` 可用的主题，"
            "可只列一个题包的。add 接受文件夹、zip 文件或 git 仓库的 "
            "URL（https 或 ssh），检查后完整安装，否则什么也不装；其中的 Python 在 `quiz trust` "
            "之后才会运行。remove 把已安装的题包移到一旁，可用 add 恢复，不删除任何作答。"
            "export 把题包写成 zip 文件。"
        ),
    ),
    "help.pack.name": (
        "What the pack is called here; the default is the name of its folder.",
        "题包在这里的名称；默认用其文件夹名。",
    ),
    "help.pack.folder": (
        "Where the pack is within what is added, if that holds several.",
        "所添加的内容含多个题包时，题包所在的文件夹。",
    ),
    "help.trust.more": (
        (
            "A pack with kernels is a program: its reference.py computes what is right.\n\nShows "
            "which "
            "files run and what confines them, and asks once; it asks again when the code changes. "
            "Shipped questions and those in your own content folder need no consent. Without PACK, "
            "lists the packs."
        ),
        (
            "带 kernel 的题包就是程序：正确结果由其中的 reference.py 算出。\n\n"
            "先列出会运行哪些文件、有什么限制，再询问一次；代码改动后会重新询问。"
            "自带的题目和你自己内容文件夹里的题目不需要同意。不给“题包”时，列出所有题包。"
        ),
    ),
    "help.trust.code": (
        "Print the code that would run, and ask nothing.",
        "输出会运行的代码，不询问。",
    ),
    "help.trust.withdraw": ("Withdraw your consent.", "撤回你的同意。"),
}
