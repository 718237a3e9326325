"""Words of the verdict on a layout."""

WORDS: dict[str, tuple[str, str]] = {
    "layout.passed": ("every check passed", "全部通过"),
    "layout.yours": ("yours", "你的"),
    "layout.ideal": ("ideal", "理想"),
    "layout.allowed": ("allowed", "允许"),
    "layout.extra": (
        "extra storage: {n} elements, {bytes} bytes",
        "额外存储：{n} 个元素，{bytes} 字节",
    ),
    "layout.extra.one": (
        "extra storage: 1 element, {bytes} bytes",
        "额外存储：1 个元素，{bytes} 字节",
    ),
    "layout.best": (
        "The best of {n} usual layouts ({family}), checks first, then wavefronts, then storage:",
        "{n} 种常用布局中最好的（{family}），依次比较检查、wavefront、存储：",
    ),
    "layout.no-best": (
        "None of {n} usual layouts keeps within the storage and the alignment.",
        "{n} 种常用布局都无法满足存储与对齐的要求。",
    ),
    "layout.best-extra": ("{n} elements of extra storage", "额外存储 {n} 个元素"),
    "layout.best-extra.one": ("1 element of extra storage", "额外存储 1 个元素"),
    "layout.map": ("{name}, warp {warp}:", "{name}，warp {warp}："),
    "layout.place": ("line {line}, column {column}: ", "第 {line} 行第 {column} 列："),
    "layout.met": (
        "warp {warp}: {met}; elements {first} to {last}",
        "warp {warp}：{met}；元素 {first} 到 {last}",
    ),
    "layout.gate.source": ("not understood", "无法理解"),
    "layout.gate.defined": ("no value for an element", "有元素没有值"),
    "layout.gate.integers": ("not an integer", "不是整数"),
    "layout.gate.inside": ("outside the storage allowed", "超出允许的存储"),
    "layout.gate.one-slot": ("two elements in one slot", "两个元素占同一个位置"),
    "layout.gate.aligned": ("not aligned", "没有对齐"),
    "layout.gate.equals": ("an element in the wrong place", "元素不在规定的位置"),
    # why a gate failed
    "layout.at-element": ("at element ({row}, {column})", "元素 ({row}, {column})"),
    "layout.outside-pitch": (
        "element ({row}, {column}) goes to column {to_column}, in rows of {pitch}",
        "元素 ({row}, {column}) 落在第 {to_column} 列，而每行只有 {pitch} 列",
    ),
    "layout.column-range": ("columns go from 0 to {last}", "列号从 0 到 {last}"),
    "layout.outside-slots": (
        "element ({row}, {column}) goes to slot {slot}, with {allowed} slots allowed",
        "元素 ({row}, {column}) 落在位置 {slot}，而只允许 {allowed} 个位置",
    ),
    "layout.outside-rows": (
        "element ({row}, {column}) goes to ({to_row}, {to_column}), with {allowed} slots allowed",
        "元素 ({row}, {column}) 落在 ({to_row}, {to_column})，而只允许 {allowed} 个位置",
    ),
    "layout.slot-range": ("slots go from 0 to {last}", "位置编号从 0 到 {last}"),
    "layout.negative-division": (
        (
            "in C++, % of a negative number is negative or 0 and / rounds toward zero; "
            "add the divisor first, or write & for a power of two"
        ),
        "在 C++ 中，负数的 % 结果为负或 0，/ 向零取整；请先加上除数，除数是 2 的幂时可用 &",
    ),
    "layout.shared-slot": (
        "({row}, {column}) and ({other_row}, {other_column}) share slot {slot}",
        "({row}, {column}) 和 ({other_row}, {other_column}) 都在位置 {slot}",
    ),
    "layout.shared-slot.hint": (
        "what is stored second overwrites the first",
        "后写入的会覆盖先写入的",
    ),
    "layout.torn-apart": (
        (
            "{access}: lane {lane} of warp {warp} takes ({row}, {column}) and "
            "({other_row}, {other_column}) at once, but their slots are {slot} and {other_slot}"
        ),
        (
            "{access}：warp {warp} 的 lane {lane} 一次访问 ({row}, {column}) 和 "
            "({other_row}, {other_column})，但它们在位置 {slot} 和 {other_slot}"
        ),
    ),
    "layout.torn-apart.hint": (
        "move groups of {elements} elements, not single ones",
        "请以 {elements} 个元素为一组移动，不要移动单个元素",
    ),
    "layout.misaligned": (
        (
            "{access}: lane {lane} of warp {warp} takes ({row}, {column}) at byte address "
            "{address}, which is not a multiple of {width}"
        ),
        (
            "{access}：warp {warp} 的 lane {lane} 访问 ({row}, {column})，"
            "其字节地址 {address} 不是 {width} 的倍数"
        ),
    ),
    "layout.misaligned.hint": (
        "rows must begin at multiples of {width} bytes",
        "每行的起始地址必须是 {width} 字节的倍数",
    ),
    "layout.wrong-slot": (
        (
            "element ({row}, {column}) is in slot {slot} instead of slot {right}; "
            "{differing:,} of {elements:,} elements differ"
        ),
        (
            "元素 ({row}, {column}) 在位置 {slot}，应在位置 {right}；"
            "{elements:,} 个元素中有 {differing:,} 个不同"
        ),
    ),
    "layout.too-many-wavefronts": (
        "{access}: {n} wavefronts, {allowed} allowed",
        "{access}：{n} 个 wavefront，允许 {allowed} 个",
    ),
    "layout.too-many-wavefronts.hint": (
        "spread these lanes over banks: words that differ by a multiple of 32 conflict",
        "请把这些 lane 分散到不同 bank：字下标相差 32 的倍数就会冲突",
    ),
    # exercises that cannot exist
    "tile.block-size": (
        "a block of {shape} cannot exist: 1 to {most:,} threads are possible",
        "不存在 {shape} 的线程块：线程数必须在 1 到 {most:,} 之间",
    ),
    "tile.too-small": (
        "rows, columns, bytes and pitch must be at least 1, and the base at least 0",
        "行数、列数、字节数和 pitch 至少为 1，base 至少为 0",
    ),
    "tile.too-large": (
        "a tile has at most {most:,} elements",
        "一个 tile 最多有 {most:,} 个元素",
    ),
    "tile.same-name": ("two accesses have the same name", "两次访问的名字相同"),
    "tile.in-access": ("{access}: {reason}", "{access}：{reason}"),
    "tile.width": (
        "{width} bytes per lane are not possible; possible: {widths}",
        "每个 lane 不能是 {width} 字节；可以是：{widths}",
    ),
    "tile.coordinate-shape": (
        "rows and columns must have 32 numbers for each warp",
        "每个 warp 的行号和列号必须各有 32 个",
    ),
    "tile.active-shape": (
        "the active lanes must have the shape of the rows",
        "活跃 lane 的形状必须与行号相同",
    ),
    "tile.outside": (
        "lane {lane} of warp {warp} is at ({row}, {column}), outside the tile",
        "warp {warp} 的 lane {lane} 在 ({row}, {column})，超出 tile",
    ),
    "tile.no-matrices": (
        "the tile is not made of 8 rows of 16 bytes, four at a time",
        "这个 tile 不能分成每四个一组的 8 行 16 字节矩阵",
    ),
    "tile.expression": (
        "{source}: line {line}, column {column}: {reason}",
        "{source}：第 {line} 行第 {column} 列：{reason}",
    ),
    "tile.two-numbers": (
        "{source} gives two numbers, where one is needed",
        "{source} 给出两个数，只需要一个",
    ),
    # names that the shipped exercises give to accesses
    "access.row store": ("row store", "按行写入"),
    "access.row load": ("row load", "按行读取"),
    "access.half-row load": ("half-row load", "半行读取"),
    "access.column store": ("column store", "按列写入"),
    "access.column load": ("column load", "按列读取"),
    "access.halo column store": ("halo column store", "halo 列写入"),
    "access.anti-diagonal load": ("anti-diagonal load", "反对角线读取"),
    "access.transposed store": ("transposed store", "转置写入"),
    "access.vector store": ("vector store", "向量写入"),
    "access.vector load": ("vector load", "向量读取"),
    "access.pair store": ("pair store", "成对写入"),
    "access.left store": ("left store", "左操作数写入"),
    "access.left load": ("left load", "左操作数读取"),
    "access.right load": ("right load", "右操作数读取"),
    "access.member store": ("member store", "成员写入"),
    "access.member load": ("member load", "成员读取"),
    "access.equal bins": ("equal bins", "同一个 bin"),
    "access.mixed bins": ("mixed bins", "不同的 bin"),
}
