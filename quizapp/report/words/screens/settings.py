"""Words of the settings and of the first-start screen."""

WORDS: dict[str, tuple[str, str]] = {
    "settings.packs": ("Packs", "题包"),
    "settings.packs-rest": (
        (
            "New questions come from packs that are on. While a pack is off, its reviews wait; "
            "nothing is lost."
        ),
        "新题只来自已打开的题包。题包关闭期间，其中的复习暂停，打开后继续，进度全部保留。",
    ),
    "setting.packs": ("packs", "题包"),
    "setting.packs.about": (
        "Which packs ask questions. Each is switched by itself.",
        "哪些题包会提问，可以逐个打开或关闭。",
    ),
    "settings.pack-on": ("on", "打开"),
    "settings.pack-off": ("off", "关闭"),
    "settings.pack-new": ("new per day", "每日新题"),
    "settings.pack-no-limit": ("no limit of its own", "无单独上限"),
    "settings.pack-new-about": (
        "{title}: the most new questions per day, within the daily limit; empty for none.",
        "{title}：每天最多的新题数，不超过所有题包的总上限；留空表示不单独设上限。",
    ),
    "settings.pack-is-on": (
        "{title} is on: its questions are asked and its reviews count.",
        "“{title}”已打开：会提问其中的题目，复习照常。",
    ),
    "settings.pack-is-off": (
        "{title} is off. Its reviews wait until it is on again; nothing is lost.",
        "“{title}”已关闭。其中的复习暂停，打开后继续，进度全部保留。",
    ),
    "settings.pack-fixed": (
        "{variable} sets this pack: the change holds once that variable is gone.",
        "该题包由 {variable} 设置：去掉该变量后此更改才生效。",
    ),
    "settings.title": ("settings", "设置"),
    "settings.file": ("in {path}", "文件：{path}"),
    "settings.keys": ("Keys", "按键"),
    "settings.remap": (
        "{key}, then the new key, changes it. The default is {default}; {id} in {path}.",
        "按 {key} 后再按新的按键即可修改。默认为 {default}；{path} 中名为 {id}。",
    ),
    "settings.press": ("Press the new key for: {name}", "请按“{name}”的新按键"),
    "settings.press-how": (
        "esc cancels · backspace restores the default, {default}",
        "esc 取消 · backspace 恢复默认按键 {default}",
    ),
    "settings.from-environment": (
        "! {variable} is set in the environment and overrides the file.",
        "! 环境变量 {variable} 已设置，优先于文件。",
    ),
    "settings.saved": ("✓ saved", "✓ 已保存"),
    "settings.how": ("{key} changes it.", "按 {key} 修改。"),
    "settings.editing": ("{key} leaves it as it was.", "按 {key} 放弃修改。"),
    "settings.none": ("none", "无"),
    "settings.default-editor": ("$VISUAL or $EDITOR", "$VISUAL 或 $EDITOR"),
    "settings.usual-retention": ("0.9, or as planned", "0.9，或由计划选定"),
    "settings.this-machine": ("this machine", "本机"),
    "settings.language.en": ("English", "English"),
    "settings.language.zh": ("中文", "中文"),
    # each setting: its name, and what it means
    "setting.language": ("Language", "语言"),
    "setting.language.about": (
        "Language of screens and questions; a question without a translation stays in English.",
        "界面与题目的语言；没有译文的题目仍以英文显示。",
    ),
    "setting.new_per_day": ("New questions per day", "每日新题"),
    "setting.new_per_day.about": (
        "Maximum new questions per day, 0 to 1,000.",
        "每天最多出多少道没见过的题，0 到 1,000。",
    ),
    "setting.reviews_per_day": ("Reviews per day", "每日复习"),
    "setting.reviews_per_day.about": (
        "Maximum reviews per day, 0 to 10,000; most overdue first.",
        "每天最多复习多少道，0 到 10,000；逾期最久的优先。",
    ),
    "setting.day_minutes": ("Minutes per day", "每天分钟数"),
    "setting.day_minutes.about": (
        "New questions wait while reviews of more minutes than this are overdue. 0: never.",
        "逾期的复习超过这么多分钟时，新题暂停。0 表示从不暂停。",
    ),
    "setting.easy_days": ("Easy days", "轻松的日子"),
    "setting.easy_days.about": (
        "Few reviews on these: weekdays and dates, such as sat sun 2026-12-24.",
        "这些日子少安排复习：星期和日期，例如 sat sun 2026-12-24。",
    ),
    "setting.interview_date": ("Interview date", "面试日期"),
    "setting.interview_date.about": (
        "YYYY-MM-DD, or empty. Home then says what you will remember on that day.",
        "格式 YYYY-MM-DD，可留空。首页会显示当天预计还记得多少。",
    ),
    "setting.confidence": ("Ask how sure", "询问把握"),
    "setting.confidence.about": (
        "Ask how sure you are before the answer is graded.",
        "评分之前先问你有多大把握。",
    ),
    "setting.code_language": ("Kernels in", "kernel 语言"),
    "setting.code_language.about": (
        "The language that kernel and spot-the-bug questions are put in, where they have both.",
        "kernel 题和找错题所用的语言（题目两种都有时）。",
    ),
    "setting.job": ("Interview for", "面试岗位"),
    "setting.job.about": (
        "What interviews for such jobs ask most comes first.",
        "这类岗位的面试问得最多的内容先学。",
    ),
    "setting.retention": ("Retention", "目标保留率"),
    "setting.retention.about": (
        (
            "Share of questions you want to still know when they return, 0.7 to 0.97. "
            "Higher: more reviews. Empty: 0.9, or what the plan chooses."
        ),
        "题目再次出现时希望还记得的比例，0.7 到 0.97；越高复习越多。留空：0.9，或由计划选定。",
    ),
    "setting.theme": ("Theme", "主题配色"),
    "setting.theme.about": ("The colors of the screens.", "界面的配色。"),
    "setting.editor": ("Editor", "编辑器"),
    "setting.editor.about": (
        "The command that edits a question; empty for $VISUAL or $EDITOR.",
        "编辑题目时使用的命令；留空则用 $VISUAL 或 $EDITOR。",
    ),
    "setting.gpu.use": ("Use the GPU", "使用 GPU"),
    "setting.gpu.use.about": (
        "Also run kernels that pass in the emulator on a GPU, if there is one, and time them.",
        "有 GPU 时，通过模拟器的 kernel 还会在 GPU 上运行并计时。",
    ),
    "setting.gpu.host": ("GPU host", "GPU 主机"),
    "setting.gpu.host.about": (
        "user@host with the GPU and this program, reached by ssh; empty for this machine.",
        "装有 GPU 和本程序、可用 ssh 登录的 user@host；留空则用本机。",
    ),
    "settings.job.any": ("any GPU job", "不限"),
    "settings.job.kernel": ("kernel engineer", "算子开发"),
    "settings.job.inference": ("LLM inference", "大模型推理"),
    "settings.job.training": ("training infrastructure", "训练基础设施"),
    "settings.job.hpc": ("HPC", "高性能计算"),
    "settings.by-plan": ("by the plan", "由计划决定"),
    "settings.plan-holds": (
        "Your plan decides this until {day}; {key} changes or drops the plan.",
        "到 {day} 为止由计划决定；按 {key} 可以修改或取消计划。",
    ),
    # first start
    "welcome.asks": (
        "quiz asks what GPU interviews ask, and asks it again shortly before you would forget it.",
        "quiz 会问 GPU 面试里会问的问题，并在你快要忘记之前再问一次。",
    ),
    "welcome.true": (
        "Answers are computed wherever possible; measured figures name the GPU.",
        "能算的答案都由程序算出；实测数据都注明是哪款 GPU。",
    ),
    "welcome.local": (
        "Everything stays on this machine: no account, no network.",
        "一切都保存在这台机器上：不需要账号，也不联网。",
    ),
    "welcome.first": (
        "First comes one question of each kind, about five minutes; leaving early loses nothing.",
        "先从每种题型一道题开始，大约五分钟；中途离开也不会丢失什么。",
    ),
    "welcome.switch": ("{key} or a click switches", "按 {key} 或点击切换"),
    "welcome.place": (
        "Know some of this? {key} asks 20 questions, to skip what you know.",
        "已有基础？按 {key} 用 20 道题看看哪些可以跳过。",
    ),
    "welcome.later": ("Press {key} to change any of this later.", "以后都可以按 {key} 修改。"),
    "welcome.plan-hint": (
        "On the home screen, {key} makes a plan for that day, by your minutes per day.",
        "在首页按 {key} 可以按你每天的时间为那一天制定计划。",
    ),
    "welcome.plan-later": (
        "On the home screen, {key} changes or drops it.",
        "在首页按 {key} 可以修改或取消。",
    ),
    "welcome.date-form": ("YYYY-MM-DD, may stay empty", "YYYY-MM-DD，可留空"),
    # what there is to learn, and how long it takes
    "plan.topics": ("{n} questions about {topics}.", "共 {n} 道题：{topics}。"),
    "plan.topics-more": (
        "{n} questions about {topics} and {more} more topics.",
        "共 {n} 道题：{topics}，以及另外 {more} 个主题。",
    ),
    "plan.and": (", ", "、"),
    "plan.met": (
        "At {pace} per day you will have met all of them on {date}",
        "每天 {pace} 道新题，到 {date}全部学过一遍",
    ),
    "plan.never": (
        "At {pace} per day no new question is asked",
        "每天 {pace} 道新题，就不会出新题",
    ),
    "plan.alone": ("{met}.", "{met}。"),
    "plan.in-time": (
        "{met}, before your interview on {interview}.",
        "{met}，赶在 {interview}面试之前。",
    ),
    "plan.faster": (
        "{met}; your interview is on {interview}: {enough} per day would do.",
        "{met}；面试在 {interview}：每天 {enough} 道就来得及。",
    ),
    "plan.too-soon": (
        "{met}; your interview is on {interview}, too soon to meet all of them.",
        "{met}；面试在 {interview}，来不及全部学一遍。",
    ),
    "plan.minutes": (
        "With reviews that takes about {mean} min per day, up to {peak}.",
        "连同复习平均每天约 {mean} 分钟，最多 {peak} 分钟。",
    ),
    "plan.offered": (
        " A plan of {minutes} min per day would give you about {offered} new ones a day.",
        "如果按每天 {minutes} 分钟制定计划，大约每天学 {offered} 道新题。",
    ),
    "plan.goal": (
        "Your plan for {day}: {minutes} min per day, {n} questions still to meet.",
        "你为 {day} 制定的计划：每天 {minutes} 分钟，还要学 {n} 道题。",
    ),
    "plan.goal-leaves-out": (
        (
            "Your plan for {day}: {minutes} min per day, {n} questions still to meet; "
            "{left_out} are left out."
        ),
        "你为 {day} 制定的计划：每天 {minutes} 分钟，还要学 {n} 道题；{left_out} 道不学。",
    ),
    "plan.interview-over": ("That interview date has passed.", "这个面试日期已经过去。"),
    "plan.all-met": ("You have met every question.", "所有题目都学过了。"),
    # in the last line
    "key.change": ("change", "修改"),
    "key.keep": ("keep this", "采用"),
    "key.as-before": ("as it was", "恢复原样"),
    "key.start": ("start", "开始"),
    "key.skip": ("skip", "跳过"),
}
