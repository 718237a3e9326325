"""Words of `quiz profile` and `quiz calibrate`: launches of a script, and what a clock says."""

WORDS: dict[str, tuple[str, str]] = {
    "profile.name-script": ("name the script that launches kernels", "请给出启动 kernel 的脚本"),
    "profile.interrupted": ("quiz: interrupted", "quiz: 已中断"),
    "profile.interrupted-launch": (
        "quiz: interrupted; the last launch is shown as far as it ran",
        "quiz: 已中断；最后一次启动只显示已执行的部分",
    ),
    "profile.budget": (
        "quiz: --budget ends a launch after {n:,} operations; a larger number lets it go on",
        "quiz: --budget 使一次启动在 {n:,} 次运算后停止；数值更大才能继续执行",
    ),
    "profile.failed": (
        "quiz: {script} failed: status {status}",
        "quiz: {script} 失败：退出状态 {status}",
    ),
    "profile.signal": (
        "quiz: {script} failed: ended by signal {signal}",
        "quiz: {script} 失败：被信号 {signal} 终止",
    ),
    "profile.no-launch": ("No kernel was launched.", "没有启动任何 kernel。"),
    # a launch
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
}
