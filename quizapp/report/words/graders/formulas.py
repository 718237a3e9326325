"""Sentences about expressions in questions: what they may not be, what has no value."""

WORDS: dict[str, tuple[str, str]] = {
    "formula.too-long": (
        "the expression is longer than {most:,} characters",
        "表达式超过 {most:,} 个字符",
    ),
    "formula.not-an-expression": ("this is not an expression", "这不是表达式"),
    "formula.value-per-lane": (
        "one value per lane, where one number is needed",
        "这里每个 lane 一个值，只需要一个数",
    ),
    "formula.not-a-number": ("the value is not a number", "结果不是数"),
    "formula.only-numbers": ("only numbers can be written here", "这里只能写数"),
    "formula.known": ("known names: {names}", "可用的名字：{names}"),
    "formula.unknown-name": ("there is no '{name}'", "没有 '{name}'"),
    "formula.unknown-form": ("this is not part of the language", "表达式中不能这样写"),
    "formula.number-needed": ("a number is needed here", "这里需要一个数"),
    "formula.power-too-large": ("the power is too large", "幂太大"),
    "formula.number-too-large": ("the number is too large", "这个数太大"),
    "formula.no-result": (
        "this operation has no result for these values",
        "这个运算对这些值没有结果",
    ),
    "formula.usage": ("the call is {usage}", "调用方式为 {usage}"),
    "formula.bad-call": ("{usage}: {reason}", "{usage}：{reason}"),
    "formula.number-per-argument": (
        "each argument must be one number",
        "每个参数必须是一个数",
    ),
    "formula.kind": ("the kind must be one of: {kinds}", "种类只能是：{kinds}"),
    "formula.width": (
        "the width must be an integer, in bytes",
        "宽度必须是整数，单位为字节",
    ),
    "formula.index": (
        "the index must be an integer (use // for division)",
        "下标必须是整数（除法请用 //）",
    ),
    "formula.active": (
        "active lanes are given by a comparison, or by 0 and 1",
        "活跃 lane 用比较或 0 和 1 给出",
    ),
    "formula.integers": ("both must be integers", "两个都必须是整数"),
    "formula.bounds-only": (
        "only bounds of it are known, and an answer must be exact",
        "只知道它的上下界，而答案必须精确",
    ),
}
