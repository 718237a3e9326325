"""Words of the statistics."""

WORDS: dict[str, tuple[str, str]] = {
    "statistics.title": ("statistics", "统计"),
    "statistics.reading": ("Reading the log…", "正在读取记录…"),
    "statistics.none": (
        "Nothing answered yet. What you answer shows here.",
        "还没有作答记录。作答之后会显示在这里。",
    ),
    "statistics.answers": ("Answers", "作答"),
    "statistics.time": ("in {time}", "用时 {time}"),
    "statistics.hours": ("{hours} h {minutes} min", "{hours} 小时 {minutes} 分钟"),
    "statistics.streak": ("Streak", "连续学习"),
    "statistics.streak-days": ("days in a row", "天"),
    "statistics.streak-days.one": ("day", "天"),
    "statistics.retention": ("Retention", "实际保留率"),
    "statistics.month": ("30 days", "近 30 天"),
    "statistics.ever": ("overall", "总计"),
    "statistics.passed": ("{passed} of {answers} reviews", "{answers} 次复习中 {passed} 次"),
    "statistics.no-reviews": ("no reviews", "没有复习"),
    "statistics.target": ("target", "目标"),
    "statistics.heatmap": ("Answers per day", "每日作答数"),
    "statistics.forecast": ("Due in the next {n} days", "未来 {n} 天到期"),
    "statistics.topics": ("Topics", "主题"),
    "statistics.seen": ("{seen} of {total}", "{seen} / {total}"),
    "statistics.leeches": ("Forgotten most often", "最常忘记的题目"),
    "statistics.times": ("{n} times", "{n} 次"),
}
