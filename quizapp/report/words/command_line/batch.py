"""Words of `quiz grade --all`."""

WORDS: dict[str, tuple[str, str]] = {
    "batch.starts": (
        "{n:,} submissions; seed {seed} (--seed {seed} repeats the run)",
        "共 {n:,} 份提交；种子 {seed}（用 --seed {seed} 可重现本次评判）",
    ),
    "batch.starts.one": (
        "1 submission; seed {seed} (--seed {seed} repeats the run)",
        "共 1 份提交；种子 {seed}（用 --seed {seed} 可重现本次评判）",
    ),
    "batch.resumes": (
        "{n:,} results of the earlier run are kept",
        "已保留上次运行的 {n:,} 个结果",
    ),
    "batch.resumes.one": (
        "1 result of the earlier run is kept",
        "已保留上次运行的 1 个结果",
    ),
    "batch.retries": (
        "{n:,} submissions without a verdict are graded again",
        "{n:,} 份没有评判结果的提交将重新评判",
    ),
    "batch.retries.one": (
        "1 submission without a verdict is graded again",
        "1 份没有评判结果的提交将重新评判",
    ),
    "batch.without-verdict": (
        "{n:,} submissions have no verdict; the same command with --resume grades them again",
        "{n:,} 份提交没有评判结果；加上 --resume 重新运行即可再次评判",
    ),
    "batch.without-verdict.one": (
        "1 submission has no verdict; the same command with --resume grades it again",
        "1 份提交没有评判结果；加上 --resume 重新运行即可再次评判",
    ),
    "batch.progress": ("{done} of {n:,} submissions graded", "已评判 {done} / {n:,} 份提交"),
    "batch.left": ("{time} left", "还需 {time}"),
    "batch.ignored": (
        "{n:,} files are not submissions and were ignored:",
        "有 {n:,} 个文件不是提交，已忽略：",
    ),
    "batch.ignored.one": (
        "1 file is not a submission and was ignored:",
        "有 1 个文件不是提交，已忽略：",
    ),
    "batch.ignored.more": ("and {n:,} more", "另有 {n:,} 个"),
    "batch.ignored.capitals": ("its name must end in {ending}", "扩展名应为 {ending}"),
    "batch.ignored.no-student": ("it is not in a student's folder", "不在学生的文件夹中"),
    "batch.ignored.not-code": (
        "its name ends in none of {endings}",
        "扩展名不是 {endings}",
    ),
    "batch.ignored.hidden": ("its name begins with a dot", "文件名以点开头"),
    "batch.no-verdict": (
        "{n:,} submissions have no verdict:",
        "{n:,} 份提交没有评判结果：",
    ),
    "batch.no-verdict.one": ("1 submission has no verdict:", "1 份提交没有评判结果："),
    "batch.without": ("{n:,} students submitted nothing: {names}", "{n:,} 个学生没有提交：{names}"),
    "batch.without.one": ("1 student submitted nothing: {names}", "1 个学生没有提交：{names}"),
    "batch.count.submissions": ("{n:,} submissions", "{n:,} 份提交"),
    "batch.count.submissions.one": ("1 submission", "1 份提交"),
    "batch.count.passed": ("{n:,} passed", "{n:,} 份通过"),
    "batch.count.failed": ("{n:,} failed", "{n:,} 份未通过"),
    "batch.count.refused": ("{n:,} refused", "{n:,} 份被拒收"),
    "batch.count.ungraded": ("{n:,} not graded", "{n:,} 份未能评判"),
    "batch.column.refused": ("refused", "被拒收"),
    "batch.column.ungraded": ("not graded", "未评判"),
    "batch.column.made": ("made", "次数"),
    "batch.column.check": ("fails at", "未通过"),
    "batch.column.why": ("mistake", "错误"),
    "batch.page": ("Results of the class", "全班结果"),
    "batch.page.run": ("Graded on {when}; seed {seed}", "评判时间：{when}；种子 {seed}"),
    "batch.page.students": ("Students", "学生"),
    "batch.page.nothing": ("nothing submitted", "没有提交"),
    "batch.page.others": ("Not graded", "没有评判的内容"),
    "batch.page.distribution": ("Passes per student", "每个学生的通过数"),
    "batch.page.axis": (
        "Students, by how many of their submissions passed",
        "按通过的提交数统计的学生数",
    ),
    "batch.page.bar": ("{passed} passed: {n:,} students", "通过 {passed} 份：{n:,} 个学生"),
    "batch.page.bar.one": ("{passed} passed: 1 student", "通过 {passed} 份：1 个学生"),
    "batch.page.questions": ("Checks that fail, by question", "各题未通过的检查"),
    "batch.page.mistakes": ("Common mistakes", "常见错误"),
    "batch.column.question": ("question", "题目"),
    "batch.column.student": ("student", "学生"),
    "batch.column.students": ("students", "学生数"),
    "batch.column.of-graded": ("passed / graded", "通过 / 已评判"),
    "batch.column.submissions": ("submissions", "提交的题目"),
    "batch.column.submitted": ("submitted", "提交"),
    "batch.column.passed": ("passed", "通过"),
    "batch.column.gates": ("fails most at", "最常未通过"),
    "batch.empty": ("{folder} holds no submissions", "{folder} 中没有提交"),
    "batch.only-ignored": (
        "{folder} holds no submissions, but {n:,} other files, such as {file}: {why}",
        "{folder} 中没有提交，但有 {n:,} 个其他文件，例如 {file}：{why}",
    ),
    "batch.only-ignored.one": (
        "{folder} holds no submissions, but another file, {file}: {why}",
        "{folder} 中没有提交，但有另一个文件 {file}：{why}",
    ),
    "batch.layout": (
        (
            "name a folder per student with files named for questions, STUDENT/QUESTION.py or "
            "STUDENT/QUESTION.cu, or a CSV with the columns student, question, file"
        ),
        (
            "每个学生一个文件夹，文件以题目命名：学生/题目.py 或 学生/题目.cu；"
            "也可以是含有 student、question、file 三列的 CSV"
        ),
    ),
    "batch.columns": (
        "{file} is not a CSV with the columns {columns}",
        "{file} 不是含有 {columns} 列的 CSV",
    ),
    "batch.columns.hint": (
        "its first line names the columns, each other line a submission",
        "第一行是列名，其余每行是一份提交",
    ),
    "batch.empty-cell": (
        "{file}:{line}: the column {column} is empty",
        "{file}:{line}：{column} 列是空的",
    ),
    "batch.empty-cell.hint": (
        "every row names a student, a question and a file",
        "每一行都要写明学生、题目和文件",
    ),
    "batch.outside": (
        "it is not in the folder of the CSV; only files there, and in folders below, are graded",
        "它不在 CSV 所在的文件夹中；只评判该文件夹及其子文件夹中的文件",
    ),
    "batch.outside.hint": ("put the file there", "请把文件放进去"),
    "batch.link": (
        "it is a link; only files in the student's own folder are graded",
        "这是一个链接；只评判学生自己文件夹中的文件",
    ),
    "batch.link.hint": ("replace it by the file itself", "请换成文件本身"),
    "batch.no-name": ("its name is not UTF-8", "文件名不是 UTF-8"),
    "batch.no-name.hint": ("rename the file", "请重命名文件"),
    "batch.interrupted": (
        "{n:,} results are kept; the same command with --resume continues",
        "已保留 {n:,} 个结果；加上 --resume 重新运行即可继续",
    ),
    "batch.interrupted.one": (
        "1 result is kept; the same command with --resume continues",
        "已保留 1 个结果；加上 --resume 重新运行即可继续",
    ),
    "batch.twice": (
        "several files for one question: {files}",
        "同一题有多个文件：{files}",
    ),
    "batch.twice.hint": ("keep the one that counts", "请只保留要评判的那个"),
    "batch.slow": (
        "not graded within {seconds:g} seconds",
        "{seconds:g} 秒内未能完成评判",
    ),
    "batch.lost": (
        "the process that graded it was lost {tries} times: it {how}",
        "评判它的进程 {tries} 次意外结束：{how}",
    ),
    "batch.endings": (
        ".csv for a spreadsheet, .jsonl for whole verdicts",
        ".csv 用于电子表格，.jsonl 含完整评判结果",
    ),
    "batch.resume-what": (
        "--resume needs --out or --html: the earlier run is found by it",
        "--resume 需要 --out 或 --html：由它找到上次运行",
    ),
    "batch.unfinished": (
        "{file} holds {n:,} results of a run that is not complete",
        "{file} 中有未完成的评判的 {n:,} 个结果",
    ),
    "batch.unfinished.hint": (
        "--resume continues it; to start again, remove the file",
        "用 --resume 继续；要重新开始请删除该文件",
    ),
    "batch.nothing-to-resume": (
        "there is no incomplete run to continue: no {file}",
        "没有可继续的评判：找不到 {file}",
    ),
    "batch.nothing-to-resume.hint": ("leave out --resume", "请去掉 --resume"),
    "batch.no-journal": (
        "{file} is in the way: it is not the journal of a run",
        "{file} 占用了位置：它不是评判的日志",
    ),
    "batch.no-journal.hint": ("name another --out, or move the file", "请更换 --out 或移走该文件"),
    "batch.running": (
        "another program writes {file} now",
        "另一个程序正在写 {file}",
    ),
    "batch.running.hint": ("wait until it ends, or name another --out", "请等它结束或更换 --out"),
    "batch.other-run": (
        "{file} is of another run: its {what} was {was}, and is now {now}",
        "{file} 属于另一次评判：{what} 原为 {was}，现为 {now}",
    ),
    "batch.other-run.hint": (
        "their results would not be comparable: repeat what was given then, or remove the file",
        "两者的结果不可比较：请使用当时的选项，或删除该文件",
    ),
    "batch.not-kept": (
        "a result cannot be written to {path}: {reason}",
        "结果无法写入 {path}：{reason}",
    ),
    "batch.kept": (
        "the results are kept: make room, then repeat the command with --resume",
        "结果已保留：请腾出空间，再加上 --resume 重新运行",
    ),
    "batch.not-kept.hint": (
        "those before it are kept: make room, then repeat the command with --resume",
        "之前的结果已保留：请腾出空间，再加上 --resume 重新运行",
    ),
}
