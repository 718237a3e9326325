"""Words of the plan: what to do per day, what is left out, what will be recalled."""

WORDS: dict[str, tuple[str, str]] = {
    "goal.title": ("plan", "计划"),
    "goal.computing": ("Simulating the days until then …", "正在模拟到那一天为止的复习……"),
    "goal.day": ("day", "目标日"),
    "goal.in-days": ("in {n} days", "还有 {n} 天"),
    "goal.in-days.one": ("tomorrow", "明天"),
    "goal.time": ("time", "用时"),
    "goal.minutes": ("minutes per day", "分钟/天"),
    "goal.minutes.one": ("minute per day", "分钟/天"),
    "goal.planned": ("planned", "计划内"),
    "goal.planned-about": (
        "questions, met in eight of ten simulated runs",
        "道题：十次模拟中有八次能学到这么多",
    ),
    "goal.met": ("met", "学过"),
    "goal.met-about": (
        "on average by then, the most asked first; {n} so far",
        "届时平均学过的题数，常考的先学；目前 {n} 道",
    ),
    "goal.kept": ("reviews at", "复习时机"),
    "goal.kept-about": (
        "chance of recall; new ones get {share}% of a full day",
        "记忆概率降到此值时复习；时间不够时 {share}% 留给新题",
    ),
    "goal.shrinks": (
        "{promised} questions were planned on {day}, now {n} fit: {reason}.",
        "{day} 的计划是 {promised} 道，现在只够学 {n} 道：{reason}。",
    ),
    "goal.since-missed": (
        "you studied on {n} of {days} days",
        "{days} 天里学习了 {n} 天",
    ),
    "goal.since-short": (
        "you studied {n} of {minutes} minutes per day",
        "每天学习 {n} 分钟，计划是 {minutes} 分钟",
    ),
    "goal.since-slow": (
        "answers take longer, or are wrong more often, than was supposed",
        "答题比预想的慢，或答错更多",
    ),
    "goal.again": ("met again", "再次复习"),
    "goal.again-about": (
        "planned ones return from then on, if time allows",
        "从这天起，时间允许时计划内的题目会再出现一次",
    ),
    "goal.recall": ("recall", "预计记得"),
    "goal.recall-about": (
        "on the day, of the {n} planned questions",
        "按计划学习，目标日还记得的比例（计划内 {n} 道题）",
    ),
    "goal.recall-about.one": (
        "on the day, of the planned question",
        "按计划学习，目标日还记得的比例（计划内 1 道题）",
    ),
    "goal.recall-range": (
        "eight of ten simulated runs are within the range",
        "十次模拟中有八次落在括号内",
    ),
    "goal.ready": ("ready today", "今天能答"),
    "goal.ready-about": (
        "of what interviews ask you would answer today",
        "面试常问的内容，今天答得出的比例",
    ),
    "goal.ready-about-topics": (
        "of what is asked on these topics, answered today",
        "这些主题里面试常问的内容，今天答得出的比例",
    ),
    "goal.ready-then-about-topics": (
        "of what is asked on these topics, answered then",
        "按计划学习，到目标日这些主题里答得出的比例",
    ),
    "goal.ready-then": ("on the day", "到时能答"),
    "goal.ready-then-about": (
        "of what interviews ask you would answer then",
        "按计划学习，到目标日答得出的比例",
    ),
    "goal.gains": (
        "Your biggest gap is {topic}: knowing all of it would add {n} points on the day.",
        "{topic} 欠缺最多：全部掌握的话，目标日可再提高 {n} 个百分点。",
    ),
    "goal.gains.one": (
        "Your biggest gap is {topic}: knowing all of it would add 1 point on the day.",
        "{topic} 欠缺最多：全部掌握的话，目标日可再提高 1 个百分点。",
    ),
    "goal.too-little": (
        "There is no time for {n} questions: they are left out. Enough would be:",
        "时间不够：有 {n} 道题不学。够用的办法：",
    ),
    "goal.too-little.one": (
        "There is no time for 1 question: it is left out. Enough would be:",
        "时间不够：有 1 道题不学。够用的办法：",
    ),
    "goal.too-little-by-far": (
        "There is no time for {n} questions: they are left out.",
        "时间不够：有 {n} 道题不学。",
    ),
    "goal.too-little-by-far.one": (
        "There is no time for 1 question: it is left out.",
        "时间不够：有 1 道题不学。",
    ),
    "goal.enough-minutes": ("about {minutes} minutes per day", "每天大约 {minutes} 分钟"),
    "goal.enough-day": ("about {day} as the day", "把目标日改为 {day} 前后"),
    "goal.or-enough-day": ("or about {day} as the day", "或者把目标日改为 {day} 前后"),
    "goal.fits": (
        "Everything fits: it takes about {minutes} min per day, {peak} at most.",
        "时间够用：每天大约 {minutes} 分钟，最多 {peak} 分钟。",
    ),
    "goal.topic": ("topic", "主题"),
    "goal.questions": ("questions", "题目"),
    "goal.learned": ("met", "已学"),
    "goal.left-out": ("left out", "不学"),
    "goal.recalled": ("recall on the day", "目标日记得"),
    "goal.only": ("Only these topics: {topics}.", "只学这些主题：{topics}。"),
    "goal.waits": (
        "{n} more wait for questions of other topics: add `--topics {topics}`.",
        "另有 {n} 道要先学其他主题的题：加上 `--topics {topics}`。",
    ),
    "goal.waits.one": (
        "1 more waits for questions of other topics: add `--topics {topics}`.",
        "另有 1 道要先学其他主题的题：加上 `--topics {topics}`。",
    ),
    "goal.every-topic": ("all topics", "全部主题"),
    "goal.set": (
        "Plan set for {day}: {minutes} min per day, {topics}. `quiz plan --drop` drops it.",
        "计划已设定：目标日 {day}，每天 {minutes} 分钟，{topics}。`quiz plan --drop` 可以取消。",
    ),
    "goal.keeps-topics": (
        'Its topics stay those of the plan before. `quiz plan --topics ""` plans all topics.',
        '主题沿用之前的计划。`quiz plan --topics ""` 改为全部主题。',
    ),
    "goal.left-out-list": (
        "{n} questions are left out; the first of them would be next:",
        "以下 {n} 道题不学，时间够的话从第一道学起：",
    ),
    "goal.left-out-list.one": ("1 question is left out:", "以下 1 道题不学："),
    "goal.none-left-out": ("No question is left out.", "没有不学的题。"),
    "goal.which-minutes": (
        "the minutes per day must be a whole number from 1 to {most}",
        "每天的分钟数必须是 1 到 {most} 的整数",
    ),
    "goal.no-plan": (
        (
            "There is no plan. {key} makes one: say by which day you want to be ready and how many "
            "minutes per day you have, and see what fits and how much you will recall on the day."
        ),
        "还没有计划。按 {key} 制定：写下目标日和每天的分钟数，就知道学得完多少、到时预计记得多少。",
    ),
    "goal.form.title": ("plan · day, minutes, topics", "计划 · 目标日、时间、主题"),
    "goal.form.day": ("Day", "目标日"),
    "goal.form.day-about": ("to be ready on, YYYY-MM-DD", "到这一天准备好，YYYY-MM-DD"),
    "goal.form.minutes": ("Minutes per day", "每天的分钟数"),
    "goal.form.minutes-about": ("1 to {most}", "1 到 {most}"),
    "goal.form.topics-about": (
        "Only some topics: tab goes to the list, {key} chooses.",
        "只学部分主题：按 Tab 到列表，按 {key} 选择。",
    ),
    "goal.form.set": ("Plan set. {key} undoes it.", "计划已设定，按 {key} 撤销。"),
    "goal.none": (
        "There is no plan: `quiz plan --date 2027-02-01 --minutes 30` sets one.",
        "没有计划：`quiz plan --date 2027-02-01 --minutes 30` 可以设定。",
    ),
    "goal.dropped": (
        "The plan is dropped; the normal schedule holds again. Undo brings it back.",
        "计划已取消，恢复平常的复习安排。撤销可以找回计划。",
    ),
    "goal.dropped-here": (
        (
            "The plan is dropped; the normal schedule holds again. "
            "To set it again: `quiz plan {options}`"
        ),
        "计划已取消，恢复平常的复习安排。重新设定：`quiz plan {options}`",
    ),
    "goal.drop-alone": (
        "--drop takes no other option",
        "--drop 不能和其他选项一起用",
    ),
    "goal.which-date": (
        "a plan needs a day: --date 2027-02-01, or the setting interview_date",
        "计划需要日期：用 --date 2027-02-01，或设置 interview_date",
    ),
    "goal.not-ahead": (
        "the day must be ahead, by at most {days} days",
        "日期必须在今天之后，最多 {days} 天",
    ),
    "goal.not-a-date": (
        "“{text}” is not a date; write it as 2027-02-01",
        "“{text}”不是日期，请写成 2027-02-01",
    ),
}
