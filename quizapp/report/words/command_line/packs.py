"""Words of `quiz pack`, and what can be wrong with a pack that is added."""

WORDS: dict[str, tuple[str, str]] = {
    # quiz pack list
    "pack.column.pack": ("pack", "题包"),
    "pack.column.topic": ("topic", "主题"),
    "pack.column.title": ("title", "标题"),
    "pack.column.version": ("version", "版本"),
    "pack.column.license": ("license", "许可证"),
    "pack.column.questions": ("questions", "题数"),
    "pack.column.state": ("state", "状态"),
    "pack.column.source": ("from", "来源"),
    "pack.source.shipped": ("shipped", "自带"),
    "pack.source.installed": ("installed", "已安装"),
    "pack.source.configured": ("setting `content`", "设置项 `content`"),
    "pack.source.own": ("your own", "你自己的"),
    "pack.version": ("version {version}", "版本 {version}"),
    "pack.license": ("license {license}", "许可证 {license}"),
    "pack.new-per-day": ("at most {n} new per day", "每天最多 {n} 道新题"),
    "pack.held-back": ("{n} wait for `quiz trust`", "{n} 道待 `quiz trust`"),
    "pack.held-back.one": ("1 waits for `quiz trust`", "1 道待 `quiz trust`"),
    # how it is called
    "pack.usage-add": (
        "`quiz pack add` needs a folder, a zip file, or the URL of a git repository",
        "`quiz pack add` 需要一个文件夹、zip 文件或 git 仓库的 URL",
    ),
    "pack.usage-remove": (
        "`quiz pack remove` needs the name of a pack",
        "`quiz pack remove` 需要题包名称",
    ),
    "pack.usage-export": (
        "`quiz pack export` needs the name of a pack and a file",
        "`quiz pack export` 需要题包名称和文件名",
    ),
    "pack.only-add": (
        "only `quiz pack add` takes {option}",
        "只有 `quiz pack add` 接受 {option}",
    ),
    # quiz pack add
    "pack.adding": ("Reading the pack …", "正在读取题包……"),
    "pack.added": ("{pack} is installed, with {questions}:", "已安装 {pack}，有 {questions}："),
    "pack.left-out": (
        "{n:,} questions have errors and are not asked: see `quiz lint {folder}`.",
        "{n:,} 道题有错误，不会出现：见 `quiz lint {folder}`。",
    ),
    "pack.left-out.one": (
        "1 question has errors and is not asked: see `quiz lint {folder}`.",
        "1 道题有错误，不会出现：见 `quiz lint {folder}`。",
    ),
    "pack.needs-consent": (
        "{n:,} kernels run Python, and are skipped until you agree: `quiz trust {pack}`.",
        "{n:,} 道 kernel 题会运行 Python，在你同意之前跳过：`quiz trust {pack}`。",
    ),
    "pack.needs-consent.one": (
        "1 kernel runs Python, and is skipped until you agree: `quiz trust {pack}`.",
        "1 道 kernel 题会运行 Python，在你同意之前跳过：`quiz trust {pack}`。",
    ),
    "pack.name-source": (
        "give a folder, a zip file, or a URL that begins with https:// or ssh://",
        "请给出文件夹、zip 文件，或以 https:// 或 ssh:// 开头的 URL",
    ),
    "pack.no-folder": ("there is no folder {folder} in it", "其中没有文件夹 {folder}"),
    "pack.no-folder.hint": (
        "--folder is a path within the folder, the zip file, or the repository",
        "--folder 是文件夹、zip 文件或仓库内部的路径",
    ),
    "pack.several": ("it holds several packs: {folders}", "其中有多个题包：{folders}"),
    "pack.several.hint": (
        "choose one with --folder, and add the others one by one",
        "请用 --folder 选择一个，其余的逐个添加",
    ),
    "pack.not-a-name": (
        "'{name}' cannot be the name of a pack",
        "'{name}' 不能用作题包名称",
    ),
    "pack.not-a-name.hint": (
        "choose another with --name: lower-case words joined by hyphens, at most 60 characters",
        "请用 --name 另取名称：小写单词以连字符相连，最多 60 个字符",
    ),
    "pack.no-questions": (
        "{pack} holds no questions; nothing was installed",
        "{pack} 里没有题目；没有安装任何内容",
    ),
    "pack.no-questions.hint": (
        "a pack is a folder of YAML files: `quiz docs authoring`",
        "题包是存放 YAML 文件的文件夹：`quiz docs authoring`",
    ),
    "pack.all-wrong": (
        "all {n:,} questions of {pack} have errors, the first: {reason}; nothing was installed",
        "{pack} 的 {n:,} 道题都有错误，第一个：{reason}；没有安装任何内容",
    ),
    "pack.all-wrong.one": (
        "the only question of {pack} has an error: {reason}; nothing was installed",
        "{pack} 唯一的题目有错误：{reason}；没有安装任何内容",
    ),
    "pack.all-wrong.hint": (
        "`quiz lint FOLDER` lists them; a newer version of quiz may know more",
        "`quiz lint 文件夹` 会逐一列出；更新版本的 quiz 可能支持它们",
    ),
    "pack.bad-description": (
        "line {line} of its pack.yaml: {reason}; nothing was installed",
        "pack.yaml 第 {line} 行：{reason}；没有安装任何内容",
    ),
    "pack.bad-description.hint": (
        "`quiz docs authoring` lists the fields of pack.yaml",
        "`quiz docs authoring` 列出了 pack.yaml 的字段",
    ),
    "pack.taken-shipped": (
        "a pack that came with quiz is called {pack}; nothing was installed",
        "quiz 自带的题包已使用名称 {pack}；没有安装任何内容",
    ),
    "pack.taken-shipped.hint": ("choose another with --name", "请用 --name 另取名称"),
    "pack.taken-installed": (
        "{pack} is installed already, in {folder}; nothing was changed",
        "{pack} 已安装在 {folder}；没有做任何更改",
    ),
    "pack.taken-installed.hint": (
        "for a newer version `quiz pack remove` it first, which keeps your answers; or use --name",
        "若要更新，请先 `quiz pack remove`（作答会保留）；或用 --name 另取名称",
    ),
    "pack.taken-configured": (
        "the setting `content` has a pack called {pack}, in {folder}; nothing was installed",
        "设置项 `content` 中已有题包 {pack}，位于 {folder}；没有安装任何内容",
    ),
    "pack.taken-configured.hint": ("choose another with --name", "请用 --name 另取名称"),
    "pack.taken-own": (
        "you have a pack of your own called {pack}, in {folder}; nothing was installed",
        "你自己已有题包 {pack}，位于 {folder}；没有安装任何内容",
    ),
    "pack.taken-own.hint": ("choose another with --name", "请用 --name 另取名称"),
    # files that a pack must not hold
    "pack.too-many-files": (
        "it holds more than {most:,} files; nothing was installed",
        "文件超过 {most:,} 个；没有安装任何内容",
    ),
    "pack.too-many-files.hint": (
        "a pack holds questions only; --folder chooses a part",
        "题包只应包含题目；可用 --folder 选择其中一部分",
    ),
    "pack.too-large": (
        "it is larger than {megabytes} MB; nothing was installed",
        "大小超过 {megabytes} MB；没有安装任何内容",
    ),
    "pack.too-large.hint": (
        "a pack holds text and code only; add a folder of it alone",
        "题包只应包含文字和代码；请只添加其中的文件夹",
    ),
    "pack.file-too-large": (
        "{file} is larger than {megabytes} MB; nothing was installed",
        "{file} 超过 {megabytes} MB；没有安装任何内容",
    ),
    "pack.file-too-large.hint": ("remove the file from the pack", "请从题包中删去该文件"),
    "pack.same-name": (
        "{file} and {other} are the same file on some disks; nothing was installed",
        "{file} 与 {other} 在某些磁盘上是同一个文件；没有安装任何内容",
    ),
    "pack.same-name.hint": ("rename one of them", "给其中一个改名"),
    "pack.leads-out": (
        "{file} leads out of the pack; nothing was installed",
        "{file} 指向题包之外；没有安装任何内容",
    ),
    "pack.leads-out.hint": (
        "whoever made this file may mean harm: do not unpack it by other means",
        "该文件的制作者可能怀有恶意：也不要用其他方式解压",
    ),
    "pack.bad-name": (
        "{file} is not a usable file name; nothing was installed",
        "{file} 不是可用的文件名；没有安装任何内容",
    ),
    "pack.bad-name.hint": (
        "rename it: at most 200 bytes, without control characters",
        "请重命名：最多 200 字节，不含控制字符",
    ),
    "pack.link": (
        "{file} is a link; nothing was installed",
        "{file} 是链接；没有安装任何内容",
    ),
    "pack.link.hint": ("put the file itself in its place", "请换成文件本身"),
    "pack.submodule": (
        "{file} is a submodule; nothing was installed",
        "{file} 是子模块；没有安装任何内容",
    ),
    "pack.submodule.hint": (
        "add the repository that it names instead",
        "请直接添加它所指的仓库",
    ),
    "pack.not-plain": (
        "{file} {reason}; nothing was installed",
        "{file} {reason}；没有安装任何内容",
    ),
    "pack.not-plain.hint": ("a pack holds plain files only", "题包只能包含普通文件"),
    "pack.encrypted": (
        "{file} is encrypted; nothing was installed",
        "{file} 已加密；没有安装任何内容",
    ),
    "pack.encrypted.hint": (
        "unpack it with its password, and add the folder",
        "请先用密码解压，再添加文件夹",
    ),
    "pack.bad-zip": (
        "{file} is not a readable zip file: {reason}",
        "{file} 不是可读的 zip 文件：{reason}",
    ),
    "pack.bad-zip.hint": (
        "copy or download it again; other archives must be unpacked first",
        "请重新复制或下载；其他格式的压缩包需先解压",
    ),
    # repositories
    "pack.bad-url": ("'{url}' is not the URL of a repository", "'{url}' 不是仓库的 URL"),
    "pack.bad-url.hint": (
        "it looks like https://HOST/PATH.git or git@HOST:PATH.git",
        "形如 https://HOST/PATH.git 或 git@HOST:PATH.git",
    ),
    "pack.bad-protocol": (
        "repositories are fetched by https or ssh, not by {protocol}",
        "仓库只能通过 https 或 ssh 获取，不支持 {protocol}",
    ),
    "pack.bad-protocol.hint": (
        "use a URL that begins with https:// or ssh://",
        "请使用以 https:// 或 ssh:// 开头的 URL",
    ),
    "pack.not-fetched": (
        "{url} cannot be fetched; git says: {reason}",
        "无法获取 {url}；git 的说明：{reason}",
    ),
    "pack.not-fetched.hint": (
        "try `git ls-remote` with this URL; nothing was installed",
        "请用 `git ls-remote` 试试这个 URL；没有安装任何内容",
    ),
    "pack.too-slow": (
        "fetching took more than {n} s and was ended; nothing was installed",
        "获取超过 {n} 秒，已终止；没有安装任何内容",
    ),
    "pack.too-slow.hint": (
        "try again later, or download a zip file",
        "请稍后重试，或下载 zip 文件",
    ),
    "pack.no-git": ("git is not installed", "没有安装 git"),
    "pack.no-git.hint": (
        "install git, or download the pack as a zip file",
        "请安装 git，或把题包下载为 zip 文件",
    ),
    # quiz pack remove
    "pack.removed": (
        "{pack} is removed; your answers stay. `quiz pack add` with this folder brings it back:",
        "已移除 {pack}，作答都保留。用 `quiz pack add` 添加以下文件夹即可恢复：",
    ),
    "pack.remove-shipped": (
        "{pack} came with quiz and cannot be removed",
        "{pack} 是 quiz 自带的，不能移除",
    ),
    "pack.remove-shipped.hint": (
        "switch it off: `quiz config packs.NAME false`",
        "可以关闭它：`quiz config packs.名称 false`",
    ),
    "pack.remove-configured": (
        "{pack} is in the setting `content`: {folder}",
        "{pack} 来自设置项 `content`：{folder}",
    ),
    "pack.remove-configured.hint": (
        "take its folder out of that setting: `quiz config content`",
        "请从该设置项中去掉它的文件夹：`quiz config content`",
    ),
    "pack.remove-own": ("{pack} is your own, in {folder}", "{pack} 是你自己的，位于 {folder}"),
    "pack.remove-own.hint": (
        "quiz deletes nothing that you wrote: move the folder yourself",
        "quiz 不会删除你写的内容：请自行移走该文件夹",
    ),
    # quiz pack export
    "pack.exported": ("{pack} is written, with {questions}:", "已写出 {pack}，有 {questions}："),
    "pack.changes-left": (
        "Your changed copies of {n:,} questions are not in it.",
        "你修改过的 {n:,} 道题的副本不在其中。",
    ),
    "pack.changes-left.one": (
        "Your changed copy of 1 question is not in it.",
        "你修改过的 1 道题的副本不在其中。",
    ),
}
