"""Words of mock interviews: faults of their themes, the screens, and the report."""

WORDS: dict[str, tuple[str, str]] = {
    # faults of themes
    "theme.not-a-map": (
        "{value} is not a theme: a file in the folder `mock` holds one, as a map",
        "{value} 不是主题：文件夹 `mock` 中的每个文件是一个主题，写成映射",
    ),
    "theme.repeated-id": (
        "the theme '{id}' is in {first} already",
        "主题 '{id}' 已在 {first} 中",
    ),
    "theme.repeated-stage": (
        "another stage is called '{name}' already",
        "已有名为 '{name}' 的环节",
    ),
    "theme.one-question": (
        "a stage needs either `question` or `ask`",
        "每个环节需要 `question` 或 `ask`，且只能有一个",
    ),
    "theme.one-question.hint": (
        "name a question of the deck as `question`, or write one as `ask`",
        "用 `question` 指明题库里的题，或用 `ask` 写一道题",
    ),
    "theme.kernel-in-place": (
        "a kernel question cannot be written in a theme, since it needs a folder",
        "主题里不能直接写 kernel 题，因为它需要自己的文件夹",
    ),
    "theme.kernel-in-place.hint": (
        "write it as a question of the pack and name it as `question`",
        "把它写成题包里的题，再用 `question` 指明",
    ),
    "theme.quotes-unknown": (
        "no earlier stage is called '{name}'",
        "前面没有名为 '{name}' 的环节",
    ),
    # asking for an interview
    "mock.no-theme": (
        "there is no interview theme '{name}'",
        "没有面试主题 '{name}'",
    ),
    "mock.no-theme.hint": ("`quiz mock --themes` lists them", "`quiz mock --themes` 列出所有主题"),
    "mock.no-themes": (
        "there are no themes: no pack has a folder `mock`",
        "没有主题：所有题包都没有文件夹 `mock`",
    ),
    "mock.no-themes.hint": (
        "write one with `quiz new mock`",
        "用 `quiz new mock` 写一个",
    ),
    "mock.no-interview": (
        "there is no interview {number}; {n} were begun",
        "没有第 {number} 场模拟面试；共有 {n} 场",
    ),
    "mock.no-interview.hint": (
        "`quiz mock --list` lists them",
        "`quiz mock --list` 列出所有面试",
    ),
    "mock.nothing-to-resume": ("no interview is unfinished", "没有未完成的面试"),
    "mock.nothing-to-resume.hint": ("`quiz mock` begins one", "`quiz mock` 开始一场"),
    "mock.plain-instead": (
        "`quiz mock --plain` holds it line by line",
        "`quiz mock --plain` 可逐行进行",
    ),
    "mock.style.screen": ("phone screen", "电话面试"),
    "mock.style.onsite": ("onsite", "现场面试"),
    "mock.theme-gone": ("a theme that is gone", "已不存在的主题"),
    # while it goes on
    "mock.unfinished": (
        "Interview {number} is unfinished: {left} of {n} stages are left.",
        "第 {number} 场面试未完成：还剩 {left} / {n} 个环节。",
    ),
    "mock.unfinished-ask": (
        (
            "Interview {number} is unfinished, {left} of {n} stages are left. "
            "Enter continues it · e ends it as incomplete · q leaves it as it is"
        ),
        (
            "第 {number} 场面试未完成，还剩 {left} / {n} 个环节。"
            "回车继续 · e 结束（记为未完成）· q 保持原样"
        ),
    ),
    "mock.unfinished.go-on": ("continue it", "继续"),
    "mock.unfinished.end": ("end it as incomplete", "结束（记为未完成）"),
    "mock.unfinished.back": ("back", "返回"),
    "mock.ended-incomplete": (
        "Interview {number} has ended as incomplete; its report keeps your answers.",
        "第 {number} 场面试已结束，记为未完成；报告里保留你的回答。",
    ),
    "mock.begins": (
        "{style}, {n} min. Answer as you would aloud; the clock stops while you read feedback.",
        "{style}，{n} 分钟。像当面那样作答；看反馈时不计时。",
    ),
    "mock.resumes": (
        "Interview {number} resumes where you left off.",
        "从中断处继续第 {number} 场面试。",
    ),
    "mock.clock": (
        "{elapsed} of {limit} · this stage: par {par}",
        "{elapsed} / {limit} · 本环节参考用时 {par}",
    ),
    "mock.clock-now": (
        "{stage} / {par} · {elapsed} of {limit}",
        "{stage} / {par} · {elapsed} / {limit}",
    ),
    "mock.not-here": (
        "Not during an interview.",
        "面试中不能这样做。",
    ),
    "mock.taken-back": (
        "The latest answer is taken back.",
        "已撤回上一个回答。",
    ),
    "mock.time-up": (
        "The time is up: this is the last question.",
        "时间到：这是最后一题。",
    ),
    "mock.left-here": (
        "The interview can be resumed: {key} on the home screen.",
        "之后可以继续这场面试：在首页按 {key}。",
    ),
    # the screens
    "mock.what": (
        (
            "An interviewer's questions, one after the other, against a clock: say or write your "
            "answers, compare them with the rubric, and write the code that is asked for. Then "
            "you get a report. No schedule moves."
        ),
        "像面试官那样逐个追问并计时：说出或写出回答，对照评分要点，该写代码的写代码，最后给出报告。不影响复习安排。",
    ),
    "mock.settings": ("{style} · {minutes}", "{style} · {minutes}"),
    "mock.row.resume": (
        "Go on with interview {number} · {left} of {n} stages left",
        "继续第 {number} 场面试 · 还剩 {left} / {n} 个环节",
    ),
    "mock.row.any": (
        "What you had longest ago, or never, as much as fits",
        "最久没问过或从未问过的主题，时间够几个问几个",
    ),
    "mock.row.theme": ("{title} · {minutes}", "{title} · {minutes}"),
    "mock.row.report": (
        "Report {number} · {date} · {score} · {themes}",
        "报告 {number} · {date} · {score} · {themes}",
    ),
    "mock.row.partly": ("{score} · {ending}", "{score} · {ending}"),
    "mock.report": ("report", "报告"),
    "mock.nothing-to-queue": (
        "There is nothing to put first: nothing failed, or it is already there.",
        "没有可以提前的：没有答错的环节，或已经排好。",
    ),
    "mock.exported-both": ("Wrote {path}, and the same as .md", "已写入 {path}，以及同名的 .md"),
    "key.mock-report": ("read", "查看"),
    "key.scroll": ("scroll", "滚动"),
    "mock.queued": ("{n} questions come first from tomorrow on.", "从明天起先问这 {n} 道题。"),
    "mock.queued.one": ("1 question comes first from tomorrow on.", "从明天起先问这道题。"),
    "key.mock": ("mock interviews", "模拟面试"),
    "palette.mock": ("hold one, or read the reports", "进行一场，或查看报告"),
    "key.mock-style": ("phone or onsite", "电话或现场"),
    "key.mock-longer": ("longer", "加长"),
    "key.mock-shorter": ("shorter", "缩短"),
    "key.mock-queue": ("failures first tomorrow", "明天先问答错的"),
    "key.mock-export": ("export", "导出"),
    "key.begin": ("begin", "开始"),
    "key.take-back": ("take back", "撤回"),
    "mock.left-open": (
        "The interview can be resumed: quiz mock --resume",
        "之后可以继续这场面试：quiz mock --resume",
    ),
    "mock.queue-ask": (
        "Ask the failed questions first, starting tomorrow? y yes · Enter no",
        "把答错的内容排在明天队列的最前面吗？y 是 · 回车 否",
    ),
    "mock.over": ("The interview is over.", "面试结束。"),
    "mock.not-a-report": (
        "{path} does not end in .md or .html",
        "{path} 不以 .md 或 .html 结尾",
    ),
    "mock.not-a-report.hint": (
        "name a file such as report.md or report.html",
        "请写 report.md 或 report.html 这样的文件名",
    ),
    "mock.exported": ("Wrote {path}", "已写入 {path}"),
    # placement
    "place.begins": (
        "Up to 20 questions in eight minutes: new questions begin at what you do not know.",
        "最多 20 道题，约八分钟：新题从你还不会的内容开始。",
    ),
    "place.asked": ("{n} questions were asked.", "共问了 {n} 道题。"),
    "place.asked.one": ("1 question was asked.", "共问了 1 道题。"),
    "place.known": (
        "{n} count as known: they come back as reviews, and no statistics count them.",
        "其中 {n} 道算作已掌握：之后作为复习出现，不计入统计。",
    ),
    "place.known.one": (
        "1 counts as known: it comes back as a review, and no statistics count it.",
        "其中 1 道算作已掌握：之后作为复习出现，不计入统计。",
    ),
    "place.none": ("None of them counts as known.", "没有算作已掌握的题目。"),
    "place.first": ("New questions now begin with:", "接下来的新题从这里开始："),
    "place.nothing": (
        "You have answered every question.",
        "没有你未答过的题目了。",
    ),
    "place.resumed": (
        "Resuming your placement: {n} questions are answered.",
        "继续上次的摸底测试：已答 {n} 道题。",
    ),
    "place.resumed.one": (
        "Resuming your placement: 1 question is answered.",
        "继续上次的摸底测试：已答 1 道题。",
    ),
    "place.left": (
        "Left before the end: nothing counts as known yet. `quiz place` continues from here.",
        "中途离开：暂时没有算作已掌握的题目。再次运行 `quiz place` 可继续。",
    ),
    "place.undo-ask": ("Enter keeps this · u takes it back", "回车保留 · u 撤回"),
    "place.plain-instead": (
        "`quiz place --plain` asks line by line",
        "`quiz place --plain` 可逐行进行",
    ),
    "key.place": ("placement", "摸底测试"),
    "key.place-here": ("placement", "摸底测试"),
    "key.study-now": ("study", "学习"),
    "palette.place": (
        "20 questions, so that you do not begin with what you know",
        "20 道题，跳过你已掌握的内容",
    ),
    # the report
    "mock.report-title": ("Mock interview {number} · {themes}", "模拟面试 {number} · {themes}"),
    "mock.none-yet": (
        "No interview yet: `quiz mock` begins one, `quiz mock --themes` lists the themes.",
        "还没有模拟面试：`quiz mock` 开始一场，`quiz mock --themes` 列出主题。",
    ),
    "mock.column.number": ("#", "序号"),
    "mock.column.date": ("date", "日期"),
    "mock.column.style": ("style", "形式"),
    "mock.column.score": ("graded", "评分"),
    "mock.column.points": ("points", "要点"),
    "mock.column.time": ("time", "用时"),
    "mock.column.par": ("par", "参考用时"),
    "mock.column.hints": ("hints", "提示"),
    "mock.column.ending": ("ended", "状态"),
    "mock.column.themes": ("themes", "主题"),
    "mock.column.theme": ("name", "名称"),
    "mock.column.stage": ("stage", "环节"),
    "mock.column.result": ("result", "结果"),
    "mock.ending.done": ("complete", "完成"),
    "mock.ending.time": ("time was up", "到时"),
    "mock.ending.left": ("unfinished", "未完成"),
    "mock.ending.open": ("unfinished, can be resumed", "未完成，可继续"),
    "mock.ending-said.done": ("Everything was asked.", "所有环节都问到了。"),
    "mock.ending-said.time": (
        "Incomplete: the time was up before everything was asked.",
        "未完成：还没问完，时间就到了。",
    ),
    "mock.ending-said.left": ("Incomplete: you left before the end.", "未完成：中途离开了。"),
    "mock.ending-said.open": (
        "Incomplete so far: `quiz mock --resume` continues.",
        "尚未完成：`quiz mock --resume` 可继续。",
    ),
    "mock.in-all": ("In all", "总计"),
    "mock.score": ("Graded by the program", "程序评分"),
    "mock.ticked": ("Judged by yourself", "自评得分"),
    "mock.ticked-by-you": ("your own judgment", "自评"),
    "mock.you-wrote": ("You wrote: {text}", "你的回答：{text}"),
    "mock.few-words": (
        "{n} points are ticked, but the answer has fewer than {least} words. Were they said?",
        "勾选了 {n} 个要点，但回答不到 {least} 个词。这些要点真的说到了吗？",
    ),
    "mock.few-words.one": (
        "1 point is ticked, but the answer has fewer than {least} words. Was it said?",
        "勾选了 1 个要点，但回答不到 {least} 个词。这个要点真的说到了吗？",
    ),
    "mock.points": ("Rubric points that you ticked", "自己勾选的评分要点"),
    "mock.time": ("Time against par", "用时与参考用时"),
    "mock.hints": ("Hints", "提示"),
    "mock.of": ("{n} of {total}", "{n} / {total}"),
    "mock.of-par": ("{time} of {par}", "{time} / {par}"),
    "mock.before": ("before: {value} (interview {number})", "上次：{value}（面试 {number}）"),
    "mock.stages": ("Stages", "各环节"),
    "mock.state.right": ("right", "正确"),
    "mock.state.wrong": ("wrong", "错误"),
    "mock.state.gave-up": ("gave up", "放弃"),
    "mock.state.skipped": ("not graded", "未评分"),
    "mock.state.not-reached": ("not reached", "未问到"),
    "mock.confident-errors": ("Certain and wrong", "确定却答错"),
    "mock.to-study": ("What to study next", "接下来学什么"),
    "mock.nothing-to-study": ("Nothing failed.", "没有答错的环节。"),
    "mock.points-missed": (
        "No stage failed, but {n} rubric points were missed: see above.",
        "没有答错的环节，但漏了 {n} 个评分要点，见上。",
    ),
    "mock.points-missed.one": (
        "No stage failed, but 1 rubric point was missed: see above.",
        "没有答错的环节，但漏了 1 个评分要点，见上。",
    ),
}
