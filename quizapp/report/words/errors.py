"""Sentences of errors that any part of the program may raise."""

WORDS: dict[str, tuple[str, str]] = {
    "suggest.name": ("did you mean '{name}'?", "是不是想写 '{name}'？"),
    "suggest.either": (
        "did you mean '{first}' or '{second}'?",
        "是不是想写 '{first}' 或 '{second}'？",
    ),
    "suggest.names": ("did you mean one of these: {names}?", "是不是其中之一：{names}？"),
    "suggest.choices": ("choose one of: {names}", "可选：{names}"),
    "error.unaskable": ("{question} cannot be asked: {reason}", "{question} 无法出题：{reason}"),
    "error.unaskable.hint": (
        "continue with the next question; `quiz lint` says what is wrong with this one",
        "继续下一题；`quiz lint` 会说明此题的问题",
    ),
    "grading.failed": ("{question} cannot be graded: {reason}", "{question} 无法评判：{reason}"),
    "grading.failed.hint": (
        "continue with the next question; `quiz lint` says what is wrong with it",
        "继续下一题；`quiz lint` 会说明它的问题",
    ),
    "grading.cancelled": ("grading was canceled", "评判已取消"),
    "grading.submit-again": (
        "your code is kept: submit it again",
        "代码已保留，请重新提交",
    ),
    "error.not-agreed.hint": (
        "`quiz trust {pack}` shows what would run, and asks",
        "`quiz trust {pack}` 会列出将要运行的代码并征求同意",
    ),
}
