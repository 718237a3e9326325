"""Words of the help screen. Texts are shown as they stand, without markup."""

WORDS: dict[str, tuple[str, str]] = {
    "guide.title": ("help", "帮助"),
    "guide.search": ("search keys, rules and terms", "搜索按键、规则与术语"),
    "guide.none": ("Nothing here mentions that.", "这里没有提到它。"),
    "guide.here": ("Keys of the screen you came from", "上一界面的按键"),
    "guide.keys.home": ("Keys: home", "按键：首页"),
    "guide.keys.question": ("Keys: a question", "按键：答题"),
    "guide.keys.inspector": (
        "Keys: right side of the workbench",
        "按键：代码题右侧",
    ),
    "guide.keys.summary": ("Keys: end of a session", "按键：学习结束"),
    "guide.keys.browser": ("Keys: find", "按键：查找"),
    "guide.keys.statistics": ("Keys: statistics", "按键：统计"),
    "guide.keys.settings": ("Keys: settings", "按键：设置"),
    "guide.keys.mock": ("Keys: mock interviews", "按键：模拟面试"),
    "guide.keys.report": ("Keys: report on an interview", "按键：面试报告"),
    "guide.keys.placed": ("Keys: end of a placement", "按键：摸底测试结束"),
    "guide.keys.plan": ("Keys: plan", "按键：计划"),
    "guide.keys.plan-form": ("Keys: setting the plan", "按键：制定计划"),
    "guide.keys.guide": ("Keys: help", "按键：帮助"),
    "guide.keys.welcome": ("Keys: first start", "按键：首次启动"),
    "guide.keys.everywhere": ("Keys: on every screen", "按键：所有界面"),
    "guide.keys.preview": ("Keys: quiz preview", "按键：quiz preview"),
    "guide.everywhere": (
        "Press ^c to copy selected text, or to quit: while you answer, it asks once.",
        "选中文字后按 ^c 复制，没有选中则退出；正在作答时会先问一次。",
    ),
    "guide.field": (
        "In a field every key types and ^z undoes; esc leaves the field.",
        "在输入框里按键都是输入，^z 撤销；esc 离开输入框。",
    ),
    "guide.editor": (
        "In the editor ^s submits, ^z undoes, ^y redoes, tab indents.",
        "在编辑器里 ^s 提交、^z 撤销、^y 重做、tab 缩进。",
    ),
    "guide.kind": ("What each kind of question asks", "各种题型问什么"),
    "guide.kind.choice": (
        "Choice: pick the right option; a wrong pick says why it is wrong.",
        "选择题：选出正确的选项。选错时会说明为什么错。",
    ),
    "guide.kind.number": (
        "Number: work it out and type it; then you see why, and how it is known.",
        "数值题：算出结果并输入；随后给出理由，以及这个数的依据。",
    ),
    "guide.kind.trace": (
        "Trace: say what one warp instruction costs; its numbers change each time.",
        "推算题：说出代码中一条 warp 指令的代价。每次的数字都不同。",
    ),
    "guide.kind.recall": (
        "Recall: answer aloud or in writing, then tick the points you covered.",
        "问答题：口头或书面回答，然后勾选自己答到的要点。",
    ),
    "guide.kind.spot": (
        "Spot: name the line where it shows, and its kind; an emulator checks both.",
        "找错题：指出错误暴露在哪一行、属于哪一类；由模拟器核对。",
    ),
    "guide.kind.index": (
        "Index: write where each element goes; submit until all checks pass.",
        "布局题：写出每个元素放在哪里；可以反复提交，直到通过全部检查。",
    ),
    "guide.kind.kernel": (
        "Kernel: write it in Numba or C++; an emulator runs and counts it.",
        "kernel 题：用 Numba 或 C++ 编写；由模拟器运行并计数。",
    ),
    "guide.grading": ("How answers are graded", "如何评分"),
    "guide.grading.choice": (
        "A choice is right when all right options are picked and no other.",
        "选择题要选出全部正确选项且不多选才算对。",
    ),
    "guide.grading.number": (
        "A number is right within its tolerance; 2^10, 80*1.5/3 and 32 KiB are computed.",
        "数值题在允许误差内算对；2^10、80*1.5/3、32 KiB 都会算出来。",
    ),
    "guide.grading.recall": (
        "A recall is yours to compare: tick the points you covered, by weight.",
        "问答题由你自己对照：勾选答到的要点，按权重计分。",
    ),
    "guide.grading.trace": (
        "A trace has other numbers each time; its answer is computed by the bank model.",
        "推算题每次换一组数；答案由 bank 模型算出。",
    ),
    "guide.grading.index": (
        "Submit an index function as often as you like; it is right when every check passes.",
        "布局题可以反复提交；通过所有检查才算对。",
    ),
    "guide.rating": ("What the ratings mean", "评级的含义"),
    "guide.rating.again": (
        (
            "Again: wrong or given up. It comes back within the session; "
            "in the session of one of each kind, the next session asks it."
        ),
        "重来：答错或放弃。本次学习中会再问；“每种题型一道”中答错的题，下次学习时再问。",
    ),
    "guide.rating.hard": (
        (
            "Hard: right by a guess, with a hint or after two failures, "
            "or half of a recall's points."
        ),
        "困难：蒙对、用了提示或失败两次后答对；问答题答到一半要点。",
    ),
    "guide.rating.good": ("Good: right, without hints.", "良好：答对，未用提示。"),
    "guide.rating.easy": (
        "Easy: on a later day, right at once, faster than your median, and certain.",
        "简单：之后某天一次答对、快于你的中位用时，且有把握。",
    ),
    "guide.rating.override": (
        "The screen says which rule applied. 1 to 4 override it.",
        "界面会写明用了哪条规则。按 1 到 4 可以改评级。",
    ),
    "guide.rating.schedule": (
        "A question returns when the chance that you recall it falls to the retention you set.",
        "当预计记得的概率降到目标保留率时，题目会再次出现。",
    ),
    "guide.rating.day": (
        "Only a day's first attempt moves the schedule. A study day begins at four in the morning.",
        "每天只有第一次作答会影响安排。学习日从凌晨四点开始。",
    ),
    "guide.signs": ("Signs in lists", "列表里的符号"),
    "guide.signs.text": (
        "· new   ✓ known   ! due   = suspended   ~ put off until tomorrow   ⚑ flagged   * changed",
        "· 新题   ✓ 已掌握   ! 待复习   = 已停用   ~ 搁置到明天   ⚑ 已标记   * 被你修改过",
    ),
    "guide.glossary": ("Glossary", "术语表"),
}
