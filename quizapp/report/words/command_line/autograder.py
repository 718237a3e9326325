"""Words of `quiz grade --gradescope`, also those that a student reads."""

WORDS: dict[str, tuple[str, str]] = {
    "autograder.made": (
        "{path}: an autograder for {n:,} questions; {points:,} points in Gradescope",
        "{path}：{n:,} 道题的自动评分器；在 Gradescope 中共 {points:,} 分",
    ),
    "autograder.made.one": (
        "{path}: an autograder for 1 question; 1 point in Gradescope",
        "{path}：1 道题的自动评分器；在 Gradescope 中共 1 分",
    ),
    "autograder.from-pypi": (
        "Its setup.sh installs {package} from PyPI; while it is not there, add --wheel FILE.",
        "其中的 setup.sh 从 PyPI 安装 {package}；PyPI 上还没有时，请加上 --wheel FILE。",
    ),
    "autograder.no-questions": (
        "--gradescope needs the ids of questions",
        "--gradescope 需要题目的 id",
    ),
    "autograder.no-questions.hint": (
        "quiz grade lists them; give them one after the other",
        "用 quiz grade 列出题目；依次给出它们的 id",
    ),
    "autograder.no-out": ("--gradescope needs --out", "--gradescope 需要 --out"),
    "autograder.no-out.hint": (
        "name a new folder, or a file that ends in .zip to upload",
        "请给出新文件夹，或用于上传的 .zip 文件",
    ),
    "autograder.out-exists": ("{path} is a folder with files in it", "{path} 是含有文件的文件夹"),
    "autograder.out-exists.hint": (
        "name another one, or remove it",
        "请换一个名称或删除它",
    ),
    "autograder.other-wheel": (
        "{file} is not a wheel of {package} {version}",
        "{file} 不是 {package} {version} 的 wheel",
    ),
    "autograder.build-wheel": (
        "in a checkout of this version, python -m pip wheel --no-deps . makes it",
        "在此版本的源码目录中运行 python -m pip wheel --no-deps . 即可生成",
    ),
    "autograder.submission": (
        "name the folder with what the student submitted",
        "请给出学生提交内容所在的文件夹",
    ),
    "autograder.missing": (
        "not submitted: name the file {files}",
        "未提交：文件名应为 {files}",
    ),
    "autograder.or": (" or ", " 或 "),
    "autograder.not-your-fault": (
        "This is not a verdict. Submit it again, or ask the instructor to rerun the autograder.",
        "这不是评判结果。请重新提交，或请教师重新运行自动评分器。",
    ),
    "autograder.passed": (
        "{passed:,} of {n:,} questions passed.",
        "{n:,} 道题中通过了 {passed:,} 道。",
    ),
    "autograder.passed.one": ("{passed:,} of 1 question passed.", "1 道题中通过了 {passed:,} 道。"),
    "autograder.not-asked": (
        "{file}: this question is not a part of the assignment",
        "{file}：这道题不在本次作业中",
    ),
}
