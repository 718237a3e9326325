"""Words of the plan: what to do per day, what is left out, what will be recalled."""

WORDS: dict[str, tuple[str, str]] = {
    "goal.title": ("plan", "计划"),
    "goal.computing": ("Simulating the days until then …", "正在模拟到那一天为止的复习……"),
    "goal.day": ("day", "目标日"),
    "goal.in-days": ("in {n} days", "还有 {n} 天"),
    "goal.in-days.one": ("tomorrow", "明天"),
    "goal.time": ("time", "用时"),
    "goal.minutes": ("minutes per day", "分钟/天"),
    "goal.new": ("new", "新题"),
    "goal.new-of": ("per day; {n} in all", "道/天；共 {n} 道"),
    "goal.again": ("met again", "再次复习"),
    "goal.again-about": (
        "from this day on, the last fifth, every planned question comes once more",
        "从这一天起（最后五分之一的时间），计划内的题目都会再出现一次",
    ),
    "goal.recall": ("recall", "预计记得"),
    "goal.recall-about": (
        "predicted on the day; eight of ten simulated runs are within the range",
        "目标日的预测；十次模拟中有八次落在括号内",
    ),
    "goal.too-little": (
        "The time does not suffice: {n} questions are left out. What would:",
        "时间不够：有 {n} 道题不学。够用的办法：",
    ),
    "goal.too-little.one": (
        "The time does not suffice: 1 question is left out. What would:",
        "时间不够：有 1 道题不学。够用的办法：",
    ),
    "goal.enough-minutes": ("about {minutes} minutes per day", "每天大约 {minutes} 分钟"),
    "goal.enough-day": ("or {day} as the day", "或者把目标日改为 {day}"),
    "goal.fits": (
        "Everything fits: it takes about {minutes} minutes per day.",
        "时间够用：每天大约 {minutes} 分钟。",
    ),
    "goal.topic": ("topic", "主题"),
    "goal.questions": ("questions", "题目"),
    "goal.learned": ("met", "已学"),
    "goal.left-out": ("left out", "不学"),
    "goal.recalled": ("recall on the day", "目标日记得"),
    "goal.none": (
        "There is no plan: `quiz plan --date 2027-02-01 --minutes 30` sets one.",
        "没有计划：`quiz plan --date 2027-02-01 --minutes 30` 可以设定。",
    ),
    "goal.dropped": (
        "The plan is dropped; the normal schedule holds again. Undo brings it back.",
        "计划已取消，恢复平常的复习安排。撤销可以找回计划。",
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
        "--date: “{text}” is not a date; write it as 2027-02-01",
        "--date：“{text}”不是日期，请写成 2027-02-01",
    ),
}
