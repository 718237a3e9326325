"""Words of the plain mode: prompts, answers to commands, and what is said around a question."""

WORDS: dict[str, tuple[str, str]] = {
    # where we stand
    "plain.home": (
        "Due {due}, new {new} of {unseen}, about {minutes}.",
        "到期 {due} 题，新题 {new} 题（未学 {unseen} 题），约 {minutes}。",
    ),
    "plain.session": (
        "This session: {n} questions. :? lists the commands.",
        "本次共 {n} 题。输入 :? 查看命令。",
    ),
    "plain.session.one": (
        "This session: 1 question. :? lists the commands.",
        "本次共 1 题。输入 :? 查看命令。",
    ),
    "plain.interview": ("Interview in {n} days.", "距面试还有 {n} 天。"),
    "plain.interview.one": ("Interview tomorrow.", "明天面试。"),
    "plain.interview_today": ("Interview today.", "今天面试。"),
    "plain.left_out": (
        "{n} questions are skipped because of errors; `quiz lint` lists them.",
        "有 {n} 题因错误被跳过，`quiz lint` 会列出错误。",
    ),
    "plain.left_out.one": (
        "1 question is skipped because of errors; `quiz lint` lists the errors.",
        "有 1 题因错误被跳过，`quiz lint` 会列出错误。",
    ),
    "plain.nothing": ("Nothing to ask now.", "现在没有要答的题。"),
    "plain.next": ("Next: {n} questions on {date}.", "下一次：{date}，{n} 题。"),
    "plain.next.one": ("Next: 1 question on {date}.", "下一次：{date}，1 题。"),
    "plain.unseen": (
        "{n} questions are still unseen; --new N asks more of them today.",
        "还有 {n} 题没学过；用 --new N 今天多学几题。",
    ),
    "plain.unseen.one": (
        "1 question is still unseen; --new 1 asks it today.",
        "还有 1 题没学过；用 --new 1 今天就学。",
    ),
    "plain.topics": ("Topics (--topic):", "主题（--topic）："),
    "plain.topic": ("{topic} · {title} · {n}", "{topic} · {title} · {n} 题"),
    "plain.empty": ("There are no questions.", "没有任何题目。"),
    # a question
    "plain.header": ("{position} of {total}", "第 {position} 题，共 {total} 题"),
    "plain.difficulty": ("difficulty {n}", "难度 {n}"),
    "plain.difficulty.one": ("difficulty 1", "难度 1"),
    "plain.ask.one": (
        "Your answer, one number from 1 to {count}:",
        "请输入一个序号（1 到 {count}）：",
    ),
    "plain.ask.several": (
        "Your answer, all that are right, such as 1 3:",
        "请输入所有正确项的序号，例如 1 3：",
    ),
    "plain.ask.number": ("Your answer, a number:", "请输入一个数："),
    "plain.ask.unit": ("Your answer, a number ({blank}):", "请输入一个数（{blank}）："),
    "plain.not_graded": ("{why} Not graded.", "{why}这次不计。"),
    "plain.ask.code": (
        "Your code, in lines; a line with a single . submits it.",
        "请分行写代码；单独一行 . 表示提交。",
    ),
    "plain.ask.spot": (
        "The line with the bug and the kind of bug (1 to {count}), such as 9 1:",
        "请输入出错的行号和错误种类（1 到 {count}），例如 9 1：",
    ),
    "plain.unclear.spot": (
        "Please type a line from 1 to {last} and a kind from 1 to {count}, such as 9 1.",
        "请输入 1 到 {last} 的行号和 1 到 {count} 的种类，例如 9 1。",
    ),
    "plain.ask.recall": (
        (
            "Type your answer, on one line or several; an empty line or a single . ends it. "
            "Or say it aloud and just press enter."
        ),
        "请分行作答，以空行或单独一个 . 结束。也可以口头回答，直接按回车。",
    ),
    "plain.draft": (
        "Draft from last time: enter keeps it, more lines continue it, :x starts over.",
        "上次的草稿：直接按回车即采用，继续输入则接着写，:x 重新开始。",
    ),
    "plain.draft_code": (
        "Draft from last time: a single . submits it, more lines continue it, :x starts over.",
        "上次的草稿：单独一行 . 即提交，继续输入则接着写，:x 重新开始。",
    ),
    "plain.pending": (
        (
            "This submission passed in the emulator; the program ended before the GPU answered. "
            "A single . submits it again, :e takes the emulator's verdict."
        ),
        (
            "这份提交已通过模拟器，但程序在 GPU 应答之前结束了。"
            "单独一行 . 重新提交，:e 采用模拟器的评判。"
        ),
    ),
    "plain.no_pending": ("No submission is waiting for the GPU.", "没有等待 GPU 的提交。"),
    "plain.model": ("The model answer:", "参考答案："),
    "plain.points": ("Its points:", "要点："),
    "plain.ask.points": (
        "Which points did you cover? Numbers such as 1 3, or 0 for none:",
        "你答到了哪些要点？输入序号，例如 1 3；没有则输入 0：",
    ),
    "plain.ask.confidence": (
        "How sure? 1 guess, 2 fairly (or enter), 3 certain; the setting confidence turns this off:",
        "有多大把握？1 猜的，2 大致有把握（或直接回车），3 确定；用设置 confidence 可关闭：",
    ),
    # what cannot be read
    "plain.unclear.numbers": (
        "Please type numbers from {low} to {high}.",
        "请输入 {low} 到 {high} 之间的序号。",
    ),
    "plain.unclear.one": (
        "Exactly one option is right: please type one number.",
        "只有一项正确：请只输入一个序号。",
    ),
    "plain.unclear.rating": (
        "Please press enter, or type a number from 1 to 4.",
        "请按回车，或输入 1 到 4。",
    ),
    # the verdict
    "plain.right": ("✓ right", "✓ 答对"),
    "plain.wrong": ("✗ wrong", "✗ 答错"),
    "plain.gave_up": ("✗ given up", "✗ 放弃"),
    "plain.certain_wrong": ("certain and wrong", "确定但答错"),
    "plain.answer": ("The right answer: {answer}", "正确答案：{answer}"),
    "plain.yours": ("you: {answer}", "你的答案：{answer}"),
    "plain.option_wrong": ("{number} is wrong: {why}", "{number} 不对：{why}"),
    "plain.option_right": ("{number} is right.", "{number} 是对的。"),
    "plain.ask.rating": (
        "Enter accepts · {ratings} · :m more",
        "回车接受 · {ratings} · :m 详情",
    ),
    "plain.ask.next": ("Enter continues · :m more", "回车继续 · :m 详情"),
    "plain.rating": ("{number} {rating} ({when})", "{number} {rating}（{when}）"),
    "plain.rerated": ("Rated {rating} instead.", "改评为“{rating}”。"),
    # more
    "plain.sources": ("Sources:", "出处："),
    "plain.follow_up_answers": (":m again shows the answers.", "再输入 :m 显示答案。"),
    "plain.follow_ups": ("An interviewer might ask next:", "面试官可能追问："),
    # commands
    "plain.help": ("Commands, at any prompt:", "命令（任何时候都可输入）："),
    "plain.command.h": (":h  hint (counts as help)", ":h  提示（会影响评分）"),
    "plain.command.g": (":g  give up and see the answer", ":g  放弃，看答案"),
    "plain.command.r": (":r  show the question again", ":r  重新显示题目"),
    "plain.command.x": (":x  discard what you wrote", ":x  丢弃已写的内容"),
    "plain.command.l": (
        ":l  the other language: Numba or CUDA C++; what you wrote is kept",
        ":l  换语言：Numba 或 CUDA C++；已写的内容会保留",
    ),
    "plain.one_language": (
        "This question has no other language.",
        "这道题没有另一种语言。",
    ),
    "plain.command.e": (
        ":e  take the emulator's verdict on a submission that is waiting for the GPU",
        ":e  对仍在等待 GPU 的提交，直接采用模拟器的评判",
    ),
    "plain.command.m": (
        ":m  more, after the verdict: all options, sources, follow-ups",
        ":m  详情（评分后）：各选项、出处、追问",
    ),
    "plain.command.u": (":u  undo the last answer or mark", ":u  撤销上一次作答或标记"),
    "plain.command.U": (":U  redo what was undone", ":U  恢复刚撤销的"),
    "plain.command.b": (":b  bury: not before tomorrow", ":b  搁置：明天再问"),
    "plain.command.s": (":s  suspend: do not ask it again", ":s  停用：不再问这一题"),
    "plain.command.f": (
        ":f  flag as wrong or unclear, or remove the flag",
        ":f  标记为有误或不清楚；再按取消",
    ),
    "plain.command.?": (":?  this list", ":?  显示此列表"),
    "plain.command.q": (":q  quit; what you answered is kept", ":q  退出，已作答的都会保留"),
    "plain.unknown": (
        "There is no command '{command}'; :? lists them.",
        "没有命令“{command}”；输入 :? 查看命令。",
    ),
    "plain.hint": ("Hint {position} of {total}: {hint}", "提示 {position}/{total}：{hint}"),
    "plain.too_late": ("That works only before you answer.", "只能在作答之前使用。"),
    "plain.too_early": ("That works only after the verdict.", "只能在评分之后使用。"),
    "plain.afresh": ("Cleared; start over.", "已清空，请重新作答。"),
    "plain.buried": ("Buried until tomorrow.", "已搁置到明天。"),
    "plain.suspended": ("Suspended.", "已停用。"),
    "plain.flagged": ("Flagged.", "已标记。"),
    "plain.unflagged": ("Flag removed.", "已取消标记。"),
    "plain.undo": ("Undone: {what}, {question}.", "已撤销：{what}，{question}。"),
    "plain.redo": ("Restored: {what}, {question}.", "已恢复：{what}，{question}。"),
    "plain.undo_whole": ("Undone: {what}.", "已撤销：{what}。"),
    "plain.redo_whole": ("Restored: {what}.", "已恢复：{what}。"),
    "plain.undo_none": ("There is nothing to undo.", "没有可撤销的。"),
    "plain.redo_none": ("There is nothing to restore.", "没有可恢复的。"),
    "plain.what.answer": ("answer", "作答"),
    "plain.what.bury": ("bury", "搁置"),
    "plain.what.suspend": ("suspend", "停用"),
    "plain.what.flag": ("flag", "标记"),
    "plain.what.optimize": ("fitting the scheduler", "调整复习算法"),
    "plain.what.plan": ("plan", "计划"),
    "plain.what.plan-drop": ("dropping the plan", "取消计划"),
    "plain.what.mock-queue": ("interview failures first", "面试答错的优先"),
    "plain.what.place": ("placement", "摸底测试"),
    # bad days
    "plain.kept": (
        "Not stored yet, and not lost: enter tries again, :q gives up.",
        "尚未保存，但没有丢失：按回车重试，:q 放弃。",
    ),
    "plain.draft_unsaved": (
        "Your text cannot be saved as you write; keep going, it is still graded.",
        "目前无法随写随存；请继续，不影响评分。",
    ),
    # damaged or missing progress
    "rescue.damaged": (
        "The database {path} is damaged. Nothing was changed.",
        "数据库 {path} 已损坏，没有做任何改动。",
    ),
    "rescue.lost": (
        "Progress is missing from {path}. Nothing was changed.",
        "{path} 缺少学习记录，没有做任何改动。",
    ),
    "rescue.details": ("Details: {what}", "详情：{what}"),
    "rescue.way.restore": (
        "{number}  restore the backup from {when} ({n} events)",
        "{number}  恢复 {when} 的备份（{n} 条记录）",
    ),
    "rescue.way.restore.one": (
        "{number}  restore the backup from {when} (1 event)",
        "{number}  恢复 {when} 的备份（1 条记录）",
    ),
    "rescue.way.salvage": (
        "{number}  rescue what can still be read from the damaged file ({n} events)",
        "{number}  抢救损坏文件中还能读出的内容（{n} 条记录）",
    ),
    "rescue.way.salvage.one": (
        "{number}  rescue what can still be read from the damaged file (1 event)",
        "{number}  抢救损坏文件中还能读出的内容（1 条记录）",
    ),
    "rescue.way.empty": (
        "{number}  start over with an empty database (0 events)",
        "{number}  用空数据库重新开始（0 条记录）",
    ),
    "rescue.unusable": (
        "The backup from {when} is damaged too and cannot be restored: {path}",
        "{when} 的备份也已损坏，无法恢复：{path}",
    ),
    "rescue.others": (
        "There are {n} other backups, too: `quiz restore` lists them.",
        "还有 {n} 个其他备份，可用 `quiz restore` 列出。",
    ),
    "rescue.others.one": (
        "There is 1 other backup, too: `quiz restore` lists it.",
        "还有 1 个其他备份，可用 `quiz restore` 列出。",
    ),
    "rescue.nothing-readable": (
        "Nothing can be read from the file itself.",
        "文件本身已读不出任何内容。",
    ),
    "rescue.leave": ("q  leave everything as it is", "q  保持原样，退出"),
    "rescue.ask": (
        "The current file is kept in any case. Your choice:",
        "无论选哪一项，现有文件都会保留。请选择：",
    ),
    "rescue.unclear": (
        "Please type a number from 1 to {count}, or q.",
        "请输入 1 到 {count}，或 q。",
    ),
    "rescue.done": ("The database holds {n} events now.", "数据库现有 {n} 条记录。"),
    "rescue.done.one": ("The database holds 1 event now.", "数据库现有 1 条记录。"),
    "rescue.kept": ("The former file is kept in {path}", "原文件保存在 {path}"),
    "rescue.back": (
        "To go back to what can be read from it: {command}",
        "要改用其中还能读出的内容，请运行：{command}",
    ),
    "backup.no-room": (
        "no backup was made, since {folder} has too little room; your answers are stored",
        "空间不足，未能备份到 {folder}；作答都已保存",
    ),
    "backup.failed": (
        "no backup was made, but your answers are stored: {what}",
        "未能备份，但作答都已保存：{what}",
    ),
    # the end
    "plain.stopped": (
        "Stopped here; all that was answered is kept.",
        "到此为止，已作答的都已保留。",
    ),
    "plain.interrupted": (
        "Interrupted after {n} answers; all of them are kept.",
        "已中断，{n} 次作答都已保留。",
    ),
    "plain.interrupted.one": (
        "Interrupted after 1 answer; it is kept.",
        "已中断，1 次作答已保留。",
    ),
    "plain.summary": (
        (
            "{n} questions answered, {right} right at the first attempt; {new} new, "
            "{repeats} asked again; {time}."
        ),
        "答了 {n} 题，首次答对 {right} 题；新题 {new}，重问 {repeats} 次；{time}。",
    ),
    "plain.summary.one": (
        (
            "1 question answered, {right} right at the first attempt; {new} new, "
            "{repeats} asked again; {time}."
        ),
        "答了 1 题，首次答对 {right} 题；新题 {new}，重问 {repeats} 次；{time}。",
    ),
    "plain.seconds": ("{n} s", "{n} 秒"),
    "plain.summary_topic": ("{topic}: {right} of {first}", "{topic}：{right}/{first}"),
    "plain.summary_practice": ("Of these as practice: {n}.", "其中练习：{n} 题。"),
    "plain.again_today": ("Again today: {n}.", "今天再问：{n} 题。"),
    "plain.again_today.one": ("Again today: 1.", "今天再问：1 题。"),
    "plain.tomorrow": ("Due by tomorrow: {n}.", "到明天到期：{n} 题。"),
    "plain.tomorrow.one": ("Due by tomorrow: 1.", "到明天到期：1 题。"),
}
