"""What `quiz new mock` writes: a whole theme of a mock interview that lints, to be written over."""

from __future__ import annotations

from collections.abc import Collection
from string import Template

from quizapp.domain.question import Language

_TEMPLATE = """\
# yaml-language-server: $$schema=$schema
# $comment_example
# $comment_fields
id: $id
title: $title
about: $about
topic: banks
difficulty: 2
sources: ["CUDA C++ Programming Guide, shared memory"]
opening: $opening
stages: # $comment_stages
  - name: bank
    minutes: 1
    ask: # $comment_ask
      kind: number
      prompt: $bank_prompt
      compute: bank(4, 33 * 7 + 5)
      explanation: $bank_why
  - name: column
    minutes: 2
    lead: $column_lead # $comment_quote
    ask:
      kind: choice
      prompt: $column_prompt
      options:
        - text: "1"
          correct: true
        - text: "32"
          why: $column_wrong
      explanation: $column_why
  - name: trade
    minutes: 3
    ask:
      kind: recall
      prompt: $trade_prompt
      answer: $trade_answer
      rubric:
        - point: $trade_point_1
        - point: $trade_point_2
      explanation: $trade_why
"""

_TEXTS = {
    "comment_example": (
        "An example that lints: replace it with yours, then `quiz lint` and `quiz mock`.",
        "可通过检查的示例：用你的主题改写它，然后运行 `quiz lint` 和 `quiz mock`。",
    ),
    "comment_fields": ("Every field: `quiz docs authoring`.", "全部字段：`quiz docs authoring`。"),
    "comment_stages": (
        "asked in this order; a stage may name a `question` of the deck instead of `ask`",
        "按此顺序提问；也可以不写 `ask`，而用 `question` 指明题库里的一道题",
    ),
    "comment_ask": (
        "a question of any kind but kernel; it omits what the theme says",
        "除 kernel 外的任何题型；与主题相同的字段不必再写",
    ),
    "comment_quote": ("quotes an earlier answer", "引用前面的回答"),
}
"""Comments, in one language."""

_PROSE = {
    "title": ("A tile with a padded row", "加了 padding 的 tile"),
    "about": ("Banks, columns, and what padding costs.", "bank、按列访问，以及 padding 的代价。"),
    "opening": (
        "A kernel keeps a 32×32 tile of floats in shared memory, in rows of 33 elements.",
        "某个 kernel 在共享内存中存放 32×32 的 float tile，每行 33 个元素。",
    ),
    "bank_prompt": (
        "The tile begins at shared address 0. Which bank holds [7][5]?",
        "tile 从共享内存地址 0 开始。元素 [7][5] 在哪个 bank？",
    ),
    "bank_why": (
        "It is element 33 · 7 + 5 = 236, and 236 mod 32 = 12.",
        "它是第 33 · 7 + 5 = 236 个元素，236 mod 32 = 12。",
    ),
    "column_lead": (
        "[[wrong:bank|You said bank {answer}. ]]It is bank [[correct:bank]].",
        "[[wrong:bank|你答的是 bank {answer}；]]正确的是 bank [[correct:bank]]。",
    ),
    "column_prompt": (
        "A warp reads one column of the tile. How many wavefronts does the load take?",
        "一个 warp 读取 tile 的一列。这次读取需要几个 wavefront？",
    ),
    "column_wrong": (
        "That is the count for rows of 32 elements, where a column is in one bank.",
        "那是每行 32 个元素的情形：一列全在同一个 bank。",
    ),
    "column_why": (
        "Adjacent rows are 33 words apart, so each lane reads another bank.",
        "相邻两行相距 33 个字，每个 lane 读取不同的 bank。",
    ),
    "trade_prompt": (
        "What does the padding cost, and when would you swizzle instead?",
        "padding 的代价是什么？什么时候改用 swizzle？",
    ),
    "trade_answer": (
        "It costs 32 words of shared memory, and rows are no longer 16-byte aligned.",
        "多占 32 个字的共享内存，而且各行不再按 16 字节对齐。",
    ),
    "trade_point_1": ("One more word per row", "每行多一个字"),
    "trade_point_2": (
        "Rows are not 16-byte aligned, so vector accesses and TMA need a swizzle",
        "各行不再按 16 字节对齐，向量化访问和 TMA 需要 swizzle",
    ),
    "trade_why": (
        "A swizzle permutes within the row, so it needs no extra storage.",
        "swizzle 只在行内重新排列，不需要额外空间。",
    ),
}


def theme_text(name: str, schema: str, languages: Collection[str], comments: Language) -> str:
    """Write a theme called `name`.

    `schema`: where the editor finds the schema, as seen from the file. `languages`: what its prose
    is written in; with `zh` in both. `comments`: the language of the comments.
    """
    column = 1 if comments == "zh" else 0
    fields = {key: texts[column] for key, texts in _TEXTS.items()}
    for key, (en, zh) in _PROSE.items():
        fields[key] = f'{{en: "{en}", zh: "{zh}"}}' if "zh" in languages else f'"{en}"'
    return Template(_TEMPLATE).substitute(fields, id=name, schema=schema)
