"""Sentences of the database and its backups: what failed, and the ways out."""

WORDS: dict[str, tuple[str, str]] = {
    "store.failed": (
        "an operation on the database {path} failed: {message}",
        "数据库 {path} 无法完成操作：{message}",
    ),
    "store.failed.hint": (
        "`quiz doctor` checks the database and says what is wrong with it",
        "`quiz doctor` 会检查数据库并说明问题",
    ),
    "store.upgrading": (
        "Bringing progress into the form of this version: {percent}%",
        "正在把进度转换为本版本的格式：{percent}%",
    ),
    "store.locked": (
        "another program keeps the database {path} locked",
        "另一个程序一直占用数据库 {path}",
    ),
    "store.locked.hint": (
        ("close that program (another quiz, a database browser, a sync tool), then try again"),
        "请关闭该程序（另一个 quiz、数据库浏览器或同步工具），然后重试",
    ),
    "store.in-use": (
        "another program has the database {path} open, so nothing was changed",
        "另一个程序打开了数据库 {path}，因此没有做任何更改",
    ),
    "store.in-use.hint": (
        "close every other program that has it open, then try again",
        "请关闭所有打开它的其他程序，然后重试",
    ),
    "store.read-only": ("{path} cannot be opened for writing", "{path} 无法写入"),
    "store.read-only.hint": (
        (
            "make it and its folder writable (chmod u+rwX {folder}), or choose another folder: "
            "QUIZ_HOME=/another/folder quiz start"
        ),
        (
            "请使它和所在文件夹可写（chmod u+rwX {folder}），或换一个文件夹："
            "QUIZ_HOME=/another/folder quiz start"
        ),
    ),
    "store.full": (
        "the disk that holds {path} is full; nothing was written",
        "{path} 所在的磁盘已满，没有写入任何内容",
    ),
    "store.full.hint": (
        "free some space, then try again: what you did is still in memory",
        "请腾出空间后重试：你的操作仍在内存里",
    ),
    "store.no-room": (
        "no backup was made: {folder} has {free} MB left, and a backup needs {needed} MB",
        "没有备份：{folder} 还剩 {free} MB，备份需要 {needed} MB",
    ),
    "store.no-room.hint": (
        "free some space; a backup is tried again after the next session",
        "请腾出空间；下次学习之后会再次备份",
    ),
    "store.linked": ("{path} (which is {real})", "{path}（即 {real}）"),
    "store.damaged": (
        "{path} is not a usable database ({reason}); it was left as it is",
        "{path} 不是可用的数据库（{reason}）；它保持原样",
    ),
    "store.not-utf8": ("text that is not UTF-8", "含有不是 UTF-8 的文字"),
    "store.not-quiz": ("a database, but not one of quiz", "是数据库，但不是 quiz 的"),
    "store.lost": (
        "progress is missing from {path}: {reason}; nothing was changed",
        "{path} 缺少学习进度：{reason}；没有做任何更改",
    ),
    "store.only-log": (
        "it is empty, but {log} beside it is not",
        "它是空的，但旁边的 {log} 不是空的",
    ),
    "store.emptied": (
        "it is empty, and the backup {backup} is not",
        "它是空的，而备份 {backup} 不是空的",
    ),
    "store.gone": (
        "there is no such file, and the backup {backup} is not empty",
        "文件不存在，而备份 {backup} 不是空的",
    ),
    "store.shorter": (
        "it ends at event {last:,}, and the backup {backup} at {known:,}",
        "它止于事件 {last:,}，而备份 {backup} 止于 {known:,}",
    ),
    "store.ways-out": (
        (
            "one of these helps; the file itself is kept in any case:\n"
            "  quiz salvage          # rescue every answer that can be read\n"
            "  quiz restore --empty  # start over with an empty database"
        ),
        (
            "可用以下命令之一；原文件总会保留：\n"
            "  quiz salvage          # 抢救所有能读取的回答\n"
            "  quiz restore --empty  # 用空数据库重新开始"
        ),
    ),
    "store.ways-out-backup": (
        (
            "one of these helps; the file itself is kept in any case:\n"
            "  quiz restore {backup}  # events: {events:,}\n"
            "  quiz salvage          # rescue every answer that can be read\n"
            "  quiz restore --empty  # start over with an empty database"
        ),
        (
            "可用以下命令之一；原文件总会保留：\n"
            "  quiz restore {backup}  # 事件数：{events:,}\n"
            "  quiz salvage          # 抢救所有能读取的回答\n"
            "  quiz restore --empty  # 用空数据库重新开始"
        ),
    ),
    "store.too-new": (
        "a newer version of quiz wrote the database {path} (schema {revision}); it was left as is",
        "数据库 {path} 由更新版本的 quiz 写成（schema {revision}）；它保持原样",
    ),
    "store.too-new.hint": (
        "upgrade quiz, or use another folder: QUIZ_HOME=/another/folder quiz start",
        "请升级 quiz，或换一个文件夹：QUIZ_HOME=/another/folder quiz start",
    ),
    "store.no-progress": ("{path} holds no progress yet", "{path} 还没有学习进度"),
    "store.no-progress.hint": ("run `quiz start`", "用 `quiz start` 开始学习"),
    "store.empty-backup": ("{path} holds no progress", "{path} 没有学习进度"),
    "store.empty-backup.hint": (
        "`quiz restore` lists the backups",
        "`quiz restore` 列出所有备份",
    ),
    "store.bad-backup": (
        "{path} is damaged, or not a database of quiz; nothing was changed",
        "{path} 已损坏，或不是 quiz 的数据库；没有做任何更改",
    ),
    "store.bad-backup.hint": (
        (
            "`quiz salvage {quoted}` rescues what can be read from it; `quiz restore` lists "
            "the backups"
        ),
        "`quiz salvage {quoted}` 会抢救其中能读取的内容；`quiz restore` 会列出备份",
    ),
    "store.no-events": (
        "no event can be read from {path}; nothing was changed",
        "{path} 里没有可读取的事件；没有做任何更改",
    ),
    "store.no-events.hint": (
        "`quiz restore` lists the backups; `quiz restore --empty` starts over",
        "`quiz restore` 会列出备份；`quiz restore --empty` 会重新开始",
    ),
    "store.only-answers": (
        (
            "no event can be read from {path}, and nothing was changed; question, time and rating "
            "of its {answers:,} answers are still in the table `answer`"
        ),
        (
            "{path} 里没有可读取的事件，没有做任何更改；`answer` 表里仍有 {answers:,} 个回答的"
            "题目、时间和评分"
        ),
    ),
    "store.only-answers.hint": (
        "keep the file, but the log cannot be rebuilt from it; `quiz restore` lists the backups",
        "请保留该文件，虽然无法由此重建日志；`quiz restore` 会列出备份",
    ),
    "store.orphan": (
        "row {row} of {table} refers to an event that is not there",
        "表 {table} 的第 {row} 行引用了不存在的事件",
    ),
    "store.no-question": (
        "event {id} ({kind}) does not name a question",
        "事件 {id}（{kind}）没有指明题目",
    ),
    "store.unknown-parameters": (
        "event {id} was scheduled with parameters {parameters}, which the log does not hold",
        "事件 {id} 按参数 {parameters} 安排复习，但日志中没有这组参数",
    ),
    "store.set-aside": (
        "{n:,} implausible events that an older version let in no longer count: see `quiz doctor`.",
        "旧版本放进来的 {n:,} 个不合理的事件不再计入：见 `quiz doctor`。",
    ),
    "store.set-aside.one": (
        "1 implausible event that an older version let in no longer counts: see `quiz doctor`.",
        "旧版本放进来的 1 个不合理的事件不再计入：见 `quiz doctor`。",
    ),
    "store.implausible": ("{reason}; it was not stored", "{reason}；没有保存"),
    "store.implausible.hint": (
        "check the computer's clock: `date` prints it",
        "请检查电脑的时钟：`date` 会显示时间",
    ),
    "store.bad-event": (
        "event {id} in the log cannot be read: {message}",
        "日志中的事件 {id} 无法读取：{message}",
    ),
    "store.bad-event.hint": (
        "`quiz restore` lists the backups; `quiz salvage` omits what cannot be read",
        "`quiz restore` 会列出备份；`quiz salvage` 会跳过无法读取的内容",
    ),
}
