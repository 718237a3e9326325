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
        "a socket cannot be created at {path}: {reason}",
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
    "serve.json.empty": ("it is empty", "它是空的"),
    "serve.json.incomplete": ("it ends too early", "它不完整"),
    "serve.json.malformed": ("malformed at byte {byte}", "字节 {byte} 处的格式有误"),
    "serve.json.not-utf8": ("not UTF-8 at byte {byte}", "字节 {byte} 处不是 UTF-8"),
    "serve.json.number": ("it has a number that is too large", "其中有数字太大"),
    "serve.json.too-deep": ("its values are nested too deeply", "值的嵌套太深"),
    "serve.not-an-object": ("the line is not a JSON object", "这一行不是 JSON 对象"),
    "serve.version": (
        "version {version} of the protocol is not known; this is version {known}",
        "未知的协议版本 {version}；当前版本为 {known}",
    ),
    "serve.missing": ("the request lacks {names}", "请求缺少 {names}"),
    "serve.unknown-key": ("a request has no key {name!r}", "请求没有 {name!r} 这个键"),
    "serve.bad-field": ("{name} must be {takes}", "{name} 必须是{takes}"),
    "serve.takes.id": (
        "a string of at most 200 characters, or an integer from -2^53 to 2^53",
        "不超过 200 个字符的字符串，或 -2^53 到 2^53 的整数",
    ),
    "serve.takes.language": (
        "python or cuda, in quotes, or null",
        "带引号的 python 或 cuda，或 null",
    ),
    "serve.takes.question": ("a string of at most 200 characters", "不超过 200 个字符的字符串"),
    "serve.takes.seed": ("an integer from 0 to 2^53, or null", "从 0 到 2^53 的整数，或 null"),
    "serve.takes.source": ("a string: the code of the submission", "字符串：提交的代码"),
}
