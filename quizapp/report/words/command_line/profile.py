"""Words of `quiz profile` and `quiz calibrate`: launches of a script, and what a clock says."""

WORDS: dict[str, tuple[str, str]] = {
    "profile.name-script": ("name the script that launches kernels", "请给出启动 kernel 的脚本"),
    "profile.name-include": (
        "put the file next to the source, or name its folder: --include FOLDER",
        "把文件放在源码旁边，或指定它所在的文件夹：--include 文件夹",
    ),
    "profile.source-arguments": (
        "a launch of one kernel takes no arguments behind --: {text}",
        "单独启动一个 kernel 时，不接受 -- 之后的参数：{text}",
    ),
    "profile.source-arguments.hint": (
        "give those of the kernel with --args",
        "请用 --args 给出 kernel 的参数",
    ),
    "profile.source-only": (
        "{option} is for CUDA C++ sources, and {file} is run as a script",
        "{option} 只用于 CUDA C++ 源文件，而 {file} 按脚本运行",
    ),
    "profile.source-only.hint": (
        "a script gives it in the brackets of its launch",
        "脚本在启动 kernel 的方括号里给出它",
    ),
    "profile.notebook": (
        "{file} looks like a notebook; quiz profile runs scripts",
        "{file} 的文件名是 notebook；quiz profile 只运行脚本",
    ),
    "profile.notebook.hint": (
        (
            "convert it: jupyter nbconvert --to script {file}; or put %%quiz_profile above a cell:"
            " quiz docs cli"
        ),
        (
            "请先转换：jupyter nbconvert --to script {file}；或在单元格开头加 %%quiz_profile："
            "quiz docs cli"
        ),
    ),
    "profile.interrupted": ("quiz: interrupted", "quiz: 已中断"),
    "profile.interrupted-launch": (
        "quiz: interrupted; the last launch is shown as far as it ran",
        "quiz: 已中断；最后一次启动只显示已执行的部分",
    ),
    "profile.budget": (
        "quiz: --budget ends a launch after {n:,} operations; a larger number lets it go on",
        "quiz: --budget 使一次启动在 {n:,} 次运算后停止；数值更大才能继续执行",
    ),
    "profile.program": (
        "typed program: {kernel}, line {line}",
        "类型化程序：{kernel}，第 {line} 行",
    ),
    "profile.failed": (
        "quiz: {script} failed: status {status}",
        "quiz: {script} 失败：退出状态 {status}",
    ),
    "profile.signal": (
        "quiz: {script} failed: ended by signal {signal}",
        "quiz: {script} 失败：被信号 {signal} 终止",
    ),
    "profile.killed": (
        (
            "quiz: {script} failed: ended by signal {signal}, and its launches are lost;"
            " does it kill itself, or use up the memory?"
        ),
        (
            "quiz: {script} 失败：被信号 {signal} 终止，启动记录已丢失；"
            "是脚本自己终止的，还是内存用尽？"
        ),
    ),
    "profile.no-report": (
        (
            "quiz: {script} ended without its report: it replaced its own process; start another"
            " program with subprocess.run instead of os.exec"
        ),
        (
            "quiz: {script} 结束时没有留下报告：它替换了自己的进程；"
            "请用 subprocess.run 启动其他程序，不要用 os.exec"
        ),
    ),
    "profile.no-launch": (
        "No kernel was launched. Add a launch below the kernels: {launch}.",
        "没有启动任何 kernel。请在 kernel 定义之后加上启动：{launch}。",
    ),
    "profile.found-above": (
        "{kind} in line {line}, as in launch {number}",
        "第 {line} 行的{kind}与第 {number} 次启动相同",
    ),
    "profile.found-again": ("also in launches {numbers}", "第 {numbers} 次启动中也有"),
    "profile.found-again.one": ("also in launch {numbers}", "第 {numbers} 次启动中也有"),
    "profile.no-define": (
        "-D {text} does not begin with the name of a macro",
        "-D {text} 不是以宏的名字开头",
    ),
    "profile.define-hint": ("write -D NAME=VALUE", "写成 -D 名字=值"),
    "profile.no-line": ("{text} does not name a line", "{text} 不是行号"),
    "profile.name-line": (
        "name one, such as --allow-race 12 or --allow-race helpers.py:12",
        "例如 --allow-race 12 或 --allow-race helpers.py:12",
    ),
    "profile.no-kernel": ("no kernel {name} was launched", "没有启动过名为 {name} 的 kernel"),
    "profile.no-such-line": (
        "no kernel executed line {line}",
        "没有 kernel 执行过第 {line} 行",
    ),
    "profile.lines": ("lines in the report: {lines}", "报告中的行：{lines}"),
    "profile.kernels": ("launched were: {names}", "启动过的有：{names}"),
    "profile.no-launch-number": (
        "there is no launch {number}: the script makes {n:,}",
        "没有第 {number} 次启动：脚本共启动 {n:,} 次",
    ),
    "profile.not-a-report": (
        "{file} is not a report of `quiz profile --json`: {why}",
        "{file} 不是 `quiz profile --json` 的报告：{why}",
    ),
    "profile.save-report": (
        "name a script, or a report: quiz profile OLD.py --json > OLD.json",
        "请给出脚本或报告：quiz profile OLD.py --json > OLD.json",
    ),
    "profile.old-failed": (
        "quiz: {script} failed: status {status}; nothing is compared",
        "quiz: {script} 失败：退出状态 {status}；没有比较",
    ),
    # remarks on lines
    "profile.cost.shared": ("bank conflicts", "bank 冲突"),
    "profile.cost.global": ("excessive global sectors", "多余的全局内存 sector"),
    "profile.github-json": (
        "--github prints lines of text, --json one document",
        "--github 输出文本行，--json 输出单个文档",
    ),
    "profile.json-twice": (
        "--json prints one document, --json-lines one per line",
        "--json 输出单个文档，--json-lines 每行输出一个文档",
    ),
    "profile.json-twice.hint": ("use one of them", "请只用其中一个"),
    "profile.github-json.hint": ("use one of them", "请只用其中一个"),
    # maps of a page
    "map.bank-title": (
        "bank map: lanes by bank and wavefront",
        "bank 图：按 bank 与 wavefront 排列的 lane",
    ),
    "map.wavefront": ("wavefront {number}", "wavefront {number}"),
    "map.bank": ("bank {bank}, {wave}: lanes {lanes}", "bank {bank}，{wave}：lane {lanes}"),
    "map.sector-title": (
        "sector map: bytes that lanes use",
        "sector 图：lane 用到的字节",
    ),
    "map.sector": ("bytes {first} to {last}", "字节 {first} 到 {last}"),
    "map.byte": ("byte {byte}", "字节 {byte}"),
    "map.lane": ("lane {lane}", "lane {lane}"),
    "map.scattered": (
        "{place}: {kind} of {array} by one warp, {n} sectors, {ideal} ideal",
        "{place}：一个 warp 对 {array} 的{kind}，{n} 个 sector，理想值 {ideal}",
    ),
    # a comparison
    "compare.heading": ("Changes since the old report", "与旧报告相比的变化"),
    "compare.better": ("better", "更好"),
    "compare.worse": ("worse ", "更差"),
    "compare.more": ("more  ", "增加"),
    "compare.less": ("less  ", "减少"),
    "compare.same": ("same  ", "不变"),
    "compare.fixed": ("fixed ", "已修复"),
    "compare.added": ("new   ", "新增"),
    "compare.all-lines": ("all lines", "所有行"),
    "compare.new-line": ("new line {line}", "新的第 {line} 行"),
    "compare.old-line": ("old line {line}", "旧的第 {line} 行"),
    "compare.moved-line": ("line {old} → {new}", "第 {old} → {new} 行"),
    "compare.count": ("{what} {before} → {after}", "{what} {before} → {after}"),
    "compare.measure.wavefronts": ("wavefronts", "wavefront 数"),
    "compare.measure.sectors": ("sectors", "sector 数"),
    "compare.measure.instructions": ("statements", "语句数"),
    "compare.kernel-gone": ("{kernel}: only in the old report", "{kernel}：只在旧报告中"),
    "compare.kernel-new": ("{kernel}: only in the new report", "{kernel}：只在新报告中"),
    # the verdict
    "profile.clause": ("; ", "；"),
    "profile.some-faulty": (
        "{n:,} of {launches:,} launches have faults: {which}",
        "{launches:,} 次启动中有 {n:,} 次存在错误：{which}",
    ),
    "profile.some-faulty.one": (
        "1 of {launches:,} launches has faults: {which}",
        "{launches:,} 次启动中有 1 次存在错误：{which}",
    ),
    "profile.only-faulty": ("the launch has faults: {which}", "这次启动存在错误：{which}"),
    "profile.fault": ("{kind} ({place})", "{kind}（{place}）"),
    "profile.fault-of-array": ("{kind} ({array}, {place})", "{kind}（{array}，{place}）"),
    "profile.more-faults": ("{fault} and {n:,} more", "{fault}，另有 {n:,} 处"),
    "profile.only-unfinished": ("the launch did not finish", "这次启动没有执行完"),
    "profile.only-unfinished-faulty": (
        "the launch did not finish and has faults: {which}",
        "这次启动没有执行完，并存在错误：{which}",
    ),
    "profile.some-unfinished": (
        "{n:,} of {launches:,} launches did not finish",
        "{launches:,} 次启动中有 {n:,} 次没有执行完",
    ),
    "profile.none-until-then": ("no faults up to that point", "到此为止没有错误"),
    "profile.with-warnings": ("{said}, {n:,} warnings", "{said}，{n:,} 个警告"),
    "profile.with-warnings.one": ("{said}, 1 warning", "{said}，1 个警告"),
    "profile.none-faulty": ("no faults in {n:,} launches", "{n:,} 次启动均无错误"),
    "profile.none-faulty.one": ("no faults in 1 launch", "1 次启动，无错误"),
    "profile.costly-shared": (
        "{kernel} {place} costs {percent}% of shared wavefronts: {ways}",
        "{kernel} {place}占共享内存 wavefront 的 {percent}%：{ways}",
    ),
    "profile.costly-global": (
        "{kernel} {place} costs {percent}% of global sectors: {ratio}× the ideal",
        "{kernel} {place}占全局内存 sector 的 {percent}%：是理想值的 {ratio} 倍",
    ),
    "profile.with-fix": ("{said}, {fix}", "{said}，{fix}"),
    "profile.fix-pad": ("pad to {pitch}", "把 pitch 加到 {pitch}"),
    "profile.fix-pad-flat": (
        "pad each {columns} elements to {pitch}",
        "每 {columns} 个元素加 padding 到 {pitch} 个",
    ),
    # a launch
    "profile.launched-here": (
        "{kernel}, launched here, has a fault: {kind}, line {line}",
        "这里启动的 {kernel} 有错误：{kind}，第 {line} 行",
    ),
    "profile.launched": ("launched from {place}", "由{place}启动"),
    "profile.launched-with": (
        "launched from {place}: {arguments}",
        "由{place}启动：{arguments}",
    ),
    "profile.resource.shared": ("shared memory", "共享内存"),
    "profile.resource.global": ("global memory", "全局内存"),
    "profile.bound": (
        "memory alone takes one SM at least {n:,} cycles ({each}); arithmetic is not modeled",
        "仅访存一项，一个 SM 至少要 {n:,} 个周期（{each}）；未计入算术运算",
    ),
    "profile.bound.one": (
        "memory alone takes one SM at least 1 cycle ({each}); arithmetic is not modeled",
        "仅访存一项，一个 SM 至少要 1 个周期（{each}）；未计入算术运算",
    ),
    "profile.cycles": ("{resource} {cycles}", "{resource} {cycles}"),
    "profile.traffic": (
        (
            "global memory: {moved} in the sectors of all requests, {needed} if each request were"
            " contiguous ({percent}%)"
        ),
        "全局内存：所有请求的 sector 共 {moved}；若每个请求都连续，为 {needed}（{percent}%）",
    ),
    "profile.shared-cost": (
        "shared memory: {n:,} wavefronts, {ideal} ideal",
        "共享内存：{n:,} 个 wavefront，理想值 {ideal}",
    ),
    "profile.bytes": ("{n:,} bytes", "{n:,} 字节"),
    "profile.worst-access": ("{place}: {title}", "{place}：{title}"),
    "profile.proposals": (
        (
            "Layouts of {array} by search, not run (wavefronts for one warp of each access; "
            "{now} now):"
        ),
        "搜索得到的 {array} 布局，未运行（每种访问取一个 warp 的 wavefront 总数，现为 {now}）：",
    ),
    "profile.proposal-pad": (
        "{then}: {array} with rows of {pitch} elements",
        "{then}：{array} 每行 {pitch} 个元素",
    ),
    "profile.proposal-flat": (
        "{then}: {array}[i] at i // {columns} * {pitch} + i % {columns}",
        "{then}：{array}[i] 放在 i // {columns} * {pitch} + i % {columns}",
    ),
    "profile.proposal-flat-swizzle": (
        "{then}: {array}[i] at {slot}, with row = i // {columns}, col = i % {columns}",
        "{then}：{array}[i] 放在 {slot}，其中 row = i // {columns}，col = i % {columns}",
    ),
    "profile.proposal-swizzle": (
        "{then}: {array}[row, col] at {slot}",
        "{then}：{array}[row, col] 放在 {slot}",
    ),
    "profile.proposal-flat.cuda": (
        "{then}: {array}[i] at i / {columns} * {pitch} + i % {columns}",
        "{then}：{array}[i] 放在 i / {columns} * {pitch} + i % {columns}",
    ),
    "profile.proposal-flat-swizzle.cuda": (
        "{then}: {array}[i] at {slot}, with row = i / {columns}, col = i % {columns}",
        "{then}：{array}[i] 放在 {slot}，其中 row = i / {columns}，col = i % {columns}",
    ),
    "profile.proposal-swizzle.cuda": (
        "{then}: {array}[row][col] at {slot}",
        "{then}：{array}[row][col] 放在 {slot}",
    ),
    "profile.stride-row": (
        (
            "{place}: in accesses to {array}, neighboring lanes are a row apart, {n} sectors per"
            " warp, {ideal} if contiguous"
        ),
        (
            "{place}：访问 {array} 时相邻 lane 相隔一行，每个 warp {n} 个 sector，"
            "连续时为 {ideal} 个"
        ),
    ),
    "profile.stride": (
        (
            "{place}: in accesses to {array}, neighboring lanes are {apart} bytes apart for {width}"
            " bytes each, {n} sectors per warp, {ideal} if contiguous"
        ),
        (
            "{place}：访问 {array} 时相邻 lane 相隔 {apart} 字节，各用 {width} 字节，"
            "每个 warp {n} 个 sector，连续时为 {ideal} 个"
        ),
    ),
    "profile.heading": (
        "{title}  grid {grid}, block {block}, emulated in {time}",
        "{title}  grid {grid}，block {block}，模拟用时 {time}",
    ),
    "profile.unfinished": ("{heading}, not finished", "{heading}，未完成"),
    "profile.equal": ("{heading}, {n:,} equal launches", "{heading}，{n:,} 次启动相同"),
    "profile.summed": ("{heading}, sum of {n:,} launches", "{heading}，{n:,} 次启动之和"),
    "profile.seconds": ("{seconds:.1f} s", "{seconds:.1f} 秒"),
    "profile.milliseconds": ("{milliseconds:.0f} ms", "{milliseconds:.0f} 毫秒"),
    # calibration
    "calibration.heading": (
        "{name}, compute capability {capability}, driver {driver}",
        "{name}，计算能力 {capability}，驱动 {driver}",
    ),
    "calibration.absent": ("{name}: not available, {reason}", "{name}：不可用，{reason}"),
    "calibration.group": (
        "{name}: {counts}; one pass takes {cycles:.2f} cycles",
        "{name}：{counts}；每个 pass {cycles:.2f} 个周期",
    ),
    "calibration.count.agree": ("agree {n}", "一致 {n}"),
    "calibration.count.differ": ("differ {n}", "不一致 {n}"),
    "calibration.count.open": ("open {n}", "未定 {n}"),
    "calibration.total": ("{counts}.", "{counts}。"),
    "calibration.state.agree": ("agree", "一致"),
    "calibration.state.differ": ("differ", "不一致"),
    "calibration.state.open": ("open", "未定"),
    "calibration.column.model": ("model", "模型"),
    "calibration.column.clock": ("clock", "时钟"),
    "calibration.column.alone": ("alone", "单独"),
    "calibration.column.behind": ("behind", "排在其后"),
    "calibration.written": ("Written: {path}", "已写入：{path}"),
    "calibration.send": (
        "It contains nothing about you. Attach it to an issue: what agrees becomes `measured`.",
        "文件不含你的个人信息。请附在 issue 中：一致的条目会标为实测。",
    ),
    "calibration.name-file": ("name the file to write", "请给出要写入的文件"),
    # pytest --quiz-cuda
    "pytest.ran": (
        "{launches} in {tests} ran on the emulator, in {seconds:.1f} s",
        "{tests}中的 {launches}在模拟器上运行，用时 {seconds:.1f} s",
    ),
    "pytest.launches": ("{n:,} launches", "{n:,} 次启动"),
    "pytest.launches.one": ("1 launch", "1 次启动"),
    "pytest.tests": ("{n:,} tests", "{n:,} 个测试"),
    "pytest.tests.one": ("1 test", "1 个测试"),
    "pytest.kind": ("{kind}: {n:,}", "{kind}：{n:,}"),
    "pytest.faults": (
        "faults in the launches of this test: {n}",
        "这个测试的启动中的错误：{n} 个",
    ),
    "pytest.unknown-kind": (
        "quiz_allow({kind!r}): there is no such kind of fault; did you mean {known}?",
        "quiz_allow({kind!r})：没有这一类错误；应为：{known}",
    ),
}
