"""Words of wrong calls of the command line, and of errors that end a command."""

WORDS: dict[str, tuple[str, str]] = {
    "usage.no-command": ("there is no command '{name}'", "没有命令 '{name}'"),
    "usage.no-option": ("there is no option '{name}'", "没有选项 '{name}'"),
    "usage.missing-argument": ("the argument {name} is missing", "缺少参数“{name}”"),
    "usage.missing-option": ("the option {name} is missing", "缺少选项 {name}"),
    "usage.option-needs-value": ("the option {name} needs a value", "选项 {name} 需要一个值"),
    "usage.option-takes-no-value": ("the option {name} takes no value", "选项 {name} 不带值"),
    "usage.extra-arguments": ("unexpected argument: {text}", "多余的参数：{text}"),
    "usage.not-an-integer": ("{name}: '{text}' is not an integer", "{name}：'{text}' 不是整数"),
    "usage.not-sizes": (
        "{name}: '{text}' is not one to three integers from 1",
        "{name}：'{text}' 不是一到三个不小于 1 的整数",
    ),
    "usage.sizes-example": ("write {name} 8,8 for example", "例如写 {name} 8,8"),
    "usage.below": ("{name}: {n:,} is less than {least:,}", "{name}：{n:,} 小于 {least:,}"),
    "usage.above": ("{name}: {n:,} is more than {most:,}", "{name}：{n:,} 大于 {most:,}"),
    "usage.not-a-choice": ("{name}: there is no '{text}'", "{name}：没有 '{text}'"),
    "usage.bad-value": ("the value of {name} cannot be used", "{name} 的值无法使用"),
    "usage.not-understood": ("this call cannot be understood", "无法理解这条命令"),
    "usage.see-help": ("see `{command} --help`", "见 `{command} --help`"),
    "usage.see-commands": (
        "see `quiz --help` for all commands",
        "用 `quiz --help` 查看所有命令",
    ),
    "usage.no-answer": (
        "no answer was given, so nothing was changed",
        "没有得到回答，因此什么也没改",
    ),
    "usage.no-answer.hint": ("--yes continues without asking", "加 --yes 可不经询问直接执行"),
    "usage.no-terminal": (
        "{what} needs a terminal, and this is not one",
        "{what}需要终端，而这里不是终端",
    ),
    "usage.no-drawing": (
        "{what} cannot draw here: TERM is {term}",
        "{what}无法在这里显示：TERM 为 {term}",
    ),
    "usage.term-not-set": ("not set", "未设置"),
    "start.screen": ("the study screen", "学习界面"),
    "start.plain-instead": (
        "`quiz start --plain` works line by line, without a screen",
        "`quiz start --plain` 可逐行问答，不需要界面",
    ),
    "nothing-changed": ("Nothing was changed.", "什么也没改。"),
    # errors of the program and of the system
    "error.internal": (
        "this is an error in quiz itself ({kind}); nothing stored is lost",
        "这是 quiz 自身的错误（{kind}）；已保存的内容没有丢失",
    ),
    "error.internal.hint": (
        "the log says where: {log}\nQUIZ_DEBUG=1 quiz … shows it here",
        "日志里有出错的位置：{log}\nQUIZ_DEBUG=1 quiz … 会在这里显示",
    ),
    "error.system": ("{reason}", "{reason}"),
    "error.system.hint": (
        "check that it exists, can be read and written, and that the disk has room",
        "请检查它是否存在、能否读写，以及磁盘是否还有空间",
    ),
    "error.of-file": ("{file}: {reason}", "{file}：{reason}"),
    "system.eacces": ("permission denied", "没有权限"),
    "system.econnrefused": ("connection refused", "连接被拒绝"),
    "system.edquot": ("disk quota exceeded", "超出磁盘配额"),
    "system.eexist": ("it exists already", "已经存在"),
    "system.eio": ("input/output error", "输入输出错误"),
    "system.eisdir": ("it is a folder", "是文件夹"),
    "system.enoent": ("there is no such file or folder", "没有这个文件或文件夹"),
    "system.enospc": ("no space left on the disk", "磁盘空间不足"),
    "system.enotdir": ("it is not a folder", "不是文件夹"),
    "system.eperm": ("operation not permitted", "不允许此操作"),
    "system.erofs": ("the file system is read-only", "文件系统只读"),
}
