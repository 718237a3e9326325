"""Words of the question, its feedback and the session summary."""

WORDS: dict[str, tuple[str, str]] = {
    "study.place": ("{position} of {total}", "{position} / {total}"),
    "study.several": ("Several may be right: choose all that are.", "多选：选出所有正确的选项。"),
    "study.sure": ("How sure?", "有多大把握？"),
    "study.sure-about": (
        "{key} means {usual}. To skip this: settings ({settings}), “{setting}”.",
        "{key} 表示{usual}。不想被问：设置（{settings}）中的“{setting}”。",
    ),
    "study.sure-keys": (
        "Press 1, 2, or 3 to say how sure you are; {key} changes the answer.",
        "请按 1、2 或 3 表示有多大把握；{key} 返回修改答案。",
    ),
    "study.say-it": (
        "Say your answer aloud, or press {write} to write and {leave} when done; {key} compares.",
        "说出你的回答，或按 {write} 输入、写完按 {leave}；按 {key} 对照。",
    ),
    "study.write-it": (
        "Python or CUDA C++. After {leave}: {write} writes on, {open} opens your editor.",
        "用 Python 或 CUDA C++。按 {leave} 之后：{write} 继续输入，{open} 打开编辑器。",
    ),
    "study.write-kernel": (
        "After {leave}: {write} writes on, {open} opens your own editor.",
        "按 {leave} 之后：{write} 继续输入，{open} 打开自己的编辑器。",
    ),
    "study.spot-it": (
        "{up} and {down} choose the line, a digit the kind of bug; {key} answers.",
        "用 {up}、{down} 选择行，用数字键选择错误种类；按 {key} 作答。",
    ),
    "study.named": ("You said: line {line}, {kind}.", "你的回答：第 {line} 行，{kind}。"),
    "study.pick-kind": ("Choose the kind of bug with a digit.", "请用数字键选择错误种类。"),
    "study.whole-verdict": ("… {key} shows all of it", "…… 按 {key} 看完整评判"),
    "study.whole-prompt": ("… {key} shows the whole prompt", "…… 按 {key} 看完整题目"),
    "study.write-first": ("Write something first.", "请先写点什么。"),
    "study.unchanged": (
        "This is what was submitted last; change something first.",
        "这份代码刚提交过，请先修改。",
    ),
    "study.never-ran": (
        "Nothing was run, so this does not count as an attempt.",
        "没有运行，不算一次尝试。",
    ),
    "study.starter-unchanged": (
        "This is the starter, unchanged; write your part first.",
        "这是未改动的初始代码，请先写出你的部分。",
    ),
    "study.failures": (
        "{n} submissions failed, so the question comes back sooner.",
        "已失败 {n} 次，所以这道题会更早再问。",
    ),
    "study.failures.one": (
        "1 submission failed. From the second on, the question comes back sooner.",
        "已失败 1 次。从第二次起，这道题会更早再问。",
    ),
    "study.watching": (
        "Watching {path}: each save is submitted.",
        "正在监视 {path}：每次保存都会提交。",
    ),
    "study.guided-left": (
        "On the home screen, {key} continues with one question of each kind.",
        "在首页按 {key} 可以继续“每种题型一道”。",
    ),
    "study.pick-first": (
        "Pick an option first: 1 to {n}, or {key} at the cursor.",
        "请先选择一个选项：按 1 到 {n}，或移到该项按 {key}。",
    ),
    "study.number-first": ("Type a number first.", "请先输入一个数。"),
    "study.not-a-number": (
        "“{text}” is not a number: {why}. Write 12, 1,024, 2^10 or 80*1.5/3; a unit goes last.",
        "“{text}”不是数：{why}。可以写 12、1,024、2^10 或 80*1.5/3，单位写在最后。",
    ),
    "typed.too-long": ("it has more than {most} characters", "超过 {most} 个字符"),
    "typed.unfinished": ("something is missing at its end", "末尾缺少内容"),
    "typed.unexpected": (
        "“{found}” (character {column}) does not fit there",
        "第 {column} 个字符“{found}”不应出现在这里",
    ),
    "typed.no-value": (
        "at character {column} there is no value, or it is too large",
        "第 {column} 个字符处没有结果，或结果太大",
    ),
    "study.unknown-unit": (
        "The unit “{unit}” is not known here; expected: {known}.",
        "这里不认识单位“{unit}”；可用：{known}。",
    ),
    "study.no-unit": (
        "This answer has no unit: remove “{unit}”.",
        "这个答案没有单位，请去掉“{unit}”。",
    ),
    "study.came-to": ("{typed} = {value}", "{typed} = {value}"),
    "study.hint": ("Hint {n} of {total}: ", "提示 {n} / {total}："),
    "study.no-hint": ("There is no further hint.", "没有更多提示了。"),
    "study.draft": (
        "From last time; continue or clear it.",
        "上次写到这里；可以继续，也可以清空。",
    ),
    "study.compare": (
        "Tick what you covered (digits, or space), then accept. A model answer is below.",
        "勾选你答到的要点（数字键或空格），然后确认。参考答案见下。",
    ),
    "study.model-answer": ("Model answer", "参考答案"),
    "study.a-solution": ("A solution", "一种解法"),
    "study.right": ("✓ right", "✓ 正确"),
    "study.wrong": ("✗ wrong", "✗ 错误"),
    "study.covered": ("{sign} {percent}% covered", "{sign} 答到 {percent}%"),
    "study.number-wrong": ("✗ {right}, not {given}", "✗ 应为 {right}，而非 {given}"),
    "study.number-right": ("✓ {right}", "✓ {right}"),
    "study.missed": ("right, and you did not pick it", "正确，但你没有选"),
    "study.give-up-again": (
        "{key} again gives up and shows the answer; what you have written is kept.",
        "再按一次 {key} 放弃并显示答案；已写的内容会保留。",
    ),
    "study.give-up-picked": (
        "{key} again gives up and shows the answer.",
        "再按一次 {key} 放弃并显示答案。",
    ),
    "study.gave-up": ("✗ given up", "✗ 已放弃"),
    "study.and-certain": (" · certain and wrong", " · 很确定却错了"),
    "study.and-guess": (" · a lucky guess", " · 蒙对的"),
    "study.the-answer": ("The answer: {right}", "答案：{right}"),
    "study.range": ("{low} to {high}", "{low} 到 {high}"),
    "study.sources": ("Sources", "来源"),
    "study.where": (
        "`quiz docs claims` lists the checked claims and the texts they are from.",
        "`quiz docs claims` 列出核对过的说法及其出处。",
    ),
    "study.accepted": (" (accepted: {low} to {high})", "（接受范围：{low} 到 {high}）"),
    "study.point": ("{text} ({weight})", "{text}（{weight}）"),
    "study.claims": ("Checked claims: {claims}", "核对过的说法：{claims}"),
    "code.python": ("Numba", "Numba"),
    "code.cuda": ("CUDA C++", "CUDA C++"),
    "study.twin-solution": ("The solution in {language}", "{language} 解答"),
    "study.twin-baseline": ("What it is compared with, in {language}", "对比基准（{language}）"),
    "study.follow-up-answers": ("{key} shows the answers", "按 {key} 显示答案"),
    "study.shows-follow-ups": (
        "{key} shows what an interviewer might ask next.",
        "按 {key} 查看面试官可能的追问。",
    ),
    "study.shows-twin": (
        "{key} shows the solution in {language}.",
        "按 {key} 查看 {language} 解答。",
    ),
    "study.follow-ups": ("An interviewer might ask next", "面试官可能会追问"),
    "study.no-more-new": (
        "{n} new of the {wanted} you asked for: there are no more here",
        "你要 {wanted} 道新题，这里只有 {n} 道",
    ),
    "study.new-waits": (
        (
            "{n} new of the {wanted} you asked for: {more} more wait until questions of other "
            "topics are answered right: {topics}"
        ),
        "你要 {wanted} 道新题，这里有 {n} 道：另有 {more} 道要先答对这些主题的题：{topics}",
    ),
    "study.fewer-new": (
        (
            "{n} new of the {wanted} you asked for: {unseen} are unseen here, but only one "
            "question of a concept is new per day, and some require others first"
        ),
        (
            "你要 {wanted} 道新题，今天有 {n} 道：这里还有 {unseen} 道没做过，"
            "但每个概念一天只出一道新题，有些题要先答对别的题"
        ),
    ),
    "study.practice": (
        "Practice: the schedule stays as it was.",
        "练习：不改变复习安排。",
    ),
    "study.placement": (
        "What you know without a hint is scheduled as a review at the end of the placement.",
        "不用提示就答对的题，会在摸底测试结束时安排为复习。",
    ),
    "study.interview": (
        "Noted for the report: your schedule stays as it was.",
        "已记入报告：不改变复习安排。",
    ),
    "study.paste-outside": (
        "Nothing was pasted: the editor does not have focus. Press {key} first.",
        "没有粘贴：焦点不在编辑器。请先按 {key}。",
    ),
    "study.last-submission": ("Last submission:", "上一次提交的评判："),
    "study.nothing-failed": (
        "No wrong answers yesterday or today.",
        "昨天和今天没有答错的题目。",
    ),
    "study.nothing-chosen": ("There is no question to ask here.", "这里没有可问的题目。"),
    "study.set-aside": (
        "Forgotten {n} times: set aside until you switch it on again in find, or undo.",
        "已忘记 {n} 次：先停用，可在查找中恢复提问，或撤销这次作答。",
    ),
    "study.easier-follow": (
        "Easier questions on its concept follow: {n}.",
        "接下来是同一概念中较容易的题目：{n} 道。",
    ),
    "study.rated": ("Rated {rating}: {rule}.", "评为“{rating}”：{rule}。"),
    "study.back-in-session": ("this session", "本次再问"),
    "study.saved": ("saved", "已保存"),
    "study.not-saved": (
        "! Not saved: {what}. The answer is kept here; {key} tries again.",
        "! 未保存：{what}。答案保留在此；按 {key} 重试。",
    ),
    "study.not-saved-damaged": (
        "! Not saved: {what}. {key} leaves, and then offers what can be rescued.",
        "! 未保存：{what}。按 {key} 退出后可选择抢救办法。",
    ),
    "study.leave-unsaved": (
        "Leave without saving this answer? The question is asked again.",
        "不保存这次作答就离开吗？这道题之后会再问。",
    ),
    "study.leave-damaged": (
        "The database is damaged, so this answer cannot be saved. Leave without it?",
        "数据库已损坏，这次作答无法保存。不保存就离开吗？",
    ),
    "study.undone.answer": ("undone: your answer no longer counts", "已撤销：这次作答不再计入"),
    "study.undone.bury": ("undone: asked again today", "已撤销：今天仍会问"),
    "study.undone.suspend": ("undone: suspended or not, as before", "已撤销：停用状态恢复原样"),
    "study.undone.flag": ("undone: the flag is as before", "已撤销：标记恢复原样"),
    "study.undone.optimize": (
        "undone: the scheduler has the weights it had before",
        "已撤销：复习算法恢复之前的参数",
    ),
    "study.undone.plan": ("undone: the plan is as before", "已撤销：计划恢复原样"),
    "study.undone.plan-drop": ("undone: the plan holds again", "已撤销：计划重新生效"),
    "study.undone.mock-queue": (
        "undone: nothing from the interview comes first",
        "已撤销：面试中答错的不再排在最前",
    ),
    "study.undone.place": (
        "undone: nothing counts as known from the placement",
        "已撤销：摸底测试的结果不再算作已掌握",
    ),
    "study.redone.mock-queue": (
        "restored: what failed in the interview comes first",
        "已恢复：面试中答错的排在最前",
    ),
    "study.redone.place": (
        "restored: what the placement found counts as known",
        "已恢复：摸底测试答对的算作已掌握",
    ),
    "study.redone.answer": ("restored: your answer counts again", "已恢复：这次作答重新计入"),
    "study.redone.bury": ("restored: asked from tomorrow on", "已恢复：明天起再问"),
    "study.redone.suspend": (
        "restored: suspended or not, as you set it",
        "已恢复：停用状态如你所设",
    ),
    "study.redone.flag": ("restored: the flag is as you set it", "已恢复：标记如你所设"),
    "study.redone.optimize": (
        "restored: the scheduler has the other weights again",
        "已恢复：复习算法重新使用那组参数",
    ),
    "study.redone.plan": ("restored: the plan holds as you set it", "已恢复：计划如你所设"),
    "study.redone.plan-drop": ("restored: the plan is dropped", "已恢复：计划已取消"),
    "study.nothing-to-undo": ("Nothing to undo.", "没有可撤销的。"),
    "study.nothing-to-redo": ("Nothing to redo.", "没有可重做的。"),
    "study.buried": ("buried until tomorrow · {key} undoes it", "搁置到明天 · {key} 可撤销"),
    "study.suspended": ("suspended · {key} undoes it", "已停用 · {key} 可撤销"),
    "study.flagged": ("flagged", "已标记"),
    "study.unflagged": ("flag removed", "已取消标记"),
    "study.copied-code": ("code copied", "代码已复制"),
    "study.no-code": ("There is no code here.", "这里没有代码。"),
    "study.edited": ("reloaded", "已重新读取"),
    "study.edit-problems": (
        "The file has errors now; the question is skipped until they are fixed: {problem}",
        "文件现在有错误；改正之前会跳过这道题：{problem}",
    ),
    "summary.title": ("session", "本次学习"),
    "summary.done": ("Done for now.", "这次学完了。"),
    "summary.none": ("Nothing to study here now.", "现在没有可学的题目。"),
    "summary.answered": ("answered", "已答"),
    "summary.right": ("right at once", "一次答对"),
    "summary.new": ("new", "新题"),
    "summary.repeats": ("repeats", "重复"),
    "summary.practice": ("practice", "练习"),
    "summary.time": ("time", "用时"),
    "summary.again": ("again today", "今天再问"),
    "summary.tomorrow": ("due tomorrow", "明天待复习"),
    "summary.topic-line": ("{right} of {total}", "{right} / {total}"),
}
