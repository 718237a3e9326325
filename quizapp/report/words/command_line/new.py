"""Words of `quiz new`."""

WORDS: dict[str, tuple[str, str]] = {
    "new.next": (
        "Next: write your question over the example, then\n  quiz preview {path} --watch",
        "下一步：用你的题目改写示例，然后运行\n  quiz preview {path} --watch",
    ),
    "new.next-theme": (
        "Next: write your theme over the example, then\n  quiz lint {path}\n  quiz mock",
        "下一步：用你的主题改写示例，然后运行\n  quiz lint {path}\n  quiz mock",
    ),
    "new.two-places": (
        "--pack and --to both say where the file goes",
        "--pack 和 --to 都指定了文件的位置",
    ),
    "new.two-places.hint": (
        "give one of them; with --to, the folder determines the pack",
        "请只给其中一个；用 --to 时由文件夹决定题包",
    ),
    "new.no-id": ("'{id}' is not an id", "'{id}' 不能作为编号"),
    "new.no-id.hint": ("write lower-case words joined by hyphens", "请用连字符连接的小写单词"),
    "new.exists": ("{path} exists already", "{path} 已存在"),
    "new.exists.hint": (
        "choose another id with --id, or edit the existing question",
        "请用 --id 换一个编号，或编辑已有的题目",
    ),
    "new.taken": (
        "there is a question {id} already, at {file}:{line}",
        "题目 {id} 已存在，位于 {file}:{line}",
    ),
    "new.taken.hint": (
        "choose another with --id, or `quiz edit {id}`",
        "请用 --id 换一个，或运行 `quiz edit {id}`",
    ),
    "new.unreadable-pack": ("{file} cannot be read", "{file} 无法读取"),
    "new.unreadable-pack.hint": ("run `quiz lint {folder}`", "请运行 `quiz lint {folder}`"),
}
