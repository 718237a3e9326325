"""Words of numbers with their noun, which sentences hold as a field; heads of tables of counts."""

WORDS: dict[str, tuple[str, str]] = {
    "count.questions": ("{n:,} questions", "{n:,} 道题"),
    "count.questions.one": ("1 question", "1 道题"),
    "count.topics": ("{n:,} topics", "{n:,} 个主题"),
    "count.topics.one": ("1 topic", "1 个主题"),
    "count.bytes": ("{n:,} bytes", "{n:,} 字节"),
    "count.bytes.one": ("1 byte", "1 字节"),
    "count.lanes": ("{n:,} lanes", "{n:,} 个 lane"),
    "count.lanes.one": ("1 lane", "1 个 lane"),
    "count.files": ("{n:,} files", "{n:,} 个文件"),
    "count.files.one": ("1 file", "1 个文件"),
    "count.kernels": ("{n:,} kernels", "{n:,} 个 kernel"),
    "count.kernels.one": ("1 kernel", "1 个 kernel"),
    "count.problems": ("{n:,} problems", "{n:,} 个问题"),
    "count.problems.one": ("1 problem", "1 个问题"),
    # source lines with their counts
    "counts.shared": ("shared", "共享内存"),
    "counts.waves": ("waves", "wavefront"),
    "counts.ideal": ("ideal", "理想值"),
    "counts.sectors": ("sectors", "sector"),
    "counts.active": ("active", "活跃"),
    "counts.excess": ("{ratio}× sectors", "sector {ratio} 倍"),
}
