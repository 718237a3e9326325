"""What Python says of a text that is not Python, by code."""

WORDS: dict[str, tuple[str, str]] = {
    "syntax.never-closed": ("'{bracket}' was never closed", "'{bracket}' 没有闭合"),
    "syntax.unmatched": ("unmatched '{bracket}'", "'{bracket}' 没有对应的左括号"),
    "syntax.mismatched": (
        "closing '{bracket}' does not match opening '{opening}'",
        "右括号 '{bracket}' 与左括号 '{opening}' 不匹配",
    ),
    "syntax.invalid": ("this is not valid Python", "这不是有效的 Python"),
    "syntax.invalid.comma": ("invalid syntax; is a comma missing?", "语法错误：是不是少了逗号？"),
    "syntax.assignment": (
        "this cannot be assigned to; use == to compare",
        "这里不能赋值；比较要用 ==",
    ),
    "syntax.cannot-assign": ("{target} cannot be assigned to", "不能给 {target} 赋值"),
    "syntax.expected": ("expected {expected}", "这里应有 {expected}"),
    "syntax.expected-block": (
        "expected an indented block after {statement}",
        "{statement} 之后应有缩进的代码块",
    ),
    "syntax.unexpected-indent": ("unexpected indent", "多余的缩进"),
    "syntax.unindent": (
        "the indentation does not match any outer level",
        "缩进与外层的任何一级都对不上",
    ),
    "syntax.tabs": (
        "tabs and spaces are mixed in the indentation",
        "缩进混用了制表符和空格",
    ),
    "syntax.unterminated-string": ("unterminated string", "字符串没有结束"),
    "syntax.invalid-character": ("invalid character {character}", "无效字符 {character}"),
    "syntax.continuation": (
        "a character after the line continuation '\\'",
        "续行符 '\\' 之后还有字符",
    ),
    "syntax.leading-zeros": (
        "leading zeros in an integer; write 0o for octal",
        "整数不能以 0 开头；八进制写作 0o",
    ),
    "syntax.invalid-number": ("invalid number", "无效的数字"),
    "syntax.argument-order": (
        "a positional argument follows a keyword argument",
        "位置参数不能放在关键字参数之后",
    ),
    "syntax.end-of-file": ("the text ends too early", "代码提前结束"),
    "syntax.print": (
        "Python 3 calls print with parentheses",
        "Python 3 的 print 需要括号",
    ),
    "syntax.other": ("not Python: {words}", "不是有效的 Python：{words}"),
    "syntax.not-text": ("a character that is not text", "含有不是文本的字符"),
    "syntax.not-text.hint": ("save the file as UTF-8", "请将文件存为 UTF-8"),
    "syntax.too-deep": ("nested too deeply, or not text", "嵌套过深，或不是文本"),
    "syntax.too-deep.hint": ("give parts of it names", "把其中的部分赋给变量"),
}
