"""Words of `quiz grade --serve`, and of options of `quiz grade` that exclude each other."""

WORDS: dict[str, tuple[str, str]] = {
    "grade.excludes": ("{mode} excludes {options}", "{mode} 不能与 {options} 同时使用"),
    "grade.only-with": ("{option} works only with {modes}", "{option} 只能与 {modes} 一起使用"),
    "serve.starts": (
        "listening on {path}; {n:,} processes; seed {seed} (Ctrl-C ends it)",
        "正在监听 {path}；{n:,} 个进程；种子 {seed}（按 Ctrl-C 结束）",
    ),
    "serve.starts.one": (
        "listening on {path}; 1 process; seed {seed} (Ctrl-C ends it)",
        "正在监听 {path}；1 个进程；种子 {seed}（按 Ctrl-C 结束）",
    ),
    "serve.ended": ("{n:,} submissions were graded", "共评判 {n:,} 份提交"),
    "serve.ended.one": ("1 submission was graded", "共评判 1 份提交"),
    "serve.in-use": ("another program listens on {path}", "另一个程序正在监听 {path}"),
    "serve.in-use.hint": ("end it, or name another socket", "请结束它，或换一个 socket 路径"),
    "serve.not-a-socket": ("{path} exists and is not a socket", "{path} 已存在，且不是 socket"),
    "serve.not-a-socket.hint": ("name another path", "请换一个路径"),
    "serve.long-path": (
        "{path} is too long for a socket: the limit is {most} bytes",
        "socket 路径 {path} 过长：上限为 {most} 字节",
    ),
    "serve.long-path.hint": (
        "name one in a folder higher up, such as /tmp, or a relative path",
        "请使用更短的路径，例如 /tmp 下的路径或相对路径",
    ),
    "serve.no-socket": (
        "no socket can be made at {path}: {reason}",
        "无法在 {path} 创建 socket：{reason}",
    ),
    "serve.no-socket.hint": (
        "name a path in a folder that exists and that you may write to",
        "请使用已存在且可写的文件夹中的路径",
    ),
    "serve.stopping": ("the server is stopping", "服务器正在停止"),
    "serve.stopping.hint": ("send it again once a server listens", "请在服务器重新启动后再发送"),
    "serve.too-many": (
        "the server has {most} connections already",
        "服务器已有 {most} 个连接",
    ),
    "serve.too-many.hint": (
        "send more requests over one connection",
        "请用同一个连接发送更多请求",
    ),
    "serve.failed": (
        "the submission could not be graded: {kind}",
        "无法评判这份提交：{kind}",
    ),
    "serve.failed.hint": ("send it again; the log has the cause", "请重新发送；原因见日志"),
    "serve.long-line": (
        "the line is longer than {most:,} bytes",
        "这一行超过 {most:,} 字节",
    ),
    "serve.not-json": ("the line is not JSON: {why}", "这一行不是 JSON：{why}"),
    "serve.not-an-object": ("the line is not a JSON object", "这一行不是 JSON 对象"),
    "serve.version": (
        "version {version} of the protocol is not known; this is version {known}",
        "未知的协议版本 {version}；当前版本为 {known}",
    ),
    "serve.missing": ("the request lacks {names}", "请求缺少 {names}"),
    "serve.unknown-key": ("a request has no key {name!r}", "请求没有 {name!r} 这个键"),
    "serve.bad-field": (
        "a value of the request does not fit: {why}",
        "请求中的值不符合要求：{why}",
    ),
}
