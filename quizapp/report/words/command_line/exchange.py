"""Words of `quiz export`, `quiz import` and `quiz sync`: what is written, found, and taken in."""

WORDS: dict[str, tuple[str, str]] = {
    "count.answers": ("{n:,} answers", "{n:,} 次作答"),
    "count.answers.one": ("1 answer", "1 次作答"),
    "count.machines": ("{n:,} machines", "{n:,} 台机器"),
    "count.machines.one": ("1 machine", "1 台机器"),
    "count.notes": ("{n:,} notes", "{n:,} 条笔记"),
    "count.notes.one": ("1 note", "1 条笔记"),
    # quiz export
    "export.made": ("{what} exported to:", "已导出 {what}："),
    "export.endings": (
        ".jsonl for everything, .csv for a table of the answers, .apkg for Anki",
        ".jsonl 包含全部内容，.csv 是作答表格，.apkg 用于 Anki",
    ),
    "export.progress": ("{what} written", "已写出 {what}"),
    # quiz import
    "import.which": (
        "name a file that `quiz export` wrote, or an Anki package",
        "请给出由 `quiz export` 写出的文件，或 Anki 的牌组包",
    ),
    "import.reading": ("{events} read", "已读取 {events}"),
    "import.progress": ("{events} imported", "已导入 {events}"),
    "import.empty": ("{file} holds no events.", "{file} 里没有事件。"),
    "import.holds": (
        "{file} holds {events} from {machines}, logged {first} to {last}.",
        "{file} 有来自 {machines}的 {events}，记录于 {first} 至 {last}。",
    ),
    "import.newer": (
        "Only a newer version of quiz can read {events}: import the file again after an upgrade.",
        "有 {events}只有更新版本的 quiz 才能读取：升级后请再次导入该文件。",
    ),
    "import.erased": (
        "{events} were erased by `quiz erase` and stay erased; `quiz restore` lists the backups.",
        "{events}已被 `quiz erase` 清除，不再导入；`quiz restore` 会列出备份。",
    ),
    "import.nothing-new": (
        "All that can be read is in your progress already: nothing was changed.",
        "能读取的内容都已在你的进度里：没有做任何更改。",
    ),
    "import.new": (
        "New here: {events}, {answers} among them; already here: {known}.",
        "其中新的有 {events}（含 {answers}），已有的 {known}。",
    ),
    "import.question": ("Import what is new? [y/N]", "导入新的内容？[y/N]"),
    "import.done": (
        "{events} imported. `quiz import --undo` takes all of them back.",
        "已导入 {events}。`quiz import --undo` 可全部撤回。",
    ),
    "import.withdrawn": (
        (
            "{events} of it were taken back here, {answers} among them: importing brings back "
            "all that came with them."
        ),
        "其中 {events}曾在这里撤回，含 {answers}：导入会恢复当时一同带来的全部内容。",
    ),
    "import.to-return": (
        "{answers} of it were taken back here: importing brings them back.",
        "其中 {answers}曾在这里撤回：导入会恢复它们。",
    ),
    "import.brought-back": (
        "{answers} from {origin} count again.",
        "来自 {origin} 的 {answers}重新计入。",
    ),
    "import.to-withdraw": (
        (
            "This takes back what came from {origin} on {day}: {answers}, {events} in all. "
            "`quiz import --redo` brings them back."
        ),
        (
            "这会撤回 {day} 来自 {origin} 的内容：{answers}，共 {events}。"
            "`quiz import --redo` 可恢复。"
        ),
    ),
    "import.to-bring-back": (
        "This brings back what came from {origin} on {day}: {answers}, {events} in all.",
        "这会恢复 {day} 来自 {origin} 的内容：{answers}，共 {events}。",
    ),
    "import.undo.question": ("Take it back? [y/N]", "撤回？[y/N]"),
    "import.redo.question": ("Bring it back? [y/N]", "恢复？[y/N]"),
    "import.taken-back": (
        "{answers} from {origin} no longer count.",
        "来自 {origin} 的 {answers}不再计入。",
    ),
    "import.nothing-to-undo": (
        "nothing that an import or a sync brought counts",
        "没有计入的导入或同步内容",
    ),
    "import.nothing-to-redo": (
        "nothing that an import or a sync brought was taken back",
        "没有撤回过导入或同步的内容",
    ),
    "import.either": ("give either FILE, --undo, or --redo", "“文件”、--undo、--redo 只能选一个"),
    # quiz import of a package of Anki
    "import.notes": ("{notes} read", "已读取 {notes}"),
    "import.package": (
        "{file} is an Anki package. New in it: {answers}; already here: {known}.",
        "{file} 是 Anki 的牌组包。其中新的有 {answers}，已有的 {known}。",
    ),
    "import.new-questions": (
        "Its other notes become {questions} of the pack `anki`, which is yours.",
        "其余笔记将成为你自己的题包 `anki` 里的 {questions}。",
    ),
    "import.skipped": (
        "{notes} without a question or without an answer are skipped.",
        "跳过 {notes}：没有题面或没有答案。",
    ),
    "import.suspended": (
        "Suspended in Anki, so not asked here either: {n:,} of its notes.",
        "在 Anki 中已暂停、这里也不再出的笔记：{n:,} 条。",
    ),
    "import.left-cards": (
        "Left behind: {n:,} second or later cards of a note, with their reviews.",
        "不导入的内容：{n:,} 张同一笔记的第二张及以后的卡片，连同其复习记录。",
    ),
    "import.left-pictures": (
        "Left behind: {n:,} pictures; their file names stay in the text.",
        "不导入的内容：{n:,} 张图片，文件名保留在文中。",
    ),
    "import.left-due-days": (
        "Left behind: the due days of {n:,} cards without a review, which begin as new.",
        "不导入的内容：{n:,} 张没有复习记录的卡片的到期日，它们将作为新题开始。",
    ),
    "import.written": (
        "The questions are yours to edit; an undo takes back answers, not this file:",
        "题目归你编辑；撤销只收回作答，不会删除这个文件：",
    ),
    "anki.unreadable": (
        "{file} cannot be imported: {reason}",
        "{file} 无法导入：{reason}",
    ),
    "anki.unreadable.hint": (
        "in Anki, export a .apkg again, with the scheduling",
        "请在 Anki 里重新导出 .apkg，并勾选学习进度",
    ),
    "anki.damaged": ("the zip file is damaged ({reason})", "zip 文件已损坏（{reason}）"),
    "anki.not-a-collection": (
        "its collection cannot be read ({reason})",
        "其中的集合无法读取（{reason}）",
    ),
    "anki.no-collection": ("it holds no collection of Anki", "其中没有 Anki 的集合"),
    "anki.strange-member": (
        "it holds a link, or a file that would be outside of it: {name}",
        "其中有链接，或路径在包外的文件：{name}",
    ),
    "anki.too-large": ("its collection is larger than {limit} MiB", "其中的集合超过 {limit} MiB"),
    # quiz sync
    "sync.no-folder": (
        "{folder} is not a folder",
        "{folder} 不是文件夹",
    ),
    "sync.no-folder.hint": (
        "make it, or name the folder that your machines share",
        "请先创建它，或给出各台机器共享的文件夹",
    ),
    "sync.plain-text": (
        (
            "This machine has not written to {folder} yet. Its file there will hold the answers "
            "given here, in plain text: whoever can read the folder can read them."
        ),
        "本机还没有写过 {folder}。同步会把本机的作答以明文写入其中：能读这个文件夹的人都能看到。",
    ),
    "sync.to-forget": (
        (
            "Another machine erased its progress: {events} here will be forgotten, after a backup. "
            "With --revive the erase is taken back instead."
        ),
        "另一台机器清除了进度：备份之后，这里将清除 {events}。用 --revive 则撤销那次清除。",
    ),
    "sync.question": ("Sync? [y/N]", "同步？[y/N]"),
    "sync.reading": ("{events} read", "已读取 {events}"),
    "sync.done": (
        "{taken} taken in, {written} written.",
        "已接收 {taken}，写出 {written}。",
    ),
    "sync.newer": (
        "Only a newer version of quiz can read {events}: they wait in the folder for an upgrade.",
        "有 {events}只有更新版本的 quiz 才能读取：它们留在文件夹里，等你升级。",
    ),
    "sync.newer-files": (
        "Only a newer version of quiz can read {n:,} of the files: upgrade quiz.",
        "有 {n:,} 个文件只有更新版本的 quiz 才能读取：请升级 quiz。",
    ),
    "sync.waiting": (
        "{events} wait for another file that has not come yet.",
        "{events}要等另一个尚未到达的文件。",
    ),
    "sync.revived": (
        "{events} took back what was erased: the machines that still have it bring it back.",
        "已用 {events}撤销清除：仍有这些内容的机器会把它们带回来。",
    ),
    "sync.withdrawn": (
        (
            "{answers} that came from elsewhere were taken back here: `quiz import --redo` brings "
            "them back."
        ),
        "来自别处的 {answers}在这里已撤回：`quiz import --redo` 可恢复。",
    ),
    "sync.implausible": (
        "{file}:{line}: {reason}; not taken in.",
        "{file}:{line}：{reason}；未接收。",
    ),
    "sync.implausible.more": (
        "{n:,} more lines hold implausible events.",
        "另有 {n:,} 行是不合理的事件。",
    ),
    "sync.implausible.more.one": (
        "1 more line holds an implausible event.",
        "另有 1 行是不合理的事件。",
    ),
    "sync.unreadable": (
        (
            "{file}: {n:,} lines are cut or damaged. They are read once the whole file is there; "
            "this is said again only if it changes."
        ),
        "{file}：有 {n:,} 行被截断或损坏。文件完整之后会再读取；情况不变就不再提示。",
    ),
    "sync.unreadable.one": (
        (
            "{file}: 1 line is cut or damaged. It is read once the whole file is there; "
            "this is said again only if it changes."
        ),
        "{file}：有 1 行被截断或损坏。文件完整之后会再读取；情况不变就不再提示。",
    ),
    # files that cannot be read
    "exchange.bad-line": (
        "line {line:,} of {file}: {reason}; nothing was imported",
        "{file} 第 {line:,} 行：{reason}；没有导入任何内容",
    ),
    "exchange.bad-line.hint": (
        "export it again, or repair the line; `quiz docs exchange` describes the format",
        "请重新导出，或修复这一行；`quiz docs exchange` 说明了格式",
    ),
    "exchange.incomplete": (
        "{file} should hold {events:,} events and holds {read:,}; nothing was imported",
        "{file} 不完整：应有 {events:,} 个事件，实有 {read:,} 个；没有导入任何内容",
    ),
    "exchange.incomplete.hint": (
        "copy or export the file again",
        "请重新复制或导出该文件",
    ),
    "exchange.no-parameters": (
        (
            "{file} has answers scheduled with parameters {parameters}, which neither it nor your "
            "progress holds; nothing was imported"
        ),
        (
            "{file} 中有按参数 {parameters} 安排的作答，但该文件和你的进度都没有这组参数；"
            "没有导入任何内容"
        ),
    ),
    "exchange.no-parameters.hint": (
        "export all events again: a part of a log cannot be replayed",
        "请重新导出全部事件：不完整的日志无法重放",
    ),
    "exchange.contradictory": (
        "the events of {file} cannot be replayed ({reason}); nothing was imported",
        "{file} 的事件无法重放（{reason}）；没有导入任何内容",
    ),
    "exchange.contradictory.hint": (
        "export it again: it is not as quiz wrote it",
        "请重新导出：它已不是 quiz 写出的样子",
    ),
    "exchange.not-a-log": (
        "it does not begin as a file that `quiz export` wrote",
        "开头不是 `quiz export` 写出的格式",
    ),
    "exchange.newer-format": (
        "it has version {version} of the format, and this quiz reads version {known}: upgrade quiz",
        "它是格式的第 {version} 版，而这个 quiz 只能读第 {known} 版：请升级 quiz",
    ),
    "exchange.long-line": ("it is longer than {limit} MiB", "超过了 {limit} MiB"),
    "exchange.changed-line": (
        "it was changed after it was written: its check does not match",
        "写出之后被改动过：校验值不符",
    ),
    "exchange.not-an-event": ("it is not an event ({reason})", "不是一个事件（{reason}）"),
    # what an event may hold
    "exchange.implausible": (
        "{file}:{line}: {what}; nothing was imported",
        "{file}:{line}：{what}；没有导入任何内容",
    ),
    "event.implausible": (
        "{field} of an event `{kind}` is {value}, which is implausible; allowed: {bound}",
        "`{kind}` 事件的 {field} 是 {value}，不合理；允许：{bound}",
    ),
    "event.implausible.hint": (
        (
            "export it again with this version, which leaves such events out; or remove the line "
            "and count one event less in the first line"
        ),
        "请用本版本重新导出，它会略去这样的事件；或删去这一行，并把首行的事件数减一",
    ),
    "bound.typed": ("every value of its type", "该类型的任何值"),
    "bound.span": ("{low:,} to {high:,}", "{low:,} 到 {high:,}"),
    "bound.text": ("up to {most:,} characters", "至多 {most:,} 个字符"),
    "bound.name": (
        "one line of {least:,} to {most:,} printable characters",
        "一行 {least:,} 到 {most:,} 个可打印字符",
    ),
    "bound.id": ("32 hexadecimal digits", "32 位十六进制数字"),
    "bound.each": ("up to {most:,} items, each {item}", "至多 {most:,} 项，每项为 {item}"),
    "bound.pairs": (
        "up to {most:,} entries; key: {key}; value: {item}",
        "至多 {most:,} 项；键：{key}；值：{item}",
    ),
    "bound.weights": (
        "{n:,} weights, each within FSRS's bounds",
        "{n:,} 个权重，各在 FSRS 的界限之内",
    ),
    "bound.weights-or-none": (
        "none, or {n:,} weights, each within FSRS's bounds",
        "没有，或 {n:,} 个权重，各在 FSRS 的界限之内",
    ),
    "bound.plain": ("plain data of up to {most:,} bytes as JSON", "JSON 至多 {most:,} 字节的数据"),
    "bound.part": ("`{name}`: {bound}", "`{name}`：{bound}"),
    "bound.parts": ("{parts}", "{parts}"),
    "bound.after": ("`{of}` and {bound} more", "`{of}` 之后 {bound}"),
    "bound.question": ("the id of a question", "题目的 id"),
}
