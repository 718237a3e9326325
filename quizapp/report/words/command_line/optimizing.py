"""Words of `quiz optimize`."""

WORDS: dict[str, tuple[str, str]] = {
    "optimize.fitting": ("Fitting to your answers …", "正在用作答记录拟合……"),
    "optimize.too-few": (
        "{reviews} reviews are too few to fit to: {n} more are needed.",
        "复习次数不够（{reviews} 次），还需要 {n} 次。",
    ),
    "optimize.before": ("before", "调整前"),
    "optimize.after": ("after", "调整后"),
    "optimize.loss": ("log loss", "对数损失"),
    "optimize.loss-about": (
        "of {n} later reviews that were held out; less is better",
        "在留出的 {n} 次较晚复习上；越小越好",
    ),
    "optimize.gain": ("gain", "改善"),
    "optimize.gain-about": (
        "± {error}, the standard error over questions",
        "± {error}，按题目计算的标准误",
    ),
    "optimize.due": ("due", "到期"),
    "optimize.due-about": (
        "within 30 days, if this had applied from the start",
        "30 天内（假如一开始就这样安排）",
    ),
    "optimize.adopted": (
        "Adopted from the next answer on. `quiz optimize --undo` takes it back.",
        "已采用，从下一次作答起生效。`quiz optimize --undo` 可以取消。",
    ),
    "optimize.would": ("It would be adopted.", "预测更准，会被采用。"),
    "optimize.kept": (
        "Not adopted: it does not predict the later reviews better.",
        "没有采用：对较晚复习的预测并没有更准。",
    ),
    "optimize.within-chance": (
        "Not adopted: the gain is within what chance explains. More reviews may settle it.",
        "没有采用：改善没有超出偶然误差。积累更多复习后可以再试。",
    ),
    "optimize.taken-back": (
        "The scheduler has the weights of FSRS again.",
        "复习算法已恢复 FSRS 默认参数。",
    ),
    "optimize.fit-before": (
        "Undone: the weights of the fit before hold again.",
        "已撤销，恢复上一次拟合的参数。",
    ),
    "optimize.nothing": ("Nothing was adopted.", "没有采用过调整。"),
    "optimize.no-extra": (
        "`fsrs-rs-python` is not installed, which fits the scheduler",
        "未安装用于拟合的 `fsrs-rs-python`",
    ),
    "optimize.install": (
        "install it: pip install 'gpu-quiz[tune]'",
        "安装方法：pip install 'gpu-quiz[tune]'",
    ),
}
