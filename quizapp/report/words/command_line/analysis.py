"""Words of `quiz banks`: an access analyzed, layouts searched, recorded accesses, what is wrong."""

WORDS: dict[str, tuple[str, str]] = {
    "analysis.heading": (
        "{op}, {width} per lane, {lanes}, compute capability {arch}",
        "{op}，每个 lane {width}，{lanes}，计算能力 {arch}",
    ),
    "analysis.lanes-in-warps": ("{lanes} in {warps} warps", "{warps} 个 warp 共 {lanes}"),
    "analysis.equal-warps": (
        "warp {warp}; all others cost the same:",
        "warp {warp}，其余 warp 开销相同：",
    ),
    "analysis.worst-warp": ("warp {warp}; none takes more:", "warp {warp}，开销最大："),
    "analysis.all-warps": ("all {warps} warps: {figures}", "全部 {warps} 个 warp：{figures}"),
    "analysis.evidence": ("{evidence} (--why names the source)", "{evidence}（--why 列出来源）"),
    # the search
    "analysis.tried": (
        "{n:,} layouts tried in {seconds:.2f} s, for this access alone",
        "只针对这次访问，在 {seconds:.2f} 秒内尝试了 {n:,} 种布局",
    ),
    "analysis.best": ("best: {layout}", "最好：{layout}"),
    "analysis.best-equal": (
        "best: {layout}; yours takes no more",
        "最好：{layout}；你的布局同样好",
    ),
    "analysis.column.family": ("family", "类别"),
    "analysis.column.best": ("its best", "该类最好"),
    "analysis.column.worst-warp": ("worst warp", "最差 warp"),
    "analysis.column.all-warps": ("all warps", "全部 warp"),
    "analysis.column.extra": ("extra elements", "额外元素"),
    "analysis.yours": ("yours", "你的"),
    "analysis.as-it-is": ("as it is", "原样"),
    # recorded accesses
    "analysis.column.line": ("line", "行"),
    "analysis.column.op": ("op", "操作"),
    "analysis.column.width": ("width", "宽度"),
    "analysis.column.wavefronts": ("wavefronts", "wavefront 数"),
    "analysis.column.conflicts": ("conflicts", "冲突数"),
    "analysis.column.ideal": ("ideal", "理想值"),
    "analysis.sum": ("sum", "合计"),
    "analysis.plus": (
        "+: at least; where only bounds are known, this is the lower one",
        "+：至少；只知道上下界时，这是下界",
    ),
    # places
    "analysis.at-column": (
        "column {column} of the expression: {what}",
        "表达式第 {column} 列：{what}",
    ),
    "analysis.at-column.hint": (
        "`quiz banks --help` says what an expression may hold",
        "`quiz banks --help` 说明表达式可以包含什么",
    ),
    "analysis.at-line": (
        "line {line}, column {column} of the expression: {what}",
        "表达式第 {line} 行第 {column} 列：{what}",
    ),
    "analysis.at-line.hint": (
        "see `quiz banks --help` for what an expression may hold",
        "表达式可以包含什么，见 `quiz banks --help`",
    ),
    "analysis.in-thread": ("{what}, at {thread}", "{what}，在 {thread}"),
    "analysis.in-warp": ("warp {warp}, {what}", "在 warp {warp} 中：{what}"),
    "analysis.in-file": ("{file}:{line}: {what}", "{file}:{line}：{what}"),
    # what is wrong with the options
    "analysis.nothing": ("there is nothing to analyze", "没有要分析的访问"),
    "analysis.nothing.hint": (
        "`quiz banks 'threadIdx.x * 2'` analyzes an expression, --trace FILE recorded accesses",
        "`quiz banks 'threadIdx.x * 2'` 分析表达式，--trace 文件 分析记录的访问",
    ),
    "analysis.trace-alone": ("--trace takes no {options}", "--trace 不能与 {options} 同时使用"),
    "analysis.trace-alone.hint": (
        "leave it out: each line of the file says what is accessed, and how",
        "请去掉它：文件的每一行已说明访问什么、怎样访问",
    ),
    "analysis.no-block": ("'{text}' is not a block", "'{text}' 不是线程块"),
    "analysis.no-block.hint": (
        "--block 32x8 has 32 threads along x and 8 along y, 1,024 at most in all",
        "--block 32x8 在 x 方向有 32 个线程，y 方向有 8 个，总共最多 1,024 个",
    ),
    "analysis.no-tile": ("'{text}' is not a tile", "'{text}' 不是 tile"),
    "analysis.no-tile.hint": (
        "--tile 32x33 has 32 rows of 33 columns",
        "--tile 32x33 有 32 行 33 列",
    ),
    "analysis.no-mask": ("'{text}' is not a mask", "'{text}' 不是掩码"),
    "analysis.no-mask.hint": (
        "bit i stands for lane i, as in 0xffff, 65535 or 0b1111",
        "第 i 位代表 lane i，例如 0xffff、65535 或 0b1111",
    ),
    "analysis.wide-mask": ("mask {text} does not fit into 32 bits", "掩码 {text} 超出 32 位"),
    "analysis.search-needs-tile": (
        "--search needs the tile whose layout it searches",
        "--search 需要知道要布局的 tile",
    ),
    "analysis.search-needs-tile.hint": (
        "give its rows and columns, as in --tile 32x32",
        "请给出行数和列数，例如 --tile 32x32",
    ),
    "analysis.search-width": (
        "--search: a lane moves {width} bytes, an element has {element}",
        "--search：每个 lane 访问 {width} 字节，而一个元素有 {element} 字节",
    ),
    "analysis.search-width.hint": (
        "give a --width that is a multiple of --elem",
        "请让 --width 是 --elem 的倍数",
    ),
    "analysis.no-search": ("--search: {what}", "--search：{what}"),
    "analysis.no-search.hint": (
        "change the tile: a layout moves whole rows, and a lane's bytes stay within one row",
        "请修改 tile：布局按整行移动，一个 lane 的字节不跨行",
    ),
    "analysis.matrix-width": (
        "{op} moves {width} bytes per lane",
        "{op} 每个 lane 访问 {width} 字节",
    ),
    "analysis.matrix-width.hint": ("leave --width out", "请去掉 --width"),
    "analysis.matrix-block": (
        "{op} is executed by all lanes of a warp",
        "{op} 由 warp 的全部 lane 执行",
    ),
    "analysis.matrix-block.hint": (
        "make --block a multiple of 32 threads",
        "请让 --block 的线程数是 32 的倍数",
    ),
    "analysis.matrix-mask": (
        "{op} takes addresses from 8, 16 or 32 lanes, starting at lane 0",
        "{op} 从 lane 0 起取 8、16 或 32 个 lane 的地址",
    ),
    "analysis.matrix-mask.hint": (
        "--mask 0xff is .x1, 0xffff is .x2; leave --mask out for .x4",
        "--mask 0xff 是 .x1，0xffff 是 .x2；.x4 请去掉 --mask",
    ),
    "analysis.other-width": (
        "--width sets the bytes per lane; without it they are those of --elem",
        "--width 设定每个 lane 的字节数；不给时与 --elem 相同",
    ),
    "analysis.other-op": ("choose another --op or --arch", "请换一个 --op 或 --arch"),
    "analysis.no-pitch": (
        "the expression has two indices, but the row length is not given",
        "表达式有两个下标，但没有给出一行的长度",
    ),
    "analysis.no-pitch.hint": (
        "--tile 32x33 gives rows and columns",
        "--tile 32x33 给出行数和列数",
    ),
    "analysis.outside": (
        "{thread}: element {element} ({width} bytes) is outside a tile of {tile}",
        "{thread}：元素 {element}（{width} 字节）超出 {tile} 的 tile",
    ),
    "analysis.outside.hint": (
        "change the expression, --tile or --block; --mask leaves lanes out",
        "请修改表达式、--tile 或 --block；--mask 可排除一些 lane",
    ),
    "analysis.beyond-shared": (
        "{thread}: element {index} is beyond any shared memory",
        "{thread}：元素 {index} 超出任何设备的共享内存",
    ),
    "analysis.unsigned": (
        "threadIdx is unsigned and wraps below 0: write (int)threadIdx.x - 1",
        "threadIdx 是无符号数，小于 0 时会回绕：请写 (int)threadIdx.x - 1",
    ),
    "analysis.smaller-index": (
        "change the expression, or --elem; --mask leaves lanes out",
        "请修改表达式或 --elem；--mask 可排除一些 lane",
    ),
    "analysis.address": (
        "an address is the index times --elem: 0 or more, a multiple of the bytes per lane",
        "地址是下标乘以 --elem：不小于 0，且是每个 lane 字节数的倍数",
    ),
    # what is wrong with a file of accesses
    "analysis.name-csv": ("name a CSV file of accesses", "请给出记录访问的 CSV 文件"),
    "analysis.not-utf-8": (
        "{file}:{line}: byte {byte} is not UTF-8",
        "{file}:{line}：字节 {byte} 不是 UTF-8",
    ),
    "analysis.not-utf-8.hint": ("save the file as UTF-8", "请将文件存为 UTF-8"),
    "analysis.empty-file": ("{file} is empty", "{file} 是空文件"),
    "analysis.name-columns": (
        "its first line names the columns {columns}, in any order, with others among them",
        "首行给出列名 {columns}，顺序不限，也可以有其他列",
    ),
    "analysis.no-column": ("no column {columns}", "缺少列 {columns}"),
    "analysis.column-twice": ("more than one column {columns}", "列 {columns} 重复"),
    "analysis.column-count": (
        "{columns} columns, but the first line names {named}",
        "有 {columns} 列，而首行给出 {named} 列",
    ),
    "analysis.open-quote": ("a quote is not closed on its line", "引号没有在同一行内闭合"),
    "analysis.not-csv": ("this is not CSV: {reason}", "不是 CSV：{reason}"),
    "analysis.no-op": ("there is no op '{op}'; use one of: {ops}", "没有操作 '{op}'，可用：{ops}"),
    "analysis.no-width": ("width '{width}' is not an integer", "宽度 '{width}' 不是整数"),
    "analysis.no-offsets": (
        "offsets are {lanes} integers with spaces between them",
        "offsets 是以空格分隔的 {lanes} 个整数",
    ),
    "analysis.offset-too-large": ("an offset is beyond any memory", "有一个偏移超出任何内存"),
    "analysis.offset-count": (
        "{n} offsets, but a warp has {lanes}",
        "有 {n} 个偏移，而一个 warp 有 {lanes} 个",
    ),
    "file.missing": ("there is no file {file}", "没有文件 {file}"),
    "path.missing": ("there is no file or folder {path}", "没有文件或文件夹 {path}"),
    "folder.missing": ("there is no folder {folder}", "没有文件夹 {folder}"),
    "file.folder": ("{file} is a folder", "{file} 是文件夹"),
}
